package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// alias is another way to write an instruction, where its conditions hold.
type alias struct {
	conds []desc.WriterCond
	parts []part
	form  bool // not an alias: the instruction's own syntax under conditions
}

// maxAliases is how many aliases an opcode may have; who has more follows a rule
// that conditions on single operands do not express.
const maxAliases = 80

func holds(conds []desc.WriterCond, ops []operand) bool {
	for _, c := range conds {
		o := ops[c.Op]
		switch c.Kind {
		case desc.CondReg:
			if o.kind != kindReg || o.val != c.Arg {
				return false
			}
		case desc.CondNoReg:
			if o.kind != kindReg || o.val != 0 {
				return false
			}
		case desc.CondImm:
			if o.kind != kindImm || o.val != c.Arg {
				return false
			}
		case desc.CondSame:
			if o != ops[c.Arg] {
				return false
			}
		}
	}
	return true
}

// written is the text of an instruction by what is learned.
func (l *learner) written(in *instr, ops []operand) (string, bool) {
	for i := range in.aliases {
		if holds(in.aliases[i].conds, ops) {
			return l.fill(in.aliases[i].parts, ops)
		}
	}
	return l.fill(in.parts, ops)
}

// mnemonicOf is the first word of a text.
func mnemonicOf(t string) string {
	t = strings.TrimLeft(t, "\t ")
	if k := strings.IndexAny(t, "\t "); k >= 0 {
		return t[:k]
	}
	return t
}

// form is what texts of one syntax have in common: the mnemonic alone where that
// tells them from others.
func (l *learner) form(t string) string {
	m := mnemonicOf(t)
	if l.byMnemonic {
		return m
	}
	count := func(s string) string { return strings.Repeat(s, strings.Count(t, s)) }
	return m + count(",") + count("[") + count("#") + count("+") + strings.Repeat(" ", len(strings.Fields(t)))
}

// specials are the values of operand k that aliases may want.
func (l *learner) specials(in *instr, k int, all bool) (out []operand) {
	d := &in.dom[k]
	if len(d.regs) > 0 {
		for _, r := range d.regs {
			e := l.info.Regs[r].Encoding
			if all && len(d.regs) <= 70 || len(d.regs) <= 8 || r == 0 || e < 3 || e == 30 || e == 31 {
				out = append(out, operand{kindReg, int64(r)})
			}
		}
		return out
	}
	if !d.known {
		return nil
	}
	n := d.immCount(1024)
	for i := range min(n, 1024) {
		if v := d.imm(uint64(i)); all && n <= 1024 || n <= 8 || v >= -1 && v < 5 {
			out = append(out, operand{kindImm, v})
		}
	}
	if d.list == nil {
		for _, i := range [...]uint64{1<<d.format.Bits - 1, 1<<d.format.Bits - 2, 1 << (max(d.format.Bits, 1) - 1)} {
			out = append(out, operand{kindImm, d.imm(i)})
		}
		for b := range d.format.Bits {
			if all {
				out = append(out, operand{kindImm, d.imm(1 << b)}, operand{kindImm, d.imm(1<<b - 1)})
			}
		}
	}
	return out
}

// takes reports that operand k may be o.
func (l *learner) takes(in *instr, k int, o operand) bool {
	d := &in.dom[k]
	if len(d.regs) > 0 {
		return o.kind == kindReg && slices.Contains(d.regs, desc.PhysReg(o.val))
	}
	if o.kind != kindImm || !d.known {
		return false
	}
	if d.list != nil {
		return slices.Contains(d.list, o.val)
	}
	for i := range min(d.immCount(256), 256) {
		if d.imm(uint64(i)) == o.val {
			return true
		}
	}
	return false
}

// suspects are fillings that aliases may be of: one or two operands special or equal.
func (l *learner) suspects(in *instr) (out [][]operand) {
	with := func(ks []int, vs []operand) {
		ops := append([]operand(nil), in.base...)
		for i, k := range ks {
			ops[k] = vs[i]
		}
		out = append(out, ops)
	}
	few := make([][]operand, len(in.base))
	for k := range in.base {
		for _, v := range l.specials(in, k, true) {
			with([]int{k}, []operand{v})
		}
		few[k] = l.specials(in, k, false)
	}
	for k := range in.base {
		for j := range k {
			for _, v := range few[k] {
				for _, w := range few[j] {
					with([]int{k, j}, []operand{v, w})
				}
			}
			if l.takes(in, k, in.base[j]) {
				with([]int{k}, []operand{in.base[j]})
			}
			if l.takes(in, j, in.base[k]) {
				with([]int{j}, []operand{in.base[k]})
			}
		}
	}
	return out
}

