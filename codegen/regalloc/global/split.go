package global

import (
	"cmp"
	"math"
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// Splitting around regions: for each physical register the network of
// spillPlacement tells in which part of the function the value is best in it; the
// best register gets a new virtual one there, and the rest becomes the complement.

// growBudget bounds the blocks that are looked at while a region grows.
const growBudget = 10000

// roundingShare is more than what sums of costs differ by that are added up in different orders.
const roundingShare = 1e-9

// noCand is no candidate.
const noCand = -1

// candidate is a physical register with the region where it is worth having;
// register 0 stands for the region around the uses, whatever the register.
type candidate struct {
	phys    desc.PhysReg
	intv    int
	bundles bitset
	// blocks are those that the value passes through in the region.
	blocks []mir.BlockID
	// taken says of each of blocks, as far as they were looked at, how the physical
	// register is taken there.
	taken []takenIn
}

// takenIn says how a physical register is taken in a block that a value passes through.
type takenIn uint8

const (
	takenInside takenIn = 1 << iota // somewhere
	takenEntry                      // at the entry
	takenExit                       // at the exit
	takenWhole                      // where a copy would have to stand in front
)

// seenBlock is a block that was looked at while a region grew.
type seenBlock struct {
	block mir.BlockID
	taken takenIn
}

// regionTry is a physical register that may be a candidate, the nth in the order:
// what its blocks with uses cost, and the row in limitRows of what they want.
type regionTry struct {
	phys desc.PhysReg
	nth  int
	row  int
	cost float64
	// from and to are the blocks in seen of its region.
	from, to int
}

type splitter struct {
	g     *greedy
	x     splitAnalysis
	e     splitEditor
	place spillPlacement
	cands []candidate
	// limits are what the blocks with uses want of the candidate at hand, limitRows of all
	// that are tried.
	limits    []blockConstraint
	limitRows []blockConstraint
	tries     []regionTry
	seen      []seenBlock
	batch     []blockConstraint
	links     []mir.BlockID
	todo      bitset
	// candOf is the candidate that each bundle was given to.
	candOf  []int
	gaps    []float32
	gapEnds []liveness.Index // by gap: the place where it ends
	calls   []int
}

func (s *splitter) begin(g *greedy) {
	s.g = g
	s.x.begin(&g.alloc)
	s.place.init(g.c, g.f, pass.Get[EdgeBundles](g.c, g.f))
}

// trySplit splits iv, if that may help; newVRegs has the parts then.
func (g *greedy) trySplit(iv *liveness.Interval, o *allocOrder) desc.PhysReg {
	s := &g.split
	before := len(g.newVRegs)
	s.x.analyze(iv)
	if g.oneBlock(&iv.Range) != 0 {
		s.local(iv, o)
		if len(g.newVRegs) == before {
			s.aroundInstrs(iv)
		}
		return 0
	}
	if g.of(iv.Reg).stage < stageSplit2 {
		s.region(iv, o)
		if len(g.newVRegs) > before {
			return 0
		}
	}
	s.blocks(iv)
	return 0
}

// region splits around the best region, if that is cheaper than to spill.
func (s *splitter) region(iv *liveness.Interval, o *allocOrder) {
	best := s.spillCost()
	num := 0
	compact := s.compactRegion()
	if compact {
		num, best = 1, math.Inf(1)
	}
	k := s.bestRegion(o, &best, num, false)
	if !compact && k == noCand {
		return
	}
	s.splitRegion(iv, k, compact)
}

// spillCost is what it costs to spill the register around all its uses.
func (s *splitter) spillCost() float64 {
	cost := 0.0
	for k := range s.x.uses {
		u := &s.x.uses[k]
		cost += s.place.freq[u.block]
		if u.liveIn && u.liveOut && u.firstDef != 0 {
			cost += s.place.freq[u.block]
		}
	}
	return cost
}

// cand returns candidate k, emptied.
func (s *splitter) cand(k int, p desc.PhysReg) *candidate {
	if k == len(s.cands) {
		s.cands = append(s.cands, candidate{})
	}
	c := &s.cands[k]
	c.phys, c.intv, c.blocks, c.taken = p, 0, c.blocks[:0], c.taken[:0]
	return c
}

// compactRegion finds the region around the uses that leaves long stretches
// without uses out, as candidate 0.
func (s *splitter) compactRegion() bool {
	if s.x.numThrough == 0 {
		return false
	}
	c := s.cand(0, 0)
	s.place.prepare(&c.bundles)
	s.limitRows = rows.Sized(s.limitRows, len(s.x.uses))
	s.limits = s.limitRows
	s.useCost(0, s.limits, math.Inf(1))
	if !s.addUses() || !s.grow(c, 0, math.Inf(1)) {
		return false
	}
	s.place.finish()
	return c.bundles.next(0) >= 0
}

// bestRegion finds the register whose region costs least, less than best, and of
// equals the first in the order; the candidates from num on are free. noCand: there is none.
//
// What the blocks with uses cost alone is a bound from below, which is cheap: those
// for which it is least come first, so that most of the others are not looked at.
func (s *splitter) bestRegion(o *allocOrder, best *float64, num int, noSaved bool) int {
	s.tries = s.tries[:0]
	n := len(s.x.uses)
	s.limitRows = s.limitRows[:0]
	for k := range o.num() {
		p, _ := o.at(k)
		if p == 0 || noSaved && s.g.isUnusedSaved(p) {
			continue
		}
		s.limitRows = slices.Grow(s.limitRows, n)
		row := len(s.limitRows)
		if cost, ok := s.useCost(p, s.limitRows[row:row+n], *best); ok && cost < *best {
			s.limitRows = s.limitRows[:row+n]
			s.tries = append(s.tries, regionTry{phys: p, nth: k, row: row, cost: cost})
		}
	}
	slices.SortFunc(s.tries, func(a, b regionTry) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), a.nth-b.nth)
	})
	found, nth := noCand, 0
	s.seen = s.seen[:0]
	for k := range s.tries {
		t := &s.tries[k]
		// Of the same cost as the best one it wins when it comes before that, if nothing is added.
		if t.cost > *best || t.cost == *best && (found == noCand || t.nth > nth) {
			break
		}
		if s.likeEarlier(k, n) {
			continue // it costs the same, and comes later in the order
		}
		c := s.cand(num, t.phys)
		s.place.prepare(&c.bundles)
		s.limits = s.limitRows[t.row : t.row+n]
		ok := s.addUses() && s.grow(c, t.cost, *best)
		s.noteSeen(k, c)
		if !ok {
			continue
		}
		s.place.finish()
		if c.bundles.next(0) < 0 {
			continue
		}
		if cost := t.cost + s.regionCost(c); cost < *best || cost == *best && found != noCand && t.nth < nth {
			*best, found, nth = cost, num, t.nth
			num++
		}
	}
	return found
}

