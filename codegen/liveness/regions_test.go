package liveness

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir"
)

// nestedFunc makes a function of nested loops, left at random places, some of
// them entered in the middle, whose blocks stand in any order behind the first.
func nestedFunc(f *mir.Function, rng *rand.Rand, blocks int) {
	f.Reset("nested")
	all := []mir.BlockID{f.AddBlock()}
	for range blocks - 1 {
		b := f.AddBlock()
		if k := rng.IntN(6); k == 0 {
			f.MoveBlockAfter(b, all[rng.IntN(len(all))])
		}
		all = append(all, b)
	}
	edge := func(b, s int) {
		if s > 0 && s < len(all) && !f.HasSucc(all[b], all[s]) {
			f.AddSucc(all[b], all[s])
		}
	}
	for b := range all {
		edge(b, b+1)
	}
	odd := rng.IntN(4) == 0
	for range blocks / 2 {
		// A latch, and an exit from somewhere within.
		lo := 1 + rng.IntN(blocks-1)
		hi := min(lo+rng.IntN(max(1, blocks/2)), blocks-1)
		edge(hi, lo)
		edge(lo+rng.IntN(hi-lo+1), hi+1)
		if odd && rng.IntN(3) == 0 {
			edge(rng.IntN(lo), lo+rng.IntN(hi-lo+1))
		}
	}
}

// TestRegions holds intervals and variables that are found by stepping over loops
// to those that are found block by block.
func TestRegions(t *testing.T) {
	in, err := facts.Load("AMDGPU")
	if err != nil {
		t.Fatal(err)
	}
	class, _ := in.RegClassByName("vreg_64")
	n := 600
	if testing.Short() {
		n = 100
	}
	stepped := 0
	f, c := mir.NewFunction("", in), &pass.Context{}
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		nestedFunc(f, rng, 8+rng.IntN(40))
		c.DropAll()
		d := &pass.Get[pass.Dominators](c, f).Dominators
		ssa := seed%2 == 0
		nb := f.NumBlockIDs() - 1
		for r := range 6 {
			f.AddVReg(int16(class))
			home := mir.BlockID(1 + rng.IntN(nb))
			defs := 1
			anywhere := !ssa && rng.IntN(3) == 0
			if !ssa {
				if !anywhere {
					home = f.FirstBlock()
				}
				defs = 1 + rng.IntN(3)
			}
			for k := range defs {
				b := home
				if k > 0 {
					b = mir.BlockID(1 + rng.IntN(nb))
				}
				f.Append(b, f.New(desc.IMPLICIT_DEF, mir.RegOp(mir.VReg(r), mir.Def)))
			}
			for range rng.IntN(4) {
				if b := mir.BlockID(1 + rng.IntN(nb)); anywhere || d.Dominates(int(home), int(b)) {
					f.Append(b, f.New(desc.COPY, mir.RegOp(mir.VReg(r), 0)))
				}
			}
		}
		f.Props |= mir.IsSSA
		if !ssa {
			f.Props &^= mir.IsSSA
		}
		if ssa {
			with, without := new(Variables), new(Variables)
			with.Compute(c, f)
			without.f, without.vars = f, make([]Variable, f.NumVRegs())
			without.reserve(c, f)
			without.scan()
			without.all()
			if s := with.Differs(without); s != "" {
				t.Fatalf("seed %d: %s", seed, s)
			}
			for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
				for k := range with.vars {
					if with.vars[k].Alive(b) != without.vars[k].Alive(b) {
						t.Fatalf("seed %d: %%%d is alive in %d: %v", seed, k, b, with.vars[k].Alive(b))
					}
				}
			}
		}
		v := pass.Get[Intervals](c, f)
		got := make([]Range, f.NumVRegs())
		for k := range got {
			got[k].CopyFrom(&v.Interval(mir.VReg(k)).Range)
			v.Remove(mir.VReg(k))
		}
		stepped += len(v.calc.regions.loops)
		v.calc.regions.loop = v.calc.regions.loop[:0]
		for k := range got {
			want := &v.Interval(mir.VReg(k)).Range
			if !slices.Equal(got[k].Segs, want.Segs) || !slices.Equal(got[k].Vals, want.Vals) {
				t.Fatalf("seed %d: %%%d: got %s, want %s", seed, k, got[k].AppendText(nil, v.Indexes), want.AppendText(nil, v.Indexes))
			}
		}
	}
	if stepped == 0 {
		t.Error("no function has a region")
	}
}
