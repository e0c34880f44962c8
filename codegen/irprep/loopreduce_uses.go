package irprep

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/target"
)

// useKind is what reads a recurrence.
type useKind uint8

const (
	basicUse   useKind = iota // anything: the value is wanted
	addressUse                // an access, which computes base + scale*index + offset
	equalUse                  // icmp eq, ne with what does not change in the loop (LLVM's ICmpZero)
)

// loopUse is what one or several operands want: values that differ in a
// constant at most, for accesses, and are the same otherwise.
type loopUse struct {
	kind useKind
	// exit: the comparison ends the loop, when it finds both equal if leavesEqual.
	exit, leavesEqual bool
	// sure: the use is reached in each round that comes to the latch.
	sure bool
	typ  ir.Type
	// expr is {start,+,step} of the loop, in terms of the values before the step;
	// other what it is compared with.
	expr, other iranalysis.Expr
	lo, hi      int64 // least and greatest of the fixups' offsets
	root        ir.InstrID
	unk, first  unkRun // what it reads in some round, in the first one
	forms       formRun
}

// unkRun and formRun are parts of loopReducer.unk and forms.
type (
	unkRun  struct{ from, to int32 }
	formRun struct{ from, to int32 }
)

// loopFixup is an operand that reads a recurrence.
type loopFixup struct {
	user    ir.InstrID
	n       int // the operand
	use     int
	off     int64
	val     ir.Value // what it reads now
	postInc bool     // the value is read after the step at the latch's end
	inside  bool     // it is read in the loop or, by a PHI, on the way out
}

// interesting reports a recurrence of the loop with a first value and a step
// that can be computed before it.
func (r *loopReducer) interesting(e iranalysis.Expr) bool {
	return e != 0 && r.se.Kind(e) == iranalysis.ExprAddRec && r.se.Loop(e) == r.loop
}

// collect finds the recurrences of the loop and what uses them; false when a
// use is of a kind that cannot be rewritten, or there are too many.
func (r *loopReducer) collect() bool {
	f := r.f
	n := 0
	for phi := range f.Phis(r.header) {
		if n++; n > maxLoopPhis {
			break
		}
		if r.reducible(f.Instrs[phi].Type) && r.interesting(r.se.Of(ir.Local(phi))) && r.fits(ir.Local(phi)) {
			r.grow(phi, phi)
		}
	}
	for k := 0; k < len(r.forest); k++ {
		v := r.forest[k]
		for u := range f.Uses(ir.Local(v.i)) {
			in := &f.Instrs[u.I]
			switch {
			case u.N < 0, !r.g.Reachable(int(in.Block)):
				return false
			case in.Op == ir.OpPhi && in.Block == r.header && r.place[u.I] != 0:
				continue // its own next value
			case r.grows(u.I):
				if r.place[u.I] == 0 {
					r.grow(u.I, v.root)
				}
				continue
			}
			if !r.addFixup(u, v) {
				return false
			}
		}
	}
	return true
}

func (r *loopReducer) grow(i, root ir.InstrID) {
	r.forest = append(r.forest, forestValue{i, root})
	r.place[i] = int32(len(r.forest))
}

// grows reports whether an instruction computes a recurrence of one.
func (r *loopReducer) grows(i ir.InstrID) bool {
	if r.place[i] != 0 {
		return true
	}
	in := &r.f.Instrs[i]
	switch in.Op {
	case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpShl, ir.OpOr, ir.OpGEP, ir.OpZExt, ir.OpSExt, ir.OpTrunc, ir.OpPtrToInt, ir.OpPtrToAddr:
	default:
		return false
	}
	return r.loops.Loop[in.Block] == int32(r.loop) && r.reducible(in.Type) && r.interesting(r.se.Of(ir.Local(i))) && r.fits(ir.Local(i))
}

// fits reports whether a value can be computed of its expression: a pointer is
// an offset from one pointer of its type.
func (r *loopReducer) fits(v ir.Value) bool {
	t := r.f.TypeOf(v)
	e := r.se.Of(v)
	if !r.expandable(r.se.Ops(e)[0]) || !r.expandable(r.se.Ops(e)[1]) {
		return false
	}
	if r.t.Kind(t) != ir.KindPointer {
		return true
	}
	base, ok := r.pointerOf(e)
	return ok && base != 0 && r.f.TypeOf(r.se.Value(base)) == t
}

