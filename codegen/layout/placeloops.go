package layout

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// loopChains makes a chain of the blocks of each loop, inner loops first: of
// several beside each other in the order of their headers in reverse postorder,
// but the outermost against it.
func (p *placement) loopChains() {
	all := p.loops.All
	if len(all) == 0 {
		return
	}
	// A loop's children that are still to be laid out, the first; and its sibling.
	p.children, p.sibling = rows.Zeroed(p.children, len(all)), rows.Zeroed(p.sibling, len(all))
	for k := range p.children {
		p.children[k] = -1
	}
	for k := len(all) - 1; k >= 0; k-- {
		if q := all[k].Parent; q >= 0 {
			p.sibling[k] = p.children[q]
			p.children[q] = int32(k)
		}
	}
	p.nest.work = loopWork * p.f.NumBlockIDs()
	for k := len(all) - 1; k >= 0; k-- {
		if all[k].Parent >= 0 {
			continue
		}
		for x := int32(k); x >= 0; {
			if y := p.children[x]; y >= 0 {
				p.children[x] = p.sibling[y]
				x = y
				continue
			}
			if p.nest.take(p, x) {
				p.loopChain(x)
			}
			x = all[x].Parent
		}
	}
}

// loopChain lays out loop x.
func (p *placement) loopChain(x int32) {
	p.collect(int(x))
	if len(p.members) == 0 {
		p.nest.known = false
		return
	}
	header := mir.BlockID(p.loops.All[x].Header)
	top := p.loopTop(header)
	p.exit = 0
	exitFreq := pass.Freq(0)
	if !p.profiled && top == header {
		p.exit, exitFreq = p.loopExit(int(x))
	}
	p.begin()
	p.seen[p.of(top)] = p.seenNow
	if p.level >= 0 {
		p.enterLevel()
	} else {
		for _, b := range p.members {
			p.enter(b)
		}
	}
	p.grow(top)
	if p.profiled {
		p.rotateByCost(p.of(top))
	} else {
		p.rotate(p.of(top), exitFreq)
	}
	if p.nest.known {
		p.nest.close(p, x, p.of(top))
	}
}

// collect makes the blocks of loop x the members; with a profile those without
// that are cold are left to the loops around it.
func (p *placement) collect(x int) {
	g := p.loops
	p.epoch++
	p.filter, p.members, p.level = true, p.members[:0], -1
	header := mir.BlockID(g.All[x].Header)
	if p.of(header) == 0 {
		return
	}
	if p.nest.known {
		p.level = int32(x)
		for _, b := range p.nest.blocks(int32(x)) {
			if !p.gone[b] {
				p.members = append(p.members, b)
			}
		}
		return
	}
	entered := pass.Freq(0)
	if p.profiled {
		for _, q := range p.f.Preds(header) {
			if !g.Contains(x, int(q)) {
				entered = entered.Plus(p.freq.Edge(p.f, q, header))
			}
		}
	}
	add := func(b mir.BlockID) {
		if p.in[b] != p.epoch {
			p.in[b] = p.epoch
			p.members = append(p.members, b)
		}
	}
	rpo := pass.Get[pass.CFG](p.c, p.f).RPO()
	left := int(g.All[x].Size)
	for k := pass.Get[pass.CFG](p.c, p.f).RPONumber(int(header)); left > 0; k++ {
		b := mir.BlockID(rpo[k])
		if !g.Contains(x, int(b)) {
			continue
		}
		left--
		if p.of(b) == 0 {
			continue
		}
		if !p.profiled {
			add(b)
			continue
		}
		const coldRatio = 5
		if q := p.freq.Of(b); q == 0 || entered/q > coldRatio {
			continue
		}
		for m := p.chains[p.of(b)].first; m != 0; m = p.next[m] {
			add(m)
		}
	}
}

// loopTop is the block to stand at the top of a loop: the header, or one before it
// in whose place fewer branches are taken.
func (p *placement) loopTop(header mir.BlockID) mir.BlockID {
	if p.optSize {
		return header
	}
	top := header
	for {
		t := p.betterTop(top, header)
		if t == top {
			return top
		}
		p.computed[t] = edgeChoice{block: top}
		top = t
	}
}

