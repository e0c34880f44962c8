package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
)

// What assemblers read and no printer writes: mnemonics that stand for other
// instructions, operands that may be left out. The names of mnemonics are those that
// messages propose ("did you mean"); each is tried with the operands of all forms there
// are, and what is read shows how operands follow the text.

// wording is how operands are written, without a mnemonic.
type wording struct {
	texts  []string // before each operand, and behind the last one
	regs   []bool
	styles []uint16
	shift  []uint8 // low bits of a number that are zero
	class  []desc.ClassID
	donor  *form
	at     []int // operands of the donor
}

func (s *wording) key() string {
	var b strings.Builder
	for i := range s.texts {
		b.WriteString(s.texts[i])
		if i < len(s.regs) {
			b.WriteByte("ir"[b2i(s.regs[i])])
			b.WriteString(strconv.Itoa(int(s.styles[i])) + "." + strconv.Itoa(int(s.class[i])))
			if s.shift[i] > 0 {
				b.WriteString("*" + strconv.Itoa(int(s.shift[i])))
			}
		}
	}
	return b.String()
}

// plainKey is the key without the kinds of registers.
func (s *wording) plainKey() string {
	var b strings.Builder
	for i := range s.texts {
		b.WriteString(strings.TrimSpace(s.texts[i]))
		if i < len(s.regs) {
			b.WriteByte("ir"[b2i(s.regs[i])])
		}
	}
	return b.String()
}