// noteSeen notes what try k looked at, if others may look at the same.
func (s *splitter) noteSeen(k int, c *candidate) {
	t := &s.tries[k]
	t.from, t.to = len(s.seen), len(s.seen)
	if k+1 == len(s.tries) || s.tries[k+1].cost != t.cost {
		return
	}
	for n, x := range c.taken {
		s.seen = append(s.seen, seenBlock{c.blocks[n], x})
	}
	t.to = len(s.seen)
}

// likeEarlier reports whether try k is in the way of the same as an earlier one in all
// n blocks with uses and in all that were looked at for that: its region is the same.
func (s *splitter) likeEarlier(k, n int) bool {
	t := &s.tries[k]
	for j := k - 1; j >= 0 && s.tries[j].cost == t.cost; j-- {
		o := &s.tries[j]
		if !slices.Equal(s.limitRows[t.row:t.row+n], s.limitRows[o.row:o.row+n]) {
			continue
		}
		spans := s.g.matrix.Spans(mir.Reg(t.phys))
		if !slices.ContainsFunc(s.seen[o.from:o.to], func(x seenBlock) bool { return s.howTaken(spans, x.block) != x.taken }) {
			t.from, t.to = o.from, o.to
			return true
		}
	}
	return false
}

// howTaken says how a register is taken in block b, which the value passes through.
func (s *splitter) howTaken(spans *liveness.Spans, b mir.BlockID) takenIn {
	g, x := s.g, spans.At(b)
	if x.Last == 0 {
		return 0
	}
	how := takenInside
	if x.First <= g.idx.BlockStart(b) {
		how |= takenEntry
	}
	if x.Last >= s.x.lastSplit(b) {
		how |= takenExit
	}
	if i := g.f.SkipDebug(g.f.Block(b).First()); i != 0 && g.idx.Of(i) != 0 && g.idx.Of(i) < s.x.firstSplit(b) {
		how |= takenWhole
	}
	return how
}

