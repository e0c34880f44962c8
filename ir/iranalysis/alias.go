package iranalysis

import (
	"math/bits"

	"github.com/mirin-go/mirin/ir"
)

// AliasResult says whether two accesses can touch the same byte.
type AliasResult uint8

// The results, LLVM's.
const (
	NoAlias AliasResult = iota
	MayAlias
	PartialAlias // they overlap, and do not begin at the same byte
	MustAlias    // they begin at the same byte
)

// UnknownSize is the size of an access whose extent is not known.
const UnknownSize = -1

// Location is memory that an access touches.
type Location struct {
	Ptr  ir.Value
	Size int64 // bytes, or UnknownSize
	// TBAA, Scope and NoAlias are the metadata of the access, 0 for none.
	TBAA, Scope, NoAlias ir.MDID
}

// Alias answers queries about the memory of one function by what pointers are
// based on, by offsets, by type-based metadata and by scoped noalias
// metadata. It is good while the function does not change.
type Alias struct {
	f    *ir.Function
	dl   *ir.DataLayout
	t    *ir.Types
	uses useLists
	// captured is, by instruction, whether an identified object's address gets
	// out: 0 not asked yet, 1 no, 2 yes.
	captured []uint8
}

// NewAlias prepares queries about f; the layout is the module's.
func NewAlias(f *ir.Function, dl *ir.DataLayout) *Alias {
	return &Alias{f: f, dl: dl, t: f.Module.Types, captured: make([]uint8, len(f.Instrs))}
}

// LocationOf returns what a load or store touches; ok is false for other instructions.
func (a *Alias) LocationOf(i ir.InstrID) (l Location, ok bool) {
	in := &a.f.Instrs[i]
	switch in.Op {
	case ir.OpLoad:
		l.Ptr, l.Size = a.f.Op(i, 0), a.size(in.Type)
	case ir.OpStore:
		l.Ptr, l.Size = a.f.Op(i, 1), a.size(in.SrcType)
	case ir.OpAtomicRMW, ir.OpCmpXchg:
		l.Ptr, l.Size = a.f.Op(i, 0), a.size(a.f.TypeOf(a.f.Op(i, 1)))
	default:
		return l, false
	}
	for k := in.MD; k != 0; k = a.f.Attachments[k].Next {
		switch at := a.f.Attachments[k]; at.Kind {
		case mdTBAA:
			l.TBAA = at.Node
		case mdAliasScope:
			l.Scope = at.Node
		case mdNoAlias:
			l.NoAlias = at.Node
		}
	}
	return l, true
}

// Fixed numbers of metadata kinds.
const (
	mdTBAA       = 1
	mdAliasScope = 7
	mdNoAlias    = 8
)

func (a *Alias) size(t ir.Type) int64 {
	if a.dl.IsScalable(a.t, t) {
		return UnknownSize
	}
	return int64(a.dl.StoreSize(a.t, t))
}

// Query compares two locations.
func (a *Alias) Query(x, y Location) AliasResult {
	if x.Size == 0 || y.Size == 0 {
		return NoAlias
	}
	r := a.pointers(x.Ptr, x.Size, y.Ptr, y.Size, 0)
	if r != MayAlias {
		return r
	}
	if !a.scopedMayAlias(x.Scope, y.NoAlias) || !a.scopedMayAlias(y.Scope, x.NoAlias) {
		return NoAlias
	}
	if !a.tbaaMayAlias(x.TBAA, y.TBAA) {
		return NoAlias
	}
	return MayAlias
}

// maxAliasDepth bounds how many phis and selects are taken apart within each other.
const maxAliasDepth = 4

