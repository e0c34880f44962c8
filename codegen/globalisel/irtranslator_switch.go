package globalisel

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// How dense (in percent) and how long a jump table may be.
const (
	minDensity        = 10
	minDensityOptSize = 40
	maxJumpTableSpan  = 1 << 20
	// wordBits is the width of the masks of bit tests.
	wordBits = 64
	// peelPercent is how probable a case must be to be asked for before all others.
	peelPercent = 66
)

type clusterKind uint8

const (
	rangeCluster clusterKind = iota // lo ≤ x ≤ hi goes to block
	tableCluster                    // jump table
	bitsCluster                     // bit tests
)

// cluster is a run of cases, lo to hi as signed numbers.
type cluster struct {
	lo, hi int64
	kind   clusterKind
	block  mir.BlockID // of a range
	first  int         // of tables and bit tests: the ranges [first, last] of switchState.ranges
	last   int
	prob   uint64 // out of mir.ProbOne
}

// switchState is the state of one switch being lowered.
type switchState struct {
	ranges   []cluster
	clusters []cluster
	work     []switchWork
	value    mir.Reg
	lt       mir.LLT
	def      mir.BlockID
	from     ir.BlockID
	// noDefault: the default is unreachable.
	noDefault bool
	optSize   bool
	minTable  int // ISelHooks.MinJumpTableEntries
	weighted  bool
	density   int64
	blockIR   map[mir.BlockID]ir.BlockID // destinations of the switch

	parts  partitioner
	dests  []tableDest
	destAt map[mir.BlockID]int
}

// switchWork is a run of clusters [a, b] that a block has to decide between;
// def is the probability that the value is in none of them. The value is known
// to be at least ge, and below lt.
type switchWork struct {
	block        mir.BlockID
	a, b         int
	def          uint64
	ge, lt       int64
	hasGE, hasLT bool
}

// switchInstr lowers switch: adjacent cases with one destination become
// ranges, dense runs jump tables or bit tests, and what remains a tree of
// comparisons that balances probabilities (at -O0 a chain, and a table only of all cases).
func (t *translator) switchInstr(i ir.InstrID) {
	ops := t.fn.Ops(i)
	s := &t.sw
	def := ops[1].Block()
	s.ranges, s.clusters, s.from, s.def, s.density = s.ranges[:0], s.clusters[:0], t.cur, t.blocks[def], minDensity
	s.blockIR = map[mir.BlockID]ir.BlockID{t.blocks[def]: def}
	first := t.fn.Blocks[def].First
	s.noDefault = first != 0 && t.fn.Instr(first).Op == ir.OpUnreachable && t.c.Opt > 0
	a := t.mod.Attrs.At(t.fn.Global().Attrs).Fn
	s.optSize, s.weighted = a.Has("optsize") || a.Has("minsize"), t.c.Opt > 0
	if s.optSize {
		s.density = minDensityOptSize
	}
	if n := t.types.IntBits(t.typ(ops[0])); n > 64 {
		t.wideSwitch(i)
		return
	}
	each := uint64(mir.ProbOne) / uint64(len(ops)/2)
	weight := func(k int) uint64 {
		if !s.weighted {
			return each
		}
		return uint64(t.prob(k))
	}
	defProb := weight(0)
	for k := 2; k < len(ops); k += 2 {
		v, ok := t.pool.SignedInt(t.types, ops[k])
		if !ok {
			t.fail("a switch case of this kind")
			return
		}
		dest := ops[k+1].Block()
		s.blockIR[t.blocks[dest]] = dest
		p := weight(k / 2)
		if t.blocks[dest] == s.def {
			defProb += p // the case says nothing
			continue
		}
		s.ranges = append(s.ranges, cluster{lo: v, hi: v, block: t.blocks[dest], prob: p})
	}
	if len(s.ranges) == 0 {
		t.jump(s.def)
		t.switchEdge(t.mb.Block, s.def, uint64(mir.ProbOne))
		return
	}
	s.value = t.get1(ops[0])
	s.lt = t.f.TypeOf(s.value)
	s.rangeify()
	if t.c.Opt > 0 && !a.Has("minsize") {
		defProb = t.peel(defProb)
	}
	s.minTable = t.st.MinJumpTableEntries()
	if no, ok := a.Get("no-jump-tables"); ok && no.Value == "true" || s.minTable == 0 {
		s.clusters = append(s.clusters, s.ranges...)
	} else {
		s.findTables(t.c.Opt > 0)
	}
	if t.c.Opt > 0 {
		s.findBitTests()
	}
	s.work = append(s.work[:0], switchWork{block: t.mb.Block, b: len(s.clusters) - 1, def: defProb})
	for len(s.work) > 0 {
		w := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		t.enterBlock(w.block)
		if t.c.Opt > 0 && w.b-w.a >= 3 && !a.Has("minsize") {
			t.splitWork(w)
		} else {
			t.lowerWork(w)
		}
	}
}

