package x86

import (
	"math/bits"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
	"github.com/mirin-go/mirin/triple"
)

// hasFloat is ISelHooks.HasFloat: long double has registers, the others are
// computed in float or by the library.
func hasFloat(st *target.Subtarget, k ir.TypeKind) bool {
	switch k {
	case ir.KindX86FP80:
		return st.HasFeature("x87")
	case ir.KindHalf, ir.KindBFloat, ir.KindFP128:
		return st.HasFeature("sse2")
	}
	return false
}

// quadSuffix is ISelHooks.QuadSuffix: long double has 80 bits, so that glibc calls
// the functions of fp128 by the name of their type.
func quadSuffix(st *target.Subtarget) string {
	if e := st.Triple.Env; e == triple.EnvGNU || e == triple.EnvGNUX32 {
		return "f128"
	}
	return "l"
}

// spill80 stores a value of 80 bits to a new slot of 16 bytes and returns its address.
func spill80(b globalisel.Builder, v mir.Reg) (addr mir.Reg, slot int) {
	slot = b.F.Frame.CreateStackObject(16, 4, 0)
	addr = b.New(modeOfFunc(b.F).p0())
	b.Build(desc.G_FRAME_INDEX, globalisel.Def(addr), mir.FrameOp(slot))
	if v != 0 {
		b.Store(v, addr, slotMem(slot, mir.Scalar(80), 10))
	}
	return addr, slot
}

// x87Integer extends a value of 80 bits, or cuts one to or from it: what registers
// of the x87 hold is an integer in memory alone.
func x87Integer(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	op := f.Instr(i).Opcode
	d, x := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	// The 64 bits of the fraction are one word or two, then come 16 bits in one more.
	s16, word, s80 := mir.Scalar(16), modeOf(h.Subtarget()).int0(), mir.Scalar(80)
	step := int64(word.Bytes())
	last := 8 / step
	all := mir.Scalar(int(last+1) * word.ScalarBits())
	part := func(slot int, t mir.LLT, off int64) mir.MemOperand {
		m := slotMem(slot, t, int64(t.Bytes()))
		m.Offset = off
		return m
	}
	if b.Type(d) == s80 { // cut from more
		w := b.Unmerge(nil, word, b.Resize(desc.G_TRUNC, all, b.Resize(desc.G_ANYEXT, all, x)))
		addr, slot := spill80(b, 0)
		for k := range last {
			b.Store(w[k], b.PtrAddConst(addr, k*step), part(slot, word, k*step))
		}
		b.Store(b.Un(desc.G_TRUNC, s16, w[last]), b.PtrAddConst(addr, 8), part(slot, s16, 8))
		h.ReplaceWith(i, 0, b.Load(s80, addr, slotMem(slot, s80, 10)))
		return nil
	}
	addr, slot := spill80(b, x)
	var w []mir.Reg
	for k := range last {
		w = append(w, b.Load(word, b.PtrAddConst(addr, k*step), part(slot, word, k*step)))
	}
	t := b.Type(d)
	if op == desc.G_TRUNC && t.ScalarBits() <= word.ScalarBits() {
		h.ReplaceWith(i, 0, b.Resize(desc.G_TRUNC, t, w[0]))
		return nil
	}
	ext := op
	if op == desc.G_TRUNC {
		ext = desc.G_ANYEXT
	}
	w = append(w, b.Un(ext, word, b.Load(s16, b.PtrAddConst(addr, 8), part(slot, s16, 8))))
	wide := b.New(all)
	b.Merge(wide, w)
	if t.ScalarBits() < all.ScalarBits() {
		h.ReplaceWith(i, 0, b.Resize(desc.G_TRUNC, t, wide))
		return nil
	}
	h.ReplaceWith(i, 0, b.Resize(ext, t, wide))
	return nil
}

// x87Convert converts between the x87's format and what it has in memory alone: integers of
// 64 bits in 32-bit mode and, without SSE2, float and double.
func x87Convert(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	d, x := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	to, from, s80 := b.Type(d), b.Type(x), mir.Scalar(80)
	op := f.Instr(i).Opcode
	if (op == desc.G_FPEXT || op == desc.G_FPTRUNC) && to != s80 && from != s80 {
		h.ReplaceWith(i, 0, b.Un(desc.G_FPTRUNC, to, b.Un(desc.G_FPEXT, s80, x)))
		return nil
	}
	memory := to
	if to == s80 {
		memory = from
	}
	size := int64(memory.Bytes())
	slot := f.Frame.CreateStackObject(size, uint8(bits.TrailingZeros64(uint64(size))), 0)
	addr := b.New(mode32.p0())
	b.Build(desc.G_FRAME_INDEX, globalisel.Def(addr), mir.FrameOp(slot))
	m := slotMem(slot, memory, size)
	m.BaseAlign = f.Frame.Object(slot).Align
	build := func(op desc.Opcode, fl mir.MemFlags, before, behind []mir.Operand) {
		ops := append(before, mir.FrameOp(slot), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(0, 0))
		n := b.BuildInstr(op, append(ops, behind...)...)
		a := m
		a.Flags = fl
		f.SetMem(n, f.AddMem(a))
	}
	v := f.AddVReg(int16(tab.RFP80RegClassID))
	if to == s80 {
		in := tab.LD_Fp32m80
		switch {
		case op == desc.G_SITOFP:
			in = tab.ILD_Fp64m80
		case from.ScalarBits() == 64:
			in = tab.LD_Fp64m80
		}
		b.Store(x, addr, m)
		build(in, mir.MemLoad, []mir.Operand{mir.RegOp(v, mir.Def)}, nil)
		b.Copy(d, v)
		h.Erase(i)
		return nil
	}
	out := tab.ST_Fp80m32
	switch {
	case op == desc.G_FPTOSI && h.Subtarget().HasFeature("sse3"):
		out = tab.ISTT_Fp64m80
	case op == desc.G_FPTOSI:
		out = tab.FP80_TO_INT64_IN_MEM
	case to.ScalarBits() == 64:
		out = tab.ST_Fp80m64
	}
	b.Copy(v, x)
	build(out, mir.MemStore, nil, []mir.Operand{mir.RegOp(v, 0)})
	h.ReplaceWith(i, 0, b.Load(to, addr, m))
	return nil
}

