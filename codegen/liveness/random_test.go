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

// randomFunc makes a function of a few blocks whose instructions read and write a
// few 64-bit registers of AMDGPU, by halves too, early clobbers among them.
func randomFunc(t testing.TB, in *desc.Info, rng *rand.Rand, f *mir.Function, blocks, regs int) {
	f.Reset("random")
	class, ok := in.RegClassByName("vreg_64")
	sub0, ok0 := in.SubRegIndexByName("sub0")
	sub1, ok1 := in.SubRegIndexByName("sub1")
	if !ok || !ok0 || !ok1 {
		t.Fatal("the facts lack the class")
	}
	subs := []uint16{0, 0, uint16(sub0), uint16(sub1)}
	for range blocks {
		f.AddBlock()
	}
	for range regs {
		f.AddVReg(int16(class))
	}
	first := f.FirstBlock()
	for r := range regs {
		if rng.IntN(8) > 0 {
			f.Append(first, f.New(desc.IMPLICIT_DEF, mir.RegOp(mir.VReg(r), mir.Def)))
		}
	}
	for b := first; b != 0; b = f.NextBlock(b) {
		for range rng.IntN(5) {
			i := f.New(desc.COPY)
			if rng.IntN(3) > 0 {
				r, sub, fl := mir.VReg(rng.IntN(regs)), subs[rng.IntN(4)], mir.OpFlags(mir.Def)
				if sub != 0 && rng.IntN(3) == 0 {
					fl |= mir.Undef
				}
				if rng.IntN(6) == 0 {
					fl |= mir.EarlyClobber
				}
				f.AddOp(i, mir.SubRegOp(r, sub, fl))
			}
			for range rng.IntN(3) {
				r := mir.VReg(rng.IntN(regs))
				if f.Instr(i).NumOps() > 0 && f.Op(i, 0).IsEarlyClobber() && f.Op(i, 0).Reg() == r {
					continue // it may not be read beside that, unless it is tied
				}
				f.AddOp(i, mir.SubRegOp(r, subs[rng.IntN(4)], 0))
			}
			f.Append(b, i)
		}
		for n := rng.IntN(3); n >= 0; n-- {
			s := mir.BlockID(1 + rng.IntN(blocks))
			if n == 0 && rng.IntN(4) > 0 {
				s = f.NextBlock(b)
			}
			if s != 0 && s != first && !f.HasSucc(b, s) {
				f.AddSucc(b, s)
			}
		}
		// unreachable-mbb-elimination runs before.
		if p := mir.BlockID(1 + rng.IntN(max(1, int(b)-1))); b != first && !f.HasSucc(p, b) {
			f.AddSucc(p, b)
		}
	}
}

// reference finds by dataflow, instruction for instruction, where lanes of a register are live.
type reference struct {
	f     *mir.Function
	x     *Indexes
	r     mir.Reg
	lanes desc.LaneMask // AllLanes: the main range
	// in, out: a definition reaches, and a use is reached from, the start and the end of a block.
	defIn, defOut, useIn, useOut []bool
}

// event is what an instruction does to the lanes: reads, then ends (undefines) or defines them.
type event struct {
	at                 Index
	read, define, undo bool
	readAt, defAt      Index
}

func (p *reference) events(b mir.BlockID) []event {
	var out []event
	for i := p.f.Block(b).First(); i != 0; i = p.f.Instr(i).Next() {
		e := event{at: p.x.Of(i)}
		e.readAt, e.defAt = e.at.Reg(), e.at.Reg()
		for _, o := range p.f.Ops(i) {
			if !o.IsReg() || o.Reg() != p.r {
				continue
			}
			mine := o.SubReg() == 0 || p.lanes == desc.AllLanes || p.f.Facts.SubRegLanes(desc.SubRegIdx(o.SubReg()))&p.lanes != 0
			switch {
			case o.IsDef():
				if o.IsEarlyClobber() {
					e.defAt = e.at.EarlyClobber()
				}
				if mine {
					e.define = true
					if p.lanes == desc.AllLanes && o.ReadsReg() {
						e.read = true
						if o.IsEarlyClobber() && !e.readLate(p, i) {
							e.readAt = e.at.EarlyClobber()
						}
					}
				} else if o.IsUndef() {
					e.undo = true
				}
			case o.ReadsReg() && mine:
				e.read = true
			}
		}
		out = append(out, e)
	}
	return out
}

