// Package legalmini makes scalar generic machine code legal by retyping.
//
// Every virtual register of an odd width (s1, s24, …) gets the next width that
// the machine has; its bits above the old width are from then on undefined.
// What depends on them is then repaired instruction by instruction: operands
// of divisions, right shifts and comparisons are extended in place first.
package legalmini

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Legalizer is the pass.
var Legalizer = pass.Pass{Name: "legalizer", Title: "Legalizer", Requires: mir.IsSSA, Sets: mir.Legalized, Run: run}

type legal struct {
	globalisel.Builder
	c    *pass.Context
	st   *target.Subtarget
	f    *mir.Function
	orig []int32 // width before retyping, by register; 0 for registers added later
	err  error
}

func run(c *pass.Context, f *mir.Function) error {
	l := &legal{c: c, st: c.Subtarget, f: f}
	l.Builder = globalisel.Wrap(&mir.Builder{F: f})
	if err := l.retype(); err != nil {
		return err
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First; i != 0; {
			next := f.Instr(i).Next()
			l.SetBefore(i)
			l.Loc = f.Instr(i).Loc
			l.instr(i)
			if l.err != nil {
				return l.err
			}
			i = next
		}
	}
	return nil
}

func wide(n int) int {
	switch {
	case n <= 8:
		return 8
	case n <= 16:
		return 16
	case n <= 32:
		return 32
	}
	return 64
}

func (l *legal) retype() error {
	l.orig = make([]int32, len(l.f.VRegs))
	for k := range l.f.VRegs {
		t := l.f.VRegs[k].Type
		if t == 0 {
			continue
		}
		if t.IsVector() {
			return l.st.NotSupported(l.f, "vector type "+t.String())
		}
		if !t.IsScalar() {
			continue
		}
		n := t.ScalarBits()
		if n > 64 {
			return l.st.NotSupported(l.f, "type "+t.String())
		}
		l.orig[k] = int32(n)
		l.f.VRegs[k].Type = mir.Scalar(wide(n))
	}
	return nil
}

// width is the meaningful width of a register.
func (l *legal) width(r mir.Reg) int {
	if r.Index() < len(l.orig) && l.orig[r.Index()] != 0 {
		return int(l.orig[r.Index()])
	}
	return l.Type(r).Bits()
}

// exact extends r from its meaningful width to its whole register.
func (l *legal) exact(r mir.Reg, signed bool) mir.Reg {
	t := l.Type(r)
	n := l.width(r)
	if !t.IsScalar() || n == t.Bits() {
		return r
	}
	if signed {
		return l.sextInReg(r, n)
	}
	if d := l.f.UniqueDef(r); d != 0 && n == 1 {
		if op := l.f.Instr(d).Opcode; op == desc.G_ICMP || op == desc.G_FCMP {
			return r
		}
	}
	return l.Bin(desc.G_AND, t, r, l.Const(t, int64(uint64(1)<<n-1)))
}

func (l *legal) sextInReg(r mir.Reg, n int) mir.Reg {
	t := l.Type(r)
	s := l.Const(mir.Scalar(8), int64(t.Bits()-n))
	return l.Bin(desc.G_ASHR, t, l.Bin(desc.G_SHL, t, r, s), s)
}

func (l *legal) use(i mir.InstrID, n int) mir.Reg { return l.f.Op(i, n).Reg() }

// fixUse replaces operand n by its exact value.
func (l *legal) fixUse(i mir.InstrID, n int, signed bool) {
	r := l.use(i, n)
	if e := l.exact(r, signed); e != r {
		l.f.SetReg(i, n, e)
	}
}

// amount makes operand n, a shift amount, an s8.
func (l *legal) amount(i mir.InstrID, n int) {
	l.fixUse(i, n, false)
	if r := l.use(i, n); l.Type(r) != mir.Scalar(8) {
		if v, ok := globalisel.ConstOf(l.f, r); ok {
			l.f.SetReg(i, n, l.Const(mir.Scalar(8), v))
			return
		}
		l.f.SetReg(i, n, l.Un(desc.G_TRUNC, mir.Scalar(8), r))
	}
}

// done moves a value into the result of i and erases i.
func (l *legal) done(i mir.InstrID, v mir.Reg) {
	l.Copy(l.use(i, 0), v)
	l.f.Erase(i)
}

