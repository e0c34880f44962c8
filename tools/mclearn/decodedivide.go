package main

import (
	"fmt"
	"slices"
)

// maxDividedRows bounds the lists whose values are asked about alone.
const maxDividedRows = 256

// divide makes several entries of one whose features follow the value of an
// operand: of instructions on special registers, each register has its own.
// Only operands that are lists are looked at.
func (d *decoding) divide(s *spaceEntries) {
	implies := d.closure()
	before := len(s.list)
	for i := range before {
		e := s.list[i]
		if e.skipped != "" || e.split != 0 {
			continue
		}
		for k := range e.ops {
			if n := len(e.ops[k].maps); n > 1 && n <= maxDividedRows && len(e.ops[k].at) > 0 && d.divideBy(s, e, k, implies) {
				break
			}
		}
	}
}

// divideBy divides an entry by the values of operand k; false when all have the
// same features.
func (d *decoding) divideBy(s *spaceEntries, e *entry, k int, implies [][]bool) bool {
	g := &group{at: e.ops[k].at}
	var ws []code
	for _, m := range e.ops[k].maps {
		ws = append(ws, g.with(e.good[0], uint64(m.Key)))
	}
	alone := func(v view) []bool {
		out := make([]bool, len(ws))
		if d.seeView(v) {
			for i, a := range d.words(ws, e.size) {
				out[i] = e.is(&a)
			}
		}
		return out
	}
	failing := make([][]int, len(ws))
	full := alone(d.full[e.view])
	for f := range d.info.Features {
		off := d.featureText("-", []int{f})
		if off == "-"+modeFeature(d.info, s.mode) {
			continue
		}
		x := d.full[e.view]
		if x.features != "" {
			off = x.features + "," + off
		}
		x.features = off
		for i, ok := range alone(x) {
			if !ok && full[i] {
				failing[i] = append(failing[i], f)
			}
		}
	}
	// What one of several features brings is seen where those that all are needed stand alone.
	signs := make([]string, len(ws))
	byNeeds := map[string][]bool{}
	for i := range ws {
		needs := d.featureText("+", d.leading(failing[i], implies))
		signs[i] = needs
		on := func(more string) []bool {
			x := d.bare(d.full[e.view], s.mode)
			for _, t := range [...]string{needs, more} {
				if t != "" {
					x.features += "," + t
				}
			}
			key := needs + "|" + more
			if byNeeds[key] == nil {
				byNeeds[key] = alone(x)
			}
			return byNeeds[key]
		}
		if on("")[i] {
			continue
		}
		for f := range d.info.Features {
			if on(d.featureText("+", []int{f}))[i] {
				signs[i] += fmt.Sprint(" ", f)
			}
		}
	}
	var kinds []string
	for i, sign := range signs {
		if full[i] && !slices.Contains(kinds, sign) {
			kinds = append(kinds, sign)
		}
	}
	if len(kinds) < 2 {
		return false
	}
	base := *e
	for n, sign := range kinds {
		part := e
		if n > 0 {
			part = new(entry)
			s.list = append(s.list, part)
		}
		*part = base
		part.ops = slices.Clone(base.ops)
		part.good = nil
		has := map[int64]bool{}
		for i, m := range base.ops[k].maps {
			if full[i] && signs[i] == sign {
				has[m.Key] = true
				part.good = append(part.good, ws[i])
			}
		}
		// Operands that are the same register follow the same bits.
		for o := range part.ops {
			if slices.Equal(part.ops[o].at, g.at) && part.ops[o].maps != nil {
				part.ops[o].maps = nil
				for _, m := range base.ops[o].maps {
					if has[m.Key] {
						part.ops[o].maps = append(part.ops[o].maps, m)
					}
				}
			}
		}
	}
	return true
}

// leading are the features of a list that no other of it implies.
func (d *decoding) leading(fs []int, implies [][]bool) (out []int) {
	for _, f := range fs {
		if !slices.ContainsFunc(fs, func(g int) bool { return g != f && implies[g][f] }) {
			out = append(out, f)
		}
	}
	return out
}
