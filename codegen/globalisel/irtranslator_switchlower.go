package globalisel

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// caseConst is the register of a case's number, made in the entry block.
func (t *translator) caseConst(v int64) mir.Reg {
	n := t.sw.lt.ScalarBits()
	return t.get1(ir.ConstVal(t.pool.Int(t.types.Int(n), uint64(v)&lowMask(n))))
}

// splitWork compares with a pivot that leaves about as much probability on
// either side: the tree is then close to the best for searching (Mehlhorn,
// "Nearly Optimal Binary Search Trees", 1975).
func (t *translator) splitWork(w switchWork) {
	s := &t.sw
	c := s.clusters
	left, right := w.a, w.b // the last of the left half, the first of the right one
	pl, pr := c[left].prob+w.def/2, c[right].prob+w.def/2
	// Of equal sides each takes in turn, so that those of probability 0 are spread evenly.
	for odd := false; left+1 < right; odd = !odd {
		if pl < pr || pl == pr && odd {
			left++
			pl += c[left].prob
		} else {
			right--
			pr += c[right].prob
		}
	}
	// A leaf has up to three clusters. A side with fewer takes one over where
	// this does not make it come later than it would on its own side.
	for {
		nl, nr := left-w.a+1, w.b-right+1
		if min(nl, nr) >= 3 || max(nl, nr) <= 3 {
			break
		}
		if nl < nr {
			if s.rank(right, w.a, left) > s.rank(right, right, w.b) {
				break
			}
			left, right = left+1, right+1
		} else {
			if s.rank(left, right, w.b) > s.rank(left, w.a, left) {
				break
			}
			left, right = left-1, right-1
		}
	}
	pl, pr = w.def/2, w.def/2
	for k := w.a; k <= w.b; k++ {
		if k <= left {
			pl += c[k].prob
		} else {
			pr += c[k].prob
		}
	}
	pivot := c[right].lo
	from := t.mb.Block
	less := t.ICmp(ir.ICmpSLT, mir.Scalar(1), s.value, t.caseConst(pivot))
	// A single range that fills all that is left needs no test; else blocks follow, the left one first.
	lb, rb := c[left].block, c[right].block
	doneLeft := left == w.a && c[left].kind == rangeCluster && w.hasGE && c[left].lo == w.ge && c[left].hi == pivot-1
	doneRight := right == w.b && c[right].kind == rangeCluster && w.hasLT && c[right].hi == w.lt-1
	if !doneRight {
		rb = t.newBlockAfter(from)
	}
	if !doneLeft {
		lb = t.newBlockAfter(from)
		s.work = append(s.work, switchWork{block: lb, a: w.a, b: left, def: w.def / 2, ge: w.ge, hasGE: w.hasGE, lt: pivot, hasLT: true})
	}
	if !doneRight {
		s.work = append(s.work, switchWork{block: rb, a: right, b: w.b, def: w.def / 2, ge: pivot, hasGE: true, lt: w.lt, hasLT: w.hasLT})
	}
	t.Build(desc.G_BRCOND, Use(less), mir.BlockOp(lb))
	t.Build(desc.G_BR, mir.BlockOp(rb))
	t.switchEdge(from, lb, pl)
	t.switchEdge(from, rb, pr)
	t.f.NormalizeSuccProbs(from)
}

// rank counts the clusters from a to b that are more probable than cluster k.
func (s *switchState) rank(k, a, b int) int {
	n := 0
	for _, c := range s.clusters[a : b+1] {
		if c.prob > s.clusters[k].prob {
			n++
		}
	}
	return n
}

// lowerWork tests for the clusters one after the other, the most probable first.
func (t *translator) lowerWork(w switchWork) {
	s := &t.sw
	if t.c.Opt > 0 {
		slices.SortFunc(s.clusters[w.a:w.b+1], func(a, b cluster) int {
			return cmp.Or(cmp.Compare(b.prob, a.prob), cmp.Compare(a.lo, b.lo))
		})
		// The last one falls through where that costs no order.
		next := t.f.NextBlock(w.block)
		for k, last := w.b-1, w.b; k >= w.a && s.clusters[k].prob <= s.clusters[last].prob; k-- {
			if c := &s.clusters[k]; c.kind == rangeCluster && c.block == next {
				*c, s.clusters[last] = s.clusters[last], *c
				break
			}
		}
	}
	rest := w.def
	for k := w.a; k <= w.b; k++ {
		rest += s.clusters[k].prob
	}
	for k := w.a; k <= w.b; k++ {
		c := s.clusters[k]
		next := s.def
		if k < w.b {
			next = t.newBlockAfter(t.mb.Block)
		}
		rest -= c.prob
		t.lowerCluster(c, next, rest, w.def, k == w.b && s.noDefault)
		if k < w.b {
			t.enterBlock(next)
		}
	}
}

