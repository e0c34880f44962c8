package ssaopt

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/codegen/alias"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// MachineSink moves instructions down into the one successor of their block, or
// the one block that it immediately dominates, under which all readers are: they
// are then computed on fewer ways, and their registers live shorter. A critical
// edge on the way is split where that is worth a block, and the instruction
// moves there in the next round.
var MachineSink = pass.Pass{
	Name:     "machine-sink",
	Title:    "Machine code sinking",
	Requires: mir.IsSSA,
	Optional: pass.Skippable,
	Run:      runMachineSink,
}

const (
	// splitProbability is the greatest probability, of 100, of an edge that is
	// split for a cheap instruction.
	splitProbability = 40
	// storeScanInstrs and storeScanBlocks bound the search for stores between
	// two blocks: a longer block, or more of them, may store.
	storeScanInstrs = 2000
	storeScanBlocks = 20
	// maxSinkRounds bounds the walks over the function, maxSinkDepth the blocks
	// that are looked at behind one another, maxSinkTargets the blocks that an
	// instruction may move to from one block.
	maxSinkRounds  = 100
	maxSinkDepth   = 32
	maxSinkTargets = 256
)

// blockPair is an edge, or the ends of a way.
type blockPair struct{ from, to mir.BlockID }

// sinkScratch is the memory of the pass between functions.
type sinkScratch struct {
	c      *pass.Context
	f      *mir.Function
	regs   physRegs
	memory alias.Memory
	dom    *pass.Dominators
	pdom   *pass.PostDominators
	loops  *pass.Loops
	freq   *pass.Frequencies
	// tangled marks the blocks of cycles that are no natural loops, when there are some.
	tangled []bool

	targets []mir.BlockID // of block targetsOf

	considered map[blockPair]bool
	merge      map[mergeKey]mir.BlockID
	split      []blockPair
	splitSet   map[blockPair]bool

	stores   map[blockPair]bool // whether something between may store
	between  map[blockPair][]mir.InstrID
	unkill   []mir.Reg
	dbgUsers map[mir.Reg][]dbgUser
	dbgVars  map[dbgVar]bool
	pressure blockPressure
	seen     []uint32
	stamp    uint32
	work     []mir.BlockID
	scan     []mir.BlockID
	probs    []mir.Prob
}

// mergeKey names copies of one register towards one block.
type mergeKey struct {
	reg mir.Reg
	to  mir.BlockID
}

// dbgUser is a DBG_VALUE behind the current instruction; passed says that
// another of its variable stands behind it.
type dbgUser struct {
	instr  mir.InstrID
	passed bool
}

// dbgVar is a variable as debug values tell them apart.
type dbgVar struct{ variable, expr, inlined uint32 }

func runMachineSink(c *pass.Context, f *mir.Function) error {
	if f.FirstBlock() == 0 {
		return nil
	}
	s := pass.Scratch[sinkScratch](c)
	s.c, s.f = c, f
	s.regs.reset(c, f)
	s.memory.Reset(c, f)
	s.clear()
	clear(s.stores)
	clear(s.between)
	s.unkill = s.unkill[:0]
	s.pressure.reset(f, &s.regs)
	for round := 0; round < maxSinkRounds; round++ {
		s.look()
		s.clear()
		changed := false
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			if s.block(b) {
				changed = true
			}
		}
		for _, e := range s.split {
			if c.Subtarget.CanSplitEdge(f, e.from, e.to) {
				c.Subtarget.SplitEdge(f, e.from, e.to)
				c.Count("machine-sink", "Number of critical edges split", 1)
				changed = true
			}
		}
		if len(s.split) > 0 {
			c.DropAll()
		}
		if !changed {
			break
		}
	}
	for _, r := range s.unkill {
		clearKills(f, r)
	}
	return nil
}

// clear begins a round.
func (s *sinkScratch) clear() {
	if s.considered == nil {
		s.considered, s.merge, s.splitSet = map[blockPair]bool{}, map[mergeKey]mir.BlockID{}, map[blockPair]bool{}
		s.stores, s.between = map[blockPair]bool{}, map[blockPair][]mir.InstrID{}
		s.dbgUsers, s.dbgVars = map[mir.Reg][]dbgUser{}, map[dbgVar]bool{}
	}
	clear(s.considered)
	clear(s.merge)
	clear(s.splitSet)
	s.split = s.split[:0]
}

