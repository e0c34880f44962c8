package tailduplicate

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// What keeps SSA form while one tail is copied: each copy defines registers of its
// own, a PHI of the tail is what came from the block that takes the copy, and uses
// outside of the tail read what reaches them in the end.

// ssaState is that of one tail.
type ssaState struct {
	updater updater

	// rows tell of registers, by virtual register; good in the epoch of the tail.
	rows  []regRow
	epoch uint32
	// names tell what stands for the registers of the tail in the copy that is being
	// made; good in the epoch of the copy.
	names     []regName
	copyEpoch uint32

	// changed are the registers that have several definitions now, defs those beside
	// the first one: a list for each register.
	changed []changed
	defs    []otherDef

	pending []pendingCopy // copies that are to be made at the end of the block
	copies  []mir.InstrID // those that were made
	succs   []mir.BlockID // successors of the tail before any copy
	inInto  []uint32      // by block: the epoch of the tail, of blocks that took a copy
	debug   []mir.OpID    // debug operands, rewritten last
}

type regRow struct {
	epoch     uint32
	usedByPHI bool // by one of the tail
	liveOut   int8 // 1: read in other blocks, -1: not, 0: not known yet
	changed   int32
}

// regName is register reg, or part sub of it.
type regName struct {
	epoch uint32
	reg   mir.Reg
	sub   uint16
}

type changed struct {
	reg         mir.Reg
	first, last int32 // in defs; 0 none
}

type otherDef struct {
	block mir.BlockID
	reg   mir.Reg
	next  int32
}

type pendingCopy struct {
	to  mir.Reg
	src mir.Operand
}

// row gives what is known of virtual register r.
func (s *ssaState) row(r mir.Reg) *regRow {
	k := int(r.Index())
	if k >= len(s.rows) {
		s.rows = append(s.rows, make([]regRow, k+1-len(s.rows)+len(s.rows)/2)...)
	}
	x := &s.rows[k]
	if x.epoch != s.epoch {
		*x = regRow{epoch: s.epoch}
	}
	return x
}

// name gives the row of r in names.
func (s *ssaState) name(r mir.Reg) *regName {
	k := int(r.Index())
	if k >= len(s.names) {
		s.names = append(s.names, make([]regName, k+1-len(s.names)+len(s.names)/2)...)
	}
	return &s.names[k]
}

func (s *ssaState) setName(r mir.Reg, to regName) {
	to.epoch = s.copyEpoch
	*s.name(r) = to
}

// beginSSA begins with a tail.
func (d *Duplicator) beginSSA(tail mir.BlockID) {
	s, f := &d.ssa, d.f
	s.epoch++
	s.changed, s.defs = s.changed[:0], append(s.defs[:0], otherDef{})
	s.copies, s.succs = s.copies[:0], s.succs[:0]
	for _, x := range f.Succs(tail) {
		s.succs = append(s.succs, x.Block)
	}
	for i := f.Block(tail).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
		for k := 1; k < f.Instr(i).NumOps(); k += 2 {
			if r := f.Op(i, k).Reg(); r.IsVirtual() {
				s.row(r).usedByPHI = true
			}
		}
	}
}

// beginCopy begins with a copy of the tail.
func (d *Duplicator) beginCopy() {
	d.ssa.copyEpoch++
	d.ssa.pending = d.ssa.pending[:0]
}

// defined notes that r, which tail defines, is to in block p, which took a copy,
// where somebody besides tail reads it.
func (d *Duplicator) defined(r, to mir.Reg, tail, p mir.BlockID) {
	s := &d.ssa
	x := s.row(r)
	if x.liveOut == 0 {
		x.liveOut = -1
		for u := range d.f.NonDebugUses(r) {
			if d.f.Instr(u).Block() != tail {
				x.liveOut = 1
				break
			}
		}
	}
	if x.liveOut < 0 && !x.usedByPHI {
		return
	}
	n := int32(len(s.defs))
	s.defs = append(s.defs, otherDef{block: p, reg: to})
	if x.changed == 0 {
		s.changed = append(s.changed, changed{reg: r, first: n, last: n})
		x.changed = int32(len(s.changed))
		return
	}
	c := &s.changed[x.changed-1]
	s.defs[c.last].next = n
	c.last = n
}

// phiSource is the operand of a PHI for what comes from p, 0 when there is none.
func (d *Duplicator) phiSource(phi mir.InstrID, p mir.BlockID) int {
	for k := 1; k < d.f.Instr(phi).NumOps(); k += 2 {
		if d.f.Op(phi, k+1).Block() == p {
			return k
		}
	}
	return 0
}

