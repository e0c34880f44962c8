package ssaopt

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// EarlyMachineLICM moves what computes the same in every turn of a loop in
// front of it: constants, addresses and invariant loads, which lowering made
// behind the back of the loop optimizer. Each outermost loop is walked down the
// dominator tree from its header; what cannot leave it may leave a loop inside
// it. An instruction moves when it can be computed again cheaply, when it is
// slow, or when no register pressure set grows beyond its limit on the way down
// from the header; a cheap one never for the price of a register.
var EarlyMachineLICM = pass.Pass{
	Name:     "early-machinelicm",
	Title:    "Early Machine Loop Invariant Code Motion",
	Requires: mir.IsSSA,
	Optional: pass.Skippable,
	Run:      func(c *pass.Context, f *mir.Function) error { return runMachineLICM(c, f, true) },
}

// MachineLICM is the same over physical registers: reloads, and instructions
// that the allocator computed again, leave the outermost loops where nothing
// else defines their register.
var MachineLICM = pass.Pass{
	Name:     "machinelicm",
	Title:    "Machine Loop Invariant Code Motion",
	Optional: pass.Skippable,
	Run:      func(c *pass.Context, f *mir.Function) error { return runMachineLICM(c, f, false) },
}

const (
	// wideSwitch is the number of successors from which on blocks below are not
	// looked at: they run too rarely, and their values would all live at once.
	wideSwitch = 25
	// licmDupCap bounds how many equal expressions, in front of different
	// loops, are looked at for one that dominates.
	licmDupCap = 64
	// maxInnerLoops is how many of the loops around an instruction, from inside,
	// it is tried to move it out of, besides the outermost one.
	maxInnerLoops = 32
)

// licmScratch is the memory of the pass between functions.
type licmScratch struct {
	c     *pass.Context
	f     *mir.Function
	early bool
	loops *pass.Loops
	dom   *pass.Dominators
	regs  physRegs
	press pressure
	table exprTable

	// freeLoads are the loops in which nothing prevents loads from being moved;
	// exitFrom and exitTo mark, by loop, the blocks that leave it.
	freeLoads []bool
	exits     []loopExit
	exitStart []int32

	first  bool // nothing was hoisted out of the current outermost loop yet
	fixed  speculation
	order  []int32 // blocks to visit
	work   []int32
	inner  []int32 // loops around an instruction, from inside
	open   []int32 // by block: children not done
	copies []mir.InstrID

	post postScratch
}

// loopExit is an edge out of a loop.
type loopExit struct{ from, to int32 }

// speculation caches, for the current block, whether it runs in every turn.
type speculation uint8

const (
	speculateUnknown speculation = iota
	speculateNo
	speculateYes
)

func runMachineLICM(c *pass.Context, f *mir.Function, early bool) error {
	s := pass.Scratch[licmScratch](c)
	s.c, s.f, s.early = c, f, early
	s.loops = pass.Get[pass.Loops](c, f)
	if len(s.loops.All) == 0 {
		return nil
	}
	s.makePreheaders()
	s.dom = pass.Get[pass.Dominators](c, f)
	s.regs.reset(c, f)
	s.findFreeLoads()
	s.findExits()
	if s.early {
		s.press.reset(f)
		s.table.reset(f, f.NumInstrIDs())
		s.open = rows.AtLeast(s.open, f.NumBlockIDs())
	} else {
		s.sortBlocks()
	}
	for x := range s.loops.All {
		if s.loops.All[x].Depth != 1 {
			continue
		}
		pre := s.preheader(x)
		if pre == 0 {
			continue
		}
		if s.early {
			s.first = true
			s.hoistFrom(x, pre)
			s.table.cut(0)
		} else {
			s.hoistPhysical(x, pre)
		}
	}
	return nil
}

// preheader returns the block in front of loop x that leads to its header
// alone and that code can be added to, 0 for none.
func (s *licmScratch) preheader(x int) mir.BlockID {
	p := s.loops.Preheader(x)
	if p < 0 || !mayHoistInto(s.f, mir.BlockID(p)) {
		return 0
	}
	return mir.BlockID(p)
}

