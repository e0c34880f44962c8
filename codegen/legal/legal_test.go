package legal_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

var (
	s1, s8, s32, s64 = mir.Scalar(1), mir.Scalar(8), mir.Scalar(32), mir.Scalar(64)
	p0               = mir.Pointer(0, 64)
	v4s32            = mir.Vector(4, s32)
)

func table() *legal.Table {
	b := &legal.Builder{Bool: s8}
	b.For(desc.G_ADD).Legal(s32, s64, v4s32).ElemsPow2(0).ClampElems(0, s32, 4, 4).MinScalarOrElt(0, s32).Scalarize(0).Clamp(0, s32, s64)
	b.Alias(desc.G_ADD, desc.G_SUB)
	b.For(desc.G_CTPOP).With(legal.Feature("popcnt")).Legal(s32).With(legal.Not(legal.Feature("slow"))).Legal(s64)
	b.For(desc.G_LOAD).LegalMem(legal.MemAccess{Value: s32, Ptr: p0, Bits: 16, Align: 2}).
		If(legal.Libcall, legal.MemOrderAtLeast(1)).If(legal.Custom, legal.InAddrSpace(1, 3)).Else(legal.Lower)
	b.For(desc.G_AND).To(legal.Bitcast, 0, legal.ToElems(s64), legal.IsVector(0), legal.Not(legal.EltIs(0, s64)))
	b.For(desc.G_ZEXT).LegalPairs(s64, s32, s32, s8).To(legal.WidenScalar, 1, legal.EltOf(0), legal.LargerThan(0, 1))
	b.For(desc.G_SEXT_INREG).If(legal.Legal, legal.ImmIs(8))
	b.For(desc.G_FSHL).If(legal.Lower, legal.SameUses()).Legal(s32)
	return b.Table()
}

func TestDecide(t *testing.T) {
	v := mir.Vector
	tab := table().Bind(func(f string) bool { return f == "popcnt" })
	mem := func(size int64, align, order uint8) legal.Query {
		q := legal.Query{Op: desc.G_LOAD, HasMem: true, Mem: legal.Mem{Size: size, Align: align, Order: order}}
		q.Types = [legal.MaxTypes]mir.LLT{s32, p0}
		return q
	}
	in := func(q legal.Query, ptr mir.LLT) legal.Query { q.Types[1] = ptr; return q }
	of := func(op desc.Opcode, types ...mir.LLT) legal.Query {
		q := legal.Query{Op: op}
		copy(q.Types[:], types)
		return q
	}
	for _, c := range [...]struct {
		q    legal.Query
		want legal.Decision
	}{
		{of(desc.G_ADD, s64), legal.Decision{Act: legal.Legal}},
		{of(desc.G_SUB, v4s32), legal.Decision{Act: legal.Legal}},
		{of(desc.G_ADD, v(3, s32)), legal.Decision{Act: legal.MoreElements, To: v4s32}},
		{of(desc.G_ADD, v(2, s32)), legal.Decision{Act: legal.MoreElements, To: v4s32}},
		{of(desc.G_ADD, v(8, s32)), legal.Decision{Act: legal.FewerElements, To: v4s32}},
		{of(desc.G_ADD, v(8, s8)), legal.Decision{Act: legal.WidenScalar, To: v(8, s32)}},
		{of(desc.G_ADD, v(2, s64)), legal.Decision{Act: legal.FewerElements, To: s64}},
		{of(desc.G_ADD, s1), legal.Decision{Act: legal.WidenScalar, To: s32}},
		{of(desc.G_ADD, mir.Scalar(33)), legal.Decision{Act: legal.WidenScalar, To: s64}},
		{of(desc.G_ADD, mir.Scalar(65)), legal.Decision{Act: legal.WidenScalar, To: mir.Scalar(128)}},
		{of(desc.G_ADD, mir.Scalar(192)), legal.Decision{Act: legal.NarrowScalar, To: s64}},
		{of(desc.G_ADD, p0), legal.Decision{Act: legal.Unsupported}},
		{of(desc.G_MUL, s32), legal.Decision{Act: legal.NotFound}},
		{of(desc.G_CTPOP, s32), legal.Decision{Act: legal.Legal}},
		{of(desc.G_CTPOP, s64), legal.Decision{Act: legal.Legal}},
		{of(desc.G_CTPOP, s8), legal.Decision{Act: legal.Unsupported}},
		{of(desc.G_AND, v4s32), legal.Decision{Act: legal.Bitcast, To: v(2, s64)}},
		{of(desc.G_AND, v(2, s32)), legal.Decision{Act: legal.Bitcast, To: s64}},
		{of(desc.G_AND, v(2, s64)), legal.Decision{Act: legal.Unsupported}},
		{of(desc.G_ZEXT, s64, s32), legal.Decision{Act: legal.Legal}},
		{of(desc.G_ZEXT, s64, s8), legal.Decision{Act: legal.WidenScalar, Idx: 1, To: s64}},
		{mem(2, 1, 0), legal.Decision{Act: legal.Legal}},
		{mem(2, 0, 0), legal.Decision{Act: legal.Lower}},
		{mem(4, 2, 0), legal.Decision{Act: legal.Lower}},
		{mem(4, 2, 4), legal.Decision{Act: legal.Libcall}},
		{in(mem(2, 1, 0), mir.Pointer(3, 32)), legal.Decision{Act: legal.Custom}},
		{legal.Query{Op: desc.G_SEXT_INREG, Imm: 8}, legal.Decision{Act: legal.Legal}},
		{legal.Query{Op: desc.G_SEXT_INREG, Imm: 7}, legal.Decision{Act: legal.Unsupported}},
		{legal.Query{Op: desc.G_FSHL, SameUses: true}, legal.Decision{Act: legal.Lower}},
	} {
		if got := tab.Decide(&c.q); got != c.want {
			t.Errorf("%+v: %v %d %v, want %v %d %v", c.q, got.Act, got.Idx, got.To, c.want.Act, c.want.Idx, c.want.To)
		}
	}
}

