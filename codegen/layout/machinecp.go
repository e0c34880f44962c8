package layout

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// MachineCP propagates copies of physical registers within blocks. Backwards,
// who computes a value that is copied and not read again computes it where it is
// copied to; forwards, who reads a copy reads what was copied as long as that
// stays. Copies that say what holds already, and those that nobody reads, go.
// Copies are tracked by register units.
var MachineCP = pass.Pass{
	Name:     "machine-cp",
	Title:    "Machine Copy Propagation Pass",
	Requires: mir.NoVRegs,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runMachineCP,
}

// unitCopy is what is known of a register unit.
type unitCopy struct {
	epoch uint32
	// listed is the epoch in whose list of tracked units it is.
	listed uint32
	copy   mir.InstrID // that defines it, 0 for none
	use    mir.InstrID // the last that reads it
	avail  bool
	// masked says that a call has changed a register of copy since.
	masked bool
	defs   []desc.PhysReg // that copies of it define
	users  []mir.InstrID  // backwards: who reads it before the copy does
}

// copyProp is the state of one run.
type copyProp struct {
	c        *pass.Context
	f        *mir.Function
	in       *desc.Info
	reserved []uint32 // a set
	units    []unitCopy
	epoch    uint32
	any      bool
	tracked  []desc.RegUnit // of this epoch; some are forgotten
	maybe    []mir.InstrID  // copies that nobody may read
	isMaybe  []bool         // by instruction
	cleared  []mir.InstrID  // by copy: up to where kills of its source are gone
	users    []debugUser
	drop     []desc.RegUnit
	masks    [][]bool // by mask of the function: the units of what it preserves, made when asked
	defs     []desc.PhysReg
}

// debugUser is a debug instruction that names what a copy defines.
type debugUser struct{ copy, user mir.InstrID }

func runMachineCP(c *pass.Context, f *mir.Function) error {
	p := pass.Scratch[copyProp](c)
	p.c, p.f, p.in = c, f, f.Facts
	p.reserved = c.Subtarget.ReservedSet(f, p.reserved)
	p.masks = p.masks[:0]
	if n := f.Facts.NumUnits(); len(p.units) < n {
		p.units = make([]unitCopy, n)
	}
	p.isMaybe, p.cleared = rows.Zeroed(p.isMaybe, f.NumInstrIDs()), rows.Zeroed(p.cleared, f.NumInstrIDs())
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if !p.hasCopy(b) {
			continue
		}
		p.backward(b)
		p.forward(b)
	}
	return nil
}

func (p *copyProp) isReserved(r desc.PhysReg) bool { return p.reserved[r/32]>>(r%32)&1 != 0 }

func (p *copyProp) hasCopy(b mir.BlockID) bool {
	for i := p.f.Block(b).First(); i != 0; i = p.f.Instr(i).Next() {
		if p.f.Instr(i).Opcode == desc.COPY {
			return true
		}
	}
	return false
}

// clear forgets all copies.
func (p *copyProp) clear() {
	p.epoch++
	p.any = false
	p.tracked = p.tracked[:0]
	for _, i := range p.maybe {
		p.isMaybe[i] = false
	}
	p.maybe, p.users = p.maybe[:0], p.users[:0]
}

// at is what is known of a unit, nil for nothing.
func (p *copyProp) at(u desc.RegUnit) *unitCopy {
	if x := &p.units[u]; x.epoch == p.epoch {
		return x
	}
	return nil
}

// known is at that makes the entry.
func (p *copyProp) known(u desc.RegUnit) *unitCopy {
	x := &p.units[u]
	if x.epoch != p.epoch {
		if x.listed != p.epoch {
			p.tracked = append(p.tracked, u)
		}
		*x = unitCopy{epoch: p.epoch, listed: p.epoch, defs: x.defs[:0], users: x.users[:0]}
	}
	p.any = true
	return x
}

func (p *copyProp) forget(u desc.RegUnit) { p.units[u].epoch = p.epoch - 1 }

