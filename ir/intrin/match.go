package intrin

import "github.com/mirin-go/mirin/ir"

// typ compares ty with the next element; true says that it does not match.
// late is set for comparisons that had to wait for later overloaded types.
func (m *matcher) typ(ty ir.Type, late bool) bool {
	if len(m.e) == 0 {
		return true
	}
	from, t := m.e, m.t
	later := func() bool {
		if late {
			return true
		}
		m.deferred = append(m.deferred, deferral{ty, from})
		return false
	}
	d := m.e[0]
	m.e = m.e[1:]
	known := int(d.n) < len(m.over)
	switch d.f {
	case fVoid:
		return ty != ir.Void
	case fType:
		return ty != d.typ
	case fMMX:
		return ty != t.Vector(ir.Int64, 1, false)
	case fInt:
		return t.IntBits(ty) != int(d.n)
	case fVector, fScalable:
		if !t.IsVector(ty) || (t.Kind(ty) == ir.KindScalableVector) != (d.f == fScalable) || t.NumElems(ty) != uint64(d.n) {
			return true
		}
		return m.typ(t.Elem(ty), late)
	case fPtr:
		return t.Kind(ty) != ir.KindPointer || t.AddrSpace(ty) != d.n
	case fStruct:
		if t.Kind(ty) != ir.KindStruct || t.IsIdentified(ty) || t.IsPacked(ty) || len(t.Subtypes(ty)) != int(d.n) {
			return true
		}
		for _, s := range t.Subtypes(ty) {
			if m.typ(s, late) {
				return true
			}
		}
		return false
	case fArg:
		if known {
			return ty != m.over[d.n]
		}
		if int(d.n) > len(m.over) || d.k == kMatch {
			return later()
		}
		m.over = append(m.over, ty)
		switch s := t.Scalar(ty); d.k {
		case kInt:
			return t.IntBits(s) == 0
		case kFloat:
			return !t.IsFloat(s)
		case kVector:
			return !t.IsVector(ty)
		case kPointer:
			return t.Kind(ty) != ir.KindPointer
		}
		return false
	case fNth:
		if !known {
			return later()
		}
		return derived(t, d, m.over) != ty
	case fExtend, fTrunc, fSub2, fSub4, fElem, fBitcast:
		if !known {
			return later()
		}
		want := derived(t, d, m.over)
		return want == 0 || ty != want
	case fSameWidth:
		if !known {
			m.e = m.e[1:]
			return later()
		}
		ref := m.over[d.n]
		if t.IsVector(ref) != t.IsVector(ty) {
			return true
		}
		if t.IsVector(ty) && (t.Kind(ref) != t.Kind(ty) || t.NumElems(ref) != t.NumElems(ty)) {
			return true
		}
		return m.typ(t.Scalar(ty), late)
	case fPtrsTo:
		if int(d.k) >= len(m.over) {
			if late {
				return true
			}
			m.over = append(m.over, ty)
			return later()
		}
		if !late {
			m.over = append(m.over, ty)
		}
		ref := m.over[d.k]
		return !t.IsVector(ref) || t.Kind(ref) != t.Kind(ty) || t.NumElems(ref) != t.NumElems(ty) ||
			t.Kind(t.Elem(ty)) != ir.KindPointer
	case fSVCount:
		return t.Kind(ty) != ir.KindTargetExt || t.StructName(ty) != "aarch64.svcount"
	}
	return true
}

