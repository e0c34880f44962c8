package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Conditions of the rules in legalizer.go.

func isInt(t mir.LLT) bool {
	n := t.ScalarBits()
	return t.IsScalar() && (n == 8 || n == 16 || n == 32 || n == 64)
}

// oddResult: an extension or truncation to a width that x86 does not have; its
// users are widened, and then it cancels.
func oddResult(q *globalisel.Query) bool {
	return !isInt(q.Types[0]) && q.Types[0].IsScalar() && q.Types[0].ScalarBits()%64 != 0
}

// oddOperand: an extension from such a width, which waits for its operand to be widened.
func oddOperand(q *globalisel.Query) bool {
	return !isInt(q.Types[1]) && q.Types[1].IsScalar() && q.Types[1].ScalarBits()%64 != 0
}

// oddWideOperand is oddOperand for widths above 64.
func oddWideOperand(q *globalisel.Query) bool {
	return oddOperand(q) && q.Types[1].ScalarBits() > 64
}

func notInts(q *globalisel.Query) bool { return !isInt(q.Types[0]) }

// sameOperands: a funnel shift of a value with itself is a rotation.
func sameOperands(q *globalisel.Query) bool {
	return q.F.Op(q.I, 1).Reg() == q.F.Op(q.I, 2).Reg()
}

// noFunnel: SHLD and SHRD are of 32 and 64 bits here.
func noFunnel(q *globalisel.Query) bool {
	n := q.Types[0].ScalarBits()
	return n != 32 && n != 64
}

func anyVector(q *globalisel.Query) bool {
	return q.Types[0].IsVector() || q.Types[1].IsVector()
}

// sextInRegLegal: from a bool, or from a smaller register of x86.
func sextInRegLegal(q *globalisel.Query) bool {
	n := int(q.F.Op(q.I, 2).Imm())
	return isInt(q.Types[0]) && (n == 1 || (n == 8 || n == 16 || n == 32) && n < q.Types[0].ScalarBits())
}

// countDiffers: counts of bits that are of another type than the number.
func countDiffers(q *globalisel.Query) bool {
	return q.Types[0] != q.Types[1] && !q.Types[1].IsVector()
}

// simpleAccess: a register of x86 to or from memory of the same size.
func simpleAccess(q *globalisel.Query) bool {
	t := q.Types[0]
	if !isInt(t) && !(t.IsPointer() && t.ScalarBits() == 64) {
		return false
	}
	if q.F.NumMem(q.I) == 0 {
		return false
	}
	m := q.F.MemOf(q.I, 0)
	return m.Size == int64(t.Bytes()) && (m.Type == 0 || m.Type.Bits() == t.Bits())
}

// boolAccess: a single bit, which is a byte in memory.
func boolAccess(q *globalisel.Query) bool {
	return q.Types[0] == mir.Scalar(1)
}

// customLegalize is LegalizerInfo.Custom.
func customLegalize(h *globalisel.Helper, i mir.InstrID) error {
	f := h.F
	switch f.Instr(i).Opcode {
	case desc.G_MEMCPY, desc.G_MEMMOVE, desc.G_MEMSET, desc.G_MEMCPY_INLINE:
		return h.MemTransfer(i)
	case desc.G_LOAD, desc.G_STORE:
		boolMem(h, i)
		return nil
	case desc.G_DYN_STACKALLOC:
		dynAlloca(h, i)
		return nil
	case desc.G_VASTART:
		lowerVAStart(h, i)
		return nil
	case desc.G_VAARG:
		return lowerVAArg(h, i)
	case desc.G_CTLZ, desc.G_CTTZ, desc.G_CTLZ_ZERO_UNDEF, desc.G_CTTZ_ZERO_UNDEF, desc.G_CTPOP:
		x := f.Op(i, 1).Reg()
		n := h.Un(f.Instr(i).Opcode, h.Type(x), x)
		h.ReplaceWith(i, 0, h.Resize(desc.G_ZEXT, h.Type(f.Op(i, 0).Reg()), n))
		return nil
	}
	return h.Unable(i)
}

