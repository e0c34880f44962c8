package irprep

import (
	"math/bits"
	"slices"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/target"
)

// loopRec is a recurrence that the loop may have a PHI for.
type loopRec struct {
	expr    iranalysis.Expr
	stepReg int32    // the register of a step that is no number, -1
	setup   int32    // operations before the loop
	unk     unkRun   // what it reads
	first   unkRun   // what its start reads
	phi     ir.Value // once it is made
	inc     ir.Value
	start   ir.Value // what it was made of
	step    ir.Value
}

// loopInvariant is a value that the loop keeps in a register.
type loopInvariant struct {
	expr  iranalysis.Expr
	setup int32
}

// loopFormula computes what a use wants: scale times a recurrence (the low bits
// of it where that is wider) plus an invariant value plus a number. A
// comparison becomes one of the recurrence with the rest.
type loopFormula struct {
	rec    int32
	inv    int32 // in invs, -1: none
	scale  int64
	off    int64
	global ir.Value // in the address, instead of inv
	width  int      // of a comparison

	instrs, adds, scaled, imm int32
}

// maxUnknowns bounds how many different values one expression reads.
const maxUnknowns = 12

// unknowns notes what e, and other if there is one, read; values that are never
// poison are left out.
func (r *loopReducer) unknowns(e, other iranalysis.Expr) unkRun {
	from := len(r.unk)
	r.unk = r.se.AppendUnknowns(r.unk, e, maxUnknowns)
	if other != 0 {
		r.unk = r.se.AppendUnknowns(r.unk, other, maxUnknowns)
		slices.Sort(r.unk[from:])
	}
	tail := slices.DeleteFunc(r.unk[from:], func(x iranalysis.Expr) bool {
		v := r.se.Value(x)
		return v.Global() != 0 || v.Instr() != 0 && r.f.Instrs[v.Instr()].Op == ir.OpAlloca
	})
	r.unk = r.unk[:from+len(tail)]
	return unkRun{int32(from), int32(len(r.unk))}
}

// readsOnly reports whether all that a reads is among what b reads.
func (r *loopReducer) readsOnly(a, b unkRun) bool {
	for _, x := range r.unk[a.from:a.to] {
		if _, ok := slices.BinarySearch(r.unk[b.from:b.to], x); !ok {
			return false
		}
	}
	return true
}

// candidates lists the recurrences that the uses might be computed from and
// each use's formulae; false when a use has none.
func (r *loopReducer) candidates() bool {
	for k := range r.uses {
		u := &r.uses[k]
		u.unk = r.unknowns(u.expr, u.other)
		if u.unk.to-u.unk.from > 2*maxUnknowns || r.recOf(u.expr) < 0 {
			return false
		}
		u.first = r.unknowns(r.se.Ops(u.expr)[0], u.other)
	}
	for k := range r.forest {
		if v := r.forest[k]; v.i == v.root {
			r.recOf(r.recurs(v.i))
		}
	}
	for k := range r.uses {
		r.variants(&r.uses[k])
	}
	for k := range r.uses {
		u := &r.uses[k]
		u.forms.from = int32(len(r.forms))
		for n := range r.recs {
			r.formulae(u, int32(n))
		}
		u.forms.to = int32(len(r.forms))
		if u.forms.from == u.forms.to {
			return false
		}
		r.sortFormulae(r.forms[u.forms.from:u.forms.to])
	}
	return true
}

// recOf finds or adds a recurrence; -1 when there are too many or it cannot be made.
func (r *loopReducer) recOf(e iranalysis.Expr) int32 {
	for k := range r.recs {
		if r.recs[k].expr == e {
			return int32(k)
		}
	}
	if len(r.recs) >= maxLoopRecs || !r.interesting(e) {
		return -1
	}
	start, step := r.se.Ops(e)[0], r.se.Ops(e)[1]
	if !r.expandable(start) || !r.expandable(step) {
		return -1
	}
	if _, ok := r.pointerOf(start); !ok {
		return -1
	}
	c := loopRec{expr: e, stepReg: -1, setup: r.setup(start), unk: r.unknowns(e, 0), first: r.unknowns(start, 0)}
	if _, ok := r.se.Const(step); !ok {
		c.stepReg = r.invOf(step)
	}
	r.recs = append(r.recs, c)
	return int32(len(r.recs) - 1)
}

