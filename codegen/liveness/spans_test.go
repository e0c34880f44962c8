package liveness

import (
	"math/rand/v2"
	"testing"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir"
)

// TestSpans assigns registers that are live through many blocks and takes them out
// again: the spans that are kept true are those that are found anew.
func TestSpans(t *testing.T) {
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	class, _ := in.RegClassByName("gr32")
	var phys []mir.Reg
	for _, name := range []string{"ebx", "esi", "bl"} {
		r, ok := in.RegByName(name)
		if !ok {
			t.Fatal(name)
		}
		phys = append(phys, mir.Reg(r))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	const blocks, regs = 7*spanGroupSize + 20, 40
	f, c := mir.NewFunction("f", in), &pass.Context{}
	f.Props |= mir.IsSSA
	var all []mir.BlockID
	for k := range blocks {
		b := f.AddBlock()
		if all = append(all, b); k > 0 {
			f.AddSucc(all[k-1], b)
		}
	}
	for r := range regs {
		f.AddVReg(int16(class))
		from := rng.IntN(blocks)
		to := from + rng.IntN(blocks-from)
		f.InsertBefore(all[from], f.Block(all[from]).First(), f.New(desc.IMPLICIT_DEF, mir.RegOp(mir.VReg(r), mir.Def)))
		f.Append(all[to], f.New(desc.KILL, mir.RegOp(mir.VReg(r), 0)))
	}
	m := pass.Get[Matrix](c, f)
	wide := 0
	for step := range 400 {
		li := m.Intervals.Interval(mir.VReg(rng.IntN(regs)))
		if m.Assigned(li.Reg) != 0 {
			m.Unassign(li)
		} else if p := phys[rng.IntN(2)]; m.Check(li, p) == Free {
			m.Assign(li, p)
		}
		for _, p := range phys {
			got := m.Spans(p)
			want := &Spans{m: m, phys: p}
			want.fill()
			for _, b := range all {
				if rng.IntN(3) != 0 {
					continue // to be asked later
				}
				if got.At(b) != want.of[b] {
					t.Fatalf("step %d: block %d of %d: %v, found anew %v", step, b, p, got.At(b), want.of[b])
				}
			}
			for k := range got.groups {
				if got.groups[k].span.Last != 0 {
					wide++
				}
			}
		}
	}
	if wide == 0 {
		t.Error("no group was told of a stretch as a whole")
	}
}
