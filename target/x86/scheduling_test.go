package x86

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/sched"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// memoryInstr adds an access of one of four spill slots, of the stack, which pointers
// may lead to, or of what a register points to.
func memoryInstr(rng *rand.Rand, f *mir.Function, b *mir.Builder, any func() mir.Reg, wide mir.Reg) {
	slot := rng.IntN(7)
	base, m := mir.FrameOp(slot), mir.MemOperand{Size: 4, Type: mir.Scalar(32), Ptr: uint32(slot), PtrKind: mir.PtrFixedStack, BaseAlign: 2}
	if slot >= 4 {
		base, m.PtrKind, m.Ptr = mir.RegOp(wide, 0), mir.PtrNone, 0
	}
	if slot == 6 {
		m.PtrKind = mir.PtrStack
	}
	if rng.IntN(12) == 0 {
		m.Flags |= mir.MemVolatile
	}
	addr := []mir.Operand{base, mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(0, 0)}
	var i mir.InstrID
	switch rng.IntN(3) {
	case 0:
		m.Flags |= mir.MemLoad
		i = b.BuildInstr(tab.MOV32rm, append([]mir.Operand{mir.RegOp(any(), mir.Def)}, addr...)...)
	case 1:
		m.Flags |= mir.MemStore
		i = b.BuildInstr(tab.MOV32mr, append(addr, mir.RegOp(any(), 0))...)
	default:
		m.Flags |= mir.MemStore | mir.MemLoad
		i = b.BuildInstr(tab.ADD32mi, append(addr, mir.ImmOp(7))...)
		if n := f.Instr(i).NumOps() - 1; rng.IntN(2) == 0 {
			f.SetOpFlag(i, n, mir.Dead, true)
		}
	}
	f.SetMem(i, f.AddMem(m))
}

// schedFunction builds random blocks of registers, flags, memory, calls and debug values.
func schedFunction(rng *rand.Rand, in *desc.Info, mask []uint32) *mir.Function {
	f := mir.NewFunction("random", in)
	f.Props = mir.NoPHIs | mir.TiedOpsRewritten | mir.TracksLiveness
	for range 4 {
		f.Frame.Objects = append(f.Frame.Objects, mir.FrameObject{Size: 8, Align: 3, Flags: mir.FrameSpill})
	}
	vs := make([]mir.Reg, 3+rng.IntN(24))
	for k := range vs {
		vs[k] = f.AddVReg(int16(tab.GR32RegClassID))
	}
	wide := f.AddVReg(int16(tab.GR64RegClassID))
	any := func() mir.Reg { return vs[rng.IntN(len(vs))] }
	blocks := make([]mir.BlockID, 1+rng.IntN(4))
	for k := range blocks {
		blocks[k] = f.AddBlock()
	}
	for k, blk := range blocks {
		b := mir.Builder{F: f, Block: blk}
		if k == 0 {
			f.AddLiveIn(blk, reg(tab.RDI), mir.AllLanes)
			b.Copy(wide, reg(tab.RDI))
			for _, v := range vs {
				b.Build(tab.MOV32ri, mir.RegOp(v, mir.Def), mir.ImmOp(1))
			}
		}
		for range rng.IntN(60) {
			switch rng.IntN(12) {
			case 0, 1, 2, 3:
				memoryInstr(rng, f, &b, any, wide)
			case 4:
				b.Build(desc.DBG_VALUE, mir.RegOp(any(), mir.Debug), mir.RegOp(0, mir.Debug), mir.ImmOp(0), mir.ImmOp(0))
			case 5:
				b.BuildInstr(tab.CMP32rr, mir.RegOp(any(), 0), mir.RegOp(any(), 0))
				d := any()
				b.BuildInstr(tab.SETCCr, mir.SubRegOp(d, uint16(tab.Sub8Bit), mir.Def), mir.ImmOp(condE))
			default:
				randomInstr(rng, &b, any, mask)
			}
		}
		endBlock(rng, &b, blocks, k, any)
	}
	return f
}

