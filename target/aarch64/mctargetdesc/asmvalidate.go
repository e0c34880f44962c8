package mctargetdesc

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// check is what is unpredictable about an instruction.
type check uint8

const (
	checkNone check = iota
	checkPairBack
	checkPair
	checkPairBackFP
	checkStorePair
	checkLoad
	checkStore
	checkStatus
	checkStatusPair
	checkLoadAuth
	checkCopy
	checkSet
	checkAdd
	checkArray
)

// checksByOpcode finds the opcodes that are checked by LLVM's names of them.
func checksByOpcode(info *desc.Info) map[desc.Opcode]check {
	m := map[desc.Opcode]check{}
	put := func(c check, names string) {
		for n := range strings.FieldsSeq(names) {
			if op, ok := info.OpcodeByName(n); ok {
				m[op] = c
			}
		}
	}
	put(checkPairBack, "LDPSWpre LDPWpost LDPWpre LDPXpost LDPXpre")
	put(checkPair, "LDPDi LDPQi LDPSi LDPSWi LDPWi LDPXi")
	put(checkPairBackFP, "LDPDpost LDPDpre LDPQpost LDPQpre LDPSpost LDPSpre LDPSWpost")
	put(checkStorePair, "STPDpost STPDpre STPQpost STPQpre STPSpost STPSpre STPWpost STPWpre STPXpost STPXpre")
	put(checkLoad, "LDRBBpre LDRBpre LDRHHpre LDRHpre LDRSBWpre LDRSBXpre LDRSHWpre LDRSHXpre LDRSWpre LDRWpre LDRXpre LDRBBpost LDRBpost LDRHHpost LDRHpost LDRSBWpost LDRSBXpost LDRSHWpost LDRSHXpost LDRSWpost LDRWpost LDRXpost")
	put(checkStore, "STRBBpost STRBpost STRHHpost STRHpost STRWpost STRXpost STRBBpre STRBpre STRHHpre STRHpre STRWpre STRXpre")
	put(checkStatus, "STXRB STXRH STXRW STXRX STLXRB STLXRH STLXRW STLXRX")
	put(checkStatusPair, "STXPW STXPX STLXPW STLXPX")
	put(checkLoadAuth, "LDRAAwriteback LDRABwriteback")
	put(checkArray, "LDR_ZA STR_ZA")
	put(checkAdd, "ADDSWri ADDSXri ADDWri ADDXri SUBSWri SUBSXri SUBWri SUBXri")
	return m
}

// prefix is a movprfx whose next instruction is checked.
type prefix struct {
	active    bool
	predicate bool
	size      uint64
	dst, pg   desc.PhysReg
}

// The parts of LLVM's TSFlags that movprfx looks at (AArch64InstrInfo.h).
const (
	elementSizeMask = 7
	destructiveMask = 15 << 3
)

// part reports whether one register is the other or a part of it.
func (s *statement) part(whole, r desc.PhysReg) bool {
	if whole == r {
		return true
	}
	for x := range s.a.info.SubRegs(whole).All() {
		if x == r {
			return true
		}
	}
	return false
}

func (s *statement) overlap(a, b desc.PhysReg) bool { return s.part(a, b) || s.part(b, a) }

// loc is where the operand n behind the mnemonic stands.
func (s *statement) operandLoc(n int) int {
	if n+1 < len(s.ops) {
		return s.place(n + 1)
	}
	return s.place(0)
}

