package dagpattern

import "cmp"

// The operations of type inference. Each narrows the sets it is given as far
// as it can and reports whether it changed something. What they do to sets
// that several answers fit decides which patterns are accepted, so they follow
// LLVM's rules to the letter.

// infer is the inference of one pattern: the table of types, the legal types
// of the target and where errors go.
type infer struct {
	t     *typeTable
	legal vtSet
	pat   *treePattern
	// quiet: contradictions are no errors (fragments that nothing uses yet).
	quiet bool
}

// check reports a value that cannot have any type.
func (in *infer) check(s *TypeSet) {
	if !in.quiet && s.contradiction() {
		in.pat.fatal("Type set is empty for each HW mode in '" + in.pat.rec.Name + "'")
	}
}

// wild is a part of the types with one that stands for any of it.
type wild struct {
	vt VT // -1: none
	in func(VT) bool
}

func (in *infer) wilds() []wild {
	t := in.t
	ptr := func(v VT) bool { return t.info[v].scalarInt || v == t.iPTR }
	capa := func(v VT) bool { return t.info[v].capability || v == t.cPTR }
	return []wild{{t.iPTR, ptr}, {t.cPTR, capa}, {-1, func(v VT) bool { return !ptr(v) && !capa(v) }}}
}

// intersect narrows out to in2. iPTR is less specific than a single integer
// type and more specific than several.
func (in *infer) intersect(out *vtSet, in2 vtSet) bool {
	changed := false
	for _, w := range in.wilds() {
		changed = in.intersectPart(out, in2, w) || changed
	}
	return changed
}

func (in *infer) intersectPart(out *vtSet, other vtSet, w wild) bool {
	missing := func(v VT) bool { return !other.has(v) && w.in(v) }
	if w.vt < 0 || out.has(w.vt) == other.has(w.vt) {
		return out.erase(missing)
	}
	left := func(a, b vtSet) vtSet {
		a.erase(func(v VT) bool { return b.has(v) || !w.in(v) })
		return a
	}
	if other.has(w.vt) {
		if rest := left(*out, other); rest.len() < 2 {
			return false
		}
		out.erase(missing)
		out.add(w.vt)
		return true
	}
	rest := left(other, *out)
	n := out.len()
	out.erase(missing)
	if rest.len() < 2 {
		out.union(rest)
		return true
	}
	out.add(w.vt)
	return n != out.len()
}

// constrain narrows out to the types of o, mode by mode.
func (in *infer) constrain(out, o *TypeSet) bool {
	changed := false
	if out.hasDefault() {
		for i := range o.by {
			if m := o.by[i].mode; m != 0 && out.find(m) < 0 {
				out.at(m)
				changed = true
			}
		}
	}
	for i := range out.by {
		m := out.by[i].mode
		if o.find(m) >= 0 || o.hasDefault() {
			changed = in.intersect(&out.by[i].set, o.peek(m)) || changed
		} else if !out.by[i].set.empty() { // the other has no type in this mode
			out.by[i].set, changed = vtSet{}, true
		}
	}
	return changed
}

// merge combines what is known of a value with more.
func (in *infer) merge(out, o *TypeSet) bool {
	defer in.check(out)
	if o.unknown() || out.equal(o) || in.pat.failed {
		return false
	}
	if out.unknown() {
		*out = o.clone()
		return true
	}
	changed := in.constrain(out, o)
	if changed && out.unknown() {
		in.pat.errorf("Type contradiction")
	}
	return changed
}

// keep narrows to types for which p holds; a value of which nothing is known
// becomes any legal type of them.
func (in *infer) keep(out *TypeSet, p func(VT) bool) bool {
	defer in.check(out)
	if in.pat.failed {
		return false
	}
	if out.unknown() {
		s := in.legal
		s.erase(func(v VT) bool { return !p(v) })
		out.insert(0, s)
		return true
	}
	changed := false
	for i := range out.by {
		changed = out.by[i].set.erase(func(v VT) bool { return !p(v) }) || changed
	}
	return changed
}

func (in *infer) integer(out *TypeSet) bool { return in.keep(out, in.t.isIntOrPtr) }
func (in *infer) float(out *TypeSet) bool   { return in.keep(out, in.t.isFP) }
func (in *infer) scalar(out *TypeSet) bool  { return in.keep(out, in.t.isScalar) }
func (in *infer) vector(out *TypeSet) bool  { return in.keep(out, in.t.isVector) }

// any makes a value of which nothing is known any legal type.
func (in *infer) any(out *TypeSet) bool {
	defer in.check(out)
	if in.pat.failed || !out.unknown() {
		return false
	}
	out.insert(0, in.legal)
	return true
}