// derived makes the type that an element derives from an overloaded one, 0 when it cannot.
func derived(t *ir.Types, d elem, over []ir.Type) ir.Type {
	ref := over[d.n]
	vec, sc := t.IsVector(ref), t.Scalar(ref)
	scalable := t.Kind(ref) == ir.KindScalableVector
	same := func(e ir.Type) ir.Type {
		if vec && e != 0 {
			return t.Vector(e, t.NumElems(ref), scalable)
		}
		return e
	}
	switch d.f {
	case fExtend, fTrunc:
		w := t.IntBits(sc)
		if w == 0 {
			if d.f == fExtend {
				switch sc {
				case ir.Half, ir.BFloat:
					return same(ir.Float)
				case ir.Float:
					return same(ir.Double)
				case ir.Double:
					return same(ir.FP128)
				}
			} else if sc == ir.Double {
				return same(ir.Float)
			} else if sc == ir.Float {
				return same(ir.Half)
			} else if sc == ir.FP128 {
				return same(ir.Double)
			}
			return 0
		}
		if d.f == fExtend {
			return same(t.Int(2 * w))
		}
		if w%2 != 0 {
			return 0
		}
		return same(t.Int(w / 2))
	case fNth:
		if !vec || d.k == 0 || t.NumElems(ref)%uint64(d.k) != 0 {
			return 0
		}
		return t.Vector(sc, t.NumElems(ref)/uint64(d.k), scalable)
	case fSub2, fSub4:
		if !vec {
			return 0
		}
		n := t.NumElems(ref)
		for range map[form]int{fSub2: 1, fSub4: 2}[d.f] {
			w := t.IntBits(sc)
			switch {
			case w > 1:
				sc = t.Int(w / 2)
			case sc == ir.Double:
				sc = ir.Float
			case sc == ir.Float:
				sc = ir.Half
			default:
				return 0
			}
			n *= 2
		}
		return t.Vector(sc, n, scalable)
	case fElem:
		if !vec {
			return 0
		}
		return sc
	case fBitcast:
		w := max(t.IntBits(sc), t.FloatBits(sc))
		if !vec || w == 0 {
			return 0
		}
		return same(t.Int(w))
	}
	return 0
}

func (m *matcher) vararg(is bool) Result {
	ok := len(m.e) == 0 && !is || len(m.e) == 1 && m.e[0].f == fVarArg && is
	if ok {
		return Matches
	}
	return NoMatchVarArg // so LLVM also says of parameters that are missing
}

// FuncType makes the intrinsic's function type for its overloaded types.
func (id ID) FuncType(t *ir.Types, over ...ir.Type) ir.Type {
	e := decode(id.code())
	b := builder{t: t, e: e, over: over}
	ret := b.typ()
	var params []ir.Type
	vararg := false
	for len(b.e) > 0 {
		if b.e[0].f == fVarArg {
			vararg = true
			break
		}
		params = append(params, b.typ())
	}
	return t.Func(ret, params, vararg)
}

// NumOverloads returns the number of types that make an overloaded intrinsic's name.
func (id ID) NumOverloads() int {
	n := 0
	for _, e := range decode(id.code()) {
		switch e.f {
		case fArg, fPtrsTo:
			if e.k != kMatch || e.f == fPtrsTo {
				n = max(n, int(e.n)+1)
			}
		}
	}
	return n
}

type builder struct {
	t    *ir.Types
	e    []elem
	over []ir.Type
}

func (b *builder) typ() ir.Type {
	d := b.e[0]
	b.e = b.e[1:]
	t := b.t
	switch d.f {
	case fVoid:
		return ir.Void
	case fType:
		return d.typ
	case fMMX:
		return t.Vector(ir.Int64, 1, false)
	case fInt:
		return t.Int(int(d.n))
	case fVector, fScalable:
		return t.Vector(b.typ(), uint64(d.n), d.f == fScalable)
	case fPtr:
		return t.Pointer(d.n)
	case fStruct:
		var s []ir.Type
		for range d.n {
			s = append(s, b.typ())
		}
		return t.Struct(s, false)
	case fArg, fPtrsTo:
		if int(d.n) < len(b.over) {
			return b.over[d.n]
		}
		return ir.Void
	case fSameWidth:
		e := b.typ()
		ref := b.over[d.n]
		if t.IsVector(ref) {
			return t.Vector(e, t.NumElems(ref), t.Kind(ref) == ir.KindScalableVector)
		}
		return e
	case fSVCount:
		return t.TargetExt("aarch64.svcount", nil, nil)
	}
	if r := derived(t, d, b.over); r != 0 {
		return r
	}
	return ir.Void
}
