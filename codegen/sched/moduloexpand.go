package sched

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// expander makes the code of a schedule. Rounds are counted from 0; node n of stage s is
// executed in round r for iteration r-s. The prologue is the rounds before the one in
// which the last stage is executed first, the kernel all until the first stage was executed
// for the last iteration, the epilogue those after.
//
// A value is named by its place in values and by how old it is: the iteration that it belongs
// to, counted back from the number of the round (in the epilogue, from that of the
// kernel's last round).
type expander struct {
	prologue, kernel, epilogue mir.BlockID
	// first are the registers of the prologue by value and iteration; now those of the kernel, and
	// last those of the epilogue, by value and age.
	first, now, last []mir.Reg
	phis             []kernelPHI
	inits, backs     []mir.Reg // by PHI: what it reads from outside, in its class

	seen    []bool
	objects []foundObject
}

// kernelPHI is a PHI of the kernel: value entry in the first round, then what latch was in
// the round before.
type kernelPHI struct{ reg, entry, latch mir.Reg }

// apply puts the code of the schedule beside the loop:
//
//	before            before
//	  |                 |
//	  |               guard --------------.
//	loop -.             |                 |
//	  |   |   becomes  prologue          loop -.
//	  |<--'             |                 |    |
//	  |               kernel -.           |<---'
//	exit                |     |           |
//	                    |<----'           |
//	                  epilogue            |
//	                    |                 |
//	                   join <-------------'
//	                    |
//	                   exit
func (s *pipeliner) apply() {
	f, x, loop := s.f, &s.expand, s.block
	stages := s.modulo.stages
	loc := s.st.BranchLoc(f, loop)
	s.markReads()
	guard := s.st.SplitEdge(f, s.preheader(), loop)
	x.prologue = f.AddBlockAfter(guard)
	x.kernel = f.AddBlockAfter(x.prologue)
	x.epilogue = f.AddBlockAfter(x.kernel)
	join := f.AddBlockAfter(loop)
	for _, b := range [...]mir.BlockID{x.prologue, x.kernel, x.epilogue, join} {
		f.Block(b).CallFrame = f.Block(loop).CallFrame
	}
	left := s.guard(guard, loc)

	n := len(s.values)
	x.first = rows.Zeroed(x.first, n*int(stages))
	x.now, x.last = rows.Zeroed(x.now, n*int(stages)), rows.Zeroed(x.last, n*int(stages))
	x.inits, x.backs, x.phis = rows.Zeroed(x.inits, s.numPHIs), rows.Zeroed(x.backs, s.numPHIs), x.phis[:0]
	s.copyOutside()
	for k := range s.values {
		if v := &s.values[k]; v.node >= 0 {
			x.now[k*int(stages)+int(s.modulo.stage(v.node))] = s.newReg(int32(k))
		}
	}
	for r := range stages - 1 {
		s.round(x.prologue, 0, r, func(v, stage int32) mir.Reg { return s.firstValue(v, r-stage) }, func(v, stage int32, reg mir.Reg) {
			x.first[v*stages+r-stage] = reg
		})
	}
	s.round(x.kernel, 0, stages-1, s.nowValue, nil)
	for e := int32(1); e < stages; e++ {
		s.round(x.epilogue, e, stages-1, func(v, stage int32) mir.Reg { return s.lastValue(v, stage-e) }, func(v, stage int32, reg mir.Reg) {
			x.last[v*stages+stage-e] = reg
		})
	}
	s.count(left, loc)
	s.joinEdges(join, loc)
	s.joinValues(loop, join)
	for _, p := range x.phis {
		i := f.New(desc.PHI, mir.RegOp(p.reg, mir.Def), mir.RegOp(p.entry, 0), mir.BlockOp(x.prologue), mir.RegOp(p.latch, 0), mir.BlockOp(x.kernel))
		f.InsertBefore(x.kernel, f.Block(x.kernel).First(), i)
	}
	s.forget()
}