// readLate reports whether a use proper reads the register in i.
func (e *event) readLate(p *reference, i mir.InstrID) bool {
	for _, o := range p.f.Ops(i) {
		if o.IsUse() && o.Reg() == p.r && o.ReadsReg() {
			return true
		}
	}
	return false
}

func (p *reference) solve() {
	n := p.f.NumBlockIDs()
	p.defIn, p.defOut, p.useIn, p.useOut = make([]bool, n), make([]bool, n), make([]bool, n), make([]bool, n)
	for changed := true; changed; {
		changed = false
		set := func(x *bool, v bool) {
			if *x != v {
				*x = v
				changed = true
			}
		}
		for b := p.f.FirstBlock(); b != 0; b = p.f.NextBlock(b) {
			ev := p.events(b)
			in, out := false, false
			for _, q := range p.f.Preds(b) {
				in = in || p.defOut[q]
			}
			for _, s := range p.f.Succs(b) {
				out = out || p.useIn[s.Block]
			}
			set(&p.defIn[b], in)
			set(&p.useOut[b], out)
			for _, e := range ev {
				if e.define {
					in = true
				} else if e.undo {
					in = false
				}
			}
			for k := len(ev) - 1; k >= 0; k-- {
				if ev[k].define || ev[k].undo {
					out = false
				}
				if ev[k].read {
					out = true
				}
			}
			set(&p.defOut[b], in)
			set(&p.useIn[b], out)
		}
	}
}

// segments are the stretches in which the lanes are live, those that touch joined
// unless a definition lies between.
func (p *reference) segments() []Segment {
	p.solve()
	var out []Segment
	reach := reachable(p.f)
	for b := p.f.FirstBlock(); b != 0; b = p.f.NextBlock(b) {
		if !reach[b] {
			continue
		}
		ev := p.events(b)
		// live[k] says whether a use is reached from behind event k-1.
		live := make([]bool, len(ev)+1)
		live[len(ev)] = p.useOut[b]
		for k := len(ev) - 1; k >= 0; k-- {
			live[k] = live[k+1]
			if ev[k].define || ev[k].undo {
				live[k] = false
			}
			if ev[k].read {
				live[k] = true
			}
		}
		def := p.defIn[b]
		start := p.x.BlockStart(b)
		open := def && live[0]
		for k, e := range ev {
			if open && !live[k+1] || open && (e.define || e.undo) {
				end := e.readAt
				if e.define && !e.read || e.undo && !e.read {
					panic("a value is live that nothing reads")
				}
				out = append(out, Segment{start, end, 0})
				open = false
			}
			if e.define {
				def, start = true, e.defAt
				if live[k+1] {
					open = true
				} else {
					out = append(out, Segment{e.defAt, e.at.Dead(), 0})
				}
			} else if e.undo {
				def = false
			}
			_ = def
		}
		if open {
			out = append(out, Segment{start, p.x.BlockEnd(b), 0})
		}
	}
	return out
}

// cut cuts the segments of a range, in blocks that are reached, at block starts and definitions, for comparing.
func cut(r *Range, x *Indexes, f *mir.Function) []Segment {
	var out []Segment
	reach := reachable(f)
	for _, s := range r.Segs {
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			lo, hi := max(s.Start, x.BlockStart(b)), min(s.End, x.BlockEnd(b))
			if lo < hi && reach[b] {
				out = append(out, Segment{lo, hi, 0})
			}
		}
	}
	return out
}

// reachable marks the blocks that the entry reaches.
func reachable(f *mir.Function) []bool {
	seen := make([]bool, f.NumBlockIDs())
	work := []mir.BlockID{f.FirstBlock()}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		for _, s := range f.Succs(b) {
			work = append(work, s.Block)
		}
	}
	return seen
}

// checkValues holds that the values of a range agree over edges and within blocks.
func checkValues(t *testing.T, r *Range, x *Indexes, f *mir.Function) {
	for v, d := range r.Vals {
		if d.Unused() {
			continue
		}
		if r.ValueAt(d.Def) != ValueID(v) {
			t.Errorf("value %d is not live at its definition", v)
		}
		if !d.IsPHI() {
			continue
		}
		b := x.BlockAt(d.Def)
		var in []ValueID
		for _, p := range f.Preds(b) {
			if w := r.ValueBefore(x.BlockEnd(p)); w != ValueID(v) && !slices.Contains(in, w) {
				in = append(in, w)
			}
		}
		if len(in) < 2 && b != f.FirstBlock() && reachable(f)[b] {
			t.Errorf("PHI value %d at bb.%d has one value, %v", v, b, in)
		}
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		at := x.BlockStart(b)
		v := r.ValueAt(at)
		if v == NoValue || r.Vals[v].Def == at {
			continue
		}
		for _, p := range f.Preds(b) {
			if w := r.ValueBefore(x.BlockEnd(p)); w != v {
				t.Errorf("value %d is live into bb.%d, value %d comes from bb.%d", v, b, w, p)
			}
		}
	}
	for k, s := range r.Segs {
		if s.Start >= s.End || k > 0 && r.Segs[k-1].End > s.Start {
			t.Errorf("segment %d is wrong", k)
		}
		if k > 0 && r.Segs[k-1].End == s.Start && r.Segs[k-1].Val == s.Val {
			t.Errorf("segment %d is not joined with the one before", k)
		}
	}
}

