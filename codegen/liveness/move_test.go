package liveness

import (
	"math/rand/v2"
	"testing"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir"
)

// TestHandleMove moves instructions of random functions past others that name
// none of their registers, and holds the intervals to dataflow.
func TestHandleMove(t *testing.T) {
	in, err := facts.Load("AMDGPU")
	if err != nil {
		t.Fatal(err)
	}
	f, c := mir.NewFunction("", in), &pass.Context{}
	moves := 0
	for seed := range 200 {
		rng := rand.New(rand.NewPCG(uint64(seed), 9))
		randomFunc(t, in, rng, f, 1+rng.IntN(5), 2+rng.IntN(5))
		c.DropAll()
		v := pass.Get[Intervals](c, f)
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			i := f.Block(b).First()
			for i != 0 && f.Instr(i).Next() != 0 {
				next := f.Instr(i).Next()
				if apart(f, i, next) {
					old := v.Indexes.Of(i)
					f.Move(b, f.Instr(next).Next(), i)
					v.HandleMove(i, old)
					moves++
					next = f.Instr(i).Next()
				}
				if i = next; v.Indexes.Crowded() {
					v.Renumber()
				}
			}
		}
		checkAll(t, v, f, "moved")
		if how := v.Indexes.Check(f); how != "" {
			t.Error(how)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if moves < 100 {
		t.Errorf("%d moves are few", moves)
	}
}

// apart reports whether two instructions name no register in common.
func apart(f *mir.Function, a, b mir.InstrID) bool {
	for _, x := range f.Ops(a) {
		for _, y := range f.Ops(b) {
			if x.IsReg() && y.IsReg() && x.Reg() == y.Reg() {
				return false
			}
		}
	}
	return true
}
