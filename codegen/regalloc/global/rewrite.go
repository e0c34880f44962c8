package global

import (
	"errors"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// VirtRegRewriter puts the physical registers of the VirtRegMap in the place of
// virtual ones, gives blocks their live-ins, ends registers' lives with kill
// flags, and deletes copies of a register to itself.
var VirtRegRewriter = pass.Pass{
	Name:     "virtregrewriter",
	Title:    "Virtual Register Rewriter",
	Requires: mir.NoPHIs,
	Sets:     mir.NoVRegs | mir.TracksDebugUserValues,
	KeepsCFG: true,
	Keeps:    []pass.Kind{pass.KindOf[liveness.Stacks]()},
	Run:      runRewriter,
}

type rewriter struct {
	c   *pass.Context
	f   *mir.Function
	in  *desc.Info
	idx *liveness.Indexes
	lis *liveness.Intervals
	vrm *VirtRegMap
	// Super-registers of operands that become sub-registers: read and written,
	// written and dead, written.
	kills, deads, defs []mir.Reg
	copies             []mir.InstrID
	units              []*liveness.Range
	at                 []int
	liveIns            []mir.LiveIn
}

func runRewriter(c *pass.Context, f *mir.Function) error {
	w := pass.Scratch[rewriter](c)
	w.c, w.f, w.in = c, f, f.Facts
	w.idx = pass.Get[liveness.Indexes](c, f)
	w.lis = pass.Get[liveness.Intervals](c, f)
	w.vrm = pass.Get[VirtRegMap](c, f)
	w.copies = w.copies[:0]
	if r := w.unplaced(); r != 0 {
		return errors.New("in function " + f.Name + ": virtregrewriter: %" + strconv.Itoa(r.Index()) + " was given no register: an allocator must stand before it in the same run")
	}
	for n := range f.NumVRegs() {
		if r := mir.VReg(n); w.lis.Has(r) && w.vrm.Phys(r) != 0 {
			w.killFlags(r)
		}
	}
	w.addLiveIns()
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			w.rewrite(i)
		}
	}
	// What is proved here is proved again when slots are shared.
	pass.Scratch[slotColoring](c).snapshot = w.vrm.snapshot
	if s := w.vrm.snapshot; s != nil {
		w.vrm.snapshot = nil
		if errs := s.Verify(f); len(errs) > 0 {
			s.Close()
			return errors.Join(errs...)
		}
	}
	for _, i := range w.copies {
		w.identity(i)
	}
	for i := range f.LiveIns {
		f.LiveIns[i].Virt = 0
	}
	pass.Get[DebugVars](c, f).emit(w.vrm)
	pass.Drop[DebugVars](c)
	pass.Drop[liveness.Intervals](c)
	pass.Drop[VirtRegMap](c)
	f.ClearVRegs()
	return nil
}

// unplaced returns a virtual register that is used and was given no physical one, 0 for none.
func (w *rewriter) unplaced() mir.Reg {
	for n := range w.f.NumVRegs() {
		r := mir.VReg(n)
		if w.vrm.Phys(r) != 0 {
			continue
		}
		for id := w.f.FirstUse(r); id != 0; id = w.f.NextUse(id) {
			if !w.f.OpAt(id).IsDebug() {
				return r
			}
		}
	}
	return 0
}

// killFlags marks the uses that end the life of r; not where a physical register
// that r's is a part of goes on living, as behind a copy to it.
func (w *rewriter) killFlags(r mir.Reg) {
	f, iv := w.f, w.lis.Interval(r)
	for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
		if o := f.OpAt(id); !o.IsDef() && o.Flags()&mir.Kill != 0 {
			i, k := f.Owner(id)
			f.SetOpFlag(i, k, mir.Kill, false)
		}
	}
	w.units, w.at = w.units[:0], w.at[:0]
	for u := range w.in.RegUnits(w.vrm.Phys(r)).All() {
		if x := w.lis.Unit(u); !x.Empty() && !iv.Empty() {
			w.units = append(w.units, x)
			w.at = append(w.at, x.Find(iv.Segs[0].End))
		}
	}
	for _, s := range iv.Segs {
		if s.End.IsBlock() {
			continue
		}
		i := w.idx.Instr(s.End)
		if i == 0 || s.End.IsDead() || w.unitsLive(s.End) {
			continue
		}
		if w.lis.TracksSubs(r) && iv.HasSubs() && !w.mayKill(i, r, iv, s.End) {
			continue
		}
		w.kill(i, r)
	}
}

