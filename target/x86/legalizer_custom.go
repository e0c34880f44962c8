package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

func isInt(t mir.LLT) bool {
	n := t.ScalarBits()
	return t.IsScalar() && (n == 8 || n == 16 || n == 32 || n == 64)
}

// customLegalize is ISelHooks.Legalize.
func customLegalize(h target.Legalizer, i mir.InstrID) error {
	if done, err := legalizeVector(h, i); done || err != nil {
		return err
	}
	b := globalisel.Wrap(h.Emit())
	f := b.F
	switch f.Instr(i).Opcode {
	case desc.G_MEMCPY, desc.G_MEMMOVE, desc.G_MEMSET, desc.G_MEMCPY_INLINE:
		return h.MemTransfer(i)
	case desc.G_LOAD, desc.G_STORE:
		boolMem(h, i)
		return nil
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT, desc.G_TRUNC:
		return x87Integer(h, i)
	case desc.G_FPEXT, desc.G_FPTRUNC:
		convertHalf(h, i)
		return nil
	case desc.G_GLOBAL_VALUE:
		return lowerTLS(h, i)
	case desc.G_FCOPYSIGN:
		return x87CopySign(h, i)
	case desc.G_ATOMIC_CMPXCHG_WITH_SUCCESS:
		return exchange128(h, i)
	case desc.G_DYN_STACKALLOC:
		return dynAlloca(h, i)
	case desc.G_VASTART:
		return lowerVAStart(h, i)
	case desc.G_VAARG:
		return lowerVAArg(h, i)
	case desc.G_CTLZ, desc.G_CTTZ, desc.G_CTLZ_ZERO_UNDEF, desc.G_CTTZ_ZERO_UNDEF, desc.G_CTPOP:
		x := f.Op(i, 1).Reg()
		n := b.Un(f.Instr(i).Opcode, b.Type(x), x)
		h.ReplaceWith(i, 0, b.Resize(desc.G_ZEXT, b.Type(f.Op(i, 0).Reg()), n))
		return nil
	}
	return h.Unable(i)
}

// boolMem loads and stores a bool as a byte.
func boolMem(h target.Legalizer, i mir.InstrID) {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	s8 := mir.Scalar(8)
	m := *f.MemOf(i, 0)
	m.Type, m.Size, m.Ranges = s8, 1, 0
	r := f.Op(i, 0).Reg()
	if f.Instr(i).Opcode == desc.G_LOAD {
		v := b.Load(s8, f.Op(i, 1).Reg(), m)
		b.BuildTo(desc.G_TRUNC, r, v)
	} else {
		b.Store(b.Un(desc.G_ZEXT, s8, r), f.Op(i, 1).Reg(), m)
	}
	h.Erase(i)
}

