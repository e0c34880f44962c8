package main

import (
	"slices"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// condition is the features that decoding an opcode needs: all of those of all,
// one of those of any, none of those of not. Numbers are rows of Info.Features.
type condition struct {
	all, any, not []int
}

// closure is what each feature implies, itself among it, as sets over rows.
func (d *decoding) closure() [][]bool {
	fs := d.info.Features
	byBit := map[int]int{}
	for i := range fs {
		byBit[int(fs[i].Bit)] = i
	}
	out := make([][]bool, len(fs))
	var add func(set []bool, f int)
	add = func(set []bool, f int) {
		if set[f] {
			return
		}
		set[f] = true
		for w, x := range d.info.FeatureSet(fs[f].Implies) {
			for b := range 64 {
				if i, ok := byBit[w*64+b]; ok && x>>b&1 != 0 {
					add(set, i)
				}
			}
		}
	}
	for f := range fs {
		out[f] = make([]bool, len(fs))
		add(out[f], f)
	}
	return out
}

// featureText is a list of features as -mattr reads it.
func (d *decoding) featureText(sign string, fs []int) string {
	var out []string
	for _, f := range fs {
		out = append(out, sign+d.info.Str(d.info.Features[f].Name))
	}
	return strings.Join(out, ",")
}

// bare is a view without features but what makes its mode.
func (d *decoding) bare(v view, mode string) view {
	var off []int
	for f := range d.info.Features {
		off = append(off, f)
	}
	v.cpu, v.features = "", d.featureText("-", off)
	if mode != "" {
		v.features += ",+" + modeFeature(d.info, mode)
	}
	return v
}

// modeFeature is the feature of a mode.
func modeFeature(info *desc.Info, mode string) string {
	if _, ok := info.FeatureByName(mode); mode != "" && !ok {
		return mode + "-mode"
	}
	return mode
}

// means reports which entries' words mean them in the view that is seen.
func (d *decoding) means(list []*entry) []bool {
	out := make([]bool, len(list))
	for lo := 0; lo < len(list); {
		hi := lo
		for hi < len(list) && list[hi].size == list[lo].size {
			hi++
		}
		ws := make([]code, hi-lo)
		for i := range ws {
			ws[i] = list[lo+i].good[0]
		}
		for i, a := range d.words(ws, list[lo].size) {
			out[lo+i] = list[lo+i].is(&a)
		}
		lo = hi
	}
	return out
}

// learnConditions learns the features of a mode's entries.
func (d *decoding) learnConditions(s *spaceEntries) {
	implies := d.closure()
	for v := range d.full {
		var list []*entry
		for _, e := range s.list {
			if e.view == v && e.skipped == "" {
				list = append(list, e)
			}
		}
		if len(list) == 0 {
			continue
		}
		sort.SliceStable(list, func(i, j int) bool { return list[i].size < list[j].size })
		failing := make([][]int, len(list))
		for f := range d.info.Features {
			x := d.full[v]
			off := d.featureText("-", []int{f})
			if off == "-"+modeFeature(d.info, s.mode) {
				continue
			}
			if x.features != "" {
				off = x.features + "," + off
			}
			if x.features = off; !d.seeView(x) {
				continue
			}
			for i, ok := range d.means(list) {
				if !ok {
					failing[i] = append(failing[i], f)
				}
			}
		}
		groups := map[string][]*entry{}
		var keys []string
		for i, e := range list {
			// Of what is needed that is named which nothing else that is needed implies.
			e.cond.all = d.leading(failing[i], implies)
			k := d.featureText("+", e.cond.all)
			if groups[k] == nil {
				keys = append(keys, k)
			}
			groups[k] = append(groups[k], e)
		}
		for _, k := range keys {
			d.sweep(d.bare(d.full[v], s.mode), k, groups[k], implies)
		}
	}
}

// sweep finds for entries with the same needs which features they want beside, one
// of several, and which they do not stand.
func (d *decoding) sweep(bare view, needs string, list []*entry, implies [][]bool) {
	with := func(more string) bool {
		x := bare
		for _, s := range [...]string{needs, more} {
			if s != "" {
				x.features = strings.TrimPrefix(x.features+","+s, ",")
			}
		}
		return d.seeView(x)
	}
	if !with("") {
		return
	}
	var right, wrong []*entry
	for i, ok := range d.means(list) {
		if ok {
			right = append(right, list[i])
		} else {
			wrong = append(wrong, list[i])
		}
	}
	fine, bad := make([][]int, len(wrong)), make([][]int, len(right))
	for f := range d.info.Features {
		if !with(d.featureText("+", []int{f})) {
			continue
		}
		for i, ok := range d.means(wrong) {
			if ok {
				fine[i] = append(fine[i], f)
			}
		}
		for i, ok := range d.means(right) {
			if !ok {
				bad[i] = append(bad[i], f)
			}
		}
	}
	least := func(fs []int) (out []int) {
		for _, f := range fs {
			if !slices.ContainsFunc(fs, func(g int) bool { return g != f && implies[f][g] && !implies[g][f] }) {
				out = append(out, f)
			}
		}
		return out
	}
	for i, e := range wrong {
		e.cond.any = least(fine[i])
	}
	for i, e := range right {
		e.cond.not = least(bad[i])
	}
}

// divided adds what divides the views to the condition of an entry that is of one side.
func (d *decoding) divided(e *entry) {
	has := func(l []int) bool { return slices.ContainsFunc(l, func(f int) bool { return f == d.split }) }
	switch {
	case e.split > 0 && !has(e.cond.all):
		e.cond.all = append(e.cond.all, d.split)
	case e.split < 0 && !has(e.cond.not):
		e.cond.not = append(e.cond.not, d.split)
	}
}

// holds answers a condition for a set of feature bits.
func (d *decoding) holds(c *condition, set []uint64) bool {
	has := func(f int) bool {
		b := d.info.Features[f].Bit
		return int(b/64) < len(set) && set[b/64]>>(b%64)&1 != 0
	}
	return !slices.ContainsFunc(c.all, func(f int) bool { return !has(f) }) &&
		(len(c.any) == 0 || slices.ContainsFunc(c.any, has)) && !slices.ContainsFunc(c.not, has)
}

// terms are a condition as tables have it.
func (d *decoding) terms(c *condition) (out []desc.FeatureTerm) {
	bit := func(f int) desc.FeatureTerm { return desc.FeatureTerm(d.info.Features[f].Bit) }
	// A feature of this name stands for any (AArch64's).
	every, some := d.info.FeatureByName("all")
	anyOf := func(fs []int) {
		if some && !slices.Contains(fs, every) {
			fs = append(slices.Clone(fs), every)
		}
		for i, f := range fs {
			t := bit(f)
			if i < len(fs)-1 {
				t |= desc.FeatureOr
			}
			out = append(out, t)
		}
	}
	for _, f := range c.all {
		anyOf([]int{f})
	}
	if len(c.any) > 0 {
		anyOf(c.any)
	}
	for _, f := range c.not {
		out = append(out, bit(f)|desc.FeatureNot)
	}
	return out
}