// invOf finds or adds an invariant value.
func (r *loopReducer) invOf(e iranalysis.Expr) int32 {
	for k := range r.invs {
		if r.invs[k].expr == e {
			return int32(k)
		}
	}
	r.invs = append(r.invs, loopInvariant{e, r.setup(e)})
	return int32(len(r.invs) - 1)
}

// setup counts the operations that compute e before the loop.
func (r *loopReducer) setup(e iranalysis.Expr) int32 {
	n := int32(0)
	switch r.se.Kind(e) {
	case iranalysis.ExprConst, iranalysis.ExprUnknown:
		return 0
	case iranalysis.ExprSum:
		n = int32(len(r.se.Ops(e))) - 1
		if c, _ := r.se.Sum(e); c != 0 {
			n++
		}
		for k := range r.se.Ops(e) {
			if r.se.Coef(e, k) != 1 {
				n++
			}
		}
	default:
		n = 1
	}
	for _, o := range r.se.Ops(e) {
		n += r.setup(o)
	}
	return n
}

// scales are the factors that addresses multiply an index by.
var scales = [...]int64{2, 4, 8}

// variants adds the recurrences that a use might be computed from: from 0, from
// its number without the pointer, those divided by a scale; a comparison's
// distance to the end.
func (r *loopReducer) variants(u *loopUse) {
	start, step := r.se.Ops(u.expr)[0], r.se.Ops(u.expr)[1]
	w := r.se.Width(u.expr)
	rec := func(start, step iranalysis.Expr) { r.recOf(r.se.Recurrence(start, step, r.loop)) }
	zero := r.se.Constant(w, 0)
	number := start
	if base, ok := r.pointerOf(start); ok && base != 0 {
		number = r.se.Sub(start, base)
	}
	rec(zero, step)
	rec(number, step)
	if _, rest := r.se.Split(number); rest != number {
		rec(rest, step)
	}
	switch u.kind {
	case addressUse:
		for _, k := range scales {
			s, ok := r.se.DivExact(step, k)
			if !ok {
				break
			}
			rec(zero, s)
			if n, ok := r.se.DivExact(number, k); ok {
				rec(n, s)
			}
		}
	case equalUse:
		if r.se.Width(u.other) == w {
			rec(r.se.Sub(u.other, start), r.se.MulConst(step, ^uint64(0)))
			rec(r.se.Sub(start, u.other), step)
		}
	}
}

