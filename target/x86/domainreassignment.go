package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// domainReassignment is the pass that keeps masks in mask registers: where values come
// from these, go there, and what is done with them in between can be done there, the
// copies to general registers and back go.
//
// A closure are the general registers that instructions connect, addresses apart. It is
// converted when every instruction of it has a form on mask registers and more copies
// between the domains go than come.
var domainReassignment = target.Pass{
	Name:       "x86-domain-reassignment",
	Title:      "X86 Domain Reassignment Pass",
	Before:     "early-tailduplication,opt-phis",
	Optimizing: true,
	Requires:   mir.IsSSA,
	KeepsCFG:   true,
	Run:        runDomainReassignment,
}

// maskClosure is a closure.
type maskClosure struct {
	regs   []mir.Reg
	instrs []mir.InstrID
	legal  bool // all of it can be converted
}

// domainReassigner finds closures. in numbers the closure that each register and each
// instruction is in, 0 for none.
type domainReassigner struct {
	f             *mir.Function
	dq, ndd, egpr bool
	now           uint32
	regIn         []uint32
	instrIn       []uint32
	work          []mir.Reg
}

func runDomainReassignment(c target.PassContext, f *mir.Function) error {
	st := c.SubtargetOf()
	// Without AVX512BW masks of more than 16 bits cannot be spilled.
	if !st.HasFeature("avx512f") || !st.HasFeature("avx512bw") {
		return nil
	}
	d := domainReassigner{f: f, dq: st.HasFeature("avx512dq"), ndd: st.HasFeature("ndd"), egpr: st.HasFeature("egpr"),
		regIn: make([]uint32, f.NumVRegs()), instrIn: make([]uint32, f.NumInstrIDs())}
	var found []maskClosure
	for n := range f.NumVRegs() {
		r := mir.VReg(n)
		if d.regIn[n] != 0 || !isGPR(f, r) || !isNamed(f, r) {
			continue
		}
		if x := d.closure(r); x.legal && len(x.regs) > 0 {
			found = append(found, x)
		}
	}
	for k := range found {
		if cost := d.cost(&found[k]); cost < 0 {
			d.convert(&found[k])
			c.Count("x86-domain-reassignment", "Number of closures converted by the pass", 1)
		}
	}
	return nil
}

// isGPR reports a virtual register of a class of general registers.
func isGPR(f *mir.Function, r mir.Reg) bool { return maskClassOf(f, r) != desc.NoClass }

// maskClassOf is the class of masks as wide as general register r, NoClass for others.
func maskClassOf(f *mir.Function, r mir.Reg) desc.ClassID {
	c := f.VReg(r).Class
	if c < 0 {
		return desc.NoClass
	}
	for _, p := range [...][2]desc.ClassID{{tab.GR64RegClassID, tab.VK64RegClassID}, {tab.GR32RegClassID, tab.VK32RegClassID},
		{tab.GR16RegClassID, tab.VK16RegClassID}, {tab.GR8RegClassID, tab.VK8RegClassID}} {
		if f.Facts.HasSubClassEq(p[0], desc.ClassID(c)) {
			return p[1]
		}
	}
	return desc.NoClass
}

// isMask reports a virtual register of a class of mask registers.
func isMask(f *mir.Function, r mir.Reg) bool {
	c := f.VReg(r).Class
	return c >= 0 && f.Facts.HasSubClassEq(tab.VK16RegClassID, desc.ClassID(c))
}

// isNamed reports that an instruction other than debug ones names r.
func isNamed(f *mir.Function, r mir.Reg) bool { return f.HasDefs(r) || f.HasUses(r) }

