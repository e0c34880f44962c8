package globalisel

import (
	"sync"

	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/miranalysis"
	"github.com/mirin-go/mirin/support/stamped"
)

//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-combiner-table --combiners PreLegalizer -o zz_combine.bin combine.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-combiner --combiners PreLegalizer --go-package globalisel -o zz_combine.go combine.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-combiner-table --combiners PostLegalizer -o zz_combinepost.bin combine.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-combiner --combiners PostLegalizer --go-package globalisel -o zz_combinepost.go combine.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-combiner-table --combiners RegBank -o zz_combinebank.bin combine.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-combiner --combiners RegBank --go-package globalisel -o zz_combinebank.go combine.td

// PreLegalizerCombiner simplifies generic code before legalization by the rules
// of combine.td, gives equal expressions of a block one register, and removes
// dead code.
//
// One walk in reverse post order sees definitions before their uses; what a
// rule builds is visited at once. A second, backwards, removes what is dead.
// The number of rewrites is bounded, so that both are linear.
var PreLegalizerCombiner = pass.Pass{
	Name:     "prelegalizer-combiner",
	Title:    "PreLegalizerCombiner",
	Requires: mir.IsSSA,
	Optional: pass.Skippable,
	Run: func(c *pass.Context, f *mir.Function) error {
		return runCombiner(c, f, "prelegalizer-combiner", true, preLegalizerCombines)
	},
}

// PostLegalizerCombiner simplifies what the legalizer made, by rules that leave
// everything legal: what a rule builds that the target's legalizer would not leave
// as it is is refused. It looks at most instructions for nothing, and shares no
// expressions: machine-cse does.
var PostLegalizerCombiner = pass.Pass{
	Name:     "postlegalizer-combiner",
	Title:    "PostLegalizerCombiner",
	Requires: mir.IsSSA | mir.Legalized,
	Optional: pass.Skippable,
	Run: func(c *pass.Context, f *mir.Function) error {
		return runCombiner(c, f, "postlegalizer-combiner", false, postLegalizerCombines)
	},
}

// RegBankCombiner simplifies what is seen when registers have banks. All its rules
// are about floating-point constants: functions without any are not looked at.
var RegBankCombiner = pass.Pass{
	Name:     "regbank-combiner",
	Title:    "RegBankCombiner",
	Requires: mir.IsSSA | mir.Legalized | mir.RegBankSelected,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run: func(c *pass.Context, f *mir.Function) error {
		if len(f.FPImms) == 0 || c.Subtarget.Target.ISel.Banks == nil {
			return nil
		}
		return runCombiner(c, f, "regbank-combiner", false, regBankCombines)
	},
}

// preLegalizerCombines, postLegalizerCombines and regBankCombines bind the rules of combine.td once;
// they are the same for all targets.
var (
	preLegalizerCombines = sync.OnceValues(func() (*matchtable.Table, error) {
		return matchtable.Bind(preLegalizerCombinesTable, combineHooks(preLegalizerCombinesFuncs()), nil)
	})
	postLegalizerCombines = sync.OnceValues(func() (*matchtable.Table, error) {
		return matchtable.Bind(postLegalizerCombinesTable, combineHooks(postLegalizerCombinesFuncs()), nil)
	})
	regBankCombines = sync.OnceValues(func() (*matchtable.Table, error) {
		return matchtable.Bind(regBankCombinesTable, combineHooks(regBankCombinesFuncs()), nil)
	})
)

func combineHooks(funcs map[string]matchtable.Func) *matchtable.Hooks {
	return &matchtable.Hooks{
		Funcs:      funcs,
		ConstOf:    ConstOf,
		BuildConst: func(b *mir.Builder, r mir.Reg, v int64) { Builder{b}.ConstTo(r, v) },
	}
}

// exprKey names what an instruction without effects computes.
type exprKey struct {
	op      desc.Opcode
	t       mir.LLT
	a, b, c uint64
}

func (k exprKey) hash() uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio
	h := uint64(k.op)<<48 ^ uint64(k.t)
	h = (h ^ k.a) * odd
	h = (h ^ h>>32 ^ k.b) * odd
	return stamped.Mix(h ^ k.c)
}

