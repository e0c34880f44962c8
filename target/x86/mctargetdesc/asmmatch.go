package mctargetdesc

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

type operandKind uint8

const (
	opNone operandKind = iota
	opReg
	opImm
	opMem
	opWord // {sae}, {rn-sae}, {dfv=…}
)

// asmOperand is an operand as it was read.
type asmOperand struct {
	kind             operandKind
	star, zero       bool
	bracket          bool // Intel: written in brackets, or with a size
	reg              desc.PhysReg
	x                mc.Expr // immediate or displacement; 0: v
	v                int64
	base, index, seg desc.PhysReg
	scale            int64
	size             int // bits, 0 not said
	mask             desc.PhysReg
	bcast, text      string
	start, end       int
}

// How the attempt with a form ends.
type matchResult uint8

const (
	matchFail    matchResult = iota // mnemonic unknown
	matchMode                       // in another mode only
	matchFew                        // too few operands
	matchOperand                    // an operand is wrong
	matchOK
)

// outcome is the best result for a mnemonic; bad is the operand that is wrong.
type outcome struct {
	res   matchResult
	bad   int
	form  *form1
	modes uint8 // those that would do
	sizes []int // Intel: sizes of memory of the forms that fit
}

// want restricts the encodings: {vex}, {evex}, …
type want uint8

const (
	wantAny want = iota
	wantVEX
	wantEVEX
	wantLegacy
)

// match finds the first of a mnemonic's forms that fits.
func (s *syntax) match(forms []*form1, ops []asmOperand, mode uint8, w want, nf bool) (out outcome) {
	high := false // a register beyond 15 that not every encoding can say
	for k := range ops {
		o := &ops[k]
		high = high || s.highReg(o.reg) || s.highReg(o.base) || s.highReg(o.index)
	}
	for _, f := range forms {
		if w == wantVEX && !f.vex || w == wantEVEX && !f.evex || w == wantLegacy && (f.vex || f.evex) || high && !f.evex && !f.long {
			if out.res == matchFail {
				out.res = matchOperand
				out.bad = -1
			}
			continue
		}
		if nf != f.nf {
			if out.res == matchFail {
				out.res, out.bad = matchOperand, -1
			}
			continue
		}
		if w != wantVEX && f.onlyVEX || w != wantEVEX && f.onlyEVEX {
			continue
		}
		if f.width != 0 && f.width != widthOf(mode) && (len(ops) == 0 || ops[0].size == 0 && ops[0].kind != opReg) {
			continue
		}
		k, ok := 0, true
		for ; k < len(f.elems) && k < len(ops) && ok; k++ {
			ok = s.fits(&f.elems[k], &ops[k], mode)
		}
		switch {
		case !ok:
			if out.res < matchOperand || out.res == matchOperand && k-1 > out.bad {
				if out.res != matchOK {
					out.res, out.bad = matchOperand, k-1
				}
			}
		case len(ops) < len(f.elems):
			if out.res < matchFew {
				out.res = matchFew
			} else if out.res == matchOperand && k > out.bad {
				out.res, out.bad = matchFew, k
			}
		case len(ops) > len(f.elems):
			if out.res < matchOperand || out.res == matchOperand && k > out.bad {
				if out.res != matchOK {
					out.res, out.bad = matchOperand, k
				}
			}
		case f.modes&mode == 0:
			if out.res != matchOK {
				out.modes |= f.modes
			}
		default:
			if out.res != matchOK {
				out.res, out.form = matchOK, f
			}
			if s.variant == ATT {
				return out
			}
			size := -1
			for k := range f.elems {
				if e := &f.elems[k]; ops[k].kind == opMem && (e.kind == elemMem || e.kind == elemOffset || e.kind == elemSrc || e.kind == elemDst) && ops[k].size == 0 && ops[k].bcast == "" {
					size = e.size
				}
			}
			if size < 0 {
				return out
			}
			known := false
			for _, z := range out.sizes {
				known = known || z == size
			}
			if !known {
				out.sizes = append(out.sizes, size)
			}
		}
	}
	if out.res != matchOK && out.modes != 0 {
		out.res = matchMode
	}
	return out
}