// copyPHI has a PHI of the tail be in the copy what comes from p; with remove the
// edge from p goes.
func (d *Duplicator) copyPHI(phi mir.InstrID, tail, p mir.BlockID, remove bool) {
	f, s := d.f, &d.ssa
	k := d.phiSource(phi, p)
	if k == 0 {
		return
	}
	def, src := f.Op(phi, 0).Reg(), *f.Op(phi, k)
	s.setName(def, regName{reg: src.Reg(), sub: src.SubReg()})
	to := f.CloneVReg(def)
	s.pending = append(s.pending, pendingCopy{to, mir.SubRegOp(src.Reg(), src.SubReg(), 0)})
	d.defined(def, to, tail, p)
	if !remove {
		return
	}
	f.RemoveOp(phi, k+1)
	f.RemoveOp(phi, k)
	if f.Instr(phi).NumOps() > 1 {
		return
	}
	if f.Block(tail).AddressTaken() {
		f.Instr(phi).Opcode = desc.IMPLICIT_DEF
	} else {
		f.Erase(phi)
	}
}

// appendCopies makes the values of the tail's PHIs at the end of p.
func (d *Duplicator) appendCopies(p mir.BlockID) {
	f, s := d.f, &d.ssa
	b := mir.Builder{F: f, Block: p, At: f.FirstTerminator(p)}
	for _, c := range s.pending {
		s.copies = append(s.copies, b.Build(desc.COPY, mir.RegOp(c.to, mir.Def), c.src))
	}
	s.pending = s.pending[:0]
}

// rename gives the copy i of an instruction of tail, which stands in p, registers of
// the copy.
func (d *Duplicator) rename(i mir.InstrID, tail, p mir.BlockID) {
	f, s := d.f, &d.ssa
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || !o.Reg().IsVirtual() {
			continue
		}
		r := o.Reg()
		if o.IsDef() {
			to := f.CloneVReg(r)
			f.SetReg(i, k, to)
			s.setName(r, regName{reg: to})
			d.defined(r, to, tail, p)
			continue
		}
		if n := *s.name(r); n.epoch == s.copyEpoch {
			d.renameUse(i, k, r, n)
		}
	}
}

// renameUse makes use k of i read n instead of r, by way of a copy where no class
// fits both.
func (d *Duplicator) renameUse(i mir.InstrID, k int, r mir.Reg, n regName) {
	f := d.f
	debug := f.IsDebugInstr(i)
	class := desc.ClassID(f.VReg(r).Class)
	fits := debug || class < 0
	switch have := desc.ClassID(f.VReg(n.reg).Class); {
	case fits || have < 0:
		fits = true
	case n.sub != 0:
		if c := f.Facts.MatchingSuperRegClass(have, class, desc.SubRegIdx(n.sub)); c != desc.NoClass {
			f.VReg(n.reg).Class = int16(c)
			fits = true
		}
	default:
		fits = constrain(f, n.reg, class)
	}
	if fits {
		f.SetReg(i, k, n.reg)
		f.SetSubReg(i, k, uint16(f.Facts.ComposeSubRegs(desc.SubRegIdx(n.sub), desc.SubRegIdx(f.Op(i, k).SubReg()))))
	} else {
		to := f.CloneVReg(r)
		if c := target.OperandClass(f, i, k); c != desc.NoClass {
			f.VReg(to).Class = int16(c)
		}
		b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
		b.SetBefore(f.BundleHead(i))
		b.Build(desc.COPY, mir.RegOp(to, mir.Def), mir.SubRegOp(n.reg, n.sub, 0))
		d.ssa.setName(r, regName{reg: to})
		f.SetReg(i, k, to)
	}
	f.SetOpFlag(i, k, mir.Kill, false)
}

// constrain makes the class of r one of c's sub-classes; false when that cannot be.
func constrain(f *mir.Function, r mir.Reg, c desc.ClassID) bool {
	v := f.VReg(r)
	if v.Class < 0 {
		return true
	}
	n := f.Facts.CommonSubClass(desc.ClassID(v.Class), c)
	if n == desc.NoClass {
		return false
	}
	v.Class = int16(n)
	return true
}

// valuesOfOthers makes, in blocks that took no copy of tail, the values of its PHIs:
// where the tail is part of a loop, that is what reaches it again.
func (d *Duplicator) valuesOfOthers(tail mir.BlockID) {
	f, s := d.f, &d.ssa
	if n := f.NumBlockIDs(); len(s.inInto) < n {
		s.inInto = append(s.inInto, make([]uint32, n-len(s.inInto))...)
	}
	for _, b := range d.into {
		s.inInto[b] = s.epoch
	}
	for _, p := range d.preds {
		if s.inInto[p] == s.epoch || f.NumSuccs(p) != 1 {
			continue
		}
		d.beginCopy()
		for i := f.Block(tail).First(); i != 0 && f.IsPHI(i); {
			next := f.Instr(i).Next()
			d.copyPHI(i, tail, p, false)
			i = next
		}
		d.appendCopies(p)
	}
}

