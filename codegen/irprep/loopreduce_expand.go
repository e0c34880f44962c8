package irprep

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
)

// expansion is an expression that was computed before the loop.
type expansion struct {
	expr iranalysis.Expr
	ptr  bool
	v    ir.Value
}

// outerPhi is a PHI of a loop around from which a recurrence of that loop can
// be told: it is the recurrence, factor 0, or the recurrence is where it starts
// and factor times the distance of the PHI from its own start, a number. No PHI: none can.
type outerPhi struct {
	expr   iranalysis.Expr
	phi    ir.InstrID
	same   bool // with its flags
	factor iranalysis.Expr
	start  int64
}

// maxExpansion bounds the operations of an expression that is computed before a loop.
const maxExpansion = 24

// expandable reports whether an expression can be computed before the loop,
// which takes no more than arithmetic that always has a result.
func (r *loopReducer) expandable(e iranalysis.Expr) bool {
	left := maxExpansion
	return r.expandableIn(e, &left)
}

func (r *loopReducer) expandableIn(e iranalysis.Expr, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	switch r.se.Kind(e) {
	case iranalysis.ExprUnknown:
		v := r.se.Value(e)
		if !r.reducible(r.f.TypeOf(v)) {
			return false
		}
		i := v.Instr()
		return i == 0 || r.f.Instrs[i].Op == ir.OpArgument || r.dom.Dominates(int(r.f.Instrs[i].Block), int(r.pre))
	case iranalysis.ExprAddRec:
		m := r.se.Loop(e)
		if m == r.loop || !r.loops.Contains(m, int(r.header)) {
			return false
		}
		o := r.outerOf(e)
		if o.phi == 0 {
			return false
		}
		return o.factor == 0 || r.expandableIn(r.se.Ops(e)[0], left) && r.expandableIn(o.factor, left)
	}
	if !r.dl.IsNativeInt(r.se.Width(e)) {
		return false
	}
	for _, o := range r.se.Ops(e) {
		if !r.expandableIn(o, left) {
			return false
		}
	}
	return true
}

// outerOf finds what tells recurrence e of a loop around. It is asked before
// anything is rewritten and remembers the answer.
func (r *loopReducer) outerOf(e iranalysis.Expr) outerPhi {
	for _, o := range r.outer {
		if o.expr == e {
			return o
		}
	}
	o := r.findOuter(e)
	o.expr = e
	r.outer = append(r.outer, o)
	return o
}

func (r *loopReducer) findOuter(e iranalysis.Expr) (best outerPhi) {
	n := 0
	base, _ := r.pointerOf(e)
	for i := range r.f.Phis(ir.BlockID(r.loops.All[r.se.Loop(e)].Header)) {
		if n++; n > maxLoopPhis {
			break
		}
		t := r.f.Instrs[i].Type
		if !r.reducible(t) {
			continue
		}
		p := r.se.Of(ir.Local(i))
		// The PHI may be the number that a pointer is, or the pointer of a number.
		is := base == 0 || r.f.TypeOf(r.se.Value(base)) == t
		if is && p == e {
			return outerPhi{phi: i, same: true}
		}
		if p == 0 || r.se.Kind(p) != iranalysis.ExprAddRec || r.se.Loop(p) != r.se.Loop(e) || r.se.Width(p) != r.se.Width(e) || !r.unflag(i, false) {
			continue
		}
		if is && r.se.Plain(p) == r.se.Plain(e) {
			best = outerPhi{phi: i}
			continue
		}
		c, ok1 := r.se.SignedConst(r.se.Ops(p)[1])
		start, ok2 := r.se.SignedConst(r.se.Ops(p)[0])
		if best.phi == 0 && ok1 && ok2 && c > 0 && r.t.Kind(t) == ir.KindInteger {
			if m, ok := r.se.DivExact(r.se.Ops(e)[1], c); ok {
				best = outerPhi{phi: i, factor: m, start: start}
			}
		}
	}
	return best
}

// maxUnflagged bounds the instructions whose flags unflag drops.
const maxUnflagged = 8