// switchEdge adds an edge of the switch and remembers it for the PHIs.
func (t *translator) switchEdge(from, to mir.BlockID, prob uint64) {
	p := mir.UnknownProb
	if t.sw.weighted {
		p = mir.Prob(min(prob, uint64(mir.ProbOne)))
	}
	t.f.MergeSucc(from, to, p)
	if dest, ok := t.sw.blockIR[to]; ok {
		e := edge{t.sw.from, dest}
		if l := t.preds[e]; len(l) == 0 || l[len(l)-1] != from {
			t.preds[e] = append(l, from)
		}
	}
}

// rangeify sorts the cases and joins neighbours with the same destination.
func (s *switchState) rangeify() {
	slices.SortFunc(s.ranges, func(a, b cluster) int { return cmp.Compare(a.lo, b.lo) })
	out := s.ranges[:1]
	for _, c := range s.ranges[1:] {
		p := &out[len(out)-1]
		if c.block == p.block && c.lo == p.hi+1 {
			p.hi = c.hi
			p.prob += c.prob
			continue
		}
		out = append(out, c)
	}
	s.ranges = out
	s.number()
}

func (s *switchState) number() {
	for k := range s.ranges {
		s.ranges[k].first, s.ranges[k].last = k, k
	}
}

// peel asks for the one range that is by far the most probable before all
// others, and returns the default's share of what remains.
func (t *translator) peel(def uint64) uint64 {
	s := &t.sw
	if len(s.ranges) < 2 {
		return def
	}
	top := 0
	for k := range s.ranges {
		if s.ranges[k].prob > s.ranges[top].prob {
			top = k
		}
	}
	c := s.ranges[top]
	if c.prob*100 < uint64(mir.ProbOne)*peelPercent {
		return def
	}
	rest := uint64(mir.ProbOne) - min(c.prob, uint64(mir.ProbOne))
	next := t.newBlockAfter(t.mb.Block)
	t.lowerCluster(c, next, rest, 0, false)
	t.enterBlock(next)
	s.ranges = slices.Delete(s.ranges, top, top+1)
	s.number()
	scale := func(p uint64) uint64 {
		if rest == 0 {
			return 0
		}
		return min(p*uint64(mir.ProbOne)/rest, uint64(mir.ProbOne))
	}
	for k := range s.ranges {
		s.ranges[k].prob = scale(s.ranges[k].prob)
	}
	return scale(def)
}

// cases counts the values of the ranges a to b.
func (s *switchState) cases(a, b int) uint64 {
	n := uint64(0)
	for _, c := range s.ranges[a : b+1] {
		n += uint64(c.hi-c.lo) + 1
	}
	return n
}

// span is the number of values from the ranges a to b; 0 stands for 2^64.
func (s *switchState) span(a, b int) uint64 { return uint64(s.ranges[b].hi-s.ranges[a].lo) + 1 }

