package regalloc

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// placeDebug notes where the debug instructions stand: the place of what follows.
func (c *coalescer) placeDebug() {
	f := c.f
	c.dbgAt, c.hasDebug = c.dbgAt[:0], false
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		at := c.ix.BlockEnd(b)
		for i := f.Block(b).Last(); i != 0; i = f.Instr(i).Prev() {
			if x := c.ix.Of(i); x != 0 {
				at = x
				continue
			}
			if !f.IsDebugInstr(i) {
				continue
			}
			if !c.hasDebug {
				c.hasDebug = true
				c.dbgAt = rows.Zeroed(c.dbgAt, f.NumInstrIDs())
			}
			c.dbgAt[i] = at
		}
	}
}

// debugPlace is the place behind debug instruction i.
func (c *coalescer) debugPlace(i mir.InstrID) liveness.Index {
	if int(i) < len(c.dbgAt) {
		return c.dbgAt[i]
	}
	return 0
}

// checkDebug makes the debug instructions of the pair's registers name none
// where the joined register holds the value of the other one.
func (c *coalescer) checkDebug(l, r *joinVals) {
	if c.hasDebug {
		c.checkDebugOf(r, l)
		c.checkDebugOf(l, r)
	}
}

func (c *coalescer) checkDebugOf(j, other *joinVals) {
	f := c.f
	for id := f.FirstUse(j.reg); id != 0; {
		next := f.NextUse(id)
		if f.OpAt(id).IsDebug() {
			i, _ := f.Owner(id)
			if at := c.debugPlace(i); at != 0 && other.r.LiveAt(at) && !c.keepsValue(j, at) {
				c.dropDebugValue(i)
				next = f.FirstUse(j.reg) // the instruction may have named it twice
				for next != 0 && !f.OpAt(next).IsDebug() {
					next = f.NextUse(next)
				}
			}
		}
		id = next
	}
}

// keepsValue reports that the joined register holds what j's does at a point.
func (c *coalescer) keepsValue(j *joinVals, at liveness.Index) bool {
	v := j.r.ValueAt(at)
	if v == liveness.NoValue || int(v) >= len(j.vals) {
		return false
	}
	return j.vals[v].res == keep || j.vals[v].res == erase
}

// dropDebugValue makes i say that the variable is nowhere known.
func (c *coalescer) dropDebugValue(i mir.InstrID) {
	f := c.f
	for n := range f.Instr(i).NumOps() {
		if o := f.Op(i, n); o.IsReg() && o.IsDebug() && o.Reg() != 0 {
			f.SetReg(i, n, mir.NoReg)
			f.SetSubReg(i, n, 0)
		}
	}
}

// moveDebug makes debug instructions of src name dst, which n computes, when
// nothing else reads src any more, and puts them behind n.
func (c *coalescer) moveDebug(src, dst mir.Reg, n mir.InstrID) {
	f := c.f
	if !c.hasDebug || f.HasUses(src) {
		return
	}
	for id := f.FirstUse(src); id != 0; {
		next := f.NextUse(id)
		if f.OpAt(id).IsDebug() {
			i, k := f.Owner(id)
			r := dst
			if sub := desc.SubRegIdx(f.OpAt(id).SubReg()); sub != 0 {
				if r.IsPhysical() {
					r = mir.Reg(f.Facts.SubReg(desc.PhysReg(r), sub))
					f.SetSubReg(i, k, 0)
				} else if class := desc.ClassID(f.VReg(r).Class); f.Facts.SubClassWithSubReg(class, sub) != class {
					// It is computed in a register that has no such part.
					r = mir.NoReg
					f.SetSubReg(i, k, 0)
				}
			}
			f.SetReg(i, k, r)
			f.Move(f.Instr(n).Block(), f.Instr(n).Next(), i)
			if int(i) < len(c.dbgAt) {
				c.dbgAt[i] = c.ix.BlockEnd(f.Instr(n).Block())
				if x := f.SkipDebug(f.Instr(n).Next()); x != 0 {
					c.dbgAt[i] = c.ix.Of(x)
				}
			}
		}
		id = next
	}
}