// TestBind: rules of features that a subtarget lacks, or must lack, are not there.
func TestBind(t *testing.T) {
	tab := table()
	q := legal.Query{Op: desc.G_CTPOP, Types: [legal.MaxTypes]mir.LLT{s64}}
	for _, c := range [...]struct {
		features map[string]bool
		want     legal.Action
	}{
		{nil, legal.Unsupported},
		{map[string]bool{"popcnt": true}, legal.Legal},
		{map[string]bool{"popcnt": true, "slow": true}, legal.Unsupported},
	} {
		if got := tab.Bind(func(f string) bool { return c.features[f] }).Decide(&q).Act; got != c.want {
			t.Errorf("%v: %v, want %v", c.features, got, c.want)
		}
	}
}

// TestNoAllocation: queries are asked several times for each instruction.
func TestNoAllocation(t *testing.T) {
	tab := table().Bind(func(string) bool { return true })
	q := new(legal.Query)
	if n := testing.AllocsPerRun(100, func() {
		*q = legal.Query{Op: desc.G_ADD, Types: [legal.MaxTypes]mir.LLT{mir.Scalar(33)}}
		tab.Decide(q)
	}); n != 0 {
		t.Errorf("%v allocations a query", n)
	}
}

// TestRows: a decision reads a few of these rows, and the garbage collector none.
func TestRows(t *testing.T) {
	tab := reflect.TypeFor[legal.Table]()
	for name, size := range map[string]uintptr{"rules": 24, "conds": 12, "mems": 24, "sets": 4} {
		f, ok := tab.FieldByName(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		e := f.Type.Elem()
		if e.Size() != size {
			t.Errorf("a row of %s has %d bytes, want %d", name, e.Size(), size)
		}
		for k := range e.NumField() {
			if k := e.Field(k).Type.Kind(); k == reflect.Pointer || k == reflect.Slice || k == reflect.Func || k == reflect.String {
				t.Errorf("rows of %s hold pointers", name)
			}
		}
	}
	if n := unsafe.Sizeof(legal.Decision{}); n != 16 {
		t.Errorf("a decision has %d bytes", n)
	}
}

// TestTwoSets: an opcode whose rules stand in two places is a mistake.
func TestTwoSets(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	b := &legal.Builder{}
	b.For(desc.G_ADD).Legal(s32)
	b.For(desc.G_ADD).Legal(s64)
}
