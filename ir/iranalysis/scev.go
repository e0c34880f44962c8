package iranalysis

import (
	"slices"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/ir"
)

// Expr names an expression of a ScalarEvolution; equal expressions have equal
// names. 0 is none.
type Expr uint32

// ExprKind is the form of an expression.
type ExprKind uint8

// The forms. All numbers are integers of the expression's width, modulo its
// power of two; pointers count as integers.
const (
	ExprConst   ExprKind = iota + 1 // a number
	ExprUnknown                     // a value of the function that is not taken apart
	ExprSum                         // const + coefficients times terms that are no sums
	ExprProduct                     // of two or more terms that are no constants
	ExprAddRec                      // {start,+,step}<loop>: start in the first round, and step more in each that follows
	ExprZExt
	ExprSExt
	ExprTrunc
	ExprUMax
	ExprSMax
)

// exprRow is one expression; operands are a run of ops, coefficients of a sum
// a run of coef beside it.
type exprRow struct {
	kind  ExprKind
	width uint8
	flags ir.Flags // NUW, NSW of an ExprAddRec
	loop  int32
	val   uint64 // constant, or the constant part of a sum; ir.Value of an unknown
	off   uint32
	n     uint32
	same  Expr // the next row of this one's hash
}

// ScalarEvolution describes how the integers and addresses of a function
// change with its loops. It is good while the function does not change.
type ScalarEvolution struct {
	f     *ir.Function
	dl    *ir.DataLayout
	t     *ir.Types
	g     *analysis.Graph
	dom   *analysis.Dominators
	loops *analysis.Loops

	rows []exprRow
	ops  []Expr
	coef []uint64
	// index finds equal rows by hash, the first of a chain; of is the expression of each instruction.
	index map[uint64]Expr
	of    []Expr
	trail []ir.InstrID // in order, the instructions whose expression is known
	depth int
	// places are the addresses in globals that were met: constants can be equal without being one.
	places map[place]ir.Value
	// seen marks the expressions that any has met, by its stamp.
	seen  []uint32
	stamp uint32
	work  []Expr
}

// place is a number of bytes behind a global.
type place struct {
	base ir.Value
	off  int64
}

// maxSCEVDepth bounds how deep operands are taken apart.
const maxSCEVDepth = 64

// NewScalarEvolution prepares queries about f, whose graph and loops were computed before.
func NewScalarEvolution(f *ir.Function, dl *ir.DataLayout, g *analysis.Graph, dom *analysis.Dominators, loops *analysis.Loops) *ScalarEvolution {
	s := new(ScalarEvolution)
	s.Reset(f, dl, g, dom, loops)
	return s
}

// keptExprs is the number of expressions up to which the index of a function is
// emptied and used for the next.
const keptExprs = 1024

// Reset turns to another function, in the memory of the last.
func (s *ScalarEvolution) Reset(f *ir.Function, dl *ir.DataLayout, g *analysis.Graph, dom *analysis.Dominators, loops *analysis.Loops) {
	s.f, s.dl, s.t, s.g, s.dom, s.loops = f, dl, f.Module.Types, g, dom, loops
	if s.index == nil || len(s.rows) > keptExprs {
		s.index, s.places = map[uint64]Expr{}, map[place]ir.Value{}
	} else {
		clear(s.index)
		clear(s.places)
	}
	s.rows, s.ops, s.coef, s.trail = append(s.rows[:0], exprRow{}), s.ops[:0], s.coef[:0], s.trail[:0]
	s.of = append(s.of[:0], make([]Expr, len(f.Instrs))...)
}

// Forget makes queries true again after instructions of the function were
// changed, added or taken away; its blocks and edges are what they were.
// Expressions keep their names and meanings.
func (s *ScalarEvolution) Forget() {
	for _, i := range s.trail {
		s.of[i] = 0
	}
	s.trail = s.trail[:0]
	if n := len(s.f.Instrs) - len(s.of); n > 0 {
		s.of = append(s.of, make([]Expr, n)...)
	}
}

