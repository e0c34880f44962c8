package ir

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// IsScalable reports whether the size of ty is a multiple of vscale.
func (d *DataLayout) IsScalable(t *Types, ty Type) bool {
	for {
		switch t.Kind(ty) {
		case KindScalableVector:
			return true
		case KindArray:
			ty = t.Elem(ty)
		case KindStruct:
			m := t.Subtypes(ty)
			if len(m) == 0 {
				return false
			}
			ty = m[0]
		case KindTargetExt:
			l := t.TargetLayout(ty)
			if l == ty {
				return false
			}
			ty = l
		default:
			return false
		}
	}
}

// SizeInBits returns the number of bits that a value of type ty holds: 1 for
// i1, 80 for x86_fp80, the padded size for structs. 0 for types without size.
func (d *DataLayout) SizeInBits(t *Types, ty Type) uint64 {
	r := t.row(ty)
	switch r.kind {
	case KindInteger, KindHalf, KindBFloat, KindFloat, KindDouble, KindX86FP80, KindFP128, KindPPCFP128:
		return r.n
	case KindLabel:
		return uint64(d.ptrs[0].Bits)
	case KindPointer:
		return uint64(d.Pointer(uint32(r.n)).Bits)
	case KindArray:
		return satMul(satMul(r.n, d.SizeOf(t, r.elem)), 8)
	case KindVector, KindScalableVector:
		return satMul(r.n, d.SizeInBits(t, r.elem))
	case KindStruct:
		if r.opaque {
			return 0
		}
		return satMul(d.Struct(t, ty).Size, 8)
	case KindX86AMX:
		return 8192
	case KindTargetExt:
		if l := t.TargetLayout(ty); l != ty {
			return d.SizeInBits(t, l)
		}
	}
	return 0
}

// satMul multiplies, stopping at the largest number: absurd types get an absurd size, never a small one.
func satMul(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return math.MaxUint64
	}
	return lo
}

func satAdd(a, b uint64) uint64 {
	s, c := bits.Add64(a, b, 0)
	if c != 0 {
		return math.MaxUint64
	}
	return s
}

// StoreSize returns the number of bytes that a store of ty may write.
func (d *DataLayout) StoreSize(t *Types, ty Type) uint64 {
	b := d.SizeInBits(t, ty)
	return b/8 + min(b%8, 1)
}

// SizeOf returns the distance in bytes of two ty in an array: the store size
// rounded up to the ABI alignment (LLVM's alloc size).
func (d *DataLayout) SizeOf(t *Types, ty Type) uint64 {
	switch ty {
	case Int8:
		return 1
	case Int32:
		return alignUp(4, d.intAlign(32, true))
	}
	if r := t.row(ty); r.kind == KindArray {
		return satMul(r.n, d.SizeOf(t, r.elem))
	}
	return alignUp(d.StoreSize(t, ty), d.ABIAlign(t, ty))
}

// AllocSize is SizeOf by LLVM's name.
func (d *DataLayout) AllocSize(t *Types, ty Type) uint64 { return d.SizeOf(t, ty) }

func alignUp(n, a uint64) uint64 {
	if a <= 1 {
		return n
	}
	return satAdd(n, a-1) &^ (a - 1)
}

// ABIAlign returns the ABI alignment of ty in bytes, at least 1.
func (d *DataLayout) ABIAlign(t *Types, ty Type) uint64 { return d.align(t, ty, true) }

// PrefAlign returns the preferred alignment of ty in bytes, at least 1.
func (d *DataLayout) PrefAlign(t *Types, ty Type) uint64 { return d.align(t, ty, false) }

func (d *DataLayout) intAlign(width uint32, abi bool) uint64 {
	// The specification of the next width that is not smaller, or the widest.
	s := d.ints[len(d.ints)-1]
	for _, x := range d.ints {
		if x.width >= width {
			s = x
			break
		}
	}
	if abi {
		return s.abi
	}
	return s.pref
}

