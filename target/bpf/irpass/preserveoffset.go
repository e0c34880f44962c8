package irpass

import (
	"slices"

	"github.com/mirin-go/mirin/ir"
)

// step is one getelementptr of a chain, or the one in a call that stands for it and an access.
type gepStep struct {
	base     ir.Value
	elem     ir.Type
	indices  []ir.Value
	inBounds bool
	loc      ir.MDID
	name     string
}

// memoryAccess is a load or store, or what a call says of one.
type memoryAccess struct {
	store    bool
	value    ir.Value // that is stored
	typ      ir.Type
	volatile bool
	order    ir.Ordering
	scope    uint64 // LLVM's number
	align    uint64 // log2
	loc      ir.MDID
}

// offsetKeeper is the state of bpf-preserve-static-offset in one function.
type offsetKeeper struct {
	*Run
	f       *ir.Function
	b       ir.Builder
	n       numbers
	partial bool
	steps   []gepStep
	visited []ir.InstrID
	still   bool // an access could not be rewritten
	removed map[ir.InstrID]bool
}

// StaticOffset is bpf-preserve-static-offset of one function: accesses through
// llvm.preserve.static.offset and getelementptr with constant indices become calls of
// llvm.bpf.getelementptr.and.load or store, which no optimizer takes apart: of some structures
// the kernel allows accesses only at offsets that stand in the instruction. With partial,
// markers stay whose indices may become constants yet; without, accesses with others are warned of.
func (r *Run) StaticOffset(f *ir.Function, partial bool) error {
	var markers []ir.InstrID
	eachInstr(f, func(i ir.InstrID) {
		if isMarker(f, i) {
			markers = append(markers, i)
		}
	})
	if len(markers) == 0 {
		return nil
	}
	f.IndexUses()
	defer f.DropUses()
	k := &offsetKeeper{Run: r, f: f, b: ir.NewBuilder(f), n: numbersOf(), partial: partial, removed: map[ir.InstrID]bool{}}
	for _, m := range markers {
		k.plainAddresses(m)
	}
	for _, m := range markers {
		if !k.removed[m] {
			k.rewriteFrom(m)
		}
	}
	return nil
}

func isMarker(f *ir.Function, i ir.InstrID) bool {
	return f.Instrs[i].Op == ir.OpCall && f.IntrinsicOf(i) == ir.IntrPreserveStaticOffset
}

// plainAddresses makes accesses by llvm.preserve.*.access.index behind a marker addresses: of
// such structures nothing is relocated.
func (k *offsetKeeper) plainAddresses(marker ir.InstrID) {
	f := k.f
	work := []ir.InstrID{marker}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if f.Instrs[i].Block == 0 {
			continue
		}
		for u := range f.Uses(ir.Local(i)) {
			if u.N == 0 && (f.Instrs[u.I].Op == ir.OpGEP || isMarker(f, u.I) || isIndexed(f, u.I)) {
				work = append(work, u.I)
			}
		}
		if isIndexed(f, i) {
			toAddress(f, i)
		}
	}
}

func isIndexed(f *ir.Function, i ir.InstrID) bool {
	if f.Instrs[i].Op != ir.OpCall {
		return false
	}
	switch f.IntrinsicOf(i) {
	case ir.IntrPreserveArrayAccessIndex, ir.IntrPreserveStructAccessIndex, ir.IntrPreserveUnionAccessIndex:
		return true
	}
	return false
}

func (k *offsetKeeper) rewriteFrom(marker ir.InstrID) {
	f := k.f
	k.steps, k.visited, k.still = k.steps[:0], k.visited[:0], false
	k.users(marker)
	for _, i := range slices.Backward(k.visited) {
		switch {
		case f.Instrs[i].Block == 0:
		case isMarker(f, i):
			k.removed[i] = true
			replace(f, i, f.Op(i, 0))
		case !f.HasUses(ir.Local(i)):
			f.Erase(i)
		}
	}
	if !k.still || !k.partial {
		replace(f, marker, f.Op(marker, 0))
	}
}

