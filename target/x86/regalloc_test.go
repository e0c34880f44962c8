package x86

import (
	"math/rand/v2"
	"testing"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regalloc"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// testContext makes a context for machine passes without an IR module.
func testContext(t testing.TB) *pass.Context {
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	m := &target.Machine{Target: &target.Target{Name: "x86-64", Instr: instrHooks, Frame: frameHooks}, Facts: in}
	m.Layout, err = ir.ParseDataLayout("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128")
	if err != nil {
		t.Fatal(err)
	}
	m.Variant = &in.Variants[0]
	return &pass.Context{Machine: m, Subtarget: &target.Subtarget{Machine: m, Instr: &instrTable}, CheckRegAlloc: true}
}

// randomFunction builds a function of random blocks over a handful of virtual
// registers: moves, two-address arithmetic, shifts by CL, calls, partial
// definitions, copies. Any register may be read anywhere, so that values cross
// blocks and loops.
func randomFunction(rng *rand.Rand, in *desc.Info, mask []uint32) *mir.Function {
	f := mir.NewFunction("random", in)
	f.Props = mir.NoPHIs | mir.TiedOpsRewritten | mir.TracksLiveness
	nb, nv := 1+rng.IntN(6), 3+rng.IntN(24)
	vs := make([]mir.Reg, nv)
	for k := range vs {
		vs[k] = f.AddVReg(int16(tab.GR32RegClassID))
	}
	any := func() mir.Reg { return vs[rng.IntN(nv)] }
	blocks := make([]mir.BlockID, nb)
	for k := range blocks {
		blocks[k] = f.AddBlock()
	}
	for k, blk := range blocks {
		b := mir.Builder{F: f, Block: blk}
		if k == 0 {
			for _, v := range vs {
				b.Build(tab.MOV32ri, mir.RegOp(v, mir.Def), mir.ImmOp(1))
			}
		}
		for range rng.IntN(12) {
			randomInstr(rng, &b, any, mask)
		}
		endBlock(rng, &b, blocks, k, any)
	}
	return f
}

// endBlock ends block number k of a random function: the last one returns, the
// others go to any of them or on to the next.
func endBlock(rng *rand.Rand, b *mir.Builder, blocks []mir.BlockID, k int, any func() mir.Reg) {
	if k == len(blocks)-1 {
		b.Copy(reg(tab.EAX), any())
		b.Build(tab.RET, mir.ImmOp(0), mir.RegOp(reg(tab.EAX), mir.Implicit))
		return
	}
	to, next := blocks[rng.IntN(len(blocks))], blocks[k+1]
	b.BuildInstr(tab.TEST32rr, mir.RegOp(any(), 0), mir.RegOp(any(), 0))
	b.BuildInstr(tab.JCC_1, mir.BlockOp(to), mir.ImmOp(condE))
	b.Build(tab.JMP_1, mir.BlockOp(next))
	b.F.AddSucc(blocks[k], to)
	if to != next {
		b.F.AddSucc(blocks[k], next)
	}
}

func randomInstr(rng *rand.Rand, b *mir.Builder, any func() mir.Reg, mask []uint32) {
	f := b.F
	switch rng.IntN(8) {
	case 0, 1, 2:
		d := any()
		i := b.BuildInstr(tab.ADD32rr, mir.RegOp(d, mir.Def), mir.RegOp(d, 0), mir.RegOp(any(), 0))
		f.Tie(i, 0, 1)
	case 3:
		b.Copy(any(), any())
	case 4:
		b.Copy(reg(tab.ECX), any())
		d := any()
		i := b.Build(tab.SHL32rCL, mir.RegOp(d, mir.Def), mir.RegOp(d, 0))
		f.Tie(i, 0, 1)
		f.AddOp(i, mir.RegOp(reg(tab.EFLAGS), mir.Def|mir.Implicit))
		f.AddOp(i, mir.RegOp(reg(tab.CL), mir.Implicit))
	case 5:
		b.Copy(reg(tab.EDI), any())
		b.Copy(reg(tab.ESI), any())
		b.Build(tab.CALL64r, mir.RegOp(reg(tab.R11), 0), f.RegMask(mask), mir.RegOp(reg(tab.EDI), mir.Implicit),
			mir.RegOp(reg(tab.ESI), mir.Implicit), mir.RegOp(reg(tab.EAX), mir.Implicit|mir.Def))
		b.Copy(any(), reg(tab.EAX))
	case 6:
		d := any()
		f.VReg(d).Class = int16(tab.GR32RegClassID)
		b.Build(tab.MOV8ri, mir.SubRegOp(d, uint16(tab.Sub8Bit), mir.Def), mir.ImmOp(7))
	case 7:
		b.Build(tab.MOV32ri, mir.RegOp(any(), mir.Def), mir.ImmOp(3))
	}
}

// TestFastAllocatesRandomFunctions runs the allocator over random functions;
// the checker proves each result.
func TestFastAllocatesRandomFunctions(t *testing.T) {
	c := testContext(t)
	mi, ok := c.Machine.Facts.RegMaskByName("csr_64")
	if !ok {
		t.Fatal("no register mask csr_64")
	}
	mask := c.Machine.Facts.RegMask(mi)
	n := 3000
	if testing.Short() {
		n = 300
	}
	for seed := range n {
		f := randomFunction(rand.New(rand.NewPCG(uint64(seed), 7)), c.Machine.Facts, mask)
		before := dump(f)
		if err := regalloc.Fast.Run(c, f); err != nil {
			t.Log(before)
			t.Log(dump(f))
			t.Fatalf("seed %d: %v", seed, err)
		}
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
				for _, o := range f.Ops(i) {
					if o.IsReg() && o.Reg().IsVirtual() {
						t.Fatalf("seed %d: virtual register left", seed)
					}
				}
			}
		}
	}
}
