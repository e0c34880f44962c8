package iranalysis

import (
	"slices"

	"github.com/mirin-go/mirin/ir"
)

// signed is the number of a width that v stands for.
func signed(v uint64, w uint8) int64 {
	sh := 64 - w
	return int64(v<<sh) >> sh
}

// Constant is the expression of a number of a width of up to 64 bits.
func (s *ScalarEvolution) Constant(width int, v int64) Expr {
	return s.constant(uint8(width), uint64(v))
}

// SignedConst returns the number of an ExprConst with its sign.
func (s *ScalarEvolution) SignedConst(e Expr) (int64, bool) {
	r := &s.rows[e]
	return signed(r.val, r.width), r.kind == ExprConst
}

// Coef returns the coefficient of term k of an ExprSum with its sign.
func (s *ScalarEvolution) Coef(e Expr, k int) int64 {
	r := &s.rows[e]
	return signed(s.coef[r.off+uint32(k)], r.width)
}

// Recurrence is {start,+,step} of a loop in which neither changes, without
// flags: start where step is 0.
func (s *ScalarEvolution) Recurrence(start, step Expr, loop int) Expr {
	return s.addRec(s.rows[start].width, start, step, int32(loop), 0)
}

// Truncate is e modulo a power of two that is no greater.
func (s *ScalarEvolution) Truncate(e Expr, width int) Expr {
	return s.cast(ExprTrunc, e, uint8(width))
}

// Split takes e apart into a number and the rest. The number of a recurrence is
// that of its start, wherever it stands in a sum.
func (s *ScalarEvolution) Split(e Expr) (c int64, rest Expr) {
	w := s.rows[e].width
	n := s.number(e) & s.mask(w)
	if n == 0 {
		return 0, e
	}
	return signed(n, w), s.Sub(e, s.constant(w, n))
}

func (s *ScalarEvolution) number(e Expr) uint64 {
	r := s.rows[e]
	switch r.kind {
	case ExprConst:
		return r.val
	case ExprSum:
		n := r.val
		for k, t := range s.Ops(e) {
			if s.rows[t].kind == ExprAddRec {
				n += s.coef[r.off+uint32(k)] * s.number(t)
			}
		}
		return n
	case ExprAddRec:
		return s.number(s.Ops(e)[0])
	}
	return 0
}

// DivExact returns what k times gives e, with no more than arithmetic on its
// coefficients: k times the result is e whatever the parts are.
func (s *ScalarEvolution) DivExact(e Expr, k int64) (Expr, bool) {
	r := s.rows[e]
	switch r.kind {
	case ExprConst:
		c := signed(r.val, r.width)
		return s.constant(r.width, uint64(c/k)), c%k == 0
	case ExprSum:
		c := signed(r.val, r.width)
		if c%k != 0 {
			return 0, false
		}
		l := linear{c: uint64(c / k)}
		for i, t := range s.Ops(e) {
			n := s.Coef(e, i)
			if n%k != 0 {
				return 0, false
			}
			s.accumulate(&l, t, uint64(n/k))
		}
		return s.sum(r.width, &l), true
	case ExprAddRec:
		start, ok1 := s.DivExact(s.Ops(e)[0], k)
		step, ok2 := s.DivExact(s.Ops(e)[1], k)
		if ok1 && ok2 {
			return s.addRec(r.width, start, step, r.loop, 0), true
		}
	}
	return 0, false
}

// AppendUnknowns appends the ExprUnknowns that e is made of, each once, and
// limit+1 expressions at the most.
func (s *ScalarEvolution) AppendUnknowns(buf []Expr, e Expr, limit int) []Expr {
	n := len(buf)
	s.any(e, func(r *exprRow) bool {
		if r.kind == ExprUnknown {
			x := s.unknown(r.width, ir.Value(r.val))
			buf = append(buf, x)
		}
		return len(buf)-n > limit
	})
	slices.Sort(buf[n:])
	return buf
}

// Plain is a recurrence without its flags.
func (s *ScalarEvolution) Plain(e Expr) Expr {
	if r := s.rows[e]; r.kind == ExprAddRec && r.flags != 0 {
		return s.addRec(r.width, s.Ops(e)[0], s.Ops(e)[1], r.loop, 0)
	}
	return e
}