// unflag makes a PHI of a loop around poison only where its first value is, by
// dropping the flags of what computes its next one; false when that is not easy.
// It changes nothing unless drop is set.
func (r *loopReducer) unflag(phi ir.InstrID, drop bool) bool {
	f := r.f
	x := r.loops.Loop[f.Instrs[phi].Block]
	var work [maxUnflagged]ir.InstrID
	n := 0
	add := func(v ir.Value) bool {
		i := v.Instr()
		if i == 0 || i == phi || f.Instrs[i].Op == ir.OpArgument || !r.loops.Contains(int(x), int(f.Instrs[i].Block)) {
			return true
		}
		if n == len(work) {
			return false
		}
		work[n] = i
		n++
		return true
	}
	for k := 0; k < f.NumOps(phi); k += 2 {
		if !add(f.Op(phi, k)) {
			return false
		}
	}
	for k := 0; k < n; k++ {
		i := work[k]
		switch f.Instrs[i].Op {
		case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpShl, ir.OpGEP, ir.OpTrunc:
		default:
			return false
		}
		if drop {
			f.Instrs[i].Flags &^= ir.NUW | ir.NSW | ir.InBounds | ir.NUSW
		}
		for _, v := range f.Ops(i) {
			if !add(v) {
				return false
			}
		}
	}
	return true
}

// expand computes an expression before the loop, as a pointer if it is an
// offset from one and ptr is set, else as a number.
func (r *loopReducer) expand(e iranalysis.Expr, ptr bool) ir.Value {
	base, _ := r.pointerOf(e)
	ptr = ptr && base != 0
	for _, x := range r.expanded {
		if x.expr == e && x.ptr == ptr {
			return x.v
		}
	}
	var v ir.Value
	if ptr {
		v = r.expandPointer(e, r.f.TypeOf(r.se.Value(base)))
	} else {
		v = r.expandNumber(e)
	}
	r.expanded = append(r.expanded, expansion{e, ptr, v})
	return v
}

// before adds an instruction at the end of the block before the loop.
func (r *loopReducer) before(in ir.Instr, ops ...ir.Value) ir.Value {
	return r.insert(r.f.Terminator(r.pre), in, ops...)
}

func (r *loopReducer) expandPointer(e iranalysis.Expr, t ir.Type) ir.Value {
	var from, rest iranalysis.Expr
	switch r.se.Kind(e) {
	case iranalysis.ExprUnknown:
		return r.se.Value(e)
	case iranalysis.ExprAddRec:
		o := r.outerOf(e)
		if o.factor == 0 {
			return r.outerValue(o)
		}
		d := r.outerDistance(o)
		return r.before(ir.Instr{Op: ir.OpGEP, Type: t, SrcType: ir.Int8}, r.expand(r.se.Ops(e)[0], true), d)
	}
	for k, o := range r.se.Ops(e) {
		if b, _ := r.pointerOf(o); b != 0 && r.se.Coef(e, k) == 1 {
			from, rest = o, r.se.Sub(e, o)
			break
		}
	}
	return r.before(ir.Instr{Op: ir.OpGEP, Type: t, SrcType: ir.Int8}, r.expand(from, true), r.expand(rest, false))
}

// outerValue is the PHI of a loop around that is a recurrence.
func (r *loopReducer) outerValue(o outerPhi) ir.Value {
	if !o.same {
		r.unflag(o.phi, true)
	}
	return ir.Local(o.phi)
}

// outerDistance is a factor times how far a PHI of a loop around is from its start.
func (r *loopReducer) outerDistance(o outerPhi) ir.Value {
	r.unflag(o.phi, true)
	v := ir.Local(o.phi)
	t := r.f.TypeOf(v)
	if o.start != 0 {
		v = r.before(ir.Instr{Op: ir.OpSub, Type: t}, v, r.int(t, o.start))
	}
	if c, ok := r.se.Const(o.factor); ok && c == 1 {
		return v
	}
	return r.before(ir.Instr{Op: ir.OpMul, Type: t}, v, r.expand(o.factor, false))
}

