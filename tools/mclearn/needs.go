package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// predicate is one condition on features; its key is its name, or what it is made of.
type predicate struct {
	text  string
	terms []desc.FeatureTerm
	// by index of the facts' features: which alone fulfil it, which are needed when
	// all others are there, which prevent it.
	some, all, not map[int]bool
}

func (r *reader) pred(key, text string) *predicate {
	p := r.preds[key]
	if p == nil {
		p = &predicate{text: text, some: map[int]bool{}, all: map[int]bool{}, not: map[int]bool{}}
		r.preds[key] = p
	}
	return p
}

// learnNeeds finds what each form asks of features: which messages name predicates,
// and what each of these asks; or, where messages name none, what each form asks.
func (r *reader) learnNeeds() error {
	r.closures()
	kept := r.keptForms()
	// What is missing by default.
	for vs := range 2 * len(r.views) {
		v, strict := vs/2, vs%2 != 0
		fs := slices.DeleteFunc(slices.Clone(kept), func(f *form) bool { return f.view != v || f.strict != strict })
		as, err := r.assemble(r.bases[v], "", r.prologueOf(strict), texts(fs))
		if err != nil {
			return err
		}
		for i, f := range fs {
			if x := as[i].one(); x != nil && x.op == f.op {
				continue
			}
			if as[i].failed {
				f.msg0 = r.missing(as[i].msg)
			}
			f.nameless = len(f.msg0) == 0
		}
	}
	// Representatives of each set of predicates; all forms where there are no names.
	type group struct {
		view   int
		strict bool
		key    string
	}
	count := map[group]int{}
	reps := make([][]*form, 2*len(r.views))
	where := func(f *form) int {
		if f.strict {
			return 2*f.view + 1
		}
		return 2 * f.view
	}
	for _, f := range kept {
		g := group{f.view, f.strict, strings.Join(f.msg0, "\x00")}
		if count[g]++; f.nameless || len(f.msg0) == 0 || count[g] <= 4 {
			reps[where(f)] = append(reps[where(f)], f)
		}
	}
	r.beside = map[int]bool{}
	for v, fs := range reps {
		if err := r.toggle(v, fs, nil); err != nil {
			return err
		}
	}
	// What others of a group ask beside its predicates may be asked by any form.
	if len(r.beside) > 0 {
		for v := range reps {
			fs := slices.DeleteFunc(slices.Clone(kept), func(f *form) bool { return where(f) != v })
			if err := r.toggle(v, fs, r.beside); err != nil {
				return err
			}
		}
	}
	for _, k := range sortedKeys(r.preds) {
		r.preds[k].terms = r.condition(r.preds[k])
	}
	for _, f := range kept {
		if len(f.needs) == 0 {
			f.needs = append(f.needs, f.msg0...)
		} else {
			for _, m := range f.msg0 {
				if !slices.Contains(f.needs, m) {
					f.needs = append(f.needs, m)
				}
			}
		}
		if r.syntax.strict != "" && !f.strict {
			const key = "\x00strict"
			if r.preds[key] == nil {
				i, ok := r.info.FeatureByName("exact-asm")
				if !ok {
					return fmt.Errorf("no feature of strict assemblers")
				}
				r.preds[key] = &predicate{terms: []desc.FeatureTerm{desc.FeatureTerm(r.info.Features[i].Bit) | desc.FeatureNot}}
			}
			f.needs = append(f.needs, key)
		}
		f.needs = slices.DeleteFunc(f.needs, func(k string) bool { return r.preds[k] == nil || len(r.preds[k].terms) == 0 })
	}
	return nil
}

func (r *reader) keptForms() (out []*form) {
	for _, f := range r.forms {
		if f.view >= 0 {
			out = append(out, f)
		}
	}
	return out
}

func texts(fs []*form) (out []string) {
	for _, f := range fs {
		out = append(out, f.samples[f.sample].text)
	}
	return out
}

