package irprep

import "github.com/mirin-go/mirin/ir"

// value computes what an atomicrmw writes where it found old: 0 for an
// operation that it does not know. The last instruction is called "new".
func (e *atomicExpander) value(op ir.RMWOp, ty ir.Type, old, v ir.Value) ir.Value {
	n := e.Name("new")
	pick := func(p ir.Pred) ir.Value { return n.Select(e.ICmp(p, old, v), old, v) }
	switch op {
	case ir.RMWXchg:
		return v
	case ir.RMWAdd:
		return n.Add(old, v)
	case ir.RMWSub:
		return n.Sub(old, v)
	case ir.RMWAnd:
		return n.And(old, v)
	case ir.RMWNand:
		return n.Not(e.And(old, v))
	case ir.RMWOr:
		return n.Or(old, v)
	case ir.RMWXor:
		return n.Xor(old, v)
	case ir.RMWMax:
		return pick(ir.ICmpSGT)
	case ir.RMWMin:
		return pick(ir.ICmpSLE)
	case ir.RMWUMax:
		return pick(ir.ICmpUGT)
	case ir.RMWUMin:
		return pick(ir.ICmpULE)
	case ir.RMWFAdd:
		return n.FAdd(old, v)
	case ir.RMWFSub:
		return n.FSub(old, v)
	case ir.RMWFMax:
		return e.number(ir.FCmpOGT, old, v)
	case ir.RMWFMin:
		return e.number(ir.FCmpOLT, old, v)
	case ir.RMWFMaximum:
		return e.extreme(ir.FCmpOGT, ir.OpAnd, ty, old, v)
	case ir.RMWFMinimum:
		return e.extreme(ir.FCmpOLT, ir.OpOr, ty, old, v)
	case ir.RMWUIncWrap:
		inc := e.Add(old, e.Int(ty, 1))
		return n.Select(e.ICmp(ir.ICmpUGE, old, v), e.Zero(ty), inc)
	case ir.RMWUDecWrap:
		dec := e.Sub(old, e.Int(ty, 1))
		zero := e.ICmp(ir.ICmpEQ, old, e.Zero(ty))
		return n.Select(e.Or(zero, e.ICmp(ir.ICmpUGT, old, v)), v, dec)
	case ir.RMWUSubCond:
		enough := e.ICmp(ir.ICmpUGE, old, v)
		return n.Select(enough, e.Sub(old, v), old)
	case ir.RMWUSubSat:
		enough := e.ICmp(ir.ICmpUGT, old, v)
		return n.Select(enough, e.Sub(old, v), e.Zero(ty))
	}
	return 0
}

// number is llvm.maxnum or llvm.minnum: of a number and a NaN the number.
func (e *atomicExpander) number(p ir.Pred, x, y ir.Value) ir.Value {
	m := e.Select(e.FCmp(p, x, y), x, y) // y when either is a NaN
	return e.Name("new").Select(e.FCmp(ir.FCmpUNO, y, y), x, m)
}

// extreme is llvm.maximum or llvm.minimum: a NaN when either is one, and of
// zeros the one whose sign is asked for, which both (bits) gives: equal values
// have equal bits but for the signs of zeros.
func (e *atomicExpander) extreme(p ir.Pred, both ir.Op, ty ir.Type, x, y ir.Value) ir.Value {
	it := e.intOf(ty)
	same := e.bitcast(e.Binary(both, e.bitcast(x, it), e.bitcast(y, it)), ty)
	m := e.Select(e.FCmp(p, x, y), x, y)
	m = e.Select(e.FCmp(ir.FCmpOEQ, x, y), same, m)
	return e.Name("new").Select(e.FCmp(ir.FCmpUNO, x, y), e.FAdd(x, y), m)
}