// combiner is the state of the passes.
type combiner struct {
	name  string // of the pass, for statistics
	share bool   // equal expressions
	m     matchtable.Matcher
	f     *mir.Function
	c     *pass.Context
	order []mir.BlockID
	exprs stamped.Map[exprKey, mir.InstrID]
	memo  legal.Memo // what the legalizer's rules said
	legal func(mir.InstrID) bool
}

// rewritesPerInstr bounds the rewrites of a function.
const rewritesPerInstr = 4

// maxRewrites bounds those of a function behind the legalizer.
const maxRewrites = 1 << 20

func runCombiner(c *pass.Context, f *mir.Function, name string, share bool, table func() (*matchtable.Table, error)) error {
	rules, err := table()
	if err != nil {
		return err
	}
	s := pass.Scratch[combiner](c)
	s.f, s.c, s.name, s.share = f, c, name, share
	s.m.Start(rules, c.Subtarget, f, c.Opt)
	s.m.Accept = nil
	if f.Props&mir.Legalized != 0 {
		if c.Subtarget.Legal == nil {
			return c.Subtarget.NotSupported(f, "legalization")
		}
		s.memo.Reset(c.Subtarget.Legal, f.Facts)
		if s.legal == nil {
			s.legal = s.isLegal
		}
		s.m.Accept = s.legal
	}
	s.order = s.order[:0]
	if !share {
		const given = maxRewrites
		budget := given
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			s.order = append(s.order, b)
			budget = s.block(b, budget)
		}
		if budget == given {
			s.f = nil
			return nil
		}
	} else {
		budget := rewritesPerInstr
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
				if !f.IsDebugInstr(i) {
					budget += rewritesPerInstr
				}
			}
		}
		s.order = miranalysis.AppendPostOrder(s.order, &pass.Get[pass.CFG](c, f).Graph, f)
		for k := len(s.order) - 1; k >= 0; k-- {
			s.exprs.Reset()
			budget = s.block(s.order[k], budget)
		}
	}
	for _, b := range s.order {
		for i := f.Block(b).Last(); i != 0; {
			prev := f.Instr(i).Prev()
			if IsTriviallyDead(f, i) {
				EraseDead(f, i)
				c.Count(s.name, "Number of dead instructions removed", 1)
			}
			i = prev
		}
	}
	f.DropUndefinedDebugUses()
	s.f = nil
	return nil
}

// isLegal reports an instruction that the legalizer would leave as it is.
func (s *combiner) isLegal(i mir.InstrID) bool {
	return !s.f.Desc(i).IsPreISel() || s.memo.Decide(s.f, i).Act == legal.Legal
}

// block simplifies the instructions of a block, as long as budget lasts.
func (s *combiner) block(b mir.BlockID, budget int) int {
	f := s.f
	for i := f.Block(b).First(); i != 0; {
		next := f.Instr(i).Next()
		if op := f.Instr(i).Opcode; s.share && (f.Desc(i).IsPreISel() || op == desc.COPY) || s.m.T.HasRules(op) {
			prev := f.Instr(i).Prev()
			if budget > 0 && s.m.Apply(i) {
				budget--
				s.c.Count(s.name, "Number of instructions simplified", 1)
				if s.c.Stats != nil {
					s.c.Count(s.name, "Number of times that the rule "+s.m.T.Rules()[s.m.Rule].Name+" applied", 1)
				}
				// What stands between is new.
				if next = f.Block(b).First(); prev != 0 {
					next = f.Instr(prev).Next()
				}
			} else if s.share {
				s.shareExpr(i)
			}
		}
		i = next
	}
	return budget
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

// shareExpr replaces i by an equal instruction before it in the block.
func (s *combiner) shareExpr(i mir.InstrID) {
	f := s.f
	k, ok := s.key(i)
	if !ok {
		return
	}
	at, seen := s.exprs.Add(k.hash(), k, exprKey.hash)
	first := *at
	if !seen || f.Instr(first).Block() != f.Instr(i).Block() {
		*at = i
		return
	}
	// What holds of both results holds of the one that is left.
	f.Instr(first).SetFlags(f.Instr(first).Flags() & f.Instr(i).Flags())
	d := f.Op(i, 0).Reg()
	r := f.Op(first, 0).Reg()
	f.Erase(i)
	f.ReplaceReg(d, r)
	s.c.Count(s.name, "Number of common expressions removed", 1)
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
