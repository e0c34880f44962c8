package main

import (
	"fmt"
	"slices"

	"github.com/mirin-go/mirin/desc"
)

// leafSpace is one of LLVM's tables and how it is asked about.
type leafSpace struct {
	name  string // the decoder's name for it
	table string // LLVM's, where it is another one
	size  int    // of its instructions in bytes
	views []int  // those that read it, the first choice first
	// before are the tables that are tried before it.
	before []string
	// halves says that the first half of a word is its high one (Thumb).
	halves bool
	// fixed are bits that all its words have; rest is a space of the same table, which has
	// leaves already.
	fixed leaf
	rest  string

	leaves  []leaf
	learned []*learnedLeaf
}

// learnedLeaf is what is known of a leaf: for each kind of subtarget that reads it
// otherwise its rows.
type learnedLeaf struct {
	*leaf
	at    int // in its table
	cond  condition
	view  int // where it was learned
	sides []leafSide
	why   string // it is not known
	good  []code
	// method is the function of the target that reads the operands.
	method string
}

// leafSide is the rows where the features sides (of target.leafSides) are on or off.
type leafSide struct {
	on, off []int
	views   []int
	rows    []leafRow
}

// leafLearner learns a target's leaves.
type leafLearner struct {
	d      *decoding
	spaces []*leafSpace
	byName map[string]*leafSpace
	outs   []outcome
	// list are the bits of a leaf that each add a register behind the operands, and these.
	list    []int
	listReg []int64
	// active says for each table's condition on features in which views it holds.
	active map[string]map[int]map[int]bool
}

// ask asks about words of a table.
func (l *leafLearner) ask(s *leafSpace, ws []code) []answer {
	qs := make([]question, len(ws))
	for i, w := range ws {
		qs[i] = question{want: wantRaw | wantDecode, raw: s.bytes(w, l.d.big)}
	}
	if l.d.err == nil {
		as, err := l.d.p.ask(qs)
		if err == nil {
			return as
		}
		l.d.err = err
	}
	return make([]answer, len(ws))
}

func (s *leafSpace) bytes(w code, big bool) []byte {
	b := w.bytes(s.size, big)
	if s.halves && s.size == 4 {
		b[0], b[1], b[2], b[3] = b[2], b[3], b[0], b[1]
	}
	return b
}

// random is a random word of a leaf. Nibbles are often like another one, or what
// registers are that mean something else.
func (l *leafLearner) random(s *leafSpace, f *leaf) code {
	rnd := l.d.rnd
	w := code{rnd.Uint64(), rnd.Uint64()}
	switch rnd.IntN(4) {
	case 0:
		w = w.and(code{rnd.Uint64(), rnd.Uint64()})
	case 1:
		w = w.or(code{rnd.Uint64(), rnd.Uint64()})
	}
	nibble := func(k int) uint64 { return w[k/16] >> (k % 16 * 4) & 15 }
	for k := range s.size * 2 {
		v := nibble(k)
		switch rnd.IntN(12) {
		case 0:
			v = 15
		case 1:
			v = 13 + rnd.Uint64()%2
		case 2:
			v = 0
		case 3:
			v = nibble(rnd.IntN(s.size * 2))
		case 4:
			v = nibble(rnd.IntN(s.size*2)) + 1
		}
		w[k/16] = w[k/16]&^(15<<(k%16*4)) | v&15<<(k%16*4)
	}
	return l.shaped(s, f, w)
}

// shaped gives a word the bits of a leaf.
func (l *leafLearner) shaped(s *leafSpace, f *leaf, w code) code {
	w = w.and(s.all())
	w = w.xor(w.and(f.mask)).or(f.fixed)
	return w.xor(w.and(f.soft)).or(f.softFixed)
}

// all has the bits of a word.
func (s *leafSpace) all() (c code) {
	for k := range s.size * 8 {
		c[k/64] |= 1 << (k % 64)
	}
	return c
}

// claimed reports that a leaf before this one of its table has a word.
func (l *leafLearner) claimed(s *leafSpace, at, view int, w code) bool {
	for i := range at {
		if f := &s.leaves[i]; f.fits(w) && l.on(s, f, view) {
			return true
		}
	}
	return false
}