// flow tells, for each instruction, where what it reads comes from, and for each
// block what is there at its end: registers by instruction that wrote them, memory
// by instruction that wrote it last and, of writes, by those that read it before.
func flow(f *mir.Function) map[string]string {
	facts := map[string]string{}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		last := map[string]mir.InstrID{}
		reads := map[string]int{} // of a slot since it was written, as a set that has no order
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.IsDebugInstr(i) {
				continue
			}
			names := func(o *mir.Operand) []string {
				if o.Reg().IsVirtual() {
					return []string{fmt.Sprint("v", o.Reg().Index())}
				}
				var out []string
				for u := range f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
					out = append(out, fmt.Sprint("u", u))
				}
				return out
			}
			for k, o := range f.Ops(i) {
				if o.IsReg() && o.Reg() != 0 && o.ReadsReg() {
					for _, n := range names(&o) {
						facts[fmt.Sprint(i, " ", k, n)] = fmt.Sprint(last[n])
					}
				}
			}
			for k := range f.NumMem(i) {
				m := f.MemOf(i, k)
				slots := []string{fmt.Sprint("m", m.Ptr)}
				switch m.PtrKind {
				case mir.PtrStack:
					slots = []string{"stack"}
				case mir.PtrNone:
					slots = []string{"m", "stack"}
				}
				if m.Flags&mir.MemVolatile != 0 {
					slots = append(slots, "volatile")
				}
				for _, s := range slots {
					facts[fmt.Sprint(i, " reads ", s)] = fmt.Sprint(last[s])
					if m.Flags&mir.MemStore != 0 || s == "volatile" {
						facts[fmt.Sprint(i, " behind ", s)] = fmt.Sprint(reads[s])
						last[s], reads[s] = i, 0
					} else {
						reads[s] += int(i) * int(i)
					}
				}
			}
			if f.Desc(i).IsCall() {
				facts[fmt.Sprint(i, " call")] = fmt.Sprint(last)
			}
			for _, o := range f.Ops(i) {
				if o.IsDef() && !o.IsDead() {
					for _, n := range names(&o) {
						last[n] = i
					}
				}
			}
		}
		for n, i := range last {
			facts[fmt.Sprint("bb", b, n)] = fmt.Sprint(i)
		}
	}
	return facts
}

// TestSchedulesRandomFunctions runs machine-scheduler over random functions, from
// both ends: all that is read comes from where it came from, and the live intervals that the pass kept are
// right.
func TestSchedulesRandomFunctions(t *testing.T) {
	n := 1200
	if testing.Short() {
		n = 200
	}
	moved := 0
	for _, d := range []target.SchedDirection{target.SchedBottomUp, target.SchedTopDown, target.SchedBidirectional} {
		m, err := target.NewMachine(&Target, target.Options{Triple: "x86_64-unknown-linux-gnu", Opt: 3, Tuning: target.Tuning{Sched: target.SchedTuning{PreRA: d}}})
		if err != nil {
			t.Fatal(err)
		}
		st, err := m.Subtarget(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := &pass.Context{Machine: m, Subtarget: st, Opt: 3}
		mi, _ := m.Facts.RegMaskByName("csr_64")
		r := &pass.Runner{Passes: []*pass.Pass{&liveness.LiveIntervals, &sched.MachineScheduler}, Config: pass.Config{Verify: true}}
		for seed := range n / 3 {
			f := schedFunction(rand.New(rand.NewPCG(uint64(seed), 5)), m.Facts, m.Facts.RegMask(mi))
			// What registers have nothing to do with each other in become several.
			if err := (&pass.Runner{Passes: []*pass.Pass{&liveness.LiveIntervals}}).Run(c, f, &pass.Log{}); err != nil {
				t.Fatal(err)
			}
			was, before := flow(f), appendIDs(f)
			if err := r.Run(c, f, &pass.Log{}); err != nil {
				t.Fatalf("direction %d, seed %d: %v", d, seed, err)
			}
			now := flow(f)
			for k, v := range was {
				if now[k] != v {
					t.Fatalf("direction %d, seed %d: %s was %s and is %s", d, seed, k, v, now[k])
				}
			}
			if len(now) != len(was) {
				t.Fatalf("direction %d, seed %d: %d facts were %d", d, seed, len(now), len(was))
			}
			if fmt.Sprint(appendIDs(f)) != fmt.Sprint(before) {
				moved++
			}
		}
	}
	if moved < n/2 {
		t.Errorf("only %d of %d functions have another order", moved, n)
	}
}

func appendIDs(f *mir.Function) (list []mir.InstrID) {
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			list = append(list, i)
		}
	}
	return list
}

