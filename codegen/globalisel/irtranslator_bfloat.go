package globalisel

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// bfloat is the upper half of a float. Low-level types do not tell it from half, so
// that it never gets to the legalizer: what computes with it computes with float
// here, and rounds.

// isBFloat reports bfloat and vectors of it.
func (t *translator) isBFloat(ty ir.Type) bool { return t.types.Scalar(ty) == ir.BFloat }

// usesBFloat reports an instruction that has to do with bfloat.
func (t *translator) usesBFloat(i ir.InstrID) bool {
	if t.isBFloat(t.fn.Instr(i).Type) {
		return true
	}
	return t.fn.NumOps(i) > 0 && t.isBFloat(t.typ(t.op(i, 0)))
}

// like is type e, or a vector of it as long as the vector t.
func like(t, e mir.LLT) mir.LLT {
	if t.IsVector() {
		return mir.Vector(t.NumElems(), e)
	}
	return e
}

// splat is a constant of type ty, in all elements of a vector.
func (t *translator) splat(ty mir.LLT, v int64) mir.Reg {
	if !ty.IsVector() {
		return t.Const(ty, v)
	}
	r := t.New(ty)
	t.Splat(r, t.Const(ty.Elem(), v))
	return r
}

// fromBFloat is the float that bfloat v is.
func (t *translator) fromBFloat(v mir.Reg) mir.Reg {
	w := like(t.Type(v), mir.Scalar(32))
	return t.Bin(desc.G_SHL, w, t.Un(desc.G_ZEXT, w, v), t.splat(w, 16))
}

// toBFloat rounds float v to d, to the nearest and to even; NaN stays one, and is quiet.
func (t *translator) toBFloat(d, v mir.Reg) {
	w := t.Type(v)
	odd := t.Bin(desc.G_AND, w, t.Bin(desc.G_LSHR, w, v, t.splat(w, 16)), t.splat(w, 1))
	up := t.Bin(desc.G_ADD, w, t.Bin(desc.G_ADD, w, v, t.splat(w, 0x7fff)), odd)
	nan := t.FCmp(ir.FCmpUNO, like(w, mir.Scalar(1)), v, v)
	r := t.Select(nan, t.Bin(desc.G_OR, w, v, t.splat(w, 1<<22)), up)
	t.Build(desc.G_TRUNC, Def(d), Use(t.Bin(desc.G_LSHR, w, r, t.splat(w, 16))))
}

// bfloatInstr translates an instruction about bfloat; false for those that do not
// care what a value means.
func (t *translator) bfloatInstr(i ir.InstrID) bool {
	in := t.fn.Instr(i)
	fl := miFlags(in.Flags)
	arg := func(n int) mir.Reg { return t.fromBFloat(t.get1(t.op(i, n))) }
	wide := func() mir.Reg { return t.New(like(t.Type(t.def(i)), mir.Scalar(32))) }
	switch op := in.Op; op {
	case ir.OpFAdd, ir.OpFSub, ir.OpFMul, ir.OpFDiv, ir.OpFRem:
		x, y, w := arg(0), arg(1), wide()
		t.emit(fl, binaryOpcode(op), Def(w), Use(x), Use(y))
		t.toBFloat(t.def(i), w)
	case ir.OpFCmp:
		if in.Pred == ir.FCmpFalse || in.Pred == ir.FCmpTrue {
			return false
		}
		x, y := arg(0), arg(1)
		t.emit(fl, desc.G_FCMP, Def(t.def(i)), mir.PredOp(uint8(in.Pred)), Use(x), Use(y))
	case ir.OpFPExt:
		x := arg(0)
		if t.Type(x) == t.Type(t.def(i)) {
			t.Copy(t.def(i), x)
		} else {
			t.emit(fl, desc.G_FPEXT, Def(t.def(i)), Use(x))
		}
	case ir.OpFPTrunc:
		t.truncBFloat(i)
	case ir.OpFPToSI, ir.OpFPToUI:
		x := arg(0)
		t.emit(fl, castOpcode(op), Def(t.def(i)), Use(x))
	case ir.OpSIToFP, ir.OpUIToFP:
		x, w := t.get1(t.op(i, 0)), wide()
		t.emit(fl, castOpcode(op), Def(w), Use(x))
		t.toBFloat(t.def(i), w)
	default:
		return false
	}
	return true
}

// truncBFloat rounds once: what is wider than float by the run-time library.
func (t *translator) truncBFloat(i ir.InstrID) {
	x, d := t.get1(t.op(i, 0)), t.def(i)
	from := t.typ(t.op(i, 0))
	if t.types.Scalar(from) == ir.Float {
		t.toBFloat(d, x)
		return
	}
	if t.Type(x).IsVector() {
		t.fail("vectors of bfloat from a wider type than float")
		return
	}
	c := target.CallInfo{Symbol: "__trunc" + fpMode(t.types.FloatBits(from)) + "bf2", NumFixed: 1,
		Ret:  callconv.Arg{Type: ir.BFloat, Parts: t.parts(ir.BFloat), Regs: []mir.Reg{d}},
		Args: []callconv.Arg{{Type: from, Parts: t.parts(from), Regs: []mir.Reg{x}}}}
	t.setErr(t.calls.call(t.st, t.Builder, &c, nil))
}

// bfloatIntrinsic translates an intrinsic that is one generic instruction over
// floating point; false for those that look at signs alone.
func (t *translator) bfloatIntrinsic(i ir.InstrID, op desc.Opcode, fl mir.MIFlags) bool {
	if op == desc.G_FABS || op == desc.G_FCOPYSIGN {
		return false
	}
	var ops []mir.Operand
	for k := range t.fn.NumArgOps(i) {
		v := t.get1(t.op(i, k))
		if t.isBFloat(t.typ(t.op(i, k))) {
			v = t.fromBFloat(v)
		}
		ops = append(ops, Use(v))
	}
	d := t.def(i)
	if !t.isBFloat(t.fn.Instr(i).Type) {
		t.emit(fl, op, append([]mir.Operand{Def(d)}, ops...)...)
		return true
	}
	w := t.New(like(t.Type(d), mir.Scalar(32)))
	t.emit(fl, op, append([]mir.Operand{Def(w)}, ops...)...)
	t.toBFloat(d, w)
	return true
}