// earlier reports that a table that is tried before has a word as op.
func (l *leafLearner) earlier(s *leafSpace, view int, w code, op desc.Opcode) bool {
	for _, n := range s.before {
		o := l.byName[n]
		x := w
		if o.size < s.size { // its first half
			x = code{w[0] >> 16}
		}
		for i := range o.leaves {
			f := &o.leaves[i]
			if !f.fits(x) || !l.on(o, f, view) {
				continue
			}
			if i >= len(o.learned) || o.learned[i].leaf != f { // it is not known
				if f.op == op {
					return true
				}
				continue
			}
			n := o.learned[i]
			if n.why != "" {
				return n.why != noSubtarget
			}
			for k := range n.sides {
				d := &n.sides[k]
				if !l.d.holds(&condition{all: d.on, not: d.off}, l.d.bits[view]) {
					continue
				}
				if r := slices.IndexFunc(d.rows, func(r leafRow) bool { return r.covers(x) }); r >= 0 {
					if d.rows[r].out.kind == outDecode {
						return true
					}
					break
				}
			}
			break // a refusal is the table's answer
		}
	}
	return false
}

// on reports that a leaf's conditions on features hold in a view. In those that were
// not asked about its table they do where they do in any.
func (l *leafLearner) on(s *leafSpace, f *leaf, view int) bool {
	for _, p := range f.preds {
		views := l.active[s.name][p]
		if slices.Contains(s.views, view) && !views[view] || len(views) == 0 {
			return false
		}
	}
	return true
}

// findActive finds in which views the tables' conditions on features hold.
func (l *leafLearner) findActive() {
	for _, s := range l.spaces {
		l.active[s.name] = map[int]map[int]bool{}
		for _, v := range s.views {
			l.d.see(v)
			for i := range s.leaves {
				f := &s.leaves[i]
				known := true
				for _, p := range f.preds {
					if l.active[s.name][p] == nil {
						l.active[s.name][p] = map[int]bool{}
					}
					known = known && l.active[s.name][p][v]
				}
				if known {
					continue
				}
				var ws []code
				for range 60 {
					ws = append(ws, l.random(s, f))
				}
				for _, a := range l.ask(s, ws) {
					if a.decodeOK && a.decOp == f.op && a.decSize == s.size {
						for _, p := range f.preds {
							l.active[s.name][p][v] = true
						}
						break
					}
				}
			}
		}
	}
}

// out numbers an outcome.
func (l *leafLearner) out(o outcome) int {
	if i := slices.Index(l.outs, o); i >= 0 {
		return i
	}
	l.outs = append(l.outs, o)
	return len(l.outs) - 1
}

// sampled asks about words of a leaf; those that others claim are left out.
func (l *leafLearner) sampled(s *leafSpace, at, view int, ws []code) (out []leafSample) {
	f := &s.leaves[at]
	ws = slices.DeleteFunc(ws, func(w code) bool { return l.claimed(s, at, view, w) })
	for i, a := range l.ask(s, ws) {
		if a.decodeOK && a.decOp != f.op && l.earlier(s, view, ws[i], a.decOp) {
			continue
		}
		o := outcome{kind: outDecode, op: a.decOp, soft: a.soft, n: len(a.decOps)}
		if !a.decodeOK || a.decSize != s.size {
			o = outcome{kind: outRefuse}
		} else {
			if a.decOp != f.op && l.later(s, a.decOp, ws[i], view) {
				o = outcome{kind: outRefuse}
			}
			if o.kind == outDecode {
				l.d.signed(&entry{op: a.decOp}, a.decOps)
				b := make([]byte, len(a.decOps))
				for k := range b {
					b[k] = a.decOps[k].kind
				}
				if k := len(b) - l.listed(ws[i], a.decOps); len(l.list) > 0 {
					o.list = l.isList(ws[i], a.decOps)
					if o.list {
						a.decOps, b, o.n = a.decOps[:k], b[:k], k
					}
				}
				o.ops = string(b)
			}
		}
		out = append(out, leafSample{ws[i], l.out(o), a.decOps})
	}
	return out
}

