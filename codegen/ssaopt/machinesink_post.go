package ssaopt

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// PostRAMachineSink moves copies of physical registers down into the one successor
// that wants them, where no other way leads to it: the other ways save the copy, and
// shrink-wrap may find that they need no frame.
var PostRAMachineSink = pass.Pass{
	Name:     "postra-machine-sink",
	Title:    "PostRA Machine Sink",
	Requires: mir.NoVRegs,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run: func(c *pass.Context, f *mir.Function) error {
		s := pass.Scratch[postSink](c)
		s.f = f
		s.c = c
		s.physRegs.reset(c, f)
		sunk := int64(0)
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			sunk += s.block(b)
		}
		c.Count("postra-machine-sink", "Number of copies sunk after RA", sunk)
		return nil
	},
}

// maxPostSinkTargets bounds the successors that are asked about each copy.
const maxPostSinkTargets = 128

type postSink struct {
	c        *pass.Context
	f        *mir.Function
	physRegs physRegs
	targets  []mir.BlockID
	// By register unit: written, or read, behind the instruction that is looked at.
	modified, used []bool
	debug          []debugUnit
	follow         []debugRegs
}

// debugUnit is a debug value that names reg, of which unit is a part.
type debugUnit struct {
	instr mir.InstrID
	reg   mir.Reg
	unit  desc.RegUnit
}

// debugRegs is a debug value with a register of it that a copy defines a part of.
type debugRegs struct {
	instr mir.InstrID
	reg   mir.Reg
}

// block moves copies out of b and says how many.
func (s *postSink) block(b mir.BlockID) (sunk int64) {
	f := s.f
	s.targets = s.targets[:0]
	if f.NumSuccs(b) > maxPostSinkTargets {
		return 0
	}
	for _, x := range f.Succs(b) {
		// What stands behind a call is not done where that unwinds.
		if t := f.Block(x.Block); t.NumLiveIns() > 0 && f.NumPreds(x.Block) == 1 && t.Flags&mir.EHPad == 0 {
			s.targets = append(s.targets, x.Block)
		}
	}
	if len(s.targets) == 0 {
		return 0
	}
	units := f.Facts.NumUnits()
	s.modified, s.used, s.debug = rows.Zeroed(s.modified, units), rows.Zeroed(s.used, units), s.debug[:0]
	for i := f.Block(b).Last(); i != 0; {
		prev := f.Instr(i).Prev()
		switch op := f.Instr(i).Opcode; {
		case op == desc.DBG_VALUE || op == desc.DBG_VALUE_LIST:
			s.note(i)
		case f.IsDebugInstr(i) || op == desc.PSEUDO_PROBE:
		case f.Desc(i).IsCall():
			return sunk
		case op == desc.COPY && !f.IsBundled(i) && f.Op(i, 0).Flags()&mir.Renamable != 0 && s.sink(i, b):
			sunk++
		default:
			s.pass(i)
		}
		i = prev
	}
	return sunk
}

// note remembers debug value i, unless what it names is written behind it.
func (s *postSink) note(i mir.InstrID) {
	f := s.f
	n := len(s.debug)
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || !o.Reg().IsPhysical() || o.Reg() == 0 {
			continue
		}
		if anyUnit(f, o.Reg(), s.modified) {
			s.debug = s.debug[:n]
			return
		}
		for u := range f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
			s.debug = append(s.debug, debugUnit{i, o.Reg(), u})
		}
	}
}

// pass takes note of what i, which stays, reads and writes.
func (s *postSink) pass(i mir.InstrID) {
	f := s.f
	for k := range f.Instr(i).NumOps() {
		switch o := f.Op(i, k); {
		case o.Kind() == mir.OpRegMask:
			clobberUnits(f, s.modified, o)
		case !o.IsReg() || o.Reg() == 0:
		case !o.IsDef():
			setUnits(f, s.used, o.Reg())
		case !s.physRegs.isConstant(o.Reg()):
			setUnits(f, s.modified, o.Reg())
		}
	}
}

// sink moves copy i out of b, when it can.
func (s *postSink) sink(i mir.InstrID, b mir.BlockID) bool {
	f := s.f
	defs := 0
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		switch {
		case !o.IsReg() || o.Reg() == 0:
		case o.IsDef() && anyUnit(f, o.Reg(), s.modified, s.used), o.IsUse() && anyUnit(f, o.Reg(), s.modified):
			return false
		case o.IsDef():
			defs++
		}
	}
	to := s.target(i, b)
	if to == 0 || defs == 0 {
		return false
	}
	s.collectDebug(i)
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsUse() && o.Reg() != 0 && anyUnit(f, o.Reg(), s.used) {
			s.moveKill(i, k)
		}
	}
	at := f.Block(to).First()
	for at != 0 && (f.IsPHI(at) || isPosition(f.Instr(at).Opcode)) {
		at = f.Instr(at).Next()
	}
	if at == 0 || f.Instr(at).Loc != f.Instr(i).Loc {
		f.Instr(i).Loc = 0
	}
	f.Move(to, at, i)
	s.moveDebug(i, to, at)
	s.updateLiveIns(i, to)
	return true
}

