package irprep

import (
	"github.com/mirin-go/mirin/ir"
)

// rewrite makes the recurrences of the choice, computes all uses from them, and
// takes out what nothing reads any more.
func (r *loopReducer) rewrite() {
	f := r.f
	r.c.Count("loop-reduce", "Number of loops strength reduced", 1)
	end := f.Terminator(r.latch)
	for k := range r.recs {
		r.recs[k].phi = 0
	}
	for k := range r.uses {
		r.makeRec(&r.recs[r.forms[r.solver.best[k]].rec], end)
	}
	if r.exitCompare != 0 {
		f.MoveBefore(r.exitCompare, end)
	}
	for k := range r.fixups {
		r.fix(&r.fixups[k])
	}
	r.drop()
}

// makeRec makes the PHI of a recurrence and, at the latch's end, its step. Different
// expressions can begin with the same value (offsets that add up to the address of one
// global): they are one recurrence.
func (r *loopReducer) makeRec(c *loopRec, end ir.InstrID) {
	if c.phi != 0 {
		return
	}
	f := r.f
	start := r.expand(r.se.Ops(c.expr)[0], true)
	step := r.expand(r.se.Ops(c.expr)[1], false)
	for k := range r.recs {
		if o := &r.recs[k]; o.phi != 0 && o.start == start && o.step == step {
			c.phi, c.inc = o.phi, o.inc
			return
		}
	}
	c.start, c.step = start, step
	t := f.TypeOf(start)
	phi := f.InsertBefore(f.Blocks[r.header].First, ir.Instr{Op: ir.OpPhi, Type: t})
	in := ir.Instr{Op: ir.OpAdd, Type: t}
	if r.t.Kind(t) == ir.KindPointer {
		in.Op, in.SrcType = ir.OpGEP, ir.Int8
	}
	c.phi = ir.Local(phi)
	c.inc = r.insert(end, in, c.phi, step)
	f.SetOps(phi, []ir.Value{start, ir.BlockVal(r.pre), c.inc, ir.BlockVal(r.latch)})
}

// fix makes an operand read what its use's formula computes.
func (r *loopReducer) fix(x *loopFixup) {
	f := r.f
	u := &r.uses[x.use]
	m := &r.forms[r.solver.best[x.use]]
	rec := &r.recs[m.rec]
	v := rec.phi
	if x.postInc {
		v = rec.inc
	}
	if u.kind == equalUse {
		r.fixCompare(x, m, v)
		return
	}
	at := x.user
	switch {
	case u.kind == addressUse || x.postInc && x.user == r.exitCompare:
	case x.inside && !x.postInc:
		// Where the value was computed: all that read it share it.
		if at = f.Instrs[x.val.Instr()].Next; f.Instrs[x.val.Instr()].Op == ir.OpPhi {
			at = r.firstPlace(r.header)
		}
		if w := r.fixedAlike(x, func(y *loopFixup) bool { return y.inside && !y.postInc }); w != 0 {
			f.SetOp(x.user, x.n, w)
			return
		}
	case f.Instrs[x.user].Op == ir.OpPhi:
		// A PHI has one value on all ways from one block.
		from := f.Op(x.user, x.n+1)
		at = f.Terminator(from.Block())
		if w := r.fixedAlike(x, func(y *loopFixup) bool { return y.user == x.user && f.Op(y.user, y.n+1) == from }); w != 0 {
			f.SetOp(x.user, x.n, w)
			return
		}
	}
	f.SetOp(x.user, x.n, r.compute(at, m, v, x.off, u.typ))
}

// fixedAlike is what a fixup before x that read the same value for the same use
// has now, 0 if there was none that is like x.
func (r *loopReducer) fixedAlike(x *loopFixup, like func(y *loopFixup) bool) ir.Value {
	for k := range r.fixups {
		y := &r.fixups[k]
		if y == x {
			break
		}
		if y.val == x.val && y.use == x.use && like(y) {
			return r.f.Op(y.user, y.n)
		}
	}
	return 0
}

