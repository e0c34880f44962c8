package sched

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// Pipeliner overlaps the iterations of loops of one block: a kernel executes, in each round,
// instructions of several iterations, those of the oldest one from the last stage of the
// schedule, those of the youngest one from the first (swing modulo scheduling: Llosa,
// González, Ayguadé and Valero, PACT 1996; Llosa et al., IEEE Transactions on Computers
// 50(3), 2001). Prologue and epilogue do what the kernel does not of the first and the last
// iterations.
//
// The loop as it was stays beside them, for when there are fewer iterations than stages;
// nothing is executed that it would not have executed.
var Pipeliner = pass.Pass{
	Name:     "pipeliner",
	Title:    "Modulo Software Pipelining",
	Requires: mir.IsSSA,
	Optional: pass.Skippable,
	Run:      runPipeliner,
}

// LLVM's pipeliner-max-mii and pipeliner-max-stages.
const (
	maxMII    = 27
	maxStages = 3
)

// maxPipelined is the number of instructions of a loop that is looked at: memory accesses
// are compared in pairs, and the interval is searched by longest ways.
const maxPipelined = 200

// pipeliner is the state of a function.
type pipeliner struct {
	c       *pass.Context
	f       *mir.Function
	st      *target.Subtarget
	hooks   *target.PipelinerHooks
	builder builder
	g       graph
	machine machine

	block   mir.BlockID
	counter target.LoopCounter
	// values are the registers that the loop defines: those of PHIs first.
	values  []loopValue
	numPHIs int
	valueOf []int32 // by virtual register: 1 + its place in values
	nodes   []loopNode
	nodeOf  []int32 // by instruction, good for those of the loop
	work    []int32
	reads   []bool // by virtual register: read in a loop that was pipelined

	modulo moduloScheduler
	expand expander
}

// loopValue is a virtual register that the loop defines, by a node or by a PHI: init before
// the first iteration, then what back was in the iteration before.
type loopValue struct {
	reg        mir.Reg
	class      desc.ClassID // that all uses accept, through PHIs too
	node       int32        // -1 for PHIs
	init, back mir.Reg
	outside    bool // read behind the loop
}

// loopNode is an instruction of the loop that is executed again in the kernel.
type loopNode struct {
	instr mir.InstrID
	live  bool
}

func runPipeliner(c *pass.Context, f *mir.Function) error {
	t := &c.Machine.Options.Tuning.Pipeliner
	hooks := c.Subtarget.Target.Instr.Pipeliner
	if hooks == nil || !t.On || t.Off || target.OptForSize(f) && !t.OptSize {
		return nil
	}
	s := pass.Scratch[pipeliner](c)
	s.c, s.f, s.st, s.hooks = c, f, c.Subtarget, hooks
	s.machine.reset(c.Subtarget.Sched(), f)
	s.builder.reset(c, f, &s.g, &s.machine)
	// Blocks that are added have greater numbers and are no loops of interest.
	var tried, done int64
	for b, n := mir.BlockID(1), mir.BlockID(f.NumBlockIDs()); b < n; b++ {
		if f.Block(b).First() == 0 || !f.HasSucc(b, b) {
			continue
		}
		tried++
		if s.find(b) && s.schedule() {
			s.apply()
			done++
		}
	}
	if done > 0 {
		s.dropKills()
	}
	c.Count("pipeliner", "Number of loops that we attempt to pipeline", tried)
	c.Count("pipeliner", "Number of loops software pipelined", done)
	return nil
}

// find reports that block b is a loop that can be pipelined, and describes it.
func (s *pipeliner) find(b mir.BlockID) bool {
	f := s.f
	s.block = b
	if f.NumPreds(b) != 2 || f.Block(b).AddressTaken() || f.Block(b).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 || f.Block(b).NumLiveIns() > 0 {
		return false
	}
	c, ok := s.hooks.FindCounter(s.st, f, b)
	if !ok || f.Block(c.Exit).NumLiveIns() > 0 || f.Block(c.Exit).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 || !s.st.CanSplitEdge(f, s.preheader(), b) {
		return false
	}
	s.counter = c
	s.values, s.nodes, s.numPHIs = s.values[:0], s.nodes[:0], 0
	s.valueOf = rows.AtLeast(s.valueOf, f.NumVRegs())
	s.nodeOf = rows.AtLeast(s.nodeOf, f.NumInstrIDs())
	ok = s.collect() && s.classes() && s.keepLive()
	if !ok {
		s.forget()
	}
	return ok
}

// forget empties valueOf.
func (s *pipeliner) forget() {
	for k := range s.values {
		s.valueOf[s.values[k].reg.Index()] = 0
	}
}

// preheader is the block before the loop.
func (s *pipeliner) preheader() mir.BlockID {
	for _, p := range s.f.Preds(s.block) {
		if p != s.block {
			return p
		}
	}
	return 0
}

// collect lists the values and nodes of the loop; false when something in it is not understood.
func (s *pipeliner) collect() bool {
	f := s.f
	for i := f.Block(s.block).First(); i != 0; i = f.Instr(i).Next() {
		if isDebug(f, i) || f.Desc(i).IsTerminator() && i != s.counter.Update {
			continue
		}
		switch {
		case f.IsPHI(i):
			if !s.addPHI(i) {
				return false
			}
		case i == s.counter.Compare:
		case len(s.nodes) == maxPipelined || !s.canMove(i) || !s.addNode(i):
			return false
		}
	}
	return true
}