// formulae adds the ways to compute a use from recurrence n.
func (r *loopReducer) formulae(u *loopUse, n int32) {
	rec := &r.recs[n]
	if u.kind == equalUse && r.st.Target.ISel.Prepare.Loops.KeepsCounters {
		was, _ := r.pointerOf(u.expr)
		if is, _ := r.pointerOf(rec.expr); was == 0 && is != 0 {
			return
		}
	}
	if u.kind == equalUse && u.exit && u.leavesEqual {
		r.countedExit(u, n)
	}
	// The first round need not read the step.
	if !r.readsOnly(rec.unk, u.unk) || !r.readsOnly(rec.first, u.first) {
		return
	}
	e := rec.expr
	switch w := r.se.Width(u.expr); {
	case r.se.Width(e) < w, r.se.Width(e) > w && u.kind == addressUse:
		return
	case r.se.Width(e) > w:
		if base, _ := r.pointerOf(e); base != 0 {
			return
		}
		if e = r.se.Truncate(e, w); !r.interesting(e) {
			return
		}
	}
	k, ok := r.ratio(u.expr, e)
	if !ok {
		return
	}
	d := r.se.Sub(u.expr, r.se.MulConst(e, uint64(k)))
	if !r.se.Invariant(d, r.loop) || !r.expandable(d) {
		return
	}
	switch u.kind {
	case addressUse:
		r.addressFormulae(u, n, k, d)
	case basicUse:
		if k != 1 || !r.onePointer(u, rec.expr, d) {
			return
		}
		f := loopFormula{rec: n, inv: -1, scale: 1}
		if c, ok := r.se.SignedConst(d); ok && r.st.LegalAddress(target.AddressMode{Base: true, Offset: c}) {
			f.off = c
		} else {
			f.inv = r.invOf(d)
		}
		if f.inv >= 0 || f.off != 0 {
			f.instrs, f.adds, f.imm = 1, 1, immBits(f.off)
		}
		r.forms = append(r.forms, f)
	case equalUse:
		// k*rec + d equals other when rec equals (other - d)/k.
		if k != 1 && k != -1 || r.se.Width(u.other) != r.se.Width(d) {
			return
		}
		d = r.se.Sub(u.other, d)
		if k < 0 {
			d = r.se.MulConst(d, ^uint64(0))
		}
		r.compareWith(n, d)
	}
}

// compareWith adds the formula that compares recurrence n with d.
func (r *loopReducer) compareWith(n int32, d iranalysis.Expr) {
	if !r.expandable(d) {
		return
	}
	if _, ok := r.pointerOf(d); !ok {
		return
	}
	f := loopFormula{rec: n, inv: -1, scale: 1, width: r.se.Width(d)}
	if c, ok := r.se.SignedConst(d); ok && r.comparesWith(c, f.width) {
		f.off, f.imm = c, immBits(c)
	} else {
		f.inv = r.invOf(d)
	}
	r.forms = append(r.forms, f)
}

// countedExit compares any recurrence with the value that it has when the loop
// ends, where the number of rounds is known: it is a new value in each of them
// if they do not go round the width.
func (r *loopReducer) countedExit(u *loopUse, n int32) {
	start, ok1 := r.se.SignedConst(r.se.Ops(u.expr)[0])
	step, ok2 := r.se.SignedConst(r.se.Ops(u.expr)[1])
	end, ok3 := r.se.SignedConst(u.other)
	e := r.recs[n].expr
	by, ok4 := r.se.SignedConst(r.se.Ops(e)[1])
	w := r.se.Width(u.expr)
	if !ok1 || !ok2 || !ok3 || !ok4 || e == u.expr || r.se.Width(e) < w || w > 63 && overflows(end, start) {
		return
	}
	diff := end - start
	if step == 0 || diff%step != 0 || diff/step <= 0 {
		return
	}
	rounds := diff / step
	if hi, lo := bits.Mul64(uint64(rounds), uint64(max(by, -by))); hi != 0 || lo >= 1<<(r.se.Width(e)-1) || by == -by {
		return
	}
	if !r.neverPoison(r.recs[n].unk) {
		return
	}
	r.compareWith(n, r.se.Add(r.se.Ops(e)[0], r.se.Constant(r.se.Width(e), rounds*by)))
}

// overflows reports whether a - b is no number of 64 bits.
func overflows(a, b int64) bool { return (a < 0) != (b < 0) && (a-b < 0) != (a < 0) }

// neverPoison reports whether each round that ends has an access to an address
// for which all of that is read: were it poison, there would be no meaning.
func (r *loopReducer) neverPoison(unk unkRun) bool {
	if unk.from == unk.to {
		return true
	}
	for k := range r.uses {
		if u := &r.uses[k]; u.kind == addressUse && u.sure && r.readsOnly(unk, u.first) {
			return true
		}
	}
	return false
}

