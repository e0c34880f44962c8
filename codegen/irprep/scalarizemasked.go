package irprep

import (
	"strconv"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// ScalarizeMasked makes masked loads and stores, gathers, scatters, expanding
// loads and compressing stores accesses of single elements, each behind a
// branch on its bit of the mask, where the target has no instruction for the whole.
// Elements that are no whole bytes and scalable vectors stay for the
// translator, which names them.
var ScalarizeMasked = pass.Pass{
	Name:  "scalarize-masked-mem-intrin",
	Title: "Scalarize unsupported masked memory intrinsics",
	IR:    true,
	Run:   runScalarizeMasked,
}

// maskedAccess is one call that is made into accesses of elements.
type maskedAccess struct {
	ir.Builder
	f    *ir.Function
	call ir.InstrID
	vec  ir.Type // of the value
	elem ir.Type
	n    int // elements
	// ptr is the address, or the vector of addresses; val what is stored, or the
	// vector that a load fills in; mask the condition of each element.
	ptr, val, mask ir.Value
	// The alignments of an element and of the whole, as ir.Instr has them.
	align, alignAll uint8
	load            bool
	scattered       bool // ptr is a vector
	packed          bool // elements stand in memory without gaps: expandload, compressstore
	bits            ir.Value
}

func runScalarizeMasked(c *pass.Context, mf *mir.Function) error {
	if mf.IR == nil || mf.FirstBlock() != 0 {
		return nil // from MIR, past this pass
	}
	f := mf.IR
	var todo []ir.InstrID
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instr(i).Next {
			if f.Instr(i).Op == ir.OpCall && isMasked(f.IntrinsicOf(i)) {
				todo = append(todo, i)
			}
		}
	}
	if len(todo) == 0 {
		return nil
	}
	st := c.Subtarget
	f = mf.OwnIR()
	b := ir.NewBuilder(f)
	for _, i := range todo {
		a := maskedAccess{Builder: b, f: f, call: i}
		if !a.read(c.Machine.Layout) {
			continue
		}
		if keep := st.Target.ISel.Prepare.Masked; keep != nil && f.NumArgOps(i) == 3 && keep(st, f.Module.Types, f.IntrinsicOf(i), a.vec) {
			continue
		}
		a.expand()
	}
	f.DropUses()
	return b.Err()
}

func isMasked(x ir.Intrinsic) bool {
	switch x {
	case ir.IntrMaskedLoad, ir.IntrMaskedStore, ir.IntrMaskedGather, ir.IntrMaskedScatter, ir.IntrMaskedExpandload, ir.IntrMaskedCompressstore:
		return true
	}
	return false
}

// read takes the call apart; false when it has to stay.
func (a *maskedAccess) read(dl *ir.DataLayout) bool {
	f, ts := a.f, a.f.Module.Types
	x := f.IntrinsicOf(a.call)
	ops := append([]ir.Value(nil), f.Ops(a.call)[:f.NumArgOps(a.call)]...)
	a.load = x == ir.IntrMaskedLoad || x == ir.IntrMaskedGather || x == ir.IntrMaskedExpandload
	a.scattered = x == ir.IntrMaskedGather || x == ir.IntrMaskedScatter
	a.packed = x == ir.IntrMaskedExpandload || x == ir.IntrMaskedCompressstore
	at := 0
	if !a.load {
		at = 1
	}
	align := uint64(1)
	// The alignment is an attribute of the pointer, or an argument in older modules.
	if p, ok := f.Module.Attrs.At(f.Instr(a.call).Attrs).Param(at).Get("align"); ok {
		align = max(p.Int, 1)
	}
	if len(ops) == 4 {
		k, _ := f.Consts.SignedInt(ts, ops[at+1])
		align = max(uint64(k), 1)
		ops = append(ops[:at+1], ops[at+2:]...)
	}
	if a.load {
		a.ptr, a.mask, a.val = ops[0], ops[1], ops[2]
	} else {
		a.val, a.ptr, a.mask = ops[0], ops[1], ops[2]
	}
	a.vec = f.TypeOf(a.val)
	if ts.Kind(a.vec) != ir.KindVector {
		return false
	}
	a.elem, a.n = ts.Elem(a.vec), int(ts.NumElems(a.vec))
	size := dl.SizeInBits(ts, a.elem)
	if size%8 != 0 || dl.StoreSize(ts, a.elem) != dl.SizeOf(ts, a.elem) {
		return false
	}
	for a.alignAll = 1; 1<<a.alignAll <= align && a.alignAll < 33; a.alignAll++ {
	}
	for a.align = 1; 1<<a.align <= align && size/8%(1<<a.align) == 0; a.align++ {
	}
	return true
}

// maskBit tells what a constant mask says of element k.
func (a *maskedAccess) maskBit(k int) (set, known bool) {
	p, c := &a.f.Consts, a.mask.Const()
	if c == 0 {
		return false, false
	}
	var v ir.Value
	switch p.At(c).Kind {
	case ir.ConstZero:
		return false, true
	case ir.ConstVector:
		v = p.Ops(c)[k]
	case ir.ConstSplat:
		v = p.Ops(c)[0]
	default:
		return false, false
	}
	n, known := p.SignedInt(a.f.Module.Types, v)
	return n != 0, known
}

