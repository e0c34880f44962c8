package tablegen

import "strconv"

// resolver says what variables stand for. There are three kinds: a map of
// names (template arguments, iteration variables), the fields of a record, and
// another resolver with some names hidden by a binder.
type resolver struct {
	cur   *Record // the record at hand, may be nil
	final bool    // nothing will be resolved later
	// keepUnset keeps a bit that refers to an unset bit as a reference.
	keepUnset bool

	binds []binding

	rec   *Record
	cache []Init // resolved fields; beingResolved while that is going on
	// rename replaces the record's own anonymous name.
	rename *AnonNameInit

	parent *resolver
	hidden [2]string
}

// binding is what one variable stands for.
type binding struct {
	name     string
	val      Init
	resolved bool
}

// beingResolved stands in a resolver's cache for a field at work.
var beingResolved Init = &UnsetInit{nothing: true}

// resolver returns an empty resolver, one that was done with if there is one.
func (ev *evaluator) resolver(cur *Record) *resolver {
	n := len(ev.idle)
	if n == 0 {
		return &resolver{cur: cur}
	}
	r := ev.idle[n-1]
	ev.idle = ev.idle[:n-1]
	r.cur = cur
	return r
}

// done takes a resolver back that nothing refers to any more.
func (ev *evaluator) done(r *resolver) {
	clear(r.binds)
	clear(r.cache)
	*r = resolver{binds: r.binds[:0], cache: r.cache[:0]}
	ev.idle = append(ev.idle, r)
}

// set adds a variable to a map of names.
func (r *resolver) set(name string, v Init) {
	r.binds = append(r.binds, binding{name: name, val: v})
}

// fieldResolver resolves references to the fields of rec.
func (ev *evaluator) fieldResolver(rec *Record) *resolver {
	r := ev.resolver(rec)
	r.rec, r.keepUnset = rec, true
	return r
}

// hide returns a resolver like r in which the names mean nothing.
func (ev *evaluator) hide(r *resolver, a, b string) *resolver {
	h := ev.resolver(r.cur)
	h.final, h.parent, h.hidden = r.final, r, [2]string{a, b}
	return h
}

// lookup returns what the name stands for, nil when that is not known.
func (ev *evaluator) lookup(r *resolver, name string) Init {
	for r.parent != nil {
		if name == r.hidden[0] || name == r.hidden[1] {
			return nil
		}
		r = r.parent
	}
	if r.rec != nil {
		return ev.lookupField(r, name)
	}
	// The last setting of a name is the innermost.
	for i := len(r.binds) - 1; i >= 0; i-- {
		b := &r.binds[i]
		if b.name != name {
			continue
		}
		v := b.val
		if v != nil && !b.resolved && len(r.binds) > 1 && v.flags() != 0 {
			// The values may refer to each other, but never to themselves.
			b.val = nil
			v = ev.resolve(v, r)
			b.val = v
		}
		b.resolved = true
		return v
	}
	return nil
}

func (ev *evaluator) lookupField(r *resolver, name string) Init {
	rec := r.rec
	i := rec.fieldIndex(name)
	if i < 0 {
		return nil
	}
	if len(r.cache) == 0 {
		if n := len(rec.Fields); n <= cap(r.cache) {
			r.cache = r.cache[:n]
		} else {
			r.cache = make([]Init, n, n+8)
		}
	}
	if v := r.cache[i]; v == beingResolved {
		return nil
	} else if v != nil {
		return v
	}
	v := rec.Fields[i].Value
	if _, ok := v.(*UnsetInit); ok || v == nil {
		return nil
	}
	if v.flags() != 0 {
		r.cache[i] = beingResolved
		v = ev.resolve(v, r)
	}
	r.cache[i] = v
	return v
}