func (l *legal) fail(i mir.InstrID) {
	l.err = l.st.NotSupported(l.f, "legalizing "+string(globalisel.AppendInstr(nil, l.f, i)))
}

func signedPred(p ir.Pred) bool { return p >= ir.ICmpSGT && p <= ir.ICmpSLE }

func (l *legal) instr(i mir.InstrID) {
	f := l.f
	switch op := f.Instr(i).Opcode; op {
	case desc.G_CONSTANT:
		l.constant(i)
	case desc.G_SHL:
		l.amount(i, 2)
	case desc.G_LSHR:
		l.fixUse(i, 1, false)
		l.amount(i, 2)
	case desc.G_ASHR:
		l.fixUse(i, 1, true)
		l.amount(i, 2)
	case desc.G_ROTL, desc.G_ROTR, desc.G_FSHL, desc.G_FSHR:
		l.funnel(i, op)
	case desc.G_UDIV, desc.G_UREM:
		l.fixUse(i, 1, false)
		l.fixUse(i, 2, false)
	case desc.G_SDIV, desc.G_SREM:
		l.fixUse(i, 1, true)
		l.fixUse(i, 2, true)
	case desc.G_ICMP:
		s := signedPred(ir.Pred(f.Op(i, 1).Imm()))
		l.fixUse(i, 2, s)
		l.fixUse(i, 3, s)
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT, desc.G_TRUNC:
		l.resize(i, op)
	case desc.G_SEXT_INREG:
		l.done(i, l.sextInReg(l.use(i, 1), int(f.Op(i, 2).Imm())))
	case desc.G_LOAD, desc.G_STORE, desc.G_ZEXTLOAD, desc.G_SEXTLOAD:
		l.memory(i, op)
	case desc.G_PTRTOINT:
		if l.Type(l.use(i, 0)).Bits() != 64 {
			v := l.Un(desc.G_PTRTOINT, mir.Scalar(64), l.use(i, 1))
			l.done(i, l.Un(desc.G_TRUNC, l.Type(l.use(i, 0)), v))
		}
	case desc.G_INTTOPTR:
		l.fixUse(i, 1, false)
		if r := l.use(i, 1); l.Type(r).Bits() != 64 {
			f.SetReg(i, 1, l.Un(desc.G_ZEXT, mir.Scalar(64), r))
		}
	case desc.G_SMIN, desc.G_SMAX, desc.G_UMIN, desc.G_UMAX, desc.G_ABS:
		l.minMax(i, op)
	case desc.G_UADDSAT, desc.G_USUBSAT, desc.G_SADDSAT, desc.G_SSUBSAT:
		l.saturate(i, op)
	case desc.G_UADDO, desc.G_SADDO, desc.G_USUBO, desc.G_SSUBO, desc.G_UMULO, desc.G_SMULO:
		if n := l.width(l.use(i, 0)); n != l.Type(l.use(i, 0)).Bits() {
			l.fail(i)
		}
	case desc.G_CTPOP, desc.G_CTLZ, desc.G_CTTZ, desc.G_CTLZ_ZERO_UNDEF, desc.G_CTTZ_ZERO_UNDEF, desc.G_BSWAP, desc.G_BITREVERSE:
		l.bits(i, op)
	case desc.G_SITOFP, desc.G_UITOFP, desc.G_FPTOSI, desc.G_FPTOUI:
		l.convert(i, op)
	case desc.G_MEMCPY, desc.G_MEMMOVE, desc.G_MEMSET, desc.G_MEMCPY_INLINE, desc.G_BZERO:
		l.memFunc(i, op)
	case desc.G_DYN_STACKALLOC, desc.G_VASTART, desc.G_VAARG, desc.G_INTRINSIC, desc.G_INTRINSIC_W_SIDE_EFFECTS:
		l.stack(i, op)
	default:
		l.float(i, op)
	}
}

func (l *legal) constant(i mir.InstrID) {
	f := l.f
	t := l.Type(l.use(i, 0))
	if o := f.Op(i, 1); o.Kind() == mir.OpCImm && f.CImms[o.Index()].Bits != t.Bits() && t.IsScalar() {
		c := f.CImms[o.Index()]
		w := c.Words[0]
		f.ReplaceOp(i, 1, f.CImm(t.Bits(), w))
	}
}