// later reports that a table behind s has the word as op.
func (l *leafLearner) later(s *leafSpace, op desc.Opcode, w code, view int) bool {
	for _, o := range l.spaces {
		if !slices.Contains(o.before, s.name) || o.size != s.size {
			continue
		}
		for i := range o.leaves {
			if f := &o.leaves[i]; f.op == op && f.fits(w) && l.on(o, f, view) {
				return true
			}
		}
	}
	return false
}

const noWord = "no word means it"

// learnLeaf learns one leaf in one view.
func (l *leafLearner) learnLeaf(s *leafSpace, at, view int) (rows []leafRow, good []code, why string) {
	f := &s.leaves[at]
	l.outs = l.outs[:0]
	var ws []code
	for range 1500 {
		ws = append(ws, l.random(s, f))
	}
	l.list, l.listReg = nil, nil
	samples := l.sampled(s, at, view, ws)
	if l.findList(s, f, samples) {
		samples = l.sampled(s, at, view, ws)
	}
	fields := l.fields(s, f, at, view, samples)
	atoms := leafAtoms(fields)
	if len(l.list) > 0 {
		atoms = append(atoms, atom{a: l.list, add: 1, kind: desc.CheckCount}, atom{a: l.list, add: 2, kind: desc.CheckCount})
		for _, b := range fields {
			if len(b) == 4 || len(b) == 3 {
				atoms = append(atoms, atom{a: l.list, b: b, kind: desc.CheckMember})
			}
		}
	}
	for round := 0; ; round++ {
		rows, why = l.rows(s, at, view, samples, atoms)
		if why != "" {
			return nil, nil, why
		}
		ws = ws[:0]
		for range 1500 {
			ws = append(ws, l.random(s, f))
		}
		if len(rows) > 2 { // what is rare is looked for
			for range 3000 {
				ws = append(ws, l.random(s, f))
			}
		}
		more := l.sampled(s, at, view, ws)
		bad := 0
		for i := range more {
			if !rowsSay(rows, &more[i], l.outs) {
				bad++
			}
		}
		if bad == 0 {
			break
		}
		if round == 7 {
			return nil, nil, fmt.Sprintf("%d of %d words are otherwise", bad, len(more))
		}
		samples = append(samples, more...)
	}
	for i := range samples {
		if o := &l.outs[samples[i].out]; o.kind == outDecode && o.op == f.op && !o.soft && len(good) < 32 {
			good = append(good, samples[i].w)
		}
	}
	for i := range samples {
		if o := &l.outs[samples[i].out]; o.kind == outDecode && o.op == f.op && len(good) == 0 {
			good = append(good, samples[i].w)
		}
	}
	if len(good) == 0 {
		return nil, nil, noWord
	}
	return rows, good, ""
}

// isList reports that the last operands are the registers of the list's bits.
func (l *leafLearner) isList(w code, ops []operand) bool {
	k := len(ops) - l.listed(w, ops)
	if k < 0 {
		return false
	}
	for i, p := range l.list {
		if w[p/64]>>(p%64)&1 != 0 {
			if ops[k] != (operand{kindReg, l.listReg[i]}) {
				return false
			}
			k++
		}
	}
	return true
}

// listed is how many registers the list of a word has.
func (l *leafLearner) listed(w code, _ []operand) (n int) {
	for _, p := range l.list {
		n += int(w[p/64] >> (p % 64) & 1)
	}
	return n
}

