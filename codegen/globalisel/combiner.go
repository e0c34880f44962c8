package globalisel

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// PreLegalizerCombiner simplifies generic code before legalization: it folds
// constants, drops operations that do nothing, joins constant address offsets,
// gives equal expressions of a block one register, and removes dead code.
//
// One walk in reverse post order sees definitions before their uses; a second,
// backwards, removes what is dead. Both are linear.
var PreLegalizerCombiner = pass.Pass{
	Name:     "prelegalizer-combiner",
	Title:    "PreLegalizerCombiner",
	Requires: mir.IsSSA,
	Run:      runCombiner,
}

// exprKey names what an instruction without effects computes.
type exprKey struct {
	op      desc.Opcode
	t       mir.LLT
	a, b, c uint64
}

// combiner is the state of the pass.
type combiner struct {
	Builder
	mb    mir.Builder
	f     *mir.Function
	c     *pass.Context
	order []mir.BlockID
	seen  []bool
	exprs map[exprKey]mir.InstrID
}

func runCombiner(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[combiner](c)
	s.f, s.c, s.mb = f, c, mir.Builder{F: f}
	s.Builder = Builder{&s.mb}
	if s.exprs == nil {
		s.exprs = map[exprKey]mir.InstrID{}
	}
	s.order = postOrder(f, s.order[:0], &s.seen)
	for k := len(s.order) - 1; k >= 0; k-- {
		clear(s.exprs)
		for i := f.Block(s.order[k]).First; i != 0; {
			next := f.Instr(i).Next()
			if f.Desc(i).IsPreISel() || f.Instr(i).Opcode == desc.COPY {
				s.mb.SetBefore(i)
				s.mb.Loc = f.Instr(i).Loc
				if !s.simplify(i) {
					s.shareExpr(i)
				}
			}
			i = next
		}
	}
	for _, b := range s.order {
		for i := f.Block(b).Last; i != 0; {
			prev := f.Instr(i).Prev()
			if IsTriviallyDead(f, i) {
				EraseDead(f, i)
				c.Count("prelegalizer-combiner", "Number of dead instructions removed", 1)
			}
			i = prev
		}
	}
	s.f = nil
	return nil
}

// become replaces the result of i by r.
func (s *combiner) become(i mir.InstrID, r mir.Reg) bool {
	d := s.f.Op(i, 0).Reg()
	s.f.Erase(i)
	s.f.ReplaceReg(d, r)
	s.c.Count("prelegalizer-combiner", "Number of instructions simplified", 1)
	return true
}

// becomeConst replaces i by a constant in its own register.
func (s *combiner) becomeConst(i mir.InstrID, v int64) bool {
	d := s.f.Op(i, 0).Reg()
	s.ConstTo(d, v)
	s.f.Erase(i)
	s.c.Count("prelegalizer-combiner", "Number of instructions simplified", 1)
	return true
}

// simplify rewrites one instruction; true when it is gone.
func (s *combiner) simplify(i mir.InstrID) bool {
	f := s.f
	op := f.Instr(i).Opcode
	if op == desc.COPY {
		d, r := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
		if d.IsVirtual() && r.IsVirtual() && f.TypeOf(d) != 0 && f.TypeOf(d) == f.TypeOf(r) && f.VReg(d).Class < 0 && f.VReg(r).Class < 0 {
			return s.become(i, r)
		}
		return false
	}
	if f.Instr(i).NumOps() < 2 || !f.Op(i, 0).IsDef() || !f.Op(i, 1).IsReg() && op != desc.G_ICMP {
		return false
	}
	t := f.TypeOf(f.Op(i, 0).Reg())
	if t.IsVector() || t.ScalarBits() > 64 {
		return false
	}
	switch op {
	case desc.G_ADD, desc.G_SUB, desc.G_MUL, desc.G_AND, desc.G_OR, desc.G_XOR, desc.G_SHL, desc.G_LSHR, desc.G_ASHR:
		return s.binary(i, op, t)
	case desc.G_PTR_ADD:
		return s.ptrAdd(i)
	case desc.G_ICMP:
		return s.icmp(i)
	case desc.G_SELECT:
		x, y := f.Op(i, 2).Reg(), f.Op(i, 3).Reg()
		if x == y {
			return s.become(i, x)
		}
		if c, ok := ConstOf(f, f.Op(i, 1).Reg()); ok {
			if c&1 != 0 {
				return s.become(i, x)
			}
			return s.become(i, y)
		}
	case desc.G_ZEXT, desc.G_SEXT, desc.G_TRUNC:
		if v, ok := ConstOf(f, f.Op(i, 1).Reg()); ok {
			if n := f.TypeOf(f.Op(i, 1).Reg()).ScalarBits(); op == desc.G_ZEXT && n < 64 {
				v = int64(uint64(v) & lowMask(n))
			}
			return s.becomeConst(i, v)
		}
	}
	return false
}

