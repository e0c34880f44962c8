package ssaopt

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// DeadMI removes instructions whose results nobody reads and that have no
// other effect. Walking instructions backwards, with the physical registers
// that are live, a chain of dead instructions within a block goes in one walk.
var DeadMI = pass.Pass{
	Name:     "dead-mi-elimination",
	Title:    "Remove dead machine instructions",
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runDeadMI,
}

// deadScratch is the memory of DeadMI between functions.
type deadScratch struct {
	f    *mir.Function
	regs physRegs
	// live stamps the register units that are live behind the current instruction.
	live  []uint32
	stamp uint32
	// units holds those that are live, and perhaps others.
	units []desc.RegUnit
}

func runDeadMI(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[deadScratch](c)
	s.f = f
	s.regs.reset(c, f)
	s.live = rows.AtLeast(s.live, f.Facts.NumUnits())
	for changed := true; changed; {
		changed = false
		for b := f.LastBlock(); b != 0; b = f.PrevBlock(b) {
			s.liveOut(b)
			for i := f.Block(b).Last(); i != 0; {
				prev := f.Instr(i).Prev()
				if s.isDead(i) {
					changed = f.IsPHI(i) || changed // its sources may stand in blocks walked already
					dropDebugUses(f, i)
					f.Erase(i)
					c.Count("dead-mi-elimination", "Number of dead instructions deleted", 1)
				} else {
					s.stepBack(i)
				}
				i = prev
			}
		}
	}
	return nil
}

// liveOut makes live what is live at the end of b.
func (s *deadScratch) liveOut(b mir.BlockID) {
	f := s.f
	s.stamp++
	s.units = s.units[:0]
	for _, e := range f.Succs(b) {
		for _, l := range f.LiveInsOf(e.Block) {
			s.setLive(l.Reg)
		}
	}
}

// setLive makes the units of r live.
func (s *deadScratch) setLive(r mir.Reg) {
	for u := range s.f.Facts.RegUnits(desc.PhysReg(r)).All() {
		if s.live[u] != s.stamp {
			s.live[u] = s.stamp
			s.units = append(s.units, u)
		}
	}
}

// setDead makes the units of r not live.
func (s *deadScratch) setDead(r mir.Reg) {
	for u := range s.f.Facts.RegUnits(desc.PhysReg(r)).All() {
		s.live[u] = 0
	}
}

// clobber makes the units that register mask o clobbers not live.
func (s *deadScratch) clobber(o *mir.Operand) {
	f, n := s.f, 0
	for _, u := range s.units {
		if s.live[u] != s.stamp {
			continue
		}
		if clobbers(f, o, mir.Reg(f.Facts.Units[u][0])) {
			s.live[u] = 0
			continue
		}
		s.units[n] = u
		n++
	}
	s.units = s.units[:n]
}

func (s *deadScratch) isLive(r mir.Reg) bool {
	for u := range s.f.Facts.RegUnits(desc.PhysReg(r)).All() {
		if s.live[u] == s.stamp {
			return true
		}
	}
	return false
}

// stepBack makes live what is live before i.
func (s *deadScratch) stepBack(i mir.InstrID) {
	f := s.f
	if f.IsDebugInstr(i) {
		return
	}
	ops := f.Ops(i)
	reads := false
	for k := range ops {
		switch o := &ops[k]; {
		case o.Kind() == mir.OpRegMask:
			s.clobber(o)
		case !o.IsReg() || !o.Reg().IsPhysical():
		case o.IsDef():
			s.setDead(o.Reg())
		default:
			reads = true
		}
	}
	if !reads {
		return // as most
	}
	for k := range ops {
		if o := &ops[k]; o.IsUse() && o.Reg().IsPhysical() && !o.IsUndef() {
			s.setLive(o.Reg())
		}
	}
}

// isDead reports that i can go: no effect but on registers, and no reader of any of them.
func (s *deadScratch) isDead(i mir.InstrID) bool {
	f := s.f
	op := f.Instr(i).Opcode
	switch op {
	case desc.INLINEASM, desc.INLINEASM_BR, desc.LOCAL_ESCAPE, desc.LIFETIME_START, desc.LIFETIME_END, desc.PSEUDO_PROBE, desc.FAKE_USE:
		return false
	}
	// Most instructions have a result that is read: that is cheaper to see than their effects.
	ops := f.Ops(i)
	for k := range ops {
		o := &ops[k]
		if !o.IsDef() || o.Reg() == mir.NoReg {
			continue
		}
		if o.Reg().IsPhysical() {
			if isReserved(s.regs.reserved, o.Reg()) || s.isLive(o.Reg()) {
				return false
			}
			continue
		}
		if o.IsDead() {
			continue
		}
		for u := range f.NonDebugUses(o.Reg()) {
			if u != i {
				return false
			}
		}
	}
	sawStore := false
	return f.IsPHI(i) || safeToMove(f, i, &sawStore)
}

// dropDebugUses makes debug instructions that name the results of i name no register.
func dropDebugUses(f *mir.Function, i mir.InstrID) {
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsDef() && o.Reg().IsVirtual() {
			f.DropDebugUses(o.Reg())
		}
	}
}
