package layout

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
)

type weightedEdge struct {
	freq     pass.Freq
	from, to mir.BlockID
}

type dupCandidate struct {
	prob  mir.Prob
	block mir.BlockID
}

// viableSuccs collects the successors of b that may stand behind it: heads of
// chains other than c that are being placed and are no landing pads. It returns
// what is left of probability 1 without the others.
func (p *placement) viableSuccs(buf []mir.BlockID, b, c mir.BlockID) ([]mir.BlockID, mir.Prob) {
	sum := mir.ProbOne
	p.probs = p.f.AppendSuccProbs(p.probs[:0], b)
	for k, s := range p.f.Succs(b) {
		t := p.of(s.Block)
		switch {
		case p.isPad(s.Block) || !p.inside(s.Block) || t == c:
			sum -= min(sum, p.probs[k])
		case p.chains[t].first == s.Block:
			buf = append(buf, s.Block)
		}
	}
	return buf, sum
}

// adjusted is a probability among those that sum up to sum.
func adjusted(q, sum mir.Prob) mir.Prob {
	if q >= sum {
		return mir.ProbOne
	}
	return pass.Percent(uint32(q), uint32(sum))
}

// bestSuccessor is the block to stand behind b, the last of chain c; 0 when none should.
func (p *placement) bestSuccessor(b, c mir.BlockID) (best edgeChoice) {
	f := p.f
	succs, sum := p.viableSuccs(p.viable[0][:0], b, c)
	p.viable[0] = succs
	if e := p.computed[b]; e.block != 0 {
		p.computed[b] = edgeChoice{}
		if t := p.of(e.block); t != 0 && f.HasSucc(b, e.block) && p.inside(e.block) && t != c && p.chains[t].first == e.block {
			return e
		}
	}
	if p.isTrellis(b, succs, c) {
		return p.trellisSuccessor(b, succs, c)
	}
	prob := mir.Prob(0)
	p.dups = p.dups[:0]
	for _, s := range succs {
		real := f.EdgeProb(b, s)
		q := adjusted(real, sum)
		if p.hasBetterPred(b, s, real, c) {
			if p.shouldDuplicate(s) {
				p.dups = append(p.dups, dupCandidate{q, s})
			}
			continue
		}
		if best.block == 0 || q > prob {
			best.block, prob = s, q
		}
	}
	slices.SortStableFunc(p.dups, func(x, y dupCandidate) int {
		switch {
		case x.prob > y.prob:
			return -1
		case x.prob < y.prob:
			return 1
		}
		return 0
	})
	for _, d := range p.dups {
		if d.prob < prob {
			break
		}
		if p.canDuplicateUnplaced(b, d.block, c) && p.duplicationPays(b, d.block, prob, c) {
			return edgeChoice{d.block, true}
		}
	}
	return best
}

// threshold is the probability from which a successor follows whatever else leads to it.
func (p *placement) threshold(b mir.BlockID) mir.Prob {
	if !p.profiled {
		return pass.Percent(80, 100)
	}
	if s := p.f.Succs(b); len(s) == 2 {
		if x, y := s[0].Block, s[1].Block; p.f.HasSucc(x, y) || p.f.HasSucc(y, x) {
			return pass.Percent(2*51, 150)
		}
	}
	return pass.Percent(51, 100)
}

// hasBetterPred reports whether s, a successor of b, should rather stand behind
// another block that is not placed yet.
func (p *placement) hasBetterPred(b, s mir.BlockID, real mir.Prob, c mir.BlockID) bool {
	f, sc := p.f, p.of(s)
	if p.chains[sc].waiting == 0 || f.NumPreds(s) > predLimit {
		return false
	}
	hot := p.threshold(b)
	freq := p.freq.Of(b).Times(real).Times(mir.ProbOne - hot)
	for _, q := range f.Preds(s) {
		qc := p.of(q)
		if q == s || qc == sc || !p.inside(q) || qc == c || q != p.chains[qc].last || q == b {
			continue
		}
		if p.freq.Edge(f, q, s).Times(hot) >= freq {
			return true
		}
	}
	return false
}

// isTrellis reports whether the two successors of b are those of other blocks too.
func (p *placement) isTrellis(b mir.BlockID, succs []mir.BlockID, c mir.BlockID) bool {
	f := p.f
	if f.NumSuccs(b) != 2 || len(succs) != 2 {
		return false
	}
	for _, s := range succs {
		if f.NumPreds(s) > predLimit {
			return false
		}
		n := 0
		for _, q := range f.Preds(s) {
			if q == succs[0] || q == succs[1] {
				for _, t := range f.Succs(q) {
					if t.Block != succs[0] && t.Block != succs[1] {
						return false
					}
				}
				continue
			}
			if qc := p.of(q); q == b || !p.inside(q) || qc == c || qc == p.of(s) {
				continue
			}
			n++
			if !p.sameSuccs(q, b) {
				return false
			}
		}
		if n < 1 {
			return false
		}
	}
	return true
}

// sameSuccs reports whether q has the successors of b, and is none of them.
func (p *placement) sameSuccs(q, b mir.BlockID) bool {
	f := p.f
	qs, bs := f.Succs(q), f.Succs(b)
	if len(qs) != len(bs) {
		return false
	}
	for _, t := range bs {
		if t.Block == q {
			return false
		}
	}
	for _, t := range qs {
		if !slices.ContainsFunc(bs, func(u mir.Succ) bool { return u.Block == t.Block }) {
			return false
		}
	}
	return true
}

// trellisSuccessor is the successor of b in the best pair of edges of a trellis,
// 0 when that has none from b.
func (p *placement) trellisSuccessor(b mir.BlockID, succs []mir.BlockID, c mir.BlockID) edgeChoice {
	f := p.f
	for k, s := range succs {
		e := p.trellis[k][:0]
		for _, q := range f.Preds(s) {
			if q != b {
				if qc := p.of(q); !p.inside(q) || qc == c || qc == p.of(s) {
					continue
				}
			}
			e = append(e, weightedEdge{p.freq.Edge(f, q, s), q, s})
		}
		slices.SortStableFunc(e, func(x, y weightedEdge) int {
			switch {
			case x.freq > y.freq:
				return -1
			case x.freq < y.freq:
				return 1
			}
			return 0
		})
		p.trellis[k] = e
	}
	x, y := p.trellis[0], p.trellis[1]
	a, o := x[0], y[0]
	if a.from == o.from {
		if a.freq.Plus(y[1].freq) < o.freq.Plus(x[1].freq) {
			a = x[1]
		} else {
			o = y[1]
		}
	}
	if o.from == b {
		a, o = o, a
	}
	if a.from != b {
		return edgeChoice{}
	}
	if a.to == o.from && p.shouldDuplicate(o.to) && p.canDuplicateUnplaced(b, o.to, c) && p.duplicationPays(b, o.to, f.EdgeProb(b, a.to), c) {
		return edgeChoice{o.to, true}
	}
	p.computed[o.from] = edgeChoice{block: o.to}
	return edgeChoice{block: a.to}
}