// sizeKey orders types by size of an element, then by size.
func (in *infer) sizeKey(v VT) (scalable, elem, whole int) {
	if in.t.info[v].scalable {
		scalable = 1
	}
	return scalable, in.t.scalarSize(v), in.t.info[v].size
}

func (in *infer) less(a, b VT) bool {
	as, ae, aw := in.sizeKey(a)
	bs, be, bw := in.sizeKey(b)
	return cmp.Or(cmp.Compare(as, bs), cmp.Compare(ae, be), cmp.Compare(aw, bw)) < 0
}

// sameKindLE compares types of one kind: both scalar, both fixed or both
// scalable vectors; others are not ordered.
func (in *infer) sameKindLE(a, b VT) bool {
	if in.t.info[a].vector != in.t.info[b].vector || in.t.info[a].scalable != in.t.info[b].scalable {
		return false
	}
	_, ae, aw := in.sizeKey(a)
	_, be, bw := in.sizeKey(b)
	return cmp.Or(cmp.Compare(ae, be), cmp.Compare(aw, bw)) <= 0
}

// extreme finds the least (or greatest) member for which p holds.
func (in *infer) extreme(s vtSet, p func(VT) bool, greatest bool) (VT, bool) {
	best := VT(-1)
	s.each(func(v VT) {
		if p(v) && (best < 0 || !greatest && in.less(v, best) || greatest && in.less(best, v)) {
			best = v
		}
	})
	return best, best >= 0
}

// smaller makes small smaller than big; smallIsVT tells that small is a fixed
// type that the pattern names.
func (in *infer) smaller(small, big *TypeSet, smallIsVT bool) bool {
	if in.pat.failed {
		return false
	}
	defer in.check(big)
	defer in.check(small)
	changed := in.any(small)
	changed = in.any(big) || changed
	modes := unionModes(small, big)
	t := in.t
	for _, m := range modes {
		small.at(m)
		big.at(m)
	}
	for _, m := range modes {
		s, b := small.at(m), big.at(m)
		switch {
		case s.any(t.isIntOrPtr) && b.any(t.isIntOrPtr):
			not := func(v VT) bool { return !t.isIntOrPtr(v) }
			changed = s.erase(not) || changed
			changed = b.erase(not) || changed
		case s.any(t.isFP) && b.any(t.isFP):
			not := func(v VT) bool { return !t.isFP(v) }
			changed = s.erase(not) || changed
			changed = b.erase(not) || changed
		case smallIsVT && b.empty():
			*s = vtSet{}
		case s.empty() || b.empty():
			changed = !s.empty() || !b.empty()
			*s, *b = vtSet{}, vtSet{}
		default:
			in.pat.errorf("Incompatible types")
			return changed
		}
		if !s.any(t.isVector) || !b.any(t.isVector) {
			changed = s.erase(t.isVector) || changed
			changed = b.erase(t.isVector) || changed
		}
	}
	for _, m := range modes {
		s, b := small.at(m), big.at(m)
		for _, kind := range []func(VT) bool{t.isScalar, t.isVector} {
			if lo, ok := in.extreme(*s, kind, false); ok {
				changed = b.erase(func(v VT) bool { return in.sameKindLE(v, lo) }) || changed
			}
			if hi, ok := in.extreme(*b, kind, true); ok {
				changed = s.erase(func(v VT) bool { return in.sameKindLE(hi, v) }) || changed
			}
		}
	}
	return changed
}

// eltOfVec makes elem the element type of vec.
func (in *infer) eltOfVec(vec, elem *TypeSet) bool {
	if in.pat.failed {
		return false
	}
	defer in.check(vec)
	defer in.check(elem)
	changed := false
	if vec.unknown() {
		changed = in.vector(vec) || changed
	}
	if elem.unknown() {
		changed = in.scalar(elem) || changed
	}
	t := in.t
	for _, m := range unionModes(vec, elem) {
		elem.at(m)
		v, e := vec.at(m), elem.at(m)
		changed = v.erase(t.isScalar) || changed
		changed = e.erase(t.isVector) || changed
		var elems vtSet
		v.each(func(x VT) {
			if t.info[x].elem >= 0 {
				elems.add(t.info[x].elem)
			}
		})
		old := *e
		changed = v.erase(func(x VT) bool { return t.info[x].elem < 0 || !old.has(t.info[x].elem) }) || changed
		changed = e.erase(func(x VT) bool { return !elems.has(x) }) || changed
	}
	return changed
}

