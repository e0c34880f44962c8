package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// fixupLEAs is the pass that makes LEA additions where that is as good or better:
// where the result stands in a source's place, and on processors on which a LEA
// of base, index and displacement, or of base RBP or R13 and index, takes longer
// than two instructions.
var fixupLEAs = target.Pass{
	Name:       "x86-fixup-leas",
	Title:      "X86 LEA Fixup",
	Before:     "cfi-instr-inserter",
	Optimizing: true,
	Requires:   mir.NoVRegs,
	KeepsCFG:   true,
	Run:        runFixupLEAs,
}

func runFixupLEAs(c target.PassContext, f *mir.Function) error {
	st := c.SubtargetOf()
	p := leaFixer{c: c, f: f, incDec: !st.HasFeature("slow-incdec") || optSize(f), leaForSP: st.HasFeature("use-lea-sp"),
		slow: st.HasFeature("slow-lea"), slow3: st.HasFeature("slow-3ops-lea")}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if isLEA(f.Instr(i).Opcode) {
				p.fix(i)
			}
			i = next
		}
	}
	return nil
}

func isLEA(op desc.Opcode) bool { return op == tab.LEA64r || op == tab.LEA64_32r || op == tab.LEA32r }

// leaFixer rewrites one LEA after the other.
type leaFixer struct {
	c                             target.PassContext
	f                             *mir.Function
	incDec, leaForSP, slow, slow3 bool

	i                            mir.InstrID
	dst, base, index             mir.Reg // of the width of the result
	baseOp, indexOp, disp, dstOp mir.Operand
	scale                        int64
}

// fix looks at LEA i. All that replaces it writes the flags.
func (p *leaFixer) fix(i mir.InstrID) {
	f := p.f
	op := func(k int) mir.Operand { return *f.Op(i, k) }
	seg := op(1 + addrSegment)
	if seg.Reg() != 0 || !f.Op(i, 1).IsReg() {
		return
	}
	p.i, p.dstOp, p.baseOp, p.indexOp, p.disp = i, op(0), op(1+addrBase), op(1+addrIndex), op(1+addrDisp)
	p.scale = f.Op(i, 1+addrScale).Imm()
	p.dst, p.base, p.index = p.dstOp.Reg(), p.baseOp.Reg(), p.indexOp.Reg()
	if f.Instr(i).Opcode == tab.LEA64_32r {
		for _, r := range [...]*mir.Reg{&p.base, &p.index} {
			if *r != 0 {
				*r = reg(f.Facts.SubReg(desc.PhysReg(*r), tab.Sub32Bit))
			}
		}
	}
	switch {
	case p.intoUser():
	case flagsLiveNear(f, f.Instr(i).Block(), i):
	case p.inPlace():
	case p.slow:
		p.fixSlow()
	case p.slow3:
		p.fixThreeOps()
	}
}

// flagsScan bounds the search for what becomes of the flags, as LLVM bounds it.
const flagsScan = 10

// flagsLiveNear reports whether EFLAGS may be read as they are before at, looking
// at a few instructions only.
func flagsLiveNear(f *mir.Function, b mir.BlockID, at mir.InstrID) bool {
	n := 0
	for i := at; i != 0; i = f.Instr(i).Next() {
		if f.IsDebugInstr(i) {
			continue
		}
		if n++; n > flagsScan {
			break
		}
		read, written := flagsUse(f, i)
		if read {
			return true
		}
		if written {
			return false
		}
	}
	if n > flagsScan {
		return flagsLiveBehind(f, b, at)
	}
	for _, s := range f.Succs(b) {
		if f.IsLiveIn(s.Block, reg(tab.EFLAGS)) {
			return true
		}
	}
	return false
}

// flagsLiveBehind reports whether EFLAGS may be live before at by what stands
// before it: where they were not written, or are dead already, they are not.
func flagsLiveBehind(f *mir.Function, b mir.BlockID, at mir.InstrID) bool {
	n := 0
	for i := f.Instr(at).Prev(); i != 0; i = f.Instr(i).Prev() {
		if f.IsDebugInstr(i) {
			continue
		}
		if n++; n > flagsScan {
			return true
		}
		for _, o := range f.Ops(i) {
			if o.Kind() == mir.OpRegMask {
				return false
			}
			if o.IsReg() && o.Reg() == reg(tab.EFLAGS) {
				return !o.IsDead() && !o.IsKill()
			}
		}
	}
	return f.IsLiveIn(b, reg(tab.EFLAGS))
}

// add puts op dst, dst or base, ops before the LEA. The wide registers that a
// LEA of 32 bits reads are read on.
func (p *leaFixer) add(op desc.Opcode, first mir.Reg, rest ...mir.Operand) mir.InstrID {
	b := mir.Builder{F: p.f, Loc: p.f.Instr(p.i).Loc}
	b.SetBefore(p.i)
	var buf [4]mir.Operand
	return b.BuildInstr(op, append(append(buf[:0], mir.RegOp(p.dst, mir.Def), mir.RegOp(first, 0)), rest...)...)
}