// lowerCluster tests one cluster in the current block and goes to next when
// the value is not in it, which has probability rest; def is the part of it in which
// no cluster has the value. last says that nothing else is possible.
func (t *translator) lowerCluster(c cluster, next mir.BlockID, rest, def uint64, last bool) {
	s := &t.sw
	from := t.mb.Block
	switch {
	case c.kind == tableCluster:
		t.jumpTable(c, next, rest, def, last)
		return
	case c.kind == bitsCluster:
		t.bitTests(c, next, rest, def, last)
		return
	case last:
		t.Build(desc.G_BR, mir.BlockOp(c.block))
		t.switchEdge(from, c.block, uint64(mir.ProbOne))
		return
	}
	var cond mir.Reg
	s1 := mir.Scalar(1)
	if c.lo == c.hi {
		cond = t.ICmp(ir.ICmpEQ, s1, s.value, t.caseConst(c.lo))
	} else {
		diff := t.Bin(desc.G_SUB, s.lt, s.value, t.caseConst(c.lo))
		cond = t.ICmp(ir.ICmpULE, s1, diff, t.caseConst(c.hi-c.lo))
	}
	t.Build(desc.G_BRCOND, Use(cond), mir.BlockOp(c.block))
	t.Build(desc.G_BR, mir.BlockOp(next))
	t.switchEdge(from, c.block, c.prob)
	t.switchEdge(from, next, rest)
	t.f.NormalizeSuccProbs(from)
}

// tableDest is a destination of a jump table, or of bit tests: how probable, and which values lead to it.
type tableDest struct {
	block mir.BlockID
	prob  uint64
	mask  uint64
}

// destinations collects those of the ranges of a cluster, in the order in which they first come.
func (s *switchState) destinations(c cluster) {
	s.dests = s.dests[:0]
	if s.destAt == nil {
		s.destAt = map[mir.BlockID]int{}
	}
	clear(s.destAt)
	for _, r := range s.ranges[c.first : c.last+1] {
		k, ok := s.destAt[r.block]
		if !ok {
			k = len(s.dests)
			s.destAt[r.block] = k
			s.dests = append(s.dests, tableDest{block: r.block})
		}
		s.dests[k].prob += r.prob
		if c.kind == bitsCluster {
			s.dests[k].mask |= lowMask(int(r.hi-r.lo)+1) << uint(r.lo-c.lo)
		}
	}
}

// jumpTable subtracts the first case, checks the range and jumps through the table.
func (t *translator) jumpTable(c cluster, next mir.BlockID, rest, def uint64, last bool) {
	s := &t.sw
	from := t.mb.Block
	s.destinations(c)
	// What is in no case goes to the default, or anywhere when it cannot be.
	hole := s.def
	if s.noDefault {
		hole = s.dests[0].block
	}
	jt := mir.JumpTable{Blocks: make([]mir.BlockID, 0, s.span(c.first, c.last))}
	at := c.lo
	for _, r := range s.ranges[c.first : c.last+1] {
		for ; at < r.lo; at++ {
			jt.Blocks = append(jt.Blocks, hole)
		}
		for n := uint64(r.hi-r.lo) + 1; n > 0; n-- {
			jt.Blocks = append(jt.Blocks, r.block)
		}
		at = r.hi + 1
	}
	holes := uint64(len(jt.Blocks)) != s.cases(c.first, c.last) && !s.noDefault
	t.f.JumpTableKind = t.st.JumpTableKind()
	t.f.JumpTables = append(t.f.JumpTables, jt)
	n := uint32(len(t.f.JumpTables) - 1)

	pt := t.pointerLLT(0)
	it := mir.Scalar(pt.ScalarBits())
	idx := s.value
	if c.lo != 0 {
		idx = t.Bin(desc.G_SUB, s.lt, idx, t.blockConst(s.lt, c.lo))
	}
	idx = t.Resize(desc.G_ZEXT, it, idx)
	block := from
	if !last {
		limit := t.Resize(desc.G_ZEXT, it, t.caseConst(c.hi-c.lo))
		out := t.ICmp(ir.ICmpUGT, mir.Scalar(1), idx, limit)
		t.Build(desc.G_BRCOND, Use(out), mir.BlockOp(next))
		block = t.newBlockAfter(from)
		jump := c.prob
		if holes { // half of what no case has is taken to be inside
			jump += def / 2
			rest -= min(rest, def/2)
		}
		t.switchEdge(from, next, rest)
		t.switchEdge(from, block, jump)
		t.f.NormalizeSuccProbs(from)
		t.enterBlock(block)
	}
	addr := t.New(pt)
	t.Build(desc.G_JUMP_TABLE, Def(addr), mir.IndexOp(mir.OpJTI, n, 0, 0))
	t.Build(desc.G_BRJT, Use(addr), mir.IndexOp(mir.OpJTI, n, 0, 0), Use(idx))
	for _, d := range s.dests {
		t.switchEdge(block, d.block, d.prob)
	}
	if holes {
		t.switchEdge(block, s.def, def/2)
	}
	t.f.NormalizeSuccProbs(block)
}

