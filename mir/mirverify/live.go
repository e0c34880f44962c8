package mirverify

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// liveState is liveness inside one block. Physical registers live in a sparse
// set: member r is regs[at[r]]. A virtual register is live when the block that
// last defined it is this one and nothing killed it since.
type liveState struct {
	regs []mir.Reg
	at   []uint32

	epoch    uint32   // number of the block being checked, counted from 1
	defined  []uint32 // by virtual register: epoch of the definition that is live
	killed   []uint32 // epoch in which it was killed
	required []uint32 // epoch in which a use reached over the block's start
	listed   []uint32 // epoch in which the register was put in touched
	touched  []mir.Reg

	// What the bundle being checked does, applied at its end.
	kills, dead, defs []mir.Reg
	masks             [][]uint32

	saved   []mir.Reg // callee-saved registers of savedOf
	savedOf *desc.Info
}

func (l *liveState) reset(f *mir.Function) {
	if n := len(f.Facts.Regs); len(l.at) < n {
		l.at = make([]uint32, n)
	}
	n := f.NumVRegs()
	l.defined, l.killed = rows.Zeroed(l.defined, n), rows.Zeroed(l.killed, n)
	l.required, l.listed = rows.Zeroed(l.required, n), rows.Zeroed(l.listed, n)
	l.epoch = 0
	l.regs = l.regs[:0]
}

func (l *liveState) begin() {
	l.regs, l.touched = l.regs[:0], l.touched[:0]
	l.kills, l.dead, l.defs, l.masks = l.kills[:0], l.dead[:0], l.defs[:0], l.masks[:0]
	l.epoch++
}

func (l *liveState) has(r mir.Reg) bool {
	k := l.at[r]
	return int(k) < len(l.regs) && l.regs[k] == r
}

func (l *liveState) add(r mir.Reg) {
	if !l.has(r) {
		l.at[r] = uint32(len(l.regs))
		l.regs = append(l.regs, r)
	}
}

func (l *liveState) remove(r mir.Reg) {
	if !l.has(r) {
		return
	}
	k := l.at[r]
	last := l.regs[len(l.regs)-1]
	l.regs[k] = last
	l.at[last] = k
	l.regs = l.regs[:len(l.regs)-1]
}

func (l *liveState) addWithSubs(in *desc.Info, r mir.Reg) {
	l.add(r)
	subs := in.SubRegs(desc.PhysReg(r))
	for k := range subs.Len() {
		l.add(mir.Reg(subs.At(k)))
	}
}

func (l *liveState) removeWithSubs(in *desc.Info, r mir.Reg) {
	l.remove(r)
	subs := in.SubRegs(desc.PhysReg(r))
	for k := range subs.Len() {
		l.remove(mir.Reg(subs.At(k)))
	}
}

func (l *liveState) touch(r mir.Reg) {
	if k := r.Index(); l.listed[k] != l.epoch {
		l.listed[k] = l.epoch
		l.touched = append(l.touched, r)
	}
}

// addPristine makes the callee-saved registers live that the function leaves alone.
func (v *Verifier) addPristine() {
	fr := &v.f.Frame
	if !fr.IsCalleeSavedInfoValid {
		return
	}
	for _, r := range v.calleeSaved() {
		v.live.addWithSubs(v.in, r)
	}
	for k := range fr.CalleeSaved {
		v.live.removeWithSubs(v.in, fr.CalleeSaved[k].Reg)
	}
}

// calleeSaved returns the callee-saved registers: the function's own list or,
// since the facts do not know every convention, those that any saves.
func (v *Verifier) calleeSaved() []mir.Reg {
	if v.f.CalleeSavedSet {
		return v.f.CalleeSaved
	}
	if v.live.saved == nil || v.live.savedOf != v.in {
		v.live.savedOf = v.in
		v.live.saved = []mir.Reg{}
		seen := make([]bool, len(v.in.Regs))
		add := func(from uint32, n uint16) {
			for _, r := range v.in.RegLists.Rows()[from : from+uint32(n)] {
				if !seen[r] {
					seen[r] = true
					v.live.saved = append(v.live.saved, mir.Reg(r))
				}
			}
		}
		for k := range v.in.SavedRegs {
			add(v.in.SavedRegs[k].Regs, v.in.SavedRegs[k].NumRegs)
		}
		for k := range v.in.Variants {
			add(v.in.Variants[k].SavedRegs, v.in.Variants[k].NumSaved)
		}
	}
	return v.live.saved
}