func (r *loopReducer) expandNumber(e iranalysis.Expr) ir.Value {
	t := r.t.Int(r.se.Width(e))
	ops := r.se.Ops(e)
	binary := func(op ir.Op, a, b ir.Value) ir.Value { return r.before(ir.Instr{Op: op, Type: t}, a, b) }
	switch r.se.Kind(e) {
	case iranalysis.ExprConst:
		c, _ := r.se.SignedConst(e)
		return r.int(t, c)
	case iranalysis.ExprUnknown:
		return r.asType(r.f.Terminator(r.pre), r.se.Value(e), t)
	case iranalysis.ExprSum:
		return r.expandSum(e, t)
	case iranalysis.ExprAddRec:
		o := r.outerOf(e)
		if o.factor == 0 {
			return r.asType(r.f.Terminator(r.pre), r.outerValue(o), t)
		}
		d := r.outerDistance(o)
		if c, ok := r.se.Const(ops[0]); ok && c == 0 {
			return d
		}
		return binary(ir.OpAdd, d, r.expand(ops[0], false))
	case iranalysis.ExprZExt:
		return r.before(ir.Instr{Op: ir.OpZExt, Type: t}, r.expand(ops[0], false))
	case iranalysis.ExprSExt:
		return r.before(ir.Instr{Op: ir.OpSExt, Type: t}, r.expand(ops[0], false))
	case iranalysis.ExprTrunc:
		return r.before(ir.Instr{Op: ir.OpTrunc, Type: t}, r.expand(ops[0], false))
	}
	v := r.expand(ops[0], false)
	for _, o := range ops[1:] {
		w := r.expand(o, false)
		if r.se.Kind(e) == iranalysis.ExprProduct {
			v = binary(ir.OpMul, v, w)
			continue
		}
		p := ir.ICmpUGT
		if r.se.Kind(e) == iranalysis.ExprSMax {
			p = ir.ICmpSGT
		}
		c := r.before(ir.Instr{Op: ir.OpICmp, Pred: p, Type: ir.Int1}, v, w)
		v = r.before(ir.Instr{Op: ir.OpSelect, Type: t}, c, v, w)
	}
	return v
}

// expandSum adds the terms that are added whole first, then those with a factor.
func (r *loopReducer) expandSum(e iranalysis.Expr, t ir.Type) ir.Value {
	var v ir.Value
	combine := func(op ir.Op, w ir.Value) {
		switch {
		case v == 0 && op == ir.OpSub:
			v = r.before(ir.Instr{Op: op, Type: t}, r.int(t, 0), w)
		case v == 0:
			v = w
		default:
			v = r.before(ir.Instr{Op: op, Type: t}, v, w)
		}
	}
	for k, o := range r.se.Ops(e) {
		if r.se.Coef(e, k) == 1 {
			combine(ir.OpAdd, r.expand(o, false))
		}
	}
	for k, o := range r.se.Ops(e) {
		switch c := r.se.Coef(e, k); c {
		case 1:
		case -1:
			combine(ir.OpSub, r.expand(o, false))
		default:
			combine(ir.OpAdd, r.before(ir.Instr{Op: ir.OpMul, Type: t}, r.expand(o, false), r.int(t, c)))
		}
	}
	if c, _ := r.se.Sum(e); c != 0 {
		combine(ir.OpAdd, r.int(t, int64(c)))
	}
	return v
}

// asType makes a number of a pointer, or of the low bits of a number, in front of at.
func (r *loopReducer) asType(at ir.InstrID, v ir.Value, t ir.Type) ir.Value {
	from := r.f.TypeOf(v)
	switch {
	case from == t:
		return v
	case r.t.Kind(from) == ir.KindPointer:
		v = r.insert(at, ir.Instr{Op: ir.OpPtrToInt, Type: t}, v)
	default:
		v = r.insert(at, ir.Instr{Op: ir.OpTrunc, Type: t}, v)
	}
	return v
}
