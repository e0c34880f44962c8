package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// randomFunction builds blocks that jump anywhere over a handful of virtual
// registers: whole and partial definitions, copies, reads of parts, calls.
func randomFunction(rng *rand.Rand, in *desc.Info, mask []uint32) *mir.Function {
	f := mir.NewFunction("random", in)
	nb, vs := 1+rng.IntN(9), make([]mir.Reg, 3+rng.IntN(9))
	for k := range vs {
		vs[k] = f.AddVReg(int16(tab.GR32RegClassID))
	}
	any := func() mir.Reg { return vs[rng.IntN(len(vs))] }
	blocks := make([]mir.BlockID, nb)
	for k := range blocks {
		blocks[k] = f.AddBlock()
	}
	for k, blk := range blocks {
		b := mir.Builder{F: f, Block: blk}
		if k == 0 {
			for n, v := range vs {
				if n > 0 && rng.IntN(8) == 0 {
					b.Build(desc.IMPLICIT_DEF, mir.RegOp(v, mir.Def))
				} else {
					b.Build(tab.MOV32ri, mir.RegOp(v, mir.Def), mir.ImmOp(1))
				}
			}
		}
		for range rng.IntN(9) {
			randomInstr(rng, &b, any, mask)
		}
		b.Copy(mir.Reg(tab.EAX), any())
		if k == nb-1 {
			break
		}
		f.AddSucc(blk, blocks[k+1])
		if to := blocks[rng.IntN(nb)]; to != blocks[k+1] {
			f.AddSucc(blk, to)
		}
	}
	return f
}

func randomInstr(rng *rand.Rand, b *mir.Builder, any func() mir.Reg, mask []uint32) {
	d := any()
	switch rng.IntN(8) {
	case 0, 1:
		b.Build(tab.ADD32rr, mir.RegOp(d, mir.Def), mir.RegOp(d, 0), mir.RegOp(any(), 0))
	case 2, 3:
		b.Copy(d, any())
	case 4:
		b.Build(tab.CALL64r, mir.RegOp(mir.Reg(tab.R11), 0), b.F.RegMask(mask), mir.RegOp(mir.Reg(tab.EAX), mir.Implicit|mir.Def))
	case 5:
		b.Build(tab.MOV8ri, mir.SubRegOp(d, uint16(tab.Sub8Bit), mir.Def|[]mir.OpFlags{0, mir.Undef}[rng.IntN(2)]), mir.ImmOp(7))
	case 6:
		b.Build(tab.MOVZX32rr8, mir.RegOp(d, mir.Def), mir.SubRegOp(any(), uint16(tab.Sub8Bit), 0))
	case 7:
		b.Build(tab.MOV32ri, mir.RegOp(d, mir.Def), mir.ImmOp(3))
	}
}

var (
	homes = []mir.Reg{mir.Reg(tab.EBX), mir.Reg(tab.EBP), mir.Reg(tab.R12D), mir.Reg(tab.R14D)}
	temps = []mir.Reg{mir.Reg(tab.EDX), mir.Reg(tab.ESI), mir.Reg(tab.R8D), mir.Reg(tab.R9D), mir.Reg(tab.R10D)}
)

// allocator is a right one of the simplest kind: a few virtual registers have a
// register of their own in all blocks, the others a slot, and within blocks
// values stay in the registers that they were loaded to.
type allocator struct {
	f     *mir.Function
	rng   *rand.Rand
	home  []mir.Reg         // by virtual register, 0: slot
	held  map[mir.Reg]int32 // virtual register + 1 by temporary
	block mir.BlockID
	added []mir.InstrID
}

func allocate(rng *rand.Rand, f *mir.Function) *allocator {
	a := &allocator{f: f, rng: rng, home: make([]mir.Reg, f.NumVRegs())}
	perm := rng.Perm(f.NumVRegs())
	for k := range min(rng.IntN(len(homes)+1), len(perm)) {
		a.home[perm[k]] = homes[k]
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		a.block, a.held = b, map[mir.Reg]int32{}
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			a.instr(i)
			i = next
		}
	}
	return a
}

func (a *allocator) insert(i mir.InstrID, op desc.Opcode, ops ...mir.Operand) {
	n := a.f.New(op, ops...)
	a.f.InsertBefore(a.block, i, n)
	a.added = append(a.added, n)
}