// markReads remembers the registers that the loop reads: they are read in more places now.
func (s *pipeliner) markReads() {
	f := s.f
	s.reads = rows.AtLeast(s.reads, f.NumVRegs())
	for i := f.Block(s.block).First(); i != 0; i = f.Instr(i).Next() {
		for _, o := range f.Ops(i) {
			if o.IsReg() && o.Reg().IsVirtual() {
				s.reads[o.Reg().Index()] = true
			}
		}
	}
}

// dropKills takes the marks of last uses away from the registers that markReads remembers,
// and forgets these.
func (s *pipeliner) dropKills() {
	f := s.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			for k := range f.Instr(i).NumOps() {
				if o := f.Op(i, k); o.IsKill() && o.Reg().IsVirtual() && o.Reg().Index() < len(s.reads) && s.reads[o.Reg().Index()] {
					f.SetOpFlag(i, k, mir.Kill, false)
				}
			}
		}
	}
	clear(s.reads)
}

// guard fills block b before the loop: to the loop as it is unless there are iterations for
// all stages. It returns the register with the iterations that are left.
func (s *pipeliner) guard(b mir.BlockID, loc mir.DebugLoc) mir.Reg {
	f, h, loop := s.f, s.hooks, s.block
	s.st.RemoveBranch(f, b)
	left := h.Distance(s.st, f, b, &s.counter)
	if cond := h.IsWhole(s.st, f, b, &s.counter, left); cond != nil {
		next := f.AddBlockAfter(b)
		f.Block(next).CallFrame = f.Block(b).CallFrame
		s.st.InsertBranch(f, b, target.Branch{True: next, False: loop, Cond: cond}, loc)
		f.AddSucc(b, next)
		f.AddSucc(next, loop)
		s.addPred(loop, b, next)
		b = next
	}
	cond := h.IsMore(s.st, f, b, &s.counter, left, int(s.modulo.stages)-1)
	s.st.InsertBranch(f, b, target.Branch{True: s.expand.prologue, False: loop, Cond: cond}, loc)
	f.AddSucc(b, s.expand.prologue)
	return left
}

// addPred makes the PHIs of block b read from pred what they read from like.
func (s *pipeliner) addPred(b, like, pred mir.BlockID) {
	f := s.f
	for i := f.Block(b).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
		for k := 1; k+1 < f.Instr(i).NumOps(); k += 2 {
			if f.Op(i, k+1).Block() == like {
				o := *f.Op(i, k)
				f.AddOp(i, o.WithFlag(mir.Kill, false))
				f.AddOp(i, mir.BlockOp(pred))
				break
			}
		}
	}
}

// newReg makes another register for a value.
func (s *pipeliner) newReg(v int32) mir.Reg {
	r := s.f.CloneVReg(s.values[v].reg)
	s.f.VReg(r).Class = int16(s.values[v].class)
	return r
}

// copyOutside puts what PHIs read from outside into their classes, where the registers
// are of others.
func (s *pipeliner) copyOutside() {
	f, x := s.f, &s.expand
	b := mir.Builder{F: f, Block: x.prologue}
	in := func(r mir.Reg, c desc.ClassID) mir.Reg {
		if s.value(r) >= 0 || desc.ClassID(f.VReg(r).Class) == c {
			return r
		}
		to := f.AddVReg(int16(c))
		b.Copy(to, r)
		return to
	}
	for k := range s.numPHIs {
		p := &s.values[k]
		x.inits[k], x.backs[k] = in(p.init, p.class), in(p.back, p.class)
	}
}

// round appends to block b the nodes of the stages from low to high, in the order of a
// round. use gives the register for a value that a node of a stage reads, def hears of those
// that are written; without def they are the kernel's.
func (s *pipeliner) round(b mir.BlockID, low, high int32, use func(v, stage int32) mir.Reg, def func(v, stage int32, r mir.Reg)) {
	f, m := s.f, &s.modulo
	for _, n := range m.sequence {
		stage := m.stage(n)
		if stage < low || stage > high {
			continue
		}
		i := f.Clone(s.nodes[n].instr)
		f.Append(b, i)
		for k := range f.Instr(i).NumOps() {
			o := *f.Op(i, k)
			switch {
			case !o.IsReg() || o.Reg() == 0:
			case o.Reg().IsPhysical():
				if o.IsDef() {
					f.SetOpFlag(i, k, mir.Dead, true)
				}
			case o.IsDef():
				v := s.value(o.Reg())
				r := s.expand.now[v*m.stages+stage]
				if def != nil {
					r = s.newReg(v)
					def(v, stage, r)
				}
				f.SetReg(i, k, r)
			default:
				if o.IsKill() {
					f.SetOpFlag(i, k, mir.Kill, false)
				}
				if v := s.value(o.Reg()); v >= 0 && !o.IsUndef() {
					f.SetReg(i, k, use(v, stage))
				}
			}
		}
		s.forgetPointers(i)
	}
}

