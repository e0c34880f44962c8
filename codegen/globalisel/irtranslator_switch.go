package globalisel

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// How many cases make a jump table, and how dense (in percent) it must be.
const (
	minJumpTableEntries = 4
	minDensity          = 10
	minDensityOptSize   = 40
	maxJumpTableSpan    = 1 << 20
	// maxPartition bounds the search for the best way to cut cases into tables.
	maxPartition = 512
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
	weight uint64
}

// switchState is the state of one switch being lowered.
type switchState struct {
	ranges   []cluster
	clusters []cluster
	value    mir.Reg
	lt       mir.LLT
	def      mir.BlockID
	from     ir.BlockID
	// noDefault: the default is unreachable.
	noDefault bool
	defWeight uint64
	density   int64
	weighted  bool
	blockIR   map[mir.BlockID]ir.BlockID // destinations of the switch
}

// switchInstr lowers switch: adjacent cases with one destination become
// ranges, dense runs jump tables or bit tests, and what remains a balanced
// tree of comparisons (at -O0 a chain, and a table only of all cases).
func (t *translator) switchInstr(i ir.InstrID) {
	ops := t.fn.Ops(i)
	s := &t.sw
	def := ops[1].Block()
	*s = switchState{ranges: s.ranges[:0], clusters: s.clusters[:0], from: t.cur, def: t.blocks[def], density: minDensity,
		blockIR: map[mir.BlockID]ir.BlockID{t.blocks[def]: def}}
	first := t.fn.Blocks[def].First
	s.noDefault = first != 0 && t.fn.Instr(first).Op == ir.OpUnreachable && t.c.Opt > 0
	if a := t.mod.Attrs.At(t.fn.Global().Attrs).Fn; a.Has("optsize") || a.Has("minsize") {
		s.density = minDensityOptSize
	}
	if n := t.types.IntBits(t.typ(ops[0])); n > 64 {
		t.wideSwitch(i)
		return
	}
	weights := t.branchWeights(i, len(ops)/2)
	s.weighted = weights != nil
	weight := func(k int) uint64 {
		if weights == nil {
			return 1
		}
		return weights[k]
	}
	s.defWeight = weight(0)
	for k := 2; k < len(ops); k += 2 {
		v, ok := t.pool.SignedInt(t.types, ops[k])
		if !ok {
			t.fail("a switch case of this kind")
			return
		}
		dest := ops[k+1].Block()
		s.blockIR[t.blocks[dest]] = dest
		s.ranges = append(s.ranges, cluster{lo: v, hi: v, block: t.blocks[dest], weight: weight(k / 2)})
	}
	if len(s.ranges) == 0 {
		t.jump(s.def)
		t.switchEdge(t.mb.Block, s.def, mir.UnknownProb)
		return
	}
	s.value = t.get1(ops[0])
	s.lt = t.f.TypeOf(s.value)
	s.rangeify()
	t.findTables()
	t.findBitTests()
	t.lowerClusters(0, len(s.clusters)-1, -1<<63, 1<<63-1)
}

// switchEdge adds an edge of the switch and remembers it for the PHIs.
func (t *translator) switchEdge(from, to mir.BlockID, prob mir.Prob) {
	t.f.MergeSucc(from, to, prob)
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
			p.weight += c.weight
			continue
		}
		out = append(out, c)
	}
	s.ranges = out
	for k := range s.ranges {
		s.ranges[k].first, s.ranges[k].last = k, k
	}
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
	return w != 0 && w <= maxJumpTableSpan && n*100 >= w*uint64(s.density) && n >= minJumpTableEntries
}