// checkLive follows a register operand.
func (v *Verifier) checkLive(i mir.InstrID, n int, o *mir.Operand) {
	r := o.Reg()
	l := &v.live
	if o.ReadsReg() {
		if o.IsKill() {
			l.kills = append(l.kills, r)
		}
		if r.IsVirtual() {
			v.readVirtual(i, n, r)
		} else if r.IsPhysical() && !l.has(r) && !v.partlyLive(i, n, r) {
			v.errOperand(i, n, "Using an undefined physical register")
		}
	}
	if !o.IsDef() {
		return
	}
	if o.IsDead() {
		l.dead = append(l.dead, r)
	} else {
		l.defs = append(l.defs, r)
	}
	if v.ssa && r.IsVirtual() {
		id := v.f.FirstUse(r)
		if next := v.f.NextUse(id); next != 0 && v.f.OpAt(next).IsDef() {
			v.errOperand(i, n, "Multiple virtual register defs in SSA form")
		}
	}
}

// partlyLive reports a use of a register that is content with less than the
// whole of it: a reserved one, one with a live part, or one that is
// part of an implicit operand of the same instruction.
func (v *Verifier) partlyLive(i mir.InstrID, n int, r mir.Reg) bool {
	if v.isReserved(r) {
		return true
	}
	subs := v.in.SubRegs(desc.PhysReg(r))
	for k := range subs.Len() {
		if s := mir.Reg(subs.At(k)); v.live.has(s) || v.isReserved(s) && v.allPartsReserved(r) {
			return true
		}
	}
	ops := v.f.Ops(i)
	for k := range ops {
		// LLVM counts implicit definitions too.
		if ops[k].IsReg() && ops[k].IsImplicit() && ops[k].Reg().IsPhysical() && ops[k].Reg() != r &&
			v.covers(desc.PhysReg(ops[k].Reg()), desc.PhysReg(r)) {
			return true
		}
	}
	return false
}

// covers reports whether a has every unit of b.
func (v *Verifier) covers(a, b desc.PhysReg) bool {
	ua, ub := v.in.RegUnits(a), v.in.RegUnits(b)
	i := 0
	for j := range ub.Len() {
		for i < ua.Len() && ua.At(i) < ub.At(j) {
			i++
		}
		if i == ua.Len() || ua.At(i) != ub.At(j) {
			return false
		}
	}
	return true
}

func (v *Verifier) allPartsReserved(r mir.Reg) bool {
	subs := v.in.SubRegs(desc.PhysReg(r))
	for k := range subs.Len() {
		if !v.isReserved(mir.Reg(subs.At(k))) {
			return false
		}
	}
	return true
}

func (v *Verifier) readVirtual(i mir.InstrID, n int, r mir.Reg) {
	l := &v.live
	k := r.Index()
	if l.defined[k] == l.epoch {
		return
	}
	switch {
	case !v.f.HasDefs(r):
		v.errOperand(i, n, "Reading virtual register without a def")
	case l.killed[k] == l.epoch:
		v.errOperand(i, n, "Using a killed virtual register")
	case !v.f.IsPHI(i) && l.required[k] != l.epoch:
		l.required[k] = l.epoch
		v.flow.require(r, v.block)
	}
}

// endBundle applies what the instructions of a bundle did, reads before writes.
func (v *Verifier) endBundle() {
	l := &v.live
	v.bundle = 0
	if !v.tracks {
		return
	}
	for _, r := range l.kills {
		if r.IsVirtual() {
			l.killed[r.Index()] = l.epoch
			l.touch(r)
			l.defined[r.Index()] = 0
		} else if r.IsPhysical() {
			l.removeWithSubs(v.in, r)
		}
	}
	for _, m := range l.masks {
		for k := 0; k < len(l.regs); {
			if r := l.regs[k]; int(r/32) < len(m) && !has(m, r) {
				l.remove(r)
			} else {
				k++
			}
		}
	}
	for _, r := range l.dead {
		if r.IsVirtual() {
			l.defined[r.Index()] = 0
		} else if r.IsPhysical() {
			l.removeWithSubs(v.in, r)
		}
	}
	for _, r := range l.defs {
		if r.IsVirtual() {
			l.defined[r.Index()] = l.epoch
			l.touch(r)
		} else if r.IsPhysical() {
			l.addWithSubs(v.in, r)
		}
	}
	l.kills, l.dead, l.defs, l.masks = l.kills[:0], l.dead[:0], l.defs[:0], l.masks[:0]
}

// endBlock hands what is live at the end to the checks across blocks.
func (v *Verifier) endBlock(b mir.BlockID) {
	l := &v.live
	for _, r := range l.touched {
		k := r.Index()
		v.flow.event(r, b, l.defined[k] == l.epoch, l.killed[k] == l.epoch)
	}
	v.flow.physOut(v, b)
}
