package mir

// Reg is a register as LLVM numbers them: 0 is none, physical registers are
// small numbers (those of the target's facts), stack slots start at 1<<30,
// virtual registers at 1<<31.
type Reg uint32

const (
	firstStackSlot Reg = 1 << 30
	firstVirtual   Reg = 1 << 31
)

// NoReg is no register; MIR writes it $noreg.
const NoReg Reg = 0

// VReg returns virtual register %n.
func VReg(n int) Reg { return firstVirtual | Reg(n) }

// IsVirtual reports whether r is a virtual register.
func (r Reg) IsVirtual() bool { return r >= firstVirtual }

// IsPhysical reports whether r is a physical register.
func (r Reg) IsPhysical() bool { return r-1 < firstStackSlot-1 }

// Index returns n of virtual register %n.
func (r Reg) Index() int { return int(r &^ firstVirtual) }

// VRegInfo is what a function knows of one virtual register: a class, or a
// bank and a type while it is generic.
type VRegInfo struct {
	// Type is the low-level type, 0 when none is known.
	Type LLT
	// Name is an index in Function.RegNames, 0 for none (named vregs in MIR).
	Name uint32
	// Use is the head of the use-def list.
	use OpID
	// Hint is the preferred register (HintType 0: a plain copy hint).
	Hint Reg
	// Class is the register class, -1 for none; Bank the register bank, -1 for none.
	Class    int16
	Bank     int16
	HintType uint8
	// Flags are target flags of the register (AMDGPU uses them).
	Flags uint8
}

// AddVReg adds a virtual register of a class.
func (f *Function) AddVReg(class int16) Reg {
	f.vregs = push(f.vregs, VRegInfo{Class: class, Bank: -1})
	return VReg(len(f.vregs) - 1)
}

// AddGenericVReg adds a virtual register with a type and neither class nor bank.
func (f *Function) AddGenericVReg(t LLT) Reg {
	f.vregs = push(f.vregs, VRegInfo{Type: t, Class: -1, Bank: -1})
	return VReg(len(f.vregs) - 1)
}

// CloneVReg adds a register with the class, bank and type of r.
func (f *Function) CloneVReg(r Reg) Reg {
	v := f.vregs[r.Index()]
	v.use, v.Name, v.Hint, v.HintType = 0, 0, 0, 0
	f.vregs = push(f.vregs, v)
	return VReg(len(f.vregs) - 1)
}

// VReg returns the row of virtual register r; good until one is added.
func (f *Function) VReg(r Reg) *VRegInfo { return &f.vregs[r.Index()] }

// NumVRegs returns the number of virtual registers.
func (f *Function) NumVRegs() int { return len(f.vregs) }

// ClearVRegs forgets the virtual registers when no operand names one any more.
func (f *Function) ClearVRegs() { f.vregs = f.vregs[:0] }

// TypeOf returns the low-level type of a register, 0 for physical ones.
func (f *Function) TypeOf(r Reg) LLT {
	if r.IsVirtual() {
		return f.vregs[r.Index()].Type
	}
	return 0
}

// LLT is a low-level type, LLVM's LLT, in one word: s32, p0, <4 x s32>,
// <vscale x 2 x p0>. The zero LLT is invalid.
//
//	bits  0…3   form: scalar, pointer, vector, scalable
//	bits  8…39  size in bits of a scalar (element)
//	bits  8…23  size of a pointer (element), 24…47 its address space
//	bits 48…63  number of elements
type LLT uint64

const (
	lltScalar   LLT = 1
	lltPointer  LLT = 2
	lltVector   LLT = 4
	lltScalable LLT = 8
)

// Scalar returns sN.
func Scalar(bits int) LLT { return lltScalar | lltField(uint64(bits), 1<<32-1)<<8 }

// Pointer returns pAS of the given size in bits.
func Pointer(addrSpace uint32, bits int) LLT {
	return lltPointer | lltField(uint64(bits), MaxPointerBits)<<8 | lltField(uint64(addrSpace), 1<<24-1)<<24
}

// Vector returns <n x elem>; elem is a scalar or pointer.
func Vector(n int, elem LLT) LLT { return elem | lltVector | lltField(uint64(n), MaxElems)<<48 }

// The greatest number of elements and the widest pointer of an LLT, as in LLVM;
// who makes one from a text or an IR type asks first.
const (
	MaxElems       = 1<<16 - 1
	MaxPointerBits = 1<<16 - 1
)

func lltField(v, limit uint64) LLT {
	if v > limit {
		panic("mir: a low-level type has a number that its fields do not hold")
	}
	return LLT(v)
}

// ScalableVector returns <vscale x n x elem>.
func ScalableVector(n int, elem LLT) LLT { return Vector(n, elem) | lltScalable }

// IsValid reports whether t is a type.
func (t LLT) IsValid() bool { return t != 0 }

// IsScalar reports a plain sN.
func (t LLT) IsScalar() bool { return t&15 == lltScalar }

// IsPointer reports a plain pN.
func (t LLT) IsPointer() bool { return t&15 == lltPointer }

// IsVector reports a vector, scalable ones too.
func (t LLT) IsVector() bool { return t&lltVector != 0 }

// IsScalable reports a scalable vector.
func (t LLT) IsScalable() bool { return t&lltScalable != 0 }

// IsPointerOrVector reports whether the (element) type is a pointer.
func (t LLT) IsPointerOrVector() bool { return t&lltPointer != 0 }

// AddrSpace returns the address space of a pointer (element).
func (t LLT) AddrSpace() uint32 { return uint32(t >> 24 & 0xffffff) }

// NumElems returns the (minimum) number of elements, 1 for no vector.
func (t LLT) NumElems() int {
	if !t.IsVector() {
		return 1
	}
	return int(t >> 48)
}

// ScalarBits returns the size of the type, of an element for vectors.
func (t LLT) ScalarBits() int {
	if t&lltPointer != 0 {
		return int(t >> 8 & 0xffff)
	}
	return int(t >> 8 & 0xffffffff)
}

// Bits returns the size in bits, the minimum size for scalable vectors.
func (t LLT) Bits() int { return t.ScalarBits() * t.NumElems() }

// Bytes returns the size in bytes, rounded up.
func (t LLT) Bytes() int { return (t.Bits() + 7) / 8 }

// Elem returns the element type of a vector, t itself for others.
func (t LLT) Elem() LLT { return t &^ (lltVector | lltScalable) & (1<<48 - 1) }

// AppendText appends the type as MIR writes it.
func (t LLT) AppendText(b []byte) []byte {
	if t == 0 {
		return append(b, "LLT_invalid"...)
	}
	if t.IsVector() {
		b = append(b, '<')
		if t.IsScalable() {
			b = append(b, "vscale x "...)
		}
		b = appendInt(b, int64(t.NumElems()))
		b = append(b, " x "...)
		b = t.Elem().AppendText(b)
		return append(b, '>')
	}
	if t&lltPointer != 0 {
		return appendInt(append(b, 'p'), int64(t.AddrSpace()))
	}
	return appendInt(append(b, 's'), int64(t.ScalarBits()))
}

// String returns the type as MIR writes it.
func (t LLT) String() string { return string(t.AppendText(nil)) }