func address(v int) []mir.Operand {
	return []mir.Operand{mir.FrameOp(v), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(0, 0)}
}

// register returns the register of v for instruction i, where it is when read.
func (a *allocator) register(i mir.InstrID, v int, taken *[]mir.Reg, read bool) mir.Reg {
	if a.home[v] != 0 {
		return a.home[v]
	}
	for _, t := range temps {
		if a.held[t] == int32(v)+1 && (a.rng.IntN(4) > 0 || slices.Contains(*taken, t)) {
			*taken = append(*taken, t)
			return t
		}
	}
	t := temps[a.rng.IntN(len(temps))]
	for slices.Contains(*taken, t) {
		t = temps[a.rng.IntN(len(temps))]
	}
	*taken = append(*taken, t)
	a.held[t] = 0
	if read {
		a.insert(i, tab.MOV32rm, append([]mir.Operand{mir.RegOp(t, mir.Def)}, address(v)...)...)
		a.held[t] = int32(v) + 1
		if a.rng.IntN(6) == 0 {
			// By another register, as a split does.
			a.insert(i, desc.COPY, mir.RegOp(mir.Reg(tab.EDI), mir.Def), mir.RegOp(t, 0))
			a.insert(i, desc.COPY, mir.RegOp(t, mir.Def), mir.RegOp(mir.Reg(tab.EDI), 0))
		}
	}
	return t
}

func (a *allocator) instr(i mir.InstrID) {
	f := a.f
	var taken []mir.Reg
	given := map[int]mir.Reg{}
	defined := -1
	for _, defs := range []bool{false, true} {
		for k := range f.Ops(i) {
			o := *f.Op(i, k)
			if !o.IsReg() || !o.Reg().IsVirtual() || o.IsDef() != defs {
				continue
			}
			v := o.Reg().Index()
			t, ok := given[v]
			if !ok {
				t = a.register(i, v, &taken, o.IsUse() || o.SubReg() != 0 && !o.IsUndef())
				given[v] = t
			}
			if o.SubReg() != 0 {
				t = mir.Reg(f.Facts.SubReg(desc.PhysReg(t), desc.SubRegIdx(o.SubReg())))
			}
			f.SetReg(i, k, t)
			if defs {
				defined = v
			}
		}
	}
	for k := range f.Ops(i) {
		if f.Op(i, k).Kind() == mir.OpRegMask {
			clear(a.held)
		}
	}
	if defined < 0 || a.home[defined] != 0 {
		return
	}
	for t, v := range a.held {
		if v == int32(defined)+1 {
			delete(a.held, t)
		}
	}
	a.held[given[defined]] = int32(defined) + 1
	a.insert(f.Instr(i).Next(), tab.MOV32mr, append(address(defined), mir.RegOp(given[defined], 0))...)
}

// faults are what a wrong allocator does, one of each; false: there is no place for it.
var faults = []struct {
	name string
	do   func(a *allocator) bool
}{
	{"none", func(*allocator) bool { return true }},
	{"wrong register", func(a *allocator) bool {
		return a.pick(func(i mir.InstrID, k int) bool {
			o := a.f.Op(i, k)
			return o.IsReg() && slices.Contains(temps, o.Reg())
		}, func(i mir.InstrID, k int) {
			a.f.SetReg(i, k, slices.Concat(temps, homes)[a.rng.IntN(len(temps)+len(homes))])
		})
	}},
	{"clobbered lane", func(a *allocator) bool {
		return a.pick(func(mir.InstrID, int) bool { return true }, func(i mir.InstrID, _ int) {
			r := []desc.PhysReg{tab.BL, tab.BH, tab.BPL, tab.R12B, tab.DL, tab.DH, tab.R8B, tab.R8W}[a.rng.IntN(8)]
			a.f.InsertBefore(a.f.Instr(i).Block(), i, a.f.New(tab.MOV8ri, mir.RegOp(mir.Reg(r), mir.Def), mir.ImmOp(0)))
		})
	}},
	{"missing reload", func(a *allocator) bool { return a.drop(tab.MOV32rm) }},
	{"missing spill", func(a *allocator) bool { return a.drop(tab.MOV32mr) }},
	{"narrow reload", func(a *allocator) bool {
		return a.pickOp(tab.MOV32rm, func(i mir.InstrID) {
			r := *a.f.Op(i, 0)
			a.f.SetReg(i, 0, mir.Reg(a.f.Facts.SubReg(desc.PhysReg(r.Reg()), tab.Sub16Bit)))
		})
	}},
	{"swapped stores", func(a *allocator) bool { return a.swap(tab.MOV32mr, 0) }},
	{"swapped reloads", func(a *allocator) bool { return a.swap(tab.MOV32rm, 1) }},
	{"wrong copy", func(a *allocator) bool { return a.swap(desc.COPY, 1) }},
	{"call clobber", func(a *allocator) bool {
		// A register that calls do not preserve takes the place of one that they do.
		done := false
		for i := range a.all() {
			for k := range a.f.Ops(i) {
				if o := a.f.Op(i, k); o.IsReg() && o.Reg() == mir.Reg(tab.EBX) {
					a.f.SetReg(i, k, mir.Reg(tab.R11D))
					done = true
				}
			}
		}
		return done
	}},
}

