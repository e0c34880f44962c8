package targetinfo

import (
	"slices"
	"sort"
)

// unitSet is a candidate of a pressure set: units that compete.
type unitSet struct {
	name  string
	units []int
}

// unitsOf lists the units of a class's registers.
func (b *builder) unitsOf(c *class) []int {
	in := make([]bool, len(b.units))
	var out []int
	for _, r := range c.members {
		for _, u := range r.units {
			if !in[u] && !b.units[u].artificial {
				in[u] = true
				out = append(out, u)
			}
		}
	}
	sort.Ints(out)
	return out
}

// pressureSets finds the sets of units to watch: one for each class, where it
// differs enough from others, and their unions where they overlap.
func (b *builder) pressureSets() {
	add := func(s unitSet) {
		for i := range b.sets0 {
			if slices.Equal(b.sets0[i].units, s.units) {
				return
			}
		}
		b.sets0 = append(b.sets0, s)
	}
	for _, c := range b.classes {
		if c.allocatable && !c.artificial && c.pressure {
			if u := b.unitsOf(c); len(u) > 0 {
				add(unitSet{c.name, u})
			}
		}
	}
	b.pruneSets()
	given := len(b.sets0)
	for i := range given {
		for k := i + 1; k < given; k++ {
			if p, q := &b.sets0[i], &b.sets0[k]; overlaps(p.units, q.units) {
				add(unitSet{p.name + "_with_" + q.name, union(p.units, q.units)})
			}
		}
	}
	b.pruneSets()
	b.listSets()
}

// pruneSets drops sets that are nearly as large as one that contains them.
func (b *builder) pruneSets() {
	var stay []int
	for i := range b.sets0 {
		s := &b.sets0[i]
		near := false
		for k := range b.sets0 {
			o := &b.sets0[k]
			w := b.units[s.units[0]].weight
			if i != k && len(s.units)+3 > len(o.units) && contains(o.units, s.units) &&
				w == b.units[o.units[0]].weight && w == b.units[o.units[len(o.units)-1]].weight {
				// Of the names the shorter one is that of a class that was not inferred.
				if len(s.name) < len(o.name) {
					o.name = s.name
				}
				near = true
				break
			}
		}
		if !near {
			stay = append(stay, i)
		}
	}
	keep := make([]unitSet, len(stay))
	for i, k := range stay {
		keep[i] = b.sets0[k]
	}
	b.sets0 = keep
}

// listSets finds the sets of each class and of each unit, and numbers the sets
// from small to large.
func (b *builder) listSets() {
	n := len(b.sets0)
	bySize := make([]int, n)
	for i := range bySize {
		bySize[i] = i
	}
	sort.SliceStable(bySize, func(i, j int) bool { return len(b.sets0[bySize[i]].units) < len(b.sets0[bySize[j]].units) })
	sorted := make([]unitSet, n)
	for i, s := range bySize {
		sorted[i] = b.sets0[s]
	}
	b.sets0 = sorted
	b.classSets = make([][]int, len(b.classes))
	for i, c := range b.classes {
		if !c.allocatable {
			continue
		}
		units := b.unitsOf(c)
		if len(units) == 0 {
			continue
		}
		for k := range b.sets0 {
			if contains(b.sets0[k].units, units) {
				b.classSets[i] = append(b.classSets[i], k)
			}
		}
	}
	b.unitSets = make([][]int, b.native)
	for u := range b.unitSets {
		for k := range b.sets0 {
			if has(b.sets0[k].units, u) {
				b.unitSets[u] = append(b.unitSets[u], k)
			}
		}
	}
}

// setWeight is the weight of all units of a list.
func (b *builder) setWeight(units []int) int {
	w := 0
	for _, u := range units {
		w += b.units[u].weight
	}
	return w
}