// makePreheaders splits the edges into outermost loops that come from one
// block with other successors.
func (s *licmScratch) makePreheaders() {
	f, split := s.f, false
	for x := range s.loops.All {
		l := &s.loops.All[x]
		if l.Depth != 1 || s.preheader(x) != 0 {
			continue
		}
		pred, many := mir.BlockID(0), false
		for _, p := range f.Preds(mir.BlockID(l.Header)) {
			if !s.inLoop(x, p) {
				many = many || pred != 0 && pred != p
				pred = p
			}
		}
		if pred == 0 || many || !mayHoistInto(f, pred) || !s.c.Subtarget.CanSplitEdge(f, pred, mir.BlockID(l.Header)) {
			continue
		}
		s.c.Subtarget.SplitEdge(f, pred, mir.BlockID(l.Header))
		split = true
	}
	if split {
		s.c.DropAll()
		s.loops = pass.Get[pass.Loops](s.c, f)
	}
}

func (s *licmScratch) inLoop(x int, b mir.BlockID) bool {
	return int(b) < len(s.loops.Loop) && s.loops.Contains(x, int(b))
}

// findFreeLoads finds the loops without stores, calls and the like: loads that
// nothing else holds may leave them.
func (s *licmScratch) findFreeLoads() {
	f := s.f
	n := len(s.loops.All)
	s.freeLoads = s.freeLoads[:0]
	for range n {
		s.freeLoads = append(s.freeLoads, true)
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		x := s.loops.Loop[b]
		if x < 0 || !s.freeLoads[x] {
			continue
		}
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			d := f.Desc(i)
			if f.MayStore(i) || d.IsCall() || f.HasSideEffects(i) && f.Instr(i).Opcode != desc.PSEUDO_PROBE || f.MayLoad(i) && f.HasOrderedMem(i) {
				for y := x; y >= 0 && s.freeLoads[y]; y = s.loops.All[y].Parent {
					s.freeLoads[y] = false
				}
				break
			}
		}
	}
}

// findExits lists the edges out of each loop.
func (s *licmScratch) findExits() {
	f := s.f
	n := len(s.loops.All)
	s.exitStart = append(s.exitStart[:0], make([]int32, n+1)...)
	each := func(do func(x int32, e loopExit)) {
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			if s.loops.Loop[b] < 0 {
				continue
			}
			for _, e := range f.Succs(b) {
				for x := s.loops.Loop[b]; x >= 0 && !s.loops.Contains(int(x), int(e.Block)); x = s.loops.All[x].Parent {
					do(x, loopExit{int32(b), int32(e.Block)})
				}
			}
		}
	}
	each(func(x int32, _ loopExit) { s.exitStart[x+1]++ })
	for x := range n {
		s.exitStart[x+1] += s.exitStart[x]
	}
	s.exits = rows.AtLeast(s.exits, int(s.exitStart[n]))
	each(func(x int32, e loopExit) {
		s.exits[s.exitStart[x]] = e
		s.exitStart[x]++
	})
	copy(s.exitStart[1:], s.exitStart[:n])
	s.exitStart[0] = 0
}

func (s *licmScratch) exitsOf(x int) []loopExit { return s.exits[s.exitStart[x]:s.exitStart[x+1]] }

// blocksBelow collects the blocks of loop x in the order of a walk down the
// dominator tree from its header.
func (s *licmScratch) blocksBelow(x int) {
	f := s.f
	s.order, s.work = s.order[:0], append(s.work[:0], s.loops.All[x].Header)
	for len(s.work) > 0 {
		b := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if in := s.loops.Loop[b]; in >= 0 && f.Block(mir.BlockID(s.loops.All[in].Header)).Flags&mir.EHPad != 0 {
			continue
		}
		if !s.loops.Contains(x, int(b)) {
			continue
		}
		s.order = append(s.order, b)
		s.open[b] = 0
		if f.NumSuccs(mir.BlockID(b)) >= wideSwitch {
			continue
		}
		mark := len(s.work)
		s.dom.Children(int(b), func(ch int) { s.work = append(s.work, int32(ch)) })
		s.open[b] = int32(len(s.work) - mark)
		for i, j := mark, len(s.work)-1; i < j; i, j = i+1, j-1 {
			s.work[i], s.work[j] = s.work[j], s.work[i]
		}
	}
}