// forgetPointers takes away what the memory operands of i say of pointers that change in the
// loop: beside it stand accesses of other iterations now, whose pointers have the same names.
func (s *pipeliner) forgetPointers(i mir.InstrID) {
	f := s.f
	n := f.NumMem(i)
	if n == 0 {
		return
	}
	var buf [4]mir.MemID
	ids := append(buf[:0], f.MemIDs(i)...)
	changed := false
	for k := range n {
		m := *f.MemOf(i, k)
		switch m.PtrKind {
		case mir.PtrNone, mir.PtrUnknownValue, mir.PtrGOT, mir.PtrJumpTable, mir.PtrConstantPool:
		case mir.PtrValue:
			if s.isFixed(ir.Value(m.Ptr)) {
				break
			}
			// What is known of the base's alignment holds at the offset too, so far as it counts.
			align := m.BaseAlign
			for align > 0 && m.Offset&(1<<align-1) != 0 {
				align--
			}
			m.PtrKind, m.Ptr, m.Offset, m.BaseAlign = mir.PtrNone, 0, 0, align
		}
		// Types and scopes say what holds in an iteration.
		m.AliasScope, m.NoAlias = 0, 0
		ids[k], changed = f.AddMem(m), true
	}
	if changed {
		f.SetMem(i, ids...)
	}
}

// isFixed reports a pointer of the IR that is the same in all iterations.
func (s *pipeliner) isFixed(v ir.Value) bool {
	switch v.Tag() {
	case ir.TagGlobal, ir.TagConst:
		return true
	case ir.TagLocal:
		i := v.Instr()
		return i != 0 && s.f.IR != nil && s.f.IR.Instrs[i].Op == ir.OpArgument
	}
	return false
}

// firstValue is value v of an iteration that the prologue begins.
func (s *pipeliner) firstValue(v, iteration int32) mir.Reg {
	x := &s.expand
	for int(v) < s.numPHIs {
		if iteration == 0 {
			return x.inits[v]
		}
		iteration--
		back := s.value(s.values[v].back)
		if back < 0 {
			return x.backs[v]
		}
		v = back
	}
	return x.first[v*s.modulo.stages+iteration]
}

// throughPHIs follows value v of an age through PHIs whose first iteration it cannot be of: what
// they read is an iteration older. fixed is the register where that comes from outside of the loop.
func (s *pipeliner) throughPHIs(v, age int32) (_, _ int32, fixed mir.Reg) {
	for int(v) < s.numPHIs && age < s.modulo.stages-1 {
		back := s.value(s.values[v].back)
		if back < 0 {
			return v, age, s.expand.backs[v]
		}
		v, age = back, age+1
	}
	return v, age, 0
}

// nowValue is value v of an age in a round of the kernel. The first round is that in which
// the greatest age is the first iteration.
func (s *pipeliner) nowValue(v, age int32) mir.Reg {
	x, stages := &s.expand, s.modulo.stages
	v, age, fixed := s.throughPHIs(v, age)
	if fixed != 0 {
		return fixed
	}
	at := v*stages + age
	if x.now[at] != 0 {
		return x.now[at]
	}
	r := s.newReg(v)
	x.now[at] = r
	p := kernelPHI{reg: r, entry: s.firstValue(v, stages-1-age)}
	if int(v) >= s.numPHIs {
		p.latch = s.nowValue(v, age-1)
	} else if back := s.value(s.values[v].back); back < 0 {
		p.latch = x.backs[v]
	} else {
		p.latch = s.nowValue(back, age)
	}
	x.phis = append(x.phis, p)
	return r
}

