package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// part is text and the operand behind it; op -1 is none.
type part struct {
	text  string
	op    int
	style *style
}

// maxListed is how many values of an immediate a style may list.
const maxListed = 8192

// fill writes operands by parts.
func (l *learner) fill(ps []part, ops []operand) (string, bool) {
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.text)
		if p.op >= 0 {
			t, ok := l.render(p.style, ops[p.op].val)
			if !ok {
				return "", false
			}
			b.WriteString(t)
		}
	}
	return b.String(), true
}

// shown is what is asked for: the text with aliases or without.
func shown(a *answer, want uint8) (string, bool) {
	if want == wantText {
		return a.text, a.textOK
	}
	return a.plain, a.plainOK
}

// textValues are values of operand k that show how it is written.
func (l *learner) textValues(in *instr, k int) (vals []operand, whole bool) {
	d := &in.dom[k]
	if len(d.regs) > 0 {
		for _, r := range d.regs {
			vals = append(vals, operand{kindReg, int64(r)})
		}
		return vals, true
	}
	if !d.known {
		for v := int64(0); v < 16; v++ {
			vals = append(vals, operand{kindImm, v})
		}
		for _, v := range predicates() {
			vals = append(vals, operand{kindImm, v})
		}
		return vals, false
	}
	n := d.immCount(300)
	if n <= 300 {
		for i := range n {
			vals = append(vals, operand{kindImm, d.imm(uint64(i))})
		}
		return vals, true
	}
	for i := range 24 {
		vals = append(vals, operand{kindImm, d.imm(uint64(i))}, operand{kindImm, d.imm(uint64(-1 - i))})
	}
	for i := range 64 {
		if d.list == nil && i >= int(d.format.Bits) {
			break
		}
		vals = append(vals, operand{kindImm, d.imm(1 << i)}, operand{kindImm, d.imm(1<<i + 5)}, operand{kindImm, d.imm(l.rnd.Uint64())})
	}
	return vals, false
}

// allValues are all values of an immediate, where they are few enough to be listed.
func (l *learner) allValues(in *instr, k int) (vals []operand) {
	d := &in.dom[k]
	n := d.immCount(maxListed)
	if !d.known || n > maxListed {
		return nil
	}
	for i := range n {
		vals = append(vals, operand{kindImm, d.imm(uint64(i))})
	}
	return vals
}

// span is an operand's place in the text of the base.
type span struct {
	from, to, op int
	style        *style
}

// template learns how an instruction is written when operands change one at a
// time from base; pinned operands do not change. want is wantText or wantPlain.
func (l *learner) template(in *instr, base []operand, pinned []bool, want uint8) ([]part, string) {
	at := *in
	at.base = base
	_, as := l.probe(&at, 0, want, base[:min(1, len(base))])
	if len(base) == 0 {
		as = l.ask([]question{{want: want, op: in.op}})
	}
	t0, ok := shown(&as[0], want)
	if !ok {
		return nil, "the printer refuses"
	}
	var spans []span
	for k := range base {
		if pinned != nil && pinned[k] {
			continue
		}
		ss, why := l.spansOf(&at, k, t0, want)
		if why != "" {
			return nil, why
		}
		spans = append(spans, ss...)
	}
	sort.Slice(spans, func(i, j int) bool {
		return spans[i].from < spans[j].from || spans[i].from == spans[j].from && spans[i].to < spans[j].to
	})
	var out []part
	pos := 0
	for _, s := range spans {
		if s.from < pos {
			return nil, "operands share a text"
		}
		out = append(out, part{t0[pos:s.from], s.op, s.style})
		pos = s.to
	}
	if pos < len(t0) || len(out) == 0 {
		out = append(out, part{t0[pos:], -1, nil})
	}
	return out, ""
}