// Kind, Width and Loop describe an expression; Value is the value of an unknown.
func (s *ScalarEvolution) Kind(e Expr) ExprKind { return s.rows[e].kind }

// Width returns the number of bits.
func (s *ScalarEvolution) Width(e Expr) int { return int(s.rows[e].width) }

// Loop returns the loop of an ExprAddRec.
func (s *ScalarEvolution) Loop(e Expr) int { return int(s.rows[e].loop) }

// Value returns the value of an ExprUnknown.
func (s *ScalarEvolution) Value(e Expr) ir.Value { return ir.Value(s.rows[e].val) }

// Flags returns NUW and NSW of an ExprAddRec.
func (s *ScalarEvolution) Flags(e Expr) ir.Flags { return s.rows[e].flags }

// Ops returns the operands: start and step of an ExprAddRec, the terms of a sum.
func (s *ScalarEvolution) Ops(e Expr) []Expr {
	r := &s.rows[e]
	return s.ops[r.off : r.off+r.n : r.off+r.n]
}

// Sum returns the constant part and the coefficients of an ExprSum, beside Ops.
func (s *ScalarEvolution) Sum(e Expr) (c uint64, coef []uint64) {
	r := &s.rows[e]
	return r.val, s.coef[r.off : r.off+r.n : r.off+r.n]
}

// Const returns the number of an ExprConst.
func (s *ScalarEvolution) Const(e Expr) (uint64, bool) {
	return s.rows[e].val, s.rows[e].kind == ExprConst
}

func (s *ScalarEvolution) mask(w uint8) uint64 { return ^uint64(0) >> (64 - w) }

// add finds or makes an expression.
func (s *ScalarEvolution) add(r exprRow, ops []Expr, coef []uint64) Expr {
	h := uint64(r.kind)*0x9e3779b97f4a7c15 ^ uint64(r.width)<<32 ^ r.val*0xff51afd7ed558ccd ^ uint64(uint32(r.loop))<<40 ^ uint64(r.flags)<<24
	for k, o := range ops {
		h = (h ^ uint64(o)) * 0x100000001b3
		if coef != nil {
			h = (h ^ coef[k]) * 0x9e3779b97f4a7c15
		}
	}
	first := s.index[h]
	for e := first; e != 0; e = s.rows[e].same {
		q := &s.rows[e]
		if q.kind == r.kind && q.width == r.width && q.val == r.val && q.loop == r.loop && q.flags == r.flags && slices.Equal(s.Ops(e), ops) &&
			(coef == nil || slices.Equal(s.coef[q.off:q.off+q.n], coef)) {
			return e
		}
	}
	r.off, r.n, r.same = uint32(len(s.ops)), uint32(len(ops)), first
	s.ops = append(s.ops, ops...)
	if coef != nil {
		s.coef = append(s.coef, coef...)
	} else {
		for range ops {
			s.coef = append(s.coef, 0)
		}
	}
	e := Expr(len(s.rows))
	s.rows = append(s.rows, r)
	s.index[h] = e
	return e
}

func (s *ScalarEvolution) constant(w uint8, v uint64) Expr {
	return s.add(exprRow{kind: ExprConst, width: w, val: v & s.mask(w)}, nil, nil)
}

func (s *ScalarEvolution) unknown(w uint8, v ir.Value) Expr {
	return s.add(exprRow{kind: ExprUnknown, width: w, val: uint64(v)}, nil, nil)
}

// linear is a sum while it is put together.
type linear struct {
	c     uint64
	terms []Expr
	coef  []uint64
}

