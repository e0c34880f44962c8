package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/legal"
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
		if b.Type(f.Op(i, 0).Reg()) != mir.Scalar(16) && b.Type(f.Op(i, 1).Reg()) != mir.Scalar(16) {
			return x87Convert(h, i)
		}
		convertHalf(h, i)
		return nil
	case desc.G_SITOFP, desc.G_FPTOSI:
		return x87Convert(h, i)
	case desc.G_READCYCLECOUNTER:
		readTSC(h, i)
		return nil
	case desc.G_UNMERGE_VALUES:
		unmergeDouble(h, i)
		return nil
	case desc.G_GLOBAL_VALUE:
		return lowerTLS(h, i)
	case desc.G_FCOPYSIGN:
		return x87CopySign(h, i)
	case desc.G_ATOMIC_CMPXCHG_WITH_SUCCESS:
		return exchangeTwo(h, i)
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
	md := modeOf(h.Subtarget())
	p0, word := md.p0(), md.int0()
	sp := b.New(p0)
	b.Copy(sp, reg(md.sp))
	top, n := b.Un(desc.G_PTRTOINT, word, sp), f.Op(i, 1).Reg()
	probe, err := probeOf(h.Subtarget(), f)
	if err != nil {
		return err
	}
	v := mir.Reg(0)
	// Outgoing arguments below may want all the alignment that the frame has.
	if al := max(f.Op(i, 2).Imm(), 1<<f.Frame.MaxAlign); al > 16 {
		v = b.Bin(desc.G_AND, word, b.Bin(desc.G_SUB, word, top, n), b.Const(word, -al))
		if probe.inline {
			n = b.Bin(desc.G_SUB, word, top, v)
		}
	} else if !probe.inline {
		v = b.Bin(desc.G_SUB, word, top, n)
	}
	if probe.inline {
		size, at := f.AddVReg(int16(md.gr)), f.AddVReg(int16(md.gr))
		b.Copy(size, n)
		b.BuildInstr(md.probedAlloca, globalisel.Def(at), globalisel.Use(size))
		v = b.New(word)
		b.Copy(v, at)
	}
	p := b.Un(desc.G_INTTOPTR, p0, v)
	b.Copy(reg(md.sp), p)
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
	if !modeOf(h.Subtarget()).is64() {
		return h.Act(i, legal.Decision{Act: legal.Lower})
	}
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
	if !modeOf(h.Subtarget()).is64() {
		return vaArg32(h, i)
	}
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

// vaArg32 takes one argument of 32-bit code: all are on the stack, at multiples of 4 bytes
// but for __int128 and vectors, and the list is the address of the next.
func vaArg32(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	d, list := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	t := b.Type(d)
	p0, word := mode32.p0(), mode32.int0()
	m := mir.MemOperand{Type: p0, Size: mode32.word, BaseAlign: mode32.align}
	addr := b.Load(p0, list, m)
	size, align := int64(t.Bytes()+3)&^3, mode32.align
	if t.IsVector() || t.ScalarBits() == 128 {
		align = 4
		at := b.Un(desc.G_PTRTOINT, word, b.PtrAddConst(addr, 15))
		addr = b.Un(desc.G_INTTOPTR, p0, b.Bin(desc.G_AND, word, at, b.Const(word, -16)))
	}
	b.Store(b.PtrAddConst(addr, size), list, m)
	b.LoadTo(d, addr, mir.MemOperand{Type: t, Size: int64(t.Bytes()), BaseAlign: align})
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
		if m := modeOf(h.Subtarget()); !m.is64() {
			mem := mir.MemOperand{Type: m.p0(), Size: m.word, BaseAlign: m.align}
			b.Store(b.Load(m.p0(), src, mem), dst, mem)
			h.Erase(i)
			return true, nil
		}
		for off := int64(0); off < vaListSize; off += 8 {
			m := mir.MemOperand{Type: s64, Size: 8, Offset: off, BaseAlign: 3}
			b.Store(b.Load(s64, b.PtrAddConst(src, off), m), b.PtrAddConst(dst, off), m)
		}
		h.Erase(i)
		return true, nil
	case ir.IntrFrameaddress, ir.IntrReturnaddress:
		return true, lowerFrameAddress(h, i, x == ir.IntrReturnaddress)
	case ir.IntrAddressofreturnaddress:
		m := modeOf(h.Subtarget())
		n := f.Frame.CreateFixedObject(m.word, -m.word, m.align, 0)
		b.Insert(f.New(desc.G_FRAME_INDEX, globalisel.Def(f.Op(i, 0).Reg()), mir.FrameOp(n)))
		h.Erase(i)
		return true, nil
	}
	if m := modeOf(h.Subtarget()); !m.is64() && x == ir.LookupIntrinsic("llvm.x86.rdtsc") {
		readTSC(h, i)
		return true, nil
	}
	// The target's own: selection knows those over registers of x86, none over vectors.
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if !o.IsReg() || !o.Reg().IsVirtual() {
			continue
		}
		if !intrinsicValue(h.Subtarget(), b.Type(o.Reg())) {
			return false, h.Subtarget().NotSupported(f, "intrinsic "+x.Name())
		}
	}
	return false, nil
}