// isCopy reports a copy of registers that do not overlap.
func (p *copyProp) isCopy(i mir.InstrID) (dst, src desc.PhysReg, ok bool) {
	if p.f.Instr(i).Opcode != desc.COPY {
		return 0, 0, false
	}
	dst, src = p.ends(i)
	return dst, src, dst != 0 && src != 0 && !p.in.Overlap(dst, src)
}

func (p *copyProp) ends(i mir.InstrID) (dst, src desc.PhysReg) {
	return desc.PhysReg(p.f.Op(i, 0).Reg()), desc.PhysReg(p.f.Op(i, 1).Reg())
}

func (p *copyProp) firstUnit(r desc.PhysReg) desc.RegUnit { return p.in.RegUnits(r).At(0) }

// track notes copy i.
func (p *copyProp) track(i mir.InstrID) {
	dst, src := p.ends(i)
	for u := range p.in.RegUnits(dst).All() {
		p.forget(u)
		x := p.known(u)
		x.copy, x.avail = i, true
	}
	for u := range p.in.RegUnits(src).All() {
		x := p.known(u)
		if !slices.Contains(x.defs, dst) {
			x.defs = append(x.defs, dst)
		}
		x.use = i
	}
}

func (p *copyProp) unavailable(r desc.PhysReg) {
	for u := range p.in.RegUnits(r).All() {
		if x := p.at(u); x != nil {
			x.avail = false
		}
	}
}

// clobber says that r has another value now: copies of it, and what is a copy
// into it, are no longer equal.
func (p *copyProp) clobber(r desc.PhysReg) {
	if !p.any {
		return
	}
	for u := range p.in.RegUnits(r).All() {
		p.clobberUnit(u)
	}
}

func (p *copyProp) clobberUnit(u desc.RegUnit) {
	x := p.at(u)
	if x == nil {
		return
	}
	for _, d := range x.defs {
		p.unavailable(d)
	}
	if x.copy != 0 {
		dst, src := p.ends(x.copy)
		p.unavailable(dst)
		for su := range p.in.RegUnits(src).All() {
			s := p.at(su)
			if s == nil || s.use == 0 {
				continue
			}
			if k := slices.Index(s.defs, dst); k >= 0 {
				s.defs = slices.Delete(s.defs, k, k+1)
				if len(s.defs) == 0 && s.copy == 0 {
					p.forget(su)
				}
			}
		}
	}
	p.forget(u)
}

// preserves reports whether the mask, number n of the function, preserves a
// register with unit u.
func (p *copyProp) preserves(n uint32, u desc.RegUnit) bool {
	for int(n) >= len(p.masks) {
		p.masks = append(p.masks, nil) // of this function, whatever lay there
	}
	if p.masks[n] == nil {
		set, mask := make([]bool, p.in.NumUnits()), p.f.RegMasks[n]
		for r := 1; r < len(p.in.Regs); r++ {
			if mask[r/32]>>(r%32)&1 != 0 {
				for x := range p.in.RegUnits(desc.PhysReg(r)).All() {
					set[x] = true
				}
			}
		}
		p.masks[n] = set
	}
	return p.masks[n][u]
}

// lost says that copy i is clobbered by the mask, number n of the function, and
// reports whether all of it is.
func (p *copyProp) lost(i mir.InstrID, n uint32) bool {
	dst, _ := p.ends(i)
	all := true
	for u := range p.in.RegUnits(dst).All() {
		if !p.preserves(n, u) {
			p.clobberUnit(u)
		} else if x := p.at(u); x != nil && x.copy == i {
			all = false
		}
	}
	return all
}

// invalidate forgets the copies that read or define a part of r.
func (p *copyProp) invalidate(r desc.PhysReg) {
	if !p.any {
		return
	}
	p.drop = p.drop[:0]
	add := func(i mir.InstrID) {
		if i != 0 {
			dst, src := p.ends(i)
			p.drop = slices.AppendSeq(p.drop, p.in.RegUnits(dst).All())
			p.drop = slices.AppendSeq(p.drop, p.in.RegUnits(src).All())
		}
	}
	for u := range p.in.RegUnits(r).All() {
		if x := p.at(u); x != nil {
			add(x.copy)
			add(x.use)
		}
	}
	for _, u := range p.drop {
		p.forget(u)
	}
}