// boolMem loads and stores a bool as a byte.
func boolMem(h *globalisel.Helper, i mir.InstrID) {
	f := h.F
	s8 := mir.Scalar(8)
	m := *f.MemOf(i, 0)
	m.Type, m.Size, m.Ranges = s8, 1, 0
	r := f.Op(i, 0).Reg()
	if f.Instr(i).Opcode == desc.G_LOAD {
		v := h.Load(s8, f.Op(i, 1).Reg(), m)
		h.BuildTo(desc.G_TRUNC, r, v)
	} else {
		h.Store(h.Un(desc.G_ZEXT, s8, r), f.Op(i, 1).Reg(), m)
	}
	h.Erase(i)
}

// dynAlloca moves the stack pointer down.
func dynAlloca(h *globalisel.Helper, i mir.InstrID) {
	f := h.F
	p0, s64 := mir.Pointer(0, 64), mir.Scalar(64)
	sp := h.New(p0)
	h.Copy(sp, reg(tab.RSP))
	v := h.Bin(desc.G_SUB, s64, h.Un(desc.G_PTRTOINT, s64, sp), f.Op(i, 1).Reg())
	if al := f.Op(i, 2).Imm(); al > 16 {
		v = h.Bin(desc.G_AND, s64, v, h.Const(s64, -al))
	}
	p := h.Un(desc.G_INTTOPTR, p0, v)
	h.Copy(reg(tab.RSP), p)
	h.ReplaceWith(i, 0, p)
}

// Offsets in the structure that va_list is (psABI 3.5.7).
const (
	vaGPOffset = 0
	vaFPOffset = 4
	vaOverflow = 8
	vaRegSave  = 16
	vaListSize = 24
)

func field(m mir.MemOperand, t mir.LLT, off int64) mir.MemOperand {
	m.Type, m.Size, m.Offset = t, int64(t.Bytes()), off
	return m
}

// lowerVAStart fills in a va_list.
func lowerVAStart(h *globalisel.Helper, i mir.InstrID) {
	f := h.F
	recoverVarArgs(f)
	fi := infoOf(f)
	list := f.Op(i, 0).Reg()
	p0, s32 := mir.Pointer(0, 64), mir.Scalar(32)
	m := *f.MemOf(i, 0)
	store := func(v mir.Reg, off int64) { h.Store(v, h.PtrAddConst(list, off), field(m, h.Type(v), off)) }
	store(h.Const(s32, fi.gpOffset), vaGPOffset)
	store(h.Const(s32, fi.fpOffset), vaFPOffset)
	for _, x := range [...]struct {
		fi  int
		off int64
	}{{fi.overflow, vaOverflow}, {fi.regSave, vaRegSave}} {
		a := h.New(p0)
		h.Insert(f.New(desc.G_FRAME_INDEX, globalisel.Def(a), mir.FrameOp(x.fi)))
		store(a, x.off)
	}
	h.Erase(i)
}