// look gets the analyses of the graph as it is now.
func (s *sinkScratch) look() {
	c, f := s.c, s.f
	s.dom, s.pdom = pass.Get[pass.Dominators](c, f), pass.Get[pass.PostDominators](c, f)
	s.loops, s.freq = pass.Get[pass.Loops](c, f), pass.Get[pass.Frequencies](c, f)
	s.tangled = s.tangled[:0]
	if s.loops.Irreducible {
		s.findTangled(&pass.Get[pass.CFG](c, f).Graph)
	}
}

// block sinks what can leave block b, from its end.
func (s *sinkScratch) block(b mir.BlockID) bool {
	f := s.f
	if n := f.NumSuccs(b); n <= 1 || n > maxSinkTargets || f.Block(b).First() == 0 || s.dom.Level(int(b)) < 0 {
		return false
	}
	s.targets = s.targets[:0]
	clear(s.dbgUsers)
	clear(s.dbgVars)
	changed, sawStore := false, false
	for i := f.Block(b).Last(); i != 0; {
		prev := f.Instr(i).Prev()
		switch {
		case f.IsDebugInstr(i):
			s.noteDebug(i)
		case f.Instr(i).Opcode == desc.PSEUDO_PROBE || f.Instr(i).Opcode == desc.FAKE_USE:
		case s.forwardCopy(i):
			changed = true
		case s.sink(b, i, &sawStore):
			s.c.Count("machine-sink", "Number of machine instructions sunk", 1)
			changed = true
		}
		i = prev
	}
	s.pressure.forget()
	return changed
}

// forwardCopy removes copy i of a register that nothing else reads: what
// defines it defines the copy's register.
func (s *sinkScratch) forwardCopy(i mir.InstrID) bool {
	f := s.f
	if f.Instr(i).Opcode != desc.COPY {
		return false
	}
	src, dst := f.Op(i, 1).Reg(), f.Op(i, 0).Reg()
	if !src.IsVirtual() || !dst.IsVirtual() || !f.HasOneUse(src) || f.VReg(src).Class != f.VReg(dst).Class || f.VReg(src).Class < 0 || f.Op(i, 1).SubReg() != 0 {
		return false
	}
	if def := defOf(f, src); def == 0 || isCopyLike(f.Instr(def).Opcode) {
		return false
	}
	f.Erase(i)
	f.ReplaceReg(dst, src)
	clearKills(f, src)
	s.c.Count("machine-sink", "Number of copies coalesced", 1)
	return true
}

// sink moves i out of block b if it can, or has an edge split for it.
func (s *sinkScratch) sink(b mir.BlockID, i mir.InstrID, sawStore *bool) bool {
	f := s.f
	if !safeToMove(f, i, sawStore) || isConvergent(f, i) {
		return false
	}
	to, atPHI := s.findTarget(i, b, b, 0)
	if to == 0 {
		return false
	}
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsDef() && o.Reg().IsPhysical() && f.IsLiveIn(to, o.Reg()) {
			return false // its dead definition would end a life there
		}
	}
	if atPHI || f.NumPreds(to) > 1 && s.mustSplit(i, b, to) {
		s.postpone(i, b, to, atPHI)
		return false
	}
	at := f.FirstNonPHI(to)
	for at != 0 && (f.IsPHI(at) || isPosition(f.Instr(at).Opcode)) {
		at = f.Instr(at).Next()
	}
	s.move(i, to, at)
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsUse() && o.Reg() != mir.NoReg {
			s.unkill = append(s.unkill, o.Reg())
		}
	}
	return true
}

// mustSplit reports that i may not run whenever block to, which has several
// predecessors, is entered.
func (s *sinkScratch) mustSplit(i mir.InstrID, b, to mir.BlockID) bool {
	store := true
	if s.f.MayLoad(i) {
		store = s.storeBetween(b, to, i)
	}
	return !safeToMove(s.f, i, &store) || !s.dom.Dominates(int(b), int(to)) || s.isTangled(to) || s.loops.IsHeader(int(to))
}