// resize handles extensions and truncations between meaningful widths.
func (l *legal) resize(i mir.InstrID, op desc.Opcode) {
	d, s := l.use(i, 0), l.use(i, 1)
	td, ts := l.Type(d), l.Type(s)
	switch op {
	case desc.G_ZEXT:
		s = l.exact(s, false)
	case desc.G_SEXT:
		s = l.exact(s, true)
	}
	switch {
	case td == ts:
		l.done(i, s)
	case td.Bits() < ts.Bits():
		l.f.SetReg(i, 1, s)
		l.f.Instr(i).Opcode = desc.G_TRUNC
	default:
		l.f.SetReg(i, 1, s)
		if op == desc.G_TRUNC {
			l.f.Instr(i).Opcode = desc.G_ANYEXT
		}
	}
}

// funnel keeps what the machine has and widens small funnel shifts.
func (l *legal) funnel(i mir.InstrID, op desc.Opcode) {
	t := l.Type(l.use(i, 0))
	n := l.width(l.use(i, 0))
	rot := op == desc.G_ROTL || op == desc.G_ROTR
	if n != t.Bits() {
		l.fail(i)
		return
	}
	if rot {
		l.amount(i, 2)
		return
	}
	if n >= 32 {
		l.amount(i, 3)
		return
	}
	// (hi:lo) as one wider number, shifted by the amount modulo n.
	w := mir.Scalar(2 * n)
	hi, lo := l.Un(desc.G_ZEXT, w, l.use(i, 1)), l.Un(desc.G_ZEXT, w, l.use(i, 2))
	l.amount(i, 3)
	s8 := mir.Scalar(8)
	amt := l.Bin(desc.G_AND, s8, l.use(i, 3), l.Const(s8, int64(n-1)))
	both := l.Bin(desc.G_OR, w, l.Bin(desc.G_SHL, w, hi, l.Const(s8, int64(n))), lo)
	var v mir.Reg
	if op == desc.G_FSHL {
		v = l.Bin(desc.G_LSHR, w, l.Bin(desc.G_SHL, w, both, amt), l.Const(s8, int64(n)))
	} else {
		v = l.Bin(desc.G_LSHR, w, both, amt)
	}
	l.done(i, l.Un(desc.G_TRUNC, t, v))
}

func (l *legal) minMax(i mir.InstrID, op desc.Opcode) {
	signed := op != desc.G_UMIN && op != desc.G_UMAX
	x := l.exact(l.use(i, 1), signed)
	t := l.Type(x)
	b := mir.Scalar(8)
	if op == desc.G_ABS {
		neg := l.Bin(desc.G_SUB, t, l.Const(t, 0), x)
		l.done(i, l.Select(l.ICmp(ir.ICmpSLT, b, x, l.Const(t, 0)), neg, x))
		return
	}
	y := l.exact(l.use(i, 2), signed)
	p := map[desc.Opcode]ir.Pred{desc.G_SMIN: ir.ICmpSLT, desc.G_SMAX: ir.ICmpSGT, desc.G_UMIN: ir.ICmpULT, desc.G_UMAX: ir.ICmpUGT}[op]
	l.done(i, l.Select(l.ICmp(p, b, x, y), x, y))
}

func (l *legal) saturate(i mir.InstrID, op desc.Opcode) {
	x, y := l.use(i, 1), l.use(i, 2)
	t := l.Type(x)
	if l.width(x) != t.Bits() {
		l.fail(i)
		return
	}
	base := map[desc.Opcode]desc.Opcode{desc.G_UADDSAT: desc.G_UADDO, desc.G_USUBSAT: desc.G_USUBO, desc.G_SADDSAT: desc.G_SADDO, desc.G_SSUBSAT: desc.G_SSUBO}[op]
	v, o := l.New(t), l.New(mir.Scalar(8))
	l.Build(base, globalisel.Def(v), globalisel.Def(o), globalisel.Use(x), globalisel.Use(y))
	var limit mir.Reg
	switch op {
	case desc.G_UADDSAT:
		limit = l.Const(t, -1)
	case desc.G_USUBSAT:
		limit = l.Const(t, 0)
	default:
		// The wrapped result has the wrong sign: its complement's limit is meant.
		s := l.Bin(desc.G_ASHR, t, v, l.Const(mir.Scalar(8), int64(t.Bits()-1)))
		limit = l.Bin(desc.G_XOR, t, s, l.Const(t, -1<<(t.Bits()-1)))
	}
	l.done(i, l.Select(o, limit, v))
}
