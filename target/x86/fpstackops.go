package x86

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// What x86-fp-stackifier makes of each instruction.

// The kinds of pseudo instructions that bits 22 to 24 of the facts' TSFlags tell.
const (
	fpNone = iota
	fpZeroArg
	fpOneArg
	fpOneArgRW
	fpTwoArg
	fpCompare
	fpCondMove
	fpSpecial
)

// fpReal are the instructions that pseudo instructions become. pop is the form that
// takes its operand off the stack; where real is 0 there is no other one.
var fpReal = []struct {
	real, pop desc.Opcode
	pseudo    []desc.Opcode
}{
	{tab.LD_F0, 0, []desc.Opcode{tab.LD_Fp032, tab.LD_Fp064, tab.LD_Fp080}},
	{tab.LD_F1, 0, []desc.Opcode{tab.LD_Fp132, tab.LD_Fp164, tab.LD_Fp180}},
	{tab.LD_F32m, 0, []desc.Opcode{tab.LD_Fp32m, tab.LD_Fp32m64, tab.LD_Fp32m80}},
	{tab.LD_F64m, 0, []desc.Opcode{tab.LD_Fp64m, tab.LD_Fp64m80}},
	{tab.LD_F80m, 0, []desc.Opcode{tab.LD_Fp80m}},
	{tab.ILD_F16m, 0, []desc.Opcode{tab.ILD_Fp16m32, tab.ILD_Fp16m64, tab.ILD_Fp16m80}},
	{tab.ILD_F32m, 0, []desc.Opcode{tab.ILD_Fp32m32, tab.ILD_Fp32m64, tab.ILD_Fp32m80}},
	{tab.ILD_F64m, 0, []desc.Opcode{tab.ILD_Fp64m32, tab.ILD_Fp64m64, tab.ILD_Fp64m80}},
	{tab.ST_F32m, tab.ST_FP32m, []desc.Opcode{tab.ST_Fp32m, tab.ST_Fp64m32, tab.ST_Fp80m32}},
	{tab.ST_F64m, tab.ST_FP64m, []desc.Opcode{tab.ST_Fp64m, tab.ST_Fp80m64}},
	{0, tab.ST_FP32m, []desc.Opcode{tab.ST_FpP32m, tab.ST_FpP64m32, tab.ST_FpP80m32}},
	{0, tab.ST_FP64m, []desc.Opcode{tab.ST_FpP64m, tab.ST_FpP80m64}},
	{0, tab.ST_FP80m, []desc.Opcode{tab.ST_FpP80m}},
	{tab.IST_F16m, tab.IST_FP16m, []desc.Opcode{tab.IST_Fp16m32, tab.IST_Fp16m64, tab.IST_Fp16m80}},
	{tab.IST_F32m, tab.IST_FP32m, []desc.Opcode{tab.IST_Fp32m32, tab.IST_Fp32m64, tab.IST_Fp32m80}},
	{0, tab.IST_FP64m, []desc.Opcode{tab.IST_Fp64m32, tab.IST_Fp64m64, tab.IST_Fp64m80}},
	{0, tab.ISTT_FP16m, []desc.Opcode{tab.ISTT_Fp16m32, tab.ISTT_Fp16m64, tab.ISTT_Fp16m80}},
	{0, tab.ISTT_FP32m, []desc.Opcode{tab.ISTT_Fp32m32, tab.ISTT_Fp32m64, tab.ISTT_Fp32m80}},
	{0, tab.ISTT_FP64m, []desc.Opcode{tab.ISTT_Fp64m32, tab.ISTT_Fp64m64, tab.ISTT_Fp64m80}},
	{tab.CHS_F, 0, []desc.Opcode{tab.CHS_Fp32, tab.CHS_Fp64, tab.CHS_Fp80}},
	{tab.ABS_F, 0, []desc.Opcode{tab.ABS_Fp32, tab.ABS_Fp64, tab.ABS_Fp80}},
	{tab.SQRT_F, 0, []desc.Opcode{tab.SQRT_Fp32, tab.SQRT_Fp64, tab.SQRT_Fp80}},
	{tab.TST_F, 0, []desc.Opcode{tab.TST_Fp32, tab.TST_Fp64, tab.TST_Fp80}},
	{tab.XAM_F, 0, []desc.Opcode{tab.XAM_Fp32, tab.XAM_Fp64, tab.XAM_Fp80}},
	{tab.UCOM_FIr, tab.UCOM_FIPr, []desc.Opcode{tab.UCOM_FpIr32, tab.UCOM_FpIr64, tab.UCOM_FpIr80}},
	{tab.COM_FIr, tab.COM_FIPr, []desc.Opcode{tab.COM_FpIr32, tab.COM_FpIr64, tab.COM_FpIr80}},
	{tab.UCOM_Fr, tab.UCOM_FPr, []desc.Opcode{tab.UCOM_Fpr32, tab.UCOM_Fpr64, tab.UCOM_Fpr80}},
	{tab.COM_FST0r, tab.COMP_FST0r, []desc.Opcode{tab.COM_Fpr32, tab.COM_Fpr64, tab.COM_Fpr80}},
	{tab.CMOVB_F, 0, []desc.Opcode{tab.CMOVB_Fp32, tab.CMOVB_Fp64, tab.CMOVB_Fp80}},
	{tab.CMOVBE_F, 0, []desc.Opcode{tab.CMOVBE_Fp32, tab.CMOVBE_Fp64, tab.CMOVBE_Fp80}},
	{tab.CMOVE_F, 0, []desc.Opcode{tab.CMOVE_Fp32, tab.CMOVE_Fp64, tab.CMOVE_Fp80}},
	{tab.CMOVP_F, 0, []desc.Opcode{tab.CMOVP_Fp32, tab.CMOVP_Fp64, tab.CMOVP_Fp80}},
	{tab.CMOVNB_F, 0, []desc.Opcode{tab.CMOVNB_Fp32, tab.CMOVNB_Fp64, tab.CMOVNB_Fp80}},
	{tab.CMOVNBE_F, 0, []desc.Opcode{tab.CMOVNBE_Fp32, tab.CMOVNBE_Fp64, tab.CMOVNBE_Fp80}},
	{tab.CMOVNE_F, 0, []desc.Opcode{tab.CMOVNE_Fp32, tab.CMOVNE_Fp64, tab.CMOVNE_Fp80}},
	{tab.CMOVNP_F, 0, []desc.Opcode{tab.CMOVNP_Fp32, tab.CMOVNP_Fp64, tab.CMOVNP_Fp80}},
	{tab.ADD_F32m, 0, []desc.Opcode{tab.ADD_Fp32m, tab.ADD_Fp64m32, tab.ADD_Fp80m32}},
	{tab.ADD_F64m, 0, []desc.Opcode{tab.ADD_Fp64m, tab.ADD_Fp80m64}},
	{tab.ADD_FI16m, 0, []desc.Opcode{tab.ADD_FpI16m32, tab.ADD_FpI16m64, tab.ADD_FpI16m80}},
	{tab.ADD_FI32m, 0, []desc.Opcode{tab.ADD_FpI32m32, tab.ADD_FpI32m64, tab.ADD_FpI32m80}},
	{tab.MUL_F32m, 0, []desc.Opcode{tab.MUL_Fp32m, tab.MUL_Fp64m32, tab.MUL_Fp80m32}},
	{tab.MUL_F64m, 0, []desc.Opcode{tab.MUL_Fp64m, tab.MUL_Fp80m64}},
	{tab.MUL_FI16m, 0, []desc.Opcode{tab.MUL_FpI16m32, tab.MUL_FpI16m64, tab.MUL_FpI16m80}},
	{tab.MUL_FI32m, 0, []desc.Opcode{tab.MUL_FpI32m32, tab.MUL_FpI32m64, tab.MUL_FpI32m80}},
	{tab.SUB_F32m, 0, []desc.Opcode{tab.SUB_Fp32m, tab.SUB_Fp64m32, tab.SUB_Fp80m32}},
	{tab.SUB_F64m, 0, []desc.Opcode{tab.SUB_Fp64m, tab.SUB_Fp80m64}},
	{tab.SUB_FI16m, 0, []desc.Opcode{tab.SUB_FpI16m32, tab.SUB_FpI16m64, tab.SUB_FpI16m80}},
	{tab.SUB_FI32m, 0, []desc.Opcode{tab.SUB_FpI32m32, tab.SUB_FpI32m64, tab.SUB_FpI32m80}},
	{tab.SUBR_F32m, 0, []desc.Opcode{tab.SUBR_Fp32m, tab.SUBR_Fp64m32, tab.SUBR_Fp80m32}},
	{tab.SUBR_F64m, 0, []desc.Opcode{tab.SUBR_Fp64m, tab.SUBR_Fp80m64}},
	{tab.SUBR_FI16m, 0, []desc.Opcode{tab.SUBR_FpI16m32, tab.SUBR_FpI16m64, tab.SUBR_FpI16m80}},
	{tab.SUBR_FI32m, 0, []desc.Opcode{tab.SUBR_FpI32m32, tab.SUBR_FpI32m64, tab.SUBR_FpI32m80}},
	{tab.DIV_F32m, 0, []desc.Opcode{tab.DIV_Fp32m, tab.DIV_Fp64m32, tab.DIV_Fp80m32}},
	{tab.DIV_F64m, 0, []desc.Opcode{tab.DIV_Fp64m, tab.DIV_Fp80m64}},
	{tab.DIV_FI16m, 0, []desc.Opcode{tab.DIV_FpI16m32, tab.DIV_FpI16m64, tab.DIV_FpI16m80}},
	{tab.DIV_FI32m, 0, []desc.Opcode{tab.DIV_FpI32m32, tab.DIV_FpI32m64, tab.DIV_FpI32m80}},
	{tab.DIVR_F32m, 0, []desc.Opcode{tab.DIVR_Fp32m, tab.DIVR_Fp64m32, tab.DIVR_Fp80m32}},
	{tab.DIVR_F64m, 0, []desc.Opcode{tab.DIVR_Fp64m, tab.DIVR_Fp80m64}},
	{tab.DIVR_FI16m, 0, []desc.Opcode{tab.DIVR_FpI16m32, tab.DIVR_FpI16m64, tab.DIVR_FpI16m80}},
	{tab.DIVR_FI32m, 0, []desc.Opcode{tab.DIVR_FpI32m32, tab.DIVR_FpI32m64, tab.DIVR_FpI32m80}},
}

