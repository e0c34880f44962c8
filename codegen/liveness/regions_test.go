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

// conditionsFunc makes a function of conditions and loops within one another, many deep,
// some of them without a way out, or one out of the function or far down. The blocks are
// not in the order of their numbers everywhere.
func conditionsFunc(f *mir.Function, rng *rand.Rand, depth int) {
	f.Reset("conditions")
	at := f.AddBlock()
	var outs []mir.BlockID
	edge := func(b, s mir.BlockID) {
		if !f.HasSucc(b, s) {
			f.AddSucc(b, s)
		}
	}
	next := func() mir.BlockID {
		b := f.AddBlock()
		if rng.IntN(8) == 0 {
			f.MoveBlockAfter(b, at)
		}
		return b
	}
	var statement func(depth int)
	statement = func(depth int) {
		if depth == 0 {
			return
		}
		head, out := at, f.AddBlock()
		f.MoveBlockAfter(out, at)
		if rng.IntN(12) != 0 {
			edge(head, out)
		}
		if rng.IntN(3) == 0 {
			side := next()
			edge(head, side)
			edge(side, out)
		}
		outs = append(outs, out)
		at = next()
		edge(head, at)
		statement(depth - 1)
		if rng.IntN(4) == 0 {
			statement(rng.IntN(depth))
		}
		switch outs = outs[:len(outs)-1]; rng.IntN(40) {
		case 0:
			edge(at, head)
		case 1:
			edge(at, at) // for ever
			edge(head, out)
			at = out
			return
		case 2:
			edge(head, out)
			at = out
			return // out of the function
		case 3:
			if len(outs) > 0 {
				edge(at, outs[rng.IntN(len(outs))])
			}
		}
		edge(at, out)
		if at = out; rng.IntN(3) == 0 {
			at = next()
			edge(out, at)
		}
	}
	for range 1 + rng.IntN(2) {
		statement(depth)
	}
}

// TestRegions holds intervals and variables that are found by stepping over loops and
// nests of conditions to those that are found block by block.
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
	loops, nests := 0, 0
	f, c := mir.NewFunction("", in), &pass.Context{}
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		if seed%3 == 0 {
			conditionsFunc(f, rng, 6+rng.IntN(20))
		} else {
			nestedFunc(f, rng, 8+rng.IntN(40))
		}
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
		g := &v.calc.regions
		loops += int(g.firstNest)
		nests += len(g.all) - int(g.firstNest)
		g.forget()
		for k := range got {
			want := &v.Interval(mir.VReg(k)).Range
			if !slices.Equal(got[k].Segs, want.Segs) || !slices.Equal(got[k].Vals, want.Vals) {
				t.Fatalf("seed %d: %%%d: got %s, want %s", seed, k, got[k].AppendText(nil, v.Indexes), want.AppendText(nil, v.Indexes))
			}
		}
	}
	if loops == 0 || nests == 0 {
		t.Errorf("%d loops, %d nests are regions", loops, nests)
	}
	t.Logf("%d loops, %d nests are regions", loops, nests)
}