// hasNumbers reports digits that are no operand.
func (s *wording) hasNumbers() bool {
	return slices.ContainsFunc(s.texts, func(t string) bool { return strings.ContainsAny(t, "0123456789") })
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// wordingOf takes the mnemonic from a form; nil where operands are in it.
func (r *reader) wordingOf(f *form, plain uint16) *wording {
	first := f.parts[0].Text.In(f.names)
	word := strings.TrimLeft(first, " \t")
	i := strings.IndexAny(word, " \t")
	if f.parts[0].Op >= 0 && i < 0 {
		return nil
	}
	s := &wording{donor: f}
	rest := ""
	if i >= 0 {
		rest = word[i:]
	}
	for k := range f.parts {
		p := &f.parts[k]
		t := p.Text.In(f.names)
		if k == 0 {
			t = rest
		}
		s.texts = append(s.texts, t)
		if p.Op < 0 {
			return s
		}
		y := &r.tabs.Writer.Styles[p.Style-1]
		reg := y.Kind == desc.StyleReg || y.Kind == desc.StyleRegTexts
		style := p.Style
		if !reg && (y.Mul == 0 || y.Mul == 1) && y.Kind != desc.StyleSign {
			style = plain
		}
		shift := uint8(0)
		if style == plain && !reg {
			shift = r.shiftOf(f.op, int(p.Op))
		}
		if last := len(s.texts) - 1; strings.HasSuffix(s.texts[last], ".+") { // a place, of an alias
			s.texts[last] = strings.TrimSuffix(s.texts[last], "+")
			k := slices.IndexFunc(r.tabs.Writer.Styles, func(z desc.WriterStyle) bool { return z.Kind == desc.StyleSign && z.Mul == y.Mul })
			if k < 0 {
				return nil
			}
			style = uint16(k + 1)
		}
		s.regs, s.styles, s.at, s.shift = append(s.regs, reg), append(s.styles, style), append(s.at, int(p.Op)), append(s.shift, shift)
		class := desc.NoClass
		if reg {
			class = r.info.OperandClass(f.op, int(p.Op), r.info.DefaultMode)
		}
		s.class = append(s.class, class)
	}
	s.texts = append(s.texts, "")
	return s
}

// shiftOf is how many low bits of an operand are zero.
func (r *reader) shiftOf(op desc.Opcode, k int) uint8 {
	e := r.tabs.Encoder
	if int(op) < len(e.Instrs) {
		row := &e.Instrs[op]
		for _, x := range e.Fields[row.Fields : row.Fields+uint32(row.NumFields)] {
			if int(x.Op) == k && x.Xform == 0 {
				return e.Formats[x.Format].Shift
			}
		}
	}
	return 0
}

// spelling is one try of a wording.
type spelling struct {
	word string
	s    *wording
	vals []operand
	fill filled
}

// learnSpellings adds the forms that are read and not written.
func (r *reader) learnSpellings() error {
	if !r.syntax.spellings {
		return nil
	}
	w := r.tabs.Writer
	plain := slices.IndexFunc(w.Styles, func(y desc.WriterStyle) bool {
		return y.Kind == desc.StyleDec && y.Mul == 1 && y.Add == 0 && y.Num == 0 && y.Bits == 0 && y.Prefix == 0 && y.Suffix == 0
	})
	if plain < 0 {
		return nil
	}
	r.plain = uint16(plain + 1)
	var shapes []*wording
	seen := map[string]bool{}
	have := map[string]bool{} // mnemonic and wording
	for _, f := range r.forms {
		if f.view < 0 {
			continue
		}
		s := r.wordingOf(f, r.plain)
		if s == nil {
			continue
		}
		have[f.key+" "+s.plainKey()] = true
		if short := slices.ContainsFunc(f.conds, func(c desc.WriterCond) bool { return c.Kind == desc.CondNoReg }); short || seen[s.key()] || s.hasNumbers() {
			continue
		}
		seen[s.key()] = true
		shapes = append(shapes, s)
	}
	var more []*wording
	for _, s := range shapes {
		for i := range s.regs {
			m := *s
			m.texts = slices.Insert(slices.Clone(s.texts), i+1, ", ")
			m.regs = slices.Insert(slices.Clone(s.regs), i, false)
			m.styles = slices.Insert(slices.Clone(s.styles), i, r.plain)
			m.at = slices.Insert(slices.Clone(s.at), i, -1)
			m.shift = slices.Insert(slices.Clone(s.shift), i, 0)
			m.class = slices.Insert(slices.Clone(s.class), i, desc.NoClass)
			if !seen[m.key()] {
				seen[m.key()] = true
				more = append(more, &m)
			}
		}
	}
	for v := range r.views {
		words, err := r.mnemonics(v)
		if err != nil {
			return err
		}
		if err := r.trySpellings(v, words, shapes, have); err != nil {
			return err
		}
		// What is of no form yet has operands as none has: one more number.
		known := map[string]bool{}
		for _, f := range r.forms {
			known[f.key] = known[f.key] || f.view >= 0
		}
		rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return known[w] })
		if err := r.trySpellings(v, rest, more, have); err != nil {
			return err
		}
	}
	return nil
}

// mnemonics are those that messages of a view propose.
func (r *reader) mnemonics(v int) ([]string, error) {
	known := map[string]bool{}
	asked := map[string]bool{}
	var todo []string
	look := func(w string) {
		if !asked[w] {
			asked[w] = true
			todo = append(todo, w)
		}
	}
	add := func(w string) {
		if w == "" || known[w] {
			return
		}
		known[w] = true
		for i := range len(w) + 1 {
			look(w[:i] + "_")
			if i < len(w) {
				look(w[:i] + w[i+1:])
			}
		}
	}
	for _, f := range r.forms {
		if f.view >= 0 {
			add(f.key)
		}
	}
	for _, w := range r.syntax.words {
		known[w] = true
	}
	for a := 'a'; a <= 'z'; a++ {
		look(string(a) + "_")
		for b := 'a'; b <= 'z'; b++ {
			look(string(a) + string(b))
		}
	}
	for len(todo) > 0 {
		ws := todo
		todo = nil
		as, err := r.assemble(r.views[v], "", r.syntax.prologue, ws)
		if err != nil {
			return nil, err
		}
		for i := range as {
			_, list, ok := strings.Cut(as[i].msg, "did you mean: ")
			if !ok {
				continue
			}
			for _, w := range strings.Split(strings.TrimSuffix(list, "?"), ", ") {
				add(w)
			}
		}
	}
	var words, texts []string
	for _, w := range sortedKeys(known) {
		words = append(words, w)
		if strings.ContainsAny(w, "+-") {
			continue
		}
		for _, end := range r.syntax.ends {
			if !known[w+end] {
				words = append(words, w+end)
			}
		}
	}
	for _, w := range words {
		texts = append(texts, "\t"+w)
	}
	as, err := r.assemble(r.views[v], "", r.syntax.prologue, texts)
	if err != nil {
		return nil, err
	}
	var out []string
	for i, w := range words {
		if !as[i].failed || !strings.HasPrefix(as[i].msg, r.words[desc.WordUnknown]) {
			out = append(out, w)
		}
	}
	return out, nil
}

