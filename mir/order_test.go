package mir

import (
	"math/bits"
	"math/rand"
	"testing"

	"github.com/mirin-go/mirin/desc"
)

func checkOrder(t *testing.T, f *Function, b BlockID) {
	t.Helper()
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		if n := f.Instr(i).Next(); n != 0 && (!f.Before(i, n) || f.Before(n, i)) {
			t.Fatalf("keys %d, %d of neighbours", f.OrderKey(i), f.OrderKey(n))
		}
	}
}

// TestOrderCost inserts 300,000 instructions in five ways; the keys that are
// given may be a small multiple of log n for each.
func TestOrderCost(t *testing.T) {
	const n = 300_000
	rnd := rand.New(rand.NewSource(1))
	for name, at := range map[string]func(f *Function, b BlockID, made []InstrID) InstrID{
		"end":    func(*Function, BlockID, []InstrID) InstrID { return 0 },
		"front":  func(f *Function, b BlockID, _ []InstrID) InstrID { return f.Block(b).First() },
		"before": func(_ *Function, _ BlockID, made []InstrID) InstrID { return made[0] },
		"after":  func(f *Function, _ BlockID, made []InstrID) InstrID { return f.Instr(made[0]).Next() },
		"random": func(_ *Function, _ BlockID, made []InstrID) InstrID { return made[rnd.Intn(len(made))] },
	} {
		f := testFunc()
		b := f.AddBlock()
		made := []InstrID{f.New(desc.KILL), f.New(desc.KILL)}
		f.Append(b, made[0])
		f.Append(b, made[1])
		for range n {
			i := f.New(desc.KILL)
			f.InsertBefore(b, at(f, b, made), i)
			made = append(made, i)
			if !f.Before(made[0], made[1]) {
				t.Fatal("the first two are swapped")
			}
		}
		checkOrder(t, f, b)
		if limit := uint64(n * 2 * bits.Len(n)); f.orderWork > limit {
			t.Errorf("%s: %d keys for %d instructions, want at most %d", name, f.orderWork, n, limit)
		}
		t.Logf("%s: %.1f keys an instruction", name, float64(f.orderWork)/n)
	}
}

func TestOrderUnderRandomEdits(t *testing.T) {
	rnd := rand.New(rand.NewSource(2))
	f := testFunc()
	a, b := f.AddBlock(), f.AddBlock()
	var live []InstrID
	for step := range 20000 {
		switch k := rnd.Intn(8); {
		case len(live) < 5 || k < 4:
			i, to := f.New(desc.KILL), a
			at := InstrID(0)
			if len(live) > 0 && k > 0 {
				at = live[rnd.Intn(len(live))]
				to = f.Instr(at).Block()
			}
			f.InsertBefore(to, at, i)
			live = append(live, i)
		case k == 4:
			n := rnd.Intn(len(live))
			f.Erase(live[n])
			live = append(live[:n], live[n+1:]...)
		case k == 5:
			i, at := live[rnd.Intn(len(live))], live[rnd.Intn(len(live))]
			if i != at {
				f.Move(f.Instr(at).Block(), at, i)
			}
		case k == 6 && step%100 == 0:
			i := live[rnd.Intn(len(live))]
			f.Splice([]BlockID{b, a}[f.Instr(i).Block()-a], i)
		}
		if step%500 == 0 {
			checkOrder(t, f, a)
			checkOrder(t, f, b)
		}
	}
}