// missing takes a message about what a subtarget lacks apart.
func (r *reader) missing(msg string) []string {
	s := r.syntax
	rest, ok := strings.CutPrefix(msg, s.needs)
	if !ok || s.needs == "" {
		return nil
	}
	r.words[desc.WordNeeds], r.words[desc.WordAnd] = s.needs, s.and
	if s.and == "" {
		return nil // it names none
	}
	if s.and == " " { // names of several words
		return r.splitNames(rest)
	}
	return splitQuoted(rest)
}

// splitQuoted takes names apart that commas join, which may have commas in parentheses
// and be several that "or" joins.
func splitQuoted(t string) (out []string) {
	depth, from := 0, 0
	for i := 0; i <= len(t); i++ {
		if i < len(t) && t[i] == '(' {
			depth++
		}
		if i < len(t) && t[i] == ')' {
			depth--
		}
		if i < len(t) && (depth > 0 || !strings.HasPrefix(t[i:], ", ")) {
			continue
		}
		p := t[from:i]
		if strings.HasPrefix(p, "or ") { // what comes before without an explanation belongs to it
			n := len(out) - 1
			for n > 0 && !strings.Contains(out[n-1], "(") && !strings.HasPrefix(out[n-1], "RV") {
				n--
			}
			p = strings.Join(append(slices.Clone(out[max(n, 0):]), p), ", ")
			out = out[:max(n, 0)]
		}
		out = append(out, p)
		from = i + 2
	}
	return out
}

// splitNames takes names apart that blanks join: "sve or sme f64mm" are two, since
// what stands before "or" belongs to it.
func (r *reader) splitNames(t string) (out []string) {
	ws := strings.Fields(t)
	for i := 0; i < len(ws); i++ {
		name := ws[i]
		for i+1 < len(ws) && (ws[i+1] == "or" || ws[i] == "or" || ws[i+1] == "and" || ws[i] == "and") {
			i++
			name += " " + ws[i]
		}
		out = append(out, name)
	}
	return out
}

// toggle asks about forms with each feature on and off, or with those of only.
func (r *reader) toggle(vs int, fs []*form, only map[int]bool) error {
	v, prologue := vs/2, r.prologueOf(vs%2 != 0)
	if len(fs) == 0 {
		return nil
	}
	ts := texts(fs)
	won := func(f *form, a *assembled) bool { x := a.one(); return x != nil && x.op == f.op }
	// What is read as something else, or not at all, says nothing about features.
	lost := func(_ *form, a *assembled) bool { return a.failed && !a.crashed }
	own := make([]*predicate, len(fs)) // of what has no name
	for i := range own {
		own[i] = &predicate{some: map[int]bool{}, all: map[int]bool{}, not: map[int]bool{}}
	}
	for k := range r.info.Features {
		name := r.info.Str(r.info.Features[k].Name)
		if strings.HasPrefix(name, "no-") && name != "no-neg-immediates" {
			continue
		}
		if only != nil && !only[k] {
			continue
		}
		on, err := r.assemble(r.bases[v], "+"+name, prologue, ts)
		if err != nil {
			return err
		}
		off, err := r.assemble(r.views[v], "-"+name, prologue, ts)
		if err != nil {
			return err
		}
		more, err := r.assemble(r.views[v], "+"+name, prologue, ts)
		if err != nil {
			return err
		}
		for i, f := range fs {
			if only != nil {
				r.otherwise(f, k, &off[i], 0)
				r.otherwise(f, k, &more[i], desc.FeatureNot)
			}
			if won(f, &on[i]) {
				for _, m := range f.msg0 {
					r.pred(m, m).some[k] = true
				}
				own[i].some[k] = f.nameless
			} else if left := r.missing(on[i].msg); len(left) > 0 {
				for _, m := range f.msg0 {
					if !slices.Contains(left, m) {
						r.pred(m, m).some[k] = true
					}
				}
			}
			if lost(f, &off[i]) {
				own[i].all[k] = true
				for _, m := range r.missing(off[i].msg) {
					r.pred(m, m).all[k] = true
					if !slices.Contains(f.msg0, m) && !slices.Contains(f.needs, m) {
						f.needs = append(f.needs, m)
						r.beside[k] = true
					}
				}
			}
			if lost(f, &more[i]) {
				own[i].not[k] = true
				for _, m := range r.missing(more[i].msg) {
					r.pred(m, m).not[k] = true
					if !slices.Contains(f.msg0, m) && !slices.Contains(f.needs, m) {
						f.needs = append(f.needs, m)
						r.beside[k] = true
					}
				}
			}
		}
	}
	for i, f := range fs {
		if only != nil || len(f.msg0) > 0 || len(f.needs) > 0 || !f.nameless && r.syntax.and != "" {
			continue
		}
		if !f.nameless {
			own[i].some = map[int]bool{}
		}
		p := own[i]
		for k := range p.some {
			if !p.some[k] {
				delete(p.some, k)
			}
		}
		if p.terms = r.condition(p); len(p.terms) == 0 {
			continue
		}
		key := fmt.Sprint("\x00", p.terms)
		if r.preds[key] == nil {
			r.preds[key] = p
		}
		f.needs = append(f.needs, key)
	}
	if r.syntax.needs != "" && r.words[desc.WordNeeds] == "" {
		r.words[desc.WordNeeds] = r.syntax.needs
	}
	return nil
}

