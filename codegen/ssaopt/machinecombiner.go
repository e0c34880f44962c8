package ssaopt

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/schedmodel"
	"github.com/mirin-go/mirin/codegen/tracemetrics"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// MachineCombiner shortens the critical path by other trees of operations that are
// associative and commutative (target.InstrHooks.IsAssociative): of
//
//	B = A op X
//	C = B op Y
//
// it makes X op Y first where A is known later than both.
var MachineCombiner = pass.Pass{
	Name:     "machine-combiner",
	Title:    "Machine InstCombiner",
	Requires: mir.IsSSA,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runMachineCombiner,
}

// combiner is the state of a function.
type combiner struct {
	f       *mir.Function
	st      *target.Subtarget
	model   *schedmodel.Model
	metrics tracemetrics.Metrics
	traces  *tracemetrics.Ensemble
}

// reassociation is a tree that can be made: prev is operand root of Root and the
// operands of both by number.
type reassociation struct {
	prev             mir.InstrID
	a, x, b, y       int // A and X of prev, B and Y of root
	regA, regX, regY mir.Reg
}

func runMachineCombiner(c *pass.Context, f *mir.Function) error {
	st := c.Subtarget
	if st.Target.Instr.IsAssociative == nil {
		return nil
	}
	s := pass.Scratch[combiner](c)
	s.f, s.st, s.model = f, st, st.Sched()
	known := false
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if !s.hasCandidate(b) {
			continue
		}
		if !known {
			s.metrics.Reset(c, f)
			s.traces = s.metrics.Ensemble(tracemetrics.MinInstrCount)
			known = true
		}
		if n := s.visit(b); n > 0 {
			c.Count("machine-combiner", "Number of machineinst combined", n)
		}
	}
	return nil
}

// visit combines what stands in block b, from above, and returns how often. Blocks below
// b in traces are looked at anew when it changed, b itself, too, unless something
// was considered behind the last change.
func (s *combiner) visit(b mir.BlockID) (combined int64) {
	f := s.f
	s.traces.Enter(b)
	count, current := 0, true
	for i, next := f.Block(b).First(), mir.InstrID(0); i != 0; i = next {
		next = f.Instr(i).Next()
		count++
		s.traces.Step(i)
		swapped, ok := s.candidate(i)
		if !ok {
			continue
		}
		current = true
		if s.combine(i, swapped) {
			combined++
			current = false
		}
	}
	if combined > 0 {
		s.metrics.Invalidate(b)
		if current && count <= incremental {
			s.traces.FindDepths(b)
		}
	}
	return combined
}

// incremental is LLVM's machine-combiner-inc-threshold, the size of blocks that it does
// not look at anew behind each change.
const incremental = 500

func (s *combiner) hasCandidate(b mir.BlockID) bool {
	for i := s.f.Block(b).First(); i != 0; i = s.f.Instr(i).Next() {
		if _, ok := s.candidate(i); ok {
			return true
		}
	}
	return false
}

// combine looks at the trees with root i, a candidate, and makes the first that pays.
func (s *combiner) combine(i mir.InstrID, swapped bool) bool {
	// LLVM's patterns: which operand of the root prev is, and which of prev's goes on
	// to the new root.
	b, y := 1, 2
	if swapped {
		b, y = 2, 1
	}
	if s.f.Op(i, b).SubReg() != 0 {
		return false
	}
	for _, a := range [...]int{1, 2} {
		r := reassociation{prev: s.f.UniqueDef(s.f.Op(i, b).Reg()), a: a, x: 3 - a, b: b, y: y}
		r.regA, r.regX, r.regY = s.f.Op(r.prev, r.a).Reg(), s.f.Op(r.prev, r.x).Reg(), s.f.Op(i, r.y).Reg()
		if s.newDepth(i, &r) < s.traces.Depth(i) {
			return s.rewrite(i, &r)
		}
		// LLVM makes a tree before it looks at it: numbers in MIR are the same so.
		if class := s.resultClass(i); class != desc.NoClass {
			s.f.AddVReg(int16(class))
		}
	}
	return false
}

// associative reports an operation that can be part of a tree: with two sources in
// virtual registers, one of them computed in the block, and no result beside
// the first that is read.
func (s *combiner) associative(i mir.InstrID, b mir.BlockID) bool {
	f := s.f
	if !s.st.IsAssociative(f, i, false) || f.Instr(i).NumOps() < 3 {
		return false
	}
	near := false
	for k, o := range f.Ops(i) {
		switch {
		case k >= 3 && o.IsDef() && !o.IsDead():
			return false
		case k >= 3:
		case !o.IsReg() || !o.Reg().IsVirtual() || o.IsUndef() || o.IsDef() != (k == 0) || o.SubReg() != 0 && k == 0:
			return false
		case k > 0:
			d := f.UniqueDef(o.Reg())
			if d == 0 {
				return false
			}
			near = near || f.Instr(d).Block() == b
		}
	}
	return near
}

// candidate reports that i is the root of a tree of two operations; swapped, that the
// other one is its second source.
func (s *combiner) candidate(i mir.InstrID) (swapped, ok bool) {
	f := s.f
	b := f.Instr(i).Block()
	if !s.associative(i, b) {
		return false, false
	}
	prev := f.UniqueDef(f.Op(i, 1).Reg())
	if other := f.UniqueDef(f.Op(i, 2).Reg()); f.Instr(prev).Opcode != f.Instr(i).Opcode && f.Instr(other).Opcode == f.Instr(i).Opcode {
		prev, swapped = other, true
	}
	return swapped, f.Instr(prev).Opcode == f.Instr(i).Opcode && f.Instr(prev).Block() == b && s.associative(prev, b) && f.HasOneUse(f.Op(prev, 0).Reg())
}

