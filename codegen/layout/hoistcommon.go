package layout

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// hoistRegs are sets of physical registers, by epoch: what the end of the branching
// block reads and writes, what was hoisted and is live, and all that was hoisted.
type hoistRegs struct {
	uses, defs, active, all []uint32
	epoch                   uint32
}

func (r *hoistRegs) reset(n int) {
	if len(r.uses) < n {
		*r = hoistRegs{uses: make([]uint32, n), defs: make([]uint32, n), active: make([]uint32, n), all: make([]uint32, n)}
	}
	r.epoch++
}

// hoistAll hoists what both ways of each branch begin with.
func (p *folder) hoistAll() bool {
	changed := false
	for b := p.f.FirstBlock(); b != 0; b = p.f.NextBlock(b) {
		changed = p.hoist(b) || changed
	}
	return changed
}

// mark puts a register and what shares a part with it into a set; v 0 takes them out.
func (p *folder) mark(set []uint32, r mir.Reg, v uint32) {
	set[r] = v
	for _, a := range p.f.Facts.Aliases(desc.PhysReg(r)) {
		set[a] = v
	}
}

// hoist moves what the two blocks behind b begin with, which have no other
// predecessor, to the end of b.
func (p *folder) hoist(b mir.BlockID) bool {
	f := p.f
	if f.NumSuccs(b) < 2 {
		return false
	}
	br, ok := p.st.AnalyzeBranch(f, b)
	if !ok || br.True == 0 || br.Cond == nil {
		return false
	}
	if br.False == 0 {
		// Not the block behind: that may be a landing pad.
		for _, s := range f.Succs(b) {
			if s.Block != br.True {
				br.False = s.Block
				break
			}
		}
	}
	if br.False == 0 || br.True == br.False || f.NumPreds(br.True) > 1 || f.NumPreds(br.False) > 1 {
		return false
	}
	x, y := f.SkipDebug(f.Block(br.True).First()), f.SkipDebug(f.Block(br.False).First())
	if x == 0 || y == 0 || !identical(f, x, y, true) {
		return false // as most do; what follows costs more
	}
	p.regs.reset(len(f.Facts.Regs))
	at := p.hoistPlace(b)
	if at == 0 {
		return false
	}
	n := 0
	for x != 0 && y != 0 && identical(f, x, y, true) && p.mayHoist(x) {
		p.noteHoisted(x)
		n++
		x, y = f.SkipDebug(f.Instr(x).Next()), f.SkipDebug(f.Instr(y).Next())
	}
	if n == 0 {
		return false
	}
	p.moveUp(b, at, br.True, br.False, n)
	if p.liveIns {
		p.sets()
		for p.live.RecomputeLiveIns(br.True) || p.live.RecomputeLiveIns(br.False) {
			continue
		}
	}
	p.c.Count("branch-folder", "Number of times common instructions are hoisted", 1)
	return true
}

// moveUp moves n instructions of t before at in b and erases their equals of e;
// debug instructions between them tell nothing any more.
func (p *folder) moveUp(b mir.BlockID, at mir.InstrID, t, e mir.BlockID, n int) {
	f := p.f
	y := f.Block(e).First()
	debug := func(i mir.InstrID) mir.InstrID {
		next := f.Instr(i).Next()
		if op := f.Instr(i).Opcode; op == desc.DBG_VALUE || op == desc.DBG_VALUE_LIST {
			for k := range f.Instr(i).NumOps() {
				if o := f.Op(i, k); o.IsReg() && o.Reg() != 0 {
					f.SetReg(i, k, mir.NoReg)
					f.SetSubReg(i, k, 0)
				}
			}
		}
		f.Move(b, at, i)
		return next
	}
	for x := f.Block(t).First(); n > 0; {
		for y != 0 && f.IsDebugInstr(y) {
			y = debug(y)
		}
		if f.IsDebugInstr(x) {
			x = debug(x)
			continue
		}
		next, nextY := f.Instr(x).Next(), f.Instr(y).Next()
		if f.Instr(x).Loc != f.Instr(y).Loc {
			f.Instr(x).Loc = 0
		}
		f.Move(b, at, x)
		f.Erase(y)
		x, y = next, nextY
		n--
	}
}