// hoistFrom moves invariant instructions of outermost loop x to pre.
func (s *licmScratch) hoistFrom(x int, pre mir.BlockID) {
	f := s.f
	s.blocksBelow(x)
	if len(s.order) == 0 {
		return
	}
	s.press.start()
	s.initPressure(pre)
	head := s.order[0]
	for k := 0; k < len(s.order); k++ {
		b := s.order[k]
		s.press.enter()
		s.fixed = speculateUnknown
		for i := f.Block(mir.BlockID(b)).First(); i != 0; {
			next := f.Instr(i).Next()
			if stays := s.hoistInstr(x, pre, i); stays != 0 {
				s.press.update(stays, false)
			}
			i = next
		}
		// Scopes end when all blocks below were visited; those outside of the loop
		// never are, and as in LLVM their scopes stay open.
		for s.open[b] == 0 {
			s.press.leave()
			if b == head {
				break
			}
			b = int32(s.dom.IDom(int(b)))
			s.open[b]--
		}
	}
}

// initPressure counts what is live at the end of a preheader, and of the block
// in front of it that it was perhaps split from.
func (s *licmScratch) initPressure(pre mir.BlockID) {
	f := s.f
	var chain []mir.BlockID
	for b := pre; ; {
		chain = append(chain, b)
		if f.NumPreds(b) != 1 {
			break
		}
		br, ok := s.c.Subtarget.AnalyzeBranch(f, b)
		p := f.Preds(b)[0]
		if !ok || len(br.Cond) > 0 || p == pre {
			break
		}
		b = p
	}
	for k := len(chain) - 1; k >= 0; k-- {
		for i := f.Block(chain[k]).First(); i != 0; i = f.Instr(i).Next() {
			s.press.update(i, true)
		}
	}
}

// hoistInstr moves i in front of loop x, or of a loop inside it, and returns
// the instruction whose results stay live where i was or moved to; 0 when an
// equal one stands for it.
func (s *licmScratch) hoistInstr(x int, pre mir.BlockID, i mir.InstrID) mir.InstrID {
	moved, kept := s.hoist(x, pre, i)
	if moved {
		return kept
	}
	s.innerLoops(x, i)
	for k := len(s.inner) - 1; k >= 0; k-- {
		y := int(s.inner[k])
		if p := s.preheader(y); p != 0 {
			if moved, kept = s.hoist(y, p, i); moved {
				return kept
			}
		}
	}
	return i
}

// innerLoops lists the loops inside x, innermost first, that i, or a load in it,
// could leave as far as its operands say: an operand that is defined in a loop is
// defined in those around it too.
func (s *licmScratch) innerLoops(x int, i mir.InstrID) {
	f, none := s.f, false
	s.inner = s.inner[:0]
	d := f.Desc(i)
	parts := d.MayLoad() && !d.CanFoldAsLoad() && f.IsInvariantLoad(i)
	if !parts && (!safeToMove(f, i, &none) || isConvergent(f, i)) {
		return
	}
	for y := s.loops.Loop[f.Instr(i).Block()]; y >= 0 && int(y) != x && len(s.inner) < maxInnerLoops; y = s.loops.All[y].Parent {
		if !parts && s.definedIn(int(y), i) {
			return
		}
		s.inner = append(s.inner, y)
	}
}

// definedIn reports that a virtual register that i reads is defined in loop x.
func (s *licmScratch) definedIn(x int, i mir.InstrID) bool {
	f := s.f
	ops := f.Ops(i)
	for k := range ops {
		if o := &ops[k]; o.IsUse() && o.Reg().IsVirtual() {
			if d := defOf(f, o.Reg()); d != 0 && s.inLoop(x, f.Instr(d).Block()) {
				return true
			}
		}
	}
	return false
}

