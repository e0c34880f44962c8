package mir

import (
	"math/rand"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/mirin-go/mirin/desc"
)

func TestSizes(t *testing.T) {
	// Every instruction has about four operands: 16 bytes each keep a body of a million instructions at 110 MB.
	if n := unsafe.Sizeof(Operand{}); n != 16 {
		t.Errorf("Operand has %d bytes, want 16", n)
	}
	if n := unsafe.Sizeof(Instr{}); n > 44 {
		t.Errorf("Instr has %d bytes, want at most 44", n)
	}
}

// pointerIn returns the path of a pointer-like field of t, "" for none.
func pointerIn(t reflect.Type, path string) string {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if p := pointerIn(t.Field(i).Type, path+"."+t.Field(i).Name); p != "" {
				return p
			}
		}
		return ""
	case reflect.Array:
		return pointerIn(t.Elem(), path)
	case reflect.Pointer, reflect.Slice, reflect.String, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return path
	}
	return ""
}

func TestRowsHoldNoPointers(t *testing.T) {
	for _, v := range []any{Instr{}, Operand{}, Block{}, VRegInfo{}, MemOperand{}, FrameObject{}, InstrExtra{}} {
		rt := reflect.TypeOf(v)
		if p := pointerIn(rt, rt.Name()); p != "" {
			t.Errorf("%s holds a pointer, which the garbage collector would have to follow", p)
		}
	}
}

func testFunc() *Function {
	in := &desc.Info{Regs: make([]desc.RegDesc, 8)}
	in.SetInstrs(make([]desc.InstrDesc, 400))
	return NewFunction("f", in)
}

// checkLists compares the use lists with a walk over all instructions.
func checkLists(t *testing.T, f *Function, live []InstrID) {
	t.Helper()
	want := map[Reg]map[OpID]bool{}
	for _, i := range live {
		for n := range f.instrs[i].NumOps() {
			o := f.Op(i, n)
			if ow, k := f.Owner(f.OpID(i, n)); ow != i || k != n {
				t.Fatalf("owner of operand %d of %d is %d, %d", n, i, ow, k)
			}
			if o.IsReg() && o.Reg() != 0 {
				if want[o.Reg()] == nil {
					want[o.Reg()] = map[OpID]bool{}
				}
				want[o.Reg()][f.OpID(i, n)] = true
			}
		}
	}
	regs := []Reg{1, 2, 3}
	for i := range f.vregs {
		regs = append(regs, VReg(i))
	}
	for _, r := range regs {
		n, uses := 0, false
		var last OpID
		for id := f.FirstUse(r); id != 0; id = f.NextUse(id) {
			if !want[r][id] {
				t.Fatalf("list of %x has operand %d, which does not name it", r, id)
			}
			o := f.OpAt(id)
			if o.IsDef() && uses {
				t.Fatalf("list of %x has a definition behind a use", r)
			}
			uses = uses || o.IsUse()
			if last != 0 && o.prev() != last {
				t.Fatalf("list of %x: broken back link", r)
			}
			last = id
			n++
		}
		if n != len(want[r]) {
			t.Fatalf("list of %x has %d operands, want %d", r, n, len(want[r]))
		}
		if h := f.FirstUse(r); h != 0 && f.OpAt(h).prev() != last {
			t.Fatalf("list of %x: the head does not name the tail", r)
		}
	}
}

func TestUseListsUnderRandomEdits(t *testing.T) {
	for _, quiet := range [...]int{0, 1, 7, 60, 400, 2500} {
		testRandomEdits(t, quiet)
	}
}