// useCost is what it costs to leave physical register p (0: any) inside of the
// blocks with uses, and says in limits what these want. ok is false when a copy would have to
// stand where none can, and when it costs bound or more.
func (s *splitter) useCost(p desc.PhysReg, limits []blockConstraint, bound float64) (cost float64, ok bool) {
	g := s.g
	var spans *liveness.Spans
	if p != 0 {
		spans = g.matrix.Spans(mir.Reg(p))
	}
	for k := range s.x.uses {
		u, l := &s.x.uses[k], &limits[k]
		*l = blockConstraint{block: u.block, changes: u.firstDef != 0}
		if u.liveIn {
			l.entry = prefReg
		}
		if u.liveOut && !u.lastUndef {
			l.exit = prefReg
		}
		if p == 0 {
			continue
		}
		x := spans.At(u.block)
		if x.Last == 0 {
			continue
		}
		n := 0
		if u.liveIn {
			switch {
			case x.First <= g.idx.BlockStart(u.block):
				l.entry = mustSpill
				n++
			case x.First < u.first:
				l.entry = prefSpill
				n++
			case x.First < u.last:
				n++
			}
			if (l.entry == mustSpill || l.entry == prefSpill) && liveness.EarlierInstr(u.first, s.x.firstSplit(u.block)) {
				return 0, false
			}
		}
		if u.liveOut {
			lsp := s.x.lastSplit(u.block)
			switch {
			case x.Last >= lsp:
				l.exit = mustSpill
				n++
			case x.Last > u.last:
				l.exit = prefSpill
				n++
			case x.Last > u.first:
				n++
			}
		}
		if cost += float64(n) * s.place.freq[u.block]; cost >= bound {
			return 0, false
		}
	}
	return cost, true
}

// addUses tells the network what the blocks with uses want, as s.limits has it, and
// reports whether a bundle wants the register.
func (s *splitter) addUses() bool {
	s.place.addConstraints(s.limits)
	return s.place.scanActive()
}

// addThrough tells the network of blocks that the value passes through.
func (s *splitter) addThrough(c *candidate, blocks []mir.BlockID) bool {
	s.batch, s.links = s.batch[:0], s.links[:0]
	spans := s.g.matrix.Spans(mir.Reg(c.phys))
	for _, b := range blocks {
		how := s.howTaken(spans, b)
		c.taken = append(c.taken, how)
		if how == 0 {
			s.links = append(s.links, b)
			continue
		}
		if how&takenWhole != 0 {
			return false
		}
		l := blockConstraint{block: b, entry: prefSpill, exit: prefSpill}
		if how&takenEntry != 0 {
			l.entry = mustSpill
		}
		if how&takenExit != 0 {
			l.exit = mustSpill
		}
		s.batch = append(s.batch, l)
	}
	s.place.addConstraints(s.batch)
	s.place.addLinks(s.links)
	return true
}