// hoistPlace is the instruction of b before which others may be put: its branch,
// or what sets the flags for it; 0 when there is none. What stands from there to
// the end reads and writes is noted.
func (p *folder) hoistPlace(b mir.BlockID) mir.InstrID {
	f, r := p.f, &p.regs
	at := f.FirstTerminator(b)
	if at == 0 {
		return 0
	}
	uses := false
	for k := range f.Instr(at).NumOps() {
		o := f.Op(at, k)
		if !o.IsReg() || !o.Reg().IsPhysical() {
			continue
		}
		switch {
		case o.IsUse():
			p.mark(r.uses, o.Reg(), r.epoch)
			uses = true
		case !o.IsDead():
			return 0
		default:
			p.mark(r.defs, o.Reg(), r.epoch)
		}
	}
	i := f.Instr(at).Prev()
	for i != 0 && f.IsDebugInstr(i) {
		i = f.Instr(i).Prev()
	}
	if !uses || i == 0 {
		return at
	}
	sets := false
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if o.Kind() == mir.OpRegMask {
			return at
		}
		if o.IsDef() && o.Reg().IsPhysical() && r.uses[o.Reg()] == r.epoch {
			sets = true
			break
		}
	}
	if !sets {
		return at
	}
	if !p.safeToMove(i) {
		return 0
	}
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || !o.Reg().IsPhysical() {
			continue
		}
		if o.IsUse() {
			p.mark(r.uses, o.Reg(), r.epoch)
			continue
		}
		if r.uses[o.Reg()] == r.epoch {
			r.uses[o.Reg()] = 0
			for s := range f.Facts.SubRegs(desc.PhysReg(o.Reg())).All() {
				r.uses[s] = 0
			}
		}
		p.mark(r.defs, o.Reg(), r.epoch)
	}
	return i
}

// safeToMove reports an instruction that does nothing but compute, though stores
// may stand between.
func (p *folder) safeToMove(i mir.InstrID) bool {
	f := p.f
	d := f.Desc(i)
	if d.MayStore() || d.IsCall() || f.IsPHI(i) || f.IsDebugInstr(i) || d.IsTerminator() || d.HasUnmodeledSideEffects() ||
		f.Instr(i).Opcode == desc.INLINEASM || d.MayRaiseFPException() && f.Instr(i).Flags()&mir.NoFPExcept == 0 || d.IsMeta() && f.Instr(i).Opcode != desc.IMPLICIT_DEF && f.Instr(i).Opcode != desc.KILL {
		return false
	}
	if d.MayLoad() {
		if f.NumMem(i) == 0 {
			return false
		}
		for k := range f.NumMem(i) {
			const want = mir.MemInvariant | mir.MemDereferenceable
			if m := f.MemOf(i, k); m.Flags&want != want || m.Flags&(mir.MemVolatile|mir.MemStore) != 0 || m.Order != 0 {
				return false
			}
		}
	}
	return true
}

// mayHoist reports whether i can stand before what the branching block ends with.
func (p *folder) mayHoist(i mir.InstrID) bool {
	f, r := p.f, &p.regs
	if f.IsBundled(i) || !p.safeToMove(i) {
		return false
	}
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if o.Kind() == mir.OpRegMask {
			return false
		}
		if !o.IsReg() || !o.Reg().IsPhysical() {
			continue
		}
		x := o.Reg()
		switch {
		case o.IsDef():
			if r.uses[x] == r.epoch || r.defs[x] == r.epoch && !o.IsDead() {
				return false
			}
		case r.active[x] != r.epoch:
			if r.defs[x] == r.epoch {
				return false
			}
		}
	}
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsKill() && o.Reg().IsPhysical() && r.active[o.Reg()] != r.epoch && r.uses[o.Reg()] == r.epoch {
			f.SetOpFlag(i, k, mir.Kill, false)
		}
	}
	return true
}

// noteHoisted notes what i, which is hoisted, defines and ends.
func (p *folder) noteHoisted(i mir.InstrID) {
	f, r := p.f, &p.regs
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsKill() && o.Reg().IsPhysical() && r.all[o.Reg()] == r.epoch {
			p.mark(r.active, o.Reg(), 0)
		}
	}
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsDef() && !o.IsDead() && o.Reg().IsPhysical() {
			p.mark(r.active, o.Reg(), r.epoch)
			p.mark(r.all, o.Reg(), r.epoch)
		}
	}
}