// widthOf is the size of addresses in a mode.
func widthOf(mode uint8) uint8 {
	switch mode {
	case mode64:
		return 64
	case mode32:
		return 32
	}
	return 16
}

// fits reports that an operand may stand where a form has e.
func (s *syntax) fits(e *elem, o *asmOperand, mode uint8) bool {
	if e.star != o.star || e.zero != o.zero || e.bcast != o.bcast || (e.mask >= 0) != (o.mask != 0) {
		return false
	}
	switch e.kind {
	case elemReg:
		if o.kind != opReg {
			return false
		}
		r := o.reg
		if e.pair {
			return maskPair(s.info, e.class, r) != 0
		}
		return s.info.ClassContains(e.class, r)
	case elemFixed:
		if o.kind == opMem && e.reg == tab.DX && o.x == 0 && o.v == 0 && o.index == 0 {
			return o.base == tab.DX
		}
		return o.kind == opReg && o.reg == e.reg
	case elemImm:
		if o.kind != opImm {
			return false
		}
		if o.x != 0 && e.width != 0 {
			return e.grows // layout makes the instruction longer where a symbol needs it
		}
		if o.x != 0 || e.lo >= e.hi || e.lo <= o.v && o.v <= e.hi {
			return true
		}
		if e.width != 0 && e.width < 64 && o.v > 0 && o.v < 1<<e.width {
			v := o.v << (64 - e.width) >> (64 - e.width)
			return e.lo <= v && v <= e.hi
		}
		return false
	case elemFixedImm:
		return o.kind == opImm && o.x == 0 && o.v == e.lo
	case elemMem:
		if o.kind != opMem && !(s.variant == Intel && o.kind == opImm && o.bracket) {
			return false
		}
		if o.size != 0 && e.size != 0 && o.size != e.size {
			return false
		}
		vector := o.index != 0 && !s.plainIndex(o.index)
		if e.high != vector {
			return false
		}
		return !e.high || s.info.ClassContains(e.class, o.index)
	case elemOffset:
		return o.kind == opMem && o.base == 0 && o.index == 0 && (o.size == 0 || e.size == 0 || o.size == e.size)
	case elemSrc:
		return o.kind == opMem && o.index == 0 && o.x == 0 && o.v == 0 && isSI(o.base) && (o.size == 0 || e.size == 0 || o.size == e.size)
	case elemDst:
		return o.kind == opMem && o.index == 0 && o.x == 0 && o.v == 0 && isDI(o.base) && (o.seg == 0 || o.seg == tab.ES) && (o.size == 0 || e.size == 0 || o.size == e.size)
	case elemPCRel:
		return o.kind == opMem && o.base == 0 && o.index == 0 && o.seg == 0 && !o.bracket || s.variant == Intel && o.kind == opImm && !o.bracket
	case elemWord:
		return o.kind == opWord && o.text == e.text
	case elemWords:
		if o.kind != opWord {
			return false
		}
		_, ok := s.valueOf(e.style, o.text)
		return ok
	}
	return false
}

func (s *syntax) highReg(r desc.PhysReg) bool {
	return r != 0 && s.info.Regs[r].Encoding&16 != 0 && s.generalReg(r)
}

func (s *syntax) generalReg(r desc.PhysReg) bool {
	for _, c := range [...]desc.ClassID{tab.GR64RegClassID, tab.GR32RegClassID, tab.GR16RegClassID, tab.GR8RegClassID} {
		if s.info.ClassContains(c, r) {
			return true
		}
	}
	return false
}

func (s *syntax) valueOf(y *desc.WriterStyle, text string) (int64, bool) {
	for _, row := range s.w.Texts[y.First : y.First+y.Num] {
		if row.Text.In(s.w.Names) == text {
			return row.Value, true
		}
	}
	return 0, false
}

