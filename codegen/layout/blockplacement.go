package layout

import (
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/tailduplicate"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// BlockPlacement puts the blocks in the order that makes most of the control
// that flows fall through: chains of blocks are grown from what follows with the
// greatest probability, inner loops first (Pettis and Hansen, "Profile guided code
// positioning", 1990, with the rules of LLVM's pass: a block is only laid behind
// another when no better place is left for it, loops are rotated so that they
// are left at the bottom, short blocks are copied where that makes one branch
// less). Frequencies decide; ties leave the order as it was.
var BlockPlacement = pass.Pass{
	Name:     "block-placement",
	Title:    "Branch Probability Basic Block Placement",
	Requires: mir.NoPHIs,
	Optional: pass.Skippable,
	Run:      runBlockPlacement,
}

// Limits of the placement.
const (
	// predLimit: blocks with more predecessors are taken as they come.
	predLimit = 1000
	// loopWork bounds, for each block of the function, the blocks that are looked at
	// for all loops together. A loop that is laid out is one thing for those around it,
	// but for its exits; with a profile all its blocks are looked at again. Of a nest
	// in which that is more the outer loops are not laid out.
	loopWork = 200
	// mergeMin is how many blocks a function must have for tails to be merged after placement.
	mergeMin = 4
)

// chain is a run of blocks that are laid out together, named by a block. A
// removed one has no first block.
type chain struct {
	first, last mir.BlockID
	// waiting is the number of edges into it from blocks that are not placed yet.
	waiting int32
}

// placement is the state of one run; slices are by BlockID.
type placement struct {
	c     *pass.Context
	st    *target.Subtarget
	f     *mir.Function
	freq  *pass.BlockFreqs
	loops *analysis.Loops
	pdom  *analysis.Dominators
	dup   tailduplicate.Duplicator

	chains     []chain
	up         []mir.BlockID // the way to the name of a block's chain, 0: none yet
	gone       []bool
	next, prev []mir.BlockID // in the chain
	computed   []edgeChoice  // what must follow a block
	through    []mir.BlockID // what stood behind a block
	// members are the blocks that are being placed, in order; in says which by epoch.
	// all of them are when filter is false.
	members []mir.BlockID
	in      []uint32
	epoch   uint32
	filter  bool
	// nest is what is known of the loops that are laid out; level is the loop that
	// is being laid out when its inner loops count as one thing each, -1 else.
	nest    nest
	level   int32
	seen    []uint32 // chains that were counted, by epoch
	seenNow uint32
	// at is where the search for an unplaced block goes on.
	atBlock  mir.BlockID
	atMember int

	blocks, pads worklist
	exit         mir.BlockID // the exit that the loop is rotated to
	viable       [2][]mir.BlockID
	trellis      [2][]weightedEdge
	dups         []dupCandidate
	rivals       []rival // by block, for topGains
	rivalsNow    uint32
	probs        []mir.Prob
	children     []int32 // loops by parent: first child and next sibling
	sibling      []int32
	profiled     bool
	optSize      bool
}

// edgeChoice is a decision about what follows a block: 0 is none.
type edgeChoice struct {
	block mir.BlockID
	dup   bool
}

func runBlockPlacement(c *pass.Context, f *mir.Function) error {
	if f.NextBlock(f.FirstBlock()) == 0 {
		return nil
	}
	p := pass.Scratch[placement](c)
	p.c, p.st, p.f = c, c.Subtarget, f
	p.profiled, p.optSize = target.HasProfile(f), target.OptForSize(f)
	size := tailduplicate.DefaultSize
	if c.Opt >= 3 {
		size = 4
	}
	if p.optSize {
		size = 1
	}
	p.freq = pass.Get[pass.BlockFreqs](c, f)
	p.place(size)
	n := 0
	for b := f.FirstBlock(); b != 0 && n < mergeMin; b = f.NextBlock(b) {
		n++
	}
	if n >= mergeMin {
		m := pass.Scratch[folder](c)
		m.init(c, f, options{merge: true, afterPlacement: true, minTail: size + 1})
		m.freq = p.freq
		pass.Drop[pass.CFG](c)
		pass.Drop[pass.Dominators](c)
		pass.Drop[pass.PostDominators](c)
		pass.Drop[pass.Loops](c)
		if m.run() {
			pass.Drop[pass.CFG](c)
			pass.Drop[pass.Dominators](c)
			pass.Drop[pass.PostDominators](c)
			pass.Drop[pass.Loops](c)
			p.place(size)
		}
	}
	p.hotBranchFirst()
	p.alignLoops()
	return nil
}

// place decides about the order and brings the blocks into it.
func (p *placement) place(size int) {
	c, f := p.c, p.f
	p.loops = &pass.Get[pass.Loops](c, f).Loops
	p.pdom = &pass.Get[pass.PostDominators](c, f).Dominators
	n := f.NumBlockIDs()
	p.chains, p.up, p.next, p.prev = rows.Zeroed(p.chains, n), rows.Zeroed(p.up, n), rows.Zeroed(p.next, n), rows.Zeroed(p.prev, n)
	p.gone, p.rivals, p.rivalsNow = rows.Zeroed(p.gone, n), rows.Zeroed(p.rivals, n), 0
	p.computed, p.through, p.in, p.seen = rows.Zeroed(p.computed, n), rows.Zeroed(p.through, n), rows.Zeroed(p.in, n), rows.Zeroed(p.seen, n)
	p.epoch, p.seenNow, p.filter, p.exit, p.level = 0, 0, false, 0, -1
	p.dup.Init(c, f, tailduplicate.Layout, size)
	p.dup.Removed = p.removed
	p.triangles()
	p.nest.begin(p)
	p.makeChains()
	p.loopChains()
	p.filter, p.level = false, -1
	p.begin()
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		p.enter(b)
	}
	p.grow(f.FirstBlock())
	p.apply()
}

