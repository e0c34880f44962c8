package callconv

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
)

// Kind is the form of a scalar.
type Kind uint8

// The forms.
const (
	None Kind = iota // not a value that registers hold
	Int
	Float
	Pointer
)

// Type is the type of a part as conventions see it: a scalar or a vector of them.
type Type struct {
	Kind Kind
	// Bits is the size of the scalar; MVT its type where that is not an
	// integer or a pointer.
	Bits  int
	MVT   desc.MVT
	Elems int // 0 for a scalar
	Space uint32
}

// typeOf finds the type of a part. Without a table of types only primitive
// types are told by name, others by their low-level type, where vectors of
// floats look like those of integers (they have the same registers).
func typeOf(types *ir.Types, dl *ir.DataLayout, p Part) Type {
	ty := p.Type
	n := 0
	if f, ok := floatMVT(ty); ok {
		return Type{Kind: Float, Bits: f.Bits(), MVT: f}
	}
	if types == nil || ty == ir.NoType {
		t := Type{Kind: Int, Bits: p.LLT.ScalarBits()}
		if p.LLT.IsVector() {
			t.Elems = p.LLT.NumElems()
		}
		if p.LLT.IsPointer() {
			t.Kind, t.Space = Pointer, p.LLT.AddrSpace()
		}
		return t
	}
	if types.Kind(ty) == ir.KindVector {
		n = int(types.NumElems(ty))
		ty = types.Elem(ty)
		if n == 1 {
			n = 0
		}
	}
	t := Type{Elems: n}
	switch types.Kind(ty) {
	case ir.KindInteger:
		t.Kind, t.Bits = Int, types.IntBits(ty)
	case ir.KindPointer:
		t.Kind, t.Space = Pointer, types.AddrSpace(ty)
		t.Bits = int(dl.Pointer(t.Space).Bits)
	default:
		if f, ok := floatMVT(ty); ok {
			t.Kind, t.MVT, t.Bits = Float, f, f.Bits()
		}
	}
	return t
}

// floatMVT is the type of a floating-point scalar.
func floatMVT(ty ir.Type) (desc.MVT, bool) {
	switch ty {
	case ir.Half:
		return desc.MVTf16, true
	case ir.BFloat:
		return desc.MVTbf16, true
	case ir.Float:
		return desc.MVTf32, true
	case ir.Double:
		return desc.MVTf64, true
	case ir.X86FP80:
		return desc.MVTf80, true
	case ir.FP128:
		return desc.MVTf128, true
	case ir.PPCFP128:
		return desc.MVTppcf128, true
	}
	return 0, false
}

// RegTypes are the types that registers of a subtarget hold. Types that are not
// among them are cut or widened in LLVM's ways.
type RegTypes struct {
	Legal []desc.MVT
	// Instead gives another type to a scalar type that is not legal, 0 to leave it.
	Instead func(t Type) desc.MVT
}

func (rt *RegTypes) has(t desc.MVT) bool { return slices.Contains(rt.Legal, t) }

// Registers gives the register type of t and the number of such values that it
// takes; n is 0 when it cannot be passed.
func (rt *RegTypes) Registers(t Type) (vt desc.MVT, n int) {
	if t.Elems == 0 {
		return rt.scalar(t)
	}
	elem := t.MVT
	if t.Kind != Float {
		var ok bool
		if elem, ok = intMVT(t.Bits); !ok {
			return rt.odd(t)
		}
	}
	if v, ok := desc.VectorMVT(elem, t.Elems); ok && rt.has(v) {
		return v, 1
	}
	if elem == desc.MVTi1 {
		return rt.mask(t)
	}
	// The next wider legal vector.
	wide := 1
	for wide < t.Elems {
		wide *= 2
	}
	for k := wide; k <= 1024; k *= 2 {
		if v, ok := desc.VectorMVT(elem, k); ok && rt.has(v) {
			return v, 1
		}
		if wide != t.Elems {
			// A vector of odd length is its elements unless the next power of two is legal.
			return rt.elements(t)
		}
	}
	for k := wide / 2; k > 1; k /= 2 {
		if v, ok := desc.VectorMVT(elem, k); ok && rt.has(v) {
			return v, wide / k
		}
	}
	return rt.elements(t)
}

// elements passes the elements of a vector one by one.
func (rt *RegTypes) elements(t Type) (desc.MVT, int) {
	n := t.Elems
	t.Elems = 0
	vt, k := rt.scalar(t)
	return vt, n * k
}

// odd is a vector of integers whose width is no type of its own: its elements
// are widened where that gives a legal vector.
func (rt *RegTypes) odd(t Type) (desc.MVT, int) {
	bits := 8
	for bits < t.Bits {
		bits *= 2
	}
	if bits > 64 {
		return rt.elements(t)
	}
	t.Bits = bits
	return rt.Registers(t)
}

// mask is a vector of i1: as many wider integers where that is a legal vector.
func (rt *RegTypes) mask(t Type) (desc.MVT, int) {
	for bits := 8; bits <= 64; bits *= 2 {
		e, _ := intMVT(bits)
		if v, ok := desc.VectorMVT(e, t.Elems); ok && rt.has(v) {
			return v, 1
		}
	}
	return rt.elements(t)
}

// scalar: integers are widened to a legal one or cut into the widest.
func (rt *RegTypes) scalar(t Type) (desc.MVT, int) {
	if t.Kind == None {
		return 0, 0
	}
	if t.Kind == Float && rt.has(t.MVT) {
		return t.MVT, 1
	}
	if rt.Instead != nil {
		if v := rt.Instead(t); v != 0 {
			return v, 1
		}
	}
	if t.Kind == Float && t.MVT == desc.MVTppcf128 {
		return 0, 0
	}
	// What registers do not hold travels as an integer of its bits.
	widest := desc.MVT(0)
	for _, v := range rt.Legal {
		if v.IsInteger() && !v.IsVector() {
			if v.Bits() >= t.Bits && (widest == 0 || widest.Bits() < t.Bits || v.Bits() < widest.Bits()) {
				widest = v
			} else if widest == 0 || widest.Bits() < t.Bits && v.Bits() > widest.Bits() {
				widest = v
			}
		}
	}
	if widest == 0 {
		return 0, 0
	}
	if widest.Bits() >= t.Bits {
		return widest, 1
	}
	return widest, (t.Bits + widest.Bits() - 1) / widest.Bits()
}

func intMVT(bits int) (desc.MVT, bool) {
	switch bits {
	case 1:
		return desc.MVTi1, true
	case 8:
		return desc.MVTi8, true
	case 16:
		return desc.MVTi16, true
	case 32:
		return desc.MVTi32, true
	case 64:
		return desc.MVTi64, true
	}
	return 0, false
}