// bitTests shifts 1 by the value and tests the mask of each destination.
func (t *translator) bitTests(c cluster, next mir.BlockID, rest, def uint64, last bool) {
	s := &t.sw
	from := t.mb.Block
	s.destinations(c)
	full := s.cases(c.first, c.last) == s.span(c.first, c.last)
	lo, hi := c.lo, c.hi
	if lo > 0 && hi < wordBits {
		// No subtraction is needed.
		for k := range s.dests {
			s.dests[k].mask <<= uint(lo)
		}
		lo, full = 0, false
	}
	slices.SortStableFunc(s.dests, func(a, b tableDest) int {
		return cmp.Or(cmp.Compare(b.prob, a.prob), cmp.Compare(bits.OnesCount64(b.mask), bits.OnesCount64(a.mask)), cmp.Compare(a.mask, b.mask))
	})
	// Masks as wide as the value when they fit, else as wide as a pointer.
	mt := s.lt
	if width := hi - lo + 1; width > int64(mt.ScalarBits()) || mt.ScalarBits() < 32 {
		mt = mir.Scalar(32)
		if width > 32 {
			mt = mir.Scalar(64)
		}
	}
	idx := s.value
	if lo != 0 {
		idx = t.Bin(desc.G_SUB, s.lt, idx, t.blockConst(s.lt, lo))
	}
	here := c.prob
	if !full {
		here += def / 2
		rest -= min(rest, def/2)
	}
	if !last {
		out := t.ICmp(ir.ICmpUGT, mir.Scalar(1), idx, t.blockConst(s.lt, hi-lo))
		t.Build(desc.G_BRCOND, Use(out), mir.BlockOp(next))
		block := t.newBlockAfter(from)
		t.Build(desc.G_BR, mir.BlockOp(block))
		t.switchEdge(from, next, rest)
		t.switchEdge(from, block, here)
		t.f.NormalizeSuccProbs(from)
		t.enterBlock(block)
	}
	idx = t.Resize(desc.G_ZEXT, mt, idx)
	bit := mir.Reg(0)
	for k, d := range s.dests {
		block := t.mb.Block
		if (last || full) && k == len(s.dests)-1 {
			t.Build(desc.G_BR, mir.BlockOp(d.block))
			t.switchEdge(block, d.block, uint64(mir.ProbOne))
			return
		}
		var hit mir.Reg
		if bits.OnesCount64(d.mask) == 1 {
			hit = t.ICmp(ir.ICmpEQ, mir.Scalar(1), idx, t.blockConst(mt, int64(bits.TrailingZeros64(d.mask))))
		} else {
			if bit == 0 {
				bit = t.Bin(desc.G_SHL, mt, t.blockConst(mt, 1), idx)
			}
			and := t.Bin(desc.G_AND, mt, bit, t.blockConst(mt, int64(d.mask)))
			hit = t.ICmp(ir.ICmpNE, mir.Scalar(1), and, t.blockConst(mt, 0))
		}
		to := next
		if k < len(s.dests)-1 {
			to = t.newBlockAfter(block)
		}
		t.Build(desc.G_BRCOND, Use(hit), mir.BlockOp(d.block))
		t.Build(desc.G_BR, mir.BlockOp(to))
		here -= min(here, d.prob)
		t.switchEdge(block, d.block, d.prob)
		t.switchEdge(block, to, here)
		t.f.NormalizeSuccProbs(block)
		if to != next {
			t.enterBlock(to)
		}
	}
}

// wideSwitch compares values of more than 64 bits one by one.
func (t *translator) wideSwitch(i ir.InstrID) {
	s := &t.sw
	ops := t.fn.Ops(i)
	v := t.get1(ops[0])
	for k := 2; k < len(ops); k += 2 {
		dest := ops[k+1].Block()
		to := t.blocks[dest]
		s.blockIR[to] = dest
		next := t.newBlockAfter(t.mb.Block)
		c := t.ICmp(ir.ICmpEQ, mir.Scalar(1), v, t.get1(ops[k]))
		t.Build(desc.G_BRCOND, Use(c), mir.BlockOp(to))
		t.Build(desc.G_BR, mir.BlockOp(next))
		t.switchEdge(t.mb.Block, to, uint64(mir.ProbOne)/2)
		t.switchEdge(t.mb.Block, next, uint64(mir.ProbOne)/2)
		t.enterBlock(next)
	}
	t.Build(desc.G_BR, mir.BlockOp(s.def))
	t.switchEdge(t.mb.Block, s.def, uint64(mir.ProbOne)/2)
}