// call notes which copies a register mask makes worthless: their source or
// destination is not preserved.
func (p *copyProp) call(mask []uint32) {
	gone := func(r desc.PhysReg) bool { return mask[r/32]>>(r%32)&1 == 0 }
	n := 0
	for _, u := range p.tracked {
		x := p.at(u)
		if x == nil {
			p.units[u].listed = p.epoch - 1
			continue
		}
		p.tracked[n] = u
		n++
		if x.copy != 0 && !x.masked {
			dst, src := p.ends(x.copy)
			x.masked = gone(dst) || gone(src)
		}
	}
	p.tracked = p.tracked[:n]
}

// available is the copy that defined r and whose source still has the value.
func (p *copyProp) available(r desc.PhysReg) mir.InstrID {
	x := p.at(p.firstUnit(r))
	if x == nil || x.copy == 0 || !x.avail || x.masked {
		return 0
	}
	if dst, _ := p.ends(x.copy); !p.in.IsSubRegisterEq(dst, r) {
		return 0
	}
	return x.copy
}

// definedBy is the copy by which the only register is defined that copies a unit.
func (p *copyProp) definedBy(u desc.RegUnit) *unitCopy {
	x := p.at(u)
	if x == nil || len(x.defs) != 1 {
		return nil
	}
	y := p.at(p.firstUnit(x.defs[0]))
	if y == nil || !y.avail || y.copy == 0 {
		return nil
	}
	return y
}

func (p *copyProp) addMaybe(i mir.InstrID) {
	if !p.isMaybe[i] {
		p.isMaybe[i] = true
		p.maybe = append(p.maybe, i)
	}
}

// read says that the copy that defined a part of r is read.
func (p *copyProp) read(r desc.PhysReg, reader mir.InstrID, debug bool) {
	if !p.any {
		return
	}
	for u := range p.in.RegUnits(r).All() {
		if x := p.at(u); x != nil && x.copy != 0 {
			if debug {
				p.users = append(p.users, debugUser{x.copy, reader})
			} else {
				p.isMaybe[x.copy] = false
			}
		}
	}
}

// erase erases a copy; what debug instructions name as r is in to.
func (p *copyProp) erase(i mir.InstrID, r, to desc.PhysReg) {
	f := p.f
	for _, u := range p.users {
		if u.copy != i {
			continue
		}
		for k := range f.Instr(u.user).NumOps() {
			if o := f.Op(u.user, k); o.IsReg() && o.Reg().IsPhysical() && p.in.Overlap(desc.PhysReg(o.Reg()), r) {
				f.SetReg(u.user, k, mir.Reg(to))
			}
		}
	}
	f.Erase(i)
	p.c.Count("machine-cp", "Number of dead copies deleted", 1)
}

// clearKills makes no instruction from first to last end the life of r.
func (p *copyProp) clearKills(first, last mir.InstrID, r desc.PhysReg) {
	f := p.f
	for i := first; i != 0; i = f.Instr(i).Next() {
		for k := range f.Instr(i).NumOps() {
			if o := f.Op(i, k); o.IsKill() && o.Reg().IsPhysical() && p.in.Overlap(desc.PhysReg(o.Reg()), r) {
				f.SetOpFlag(i, k, mir.Kill, false)
			}
		}
		if i == last {
			break
		}
	}
}

// redundant erases copy i when an earlier one makes dst equal to src already.
func (p *copyProp) redundant(i mir.InstrID, src, dst desc.PhysReg) bool {
	if p.isReserved(src) || p.isReserved(dst) {
		return false
	}
	prev := p.available(dst)
	if prev == 0 || p.f.Op(prev, 0).IsDead() {
		return false
	}
	pd, ps := p.ends(prev)
	if src != ps || dst != pd {
		if !p.in.IsSubRegister(ps, src) || p.in.SubRegIndexOf(ps, src) != p.in.SubRegIndexOf(pd, dst) {
			return false
		}
	}
	d, _ := p.ends(i)
	p.clearKills(prev, p.f.Instr(i).Prev(), d)
	if !p.f.Op(i, 1).IsUndef() {
		p.f.SetOpFlag(prev, 1, mir.Undef, false)
	}
	p.f.Erase(i)
	p.c.Count("machine-cp", "Number of dead copies deleted", 1)
	return true
}