// accumulate adds k times e.
func (s *ScalarEvolution) accumulate(l *linear, e Expr, k uint64) {
	r := s.rows[e]
	switch r.kind {
	case ExprConst:
		l.c += k * r.val
	case ExprSum:
		l.c += k * r.val
		for i, t := range s.Ops(e) {
			s.accumulate(l, t, k*s.coef[r.off+uint32(i)])
		}
	default:
		if i := slices.Index(l.terms, e); i >= 0 {
			l.coef[i] += k
			return
		}
		l.terms, l.coef = append(l.terms, e), append(l.coef, k)
	}
}

// sum makes an expression of a linear form: recurrences of one loop become
// one, and take up everything that does not change in their loop.
func (s *ScalarEvolution) sum(w uint8, l *linear) Expr {
	m := s.mask(w)
	inner := -1 // the recurrence of the innermost loop
	for i, t := range l.terms {
		if l.coef[i]&m != 0 && s.rows[t].kind == ExprAddRec && (inner < 0 || s.rows[t].loop > s.rows[l.terms[inner]].loop) {
			inner = i
		}
	}
	if inner >= 0 && (len(l.terms) > 1 || l.c&m != 0 || l.coef[inner]&m != 1) {
		loop := s.rows[l.terms[inner]].loop
		var start, step, rest linear
		start.c = l.c
		for i, t := range l.terms {
			switch {
			case s.rows[t].kind == ExprAddRec && s.rows[t].loop == loop:
				s.accumulate(&start, s.Ops(t)[0], l.coef[i])
				s.accumulate(&step, s.Ops(t)[1], l.coef[i])
			case s.Invariant(t, int(loop)):
				s.accumulate(&start, t, l.coef[i])
			default:
				s.accumulate(&rest, t, l.coef[i])
			}
		}
		rec := s.addRec(w, s.sum(w, &start), s.sum(w, &step), loop, 0)
		if len(rest.terms) == 0 {
			return rec
		}
		rest.terms, rest.coef = append(rest.terms, rec), append(rest.coef, 1)
		return s.finishSum(w, &rest)
	}
	return s.finishSum(w, l)
}

func (s *ScalarEvolution) finishSum(w uint8, l *linear) Expr {
	m := s.mask(w)
	n := 0
	for i := range l.terms {
		if c := l.coef[i] & m; c != 0 {
			l.terms[n], l.coef[n] = l.terms[i], c
			n++
		}
	}
	l.terms, l.coef = l.terms[:n], l.coef[:n]
	switch {
	case n == 0:
		return s.constant(w, l.c)
	case n == 1 && l.coef[0] == 1 && l.c&m == 0:
		return l.terms[0]
	}
	for i := 1; i < n; i++ { // by name: few terms
		for j := i; j > 0 && l.terms[j] < l.terms[j-1]; j-- {
			l.terms[j], l.terms[j-1] = l.terms[j-1], l.terms[j]
			l.coef[j], l.coef[j-1] = l.coef[j-1], l.coef[j]
		}
	}
	return s.add(exprRow{kind: ExprSum, width: w, val: l.c & m}, l.terms, l.coef)
}

func (s *ScalarEvolution) addRec(w uint8, start, step Expr, loop int32, fl ir.Flags) Expr {
	if c, ok := s.Const(step); ok && c == 0 {
		return start
	}
	return s.add(exprRow{kind: ExprAddRec, width: w, loop: loop, flags: fl}, []Expr{start, step}, nil)
}

// Add returns a + b, Sub a - b, MulConst k times a.
func (s *ScalarEvolution) Add(a, b Expr) Expr {
	var l linear
	s.accumulate(&l, a, 1)
	s.accumulate(&l, b, 1)
	return s.sum(s.rows[a].width, &l)
}

// Sub returns a - b.
func (s *ScalarEvolution) Sub(a, b Expr) Expr {
	var l linear
	s.accumulate(&l, a, 1)
	s.accumulate(&l, b, ^uint64(0))
	return s.sum(s.rows[a].width, &l)
}

// MulConst returns k times a.
func (s *ScalarEvolution) MulConst(a Expr, k uint64) Expr {
	var l linear
	s.accumulate(&l, a, k)
	return s.sum(s.rows[a].width, &l)
}