// intrinsicValue reports the types that intrinsics of the target have values of.
func intrinsicValue(st *target.Subtarget, t mir.LLT) bool {
	m := modeOf(st)
	switch {
	case isInt(t):
		return t.Bits() <= m.bits
	case isBits(t):
		return hasMasks(st) && maskClass(t.NumElems()) != desc.NoClass
	case t.IsVector() && t.Bits() == 512 && hasFeature(st, "halves of zmm"):
		return t.ScalarBits() >= 8 && !t.Elem().IsPointer()
	}
	return t == m.p0() || wholeVector(st, t)
}

// readTSC is the processor's counter, in EDX:EAX.
func readTSC(h target.Legalizer, i mir.InstrID) {
	b := globalisel.Wrap(h.Emit())
	word := mode32.int0()
	b.BuildInstr(tab.RDTSC)
	lo, hi := b.New(word), b.New(word)
	b.Copy(lo, reg(tab.EAX))
	b.Copy(hi, reg(tab.EDX))
	d := b.New(mir.Scalar(64))
	b.Merge(d, []mir.Reg{lo, hi})
	h.ReplaceWith(i, 0, d)
}

// wholeVector reports a vector that fills a register.
func wholeVector(st *target.Subtarget, t mir.LLT) bool {
	return t.IsVector() && t.ScalarBits() >= 8 && !t.Elem().IsPointer() && (t.Bits() == 128 || t.Bits() == 256 && st.HasFeature("avx") || t.Bits() == 512 && hasFeature(st, "zmm"))
}

// lowerFrameAddress walks up the chain of frame pointers.
func lowerFrameAddress(h target.Legalizer, i mir.InstrID, ret bool) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	md := modeOf(h.Subtarget())
	p0 := md.p0()
	d, depth := f.Op(i, 0).Reg(), f.Op(i, 2).Imm()
	m := mir.MemOperand{Type: p0, Size: md.word, BaseAlign: md.align}
	if ret {
		f.Frame.IsReturnAddressTaken = true
	}
	if ret && depth == 0 {
		n := f.Frame.CreateFixedObject(md.word, -md.word, md.align, 0)
		a := b.New(p0)
		b.Insert(f.New(desc.G_FRAME_INDEX, globalisel.Def(a), mir.FrameOp(n)))
		b.LoadTo(d, a, m)
		h.Erase(i)
		return nil
	}
	f.Frame.IsFrameAddressTaken = true
	p := b.New(p0)
	b.Copy(p, reg(md.fp))
	for range depth {
		p = b.Load(p0, p, m)
	}
	if ret {
		p = b.Load(p0, b.PtrAddConst(p, md.word), m)
	}
	h.ReplaceWith(i, 0, p)
	return nil
}