// otherwise notes that a text is read as another opcode's when feature k changes.
func (r *reader) otherwise(f *form, k int, a *assembled, flag desc.FeatureTerm) {
	if x := a.one(); x == nil || x.op == f.op {
		return
	}
	t := desc.FeatureTerm(r.info.Features[k].Bit) | flag
	key := fmt.Sprint("\x00", []desc.FeatureTerm{t})
	if r.preds[key] == nil {
		r.preds[key] = &predicate{all: map[int]bool{}, not: map[int]bool{}}
		if flag == 0 {
			r.preds[key].all[k] = true
		} else {
			r.preds[key].not[k] = true
		}
	}
	if !slices.Contains(f.needs, key) {
		f.needs = append(f.needs, key)
	}
}

// closures finds which features imply which.
func (r *reader) closures() {
	fs := r.info.Features
	w := r.info.FeatureWords
	r.implies = make([][]bool, len(fs))
	for i := range fs {
		r.implies[i] = make([]bool, len(fs))
		set := r.info.FeatureBits[fs[i].Implies : int(fs[i].Implies)+w]
		for j := range fs {
			b := fs[j].Bit
			r.implies[i][j] = set[b/64]>>(b%64)&1 != 0
		}
	}
	for k := range fs {
		for i := range fs {
			if r.implies[i][k] {
				for j := range fs {
					r.implies[i][j] = r.implies[i][j] || r.implies[k][j]
				}
			}
		}
	}
}

// condition makes terms of a predicate: one of those that alone fulfil it, of which
// the weakest count, or all that are needed, of which the strongest do, and none of
// those that prevent it.
func (r *reader) condition(p *predicate) (terms []desc.FeatureTerm) {
	add := func(set map[int]bool, dominated func(k, j int) bool, flag, last desc.FeatureTerm) {
		var ks []int
		for k := range set {
			if !set[k] {
				continue
			}
			strongest := true
			for j := range set {
				if j != k && set[j] && dominated(k, j) && !(dominated(j, k) && j > k) {
					strongest = false
				}
			}
			if strongest {
				ks = append(ks, k)
			}
		}
		sort.Ints(ks)
		for i, k := range ks {
			t := desc.FeatureTerm(r.info.Features[k].Bit) | flag
			if i+1 < len(ks) {
				t |= last
			}
			terms = append(terms, t)
		}
	}
	if len(p.some) > 0 {
		add(p.some, func(k, j int) bool { return r.implies[k][j] }, 0, desc.FeatureOr)
	} else {
		add(p.all, func(k, j int) bool { return r.implies[j][k] }, 0, 0)
	}
	not := map[int]bool{}
	for k := range p.not {
		if !p.all[k] && !p.some[k] {
			not[k] = true
		}
	}
	add(not, func(k, j int) bool { return r.implies[k][j] }, desc.FeatureNot, 0)
	return terms
}