// tableFits reports whether the ranges a to b, with n values, are dense enough for a jump table.
func (s *switchState) tableFits(a, b int, n uint64) bool {
	w := s.span(a, b)
	return w != 0 && w <= maxJumpTableSpan && n*100 >= w*uint64(s.density)
}

// bitTestsFit reports whether bit tests are better than a table: the values
// fit a word and there are few destinations.
func (s *switchState) bitTestsFit(a, b int) bool {
	if w := s.span(a, b); w == 0 || w > wordBits {
		return false
	}
	var dests [3]mir.BlockID
	n, cmps := 0, 0
	for _, c := range s.ranges[a : b+1] {
		cmps++
		if c.lo != c.hi {
			cmps++
		}
		if !slices.Contains(dests[:n], c.block) {
			if n == 3 {
				return false
			}
			dests[n] = c.block
			n++
		}
	}
	return n == 1 && cmps >= 3 || n == 2 && cmps >= 5 || n == 3 && cmps >= 6
}

// findTables fills clusters with the ranges, dense runs joined to tables.
func (s *switchState) findTables(split bool) {
	n := len(s.ranges)
	if n < s.minTable {
		s.clusters = append(s.clusters, s.ranges...)
		return
	}
	if s.tableFits(0, n-1, s.cases(0, n-1)) && !s.bitTestsFit(0, n-1) {
		s.clusters = append(s.clusters, s.join(tableCluster, 0, n-1))
		return
	}
	if !split {
		s.clusters = append(s.clusters, s.ranges...)
		return
	}
	end := s.parts.partition(s)
	for i := 0; i < n; i = int(end[i]) + 1 {
		e := int(end[i])
		if e-i+1 < s.minTable || s.bitTestsFit(i, e) || !s.tableFits(i, e, s.cases(i, e)) {
			s.clusters = append(s.clusters, s.ranges[i:e+1]...)
			continue
		}
		s.clusters = append(s.clusters, s.join(tableCluster, i, e))
	}
}

// join makes one cluster of the ranges a to b.
func (s *switchState) join(kind clusterKind, a, b int) cluster {
	c := cluster{lo: s.ranges[a].lo, hi: s.ranges[b].hi, kind: kind, first: a, last: b}
	for _, r := range s.ranges[a : b+1] {
		c.prob += r.prob
	}
	return c
}

// findBitTests joins runs of range clusters that fit a word and have at most
// three destinations, as few runs as there can be, and makes bit tests of
// those that are worth it.
func (s *switchState) findBitTests() {
	n := len(s.clusters)
	least, end := s.parts.rows(n)
	for i := n - 1; i >= 0; i-- {
		least[i], end[i] = least[i+1]+1, int32(i)
		if s.clusters[i].kind != rangeCluster {
			continue
		}
		var dests [3]mir.BlockID
		k := 0
		for j := i; j < n && s.clusters[j].kind == rangeCluster; j++ {
			c := &s.clusters[j]
			if w := uint64(c.hi-s.clusters[i].lo) + 1; w == 0 || w > wordBits {
				break
			}
			if !slices.Contains(dests[:k], c.block) {
				if k == len(dests) {
					break
				}
				dests[k] = c.block
				k++
			}
			if p := 1 + least[j+1]; j > i && (p < least[i] || p == least[i] && end[i] > int32(i)) { // of equal ones the longest
				least[i], end[i] = p, int32(j)
			}
		}
	}
	out := s.clusters[:0]
	for i := 0; i < n; {
		e := int(end[i])
		if a, b := s.clusters[i].first, s.clusters[e].first; e > i && s.bitTestsFit(a, b) {
			out = append(out, s.join(bitsCluster, a, b))
		} else {
			out = append(out, s.clusters[i:e+1]...)
		}
		i = e + 1
	}
	s.clusters = out
}