// target is the successor of b that what i defines is live into, 0 when there is
// none, or several.
func (s *postSink) target(i mir.InstrID, b mir.BlockID) (to mir.BlockID) {
	f := s.f
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || !o.IsDef() || o.Reg() == 0 {
			continue
		}
		found := mir.BlockID(0)
		for _, x := range f.Succs(b) {
			if !s.liveInto(x.Block, o.Reg()) {
				continue
			}
			if found != 0 || !slices.Contains(s.targets, x.Block) {
				return 0
			}
			found = x.Block
		}
		if found == 0 || to != 0 && found != to {
			return 0
		}
		to = found
	}
	return to
}

// liveInto reports that a part of r is live into b.
func (s *postSink) liveInto(b mir.BlockID, r mir.Reg) bool {
	f := s.f
	in := f.Facts
	for _, l := range f.LiveInsOf(b) {
		if !in.Overlap(desc.PhysReg(l.Reg), desc.PhysReg(r)) {
			continue
		}
		if l.Mask == mir.AllLanes {
			return true
		}
		units, lanes := in.RegUnits(desc.PhysReg(l.Reg)), in.UnitLanes(desc.PhysReg(l.Reg))
		for k := range units.Len() {
			if lanes[k]&desc.LaneMask(l.Mask) == 0 {
				continue
			}
			for u := range in.RegUnits(desc.PhysReg(r)).All() {
				if u == units.At(k) {
					return true
				}
			}
		}
	}
	return false
}

// moveKill gives operand k of i the kill flag of the instruction behind it that
// ends the life of its register.
func (s *postSink) moveKill(i mir.InstrID, k int) {
	f := s.f
	r := f.Op(i, k).Reg()
	for j := f.Instr(i).Next(); j != 0; j = f.Instr(j).Next() {
		if killsPart(f, j, r) {
			clearKillsIn(f, j, r)
			f.SetOpFlag(i, k, mir.Kill, true)
			return
		}
	}
}

// collectDebug finds the debug values that name what i defines.
func (s *postSink) collectDebug(i mir.InstrID) {
	f := s.f
	s.follow = s.follow[:0]
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || !o.IsDef() || o.Reg() == 0 || len(s.debug) == 0 {
			continue
		}
		for u := range f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
			for _, d := range s.debug {
				if x := (debugRegs{d.instr, d.reg}); d.unit == u && !slices.Contains(s.follow, x) {
					s.follow = append(s.follow, x)
				}
			}
		}
	}
}

// moveDebug copies the debug values that name what i defines behind it; those that
// stay name what it copies, or nothing.
func (s *postSink) moveDebug(i mir.InstrID, to mir.BlockID, at mir.InstrID) {
	f := s.f
	dst, src := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	for n, d := range s.follow {
		if slices.ContainsFunc(s.follow[:n], func(x debugRegs) bool { return x.instr == d.instr }) {
			continue
		}
		f.InsertBefore(to, at, f.Clone(d.instr))
		for _, x := range s.follow[n:] {
			if x.instr != d.instr {
				continue
			}
			if x.reg != dst {
				undefDebug(f, d.instr)
				break
			}
			for k := range f.Instr(d.instr).NumOps() {
				if o := f.Op(d.instr, k); o.IsReg() && o.Reg() == dst {
					f.SetReg(d.instr, k, src)
				}
			}
		}
	}
}

// updateLiveIns makes what i reads live into to instead of what it defines.
func (s *postSink) updateLiveIns(i mir.InstrID, to mir.BlockID) {
	f := s.f
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || !o.IsDef() || o.Reg() == 0 {
			continue
		}
		// Of larger registers what is not in the result stays.
		ins := f.LiveInsOf(to)
		for n := range ins {
			l, r := desc.PhysReg(ins[n].Reg), desc.PhysReg(o.Reg())
			if f.Facts.IsSubRegisterEq(r, l) {
				ins[n].Mask = 0
			} else if sub := f.Facts.SubRegIndexOf(l, r); sub != 0 {
				ins[n].Mask &^= uint64(f.Facts.SubRegLanes(sub))
			}
		}
		for n := len(ins) - 1; n >= 0; n-- {
			if l := f.LiveInsOf(to)[n]; l.Mask == 0 {
				f.RemoveLiveIn(to, l.Reg)
			}
		}
	}
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsUse() && o.Reg() != 0 && !f.IsLiveIn(to, o.Reg()) {
			f.AddLiveIn(to, o.Reg(), mir.AllLanes)
		}
	}
	f.SortLiveIns(to)
}