// bitTestsFit reports whether bit tests are better than a table: the values
// fit a word and there are few destinations.
func (s *switchState) bitTestsFit(a, b int) bool {
	if w := s.span(a, b); w == 0 || w > 64 {
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
func (t *translator) findTables() {
	s := &t.sw
	n := len(s.ranges)
	attrs := t.mod.Attrs.At(t.fn.Global().Attrs).Fn
	if a, ok := attrs.Get("no-jump-tables"); ok && a.Value == "true" || n < 2 || n < minJumpTableEntries {
		s.clusters = append(s.clusters, s.ranges...)
		return
	}
	if s.tableFits(0, n-1, s.cases(0, n-1)) {
		if !s.bitTestsFit(0, n-1) {
			s.clusters = append(s.clusters, s.table(0, n-1))
			return
		}
	}
	if t.c.Opt == 0 || n > maxPartition {
		s.clusters = append(s.clusters, s.ranges...)
		return
	}
	// best[i] is the least number of clusters for the ranges i…, end[i] where the first of them ends.
	best, end := make([]int, n+1), make([]int, n)
	for i := n - 1; i >= 0; i-- {
		best[i], end[i] = best[i+1]+1, i
		count := uint64(0)
		for j := i; j < n; j++ {
			count += uint64(s.ranges[j].hi-s.ranges[j].lo) + 1
			if j-i+1 >= minJumpTableEntries && best[j+1]+1 < best[i] && s.tableFits(i, j, count) {
				best[i], end[i] = best[j+1]+1, j
			}
		}
	}
	for i := 0; i < n; i = end[i] + 1 {
		if end[i] == i || s.bitTestsFit(i, end[i]) {
			s.clusters = append(s.clusters, s.ranges[i:end[i]+1]...)
			continue
		}
		s.clusters = append(s.clusters, s.table(i, end[i]))
	}
}

func (s *switchState) table(a, b int) cluster {
	c := cluster{lo: s.ranges[a].lo, hi: s.ranges[b].hi, kind: tableCluster, first: a, last: b}
	for _, r := range s.ranges[a : b+1] {
		c.weight += r.weight
	}
	return c
}

// findBitTests joins runs of range clusters to bit tests, the longest first from the left.
func (t *translator) findBitTests() {
	s := &t.sw
	if t.c.Opt == 0 {
		return
	}
	out := s.clusters[:0:0]
	for i := 0; i < len(s.clusters); {
		j := i
		for e := min(len(s.clusters)-1, i+63); e > i; e-- {
			if s.allRanges(i, e) && s.bitTestsFit(s.clusters[i].first, s.clusters[e].first) {
				j = e
				break
			}
		}
		if j == i {
			out = append(out, s.clusters[i])
		} else {
			c := s.table(s.clusters[i].first, s.clusters[j].first)
			c.kind = bitsCluster
			out = append(out, c)
		}
		i = j + 1
	}
	s.clusters = out
}

func (s *switchState) allRanges(a, b int) bool {
	for _, c := range s.clusters[a : b+1] {
		if c.kind != rangeCluster {
			return false
		}
	}
	return true
}

// lowerClusters compares with the clusters a to b in the current block and
// those behind it; min and max bound the value there.
func (t *translator) lowerClusters(a, b int, lo, hi int64) {
	s := &t.sw
	if t.c.Opt > 0 && b-a >= 3 {
		mid := (a + b + 1) / 2
		pivot := s.clusters[mid].lo
		less := t.ICmp(ir.ICmpSLT, mir.Scalar(1), s.value, t.caseConst(pivot))
		from := t.mb.Block
		// Both halves follow the current block; the left one first.
		right := t.newBlockAfter(from)
		left := t.newBlockAfter(from)
		t.Build(desc.G_BRCOND, Use(less), mir.BlockOp(left))
		t.Build(desc.G_BR, mir.BlockOp(right))
		p := t.prob(s.weightOf(a, mid-1)+s.defWeight/2, s.weightOf(a, b)+s.defWeight)
		t.switchEdge(from, left, p)
		t.switchEdge(from, right, invProb(p))
		t.enterBlock(left)
		t.lowerClusters(a, mid-1, lo, pivot-1)
		t.enterBlock(right)
		t.lowerClusters(mid, b, pivot, hi)
		return
	}
	rest := s.weightOf(a, b) + s.defWeight
	for k := a; k <= b; k++ {
		c := s.clusters[k]
		next := s.def
		if k < b {
			next = t.newBlockAfter(t.mb.Block)
		}
		t.lowerCluster(c, next, rest, k == b && s.noDefault)
		rest -= c.weight
		if k < b {
			t.enterBlock(next)
		}
	}
}

func (s *switchState) weightOf(a, b int) uint64 {
	n := uint64(0)
	for _, c := range s.clusters[a : b+1] {
		n += c.weight
	}
	return n
}

func (t *translator) prob(w, sum uint64) mir.Prob {
	if !t.sw.weighted || sum == 0 {
		return mir.UnknownProb
	}
	return weightProb(w, sum)
}

func invProb(p mir.Prob) mir.Prob {
	if p == mir.UnknownProb {
		return p
	}
	return mir.ProbOne - p
}

// caseConst is the register of a case's number, made in the entry block.
func (t *translator) caseConst(v int64) mir.Reg {
	n := t.sw.lt.ScalarBits()
	return t.get1(ir.ConstVal(t.pool.Int(t.types.Int(n), uint64(v)&lowMask(n))))
}

// lowerCluster tests one cluster in the current block and goes to next when
// the value is not in it; last says that then nothing is possible.
func (t *translator) lowerCluster(c cluster, next mir.BlockID, weight uint64, last bool) {
	s := &t.sw
	from := t.mb.Block
	switch {
	case c.kind == tableCluster:
		t.jumpTable(c, next, weight, last)
	case c.kind == bitsCluster:
		t.bitTests(c, next, weight, last)
	case last:
		t.Build(desc.G_BR, mir.BlockOp(c.block))
		t.switchEdge(from, c.block, mir.UnknownProb)
	default:
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
		p := t.prob(c.weight, weight)
		t.switchEdge(from, c.block, p)
		t.switchEdge(from, next, invProb(p))
	}
}

// jumpTable subtracts the first case, checks the range and jumps through the table.
func (t *translator) jumpTable(c cluster, next mir.BlockID, weight uint64, last bool) {
	s := &t.sw
	from := t.mb.Block
	jt := mir.JumpTable{}
	at := c.lo
	ranges := s.ranges[c.first : c.last+1]
	for _, r := range ranges {
		for ; at < r.lo; at++ {
			jt.Blocks = append(jt.Blocks, next)
		}
		for n := uint64(r.hi-r.lo) + 1; n > 0; n-- {
			jt.Blocks = append(jt.Blocks, r.block)
		}
		at = r.hi + 1
	}
	holes := uint64(len(jt.Blocks)) != s.cases(c.first, c.last)
	if last {
		for k := range jt.Blocks {
			if jt.Blocks[k] == next {
				jt.Blocks[k] = ranges[0].block // cannot be reached
			}
		}
	}
	t.f.JumpTableKind = t.st.JumpTableKind()
	t.f.JumpTables = append(t.f.JumpTables, jt)
	n := uint32(len(t.f.JumpTables) - 1)

	pt := t.pointerLLT(0)
	it := mir.Scalar(pt.ScalarBits())
	idx := t.Bin(desc.G_SUB, s.lt, s.value, t.blockConst(s.lt, c.lo))
	idx = t.Resize(desc.G_ZEXT, it, idx)
	block := from
	if !last {
		limit := t.Resize(desc.G_ZEXT, it, t.caseConst(c.hi-c.lo))
		out := t.ICmp(ir.ICmpUGT, mir.Scalar(1), idx, limit)
		t.Build(desc.G_BRCOND, Use(out), mir.BlockOp(next))
		block = t.newBlockAfter(from)
		p := t.prob(weight-c.weight, weight)
		t.switchEdge(from, next, p)
		t.switchEdge(from, block, invProb(p))
		t.enterBlock(block)
	}
	addr := t.New(pt)
	t.Build(desc.G_JUMP_TABLE, Def(addr), mir.IndexOp(mir.OpJTI, n, 0, 0))
	t.Build(desc.G_BRJT, Use(addr), mir.IndexOp(mir.OpJTI, n, 0, 0), Use(idx))
	for _, r := range ranges {
		t.switchEdge(block, r.block, mir.UnknownProb)
	}
	if holes && !last {
		t.switchEdge(block, next, mir.UnknownProb)
	}
}

// bitTests shifts 1 by the value and tests the mask of each destination.
func (t *translator) bitTests(c cluster, next mir.BlockID, weight uint64, last bool) {
	s := &t.sw
	from := t.mb.Block
	type dest struct {
		block mir.BlockID
		mask  uint64
		bits  int
	}
	var dests []dest
	for _, r := range s.ranges[c.first : c.last+1] {
		k := slices.IndexFunc(dests, func(d dest) bool { return d.block == r.block })
		if k < 0 {
			dests = append(dests, dest{block: r.block})
			k = len(dests) - 1
		}
		n := int(r.hi-r.lo) + 1
		dests[k].mask |= lowMask(n) << uint(r.lo-c.lo)
		dests[k].bits += n
	}
	slices.SortStableFunc(dests, func(a, b dest) int { return cmp.Compare(b.bits, a.bits) })
	// Masks as wide as the value when they fit, else as wide as a pointer.
	mt := s.lt
	if span := s.span(c.first, c.last); span > uint64(mt.ScalarBits()) || mt.ScalarBits() < 32 {
		mt = mir.Scalar(32)
		if span > 32 {
			mt = mir.Scalar(64)
		}
	}
	idx := t.Bin(desc.G_SUB, s.lt, s.value, t.blockConst(s.lt, c.lo))
	if !last {
		out := t.ICmp(ir.ICmpUGT, mir.Scalar(1), idx, t.blockConst(s.lt, c.hi-c.lo))
		t.Build(desc.G_BRCOND, Use(out), mir.BlockOp(next))
		block := t.newBlockAfter(from)
		t.Build(desc.G_BR, mir.BlockOp(block))
		p := t.prob(weight-c.weight, weight)
		t.switchEdge(from, next, p)
		t.switchEdge(from, block, invProb(p))
		t.enterBlock(block)
	}
	idx = t.Resize(desc.G_ZEXT, mt, idx)
	bit := t.Bin(desc.G_SHL, mt, t.blockConst(mt, 1), idx)
	for k, d := range dests {
		block := t.mb.Block
		if last && k == len(dests)-1 {
			t.Build(desc.G_BR, mir.BlockOp(d.block))
			t.switchEdge(block, d.block, mir.UnknownProb)
			return
		}
		and := t.Bin(desc.G_AND, mt, bit, t.blockConst(mt, int64(d.mask)))
		hit := t.ICmp(ir.ICmpNE, mir.Scalar(1), and, t.blockConst(mt, 0))
		to := next
		if k < len(dests)-1 {
			to = t.newBlockAfter(block)
		}
		t.Build(desc.G_BRCOND, Use(hit), mir.BlockOp(d.block))
		t.Build(desc.G_BR, mir.BlockOp(to))
		t.switchEdge(block, d.block, mir.UnknownProb)
		t.switchEdge(block, to, mir.UnknownProb)
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
		t.switchEdge(t.mb.Block, to, mir.UnknownProb)
		t.switchEdge(t.mb.Block, next, mir.UnknownProb)
		t.enterBlock(next)
	}
	t.Build(desc.G_BR, mir.BlockOp(s.def))
	t.switchEdge(t.mb.Block, s.def, mir.UnknownProb)
}