// hoist moves i to pre, in front of loop x, when that is right and pays. kept is
// i, or 0 when i is gone.
func (s *licmScratch) hoist(x int, pre mir.BlockID, i mir.InstrID) (moved bool, kept mir.InstrID) {
	f := s.f
	unfolded := false
	if !s.isInvariant(x, i) || !s.pays(x, i) {
		if i = s.unfold(x, i); i == 0 {
			return false, 0
		}
		unfolded = true
	}
	if s.first {
		s.first = false
		for j := f.Block(pre).First(); j != 0; j = f.Instr(j).Next() {
			s.remember(pre, j)
		}
	}
	s.c.Count(s.name(), "Number of machine instructions hoisted out of loops", 1)
	if s.replaceByEqual(i) {
		return true, 0
	}
	f.Move(pre, f.FirstTerminator(pre), i)
	f.Instr(i).Loc = 0
	s.press.hoisted(i)
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsDef() && !o.IsDead() && o.Reg() != mir.NoReg {
			clearKills(f, o.Reg())
		}
	}
	s.remember(pre, i)
	if unfolded {
		return true, 0
	}
	return true, i
}

func (s *licmScratch) name() string {
	if s.early {
		return "early-machinelicm"
	}
	return "machinelicm"
}

// remember makes i, in preheader pre, known to replaceByEqual.
func (s *licmScratch) remember(pre mir.BlockID, i mir.InstrID) {
	for r, n := s.table.find(i), 0; r != nil && n < licmDupCap; r, n = s.table.again(r), n+1 {
		if mir.BlockID(r.val) == pre {
			return
		}
	}
	s.table.add(i, uint32(pre))
}

// equalTo finds an instruction in front of a loop that does what i does.
func (s *licmScratch) equalTo(i mir.InstrID) mir.InstrID {
	f := s.f
	if f.Instr(i).Opcode == desc.IMPLICIT_DEF || f.MayLoad(i) && !f.IsInvariantLoad(i) {
		return 0
	}
	found, b := mir.InstrID(0), int(f.Instr(i).Block())
	for r, n := s.table.find(i), 0; r != nil && n < licmDupCap; r, n = s.table.again(r), n+1 {
		if r.instr != i && s.dom.Dominates(int(r.val), b) {
			found = r.instr
		}
	}
	return found
}

// replaceByEqual removes i when an equal instruction stands in front of the loop.
func (s *licmScratch) replaceByEqual(i mir.InstrID) bool {
	f := s.f
	dup := s.equalTo(i)
	if dup == 0 {
		return false
	}
	n := f.Instr(i).NumOps()
	for k := range n {
		if o := f.Op(i, k); o.IsDef() && o.Reg().IsVirtual() {
			was := f.VReg(f.Op(dup, k).Reg()).Class
			if !constrain(f, f.Op(dup, k).Reg(), o.Reg()) {
				f.VReg(f.Op(dup, k).Reg()).Class = was
				return false
			}
		}
	}
	for k := range n {
		o := f.Op(i, k)
		if !o.IsDef() || !o.Reg().IsVirtual() {
			continue
		}
		r := f.Op(dup, k).Reg()
		f.ReplaceReg(o.Reg(), r)
		clearKills(f, r)
		if f.HasUses(r) {
			f.SetOpFlag(dup, k, mir.Dead, false)
		}
	}
	f.Erase(i)
	s.c.Count(s.name(), "Number of hoisted machine instructions CSEed", 1)
	return true
}