func (d *DataLayout) align(t *Types, ty Type, abi bool) uint64 {
	r := t.row(ty)
	pick := func(a, p uint64) uint64 {
		if abi {
			return max(a, 1)
		}
		return max(p, 1)
	}
	switch r.kind {
	case KindInteger:
		return d.intAlign(uint32(r.n), abi)
	case KindLabel:
		return pick(d.ptrs[0].ABI, d.ptrs[0].Pref)
	case KindPointer:
		p := d.Pointer(uint32(r.n))
		return pick(p.ABI, p.Pref)
	case KindHalf, KindBFloat, KindFloat, KindDouble, KindX86FP80, KindFP128, KindPPCFP128:
		for _, s := range d.floats {
			if uint64(s.width) == r.n {
				return pick(s.abi, s.pref)
			}
		}
		return pow2Ceil(r.n / 8)
	case KindArray:
		return d.align(t, r.elem, abi)
	case KindVector, KindScalableVector:
		n := d.SizeInBits(t, ty)
		for _, s := range d.vecs {
			if uint64(s.width) == n {
				return pick(s.abi, s.pref)
			}
		}
		return pow2Ceil(d.StoreSize(t, ty))
	case KindStruct:
		if r.packed && abi {
			return 1
		}
		a := uint64(1)
		if !r.opaque {
			a = d.Struct(t, ty).Align
		}
		return max(pick(d.aggABI, d.aggPref), a)
	case KindX86AMX:
		return 64
	case KindTargetExt:
		if l := t.TargetLayout(ty); l != ty {
			return d.align(t, l, abi)
		}
	}
	return 1
}

func pow2Ceil(n uint64) uint64 {
	if n <= 1 {
		return 1
	}
	if n > 1<<62 {
		return 1 << 62
	}
	return 1 << bits.Len64(n-1)
}

// Struct returns the layout of a struct type; it is computed once.
func (d *DataLayout) Struct(t *Types, ty Type) *StructInfo {
	if l := d.layoutsOf(t); l != nil && int(ty) < len(l.rows) {
		if s := l.rows[ty].Load(); s != nil {
			return s
		}
	}
	members := t.Subtypes(ty)
	s := &StructInfo{Offsets: make([]uint64, len(members)), Align: 1}
	packed := t.IsPacked(ty)
	off := uint64(0)
	for i, m := range members {
		if !packed {
			a := d.ABIAlign(t, m)
			if u := alignUp(off, a); u != off {
				off, s.Padded = u, true
			}
			s.Align = max(s.Align, a)
		}
		s.Offsets[i] = off
		off = satAdd(off, d.SizeOf(t, m))
	}
	if u := alignUp(off, s.Align); u != off {
		off, s.Padded = u, true
	}
	s.Size = off
	d.keep(t, ty, s)
	return s
}

// structLayouts are the layouts of a module's struct types, by handle; nil for
// those that nobody has asked for. Reading takes no lock.
type structLayouts struct {
	t    *Types
	rows []atomic.Pointer[StructInfo]
}

// maxLayouts bounds the modules whose layouts are kept.
const maxLayouts = 8

// layoutsOf returns what is kept of a module, nil when that is nothing.
func (d *DataLayout) layoutsOf(t *Types) *structLayouts {
	if all := d.layouts.Load(); all != nil {
		for _, l := range *all {
			if l.t == t {
				return l
			}
		}
	}
	return nil
}

// keep stores the layout of a struct type.
func (d *DataLayout) keep(t *Types, ty Type, s *StructInfo) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l := d.layoutsOf(t)
	if l == nil || int(ty) >= len(l.rows) {
		n := &structLayouts{t, make([]atomic.Pointer[StructInfo], max(t.Len(), int(ty)+1)+16)}
		list := []*structLayouts{n}
		if all := d.layouts.Load(); all != nil {
			for _, o := range *all {
				if o != l && len(list) < maxLayouts {
					list = append(list, o)
				}
			}
		}
		if l != nil {
			for k := range l.rows {
				n.rows[k].Store(l.rows[k].Load())
			}
		}
		l = n
		d.layouts.Store(&list)
	}
	l.rows[ty].Store(s)
}

// StructLayout returns the member offsets, the size and the alignment of a struct type.
func (d *DataLayout) StructLayout(t *Types, ty Type) (offsets []uint64, size, align uint64) {
	s := d.Struct(t, ty)
	return s.Offsets, s.Size, s.Align
}

// StructOffset returns the offset of member i of a struct type.
func (d *DataLayout) StructOffset(t *Types, ty Type, i int) uint64 { return d.Struct(t, ty).Offsets[i] }

// ElemOffset returns the offset of element i of an array, vector or struct
// and the element's type; ok is false for other types, scalable vectors and
// members that do not exist.
func (d *DataLayout) ElemOffset(t *Types, ty Type, i int64) (off int64, elem Type, ok bool) {
	switch t.Kind(ty) {
	case KindStruct:
		m := t.Subtypes(ty)
		if i < 0 || i >= int64(len(m)) {
			return 0, 0, false
		}
		return int64(d.Struct(t, ty).Offsets[i]), m[i], true
	case KindArray, KindVector:
		e := t.Elem(ty)
		return i * int64(d.SizeOf(t, e)), e, true
	}
	return 0, 0, false
}