// findTarget finds the block behind from that i can move to, 0 for none. atPHI
// says that its PHIs alone read the results. from is the block of i, home,
// or one that it might move to.
func (s *sinkScratch) findTarget(i mir.InstrID, from, home mir.BlockID, depth int) (to mir.BlockID, atPHI bool) {
	f := s.f
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || o.Reg() == mir.NoReg {
			continue
		}
		r := o.Reg()
		if r.IsPhysical() {
			if o.IsUse() && !s.regs.isConstant(r) || o.IsDef() && !o.IsDead() {
				return 0, false
			}
			continue
		}
		if o.IsUse() {
			continue
		}
		if c := f.VReg(r).Class; c >= 0 && !s.c.Subtarget.IsSafeToMoveDefs(desc.ClassID(c)) {
			return 0, false
		}
		if to != 0 {
			ok, phis, _ := s.usesUnder(r, to, from)
			atPHI = atPHI || phis
			if !ok {
				return 0, false
			}
			continue
		}
		for _, t := range s.targetsOf(from, home) {
			ok, phis, local := s.usesUnder(r, t, from)
			atPHI = atPHI || phis
			if ok {
				to = t
				break
			}
			if local {
				return 0, false
			}
		}
		if to == 0 || !s.pays(r, i, from, to, home, depth) {
			return 0, false
		}
	}
	if to == 0 || to == from || f.Block(to).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 {
		return 0, false
	}
	return to, atPHI
}

// targetsOf lists the blocks that instructions may move to from block b, the
// most rarely run first: successors, and for the block that is worked on those
// that it immediately dominates.
func (s *sinkScratch) targetsOf(b, home mir.BlockID) []mir.BlockID {
	f := s.f
	if b == home && len(s.targets) > 0 {
		return s.targets
	}
	var list []mir.BlockID
	if b == home {
		list = s.targets[:0]
	}
	for _, e := range f.Succs(b) {
		list = append(list, e.Block)
	}
	if b == home {
		s.dom.Children(int(b), func(ch int) {
			if len(list) < 2*maxSinkTargets && !f.HasSucc(b, mir.BlockID(ch)) {
				list = append(list, mir.BlockID(ch))
			}
		})
	}
	size := optForSize(f)
	slices.SortStableFunc(list, func(x, y mir.BlockID) int {
		p, q := s.freq.Freq[x], s.freq.Freq[y]
		if size || p == 0 && q == 0 {
			return s.depth(x) - s.depth(y)
		}
		return cmp.Compare(p, q)
	})
	if b == home {
		s.targets = list
	}
	return list
}

// usesUnder reports that block to dominates all readers of r, which is defined
// in block def. phis says that they are PHIs of block to over the edge from def,
// local that some reader stands in def itself.
func (s *sinkScratch) usesUnder(r mir.Reg, to, def mir.BlockID) (ok, phis, local bool) {
	f := s.f
	any := false
	phis = true
	for u, k := range f.NonDebugUses(r) {
		any = true
		if !(f.Instr(u).Block() == to && f.IsPHI(u) && f.Op(u, k+1).Block() == def) {
			phis = false
			break
		}
	}
	if !any {
		return true, false, false
	}
	if phis {
		return true, true, false
	}
	for u, k := range f.NonDebugUses(r) {
		b := f.Instr(u).Block()
		if f.IsPHI(u) {
			b = f.Op(u, k+1).Block()
		} else if b == def {
			return false, false, true
		}
		if !s.dom.Dominates(int(to), int(b)) {
			return false, false, false
		}
	}
	return true, false, false
}

// pays judges moving i, which defines r, from block b to block to.
func (s *sinkScratch) pays(r mir.Reg, i mir.InstrID, b, to, home mir.BlockID, depth int) bool {
	f := s.f
	if b == to || depth > maxSinkDepth {
		return false
	}
	if !s.pdom.Dominates(int(to), int(b)) || s.depth(b) > s.depth(to) {
		return true
	}
	// As often as here. Worth it when PHIs alone read it there, or when it can go on.
	inside := false
	for u := range f.NonDebugUses(r) {
		inside = inside || f.Instr(u).Block() == to && !f.IsPHI(u)
	}
	if !inside {
		return true
	}
	if next, _ := s.findTarget(i, to, home, depth+1); next != 0 {
		return s.pays(r, i, to, next, home, depth+1)
	}
	loop := s.loops.Loop[b]
	if loop < 0 && !s.isTangled(b) {
		return false
	}
	// In a loop it may shorten lives, if its own operands find registers there.
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || o.Reg() == mir.NoReg {
			continue
		}
		if o.Reg().IsPhysical() {
			if o.IsUse() && !s.regs.isConstant(o.Reg()) {
				return false
			}
			continue
		}
		if o.IsDef() {
			if ok, _, _ := s.usesUnder(o.Reg(), to, b); !ok {
				return false
			}
			continue
		}
		def := defOf(f, o.Reg())
		if def == 0 {
			continue
		}
		db := f.Instr(def).Block()
		if s.loops.Loop[db] != loop || f.IsPHI(def) && s.loops.IsHeader(int(db)) {
			continue
		}
		if s.pressure.exceeds(o.Reg(), to) {
			return false
		}
	}
	return true
}