// forward goes through b and replaces uses of copies.
func (p *copyProp) forward(b mir.BlockID) {
	f := p.f
	p.clear()
	for i := f.Block(b).First(); i != 0; {
		next := f.Instr(i).Next()
		if dst, src, ok := p.isCopy(i); !ok {
			p.forwardOther(i)
		} else if !p.redundant(i, dst, src) && !p.redundant(i, src, dst) {
			p.forwardCopy(i)
		}
		i = next
	}
	tracks := f.Props&mir.TracksLiveness != 0
	if tracks && len(p.maybe) > 0 {
		p.readLiveOuts(b)
	}
	if tracks || f.NumSuccs(b) == 0 {
		for _, i := range p.maybe {
			if p.isMaybe[i] {
				dst, src := p.ends(i)
				p.isMaybe[i] = false
				p.erase(i, dst, src)
			}
		}
	}
	p.clear()
}

// readLiveOuts reads what the successors of b need.
func (p *copyProp) readLiveOuts(b mir.BlockID) {
	for _, s := range p.f.Succs(b) {
		for _, l := range p.f.LiveInsOf(s.Block) {
			r := desc.PhysReg(l.Reg)
			lanes := p.in.UnitLanes(r)
			k := 0
			for u := range p.in.RegUnits(r).All() {
				if lanes[k]&desc.LaneMask(l.Mask) != 0 || l.Mask == mir.AllLanes {
					if x := p.at(u); x != nil && x.copy != 0 {
						p.isMaybe[x.copy] = false
					}
				}
				k++
			}
		}
	}
}

func (p *copyProp) forwardCopy(i mir.InstrID) {
	f := p.f
	p.forwardUses(i)
	dst, src := p.ends(i)
	p.read(src, i, false)
	for k := 2; k < f.Instr(i).NumOps(); k++ {
		if o := f.Op(i, k); o.IsReg() && o.Reg().IsPhysical() && o.ReadsReg() && !o.IsDef() {
			p.read(desc.PhysReg(o.Reg()), i, false)
		}
	}
	if !p.isReserved(dst) {
		p.addMaybe(i)
	}
	p.clobber(dst)
	for k := 2; k < f.Instr(i).NumOps(); k++ {
		if o := f.Op(i, k); o.IsDef() && o.Reg().IsPhysical() {
			p.clobber(desc.PhysReg(o.Reg()))
		}
	}
	p.track(i)
}

func (p *copyProp) forwardOther(i mir.InstrID) {
	f := p.f
	if !p.any {
		return
	}
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsReg() && o.IsEarlyClobber() && o.Reg().IsPhysical() {
			if o.IsTied() {
				p.read(desc.PhysReg(o.Reg()), i, false)
			}
			p.clobber(desc.PhysReg(o.Reg()))
		}
	}
	p.forwardUses(i)
	p.defs = p.defs[:0]
	var mask []uint32
	maskNum := uint32(0)
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if o.Kind() == mir.OpRegMask {
			mask, maskNum = f.RegMasks[o.Index()], o.Index()
		}
		if !o.IsReg() || !o.Reg().IsPhysical() {
			continue
		}
		r := desc.PhysReg(o.Reg())
		if o.IsDef() && !o.IsEarlyClobber() {
			p.defs = append(p.defs, r)
		} else if o.ReadsReg() && !o.IsDef() {
			p.read(r, i, o.IsDebug())
		}
	}
	if mask != nil {
		for _, m := range p.maybe {
			if !p.isMaybe[m] {
				continue
			}
			if dst, _ := p.ends(m); mask[dst/32]>>(dst%32)&1 == 0 {
				p.isMaybe[m] = false
				if p.lost(m, maskNum) {
					f.Erase(m)
					p.c.Count("machine-cp", "Number of dead copies deleted", 1)
				}
			}
		}
		p.maybe = slices.DeleteFunc(p.maybe, func(m mir.InstrID) bool { return !p.isMaybe[m] })
		p.call(mask)
	}
	for _, r := range p.defs {
		p.clobber(r)
	}
}