func (p *placement) betterTop(top, header mir.BlockID) mir.BlockID {
	f := p.f
	if first := p.chains[p.of(top)].first; first != top || f.NumPreds(top) > predLimit {
		return top
	}
	p.rivalsNow++
	into, _ := p.fallsIntoTop(top)
	best, most := mir.BlockID(0), pass.Freq(0)
	for _, q := range f.Preds(top) {
		if !p.inside(q) || q == header || f.NumSuccs(q) > 2 {
			continue
		}
		other := mir.BlockID(0)
		if s := f.Succs(q); len(s) == 2 {
			if other = s[0].Block; other == top {
				other = s[1].Block
			}
		}
		if !p.canMoveToTop(q, top) {
			continue
		}
		if g := p.topGains(q, top, other, into); g > 0 && (g > most || g == most && f.NextBlock(q) == top) {
			best, most = q, g
		}
	}
	if best == 0 {
		return top
	}
	for f.NumPreds(best) == 1 {
		q := f.Preds(best)[0]
		if f.NumSuccs(q) != 1 || q == header {
			break
		}
		best = q
	}
	return best
}

// canMoveToTop says no when the only way to bottom is a branch whose other way is top.
func (p *placement) canMoveToTop(bottom, top mir.BlockID) bool {
	f := p.f
	if f.NumPreds(bottom) != 1 {
		return true
	}
	s := f.Succs(f.Preds(bottom)[0])
	return len(s) != 2 || s[0].Block != top && s[1].Block != top
}

// fallsIntoTop is the frequency of the best edge from outside that can fall into top.
func (p *placement) fallsIntoTop(top mir.BlockID) (most pass.Freq, viable bool) {
	f := p.f
	for _, q := range f.Preds(top) {
		if p.inside(q) || p.of(q) == 0 || p.chains[p.of(q)].last != q {
			continue
		}
		prob, ok := f.EdgeProb(q, top), true
		p.probs = f.AppendSuccProbs(p.probs[:0], q)
		for k, s := range f.Succs(q) {
			if !p.inside(s.Block) && p.probs[k] > prob && p.chains[p.of(s.Block)].first == s.Block {
				ok = false
				break
			}
		}
		if ok {
			viable = true
			most = max(most, p.freq.Of(q).Times(prob))
		}
	}
	return most, viable
}

// rival is what might follow a block: the most frequent edge to it, and that of
// all others.
type rival struct {
	epoch        uint32
	to           mir.BlockID
	most, second pass.Freq
}

// rivalOf finds what might follow b in the loop that is being laid out.
func (p *placement) rivalOf(b mir.BlockID) *rival {
	r := &p.rivals[b]
	if r.epoch == p.rivalsNow {
		return r
	}
	*r = rival{epoch: p.rivalsNow}
	for _, s := range p.f.Succs(b) {
		if s.Block == b || s.Block == r.to || !p.inside(s.Block) || p.computed[s.Block].block != 0 {
			continue
		}
		if sc := p.of(s.Block); p.chains[sc].first != s.Block || sc == p.of(b) {
			continue
		}
		if e := p.freq.Edge(p.f, b, s.Block); e > r.most {
			r.to, r.most, r.second = s.Block, e, r.most
		} else {
			r.second = max(r.second, e)
		}
	}
	return r
}

// topGains is how many branches less are taken when a loop begins with t, which
// goes to top or to exit, instead of top, into which lost falls.
func (p *placement) topGains(t, top, exit mir.BlockID, lost pass.Freq) pass.Freq {
	f := p.f
	if exit != 0 {
		lost = lost.Plus(p.freq.Edge(f, t, exit))
	}
	back := p.freq.Edge(f, t, top)
	best, from := mir.BlockID(0), pass.Freq(0)
	for _, q := range f.Preds(t) {
		if p.inside(q) && p.chains[p.of(q)].last == q {
			if e := p.freq.Edge(f, q, t); e > from {
				best, from = q, e
			}
		}
	}
	instead := pass.Freq(0)
	if best != 0 {
		if r := p.rivalOf(best); r.to != t {
			instead = r.most
		} else {
			instead = r.second
		}
		if instead > p.freq.Edge(f, best, t) {
			instead, from = 0, 0
		}
	}
	return back.Plus(instead).Minus(lost.Plus(from))
}

