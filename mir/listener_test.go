package mir

import (
	"maps"
	"math/rand"
	"slices"
	"testing"

	"github.com/mirin-go/mirin/desc"
)

// counter keeps, as a listener, what a walk over the function would count.
type counter struct {
	f     *Function
	uses  map[Reg]int
	kills int
	where map[InstrID]BlockID
}

func (c *counter) op(o Operand, by int) {
	if o.IsReg() {
		if c.uses[o.Reg()] += by; c.uses[o.Reg()] == 0 {
			delete(c.uses, o.Reg())
		}
		if o.IsKill() {
			c.kills += by
		}
	}
}

func (c *counter) Created(i InstrID) {
	c.where[i] = c.f.Instr(i).Block()
	for _, o := range c.f.Ops(i) {
		c.op(o, 1)
	}
}

func (c *counter) Erased(i InstrID) {
	delete(c.where, i)
	for _, o := range c.f.Ops(i) {
		c.op(o, -1)
	}
}

func (c *counter) Moved(i InstrID) { c.where[i] = c.f.Instr(i).Block() }

func (c *counter) OperandChanged(i InstrID, n int, was Operand) {
	c.op(was, -1)
	c.op(*c.f.Op(i, n), 1)
}

func (c *counter) OperandRemoved(_ InstrID, _ int, was Operand) { c.op(was, -1) }

func newCounter(f *Function) *counter {
	return &counter{f: f, uses: map[Reg]int{}, where: map[InstrID]BlockID{}}
}

// TestListeners holds what two listeners keep, one of them for half of the
// time, against a walk over the function.
func TestListeners(t *testing.T) {
	rnd := rand.New(rand.NewSource(5))
	f := testFunc()
	a, b := f.AddBlock(), f.AddBlock()
	for range 4 {
		f.AddVReg(0)
	}
	op := func() Operand {
		if rnd.Intn(4) == 0 {
			return ImmOp(1)
		}
		return RegOp(VReg(rnd.Intn(4)), []OpFlags{0, Def, Kill}[rnd.Intn(3)])
	}
	c, late := newCounter(f), newCounter(f)
	f.Listen(c)
	var live []InstrID
	for step := range 20000 {
		if step == 10000 {
			for i := range c.where {
				late.Created(i)
			}
			f.Listen(late)
		}
		if len(live) == 0 || rnd.Intn(6) == 0 && len(live) < 40 {
			i := f.New(desc.KILL, op(), op())
			f.InsertOp(i, 0, op())
			f.Append([]BlockID{a, b}[rnd.Intn(2)], i)
			live = append(live, i)
		}
		k := rnd.Intn(len(live))
		i := live[k]
		n := f.Instr(i).NumOps()
		switch rnd.Intn(12) {
		case 0:
			f.Erase(i)
			live = slices.Delete(live, k, k+1)
		case 1:
			f.InsertOp(i, rnd.Intn(n+1), op())
		case 2, 3:
			if n > 0 {
				f.RemoveOp(i, rnd.Intn(n))
			}
		case 4:
			if n > 0 {
				f.ReplaceOp(i, rnd.Intn(n), op())
			}
		case 5, 6, 7:
			if n == 0 || !f.Op(i, 0).IsReg() {
				break
			}
			switch rnd.Intn(3) {
			case 0:
				f.SetReg(i, 0, VReg(rnd.Intn(4)))
			case 1:
				f.SetIsDef(i, 0, rnd.Intn(2) == 0)
			case 2:
				f.SetOpFlag(i, 0, Kill, rnd.Intn(2) == 0)
			}
		case 8:
			f.ReplaceReg(VReg(rnd.Intn(4)), VReg(rnd.Intn(4)))
		case 9:
			f.Move([]BlockID{a, b}[rnd.Intn(2)], 0, i)
		case 10:
			f.Splice([]BlockID{b, a}[f.Instr(i).Block()-a], i)
		case 11:
			f.Remove(i)
			f.Append(a, i)
		}
		if step%100 == 0 || step == 19999 {
			want := newCounter(f)
			for blk := f.FirstBlock(); blk != 0; blk = f.NextBlock(blk) {
				for i := f.Block(blk).First(); i != 0; i = f.Instr(i).Next() {
					want.Created(i)
				}
			}
			for _, l := range []*counter{c, late} {
				if l == late && step < 10000 {
					continue
				}
				if !maps.Equal(l.uses, want.uses) || l.kills != want.kills || !maps.Equal(l.where, want.where) {
					t.Fatalf("step %d: a listener has %v %d, a walk %v %d", step, l.uses, l.kills, want.uses, want.kills)
				}
			}
		}
	}
	f.Unlisten(c)
	f.Unlisten(late)
	if len(f.listeners) != 0 {
		t.Fatal("listeners stay")
	}
}

// TestBundles builds, grows, shrinks and moves bundles.
func TestBundles(t *testing.T) {
	f := testFunc()
	a, b := f.AddBlock(), f.AddBlock()
	var is []InstrID
	for range 6 {
		is = append(is, f.New(desc.KILL))
		f.Append(a, is[len(is)-1])
	}
	f.BundleWithPred(is[2])
	f.BundleWithPred(is[3])
	check := func(blk BlockID, want ...[]InstrID) {
		t.Helper()
		var got [][]InstrID
		for h := range f.Bundles(blk) {
			var l []InstrID
			for i := range f.InBundle(h) {
				if f.BundleHead(i) != h || f.Instr(i).Block() != blk {
					t.Fatalf("%d does not know its bundle", i)
				}
				l = append(l, i)
			}
			got = append(got, l)
		}
		if !slices.EqualFunc(got, want, slices.Equal[[]InstrID]) {
			t.Fatalf("bundles %v, want %v", got, want)
		}
	}
	check(a, is[:1], is[1:4], is[4:5], is[5:6])
	n := f.New(desc.KILL)
	f.InsertBefore(a, is[2], n) // between two of a bundle: joins
	check(a, is[:1], []InstrID{is[1], n, is[2], is[3]}, is[4:5], is[5:6])
	f.InsertBefore(a, is[1], f.New(desc.KILL)) // before the first: does not
	f.Erase(f.Instr(is[1]).Prev())
	f.Erase(n)
	check(a, is[:1], is[1:4], is[4:5], is[5:6])
	f.MoveBundle(b, 0, is[1])
	check(a, is[:1], is[4:5], is[5:6])
	check(b, is[1:4])
	f.MoveBundle(a, is[4], is[1])
	check(a, is[:1], is[1:4], is[4:5], is[5:6])
	f.Splice(b, is[1])
	check(b, is[1:4], is[4:5], is[5:6])
	f.Remove(is[1]) // the first leaves
	check(b, is[2:4], is[4:5], is[5:6])
	f.Remove(is[3]) // the last leaves: no bundle is left
	check(b, is[2:3], is[4:5], is[5:6])
	f.BundleWithPred(is[4])
	f.BundleWithPred(is[5])
	f.UnbundleFromPred(is[5])
	check(b, []InstrID{is[2], is[4]}, is[5:6])
	f.EraseBundle(is[2])
	check(b, is[5:6])
}
