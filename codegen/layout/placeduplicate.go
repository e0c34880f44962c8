package layout

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// shouldDuplicate reports whether copies of b are short enough. One with a
// single successor gains nothing: the copies need the branch that they save.
func (p *placement) shouldDuplicate(b mir.BlockID) bool {
	return p.f.NumSuccs(b) != 1 && p.dup.ShouldDuplicate(p.dup.IsSimple(b), b)
}

// canDuplicateUnplaced reports whether s can be copied into the blocks that lead
// to it beside b, and more fall through then.
func (p *placement) canDuplicateUnplaced(b, s, c mir.BlockID) bool {
	f := p.f
	if f.NumPreds(s) > predLimit || !p.shouldDuplicate(s) {
		return false
	}
	all, n := true, 0
	for _, q := range f.Preds(s) {
		if q == b || !p.inside(q) || p.of(q) == c && f.NumSuccs(s) > 0 {
			continue
		}
		if !p.dup.CanDuplicate(s, q) {
			if f.NumSuccs(b) > 1 && p.sameSuccs(q, b) {
				continue // a trellis then, which is fine
			}
			all = false
			continue
		}
		n++
	}
	switch {
	case n == 0:
		return false
	case p.profiled || f.NumSuccs(s) == 0:
		return true
	}
	return all && n+1 <= f.NumSuccs(s)
}

// gains reports whether cost a is greater than cost b by enough to copy code.
func (p *placement) gains(a, b pass.Freq) bool {
	const penalty = 2 // percent
	return a.Minus(b).Over(pass.Percent(penalty, 100)) >= p.freq.Of(p.f.FirstBlock())
}

// duplicationPays compares what branches cost when s is copied to the end of b
// with what they cost when the successor of b of probability other follows it.
func (p *placement) duplicationPays(b, s mir.BlockID, other mir.Prob, c mir.BlockID) bool {
	f := p.f
	succs, sum := p.viableSuccs(p.viable[1][:0], s, c)
	p.viable[1] = succs
	best, pdom := mir.Prob(0), mir.BlockID(0)
	for _, t := range succs {
		best = max(best, f.EdgeProb(s, t))
		if p.postDominates(t, s) {
			pdom = t
			break
		}
	}
	bf := p.freq.Of(b)
	in := pass.Freq(0) // the best edge into s that is not from b
	for _, q := range f.Preds(s) {
		if q != s && q != b && p.of(q) != c && p.inside(q) {
			in = max(in, p.freq.Edge(f, q, s))
		}
	}
	straight, out := bf.Times(f.EdgeProb(b, s)), bf.Times(other)
	sf := p.freq.Of(s)
	rest := sf.Minus(in)
	lo, hi := min(in, rest), max(in, rest)
	if pdom == 0 || !f.HasSucc(s, pdom) {
		u := best
		v := sum - min(sum, u)
		return p.gains(straight.Plus(sf.Times(v)), out.Plus(lo.Times(u)).Plus(hi.Times(v)))
	}
	u := f.EdgeProb(s, pdom)
	v := sum - min(sum, u)
	if u > sum/2 && !p.hasBetterPred(s, pdom, u, c) {
		return p.gains(straight.Plus(sf.Times(v)), out.Plus(hi.Times(v)).Plus(lo.Times(u)))
	}
	return p.gains(straight.Plus(sf.Times(u)), out.Plus(lo.Times(sum)).Plus(hi.Times(u)))
}

// postDominates reports whether all ways from b lead over t.
func (p *placement) postDominates(t, b mir.BlockID) bool {
	n := p.pdom.NumNodes()
	return int(t) < n-1 && int(b) < n-1 && p.pdom.Dominates(int(t), int(b))
}

// duplicate copies s into the blocks that lead to it, b among them, which is
// placed; and, when b goes there, b again.
func (p *placement) duplicate(s, b, header, c mir.BlockID) {
	gone, placed := p.duplicateOnce(s, b, c)
	if !gone {
		return
	}
	first := placed
	for placed && gone {
		last := p.chains[c].last
		if last == p.chains[c].first {
			break
		}
		gone, placed = p.duplicateOnce(last, p.prev[last], c)
	}
	if first {
		p.blockPlaced(c, p.chains[c].last, header)
	}
}

// duplicateOnce copies s and reports whether it is gone, and whether b has a copy.
func (p *placement) duplicateOnce(s, b, c mir.BlockID) (gone, placed bool) {
	if !p.shouldDuplicate(s) {
		return false, false
	}
	if int(s) < len(p.loops.Loop) && p.loops.IsHeader(int(s)) {
		p.nest.known = false // the loop is entered elsewhere from now on
	}
	into, _, gone := p.dup.DuplicateInto(p.dup.IsSimple(s), s, b, nil)
	for _, q := range into {
		placed = placed || q == b
		qc := p.of(q)
		if q == b || !p.inside(q) || qc == c {
			continue
		}
		for _, t := range p.f.Succs(q) {
			if tc := p.of(t.Block); p.inside(t.Block) && tc != c && tc != qc {
				p.chains[tc].waiting++
			}
		}
	}
	return gone, placed
}

// triangles finds runs of blocks each of which leads to the next one directly or
// by a detour: where two or more follow each other, copies of what they share
// are worth it, since their branches tend to go the same way.
func (p *placement) triangles() {
	f := p.f
	// The chain that a block ends, as the number of its edges and its block before.
	count := rows.Zeroed(p.probs, f.NumBlockIDs())
	before := rows.Zeroed(p.viable[1], f.NumBlockIDs())
	p.probs, p.viable[1] = count, before
	ends := p.members[:0]
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		succs := f.Succs(b)
		if len(succs) != 2 {
			continue
		}
		to := mir.BlockID(0)
		for _, s := range succs {
			if p.postDominates(s.Block, b) {
				to = s.Block
				break
			}
		}
		if to == 0 || f.EdgeProb(b, to) < mir.ProbOne/2 || f.NumPreds(to) > predLimit || !p.shouldDuplicate(to) {
			continue
		}
		ok := true
		for _, q := range f.Preds(to) {
			ok = ok && (q == b || p.dup.CanDuplicate(to, q))
		}
		if !ok || before[to] != 0 {
			continue
		}
		before[to], count[to] = b, 1
		if count[b] > 0 {
			count[to] += count[b]
			count[b] = 0
		}
		ends = append(ends, to)
	}
	for _, e := range ends {
		if count[e] < 2 {
			continue
		}
		for b := e; before[b] != 0; b = before[b] {
			p.computed[before[b]] = edgeChoice{b, true}
		}
	}
	p.members = ends[:0]
}
