package iranalysis

import "github.com/mirin-go/mirin/ir"

// term is one variable part of an address: an index times a scale in bytes.
type term struct {
	v     ir.Value
	scale int64
}

// address is a pointer taken apart: base + off + sum of terms.
type address struct {
	base   ir.Value
	off    int64
	terms  []term
	opaque bool // an offset that is not known (scalable types, wide or vector indices)
}

// maxLookThrough bounds the chain of address computations that is followed.
const maxLookThrough = 32

// decompose follows getelementptr and casts that keep the address from v back
// to what the address is based on.
func decompose(f *ir.Function, dl *ir.DataLayout, v ir.Value) (a address) {
	a.base = v
	t := f.Module.Types
	for range maxLookThrough {
		if c := a.base.Const(); c != 0 && f.Consts.At(c).Kind == ir.ConstExpr && f.Consts.At(c).Op == ir.OpGEP {
			off, ok := dl.ConstExprGEPOffset(f.Module, &f.Consts, c)
			if !ok {
				a.opaque = true
			}
			a.off += off
			a.base = f.Consts.Ops(c)[0]
			continue
		}
		i := a.base.Instr()
		if i == 0 {
			return a
		}
		switch in := &f.Instrs[i]; in.Op {
		case ir.OpGEP:
			if t.IsVector(in.Type) {
				return a
			}
			a.index(f, dl, i)
			a.base = f.Op(i, 0)
		case ir.OpAddrSpaceCast, ir.OpBitCast:
			if t.Kind(f.TypeOf(f.Op(i, 0))) != ir.KindPointer {
				return a
			}
			a.base = f.Op(i, 0)
		case ir.OpPhi:
			if f.NumOps(i) != 2 {
				return a
			}
			a.base = f.Op(i, 0)
		default:
			return a
		}
	}
	return a
}

// index adds the indices of a getelementptr.
func (a *address) index(f *ir.Function, dl *ir.DataLayout, i ir.InstrID) {
	t := f.Module.Types
	src := f.Instrs[i].SrcType
	if dl.IsScalable(t, src) {
		a.opaque = true
		return
	}
	for k, v := range f.Ops(i)[1:] {
		if n, ok := f.Consts.SignedInt(t, v); ok {
			off := n * int64(dl.SizeOf(t, src))
			if k > 0 {
				if off, src, ok = dl.ElemOffset(t, src, n); !ok {
					a.opaque = true
					return
				}
			}
			a.off += off
			continue
		}
		if k > 0 {
			src = t.Elem(src)
		}
		if t.IsVector(f.TypeOf(v)) {
			a.opaque = true
			return
		}
		a.term(v, int64(dl.SizeOf(t, src)))
	}
}

// term adds a scaled index, together with an equal one that is there.
func (a *address) term(v ir.Value, scale int64) {
	for k := range a.terms {
		if a.terms[k].v == v {
			if a.terms[k].scale += scale; a.terms[k].scale == 0 {
				a.terms = append(a.terms[:k], a.terms[k+1:]...)
			}
			return
		}
	}
	if scale != 0 {
		a.terms = append(a.terms, term{v, scale})
	}
}
