package globalisel

import (
	"math"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// Floating point that a target has no instructions for: formats of 16 bits are
// computed in float, those that are wider than registers by the run-time library
// of GCC and LLVM (libgcc's manual, "Soft float library routines").

// fpMode is GCC's name of a floating-point format in the names of functions, "" for none.
func fpMode(n int) string {
	switch n {
	case 16:
		return "hf"
	case 32:
		return "sf"
	case 64:
		return "df"
	case 80:
		return "xf"
	case 128:
		return "tf"
	}
	return ""
}

// fpWords is the bit pattern of v, a number of few bits in the middle of the range
// of doubles, in the format of n bits, low word first.
func fpWords(n int, v float64) (lo, hi uint64) {
	d := math.Float64bits(v)
	sign, exp, frac := d>>63, int(d>>52&0x7ff)-1023, d&(1<<52-1)
	switch n {
	case 16:
		switch {
		case v == 0 || exp < -14:
			return sign << 15, 0
		case exp > 15:
			return sign<<15 | 0x7c00, 0
		}
		return sign<<15 | uint64(exp+15)<<10 | frac>>42, 0
	case 32:
		return uint64(math.Float32bits(float32(v))), 0
	case 80:
		if v == 0 {
			return 0, sign << 15
		}
		return 1<<63 | frac<<11, sign<<15 | uint64(exp+16383)
	case 128:
		if v == 0 {
			return 0, sign << 63
		}
		return frac << 60, sign<<63 | uint64(exp+16383)<<48 | frac>>4
	}
	return d, 0
}

// fpOperandTypes are the operations that can be done in a wider format, and the
// index of the type that is floating point.
func fpTypeIndex(op desc.Opcode) (idx int, ok bool) {
	switch op {
	case desc.G_FCMP, desc.G_FPTOSI, desc.G_FPTOUI, desc.G_FPTOSI_SAT, desc.G_FPTOUI_SAT, desc.G_LROUND, desc.G_LLROUND,
		desc.G_INTRINSIC_LRINT, desc.G_INTRINSIC_LLRINT:
		return 1, true
	case desc.G_FADD, desc.G_FSUB, desc.G_FMUL, desc.G_FDIV, desc.G_FREM, desc.G_FMA, desc.G_FSQRT, desc.G_FPOW, desc.G_FEXP,
		desc.G_FEXP2, desc.G_FEXP10, desc.G_FLOG, desc.G_FLOG2, desc.G_FLOG10, desc.G_FSIN, desc.G_FCOS, desc.G_FTAN, desc.G_FASIN,
		desc.G_FACOS, desc.G_FATAN, desc.G_FATAN2, desc.G_FSINH, desc.G_FCOSH, desc.G_FTANH, desc.G_FFLOOR, desc.G_FCEIL,
		desc.G_INTRINSIC_TRUNC, desc.G_FRINT, desc.G_FNEARBYINT, desc.G_INTRINSIC_ROUND, desc.G_INTRINSIC_ROUNDEVEN, desc.G_FLDEXP,
		desc.G_FPOWI, desc.G_FMINNUM, desc.G_FMAXNUM, desc.G_FMINIMUM, desc.G_FMAXIMUM, desc.G_FMINIMUMNUM, desc.G_FMAXIMUMNUM,
		desc.G_FCANONICALIZE, desc.G_SITOFP, desc.G_UITOFP:
		return 0, true
	}
	return 0, false
}

// widenFloat does i in the wider format t: operands are extended, which is exact,
// and the result is rounded.
func (h *Helper) widenFloat(i mir.InstrID, idx int, t mir.LLT) {
	f := h.F
	op := f.Instr(i).Opcode
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if o.IsReg() && o.IsUse() && floatOperand(op, n) && o.Reg() != 0 {
			f.SetReg(i, n, h.Un(desc.G_FPEXT, t, o.Reg()))
		}
	}
	if idx == 0 {
		d, w := h.reg(i, 0), h.New(t)
		f.SetReg(i, 0, w)
		at := h.mb.At
		h.mb.At = f.Instr(i).Next()
		h.BuildTo(desc.G_FPTRUNC, d, w)
		h.mb.At = at
	}
	h.Changed(i)
}

