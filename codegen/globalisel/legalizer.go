package globalisel

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Legalizer rewrites generic instructions until the target's rules hold of
// all of them.
//
// Every instruction is legalized once it is popped from the work list, which
// begins with all instructions in order but those that stay as they are (most);
// whatever that creates is worked on next. Artifacts (extensions, truncations, merges, unmerges, which appear in
// pairs at the seams of legal and illegal types) wait until the other
// instructions are done and then cancel each other; those that remain are
// legalized like the rest. Each step either makes types smaller or operations
// simpler, so that the work is linear in the size of the result; extensions and
// truncations of widths that are widened make nothing smaller and wait. maxSteps
// is the last resort against rules that contradict each other.
var Legalizer = pass.Pass{
	Name:     "legalizer",
	Title:    "Legalizer",
	Requires: mir.IsSSA,
	Sets:     mir.Legalized,
	Run:      runLegalizer,
}

// Helper is the state of the legalizer and what actions are written with: a
// Builder before the instruction that is being legalized. Targets see it as
// target.Legalizer.
type Helper struct {
	Builder
	F  *mir.Function
	ST *target.Subtarget
	// Rules are the subtarget's.
	Rules *legal.Table
	// Opt is the optimization level.
	Opt target.OptLevel

	memo legal.Memo // what Rules said
	// force says that artifacts wait no longer: nothing is left that would cancel them.
	force     bool
	mb        mir.Builder
	work      []mir.InstrID
	artifacts []mir.InstrID
	// touched are the instructions that were worked on: no others can have become illegal.
	touched  []mir.InstrID
	listener legalizerListener
	calls    callLowering
}

// maxSteps bounds the work per instruction, against rules that go in circles.
const maxSteps = 4000

func runLegalizer(c *pass.Context, f *mir.Function) error {
	if c.Subtarget.Legal == nil {
		return c.Subtarget.NotSupported(f, "legalization")
	}
	h := pass.Scratch[Helper](c)
	h.F, h.ST, h.Rules, h.Opt = f, c.Subtarget, c.Subtarget.Legal, c.Opt
	h.memo.Reset(h.Rules, f.Facts)
	h.mb = mir.Builder{F: f}
	h.Builder = Builder{&h.mb}
	h.work, h.artifacts, h.touched = h.work[:0], h.artifacts[:0], h.touched[:0]
	h.listener.h = h
	f.Listen(&h.listener)
	err := h.run()
	f.Unlisten(&h.listener)
	f.DropUndefinedDebugUses()
	h.mb.F = nil
	return err
}

// legalizerListener puts what is created on the work list.
type legalizerListener struct {
	mir.NoListener
	h *Helper
}

// Created implements mir.Listener.
func (l *legalizerListener) Created(i mir.InstrID) {
	h := l.h
	h.push(i)
	if isArtifact(h.F.Instr(i).Opcode) {
		// Artifacts that wait for the register's definition.
		for n := range h.F.Instr(i).NumOps() {
			if o := h.F.Op(i, n); o.IsDef() {
				h.pushUsers(o.Reg())
			}
		}
	}
}

func (h *Helper) push(i mir.InstrID) { h.work = append(h.work, i) }

// run legalizes the function.
func (h *Helper) run() error {
	f := h.F
	n := 0
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if n++; !h.stays(i) {
				h.push(i)
			}
		}
	}
	if len(h.work) == 0 {
		return nil
	}
	slices.Reverse(h.work) // the first is popped first
	budget := maxSteps * (n + 16)
	var stuck mir.InstrID // what the last round ended with
	h.force = false
	// Removing artifacts joins registers, which may undo what a rule found legal
	// before (a funnel shift whose operands turn out to be one), hence the rounds.
	for {
		for len(h.work) > 0 || len(h.artifacts) > 0 {
			if budget--; budget < 0 {
				return h.endless()
			}
			if n := len(h.work); n > 0 {
				i := h.work[n-1]
				h.work = h.work[:n-1]
				h.touched = append(h.touched, i)
				if err := h.step(i); err != nil {
					return err
				}
				continue
			}
			n := len(h.artifacts)
			i := h.artifacts[n-1]
			h.artifacts = h.artifacts[:n-1]
			if err := h.artifactStep(i); err != nil {
				return err
			}
		}
		i := h.pushIllegal()
		if i == 0 {
			return nil
		}
		if i == stuck {
			if h.force {
				return h.unable(i)
			}
			h.force = true
			continue
		}
		stuck = i
	}
}

