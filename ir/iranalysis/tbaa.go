package iranalysis

import "github.com/mirin-go/mirin/ir"

// tbaaMayAlias compares two access tags (LLVM language reference, "tbaa
// metadata"): they may be of the same memory when the object that one is part
// of can contain, at the right offset, what the other accesses.
func (a *Alias) tbaaMayAlias(x, y ir.MDID) bool {
	if x == y || x == 0 || y == 0 {
		return true
	}
	m := a.f.Module
	tx, okx := accessTag(m, x)
	ty, oky := accessTag(m, y)
	if !okx || !oky {
		return true
	}
	if found, same := partOf(m, tx, ty); found {
		return same
	}
	if found, same := partOf(m, ty, tx); found {
		return same
	}
	// Types of different systems (roots) may be anything to each other.
	return rootOf(m, tx.access) != rootOf(m, ty.access)
}

// tag is a struct-path access tag: an access of type access at off in an object of type base.
type tag struct {
	base, access ir.MDID
	off          uint64
}

func accessTag(m *ir.Module, id ir.MDID) (t tag, ok bool) {
	n := m.MD.At(id)
	if n == nil || n.Kind != ir.MDTuple || len(n.Ops) < 3 {
		return t, false
	}
	first := m.MD.At(n.Ops[0])
	off, isInt := mdInt(m, n.Ops[2])
	if first == nil || first.Kind != ir.MDTuple || !isInt || sizedType(m, n.Ops[1]) {
		return t, false // an old scalar tag, or the format with sizes
	}
	return tag{n.Ops[0], n.Ops[1], off}, true
}

// sizedType reports a type node of the newer format: (parent, size, name, …).
func sizedType(m *ir.Module, id ir.MDID) bool {
	n := m.MD.At(id)
	if n == nil || len(n.Ops) < 3 {
		return false
	}
	p := m.MD.At(n.Ops[0])
	return p != nil && p.Kind == ir.MDTuple
}

func mdInt(m *ir.Module, id ir.MDID) (uint64, bool) {
	n := m.MD.At(id)
	if n == nil || n.Kind != ir.MDConst || n.Value.Const() == 0 {
		return 0, false
	}
	c := m.Consts.At(n.Value.Const())
	return c.Bits, c.Kind == ir.ConstInt
}

// maxTypeDepth bounds the walk over type nodes, which may be malformed.
const maxTypeDepth = 256

// partOf walks down the object of x's access, from its base type at its
// offset, and finds whether y's base type lies there.
func partOf(m *ir.Module, x, y tag) (found, same bool) {
	t, off := x.base, x.off
	for range maxTypeDepth {
		if t == 0 {
			return false, false
		}
		if t == y.base {
			return true, off == y.off
		}
		t, off = fieldAt(m, t, off)
	}
	return true, true
}

// fieldAt goes from a type node to the member at an offset; a scalar leads to its parent.
func fieldAt(m *ir.Module, t ir.MDID, off uint64) (ir.MDID, uint64) {
	n := m.MD.At(t)
	if n == nil || n.Kind != ir.MDTuple || len(n.Ops) < 2 {
		return 0, 0
	}
	if len(n.Ops) <= 3 {
		if len(n.Ops) == 3 {
			if o, ok := mdInt(m, n.Ops[2]); ok {
				off -= o
			}
		}
		return n.Ops[1], off
	}
	best, at := n.Ops[1], uint64(0)
	for k := 1; k+1 < len(n.Ops); k += 2 {
		o, ok := mdInt(m, n.Ops[k+1])
		if !ok || o > off {
			break
		}
		best, at = n.Ops[k], o
	}
	return best, off - at
}

// rootOf follows first members and parents to the root of a type system.
func rootOf(m *ir.Module, t ir.MDID) ir.MDID {
	for range maxTypeDepth {
		n := m.MD.At(t)
		if n == nil || len(n.Ops) < 2 || n.Ops[1] == 0 {
			return t
		}
		t = n.Ops[1]
	}
	return t
}

// scopedMayAlias asks whether every scope that an access is in, of some
// domain, is one that the other says it does not alias.
func (a *Alias) scopedMayAlias(scopes, noalias ir.MDID) bool {
	if scopes == 0 || noalias == 0 {
		return true
	}
	m := a.f.Module
	s, n := m.MD.At(scopes), m.MD.At(noalias)
	if s == nil || n == nil {
		return true
	}
	for _, x := range n.Ops {
		dom := domainOf(m, x)
		if dom == 0 {
			continue
		}
		any, all := false, true
		for _, y := range s.Ops {
			if domainOf(m, y) != dom {
				continue
			}
			any = true
			in := false
			for _, z := range n.Ops {
				in = in || z == y
			}
			all = all && in
		}
		if any && all {
			return false
		}
	}
	return true
}

// domainOf is the second operand of a scope.
func domainOf(m *ir.Module, scope ir.MDID) ir.MDID {
	n := m.MD.At(scope)
	if n == nil || len(n.Ops) < 2 {
		return 0
	}
	return n.Ops[1]
}