// readWide adds the wide registers of which a LEA of 32 bits reads a part.
func (p *leaFixer) readWide(n mir.InstrID, rs ...mir.Reg) {
	if p.f.Instr(p.i).Opcode == tab.LEA64_32r {
		for _, r := range rs {
			p.f.AddOp(n, mir.RegOp(r, mir.Implicit))
		}
	}
}

func (p *leaFixer) wide() bool { return p.f.Instr(p.i).Opcode == tab.LEA64r }

func (p *leaFixer) addRR() desc.Opcode {
	if p.wide() {
		return tab.ADD64rr
	}
	return tab.ADD32rr
}

// addDisp adds the displacement to register first.
func (p *leaFixer) addDisp(first mir.Reg) mir.InstrID {
	if v := p.disp.Imm(); p.incDec && p.disp.IsImm() && (v == 1 || v == -1) {
		op := tab.INC32r
		switch {
		case p.wide() && v == 1:
			op = tab.INC64r
		case p.wide():
			op = tab.DEC64r
		case v == -1:
			op = tab.DEC32r
		}
		return p.add(op, first)
	}
	if p.wide() {
		return p.add(tab.ADD64ri32, first, p.disp)
	}
	return p.add(tab.ADD32ri, first, p.disp)
}

// done erases the LEA.
func (p *leaFixer) done() { p.f.Erase(p.i) }

// userScan is how far behind a LEA an addition or subtraction of its result is looked for.
const userScan = 5

// intoUser makes x - (y + z), of which y + z is a LEA that nothing else reads, two
// subtractions, and likewise for additions: they need no register for the sum.
func (p *leaFixer) intoUser() bool {
	if p.base == 0 || p.index == 0 || p.scale != 1 || !p.disp.IsImm() || p.disp.Imm() != 0 || p.dst == p.base || p.dst == p.index {
		return false
	}
	f := p.f
	add, sub := tab.ADD32rr, tab.SUB32rr
	if p.wide() {
		add, sub = tab.ADD64rr, tab.SUB64rr
	}
	alu := mir.InstrID(0)
	n := 0
search:
	for i := f.Instr(p.i).Next(); i != 0; i = f.Instr(i).Next() {
		if n++; n > userScan || f.Desc(i).IsCall() || f.Instr(i).Opcode == desc.INLINEASM {
			return false
		}
		for k := range f.Instr(i).NumOps() {
			o := f.Op(i, k)
			switch {
			case !o.IsReg() || !o.Reg().IsPhysical():
			case o.Reg() == p.dst:
				if op := f.Instr(i).Opcode; !o.IsKill() || k > 2 || op != add && op != sub || f.Op(i, 3-k).Reg() != f.Op(i, 0).Reg() || !flagsDead(f, i) || op == sub && k == 1 {
					return false
				}
				alu = i
				break search
			case overlap(f.Facts, o.Reg(), p.dst):
				return false
			}
		}
	}
	if alu == 0 {
		return false
	}
	dst := f.Op(alu, 0).Reg()
	if overlap(f.Facts, dst, p.base) || overlap(f.Facts, dst, p.index) {
		return false // the first of the two would change what the second reads
	}
	killBase, killIndex := false, false
	for i := f.Instr(p.i).Next(); i != alu; i = f.Instr(i).Next() {
		for k := range f.Instr(i).NumOps() {
			o := f.Op(i, k)
			if !o.IsReg() || !o.Reg().IsPhysical() {
				continue
			}
			for _, x := range [...]struct {
				r    mir.Reg
				kill *bool
			}{{p.base, &killBase}, {p.index, &killIndex}} {
				if overlap(f.Facts, o.Reg(), x.r) {
					if o.IsDef() {
						return false
					}
					*x.kill = *x.kill || o.IsKill()
				}
			}
		}
	}
	for i := f.Instr(p.i).Next(); i != alu && (killBase || killIndex); i = f.Instr(i).Next() {
		for k := range f.Instr(i).NumOps() {
			if o := f.Op(i, k); o.IsKill() && o.Reg().IsPhysical() && (overlap(f.Facts, o.Reg(), p.base) || overlap(f.Facts, o.Reg(), p.index)) {
				f.SetOpFlag(i, k, mir.Kill, false)
			}
		}
	}
	if p.base == p.index {
		killBase, killIndex = false, killBase || killIndex // the second is the last that reads it
	}
	b := mir.Builder{F: f, Loc: f.Instr(alu).Loc}
	b.SetBefore(alu)
	for _, x := range [...]mir.Operand{mir.RegOp(p.base, 0).WithFlag(mir.Kill, killBase), mir.RegOp(p.index, 0).WithFlag(mir.Kill, killIndex)} {
		m := b.BuildInstr(f.Instr(alu).Opcode, mir.RegOp(dst, mir.Def), mir.RegOp(dst, mir.Kill), x)
		for k := range f.Instr(m).NumOps() {
			if o := f.Op(m, k); o.IsDef() && o.Reg() == reg(tab.EFLAGS) {
				f.SetOpFlag(m, k, mir.Dead, true)
			}
		}
	}
	f.Erase(alu)
	p.done()
	return true
}