// testRandomEdits asks for no physical register before step quiet.
func testRandomEdits(t *testing.T, quiet int) {
	rnd := rand.New(rand.NewSource(1))
	f := testFunc()
	b := f.AddBlock()
	for range 5 {
		f.AddVReg(0)
	}
	reg := func() Reg {
		switch k := rnd.Intn(9); {
		case k < 5:
			return VReg(k)
		case k < 8:
			return Reg(k - 4)
		}
		return 0
	}
	op := func() Operand {
		switch rnd.Intn(4) {
		case 0:
			return ImmOp(rnd.Int63())
		case 1:
			return RegOp(reg(), Def)
		}
		return RegOp(reg(), 0)
	}
	var live []InstrID
	for step := range 20000 {
		if len(live) == 0 || rnd.Intn(6) == 0 && len(live) < 30 {
			i := f.New(desc.COPY, op(), op())
			f.Append(b, i)
			live = append(live, i)
			continue
		}
		k := rnd.Intn(len(live))
		i := live[k]
		n := f.instrs[i].NumOps()
		switch rnd.Intn(9) {
		case 0:
			f.Erase(i)
			live = slices.Delete(live, k, k+1)
		case 1, 2:
			f.InsertOp(i, rnd.Intn(n+1), op())
		case 3:
			if n > 0 {
				f.RemoveOp(i, rnd.Intn(n))
			}
		case 4:
			if n > 0 {
				f.ReplaceOp(i, rnd.Intn(n), op())
			}
		case 5:
			if n > 0 {
				if at := rnd.Intn(n); f.Op(i, at).IsReg() {
					f.SetReg(i, at, reg())
				}
			}
		case 6:
			if n > 0 {
				if at := rnd.Intn(n); f.Op(i, at).IsReg() {
					f.SetIsDef(i, at, rnd.Intn(2) == 0)
				}
			}
		case 7:
			if from, to := reg(), reg(); from != 0 && (step >= quiet || from.IsVirtual()) {
				f.ReplaceReg(from, to)
			}
		case 8:
			c := f.Clone(i)
			f.InsertAfter(b, i, c)
			live = append(live, c)
		}
		if f.physLinked && step < quiet {
			t.Fatalf("the lists of physical registers are made at step %d, where nobody asks for one", step)
		}
		if step == quiet {
			r := Reg(1 + quiet%3)
			if got, want := f.HasDefs(r), slices.ContainsFunc(live, func(i InstrID) bool {
				return slices.ContainsFunc(f.Ops(i), func(o Operand) bool { return o.IsDef() && o.Reg() == r })
			}); got != want {
				t.Errorf("step %d: %x is defined: %v, want %v", step, r, got, want)
			}
		}
		if step >= quiet && step%50 == quiet%50 {
			checkLists(t, f, live)
		}
	}
	checkLists(t, f, live)
}

func TestTiesFollowOperands(t *testing.T) {
	f := testFunc()
	for range 3 {
		f.AddVReg(0)
	}
	i := f.New(desc.COPY, RegOp(VReg(0), Def), RegOp(VReg(1), 0), RegOp(VReg(2), 0))
	f.Tie(i, 0, 1)
	f.InsertOp(i, 1, ImmOp(7))
	if f.TiedTo(i, 0) != 2 || f.TiedTo(i, 2) != 0 {
		t.Fatalf("after an insertion: %d, %d", f.TiedTo(i, 0), f.TiedTo(i, 2))
	}
	f.InsertOp(i, 0, ImmOp(8))
	if f.TiedTo(i, 1) != 3 || f.TiedTo(i, 3) != 1 {
		t.Fatalf("after an insertion in front: %d, %d", f.TiedTo(i, 1), f.TiedTo(i, 3))
	}
	f.RemoveOp(i, 0)
	if f.TiedTo(i, 0) != 2 || f.TiedTo(i, 2) != 0 {
		t.Fatalf("after a removal: %d, %d", f.TiedTo(i, 0), f.TiedTo(i, 2))
	}
	f.RemoveOp(i, 2)
	if f.TiedTo(i, 0) != -1 {
		t.Fatal("the partner of a removed operand stays tied")
	}
	// Beyond what the four bits can say.
	far := f.New(desc.INLINEASM)
	for k := range 40 {
		f.AddOp(far, RegOp(VReg(0), map[bool]OpFlags{true: Def}[k < 20]))
	}
	for k := range 20 {
		f.Tie(far, k, 20+k)
	}
	for k := range 20 {
		if f.TiedTo(far, k) != 20+k || f.TiedTo(far, 20+k) != k {
			t.Fatalf("tie %d: %d, %d", k, f.TiedTo(far, k), f.TiedTo(far, 20+k))
		}
	}
}

func layout(f *Function) (l []BlockID) {
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		l = append(l, b)
	}
	var back []BlockID
	for b := f.LastBlock(); b != 0; b = f.PrevBlock(b) {
		back = append(back, b)
	}
	slices.Reverse(back)
	if !slices.Equal(l, back) {
		panic("block list differs backwards")
	}
	return
}