// findList finds bits that add a register each, where the number of operands varies.
func (l *leafLearner) findList(s *leafSpace, f *leaf, samples []leafSample) bool {
	counts := map[int]bool{}
	for i := range samples {
		if o := &l.outs[samples[i].out]; o.kind == outDecode && o.op == f.op {
			counts[o.n] = true
		}
	}
	if len(counts) < 4 {
		return false
	}
	regs := map[int]int64{}
	free := s.all().xor(f.mask.or(f.soft)).and(s.all()).positions()
	for n, i := 0, 0; i < len(samples) && n < 40; i++ {
		p := &samples[i]
		if o := &l.outs[p.out]; o.kind != outDecode || o.op != f.op {
			continue
		}
		n++
		var ws []code
		for _, b := range free {
			x := p.w
			x[b/64] ^= 1 << (b % 64)
			ws = append(ws, x)
		}
		for k, a := range l.ask(s, ws) {
			b := free[k]
			if !a.decodeOK || a.decOp != f.op || len(a.decOps) != len(p.ops)+1 || p.w[b/64]>>(b%64)&1 != 0 {
				continue
			}
			for j := range a.decOps { // the one that is not in p's
				if j == len(p.ops) || a.decOps[j] != p.ops[j] {
					regs[b] = a.decOps[j].val
					break
				}
			}
		}
	}
	for _, b := range free {
		if r, ok := regs[b]; ok {
			l.list, l.listReg = append(l.list, b), append(l.listReg, r)
		}
	}
	if len(l.list) > 0 {
		l.outs = l.outs[:0]
	}
	return len(l.list) > 0
}

// rowsSay reports that rows foretell a leafSample.
func rowsSay(rows []leafRow, p *leafSample, outs []outcome) bool {
	for k := range rows {
		r := &rows[k]
		if !r.covers(p.w) {
			continue
		}
		if r.out != outs[p.out] {
			return false
		}
		return r.out.kind != outDecode || sameOps((&entry{ops: r.ops}).decode(p.w), p.ops, false)
	}
	return false
}

// fields are the bits of a leaf that questions may be about: those that an operand
// follows, and nibbles.
func (l *leafLearner) fields(s *leafSpace, f *leaf, at, view int, samples []leafSample) (out [][]int) {
	free := s.all().xor(f.mask.or(f.soft)).and(s.all())
	add := func(at []int) {
		if len(at) > 0 && !slices.ContainsFunc(out, func(o []int) bool { return slices.Equal(o, at) }) {
			out = append(out, at)
		}
	}
	for _, p := range free.positions() {
		add([]int{p})
	}
	for _, n := range leafNibbles(s, free) {
		add(n)
	}
	done := map[int]int{}
	follow := map[[2]int]code{} // outcome and operand
	for i := range samples {
		c := samples[i].out
		if l.outs[c].kind != outDecode || done[c] >= 4 {
			continue
		}
		done[c]++
		for k, g := range l.depends(s, at, view, &samples[i], free) {
			w := follow[[2]int{c, k}]
			for _, p := range g {
				w[p/64] |= 1 << (p % 64)
			}
			follow[[2]int{c, k}] = w
		}
	}
	for c := range l.outs {
		for k := range l.outs[c].n {
			w := follow[[2]int{c, k}]
			g := w.positions()
			if len(g) <= 8 {
				add(g)
			}
			for i := 0; i < len(g); { // its runs, and what is beside them
				j := i + 1
				for j < len(g) && g[j] == g[j-1]+1 {
					j++
				}
				if j-i <= 8 {
					add(g[i:j:j])
				}
				if rest := slices.Concat(g[:i], g[j:]); len(g) > 8 && len(rest) <= 8 {
					add(rest)
				}
				i = j
			}
		}
	}
	return out
}