// stays reports an instruction that step would leave as it is: one that is alive
// and legal. What is done to others changes no types; users that go later leave
// it to selection to erase it.
func (h *Helper) stays(i mir.InstrID) bool {
	f := h.F
	switch op := f.Instr(i).Opcode; {
	case op == desc.COPY:
		return !h.superfluous(i)
	case !h.generic(op) || op == desc.G_BR:
		return true
	case isArtifact(op) || isIntrinsic(op):
		return false
	case op != desc.G_PHI && IsTriviallyDead(f, i):
		return false
	}
	return h.decide(i).Act == legal.Legal
}

// endless is the error for rules that go in circles: a bug that must not hang.
func (h *Helper) endless() error {
	i := mir.InstrID(0)
	if n := len(h.work); n > 0 {
		i = h.work[n-1]
	} else {
		i = h.artifacts[len(h.artifacts)-1]
	}
	what := "legalizing (without end)"
	if !h.gone(i) {
		what = string(AppendInstr([]byte(what+" "), h.F, i))
	}
	return h.ST.NotSupported(h.F, what)
}

// gone reports rows that stand in no block: erased, or not in use.
func (h *Helper) gone(i mir.InstrID) bool { return h.F.Instr(i).Block() == 0 }

// generic reports the opcodes that the rules are about.
func (h *Helper) generic(op desc.Opcode) bool { return h.F.Facts.Instr(op).IsPreISel() }

func isArtifact(op desc.Opcode) bool {
	switch op {
	case desc.G_TRUNC, desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT, desc.G_MERGE_VALUES, desc.G_UNMERGE_VALUES,
		desc.G_BUILD_VECTOR, desc.G_CONCAT_VECTORS:
		return true
	}
	return false
}

func isIntrinsic(op desc.Opcode) bool {
	return op >= desc.G_INTRINSIC && op <= desc.G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS
}

// step legalizes one instruction, or puts it aside as an artifact.
func (h *Helper) step(i mir.InstrID) error {
	f := h.F
	if h.gone(i) {
		return nil
	}
	op := f.Instr(i).Opcode
	switch {
	case op == desc.COPY:
		h.copyOf(i)
		return nil
	case !h.generic(op):
		return nil
	case IsTriviallyDead(f, i) && op != desc.G_PHI:
		h.eraseDead(i)
		return nil
	case isArtifact(op):
		h.artifacts = append(h.artifacts, i)
		return nil
	}
	return h.legalize(i)
}

// eraseDead erases an instruction and looks again at what made its operands.
func (h *Helper) eraseDead(i mir.InstrID) {
	f := h.F
	for n := range f.Instr(i).NumOps() {
		if o := f.Op(i, n); o.IsUse() && o.Reg().IsVirtual() {
			if d := f.UniqueDef(o.Reg()); d != 0 && d != i {
				h.push(d)
			}
		}
	}
	EraseDead(f, i)
}

// copyOf replaces a superfluous copy by its source.
func (h *Helper) copyOf(i mir.InstrID) {
	if !h.superfluous(i) {
		return
	}
	h.replace(h.reg(i, 0), h.reg(i, 1))
	h.F.Erase(i)
}

// superfluous reports a copy between generic registers of one type.
func (h *Helper) superfluous(i mir.InstrID) bool {
	f := h.F
	d, s := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	return d.IsVirtual() && s.IsVirtual() && f.TypeOf(d) != 0 && f.TypeOf(d) == f.TypeOf(s) &&
		f.VReg(d).Class < 0 && f.VReg(s).Class < 0 && f.Op(i, 0).SubReg() == 0 && f.Op(i, 1).SubReg() == 0
}

// replace makes all users of d use s, and looks again at those that may be no
// longer legal or, as artifacts, cancel with the other definition.
func (h *Helper) replace(d, s mir.Reg) {
	f := h.F
	same := f.TypeOf(d) == f.TypeOf(s)
	for u, n := range f.Uses(d) {
		f.SetReg(u, n, s)
		switch op := f.Instr(u).Opcode; {
		case isArtifact(op), !same, op == desc.G_FSHL, op == desc.G_FSHR: // for the last two see legal.SameUses
			h.push(u)
		}
	}
}

// pushUsers looks again at the artifacts that use r.
func (h *Helper) pushUsers(r mir.Reg) {
	for u := range h.F.NonDebugUses(r) {
		if isArtifact(h.F.Instr(u).Opcode) {
			h.push(u)
		}
	}
}