// closure finds what is connected with r.
func (d *domainReassigner) closure(r mir.Reg) maskClosure {
	f := d.f
	d.now++
	x := maskClosure{legal: true}
	d.work = d.work[:0]
	d.visit(&x, r)
	for len(d.work) > 0 {
		r := d.work[len(d.work)-1]
		d.work = d.work[:len(d.work)-1]
		if d.regIn[r.Index()] == d.now {
			continue
		}
		d.regIn[r.Index()] = d.now
		x.regs = append(x.regs, r)
		def := f.UniqueDef(r)
		d.enclose(&x, def)
		mem := memoryAt(f, def)
		for k := 0; k < f.Instr(def).NumOps(); k++ {
			if k == mem {
				// Registers of an address are connected with others.
				k += addrOps - 1
				continue
			}
			if o := f.Op(def, k); o.IsUse() {
				d.visit(&x, o.Reg())
			}
		}
		for u, k := range f.NonDebugUses(r) {
			if isAddress(f, u, r) {
				x.legal = false
				continue
			}
			x.legal = x.legal && isLowPart(f.Op(u, k).SubReg())
			d.enclose(&x, u)
			for k := range int(f.Desc(u).NumDefs) {
				if o := f.Op(u, k); !o.IsDef() {
					continue
				} else if !o.Reg().IsVirtual() {
					x.legal = false
				} else {
					d.visit(&x, o.Reg())
				}
			}
		}
	}
	return x
}

// visit has register r looked at for closure x.
func (d *domainReassigner) visit(x *maskClosure, r mir.Reg) {
	if !r.IsVirtual() {
		return
	}
	if in := d.regIn[r.Index()]; in != 0 {
		x.legal = x.legal && in == d.now
		return
	}
	if d.f.UniqueDef(r) != 0 && isGPR(d.f, r) {
		d.work = append(d.work, r)
	}
}

// enclose puts instruction i into x.
func (d *domainReassigner) enclose(x *maskClosure, i mir.InstrID) {
	if in := d.instrIn[i]; in != 0 {
		x.legal = x.legal && in == d.now
		return
	}
	d.instrIn[i] = d.now
	x.instrs = append(x.instrs, i)
	x.legal = x.legal && d.convertible(i)
}

// memoryAt is the operand with which the address of what i accesses begins, -1 for none.
func memoryAt(f *mir.Function, i mir.InstrID) int {
	if isLEA(f.Instr(i).Opcode) {
		return 1
	}
	return memOperand(f, i)
}

// isAddress reports that register r is part of the address of what i accesses.
func isAddress(f *mir.Function, i mir.InstrID, r mir.Reg) bool {
	if !f.MayLoad(i) && !f.MayStore(i) {
		return false
	}
	at := memoryAt(f, i)
	if at < 0 {
		return false
	}
	for k := at; k < at+addrOps; k++ {
		if o := f.Op(i, k); o.IsReg() && o.Reg() == r {
			return true
		}
	}
	return false
}

// convertible reports that i has a form on mask registers, and sets no flags that are read.
func (d *domainReassigner) convertible(i mir.InstrID) bool {
	f := d.f
	switch f.Instr(i).Opcode {
	case desc.PHI, desc.IMPLICIT_DEF:
		return true
	case desc.INSERT_SUBREG:
		return d.isLone(i)
	case desc.COPY:
		for k := range 2 {
			r := f.Op(i, k).Reg()
			if r.IsPhysical() && (f.Facts.ClassContains(tab.GR8RegClassID, desc.PhysReg(r)) || f.Facts.ClassContains(tab.GR16RegClassID, desc.PhysReg(r))) {
				return false
			}
			// No instruction moves between vector and mask registers (LLVM makes such copies).
			if r.IsVirtual() && !isGPR(f, r) && !isMask(f, r) {
				return false
			}
		}
		return true
	}
	form := d.form(f.Instr(i).Opcode)
	if form.op == 0 {
		return false
	}
	if form.widens {
		return true
	}
	// Shifts of general registers count modulo 32 or 64.
	if form.shift != 0 && (!f.Op(i, 2).IsImm() || uint64(f.Op(i, 2).Imm()) >= uint64(form.shift)) {
		return false
	}
	for k := range f.Ops(i) {
		if o := f.Op(i, k); o.IsDef() && o.IsImplicit() && !o.IsDead() {
			return false
		}
	}
	return true
}

// isLowPart reports that a sub-register is the lowest bits of its register, or all of it.
func isLowPart(sub uint16) bool {
	switch desc.SubRegIdx(sub) {
	case 0, tab.Sub8Bit, tab.Sub16Bit, tab.Sub32Bit:
		return true
	}
	return false
}

// isByteMask reports a class of masks of 8 bits or less. (What masks are in does not say how
// many bits they have.)
func isByteMask(c int16) bool {
	switch desc.ClassID(c) {
	case tab.VK1RegClassID, tab.VK2RegClassID, tab.VK4RegClassID, tab.VK8RegClassID,
		tab.VK1WMRegClassID, tab.VK2WMRegClassID, tab.VK4WMRegClassID, tab.VK8WMRegClassID:
		return true
	}
	return false
}