func TestBlockList(t *testing.T) {
	f := testFunc()
	a, b, c := f.AddBlock(), f.AddBlock(), f.AddBlock()
	check := func(want ...BlockID) {
		t.Helper()
		if got := layout(f); !slices.Equal(got, want) {
			t.Fatalf("layout %v, want %v", got, want)
		}
	}
	f.MoveBlockAfter(c, 0)
	check(c, a, b)
	f.MoveBlockAfter(c, 0)
	check(c, a, b)
	f.MoveBlockAfter(c, b)
	check(a, b, c)
	f.MoveBlockAfter(a, b)
	check(b, a, c)
	d := f.AddBlockAfter(b)
	check(b, d, a, c)
	f.AddSucc(b, d)
	f.AddSucc(d, a)
	f.RemoveBlock(d)
	check(b, a, c)
	if len(f.Succs(b)) != 0 || len(f.Preds(a)) != 0 {
		t.Fatal("edges of a removed block stay")
	}
	f.RenumberBlocks()
	if f.Block(b).Number != 0 || f.Block(c).Number != 2 {
		t.Fatal("numbers do not follow the layout")
	}
}

func TestSuccessors(t *testing.T) {
	f := testFunc()
	a, b, c := f.AddBlock(), f.AddBlock(), f.AddBlock()
	f.AddSuccProb(a, b, ProbOne/4)
	f.AddSuccProb(a, c, UnknownProb)
	if p := f.AppendSuccProbs(nil, a)[1]; p != ProbOne/4*3 {
		t.Fatalf("unknown probability is %x", p)
	}
	if f.CanPredictProbs(a) {
		t.Fatal("1:3 is no even split")
	}
	phi := f.New(desc.PHI, RegOp(f.AddVReg(0), Def), RegOp(f.AddVReg(0), 0), BlockOp(a))
	f.Append(c, phi)
	d := f.AddBlock()
	f.TransferSuccs(a, d)
	if len(f.Succs(a)) != 0 || !f.HasSucc(d, c) || f.Succs(d)[0].Prob != ProbOne/4 || f.Op(phi, 2).Block() != d {
		t.Fatal("TransferSuccs left something behind")
	}
	f.ReplaceSucc(d, b, c)
	if s := f.Succs(d); len(s) != 1 || s[0].Block != c || len(f.Preds(b)) != 0 || len(f.Preds(c)) != 1 {
		t.Fatal("ReplaceSucc did not merge the edges")
	}
	e := f.AddBlock()
	for range 100 {
		f.AddSucc(f.AddBlock(), e)
	}
	if len(f.Preds(e)) != 100 {
		t.Fatal("a list lost elements while it grew")
	}
}