// grow adds the blocks around bundles that want the register until no more do, unless
// the region, of which the uses cost what is given, is sure to cost more than limit.
func (s *splitter) grow(c *candidate, cost, limit float64) bool {
	limit += limit * roundingShare
	s.todo.copyFrom(&s.x.through)
	budget, added := growBudget, 0
	for {
		for _, n := range s.place.recent {
			blocks := s.place.bundles.Blocks(int(n))
			if len(blocks) >= budget {
				return false
			}
			budget -= len(blocks)
			for _, b := range blocks {
				if row := int(s.x.row[b]); s.todo.has(row) {
					s.todo.remove(row)
					c.blocks = append(c.blocks, b)
				}
			}
		}
		if cost+s.place.lowest() > limit {
			return false
		}
		if len(c.blocks) == added {
			return true
		}
		fresh := c.blocks[added:]
		if c.phys != 0 {
			if !s.addThrough(c, fresh) {
				return false
			}
		} else if !s.isCounterLoop(fresh) {
			s.place.addPrefSpill(fresh, true)
		}
		added = len(c.blocks)
		s.place.iterate()
	}
}

// isCounterLoop reports whether the value looks like a loop's counter and the
// blocks are that loop's: it is better pushed out of the way inside of it.
func (s *splitter) isCounterLoop(blocks []mir.BlockID) bool {
	if !s.x.looksLikeIV || len(blocks) < 2 {
		return false
	}
	l := s.g.loops.Loop[blocks[0]]
	if l < 0 || s.g.loops.All[l].Header != int32(blocks[0]) {
		return false
	}
	return !slices.ContainsFunc(blocks, func(b mir.BlockID) bool { return s.g.loops.Loop[b] != l })
}

// regionCost is what it costs to enter and leave the region of c.
func (s *splitter) regionCost(c *candidate) float64 {
	cost := 0.0
	for k := range s.x.uses {
		u, l := &s.x.uses[k], &s.limits[k]
		n, e := 0, s.place.ends[u.block]
		if u.liveIn && c.bundles.has(int(e.in)) != (l.entry == prefReg) {
			n++
		}
		if u.liveOut && c.bundles.has(int(e.out)) != (l.exit == prefReg) {
			n++
		}
		cost += float64(n) * e.freq
	}
	for k, x := range c.blocks {
		e := s.place.ends[x]
		switch in, out := c.bundles.has(int(e.in)), c.bundles.has(int(e.out)); {
		case in && out:
			if c.taken[k] != 0 {
				cost += 2 * e.freq
			}
		case in || out:
			cost += e.freq
		}
	}
	return cost
}

// splitRegion splits iv around the region of candidate best, and around the
// compact one where that has none.
func (s *splitter) splitRegion(iv *liveness.Interval, best int, compact bool) {
	g, e := s.g, &s.e
	from := len(g.newVRegs)
	e.begin(&g.alloc, &s.x, iv, true, &g.newVRegs)
	n := s.place.bundles.Num()
	s.candOf = rows.Sized(s.candOf, n)
	for k := range s.candOf {
		s.candOf[k] = noCand
	}
	var used [2]int
	num := 0
	take := func(k int) {
		c := &s.cands[k]
		any := false
		for b := c.bundles.next(0); b >= 0; b = c.bundles.next(b + 1) {
			if s.candOf[b] == noCand {
				s.candOf[b] = k
				any = true
			}
		}
		if any {
			used[num] = k
			num++
			c.intv = e.openIntv()
		}
	}
	if best != noCand {
		take(best)
	}
	if compact {
		take(0)
	}
	if num == 0 {
		return
	}
	globals := len(e.regs)
	single := g.classes.IsProperSubClass(desc.ClassID(g.f.VReg(iv.Reg).Class))
	for k := range s.x.uses {
		s.splitUses(&s.x.uses[k], single)
	}
	s.todo.copyFrom(&s.x.through)
	for _, k := range used[:num] {
		for _, b := range s.cands[k].blocks {
			if row := int(s.x.row[b]); s.todo.has(row) {
				s.todo.remove(row)
				in, leave, out, enter := s.ends(b, true, true)
				if in != 0 || out != 0 {
					e.throughBlock(b, in, leave, out, enter)
				}
			}
		}
	}
	g.c.Count("regalloc", "Number of split global live ranges", 1)
	blocks := s.x.numBlocks()
	e.finish()
	for k, r := range g.newVRegs[from:] {
		x := g.of(r)
		if x.stage != stageNew || k >= len(e.of) {
			continue
		}
		switch n := e.of[k]; {
		case n == 0:
			x.stage = stageSpill // the complement is not split again
		case n < globals && g.lis.Has(r) && s.x.countBlocks(g.lis.Interval(r)) >= blocks:
			x.stage = stageSplit2 // no smaller: it must get so next time
		}
	}
}