// isLone reports an INSERT_SUBREG into nothing, which a copy stands for: no other bits are
// there to be kept. A part that is not the lowest comes to stand there, where those that
// read the result must have read what nothing defined.
func (d *domainReassigner) isLone(i mir.InstrID) bool {
	f := d.f
	into := f.Op(i, 1)
	if def := f.UniqueDef(into.Reg()); !into.IsUndef() && (def == 0 || f.Instr(def).Opcode != desc.IMPLICIT_DEF) {
		return false
	}
	if isLowPart(uint16(f.Op(i, 3).Imm())) {
		return true
	}
	for u := range f.NonDebugUses(f.Op(i, 0).Reg()) {
		if r := f.Op(u, 0).Reg(); f.Instr(u).Opcode != desc.COPY || !r.IsVirtual() || !isByteMask(f.VReg(r).Class) {
			return false
		}
	}
	return true
}

// cost is how many more instructions there are when x is converted.
func (d *domainReassigner) cost(x *maskClosure) (n int) {
	f := d.f
	for _, i := range x.instrs {
		if f.Instr(i).Opcode != desc.COPY {
			continue
		}
		for k := range 2 {
			r := f.Op(i, k).Reg()
			if r.IsPhysical() {
				n++
				break
			}
			if isMask(f, r) {
				n--
				break
			}
		}
	}
	return n
}

// convert has x work on mask registers.
func (d *domainReassigner) convert(x *maskClosure) {
	f := d.f
	for _, i := range x.instrs {
		b, loc := f.Instr(i).Block(), f.Instr(i).Loc
		bd := mir.Builder{F: f, Block: b, At: i, Loc: loc}
		switch op := f.Instr(i).Opcode; op {
		case desc.PHI, desc.IMPLICIT_DEF, desc.COPY:
			continue
		case desc.INSERT_SUBREG:
			bd.Build(desc.COPY, *f.Op(i, 0), *f.Op(i, 2))
		default:
			d.replace(&bd, i, d.form(op))
		}
		f.Erase(i)
	}
	for _, r := range x.regs {
		f.VReg(r).Class = int16(maskClassOf(f, r))
		for u, k := range f.Uses(r) {
			f.SetSubReg(u, k, 0)
		}
	}
}

// replace puts the form of i on mask registers before it.
func (d *domainReassigner) replace(bd *mir.Builder, i mir.InstrID, form maskForm) {
	f := d.f
	n := int(f.Desc(i).NumOperands)
	ops := append(make([]mir.Operand, 0, 8), f.Ops(i)[:n]...)
	dst := ops[0]
	if form.widens {
		ops[0] = mir.RegOp(f.AddVReg(int16(f.Facts.OperandClass(form.op, 0, f.Facts.DefaultMode))), mir.Def)
	}
	f.CopyMem(bd.BuildInstr(form.op, ops...), i)
	if form.widens {
		bd.Build(desc.COPY, dst, mir.RegOp(ops[0].Reg(), 0))
	}
}

// maskForm is what an instruction on general registers is on mask registers. dq says that it
// needs AVX512DQ, ndd that the instruction is one of those with a new destination, widens
// that the result is one of another class, which is copied.
type maskForm struct {
	op              desc.Opcode
	dq, ndd, widens bool
	shift           uint8 // the width, of shifts
}

// form is the form of an opcode on mask registers that the subtarget has, op 0 for none.
func (d *domainReassigner) form(op desc.Opcode) maskForm {
	form := maskFormOf(op)
	if form.dq && !d.dq || form.ndd && !d.ndd {
		return maskForm{}
	}
	if d.egpr {
		form.op = evexMove(form.op)
	}
	return form
}