// lowerFConstant makes the bits of a constant.
func (h *Helper) lowerFConstant(i mir.InstrID) bool {
	c, t := h.F.FPImms[h.F.Op(i, 1).Index()], h.regType(i, 0)
	words := []uint64{c.Lo, c.Hi}
	if t.IsVector() || t.ScalarBits() > 128 {
		return false
	}
	h.ReplaceWith(i, 0, h.WideConst(t, words[:(t.ScalarBits()+63)/64]))
	return true
}

// lowerFPConvert goes from or to a format of 16 bits by way of float, where that
// rounds once only: when what is rounded to 16 bits is a float already.
func (h *Helper) lowerFPConvert(i mir.InstrID) bool {
	t, x := h.regType(i, 0), h.reg(i, 1)
	s32 := mir.Scalar(32)
	if h.F.Instr(i).Opcode != desc.G_FPEXT || h.Type(x).ScalarBits() != 16 || t == s32 {
		return false
	}
	h.ReplaceWith(i, 0, h.Un(desc.G_FPEXT, t, h.Un(desc.G_FPEXT, s32, x)))
	return true
}

// fpConvertCall converts between two formats.
func (h *Helper) fpConvertCall(i mir.InstrID) error {
	name := "__extend"
	if h.F.Instr(i).Opcode == desc.G_FPTRUNC {
		name = "__trunc"
	}
	to, from := fpMode(h.regType(i, 0).ScalarBits()), fpMode(h.regType(i, 1).ScalarBits())
	if to == "" || from == "" {
		return h.unable(i)
	}
	return h.callFor(i, name+from+to+"2")
}

// fpCompares are the library's comparisons: the function, and how its result compares with 0.
var fpCompares = [...]struct {
	name string
	pred ir.Pred
}{
	ir.FCmpOEQ: {"__eq", ir.ICmpEQ}, ir.FCmpUNE: {"__ne", ir.ICmpNE},
	ir.FCmpOLT: {"__lt", ir.ICmpSLT}, ir.FCmpOLE: {"__le", ir.ICmpSLE}, ir.FCmpOGT: {"__gt", ir.ICmpSGT}, ir.FCmpOGE: {"__ge", ir.ICmpSGE},
	// They say that it does not hold when a number is missing, by the sign that the name asks for.
	ir.FCmpULT: {"__ge", ir.ICmpSLT}, ir.FCmpULE: {"__gt", ir.ICmpSLE}, ir.FCmpUGT: {"__le", ir.ICmpSGT}, ir.FCmpUGE: {"__lt", ir.ICmpSGE},
	ir.FCmpUNO: {"__unord", ir.ICmpNE}, ir.FCmpORD: {"__unord", ir.ICmpEQ},
}

// compareCall compares by a function of the library, or two.
func (h *Helper) compareCall(i mir.InstrID) error {
	p, d := h.predOf(i), h.reg(i, 0)
	x, y := h.reg(i, 2), h.reg(i, 3)
	one := func(p ir.Pred) (mir.Reg, error) {
		c := fpCompares[p]
		n := h.Type(x).ScalarBits()
		r := h.New(mir.Scalar(32))
		if err := h.Call(c.name+fpMode(n)+"2", r, ir.Int32, []mir.Reg{x, y}, []ir.Type{fpType(n), fpType(n)}); err != nil {
			return 0, err
		}
		return h.icmp(c.pred, r, h.Const(mir.Scalar(32), 0)), nil
	}
	var res mir.Reg
	var err error
	switch p {
	case ir.FCmpFalse:
		res = h.Const(h.Rules.Bool, 0)
	case ir.FCmpTrue:
		res = h.Const(h.Rules.Bool, 1)
	case ir.FCmpONE, ir.FCmpUEQ:
		op, a, b := desc.Opcode(desc.G_AND), ir.FCmpORD, ir.FCmpUNE
		if p == ir.FCmpUEQ {
			op, a, b = desc.G_OR, ir.FCmpUNO, ir.FCmpOEQ
		}
		var r, s mir.Reg
		if r, err = one(a); err == nil {
			s, err = one(b)
		}
		if err == nil {
			res = h.Bin(op, h.Rules.Bool, r, s)
		}
	default:
		res, err = one(p)
	}
	if err != nil {
		return err
	}
	h.Erase(i)
	h.boolTo(d, res)
	return nil
}