// compute is the value of a formula whose recurrence is v, in front of at.
func (r *loopReducer) compute(at ir.InstrID, m *loopFormula, v ir.Value, off int64, t ir.Type) ir.Value {
	f := r.f
	isPtr := func(v ir.Value) bool { return r.t.Kind(f.TypeOf(v)) == ir.KindPointer }
	if r.t.Kind(t) == ir.KindInteger && !isPtr(v) {
		v = r.asType(at, v, t)
	}
	if m.scale != 1 {
		it := f.TypeOf(v)
		v = r.insert(at, ir.Instr{Op: ir.OpMul, Type: it}, v, r.int(it, m.scale))
	}
	add := func(v, w ir.Value) ir.Value {
		switch {
		case isPtr(v):
			return r.insert(at, ir.Instr{Op: ir.OpGEP, Type: f.TypeOf(v), SrcType: ir.Int8}, v, w)
		case isPtr(w):
			return r.insert(at, ir.Instr{Op: ir.OpGEP, Type: f.TypeOf(w), SrcType: ir.Int8}, w, v)
		}
		return r.insert(at, ir.Instr{Op: ir.OpAdd, Type: f.TypeOf(v)}, v, w)
	}
	switch {
	case m.global != 0:
		v = add(v, m.global)
	case m.inv >= 0:
		v = add(v, r.expand(r.invs[m.inv].expr, true))
	}
	if o := m.off + off; o != 0 {
		it := f.TypeOf(v)
		if isPtr(v) {
			it = r.t.Int(r.dl.IndexBits(r.t.AddrSpace(it)))
		}
		v = add(v, r.int(it, o))
	}
	return r.asType(at, v, t)
}

// fixCompare makes a comparison one of the recurrence's value v with what its
// use's formula has beside it.
func (r *loopReducer) fixCompare(x *loopFixup, m *loopFormula, v ir.Value) {
	f := r.f
	t := r.t.Int(m.width)
	var w ir.Value
	if m.inv >= 0 {
		w = r.expand(r.invs[m.inv].expr, true)
	} else {
		w = r.int(t, m.off)
	}
	if f.TypeOf(v) != f.TypeOf(w) {
		v = r.asType(x.user, v, t)
		w = r.asType(f.Terminator(r.pre), w, t)
	}
	f.SetOp(x.user, x.n, v)
	f.SetOp(x.user, 1-x.n, w)
	f.Instrs[x.user].Flags &^= ir.SameSign
}

// drop takes the old recurrences out. A PHI that a new one equals becomes that;
// debug records of the others say that their value is gone.
func (r *loopReducer) drop() {
	f := r.f
	for _, v := range r.forest {
		if f.Instrs[v.i].Op != ir.OpPhi {
			continue
		}
		e := r.recurs(v.i)
		for k := range r.recs {
			if c := &r.recs[k]; c.phi != 0 && c.expr == e && f.TypeOf(c.phi) == f.Instrs[v.i].Type {
				f.ReplaceAllUses(ir.Local(v.i), c.phi)
				break
			}
		}
	}
	// What is read by others than those that go stays, and what it reads.
	for k := range r.forest {
		r.place[r.forest[k].i] = int32(k + 1)
	}
	r.work = r.work[:0]
	for _, v := range r.forest {
		for u := range f.Uses(ir.Local(v.i)) {
			if int(u.I) >= len(r.place) || r.place[u.I] == 0 {
				r.work = append(r.work, v.i)
				break
			}
		}
	}
	for len(r.work) > 0 {
		i := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		if r.place[i] == 0 {
			continue
		}
		r.place[i] = 0
		for _, o := range f.Ops(i) {
			if d := o.Instr(); d != 0 && int(d) < len(r.place) && r.place[d] != 0 {
				r.work = append(r.work, d)
			}
		}
	}
	for k := len(r.forest) - 1; k >= 0; k-- {
		i := r.forest[k].i
		if r.place[i] == 0 || f.Instrs[i].Block == 0 {
			continue
		}
		if f.HasUses(ir.Local(i)) {
			f.ReplaceAllUses(ir.Local(i), ir.ConstVal(f.Consts.Plain(ir.ConstPoison, f.Instrs[i].Type)))
		}
		f.EraseWithOperands(i)
	}
}