// inPlace makes LEA that adds to its own base an addition, which is shorter.
func (p *leaFixer) inPlace() bool {
	if !p.disp.IsImm() || p.scale > 1 || p.leaForSP && (p.dst == reg(tab.RSP) || p.dst == reg(tab.ESP)) {
		return false
	}
	switch {
	case p.base != 0 && p.index != 0 && p.disp.Imm() == 0 && (p.dst == p.base || p.dst == p.index):
		p.addOther()
	case p.dst == p.base && p.base != 0 && p.index == 0:
		p.readWide(p.addDisp(p.base), p.baseOp.Reg())
	default:
		return false
	}
	p.done()
	return true
}

// addOther adds base and index, one of which is the destination.
func (p *leaFixer) addOther() {
	first, other := p.base, p.index
	if p.dst != first {
		first, other = other, first
	}
	p.readWide(p.add(p.addRR(), first, mir.RegOp(other, 0)), p.baseOp.Reg(), p.indexOp.Reg())
}

// fixSlow makes a LEA whose destination is a source additions.
func (p *leaFixer) fixSlow() {
	if !p.disp.IsImm() || p.scale > 1 || p.dst != p.base && p.dst != p.index || p.dst == 0 {
		return
	}
	if p.base != 0 && p.index != 0 {
		other := p.indexOp
		if p.dst != p.base {
			other = p.baseOp
		}
		if !p.wide() {
			return
		}
		p.add(p.addRR(), p.dst, mir.RegOp(other.Reg(), other.Flags()&mir.Kill))
	}
	if p.disp.Imm() != 0 {
		p.addDisp(p.dst)
	}
	p.done()
}

func (p *leaFixer) hasOffset() bool {
	switch p.disp.Kind() {
	case mir.OpImm:
		return p.disp.Imm() != 0
	case mir.OpGlobal, mir.OpBlockAddr:
		return true
	}
	return false
}

// isInefficientBase: these registers as a base need a displacement.
func isInefficientBase(r mir.Reg) bool {
	switch desc.PhysReg(r) {
	case tab.EBP, tab.RBP, tab.R13D, tab.R13:
		return true
	}
	return false
}

// fixThreeOps splits a LEA that takes three cycles.
func (p *leaFixer) fixThreeOps() {
	slowBase, slowIndex := isInefficientBase(p.base), isInefficientBase(p.index)
	three := p.base != 0 && p.index != 0 && (p.hasOffset() || p.disp.Kind() == mir.OpCPI || p.disp.Kind() == mir.OpJTI)
	if !three && !(slowBase && p.index != 0) {
		return
	}
	scale1, inPlace := p.scale == 1, p.dst == p.base || p.dst == p.index
	if slowBase && p.dst == p.base && !scale1 {
		return // more than two instructions
	}
	switch {
	case scale1 && p.base == p.index && (p.hasOffset() || slowBase && !inPlace):
		p.lea(mir.RegOp(0, 0), mir.ImmOp(2), p.indexOp, p.disp)
		p.done()
		return
	case scale1 && inPlace:
		p.addOther()
	case !slowBase || !slowIndex && scale1:
		base, index := p.baseOp, p.indexOp
		if slowBase {
			base, index = index, base
		}
		p.lea(base, mir.ImmOp(p.scale), index, mir.ImmOp(0))
	case scale1 && !p.hasOffset():
		kill := p.baseOp.IsKill() && p.base != p.index && p.wide()
		if p.c.SubtargetOf().CopyPhysReg(p.f, p.f.Instr(p.i).Block(), p.i, p.f.Instr(p.i).Loc, p.dst, p.base, kill) != nil {
			return
		}
		p.add(p.addRR(), p.dst, mir.RegOp(p.index, 0))
		p.done()
		return
	case p.f.Instr(p.i).Opcode == tab.LEA64_32r:
		return // the addition would read a part of the base
	default:
		index := p.indexOp
		if p.base == p.index {
			index = index.WithFlag(mir.Kill, false) // the addition reads it too
		}
		p.lea(mir.RegOp(0, 0), mir.ImmOp(p.scale), index, p.disp)
		p.add(p.addRR(), p.dst, p.baseOp)
		p.done()
		return
	}
	if p.hasOffset() {
		p.addDisp(p.dst)
	}
	p.done()
}

// lea puts a LEA of another address before the old one.
func (p *leaFixer) lea(base, scale, index, disp mir.Operand) {
	b := mir.Builder{F: p.f, Loc: p.f.Instr(p.i).Loc}
	b.SetBefore(p.i)
	b.Build(p.f.Instr(p.i).Opcode, p.dstOp, base, scale, index, disp, mir.RegOp(0, 0))
}