// unfold takes the load out of i when it alone can leave loop x, and returns it;
// 0, with nothing changed, when it cannot.
func (s *licmScratch) unfold(x int, i mir.InstrID) mir.InstrID {
	f, st := s.f, s.c.Subtarget
	d := f.Desc(i)
	if d.CanFoldAsLoad() || !d.MayLoad() || !f.IsInvariantLoad(i) {
		return 0
	}
	op, k, ok := st.UnfoldedOpcode(f.Instr(i).Opcode, true, false)
	if !ok || d.MayStore() {
		return 0
	}
	r := f.AddVReg(int16(f.Facts.OperandClass(op, k, f.Facts.DefaultMode)))
	try := f.Clone(i)
	f.InsertBefore(f.Instr(i).Block(), i, try)
	rest := st.UnfoldMemory(f, try, r, true, false)
	if rest == 0 {
		f.Erase(try)
		return 0
	}
	load := f.Instr(rest).Prev()
	if !s.isInvariant(x, load) || !s.pays(x, load) {
		f.Erase(rest)
		f.Erase(load)
		return 0
	}
	s.press.update(rest, false)
	f.Erase(i)
	return load
}

// isInvariant reports that i can be computed in front of loop x: the same
// value, and nothing worse than computing it for nothing.
func (s *licmScratch) isInvariant(x int, i mir.InstrID) bool {
	return s.mayLeave(x, i) && s.operandsInvariant(x, i, mir.NoReg)
}

// mayLeave judges what i does besides computing.
func (s *licmScratch) mayLeave(x int, i mir.InstrID) bool {
	f := s.f
	sawStore := !s.freeLoads[x]
	if !safeToMove(f, i, &sawStore) {
		return false
	}
	if f.MayLoad(i) && !s.loadsConstant(i) && !s.alwaysRuns(x, f.Instr(i).Block()) {
		return false
	}
	return !isConvergent(f, i)
}

// loadsConstant reports a load from the constant pool or the GOT, or one that
// lost its memory operands (which only such a load may leave a loop as).
func (s *licmScratch) loadsConstant(i mir.InstrID) bool {
	f := s.f
	n := f.NumMem(i)
	for k := range n {
		if p := f.MemOf(i, k).PtrKind; p == mir.PtrGOT || p == mir.PtrConstantPool {
			return true
		}
	}
	return n == 0
}

// alwaysRuns reports that every turn that leaves loop x has run block b.
func (s *licmScratch) alwaysRuns(x int, b mir.BlockID) bool {
	if s.fixed != speculateUnknown {
		return s.fixed == speculateNo
	}
	s.fixed = speculateNo
	if int32(b) != s.loops.All[x].Header {
		for _, e := range s.exitsOf(x) {
			if !s.dom.Dominates(int(b), int(e.from)) {
				s.fixed = speculateYes
				break
			}
		}
	}
	return s.fixed == speculateNo
}

// operandsInvariant reports that the operands of i, but for register except,
// have in front of loop x the values that they have in it.
func (s *licmScratch) operandsInvariant(x int, i mir.InstrID, except mir.Reg) bool {
	f := s.f
	n := f.Instr(i).NumOps()
	for k := range n {
		o := f.Op(i, k)
		if !o.IsReg() || o.Reg() == mir.NoReg || o.Reg() == except {
			continue
		}
		if o.Reg().IsPhysical() {
			if o.IsUse() {
				if !s.regs.isConstant(o.Reg()) {
					return false
				}
			} else if !o.IsDead() || f.IsLiveIn(mir.BlockID(s.loops.All[x].Header), o.Reg()) {
				return false
			}
			continue
		}
		if o.IsDef() {
			continue
		}
		if d := defOf(f, o.Reg()); d != 0 && s.inLoop(x, f.Instr(d).Block()) {
			return false
		}
	}
	return true
}