// newDepth is the cycle in which the root could be issued behind the change. The
// instructions that there are stand for the new ones, which are of their opcode.
func (s *combiner) newDepth(root mir.InstrID, r *reassociation) int {
	prev := max(s.ready(r.regX, r.prev, 1), s.ready(r.regY, r.prev, 2))
	return max(s.ready(r.regA, root, 1), prev+s.model.OperandLatency(s.f, r.prev, 0, root, 2))
}

// ready is the cycle in which operand op of user can read reg.
func (s *combiner) ready(reg mir.Reg, user mir.InstrID, op int) int {
	def := s.f.UniqueDef(reg)
	if def == 0 {
		return 0
	}
	at := s.traces.Depth(def)
	if s.transient(def) {
		return at
	}
	for k, o := range s.f.Ops(def) {
		if o.IsDef() && o.Reg() == reg {
			return at + s.model.OperandLatency(s.f, def, k, user, op)
		}
	}
	return at
}

// transient reports what will cost nothing: copies that coalescing removes, and what
// makes no code.
func (s *combiner) transient(i mir.InstrID) bool {
	f := s.f
	if f.Instr(i).Opcode != desc.COPY {
		return schedmodel.IsTransient(f, i)
	}
	dst, src := f.Op(i, 0), f.Op(i, 1)
	d, r := dst.Reg(), src.Reg()
	if dst.SubReg() != 0 || src.SubReg() != 0 {
		if dst.SubReg() != 0 || d.IsPhysical() || r.IsPhysical() {
			return false
		}
		dc, rc := f.VReg(d).Class, f.VReg(r).Class
		return dc >= 0 && rc >= 0 && f.Facts.MatchingSuperRegClass(desc.ClassID(rc), desc.ClassID(dc), desc.SubRegIdx(src.SubReg())) != desc.NoClass
	}
	switch {
	case d.IsPhysical() && r.IsPhysical():
		return d == r
	case d.IsVirtual() && r.IsVirtual():
		dc, rc := desc.ClassID(f.VReg(d).Class), desc.ClassID(f.VReg(r).Class)
		return dc >= 0 && rc >= 0 && (f.Facts.HasSubClassEq(dc, rc) || f.Facts.HasSubClassEq(rc, dc))
	case r.IsVirtual():
		d, r = r, d
	}
	c := f.VReg(d).Class
	return c >= 0 && f.Facts.ClassContains(desc.ClassID(c), desc.PhysReg(r))
}

// rewrite makes the tree r before root and erases both old instructions; false when
// the result has no class. Operands stay on the side on which they stood.
func (s *combiner) rewrite(root mir.InstrID, r *reassociation) bool {
	f := s.f
	class := s.resultClass(root)
	if class == desc.NoClass {
		return false
	}
	s.moveKills(root, r)
	inner := f.AddVReg(int16(class))
	const poison = mir.NoSWrap | mir.NoUWrap | mir.IsExact | mir.Disjoint | mir.InBounds | mir.NoUSWrap
	flags := f.Instr(root).Flags() & f.Instr(r.prev).Flags() &^ poison
	x, y, a, sum := source(f, r.prev, r.x), source(f, root, r.y), source(f, r.prev, r.a), mir.RegOp(inner, mir.Kill)
	if r.b == 2 {
		x, y = y, x
	}
	if r.a == 2 || r.b == 2 {
		a, sum = sum, a
	}
	first := s.build(r.prev, mir.RegOp(inner, mir.Def), x, y, flags)
	second := s.build(root, mir.RegOp(f.Op(root, 0).Reg(), mir.Def), a, sum, flags)
	b := f.Instr(root).Block()
	f.InsertBefore(b, root, first)
	f.InsertBefore(b, root, second)
	if n := f.Extra(root).Number; n != 0 {
		e := f.Extra(second)
		e.Number = n
		f.SetExtra(second, e)
	}
	dropDebugUses(f, r.prev)
	f.Erase(root)
	f.Erase(r.prev)
	s.traces.Step(first)
	s.traces.Step(second)
	return true
}

// resultClass is the class that the opcode of i demands of its result.
func (s *combiner) resultClass(i mir.InstrID) desc.ClassID {
	return s.f.Facts.OperandClass(s.f.Instr(i).Opcode, 0, s.f.Facts.DefaultMode)
}

// moveKills clears the kill flags that are wrong when what prev reads is read at the
// root: those of instructions between, and those of a register that both new
// instructions read.
func (s *combiner) moveKills(root mir.InstrID, r *reassociation) {
	f := s.f
	if !f.Op(r.prev, r.a).IsKill() || r.regA == r.regX || r.regA == r.regY {
		clearKills(f, r.regA)
	}
	if !f.Op(r.prev, r.x).IsKill() {
		clearKills(f, r.regX)
	}
}

// source is operand n of i as another instruction reads it.
func source(f *mir.Function, i mir.InstrID, n int) mir.Operand {
	o := f.Op(i, n)
	return mir.SubRegOp(o.Reg(), o.SubReg(), o.Flags()&mir.Kill)
}

// build makes an instruction of like's opcode, location and implicit operands.
func (s *combiner) build(like mir.InstrID, dst, a, b mir.Operand, flags mir.MIFlags) mir.InstrID {
	f := s.f
	i := f.New(f.Instr(like).Opcode, dst, a, b)
	f.TieDeclared(i)
	for k := 3; k < f.Instr(like).NumOps(); k++ {
		o := *f.Op(like, k)
		f.AddOp(i, mir.RegOp(o.Reg(), o.Flags()))
	}
	in := f.Instr(i)
	in.Loc = f.Instr(like).Loc
	in.SetFlags(flags)
	return i
}