// depth is the number of cycles around block b.
func (s *sinkScratch) depth(b mir.BlockID) int {
	n := s.loops.Depth(int(b))
	if s.isTangled(b) {
		n++
	}
	return n
}

func (s *sinkScratch) isTangled(b mir.BlockID) bool { return int(b) < len(s.tangled) && s.tangled[b] }

// Edges.

// postpone has the edge from b to to split after this round, if that is worth
// it and i can then move there.
func (s *sinkScratch) postpone(i mir.InstrID, b, to mir.BlockID, atPHI bool) {
	worth, also := s.worthSplitting(i, b, to)
	if !worth || also != 0 && !s.splitSet[blockPair{also, to}] && !s.maySplit(also, to, atPHI) || !s.maySplit(b, to, atPHI) {
		return
	}
	s.addSplit(b, to)
	if also != 0 {
		s.addSplit(also, to)
	}
}

func (s *sinkScratch) addSplit(b, to mir.BlockID) {
	if e := (blockPair{b, to}); !s.splitSet[e] {
		s.splitSet[e] = true
		s.split = append(s.split, e)
	}
}

// worthSplitting judges splitting the edge from b to to for i. also is another
// block from which the same value goes to to.
func (s *sinkScratch) worthSplitting(i mir.InstrID, b, to mir.BlockID) (worth bool, also mir.BlockID) {
	f := s.f
	e := blockPair{b, to}
	if s.considered[e] {
		return true, 0
	}
	s.considered[e] = true
	if op := f.Instr(i).Opcode; op != desc.COPY && !f.Desc(i).IsAsCheapAsAMove() {
		return true, 0
	}
	if op := f.Instr(i).Opcode; op == desc.COPY && f.Op(i, 1).Reg().IsVirtual() {
		// Copies of one register from several blocks become one behind them.
		k := mergeKey{f.Op(i, 1).Reg(), to}
		if from, ok := s.merge[k]; ok {
			return true, from
		}
		s.merge[k] = b
	}
	if s.edgeProbability(b, to) <= splitProbability*(mir.ProbOne/100) {
		return true, 0
	}
	// A cheap instruction is worth it when what feeds it alone can follow.
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsUse() || !o.Reg().IsVirtual() {
			continue
		}
		if f.HasOneUse(o.Reg()) {
			if d := defOf(f, o.Reg()); d != 0 && f.Instr(d).Block() == f.Instr(i).Block() {
				return true, 0
			}
		}
	}
	return false, 0
}

// edgeProbability is that of the edge from b to to, 1 when there is none.
func (s *sinkScratch) edgeProbability(b, to mir.BlockID) mir.Prob {
	s.probs = s.f.AppendSuccProbs(s.probs[:0], b)
	sum, found := mir.Prob(0), false
	for k, e := range s.f.Succs(b) {
		if e.Block == to {
			sum, found = min(sum+s.probs[k], mir.ProbOne), true
		}
	}
	if !found {
		return mir.ProbOne
	}
	return sum
}

// maySplit reports that an instruction on the edge from b to to is right for
// all readers under to.
func (s *sinkScratch) maySplit(b, to mir.BlockID, atPHI bool) bool {
	f := s.f
	if b == to || !f.HasSucc(b, to) {
		return false
	}
	if l := s.loops.Loop[b]; l >= 0 && l == s.loops.Loop[to] && s.loops.IsHeader(int(to)) || s.isTangled(b) && s.isTangled(to) {
		return false
	}
	if atPHI {
		return true
	}
	for _, p := range f.Preds(to) {
		if p != b && !s.dom.Dominates(int(to), int(p)) {
			return false
		}
	}
	return true
}