// depends finds which bits each operand of a word follows: each nibble takes all its
// values, and a bit matters where two values differ in it alone.
func (l *leafLearner) depends(s *leafSpace, at, view int, p *leafSample, free code) [][]int {
	var ws []code
	nibbles := leafNibbles(s, free)
	for _, n := range nibbles {
		g := &group{at: n}
		for x := range uint64(1) << len(n) {
			ws = append(ws, g.with(p.w, x))
		}
	}
	as := l.ask(s, ws)
	all := as
	groups := make([][]int, len(p.ops))
	for _, n := range nibbles {
		mine := as[:1<<len(n)]
		as = as[len(mine):]
		is := func(a *answer) bool {
			return a.decodeOK && a.decOp == l.outs[p.out].op && len(a.decOps) == len(p.ops)
		}
		for x := range mine {
			if a := &mine[x]; l.outs[p.out].list && a.decodeOK && len(a.decOps) > len(p.ops) {
				a.decOps = a.decOps[:len(p.ops)]
			}
			if is(&mine[x]) {
				l.d.signed(&entry{op: mine[x].decOp}, mine[x].decOps)
			}
		}
		for i, b := range n {
			for x := range mine {
				a, c := &mine[x], &mine[x^1<<i]
				if !is(a) || !is(c) {
					continue
				}
				for k := range p.ops {
					if a.decOps[k] != c.decOps[k] && !slices.Contains(groups[k], b) {
						groups[k] = append(groups[k], b)
					}
				}
			}
		}
	}
	// Bits that change together alone are seen where two values differ in all of them.
	at0 := 0
	for _, n := range nibbles {
		mine := all[at0 : at0+1<<len(n)]
		at0 += len(mine)
		for x := range mine {
			for y := range x {
				a, c := &mine[x], &mine[y]
				if !a.decodeOK || !c.decodeOK || a.decOp != c.decOp || a.decOp != l.outs[p.out].op || len(a.decOps) != len(p.ops) || len(c.decOps) != len(p.ops) {
					continue
				}
				for k := range p.ops {
					if a.decOps[k] == c.decOps[k] {
						continue
					}
					known := false
					for i, b := range n {
						known = known || (x^y)>>i&1 != 0 && slices.Contains(groups[k], b)
					}
					for i, b := range n {
						if !known && (x^y)>>i&1 != 0 {
							groups[k] = append(groups[k], b)
						}
					}
				}
			}
		}
	}
	return groups
}

// leafNibbles are the free bits of each nibble.
func leafNibbles(s *leafSpace, free code) (out [][]int) {
	for k := 0; k < s.size*8; k += 4 {
		var at []int
		for p := k; p < k+4; p++ {
			if free[p/64]>>(p%64)&1 != 0 {
				at = append(at, p)
			}
		}
		if len(at) > 0 {
			out = append(out, at)
		}
	}
	return out
}

// leafAtoms are the questions about fields.
func leafAtoms(fields [][]int) (out []atom) {
	for _, a := range fields {
		n := len(a)
		if n <= 6 {
			first := 0
			if n == 1 {
				first = 1
			}
			for v := first; v < 1<<n; v++ {
				out = append(out, atom{a: a, add: v})
			}
		}
		if n >= 3 && n <= 8 {
			for v := 1; v < 1<<n; v += 1 {
				if n <= 6 || v%8 == 0 {
					out = append(out, atom{a: a, add: v, kind: desc.CheckLess})
				}
			}
		}
	}
	for i, a := range fields {
		for _, b := range fields[i+1:] {
			if len(a) < 3 || len(a) > 8 || len(a) != len(b) {
				continue
			}
			out = append(out, atom{a: a, b: b}, atom{a: a, b: b, add: 1}, atom{a: b, b: a, add: 1}, atom{a: a, b: b, kind: desc.CheckLess}, atom{a: b, b: a, kind: desc.CheckLess})
		}
	}
	return out
}

// rows makes the rows of samples.
func (l *leafLearner) rows(s *leafSpace, at, view int, samples []leafSample, atoms []atom) ([]leafRow, string) {
	f := &s.leaves[at]
	t := newTree(samples, atoms, l.outs)
	all := make(bitset, (len(samples)+63)/64)
	for k := range samples {
		all[k/64] |= 1 << (k % 64)
	}
	if !t.grow(all, leafRow{mask: f.mask, fixed: f.fixed}) {
		return nil, "its words become too many things"
	}
	free := s.all().xor(f.mask.or(f.soft)).and(s.all())
	for _, p := range l.list { // no other operand follows these
		free[p/64] &^= 1 << (p % 64)
	}
	for r := range t.rows {
		row := &t.rows[r]
		if row.out.kind != outDecode {
			continue
		}
		var mine []*leafSample
		for k := range samples {
			if t.leaves[r][k/64]>>(k%64)&1 != 0 {
				mine = append(mine, &samples[k])
			}
		}
		if why := l.operands(s, at, view, row, mine, free); why != "" {
			return nil, why
		}
		if row.out.list {
			row.list, row.listReg = l.list, l.listReg
		}
	}
	return t.rows, ""
}

