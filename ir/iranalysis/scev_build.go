package iranalysis

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// width is the number of bits of a type that expressions describe, 0 for others.
func (s *ScalarEvolution) width(t ir.Type) uint8 {
	switch s.t.Kind(t) {
	case ir.KindInteger:
		if w := s.t.IntBits(t); w <= 64 {
			return uint8(w)
		}
	case ir.KindPointer:
		if w := s.dl.IndexBits(s.t.AddrSpace(t)); w <= 64 {
			return uint8(w)
		}
	}
	return 0
}

// Of returns the expression of an integer of up to 64 bits or of a pointer, 0
// for other values.
func (s *ScalarEvolution) Of(v ir.Value) Expr {
	w := s.width(s.f.TypeOf(v))
	if w == 0 {
		return 0
	}
	if n, ok := s.f.Consts.SignedInt(s.t, v); ok {
		return s.constant(w, uint64(n))
	}
	if c := v.Const(); c != 0 && s.f.Consts.At(c).Kind == ir.ConstNull {
		return s.constant(w, 0)
	}
	i := v.Instr()
	if i == 0 {
		return s.unknown(w, s.sameConstant(v))
	}
	if int(i) >= len(s.of) {
		return s.unknown(w, v) // newer than the last Forget
	}
	if s.of[i] == 0 {
		if s.depth >= maxSCEVDepth {
			return s.unknown(w, v)
		}
		s.depth++
		e := s.instr(i, w)
		s.depth--
		s.of[i] = e
		s.trail = append(s.trail, i)
	}
	return s.of[i]
}

// sameConstant gives all constants that are the same place of a global one value.
func (s *ScalarEvolution) sameConstant(v ir.Value) ir.Value {
	c := v.Const()
	if c == 0 || s.f.Consts.At(c).Kind != ir.ConstExpr || s.f.Consts.At(c).Op != ir.OpGEP {
		return v
	}
	a := decompose(s.f, s.dl, v)
	if a.opaque {
		return v
	}
	at := place{a.base, a.off}
	first, seen := s.places[at]
	if !seen {
		s.places[at] = v
		return v
	}
	return first
}

func (s *ScalarEvolution) instr(i ir.InstrID, w uint8) Expr {
	f := s.f
	in := &f.Instrs[i]
	opaque := func() Expr { return s.unknown(w, ir.Local(i)) }
	op := func(n int) Expr { return s.Of(f.Op(i, n)) }
	switch in.Op {
	case ir.OpAdd:
		return s.Add(op(0), op(1))
	case ir.OpSub:
		return s.Sub(op(0), op(1))
	case ir.OpMul:
		return s.Mul(op(0), op(1))
	case ir.OpShl:
		if n, ok := f.Consts.SignedInt(s.t, f.Op(i, 1)); ok && n >= 0 && n < int64(w) {
			return s.MulConst(op(0), 1<<n)
		}
	case ir.OpOr:
		if in.Flags&ir.Disjoint != 0 {
			return s.Add(op(0), op(1))
		}
	case ir.OpXor:
		if n, ok := f.Consts.SignedInt(s.t, f.Op(i, 1)); ok && n == -1 {
			return s.Sub(s.constant(w, ^uint64(0)), op(0))
		}
	case ir.OpZExt, ir.OpSExt, ir.OpTrunc:
		kind := ExprTrunc
		switch in.Op {
		case ir.OpZExt:
			kind = ExprZExt
		case ir.OpSExt:
			kind = ExprSExt
		}
		if e := op(0); e != 0 {
			return s.cast(kind, e, w)
		}
	case ir.OpPtrToInt, ir.OpPtrToAddr, ir.OpIntToPtr:
		if e := op(0); e != 0 && s.rows[e].width >= w {
			return s.cast(ExprTrunc, e, w)
		}
	case ir.OpGEP:
		return s.address(i, w)
	case ir.OpPhi:
		return s.phi(i, w)
	case ir.OpCall:
		switch f.IntrinsicOf(i) {
		case ir.IntrUmax:
			return s.max(ExprUMax, op(0), op(1))
		case ir.IntrSmax:
			return s.max(ExprSMax, op(0), op(1))
		}
	}
	return opaque()
}

// address is base plus offsets.
func (s *ScalarEvolution) address(i ir.InstrID, w uint8) Expr {
	f := s.f
	a := address{base: f.Op(i, 0)}
	if s.t.IsVector(f.Instrs[i].Type) {
		return s.unknown(w, ir.Local(i))
	}
	if a.index(f, s.dl, i); a.opaque {
		return s.unknown(w, ir.Local(i))
	}
	var l linear
	l.c = uint64(a.off)
	s.accumulate(&l, s.Of(a.base), 1)
	for _, t := range a.terms {
		e := s.Of(t.v)
		switch {
		case e == 0:
			return s.unknown(w, ir.Local(i))
		case s.rows[e].width < w:
			e = s.cast(ExprSExt, e, w)
		case s.rows[e].width > w:
			e = s.cast(ExprTrunc, e, w)
		}
		s.accumulate(&l, e, uint64(t.scale))
	}
	return s.sum(w, &l)
}