// spell fills a wording behind a word.
func (r *reader) spell(word string, s *wording, small bool) (x spelling, ok bool) {
	in := r.fill(s.donor.op)
	x = spelling{word: word, s: s}
	used := map[int64]bool{}
	at := slices.Clone(s.at)
	for i := range s.regs {
		if at[i] < 0 { // it is not the donor's
			at[i] = len(in.Ops)
			in.Add(mc.Imm(0))
		}
		if at[i] >= len(in.Ops) {
			return x, false
		}
		if s.regs[i] {
			o := in.Ops[at[i]]
			if !o.IsReg() || o.Reg() == 0 {
				return x, false
			}
			x.vals = append(x.vals, operandOf(o))
			continue
		}
		if s.styles[i] != r.plain || s.shift[i] > 0 {
			x.vals = append(x.vals, operandOf(in.Ops[at[i]]))
			continue
		}
		n := int64(r.rnd.IntN(7) + 1)
		if !small {
			n = int64(r.rnd.IntN([...]int{8, 16, 31}[r.rnd.IntN(3)]) + 1)
		}
		if r.rnd.IntN(4) == 0 {
			n = int64(r.rnd.IntN(2))
		}
		for used[n] && n < 31 {
			n++
		}
		used[n] = true
		in.Ops[at[i]] = mc.Imm(n)
		x.vals = append(x.vals, operand{kindImm, n})
	}
	b := []byte("\t" + word)
	for i, t := range s.texts {
		b = append(b, t...)
		if i == len(s.regs) {
			break
		}
		from := len(b)
		var err error
		if b, err = r.printer.AppendForm(b, []desc.WriterPart{{Op: int16(at[i]), Style: s.styles[i], Last: true}}, "", in); err != nil || len(b) == from {
			return x, false
		}
		x.fill.starts, x.fill.ends = append(x.fill.starts, from), append(x.fill.ends, len(b))
	}
	x.fill.text = string(b)
	return x, !strings.Contains(x.fill.text, "**") && !strings.Contains(x.fill.text, "\n")
}

