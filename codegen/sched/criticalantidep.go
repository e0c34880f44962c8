package sched

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regclass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// criticalBreaker breaks anti-dependencies on the longest way through a region. A
// register is renamed only where all that names it wants the same class and none of its
// parts is named.
type criticalBreaker struct {
	liveRegs
	// class is what the references of a live register want: 1 + a class, 0 for nothing
	// yet, fixedClass for what cannot be renamed.
	class []int32
	keep  []bool // parts of what must not be renamed, above a reader that needs this one
	// newReg is, by register, what it was renamed to last in this region: the same again
	// would make an anti-dependency of the same kind.
	newReg  []desc.PhysReg
	renamed []desc.PhysReg
	forbid  []desc.PhysReg
	// lost lists, by register mask, what it clobbers with all its parts.
	lost [][]desc.PhysReg
}

const fixedClass = -1

func (b *criticalBreaker) begin(c *pass.Context, f *mir.Function, regs *regclass.Info) {
	b.liveRegs.begin(c, f, regs)
	n := len(b.in.Regs)
	b.class, b.keep, b.newReg = rows.Sized(b.class, n), rows.Sized(b.keep, n), rows.Zeroed(b.newReg, n)
	for k := range b.lost {
		b.lost[k] = b.lost[k][:0]
	}
	b.renamed = b.renamed[:0]
}

func (b *criticalBreaker) startBlock(bb mir.BlockID, size int) {
	clear(b.class)
	clear(b.keep)
	b.liveRegs.startBlock(bb, size, func(r desc.PhysReg) { b.class[r] = fixedClass })
}

func (b *criticalBreaker) observe(i mir.InstrID, count, end int) {
	if b.isIgnored(i) {
		return
	}
	for r := 1; r < len(b.kill); r++ {
		switch {
		case b.kill[r] != nowhere:
			// How far its range reaches is no longer known.
			b.class[r], b.kill[r] = fixedClass, uint32(count)
		case b.def[r] < uint32(end) && b.def[r] >= uint32(count):
			// The definition may now stand anywhere in the region behind.
			b.class[r], b.def[r] = fixedClass, uint32(end)
		}
	}
	b.prescan(i)
	b.scan(i, count)
}

// isIgnored reports what is no code. KILL stands between a definition and uses that
// belong to it.
func (b *criticalBreaker) isIgnored(i mir.InstrID) bool {
	return b.f.IsDebugInstr(i) || b.f.Instr(i).Opcode == desc.KILL
}

// isFixed reports an instruction whose registers have to be what they are, and whose
// definitions may leave what was there.
func isFixed(f *mir.Function, i mir.InstrID) bool { return f.Desc(i).IsCall() || f.IsBundled(i) }

// meet takes the class of a reference of r into account.
func (b *criticalBreaker) meet(r desc.PhysReg, i mir.InstrID, k int) {
	c := b.classOf(i, k)
	switch {
	case c == desc.NoClass || b.class[r] != 0 && b.class[r] != int32(c)+1:
		b.class[r] = fixedClass
	default:
		b.class[r] = int32(c) + 1
	}
}

// prescan takes in what all operands of i demand of their registers.
func (b *criticalBreaker) prescan(i mir.InstrID) {
	f := b.f
	ops := f.Ops(i)
	for k := range ops {
		if !ops[k].IsReg() || ops[k].Reg() == 0 {
			continue
		}
		r := desc.PhysReg(ops[k].Reg())
		b.meet(r, i, k)
		for _, a := range b.aliasesOf(r)[1:] {
			if b.class[a] != 0 {
				b.class[a], b.class[r] = fixedClass, fixedClass
			}
		}
		if b.class[r] != fixedClass {
			b.addRef(r, i, k)
		}
	}
	special := isFixed(f, i) || f.Desc(i).Has(desc.ExtraSrcRegAllocReq)
	for k := range ops {
		if !ops[k].IsReg() || ops[k].Reg() == 0 {
			continue
		}
		r := desc.PhysReg(ops[k].Reg())
		// The other uses of a tied register in the instruction need not be tied.
		if ops[k].IsDef() && ops[k].IsTied() && b.class[r] == fixedClass {
			b.keepParts(r)
			for s := range b.in.SuperRegs(r).All() {
				b.keep[s] = true
			}
		}
		if special && ops[k].IsUse() && !b.keep[r] {
			b.keepParts(r)
		}
	}
}