// forwardUses makes i read what was copied instead of the copy.
func (p *copyProp) forwardUses(i mir.InstrID) {
	f := p.f
	if !p.any {
		return
	}
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || o.IsTied() || o.IsUndef() || o.IsDef() || o.IsImplicit() || !o.Reg().IsPhysical() || !f.IsRenamable(i, k) {
			continue
		}
		r := desc.PhysReg(o.Reg())
		c := p.available(r)
		if c == 0 {
			continue
		}
		dst, src := p.ends(c)
		to := src
		if r != dst {
			if to = p.in.SubReg(src, p.in.SubRegIndexOf(dst, r)); to == 0 {
				continue
			}
		}
		if p.isReserved(src) || !p.fits(i, k, src) || p.implicitOverlap(i, r) || f.Instr(i).Opcode == desc.COPY && p.overwritesPart(i, src) {
			continue
		}
		cs := *f.Op(c, 1)
		f.SetReg(i, k, mir.Reg(to))
		f.SetOpFlag(i, k, mir.Renamable, false) // whether it is was said of another register
		f.SetOpFlag(i, k, mir.Undef, cs.IsUndef())
		from := c
		if x := p.cleared[c]; x != 0 {
			from = x
		}
		p.clearKills(from, i, src)
		p.cleared[c] = i
		p.c.Count("machine-cp", "Number of copy uses forwarded", 1)
	}
}

// fits reports whether operand k of i may be r. What is copied again should stay
// among the registers that contain the destination.
func (p *copyProp) fits(i mir.InstrID, k int, r desc.PhysReg) bool {
	f := p.f
	op := f.Instr(i).Opcode
	if op == desc.COPY {
		dst, _ := p.ends(i)
		cl := p.in.MinimalPhysRegClass(dst, 0)
		for c := range p.in.Classes {
			if p.in.HasSubClassEq(desc.ClassID(c), cl) && p.in.ClassContains(desc.ClassID(c), r) {
				return true
			}
		}
		return false
	}
	if op == desc.INLINEASM || op == desc.INLINEASM_BR || k >= len(p.in.Operands(op)) {
		return false
	}
	cl := p.in.OperandClass(op, k, p.in.DefaultMode)
	return cl >= 0 && p.in.ClassContains(cl, r)
}

// implicitOverlap reports that i reads a part of r by an implicit operand.
func (p *copyProp) implicitOverlap(i mir.InstrID, r desc.PhysReg) bool {
	for _, o := range p.f.Ops(i) {
		if o.IsReg() && o.IsImplicit() && o.IsUse() && o.Reg().IsPhysical() && p.in.Overlap(desc.PhysReg(o.Reg()), r) {
			return true
		}
	}
	return false
}

// overwritesPart reports a copy that writes a part of r and not r.
func (p *copyProp) overwritesPart(i mir.InstrID, r desc.PhysReg) bool {
	part := false
	for _, o := range p.f.Ops(i) {
		if o.IsDef() && o.Reg().IsPhysical() {
			if d := desc.PhysReg(o.Reg()); p.in.IsSubRegisterEq(d, r) && d == r {
				return false
			} else if p.in.Overlap(d, r) {
				part = true
			}
		}
	}
	return part
}

// backward goes through b from its end and makes values where they are copied to.
func (p *copyProp) backward(b mir.BlockID) {
	f := p.f
	p.clear()
	for i := f.Block(b).Last(); i != 0; i = f.Instr(i).Prev() {
		if dst, src, ok := p.isCopy(i); ok && f.Instr(i).NumOps() == 2 && !p.isReserved(dst) && !p.isReserved(src) {
			if f.Op(i, 1).IsKill() && f.IsRenamable(i, 1) {
				p.invalidate(src)
				p.invalidate(dst)
				p.track(i)
				continue
			}
		}
		if p.any {
			p.backwardOther(i)
		}
	}
	for _, i := range p.maybe {
		dst, src := p.ends(i)
		p.isMaybe[i] = false
		p.erase(i, src, dst)
	}
	p.clear()
}