// mixed are random fillings, some of whose operands are special or equal.
func (l *learner) mixed(in *instr, n int) []question {
	few := make([][]operand, len(in.base))
	for k := range few {
		few[k] = l.specials(in, k, false)
	}
	qs := make([]question, n)
	for i := range qs {
		ops := l.filling(in.op, in.dom, i)
		for k := range ops {
			switch l.rnd.IntN(6) {
			case 0:
				if len(few[k]) > 0 {
					ops[k] = few[k][l.rnd.IntN(len(few[k]))]
				}
			case 1:
				if j := l.rnd.IntN(len(ops)); l.takes(in, k, ops[j]) {
					ops[k] = ops[j]
				}
			}
		}
		qs[i] = question{want: wantText, op: in.op, ops: ops}
	}
	return qs
}

// learnAliases finds the aliases that the printer prefers.
func (l *learner) learnAliases(in *instr) {
	var qs []question
	for _, ops := range l.suspects(in) {
		qs = append(qs, question{want: wantText, op: in.op, ops: ops})
	}
	qs = append(qs, l.mixed(in, 32)...)
	as := l.ask(qs)
	// What is learned from one text may be wrong for another that was right:
	// until nothing changes, but not for ever.
	tries := 0
	for changed, pass := true, 0; changed && pass < 4; pass++ {
		changed = false
		for k := range as {
			if got, ok := l.written(in, qs[k].ops); !as[k].textOK || ok && got == as[k].text {
				continue
			}
			if tries++; tries > 2*maxAliases {
				in.aliasWhy = "aliases by a rule of several operands"
				break
			}
			al, ok := l.aliasAt(in, qs[k].ops, as[k].text)
			if l.trace && !ok {
				got, _ := l.written(in, qs[k].ops)
				fmt.Printf("  alias of %v: %q, foreseen %q: %+v\n", qs[k].ops, as[k].text, got, al)
			}
			if !ok {
				in.aliasWhy = "an alias whose condition is not of single operands"
				continue
			}
			in.insert(al, qs[k].ops)
			changed = true
			if len(in.aliases) > maxAliases {
				in.aliases = append(in.aliases[:0], in.forms...)
				in.aliasWhy = "aliases by a rule of several operands"
				return
			}
		}
	}
	qs = l.mixed(in, 48)
	as = l.ask(qs)
	for k := range as {
		if got, ok := l.written(in, qs[k].ops); as[k].textOK && (!ok || got != as[k].text) && in.aliasWhy == "" {
			in.aliasWhy = "an alias that was not found"
		}
	}
}

// insert puts an alias before those that claim what it is known to be right for.
func (in *instr) insert(al alias, ops []operand) {
	key := keyOf("c", al.conds)
	in.aliases = slices.DeleteFunc(in.aliases, func(a alias) bool { return !a.form && keyOf("c", a.conds) == key })
	at := len(in.aliases)
	for i := range in.aliases {
		if in.aliases[i].form || holds(in.aliases[i].conds, ops) {
			at = i
			break
		}
	}
	in.aliases = slices.Insert(in.aliases, at, al)
}

// others are random values for operand k, other than the one it has.
func (l *learner) others(in *instr, k int, v operand) (out []operand) {
	for range 16 {
		if o := l.filling(in.op, in.dom, 5)[k]; o != v && len(out) < 4 {
			out = append(out, o)
		}
	}
	return out
}

