package ir

// AnyPart reports whether f holds for ty or for a type that values of ty are
// made of: elements of arrays and vectors, members of structs, theirs in turn.
// Each type is asked once, so that structs which hold others twice, and these
// again others, take no exponential time.
func (t *Types) AnyPart(ty Type, f func(Type) bool) bool {
	if t.Kind(ty) < KindArray {
		return f(ty)
	}
	w := partWalk{t: t}
	return w.any(ty, f)
}

// partWalk is one run of AnyPart. The structs that it has left behind are in a
// list, and in a map when there are many.
type partWalk struct {
	t    *Types
	few  [8]Type
	n    int
	many map[Type]bool
}

func (w *partWalk) any(ty Type, f func(Type) bool) bool {
	for {
		if f(ty) {
			return true
		}
		switch w.t.Kind(ty) {
		case KindArray, KindVector, KindScalableVector:
			ty = w.t.Elem(ty)
			continue
		case KindStruct:
			if !w.enter(ty) {
				return false
			}
			for _, m := range w.t.Subtypes(ty) {
				if w.any(m, f) {
					return true
				}
			}
		}
		return false
	}
}

// enter notes a struct; false says that it was met before.
func (w *partWalk) enter(ty Type) bool {
	for _, s := range w.few[:w.n] {
		if s == ty {
			return false
		}
	}
	if w.n < len(w.few) {
		w.few[w.n] = ty
		w.n++
		return true
	}
	if w.many[ty] {
		return false
	}
	if w.many == nil {
		w.many = map[Type]bool{}
	}
	w.many[ty] = true
	return true
}