// TestScheduleVastBlocks: the graph of a block has as many times more edges as it has
// instructions, whatever these are: stores to anywhere, flags that nothing reads
// below many that read them, values that are all live.
func TestScheduleVastBlocks(t *testing.T) {
	m, err := target.NewMachine(&Target, target.Options{Triple: "x86_64-unknown-linux-gnu", Opt: 3})
	if err != nil {
		t.Fatal(err)
	}
	st, err := m.Subtarget(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for kind := range 3 {
		const n = 20_000
		{
			c := &pass.Context{Machine: m, Subtarget: st, Opt: 3, Stats: map[pass.Stat]int64{}}
			f := mir.NewFunction("vast", m.Facts)
			f.Props = mir.NoPHIs | mir.TiedOpsRewritten | mir.TracksLiveness
			b := mir.Builder{F: f, Block: f.AddBlock()}
			f.AddLiveIn(b.Block, reg(tab.RDI), mir.AllLanes)
			p := f.AddVReg(int16(tab.GR64RegClassID))
			b.Copy(p, reg(tab.RDI))
			b.BuildInstr(tab.CMP64rr, mir.RegOp(p, 0), mir.RegOp(p, 0))
			for j := range n {
				addr := []mir.Operand{mir.RegOp(p, 0), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(int64(8 * j)), mir.RegOp(0, 0)}
				switch {
				case kind == 0:
					i := b.BuildInstr(tab.MOV64mr, append(addr, mir.RegOp(p, 0))...)
					f.SetMem(i, f.AddMem(mir.MemOperand{Size: 8, Type: mir.Scalar(64), Flags: mir.MemStore}))
				case kind == 1 && j < n/2:
					b.BuildInstr(tab.SETCCr, mir.RegOp(f.AddVReg(int16(tab.GR8RegClassID)), mir.Def), mir.ImmOp(condE))
				case kind == 1:
					i := b.BuildInstr(tab.CMP64rr, mir.RegOp(p, 0), mir.RegOp(p, 0))
					f.SetOpFlag(i, f.Instr(i).NumOps()-1, mir.Dead, true)
				default:
					i := b.BuildInstr(tab.MOV64rm, append([]mir.Operand{mir.RegOp(f.AddVReg(int16(tab.GR64RegClassID)), mir.Def)}, addr...)...)
					f.SetMem(i, f.AddMem(mir.MemOperand{Size: 8, Type: mir.Scalar(64), Flags: mir.MemLoad}))
				}
			}
			b.Build(tab.RET, mir.ImmOp(0))
			if err := (&pass.Runner{Passes: []*pass.Pass{&sched.MachineScheduler}}).Run(c, f, &pass.Log{}); err != nil {
				t.Fatal(err)
			}
			edges := c.Stats[pass.Stat{Pass: "machine-scheduler", Desc: "Number of edges of scheduling graphs"}]
			if edges < int64(n) || edges > 128*int64(n) {
				t.Errorf("shape %d: %d edges for %d instructions", kind, edges, n)
			}
		}
	}
}