// fpTwo are the operations on two places, one of which is the top. The result goes
// to the top, or to the other place, with or without a pop of the top then. reverse
// is the second operand's operation on the first. In Intel's names those of the
// middle and of the right are exchanged: FSUBR ST(i), ST is ST(i) = ST - ST(i).
type fpTwo struct{ top, topReverse, other, otherReverse, pop, popReverse desc.Opcode }

func fpTwoOf(op desc.Opcode) (t fpTwo, ok bool) {
	switch op {
	case tab.ADD_Fp32, tab.ADD_Fp64, tab.ADD_Fp80:
		return fpTwo{tab.ADD_FST0r, tab.ADD_FST0r, tab.ADD_FrST0, tab.ADD_FrST0, tab.ADD_FPrST0, tab.ADD_FPrST0}, true
	case tab.MUL_Fp32, tab.MUL_Fp64, tab.MUL_Fp80:
		return fpTwo{tab.MUL_FST0r, tab.MUL_FST0r, tab.MUL_FrST0, tab.MUL_FrST0, tab.MUL_FPrST0, tab.MUL_FPrST0}, true
	case tab.SUB_Fp32, tab.SUB_Fp64, tab.SUB_Fp80:
		return fpTwo{tab.SUB_FST0r, tab.SUBR_FST0r, tab.SUBR_FrST0, tab.SUB_FrST0, tab.SUBR_FPrST0, tab.SUB_FPrST0}, true
	case tab.DIV_Fp32, tab.DIV_Fp64, tab.DIV_Fp80:
		return fpTwo{tab.DIV_FST0r, tab.DIVR_FST0r, tab.DIVR_FrST0, tab.DIV_FrST0, tab.DIVR_FPrST0, tab.DIV_FPrST0}, true
	}
	return t, false
}