// Mul returns a times b.
func (s *ScalarEvolution) Mul(a, b Expr) Expr {
	if c, ok := s.Const(a); ok {
		return s.MulConst(b, c)
	}
	if c, ok := s.Const(b); ok {
		return s.MulConst(a, c)
	}
	w := s.rows[a].width
	// A recurrence times what does not change in its loop is a recurrence.
	for range 2 {
		if r := s.rows[a]; r.kind == ExprAddRec && s.Invariant(b, int(r.loop)) {
			ops := s.Ops(a)
			return s.addRec(w, s.Mul(ops[0], b), s.Mul(ops[1], b), r.loop, 0)
		}
		a, b = b, a
	}
	if a > b {
		a, b = b, a
	}
	return s.add(exprRow{kind: ExprProduct, width: w}, []Expr{a, b}, nil)
}

// cast widens or narrows.
func (s *ScalarEvolution) cast(kind ExprKind, e Expr, w uint8) Expr {
	r := s.rows[e]
	if r.width == w {
		return e
	}
	if r.kind == ExprConst {
		v := r.val
		if kind == ExprSExt {
			sh := 64 - r.width
			v = uint64(int64(v<<sh) >> sh)
		}
		return s.constant(w, v)
	}
	switch kind {
	case ExprTrunc:
		switch r.kind {
		case ExprAddRec:
			return s.addRec(w, s.cast(kind, s.Ops(e)[0], w), s.cast(kind, s.Ops(e)[1], w), r.loop, 0)
		case ExprSum:
			l := linear{c: r.val}
			for i, t := range s.Ops(e) {
				s.accumulate(&l, s.cast(kind, t, w), s.coef[r.off+uint32(i)])
			}
			return s.sum(w, &l)
		case ExprZExt, ExprSExt:
			in := s.Ops(e)[0]
			if s.rows[in].width >= w {
				return s.cast(ExprTrunc, in, w)
			}
			return s.cast(r.kind, in, w)
		}
	case ExprZExt, ExprSExt:
		keep, stepKind := ir.NUW, ExprZExt
		if kind == ExprSExt {
			keep, stepKind = ir.NSW, ExprSExt
		}
		if r.kind == ExprAddRec && r.flags&keep != 0 {
			return s.addRec(w, s.cast(kind, s.Ops(e)[0], w), s.cast(stepKind, s.Ops(e)[1], w), r.loop, keep|ir.NSW)
		}
	}
	return s.add(exprRow{kind: kind, width: w}, []Expr{e}, nil)
}

// Invariant reports whether an expression has one value in all rounds of a loop.
func (s *ScalarEvolution) Invariant(e Expr, loop int) bool {
	return !s.any(e, func(r *exprRow) bool {
		switch r.kind {
		case ExprUnknown:
			i := ir.Value(r.val).Instr()
			return i != 0 && s.f.Instrs[i].Op != ir.OpArgument && s.loops.Contains(loop, int(s.f.Instrs[i].Block))
		case ExprAddRec:
			// A recurrence of another loop stands still in this one if that loop is around it.
			return int(r.loop) == loop || !s.loops.Contains(int(r.loop), int(s.loops.All[loop].Header))
		}
		return false
	})
}

// any reports whether a part of e satisfies f; each part is asked once, since
// expressions share parts.
func (s *ScalarEvolution) any(e Expr, f func(*exprRow) bool) bool {
	s.stamp++
	for len(s.seen) < len(s.rows) {
		s.seen = append(s.seen, 0)
	}
	work := append(s.work[:0], e)
	found := false
	for len(work) > 0 && !found {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if s.seen[x] == s.stamp {
			continue
		}
		s.seen[x] = s.stamp
		found = f(&s.rows[x])
		work = append(work, s.Ops(x)...)
	}
	s.work = work
	return found
}