// decide asks the rules about instruction i.
func (h *Helper) decide(i mir.InstrID) legal.Decision {
	return h.memo.Decide(h.F, i)
}

// legalize does what the rules say to instruction i.
func (h *Helper) legalize(i mir.InstrID) error {
	f := h.F
	h.mb.SetBefore(i)
	h.mb.Loc = f.Instr(i).Loc
	switch op := f.Instr(i).Opcode; op {
	case desc.G_INTRINSIC, desc.G_INTRINSIC_W_SIDE_EFFECTS, desc.G_INTRINSIC_CONVERGENT, desc.G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS:
		return h.intrinsic(i)
	case desc.G_BR:
		return nil
	}
	return h.act(i, h.decide(i))
}

// act does what was decided about instruction i.
func (h *Helper) act(i mir.InstrID, d legal.Decision) error {
	ok := true
	switch d.Act {
	case legal.Legal:
		return nil
	case legal.WidenScalar:
		ok = h.widen(i, int(d.Idx), d.To)
	case legal.NarrowScalar:
		ok = h.narrow(i, int(d.Idx), d.To)
	case legal.FewerElements:
		ok = h.fewerElements(i, int(d.Idx), d.To)
	case legal.MoreElements:
		ok = h.moreElements(i, int(d.Idx), d.To)
	case legal.Bitcast:
		ok = h.bitcast(i, int(d.Idx), d.To)
	case legal.Lower:
		ok = h.lower(i)
	case legal.Libcall:
		return h.libcall(i)
	case legal.Custom:
		if h.ST.Target.ISel.Legalize == nil {
			return h.unable(i)
		}
		return h.ST.Target.ISel.Legalize(h, i)
	default:
		ok = false
	}
	if !ok {
		return h.unable(i)
	}
	return nil
}

func (h *Helper) intrinsic(i mir.InstrID) error {
	f := h.F
	n := 0
	for f.Op(i, n).IsDef() {
		n++
	}
	x := f.Op(i, n).Intrinsic()
	if op := constrainedOp(x); op != 0 {
		return h.constrained(i, x, op)
	}
	if hook := h.ST.Target.ISel.LegalizeIntrinsic; hook != nil {
		ok, err := hook(h, i, x)
		if ok || err != nil {
			return err
		}
	}
	return nil
}

// unable is the error for an instruction that nothing makes legal.
func (h *Helper) unable(i mir.InstrID) error {
	if say := h.ST.Target.ISel.Refuse; say != nil {
		if s := say(h.ST, h.F, i); s != "" {
			return h.ST.Refusal(h.F, h.F.Instr(i).Loc, s)
		}
	}
	return &target.Unsupported{Target: h.ST.Target.Name, Func: h.F.Name, Loc: h.F.Instr(i).Loc,
		What: "legalizing " + string(AppendInstr(nil, h.F, i))}
}

// Subtarget is target.Legalizer's.
func (h *Helper) Subtarget() *target.Subtarget { return h.ST }

// Emit is target.Legalizer's.
func (h *Helper) Emit() *mir.Builder { return &h.mb }

// Unable is the error for an instruction that a custom action cannot legalize.
func (h *Helper) Unable(i mir.InstrID) error { return h.unable(i) }

// pushIllegal takes up again what is left that is not legal, and returns the first of it.
func (h *Helper) pushIllegal() mir.InstrID {
	f := h.F
	first := mir.InstrID(0)
	if !slices.ContainsFunc(h.touched, h.illegal) {
		return first
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if h.illegal(i) {
				h.push(i)
				if first == 0 {
					first = i
				}
			}
		}
	}
	return first
}

// illegal reports a generic instruction that the rules do not let stay. The dead
// are removed by selection.
func (h *Helper) illegal(i mir.InstrID) bool {
	if h.gone(i) {
		return false
	}
	op := h.F.Instr(i).Opcode
	if !h.generic(op) || op == desc.G_BR || isIntrinsic(op) {
		return false
	}
	return h.decide(i).Act != legal.Legal && !IsTriviallyDead(h.F, i)
}

// Changed says that instruction i was changed in place and is to be looked at again.
func (h *Helper) Changed(i mir.InstrID) {
	h.push(i)
	for n := range h.F.Instr(i).NumOps() {
		if o := h.F.Op(i, n); o.IsDef() && o.Reg().IsVirtual() {
			h.pushUsers(o.Reg())
		}
	}
}

