package ssaopt

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Loop invariant code motion over physical registers. A register unit is
// defined in a loop not at all, once (live-in registers of its blocks count as
// definitions), or clobbered: more than once. An instruction whose result no
// other defines, and whose operands none does, moves in front of the loop.

// postScratch is the memory of that.
type postScratch struct {
	defs, clobbers, term []bool // by register unit
	stored               []bool // by stack object: something in the loop writes it
	written              []int  // the objects for which stored is set
	candidates           []postCandidate

	// The blocks of the outermost loops, those of loop x from start[x] to start[x+1] in the
	// order of the walk; top is, by loop, the outermost one around it.
	order, start, top []int32
	blocks            []int32 // of the loop that is looked at
}

// sortBlocks finds the blocks of each outermost loop.
func (s *licmScratch) sortBlocks() {
	p, all := &s.post, s.loops.All
	p.stored = rows.Zeroed(p.stored, len(s.f.Frame.Objects))
	p.written = p.written[:0]
	p.top = rows.Sized(p.top, len(all))
	for x := range all { // outer loops come first
		if p.top[x] = int32(x); all[x].Parent >= 0 {
			p.top[x] = p.top[all[x].Parent]
		}
	}
	// Until the last step start[x+1] is where the blocks of loop x begin.
	p.start = rows.Zeroed(p.start, len(all)+2)
	num := int32(0)
	rpo := pass.Get[pass.CFG](s.c, s.f).RPO()
	for _, b := range rpo {
		if x := s.loops.Loop[b]; x >= 0 {
			p.start[p.top[x]+2]++
			num++
		}
	}
	for x := range all {
		p.start[x+1] += p.start[x]
	}
	p.order = rows.Sized(p.order, int(num))
	for _, b := range rpo {
		if x := s.loops.Loop[b]; x >= 0 {
			at := &p.start[p.top[x]+1]
			p.order[*at] = b
			*at++
		}
	}
}

// postCandidate is an instruction that may move; slot is the stack slot that it
// reloads, noSlot for none.
type postCandidate struct {
	instr mir.InstrID
	slot  int
	reg   mir.Reg
}

const noSlot = mir.NoFrameIndex

// hoistPhysical moves invariant instructions of outermost loop x to pre.
func (s *licmScratch) hoistPhysical(x int, pre mir.BlockID) {
	f, p := s.f, &s.post
	units := f.Facts.NumUnits()
	p.defs, p.clobbers, p.term = rows.Zeroed(p.defs, units), rows.Zeroed(p.clobbers, units), rows.Zeroed(p.term, units)
	for _, o := range p.written {
		p.stored[o] = false
	}
	p.candidates, p.written = p.candidates[:0], p.written[:0]
	p.blocks = p.order[p.start[x]:p.start[x+1]]
	for _, n := range p.blocks {
		b := mir.BlockID(n)
		if in := s.loops.Loop[b]; f.Block(mir.BlockID(s.loops.All[in].Header)).Flags&mir.EHPad != 0 {
			continue
		}
		for _, l := range f.LiveInsOf(b) {
			setUnits(f, p.defs, l.Reg)
		}
		if f.Block(b).Flags&mir.EHFuncletEntry != 0 {
			// Nothing but what lives into it is left of the registers.
			for u := range p.clobbers {
				p.clobbers[u] = true
			}
		}
		if f.Block(b).Flags&mir.EHPad != 0 {
			if h := s.c.Machine.Target.ISel.ExceptionRegs; h != nil {
				exc, sel := h(s.c.Subtarget)
				setUnits(f, p.clobbers, mir.Reg(exc))
				setUnits(f, p.clobbers, mir.Reg(sel))
			}
		}
		s.fixed = speculateUnknown
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			s.collect(x, i)
		}
	}
	if t := f.FirstTerminator(pre); t != 0 {
		for k := range f.Instr(t).NumOps() {
			if o := f.Op(t, k); o.IsReg() {
				setUnits(f, p.term, o.Reg())
			}
		}
	}
	for _, k := range p.candidates {
		if s.isSafe(k) {
			s.movePhysical(pre, k)
		}
	}
}

func setUnits(f *mir.Function, set []bool, r mir.Reg) {
	if r.IsPhysical() {
		for u := range f.Facts.RegUnits(desc.PhysReg(r)).All() {
			set[u] = true
		}
	}
}