// phi recognizes {start,+,step}: a phi of a loop's header whose value for the
// next round is itself plus something that does not change in the loop.
func (s *ScalarEvolution) phi(i ir.InstrID, w uint8) Expr {
	f := s.f
	self := s.unknown(w, ir.Local(i))
	b := int(f.Instrs[i].Block)
	if f.NumOps(i) == 2 {
		return s.Of(f.Op(i, 0))
	}
	if !s.loops.IsHeader(b) {
		return self
	}
	loop := s.loops.Loop[b]
	var start, next ir.Value
	for n := 0; n < f.NumOps(i); n += 2 {
		v := f.Op(i, n)
		p := &start
		if s.loops.Contains(int(loop), int(f.Op(i, n+1).Block())) {
			p = &next
		}
		if *p != 0 && *p != v {
			return self
		}
		*p = v
	}
	if start == 0 || next == 0 {
		return self
	}
	// While the next value is looked at, the phi stands for itself. What was
	// found meanwhile and contains that is forgotten.
	s.of[i] = self
	mark := len(s.trail)
	e := s.Of(next)
	kept := s.trail[:mark]
	for _, k := range s.trail[mark:] {
		if s.mentions(s.of[k], self) {
			s.of[k] = 0
		} else {
			kept = append(kept, k)
		}
	}
	s.trail = kept
	s.of[i] = 0
	var step linear
	s.accumulate(&step, e, 1)
	s.accumulate(&step, self, ^uint64(0))
	d := s.sum(w, &step)
	if s.mentions(d, self) || !s.Invariant(d, int(loop)) {
		return self
	}
	return s.addRec(w, s.Of(start), d, loop, s.stepFlags(next, i))
}

// stepFlags are NUW and NSW of the addition that makes a phi's next value.
func (s *ScalarEvolution) stepFlags(next ir.Value, phi ir.InstrID) ir.Flags {
	i := next.Instr()
	if i == 0 || s.f.Instrs[i].Op != ir.OpAdd || s.f.Op(i, 0).Instr() != phi && s.f.Op(i, 1).Instr() != phi {
		return 0
	}
	return s.f.Instrs[i].Flags & (ir.NUW | ir.NSW)
}

// mentions reports whether x is part of e.
func (s *ScalarEvolution) mentions(e, x Expr) bool {
	row := &s.rows[x]
	return s.any(e, func(r *exprRow) bool { return r == row })
}

func (s *ScalarEvolution) max(kind ExprKind, a, b Expr) Expr {
	w := s.rows[a].width
	x, ok1 := s.Const(a)
	y, ok2 := s.Const(b)
	sh := 64 - w
	switch {
	case a == b:
		return a
	case ok1 && ok2 && kind == ExprUMax:
		return s.constant(w, max(x, y))
	case ok1 && ok2:
		return s.constant(w, uint64(max(int64(x<<sh), int64(y<<sh))>>sh))
	case a > b:
		a, b = b, a
	}
	return s.add(exprRow{kind: kind, width: w}, []Expr{a, b}, nil)
}

// BackedgeTaken returns how often a loop goes back to its header, 0 when that
// is not known: the loop must have one exit, asked in every round, whose
// condition compares a recurrence with something that does not change.
func (s *ScalarEvolution) BackedgeTaken(loop int) Expr {
	exiting, out, n := -1, -1, 0
	s.loops.Exits(loop, func(_, from, to int) { exiting, out, n = from, to, n+1 })
	if n != 1 {
		return 0
	}
	h := int(s.loops.All[loop].Header)
	for _, p := range s.g.Preds(h) {
		if s.loops.Contains(loop, int(p)) && !s.dom.Dominates(exiting, int(p)) {
			return 0
		}
	}
	f := s.f
	t := f.Terminator(ir.BlockID(exiting))
	if f.Instrs[t].Op != ir.OpBr || f.NumOps(t) != 3 {
		return 0
	}
	c := f.Op(t, 0).Instr()
	if c == 0 || f.Instrs[c].Op != ir.OpICmp {
		return 0
	}
	p := f.Instrs[c].Pred
	if f.Op(t, 1).Block() == ir.BlockID(out) {
		p = p.Inverse()
	}
	x, y := s.Of(f.Op(c, 0)), s.Of(f.Op(c, 1))
	if x == 0 || y == 0 {
		return 0
	}
	if s.Invariant(x, loop) {
		x, y, p = y, x, p.Swapped()
	}
	return s.rounds(loop, p, x, y)
}

