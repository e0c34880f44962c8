package globalisel

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// Constrained floating point (llvm.experimental.constrained.*) reads the rounding mode
// and raises exceptions that the program may look at. From the irtranslator to selection
// an operation is a G_INTRINSIC_W_SIDE_EFFECTS of the intrinsic itself, whose operands are
// the numbers, and the predicate of a comparison: no pass moves, shares, folds or removes
// one. The legalizer leaves those as they are whose plain opcode is legal, and makes
// others of such, or calls, by ways that raise nothing of their own: what it does to plain
// opcodes is not fit for that. Selection gives them the plain opcode when their turn
// comes, and lets what it makes of that raise exceptions.

// constrainedOp is the opcode that does what a constrained intrinsic does in the default
// environment, 0 for other intrinsics. That of fmuladd is the product's.
func constrainedOp(x ir.Intrinsic) desc.Opcode {
	switch x {
	case ir.IntrExperimentalConstrainedFadd:
		return desc.G_FADD
	case ir.IntrExperimentalConstrainedFsub:
		return desc.G_FSUB
	case ir.IntrExperimentalConstrainedFmul, ir.IntrExperimentalConstrainedFmuladd:
		return desc.G_FMUL
	case ir.IntrExperimentalConstrainedFdiv:
		return desc.G_FDIV
	case ir.IntrExperimentalConstrainedFrem:
		return desc.G_FREM
	case ir.IntrExperimentalConstrainedFma:
		return desc.G_FMA
	case ir.IntrExperimentalConstrainedSqrt:
		return desc.G_FSQRT
	case ir.IntrExperimentalConstrainedFpext:
		return desc.G_FPEXT
	case ir.IntrExperimentalConstrainedFptrunc:
		return desc.G_FPTRUNC
	case ir.IntrExperimentalConstrainedFptosi:
		return desc.G_FPTOSI
	case ir.IntrExperimentalConstrainedFptoui:
		return desc.G_FPTOUI
	case ir.IntrExperimentalConstrainedSitofp:
		return desc.G_SITOFP
	case ir.IntrExperimentalConstrainedUitofp:
		return desc.G_UITOFP
	case ir.IntrExperimentalConstrainedFcmp, ir.IntrExperimentalConstrainedFcmps:
		return desc.G_FCMP
	case ir.IntrExperimentalConstrainedCeil:
		return desc.G_FCEIL
	case ir.IntrExperimentalConstrainedFloor:
		return desc.G_FFLOOR
	case ir.IntrExperimentalConstrainedTrunc:
		return desc.G_INTRINSIC_TRUNC
	case ir.IntrExperimentalConstrainedRint:
		return desc.G_FRINT
	case ir.IntrExperimentalConstrainedNearbyint:
		return desc.G_FNEARBYINT
	case ir.IntrExperimentalConstrainedRound:
		return desc.G_INTRINSIC_ROUND
	case ir.IntrExperimentalConstrainedRoundeven:
		return desc.G_INTRINSIC_ROUNDEVEN
	case ir.IntrExperimentalConstrainedLrint:
		return desc.G_INTRINSIC_LRINT
	case ir.IntrExperimentalConstrainedLlrint:
		return desc.G_INTRINSIC_LLRINT
	case ir.IntrExperimentalConstrainedLround:
		return desc.G_LROUND
	case ir.IntrExperimentalConstrainedLlround:
		return desc.G_LLROUND
	case ir.IntrExperimentalConstrainedMinnum:
		return desc.G_FMINNUM
	case ir.IntrExperimentalConstrainedMaxnum:
		return desc.G_FMAXNUM
	case ir.IntrExperimentalConstrainedPow:
		return desc.G_FPOW
	case ir.IntrExperimentalConstrainedPowi:
		return desc.G_FPOWI
	case ir.IntrExperimentalConstrainedLdexp:
		return desc.G_FLDEXP
	case ir.IntrExperimentalConstrainedExp:
		return desc.G_FEXP
	case ir.IntrExperimentalConstrainedExp2:
		return desc.G_FEXP2
	case ir.IntrExperimentalConstrainedLog:
		return desc.G_FLOG
	case ir.IntrExperimentalConstrainedLog2:
		return desc.G_FLOG2
	case ir.IntrExperimentalConstrainedLog10:
		return desc.G_FLOG10
	case ir.IntrExperimentalConstrainedSin:
		return desc.G_FSIN
	case ir.IntrExperimentalConstrainedCos:
		return desc.G_FCOS
	case ir.IntrExperimentalConstrainedTan:
		return desc.G_FTAN
	case ir.IntrExperimentalConstrainedAsin:
		return desc.G_FASIN
	case ir.IntrExperimentalConstrainedAcos:
		return desc.G_FACOS
	case ir.IntrExperimentalConstrainedAtan:
		return desc.G_FATAN
	case ir.IntrExperimentalConstrainedAtan2:
		return desc.G_FATAN2
	case ir.IntrExperimentalConstrainedSinh:
		return desc.G_FSINH
	case ir.IntrExperimentalConstrainedCosh:
		return desc.G_FCOSH
	case ir.IntrExperimentalConstrainedTanh:
		return desc.G_FTANH
	}
	return 0
}

