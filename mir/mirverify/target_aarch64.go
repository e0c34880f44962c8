package mirverify

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Operand types of AArch64.
const (
	a64ImplicitZero = desc.FirstTargetOperandType     // 0, which is not written in assembly
	a64ShiftMSL     = desc.FirstTargetOperandType + 1 // shift that fills with ones
)

// a64State caches the kind of offset of each opcode: an index of a64Offsets
// plus 1, 0 for one that was not asked for yet.
type a64State struct {
	in   *desc.Info
	kind []uint8
}

// a64Offsets are the ranges of offsets, in units of the access.
var a64Offsets = [...][2]int64{{}, {0, 4095}, {-256, 255}, {-64, 63}, {-8, 7}, {0, 63}, {-256, 254}, {-256, 253}, {-256, 252}}

const (
	a64None = iota
	a64U12
	a64S9
	a64S7
	a64S4
	a64U6
	a64S9Two
	a64S9Three
	a64S9Four
)

// a64Offset says by an opcode's name which offsets it has. LLVM knows them by
// lists; what those leave out is left out here.
func a64Offset(n string) uint8 {
	cut := func(suffix string) bool {
		s, ok := strings.CutSuffix(n, suffix)
		if ok {
			n = s
		}
		return ok
	}
	oneOf := func(list string) bool { return n != "" && strings.Contains(list, " "+n+" ") }
	switch n {
	case "StoreSwiftAsyncContext":
		return a64U12
	case "ADDG":
		return a64U6
	case "LDG", "PRFUMi", "LDR_PXI", "LDR_ZXI", "STR_PXI", "STR_ZXI":
		return a64S9
	case "LDR_PPXI", "STR_PPXI", "LDR_ZZXI", "STR_ZZXI":
		return a64S9Two
	case "LDR_ZZZXI", "STR_ZZZXI":
		return a64S9Three
	case "LDR_ZZZZXI", "STR_ZZZZXI":
		return a64S9Four
	case "LDRQpre", "STRQpost":
		return a64None
	}
	const sizes = " BB B D HH H Q S W X "
	rest, load := strings.CutPrefix(n, "LD")
	if !load {
		var store bool
		if rest, store = strings.CutPrefix(n, "ST"); !store {
			if n == "PRFMui" {
				return a64U12
			}
			return a64None
		}
	}
	n = rest
	switch {
	case cut("ui"):
		n = strings.TrimPrefix(n, "R")
		if oneOf(" BB B D HH H Q SBW SBX SHW SHX SW S W X ") && !strings.HasPrefix(rest, "UR") {
			return a64U12
		}
	case cut("_IMM"):
		return a64Vector(n)
	case cut("_ZRI"):
		if oneOf(" NT1B NT1D NT1H NT1W ") {
			return a64S4
		}
	case cut("PostIndex"), cut("PreIndex"):
		if !load && oneOf(" 2G G Z2G ZG ") {
			return a64S9
		}
	case cut("pre"), cut("post"):
		if p, ok := strings.CutPrefix(n, "P"); ok {
			if n = p; oneOf(" D Q S W X ") {
				return a64S7
			}
		} else if r, ok := strings.CutPrefix(n, "R"); ok {
			if n = r; oneOf(sizes) {
				return a64S9
			}
		} else if !load && n == "GP" {
			return a64S7
		}
	case cut("i"):
		switch {
		case !load && oneOf(" 2G G Z2G ZG "):
			return a64S9
		case !load && n == "GP":
			return a64S7
		case oneOf(" NPD NPQ NPS NPW NPX PD PQ PS PW PX "):
			return a64S7
		case load && oneOf(" APUR APURB APURH APURSBW APURSBX APURSHW APURSHX APURSW APURX "), !load && oneOf(" LURB LURH LURW LURX "),
			oneOf(" URBB URB URD URHH URH URQ URS URW URX "), load && oneOf(" URSBW URSBX URSHW URSHX URSW "):
			return a64S9
		}
	}
	return a64None
}

// a64Vector is a64Offset for accesses of scalable vectors: 1B_D of LD1B_D_IMM.
func a64Vector(n string) uint8 {
	kind := uint8(a64S4)
	n = strings.TrimPrefix(n, "NF")
	if len(n) < 2 || n[0] < '1' || n[0] > '4' {
		return a64None
	}
	if n = n[1:]; n[0] == 'R' {
		kind, n = a64U6, n[1:]
	}
	if len(n) > 1 && n[0] == 'S' {
		n = n[1:]
	}
	if n == "" || strings.IndexByte("BHWD", n[0]) < 0 {
		return a64None
	}
	if n = n[1:]; n == "" || n == "_D" || n == "_H" || n == "_S" {
		return kind
	}
	return a64None
}

func (v *Verifier) aarch64Rule(i mir.InstrID) string {
	op := v.f.Instr(i).Opcode
	if op < desc.FirstTargetOpcode {
		return ""
	}
	if v.a64.in != v.in {
		v.a64 = a64State{v.in, make([]uint8, v.in.NumInstrs())}
	}
	if v.a64.kind[op] == 0 {
		v.a64.kind[op] = a64Offset(v.in.OpcodeName(op)) + 1
	}
	ops := v.f.Ops(i)
	declared := v.in.Operands(op)
	if k := v.a64.kind[op] - 1; k != a64None {
		r := a64Offsets[k]
		for n := len(declared) - 1; n > 0; n-- {
			// The offset stands behind the base.
			if declared[n].Type != desc.OperandImmediate || declared[n-1].RegClass == desc.NoClass {
				continue
			}
			if n < len(ops) && ops[n].IsImm() && ops[n-1].Kind() != mir.OpFrameIndex && (ops[n].Imm() < r[0] || ops[n].Imm() > r[1]) {
				return "Unexpected immediate on load/store instruction"
			}
			break
		}
	}
	for k, d := range declared {
		if d.Type < desc.FirstTargetOperandType || k >= len(ops) || !ops[k].IsImm() {
			continue
		}
		switch n := ops[k].Imm(); {
		case d.Type == a64ImplicitZero && n != 0:
			return "OPERAND_IMPLICIT_IMM_0 should be 0"
		// The kind of shift (1, for MSL) is in bits 6 to 8, the amount below.
		case d.Type == a64ShiftMSL && n != 1<<8|8 && n != 1<<8|16:
			return "OPERAND_SHIFT_MSL should be msl shift of 8 or 16"
		}
	}
	return ""
}