//===- The stack -----------------------------------------------------------===//

func (s *fpStack) fail(i mir.InstrID, what string) {
	if s.err == nil {
		s.err = s.st.NotSupported(s.f, what+" in "+s.f.Facts.OpcodeName(s.f.Instr(i).Opcode))
	}
}

func (s *fpStack) has(r uint8) bool { return slices.Contains(s.stack, r) }

// depth is the i of the ST(i) that pseudo register r is in.
func (s *fpStack) depth(r uint8) int { return len(s.stack) - 1 - slices.Index(s.stack, r) }

func (s *fpStack) top() uint8 { return s.stack[len(s.stack)-1] }

func (s *fpStack) push(r uint8) { s.stack = append(s.stack, r) }

func (s *fpStack) popTop() { s.stack = s.stack[:len(s.stack)-1] }

// st is the operand ST(i).
func st(i int) mir.Operand { return mir.RegOp(reg(tab.ST0+desc.PhysReg(i)), 0) }

// build makes an instruction at the point.
func (s *fpStack) build(op desc.Opcode, ops ...mir.Operand) {
	i := s.f.New(op, ops...)
	s.f.AddImplicitOps(i)
	s.b.Insert(i)
}

// toTop exchanges r with what is on top.
func (s *fpStack) toTop(r uint8) {
	if s.top() == r {
		return
	}
	d := s.depth(r)
	s.build(tab.XCH_F, st(d))
	n := len(s.stack) - 1
	s.stack[n], s.stack[n-d] = s.stack[n-d], s.stack[n]
}

