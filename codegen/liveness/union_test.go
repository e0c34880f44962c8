package liveness

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mirin-go/mirin/mir"
)

// TestUnion puts stretches in and takes them out, and compares with a sorted list.
func TestUnion(t *testing.T) {
	for seed := range 20 {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		var u Union
		var pool []*chunk
		var list []Assigned
		slots := 1 + rng.IntN(3000)
		taken := make([]bool, slots)
		for step := range 6000 {
			k := rng.IntN(slots)
			if step < slots && seed%2 == 0 {
				k = step // in order
			}
			a := Assigned{Index(k*8 + 8), Index(k*8 + 12 + rng.IntN(5)), mir.VReg(k)}
			if !taken[k] {
				u.insert(a, &pool)
				at, _ := slices.BinarySearchFunc(list, a.Start, func(x Assigned, s Index) int { return int(x.Start) - int(s) })
				list = slices.Insert(list, at, a)
			} else {
				at := slices.IndexFunc(list, func(x Assigned) bool { return x.Start == a.Start })
				list = slices.Delete(list, at, at+1)
				if !u.remove(a.Start, a.Reg, &pool) {
					t.Fatal("a stretch is not there")
				}
			}
			taken[k] = !taken[k]
			if step%500 != 0 {
				continue
			}
			var got []Assigned
			for c := u.Find(0); c.Valid(); c.Next() {
				got = append(got, *c.At())
			}
			if !slices.Equal(got, list) || u.Len() != len(list) {
				t.Fatalf("seed %d, step %d: the set is wrong", seed, step)
			}
			c := u.Find(0)
			for q := Index(0); q < Index(slots*8+20); q += Index(1 + rng.IntN(100)) {
				want := slices.IndexFunc(list, func(x Assigned) bool { return x.End > q })
				c.AdvanceTo(q)
				d := u.Find(q)
				if c != d || (want < 0) == d.Valid() || want >= 0 && *d.At() != list[want] {
					t.Fatalf("seed %d, step %d: Find(%d) is wrong", seed, step, q)
				}
				if want > 0 && (!d.Prev() || *d.At() != list[want-1]) {
					t.Fatalf("seed %d: Prev is wrong", seed)
				}
			}
		}
	}
}

// TestVisit compares the registers found in a unit with a comparison of all.
func TestVisit(t *testing.T) {
	for seed := range 200 {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		m := &Matrix{unions: make([]Union, 1)}
		at := Index(8)
		var all []Assigned
		for k := range rng.IntN(400) {
			at += Index(rng.IntN(3) * 8)
			a := Assigned{at, at + 4 + Index(rng.IntN(3)*8), mir.VReg(k % 50)}
			at = a.End
			all = append(all, a)
			m.unions[0].insert(a, &m.pool)
		}
		var r Range
		v := r.NewValue(8)
		for p := Index(8); p < at+100; {
			p += Index(1 + rng.IntN(100))
			e := p + Index(1+rng.IntN(60))
			r.Append(Segment{p, e, v})
			p = e
		}
		var want, got []mir.Reg
		for _, a := range all {
			if r.OverlapsSegment(a.Start, a.End) && !slices.Contains(want, a.Reg) {
				want = append(want, a.Reg)
			}
		}
		m.visit(&r, 0, func(x mir.Reg) bool {
			if !slices.Contains(got, x) {
				got = append(got, x)
			}
			return true
		})
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %v, want %v", seed, got, want)
		}
	}
}