// storeBetween reports that something on a way from block from to block to may
// write what load i reads.
func (s *sinkScratch) storeBetween(from, to mir.BlockID, i mir.InstrID) bool {
	f := s.f
	e := blockPair{from, to}
	if known, ok := s.stores[e]; ok {
		return known
	}
	if list, ok := s.between[e]; ok {
		return slices.ContainsFunc(list, func(j mir.InstrID) bool { return s.memory.MayAlias(j, i) })
	}
	limits := &s.c.Machine.Options.Tuning
	maxInstrs, maxBlocks := limits.SinkLoads.Or(storeScanInstrs), limits.SinkLoadBlocks.Or(storeScanBlocks)
	// Looked at are the blocks on the ways from from to to, and, as in LLVM, those
	// behind from that all lead to to, which in loops are more.
	s.seen = rows.AtLeast(s.seen, f.NumBlockIDs())
	s.stamp++
	behind := s.stamp
	s.seen[from] = behind
	s.scan = s.scan[:0]
	s.work = append(s.work[:0], from)
	for len(s.work) > 0 {
		b := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if b != to && b != from && s.pdom.Dominates(int(to), int(b)) {
			s.scan = append(s.scan, b)
		}
		for _, x := range f.Succs(b) {
			if s.seen[x.Block] != behind {
				s.seen[x.Block] = behind
				s.work = append(s.work, x.Block)
			}
		}
	}
	if len(s.scan) > maxBlocks {
		s.stores[e] = true
		return true
	}
	s.stamp++
	s.seen[to], s.seen[from] = s.stamp, s.stamp
	s.work = append(s.work[:0], to)
	for len(s.work) > 0 && len(s.scan) <= 4*maxBlocks {
		b := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		for _, x := range f.Preds(b) {
			if s.seen[x] == behind {
				s.seen[x] = s.stamp
				s.scan = append(s.scan, x) // perhaps a second time
				s.work = append(s.work, x)
			}
		}
	}
	if len(s.work) > 0 {
		s.stores[e] = true
		return true
	}
	var list []mir.InstrID
	aliased := false
	for _, b := range s.scan {
		n := 0
		for j := f.Block(b).First(); j != 0; j = f.Instr(j).Next() {
			if !f.IsDebugInstr(j) {
				n++
			}
			if n > maxInstrs || f.Desc(j).IsCall() || f.HasOrderedMem(j) {
				s.stores[e] = true
				return true
			}
			if f.MayStore(j) {
				aliased = aliased || s.memory.MayAlias(j, i)
				list = append(list, j)
			}
		}
	}
	if len(list) == 0 {
		s.stores[e] = false
	} else {
		s.between[e] = list
	}
	return aliased
}

// findTangled marks the blocks of strongly connected parts of the graph that
// are entered at several blocks.
//
// The nodes on cycles through an edge are those of its strongly connected
// component, which Kosaraju's and Sharir's algorithm finds: against the edges,
// in the order in which a walk along them was done with.
func (s *sinkScratch) findTangled(g sinkGraph) {
	n := g.NumNodes()
	s.tangled = append(s.tangled[:0], make([]bool, n)...)
	head := make([]int32, n) // by node: the first of its component in reverse postorder, plus 1
	var work []int32
	rpo := g.RPO()
	for _, h := range rpo {
		if head[h] != 0 {
			continue
		}
		head[h] = h + 1
		for work = append(work[:0], h); len(work) > 0; {
			x := work[len(work)-1]
			work = work[:len(work)-1]
			for _, p := range g.Preds(int(x)) {
				if head[p] == 0 && g.Reachable(int(p)) {
					head[p] = h + 1
					work = append(work, p)
				}
			}
		}
	}
	for _, h := range rpo {
		for _, p := range g.Preds(int(h)) {
			if g.Reachable(int(p)) && g.RPONumber(int(p)) >= g.RPONumber(int(h)) && !s.dom.Dominates(int(h), int(p)) {
				s.tangled[head[h]-1] = true
			}
		}
	}
	for _, x := range rpo {
		s.tangled[x] = s.tangled[head[x]-1]
	}
}

// sinkGraph is what findTangled needs of a graph.
type sinkGraph interface {
	NumNodes() int
	RPO() []int32
	RPONumber(n int) int
	Preds(n int) []int32
	Reachable(n int) bool
}

// Moving.

// noteDebug remembers which registers debug value i names.
func (s *sinkScratch) noteDebug(i mir.InstrID) {
	f := s.f
	op := f.Instr(i).Opcode
	if op != desc.DBG_VALUE && op != desc.DBG_VALUE_LIST {
		return
	}
	v := s.variable(i)
	passed := s.dbgVars[v]
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsReg() && o.Reg().IsVirtual() {
			s.dbgUsers[o.Reg()] = append(s.dbgUsers[o.Reg()], dbgUser{i, passed})
		}
	}
	s.dbgVars[v] = true
}