// copyToTop pushes a copy of r under the name as.
func (s *fpStack) copyToTop(r, as uint8) {
	s.build(tab.LD_Frr, st(s.depth(r)))
	s.push(as)
}

// free takes r off the stack: what is on top goes to its place.
func (s *fpStack) free(r uint8) {
	d := s.depth(r)
	s.build(tab.ST_FPrr, st(d))
	n := len(s.stack) - 1
	s.stack[n-d] = s.stack[n]
	s.popTop()
}

// dropDead frees all registers that are not live.
func (s *fpStack) dropDead(live uint8) {
	for k := len(s.stack) - 1; k >= 0; k-- {
		if live>>s.stack[k]&1 == 0 {
			s.free(s.stack[k])
			k = len(s.stack) // another one stands there now
		}
	}
}

// need pushes zeros for registers that are read although nothing was written.
func (s *fpStack) need(regs ...uint8) {
	for _, r := range regs {
		if !s.has(r) {
			s.build(tab.LD_F0)
			s.push(r)
		}
	}
}

// arrange brings the stack into an order of the registers that it has.
func (s *fpStack) arrange(order []uint8) {
	for k := range order {
		if s.stack[k] == order[k] {
			continue
		}
		s.toTop(order[k])
		if d := len(s.stack) - 1 - k; d > 0 {
			s.build(tab.XCH_F, st(d))
			n := len(s.stack) - 1
			s.stack[n], s.stack[k] = s.stack[k], s.stack[n]
		}
	}
}

// leave makes the stack what the bundle at the end of block b has, before its
// terminator at (0: at the end).
func (s *fpStack) leave(b mir.BlockID, at mir.InstrID) {
	f := s.f
	if f.NumSuccs(b) == 0 {
		return
	}
	s.b.Block, s.b.At = b, at
	out := s.at(2*int(b) + 1)
	s.dropDead(out.live)
	if !out.fixed {
		out.fixed = true
		out.order = append(out.order, s.stack...)
		for r := uint8(0); r < numFP; r++ {
			if out.live>>r&1 != 0 && !s.has(r) {
				out.order = append(out.order, r)
			}
		}
	}
	for _, r := range out.order {
		s.need(r)
	}
	s.arrange(out.order)
}

//===- Instructions --------------------------------------------------------===//

// instr rewrites one instruction; after is what is live behind it.
func (s *fpStack) instr(i mir.InstrID, after uint8) {
	f := s.f
	op := f.Instr(i).Opcode
	d := f.Facts.Instr(op)
	kind := int(d.TSFlags >> 22 & 7)
	uses, _ := s.effects(i)
	if !s.named(i) && kind == fpNone {
		return
	}
	s.b.SetBefore(i)
	s.b.Loc = f.Instr(i).Loc
	switch {
	case f.IsDebugInstr(i):
		s.dropNames(i)
	case op == desc.COPY:
		s.copy(i, after)
	case op == desc.IMPLICIT_DEF:
		if r := s.operand(i, 0); after>>r&1 != 0 {
			s.need(r)
		}
		f.Erase(i)
	case op == desc.INLINEASM || op == desc.INLINEASM_BR:
		s.inlineAsm(i, after)
	case op == desc.KILL:
		f.Erase(i)
	case d.IsReturn():
		s.returns(i, uses)
	case kind == fpZeroArg:
		r := s.operand(i, 0)
		s.become(i, -1)
		s.push(r)
		s.result(i, r, after)
	case kind == fpOneArg:
		s.oneArg(i, after)
	case kind == fpOneArgRW:
		r, x := s.operand(i, 0), s.operand(i, 1)
		s.need(x)
		if after>>x&1 != 0 && r != x {
			s.copyToTop(x, r)
		} else {
			s.toTop(x)
			s.stack[len(s.stack)-1] = r
		}
		s.become(i, -1)
		s.result(i, r, after)
	case kind == fpTwoArg:
		s.twoArg(i, after)
	case kind == fpCompare:
		s.compare(i, after)
	case kind == fpCondMove:
		s.condMove(i, after)
	default:
		s.special(i, uses, after)
	}
}