// spansOf finds where operand k is written in the text t0 of the base.
func (l *learner) spansOf(in *instr, k int, t0 string, want uint8) ([]span, string) {
	if k > 0 && l.predicate(in.op, k-1) {
		return nil, ""
	}
	vals, whole := l.textValues(in, k)
	isReg := len(in.dom[k].regs) > 0
	ask := func(vals []operand) []written {
		qs, as := l.probe(in, k, want, append(vals, in.base[k]))
		var ws []written
		for i := range as {
			// Among aliases, another form is another alias's.
			if t, ok := shown(&as[i], want); ok && (want == wantPlain && !l.oneForm || l.form(t) == l.form(t0)) {
				ws = append(ws, written{qs[i].ops[k].val, t})
			}
		}
		return ws
	}
	ws := ask(vals)
	if len(ws) < 2 {
		return nil, ""
	}
	same := true
	for _, w := range ws {
		same = same && w.text == t0
	}
	if same {
		return nil, ""
	}
	// The common way: a register's name, a plain number, once or more often.
	plain := &style{kind: desc.StyleDec, mul: 1}
	if isReg {
		plain = &style{kind: desc.StyleReg}
	}
	ss := l.known(plain, k, in.base[k].val, t0, ws)
	if ss == nil && !isReg && !in.dom[k].decoded && !in.dom[k].neg {
		// Numbers that are written without a sign are not negative ones.
		if ss = l.known(plain, k, in.base[k].val, t0, slices.DeleteFunc(slices.Clone(ws), func(w written) bool { return w.val < 0 })); ss != nil {
			in.dom[k].format.Signed, in.dom[k].format.Either = false, false
		}
	}
	if ss != nil {
		y := l.styles.intern(plain)
		for i := range ss {
			ss[i].style = y
		}
		return ss, ""
	}
	from, to, mids := between(t0, ws)
	var y *style
	if !isReg {
		if y = numeric(mids, whole); y == nil && !whole {
			if all := l.allValues(in, k); all != nil {
				ws = ask(all)
				from, to, mids = between(t0, ws)
				if y = numeric(mids, true); y == nil {
					y = listed(mids, false)
				}
			}
		} else if y == nil {
			y = listed(mids, false)
		}
		if y == nil {
			return nil, "an immediate's text follows no rule"
		}
	} else {
		y = listed(mids, true)
	}
	return []span{{from, to, k, l.styles.intern(y)}}, ""
}

// known finds the places where a style explains all that was seen; nil when there are none.
func (l *learner) known(y *style, k int, base int64, t0 string, ws []written) []span {
	s0, ok := l.render(y, base)
	if !ok || s0 == "" {
		return nil
	}
	var at []int
	for p := 0; ; {
		i := strings.Index(t0[p:], s0)
		if i < 0 {
			break
		}
		// A numeral or a name is whole, not a part of another.
		a, e := p+i, p+i+len(s0)
		if (a == 0 || !isWord(t0[a-1]) || !isWord(s0[0])) && (e == len(t0) || !isWord(t0[e]) || !isWord(s0[len(s0)-1])) {
			at = append(at, a)
		}
		p = a + 1
	}
	if len(at) == 0 || len(at) > 5 {
		return nil
	}
	// Try sets of places, one place first.
	for n := 1; n <= len(at); n++ {
		for set := 1; set < 1<<len(at); set++ {
			if popcount(set) != n {
				continue
			}
			var places []int
			for i, a := range at {
				if set>>i&1 != 0 {
					places = append(places, a)
				}
			}
			if l.explains(y, places, len(s0), t0, ws) {
				var ss []span
				for _, a := range places {
					ss = append(ss, span{a, a + len(s0), k, nil})
				}
				return ss
			}
		}
	}
	return nil
}

func popcount(v int) (n int) {
	for ; v != 0; v &= v - 1 {
		n++
	}
	return n
}

