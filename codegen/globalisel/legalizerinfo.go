package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Action is what is done to an instruction that is not legal.
type Action uint8

// The actions, LLVM's names.
const (
	Legal Action = iota
	// WidenScalar makes a scalar wider, NarrowScalar cuts it into narrower parts.
	WidenScalar
	NarrowScalar
	// FewerElements does a vector operation element by element.
	FewerElements
	// Lower replaces the operation by simpler ones.
	Lower
	// Libcall calls the run-time library.
	Libcall
	// Custom calls LegalizerInfo.Custom.
	Custom
	// Unsupported is an error.
	Unsupported
)

// LegalizerInfo holds the legalization rules of a subtarget, by opcode.
// Instructions of opcodes without rules are not supported.
type LegalizerInfo struct {
	Rules map[desc.Opcode]*RuleSet
	// Custom legalizes instruction i, which it replaces or changes.
	Custom func(h *Helper, i mir.InstrID) error
	// Intrinsic legalizes G_INTRINSIC and its relatives; true when it did, false for those that stay.
	Intrinsic func(h *Helper, i mir.InstrID, name string) (bool, error)
	// Bool is the type that comparisons give.
	Bool mir.LLT
	// MaxInline is the greatest size of a memcpy, memmove or memset that
	// becomes loads and stores, by optimization level 0 and above.
	MaxInline [2]int64
	// Word is the size in bytes of the widest integer access that wider ones are
	// cut into; 0 means 8.
	Word int
	// LibcallName gives the library's name of an operation on a type, "" for
	// none; nil means the names of GCC's and C's libraries.
	LibcallName func(st *target.Subtarget, op desc.Opcode, t mir.LLT) string
}

// ruleKind is the form of a rule's condition.
type ruleKind uint8

const (
	always     ruleKind = iota
	oneOf               // type idx is in list
	pairOf              // types 0 and 1 are a pair of list
	narrowerOf          // scalar type idx has fewer bits than a
	widerOf             // scalar type idx has more bits than a
	notPow2             // scalar type idx has a number of bits that is no power of two
	isVector            // type idx is a vector
	when                // cond
)

// rule says what to do when its condition holds.
type rule struct {
	kind ruleKind
	act  Action
	idx  uint8
	a    mir.LLT
	list []mir.LLT
	cond func(q *Query) bool
}

// RuleSet is an ordered list of rules; the first that applies counts. Its
// methods append rules and return the set.
type RuleSet struct{ rules []rule }

// Query is what rules see of an instruction: its types by type index.
type Query struct {
	Op    desc.Opcode
	Types [6]mir.LLT
	F     *mir.Function
	I     mir.InstrID
}

func (in *LegalizerInfo) word() int {
	if in.Word == 0 {
		return 8
	}
	return in.Word
}

// Rules returns the set of an opcode, made when it is new; more opcodes share it.
func (in *LegalizerInfo) For(ops ...desc.Opcode) *RuleSet {
	if in.Rules == nil {
		in.Rules = map[desc.Opcode]*RuleSet{}
	}
	rs := new(RuleSet)
	for _, op := range ops {
		in.Rules[op] = rs
	}
	return rs
}

func (r *RuleSet) add(x rule) *RuleSet { r.rules = append(r.rules, x); return r }

// Legal makes types of index 0 legal, whatever the others.
func (r *RuleSet) Legal(types ...mir.LLT) *RuleSet {
	return r.add(rule{kind: oneOf, act: Legal, list: types})
}

// LegalAt makes types of index idx legal.
func (r *RuleSet) LegalAt(idx uint8, types ...mir.LLT) *RuleSet {
	return r.add(rule{kind: oneOf, act: Legal, idx: idx, list: types})
}

// LegalPairs makes pairs of types of index 0 and 1 legal.
func (r *RuleSet) LegalPairs(pairs ...mir.LLT) *RuleSet {
	return r.add(rule{kind: pairOf, act: Legal, list: pairs})
}

// LegalProduct makes all pairs of a type of as and one of bs legal.
func (r *RuleSet) LegalProduct(as, bs []mir.LLT) *RuleSet {
	var ps []mir.LLT
	for _, a := range as {
		for _, b := range bs {
			ps = append(ps, a, b)
		}
	}
	return r.LegalPairs(ps...)
}