// unitsLive reports whether the register itself is live at a place.
func (w *rewriter) unitsLive(at liveness.Index) bool {
	for k, x := range w.units {
		w.at[k] = x.AdvanceTo(w.at[k], at)
		if n := w.at[k]; n < len(x.Segs) && x.Segs[n].Start < at {
			return true
		}
	}
	return false
}

// mayKill reports whether i, where a segment of iv ends, may end the life of the
// whole register: it reads no lane that is undefined, which may hold another
// register's, and writes no part behind which the others go on.
func (w *rewriter) mayKill(i mir.InstrID, r mir.Reg, iv *liveness.Interval, at liveness.Index) bool {
	var live desc.LaneMask
	for k := range iv.Subs {
		if s := &iv.Subs[k]; s.LiveAt(at.Before()) && !s.LiveAt(at) {
			live |= s.Lanes
		}
	}
	all, full := w.in.Classes[w.f.VReg(r).Class].Lanes, false
	for m := range w.f.InBundle(i) {
		for _, o := range w.f.Ops(m) {
			if !o.IsReg() || o.Reg() != r || o.IsDebug() {
				continue
			}
			lanes := all
			if o.SubReg() != 0 {
				lanes = w.in.SubRegLanes(desc.SubRegIdx(o.SubReg()))
			}
			switch {
			case o.IsUse() && lanes&^live != 0:
				return false
			case o.IsDef() && o.SubReg() == 0:
				full = true
			}
		}
	}
	n := iv.Find(at)
	return full || n == len(iv.Segs) || iv.Segs[n].Start != at
}

// kill sets the kill flag of the uses of r in i's bundle: of the first one, LLVM
// marks no other use of the same instruction.
func (w *rewriter) kill(i mir.InstrID, r mir.Reg) {
	f := w.f
	for m := range f.InBundle(i) {
		for k := range f.Instr(m).NumOps() {
			o := f.Op(m, k)
			if o.IsUse() && o.Reg() == r && !o.IsUndef() && !o.IsDebug() {
				f.SetOpFlag(m, k, mir.Kill, true)
				return
			}
		}
	}
}

// addLiveIns lists, for each block, the registers that virtual ones are in.
func (w *rewriter) addLiveIns() {
	f := w.f
	for n := range f.NumVRegs() {
		r := mir.VReg(n)
		p := w.vrm.row(r).phys
		if p == 0 || !w.lis.Has(r) {
			continue
		}
		iv := w.lis.Interval(r)
		if !iv.HasSubs() {
			w.liveInRange(&iv.Range, mir.LiveIn{Reg: mir.Reg(p), Mask: mir.AllLanes})
			continue
		}
		for k := range iv.Subs {
			s := &iv.Subs[k]
			w.liveInRange(&s.Range, mir.LiveIn{Reg: mir.Reg(p), Mask: uint64(s.Lanes)})
		}
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		w.sortLiveIns(b)
	}
}

// liveInRange adds l to the blocks at whose start r is live.
func (w *rewriter) liveInRange(r *liveness.Range, l mir.LiveIn) {
	f := w.f
	for _, s := range r.Segs {
		b := w.idx.BlockAt(s.Start)
		if w.idx.BlockStart(b) < s.Start {
			b = f.NextBlock(b)
		}
		for ; b != 0 && w.idx.BlockStart(b) < s.End; b = f.NextBlock(b) {
			f.AddLiveIn(b, l.Reg, l.Mask)
		}
	}
}

// sortLiveIns sorts a block's live-ins by register and joins equal ones.
func (w *rewriter) sortLiveIns(b mir.BlockID) {
	f := w.f
	list := append(w.liveIns[:0], f.LiveInsOf(b)...)
	w.liveIns = list
	slices.SortStableFunc(list, func(x, y mir.LiveIn) int { return int(x.Reg) - int(y.Reg) })
	f.ClearLiveIns(b)
	for k := 0; k < len(list); {
		l := list[k]
		for k++; k < len(list) && list[k].Reg == l.Reg; k++ {
			l.Mask |= list[k].Mask
		}
		f.AddLiveIn(b, l.Reg, l.Mask)
	}
}