// named reports whether i has a pseudo register for an operand.
func (s *fpStack) named(i mir.InstrID) bool {
	return slices.ContainsFunc(s.f.Ops(i), func(o mir.Operand) bool {
		if !o.IsReg() {
			return false
		}
		_, ok := fpReg(o.Reg())
		return ok
	})
}

// operand is the k-th of the operands that are pseudo registers.
func (s *fpStack) operand(i mir.InstrID, k int) uint8 {
	for _, o := range s.f.Ops(i) {
		if !o.IsReg() {
			continue
		}
		if n, ok := fpReg(o.Reg()); ok {
			if k == 0 {
				return uint8(n)
			}
			k--
		}
	}
	return scratch
}

// dropNames removes the pseudo registers from an instruction's operands; debug
// instructions say then that the value is not known.
func (s *fpStack) dropNames(i mir.InstrID) {
	f := s.f
	for k := f.Instr(i).NumOps() - 1; k >= 0; k-- {
		o := f.Op(i, k)
		if !o.IsReg() {
			continue
		}
		if _, ok := fpReg(o.Reg()); !ok {
			continue
		}
		if f.IsDebugInstr(i) {
			f.SetReg(i, k, 0)
		} else {
			f.RemoveOp(i, k)
		}
	}
}

// realOf gives the instructions of a pseudo instruction.
func realOf(op desc.Opcode) (real, pop desc.Opcode) {
	for k := range fpReal {
		if slices.Contains(fpReal[k].pseudo, op) {
			return fpReal[k].real, fpReal[k].pop
		}
	}
	return 0, 0
}

// become makes i its real instruction, with operand ST(depth) unless depth is negative.
func (s *fpStack) become(i mir.InstrID, depth int) {
	real, _ := realOf(s.f.Instr(i).Opcode)
	s.becomeOp(i, real, depth)
}

func (s *fpStack) becomeOp(i mir.InstrID, op desc.Opcode, depth int) {
	f := s.f
	if op == 0 {
		s.fail(i, "an x87 instruction")
		return
	}
	s.dropNames(i)
	f.Instr(i).Opcode = op
	if depth >= 0 {
		f.InsertOp(i, 0, st(depth))
	}
	for _, r := range f.Facts.ImplicitDefs(op) {
		if !slices.ContainsFunc(f.Ops(i), func(o mir.Operand) bool { return o.IsDef() && o.Reg() == reg(r) }) {
			f.AddOp(i, mir.RegOp(reg(r), mir.Def|mir.Implicit))
		}
	}
	addMissingImplicit(f, i)
}

// result pops the result r of i when nothing reads it.
func (s *fpStack) result(i mir.InstrID, r, after uint8) {
	if after>>r&1 == 0 {
		s.b.SetAfter(i)
		s.free(r)
	}
}

// copy renames the register when the source dies.
func (s *fpStack) copy(i mir.InstrID, after uint8) {
	d, x := s.operand(i, 0), s.operand(i, 1)
	switch {
	case x == scratch:
		s.fail(i, "a value from another register")
		return
	case d == x || after>>d&1 == 0:
		s.need(x)
		if after>>x&1 == 0 {
			s.free(x)
		}
	case after>>x&1 == 0:
		s.need(x)
		s.stack[slices.Index(s.stack, x)] = d
	default:
		s.need(x)
		s.copyToTop(x, d)
	}
	s.f.Erase(i)
}

// oneArg stores the top.
func (s *fpStack) oneArg(i mir.InstrID, after uint8) {
	x := s.operand(i, 0)
	s.need(x)
	real, pop := realOf(s.f.Instr(i).Opcode)
	dies := after>>x&1 == 0
	if pop != 0 && (dies || real == 0) {
		if dies {
			s.toTop(x)
		} else {
			s.copyToTop(x, scratch)
		}
		s.becomeOp(i, pop, -1)
		s.popTop()
		return
	}
	s.toTop(x)
	s.becomeOp(i, real, -1)
	if dies {
		s.b.SetAfter(i)
		s.free(x)
	}
}