// dynAlloca moves the stack pointer down, page by page where the function asks for that.
func dynAlloca(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	p0, s64 := mir.Pointer(0, 64), mir.Scalar(64)
	sp := b.New(p0)
	b.Copy(sp, reg(tab.RSP))
	top, n := b.Un(desc.G_PTRTOINT, s64, sp), f.Op(i, 1).Reg()
	probe, err := probeOf(h.Subtarget(), f)
	if err != nil {
		return err
	}
	v := mir.Reg(0)
	// Outgoing arguments below may want all the alignment that the frame has.
	if al := max(f.Op(i, 2).Imm(), 1<<f.Frame.MaxAlign); al > 16 {
		v = b.Bin(desc.G_AND, s64, b.Bin(desc.G_SUB, s64, top, n), b.Const(s64, -al))
		if probe.inline {
			n = b.Bin(desc.G_SUB, s64, top, v)
		}
	} else if !probe.inline {
		v = b.Bin(desc.G_SUB, s64, top, n)
	}
	if probe.inline {
		size, at := f.AddVReg(int16(tab.GR64RegClassID)), f.AddVReg(int16(tab.GR64RegClassID))
		b.Copy(size, n)
		b.BuildInstr(tab.PROBED_ALLOCA_64, globalisel.Def(at), globalisel.Use(size))
		v = b.New(s64)
		b.Copy(v, at)
	}
	p := b.Un(desc.G_INTTOPTR, p0, v)
	b.Copy(reg(tab.RSP), p)
	h.ReplaceWith(i, 0, p)
	return nil
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
func lowerVAStart(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	if !recoverVarArgs(f) {
		return h.Unable(i)
	}
	va := &f.Frame.VarArgs
	list := f.Op(i, 0).Reg()
	p0, s32 := mir.Pointer(0, 64), mir.Scalar(32)
	m := *f.MemOf(i, 0)
	store := func(v mir.Reg, off int64) { b.Store(v, b.PtrAddConst(list, off), field(m, b.Type(v), off)) }
	store(b.Const(s32, va.Ints), vaGPOffset)
	store(b.Const(s32, va.Floats), vaFPOffset)
	for _, x := range [...]struct {
		fi  int
		off int64
	}{{va.Stack, vaOverflow}, {va.Saved, vaRegSave}} {
		a := b.New(p0)
		b.Insert(f.New(desc.G_FRAME_INDEX, globalisel.Def(a), mir.FrameOp(x.fi)))
		store(a, x.off)
	}
	h.Erase(i)
	return nil
}

// lowerVAArg takes one argument: from the register save area while it holds enough,
// else from the overflow area. Both addresses are computed and one selected.
func lowerVAArg(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	d, list := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	t := b.Type(d)
	if t == mir.Scalar(80) {
		return x87VAArg(h, i)
	}
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
	offAddr := b.PtrAddConst(list, off)
	cur := b.Load(s32, offAddr, field(m, s32, off))
	fits := b.ICmp(ir.ICmpULE, s8, cur, b.Const(s32, limit))
	m.BaseAlign = 3
	overAddr := b.PtrAddConst(list, vaOverflow)
	over := b.Load(p0, overAddr, field(m, p0, vaOverflow))
	save := b.Load(p0, b.PtrAddConst(list, vaRegSave), field(m, p0, vaRegSave))
	inRegs := b.PtrAdd(save, b.Resize(desc.G_ZEXT, s64, cur))
	addr := b.Select(fits, inRegs, over)
	m.BaseAlign = 2
	b.Store(b.Select(fits, b.Bin(desc.G_ADD, s32, cur, b.Const(s32, step)), cur), offAddr, field(m, s32, off))
	m.BaseAlign = 3
	b.Store(b.Select(fits, over, b.PtrAddConst(over, 8)), overAddr, field(m, p0, vaOverflow))
	b.LoadTo(d, addr, mir.MemOperand{Type: t, Size: int64(t.Bytes()), BaseAlign: 3})
	h.Erase(i)
	return nil
}

// legalizeIntrinsic is ISelHooks.LegalizeIntrinsic.
func legalizeIntrinsic(h target.Legalizer, i mir.InstrID, x ir.Intrinsic) (bool, error) {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	switch x {
	case ir.IntrVaCopy:
		dst, src := f.Op(i, 1).Reg(), f.Op(i, 2).Reg()
		s64 := mir.Scalar(64)
		for off := int64(0); off < vaListSize; off += 8 {
			m := mir.MemOperand{Type: s64, Size: 8, Offset: off, BaseAlign: 3}
			b.Store(b.Load(s64, b.PtrAddConst(src, off), m), b.PtrAddConst(dst, off), m)
		}
		h.Erase(i)
		return true, nil
	case ir.IntrFrameaddress, ir.IntrReturnaddress:
		return true, lowerFrameAddress(h, i, x == ir.IntrReturnaddress)
	case ir.IntrAddressofreturnaddress:
		n := f.Frame.CreateFixedObject(8, -8, 4, 0)
		b.Insert(f.New(desc.G_FRAME_INDEX, globalisel.Def(f.Op(i, 0).Reg()), mir.FrameOp(n)))
		h.Erase(i)
		return true, nil
	}
	// The target's own: selection knows those over registers of x86, none over vectors.
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if !o.IsReg() || !o.Reg().IsVirtual() {
			continue
		}
		if t := b.Type(o.Reg()); !isInt(t) && t != mir.Pointer(0, 64) && !wholeVector(h.Subtarget(), t) && !(isBits(t) && hasMasks(h.Subtarget()) && maskClass(t.NumElems()) != desc.NoClass) {
			return false, h.Subtarget().NotSupported(f, "intrinsic "+x.Name())
		}
	}
	return false, nil
}

// wholeVector reports a vector that fills a register.
func wholeVector(st *target.Subtarget, t mir.LLT) bool {
	return t.IsVector() && t.ScalarBits() >= 8 && !t.Elem().IsPointer() && (t.Bits() == 128 || t.Bits() == 256 && st.HasFeature("avx") || t.Bits() == 512 && hasFeature(st, "zmm"))
}

// lowerFrameAddress walks up the chain of frame pointers.
func lowerFrameAddress(h target.Legalizer, i mir.InstrID, ret bool) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	p0 := mir.Pointer(0, 64)
	d, depth := f.Op(i, 0).Reg(), f.Op(i, 2).Imm()
	m := mir.MemOperand{Type: p0, Size: 8, BaseAlign: 3}
	if ret {
		f.Frame.IsReturnAddressTaken = true
	}
	if ret && depth == 0 {
		n := f.Frame.CreateFixedObject(8, -8, 4, 0)
		a := b.New(p0)
		b.Insert(f.New(desc.G_FRAME_INDEX, globalisel.Def(a), mir.FrameOp(n)))
		b.LoadTo(d, a, m)
		h.Erase(i)
		return nil
	}
	f.Frame.IsFrameAddressTaken = true
	p := b.New(p0)
	b.Copy(p, reg(tab.RBP))
	for range depth {
		p = b.Load(p0, p, m)
	}
	if ret {
		p = b.Load(p0, b.PtrAddConst(p, 8), m)
	}
	h.ReplaceWith(i, 0, p)
	return nil
}
