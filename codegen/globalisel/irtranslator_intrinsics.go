package globalisel

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// cttzElts counts the elements before the first that is not zero.
func (t *translator) cttzElts(i ir.InstrID) {
	v := t.get1(t.op(i, 0))
	vt := t.f.TypeOf(v)
	if !vt.IsVector() {
		t.fail("llvm.experimental.cttz.elts of one element")
		return
	}
	n := vt.NumElems()
	bits := mir.Vector(n, mir.Scalar(1))
	if vt != bits {
		zero := t.New(vt)
		t.ConstTo(zero, 0)
		v = t.ICmp(ir.ICmpNE, bits, v, zero)
	}
	it := mir.Scalar(n)
	whole := t.Un(desc.G_BITCAST, it, v)
	// One more bit stops the count at n.
	wide := mir.Scalar(n + 1)
	stop := t.WideConst(wide, bitWord(n))
	c := t.Un(desc.G_CTTZ_ZERO_UNDEF, wide, t.Bin(desc.G_OR, wide, t.Un(desc.G_ZEXT, wide, whole), stop))
	d := t.def(i)
	t.Copy(d, t.Resize(desc.G_ZEXT, t.f.TypeOf(d), c))
}

// bitWord is the number with bit n alone, in words.
func bitWord(n int) []uint64 {
	w := make([]uint64, n/64+1)
	w[n/64] = 1 << (n % 64)
	return w
}

// loadRelative translates llvm.load.relative: base + the 32-bit offset at base + off.
func (t *translator) loadRelative(i ir.InstrID) {
	base, off := t.get1(t.op(i, 0)), t.get1(t.op(i, 1))
	it := mir.Scalar(t.f.TypeOf(base).ScalarBits())
	p := t.PtrAdd(base, t.Resize(desc.G_SEXT, it, off))
	s32 := mir.Scalar(32)
	v := t.Load(s32, p, mir.MemOperand{Type: s32, Size: 4, BaseAlign: 2, Flags: mir.MemInvariant | mir.MemDereferenceable})
	t.Build(desc.G_PTR_ADD, Def(t.def(i)), Use(base), Use(t.Resize(desc.G_SEXT, it, v)))
}

// outCall translates an intrinsic with two results to a call of a C function
// that stores the second one where its last argument points to.
func (t *translator) outCall(i ir.InstrID, name string) {
	x := t.get1(t.op(i, 0))
	ty := t.typ(t.op(i, 0))
	parts := t.parts(t.fn.Instr(i).Type)
	if t.err != nil {
		return
	}
	if len(parts) != 2 || ty != ir.Float && ty != ir.Double {
		t.fail("intrinsic " + t.mod.Globals[t.fn.Callee(i).Global()].Name)
		return
	}
	if ty == ir.Float {
		name += "f"
	}
	rs := t.get(ir.Local(i))
	size := int64(parts[1].LLT.Bytes())
	fi := t.f.Frame.CreateStackObject(size, log2(uint64(size)), 0)
	addr := t.New(t.pointerLLT(0))
	t.Build(desc.G_FRAME_INDEX, Def(addr), mir.FrameOp(fi))
	c := target.CallInfo{Symbol: name, NumFixed: 2,
		Ret: callconv.Arg{Type: ty, Parts: []callconv.Part{{Type: ty, LLT: parts[0].LLT}}, Regs: rs[:1]},
		Args: []callconv.Arg{
			{Type: ty, Parts: []callconv.Part{{Type: ty, LLT: parts[0].LLT}}, Regs: []mir.Reg{x}},
			{Type: ir.Ptr, Parts: []callconv.Part{{Type: ir.Ptr, LLT: t.pointerLLT(0)}}, Regs: []mir.Reg{addr}},
		}}
	t.setErr(t.calls.call(t.st, t.Builder, &c, nil))
	t.LoadTo(rs[1], addr, mir.MemOperand{Type: parts[1].LLT, Size: size, Ptr: uint32(int32(fi)), PtrKind: mir.PtrFixedStack, BaseAlign: log2(uint64(size))})
}