// updateSuccPHIs makes the PHIs of the blocks that tail led to name those that took
// copies of it, instead of tail when that is gone.
func (d *Duplicator) updateSuccPHIs(tail mir.BlockID, gone bool) {
	f, s := d.f, &d.ssa
	for _, succ := range s.succs {
		for i := f.Block(succ).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
			at := d.phiSource(i, tail)
			if at == 0 {
				continue
			}
			r, sub := f.Op(i, at).Reg(), f.Op(i, at).SubReg()
			if gone {
				for k := f.Instr(i).NumOps() - 2; k > at; k -= 2 {
					if f.Op(i, k+1).Block() == tail {
						f.RemoveOp(i, k+1)
						f.RemoveOp(i, k)
					}
				}
			} else {
				at = 0
			}
			// The first new source takes the place of the old one.
			add := func(v mir.Reg, p mir.BlockID) {
				if at != 0 {
					if v != r {
						f.SetReg(i, at, v)
					}
					f.SetBlock(i, at+1, p)
					at = 0
					return
				}
				f.AddOp(i, mir.SubRegOp(v, sub, 0))
				f.AddOp(i, mir.BlockOp(p))
			}
			if c := s.row(r).changed; c != 0 {
				for k := s.changed[c-1].first; k != 0; k = s.defs[k].next {
					// Blocks that took no copy, but have values of PHIs, do not lead there.
					if x := s.defs[k]; f.HasSucc(x.block, succ) {
						add(x.reg, x.block)
					}
				}
			} else {
				for _, p := range d.into {
					add(r, p)
				}
			}
			if at != 0 {
				f.RemoveOp(i, at+1)
				f.RemoveOp(i, at)
			}
		}
	}
}

// updateSSA makes each use outside of the tail read the definition that reaches it.
func (d *Duplicator) updateSSA() {
	f, s := d.f, &d.ssa
	u := &s.updater
	u.added = 0
	for _, c := range s.changed {
		u.begin(f, c.reg)
		def := mir.BlockID(0)
		if i := f.UniqueDef(c.reg); i != 0 {
			def = f.Instr(i).Block()
			u.set(def, c.reg)
		}
		for k := c.first; k != 0; k = s.defs[k].next {
			u.set(s.defs[k].block, s.defs[k].reg)
		}
		s.debug = s.debug[:0]
		for id := f.FirstUse(c.reg); id != 0; {
			next := f.NextUse(id)
			i, k := f.Owner(id)
			switch {
			case f.OpAt(id).IsDef():
			case f.IsDebugInstr(i):
				s.debug = append(s.debug, id)
			case f.Instr(i).Block() != def || f.IsPHI(i):
				u.rewrite(i, k)
			}
			id = next
		}
		for _, id := range s.debug {
			i, k := f.Owner(id)
			f.SetReg(i, k, u.inside(f.Instr(i).Block(), true))
		}
	}
	d.c.Count("tailduplication", "Number of phis added", u.added)
	for _, i := range s.copies {
		if f.Instr(i).Opcode != desc.COPY {
			continue
		}
		to, src := f.Op(i, 0).Reg(), *f.Op(i, 1)
		if class := f.VReg(to).Class; src.SubReg() == 0 && f.HasOneUse(src.Reg()) && class >= 0 && constrain(f, src.Reg(), desc.ClassID(class)) {
			f.Erase(i)
			f.ReplaceReg(to, src.Reg())
		}
	}
}

// mergesBoth reports that p leads to block to beside the tail, and that to has PHIs.
func (d *Duplicator) mergesBoth(p, to mir.BlockID) bool {
	i := d.f.Block(to).First()
	return i != 0 && d.f.IsPHI(i) && d.f.HasSucc(p, to)
}

// namesWholeRegs reports that no PHI behind b reads a part of a register that comes from b.
func (d *Duplicator) namesWholeRegs(b mir.BlockID) bool {
	f := d.f
	for _, s := range f.Succs(b) {
		for i := f.Block(s.Block).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
			if k := d.phiSource(i, b); k != 0 && f.Op(i, k).SubReg() != 0 {
				return false
			}
		}
	}
	return true
}

// goesEverywhere reports that all blocks that lead to b can take a copy.
func (d *Duplicator) goesEverywhere(b mir.BlockID) bool {
	f := d.f
	for _, p := range f.Preds(b) {
		if f.NumSuccs(p) > 1 {
			return false
		}
		if br, ok := d.c.Subtarget.AnalyzeBranch(f, p); !ok || br.Cond != nil {
			return false
		}
	}
	return true
}
