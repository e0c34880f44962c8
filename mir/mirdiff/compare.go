package mirdiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/internal/textdiff"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// Options control the comparison.
type Options struct {
	// Exact compares the names too.
	Exact bool
	// Context is the number of equal lines around a difference.
	Context int
	Colors  textdiff.Colors
	// Locations compares debug locations too.
	Locations bool
}

// Result is what Files found.
type Result struct {
	Text                        []byte // for people; empty when nothing differs
	Same, Changed, OnlyA, OnlyB int
}

// Equal reports that nothing differs.
func (r *Result) Equal() bool { return r.Changed+r.OnlyA+r.OnlyB == 0 }

// Files compares the functions of two files, in the order of the first.
func Files(nameA, nameB string, a, b *mirtext.File, o Options) *Result {
	r := &Result{}
	inB := map[string]*mir.Function{}
	for _, f := range b.Functions {
		inB[f.Name] = f
	}
	docA, docB := printer(a, o), printer(b, o)
	for _, f := range a.Functions {
		g := inB[f.Name]
		if g == nil {
			r.OnlyA++
			r.head(nameA, nameB, o)
			r.Text = append(r.Text, o.Colors.Delete+"Only in "+nameA+": "+f.Name+o.Colors.Reset+"\n"...)
			continue
		}
		delete(inB, f.Name)
		script, la, lb := compare(docA(f), docB(g), o)
		hunks := textdiff.Hunks(script, o.Context)
		if len(hunks) == 0 {
			r.Same++
			continue
		}
		r.Changed++
		r.head(nameA, nameB, o)
		for _, h := range hunks {
			r.Text = textdiff.AppendHunk(r.Text, h, la, lb, f.Name+where(la, h[0].A), o.Colors)
		}
	}
	for _, f := range b.Functions {
		if inB[f.Name] != nil {
			r.OnlyB++
			r.head(nameA, nameB, o)
			r.Text = append(r.Text, o.Colors.Insert+"Only in "+nameB+": "+f.Name+o.Colors.Reset+"\n"...)
		}
	}
	return r
}

// head starts the text.
func (r *Result) head(nameA, nameB string, o Options) {
	if r.Text == nil {
		c := o.Colors
		r.Text = append(r.Text, c.Header+"--- "+nameA+c.Reset+"\n"+c.Header+"+++ "+nameB+c.Reset+"\n"...)
	}
}

// where names the block that a line is in.
func where(lines []string, at int) string {
	for k := min(at, len(lines)-1); k >= 0; k-- {
		if strings.HasPrefix(lines[k], "  bb.") {
			return " " + strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(lines[k]), ":"))
		}
	}
	return ""
}

// printer returns how the functions of a file are printed.
func printer(f *mirtext.File, o Options) func(*mir.Function) string {
	po := mirtext.PrintOptions{Simplify: true, Slots: irtext.NewSlots(f.Module), NoLocations: !o.Locations}
	return func(fn *mir.Function) string { return string(mirtext.AppendFunction(nil, fn, po)) }
}

// rounds is how often names are paired anew: what is paired makes more lines
// match the next time.
const rounds = 3

// compare returns the difference of two printed functions, the second one in
// the names of the first.
func compare(docA, docB string, o Options) (script []textdiff.Edit, la, lb []string) {
	a, b := cut(docA), cut(docB)
	self := func(n name) string { return n.id }
	la = renderAll(a, self)
	if o.Exact {
		lb = renderAll(b, self)
		return textdiff.Script(len(la), len(lb), textdiff.Match(la, lb)), la, lb
	}
	blank := func(name) string { return "" }
	sa, sb := renderAll(a, blank), renderAll(b, blank)
	pairs := textdiff.Match(sa, sb)
	var m mapping
	for range rounds {
		m = vote(a, b, pairs)
		// What is paired keeps its name in the shapes, what is not stays blank.
		next := textdiff.Match(renderAll(a, m.known), renderAll(b, m.renameKnown))
		if slices.Equal(next, pairs) {
			break
		}
		pairs = next
	}
	sortLists(b, m)
	la, lb = renderAll(a, self), renderAll(b, m.rename)
	return textdiff.Script(len(la), len(lb), textdiff.Match(la, lb)), la, lb
}

func renderAll(lines []line, rename func(name) string) []string {
	out := make([]string, len(lines))
	for k := range lines {
		out[k] = lines[k].render(rename) + "\n"
	}
	return out
}

// mapping pairs names of b with names of a.
type mapping struct {
	toA  map[name]name
	inA  map[name]bool // the names of a that are paired
	used map[name]bool // all names of a
}

func (m mapping) known(n name) string {
	if m.inA[n] {
		return n.id
	}
	return ""
}

func (m mapping) renameKnown(n name) string { return m.toA[n].id }

// rename gives a name of b in the terms of a; one without a partner gets a
// mark, so that it is not taken for a's.
func (m mapping) rename(n name) string {
	if p, ok := m.toA[n]; ok {
		return p.id
	}
	if m.used[n] || n.kind != vreg || n.id[0] >= '0' && n.id[0] <= '9' {
		return n.id + "'"
	}
	return n.id
}

// vote pairs the names that meet most often in matched lines; a definition
// counts for more than a use.
func vote(a, b []line, pairs []textdiff.Pair) mapping {
	type meeting struct{ a, b name }
	const definition = 4
	votes := map[meeting]int{}
	var order []meeting // of first appearance, so that ties are settled alike each time
	for _, p := range pairs {
		ra, rb := a[p.A].refs, b[p.B].refs
		for k := range min(len(ra), len(rb)) {
			if ra[k].name.kind != rb[k].name.kind {
				continue
			}
			v := meeting{ra[k].name, rb[k].name}
			if votes[v] == 0 {
				order = append(order, v)
			}
			votes[v]++
			if ra[k].defining && rb[k].defining {
				votes[v] += definition
			}
		}
	}
	slices.SortStableFunc(order, func(x, y meeting) int { return cmp.Compare(votes[y], votes[x]) })
	m := mapping{toA: map[name]name{}, inA: map[name]bool{}, used: map[name]bool{}}
	for _, v := range order {
		if _, ok := m.toA[v.b]; !ok && !m.inA[v.a] {
			m.toA[v.b] = v.a
			m.inA[v.a] = true
		}
	}
	for _, l := range a {
		for _, r := range l.refs {
			m.used[r.name] = true
		}
	}
	return m
}

// sortLists puts the items of lists in the order of their names in a.
func sortLists(b []line, m mapping) {
	isItem := func(l *line) bool {
		return strings.HasPrefix(l.fixed, "  - { id: ") && len(l.refs) > 0 && l.refs[0].bare
	}
	for k := 0; k < len(b); k++ {
		end := k
		for end < len(b) && isItem(&b[end]) {
			end++
		}
		if end > k {
			slices.SortStableFunc(b[k:end], func(x, y line) int {
				p, q := m.rename(x.refs[0].name), m.rename(y.refs[0].name)
				return cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q))
			})
			k = end
		}
	}
}