// GEPOffset returns the constant byte offset of a getelementptr over source
// element type src with constant indices, wrapped to the index width of
// address space as. ok is false when an index does not fit the types.
func (d *DataLayout) GEPOffset(t *Types, src Type, as uint32, indices []int64) (off int64, ok bool) {
	if len(indices) == 0 {
		return 0, true
	}
	if d.IsScalable(t, src) {
		return 0, false
	}
	off = indices[0] * int64(d.SizeOf(t, src))
	for _, i := range indices[1:] {
		o, e, k := d.ElemOffset(t, src, i)
		if !k {
			return 0, false
		}
		off += o
		src = e
	}
	if w := d.IndexBits(as); w < 64 {
		off = off << (64 - w) >> (64 - w)
	}
	return off, true
}

// ConstGEPOffset returns the offset of a getelementptr instruction of f when
// all its indices are integer constants.
func (d *DataLayout) ConstGEPOffset(f *Function, i InstrID) (off int64, ok bool) {
	var buf [8]int64
	ops := f.Ops(i)
	idx := buf[:0]
	for _, v := range ops[1:] {
		n, ok := f.Consts.SignedInt(f.Module.Types, v)
		if !ok {
			return 0, false
		}
		idx = append(idx, n)
	}
	t := f.Module.Types
	return d.GEPOffset(t, f.Instrs[i].SrcType, t.AddrSpace(t.Scalar(f.TypeOf(ops[0]))), idx)
}

// ConstExprGEPOffset is ConstGEPOffset for a getelementptr expression c of pool p.
func (d *DataLayout) ConstExprGEPOffset(m *Module, p *ConstPool, c ConstID) (off int64, ok bool) {
	var buf [8]int64
	idx := buf[:0]
	ops := p.Ops(c)[1:]
	if p.At(c).Flags&HasInRange != 0 {
		ops = ops[:len(ops)-2]
	}
	for _, v := range ops {
		n, ok := p.SignedInt(m.Types, v)
		if !ok {
			return 0, false
		}
		idx = append(idx, n)
	}
	r := p.At(c)
	return d.GEPOffset(m.Types, r.SrcType, m.Types.AddrSpace(m.Types.Scalar(r.Type)), idx)
}

// SignedInt returns the value of an integer constant operand, sign-extended.
// A zeroinitializer of integer type is 0. ok is false for every other value
// and for integers that do not fit 64 bits.
func (p *ConstPool) SignedInt(t *Types, v Value) (n int64, ok bool) {
	c := v.Const()
	if c == 0 {
		return 0, false
	}
	r := p.At(c)
	switch r.Kind {
	case ConstInt:
		w := t.IntBits(r.Type)
		if r.N == 0 {
			if w == 0 || w > 64 {
				return 0, false
			}
			s := 64 - uint(w)
			return int64(r.Bits<<s) >> s, true
		}
		// Wide: the high words must be the sign extension of the first.
		ws := p.Words(c)
		for i, x := range ws[1:] {
			want := uint64(int64(ws[0]) >> 63)
			if i == len(ws)-2 && w%64 != 0 {
				want &= 1<<(w%64) - 1
			}
			if x != want {
				return 0, false
			}
		}
		return int64(ws[0]), true
	case ConstZero:
		return 0, t.IntBits(r.Type) != 0
	case ConstSplat:
		return p.SignedInt(t, p.Ops(c)[0])
	}
	return 0, false
}

// TargetLayout returns the type that a target extension type is laid out as;
// the type itself when its layout is not known.
func (t *Types) TargetLayout(ty Type) Type {
	name := t.StructName(ty)
	switch {
	case hasPrefix(name, "spirv."), hasPrefix(name, "dx."):
		return Ptr
	case name == "aarch64.svcount":
		return t.Vector(Int1, 16, true)
	case name == "riscv.vector.tuple":
		if s, n := t.Subtypes(ty), t.TargetInts(ty); len(s) == 1 && len(n) == 1 {
			return t.Vector(Int8, max(t.NumElems(s[0])*n[0], 8), true)
		}
	case hasPrefix(name, "amdgcn.named.barrier"):
		return t.Vector(Int32, 4, false)
	}
	return ty
}

func hasPrefix(s, p string) bool { return len(s) >= len(p) && s[:len(p)] == p }
