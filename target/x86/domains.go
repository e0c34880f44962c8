package x86

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Execution domains: processors keep vectors of single, of double and of integer
// numbers apart, and a value that goes from one to another takes a cycle or two
// longer (Agner Fog, "The microarchitecture of Intel, AMD and VIA CPUs", "data
// bypass delays"). Moves, logic operations and shuffles there are for each of them.
const (
	singleDomain = 1 + iota
	doubleDomain
	integerDomain
)

// What instructions of other domains take beyond the instruction itself.
const (
	anyLevel  = iota
	levelAVX2 // integers of 256 bits, and EVEX encodings of some
	levelDQ   // floating-point logic with EVEX encodings
)

// domainRow says what an instruction is in each domain, 0 where it is nothing; all
// are 0 where it counts for none. Of several rows of an opcode that of the highest
// level counts that the processor has.
type domainRow struct {
	op    desc.Opcode
	level uint8
	// low says that it takes registers below 16: its twins are encoded with VEX.
	low bool
	in  [3]desc.Opcode
}

// domainShift is where in TSFlags the domain stands.
const domainShift = 27

// domainHooks are InstrHooks.Domains.
var domainHooks = target.DomainHooks{Class: tab.VR128XRegClassID, Shift: domainShift, Of: domainOf, Set: setDomain}

// domainOf is DomainHooks.Of.
func domainOf(st *target.Subtarget, f *mir.Function, i mir.InstrID) (domain int, mask uint8) {
	domain = int(f.Desc(i).TSFlags >> domainShift & 3)
	if mask, ok := specialDomains(st, f, i); ok {
		return domain, mask
	}
	row := domainRowOf(st, f, i)
	if row == nil {
		return domain, 0
	}
	for d, op := range row.in {
		if op != 0 {
			mask |= 2 << d
		}
	}
	if mask == 0 {
		return 0, 0
	}
	return domain, mask
}

// domainRowOf finds the row that counts for i, nil for an instruction of one domain.
func domainRowOf(st *target.Subtarget, f *mir.Function, i mir.InstrID) *domainRow {
	op := f.Instr(i).Opcode
	k, ok := slices.BinarySearchFunc(domainRows[:], op, func(r domainRow, op desc.Opcode) int { return int(r.op) - int(op) })
	if !ok {
		return nil
	}
	for k > 0 && domainRows[k-1].op == op {
		k--
	}
	level := uint8(anyLevel)
	switch {
	case st.HasFeature("avx512dq"):
		level = levelDQ
	case st.HasFeature("avx2"):
		level = levelAVX2
	}
	var row *domainRow
	for ; k < len(domainRows) && domainRows[k].op == op; k++ {
		if domainRows[k].level <= level {
			row = &domainRows[k]
		}
	}
	if row == nil || row.low && usesHighRegister(f, i) {
		return nil
	}
	return row
}

// usesHighRegister reports a register that VEX cannot name, also in an address.
func usesHighRegister(f *mir.Function, i mir.InstrID) bool {
	for _, o := range f.Ops(i)[:min(int(f.Desc(i).NumOperands), f.Instr(i).NumOps())] {
		if o.IsReg() && o.Reg().IsPhysical() && o.Reg() != 0 && highRegister(f.Facts, o.Reg()) {
			return true
		}
	}
	return false
}

// highRegister reports xmm16 to xmm31 and what contains them, and r16 to r31 with their parts.
func highRegister(in *desc.Info, r mir.Reg) bool {
	p := desc.PhysReg(r)
	return in.Regs[p].Encoding&31 >= 16 && slices.ContainsFunc(highClasses[:], func(c desc.ClassID) bool { return in.ClassContains(c, p) })
}

var highClasses = [...]desc.ClassID{
	tab.VR128XRegClassID, tab.VR256XRegClassID, tab.VR512RegClassID,
	tab.GR64RegClassID, tab.GR32RegClassID, tab.GR16RegClassID, tab.GR8RegClassID,
}

// setDomain is DomainHooks.Set.
func setDomain(st *target.Subtarget, f *mir.Function, i mir.InstrID, domain int) {
	if setSpecialDomain(st, f, i, domain) {
		return
	}
	if row := domainRowOf(st, f, i); row != nil && row.in[domain-1] != 0 {
		f.Instr(i).Opcode = row.in[domain-1]
	}
}

// blendRow is a family of blends; the immediate has a bit for each element.
type blendRow struct {
	single, double, word, dword desc.Opcode
	wide                        bool // of 256 bits
}

var blendRows = [...]blendRow{
	{tab.BLENDPSrri, tab.BLENDPDrri, tab.PBLENDWrri, 0, false},
	{tab.BLENDPSrmi, tab.BLENDPDrmi, tab.PBLENDWrmi, 0, false},
	{tab.VBLENDPSrri, tab.VBLENDPDrri, tab.VPBLENDWrri, tab.VPBLENDDrri, false},
	{tab.VBLENDPSrmi, tab.VBLENDPDrmi, tab.VPBLENDWrmi, tab.VPBLENDDrmi, false},
	{tab.VBLENDPSYrri, tab.VBLENDPDYrri, tab.VPBLENDWYrri, tab.VPBLENDDYrri, true},
	{tab.VBLENDPSYrmi, tab.VBLENDPDYrmi, tab.VPBLENDWYrmi, tab.VPBLENDDYrmi, true},
}