// rewrite gives the operands of i their registers.
func (w *rewriter) rewrite(i mir.InstrID) {
	f := w.f
	w.kills, w.deads, w.defs = w.kills[:0], w.deads[:0], w.defs[:0]
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || !o.Reg().IsVirtual() {
			continue
		}
		p := w.vrm.Phys(o.Reg())
		if o.IsDebug() || f.IsDebugInstr(i) {
			w.debug(i, k, p)
			continue
		}
		if p == 0 {
			continue
		}
		if s := o.SubReg(); s != 0 {
			p = w.subReg(i, k, p)
		}
		f.SetReg(i, k, mir.Reg(p))
		f.SetOpFlag(i, k, mir.Renamable, true)
	}
	for n := len(w.kills) - 1; n >= 0; n-- {
		w.addKilled(i, w.kills[n])
	}
	for n := len(w.deads) - 1; n >= 0; n-- {
		w.addDead(i, w.deads[n])
	}
	for n := len(w.defs) - 1; n >= 0; n-- {
		w.addDefined(i, w.defs[n])
	}
	if f.Instr(i).Opcode == desc.COPY {
		w.copies = append(w.copies, i)
	}
}

// subReg is the part of p that operand k names; what that says of the rest of p
// is noted.
func (w *rewriter) subReg(i mir.InstrID, k int, p desc.PhysReg) desc.PhysReg {
	f := w.f
	o := *f.Op(i, k)
	r := o.Reg()
	if !w.lis.TracksSubs(r) {
		// A kill of the virtual register is one of the whole register, and a partial
		// definition reads and writes all of it.
		if o.ReadsReg() && (o.IsDef() || o.IsKill()) || o.IsDef() && w.liveThrough(i, r, p, o.SubReg()) {
			w.kills = append(w.kills, mir.Reg(p))
		}
		if o.IsDef() {
			if o.IsDead() {
				w.deads = append(w.deads, mir.Reg(p))
			} else {
				w.defs = append(w.defs, mir.Reg(p))
			}
		}
	} else if o.IsUse() && w.readsUndefined(i, r, o.SubReg()) {
		f.SetOpFlag(i, k, mir.Undef, true)
	}
	if o.IsDef() {
		f.SetOpFlag(i, k, mir.Undef|mir.InternalRead, false)
	}
	f.SetSubReg(i, k, 0)
	return w.in.SubReg(p, desc.SubRegIdx(o.SubReg()))
}

// liveThrough reports whether parts of p other than the one that i defines are
// live before and behind i as the register itself.
func (w *rewriter) liveThrough(i mir.InstrID, _ mir.Reg, p desc.PhysReg, _ uint16) bool {
	at := w.idx.Of(i)
	for u := range w.in.RegUnits(p).All() {
		x := w.lis.Unit(u)
		if x.LiveAt(at.Reg()) && x.LiveAt(at) {
			return true
		}
	}
	return false
}

// readsUndefined reports whether no lane of sub-register sub of r is live before i.
func (w *rewriter) readsUndefined(i mir.InstrID, r mir.Reg, sub uint16) bool {
	iv := w.lis.Interval(r)
	if !iv.HasSubs() {
		return false
	}
	at := w.idx.Of(i)
	lanes := w.in.SubRegLanes(desc.SubRegIdx(sub))
	for k := range iv.Subs {
		if s := &iv.Subs[k]; s.Lanes&lanes != 0 && s.LiveAt(at) {
			return false
		}
	}
	return true
}

// addKilled makes i kill p: by the flag of an operand that names it, else by an
// implicit one. Kills of parts of p say nothing beside it.
func (w *rewriter) addKilled(i mir.InstrID, p mir.Reg) {
	f := w.f
	found := false
	for k := 0; k < f.Instr(i).NumOps(); k++ {
		o := f.Op(i, k)
		if !o.IsUse() || o.IsUndef() || o.IsDebug() || !o.Reg().IsPhysical() {
			continue
		}
		switch {
		case o.Reg() == p:
			if o.IsKill() || o.IsTied() {
				return
			}
			if !found {
				f.SetOpFlag(i, k, mir.Kill, true)
				found = true
			}
		case !o.IsKill():
		case w.in.IsSubRegister(desc.PhysReg(o.Reg()), desc.PhysReg(p)):
			return // a larger register dies
		}
	}
	w.trim(i, p, false)
	if !found {
		f.InsertOp(i, f.Instr(i).NumOps(), mir.RegOp(p, mir.Implicit|mir.Kill))
	}
}