// pays judges whether moving i, which is invariant in loop x, is worth the
// registers that then live through the loop.
func (s *licmScratch) pays(x int, i mir.InstrID) bool {
	f, st := s.f, s.c.Subtarget
	d := f.Desc(i)
	if f.Instr(i).Opcode == desc.IMPLICIT_DEF {
		return true
	}
	cheap := d.IsAsCheapAsAMove() || isCopyLike(f.Instr(i).Opcode)
	makesCopy := s.usedByLoopPHI(x, i)
	if cheap && makesCopy {
		return false
	}
	again := st.IsTriviallyRematerializable(f, i)
	if again {
		return true
	}
	if s.isSlow(x, i) {
		s.c.Count(s.name(), "Number of high latency instructions hoisted", 1)
		return true
	}
	s.press.costOf(i, false, false)
	if !s.press.high(cheap) {
		s.c.Count(s.name(), "Number of instructions hoisted in low reg pressure situation", 1)
		return true
	}
	if makesCopy {
		return false
	}
	if !s.alwaysRuns(x, f.Instr(i).Block()) && s.equalTo(i) == 0 {
		return false
	}
	if s.freesUsers(x, i) {
		return true
	}
	return f.IsInvariantLoad(i)
}

// isSlow reports that something in loop x waits long for the result of i.
func (s *licmScratch) isSlow(x int, i mir.InstrID) bool {
	f, h := s.f, s.c.Machine.Target.Instr.HasHighLatency
	if h == nil || !h(f, i) {
		return false
	}
	for k := range int(f.Desc(i).NumOperands) {
		o := f.Op(i, k)
		if !o.IsDef() || o.IsImplicit() || !o.Reg().IsVirtual() {
			continue
		}
		for u := range f.NonDebugUses(o.Reg()) {
			if !isCopyLike(f.Instr(u).Opcode) && s.inLoop(x, f.Instr(u).Block()) {
				return true
			}
		}
	}
	return false
}

// freesUsers reports a copy whose users in loop x can follow it, or which costs
// no register that there is not.
func (s *licmScratch) freesUsers(x int, i mir.InstrID) bool {
	f := s.f
	if op := f.Instr(i).Opcode; op != desc.COPY && op != desc.REG_SEQUENCE {
		return false
	}
	r := f.Op(i, 0).Reg()
	if !r.IsVirtual() || !s.isInvariant(x, i) {
		return false
	}
	for k := 1; k < f.Instr(i).NumOps(); k++ {
		if o := f.Op(i, k); o.IsUse() && !o.Reg().IsVirtual() && !(o.Reg().IsPhysical() && s.regs.isConstant(o.Reg())) {
			return false
		}
	}
	high := s.press.high(false)
	for u := range f.NonDebugUses(r) {
		if s.inLoop(x, f.Instr(u).Block()) && (!high || s.operandsInvariant(x, u, r)) {
			return true
		}
	}
	return false
}

// usedByLoopPHI reports that a PHI in loop x, or in a block behind it, reads a
// result of i, perhaps through copies: it would become a copy in the loop.
func (s *licmScratch) usedByLoopPHI(x int, i mir.InstrID) bool {
	f := s.f
	s.copies = append(s.copies[:0], i)
	for len(s.copies) > 0 {
		i := s.copies[len(s.copies)-1]
		s.copies = s.copies[:len(s.copies)-1]
		for k := range f.Instr(i).NumOps() {
			o := f.Op(i, k)
			if !o.IsDef() || !o.Reg().IsVirtual() {
				continue
			}
			for u := range f.NonDebugUses(o.Reg()) {
				b := f.Instr(u).Block()
				switch in := s.inLoop(x, b); {
				case f.IsPHI(u):
					if in || s.isExit(x, b) {
						return true
					}
				case in && f.Instr(u).Opcode == desc.COPY:
					s.copies = append(s.copies, u)
				}
			}
		}
	}
	return false
}

// isExit reports that an edge leads from loop x to b.
func (s *licmScratch) isExit(x int, b mir.BlockID) bool {
	for _, p := range s.f.Preds(b) {
		if s.inLoop(x, p) {
			return true
		}
	}
	return false
}

// mayHoistInto reports that code can be added at the end of b, in front of its
// terminators: it would run whenever b is left.
func mayHoistInto(f *mir.Function, b mir.BlockID) bool {
	if last := f.Block(b).Last(); last != 0 && f.Desc(last).IsReturn() {
		return false
	}
	for _, e := range f.Succs(b) {
		if f.Block(e.Block).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 {
			return false
		}
	}
	return true
}