// blendOf finds the family of a blend and how many elements it has.
func blendOf(op desc.Opcode) (row *blendRow, width int) {
	for k := range blendRows {
		r := &blendRows[k]
		n := 1
		if r.wide {
			n = 2
		}
		switch op {
		case r.single, r.dword:
			return r, 4 * n
		case r.double:
			return r, 2 * n
		case r.word:
			return r, 8 * n
		}
	}
	return nil, 0
}

// scaleBlend says the same of other elements: to of them for from. ok is false where
// only a part of an element is taken.
func scaleBlend(imm uint64, from, to int) (n uint64, ok bool) {
	for k := range to {
		bits := uint64(0)
		whole := uint64(1)
		if to >= from {
			bits = imm >> (k / (to / from)) & 1
		} else {
			whole = 1<<(from/to) - 1
			bits = imm >> (k * (from / to)) & whole
		}
		switch bits {
		case whole:
			n |= 1 << k
		case 0:
		default:
			return 0, false
		}
	}
	return n, true
}

// blendImm is the immediate of a blend, a bit for each of its elements.
func blendImm(f *mir.Function, i mir.InstrID, width int) (uint64, bool) {
	o := f.Op(i, int(f.Desc(i).NumOperands)-1)
	if !o.IsImm() {
		return 0, false
	}
	imm := uint64(o.Imm()) & 0xff
	if width == 16 {
		imm |= imm << 8 // the same in both halves
	}
	return imm, true
}

// specialDomains are the domains of an instruction whose operands depend on its
// domain.
func specialDomains(st *target.Subtarget, f *mir.Function, i mir.InstrID) (mask uint8, ok bool) {
	op := f.Instr(i).Opcode
	switch op {
	case tab.SHUFPDrri:
		return 1<<singleDomain | 1<<doubleDomain, true
	case tab.MOVHLPSrr:
		if sameSources(f, i) {
			return 1<<singleDomain | 1<<doubleDomain, true
		}
		return 0, true
	case tab.UNPCKHPDrr:
		return 1<<singleDomain | 1<<doubleDomain | 1<<integerDomain, true
	}
	row, width := blendOf(op)
	if row == nil {
		return 0, false
	}
	imm, ok := blendImm(f, i, width)
	if !ok {
		return 0, true
	}
	for d := singleDomain; d <= integerDomain; d++ {
		if to, elements := row.in(st, op, d); to != 0 {
			if _, ok := scaleBlend(imm, width, elements); ok {
				mask |= 1 << d
			}
		}
	}
	return mask, true
}

// in is what does the work of op in a domain, and how many elements it has.
func (r *blendRow) in(st *target.Subtarget, op desc.Opcode, domain int) (desc.Opcode, int) {
	n := 1
	if r.wide {
		n = 2
	}
	switch {
	case domain == singleDomain:
		return r.single, 4 * n
	case domain == doubleDomain:
		return r.double, 2 * n
	case op == r.word:
		return r.word, 8 * n
	case op == r.dword || r.dword != 0 && st.HasFeature("avx2"):
		return r.dword, 4 * n
	case !r.wide:
		return r.word, 8
	}
	return 0, 0
}

func sameSources(f *mir.Function, i mir.InstrID) bool {
	a, b := f.Op(i, 1), f.Op(i, 2)
	return a.Reg() == b.Reg() && f.Op(i, 0).SubReg() == 0 && a.SubReg() == 0 && b.SubReg() == 0
}

// setSpecialDomain reports whether i is one of those of specialDomains.
func setSpecialDomain(st *target.Subtarget, f *mir.Function, i mir.InstrID, domain int) bool {
	op := f.Instr(i).Opcode
	switch op {
	case tab.SHUFPDrri:
		if domain == singleDomain {
			// Elements of 64 bits are pairs of 32: 01 00 or 11 10 of either source.
			imm := f.Op(i, 3).Imm()
			f.Instr(i).Opcode = tab.SHUFPSrri
			f.SetImm(i, 3, 0x44|imm&1*0xa|imm>>1&1*0xa0)
		}
		return true
	case tab.MOVHLPSrr, tab.UNPCKHPDrr:
		switch {
		case domain == integerDomain:
			f.Instr(i).Opcode = tab.PUNPCKHQDQrr
		case !sameSources(f, i):
		case domain == doubleDomain:
			f.Instr(i).Opcode = tab.UNPCKHPDrr
		default:
			f.Instr(i).Opcode = tab.MOVHLPSrr
		}
		return true
	}
	row, width := blendOf(op)
	if row == nil {
		return false
	}
	to, elements := row.in(st, op, domain)
	if imm, ok := blendImm(f, i, width); ok && to != 0 {
		if imm, ok = scaleBlend(imm, width, elements); ok {
			f.SetImm(i, int(f.Desc(i).NumOperands)-1, int64(imm&0xff))
			f.Instr(i).Opcode = to
		}
	}
	return true
}