// makeChains makes a chain of each block, and of blocks whose order must stay.
func (p *placement) makeChains() {
	f := p.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if p.of(b) == 0 {
			p.chains[b] = chain{first: b, last: b}
			p.up[b] = b
		}
		if _, ok := p.st.AnalyzeBranch(f, b); !ok && p.st.CanFallThrough(f, b) {
			t := f.NextBlock(b)
			p.chains[t] = chain{first: t, last: t}
			p.up[t] = t
			p.merge(p.of(b), t)
			if p.loopOf(b) != p.loopOf(t) {
				p.nest.known = false
			}
		}
	}
}

// merge puts chain t behind chain c.
func (p *placement) merge(c, t mir.BlockID) {
	x, y := &p.chains[c], &p.chains[t]
	p.up[t] = c
	p.next[x.last], p.prev[y.first] = y.first, x.last
	x.last = y.last
	*y = chain{}
}

// of is the chain of b, 0 when b is gone.
func (p *placement) of(b mir.BlockID) mir.BlockID {
	if p.gone[b] {
		return 0
	}
	for p.up[b] != b && b != 0 {
		p.up[b] = p.up[p.up[b]]
		b = p.up[b]
	}
	return b
}

// removed forgets a block that has been copied into all others.
func (p *placement) removed(b mir.BlockID) {
	if c := p.of(b); c != 0 {
		x := &p.chains[c]
		if q := p.prev[b]; q != 0 {
			p.next[q] = p.next[b]
		} else {
			x.first = p.next[b]
		}
		if q := p.next[b]; q != 0 {
			p.prev[q] = p.prev[b]
		} else {
			x.last = p.prev[b]
		}
		p.nest.removed(p, b)
		p.gone[b] = true
	}
	if p.atBlock == b {
		p.atBlock = p.f.NextBlock(b)
	}
	p.in[b] = 0
	if p.exit == b {
		p.exit = 0
	}
}

// inside reports whether b is among the blocks that are being placed.
func (p *placement) inside(b mir.BlockID) bool {
	if p.level >= 0 {
		return !p.gone[b] && p.loops.Contains(int(p.level), int(b))
	}
	return !p.filter || p.in[b] == p.epoch
}

// begin starts the placement of the members.
func (p *placement) begin() {
	p.seenNow++
	p.blocks.reset()
	p.pads.reset()
}

// enter counts what the chain of b waits for; one that waits for nothing may be placed.
func (p *placement) enter(b mir.BlockID) {
	c := p.of(b)
	if c == 0 || p.seen[c] == p.seenNow {
		return
	}
	p.seen[c] = p.seenNow
	x := &p.chains[c]
	for m := x.first; m != 0; m = p.next[m] {
		for _, q := range p.f.Preds(m) {
			if p.inside(q) && p.of(q) != c {
				x.waiting++
			}
		}
	}
	if x.waiting == 0 {
		p.ready(x.first)
	}
}

func (p *placement) isPad(b mir.BlockID) bool { return p.f.Block(b).Flags&mir.EHPad != 0 }

// ready puts the head of a chain on the list of those that may be placed.
func (p *placement) ready(b mir.BlockID) {
	if p.isPad(b) {
		p.pads.push(b, p.freq.Of(b), true)
	} else {
		p.blocks.push(b, p.freq.Of(b), false)
	}
}

// placed tells the chains that follow those of chain c that it is placed.
func (p *placement) placed(c, header mir.BlockID) {
	for b := p.chains[c].first; b != 0; b = p.next[b] {
		if x := p.nest.startsAt(b); x >= 0 {
			// What a loop that is laid out leads to is known.
			for e := p.nest.loops[x].exits; e != 0; e = p.nest.exitNext[e] {
				if !p.gone[e] {
					p.blockPlaced(c, e, header)
				}
			}
			b = p.nest.loops[x].last
			continue
		}
		p.blockPlaced(c, b, header)
	}
}