// variable is the variable of a debug value.
func (s *sinkScratch) variable(i mir.InstrID) dbgVar {
	f := s.f
	at := 2
	if f.Instr(i).Opcode == desc.DBG_VALUE_LIST {
		at = 0
	}
	v := dbgVar{}
	if f.Instr(i).NumOps() > at+1 {
		v.variable, v.expr = f.Op(i, at).Index(), f.Op(i, at+1).Index()
	}
	if f.Module != nil && f.Instr(i).Loc != 0 {
		if l, ok := f.Module.MD.Location(ir.MDID(f.Instr(i).Loc)); ok {
			v.inlined = uint32(l.InlinedAt)
		}
	}
	return v
}

// move puts i before at in block to; debug values that name its results follow.
func (s *sinkScratch) move(i mir.InstrID, to mir.BlockID, at mir.InstrID) {
	f := s.f
	var follow []mir.InstrID
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsDef() || !o.Reg().IsVirtual() || len(s.dbgUsers) == 0 {
			continue
		}
		for _, u := range s.dbgUsers[o.Reg()] {
			if !u.passed {
				follow = append(follow, u.instr)
			} else if !s.copyDebug(i, u.instr, o.Reg()) {
				undefDebug(f, u.instr)
			}
		}
	}
	if f.Instr(i).Opcode == desc.COPY {
		s.salvageCopy(i, to)
	}
	if at == 0 || f.Instr(at).Loc != f.Instr(i).Loc {
		f.Instr(i).Loc = 0
	}
	f.Move(to, at, i)
	for _, d := range follow {
		c := f.Clone(d)
		f.InsertBefore(to, at, c)
		for k := range f.Instr(i).NumOps() {
			if o := f.Op(i, k); o.IsDef() && o.Reg().IsVirtual() && namesDebug(f, d, o.Reg()) && !s.copyDebug(i, d, o.Reg()) {
				undefDebug(f, d)
				break
			}
		}
	}
}

func namesDebug(f *mir.Function, d mir.InstrID, r mir.Reg) bool {
	ops := f.Ops(d)
	return slices.ContainsFunc(ops, func(o mir.Operand) bool { return o.IsReg() && o.Reg() == r })
}

// copyDebug has debug value d, which names the result r of copy i, name the
// source; false when i is no copy or parts of registers differ.
func (s *sinkScratch) copyDebug(i, d mir.InstrID, r mir.Reg) bool {
	f := s.f
	if !s.c.Subtarget.IsCopy(f, i) {
		return false
	}
	src, dst := *f.Op(i, 1), *f.Op(i, 0)
	if !src.Reg().IsVirtual() {
		return false
	}
	for k := range f.Instr(d).NumOps() {
		if o := f.Op(d, k); o.IsReg() && o.Reg() == r && (o.SubReg() != src.SubReg() || o.SubReg() != dst.SubReg()) {
			return false
		}
	}
	for k := range f.Instr(d).NumOps() {
		if o := f.Op(d, k); o.IsReg() && o.Reg() == r {
			f.SetReg(d, k, src.Reg())
			f.SetSubReg(d, k, src.SubReg())
		}
	}
	return true
}

// undefDebug makes a debug value name nothing.
func undefDebug(f *mir.Function, d mir.InstrID) {
	for k := range f.Instr(d).NumOps() {
		if o := f.Op(d, k); o.IsReg() && o.IsDebug() && o.Reg() != mir.NoReg {
			f.SetReg(d, k, mir.NoReg)
			f.SetSubReg(d, k, 0)
		}
	}
}

// salvageCopy has debug values that copy i will not dominate in block to name
// what is copied.
func (s *sinkScratch) salvageCopy(i mir.InstrID, to mir.BlockID) {
	f := s.f
	src, dst := *f.Op(i, 1), f.Op(i, 0).Reg()
	if !dst.IsVirtual() {
		return
	}
	for u, k := range f.Uses(dst) {
		b := f.Instr(u).Block()
		if !f.IsDebugInstr(u) || s.dom.Dominates(int(to), int(b)) || b == f.Instr(i).Block() {
			continue
		}
		f.SetReg(u, k, src.Reg())
		f.SetSubReg(u, k, src.SubReg())
	}
}
