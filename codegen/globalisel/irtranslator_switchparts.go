package globalisel

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/support/rows"
)

// partitioner cuts the ranges of a switch into as few dense runs as there can
// be, from the last range to the first (the idea is Kannan and Proebsting's,
// "Correction to 'Producing Good Code for the Case Statement'", 1994). Of
// equally few the ones with more tables are taken. The runs that may begin at a range are found by a
// prefix tree over how dense what comes before each end is, so that a switch
// of n ranges takes O(n log n).
type partitioner struct {
	least, score []int32 // of the ranges from each one on
	end          []int32 // where the first run of them ends
	dense        []int64 // of each end, see partition
	order, rank  []int32 // ends by their density
	tree         []int32 // the best end of each node, 0 none, else the end + 1
}

// What a run counts for the choice between equally few.
const (
	scoreTable  = 1
	scoreFew    = 1
	scoreSingle = 2
)

// rows makes room for n ranges.
func (p *partitioner) rows(n int) (least, end []int32) {
	p.least, p.end = rows.Zeroed(p.least, n+1), rows.Zeroed(p.end, n)
	return p.least, p.end
}

// partition returns, for the first range of each run, the last one.
//
// Ranges i to j make a run when 100 times their values are at least density
// times their span: when dense[j], which counts from the first range on, is at
// least what dense would be just before i. Gaps are cut to what no run can
// have, so that nothing overflows.
func (p *partitioner) partition(s *switchState) []int32 {
	n := len(s.ranges)
	least, end := p.rows(n)
	p.score, p.dense, p.rank, p.tree = rows.Zeroed(p.score, n+1), rows.Zeroed(p.dense, n), rows.Zeroed(p.rank, n), rows.Zeroed(p.tree, n+1)
	before := p.order[:0] // reused below
	total := int64(min(s.cases(0, n-1), maxJumpTableSpan))
	widest := uint64(100*total/s.density + 1)
	at := int64(0)
	starts := make([]int64, n)
	for i, r := range s.ranges {
		if i > 0 {
			gap := min(uint64(r.lo-s.ranges[i-1].hi)-1, widest)
			at -= int64(gap) * s.density
		}
		starts[i] = at
		at += int64(min(uint64(r.hi-r.lo)+1, widest)) * (100 - s.density)
		p.dense[i] = at
		before = append(before, int32(i))
	}
	p.order = before
	slices.SortFunc(p.order, func(a, b int32) int { return cmp.Compare(p.dense[b], p.dense[a]) })
	for k, i := range p.order {
		p.rank[i] = int32(k)
	}
	for i := n - 1; i >= 0; i-- {
		least[i], end[i], p.score[i] = least[i+1]+1, int32(i), p.score[i+1]+scoreSingle
		// Runs of two and three count for something else than longer ones.
		for j := min(i+s.minTable-2, n-1); j > i; j-- {
			if p.dense[j] >= starts[i] && s.tableFits(i, j, s.cases(i, j)) {
				sc := int32(0)
				if j-i+1 <= s.minTable/2 {
					sc = scoreFew
				}
				p.offer(i, j, sc)
			}
		}
		if j := i + s.minTable - 1; j < n {
			p.insert(j)
		}
		if j := p.best(starts[i]); j >= 0 {
			p.offer(i, j, scoreTable)
		}
	}
	return end
}

// offer takes the run i to j when it is better than what is known.
func (p *partitioner) offer(i, j int, score int32) {
	if j+1 == len(p.end) {
		score = 0
	}
	parts := 1 + p.least[j+1]
	score += p.score[j+1]
	if parts < p.least[i] || parts == p.least[i] && score > p.score[i] {
		p.least[i], p.end[i], p.score[i] = parts, int32(j), score
	}
}

// better reports whether a run had better end at a than at b.
func (p *partitioner) better(a, b int) bool {
	if x, y := p.least[a+1], p.least[b+1]; x != y {
		return x < y
	}
	if x, y := p.score[a+1], p.score[b+1]; x != y {
		return x > y
	}
	return a > b
}

// insert adds an end that runs may have from now on.
func (p *partitioner) insert(j int) {
	for k := int(p.rank[j]) + 1; k < len(p.tree); k += k & -k {
		if b := int(p.tree[k]) - 1; b < 0 || p.better(j, b) {
			p.tree[k] = int32(j) + 1
		}
	}
}

// best returns the best end of those that are dense enough, -1 for none.
func (p *partitioner) best(start int64) int {
	n, _ := slices.BinarySearchFunc(p.order, start, func(i int32, start int64) int {
		if p.dense[i] >= start {
			return -1
		}
		return 1
	})
	found := -1
	for k := n; k > 0; k -= k & -k {
		if b := int(p.tree[k]) - 1; b >= 0 && (found < 0 || p.better(b, found)) {
			found = b
		}
	}
	return found
}