// subVecOfVec makes sub a shorter vector of vec's elements.
func (in *infer) subVecOfVec(vec, sub *TypeSet) bool {
	if in.pat.failed {
		return false
	}
	defer in.check(vec)
	defer in.check(sub)
	t := in.t
	isSub := func(b, p VT) bool {
		x, y := &t.info[b], &t.info[p]
		return x.vector && y.vector && x.scalable == y.scalable && x.elem == y.elem && x.lanes < y.lanes
	}
	changed := false
	if vec.unknown() {
		changed = in.vector(vec) || changed
	}
	if sub.unknown() {
		changed = in.vector(sub) || changed
	}
	for _, m := range unionModes(vec, sub) {
		sub.at(m)
		v, s := vec.at(m), sub.at(m)
		changed = s.erase(t.isScalar) || changed
		changed = s.erase(func(x VT) bool { return !v.any(func(y VT) bool { return isSub(x, y) }) }) || changed
		changed = v.erase(func(x VT) bool { return !s.any(func(y VT) bool { return isSub(y, x) }) }) || changed
	}
	return changed
}

// sameBy narrows two values to types that agree in a property.
func (in *infer) sameBy(a, b *TypeSet, key func(VT) [2]int) bool {
	if in.pat.failed {
		return false
	}
	defer in.check(a)
	defer in.check(b)
	changed := in.any(a)
	changed = in.any(b) || changed
	for _, m := range unionModes(a, b) {
		b.at(m)
		x, y := a.at(m), b.at(m)
		xs, ys := map[[2]int]bool{}, map[[2]int]bool{}
		x.each(func(v VT) { xs[key(v)] = true })
		y.each(func(v VT) { ys[key(v)] = true })
		changed = x.erase(func(v VT) bool { return !ys[key(v)] }) || changed
		changed = y.erase(func(v VT) bool { return !xs[key(v)] }) || changed
	}
	return changed
}

// sameLanes: vectors of one length, or scalars.
func (in *infer) sameLanes(a, b *TypeSet) bool {
	return in.sameBy(a, b, func(v VT) [2]int {
		i := &in.t.info[v]
		switch {
		case !i.vector:
			return [2]int{0, 0}
		case i.scalable:
			return [2]int{i.lanes, 1}
		}
		return [2]int{i.lanes, 0}
	})
}

// sameSize: types of one size.
func (in *infer) sameSize(a, b *TypeSet) bool {
	return in.sameBy(a, b, func(v VT) [2]int {
		if in.t.info[v].scalable {
			return [2]int{in.t.info[v].size, 1}
		}
		return [2]int{in.t.info[v].size, 0}
	})
}

// arbitrary settles each mode on its first type.
func (in *infer) arbitrary(s *TypeSet) bool {
	changed := false
	for i := range s.by {
		if s.by[i].set.len() > 1 {
			f := s.by[i].set.first()
			s.by[i].set = vtSet{}
			s.by[i].set.add(f)
			changed = true
		}
	}
	return changed
}

// expand replaces iAny and the like by the legal types they stand for.
func (in *infer) expand(s *TypeSet) {
	t := in.t
	for i := range s.by {
		set := &s.by[i].set
		legal := func(p func(VT) bool) {
			in.legal.each(func(v VT) {
				if t.info[v].normal && p(v) {
					set.add(v)
				}
			})
		}
		switch {
		case set.has(t.pAny):
			set.remove(t.pAny)
			set.add(t.iPTR)
		case set.has(t.iAny):
			set.remove(t.iAny)
			legal(func(v VT) bool { return t.info[v].integer })
		case set.has(t.fAny):
			set.remove(t.fAny)
			legal(t.isFP)
		case set.has(t.vAny):
			set.remove(t.vAny)
			legal(t.isVector)
		case set.has(t.anyVT):
			set.remove(t.anyVT)
			legal(func(VT) bool { return true })
		}
	}
}

// Of the values of a node, results first and then operands, SameAs gives the
// first one that has the type of value i by the node's profile; i itself where
// that is none.
func (n *NodeInfo) SameAs(i int) int {
	// Profiles have few values: follow the links to the least number reached.
	seen := map[int]bool{i: true}
	for grown := true; grown; {
		grown = false
		for k := range n.constraints {
			c := &n.constraints[k]
			if c.kind == cSame && seen[c.op] != seen[c.other] {
				seen[c.op], seen[c.other], grown = true, true, true
			}
		}
	}
	for k := range seen {
		i = min(i, k)
	}
	return i
}

func (n *NodeInfo) is(kind constraintKind, i int) bool {
	for k := range n.constraints {
		if c := &n.constraints[k]; c.kind == kind && n.SameAs(c.op) == n.SameAs(i) {
			return true
		}
	}
	return false
}

// IsPtr reports that the profile says of value i that it is a pointer.
func (n *NodeInfo) IsPtr(i int) bool { return n.is(cPtr, i) }

// IsInt reports that value i is an integer.
func (n *NodeInfo) IsInt(i int) bool { return n.is(cInt, i) }

// IsFP reports that value i is a floating-point number.
func (n *NodeInfo) IsFP(i int) bool { return n.is(cFP, i) }