func (p *placement) blockPlaced(c, b, header mir.BlockID) {
	for _, s := range p.f.Succs(b) {
		t := p.of(s.Block)
		if !p.inside(s.Block) || t == c || s.Block == header {
			continue
		}
		x := &p.chains[t]
		if x.waiting == 0 {
			continue
		}
		if x.waiting--; x.waiting == 0 {
			p.ready(x.first)
		}
	}
}

// grow lays the members out behind the chain of head.
func (p *placement) grow(head mir.BlockID) {
	f := p.f
	p.atBlock, p.atMember = f.FirstBlock(), 0
	c := p.of(head)
	p.placed(c, head)
	for {
		b := p.chains[c].last
		best := p.bestSuccessor(b, c)
		if best.block != 0 {
			best.dup = best.dup || p.canDuplicateUnplaced(b, best.block, c)
		}
		if best.block == 0 {
			best.block = p.candidate(&p.blocks, c)
		}
		if best.block == 0 {
			best.block = p.candidate(&p.pads, c)
		}
		if best.block == 0 {
			if best.block = p.unplaced(c); best.block == 0 {
				return
			}
		}
		if best.dup {
			p.duplicate(best.block, b, head, c)
			if p.of(b) == 0 || !f.HasSucc(b, best.block) {
				continue
			}
		}
		t := p.of(best.block)
		p.chains[t].waiting = 0
		p.placed(t, head)
		p.merge(c, t)
	}
}

// candidate is the best block of a list that is not in chain c.
func (p *placement) candidate(w *worklist, c mir.BlockID) mir.BlockID {
	for len(w.heap) > 0 {
		b := w.heap[0].block
		if t := p.of(b); t != 0 && t != c && p.chains[t].first == b {
			return b
		}
		w.pop()
	}
	return 0
}

// unplaced is the head of the chain of the first block that is not in chain c.
func (p *placement) unplaced(c mir.BlockID) mir.BlockID {
	if p.filter {
		for ; p.atMember < len(p.members); p.atMember++ {
			if b := p.members[p.atMember]; p.of(b) != 0 && p.inside(b) && p.of(b) != c {
				return p.chains[p.of(b)].first
			}
		}
		return 0
	}
	for ; p.atBlock != 0; p.atBlock = p.f.NextBlock(p.atBlock) {
		if p.of(p.atBlock) != c {
			return p.chains[p.of(p.atBlock)].first
		}
	}
	return 0
}

// apply brings the blocks into the order of the entry's chain and makes their branches right.
func (p *placement) apply() {
	f := p.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		p.through[b] = f.NextBlock(b)
	}
	c := p.of(f.FirstBlock())
	last := mir.BlockID(0)
	for b := p.chains[c].first; b != 0; b = p.next[b] {
		f.MoveBlockAfter(b, last)
		if last != 0 {
			p.st.UpdateTerminator(f, last, p.through[last])
		}
		last = b
	}
	p.st.UpdateTerminator(f, last, p.through[last])
}

// hotBranchFirst reverses the conditions of blocks that end in two branches of
// which the second is taken more often.
func (p *placement) hotBranchFirst() {
	f := p.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		p.st.TidyBranch(f, b)
		br, ok := p.st.AnalyzeBranch(f, b)
		if !ok || br.True == 0 || br.False == 0 || br.Cond == nil || p.optSize ||
			f.EdgeProb(b, br.True) >= f.EdgeProb(b, br.False) || !p.st.ReverseCond(br.Cond) {
			continue
		}
		loc := p.st.BranchLoc(f, b)
		p.st.RemoveBranch(f, b)
		p.st.InsertBranch(f, b, target.Branch{True: br.False, False: br.True, Cond: br.Cond}, loc)
	}
}

// alignLoops aligns the blocks of loops that are jumped to most of the time.
func (p *placement) alignLoops() {
	f := p.f
	if p.optSize || p.st.Instr == nil || p.st.Instr.LoopAlign == 0 {
		return
	}
	cold := pass.Percent(1, 5)
	entry := p.freq.Of(f.FirstBlock()).Times(cold)
	for b := f.NextBlock(f.FirstBlock()); b != 0; b = f.NextBlock(b) {
		x := int32(-1)
		if int(b) < len(p.loops.Loop) {
			x = p.loops.Loop[b]
		}
		if x < 0 {
			continue
		}
		freq := p.freq.Of(b)
		if freq < entry || freq < p.freq.Of(mir.BlockID(p.loops.All[x].Header)).Times(cold) {
			continue
		}
		above := f.PrevBlock(b)
		if !f.HasSucc(above, b) || p.freq.Edge(f, above, b) <= freq.Times(cold) {
			f.Block(b).Align = p.st.Instr.LoopAlign
		}
	}
}
