package mir

import (
	"math/rand"
	"testing"

	"github.com/mirin-go/mirin/desc"
)

// TestManyOperands goes beyond every 16-bit count: operands given at once,
// added one by one, removed, cloned; memory operands.
func TestManyOperands(t *testing.T) {
	for _, n := range []int{70_000, 100_000} {
		f := testFunc()
		b := f.AddBlock()
		r := f.AddVReg(0)
		ops := make([]Operand, n)
		for k := range ops {
			ops[k] = RegOp(r, 0)
		}
		at := f.New(desc.KILL, ops...)
		one := f.New(desc.KILL)
		for k := range n {
			f.AddOp(one, ImmOp(int64(k)))
		}
		f.Append(b, at)
		f.Append(b, one)
		c := f.Clone(one)
		if f.Instr(at).NumOps() != n || len(f.Ops(one)) != n || f.Op(c, n-1).Imm() != int64(n-1) {
			t.Fatalf("%d operands became %d, %d, %d", n, f.Instr(at).NumOps(), len(f.Ops(one)), len(f.Ops(c)))
		}
		uses := 0
		for i, k := range f.Uses(r) {
			if i != at || k != uses {
				t.Fatalf("use %d is operand %d of %d", uses, k, i)
			}
			uses++
		}
		if uses != n {
			t.Fatalf("%d uses of %d", uses, n)
		}
		for k := n - 1; k >= 0; k-- {
			f.RemoveOp(at, k)
		}
		if f.FirstUse(r) != 0 || f.Instr(at).NumOps() != 0 {
			t.Fatal("operands stay")
		}
		ms := make([]MemID, n)
		for k := range ms {
			ms[k] = f.AddMem(MemOperand{Size: int64(k)})
		}
		f.SetMem(one, ms...)
		f.CopyMem(c, one)
		if f.NumMem(c) != n || f.MemOf(c, n-1).Size != int64(n-1) || f.NumMem(at) != 0 {
			t.Fatalf("%d memory operands of %d", f.NumMem(c), n)
		}
	}
}

// TestManyLiveIns gives a block more live-ins than 16 bits count.
func TestManyLiveIns(t *testing.T) {
	f := testFunc()
	b := f.AddBlock()
	for k := range 70_000 {
		f.AddLiveIn(b, Reg(k+1), AllLanes)
	}
	if l := f.LiveInsOf(b); len(l) != 70_000 || l[69_999].Reg != 70_000 {
		t.Fatalf("%d live-ins", len(l))
	}
}

// TestTiesUnderRandomEdits compares the ties with what a slice of operand
// identities says; most lie beyond what four bits can name.
func TestTiesUnderRandomEdits(t *testing.T) {
	rnd := rand.New(rand.NewSource(7))
	f := testFunc()
	i := f.New(desc.INLINEASM)
	var ids []int64 // identity of each operand, kept in its register number
	partner := map[int64]int64{}
	next := int64(0)
	for step := range 20000 {
		n := len(ids)
		switch k := rnd.Intn(6); {
		case n < 60 && k < 2:
			at := rnd.Intn(n + 1)
			f.AddVReg(0)
			f.InsertOp(i, at, RegOp(VReg(int(next)), map[bool]OpFlags{true: Def}[next%2 == 0]))
			ids = append(ids[:at:at], append([]int64{next}, ids[at:]...)...)
			next++
		case k == 2 && n > 40:
			at := rnd.Intn(n)
			f.RemoveOp(i, at)
			if p, ok := partner[ids[at]]; ok {
				delete(partner, p)
				delete(partner, ids[at])
			}
			ids = append(ids[:at:at], ids[at+1:]...)
		case k >= 3 && n > 2:
			a, b := rnd.Intn(n), rnd.Intn(n)
			if a == b || partner[ids[a]] != 0 || partner[ids[b]] != 0 || ids[a] == 0 || ids[b] == 0 {
				continue
			}
			if k == 5 {
				c := f.Clone(i)
				f.Erase(i)
				i = c
			}
			f.Tie(i, a, b)
			partner[ids[a]], partner[ids[b]] = ids[b], ids[a]
		}
		for k, id := range ids {
			got := f.TiedTo(i, k)
			if p, ok := partner[id]; !ok && got >= 0 || ok && (got < 0 || ids[got] != p) {
				t.Fatalf("step %d: operand %d (%d) is tied to %d, want %d", step, k, id, got, p)
			}
		}
	}
	f.Erase(i)
	if len(f.farTies) != 0 {
		t.Fatalf("%d ties of an erased instruction stay", len(f.farTies))
	}
}
