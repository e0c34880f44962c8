package legal_test

import (
	"testing"

	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// TestMutations: what each mutation wants, of a rule that always holds.
func TestMutations(t *testing.T) {
	v, s := mir.Vector, mir.Scalar
	for _, c := range [...]struct {
		name  string
		m     legal.Mutation
		types [2]mir.LLT
		want  mir.LLT
	}{
		{"ToTypeOf", legal.ToTypeOf(1), [2]mir.LLT{s(8), v(2, s(64))}, v(2, s(64))},
		{"CountOf", legal.CountOf(1), [2]mir.LLT{v(3, s(8)), v(4, s(32))}, v(4, s(8))},
		{"CountOf a scalar", legal.CountOf(1), [2]mir.LLT{v(3, s(8)), s(32)}, s(8)},
		{"EltSizeOf", legal.EltSizeOf(1), [2]mir.LLT{v(4, s(8)), v(4, s(32))}, v(4, s(32))},
		{"EltSizeOf a pointer", legal.EltSizeOf(1), [2]mir.LLT{s(8), mir.Pointer(0, 64)}, s(64)},
		{"ElemsToMultiple", legal.ElemsToMultiple(4), [2]mir.LLT{v(5, s(16))}, v(8, s(16))},
		{"ElemsToMultiple of one", legal.ElemsToMultiple(4), [2]mir.LLT{v(4, s(16))}, v(4, s(16))},
		{"ToScalar", legal.ToScalar(), [2]mir.LLT{v(4, s(16))}, s(64)},
		{"BitsToPow2", legal.BitsToPow2(32), [2]mir.LLT{v(3, s(5))}, v(3, s(32))},
	} {
		b := &legal.Builder{}
		b.For(desc.G_ADD).To(legal.WidenScalar, 0, c.m)
		q := legal.Query{Op: desc.G_ADD}
		copy(q.Types[:], c.types[:])
		if got := b.Table().Decide(&q); got.To != c.want {
			t.Errorf("%s of %v: %v, want %v", c.name, c.types, got.To, c.want)
		}
	}
}

// TestConditions: what conditions hold of, and what not.
func TestConditions(t *testing.T) {
	v, s := mir.Vector, mir.Scalar
	types := func(ts ...mir.LLT) (q legal.Query) { copy(q.Types[:], ts); return }
	mem := func(size int64, align uint8) legal.Query {
		return legal.Query{HasMem: true, Mem: legal.Mem{Size: size, Align: align}}
	}
	for _, c := range [...]struct {
		name    string
		cond    legal.Cond
		yes, no legal.Query
	}{
		{"ElemsNotMultipleOf", legal.ElemsNotMultipleOf(0, 4), types(v(6, s(8))), types(v(8, s(8)))},
		{"SameSize", legal.SameSize(0, 1), types(v(2, s(32)), s(64)), types(s(32), s(64))},
		{"MemSizeNotPow2", legal.MemSizeNotPow2(), mem(3, 0), mem(4, 0)},
		{"MemAligned", legal.MemAligned(4), mem(8, 2), mem(8, 1)},
		{"ScalarOrEltNotPow2", legal.ScalarOrEltNotPow2(0), types(v(4, s(24))), types(v(3, s(32)))},
	} {
		b := &legal.Builder{}
		b.For(desc.G_ADD).If(legal.Lower, c.cond).Else(legal.Legal)
		tab := b.Table()
		c.yes.Op, c.no.Op = desc.G_ADD, desc.G_ADD
		if tab.Decide(&c.yes).Act != legal.Lower {
			t.Errorf("%s does not hold of %v %v", c.name, c.yes.Types, c.yes.Mem)
		}
		if tab.Decide(&c.no).Act != legal.Legal {
			t.Errorf("%s holds of %v %v", c.name, c.no.Types, c.no.Mem)
		}
	}
}