func (b *criticalBreaker) keepParts(r desc.PhysReg) {
	b.keep[r] = true
	for s := range b.in.SubRegs(r).All() {
		b.keep[s] = true
	}
}

// scan makes what i writes dead, and what it reads live.
func (b *criticalBreaker) scan(i mir.InstrID, count int) {
	ops := b.f.Ops(i)
	for k := range ops {
		switch o := &ops[k]; {
		case o.Kind() == mir.OpRegMask:
			for _, r := range b.lostIn(o.Index()) {
				b.define(r, count)
				b.keep[r] = false
			}
		case o.IsDef() && o.Reg() != 0 && !o.IsTied():
			r := desc.PhysReg(o.Reg())
			keep := b.keep[r]
			b.define(r, count)
			b.keep[r] = keep
			for s := range b.in.SubRegs(r).All() {
				b.define(s, count)
				b.keep[s] = b.keep[s] && keep
			}
			for s := range b.in.SuperRegs(r).All() {
				b.class[s] = fixedClass
			}
		}
	}
	for k := range ops {
		if !ops[k].IsUse() || ops[k].Reg() == 0 {
			continue
		}
		r := desc.PhysReg(ops[k].Reg())
		b.meet(r, i, k)
		b.addRef(r, i, k)
		for _, a := range b.aliasesOf(r) {
			if b.kill[a] == nowhere {
				b.kill[a], b.def[a] = uint32(count), nowhere
			}
		}
	}
}

// define begins the range of r, of which nothing is known above.
func (b *criticalBreaker) define(r desc.PhysReg, count int) {
	b.def[r], b.kill[r], b.class[r] = uint32(count), nowhere, 0
	b.dropRefs(r)
}

// lostIn lists the registers that a register mask clobbers with all their parts.
func (b *criticalBreaker) lostIn(mask uint32) []desc.PhysReg {
	b.lost = rows.AtLeast(b.lost, int(mask)+1)
	if list := b.lost[mask]; len(list) > 0 {
		return list
	}
	bits := b.f.RegMasks[mask]
	clobbers := func(r desc.PhysReg) bool { return bits[r/32]>>(r%32)&1 == 0 }
	for r := desc.PhysReg(1); int(r) < len(b.in.Regs); r++ {
		all := clobbers(r)
		for s := range b.in.SubRegs(r).All() {
			all = all && clobbers(s)
		}
		if all {
			b.lost[mask] = append(b.lost[mask], r)
		}
	}
	return b.lost[mask]
}

func (b *criticalBreaker) breakEdges(s *scheduler, end int) int {
	g, f := &s.g, b.f
	if g.numInstrs() == 0 {
		return 0
	}
	for _, r := range b.renamed {
		b.newReg[r] = 0
	}
	b.renamed = b.renamed[:0]
	broken := 0
	path := g.bottom()
	i := f.Block(s.block).Last()
	if s.region.end != 0 {
		i = f.Instr(s.region.end).Prev()
	}
	for count := end - 1; ; count, i = count-1, f.Instr(i).Prev() {
		if !b.isIgnored(i) {
			r := desc.PhysReg(0)
			if path >= 0 && g.nodes[path].instr == i {
				r, path = b.onPath(g, path)
			}
			b.prescan(i)
			if r != 0 && b.tryRename(s, i, r) {
				broken++
			}
			b.scan(i, count)
		}
		if i == s.region.begin {
			return broken
		}
	}
}