// explains reports that the style in these places gives every text.
func (l *learner) explains(y *style, places []int, n int, t0 string, ws []written) bool {
	for _, w := range ws {
		s, ok := l.render(y, w.val)
		if !ok {
			return false
		}
		t, pos := w.text, 0
		for _, a := range places {
			if a < pos {
				return false
			}
			lit := t0[pos:a]
			if !strings.HasPrefix(t, lit) || !strings.HasPrefix(t[len(lit):], s) {
				return false
			}
			t, pos = t[len(lit)+len(s):], a+n
		}
		if t != t0[pos:] {
			return false
		}
	}
	return true
}

// between cuts what all texts begin and end with, at the bounds of words; from
// and to are where t0 has what remains.
func between(t0 string, ws []written) (from, to int, mids []written) {
	pre, suf := len(t0), len(t0)
	for _, w := range ws {
		n := 0
		for n < pre && n < len(w.text) && w.text[n] == t0[n] {
			n++
		}
		pre = n
		n = 0
		for n < suf && n < len(w.text) && w.text[len(w.text)-1-n] == t0[len(t0)-1-n] {
			n++
		}
		suf = n
	}
	for _, w := range ws {
		suf = min(suf, len(w.text)-pre)
	}
	suf = min(suf, len(t0)-pre)
	// A word is not cut; where all texts go on with something else, none is.
	cut, end := false, false
	for _, w := range append(ws, written{text: t0}) {
		cut = cut || pre < len(w.text) && isWord(w.text[pre])
		end = end || len(w.text) > suf && isWord(w.text[len(w.text)-1-suf])
	}
	for cut && pre > 0 && (isWord(t0[pre-1]) || t0[pre-1] == '-' || t0[pre-1] == '.' && pre > 1 && t0[pre-2] >= '0' && t0[pre-2] <= '9') && !mnemonic(t0, pre) {
		pre--
	}
	for end && suf > 0 && isWord(t0[len(t0)-suf]) {
		suf--
	}
	for _, w := range ws {
		mids = append(mids, written{w.val, w.text[pre : len(w.text)-suf]})
	}
	return pre, len(t0) - suf, mids
}

// mnemonic reports a place inside the mnemonic, where words have no bounds.
func mnemonic(t string, at int) bool {
	t = t[:at]
	return !strings.ContainsAny(strings.TrimLeft(t, "\t "), "\t ")
}

// text learns how an instruction is written by its own syntax.
func (l *learner) text(in *instr) {
	why := ""
	l.condition(in)
	// The base may be written as an alias, whether that is wanted or not.
	own := in.base
	for _, base := range l.commonBases(in) {
		in.base, l.oneForm = base, true
		why = l.formFrom(in, base)
		if l.oneForm = false; why == "" {
			in.printed = true
			return
		}
	}
	in.base = own
	why = l.formFrom(in, in.base)
	// Other operands may show more: two of them that are not written stand in one
	// place, in either order.
	for k := 5; why != "" && k < 9; k++ {
		if l.formFrom(in, l.filling(in.op, in.dom, k)) == "" {
			why = ""
		}
	}
	if why != "" {
		// Some printers write aliases whether they are wanted or not: these come
		// with the other aliases.
		l.oneForm = true
		why = l.formFrom(in, in.base)
		l.oneForm = false
	}
	// Where an operand of few values decides about the form, each value has one.
	for k := 0; why != "" && k < len(in.base); k++ {
		if d := &in.dom[k]; d.known && len(d.regs) == 0 && d.immCount(8) <= 8 && d.immCount(8) > 1 && l.byValue(in, k) {
			why = l.proveText(in)
		}
	}
	if in.printed = why == ""; !in.printed {
		in.textWhy, in.parts, in.aliases, in.forms = why, nil, nil, nil
	}
}