func (a *Alias) pointers(p ir.Value, ps int64, q ir.Value, qs int64, depth int) AliasResult {
	if p == q {
		return MustAlias
	}
	x, y := decompose(a.f, a.dl, p), decompose(a.f, a.dl, q)
	if x.base == y.base {
		if x.opaque || y.opaque {
			return MayAlias
		}
		return a.offsets(x, ps, y, qs)
	}
	if a.isNull(x.base) || a.isNull(y.base) {
		return NoAlias
	}
	if a.distinct(x.base, y.base) || a.objectTooSmall(x.base, qs) || a.objectTooSmall(y.base, ps) {
		return NoAlias
	}
	if depth < maxAliasDepth {
		if r, ok := a.ways(p, x, ps, q, qs, depth+1); ok {
			return r
		}
		if r, ok := a.ways(q, y, qs, p, ps, depth+1); ok {
			return r
		}
	}
	return MayAlias
}

func (a *Alias) isNull(v ir.Value) bool {
	c := v.Const()
	return c != 0 && a.f.Consts.At(c).Kind == ir.ConstNull && a.t.AddrSpace(a.f.Consts.At(c).Type) == 0 && !a.nullIsValid()
}

func (a *Alias) nullIsValid() bool {
	return a.f.Module.Attrs.At(a.f.Global().Attrs).Fn.Has("null_pointer_is_valid")
}

// offsets compares two places in one object.
func (a *Alias) offsets(x address, xs int64, y address, ys int64) AliasResult {
	d := address{off: x.off - y.off, terms: append([]term(nil), x.terms...)}
	for _, t := range y.terms {
		d.term(t.v, -t.scale)
	}
	if w := a.dl.IndexBits(a.t.AddrSpace(a.f.TypeOf(x.base))); w < 64 {
		d.off = d.off << (64 - w) >> (64 - w)
	}
	if len(d.terms) == 0 {
		return ranges(d.off, xs, ys)
	}
	if xs < 0 || ys < 0 {
		return MayAlias
	}
	// All variable parts are multiples of g: the places are d.off apart modulo g.
	g := uint64(0)
	for _, t := range d.terms {
		s := uint64(t.scale)
		if t.scale < 0 {
			s = uint64(-t.scale)
		}
		s = 1 << bits.TrailingZeros64(s) // products wrap: only powers of two divide what is left
		if g == 0 || s < g {
			g = s
		}
	}
	m := int64(uint64(d.off) & (g - 1))
	if m >= ys && m+xs <= int64(g) {
		return NoAlias
	}
	return MayAlias
}

// ranges compares [off, off+xs) with [0, ys).
func ranges(off, xs, ys int64) AliasResult {
	switch {
	case off == 0:
		return MustAlias
	case off > 0 && ys >= 0:
		if off >= ys {
			return NoAlias
		}
	case off < 0 && xs >= 0:
		if -off >= xs {
			return NoAlias
		}
	default:
		return MayAlias
	}
	if xs < 0 || ys < 0 {
		return MayAlias
	}
	return PartialAlias
}

// objectKind says what is known of a base.
type objectKind uint8

const (
	otherObject    objectKind = iota
	globalObject              // a variable or function that nothing can replace
	localObject               // alloca, or what an allocation function returned
	argumentObject            // a noalias or byval argument
)

func (a *Alias) kind(v ir.Value) objectKind {
	m := a.f.Module
	switch v.Tag() {
	case ir.TagGlobal:
		if k := m.Globals[v.Global()].Kind; k == ir.GlobalVar || k == ir.GlobalFunc {
			return globalObject
		}
	case ir.TagLocal:
		i := v.Instr()
		switch in := &a.f.Instrs[i]; in.Op {
		case ir.OpAlloca:
			return localObject
		case ir.OpCall, ir.OpInvoke:
			if a.returnsFresh(i) {
				return localObject
			}
		case ir.OpArgument:
			p := m.Attrs.At(a.f.Global().Attrs).Param(int(i) - 1)
			if p.Has("noalias") || p.Has("byval") {
				return argumentObject
			}
		}
	}
	return otherObject
}

func (a *Alias) returnsFresh(i ir.InstrID) bool {
	m := a.f.Module
	if m.Attrs.At(a.f.Instrs[i].Attrs).Ret.Has("noalias") {
		return true
	}
	g := a.f.Callee(i).Global()
	return g != 0 && m.Attrs.At(m.Globals[g].Attrs).Ret.Has("noalias")
}