func (r *Record) fieldIndex(name string) int {
	if r.index != nil {
		if i, ok := r.index[name]; ok {
			return int(i)
		}
		return -1
	}
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// resolve substitutes what r knows in x and folds what has become known. It
// returns x itself when nothing changes.
func (ev *evaluator) resolve(x Init, r *resolver) Init {
	f := x.flags()
	if f&hasVar == 0 && !(r.final && f&hasFinal != 0) {
		return x
	}
	if !ev.enter(r.cur) {
		ev.depth--
		return x
	}
	x = ev.resolveKind(x, r)
	ev.depth--
	return x
}

func (ev *evaluator) resolveKind(x Init, r *resolver) Init {
	switch x := x.(type) {
	case *VarInit:
		if v := ev.lookup(r, x.Name); v != nil {
			return v
		}
	case *VarBitInit:
		if v := ev.resolve(x.Var, r); v != x.Var {
			return bitOf(v, x.Bit)
		}
	case *FieldInit:
		if v := ev.resolve(x.Rec, r); v != x.Rec {
			return ev.foldField(newField(v, x.Field, x.T), r.cur)
		}
	case *BitsInit:
		return ev.resolveBits(x, r)
	case *ListInit:
		if l := ev.resolveAll(x.Elems, r); l != nil {
			return newList(x.t, l)
		}
	case *DagInit:
		op := ev.resolve(x.Op, r)
		args := ev.resolveAll(x.Args, r)
		if args != nil || op != x.Op {
			if args == nil {
				args = x.Args
			}
			return newDag(op, x.OpName, args, x.ArgNames)
		}
	case *OpInit:
		return ev.resolveOp(x, r)
	case *ClassInit:
		return ev.resolveClass(x, r)
	case *AnonNameInit:
		return resolveAnonName(x, r)
	}
	return x
}

// resolveAll resolves each of l; nil when nothing changes.
func (ev *evaluator) resolveAll(l []Init, r *resolver) []Init {
	var out []Init
	for i, x := range l {
		if x.flags() == 0 {
			continue
		}
		v := ev.resolve(x, r)
		if v != x && out == nil {
			out = make([]Init, len(l))
			copy(out, l)
		}
		if out != nil {
			out[i] = v
		}
	}
	return out
}

func (ev *evaluator) resolveBits(x *BitsInit, r *resolver) Init {
	var out []Init
	var lastVar, lastVal Init
	for i, b := range x.Bits {
		if b.flags() == 0 {
			continue
		}
		v := b
		if vb, ok := b.(*VarBitInit); ok {
			// Runs of bits mostly come from one value.
			if vb.Var != lastVar {
				lastVar, lastVal = vb.Var, ev.resolve(vb.Var, r)
			}
			if lastVal != lastVar {
				v = bitOf(lastVal, vb.Bit)
			}
		} else {
			v = ev.resolve(b, r)
		}
		if _, ok := v.(*UnsetInit); ok && r.keepUnset {
			v = b
		}
		if v != b && out == nil {
			out = make([]Init, len(x.Bits))
			copy(out, x.Bits)
		}
		if out != nil {
			out[i] = v
		}
	}
	if out == nil {
		return x
	}
	return newBits(out)
}

func (ev *evaluator) resolveOp(x *OpInit, r *resolver) Init {
	a := x.Args
	var args []Init
	switch x.Op {
	case OpIf:
		// Only the chosen arm is looked at, since recursion ends there.
		cond := ev.resolve(a[0], r)
		if cond != a[0] {
			if v, ok := asInt(cond); ok {
				if v != 0 {
					return ev.resolve(a[1], r)
				}
				return ev.resolve(a[2], r)
			}
		}
		then, els := ev.resolve(a[1], r), ev.resolve(a[2], r)
		if cond != a[0] || then != a[1] || els != a[2] {
			args = []Init{cond, then, els}
		}
	case OpAnd, OpOr:
		lhs := ev.resolve(a[0], r)
		if lhs != a[0] {
			if v, ok := asInt(lhs); ok && (x.Op == OpAnd && v == 0 || x.Op == OpOr && v == -1) {
				return NewInt(v)
			}
		}
		if rhs := ev.resolve(a[1], r); lhs != a[0] || rhs != a[1] {
			args = []Init{lhs, rhs}
		}
	case OpForeach, OpFilter:
		// a[0] is the variable.
		list := ev.resolve(a[1], r)
		h := ev.hide(r, a[0].(*VarInit).Name, "")
		body := ev.resolve(a[2], h)
		ev.done(h)
		if list != a[1] || body != a[2] {
			args = []Init{a[0], list, body}
		}
	case OpFoldl:
		start, list := ev.resolve(a[0], r), ev.resolve(a[1], r)
		h := ev.hide(r, a[2].(*VarInit).Name, a[3].(*VarInit).Name)
		body := ev.resolve(a[4], h)
		ev.done(h)
		if start != a[0] || list != a[1] || body != a[4] {
			args = []Init{start, list, a[2], a[3], body}
		}
	default:
		args = ev.resolveAll(a, r)
	}
	if args == nil {
		again := x.Op == OpCast || x.Op == OpExists || x.Op == OpInstances
		if !again || !r.final {
			return x
		}
		args = a
	}
	return ev.fold(newOp(x.Op, args, x.T, x.TypeArg), r.cur, r.final)
}

func (ev *evaluator) resolveClass(x *ClassInit, r *resolver) Init {
	var args []ClassArg
	for i, a := range x.Args {
		if a.Value.flags() == 0 {
			continue
		}
		v := ev.resolve(a.Value, r)
		if v != a.Value && args == nil {
			args = make([]ClassArg, len(x.Args))
			copy(args, x.Args)
		}
		if args != nil {
			args[i].Value = v
		}
	}
	if args == nil {
		return x
	}
	return ev.foldClass(newClassInit(x.Class, args, x.loc))
}

// hasFreeVar reports whether a variable occurs in x that no operator in x binds.
func hasFreeVar(x Init, bound []string) bool {
	f := x.flags()
	if f&hasVar == 0 {
		return false
	}
	if f&hasBinder == 0 && len(bound) == 0 {
		return true
	}
	switch x := x.(type) {
	case *VarInit:
		for _, b := range bound {
			if b == x.Name {
				return false
			}
		}
		return true
	case *VarBitInit:
		return hasFreeVar(x.Var, bound)
	case *FieldInit:
		return hasFreeVar(x.Rec, bound)
	case *BitsInit:
		return anyFreeVar(x.Bits, bound)
	case *ListInit:
		return anyFreeVar(x.Elems, bound)
	case *DagInit:
		return hasFreeVar(x.Op, bound) || anyFreeVar(x.Args, bound)
	case *ClassInit:
		for _, a := range x.Args {
			if hasFreeVar(a.Value, bound) {
				return true
			}
		}
	case *OpInit:
		a := x.Args
		switch x.Op {
		case OpForeach, OpFilter:
			return hasFreeVar(a[1], bound) ||
				hasFreeVar(a[2], append(bound[:len(bound):len(bound)], a[0].(*VarInit).Name))
		case OpFoldl:
			return hasFreeVar(a[0], bound) || hasFreeVar(a[1], bound) ||
				hasFreeVar(a[4], append(bound[:len(bound):len(bound)], a[2].(*VarInit).Name, a[3].(*VarInit).Name))
		}
		return anyFreeVar(a, bound)
	case *AnonNameInit:
		return true
	}
	return false
}

func anyFreeVar(l []Init, bound []string) bool {
	for _, x := range l {
		if hasFreeVar(x, bound) {
			return true
		}
	}
	return false
}

// refersTo reports whether the variable occurs in x.
func refersTo(x Init, name string) bool {
	if x.flags()&hasVar == 0 {
		return false
	}
	any := func(l []Init) bool {
		for _, y := range l {
			if refersTo(y, name) {
				return true
			}
		}
		return false
	}
	switch x := x.(type) {
	case *VarInit:
		return x.Name == name
	case *VarBitInit:
		return refersTo(x.Var, name)
	case *FieldInit:
		return refersTo(x.Rec, name)
	case *BitsInit:
		return any(x.Bits)
	case *ListInit:
		return any(x.Elems)
	case *DagInit:
		return refersTo(x.Op, name) || any(x.Args)
	case *OpInit:
		return any(x.Args)
	case *ClassInit:
		for _, a := range x.Args {
			if refersTo(a.Value, name) {
				return true
			}
		}
	}
	return false
}

// resolveAnonName renames an anonymous record and, at the end, fixes the name.
func resolveAnonName(x *AnonNameInit, r *resolver) Init {
	root := r
	for root.parent != nil {
		root = root.parent
	}
	if root.rename != nil {
		if own, ok := root.rec.nameInit.(*AnonNameInit); ok && own.N == x.N {
			x = root.rename
		}
	}
	if r.final {
		return x.name()
	}
	return x
}

// name returns the name as a string.
func (x *AnonNameInit) name() *StringInit {
	return &StringInit{S: "anonymous_" + strconv.Itoa(x.N)}
}