// validate refuses what is unpredictable.
func (s *statement) validate() error {
	if err := s.followsPrefix(); err != nil {
		return err
	}
	reg := func(n int) desc.PhysReg { return s.in.Ops[n].Reg() }
	c := s.a.checks[s.in.Op]
	if c == checkNone {
		c = memoryCheck(s.a.info.OpcodeName(s.in.Op))
	}
	switch c {
	case checkPairBack:
		const msg = "unpredictable LDP instruction, writeback base is also a destination"
		if s.part(reg(3), reg(1)) {
			return fail(s.operandLoc(0), msg)
		}
		if s.part(reg(3), reg(2)) {
			return fail(s.operandLoc(1), msg)
		}
		if reg(1) == reg(2) {
			return fail(s.operandLoc(1), "unpredictable LDP instruction, Rt2==Rt")
		}
	case checkPair, checkPairBackFP:
		n := 0
		if c == checkPairBackFP {
			n = 1
		}
		if reg(n) == reg(n+1) {
			return fail(s.operandLoc(1), "unpredictable LDP instruction, Rt2==Rt")
		}
	case checkStorePair:
		const msg = "unpredictable STP instruction, writeback base is also a source"
		if s.part(reg(3), reg(1)) {
			return fail(s.operandLoc(0), msg)
		}
		if s.part(reg(3), reg(2)) {
			return fail(s.operandLoc(1), msg)
		}
	case checkLoad, checkStore:
		if s.part(reg(2), reg(1)) {
			what := "LDR"
			if c == checkStore {
				what = "STR"
			}
			return fail(s.operandLoc(0), "unpredictable "+what+" instruction, writeback base is also a source")
		}
	case checkStatus:
		if s.part(reg(1), reg(0)) || s.part(reg(2), reg(0)) && reg(2) != s.a.sp {
			return fail(s.operandLoc(0), "unpredictable STXR instruction, status is also a source")
		}
	case checkStatusPair:
		if s.part(reg(1), reg(0)) || s.part(reg(2), reg(0)) || s.part(reg(3), reg(0)) && reg(3) != s.a.sp {
			return fail(s.operandLoc(0), "unpredictable STXP instruction, status is also a source")
		}
	case checkLoadAuth:
		if reg(0) == reg(1) {
			return fail(s.operandLoc(0), "unpredictable LDRA instruction, writeback base is also a destination")
		}
	case checkCopy, checkSet:
		return s.memory(c)
	case checkAdd:
		return s.addend()
	case checkArray:
		if s.in.Ops[2].Imm() != s.in.Ops[4].Imm() {
			return fail(s.operandLoc(1), "unpredictable instruction, immediate and offset mismatch.")
		}
	}
	return nil
}

// memoryCheck finds copies and fills of memory by their names.
func memoryCheck(name string) check {
	if len(name) < 4 || name[:3] != "CPY" && name[:3] != "SET" {
		return checkNone
	}
	c := checkCopy
	rest := name[3:]
	if name[0] == 'S' {
		c = checkSet
		rest = strings.TrimPrefix(rest, "GO")
		rest = strings.TrimPrefix(rest, "G")
	} else {
		rest = strings.TrimPrefix(rest, "F")
	}
	if rest != "" && (rest[0] == 'P' || rest[0] == 'M' || rest[0] == 'E') {
		return c
	}
	return checkNone
}

// memory holds the registers of copies and fills apart.
func (s *statement) memory(c check) error {
	reg := func(n int) desc.PhysReg { return s.in.Ops[n].Reg() }
	at := s.operandLoc(0)
	if c == checkCopy && len(s.in.Ops) == 6 {
		d, src, n := reg(3), reg(4), reg(5)
		switch {
		case d == src:
			return fail(at, "invalid CPY instruction, destination and source registers are the same")
		case d == n:
			return fail(at, "invalid CPY instruction, destination and size registers are the same")
		case src == n:
			return fail(at, "invalid CPY instruction, source and size registers are the same")
		}
	}
	if c == checkSet && len(s.in.Ops) == 4 && reg(2) == reg(3) {
		return fail(at, "invalid SET instruction, destination and size registers are the same")
	}
	if c == checkSet && len(s.in.Ops) == 5 {
		d, n, src := reg(2), reg(3), reg(4)
		switch {
		case d == n:
			return fail(at, "invalid SET instruction, destination and size registers are the same")
		case d == src:
			return fail(at, "invalid SET instruction, destination and source registers are the same")
		case src == n:
			return fail(at, "invalid SET instruction, source and size registers are the same")
		}
	}
	return nil
}