// unmergeDouble takes apart a number of 64 bits by way of its halves.
func unmergeDouble(h target.Legalizer, i mir.InstrID) {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	n := f.Instr(i).NumOps() - 1
	halves := b.Unmerge(nil, mir.Scalar(32), f.Op(i, n).Reg())
	for k, half := range halves {
		u := f.New(desc.G_UNMERGE_VALUES)
		for j := range n / 2 {
			f.AddOp(u, globalisel.Def(f.Op(i, k*n/2+j).Reg()))
		}
		f.AddOp(u, globalisel.Use(half))
		b.Insert(u)
	}
	h.Erase(i)
}

// signOf is a byte whose sign is that of a floating-point number.
func signOf(b globalisel.Builder, v mir.Reg) mir.Reg {
	s8 := mir.Scalar(8)
	if t := b.Type(v); t != mir.Scalar(80) {
		return b.Un(desc.G_TRUNC, s8, b.Bin(desc.G_LSHR, t, v, b.Const(t, int64(t.ScalarBits()-8))))
	}
	addr, slot := spill80(b, v)
	m := slotMem(slot, s8, 1)
	m.Offset = 9
	return b.Load(s8, b.PtrAddConst(addr, 9), m)
}

// x87CopySign gives a number the sign of another, one of which is of 80 bits.
func x87CopySign(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	t := b.Type(f.Op(i, 0).Reg())
	abs := b.Un(desc.G_FABS, t, f.Op(i, 1).Reg())
	s := signOf(b, f.Op(i, 2).Reg())
	neg := b.ICmp(ir.ICmpSLT, mir.Scalar(8), s, b.Const(mir.Scalar(8), 0))
	h.ReplaceWith(i, 0, b.Select(neg, b.Un(desc.G_FNEG, t, abs), abs))
	return nil
}

// x87VAArg takes a long double: from the stack always, at a multiple of 16 bytes (psABI 3.5.7).
func x87VAArg(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	d, list := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	p0, s64, s80 := mir.Pointer(0, 64), mir.Scalar(64), mir.Scalar(80)
	m := mir.MemOperand{BaseAlign: 3}
	over := b.PtrAddConst(list, vaOverflow)
	at := b.Un(desc.G_PTRTOINT, s64, b.Load(p0, over, field(m, p0, vaOverflow)))
	at = b.Bin(desc.G_AND, s64, b.Bin(desc.G_ADD, s64, at, b.Const(s64, 15)), b.Const(s64, -16))
	addr := b.Un(desc.G_INTTOPTR, p0, at)
	b.Store(b.PtrAddConst(addr, 16), over, field(m, p0, vaOverflow))
	b.LoadTo(d, addr, mir.MemOperand{Type: s80, Size: 10, BaseAlign: 4})
	h.Erase(i)
	return nil
}

// convertHalf converts between float and half by F16C. half lies in an integer
// register, F16C has it in the lowest of the eight words of a vector register.
func convertHalf(h target.Legalizer, i mir.InstrID) {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	d, x := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	s32 := mir.Scalar(32)
	vec := func() mir.Reg { return f.AddVReg(int16(tab.VR128RegClassID)) }
	from, to := vec(), vec()
	if b.Type(d) == s32 {
		word := f.AddVReg(int16(tab.GR32RegClassID))
		b.Copy(word, b.Un(desc.G_ANYEXT, s32, x))
		b.BuildInstr(tab.VMOVDI2PDIrr, globalisel.Def(from), globalisel.Use(word))
		b.BuildInstr(tab.VCVTPH2PSrr, globalisel.Def(to), globalisel.Use(from))
		r := f.AddVReg(int16(tab.FR32RegClassID))
		b.Copy(r, to)
		b.Copy(d, r)
	} else {
		r := f.AddVReg(int16(tab.FR32RegClassID))
		b.Copy(r, x)
		b.Copy(from, r)
		b.BuildInstr(tab.VCVTPS2PHrr, globalisel.Def(to), globalisel.Use(from), mir.ImmOp(4)) // rounding as MXCSR says
		word := f.AddVReg(int16(tab.GR32RegClassID))
		b.BuildInstr(tab.VMOVPDI2DIrr, globalisel.Def(word), globalisel.Use(to))
		w := b.New(s32)
		b.Copy(w, word)
		b.BuildTo(desc.G_TRUNC, d, w)
	}
	h.Erase(i)
}

// signalNaN is ISelHooks.SignalNaN: the ordered comparisons raise the exception for every NaN.
func signalNaN(mb *mir.Builder, x, y mir.Reg) {
	op, class := tab.COMISSrr, tab.FR32RegClassID
	switch mb.F.TypeOf(x).Bits() {
	case 64:
		op, class = tab.COMISDrr, tab.FR64RegClassID
	case 80:
		op, class = tab.COM_FpIr80, tab.RFP80RegClassID
	}
	in := func(r mir.Reg) mir.Operand {
		c := mb.F.AddVReg(int16(class))
		mb.Copy(c, r)
		return globalisel.Use(c)
	}
	mb.BuildInstr(desc.Opcode(op), in(x), in(y))
}
