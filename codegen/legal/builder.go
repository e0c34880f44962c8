package legal

import (
	"fmt"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Builder collects the rules of a target.
type Builder struct {
	// Bool, MaxInline, Word, Aligned and MaxPieces are the Table's; Word is 8 unless it is set.
	Bool      mir.LLT
	MaxInline [2]int64
	Word      int
	Aligned   bool
	MaxPieces int
	// LoadsZeroExtend is the Table's.
	LoadsZeroExtend bool

	sets  [][]rule
	setOf []uint8
}

// rule is a rule as it is written.
type rule struct {
	conds []Cond
	act   Action
	idx   int
	mut   Mutation
}

// Set is an ordered list of rules; the first that applies counts. Its methods
// append rules and return the set.
type Set struct {
	b     *Builder
	n     int    // the set's number
	conds []Cond // of each rule to come
}

// For makes the set of opcodes that have none yet.
func (b *Builder) For(ops ...desc.Opcode) *Set {
	b.sets = append(b.sets, nil)
	if len(b.sets) > 255 {
		panic("legal: more than 255 sets of rules")
	}
	s := &Set{b: b, n: len(b.sets) - 1}
	for _, op := range ops {
		b.setSet(op, uint8(len(b.sets)))
	}
	return s
}

// Alias gives opcodes the rules of another.
func (b *Builder) Alias(of desc.Opcode, ops ...desc.Opcode) {
	if int(of) >= len(b.setOf) || b.setOf[of] == 0 {
		panic(fmt.Sprintf("legal: opcode %d has no rules", of))
	}
	for _, op := range ops {
		b.setSet(op, b.setOf[of])
	}
}

func (b *Builder) setSet(op desc.Opcode, n uint8) {
	for int(op) >= len(b.setOf) {
		b.setOf = append(b.setOf, 0)
	}
	if b.setOf[op] != 0 {
		panic(fmt.Sprintf("legal: two sets of rules for opcode %d", op))
	}
	b.setOf[op] = n
}

// With returns the set for rules that ask for more conditions: what is appended
// to it holds where the conditions hold, and stands in the same list.
func (s *Set) With(conds ...Cond) *Set {
	return &Set{b: s.b, n: s.n, conds: append(slices.Clone(s.conds), conds...)}
}

// To does act, with the type that m wants at idx, when all conditions hold.
func (s *Set) To(act Action, idx int, m Mutation, conds ...Cond) *Set {
	s.b.sets[s.n] = append(s.b.sets[s.n], rule{append(slices.Clone(s.conds), conds...), act, idx, m})
	return s
}

// If does act, which wants no type, when all conditions hold.
func (s *Set) If(act Action, conds ...Cond) *Set { return s.To(act, 0, Mutation{}, conds...) }

// Else does act to what no rule before applies to.
func (s *Set) Else(act Action) *Set { return s.If(act) }

// For does act to types of index 0.
func (s *Set) For(act Action, types ...mir.LLT) *Set { return s.If(act, TypeIs(0, types...)) }

// Legal makes types of index 0 legal, whatever the others.
func (s *Set) Legal(types ...mir.LLT) *Set { return s.For(Legal, types...) }

// LegalAt makes types of index idx legal.
func (s *Set) LegalAt(idx int, types ...mir.LLT) *Set { return s.If(Legal, TypeIs(idx, types...)) }

// LegalPairs makes pairs of types of index 0 and 1 legal.
func (s *Set) LegalPairs(pairs ...mir.LLT) *Set { return s.If(Legal, TypesAre(0, 1, pairs...)) }

// LegalProduct makes all pairs of a type of as and one of bs legal.
func (s *Set) LegalProduct(as, bs []mir.LLT) *Set {
	return s.If(Legal, TypeIs(0, as...), TypeIs(1, bs...))
}

// LegalMem makes memory accesses legal.
func (s *Set) LegalMem(list ...MemAccess) *Set { return s.If(Legal, MemIs(list...)) }

// Scalarize does vectors of type index idx element by element.
func (s *Set) Scalarize(idx int) *Set { return s.To(FewerElements, idx, ToElement(), IsVector(idx)) }

// MinScalar widens narrower scalars to t.
func (s *Set) MinScalar(idx int, t mir.LLT) *Set {
	return s.To(WidenScalar, idx, To(t), ScalarNarrower(idx, t.ScalarBits()))
}

// MaxScalar cuts wider scalars into parts of t; those that are no multiple are
// widened to one first.
func (s *Set) MaxScalar(idx int, t mir.LLT) *Set {
	n := t.ScalarBits()
	return s.To(WidenScalar, idx, BitsToMultiple(n), ScalarWider(idx, n), NotMultipleOf(idx, n)).
		To(NarrowScalar, idx, To(t), ScalarWider(idx, n))
}

// Pow2 widens scalars to a power of two of bits.
func (s *Set) Pow2(idx int) *Set { return s.To(WidenScalar, idx, BitsToPow2(0), SizeNotPow2(idx)) }

// Clamp is MinScalar, MaxScalar and Pow2.
func (s *Set) Clamp(idx int, lo, hi mir.LLT) *Set {
	return s.MinScalar(idx, lo).MaxScalar(idx, hi).Pow2(idx)
}

// MinScalarOrElt widens narrower scalars and elements to t.
func (s *Set) MinScalarOrElt(idx int, t mir.LLT) *Set {
	return s.To(WidenScalar, idx, EltTo(t), ScalarOrEltNarrower(idx, t.ScalarBits()))
}

// ElemsPow2 adds elements up to a power of two of them.
func (s *Set) ElemsPow2(idx int) *Set {
	return s.To(MoreElements, idx, ElemsToPow2(0), ElemsNotPow2(idx))
}

// MinElems adds elements to vectors of elements t that have fewer than n.
func (s *Set) MinElems(idx int, t mir.LLT, n int) *Set {
	return s.To(MoreElements, idx, CountTo(n), EltIs(idx, t), FewerThan(idx, n))
}

// MaxElems splits vectors of elements t that have more than n.
func (s *Set) MaxElems(idx int, t mir.LLT, n int) *Set {
	return s.To(FewerElements, idx, CountTo(n), EltIs(idx, t), MoreThan(idx, n))
}

// ClampElems is MinElems and MaxElems.
func (s *Set) ClampElems(idx int, t mir.LLT, lo, hi int) *Set {
	return s.MinElems(idx, t, lo).MaxElems(idx, t, hi)
}

// Table flattens the rules. It panics on rules that no query could answer:
// those of type indices that do not exist.
func (b *Builder) Table() *Table {
	t := &Table{Bool: b.Bool, MaxInline: b.MaxInline, Word: b.Word, Aligned: b.Aligned, MaxPieces: b.MaxPieces, LoadsZeroExtend: b.LoadsZeroExtend, setOf: slices.Clone(b.setOf)}
	if t.Word == 0 {
		t.Word = 8
	}
	for _, rules := range b.sets {
		t.sets = append(t.sets, setRow{first: uint16(len(t.rules)), n: uint16(len(rules))})
		for k := range rules {
			t.add(&rules[k])
		}
	}
	if len(t.rules) > 1<<16-1 || len(t.conds) > 1<<16-1 {
		panic("legal: more than 65535 rules or conditions")
	}
	return t
}

func (t *Table) add(r *rule) {
	if r.idx >= MaxTypes || len(r.conds) > 255 {
		panic(fmt.Sprintf("legal: type index %d, %d conditions", r.idx, len(r.conds)))
	}
	t.rules = append(t.rules, ruleRow{first: uint16(len(t.conds)), n: uint8(len(r.conds)), act: r.act, idx: uint8(r.idx),
		mut: r.mut.kind, from: r.mut.from, arg: r.mut.arg, to: r.mut.to})
	for _, c := range r.conds {
		row := c.row
		t.asksFloat = t.asksFloat || row.kind == condFloatValue
		switch {
		case c.feature != "":
			row.n = uint32(len(t.features))
			t.features = append(t.features, c.feature)
		case c.mems != nil:
			row.first, row.n = uint32(len(t.mems)), uint32(len(c.mems))
			for _, m := range c.mems {
				t.mems = append(t.mems, memRow{t0: m.Value, t1: m.Ptr, bits: uint32(m.Bits), align: uint8(log2(max(m.Align, 1)))})
			}
		case row.kind == condTypeIn || row.kind == condTypesIn || row.kind == condEltIs:
			row.first, row.n = uint32(len(t.types)), uint32(len(c.types))
			t.types = append(t.types, c.types...)
		}
		t.conds = append(t.conds, row)
	}
}

// Bind gives the table of a subtarget: rules whose features it lacks are left
// out, has tells of a feature whether it has it.
func (t *Table) Bind(has func(feature string) bool) *Table {
	if len(t.features) == 0 {
		return t
	}
	out := *t
	out.sets, out.rules, out.conds, out.features = slices.Clone(t.sets), nil, nil, nil
	for k, s := range t.sets {
		out.sets[k].first = uint16(len(out.rules))
	rules:
		for _, r := range t.rules[s.first : s.first+s.n] {
			first := len(out.conds)
			for _, c := range t.conds[r.first : int(r.first)+int(r.n)] {
				if c.kind != condFeature {
					out.conds = append(out.conds, c)
				} else if has(t.features[c.n]) == c.not {
					out.conds = out.conds[:first]
					continue rules
				}
			}
			r.first, r.n = uint16(first), uint8(len(out.conds)-first)
			out.rules = append(out.rules, r)
		}
		out.sets[k].n = uint16(len(out.rules)) - out.sets[k].first
	}
	return &out
}