// twoArg brings an operand to the top, one that dies if there is one: the result
// takes the place of what dies.
func (s *fpStack) twoArg(i mir.InstrID, after uint8) {
	d, x, y := s.operand(i, 0), s.operand(i, 1), s.operand(i, 2)
	t, ok := fpTwoOf(s.f.Instr(i).Opcode)
	if !ok {
		s.fail(i, "an x87 instruction")
		return
	}
	s.need(x, y)
	xDies, yDies := after>>x&1 == 0 || x == d, after>>y&1 == 0 || y == d
	if !xDies && !yDies {
		s.copyToTop(x, scratch)
		x, xDies = scratch, true
	} else if s.top() != x && s.top() != y {
		if xDies {
			s.toTop(x)
		} else {
			s.toTop(y)
		}
	}
	forward := s.top() == x
	other, otherDies := y, yDies
	if !forward {
		other, otherDies = x, xDies
	}
	depth := s.depth(other)
	pick := func(a, b desc.Opcode) desc.Opcode {
		if forward {
			return a
		}
		return b
	}
	switch {
	case !otherDies || x == y:
		s.becomeOp(i, pick(t.top, t.topReverse), depth)
		s.stack[len(s.stack)-1] = d
	case forward && !xDies || !forward && !yDies:
		s.becomeOp(i, pick(t.other, t.otherReverse), depth)
		s.stack[len(s.stack)-1-depth] = d
	default:
		s.becomeOp(i, pick(t.pop, t.popReverse), depth)
		s.stack[len(s.stack)-1-depth] = d
		s.popTop()
	}
	s.result(i, d, after)
}

// compare compares the first operand, on top, with the second.
func (s *fpStack) compare(i mir.InstrID, after uint8) {
	x, y := s.operand(i, 0), s.operand(i, 1)
	s.need(x, y)
	s.toTop(x)
	real, pop := realOf(s.f.Instr(i).Opcode)
	if after>>x&1 != 0 {
		pop = real
	}
	s.becomeOp(i, pop, s.depth(y))
	if after>>x&1 == 0 {
		s.popTop()
	}
	if x != y && after>>y&1 == 0 {
		s.b.SetAfter(i)
		s.free(y)
	}
}

// condMove overwrites the top, its first operand, by the second where the condition holds.
func (s *fpStack) condMove(i mir.InstrID, after uint8) {
	d, x, y := s.operand(i, 0), s.operand(i, 1), s.operand(i, 2)
	s.need(x, y)
	if x != d && after>>x&1 != 0 || x == y && after>>y&1 != 0 && y != d {
		s.copyToTop(x, scratch)
	} else {
		s.toTop(x)
	}
	s.become(i, s.depth(y))
	if x == y {
		s.stack[len(s.stack)-1] = d
		s.result(i, d, after)
		return
	}
	s.stack[len(s.stack)-1] = d
	s.b.SetAfter(i)
	if y != d && after>>y&1 == 0 {
		s.free(y)
	}
	if after>>d&1 == 0 {
		s.free(d)
	}
}

// returns has the results on top, the first one highest, and nothing else.
func (s *fpStack) returns(i mir.InstrID, uses uint8) {
	s.dropDead(uses)
	var order []uint8
	for r := numFP - 1; r >= 0; r-- {
		if uses>>r&1 != 0 {
			s.need(uint8(r))
			order = append(order, uint8(r))
		}
	}
	s.arrange(order)
	s.dropNames(i)
}

// special does calls, whose results are on top, and refuses others.
func (s *fpStack) special(i mir.InstrID, uses, after uint8) {
	f := s.f
	if !f.Desc(i).IsCall() && !callsForTLS(f.Instr(i).Opcode) {
		s.fail(i, "an x87 register")
		return
	}
	results := uint8(0)
	for _, o := range f.Ops(i) {
		if n, ok := fpReg(o.Reg()); o.IsReg() && o.IsDef() && ok && f.Desc(i).IsCall() {
			results |= 1 << n
		}
	}
	// Arguments, where a convention has them there, are taken off by the callee.
	s.returns(i, uses)
	s.stack = s.stack[:0]
	s.b.SetAfter(i)
	for r := numFP - 1; r >= 0; r-- {
		if results>>r&1 != 0 {
			s.push(uint8(r))
		}
	}
	s.dropDead(after)
}