// trim takes the kill flags (or with defs the dead flags) of parts of p away, and
// implicit operands that were there for them alone.
func (w *rewriter) trim(i mir.InstrID, p mir.Reg, defs bool) {
	f := w.f
	for k := f.Instr(i).NumOps() - 1; k >= 0; k-- {
		o := f.Op(i, k)
		if !o.IsReg() || !o.Reg().IsPhysical() || o.IsDef() != defs || o.Flags()&mir.DeadOrKill == 0 || o.IsUndef() && !defs ||
			!w.in.IsSubRegister(desc.PhysReg(p), desc.PhysReg(o.Reg())) {
			continue
		}
		if o.IsImplicit() && !o.IsTied() {
			f.RemoveOp(i, k)
		} else {
			f.SetOpFlag(i, k, mir.DeadOrKill, false)
		}
	}
}

// addDead adds a dead definition of p.
func (w *rewriter) addDead(i mir.InstrID, p mir.Reg) {
	f := w.f
	found := false
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsDef() || !o.Reg().IsPhysical() {
			continue
		}
		if o.Reg() == p {
			f.SetOpFlag(i, k, mir.Dead, true)
			found = true
		} else if o.IsDead() && w.in.IsSubRegister(desc.PhysReg(o.Reg()), desc.PhysReg(p)) {
			return
		}
	}
	w.trim(i, p, true)
	if !found {
		f.InsertOp(i, f.Instr(i).NumOps(), mir.RegOp(p, mir.Def|mir.Implicit|mir.Dead))
	}
}

// addDefined adds an implicit definition of p unless an operand defines all of it already.
func (w *rewriter) addDefined(i mir.InstrID, p mir.Reg) {
	f := w.f
	for k := range f.Instr(i).NumOps() {
		if x := f.Op(i, k); x.IsDef() && x.Reg().IsPhysical() && w.in.IsSubRegisterEq(desc.PhysReg(x.Reg()), desc.PhysReg(p)) {
			return
		}
	}
	f.InsertOp(i, f.Instr(i).NumOps(), mir.RegOp(p, mir.Def|mir.Implicit))
}

// debug lets a debug instruction name the register that its variable is in, none
// where the value is not there.
func (w *rewriter) debug(i mir.InstrID, k int, p desc.PhysReg) {
	f := w.f
	o := *f.Op(i, k)
	if p != 0 && o.SubReg() != 0 {
		p = w.in.SubReg(p, desc.SubRegIdx(o.SubReg()))
	}
	if p != 0 && !w.liveBefore(i, o.Reg()) {
		p = 0
	}
	f.SetReg(i, k, mir.Reg(p))
	f.SetSubReg(i, k, 0)
	if p != 0 {
		f.SetOpFlag(i, k, mir.Renamable, true)
	}
}

// liveBefore reports whether r is live at debug instruction i.
func (w *rewriter) liveBefore(i mir.InstrID, r mir.Reg) bool {
	f := w.f
	if !w.lis.Has(r) {
		return false
	}
	b := f.Instr(i).Block()
	for p := f.Instr(i).Prev(); p != 0; p = f.Instr(p).Prev() {
		if at := w.idx.Of(p); at != 0 {
			return w.lis.Interval(r).LiveAt(at.Reg())
		}
	}
	return w.lis.Interval(r).LiveAt(w.idx.BlockStart(b))
}

// identity deletes copy i when it moves a register to itself. One that says more,
// that the register comes to life here or that a larger one does, becomes a KILL.
func (w *rewriter) identity(i mir.InstrID) {
	f := w.f
	ops := f.Ops(i)
	if ops[0].Reg() != ops[1].Reg() || ops[0].SubReg() != ops[1].SubReg() {
		return
	}
	if ops[1].IsUndef() || len(ops) > 2 {
		f.Instr(i).Opcode = desc.KILL
		w.c.Count("regalloc", "Number of identity moves eliminated after rewriting", 1)
		return
	}
	f.Erase(i)
	w.c.Count("regalloc", "Number of identity moves eliminated after rewriting", 1)
}
