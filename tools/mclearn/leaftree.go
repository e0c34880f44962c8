package main

import (
	"math"
	"math/bits"
	"slices"

	"github.com/mirin-go/mirin/desc"
)

// What becomes of a leaf's words is learned as a list of rows that are tried in order:
// each has conditions on fields and an outcome. The list is a decision tree's, whose
// questions (atoms) are those that divide the samples best.

// outcome is what words become.
type outcome struct {
	kind uint8 // of the consts below
	soft bool
	op   desc.Opcode
	n    int    // operands
	ops  string // their kinds
	list bool   // with registers behind them, one for each bit of the leaf's list
}

const (
	outRefuse = iota // the table's answer: they mean nothing
	outDecode
)

// leafSample is a word of a leaf and what it becomes.
type leafSample struct {
	w   code
	out int // of leafLearner.outs
	ops []operand
}

// atom is a question about a word (desc.DecCheck). Without b add stands alone.
type atom struct {
	a, b []int
	add  int
	kind desc.DecCheckKind
}

func fieldOf(w code, at []int) (v int) {
	for i, p := range at {
		v |= int(w[p/64]>>(p%64)&1) << i
	}
	return v
}

func (t *atom) holds(w code) bool {
	a, b := fieldOf(w, t.a), t.add
	if t.b != nil {
		b += fieldOf(w, t.b)
	}
	switch t.kind {
	case desc.CheckLess:
		return a < b
	case desc.CheckMember:
		return a>>b&1 != 0
	case desc.CheckCount:
		return bits.OnesCount(uint(a)) < b
	}
	return a == b
}

// bitset is a set of samples.
type bitset []uint64

func (s bitset) count() (n int) {
	for _, x := range s {
		n += bits.OnesCount64(x)
	}
	return n
}

func (s bitset) countAnd(t bitset) (n int) {
	for k, x := range s {
		n += bits.OnesCount64(x & t[k])
	}
	return n
}

func (s bitset) and(t bitset, not bool) bitset {
	out := make(bitset, len(s))
	for k, x := range s {
		if y := t[k]; not {
			out[k] = x &^ y
		} else {
			out[k] = x & y
		}
	}
	return out
}

// leafRow is conditions with their outcome; those of atoms of a constant are in mask and fixed.
type leafRow struct {
	mask, fixed code
	checks      []atom
	out         outcome
	ops         []decOperand
	list        []int
	listReg     []int64
}

// tree finds rows for samples by the atoms; nil when there are too many.
type treeMaker struct {
	samples []leafSample
	atoms   []atom
	sets    []bitset // of the samples for which each atom holds
	classes []bitset // of the samples of each outcome
	outs    []outcome
	rows    []leafRow
	leaves  []bitset
}

const maxLeafRows = 48

func newTree(samples []leafSample, atoms []atom, outs []outcome) *treeMaker {
	t := &treeMaker{samples: samples, atoms: atoms, outs: outs}
	n := (len(samples) + 63) / 64
	t.sets, t.classes = make([]bitset, len(atoms)), make([]bitset, len(outs))
	for i := range atoms {
		t.sets[i] = make(bitset, n)
		for k := range samples {
			if atoms[i].holds(samples[k].w) {
				t.sets[i][k/64] |= 1 << (k % 64)
			}
		}
	}
	for i := range outs {
		t.classes[i] = make(bitset, n)
	}
	for k := range samples {
		t.classes[samples[k].out][k/64] |= 1 << (k % 64)
	}
	return t
}

// grow divides a set of samples until each part has one outcome.
func (t *treeMaker) grow(set bitset, row leafRow) bool {
	var have []int
	for c := range t.classes {
		if set.countAnd(t.classes[c]) > 0 {
			have = append(have, c)
		}
	}
	if len(have) <= 1 {
		if len(have) == 1 {
			row.out = t.outs[have[0]]
			t.rows = append(t.rows, row)
			t.leaves = append(t.leaves, set)
		}
		return len(t.rows) <= maxLeafRows
	}
	best, at := math.Inf(1), -1
	n := float64(set.count())
	for i := range t.atoms {
		in := set.countAnd(t.sets[i])
		if in == 0 || in == int(n) {
			continue
		}
		cost := 0.0
		for _, c := range have {
			both := 0
			all := set.countAnd(t.classes[c])
			for k, x := range set {
				both += bits.OnesCount64(x & t.classes[c][k] & t.sets[i][k])
			}
			for _, p := range [...][2]float64{{float64(both), float64(in)}, {float64(all - both), n - float64(in)}} {
				if p[0] > 0 {
					cost -= p[0] * math.Log2(p[0]/p[1])
				}
			}
		}
		// Where two are as good the simpler one is meant.
		cost += 0.001*float64(len(t.atoms[i].a)) + 0.01*float64(len(t.atoms[i].b))
		if t.atoms[i].kind != desc.CheckEqual {
			cost += 0.02
		}
		if cost < best-1e-9 {
			best, at = cost, i
		}
	}
	if at < 0 || len(t.rows) > maxLeafRows {
		return false
	}
	a := t.atoms[at]
	yes := row
	yes.checks = slices.Clone(row.checks)
	if a.b == nil && a.kind == desc.CheckEqual {
		for i, p := range a.a {
			yes.mask[p/64] |= 1 << (p % 64)
			yes.fixed[p/64] = yes.fixed[p/64]&^(1<<(p%64)) | uint64(a.add)>>i&1<<(p%64)
		}
	} else {
		yes.checks = append(yes.checks, a)
	}
	return t.grow(set.and(t.sets[at], false), yes) && t.grow(set.and(t.sets[at], true), row)
}

// covers reports that a row's conditions hold.
func (r *leafRow) covers(w code) bool {
	if w.and(r.mask) != r.fixed {
		return false
	}
	return !slices.ContainsFunc(r.checks, func(a atom) bool { return !a.holds(w) })
}