// users rewrites the accesses through an address.
func (k *offsetKeeper) users(i ir.InstrID) {
	f := k.f
	var uses []ir.Use
	for u := range f.Uses(ir.Local(i)) {
		uses = append(uses, u)
	}
	for _, u := range uses {
		r := f.Instrs[u.I]
		switch {
		case r.Op == ir.OpLoad:
			k.access(u.I, memoryAccess{typ: r.Type})
		case r.Op == ir.OpStore && u.N == 1:
			k.access(u.I, memoryAccess{store: true, value: f.Op(u.I, 0), typ: f.TypeOf(f.Op(u.I, 0))})
		case r.Op == ir.OpGEP && u.N == 0:
			k.steps = append(k.steps, gepStep{base: f.Op(u.I, 0), elem: r.SrcType, indices: slices.Clone(f.Ops(u.I)[1:]),
				inBounds: r.Flags&ir.InBounds != 0, loc: r.Loc, name: f.ValueNames[u.I]})
			k.visited = append(k.visited, u.I)
			k.users(u.I)
			k.steps = k.steps[:len(k.steps)-1]
		case r.Op != ir.OpCall:
		case isMarker(f, u.I):
			k.visited = append(k.visited, u.I)
			k.users(u.I)
		case f.IntrinsicOf(u.I) == k.n.gepLoad && u.N == 0:
			k.folded(u.I, 0)
		case f.IntrinsicOf(u.I) == k.n.gepStore && u.N == 1:
			k.folded(u.I, 1)
		case k.mayBeInlined(u.I):
			k.still = k.still || k.partial
		}
	}
}

// mayBeInlined: the address may go on in the function that is called.
func (k *offsetKeeper) mayBeInlined(i ir.InstrID) bool {
	if k.M.Attrs.At(k.f.Instrs[i].Attrs).Fn.Has("inlinehint") {
		return true
	}
	v := k.f.Callee(i)
	return v.Tag() == ir.TagGlobal && k.M.Attrs.At(k.M.Globals[v.Index()].Attrs).Fn.Has("inlinehint")
}

// access rewrites a load or store.
func (k *offsetKeeper) access(i ir.InstrID, x memoryAccess) {
	r := &k.f.Instrs[i]
	x.volatile, x.order, x.loc = r.Flags&ir.Volatile != 0, r.Order, r.Loc
	x.scope = 1
	if r.Scope != 0 && k.M.SyncScopes()[r.Scope] == "singlethread" {
		x.scope = scopeThread
	}
	if x.align = uint64(r.Align) - 1; r.Align == 0 {
		x.align = 0
		for a := k.layout.ABIAlign(k.M.Types, x.typ); a > 1; a >>= 1 {
			x.align++
		}
	}
	k.rewrite(i, x)
}

// folded rewrites a call that was made of an access before.
func (k *offsetKeeper) folded(i ir.InstrID, at int) {
	f := k.f
	args := f.Ops(i)[:f.NumArgOps(i)]
	num := func(n int) uint64 { return constant(f, args[at+n]) }
	elem, _ := k.M.Attrs.At(f.Instrs[i].Attrs).Param(at).Get("elementtype")
	x := memoryAccess{store: at == 1, typ: f.Instrs[i].Type, volatile: num(accessVolatile) != 0, order: ir.Ordering(num(accessOrder)),
		scope: num(accessScope), align: num(accessAlign), loc: f.Instrs[i].Loc}
	if x.store {
		x.value, x.typ = args[0], f.TypeOf(args[0])
	}
	k.steps = append(k.steps, gepStep{base: args[at], elem: elem.Type, indices: slices.Clone(args[at+accessIndex:]),
		inBounds: num(accessInBounds) != 0, loc: x.loc, name: f.ValueNames[i]})
	k.rewrite(i, x)
	k.steps = k.steps[:len(k.steps)-1]
}

// rewrite replaces access i by a call, if the offsets before it are constants.
func (k *offsetKeeper) rewrite(i ir.InstrID, x memoryAccess) {
	f := k.f
	zero := true
	for _, s := range k.steps {
		for _, v := range s.indices {
			n, ok := f.Consts.SignedInt(k.M.Types, v)
			zero = zero && ok && n == 0
		}
	}
	if zero { // which others simplify
		return
	}
	elem, indices, ok := k.asMember()
	if !ok {
		elem, indices, ok = k.asBytes()
	}
	if !ok {
		if !k.partial && k.Warn != nil {
			k.warn(x.loc)
		}
		k.still = true
		return
	}
	call := k.call(i, x, elem, indices)
	if !x.store {
		f.ReplaceAllUses(ir.Local(i), ir.Local(call))
	}
	k.visited = append(k.visited, i)
}

func (k *offsetKeeper) warn(loc ir.MDID) {
	text := "Non-constant offset in access to a field of a type marked with preserve_static_offset might be rejected by BPF verifier"
	if loc == 0 {
		text += " (pass -g option to get exact location)"
	}
	k.Warn(k.f, loc, text)
}