func anyUnit(f *mir.Function, r mir.Reg, sets ...[]bool) bool {
	for u := range f.Facts.RegUnits(desc.PhysReg(r)).All() {
		for _, set := range sets {
			if set[u] {
				return true
			}
		}
	}
	return false
}

// collect notes what i defines and clobbers, and i itself when it may move.
func (s *licmScratch) collect(x int, i mir.InstrID) {
	f, p := s.f, &s.post
	def, out, reads := mir.NoReg, false, false
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		switch o.Kind() {
		case mir.OpFrameIndex:
			if fi := o.FrameIndex(); f.Frame.Object(fi).Flags&mir.FrameSpill != 0 && storesTo(f, i, fi) {
				p.stored[f.Frame.NumFixed+fi] = true
				p.written = append(p.written, f.Frame.NumFixed+fi)
			}
			reads = true
			continue
		case mir.OpRegMask:
			clobberUnits(f, p.clobbers, o)
			continue
		case mir.OpReg:
		default:
			continue
		}
		r := o.Reg()
		if !r.IsPhysical() {
			reads = reads || r.IsVirtual()
			continue
		}
		if o.IsUse() {
			reads = reads || anyUnit(f, r, p.defs, p.clobbers)
			continue
		}
		if o.IsImplicit() {
			setUnits(f, p.clobbers, r)
			out = out || !o.IsDead()
			continue
		}
		out = out || def != mir.NoReg
		def = r
		for u := range f.Facts.RegUnits(desc.PhysReg(r)).All() {
			if p.defs[u] {
				p.clobbers[u], out = true, true
			} else if p.clobbers[u] {
				out = true
			}
			p.defs[u] = true
		}
	}
	if def == mir.NoReg || out {
		return
	}
	slot := noSlot
	if _, fi, _, ok := s.c.Subtarget.LoadFromStackSlot(f, i); ok && f.Frame.Object(fi).Flags&mir.FrameSpill != 0 {
		slot = fi
	} else if reads || !s.mayLeave(x, i) {
		return
	}
	p.candidates = append(p.candidates, postCandidate{i, slot, def})
}

// clobberUnits sets the units of the registers that a mask does not preserve.
func clobberUnits(f *mir.Function, set []bool, mask *mir.Operand) {
	for u, roots := range f.Facts.Units {
		for _, r := range roots {
			if r != 0 && clobbers(f, mask, mir.Reg(r)) {
				set[u] = true
				break
			}
		}
	}
}

// storesTo reports that i may write to stack slot fi.
func storesTo(f *mir.Function, i mir.InstrID, fi int) bool {
	if !f.MayStore(i) {
		return false
	}
	n := f.NumMem(i)
	for k := range n {
		m := f.MemOf(i, k)
		if m.Flags&mir.MemStore != 0 && m.PtrKind == mir.PtrFixedStack && int(int32(m.Ptr)) == fi {
			return true
		}
	}
	return n == 0
}

// isSafe judges a candidate when all of the loop is known.
func (s *licmScratch) isSafe(k postCandidate) bool {
	f, p := s.f, &s.post
	if k.slot != noSlot && p.stored[f.Frame.NumFixed+k.slot] || anyUnit(f, k.reg, p.clobbers, p.term) {
		return false
	}
	for n := range f.Instr(k.instr).NumOps() {
		if o := f.Op(k.instr, n); o.IsUse() && o.Reg().IsPhysical() && anyUnit(f, o.Reg(), p.defs, p.clobbers) {
			return false
		}
	}
	return true
}

// movePhysical moves a candidate in front of the loop, through which its
// register is live then.
func (s *licmScratch) movePhysical(pre mir.BlockID, k postCandidate) {
	f := s.f
	f.Move(pre, f.FirstTerminator(pre), k.instr)
	f.Instr(k.instr).Loc = 0
	for _, n := range s.post.blocks {
		b := mir.BlockID(n)
		if !f.IsLiveIn(b, k.reg) {
			f.AddLiveIn(b, k.reg, mir.AllLanes)
		}
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			for n := range f.Instr(i).NumOps() {
				if o := f.Op(i, n); o.IsKill() && o.Reg().IsPhysical() && overlaps(f, o.Reg(), k.reg) {
					f.SetOpFlag(i, n, mir.Kill, false)
				}
			}
		}
	}
	s.c.Count(s.name(), "Number of machine instructions hoisted out of loops post regalloc", 1)
}