// trySpellings tries all words with all shapes in a view.
func (r *reader) trySpellings(v int, words []string, shapes []*wording, have map[string]bool) error {
	var tries []spelling
	flush := func() error {
		texts := make([]string, len(tries))
		for i := range tries {
			texts[i] = tries[i].fill.text
		}
		as, err := r.assemble(r.views[v], "", r.syntax.prologue, texts)
		if err != nil {
			return err
		}
		for i := range as {
			if as[i].one() == nil {
				continue
			}
			x := &tries[i]
			if k := x.word + " " + x.s.plainKey(); !have[k] {
				f, err := r.spelled(v, x.word, x.s)
				if err != nil {
					return err
				}
				if f != nil {
					have[k] = true
					r.forms = append(r.forms, f)
					continue
				}
				fs, err := r.literally(v, x.word, x.s)
				if err != nil {
					return err
				}
				if len(fs) > 0 {
					have[k] = true
					r.forms = append(r.forms, fs...)
				}
			}
		}
		tries = tries[:0]
		return nil
	}
	for _, w := range words {
		for _, s := range shapes {
			if have[w+" "+s.plainKey()] {
				continue
			}
			if x, ok := r.spell(w, s, true); ok {
				tries = append(tries, x)
			}
		}
		if len(tries) >= 20*maxTexts {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// spelled makes a form of a word with a wording, nil where what is read follows no rule.
func (r *reader) spelled(v int, word string, s *wording) (*form, error) {
	const tries, enough = 24, 6
	var xs []spelling
	var texts []string
	for k := range tries {
		if x, ok := r.spell(word, s, k < tries/2); ok {
			xs, texts = append(xs, x), append(texts, x.fill.text)
		}
	}
	as, err := r.assemble(r.views[v], "", r.syntax.prologue, texts)
	if err != nil {
		return nil, err
	}
	var good []spelling
	var ins []*asmInst
	for i := range as {
		x := as[i].one()
		if x == nil {
			continue
		}
		if len(ins) > 0 && (x.op != ins[0].op || len(x.ops) != len(ins[0].ops)) {
			return nil, nil
		}
		good, ins = append(good, xs[i]), append(ins, x)
	}
	if len(ins) < enough || len(s.regs) == 0 && len(ins) == 0 {
		return nil, nil
	}
	return r.solveForm(v, word, s, good, ins), nil
}

// literally makes forms of a word with a shape of which a number is 0 or 1 and decides
// about what is read, or has no other value.
func (r *reader) literally(v int, word string, s *wording) (out []*form, err error) {
	for i := range s.regs {
		if s.regs[i] || s.styles[i] != r.plain {
			continue
		}
		for n := range 2 {
			m := *s
			m.texts = slices.Clone(s.texts)
			m.texts[i] += strconv.Itoa(n) + s.texts[i+1]
			m.texts = slices.Delete(m.texts, i+1, i+2)
			m.regs = slices.Delete(slices.Clone(s.regs), i, i+1)
			m.styles = slices.Delete(slices.Clone(s.styles), i, i+1)
			m.at = slices.Delete(slices.Clone(s.at), i, i+1)
			m.shift = slices.Delete(slices.Clone(s.shift), i, i+1)
			m.class = slices.Delete(slices.Clone(s.class), i, i+1)
			f, err := r.spelled(v, word, &m)
			if err != nil {
				return nil, err
			}
			// A number may be a register's.
			if f != nil && !slices.ContainsFunc(f.conds, func(c desc.WriterCond) bool { return c.Kind == desc.CondReg }) {
				out = append(out, f)
			}
		}
	}
	return out, nil
}

// solveForm finds what the operands of what was read are.
func (r *reader) solveForm(v int, word string, s *wording, good []spelling, ins []*asmInst) *form {
	op := ins[0].op
	shownBy := make([]int, len(s.regs)) // operand of each part
	styles := slices.Clone(s.styles)
	type linear struct{ mul, add int64 }
	of := make([]linear, len(s.regs)) // of the operand that shows a part: mul*value+add
	for i := range shownBy {
		shownBy[i] = -1
	}
	f := &form{op: op, view: v, views: make([]bool, len(r.views)), before: map[*form]bool{}, key: table.FormKey("\t" + word)}
	f.views[v] = true
	for j := range ins[0].ops {
		vals := make([]operand, len(ins))
		same := true
		for k, in := range ins {
			vals[k] = in.ops[j]
			same = same && vals[k] == vals[0]
		}
		part, how := -1, linear{}
		for i := range s.regs {
			if m, a, ok := r.follows(good, i, vals); ok && (s.styles[i] == r.plain || s.regs[i] || m == 1 && a == 0) {
				part, how = i, linear{m, a}
				if shownBy[i] < 0 {
					break
				}
			}
		}
		switch {
		case part >= 0 && shownBy[part] < 0:
			shownBy[part], of[part] = j, how
			if !s.regs[part] && vals[0].kind != kindSym && s.styles[part] == r.plain {
				styles[part] = r.numberStyle(how.mul, -how.mul*how.add)
			}
		case part >= 0 && s.regs[part]:
			f.conds = append(f.conds, desc.WriterCond{Op: uint16(j), Kind: desc.CondSame, Arg: int64(shownBy[part])})
		case part >= 0:
			// value = mul*(operand-add), and this one is how.mul*value+how.add.
			o := of[part]
			mul := how.mul * o.mul
			f.conds = append(f.conds, desc.AffineCond(j, shownBy[part], mul, how.add-mul*o.add))
		case same && vals[0] == (operand{}):
			if r.syntax.addresses {
				return nil // an address without its base
			}
			f.conds = append(f.conds, desc.WriterCond{Op: uint16(j), Kind: desc.CondNoReg})
		case same && vals[0].kind == kindReg:
			f.conds = append(f.conds, desc.WriterCond{Op: uint16(j), Kind: desc.CondReg, Arg: vals[0].val})
		case same && vals[0].kind == kindImm:
			f.conds = append(f.conds, desc.WriterCond{Op: uint16(j), Kind: desc.CondImm, Arg: vals[0].val})
		default:
			return nil
		}
	}
	if slices.Contains(shownBy, -1) {
		return nil
	}
	b := &builder{names: map[string]desc.Name{"": 0}}
	for i, t := range s.texts {
		if i == 0 {
			t = "\t" + word + t
		}
		p := desc.WriterPart{Text: b.name(t), Op: -1, Last: i == len(s.texts)-1}
		if i < len(s.regs) {
			p.Op, p.Style = int16(shownBy[i]), styles[i]
		}
		if i == len(s.regs) && t == "" && i > 0 {
			f.parts[i-1].Last = true
			break
		}
		f.parts = append(f.parts, p)
	}
	f.names = b.blob.String()
	for k := range good {
		x := good[k].fill
		for _, o := range ins[k].ops {
			switch o.kind {
			case kindReg:
				x.ops = append(x.ops, mc.Reg(desc.PhysReg(o.val)))
			default:
				x.ops = append(x.ops, mc.Imm(o.val))
			}
		}
		f.samples = append(f.samples, x)
	}
	return f
}

// follows reports that values of an operand follow part i: registers are the same, or
// of the same name; numbers are mul*value+add.
func (r *reader) follows(good []spelling, i int, vals []operand) (mul, add int64, ok bool) {
	reg := good[0].s.regs[i]
	varies := false
	for k := range vals {
		v := good[k].vals[i]
		varies = varies || v != good[0].vals[i]
		if reg != (vals[k].kind == kindReg) {
			return 0, 0, false
		}
		if reg && v.val != vals[k].val && r.views[0].regName(desc.PhysReg(v.val)) != r.views[0].regName(desc.PhysReg(vals[k].val)) {
			return 0, 0, false
		}
	}
	if reg || !varies || vals[0].kind == kindSym {
		return 1, 0, varies && (reg || vals[0].kind == kindSym)
	}
	for _, mul := range [...]int64{1, -1} {
		add := vals[0].val - mul*good[0].vals[i].val
		if allOf(vals, func(k int, o operand) bool {
			return o.kind == kindImm && o.val == mul*good[k].vals[i].val+add
		}) {
			return mul, add, true
		}
	}
	return 0, 0, false
}

func allOf(vals []operand, is func(k int, o operand) bool) bool {
	for k, o := range vals {
		if !is(k, o) {
			return false
		}
	}
	return true
}

// numberStyle is the style of a number that is mul times an operand and add.
func (r *reader) numberStyle(mul, add int64) uint16 {
	if mul == 1 && add == 0 {
		return r.plain
	}
	w := r.tabs.Writer
	y := desc.WriterStyle{Kind: desc.StyleDec, Mul: mul, Add: add}
	if k := slices.Index(w.Styles, y); k >= 0 {
		return uint16(k + 1)
	}
	w.Styles = append(w.Styles, y)
	return uint16(len(w.Styles))
}