// operands learns what a row's operands follow.
func (l *leafLearner) operands(s *leafSpace, at, view int, row *leafRow, mine []*leafSample, free code) string {
	n := row.out.n
	for k := range n {
		if row.out.ops[k] > kindImm {
			return "an operand is neither register nor integer"
		}
	}
	row.ops = make([]decOperand, n)
	follow := make([]code, n)
	for _, p := range mine[:min(len(mine), 10)] {
		for k, g := range l.depends(s, at, view, p, free) {
			for _, b := range g {
				follow[k][b/64] |= 1 << (b % 64)
			}
		}
	}
	probe := entry{op: row.out.op, size: s.size, ops: row.ops}
	for k := range n {
		o := &row.ops[k]
		o.copyOf, o.kind = -1, row.out.ops[k]
		at2 := follow[k].positions()
		if len(at2) == 0 {
			o.value = mine[0].ops[k].val
			if slices.ContainsFunc(mine, func(p *leafSample) bool { return p.ops[k].val != o.value }) {
				return fmt.Sprintf("operand %d follows something unknown", k)
			}
			continue
		}
		// Of bits that are always alike one is enough.
		for i := len(at2) - 1; i > 0; i-- {
			if slices.ContainsFunc(at2[:i], func(b int) bool {
				return !slices.ContainsFunc(mine, func(p *leafSample) bool { return fieldOf(p.w, []int{b}) != fieldOf(p.w, at2[i:i+1]) })
			}) {
				at2 = slices.Delete(at2, i, i+1)
			}
		}
		g := &group{at: at2}
		ok := false
		for _, all := range [...]bool{false, true} {
			v := l.vary(s, row, mine, g, all)
			for _, p := range mine { // and what was seen of others
				if x := g.of(p.w); !slices.Contains(v.vals, x) {
					v.vals, v.ops, v.base = append(v.vals, x), append(v.ops, p.ops), append(v.base, 0)
				}
			}
			if ok = l.d.modelOf(&probe, k, g, &v); ok {
				break
			}
			row.ops[k].maps = nil
		}
		if !ok {
			return fmt.Sprintf("operand %d follows %v in no known way", k, at2)
		}
	}
	return ""
}

// vary puts values into a group of bits of words that are a row's.
func (l *leafLearner) vary(s *leafSpace, row *leafRow, mine []*leafSample, g *group, all bool) variation {
	n := len(g.at)
	v := variation{all: n <= 8 || all && n <= maxListedBits}
	var vals []uint64
	if v.all {
		for x := range uint64(1) << n {
			vals = append(vals, x)
		}
	} else {
		top := uint64(1)<<min(n, 63) - 1
		vals = append(vals, 0, top)
		for k := range n {
			vals = append(vals, 1<<k, top&^(1<<k), 1<<k-1)
		}
		for range 100 {
			vals = append(vals, l.d.rnd.Uint64()&top)
		}
	}
	left := vals
	for _, p := range mine[:min(len(mine), 8)] {
		var ws []code
		for _, x := range left {
			ws = append(ws, g.with(p.w, x))
		}
		var again []uint64
		for i, a := range l.ask(s, ws) {
			if row.out.list && a.decodeOK && len(a.decOps) >= row.out.n {
				a.decOps = a.decOps[:row.out.n]
			}
			if !a.decodeOK || a.decOp != row.out.op || len(a.decOps) != row.out.n || a.soft != row.out.soft || !row.covers(ws[i]) {
				again = append(again, left[i])
				continue
			}
			l.d.signed(&entry{op: a.decOp}, a.decOps)
			v.vals, v.ops, v.base = append(v.vals, left[i]), append(v.ops, a.decOps), append(v.base, 0)
		}
		if left = again; len(left) == 0 {
			break
		}
	}
	return v
}