// lastValue is value v of an age, counted from the kernel's last round, in the epilogue.
func (s *pipeliner) lastValue(v, age int32) mir.Reg {
	v, age, fixed := s.throughPHIs(v, age)
	if fixed != 0 {
		return fixed
	}
	if int(v) >= s.numPHIs && s.modulo.stage(s.values[v].node) > age {
		return s.expand.last[v*s.modulo.stages+age]
	}
	return s.nowValue(v, age)
}

// count ends the prologue and the kernel, which counts the iterations that are left.
func (s *pipeliner) count(left mir.Reg, loc mir.DebugLoc) {
	f, x, h := s.f, &s.expand, s.hooks
	begin, now, next := h.NewLeft(f, &s.counter), h.NewLeft(f, &s.counter), h.NewLeft(f, &s.counter)
	// The kernel begins with the iteration of that number.
	h.Less(s.st, f, x.prologue, &s.counter, begin, left, int(s.modulo.stages)-1)
	for last, k := f.Block(x.prologue).Last(), 0; k < f.Instr(last).NumOps(); k++ {
		if o := f.Op(last, k); o.IsDef() && o.Reg().IsPhysical() {
			f.SetOpFlag(last, k, mir.Dead, true) // that some are left is known here
		}
	}
	x.phis = append(x.phis, kernelPHI{now, begin, next})
	cond := h.Less(s.st, f, x.kernel, &s.counter, next, now, 1)
	s.st.InsertBranch(f, x.kernel, target.Branch{True: x.kernel, Cond: cond}, loc)
}

// joinEdges makes the edges between the new blocks.
func (s *pipeliner) joinEdges(join mir.BlockID, loc mir.DebugLoc) {
	f, x, loop, exit := s.f, &s.expand, s.block, s.counter.Exit
	prob := mir.UnknownProb
	again := mir.UnknownProb
	if f.HasSuccProbs(loop) {
		prob, again = f.EdgeProb(loop, exit), f.EdgeProb(loop, loop)
	}
	f.AddSucc(x.prologue, x.kernel)
	f.AddSuccProb(x.kernel, x.kernel, again)
	f.AddSuccProb(x.kernel, x.epilogue, prob)
	f.AddSucc(x.epilogue, join)
	s.st.InsertBranch(f, x.epilogue, target.Branch{True: join}, loc)
	br, _ := s.st.AnalyzeBranch(f, loop)
	s.st.RemoveBranch(f, loop)
	if br.True == exit {
		br.True, br.False = join, loop
	} else {
		br.False = join
	}
	s.st.InsertBranch(f, loop, br, loc)
	f.ReplaceSucc(loop, exit, join)
	f.AddSucc(join, exit)
	f.ReplacePhiPred(exit, loop, join)
	if f.NextBlock(join) != exit {
		s.st.InsertBranch(f, join, target.Branch{True: exit}, loc)
	}
}

// joinValues gives what is read behind the loop the value of the way that was taken.
func (s *pipeliner) joinValues(loop, join mir.BlockID) {
	f, x := s.f, &s.expand
	for k := range s.values {
		v := &s.values[k]
		var r mir.Reg
		if v.outside {
			r = f.CloneVReg(v.reg)
			for i, op := range f.Uses(v.reg) {
				if f.Instr(i).Block() != loop {
					f.SetReg(i, op, r)
				}
			}
			i := f.New(desc.PHI, mir.RegOp(r, mir.Def), mir.RegOp(v.reg, 0), mir.BlockOp(loop), mir.RegOp(s.lastValue(int32(k), 0), 0), mir.BlockOp(x.epilogue))
			f.InsertBefore(join, f.FirstTerminator(join), i)
			continue
		}
		for i, op := range f.Uses(v.reg) {
			// The debugger does not know it: on one way it is in another register.
			if f.IsDebugInstr(i) && f.Instr(i).Block() != loop {
				f.SetReg(i, op, 0)
			}
		}
	}
}