// pointerOf is the pointer from which an expression is an offset, 0 for a
// number; false when there are several.
func (r *loopReducer) pointerOf(e iranalysis.Expr) (base iranalysis.Expr, ok bool) {
	switch r.se.Kind(e) {
	case iranalysis.ExprUnknown:
		if r.t.Kind(r.f.TypeOf(r.se.Value(e))) == ir.KindPointer {
			return e, true
		}
	case iranalysis.ExprAddRec:
		return r.pointerOf(r.se.Ops(e)[0])
	case iranalysis.ExprSum:
		for k, t := range r.se.Ops(e) {
			if r.se.Coef(e, k) != 1 {
				continue
			}
			b, ok := r.pointerOf(t)
			if !ok || b != 0 && base != 0 {
				return 0, false
			}
			base |= b
		}
		return base, true
	}
	return 0, true
}

// addFixup notes that operand u reads v; false when it cannot be another value.
func (r *loopReducer) addFixup(u ir.Use, v forestValue) bool {
	f := r.f
	in := &f.Instrs[u.I]
	x := loopFixup{user: u.I, n: u.N, val: ir.Local(v.i)}
	at := in.Block
	if in.Op == ir.OpPhi {
		at = f.Op(u.I, u.N+1).Block()
		if f.Instrs[f.Terminator(at)].Op == ir.OpCatchSwitch || !r.g.Reachable(int(at)) {
			return false
		}
	}
	x.inside = r.loops.Contains(r.loop, int(at))
	x.postInc = u.I == r.exitCompare || !r.loops.Contains(r.loop, int(in.Block)) && r.dom.Dominates(int(r.latch), int(at))
	e := r.se.Plain(r.se.Of(x.val))
	if x.postInc {
		// The value after the step is that of a recurrence that began a step earlier. A
		// step that the first round does not read may be poison there.
		start, step := r.se.Ops(e)[0], r.se.Ops(e)[1]
		if x.postInc = r.readsOnly(r.unknowns(step, 0), r.unknowns(start, 0)); x.postInc {
			e = r.se.Sub(e, step)
		}
	}
	w := loopUse{kind: basicUse, expr: e, typ: f.TypeOf(x.val), root: v.root}
	own := r.loops.Loop[in.Block] == int32(r.loop)
	switch {
	case own && isAddress(in, u.N):
		w.kind = addressUse
		w.sure = r.dom.Dominates(int(in.Block), int(r.latch))
		if c, rest := r.se.Split(e); c != 0 && r.interesting(rest) && r.st.LegalAddress(target.AddressMode{Base: true, Offset: c}) {
			x.off, w.expr = c, rest
		}
	case own && in.Op == ir.OpICmp && (in.Pred == ir.ICmpEQ || in.Pred == ir.ICmpNE):
		if o := r.se.Of(f.Op(u.I, 1-u.N)); r.se.Invariant(o, r.loop) && r.expandable(o) {
			w.kind, w.other = equalUse, o
			if x.postInc {
				w.exit = true
				t := f.Terminator(r.latch)
				w.leavesEqual = r.loops.Contains(r.loop, int(f.Op(t, 1).Block())) == (in.Pred == ir.ICmpNE)
			}
		}
	}
	x.use = r.useOf(&w, x.off)
	if x.use < 0 || len(r.fixups) >= maxLoopFixups {
		return false
	}
	r.fixups = append(r.fixups, x)
	return true
}

// isAddress reports whether operand n of an instruction is the address of its access.
func isAddress(in *ir.Instr, n int) bool {
	switch in.Op {
	case ir.OpLoad, ir.OpCmpXchg, ir.OpAtomicRMW:
		return n == 0
	case ir.OpStore:
		return n == 1
	}
	return false
}

// useOf finds the use that wants what w does, or adds it; -1 when there are too many.
func (r *loopReducer) useOf(w *loopUse, off int64) int {
	for k := range r.uses {
		q := &r.uses[k]
		if q.kind == w.kind && q.expr == w.expr && q.typ == w.typ && q.other == w.other && q.exit == w.exit {
			q.lo, q.hi = min(q.lo, off), max(q.hi, off)
			q.sure = q.sure || w.sure
			return k
		}
	}
	if len(r.uses) >= maxLoopUses {
		return -1
	}
	w.lo, w.hi = off, off
	r.uses = append(r.uses, *w)
	return len(r.uses) - 1
}