// loopExit is the block of loop x by which it is left best at its bottom, 0 for none.
func (p *placement) loopExit(x int) (exiting mir.BlockID, most pass.Freq) {
	f, header := p.f, mir.BlockID(p.loops.All[x].Header)
	if !p.inside(p.chains[p.of(header)].first) {
		return 0, 0
	}
	outer, outerExit := false, false
	exits := func(b mir.BlockID) bool { // to a loop around this one
		for _, s := range f.Succs(b) {
			if y := p.loopOf(s.Block); y >= 0 && !p.inside(s.Block) && p.loops.Contains(int(y), int(header)) {
				return true
			}
		}
		return false
	}
	ends := p.members
	if p.level >= 0 {
		ends = p.nest.chainEnds(p)
	}
	for _, b := range ends {
		c := p.of(b)
		if p.chains[c].last != b || !p.loops.Contains(x, int(b)) {
			continue
		}
		oldExit, oldMost, looping := exiting, most, false
		p.probs = f.AppendSuccProbs(p.probs[:0], b)
		for k, s := range f.Succs(b) {
			t := s.Block
			if p.isPad(t) || t == b || p.of(t) == c {
				continue
			}
			if p.inside(t) {
				looping = true
				continue
			}
			depth := int32(0)
			if y := p.loopOf(t); y >= 0 {
				depth = p.loops.All[y].Depth
				outer = outer || p.loops.Contains(int(y), int(header))
			}
			freq := p.freq.Of(b).Times(p.probs[k])
			if exiting == 0 || depth > 0 || freq > most || f.NextBlock(b) == t && freq >= most {
				exiting, most = b, freq
			}
		}
		if !looping {
			exiting, most = oldExit, oldMost
		}
	}
	if exiting == 0 || p.loops.All[x].Size == 1 {
		return 0, 0
	}
	if outerExit = exits(exiting); outer && !outerExit {
		return 0, 0
	}
	return exiting, most
}

func (p *placement) loopOf(b mir.BlockID) int32 {
	if int(b) >= len(p.loops.Loop) {
		return -1
	}
	return p.loops.Loop[b]
}

// rotate turns chain c of a loop so that it ends with the exit.
func (p *placement) rotate(c mir.BlockID, exitFreq pass.Freq) {
	f := p.f
	if p.exit == 0 {
		return
	}
	top, bottom := p.chains[c].first, p.chains[c].last
	if bottom == p.exit || top == f.FirstBlock() {
		return
	}
	into, viable := p.fallsIntoTop(top)
	if viable {
		for _, s := range f.Succs(bottom) {
			if !p.inside(s.Block) && p.chains[p.of(s.Block)].first == s.Block {
				return
			}
		}
		if into >= exitFreq {
			return
		}
	}
	if p.of(p.exit) != c {
		return
	}
	if viable && f.HasSucc(p.exit, p.next[p.exit]) && !f.HasSucc(bottom, top) {
		return
	}
	p.turn(c, p.next[p.exit])
}

// turn makes chain c begin with b.
func (p *placement) turn(c, b mir.BlockID) {
	x := &p.chains[c]
	if b == x.first {
		return
	}
	end := p.prev[b]
	p.next[x.last], p.prev[x.first] = x.first, x.last
	p.next[end], p.prev[b] = 0, 0
	x.first, x.last = b, end
}

// rotateByCost turns chain c of a loop of a function with a profile so that the
// branches that are taken cost least: a jump, and the fetch that goes astray at it.
func (p *placement) rotateByCost(c mir.BlockID) {
	f := p.f
	x := &p.chains[c]
	if x.first == f.FirstBlock() {
		return
	}
	into := pass.Freq(0)
	for _, q := range f.Preds(x.first) {
		if !p.inside(q) && p.of(q) != 0 && p.chains[p.of(q)].last == q {
			e := p.freq.Edge(f, q, x.first)
			if f.NumSuccs(q) == 1 {
				e = e.Plus(e)
			}
			into = max(into, e)
		}
	}
	exitOf := func(b mir.BlockID) pass.Freq {
		most := mir.Prob(0)
		p.probs = f.AppendSuccProbs(p.probs[:0], b)
		for k, s := range f.Succs(b) {
			if !p.inside(s.Block) && p.chains[p.of(s.Block)].first == s.Block {
				most = max(most, p.probs[k])
			}
		}
		return p.freq.Of(b).Times(most)
	}
	exits := pass.Freq(0)
	for b := x.first; b != 0; b = p.next[b] {
		exits = exits.Plus(exitOf(b))
	}
	best, least := mir.BlockID(0), ^pass.Freq(0)
	tail := x.last
	for b := x.first; b != 0; tail, b = b, p.next[b] {
		cost := exits.Minus(exitOf(tail))
		if b != x.first {
			cost = cost.Plus(into)
		}
		if n := f.NumSuccs(tail); n <= 2 && f.HasSucc(tail, b) {
			freq := p.freq.Of(tail)
			if n == 1 {
				cost = cost.Plus(freq).Plus(freq)
			} else {
				prob := f.EdgeProb(tail, b)
				cost = cost.Plus(freq.Times(prob)).Plus(freq.Times(min(prob, mir.ProbOne-prob)))
			}
		}
		if cost < least {
			best, least = b, cost
		}
	}
	p.turn(c, best)
}