// maskFormOf is the form of an opcode with all features.
func maskFormOf(op desc.Opcode) maskForm {
	switch op {
	case tab.MOVZX32rm16, tab.MOVZX64rm16:
		return maskForm{op: tab.KMOVWkm, widens: true}
	case tab.MOVZX32rr16, tab.MOVZX64rr16:
		return maskForm{op: tab.KMOVWkk, widens: true}
	case tab.MOVZX16rm8, tab.MOVZX32rm8, tab.MOVZX64rm8:
		return maskForm{op: tab.KMOVBkm, dq: true, widens: true}
	case tab.MOVZX16rr8, tab.MOVZX32rr8, tab.MOVZX64rr8:
		return maskForm{op: tab.KMOVBkk, dq: true, widens: true}
	case tab.MOV8rm:
		return maskForm{op: tab.KMOVBkm, dq: true}
	case tab.MOV8mr:
		return maskForm{op: tab.KMOVBmk, dq: true}
	case tab.MOV8rr:
		return maskForm{op: tab.KMOVBkk, dq: true}
	case tab.SHR8ri:
		return maskForm{op: tab.KSHIFTRBki, dq: true, shift: 8}
	case tab.SHR8ri_ND:
		return maskForm{op: tab.KSHIFTRBki, dq: true, ndd: true, shift: 8}
	case tab.SHL8ri:
		return maskForm{op: tab.KSHIFTLBki, dq: true, shift: 8}
	case tab.SHL8ri_ND:
		return maskForm{op: tab.KSHIFTLBki, dq: true, ndd: true, shift: 8}
	case tab.NOT8r:
		return maskForm{op: tab.KNOTBkk, dq: true}
	case tab.NOT8r_ND:
		return maskForm{op: tab.KNOTBkk, dq: true, ndd: true}
	case tab.OR8rr:
		return maskForm{op: tab.KORBkk, dq: true}
	case tab.OR8rr_ND:
		return maskForm{op: tab.KORBkk, dq: true, ndd: true}
	case tab.AND8rr:
		return maskForm{op: tab.KANDBkk, dq: true}
	case tab.AND8rr_ND:
		return maskForm{op: tab.KANDBkk, dq: true, ndd: true}
	case tab.XOR8rr:
		return maskForm{op: tab.KXORBkk, dq: true}
	case tab.XOR8rr_ND:
		return maskForm{op: tab.KXORBkk, dq: true, ndd: true}
	case tab.ADD8rr:
		return maskForm{op: tab.KADDBkk, dq: true}
	case tab.ADD8rr_ND:
		return maskForm{op: tab.KADDBkk, dq: true, ndd: true}
	case tab.MOV16rm:
		return maskForm{op: tab.KMOVWkm}
	case tab.MOV16mr:
		return maskForm{op: tab.KMOVWmk}
	case tab.MOV16rr:
		return maskForm{op: tab.KMOVWkk}
	case tab.SHR16ri:
		return maskForm{op: tab.KSHIFTRWki, shift: 16}
	case tab.SHR16ri_ND:
		return maskForm{op: tab.KSHIFTRWki, ndd: true, shift: 16}
	case tab.SHL16ri:
		return maskForm{op: tab.KSHIFTLWki, shift: 16}
	case tab.SHL16ri_ND:
		return maskForm{op: tab.KSHIFTLWki, ndd: true, shift: 16}
	case tab.NOT16r:
		return maskForm{op: tab.KNOTWkk}
	case tab.NOT16r_ND:
		return maskForm{op: tab.KNOTWkk, ndd: true}
	case tab.OR16rr:
		return maskForm{op: tab.KORWkk}
	case tab.OR16rr_ND:
		return maskForm{op: tab.KORWkk, ndd: true}
	case tab.AND16rr:
		return maskForm{op: tab.KANDWkk}
	case tab.AND16rr_ND:
		return maskForm{op: tab.KANDWkk, ndd: true}
	case tab.XOR16rr:
		return maskForm{op: tab.KXORWkk}
	case tab.XOR16rr_ND:
		return maskForm{op: tab.KXORWkk, ndd: true}
	case tab.ADD16rr:
		return maskForm{op: tab.KADDWkk, dq: true}
	case tab.ADD16rr_ND:
		return maskForm{op: tab.KADDWkk, dq: true, ndd: true}
	case tab.MOV32rm:
		return maskForm{op: tab.KMOVDkm}
	case tab.MOV32mr:
		return maskForm{op: tab.KMOVDmk}
	case tab.MOV32rr:
		return maskForm{op: tab.KMOVDkk}
	case tab.SHR32ri:
		return maskForm{op: tab.KSHIFTRDki, shift: 32}
	case tab.SHR32ri_ND:
		return maskForm{op: tab.KSHIFTRDki, ndd: true, shift: 32}
	case tab.SHL32ri:
		return maskForm{op: tab.KSHIFTLDki, shift: 32}
	case tab.SHL32ri_ND:
		return maskForm{op: tab.KSHIFTLDki, ndd: true, shift: 32}
	case tab.NOT32r:
		return maskForm{op: tab.KNOTDkk}
	case tab.NOT32r_ND:
		return maskForm{op: tab.KNOTDkk, ndd: true}
	case tab.OR32rr:
		return maskForm{op: tab.KORDkk}
	case tab.OR32rr_ND:
		return maskForm{op: tab.KORDkk, ndd: true}
	case tab.AND32rr:
		return maskForm{op: tab.KANDDkk}
	case tab.AND32rr_ND:
		return maskForm{op: tab.KANDDkk, ndd: true}
	case tab.XOR32rr:
		return maskForm{op: tab.KXORDkk}
	case tab.XOR32rr_ND:
		return maskForm{op: tab.KXORDkk, ndd: true}
	case tab.ADD32rr:
		return maskForm{op: tab.KADDDkk}
	case tab.ADD32rr_ND:
		return maskForm{op: tab.KADDDkk, ndd: true}
	case tab.ANDN32rr:
		return maskForm{op: tab.KANDNDkk}
	case tab.MOV64rm:
		return maskForm{op: tab.KMOVQkm}
	case tab.MOV64mr:
		return maskForm{op: tab.KMOVQmk}
	case tab.MOV64rr:
		return maskForm{op: tab.KMOVQkk}
	case tab.SHR64ri:
		return maskForm{op: tab.KSHIFTRQki, shift: 64}
	case tab.SHR64ri_ND:
		return maskForm{op: tab.KSHIFTRQki, ndd: true, shift: 64}
	case tab.SHL64ri:
		return maskForm{op: tab.KSHIFTLQki, shift: 64}
	case tab.SHL64ri_ND:
		return maskForm{op: tab.KSHIFTLQki, ndd: true, shift: 64}
	case tab.NOT64r:
		return maskForm{op: tab.KNOTQkk}
	case tab.NOT64r_ND:
		return maskForm{op: tab.KNOTQkk, ndd: true}
	case tab.OR64rr:
		return maskForm{op: tab.KORQkk}
	case tab.OR64rr_ND:
		return maskForm{op: tab.KORQkk, ndd: true}
	case tab.AND64rr:
		return maskForm{op: tab.KANDQkk}
	case tab.AND64rr_ND:
		return maskForm{op: tab.KANDQkk, ndd: true}
	case tab.XOR64rr:
		return maskForm{op: tab.KXORQkk}
	case tab.XOR64rr_ND:
		return maskForm{op: tab.KXORQkk, ndd: true}
	case tab.ADD64rr:
		return maskForm{op: tab.KADDQkk}
	case tab.ADD64rr_ND:
		return maskForm{op: tab.KADDQkk, ndd: true}
	case tab.ANDN64rr:
		return maskForm{op: tab.KANDNQkk}
	}
	return maskForm{}
}

// evexMove is a move to or from a mask register that can name the registers of APX.
func evexMove(op desc.Opcode) desc.Opcode {
	switch op {
	case tab.KMOVBkk:
		return tab.KMOVBkk_EVEX
	case tab.KMOVBkm:
		return tab.KMOVBkm_EVEX
	case tab.KMOVBmk:
		return tab.KMOVBmk_EVEX
	case tab.KMOVWkk:
		return tab.KMOVWkk_EVEX
	case tab.KMOVWkm:
		return tab.KMOVWkm_EVEX
	case tab.KMOVWmk:
		return tab.KMOVWmk_EVEX
	case tab.KMOVDkk:
		return tab.KMOVDkk_EVEX
	case tab.KMOVDkm:
		return tab.KMOVDkm_EVEX
	case tab.KMOVDmk:
		return tab.KMOVDmk_EVEX
	case tab.KMOVQkk:
		return tab.KMOVQkk_EVEX
	case tab.KMOVQkm:
		return tab.KMOVQkm_EVEX
	case tab.KMOVQmk:
		return tab.KMOVQmk_EVEX
	}
	return op
}