func isSI(r desc.PhysReg) bool { return r == tab.RSI || r == tab.ESI || r == tab.SI }
func isDI(r desc.PhysReg) bool { return r == tab.RDI || r == tab.EDI || r == tab.DI }

func (s *syntax) plainIndex(r desc.PhysReg) bool {
	return r == tab.RIZ || r == tab.EIZ || s.info.ClassContains(tab.GR64RegClassID, r) || s.info.ClassContains(tab.GR32RegClassID, r) || s.info.ClassContains(tab.GR16RegClassID, r)
}

// maskPair is the pair of mask registers that begins with r.
func maskPair(info *desc.Info, class desc.ClassID, r desc.PhysReg) desc.PhysReg {
	for _, p := range info.ClassMembers(class) {
		if subs := info.SubRegs(p); subs.Len() > 0 && subs.At(0) == r {
			return p
		}
	}
	return 0
}

// build makes the instruction of a form.
func (s *syntax) build(f *form1, ops []asmOperand, in *mc.Inst) {
	in.Op, in.Flags = f.op, 0
	in.Ops = append(in.Ops[:0], f.empty...)
	for k := range f.elems {
		e, o := &f.elems[k], &ops[k]
		if e.mask >= 0 {
			in.Ops[e.mask] = mc.Reg(o.mask)
		}
		if e.op < 0 {
			continue
		}
		to := in.Ops[e.op:]
		switch e.kind {
		case elemReg:
			r := o.reg
			if e.pair {
				r = maskPair(s.info, e.class, r)
			}
			to[0] = mc.Reg(r)
		case elemImm, elemPCRel:
			to[0] = o.value()
		case elemMem:
			to[0], to[1], to[2], to[3], to[4] = mc.Reg(o.base), mc.Imm(max(o.scale, 1)), mc.Reg(o.index), o.value(), mc.Reg(o.seg)
		case elemOffset:
			to[0], to[1] = o.value(), mc.Reg(o.seg)
		case elemSrc:
			to[0], to[1] = mc.Reg(o.base), mc.Reg(o.seg)
		case elemDst:
			to[0] = mc.Reg(o.base)
		case elemWords:
			v, _ := s.valueOf(e.style, o.text)
			to[0] = mc.Imm(v)
		}
	}
	for _, t := range f.ties {
		in.Ops[t.to] = in.Ops[t.from]
	}
}

// value is the immediate, the displacement or the target of an operand.
func (o *asmOperand) value() mc.Operand {
	if o.x != 0 {
		return mc.ExprOp(o.x)
	}
	return mc.Imm(o.v)
}

// tie is an operand that is what another one is.
type tie struct{ to, from uint8 }

// prepare settles what build needs: what operands are that text does not say, and those that are tied.
func (s *syntax) prepare(f *form1) {
	infos := s.info.Operands(f.op)
	f.empty = make([]mc.Operand, len(infos))
	said := make([]bool, len(infos))
	for i := range infos {
		if f.empty[i] = mc.Imm(0); infos[i].RegClass != desc.NoClass {
			f.empty[i] = mc.Reg(0)
		}
	}
	say := func(first, n int) {
		for k := first; k >= 0 && k < first+n; k++ {
			said[k] = true
		}
	}
	if f.ccOp >= 0 {
		f.empty[f.ccOp] = mc.Imm(f.cc)
		say(f.ccOp, 1)
	}
	for k := range f.elems {
		e := &f.elems[k]
		say(e.mask, 1)
		switch e.kind {
		case elemReg, elemImm, elemPCRel, elemDst, elemWords:
			say(e.op, 1)
		case elemOffset, elemSrc:
			say(e.op, 2)
		case elemMem:
			say(e.op, 5)
		}
	}
	for i := range infos {
		if t := int(infos[i].TiedTo); t >= 0 {
			if said[i] {
				f.ties = append(f.ties, tie{uint8(t), uint8(i)})
				said[t] = true
			} else if said[t] {
				f.ties = append(f.ties, tie{uint8(i), uint8(t)})
				said[i] = true
			}
		}
	}
}