// TestRandom holds intervals of random functions to dataflow, instruction for
// instruction; what ShrinkToUses, SplitComponents and PruneValue with ExtendTo
// make of them too.
func TestRandom(t *testing.T) {
	in, err := facts.Load("AMDGPU")
	if err != nil {
		t.Fatal(err)
	}
	n := 400
	if testing.Short() {
		n = 50
	}
	f, c := mir.NewFunction("", in), &pass.Context{}
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		randomFunc(t, in, rng, f, 2+rng.IntN(9), 1+rng.IntN(4))
		c.DropAll()
		v := pass.Get[Intervals](c, f)
		checkAll(t, v, f, "computed")
		for k := range f.NumVRegs() {
			li := v.Interval(mir.VReg(k))
			if li.Empty() {
				continue
			}
			before := slices.Clone(li.Segs)
			// Prune a value where it is live, and grow it back.
			s := li.Segs[rng.IntN(len(li.Segs))]
			if !li.HasSubs() && s.Start.IsReg() {
				var ends []Index
				v.PruneValue(&li.Range, s.Start, &ends)
				if !li.LiveAt(s.Start) {
					li.AddSegment(Segment{s.Start, s.Start.Dead(), s.Val})
				}
				v.ExtendTo(&li.Range, ends, nil)
				if a := cut(&li.Range, v.Indexes, f); !slices.Equal(a, cut(&Range{Segs: before}, v.Indexes, f)) {
					t.Errorf("pruned and extended: got %v, want %v", li.Segs, before)
				}
				checkValues(t, &li.Range, v.Indexes, f)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		// New numbers change nothing.
		v.Renumber()
		checkAll(t, v, f, "renumbered")
		// Uses go away: shrink.
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
				for k := f.Instr(i).NumOps() - 1; k >= 0; k-- {
					if f.Op(i, k).IsUse() && rng.IntN(3) == 0 {
						f.RemoveOp(i, k)
					}
				}
			}
		}
		for k := range f.NumVRegs() {
			v.ShrinkToUses(v.Interval(mir.VReg(k)), nil)
		}
		if !v.hasSubs() {
			checkAll(t, v, f, "shrunk")
		}
		for k := range f.NumVRegs() {
			v.SplitComponents(v.Interval(mir.VReg(k)))
		}
		if !v.hasSubs() {
			checkAll(t, v, f, "split")
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func (v *Intervals) hasSubs() bool {
	for k := range v.f.NumVRegs() {
		if v.Has(mir.VReg(k)) && v.Interval(mir.VReg(k)).HasSubs() {
			return true
		}
	}
	return false
}

func checkAll(t *testing.T, v *Intervals, f *mir.Function, when string) {
	for _, x := range v.Verify(0) {
		if x.Msg != "No live segment at use" { // such functions are made
			t.Errorf("%s: %v", when, x)
		}
	}
	for k := range f.NumVRegs() {
		r := mir.VReg(k)
		if !v.Has(r) {
			continue
		}
		li := v.Interval(r)
		check := func(g *Range, lanes desc.LaneMask) {
			p := &reference{f: f, x: v.Indexes, r: r, lanes: lanes}
			if want, got := p.segments(), cut(g, v.Indexes, f); !slices.Equal(got, want) {
				t.Errorf("%s: %%%d lanes %x: got %s, want %s", when, k, lanes, g.AppendText(nil, v.Indexes), (&Range{Segs: want}).AppendText(nil, v.Indexes))
			}
			checkValues(t, g, v.Indexes, f)
		}
		check(&li.Range, desc.AllLanes)
		for s := range li.Subs {
			check(&li.Subs[s].Range, li.Subs[s].Lanes)
		}
	}
}
