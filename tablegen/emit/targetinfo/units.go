package targetinfo

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
)

const noBits = desc.NoBits

// regUnit is a part that registers share. Units below builder.native have roots.
type regUnit struct {
	roots      [2]*register
	weight     int
	artificial bool
}

// firstUnits gives r the units of its parts, or one of its own where it has none,
// and one for each alias.
func (b *builder) firstUnits(r *register) {
	for _, s := range r.explicit {
		r.units = union(r.units, s.units)
	}
	if len(r.explicit) == 0 {
		r.units = union(r.units, []int{b.newUnit(r, nil)})
	}
	for _, a := range r.aliases {
		if a.state != stateNew || a == r {
			continue // each pair once: the other one has made it
		}
		u := b.newUnit(r, a)
		r.units = union(r.units, []int{u})
		a.units = union(a.units, []int{u})
	}
	r.native = r.units
}

func (b *builder) newUnit(p, q *register) int {
	u := regUnit{roots: [2]*register{p, q}}
	u.artificial = p != nil && p.artificial || q != nil && q.artificial
	b.units = append(b.units, u)
	return len(b.units) - 1
}

// union merges sorted lists without repeats; the first is returned as it is
// where it has everything.
func union(a, c []int) []int {
	if contains(a, c) {
		return a
	}
	out := make([]int, 0, len(a)+len(c))
	for i, j := 0, 0; i < len(a) || j < len(c); {
		switch {
		case j == len(c) || i < len(a) && a[i] < c[j]:
			out = append(out, a[i])
			i++
		case i == len(a) || c[j] < a[i]:
			out = append(out, c[j])
			j++
		default:
			out = append(out, a[i])
			i++
			j++
		}
	}
	return out
}

// contains reports whether sorted list a has all of the sorted list c.
func contains(a, c []int) bool {
	i := 0
	for _, x := range c {
		for i < len(a) && a[i] < x {
			i++
		}
		if i == len(a) || a[i] != x {
			return false
		}
	}
	return true
}

func has(sorted []int, x int) bool {
	_, ok := slices.BinarySearch(sorted, x)
	return ok
}

func overlaps(a, c []int) bool {
	for i, j := 0, 0; i < len(a) && j < len(c); {
		switch {
		case a[i] == c[j]:
			return true
		case a[i] < c[j]:
			i++
		default:
			j++
		}
	}
	return false
}

// unitLanes tells which lanes of a register each of its units is.
func (b *builder) unitLanes() {
	for _, r := range b.regs {
		r.lanes = make([]desc.LaneMask, len(r.native))
		for i := range r.lanes {
			r.lanes[i] = desc.AllLanes
		}
		for i, s := range r.subs.vals {
			if len(s.subs.keys) > 0 {
				continue // its parts say it more precisely
			}
			for _, u := range s.native {
				if k, ok := slices.BinarySearch(r.native, u); ok {
					r.lanes[k] &= r.subs.keys[i].lanes
				}
			}
		}
	}
}

// superSet is a set of registers of which any two are connected by overlapping
// allocatable classes. All its registers should weigh the same.
type superSet struct {
	regs   []*register
	weight int
	// decisive are single units that determine the weight of the set.
	decisive []int
}

// unitWeights gives units weights, so that in each allocatable class the units
// of any register have the same sum.
func (b *builder) unitWeights() {
	sets, of := b.superSets()
	b.weighSets(sets)
	limit := 2*b.native + 16
	for changed := true; changed; limit-- {
		if limit == 0 {
			b.fail(b.regs[0].rec, "", "the weights of register units do not settle")
			return
		}
		changed = false
		for _, r := range b.regs {
			w := weigher{b: b, sets: sets, of: of, seen: make([]bool, len(b.regs)+1)}
			if w.normalize(r) {
				changed = true
			}
		}
	}
}

// superSets joins registers of overlapping allocatable classes; set 0 has what
// is in none. Set i is used by the registers of[i-1].
func (b *builder) superSets() (sets []superSet, of []int) {
	parent := make([]int, len(b.regs)+1)
	for i := range parent {
		parent[i] = i
	}
	find := func(x int) int {
		for parent[x] != x {
			parent[x] = parent[parent[x]]
			x = parent[x]
		}
		return x
	}
	join := func(x, y int) {
		x, y = find(x), find(y)
		if x > y {
			x, y = y, x
		}
		parent[y] = x // leaders are the lowest members
	}
	allocatable := make([]bool, len(b.regs)+1)
	for _, c := range b.classes {
		if !c.allocatable {
			continue
		}
		for _, r := range c.members {
			allocatable[r.num] = true
			join(c.members[0].num, r.num)
		}
	}
	for _, r := range b.regs {
		if !allocatable[r.num] {
			join(0, r.num)
		}
	}
	num := map[int]int{0: 0}
	sets = []superSet{{}}
	of = make([]int, len(b.regs))
	for i, r := range b.regs {
		l := find(r.num)
		n, ok := num[l]
		if !ok {
			n = len(sets)
			num[l] = n
			sets = append(sets, superSet{})
		}
		sets[n].regs = append(sets[n].regs, r)
		of[i] = n
	}
	return sets, of
}

// weighSets finds the weight of each set: of its heaviest register.
func (b *builder) weighSets(sets []superSet) {
	for i := range sets {
		if i == 0 {
			continue
		}
		s := &sets[i]
		most := 0
		for _, r := range s.regs {
			w := 0
			for _, u := range r.units {
				if b.units[u].artificial {
					continue
				}
				if b.units[u].weight == 0 {
					b.units[u].weight = 1
				}
				w += b.units[u].weight
			}
			most = max(most, w)
		}
		s.weight = most
		for _, r := range s.regs {
			if len(r.units) == 1 && b.regWeight(r) == most {
				s.decisive = union(s.decisive, r.units)
			}
		}
	}
}

func (b *builder) regWeight(r *register) int {
	w := 0
	for _, u := range r.units {
		w += b.units[u].weight
	}
	return w
}

// weigher is one walk over a register and its parts.
type weigher struct {
	b    *builder
	sets []superSet
	of   []int
	seen []bool
	used []int // units of registers that are done: they must not change
}

// normalize makes the weight of r that of its set, parts first: by a heavier
// unit where nothing else depends on it, else by one more unit.
func (w *weigher) normalize(r *register) bool {
	if w.seen[r.num] {
		return false
	}
	w.seen[r.num] = true
	b := w.b
	changed := false
	for _, s := range r.subs.vals {
		if w.normalize(s) {
			changed = true
		}
	}
	before := len(r.units)
	for _, s := range r.subs.vals {
		r.units = union(r.units, s.units)
	}
	if len(r.units) != before {
		b.weighSets(w.sets)
	}
	set := &w.sets[w.of[r.num-1]]
	if weight := b.regWeight(r); set.weight > weight {
		u := r.units[0]
		if len(r.units) != 1 || has(w.used, u) || has(set.decisive, u) {
			b.units = append(b.units, regUnit{weight: set.weight - weight})
			r.units = union(r.units, []int{len(b.units) - 1})
		} else {
			if !b.units[u].artificial {
				b.units[u].weight += set.weight - weight
			}
			b.weighSets(w.sets)
		}
		changed = true
	}
	w.used = union(w.used, r.units)
	return changed
}
