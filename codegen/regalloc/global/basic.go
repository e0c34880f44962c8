package global

import (
	"math"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Basic assigns registers in the order of their weight, and spills the lighter
// ones where none is free. It neither splits nor evicts: a yardstick for Greedy.
var Basic = pass.Pass{
	Name:     "regallocbasic",
	Title:    "Basic Register Allocator",
	Requires: mir.NoPHIs,
	Clears:   mir.IsSSA,
	KeepsCFG: true,
	Keeps:    []pass.Kind{pass.KindOf[VirtRegMap](), pass.KindOf[DebugVars](), pass.KindOf[liveness.Indexes](), pass.KindOf[liveness.Intervals](), pass.KindOf[liveness.Stacks]()},
	Run:      runBasic,
}

type basic struct {
	alloc
	queue   queue
	victims []mir.Reg
}

func runBasic(c *pass.Context, f *mir.Function) error {
	b := pass.Scratch[basic](c)
	if err := b.begin(c, f, "regallocbasic", b); err != nil {
		return err
	}
	b.queue.items = b.queue.items[:0]
	for n := range f.NumVRegs() {
		if r := mir.VReg(n); b.isUsed(r) {
			b.weigh(b.lis.Interval(r))
			b.requeue(r)
		}
	}
	if err := b.run(); err != nil {
		return err
	}
	return b.finish()
}

// run finds places for the registers of the queue.
func (b *basic) run() error {
	for !b.queue.empty() {
		b.renumber()
		r := b.queue.pop()
		if !b.isUsed(r) {
			b.drop(r)
			continue
		}
		b.newVRegs = b.newVRegs[:0]
		b.matrix.Changed()
		p, err := b.selectOrSpill(b.lis.Interval(r))
		if err != nil {
			return err
		}
		if p != 0 {
			b.assign(b.lis.Interval(r), p)
		}
		for _, n := range b.newVRegs {
			b.requeue(n)
		}
	}
	return nil
}

// requeue puts a register into the queue, heavy ones first. Positive floats
// compare as their bits do.
func (b *basic) requeue(r mir.Reg) {
	b.queue.push(math.Float32bits(b.lis.Interval(r).Weight), r)
}

func (b *basic) cloned(n, _ mir.Reg) {
	b.weigh(b.lis.Interval(n))
	b.requeue(n)
}

// selectOrSpill finds a free register for iv, spills what is in the way and
// lighter, or iv itself.
func (b *basic) selectOrSpill(iv *liveness.Interval) (desc.PhysReg, error) {
	var o allocOrder
	o.find(&b.alloc, iv.Reg)
	var taken []desc.PhysReg
	for k := range o.num() {
		p, _ := o.at(k)
		if p == 0 {
			continue
		}
		switch b.matrix.Check(iv, mir.Reg(p)) {
		case liveness.Free:
			return p, nil
		case liveness.VirtRegInterf:
			taken = append(taken, p)
		}
	}
	for _, p := range taken {
		ok, err := b.spillInterferences(iv, p)
		if ok || err != nil {
			return p, err
		}
	}
	if !iv.Spillable() {
		return 0, b.outOfRegisters(iv.Reg)
	}
	return 0, b.spiller.spill(iv, &b.newVRegs)
}

// spillInterferences spills all that is in iv's way in p if it is lighter.
func (b *basic) spillInterferences(iv *liveness.Interval, p desc.PhysReg) (bool, error) {
	b.victims = b.matrix.AppendInterferingWith(b.victims[:0], iv, mir.Reg(p), 0)
	for _, r := range b.victims {
		if x := b.lis.Interval(r); !x.Spillable() || x.Weight > iv.Weight {
			return false, nil
		}
	}
	for _, r := range b.victims {
		if b.vrm.Phys(r) == 0 {
			continue
		}
		x := b.lis.Interval(r)
		b.unassign(x)
		if err := b.spiller.spill(x, &b.newVRegs); err != nil {
			return false, err
		}
	}
	return true, nil
}