func TestInstrList(t *testing.T) {
	f := testFunc()
	a, b := f.AddBlock(), f.AddBlock()
	var is []InstrID
	for range 4 {
		is = append(is, f.New(desc.KILL))
	}
	f.Append(a, is[1])
	f.InsertBefore(a, is[1], is[0])
	f.InsertAfter(a, is[1], is[3])
	f.InsertBefore(a, is[3], is[2])
	check := func(b BlockID, want ...InstrID) {
		t.Helper()
		var got []InstrID
		for i := f.blocks[b].first; i != 0; i = f.instrs[i].Next() {
			got = append(got, i)
			if f.instrs[i].Block() != b {
				t.Fatalf("instruction %d stands in block %d", i, f.instrs[i].Block())
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("block has %v, want %v", got, want)
		}
	}
	check(a, is...)
	f.Splice(b, is[2])
	check(a, is[0], is[1])
	check(b, is[2], is[3])
	f.Remove(is[2])
	check(b, is[3])
	f.InsertAfter(b, 0, is[2])
	check(b, is[2], is[3])
	f.Erase(is[3])
	check(b, is[2])
	if n := f.New(desc.KILL); n != is[3] {
		t.Fatalf("a freed row is not used again: %d", n)
	}
}

// TestManyFixedObjects: a fixed object more does not move all others, and
// objects keep what they hold whatever order they come in.
func TestManyFixedObjects(t *testing.T) {
	f := NewFunction("f", nil)
	for range 2 {
		fr, moves := &f.Frame, 0
		fr.CreateStackObject(1, 0, 0)
		at := fr.Object(0)
		for i := range 10_000 {
			if fi := fr.CreateFixedObject(8, int64(i), 3, 0); fi != -i-1 {
				t.Fatalf("object %d has index %d", i, fi)
			}
			if i%1000 == 0 {
				fr.CreateStackObject(int64(i), 0, 0)
			}
			if fr.Object(0) != at {
				at, moves = fr.Object(0), moves+1
			}
		}
		if moves > 120 {
			t.Errorf("10,000 fixed objects moved the others %d times", moves)
		}
		for i := range 10_000 {
			if o := fr.Object(-i - 1); o.Offset != int64(i) {
				t.Fatalf("fixed object %d has offset %d", i, o.Offset)
			}
			if i%1000 == 0 && fr.Object(1+i/1000).Size != int64(i) {
				t.Fatalf("object %d has size %d", 1+i/1000, fr.Object(1+i/1000).Size)
			}
		}
		f.Reset("g")
	}
}

func TestFrame(t *testing.T) {
	f := testFunc()
	fr := &f.Frame
	s := fr.CreateStackObject(8, 3, FrameSpill)
	x := fr.CreateFixedObject(4, 16, 4, FrameImmutable)
	y := fr.CreateFixedObject(8, 24, 3, 0)
	if s != 0 || x != -1 || y != -2 || fr.First() != -2 || fr.End() != 1 {
		t.Fatal(s, x, y, fr.First(), fr.End())
	}
	if fr.Object(x).Offset != 16 || fr.Object(y).Offset != 24 || fr.Object(s).Size != 8 {
		t.Fatal("frame indices name other objects")
	}
}

func TestReset(t *testing.T) {
	f := testFunc()
	b := f.AddBlock()
	f.Append(b, f.New(desc.COPY, RegOp(f.AddVReg(0), Def), RegOp(1, 0)))
	f.AddLiveIn(b, 1, AllLanes)
	f.Reset("g")
	b = f.AddBlock()
	if f.FirstUse(1) != 0 || f.Block(b).NumLiveIns() != 0 || f.Block(b).first != 0 || len(f.vregs) != 0 {
		t.Fatal("a reset function remembers")
	}
}

func TestLLT(t *testing.T) {
	for _, x := range []struct {
		t    LLT
		want string
		bits int
	}{{Scalar(1), "s1", 1}, {Scalar(8388607), "s8388607", 8388607}, {Pointer(0, 64), "p0", 64}, {Pointer(3, 32), "p3", 32},
		{Vector(4, Scalar(32)), "<4 x s32>", 128}, {ScalableVector(2, Pointer(1, 64)), "<vscale x 2 x p1>", 128}} {
		if s := x.t.String(); s != x.want || x.t.Bits() != x.bits {
			t.Errorf("%s with %d bits, want %s with %d", s, x.t.Bits(), x.want, x.bits)
		}
		if x.t.IsVector() && Vector(x.t.NumElems(), x.t.Elem()).Bits() != x.bits {
			t.Errorf("%s: element %s", x.want, x.t.Elem())
		}
	}
}

// TestMemIDsAppend: who appends to the memory operands of an instruction leaves
// those of the next one alone, which stand behind them.
func TestMemIDsAppend(t *testing.T) {
	f := testFunc()
	a, b := f.New(desc.COPY), f.New(desc.COPY)
	m := f.AddMem(MemOperand{Size: 4})
	f.SetMem(a, m)
	f.SetMem(b, m, f.AddMem(MemOperand{Size: 8}))
	want := slices.Clone(f.MemIDs(b))
	f.SetMem(a, append(f.MemIDs(a), 77, 78, 79)...)
	if got := f.MemIDs(b); !slices.Equal(got, want) {
		t.Errorf("memory operands %v, want %v", got, want)
	}
}

// Accesses to a stack object share memory operands while they mean the same.
func TestSlotMem(t *testing.T) {
	f := testFunc()
	a, b := f.Frame.CreateStackObject(8, 3, FrameSpill), f.Frame.CreateStackObject(8, 3, FrameSpill)
	mem := func(fi int, flags MemFlags) MemID {
		i := f.New(desc.COPY)
		f.SetSlotMem(i, fi, flags)
		if m := f.MemOf(i, 0); f.NumMem(i) != 1 || int(int32(m.Ptr)) != fi || m.Flags != flags || m.Size != f.Frame.Object(fi).Size {
			t.Errorf("the memory operand of object %d is %+v", fi, *m)
		}
		return f.MemIDs(i)[0]
	}
	load, store, other := mem(a, MemLoad), mem(a, MemStore), mem(b, MemLoad)
	if mem(a, MemLoad) != load || mem(a, MemStore) != store || mem(b, MemLoad) != other {
		t.Error("accesses that are the same have several memory operands")
	}
	f.Frame.Object(a).Size = 4
	if mem(a, MemLoad) == load {
		t.Error("an object of another size has the memory operand of the old one")
	}
}