// fold computes an operation on constants of n bits; false where the result is poison.
func fold(op desc.Opcode, n int, x, y int64) (int64, bool) {
	ux := uint64(x) & lowMask(n)
	switch op {
	case desc.G_ADD:
		return x + y, true
	case desc.G_SUB:
		return x - y, true
	case desc.G_MUL:
		return x * y, true
	case desc.G_AND:
		return x & y, true
	case desc.G_OR:
		return x | y, true
	case desc.G_XOR:
		return x ^ y, true
	}
	if y < 0 || y >= int64(n) {
		return 0, false
	}
	switch op {
	case desc.G_SHL:
		return x << y, true
	case desc.G_LSHR:
		return int64(ux >> y), true
	case desc.G_ASHR:
		return x >> y, true
	}
	return 0, false
}

func (s *combiner) binary(i mir.InstrID, op desc.Opcode, t mir.LLT) bool {
	f := s.f
	x, y := f.Op(i, 1).Reg(), f.Op(i, 2).Reg()
	a, aok := ConstOf(f, x)
	b, bok := ConstOf(f, y)
	n := t.ScalarBits()
	if aok && bok {
		if v, ok := fold(op, n, a, b); ok {
			return s.becomeConst(i, v)
		}
		return false
	}
	commutes := op != desc.G_SUB && op != desc.G_SHL && op != desc.G_LSHR && op != desc.G_ASHR
	if aok && commutes {
		// Constants stand on the right.
		f.SetReg(i, 1, y)
		f.SetReg(i, 2, x)
		x, y, b, bok = y, x, a, true
	}
	if !bok {
		if x == y && (op == desc.G_SUB || op == desc.G_XOR) {
			return s.becomeConst(i, 0)
		}
		return false
	}
	ones := b&int64(lowMask(n)) == int64(lowMask(n))
	switch {
	case b == 0 && op != desc.G_MUL && op != desc.G_AND:
		return s.become(i, x)
	case b == 0, ones && op == desc.G_OR:
		return s.become(i, y)
	case ones && op == desc.G_AND, b == 1 && op == desc.G_MUL && n > 1:
		return s.become(i, x)
	case op == desc.G_MUL && b > 1 && b&(b-1) == 0:
		fl := f.Instr(i).Flags() & mir.NoUWrap
		d := f.Op(i, 0).Reg()
		k := s.Const(t, int64(log2(uint64(b))))
		m := s.Build(desc.G_SHL, Def(d), Use(x), Use(k))
		f.Instr(m).SetFlags(fl)
		f.Erase(i)
		return true
	}
	return false
}

// ptrAdd drops zero offsets and joins constant ones.
func (s *combiner) ptrAdd(i mir.InstrID) bool {
	f := s.f
	base := f.Op(i, 1).Reg()
	v, ok := ConstOf(f, f.Op(i, 2).Reg())
	if !ok {
		return false
	}
	if v == 0 {
		return s.become(i, base)
	}
	d := f.UniqueDef(base)
	if d == 0 || f.Instr(d).Opcode != desc.G_PTR_ADD {
		return false
	}
	w, ok := ConstOf(f, f.Op(d, 2).Reg())
	if sum := v + w; ok && (sum > v) == (w > 0) {
		f.SetReg(i, 1, f.Op(d, 1).Reg())
		f.SetReg(i, 2, s.Const(f.TypeOf(f.Op(i, 2).Reg()), sum))
		f.Instr(i).ClearFlags(mir.NoUWrap | mir.NoUSWrap | mir.InBounds)
	}
	return false
}

func (s *combiner) icmp(i mir.InstrID) bool {
	f := s.f
	p := ir.Pred(f.Op(i, 1).Imm())
	x, y := f.Op(i, 2).Reg(), f.Op(i, 3).Reg()
	t := f.TypeOf(x)
	if !t.IsScalar() || t.ScalarBits() > 64 {
		return false
	}
	a, aok := ConstOf(f, x)
	b, bok := ConstOf(f, y)
	if aok && bok {
		if comparePred(p, a, b, t.ScalarBits()) {
			return s.becomeConst(i, 1)
		}
		return s.becomeConst(i, 0)
	}
	if aok {
		// Constants stand on the right.
		f.SetReg(i, 2, y)
		f.SetReg(i, 3, x)
		*f.Op(i, 1) = mir.PredOp(uint8(swapped(p)))
	}
	return false
}

