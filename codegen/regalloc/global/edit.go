package global

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Changes of the code that splitting and spilling have in common, which keep
// the live intervals true.

// newPart returns a new virtual register of the same class that is a part of what
// r is a part of.
func (a *alloc) newPart(r mir.Reg) mir.Reg {
	n := a.f.CloneVReg(r)
	a.vrm.split(n, r)
	return n
}

// owner is the allocator's part in changes that others make.
type owner interface {
	// requeue has a register allocated (again), whose interval changes.
	requeue(r mir.Reg)
	// cloned tells that n was cut off from r, whose interval fell apart.
	cloned(n, r mir.Reg)
}

// eraseDead erases instructions whose results nothing reads, and what only they
// need, in turn. Registers in spilling are about to go: they are not cut up.
func (a *alloc) eraseDead(dead []mir.InstrID, spilling []mir.Reg) {
	for {
		for len(dead) > 0 {
			i := dead[len(dead)-1]
			dead = dead[:len(dead)-1]
			if a.f.Instr(i).Block() != 0 {
				a.eraseDeadInstr(i)
			}
		}
		if len(a.toShrink) == 0 {
			return
		}
		r := a.toShrink[len(a.toShrink)-1]
		a.toShrink = a.toShrink[:len(a.toShrink)-1]
		if a.isUsed(r) && a.lis.Has(r) {
			dead = a.shrink(r, dead, spilling)
		}
	}
}

// shrink makes the interval of r what its uses need, and appends definitions that
// nothing needs any more.
func (a *alloc) shrink(r mir.Reg, dead []mir.InstrID, spilling []mir.Reg) []mir.InstrID {
	iv := a.lis.Interval(r)
	a.willChange(r)
	apart := a.lis.ShrinkToUses(iv, &a.deadDefs)
	for _, i := range a.deadDefs {
		if a.isErasable(i) {
			dead = append(dead, i)
		}
	}
	a.deadDefs = a.deadDefs[:0]
	if !apart || slices.Contains(spilling, r) {
		return dead
	}
	orig := a.vrm.Original(r)
	for _, part := range a.lis.SplitComponents(iv) {
		n := part.Reg
		// Parts of a register that was never split are registers of their own.
		if orig != r {
			a.vrm.split(n, r)
		}
		a.vars.split(r, []mir.Reg{n})
		if a.placed {
			a.vrm.setPhys(n, a.vrm.Phys(r))
		} else {
			a.owner.cloned(n, r)
		}
	}
	return dead
}

// willChange takes r, whose interval is about to change, out of its place.
func (a *alloc) willChange(r mir.Reg) {
	if a.vrm.Phys(r) != 0 && !a.placed {
		a.unassign(a.lis.Interval(r))
		a.owner.requeue(r)
	}
}

// isErasable reports whether i does nothing but define registers, none of which is wanted.
func (a *alloc) isErasable(i mir.InstrID) bool {
	f := a.f
	d := f.Desc(i)
	switch op := f.Instr(i).Opcode; {
	case op == desc.KILL || op == desc.COPY || op == desc.IMPLICIT_DEF:
	case op == desc.INLINEASM || op == desc.INLINEASM_BR || f.IsBundled(i),
		d.MayStore(), d.IsCall(), d.IsTerminator(), d.HasUnmodeledSideEffects(),
		d.MayRaiseFPException() && f.Instr(i).Flags()&mir.NoFPExcept == 0, d.MayLoad() && !f.IsInvariantLoad(i), d.IsMeta():
		return false
	}
	ops := f.Ops(i)
	for k := range ops {
		o := &ops[k]
		if !o.IsReg() || o.Reg() == 0 {
			continue
		}
		if o.IsDef() {
			if o.Reg().IsPhysical() {
				if !o.IsDead() {
					return false
				}
				continue
			}
			if !a.lis.Has(o.Reg()) {
				return false
			}
			q := a.lis.Interval(o.Reg()).Query(a.idx.Of(i))
			if !q.DeadDef() && !o.IsDead() {
				return false
			}
		} else if o.Reg().IsPhysical() && !o.IsUndef() && !a.classes.IsReserved(desc.PhysReg(o.Reg())) {
			// The ranges of units are not mended.
			return false
		}
	}
	return true
}

// endsAt reports whether r, or a part of it that sub-register sub names, is not live
// behind the instruction at a place.
func (a *alloc) endsAt(r mir.Reg, sub uint16, at liveness.Index) bool {
	return a.lis.KillsAt(a.lis.Interval(r), sub, at)
}

// eraseDeadInstr erases i, takes what it defines out of the intervals, and notes
// what it read to be shrunk.
func (a *alloc) eraseDeadInstr(i mir.InstrID) {
	f := a.f
	at := a.idx.Of(i)
	isCopy := f.Instr(i).Opcode == desc.COPY
	ops := f.Ops(i)
	for k := range ops {
		o := &ops[k]
		if !o.IsReg() || !o.Reg().IsVirtual() || !a.lis.Has(o.Reg()) {
			continue
		}
		r := o.Reg()
		if o.ReadsReg() && (isCopy || f.HasOneUse(r) || a.endsAt(r, o.SubReg(), at)) {
			a.toShrink = append(a.toShrink, r)
		}
		if o.IsDef() {
			a.willChange(r)
			a.lis.RemoveVRegDef(a.lis.Interval(r), at)
		}
	}
	f.Erase(i)
	a.c.Count(a.name, "Number of dead instructions deleted", 1)
}