// constrainedPreds are the predicates that comparisons name, by LLVM's numbers.
var constrainedPreds = []string{"", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une"}

// constrained translates a constrained operation; one that is said to be in the default
// environment is like any other.
func (t *translator) constrained(i ir.InstrID, x ir.Intrinsic, op desc.Opcode) {
	if t.usesBFloat(i) {
		t.fail("constrained floating point of bfloat")
		return
	}
	var args []mir.Operand
	var modes []string
	for k := range t.fn.NumArgOps(i) {
		if v := t.op(i, k); v.Tag() == ir.TagMetadata {
			modes = append(modes, t.mod.MD.At(v.MD()).Str)
		} else {
			args = append(args, Use(t.get1(v)))
		}
	}
	d := t.def(i)
	if t.err != nil || len(modes) == 0 {
		return
	}
	var pred []mir.Operand
	if op == desc.G_FCMP {
		pred = []mir.Operand{mir.PredOp(uint8(slices.Index(constrainedPreds, modes[0])))}
		modes = modes[1:]
	}
	last := len(modes) - 1
	free := modes[last] == "fpexcept.ignore" && (last == 0 || modes[0] == "round.tonearest")
	build := func(x ir.Intrinsic, op desc.Opcode, d mir.Reg, args ...mir.Operand) {
		if free {
			t.emit(miFlags(t.fn.Instr(i).Flags), op, slices.Concat([]mir.Operand{Def(d)}, pred, args)...)
			return
		}
		t.Build(desc.G_INTRINSIC_W_SIDE_EFFECTS, slices.Concat([]mir.Operand{Def(d), mir.IntrinsicOp(x)}, args, pred)...)
	}
	if x == ir.IntrExperimentalConstrainedFmuladd {
		p := t.New(t.Type(d))
		build(ir.IntrExperimentalConstrainedFmul, op, p, args[0], args[1])
		build(ir.IntrExperimentalConstrainedFadd, desc.G_FADD, d, Use(p), args[2])
		return
	}
	build(x, op, d, args...)
}

// asPlain gives constrained operation i its plain opcode, for selection.
func asPlain(f *mir.Function, i mir.InstrID, op desc.Opcode) {
	f.Become(i, op, plainOps(f, i, op)...)
}

// plainOps are the operands of a constrained operation for its plain opcode.
func plainOps(f *mir.Function, i mir.InstrID, op desc.Opcode) []mir.Operand {
	n := f.Instr(i).NumOps()
	ops := []mir.Operand{Def(f.Op(i, 0).Reg())}
	if op == desc.G_FCMP {
		n--
		ops = append(ops, *f.Op(i, n))
	}
	for k := 2; k < n; k++ {
		ops = append(ops, Use(f.Op(i, k).Reg()))
	}
	return ops
}

// isConstrained gives the plain opcode of a constrained operation, 0 for other instructions.
func isConstrained(f *mir.Function, i mir.InstrID) (ir.Intrinsic, desc.Opcode) {
	if in := f.Instr(i); in.Opcode != desc.G_INTRINSIC_W_SIDE_EFFECTS || in.NumOps() < 3 || f.Op(i, 1).Kind() != mir.OpIntrinsicID {
		return 0, 0
	}
	x := f.Op(i, 1).Intrinsic()
	return x, constrainedOp(x)
}

// constrained legalizes constrained operation i.
func (h *Helper) constrained(i mir.InstrID, x ir.Intrinsic, op desc.Opcode) error {
	f := h.F
	d, a := h.reg(i, 0), h.reg(i, 2)
	dt, at := h.Type(d), h.Type(a)
	p := h.Build(op, plainOps(f, i, op)...)
	dec := h.decide(p)
	if dt.IsVector() || at.IsVector() {
		h.drop(p, i)
		if dec.Act == legal.Legal && op != desc.G_FCMP {
			return nil
		}
		return h.constrainedParts(i, x)
	}
	// plain leaves the operation to what is done to p now.
	plain := func(act func() error) error {
		f.Erase(i)
		h.mb.SetBefore(p)
		return act()
	}
	again := func(d mir.Reg, x ir.Intrinsic, args ...mir.Reg) mir.Reg { return h.constrainedOp(d, x, args...) }
	const (
		ext   = ir.IntrExperimentalConstrainedFpext
		trunc = ir.IntrExperimentalConstrainedFptrunc
	)
	s32, s64 := mir.Scalar(32), mir.Scalar(64)
	half := mir.Scalar(16)
	toInt, fromInt := false, false
	switch op {
	case desc.G_FPTOSI, desc.G_FPTOUI, desc.G_LROUND, desc.G_LLROUND, desc.G_INTRINSIC_LRINT, desc.G_INTRINSIC_LLRINT, desc.G_FCMP:
		toInt = true
	case desc.G_SITOFP, desc.G_UITOFP:
		fromInt = true
	}
	conversion := op == desc.G_FPEXT || op == desc.G_FPTRUNC
	switch {
	case op == desc.G_FCMP && (x == ir.IntrExperimentalConstrainedFcmps || dec.Act != legal.Legal):
		h.drop(p, i)
		return h.constrainedCompare(i, x)
	case dec.Act == legal.Legal:
		h.drop(p, i)
		return nil
	case conversion && dec.Act == legal.Custom, dec.Act == legal.Libcall:
		return plain(func() error { return h.act(p, dec) })
	}
	h.drop(p, i)
	switch {
	case op == desc.G_FPEXT && at == half: // by float
		again(d, ext, again(h.New(s32), ext, a))
	case conversion:
		return h.unable(i)
	case !fromInt && at == half || !toInt && dt == half:
		// In float, as plain ones are.
		args := []mir.Reg{}
		for k := 2; k < f.Instr(i).NumOps(); k++ {
			r := h.reg(i, k)
			if h.Type(r) == half && !fromInt && (k == 2 || op != desc.G_FPOWI && op != desc.G_FLDEXP) {
				r = again(h.New(s32), ext, r)
			}
			args = append(args, r)
		}
		if toInt {
			again(d, x, args...)
		} else {
			again(d, trunc, again(h.New(s32), x, args...))
		}
	case fromInt && at.Bits() < 64:
		e, w := desc.Opcode(desc.G_SEXT), s32
		if op == desc.G_UITOFP {
			e = desc.G_ZEXT
		}
		if at.Bits() > 32 || at.Bits() == 32 && op == desc.G_UITOFP {
			w = s64
		}
		again(d, ir.IntrExperimentalConstrainedSitofp, h.Resize(e, w, a))
	case op == desc.G_UITOFP && at == s64:
		h.constrainedUnsigned(d, a)
	case (op == desc.G_FPTOSI || op == desc.G_FPTOUI) && dt.Bits() < 64:
		h.BuildTo(desc.G_TRUNC, d, again(h.New(h.constrainedWider(i, dt)), ir.IntrExperimentalConstrainedFptosi, a))
	case op == desc.G_FPTOUI && dt == s64:
		h.constrainedToUnsigned(d, a)
	case op == desc.G_FMINNUM, op == desc.G_FMAXNUM, op == desc.G_INTRINSIC_ROUND:
		p = h.Build(op, plainOps(f, i, op)...)
		return plain(func() error { return h.libcall(p) })
	default:
		return h.unable(i)
	}
	f.Erase(i)
	return nil
}

// constrainedWider is the narrowest type wider than t to which the number in i is converted.
func (h *Helper) constrainedWider(i mir.InstrID, t mir.LLT) mir.LLT {
	for n := 16; n < 64; n *= 2 {
		if n <= t.Bits() {
			continue
		}
		p := h.Build(desc.G_FPTOSI, Def(h.New(mir.Scalar(n))), Use(h.reg(i, 2)))
		act := h.decide(p).Act
		h.drop(p, i)
		if act == legal.Legal || act == legal.Libcall {
			return mir.Scalar(n)
		}
	}
	return mir.Scalar(64)
}

// drop erases p, which was built in front of i to be asked about, and goes on building there.
func (h *Helper) drop(p, i mir.InstrID) {
	h.F.Erase(p)
	h.mb.SetBefore(i)
}

// constrainedOp builds a constrained operation that defines d, and gives d.
func (h *Helper) constrainedOp(d mir.Reg, x ir.Intrinsic, args ...mir.Reg) mir.Reg {
	ops := []mir.Operand{Def(d), mir.IntrinsicOp(x)}
	for _, a := range args {
		ops = append(ops, Use(a))
	}
	h.Build(desc.G_INTRINSIC_W_SIDE_EFFECTS, ops...)
	return d
}

// constrainedParts does an operation on vectors by halves, or element by element: lanes
// that do not count would raise exceptions.
func (h *Helper) constrainedParts(i mir.InstrID, x ir.Intrinsic) error {
	f := h.F
	d := h.reg(i, 0)
	dt := h.Type(d)
	n := dt.NumElems()
	m := 1
	if n%2 == 0 && constrainedOp(x) != desc.G_FCMP {
		m = n / 2
	}
	part := func(t mir.LLT) mir.LLT {
		if m == 1 {
			return t.Elem()
		}
		return mir.Vector(m, t.Elem())
	}
	var parts [][]mir.Reg
	var pred []mir.Operand
	for k := 2; k < f.Instr(i).NumOps(); k++ {
		o := f.Op(i, k)
		switch {
		case !o.IsReg():
			pred = append(pred, *o)
		case h.Type(o.Reg()).IsVector():
			parts = append(parts, h.Unmerge(nil, part(h.Type(o.Reg())), o.Reg()))
		default:
			parts = append(parts, slices.Repeat([]mir.Reg{o.Reg()}, n/m))
		}
	}
	var out []mir.Reg
	for k := range n / m {
		r := h.New(part(dt))
		ops := []mir.Operand{Def(r), mir.IntrinsicOp(x)}
		for _, l := range parts {
			ops = append(ops, Use(l[k]))
		}
		h.Build(desc.G_INTRINSIC_W_SIDE_EFFECTS, append(ops, pred...)...)
		out = append(out, r)
	}
	h.Merge(d, out)
	f.Erase(i)
	return nil
}

// constrainedCompare legalizes a comparison of scalars; one that signals every NaN is a quiet
// one behind what does that alone.
func (h *Helper) constrainedCompare(i mir.InstrID, x ir.Intrinsic) error {
	f := h.F
	d, a, b := h.reg(i, 0), h.reg(i, 2), h.reg(i, 3)
	pred := *f.Op(i, 4)
	if h.Type(a) == mir.Scalar(16) {
		ext := func(r mir.Reg) mir.Reg {
			return h.constrainedOp(h.New(mir.Scalar(32)), ir.IntrExperimentalConstrainedFpext, r)
		}
		a, b = ext(a), ext(b)
	}
	t := h.boolOf(h.Type(a))
	if h.Type(a).Bits() <= 80 {
		if x == ir.IntrExperimentalConstrainedFcmps {
			signal := h.ST.Target.ISel.SignalNaN
			if signal == nil {
				return h.unable(i)
			}
			signal(&h.mb, a, b)
		}
		r := h.New(t)
		q := h.Build(desc.G_FCMP, Def(r), pred, Use(a), Use(b))
		ok := h.decide(q).Act == legal.Legal
		h.drop(q, i)
		if !ok {
			return h.unable(i)
		}
		h.Build(desc.G_INTRINSIC_W_SIDE_EFFECTS, Def(r), mir.IntrinsicOp(ir.IntrExperimentalConstrainedFcmp), Use(a), Use(b), pred)
		if h.Type(d) == t {
			h.Copy(d, r)
		} else {
			h.BuildTo(desc.G_TRUNC, d, r)
		}
		f.Erase(i)
		return nil
	}
	q := h.Build(desc.G_FCMP, Def(d), pred, Use(a), Use(b))
	dec := h.decide(q)
	if dec.Act == legal.Legal {
		return h.unable(i)
	}
	f.Erase(i)
	h.mb.SetBefore(q)
	if dec.Act == legal.Libcall {
		return h.libcall(q)
	}
	return h.act(q, dec)
}

// constrainedUnsigned makes d of the 64 bits of a without a sign: a number that looks negative is
// halved, the bit that is lost kept, converted and doubled. Where all 64 bits are exact
// 2^64 is added instead.
func (h *Helper) constrainedUnsigned(d, a mir.Reg) {
	s64, t := mir.Scalar(64), h.Type(d)
	sitofp := func(r mir.Reg) mir.Reg {
		return h.constrainedOp(h.New(t), ir.IntrExperimentalConstrainedSitofp, r)
	}
	add := func(d, x, y mir.Reg) { h.constrainedOp(d, ir.IntrExperimentalConstrainedFadd, x, y) }
	neg := h.ICmp(ir.ICmpSLT, h.boolOf(s64), a, h.Const(s64, 0))
	if t == mir.Scalar(80) {
		add(d, sitofp(a), h.Select(neg, h.fp(t, 1<<64), h.fp(t, 0)))
		return
	}
	one := h.Const(s64, 1)
	half := h.Bin(desc.G_OR, s64, h.Bin(desc.G_LSHR, s64, a, one), h.Bin(desc.G_AND, s64, a, one))
	f := sitofp(h.Select(neg, half, a))
	twice := h.New(t)
	add(twice, f, f)
	h.Build(desc.G_SELECT, Def(d), Use(neg), Use(twice), Use(f))
}

// constrainedToUnsigned makes the 64 bits without a sign of a: numbers of 2^63 and more
// are converted less that, and get the bit back.
func (h *Helper) constrainedToUnsigned(d, a mir.Reg) {
	s64, t := mir.Scalar(64), h.Type(a)
	limit := h.fp(t, 1<<63)
	small := h.New(h.boolOf(t))
	h.Build(desc.G_INTRINSIC_W_SIDE_EFFECTS, Def(small), mir.IntrinsicOp(ir.IntrExperimentalConstrainedFcmp), Use(a), Use(limit), mir.PredOp(uint8(ir.FCmpOLT)))
	less := h.constrainedOp(h.New(t), ir.IntrExperimentalConstrainedFsub, a, h.Select(small, h.fp(t, 0), limit))
	n := h.constrainedOp(h.New(s64), ir.IntrExperimentalConstrainedFptosi, less)
	h.BuildTo(desc.G_XOR, d, n, h.Select(small, h.Const(s64, 0), h.Const(s64, -1<<63)))
}