// distinct reports two bases that are never the same object.
func (a *Alias) distinct(x, y ir.Value) bool {
	kx, ky := a.kind(x), a.kind(y)
	if kx != otherObject && ky != otherObject {
		// A noalias argument may point to a global, but then only through it.
		return true
	}
	return a.freshAgainst(x, kx, y) || a.freshAgainst(y, ky, x)
}

// freshAgainst reports that x is an object of this call, made after y was
// known or never told to where y comes from.
func (a *Alias) freshAgainst(x ir.Value, kx objectKind, y ir.Value) bool {
	if kx == argumentObject && !a.isByVal(x) {
		// Another argument is not based on it.
		i := y.Instr()
		return y.Tag() == ir.TagLocal && i != 0 && a.f.Instrs[i].Op == ir.OpArgument
	}
	if kx != localObject && kx != argumentObject {
		return false
	}
	if y.Tag() == ir.TagConst || y.Tag() == ir.TagGlobal {
		return true
	}
	i := y.Instr()
	if i == 0 {
		return false
	}
	switch a.f.Instrs[i].Op {
	case ir.OpArgument:
		return true
	case ir.OpLoad, ir.OpCall, ir.OpInvoke:
		// What comes from memory or another function can be x only if x's
		// address got there.
		return !a.isCaptured(x)
	}
	return false
}

func (a *Alias) isByVal(v ir.Value) bool {
	return a.f.Module.Attrs.At(a.f.Global().Attrs).Param(int(v.Instr()) - 1).Has("byval")
}

// objectTooSmall reports an object whose size is known to be less than size: an
// access of size bytes that is based on something else cannot be in it.
func (a *Alias) objectTooSmall(v ir.Value, size int64) bool {
	if size < 0 {
		return false
	}
	switch v.Tag() {
	case ir.TagGlobal:
		g := a.f.Module.Globals[v.Global()]
		if g.Kind != ir.GlobalVar || g.IsDecl || g.Linkage == ir.WeakAny || g.Linkage == ir.LinkOnceAny || g.Linkage == ir.Common ||
			g.Linkage == ir.ExternWeak || g.Linkage == ir.AvailableExternally {
			return false
		}
		return int64(a.dl.AllocSize(a.t, g.ValueType)) < size
	case ir.TagLocal:
		in := &a.f.Instrs[v.Instr()]
		if in.Op != ir.OpAlloca || a.dl.IsScalable(a.t, in.SrcType) {
			return false
		}
		n, ok := a.f.Consts.SignedInt(a.t, a.f.Op(v.Instr(), 0))
		return ok && n*int64(a.dl.AllocSize(a.t, in.SrcType)) < size
	}
	return false
}

// ways takes a phi or select apart: what holds of all its values holds of it.
func (a *Alias) ways(p ir.Value, x address, ps int64, q ir.Value, qs int64, depth int) (AliasResult, bool) {
	i := p.Instr()
	if i == 0 {
		return 0, false
	}
	var vs []ir.Value
	switch a.f.Instrs[i].Op {
	case ir.OpSelect:
		vs = []ir.Value{a.f.Op(i, 1), a.f.Op(i, 2)}
	case ir.OpPhi:
		// The other pointer may be one of another round of the loop, so that only
		// what differs by its object counts.
		for n := 0; n < a.f.NumOps(i); n += 2 {
			if v := a.f.Op(i, n); v != p {
				vs = append(vs, v)
			}
		}
		if len(vs) > 8 {
			return 0, false
		}
		for _, v := range vs {
			vb, qb := decompose(a.f, a.dl, v).base, decompose(a.f, a.dl, q).base
			if vb == p {
				continue // a step of the same pointer
			}
			if vb == qb || !a.distinct(vb, qb) && !a.isNull(vb) {
				return 0, false
			}
		}
		return NoAlias, true
	default:
		return 0, false
	}
	r := a.pointers(vs[0], ps, q, qs, depth)
	for _, v := range vs[1:] {
		if r == MayAlias {
			break
		}
		if s := a.pointers(v, ps, q, qs, depth); s != r {
			r = MayAlias
		}
	}
	return r, r != MayAlias
}