// lowerVAArg takes one argument: from the register save area while it holds enough,
// else from the overflow area. Both addresses are computed and one selected.
func lowerVAArg(h *globalisel.Helper, i mir.InstrID) error {
	f := h.F
	d, list := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	t := h.Type(d)
	if t.IsVector() || t.ScalarBits() > 64 {
		return h.Unable(i)
	}
	p0, s32, s64, s8 := mir.Pointer(0, 64), mir.Scalar(32), mir.Scalar(64), mir.Scalar(8)
	// Whether the value is floating point, the IR type says.
	float := f.Op(i, 2).Imm() < 0
	off, limit, step := int64(vaGPOffset), int64(saveInts-8), int64(8)
	if float {
		off, limit, step = vaFPOffset, saveArea-saveFPReg, saveFPReg
	}
	m := mir.MemOperand{BaseAlign: 2}
	offAddr := h.PtrAddConst(list, off)
	cur := h.Load(s32, offAddr, field(m, s32, off))
	fits := h.ICmp(ir.ICmpULE, s8, cur, h.Const(s32, limit))
	m.BaseAlign = 3
	overAddr := h.PtrAddConst(list, vaOverflow)
	over := h.Load(p0, overAddr, field(m, p0, vaOverflow))
	save := h.Load(p0, h.PtrAddConst(list, vaRegSave), field(m, p0, vaRegSave))
	inRegs := h.PtrAdd(save, h.Resize(desc.G_ZEXT, s64, cur))
	addr := h.Select(fits, inRegs, over)
	m.BaseAlign = 2
	h.Store(h.Select(fits, h.Bin(desc.G_ADD, s32, cur, h.Const(s32, step)), cur), offAddr, field(m, s32, off))
	m.BaseAlign = 3
	h.Store(h.Select(fits, over, h.PtrAddConst(over, 8)), overAddr, field(m, p0, vaOverflow))
	h.LoadTo(d, addr, mir.MemOperand{Type: t, Size: int64(t.Bytes()), BaseAlign: 3})
	h.Erase(i)
	return nil
}

// legalizeIntrinsic is LegalizerInfo.Intrinsic.
func legalizeIntrinsic(h *globalisel.Helper, i mir.InstrID, name string) (bool, error) {
	f := h.F
	switch name {
	case "llvm.va_copy":
		dst, src := f.Op(i, 1).Reg(), f.Op(i, 2).Reg()
		s64 := mir.Scalar(64)
		for off := int64(0); off < vaListSize; off += 8 {
			m := mir.MemOperand{Type: s64, Size: 8, Offset: off, BaseAlign: 3}
			h.Store(h.Load(s64, h.PtrAddConst(src, off), m), h.PtrAddConst(dst, off), m)
		}
		h.Erase(i)
		return true, nil
	case "llvm.frameaddress", "llvm.returnaddress":
		return true, lowerFrameAddress(h, i, name == "llvm.returnaddress")
	case "llvm.addressofreturnaddress":
		n := f.Frame.CreateFixedObject(8, -8, 4, mir.FrameImmutable)
		h.Insert(f.New(desc.G_FRAME_INDEX, globalisel.Def(f.Op(i, 0).Reg()), mir.FrameOp(n)))
		h.Erase(i)
		return true, nil
	}
	// The target's own: selection knows those over registers of x86, none over vectors.
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if !o.IsReg() || !o.Reg().IsVirtual() {
			continue
		}
		if t := h.Type(o.Reg()); !isInt(t) && t != mir.Pointer(0, 64) {
			return false, h.ST.NotSupported(f, "intrinsic "+name)
		}
	}
	return false, nil
}

// lowerFrameAddress walks up the chain of frame pointers.
func lowerFrameAddress(h *globalisel.Helper, i mir.InstrID, ret bool) error {
	f := h.F
	p0 := mir.Pointer(0, 64)
	d, depth := f.Op(i, 0).Reg(), f.Op(i, 2).Imm()
	m := mir.MemOperand{Type: p0, Size: 8, BaseAlign: 3}
	if ret {
		f.Frame.IsReturnAddressTaken = true
	}
	if ret && depth == 0 {
		n := f.Frame.CreateFixedObject(8, -8, 4, mir.FrameImmutable)
		a := h.New(p0)
		h.Insert(f.New(desc.G_FRAME_INDEX, globalisel.Def(a), mir.FrameOp(n)))
		h.LoadTo(d, a, m)
		h.Erase(i)
		return nil
	}
	f.Frame.IsFrameAddressTaken = true
	p := h.New(p0)
	h.Copy(p, reg(tab.RBP))
	for range depth {
		p = h.Load(p0, p, m)
	}
	if ret {
		p = h.Load(p0, h.PtrAddConst(p, 8), m)
	}
	h.ReplaceWith(i, 0, p)
	return nil
}