// asMember makes one list of indices of those of the chain: each step goes on in the type that the last led to.
func (k *offsetKeeper) asMember() (elem ir.Type, indices []ir.Value, ok bool) {
	f := k.f
	var at ir.Type
	for n, s := range k.steps {
		for _, v := range s.indices {
			if _, ok := f.Consts.SignedInt(k.M.Types, v); !ok {
				return 0, nil, false
			}
		}
		own := s.indices
		if n == 0 {
			elem = s.elem
		} else {
			if first, _ := f.Consts.SignedInt(k.M.Types, own[0]); first != 0 || s.elem != at {
				return 0, nil, false
			}
			own = own[1:]
		}
		indices = append(indices, own...)
		at = s.elem
		for _, v := range s.indices[1:] {
			i, _ := f.Consts.SignedInt(k.M.Types, v)
			_, e, ok := k.layout.ElemOffset(k.M.Types, at, i)
			if !ok {
				return 0, nil, false
			}
			at = e
		}
	}
	return elem, indices, true
}

// asBytes makes one offset of those of the chain.
func (k *offsetKeeper) asBytes() (elem ir.Type, indices []ir.Value, ok bool) {
	f, types := k.f, k.M.Types
	off := int64(0)
	for _, s := range k.steps {
		var idx []int64
		for _, v := range s.indices {
			n, ok := f.Consts.SignedInt(types, v)
			if !ok {
				return 0, nil, false
			}
			idx = append(idx, n)
		}
		o, ok := k.layout.GEPOffset(types, s.elem, 0, idx)
		if !ok {
			return 0, nil, false
		}
		off += o
	}
	return ir.Int8, []ir.Value{ir.ConstVal(f.Consts.Int(types.Int(k.layout.IndexBits(0)), uint64(off)))}, true
}

// call adds the call that stands for the chain and an access, before the access.
func (k *offsetKeeper) call(i ir.InstrID, x memoryAccess, elem ir.Type, indices []ir.Value) ir.InstrID {
	f, types := k.f, k.M.Types
	inBounds := uint64(1)
	loc := x.loc
	for _, s := range k.steps {
		if !s.inBounds {
			inBounds = 0
		}
		loc = k.mergeLocs(loc, s.loc)
	}
	volatile := uint64(0)
	if x.volatile {
		volatile = 1
	}
	num := func(t ir.Type, v uint64) ir.Value { return ir.ConstVal(f.Consts.Int(t, v)) }
	args := []ir.Value{k.steps[0].base, num(ir.Int1, volatile), num(ir.Int8, uint64(x.order)), num(ir.Int8, x.scope), num(ir.Int8, x.align), num(ir.Int1, inBounds)}
	params := []ir.Type{f.TypeOf(args[0]), ir.Int1, ir.Int8, ir.Int8, ir.Int8, ir.Int1}
	which, result, ptr, effect, of := k.n.gepLoad, x.typ, 0, "argmem: read", "readonly"
	if x.store {
		args, params = append([]ir.Value{x.value}, args...), append([]ir.Type{x.typ}, params...)
		which, result, ptr, effect, of = k.n.gepStore, ir.Void, 1, "argmem: write", "writeonly"
	}
	list := ir.AttrList{Params: make([]ir.AttrSet, len(args)+len(indices))}
	if x.store && types.Kind(x.typ) == ir.KindPointer {
		list.Params[0] = ir.AttrSet{{Key: "readnone"}}
	}
	if x.order <= ir.Unordered && !x.volatile {
		list.Fn = ir.AttrSet{{Key: "memory", Value: effect}}
		list.Params[ptr] = ir.AttrSet{{Key: of}}
	}
	list.Params[ptr] = append(list.Params[ptr], ir.Attr{Key: "elementtype", Type: elem})
	for n := range indices {
		list.Params[len(args)+n] = ir.AttrSet{{Key: "immarg"}}
	}
	ops := append(append(args, indices...), ir.IntrinsicVal(which))
	id := insert(f, i, ir.Instr{Op: ir.OpCall, Type: result, SrcType: types.Func(result, params, true), Loc: loc, Attrs: k.M.Attrs.Intern(&list)}, ops...)
	if name := k.steps[len(k.steps)-1].name; name != "" && !x.store {
		f.ValueNames[id] = k.b.Unique(name)
	}
	copyAliasing(f, i, id)
	return id
}

// mergeLocs is a place for what was at two: the one where they are the same, else the line or
// the function that both are in.
func (k *offsetKeeper) mergeLocs(x, y ir.MDID) ir.MDID {
	a, okA := k.M.MD.Location(x)
	b, okB := k.M.MD.Location(y)
	if x == y || !okA || !okB {
		return x
	}
	a.AtomGroup, a.AtomRank, b.AtomGroup, b.AtomRank = 0, 0, 0, 0
	if a == b {
		return x
	}
	if a.Scope != b.Scope || a.InlinedAt != b.InlinedAt || a.Line != b.Line {
		a.Line = 0
	}
	a.Column = 0
	return k.M.MD.AddLocation(a)
}