func (s *pipeliner) addPHI(i mir.InstrID) bool {
	f := s.f
	if f.Instr(i).Opcode != desc.PHI || f.Instr(i).NumOps() != 5 || f.Op(i, 0).SubReg() != 0 {
		return false
	}
	v := loopValue{reg: f.Op(i, 0).Reg(), node: -1}
	for k := 1; k < 5; k += 2 {
		o := f.Op(i, k)
		if o.SubReg() != 0 || o.IsUndef() || !o.Reg().IsVirtual() || f.UniqueDef(o.Reg()) == 0 || f.VReg(o.Reg()).Class < 0 {
			return false
		}
		if f.Op(i, k+1).Block() == s.block {
			v.back = o.Reg()
		} else {
			v.init = o.Reg()
		}
	}
	s.numPHIs++
	return v.init != 0 && v.back != 0 && s.addValue(v)
}

func (s *pipeliner) addValue(v loopValue) bool {
	f := s.f
	if !v.reg.IsVirtual() || f.UniqueDef(v.reg) == 0 || f.VReg(v.reg).Class < 0 {
		return false
	}
	v.class = desc.ClassID(f.VReg(v.reg).Class)
	for i := range f.NonDebugUses(v.reg) {
		if f.Instr(i).Block() != s.block {
			v.outside = true
			break
		}
	}
	s.values = append(s.values, v)
	s.valueOf[v.reg.Index()] = int32(len(s.values))
	return true
}

// canMove reports an instruction that other iterations may pass: it does what its operands say.
func (s *pipeliner) canMove(i mir.InstrID) bool {
	f := s.f
	d := f.Desc(i)
	switch f.Instr(i).Opcode {
	case desc.INLINEASM, desc.INLINEASM_BR, desc.FAKE_USE, desc.LIFETIME_START, desc.LIFETIME_END:
		return false
	}
	if d.IsCall() || d.IsBranch() || d.IsReturn() || d.IsNotDuplicable() || d.IsConvergent() || f.IsBundled(i) || f.HasSideEffects(i) || isBoundary(s.c, f, i) ||
		f.HasOrderedMem(i) || d.MayRaiseFPException() && f.Instr(i).Flags()&mir.NoFPExcept == 0 {
		return false
	}
	e := f.Extra(i)
	e.Number = 0
	return e == mir.InstrExtra{}
}

func (s *pipeliner) addNode(i mir.InstrID) bool {
	f := s.f
	n := int32(len(s.nodes))
	s.nodes = append(s.nodes, loopNode{instr: i})
	s.nodeOf[i] = n
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		switch {
		case o.Kind() == mir.OpRegMask || o.Kind() == mir.OpMBB:
			return false
		case !o.IsReg() || o.Reg() == 0:
		case o.Reg().IsPhysical():
			// Flags that nothing reads may be overwritten; those of the counter are the branch's.
			if o.IsDef() && !o.IsDead() && i != s.counter.Update || o.IsUse() && !s.builder.isConstant(o.Reg()) {
				return false
			}
		case o.IsDef():
			if o.SubReg() != 0 || !s.addValue(loopValue{reg: o.Reg(), node: n}) {
				return false
			}
		case f.VReg(o.Reg()).Class < 0:
			return false
		}
	}
	return true
}

// classes gives each value a class that suits the PHIs, too, through which it is read;
// false when there is none.
func (s *pipeliner) classes() bool {
	in := s.f.Facts
	for changed := true; changed; {
		changed = false
		for k := range s.numPHIs {
			p := &s.values[k]
			b := s.value(p.back)
			if b < 0 || s.values[b].class == p.class {
				continue
			}
			c := in.CommonSubClass(s.values[b].class, p.class)
			if c == desc.NoClass {
				return false
			}
			changed = changed || c != s.values[b].class
			s.values[b].class = c
		}
	}
	return true
}

// value is the place in values of a register, -1 for those from outside.
func (s *pipeliner) value(r mir.Reg) int32 {
	if !r.IsVirtual() || r.Index() >= len(s.valueOf) {
		return -1
	}
	return s.valueOf[r.Index()] - 1
}

// keepLive finds the nodes that do something: the counter of the loop is mostly not needed
// any more. False when nothing is left.
func (s *pipeliner) keepLive() bool {
	f := s.f
	seen := s.expand.seen[:0]
	s.work = s.work[:0]
	mark := func(n int32) {
		if !s.nodes[n].live {
			s.nodes[n].live = true
			s.work = append(s.work, n)
		}
	}
	visited := rows.Zeroed(seen, s.numPHIs)
	reach := func(v int32) {
		for v >= 0 && int(v) < s.numPHIs {
			if visited[v] {
				return
			}
			visited[v] = true
			v = s.value(s.values[v].back)
		}
		if v >= 0 {
			mark(s.values[v].node)
		}
	}
	for n := range s.nodes {
		if f.MayStore(s.nodes[n].instr) {
			mark(int32(n))
		}
	}
	for k := range s.values {
		if s.values[k].outside {
			reach(int32(k))
		}
	}
	for len(s.work) > 0 {
		n := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		for _, o := range f.Ops(s.nodes[n].instr) {
			if o.IsUse() && o.Reg().IsVirtual() && !o.IsUndef() {
				reach(s.value(o.Reg()))
			}
		}
	}
	s.expand.seen = visited
	live := s.nodes[:0]
	for n := range s.nodes {
		if x := s.nodes[n]; x.live {
			s.nodeOf[x.instr] = int32(len(live))
			live = append(live, x)
		}
	}
	s.nodes = live
	for k := s.numPHIs; k < len(s.values); k++ {
		v := &s.values[k]
		d := f.UniqueDef(v.reg)
		if n := s.nodeOf[d]; int(n) < len(live) && live[n].instr == d {
			v.node = n
		} else {
			v.node = noNode
		}
	}
	return len(s.nodes) > 1
}

// noNode stands for instructions that are left out.
const noNode = -2