// Scalarize does vectors of type index idx element by element.
func (r *RuleSet) Scalarize(idx uint8) *RuleSet {
	return r.add(rule{kind: isVector, act: FewerElements, idx: idx})
}

// MinScalar widens narrower scalars to t.
func (r *RuleSet) MinScalar(idx uint8, t mir.LLT) *RuleSet {
	return r.add(rule{kind: narrowerOf, act: WidenScalar, idx: idx, a: t})
}

// MaxScalar cuts wider scalars into parts of t.
func (r *RuleSet) MaxScalar(idx uint8, t mir.LLT) *RuleSet {
	return r.add(rule{kind: widerOf, act: NarrowScalar, idx: idx, a: t})
}

// Pow2 widens scalars to a power of two of bits.
func (r *RuleSet) Pow2(idx uint8) *RuleSet {
	return r.add(rule{kind: notPow2, act: WidenScalar, idx: idx})
}

// Clamp is Pow2, MinScalar and MaxScalar.
func (r *RuleSet) Clamp(idx uint8, lo, hi mir.LLT) *RuleSet {
	return r.MinScalar(idx, lo).MaxScalar(idx, hi).Pow2(idx)
}

// Wider does act when scalar idx has more bits than t.
func (r *RuleSet) Wider(idx uint8, t mir.LLT, act Action) *RuleSet {
	return r.add(rule{kind: widerOf, act: act, idx: idx, a: t})
}

// Narrower does act when scalar idx has fewer bits than t.
func (r *RuleSet) Narrower(idx uint8, t mir.LLT, act Action) *RuleSet {
	return r.add(rule{kind: narrowerOf, act: act, idx: idx, a: t})
}

// If does act when cond holds.
func (r *RuleSet) If(cond func(q *Query) bool, act Action) *RuleSet {
	return r.add(rule{kind: when, act: act, cond: cond})
}

// At does act for types of index idx.
func (r *RuleSet) At(idx uint8, act Action, types ...mir.LLT) *RuleSet {
	return r.add(rule{kind: oneOf, act: act, idx: idx, list: types})
}

// Else does act to what no rule before applies to.
func (r *RuleSet) Else(act Action) *RuleSet { return r.add(rule{kind: always, act: act}) }

// decision is the answer of the rules: what to do to which type index.
type decision struct {
	act Action
	idx int
	to  mir.LLT
}

// decide applies the rules.
func (r *RuleSet) decide(q *Query) decision {
	for k := range r.rules {
		x := &r.rules[k]
		t := q.Types[x.idx]
		switch x.kind {
		case always:
			return decision{act: x.act}
		case oneOf:
			for _, l := range x.list {
				if l == t {
					return decision{act: x.act, idx: int(x.idx), to: x.a}
				}
			}
		case pairOf:
			for j := 0; j < len(x.list); j += 2 {
				if x.list[j] == q.Types[0] && x.list[j+1] == q.Types[1] {
					return decision{act: x.act}
				}
			}
		case narrowerOf:
			if t.IsScalar() && t.ScalarBits() < x.a.ScalarBits() {
				return decision{x.act, int(x.idx), x.a}
			}
		case widerOf:
			if n := t.ScalarBits(); t.IsScalar() && n > x.a.ScalarBits() {
				w := x.a.ScalarBits()
				if x.act == NarrowScalar && n%w != 0 {
					return decision{WidenScalar, int(x.idx), mir.Scalar((n + w - 1) / w * w)}
				}
				return decision{x.act, int(x.idx), x.a}
			}
		case notPow2:
			if n := t.ScalarBits(); t.IsScalar() && n&(n-1) != 0 {
				return decision{x.act, int(x.idx), mir.Scalar(nextPow2(n))}
			}
		case isVector:
			if t.IsVector() {
				return decision{x.act, int(x.idx), t.Elem()}
			}
		case when:
			if x.cond(q) {
				return decision{act: x.act, idx: int(x.idx)}
			}
		}
	}
	return decision{act: Unsupported}
}

func nextPow2(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}