func (a *allocator) all() func(func(mir.InstrID) bool) {
	f := a.f
	return func(yield func(mir.InstrID) bool) {
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
				if !yield(i) {
					return
				}
			}
		}
	}
}

func (a *allocator) pick(ok func(mir.InstrID, int) bool, do func(mir.InstrID, int)) bool {
	type at struct {
		i mir.InstrID
		k int
	}
	var l []at
	for i := range a.all() {
		for k := range a.f.Ops(i) {
			if ok(i, k) {
				l = append(l, at{i, k})
			}
		}
	}
	if len(l) == 0 {
		return false
	}
	x := l[a.rng.IntN(len(l))]
	do(x.i, x.k)
	return true
}

func (a *allocator) pickOp(op desc.Opcode, do func(mir.InstrID)) bool {
	return a.pick(func(i mir.InstrID, k int) bool { return k == 0 && a.f.Instr(i).Opcode == op }, func(i mir.InstrID, _ int) { do(i) })
}

func (a *allocator) drop(op desc.Opcode) bool {
	return a.pickOp(op, func(i mir.InstrID) { a.f.Erase(i) })
}

// swap exchanges operand k of two instructions.
func (a *allocator) swap(op desc.Opcode, k int) bool {
	var one mir.InstrID
	if !a.pickOp(op, func(i mir.InstrID) { one = i }) {
		return false
	}
	x := *a.f.Op(one, k)
	return a.pick(func(i mir.InstrID, n int) bool {
		return n == k && a.f.Instr(i).Opcode == op && *a.f.Op(i, k) != x
	}, func(i mir.InstrID, _ int) {
		y := *a.f.Op(i, k)
		a.f.ReplaceOp(i, k, x)
		a.f.ReplaceOp(one, k, y)
	})
}

// TestFaultsInRandomFunctions has both checkers say the same of right
// allocations and of wrong ones.
func TestFaultsInRandomFunctions(t *testing.T) {
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	mi, ok := in.RegMaskByName("csr_64")
	if !ok {
		t.Fatal("no register mask csr_64")
	}
	n := 600
	if testing.Short() {
		n = 200
	}
	for _, fault := range faults {
		done, caught := 0, 0
		for seed := range n {
			rng := rand.New(rand.NewPCG(uint64(seed), 9))
			f := randomFunction(rng, in, in.RegMask(mi))
			s, ref := Record(f), refRecord(f)
			a := allocate(rng, f)
			if !fault.do(a) {
				continue
			}
			done++
			got, want := fmt.Sprint(s.Verify(f)), fmt.Sprint(ref.Verify(f))
			if got != want {
				t.Fatalf("%s, seed %d:\n%s\nthe reference says\n%s", fault.name, seed, got, want)
			}
			if got != "[]" {
				caught++
			}
		}
		t.Logf("%s: %d of %d caught", fault.name, caught, done)
		if done < n/10 || (fault.name == "none") != (caught == 0) || caught > 0 && caught < done/8 {
			t.Errorf("%s: %d of %d caught", fault.name, caught, done)
		}
	}
}