// aliasAt learns the alias that writes ops as text.
func (l *learner) aliasAt(in *instr, ops []operand, text string) (alias, bool) {
	var a alias
	foreseen, ok := l.fill(in.parts, ops)
	if !ok { // an operand that only the alias takes
		foreseen, _ = l.fill(in.parts, in.base)
	}
	l.byMnemonic = mnemonicOf(text) != mnemonicOf(foreseen)
	defer func() { l.byMnemonic = false }()
	want, n := l.form(text), len(ops)
	at := *in
	at.base = ops
	keeps := func(set func(o []operand, v operand), k int) bool {
		var qs []question
		for _, v := range l.others(in, k, ops[k]) {
			o := append([]operand(nil), ops...)
			set(o, v)
			qs = append(qs, question{want: wantText, op: in.op, ops: o})
		}
		as := l.ask(qs)
		yes, no := 0, 0
		for i := range as {
			switch {
			case !as[i].textOK:
			case l.form(as[i].text) == want:
				yes++
			default:
				no++
			}
		}
		return yes > no || yes+no == 0
	}
	pinned := make([]bool, n)
	for k := range ops {
		pinned[k] = !keeps(func(o []operand, v operand) { o[k] = v }, k)
	}
	// Those that are pinned and equal may only have to be equal: all of them, or two.
	at.follow = map[int][]int{}
	same := func(ks []int) bool {
		if !keeps(func(o []operand, v operand) {
			for _, k := range ks {
				o[k] = v
			}
		}, ks[0]) {
			return false
		}
		for _, k := range ks[1:] {
			a.conds = append(a.conds, desc.WriterCond{Op: uint16(k), Kind: desc.CondSame, Arg: int64(ks[0])})
		}
		at.follow[ks[0]], pinned[ks[0]] = ks[1:], false
		return true
	}
	for k := range ops {
		var like []int
		for j := k; j < len(ops); j++ {
			if _, follows := at.follows(j); pinned[j] && !follows && ops[j] == ops[k] && (l.takes(in, k, ops[j]) || j == k) {
				like = append(like, j)
			}
		}
		if len(like) < 2 || like[0] != k || same(like) || len(like) == 2 {
			continue
		}
		for _, j := range like[1:] {
			if same([]int{k, j}) {
				break
			}
		}
	}
	for k := range ops {
		_, follows := at.follows(k)
		switch {
		case !pinned[k] || follows:
		case ops[k].kind == kindReg && ops[k].val == 0:
			a.conds = append(a.conds, desc.WriterCond{Op: uint16(k), Kind: desc.CondNoReg})
		case ops[k].kind == kindReg:
			a.conds = append(a.conds, desc.WriterCond{Op: uint16(k), Kind: desc.CondReg, Arg: ops[k].val})
		default:
			a.conds = append(a.conds, desc.WriterCond{Op: uint16(k), Kind: desc.CondImm, Arg: ops[k].val})
		}
	}
	if l.aliasParts(&at, &a, pinned) {
		return a, true
	}
	// Where an operand of few values decides about the form, this is the alias of its value.
	for k := range ops {
		if d := &in.dom[k]; pinned[k] || !d.known || len(d.regs) > 0 || d.immCount(8) > 8 {
			continue
		}
		b := alias{conds: append(slices.Clone(a.conds), desc.WriterCond{Op: uint16(k), Kind: desc.CondImm, Arg: ops[k].val})}
		pinned[k] = true
		if l.aliasParts(&at, &b, pinned) {
			return b, true
		}
		pinned[k] = false
	}
	return a, false
}

// aliasParts learns the parts of an alias whose conditions are known, and holds
// them to random operands that meet these.
func (l *learner) aliasParts(at *instr, a *alias, pinned []bool) bool {
	ops := at.base
	parts, why := l.template(at, ops, pinned, wantText)
	if why != "" {
		return false
	}
	a.parts = parts
	qs := make([]question, 12)
	for i := range qs {
		o := l.filling(at.op, at.dom, i)
		for k := range o {
			if pinned[k] {
				o[k] = ops[k]
			}
		}
		for j, ks := range at.follow {
			for _, k := range ks {
				o[k] = o[j]
			}
		}
		qs[i] = question{want: wantText, op: at.op, ops: o}
	}
	as := l.ask(qs)
	right, wrong := 0, 0
	for i := range as {
		if !as[i].textOK {
			continue
		}
		if got, ok := l.fill(parts, qs[i].ops); ok && got == as[i].text {
			right++
		} else {
			wrong++ // some are aliases of more conditions
		}
	}
	return right > 2*wrong
}

// follows reports that operand k is what another is.
func (in *instr) follows(k int) (int, bool) {
	for j, f := range in.follow {
		if slices.Contains(f, k) {
			return j, true
		}
	}
	return 0, false
}