// rounds counts how often "x p y" holds one round after the other.
func (s *ScalarEvolution) rounds(loop int, p ir.Pred, x, y Expr) Expr {
	r := s.rows[x]
	if r.kind != ExprAddRec || int(r.loop) != loop || !s.Invariant(y, loop) {
		return 0
	}
	start, w := s.Ops(x)[0], r.width
	step, ok := s.Const(s.Ops(x)[1])
	if !ok {
		return 0
	}
	m := s.mask(w)
	switch p {
	case ir.ICmpNE:
		switch step {
		case 1:
			return s.Sub(y, start)
		case m:
			return s.Sub(start, y)
		}
		a, ok1 := s.Const(start)
		b, ok2 := s.Const(y)
		d := (b - a) & m
		switch {
		case ok1 && ok2 && d%step == 0:
			return s.constant(w, d/step)
		case ok1 && ok2 && -d&m%(-step&m) == 0:
			return s.constant(w, (-d&m)/(-step&m))
		}
		return 0
	case ir.ICmpULT, ir.ICmpSLT:
		keep, kind := ir.NUW, ExprUMax
		if p == ir.ICmpSLT {
			keep, kind = ir.NSW, ExprSMax
		}
		if step != 1 && (r.flags&keep == 0 || step > m>>1) {
			return 0 // the recurrence may jump over the end and go on
		}
		d := s.Sub(s.max(kind, y, start), start)
		if step == 1 {
			return d
		}
		if n, ok := s.Const(d); ok {
			return s.constant(w, (n+step-1)/step)
		}
	case ir.ICmpUGT, ir.ICmpSGT:
		// x > y with a falling x is -x-1 < -y-1 with a rising one, in the same order.
		flip := func(e Expr) Expr { return s.Sub(s.constant(w, m), e) }
		up := s.addRec(w, flip(start), s.constant(w, -step), r.loop, r.flags&ir.NSW)
		if s.rows[up].kind != ExprAddRec || -step&m > m>>1 {
			return 0
		}
		q := ir.ICmpULT
		if p == ir.ICmpSGT {
			q = ir.ICmpSLT
		}
		return s.rounds(loop, q, up, flip(y))
	}
	return 0
}

// AppendText appends an expression as LLVM writes it, as far as the forms are
// the same: {0,+,4}<%loop>. Sums have their constant first.
func (s *ScalarEvolution) AppendText(b []byte, e Expr) []byte {
	if e == 0 {
		return append(b, "***COULDNOTCOMPUTE***"...)
	}
	r := s.rows[e]
	list := func(b []byte, sep string) []byte {
		b = append(b, '(')
		for i, o := range s.Ops(e) {
			if i > 0 {
				b = append(b, sep...)
			}
			b = s.AppendText(b, o)
		}
		return append(b, ')')
	}
	cast := func(name string) []byte {
		b = append(b, "("+name+" i"...)
		b = strconv.AppendInt(b, int64(s.rows[s.Ops(e)[0]].width), 10)
		b = append(b, ' ')
		b = s.AppendText(b, s.Ops(e)[0])
		b = append(b, " to i"...)
		b = strconv.AppendInt(b, int64(r.width), 10)
		return append(b, ')')
	}
	switch r.kind {
	case ExprConst:
		sh := 64 - r.width
		return strconv.AppendInt(b, int64(r.val<<sh)>>sh, 10)
	case ExprUnknown:
		return s.appendValue(b, ir.Value(r.val))
	case ExprSum:
		return s.appendSum(b, e)
	case ExprProduct:
		return list(b, " * ")
	case ExprUMax:
		return list(b, " umax ")
	case ExprSMax:
		return list(b, " smax ")
	case ExprZExt:
		return cast("zext")
	case ExprSExt:
		return cast("sext")
	case ExprTrunc:
		return cast("trunc")
	}
	b = append(b, '{')
	b = s.AppendText(b, s.Ops(e)[0])
	b = append(b, ",+,"...)
	b = s.AppendText(b, s.Ops(e)[1])
	b = append(b, "}<%"...)
	b = append(b, s.f.BlockNames[s.loops.All[r.loop].Header]...)
	return append(b, '>')
}

func (s *ScalarEvolution) appendSum(b []byte, e Expr) []byte {
	r := s.rows[e]
	sh := 64 - r.width
	first := true
	plus := func() {
		if !first {
			b = append(b, " + "...)
		}
		first = false
	}
	b = append(b, '(')
	if r.val != 0 {
		plus()
		b = strconv.AppendInt(b, int64(r.val<<sh)>>sh, 10)
	}
	for i, o := range s.Ops(e) {
		plus()
		c := int64(s.coef[r.off+uint32(i)]<<sh) >> sh
		if c != 1 {
			b = append(b, '(')
			b = strconv.AppendInt(b, c, 10)
			b = append(b, " * "...)
		}
		b = s.AppendText(b, o)
		if c != 1 {
			b = append(b, ')')
		}
	}
	return append(b, ')')
}

func (s *ScalarEvolution) appendValue(b []byte, v ir.Value) []byte {
	if i := v.Instr(); i != 0 {
		b = append(b, '%')
		if n := s.f.ValueNames[i]; n != "" {
			return append(b, n...)
		}
		return strconv.AppendUint(append(b, "value"...), uint64(i), 10)
	}
	if g := v.Global(); g != 0 {
		return append(append(b, '@'), s.f.Module.Globals[g].Name...)
	}
	return append(b, "constant"...)
}
