package sched

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regclass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// MachineScheduler orders instructions before allocation, so that registers are
// enough first and nothing waits second, by LLVM's generic rules. Live intervals stay true.
var MachineScheduler = pass.Pass{
	Name:     "machine-scheduler",
	Title:    "Machine Instruction Scheduler",
	Optional: pass.Skippable,
	KeepsCFG: true,
	Keeps:    []pass.Kind{pass.KindOf[liveness.Indexes](), pass.KindOf[liveness.Intervals](), pass.KindOf[regclass.Info]()},
	Run:      runMachineScheduler,
}

func runMachineScheduler(c *pass.Context, f *mir.Function) error {
	if c.Machine.Options.Tuning.Sched.Enable == target.SwitchOff {
		return nil
	}
	s := pass.Scratch[scheduler](c)
	live, regs := pass.Get[liveness.Intervals](c, f), pass.Get[regclass.Info](c, f)
	s.reset(c, f)
	s.postRA, s.live = false, live
	s.direction = directionOf(c.Machine.Options.Tuning.Sched.PreRA, target.SchedBottomUp)
	s.small = integerRegs(f, regs) / 2
	s.pressure.reset(f, regs, live)
	s.pressure.kinds = &s.kinds
	changed := int64(0)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if s.runBlock(b) {
			s.order = s.seq.appendOrder(s.order[:0])
			live.Reorder(b, s.order)
			changed++
		}
		s.touchUnits()
	}
	c.Count("machine-scheduler", "Number of blocks with another order", changed)
	c.Count("machine-scheduler", "Number of edges of scheduling graphs", s.numEdges)
	return nil
}

// touchUnits finds where the units are live that moved instructions name, even those
// that came back to where they were: that takes kill flags away, as in LLVM.
func (s *scheduler) touchUnits() {
	f := s.f
	for _, i := range s.moved {
		for _, o := range f.Ops(i) {
			if o.IsReg() && o.Reg().IsPhysical() {
				for u := range f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
					if !s.live.IsReservedUnit(u) {
						s.live.Unit(u)
					}
				}
			}
		}
	}
}

func (s *scheduler) reset(c *pass.Context, f *mir.Function) {
	s.c, s.f = c, f
	s.machine.reset(c.Subtarget.Sched(), f)
	s.builder.reset(c, f, &s.g, &s.machine)
	s.clusters, s.numEdges = 0, 0
}

// directionOf is the direction that a flag asks for, else otherwise.
func directionOf(d, otherwise target.SchedDirection) target.SchedDirection {
	if d != target.SchedDefault {
		return d
	}
	return otherwise
}

// integerRegs is the number of registers of the widest integer type of up to 64
// bits that the target has a class for.
func integerRegs(f *mir.Function, regs *regclass.Info) int {
	in := f.Facts
	for t := desc.MVTi64; t > desc.MVTi1; t-- {
		most := 0
		for c := range in.Classes {
			if in.Classes[c].Flags&desc.ClassAllocatable != 0 && in.ClassHasType(desc.ClassID(c), t, in.DefaultMode) {
				most = max(most, regs.NumAllocatable(desc.ClassID(c)))
			}
		}
		if most > 0 {
			return most
		}
	}
	return 0
}
