package mirverify

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// x86Rule checks addresses: base, scale, index, displacement, segment.
func (v *Verifier) x86Rule(i mir.InstrID) string {
	op := v.f.Instr(i).Opcode
	if op < desc.FirstTargetOpcode {
		return ""
	}
	ops := v.f.Ops(i)
	declared := v.in.Operands(op)
	at := -1
	for k := 0; k+4 < len(declared); k++ {
		if declared[k].Type == desc.OperandMemory && declared[k+4].Type == desc.OperandMemory {
			at = k
			break
		}
	}
	if at < 0 && len(declared) == 6 && strings.HasPrefix(v.in.OpcodeName(op), "LEA") {
		at = 1
	}
	if at < 0 || at+4 >= len(ops) || !ops[at].IsReg() || !ops[at+1].IsImm() || !ops[at+2].IsReg() || !ops[at+3].IsImm() {
		return ""
	}
	if n := ops[at+1].Imm(); ops[at+2].Reg() != 0 && n != 1 && n != 2 && n != 4 && n != 8 {
		return "Scale factor in address must be 1, 2, 4 or 8"
	}
	if n := ops[at+3].Imm(); n != int64(int32(n)) {
		return "Displacement in address must fit into 32-bit signed integer"
	}
	return ""
}

// systemzRule wants registers and immediates at their places in addresses.
func (v *Verifier) systemzRule(i mir.InstrID) string {
	op := v.f.Instr(i).Opcode
	ops := v.f.Ops(i)
	for k, d := range v.in.Operands(op) {
		if d.Type != desc.OperandMemory || k >= len(ops) {
			continue
		}
		o := &ops[k]
		if reg := d.RegClass != desc.NoClass; reg && !o.IsReg() && o.Kind() != mir.OpFrameIndex || !reg && !o.IsImm() {
			return "Addressing mode operands corrupt!"
		}
	}
	return ""
}

// Addressing modes of ARM, in the low bits of an instruction's TSFlags.
const (
	armI12 = 11 + iota
	armI8
	armI8Pos
	armI8Neg
	_
	_
	armI8s4
	armI7s4   = 21
	armI7s2   = 22
	armI7     = 23
	armModeOf = 31
)

// armOffset reports whether an addressing mode has an offset.
func armOffset(mode uint64, n int64) bool {
	abs := max(n, -n)
	switch mode {
	case armI12:
		return 0 <= n && n < 1<<12
	case armI8:
		return abs < 1<<8
	case armI8Pos:
		return 0 <= n && n < 1<<8
	case armI8Neg:
		return -1<<8 < n && n <= 0
	case armI8s4:
		return abs < 1<<10 && n&3 == 0
	case armI7:
		return abs < 1<<7
	case armI7s2:
		return abs < 1<<8 && n&1 == 0
	case armI7s4:
		return abs < 1<<9 && n&3 == 0
	}
	return true
}

// armRule checks offsets of addresses, and what Thumb cannot push and pop.
func (v *Verifier) armRule(i mir.InstrID) string {
	op := v.f.Instr(i).Opcode
	if op < desc.FirstTargetOpcode {
		return ""
	}
	ops := v.f.Ops(i)
	switch name := v.in.OpcodeName(op); name {
	case "tPUSH", "tPOP", "tPOP_RET":
		for k := 2; k < len(ops); k++ {
			o := &ops[k]
			if !o.IsReg() || o.IsImplicit() || int(o.Reg()) >= len(v.in.Regs) {
				continue
			}
			r := v.in.RegName(desc.PhysReg(o.Reg()))
			low := len(r) == 2 && r[0] == 'R' && r[1] >= '0' && r[1] <= '7'
			if !low && !(name == "tPUSH" && r == "LR") && !(name == "tPOP_RET" && r == "PC") {
				return "Unsupported register in Thumb1 push/pop"
			}
		}
	case "MVE_VMOV_q_rr":
		if len(ops) > 5 && ops[4].IsImm() && ops[5].IsImm() {
			if a, b := ops[4].Imm(), ops[5].Imm(); a != 2 && a != 3 || a != b+2 {
				return "Incorrect array index for MVE_VMOV_q_rr"
			}
		}
	}
	mode := v.in.Instr(op).TSFlags & armModeOf
	if armOffset(mode, 1<<30) {
		return ""
	}
	for k := range ops {
		if ops[k].IsImm() {
			if !armOffset(mode, int64(int32(ops[k].Imm()))) {
				return "Incorrect AddrMode Imm for instruction"
			}
			break
		}
	}
	return ""
}