// expand makes the accesses in front of the call, which goes.
func (a *maskedAccess) expand() {
	a.SetBefore(a.call)
	a.Loc(a.f.Instr(a.call).Loc)
	if a.whole() {
		return
	}
	if _, known := a.maskBit(0); !known && a.n > 1 {
		a.bits = a.Name("scalar_mask").BitCast(a.mask, a.f.Module.Types.Int(a.n))
	}
	val, ptr := a.val, a.ptr
	for k := range a.n {
		if set, known := a.maskBit(k); known {
			if set {
				val, ptr = a.element(k, val, ptr)
			}
			continue
		}
		val, ptr = a.guarded(k, val, ptr)
	}
	if a.load {
		a.f.ReplaceAllUses(ir.Local(a.call), val)
	}
	a.f.Erase(a.call)
}

// whole makes an access under a mask of ones one of the whole vector, and reports whether it did.
func (a *maskedAccess) whole() bool {
	if a.scattered || a.packed {
		return false
	}
	for k := range a.n {
		if set, known := a.maskBit(k); !known || !set {
			return false
		}
	}
	if a.load {
		v := a.Emit(ir.Instr{Op: ir.OpLoad, Type: a.vec, SrcType: a.vec, Align: a.alignAll}, a.ptr)
		a.f.ReplaceAllUses(ir.Local(a.call), v)
	} else {
		a.Emit(ir.Instr{Op: ir.OpStore, Type: ir.Void, SrcType: a.vec, Align: a.alignAll}, a.val, a.ptr)
	}
	a.f.Erase(a.call)
	return true
}

// guarded accesses element k where its bit is set, in a block of its own, and
// returns the vector and the address that the next one starts from.
func (a *maskedAccess) guarded(k int, val, ptr ir.Value) (ir.Value, ir.Value) {
	f, from := a.f, a.f.Instr(a.call).Block
	var cond ir.Value
	if a.bits != 0 {
		it := f.Module.Types.Int(a.n)
		cond = a.ICmp(ir.ICmpNE, a.And(a.bits, a.bit(it, k)), a.Zero(it))
	} else {
		cond = a.ExtractElement(a.mask, a.Int(ir.Int64, int64(k)))
	}
	name := "cond.store"
	if a.load {
		name = "cond.load"
	}
	do := a.Unique(name)
	next := f.SplitBlock(a.call, a.Unique("else"))
	access := f.AddBlockAfter(from, do)
	f.Erase(f.Terminator(from))
	a.SetBlock(from)
	a.CondBr(cond, access, next)
	a.SetBlock(access)
	a.Br(next)
	a.SetBefore(f.Terminator(access))
	newVal, newPtr := a.element(k, val, ptr)
	a.SetBefore(f.Blocks[next].First)
	join := func(name string, v, old ir.Value) ir.Value {
		if v == old {
			return old
		}
		phi := a.Name(name).Phi(a.TypeOf(v))
		a.AddIncoming(phi, v, access)
		a.AddIncoming(phi, old, from)
		return phi
	}
	val, ptr = join("res.phi.else", newVal, val), join("ptr.phi.else", newPtr, ptr)
	a.SetBefore(a.call)
	return val, ptr
}

// bit is the constant with bit k alone.
func (a *maskedAccess) bit(it ir.Type, k int) ir.Value {
	if a.n <= 64 {
		return ir.ConstVal(a.f.Consts.Int(it, 1<<k))
	}
	words := make([]uint64, (a.n+63)/64)
	words[k/64] = 1 << (k % 64)
	return ir.ConstVal(a.f.Consts.WideInt(it, a.n, words, false))
}

// element accesses element k and returns the vector with it and, where
// elements are packed, the address behind it.
func (a *maskedAccess) element(k int, val, ptr ir.Value) (ir.Value, ir.Value) {
	idx := a.Int(ir.Int64, int64(k))
	suffix := strconv.Itoa(k)
	addr, named := ptr, func(string) ir.Builder { return a.Builder }
	elem := ir.Value(0)
	if a.scattered {
		named = func(s string) ir.Builder { return a.Name(s + suffix) }
	}
	if !a.load {
		elem = named("Elt").ExtractElement(a.val, idx)
	}
	switch {
	case a.scattered:
		addr = named("Ptr").ExtractElement(a.ptr, idx)
	case !a.packed:
		addr = a.With(ir.InBounds|ir.NUSW).GEP(a.elem, a.ptr, a.Int(ir.Int32, int64(k)))
	}
	align := a.align
	if a.load {
		elem = named("Load").Emit(ir.Instr{Op: ir.OpLoad, Type: a.elem, SrcType: a.elem, Align: align}, addr)
		val = named("Res").InsertElement(val, elem, idx)
	} else {
		a.Emit(ir.Instr{Op: ir.OpStore, Type: ir.Void, SrcType: a.elem, Align: align}, elem, addr)
	}
	if a.packed && k+1 < a.n {
		ptr = a.With(ir.InBounds|ir.NUSW).GEP(a.elem, ptr, a.Int(ir.Int32, 1))
	}
	return val, ptr
}