// condition finds the values of an operand without which the printer refuses.
func (l *learner) condition(in *instr) {
	if _, as := l.probe(in, len(in.base), wantPlain, []operand{{}}); in.decodable || as[0].plainOK {
		return
	}
	for k := range in.base {
		if in.base[k].kind != kindImm {
			continue
		}
		var vals []operand
		for _, v := range predicates() {
			vals = append(vals, operand{kindImm, v})
		}
		_, as := l.probe(in, k, wantPlain, vals)
		var list []int64
		for i := range as {
			if as[i].plainOK {
				list = append(list, vals[i].val)
			}
		}
		if len(list) > 1 {
			in.base[k].val = list[0]
			slices.Sort(list)
			in.dom[k].list, in.dom[k].known = list, true
			return
		}
	}
}

// unsigned is a form whatever signs numbers have.
func unsigned(form string) string { return strings.ReplaceAll(form, "+", "") }

// commonBases gives operands that are written in the form of most, where those of the
// base are not; none where they are.
func (l *learner) commonBases(in *instr) (out [][]operand) {
	qs := []question{{want: wantPlain | wantText, op: in.op, ops: in.base}}
	for k := range 60 {
		qs = append(qs, question{want: wantPlain, op: in.op, ops: l.filling(in.op, in.dom, k+3)})
	}
	as := l.ask(qs)
	if !as[0].plainOK || as[0].plain != as[0].text {
		return nil
	}
	byForm := map[string][]int{}
	for k := range as[1:] {
		if t, ok := shown(&as[k+1], wantPlain); ok {
			f := unsigned(l.form(t))
			byForm[f] = append(byForm[f], k+1)
		}
	}
	best := unsigned(l.form(as[0].plain))
	own := best
	for _, f := range sortedKeys(byForm) {
		if len(byForm[f]) > len(byForm[best]) {
			best = f
		}
	}
	if best == own {
		return nil
	}
	for _, apart := range [...]bool{true, false} {
		for n, k := range byForm[best] {
			if spread(qs[k].ops) == apart && n < 12 {
				out = append(out, qs[k].ops)
			}
		}
	}
	return out
}

// formFrom learns the parts from one base.
func (l *learner) formFrom(in *instr, base []operand) string {
	parts, why := l.template(in, base, nil, wantPlain)
	if why == "" {
		in.parts = parts
		why = l.proveText(in)
	}
	return why
}

// byValue learns a form for each value of operand k.
func (l *learner) byValue(in *instr, k int) bool {
	in.forms, in.aliases = nil, nil
	pinned := make([]bool, len(in.base))
	pinned[k] = true
	n := in.dom[k].immCount(8)
	for i := range n {
		base := append([]operand(nil), in.base...)
		base[k].val = in.dom[k].imm(uint64(i))
		parts, why := l.template(in, base, pinned, wantPlain)
		if why != "" {
			return false
		}
		if i == 0 {
			in.parts = parts
			continue
		}
		in.forms = append(in.forms, alias{conds: []desc.WriterCond{{Op: uint16(k), Kind: desc.CondImm, Arg: base[k].val}}, parts: parts, form: true})
	}
	in.aliases = append(in.aliases, in.forms...)
	return true
}

// tooFewForms is why a text is not kept of which random operands show too little.
const tooFewForms = "too few random operands are printed in one form"

// proveText holds what is learned to random operands.
func (l *learner) proveText(in *instr) string {
	qs := make([]question, 24)
	for k := range qs {
		qs[k] = question{want: wantPlain, op: in.op, ops: l.filling(in.op, in.dom, k)}
	}
	as := l.ask(qs)
	right, other := 0, 0
	for k := range as {
		if !as[k].plainOK {
			continue
		}
		if got, ok := l.written(in, qs[k].ops); !ok || got != as[k].plain {
			if l.oneForm && l.form(got) != l.form(as[k].plain) {
				other++
				if l.trace {
					fmt.Printf("  other text of %v: %q, foreseen %q\n", qs[k].ops, as[k].plain, got)
				}
				continue
			}
			if l.trace {
				fmt.Printf("  text of %v: %q, foreseen %q\n", qs[k].ops, as[k].plain, got)
			}
			return "operands together are written as none is alone"
		}
		right++
	}
	if right < 8 || right < other {
		return tooFewForms
	}
	return ""
}
