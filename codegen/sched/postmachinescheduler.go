package sched

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// PostMachineScheduler orders instructions behind allocation, where the processor's
// model or a flag asks for it: stalls and resources count, then the longest way, then
// the order that was. It makes kill flags anew.
var PostMachineScheduler = pass.Pass{
	Name:     "postmisched",
	Title:    "PostRA Machine Instruction Scheduler",
	Requires: mir.NoVRegs,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runPostMachineScheduler,
}

func runPostMachineScheduler(c *pass.Context, f *mir.Function) error {
	t := &c.Machine.Options.Tuning.Sched
	if t.EnablePostRA == target.SwitchOff || t.EnablePostRA == target.SwitchDefault && !c.Subtarget.Sched().PostRAScheduler() {
		return nil
	}
	s := pass.Scratch[scheduler](c)
	s.reset(c, f)
	s.postRA, s.live, s.direction = true, nil, directionOf(t.PostRA, target.SchedTopDown)
	kills := &pass.Scratch[killFixer](c).live
	kills.Init(c.Subtarget, f)
	changed := int64(0)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if s.runBlock(b) {
			s.order = s.seq.appendOrder(s.order[:0])
			relink(f, b, s.order)
			changed++
		}
		fixKills(f, b, kills)
	}
	c.Count("postmisched", "Number of blocks with another order", changed)
	return nil
}

// relink puts the instructions of b in an order.
func relink(f *mir.Function, b mir.BlockID, order []mir.InstrID) {
	at := f.Block(b).First()
	for _, i := range order {
		if i == at {
			at = f.Instr(i).Next()
		} else {
			f.Move(b, at, i)
		}
	}
}

// killFixer is the memory of fixKills.
type killFixer struct{ live liveness.LivePhysRegs }

// fixKills makes the kill flags of b what is true of its order.
func fixKills(f *mir.Function, b mir.BlockID, live *liveness.LivePhysRegs) {
	live.Clear()
	live.AddLiveOuts(b)
	for i := f.Block(b).Last(); i != 0; {
		head := f.BundleHead(i)
		next := f.Instr(head).Prev()
		if isDebug(f, head) {
			i = next
			continue
		}
		for k := range f.InBundle(head) {
			removeDefs(f, k, live)
		}
		if head == i {
			setKills(f, i, live, true)
		} else {
			isBundle := f.Instr(head).Opcode == desc.BUNDLE
			if isBundle {
				setKills(f, head, live, false)
			}
			for k := i; k != head; k = f.Instr(k).Prev() {
				if !isDebug(f, k) {
					setKills(f, k, live, true)
				}
			}
			if !isBundle { // which LLVM forgets: what it reads was killed above
				setKills(f, head, live, true)
			}
		}
		i = next
	}
}

// removeDefs takes out what i writes.
func removeDefs(f *mir.Function, i mir.InstrID, live *liveness.LivePhysRegs) {
	ops := f.Ops(i)
	for k := range ops {
		switch o := &ops[k]; {
		case o.Kind() == mir.OpRegMask:
			live.RemoveClobbered(f.RegMasks[o.Index()])
		case o.IsDef() && o.Reg() != 0:
			live.Remove(desc.PhysReg(o.Reg()))
		}
	}
}

// setKills has the reads of i kill what is not live behind it. They are live from
// here on up, but for those of a bundle, whose instructions come after it.
func setKills(f *mir.Function, i mir.InstrID, live *liveness.LivePhysRegs, add bool) {
	ops := f.Ops(i)
	for k := range ops {
		if o := &ops[k]; o.IsUse() && o.Reg() != 0 && o.ReadsReg() {
			r := desc.PhysReg(o.Reg())
			f.SetOpFlag(i, k, mir.Kill, live.Available(r) && !live.IsReserved(r))
			if add {
				live.Add(r)
			}
		}
	}
}