// Erase erases instruction i, which has been replaced.
func (h *Helper) Erase(i mir.InstrID) {
	f := h.F
	for n := range f.Instr(i).NumOps() {
		if o := f.Op(i, n); o.IsUse() && o.Reg().IsVirtual() {
			if d := f.UniqueDef(o.Reg()); d != 0 && isArtifact(f.Instr(d).Opcode) {
				h.push(d) // perhaps dead now
			}
		}
	}
	if h.mb.At == i {
		h.mb.At = f.Instr(i).Next()
	}
	f.Erase(i)
}

// ReplaceWith erases i and makes the users of its definition n use r.
func (h *Helper) ReplaceWith(i mir.InstrID, n int, r mir.Reg) {
	d := h.F.Op(i, n).Reg()
	h.Erase(i)
	h.replace(d, r)
}

// icmp builds a comparison with the target's boolean type.
func (h *Helper) icmp(p ir.Pred, x, y mir.Reg) mir.Reg { return h.ICmp(p, h.boolOf(h.Type(x)), x, y) }

// boolOf is the type of comparisons of values of type t: of vectors bits, or a mask,
// integers of the elements' size that are all ones or all zeros.
func (h *Helper) boolOf(t mir.LLT) mir.LLT {
	if t.IsVector() && h.Rules.BitVectors {
		return mir.Vector(t.NumElems(), mir.Scalar(1))
	}
	if t.IsVector() {
		return mir.Vector(t.NumElems(), mir.Scalar(t.ScalarBits()))
	}
	return h.Rules.Bool
}

// Act is target.Legalizer's.
func (h *Helper) Act(i mir.InstrID, d legal.Decision) error {
	h.mb.SetBefore(i)
	return h.act(i, d)
}

// IsMask is target.Legalizer's.
func (h *Helper) IsMask(r mir.Reg) bool { return h.isMask(r, 0) }

// isMask reports a value of which each element is known to be all ones or all zeros:
// comparisons of vectors, and what is made of them.
func (h *Helper) isMask(r mir.Reg, depth int) bool {
	f := h.F
	r, d := h.source(r)
	if d == 0 || depth > 6 {
		return false
	}
	all := func(from, step int) bool {
		for n := from; n < f.Instr(d).NumOps(); n += step {
			if n > from && h.reg(d, n) == h.reg(d, n-step) {
				continue
			}
			if !h.isMask(h.reg(d, n), depth+1) {
				return false
			}
		}
		return true
	}
	switch f.Instr(d).Opcode {
	case desc.G_ICMP, desc.G_FCMP:
		return f.TypeOf(r).IsVector()
	case desc.G_IMPLICIT_DEF:
		return true
	case desc.G_CONSTANT:
		w := h.words(d)
		n := h.regType(d, 0).ScalarBits()
		return n <= 64 && (w[0] == 0 || w[0]&lowMask(n) == lowMask(n))
	case desc.G_SEXT, desc.G_TRUNC, desc.G_FREEZE:
		if f.Instr(d).Opcode == desc.G_SEXT && h.regType(d, 1).ScalarBits() == 1 {
			return true
		}
		return h.isMask(h.reg(d, 1), depth+1)
	case desc.G_SEXT_INREG:
		return f.Op(d, 2).Imm() == 1
	case desc.G_AND, desc.G_OR, desc.G_XOR, desc.G_BUILD_VECTOR, desc.G_CONCAT_VECTORS:
		return all(1, 1)
	case desc.G_SELECT:
		return all(2, 1)
	case desc.G_SHUFFLE_VECTOR:
		return h.isMask(h.reg(d, 1), depth+1) && h.isMask(h.reg(d, 2), depth+1)
	case desc.G_EXTRACT_VECTOR_ELT:
		return h.isMask(h.reg(d, 1), depth+1)
	case desc.G_UNMERGE_VALUES:
		n := f.Instr(d).NumOps() - 1
		return h.regType(d, n).IsVector() && h.regType(d, n).ScalarBits() == f.TypeOf(r).ScalarBits() && h.isMask(h.reg(d, n), depth+1)
	}
	return false
}

func (h *Helper) reg(i mir.InstrID, n int) mir.Reg { return h.F.Op(i, n).Reg() }

func (h *Helper) regType(i mir.InstrID, n int) mir.LLT { return h.F.TypeOf(h.F.Op(i, n).Reg()) }