// ends says in which registers the value enters and leaves block b, and what is
// in the way of these.
func (s *splitter) ends(b mir.BlockID, liveIn, liveOut bool) (in int, leave liveness.Index, out int, enter liveness.Index) {
	if liveIn {
		if k := s.candOf[s.place.bundles.Of(b, false)]; k != noCand {
			c := &s.cands[k]
			in = c.intv
			if c.phys != 0 {
				leave = s.g.matrix.Span(mir.Reg(c.phys), b).First
			}
		}
	}
	if liveOut {
		if k := s.candOf[s.place.bundles.Of(b, true)]; k != noCand {
			c := &s.cands[k]
			out = c.intv
			if c.phys != 0 {
				enter = s.g.matrix.Span(mir.Reg(c.phys), b).Last
			}
		}
	}
	return in, leave, out, enter
}

func (s *splitter) splitUses(u *useBlock, single bool) {
	in, leave, out, enter := s.ends(u.block, u.liveIn, u.liveOut)
	switch {
	case in == 0 && out == 0:
		if s.x.worthIsolating(u, single) {
			s.e.singleBlock(u)
		}
	case in != 0 && out != 0:
		s.e.throughBlock(u.block, in, leave, out, enter)
	case in != 0:
		s.e.inBlock(u, in, leave)
	default:
		s.e.outBlock(u, out, enter)
	}
}

// blocks gives the uses of each block a register of their own.
func (s *splitter) blocks(iv *liveness.Interval) {
	g, e := s.g, &s.e
	from := len(g.newVRegs)
	single := g.classes.IsProperSubClass(desc.ClassID(g.f.VReg(iv.Reg).Class))
	e.begin(&g.alloc, &s.x, iv, true, &g.newVRegs)
	for k := range s.x.uses {
		if u := &s.x.uses[k]; s.x.worthIsolating(u, single) {
			e.singleBlock(u)
		}
	}
	if len(e.regs) == 0 {
		return
	}
	e.finish()
	for k, r := range g.newVRegs[from:] {
		if x := g.of(r); x.stage == stageNew && k < len(e.of) && e.of[k] == 0 {
			x.stage = stageSpill
		}
	}
}

// aroundInstrs gives each instruction that narrows the class of the register one
// of its own: the rest fits more places.
func (s *splitter) aroundInstrs(iv *liveness.Interval) {
	g, e := s.g, &s.e
	class := desc.ClassID(g.f.VReg(iv.Reg).Class)
	if !g.classes.IsProperSubClass(class) || len(s.x.slots) <= 1 {
		return
	}
	from := len(g.newVRegs)
	super := g.st.LargestSuperClass(class)
	num := g.classes.NumAllocatable(super)
	e.begin(&g.alloc, &s.x, iv, true, &g.newVRegs)
	for _, at := range slices.Clone(s.x.slots) {
		if i := g.idx.Instr(at); i == 0 || g.isFullCopy(i) || s.numFor(i, iv.Reg, super) == num {
			continue
		}
		e.openIntv()
		start := e.enterBefore(at)
		e.use(start, e.leaveAfter(at))
	}
	if len(e.regs) == 0 {
		return
	}
	e.finish()
	g.setStage(g.newVRegs[from:], stageSpill)
}

// numFor is how many registers of class the operands of i that name r allow.
func (s *splitter) numFor(i mir.InstrID, r mir.Reg, class desc.ClassID) int {
	g := s.g
	for k := range g.f.Instr(i).NumOps() {
		if o := g.f.Op(i, k); o.IsReg() && o.Reg() == r {
			if class = target.ConstrainedClass(g.f, i, k, class); class == desc.NoClass {
				return 0
			}
		}
	}
	return g.classes.NumAllocatable(class)
}