func (p *copyProp) backwardOther(i mir.InstrID) {
	f := p.f
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsReg() && o.IsEarlyClobber() && o.Reg().IsPhysical() {
			p.invalidate(desc.PhysReg(o.Reg()))
		}
	}
	p.propagateDefs(i)
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if o.Kind() == mir.OpRegMask {
			p.call(f.RegMasks[o.Index()])
		}
		if !o.IsReg() || !o.Reg().IsPhysical() {
			continue
		}
		r := desc.PhysReg(o.Reg())
		if o.IsDef() {
			p.invalidate(r)
			continue
		}
		if !o.ReadsReg() {
			continue
		}
		if o.IsDebug() {
			for u := range p.in.RegUnits(r).All() {
				if x := p.definedBy(u); x != nil {
					p.users = append(p.users, debugUser{x.copy, i})
				}
			}
			continue
		}
		// Who reads the source before the copy may read the destination instead.
		u := p.firstUnit(r)
		if x := p.definedBy(u); x != nil {
			if _, src := p.ends(x.copy); src == r {
				p.units[u].users = append(p.units[u].users, i)
				continue
			}
		}
		p.invalidate(r)
	}
}

// propagateDefs makes i write where what it writes is copied to.
func (p *copyProp) propagateDefs(i mir.InstrID) {
	f := p.f
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsDef() || o.IsTied() || o.IsUndef() || o.IsImplicit() || !o.Reg().IsPhysical() || !f.IsRenamable(i, k) {
			continue
		}
		r := desc.PhysReg(o.Reg())
		u := p.firstUnit(r)
		x := p.definedBy(u)
		if x == nil || x.masked {
			continue
		}
		c := x.copy
		dst, src := p.ends(c)
		if src != r || f.Instr(i).Opcode == desc.COPY || !p.fits(i, k, dst) || p.implicitOverlap(i, r) || p.definesToo(i, k, dst) || !p.usersFit(u, src, dst) {
			continue
		}
		renamable := f.IsRenamable(c, 0)
		f.SetReg(i, k, mir.Reg(dst))
		f.SetOpFlag(i, k, mir.Renamable, renamable)
		for _, user := range p.units[u].users {
			for n := range f.Instr(user).NumOps() {
				if q := f.Op(user, n); q.IsUse() && q.Reg() == mir.Reg(src) {
					f.SetReg(user, n, mir.Reg(dst))
					f.SetOpFlag(user, n, mir.Renamable, renamable)
				}
			}
		}
		p.addMaybe(c)
		p.c.Count("machine-cp", "Number of copy defs backward propagated", 1)
	}
}

// definesToo reports that i defines a part of r by an operand other than k.
func (p *copyProp) definesToo(i mir.InstrID, k int, r desc.PhysReg) bool {
	for n, o := range p.f.Ops(i) {
		if n != k && o.IsDef() && o.Reg().IsPhysical() && p.in.Overlap(desc.PhysReg(o.Reg()), r) {
			return true
		}
	}
	return false
}

// usersFit reports whether all who read src before the copy can read dst.
func (p *copyProp) usersFit(u desc.RegUnit, src, dst desc.PhysReg) bool {
	f := p.f
	for _, i := range p.units[u].users {
		if p.implicitOverlap(i, src) {
			return false
		}
		for n := range f.Instr(i).NumOps() {
			q := f.Op(i, n)
			if !q.IsUse() || q.Reg() != mir.Reg(src) {
				continue
			}
			if q.IsTied() || !f.IsRenamable(i, n) || f.Instr(i).Opcode == desc.COPY || !p.fits(i, n, dst) {
				return false
			}
		}
	}
	return true
}