// lowParts are the specifiers of symbols that add takes.
var lowParts = map[string]bool{"lo12": true, "got_auth_lo12": true, "dtprel_hi12": true, "dtprel_lo12": true, "dtprel_lo12_nc": true, "tprel_hi12": true,
	"tprel_lo12": true, "tprel_lo12_nc": true, "tlsdesc_lo12": true, "tlsdesc_auth_lo12": true, "secrel_lo12": true, "secrel_hi12": true}

// addend refuses symbols that are no parts of addresses.
func (s *statement) addend() error {
	if len(s.in.Ops) < 3 || !s.in.Ops[2].IsExpr() {
		return nil
	}
	ctx := s.p.Context()
	op := s.a.info.OpcodeName(s.in.Op)
	m, _ := ctx.ModifierOf(s.in.Ops[2].Expr())
	if m != 0 && lowParts[strings.ToLower(ctx.Info().ModifierName(m))] && (op == "ADDXri" || op == "ADDWri") {
		return nil
	}
	return fail(s.place(len(s.ops)-1), "invalid immediate expression type")
}

// followsPrefix checks the instruction behind a movprfx, and notes where it is one.
func (s *statement) followsPrefix() error {
	st := stateOf(s.p)
	was := st.prefix
	st.prefix = s.newPrefix()
	if !was.active || s.in.Op == s.a.brk || s.in.Op == s.a.hlt {
		return nil
	}
	flags := s.a.info.Instr(s.in.Op).TSFlags
	begin := s.place(0)
	const head = "instruction is unpredictable when following a "
	if flags&destructiveMask == 0 {
		return fail(begin, head+"movprfx, suggest replacing movprfx with mov")
	}
	if s.in.Ops[0].Reg() != was.dst {
		return fail(s.operandLoc(0), head+"movprfx writing to a different destination")
	}
	descs := s.a.info.Operands(s.in.Op)
	for k := 1; k < len(s.in.Ops); k++ {
		if s.in.Ops[k].IsReg() && (k >= len(descs) || descs[k].TiedTo < 0) && s.overlap(was.dst, s.in.Ops[k].Reg()) {
			return fail(s.operandLoc(0), head+"movprfx and destination also used as non-destructive source")
		}
	}
	if !was.predicate {
		return nil
	}
	pg := -1
	for k := 1; k < len(s.in.Ops) && pg < 0; k++ {
		if s.in.Ops[k].IsReg() && s.a.class(s.a.ppr, s.in.Ops[k].Reg()) {
			pg = k
		}
	}
	switch {
	case pg < 0 || flags&elementSizeMask == 0:
		return fail(begin, head+"predicated movprfx, suggest using unpredicated movprfx")
	case s.in.Ops[pg].Reg() != was.pg:
		return fail(begin, head+"predicated movprfx using a different general predicate")
	case flags&elementSizeMask != was.size:
		return fail(begin, head+"predicated movprfx with a different element size")
	}
	return nil
}

// newPrefix is what the instruction is as a prefix.
func (s *statement) newPrefix() prefix {
	name := s.a.info.OpcodeName(s.in.Op)
	if !strings.HasPrefix(name, "MOVPRFX_ZZ") && !strings.HasPrefix(name, "MOVPRFX_ZP") {
		return prefix{}
	}
	p := prefix{active: true, dst: s.in.Ops[0].Reg(), size: s.a.info.Instr(s.in.Op).TSFlags & elementSizeMask}
	switch {
	case strings.HasPrefix(name, "MOVPRFX_ZPm") && len(s.in.Ops) > 2:
		p.predicate, p.pg = true, s.in.Ops[2].Reg()
	case strings.HasPrefix(name, "MOVPRFX_ZPz"):
		p.predicate, p.pg = true, s.in.Ops[1].Reg()
	}
	return p
}