// onPath returns the register by which node n of the longest way waits for the one before
// it alone, 0 for none, and that one, -1 for none.
func (b *criticalBreaker) onPath(g *graph, n int32) (r desc.PhysReg, next int32) {
	e := g.criticalStep(n)
	if e == 0 {
		return 0, -1
	}
	next = g.edges[e].pred
	if g.edges[e].kind != antiEdge {
		return 0, next
	}
	r = desc.PhysReg(g.edges[e].reg)
	if !b.regs.IsAllocatable(r) || b.keep[r] || g.waitsOtherwise(n, next, mir.Reg(r)) {
		return 0, next
	}
	return r, next
}

// waitsOtherwise reports that node n waits for node before for another reason than
// that it writes r, or reads r from another node.
func (g *graph) waitsOtherwise(n, before int32, r mir.Reg) bool {
	for e := g.nodes[n].preds; e != 0; e = g.edges[e].nextPred {
		switch x := &g.edges[e]; {
		case x.pred == before && (x.kind != antiEdge || x.reg != r), x.pred != before && x.kind == dataEdge && x.reg == r:
			return true
		}
	}
	return false
}

// tryRename renames r, which i writes, up to the last use of what it writes.
func (b *criticalBreaker) tryRename(s *scheduler, i mir.InstrID, r desc.PhysReg) bool {
	f := b.f
	if isFixed(f, i) || f.Desc(i).Has(desc.ExtraDefRegAllocReq) {
		return false
	}
	b.forbid = b.forbid[:0]
	ops := f.Ops(i)
	for k := range ops {
		o := &ops[k]
		switch {
		case !o.IsReg() || o.Reg() == 0:
		case o.IsUse() && b.in.Overlap(r, desc.PhysReg(o.Reg())):
			return false
		case o.IsDef() && desc.PhysReg(o.Reg()) != r:
			b.forbid = append(b.forbid, desc.PhysReg(o.Reg()))
		}
	}
	if b.class[r] <= 0 {
		return false
	}
	to := b.findFree(r, desc.ClassID(b.class[r]-1))
	if to == 0 {
		return false
	}
	b.rename(s, r, to, r, to)
	// What lies below was changed: the new register is live now, and the old one dead
	// from its last use on.
	b.class[to], b.def[to], b.kill[to] = b.class[r], b.def[r], b.kill[r]
	b.class[r], b.def[r], b.kill[r] = 0, b.kill[r], nowhere
	b.dropRefs(r)
	b.newReg[r] = to
	b.renamed = append(b.renamed, r)
	return true
}

// findFree returns the first register of a class that is free from here to where r
// dies, 0 for none.
func (b *criticalBreaker) findFree(r desc.PhysReg, class desc.ClassID) desc.PhysReg {
next:
	for _, to := range b.regs.Order(class) {
		if to == r || to == b.newReg[r] || b.isClobbered(r, to) || b.kill[to] != nowhere || b.class[to] == fixedClass || b.kill[r] > b.def[to] {
			continue
		}
		for _, x := range b.forbid {
			if b.in.Overlap(to, x) {
				continue next
			}
		}
		return to
	}
	return 0
}

// isClobbered reports that an instruction that names r might write register to.
func (b *criticalBreaker) isClobbered(r, to desc.PhysReg) bool {
	f := b.f
	for k := b.first[r]; k != 0; k = b.refs[k].next {
		i := b.refs[k].instr
		ref := f.Op(i, int(b.refs[k].op))
		if ref.IsDef() && ref.IsEarlyClobber() {
			return true
		}
		ops := f.Ops(i)
		for n := range ops {
			o := &ops[n]
			if o.Kind() == mir.OpRegMask && f.RegMasks[o.Index()][to/32]>>(to%32)&1 == 0 {
				return true
			}
			if !o.IsDef() || desc.PhysReg(o.Reg()) != to {
				continue
			}
			if ref.IsDef() || o.IsEarlyClobber() || f.Instr(i).Opcode == desc.INLINEASM || f.Instr(i).Opcode == desc.INLINEASM_BR {
				return true
			}
		}
	}
	return false
}
