package regbank_test

import (
	"slices"
	"testing"

	"github.com/mirin-go/mirin/codegen/regbank"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

const (
	bankS desc.BankID = iota // scalars of 32 bits
	bankV                    // vectors of 128 bits, scalars of 64
	bankM                    // single bits, dear to reach
)

func table() *regbank.Table {
	b := regbank.New(bankS, regbank.Bank{Scalar: 32, Pointer: 32}, regbank.Bank{Scalar: 64, Vector: 128}, regbank.Bank{Scalar: 1})
	b.Copy(bankS, bankM, 7)
	b.Copy(bankV, bankM, regbank.Impossible)
	b.Map([]desc.Opcode{desc.G_FADD}, regbank.In(bankV))
	b.Map([]desc.Opcode{desc.G_AND, desc.G_OR}, regbank.In(bankS), regbank.Mapping{Cost: 3, Ops: []desc.BankID{bankV}})
	b.Map([]desc.Opcode{desc.G_LOAD}, regbank.In(bankS, bankS), regbank.In(bankV, bankS))
	b.Map([]desc.Opcode{desc.G_SELECT}, regbank.In(bankS, bankM, bankS), regbank.In(bankV, bankM, bankV))
	b.Map([]desc.Opcode{desc.G_MUL}, regbank.Mapping{Cost: 3, Ops: []desc.BankID{bankS}}, regbank.In(bankV))
	vec := b.Class(regbank.In(bankV))
	b.Intrinsics("x86.sse2.", vec)
	return b.Table()
}

func TestWishes(t *testing.T) {
	tab := table()
	for _, c := range [...]struct {
		op   desc.Opcode
		want []regbank.Wish
	}{
		{desc.G_ADD, []regbank.Wish{0, 0, 0}},
		{desc.G_FADD, []regbank.Wish{1, 1, 1}},
		{desc.G_AND, []regbank.Wish{regbank.Same, regbank.Same, regbank.Same}},
		{desc.G_LOAD, []regbank.Wish{regbank.Neutral, 0}},
		{desc.G_SELECT, []regbank.Wish{regbank.Same, 2, regbank.Same, regbank.Same}},
	} {
		var got []regbank.Wish
		for n := range c.want {
			got = append(got, tab.Wish(tab.ClassOf(c.op), n))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("opcode %d: wishes %v, want %v", c.op, got, c.want)
		}
	}
	for _, c := range [...]struct {
		op   desc.Opcode
		want bool
	}{{desc.G_ADD, true}, {desc.G_FADD, false}, {desc.G_AND, true}, {desc.G_LOAD, true}, {desc.G_SELECT, false}, {desc.G_MUL, false}} {
		if got := tab.Plain(tab.ClassOf(c.op)); got != c.want {
			t.Errorf("opcode %d: plain is %v, want %v", c.op, got, c.want)
		}
	}
	and := tab.ClassOf(desc.G_AND)
	if tab.NumMappings(and) != 2 || tab.Cost(and, 1) != 3 || tab.Saves(and, 0) != 2 || tab.Bank(and, 1, 5) != bankV {
		t.Error("the mappings of G_AND are not what was said")
	}
	if tab.ClassOfIntrinsic(ir.LookupIntrinsic("llvm.x86.sse2.pause")) == 0 || tab.ClassOfIntrinsic(ir.LookupIntrinsic("llvm.x86.sse3.mwait")) != 0 {
		t.Error("the prefix of intrinsics is not the one said")
	}
	for _, c := range [...]struct {
		from, to desc.BankID
		want     int
	}{{bankS, bankS, 0}, {bankS, bankV, 1}, {bankS, bankM, 7}, {bankM, bankS, 1}, {bankV, bankM, regbank.Impossible}} {
		if got := tab.CopyCost(c.from, c.to); got != c.want {
			t.Errorf("a copy from bank %d to %d costs %d, want %d", c.from, c.to, got, c.want)
		}
	}
}

func TestValueMapping(t *testing.T) {
	tab := table()
	s32, p0 := mir.Scalar(32), mir.Pointer(0, 32)
	for _, c := range [...]struct {
		bank desc.BankID
		ty   mir.LLT
		want []regbank.PartialMapping
	}{
		{bankS, s32, []regbank.PartialMapping{{0, 32, bankS}}},
		{bankS, mir.Scalar(96), []regbank.PartialMapping{{0, 32, bankS}, {32, 32, bankS}, {64, 32, bankS}}},
		{bankS, mir.Scalar(40), nil},
		{bankV, mir.Vector(8, s32), []regbank.PartialMapping{{0, 128, bankV}, {128, 128, bankV}}},
		{bankV, mir.Vector(3, s32), []regbank.PartialMapping{{0, 96, bankV}}},
		{bankV, mir.Vector(5, s32), nil},
		{bankV, p0, nil},
		{bankM, mir.Vector(2, s32), nil},
	} {
		if got := tab.ValueMapping(nil, c.bank, c.ty); !slices.Equal(got, c.want) {
			t.Errorf("%v in bank %d: %v, want %v", c.ty, c.bank, got, c.want)
		}
	}
	if got := tab.Holding(mir.Scalar(64)); got != 1<<bankV {
		t.Errorf("s64 is held by %b", got)
	}
	if got := tab.Holding(mir.Scalar(96)); got != 0 {
		t.Errorf("s96, which no bank holds in one register, by %b", got)
	}
}