// comparePred compares two numbers of n bits.
func comparePred(p ir.Pred, a, b int64, n int) bool {
	ua, ub := uint64(a)&lowMask(n), uint64(b)&lowMask(n)
	switch p {
	case ir.ICmpEQ:
		return ua == ub
	case ir.ICmpNE:
		return ua != ub
	case ir.ICmpUGT:
		return ua > ub
	case ir.ICmpUGE:
		return ua >= ub
	case ir.ICmpULT:
		return ua < ub
	case ir.ICmpULE:
		return ua <= ub
	case ir.ICmpSGT:
		return a > b
	case ir.ICmpSGE:
		return a >= b
	case ir.ICmpSLT:
		return a < b
	}
	return a <= b
}

// swapped is the predicate for exchanged operands.
func swapped(p ir.Pred) ir.Pred {
	switch p {
	case ir.ICmpUGT:
		return ir.ICmpULT
	case ir.ICmpUGE:
		return ir.ICmpULE
	case ir.ICmpULT:
		return ir.ICmpUGT
	case ir.ICmpULE:
		return ir.ICmpUGE
	case ir.ICmpSGT:
		return ir.ICmpSLT
	case ir.ICmpSGE:
		return ir.ICmpSLE
	case ir.ICmpSLT:
		return ir.ICmpSGT
	case ir.ICmpSLE:
		return ir.ICmpSGE
	}
	return p
}

// shareExpr replaces i by an equal instruction before it in the block.
func (s *combiner) shareExpr(i mir.InstrID) {
	f := s.f
	k, ok := s.key(i)
	if !ok {
		return
	}
	first, seen := s.exprs[k]
	if !seen || f.Instr(first).Block() != f.Instr(i).Block() {
		s.exprs[k] = i
		return
	}
	// What holds of both results holds of the one that is left.
	f.Instr(first).SetFlags(f.Instr(first).Flags() & f.Instr(i).Flags())
	d := f.Op(i, 0).Reg()
	r := f.Op(first, 0).Reg()
	f.Erase(i)
	f.ReplaceReg(d, r)
	s.c.Count("prelegalizer-combiner", "Number of common expressions removed", 1)
}

// key describes an instruction that depends on its operands alone.
func (s *combiner) key(i mir.InstrID) (exprKey, bool) {
	f := s.f
	op := f.Instr(i).Opcode
	switch op {
	case desc.G_ADD, desc.G_SUB, desc.G_MUL, desc.G_AND, desc.G_OR, desc.G_XOR, desc.G_SHL, desc.G_LSHR, desc.G_ASHR,
		desc.G_PTR_ADD, desc.G_ICMP, desc.G_FCMP, desc.G_SELECT, desc.G_ZEXT, desc.G_SEXT, desc.G_TRUNC, desc.G_ANYEXT,
		desc.G_CONSTANT, desc.G_FCONSTANT, desc.G_GLOBAL_VALUE, desc.G_FRAME_INDEX, desc.G_PTRTOINT, desc.G_INTTOPTR,
		desc.G_FADD, desc.G_FSUB, desc.G_FMUL, desc.G_SITOFP, desc.G_UITOFP, desc.G_FPEXT, desc.G_BITCAST:
	default:
		return exprKey{}, false
	}
	n := f.Instr(i).NumOps()
	if n > 4 || n < 2 {
		return exprKey{}, false
	}
	k := exprKey{op: op, t: f.TypeOf(f.Op(i, 0).Reg())}
	if !f.Op(i, 0).Reg().IsVirtual() || f.VReg(f.Op(i, 0).Reg()).Class >= 0 {
		return exprKey{}, false
	}
	words := [...]*uint64{&k.a, &k.b, &k.c}
	for m := 1; m < n; m++ {
		o := f.Op(i, m)
		switch o.Kind() {
		case mir.OpReg:
			if !o.Reg().IsVirtual() {
				return exprKey{}, false
			}
			*words[m-1] = uint64(o.Reg())
		case mir.OpCImm:
			c := &f.CImms[o.Index()]
			if len(c.Words) != 1 {
				return exprKey{}, false
			}
			*words[m-1] = c.Words[0]
		case mir.OpFPImm:
			c := &f.FPImms[o.Index()]
			if c.Hi != 0 {
				return exprKey{}, false
			}
			*words[m-1] = c.Lo
			k.c = uint64(c.Type)
		case mir.OpGlobal:
			*words[m-1] = uint64(o.Index())
			k.b, k.c = uint64(o.Offset()), uint64(o.TargetFlags())
		case mir.OpFrameIndex:
			*words[m-1] = uint64(int64(o.FrameIndex()))
		case mir.OpPredicate:
			*words[m-1] = uint64(o.Imm())
		default:
			return exprKey{}, false
		}
	}
	return k, true
}