// ratio is how many steps of b one of a is.
func (r *loopReducer) ratio(a, b iranalysis.Expr) (int64, bool) {
	sa, sb := r.se.Ops(a)[1], r.se.Ops(b)[1]
	if sa == sb {
		return 1, true
	}
	x, ok1 := r.se.SignedConst(sa)
	y, ok2 := r.se.SignedConst(sb)
	if ok1 && ok2 {
		if y == 0 || y == -1 && x == -x || x%y != 0 {
			return 0, false
		}
		return x / y, true
	}
	for _, k := range [...]int64{-1, 2, 4, 8} {
		if r.se.MulConst(sb, uint64(k)) == sa {
			return k, true
		}
	}
	return 0, false
}

// onePointer reports whether a pointer that a use wants is an offset from it
// still when it is computed of e and d: one of them has the pointer.
func (r *loopReducer) onePointer(u *loopUse, e, d iranalysis.Expr) bool {
	base, _ := r.pointerOf(u.expr)
	b1, ok1 := r.pointerOf(e)
	b2, ok2 := r.pointerOf(d)
	if !ok1 || !ok2 || b1 != 0 && b2 != 0 {
		return false
	}
	return r.t.Kind(u.typ) != ir.KindPointer || b1|b2 == base
}

// addressFormulae adds k times recurrence n plus d in the forms that accesses take in.
func (r *loopReducer) addressFormulae(u *loopUse, n int32, k int64, d iranalysis.Expr) {
	if k != 1 && !slices.Contains(scales[:], k) || !r.onePointer(u, r.recs[n].expr, d) {
		return
	}
	if base, _ := r.pointerOf(r.recs[n].expr); base != 0 && k != 1 {
		return
	}
	c, rest := r.se.Split(d)
	if !r.legalOffsets(u, target.AddressMode{Base: true}, c) {
		c, rest = 0, d
	}
	f := loopFormula{rec: n, inv: -1, scale: k, off: c}
	m := target.AddressMode{Base: true}
	if z, ok := r.se.Const(rest); !ok || z != 0 {
		if r.se.Kind(rest) == iranalysis.ExprUnknown {
			if g := r.se.Value(rest).Global(); g != 0 {
				m := target.AddressMode{Global: r.f.Module.Globals[g], Scale: k}
				if k == 1 {
					m.Base, m.Scale = true, 0
				}
				if r.legalOffsets(u, m, c) {
					f := f
					f.global, f.imm = r.se.Value(rest), 64
					if k != 1 {
						f.scaled = 1
					}
					r.forms = append(r.forms, f)
				}
			}
		}
		f.inv = r.invOf(rest)
		m.Scale = k
	} else if k != 1 {
		return // a pointer is none without its base
	}
	if !r.legalOffsets(u, m, c) {
		return
	}
	if m.Scale != 0 {
		f.scaled = 1
	}
	f.imm = immBits(c + u.lo)
	if u.hi != u.lo {
		f.imm += immBits(c + u.hi)
	}
	r.forms = append(r.forms, f)
}

// legalOffsets reports whether all fixups of a use can have an address with c added.
func (r *loopReducer) legalOffsets(u *loopUse, m target.AddressMode, c int64) bool {
	for _, o := range [...]int64{u.lo, u.hi} {
		m.Offset = c + o
		if overflows(c, -o) || !r.st.LegalAddress(m) {
			return false
		}
	}
	return true
}

// comparesWith reports whether a comparison has a number for nothing.
func (r *loopReducer) comparesWith(c int64, width int) bool {
	cost := r.st.Target.ISel.Prepare.ImmCost
	return c == 0 || cost != nil && cost(target.ImmediateUse{Op: ir.OpICmp, Operand: 1, Value: c, Bits: width}) == 0
}

// immBits is how many bits a signed number takes, 0 for 0.
func immBits(v int64) int32 {
	if v == 0 {
		return 0
	}
	return int32(bits.Len64(uint64(v^v>>63))) + 1
}
