package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
)

// reader learns what an assembler reads: each form in which the printer writes an
// instruction is asked about, in every view.
type reader struct {
	t       target
	syntax  syntax
	info    *desc.Info
	tabs    *desc.MCTables
	printer *table.Printer
	views   []*process
	bases   []*process // the views' triples with the default processor
	rnd     *rand.Rand
	forms   []*form
	kinds   []string // of modifiers, "" first
	words   [desc.NumMatchWords]string
	preds   map[string]*predicate
	regs    map[string][]desc.PhysReg // names that are not printed
	implies [][]bool                  // feature by feature
	beside  map[int]bool              // features that forms ask for beside what is missing by default
	kept    int
	plain   uint16 // the style of plain numbers
	styles  int    // how many the writer has
	lost    map[string]int
}

// form is one form of an opcode.
type form struct {
	op       desc.Opcode
	parts    []desc.WriterPart
	names    string
	row      uint32 // of the writer's parts, 0 for parts of its own
	conds    []desc.WriterCond
	alias    bool
	samples  []filled
	view     int // where a sample is taken first, -1 where none is
	sample   int // that sample
	views    []bool
	strict   bool           // taken by the strict assembler
	before   map[*form]bool // forms that LLVM prefers
	key      string
	msg0     []string // predicates that are not met by default
	nameless bool     // not met, and LLVM does not say what
	needs    []string // keys of predicates
	ops      []formOp
	order    int
	// others are the opcodes that samples are read as, with the same operands, and where
	// one is first.
	others map[desc.Opcode]seen
}

// seen is the place of a sample: a view and its number.
type seen struct{ view, sample int }

type formOp struct {
	diag string
	syms uint64
}

// filled is a filling of a form with its text.
type filled struct {
	ops  []mc.Operand
	text string
	// starts of the operands in the text, by part with an operand.
	starts, ends []int
}

// numSamples is how often a form is filled.
const numSamples = 6

// learnMatcher learns the matcher of a target and writes it.
func learnMatcher(name, ask, out string, verbose bool) error {
	began := time.Now()
	t, ok := targets[name]
	if !ok {
		return fmt.Errorf("no views of it are listed")
	}
	r := &reader{t: t, syntax: syntaxes[name], rnd: rand.New(rand.NewPCG(5, 22)), preds: map[string]*predicate{}, lost: map[string]int{}, kinds: append([]string{""}, syntaxes[name].kinds...)}
	var err error
	if r.info, err = facts.Load(name); err != nil {
		return err
	}
	if r.tabs, err = facts.MachineCode(name); err != nil {
		return err
	}
	r.styles = len(r.tabs.Writer.Styles)
	w := *r.tabs.Writer
	r.tabs.Writer = &w
	if r.printer, err = table.NewPrinter(r.tabs.Writer, r.info, 0, table.PrintFuncs{}); err != nil {
		return err
	}
	for _, v := range t.views {
		v.features = expand(r.info, v.features)
		p, err := start(ask, v)
		if err != nil {
			return fmt.Errorf("%s: %w", v.triple, err)
		}
		defer p.close()
		r.views = append(r.views, p)
		b, err := start(ask, view{v.triple, "", "", -1})
		if err != nil {
			return err
		}
		defer b.close()
		r.bases = append(r.bases, b)
	}
	needs := r.learnNeeds
	if r.syntax.grid != nil {
		needs = func() error { return r.learnGrid(ask, r.syntax.grid()) }
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{{"forms", r.fillForms}, {"asking", r.askForms}, {"words", r.askWords}, {"spellings", r.learnSpellings}, {"needs", needs}, {"operands", r.learnOperands}, {"registers", r.learnRegs}} {
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		if verbose {
			fmt.Printf("%s: %s: %.1f s\n", name, step.name, time.Since(began).Seconds())
		}
	}
	if verbose {
		r.showPredicates()
		for _, f := range r.forms {
			if f.view < 0 {
				fmt.Printf("  lost %s %q\n", r.info.OpcodeName(f.op), f.samples[0].text)
			}
		}
		fmt.Printf("  words %q\n", r.words)
	}
	m := r.build()
	m.Styles = r.tabs.Writer.Styles[r.styles:]
	r.tabs.Writer.Styles = r.tabs.Writer.Styles[:r.styles]
	data := facts.AppendMatcher(nil, m, r.tabs.Writer)
	fmt.Printf("%s: %d forms of %d kept, %d predicates, %d names of registers, %d bytes, %.0f s\n", name, len(m.Forms), len(r.forms), len(m.Needs), len(m.RegNames), len(data), time.Since(began).Seconds())
	for _, k := range sortedKeys(r.lost) {
		fmt.Printf("  %5d %s\n", r.lost[k], k)
	}
	if out == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(out, "zz_match_"+t.file+".bin"), data, 0o666)
}

func (r *reader) showPredicates() {
	for _, k := range sortedKeys(r.preds) {
		p := r.preds[k]
		fmt.Printf("  %q:", p.text)
		for _, t := range p.terms {
			if t&desc.FeatureNot != 0 {
				fmt.Print(" not")
			}
			for i := range r.info.Features {
				if f := &r.info.Features[i]; desc.FeatureTerm(f.Bit) == t&^(desc.FeatureNot|desc.FeatureOr) {
					fmt.Print(" ", r.info.Str(f.Name))
				}
			}
			if t&desc.FeatureOr != 0 {
				fmt.Print(" or")
			}
		}
		fmt.Println()
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// fillForms makes the forms of the printer and fills them.
func (r *reader) fillForms() error {
	w := r.tabs.Writer
	for i := range w.Rows {
		if w.Rows[i] != 0 {
			r.addForm(desc.Opcode(i), w.Rows[i], nil)
		}
	}
	for i := range w.Aliases {
		a := &w.Aliases[i]
		r.addForm(a.Op, a.Parts, w.Conds[a.Conds:a.Conds+uint32(a.NumConds)])
	}
	return nil
}

func (r *reader) addForm(op desc.Opcode, row uint32, conds []desc.WriterCond) {
	w := r.tabs.Writer
	f := &form{op: op, row: row, names: w.Names, conds: conds, alias: len(conds) > 0, view: -1, views: make([]bool, len(r.views)), before: map[*form]bool{}}
	for k := row; ; k++ {
		f.parts = append(f.parts, w.Parts[k])
		if w.Parts[k].Last {
			break
		}
	}
	r.sampleForm(f)
	if len(f.samples) > 0 {
		r.forms = append(r.forms, f)
	}
}

// sampleForm fills a form at random.
func (r *reader) sampleForm(f *form) {
	f.key = table.FormKey(f.parts[0].Text.In(f.names))
	r.addSamples(f, numSamples)
}

// addSamples fills a form until it has n samples.
func (r *reader) addSamples(f *form, n int) {
	for try := 0; len(f.samples) < n && try < 20*n; try++ {
		in := r.fill(f.op)
		for _, c := range f.conds {
			if int(c.Op) >= len(in.Ops) {
				return
			}
			switch c.Kind {
			case desc.CondReg, desc.CondNoReg:
				in.Ops[c.Op] = mc.Reg(desc.PhysReg(c.Arg))
			case desc.CondImm:
				in.Ops[c.Op] = mc.Imm(c.Arg)
			}
		}
		for _, c := range f.conds {
			if c.Kind == desc.CondSame {
				in.Ops[c.Op] = in.Ops[c.Arg]
			}
		}
		if s, ok := r.write(f, in.Ops); ok {
			f.samples = append(f.samples, s)
		}
	}
}

// write gives the text of a form.
func (r *reader) write(f *form, ops []mc.Operand) (s filled, ok bool) {
	in := mc.Inst{Op: f.op, Ops: ops}
	var b []byte
	for k := range f.parts {
		p := f.parts[k]
		b = append(b, p.Text.In(f.names)...)
		if p.Op < 0 {
			break
		}
		from := len(b)
		one := []desc.WriterPart{{Op: p.Op, Style: p.Style, Last: true}}
		var err error
		if b, err = r.printer.AppendForm(b, one, f.names, &in); err != nil {
			return s, false
		}
		s.starts, s.ends = append(s.starts, from), append(s.ends, len(b))
	}
	s.ops, s.text = ops, string(b)
	return s, !strings.Contains(s.text, "\n")
}

// fill makes random operands of what the encoder's fields take.
func (r *reader) fill(op desc.Opcode) *mc.Inst {
	e := r.tabs.Encoder
	in := &mc.Inst{Op: op}
	var fields []desc.EncField
	if int(op) < len(e.Instrs) {
		row := &e.Instrs[op]
		fields = e.Fields[row.Fields : row.Fields+uint32(row.NumFields)]
	}
	for k, o := range r.info.Operands(op) {
		var f *desc.EncField
		for i := range fields {
			if int(fields[i].Op) == k {
				f = &fields[i]
			}
		}
		class := r.info.OperandClass(op, k, r.info.DefaultMode)
		switch {
		case o.TiedTo >= 0:
			in.Add(in.Ops[o.TiedTo])
		case o.Flags&desc.PredicateOperand != 0 && class != desc.NoClass:
			in.Add(mc.Reg(0)) // the flags of a condition that holds always
		case o.Flags&desc.PredicateOperand != 0 && r.syntax.always != 0:
			in.Add(mc.Imm(r.syntax.always)) // which Thumb wants outside of IT blocks
		case o.Flags&desc.OptionalDefOperand != 0 && r.syntax.always != 0:
			in.Add(mc.Reg(0))
		case f != nil && f.Xform != 0 && e.Xforms[f.Xform].Num > 0:
			x := &e.Xforms[f.Xform]
			key := e.Maps[x.First+r.rnd.Uint32N(x.Num)].Key
			if x.Kind == desc.XformReg {
				in.Add(mc.Reg(desc.PhysReg(key)))
			} else {
				in.Add(mc.Imm(key))
			}
		case class != desc.NoClass && int(class) < len(r.info.Classes):
			m := r.info.ClassMembers(class)
			in.Add(mc.Reg(m[r.rnd.IntN(len(m))]))
		case f != nil:
			in.Add(mc.Imm(r.imm(e, f)))
		default:
			in.Add(mc.Imm(0))
		}
	}
	return in
}

// imm is a random immediate of a field's format, small where it has none.
func (r *reader) imm(e *desc.EncoderTable, f *desc.EncField) int64 {
	fm := e.Formats[f.Format]
	x := e.Xforms[f.Xform]
	if x.Kind == desc.XformSign {
		v := int64(r.rnd.Uint64()) & x.Add
		if r.rnd.IntN(2) == 0 {
			v = -v
		}
		return v
	}
	if fm.Bits == 0 {
		return int64(r.rnd.IntN(8))
	}
	v := int64(r.rnd.Uint64())
	if fm.Bits < 64 {
		v &= 1<<fm.Bits - 1
		if fm.Signed {
			v = v << (64 - fm.Bits) >> (64 - fm.Bits)
		}
	}
	v <<= fm.Shift
	if x.Kind == desc.XformSub {
		return x.Add - v
	}
	return v - x.Add
}

func operandOf(o mc.Operand) operand {
	if o.IsReg() {
		return operand{kindReg, int64(o.Reg())}
	}
	return operand{kindImm, o.Imm()}
}

// askForms asks every view about every sample, a strict assembler first.
func (r *reader) askForms() error {
	if err := r.askAll(r.forms, r.syntax.strict != ""); err != nil {
		return err
	}
	var rest []*form
	for _, f := range r.forms {
		if f.view < 0 {
			if r.syntax.strict == "" {
				r.addSamples(f, 16*numSamples) // few of its fillings are taken
			}
			rest = append(rest, f)
		}
	}
	if err := r.askAll(rest, false); err != nil {
		return err
	}
	r.otherNames()
	for _, f := range r.forms {
		if f.view >= 0 {
			r.kept++
			continue
		}
		why := "texts that no view takes"
		if len(f.before) > 0 {
			why = "texts that are read as others'"
		}
		r.lost[why]++
	}
	if r.syntax.strict == "" {
		return nil
	}
	// What the strict assembler takes another may make shorter.
	short := map[*form]bool{}
	for _, f := range rest {
		short[f] = true
	}
	for _, f := range rest {
		for _, o := range r.forms {
			if o.key == f.key && !short[o] && f.view >= 0 {
				o.before[f] = true
			}
		}
	}
	return nil
}

// otherNames keeps forms whose mnemonic no opcode has that is read: what they are read as
// has it as another name.
func (r *reader) otherNames() {
	keys, texts := map[string]bool{}, map[string]bool{}
	for _, f := range r.forms {
		if f.view >= 0 {
			keys[f.key] = true
		}
	}
	for _, f := range r.forms {
		if f.view >= 0 || keys[f.key] || len(f.others) != 1 {
			continue
		}
		for op, at := range f.others {
			text := fmt.Sprint(op, f.row, f.conds)
			if texts[text] {
				continue
			}
			texts[text] = true
			f.op, f.view, f.sample, f.views[at.view] = op, at.view, at.sample, true
		}
	}
}

// prologueOf is the prologue for a form.
func (r *reader) prologueOf(strict bool) string {
	if strict {
		return r.syntax.strict
	}
	return r.syntax.prologue
}

// assemble asks about texts, each on its own.
func (r *reader) assemble(p *process, features, prologue string, texts []string) ([]assembled, error) {
	if r.syntax.between == "" {
		return p.assemble(features, prologue, texts)
	}
	more := make([]string, 0, 2*len(texts))
	for _, t := range texts {
		more = append(more, t, r.syntax.between)
	}
	as, err := p.assemble(features, prologue, more)
	if err != nil {
		return nil, err
	}
	for i := range texts {
		as[i] = as[2*i]
	}
	return as[:len(texts)], nil
}

func (r *reader) askAll(forms []*form, strict bool) error {
	type from struct{ f, s int }
	var texts []string
	var at []from
	for i, f := range forms {
		for k := range f.samples {
			texts, at = append(texts, f.samples[k].text), append(at, from{i, k})
		}
	}
	results := make([][]assembled, len(r.views))
	for v, p := range r.views {
		var err error
		if results[v], err = r.assemble(p, "", r.prologueOf(strict), texts); err != nil {
			return err
		}
	}
	// Operands that are left out.
	for v := range r.views {
		for k := range at {
			f := forms[at[k].f]
			n := len(f.samples[0].ops) - 1
			if i := results[v][k].one(); i != nil && i.op == f.op && len(i.ops) == n && n > 0 && !f.shown(n) {
				for j := range f.samples {
					f.samples[j].ops = f.samples[j].ops[:n]
				}
			}
		}
	}
	// Operands that are not written have the values that the assembler gives them.
	answers := map[*form][]*asmInst{}
	for v := range r.views {
		for k := range at {
			f := forms[at[k].f]
			if i := results[v][k].one(); i != nil && i.op == f.op && len(i.ops) == len(f.samples[at[k].s].ops) {
				answers[f] = append(answers[f], i)
			}
		}
	}
	for f, as := range answers {
		r.hidden(f, as)
	}
	byKey := map[string][]*form{}
	for _, f := range r.forms {
		byKey[f.key] = append(byKey[f.key], f)
	}
	for v := range r.views {
		for k := range at {
			f := forms[at[k].f]
			i := results[v][k].one()
			if i == nil {
				continue
			}
			if r.same(f, i, &f.samples[at[k].s]) {
				if f.views[v] = true; f.view < 0 {
					f.view, f.sample, f.strict = v, at[k].s, strict
				}
				continue
			}
			for _, o := range byKey[f.key] {
				if o != f && o.op == i.op {
					f.before[o] = true
				}
			}
			if r.sameAs(f, i.op, i, &f.samples[at[k].s]) && !strict {
				if f.others == nil {
					f.others = map[desc.Opcode]seen{}
				}
				if _, ok := f.others[i.op]; !ok {
					f.others[i.op] = seen{v, at[k].s}
				}
			}
		}
	}
	return nil
}

// shown reports whether a form writes operand k.
func (f *form) shown(k int) bool {
	return slices.ContainsFunc(f.parts, func(p desc.WriterPart) bool { return int(p.Op) == k })
}

// hidden finds what operands have that a form does not write.
func (r *reader) hidden(f *form, as []*asmInst) {
	descs := r.info.Operands(f.op)
	have := map[int]bool{}
	for _, c := range f.conds {
		have[int(c.Op)] = true
	}
	for k := range as[0].ops {
		if f.shown(k) || have[k] {
			continue
		}
		v := as[0].ops[k]
		same := true
		for _, a := range as {
			same = same && a.ops[k] == v
		}
		tied := k < len(descs) && descs[k].TiedTo >= 0
		switch {
		case tied:
		case same && v.kind == kindReg:
			f.conds = append(slices.Clip(f.conds), desc.WriterCond{Op: uint16(k), Kind: desc.CondReg, Arg: v.val})
		case same && v.kind == kindImm:
			f.conds = append(slices.Clip(f.conds), desc.WriterCond{Op: uint16(k), Kind: desc.CondImm, Arg: v.val})
		default:
			for j := range as[0].ops {
				if f.shown(j) && !slices.ContainsFunc(as, func(a *asmInst) bool { return a.ops[j] != a.ops[k] }) {
					f.conds = append(slices.Clip(f.conds), desc.WriterCond{Op: uint16(k), Kind: desc.CondSame, Arg: int64(j)})
					break
				}
			}
		}
	}
}

// place reports an operand that is written as a distance from here (".+8"): it is
// read as an expression.
func (r *reader) place(f *form, k int) bool {
	for _, p := range f.parts {
		if int(p.Op) == k && p.Style != 0 {
			w := r.tabs.Writer
			return w.Styles[p.Style-1].Kind == desc.StyleSign && strings.HasSuffix(p.Text.In(f.names), ".")
		}
	}
	return false
}

// relative reports an operand whose fixup counts from the instruction: the assembler
// makes an expression of a number.
func (r *reader) relative(f *form, k int) bool {
	e := r.tabs.Encoder
	if int(f.op) >= len(e.Instrs) {
		return false
	}
	row := &e.Instrs[f.op]
	for _, x := range e.Fields[row.Fields : row.Fields+uint32(row.NumFields)] {
		if int(x.Op) == k && x.Fixup != 0 && e.Fixups[x.Fixup-1].PCRel {
			return true
		}
	}
	return false
}

// same reports that an instruction is the form's with the sample's operands.
func (r *reader) same(f *form, i *asmInst, s *filled) bool { return r.sameAs(f, f.op, i, s) }

// sameAs is same for a form that would be of another opcode.
func (r *reader) sameAs(f *form, op desc.Opcode, i *asmInst, s *filled) bool {
	if i.op != op || len(i.ops) != len(s.ops) {
		return false
	}
	descs := r.info.Operands(op)
	for k := range i.ops {
		if f.shown(k) {
			if i.ops[k] != operandOf(s.ops[k]) && !(i.ops[k].kind == kindSym && (r.place(f, k) || r.relative(f, k))) {
				return false
			}
			continue
		}
		ok := k < len(descs) && descs[k].TiedTo >= 0 && i.ops[k] == i.ops[descs[k].TiedTo]
		for _, c := range f.conds {
			if int(c.Op) != k {
				continue
			}
			switch c.Kind {
			case desc.CondSame:
				ok = ok || i.ops[k] == i.ops[c.Arg]
			default:
				ok = ok || i.ops[k].val == c.Arg
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// askWords learns what the target says in common cases.
func (r *reader) askWords() error {
	count := func(texts []string) string {
		as, err := r.assemble(r.views[0], "", r.syntax.prologue, texts)
		if err != nil {
			return ""
		}
		n := map[string]int{}
		for i := range as {
			if as[i].failed {
				m, _, _ := strings.Cut(as[i].msg, ", did you mean")
				n[m]++
			}
		}
		best := ""
		for _, k := range sortedKeys(n) {
			if n[k] > n[best] {
				best = k
			}
		}
		return best
	}
	r.words[desc.WordUnknown] = count([]string{"qqzzqq", "qqzzqqw\t1", "zzqqvv\t1, 2"})
	var few, more []string
	for _, f := range r.forms {
		if f.view == 0 && len(f.samples[f.sample].starts) > 1 {
			s := f.samples[f.sample]
			if i := strings.LastIndexByte(s.text, ','); i > 0 {
				few = append(few, s.text[:i])
			}
			more = append(more, s.text+", qqzz, qqzz")
		}
	}
	r.words[desc.WordFew] = count(few)
	r.words[desc.WordInvalid] = count(more)
	return nil
}

// build makes the table.
func (r *reader) build() *desc.MatcherTable {
	m := &desc.MatcherTable{}
	b := &builder{names: map[string]desc.Name{"": 0}, lists: map[string]uint32{}}
	for _, k := range r.kinds {
		m.Kinds = append(m.Kinds, b.name(k))
	}
	for _, w := range r.words {
		m.Words = append(m.Words, b.name(w))
	}
	for _, n := range sortedKeys(r.regs) {
		for _, reg := range r.regs[n] {
			m.RegNames = append(m.RegNames, desc.MatchReg{Name: b.name(n), Reg: reg})
		}
	}
	need := map[string]uint16{}
	for _, f := range r.ordered() {
		row := desc.MatchForm{Op: f.op, Parts: f.row, NumOps: uint8(len(f.samples[0].ops)), NumConds: uint8(len(f.conds)), Conds: once(b, &m.Conds, "c", f.conds)}
		if f.row == 0 {
			var ps []desc.WriterPart
			for _, p := range f.parts {
				p.Text = b.name(p.Text.In(f.names))
				ps = append(ps, p)
			}
			row.Parts = once(b, &m.Parts, "p", ps) | desc.OwnParts
		}
		var ops []desc.MatchOp
		for _, o := range f.ops {
			ops = append(ops, desc.MatchOp{Diag: b.name(o.diag), Syms: o.syms})
		}
		row.Ops = once(b, &m.FormOps, "o", ops)
		var refs []uint16
		for _, k := range f.needs {
			p := r.preds[k]
			if _, ok := need[k]; !ok {
				need[k] = uint16(len(m.Needs))
				m.Needs = append(m.Needs, desc.MatchNeed{Text: b.name(p.text), Features: desc.FeatureCond{First: uint16(once(b, &m.Terms, "t", p.terms)), Num: uint16(len(p.terms))}})
			}
			refs = append(refs, need[k])
		}
		row.Needs, row.NumNeeds = once(b, &m.NeedRefs, "n", refs), uint8(len(refs))
		m.Forms = append(m.Forms, row)
	}
	m.Names = b.blob.String()
	return m
}

// ordered gives the forms that are kept: by what they begin with, and of those the
// ones that LLVM prefers first.
func (r *reader) ordered() (out []*form) {
	byKey := map[string][]*form{}
	for i, f := range r.forms {
		if f.order = i; f.view >= 0 {
			byKey[f.key] = append(byKey[f.key], f)
		}
	}
	for _, key := range sortedKeys(byKey) {
		fs := byKey[key]
		state := map[*form]int{}
		var visit func(f *form)
		visit = func(f *form) {
			if state[f] != 0 {
				return
			}
			state[f] = 1
			for _, o := range fs {
				// Which of two that take each other's texts is meant depends on features.
				if f.before[o] && (!o.before[f] || len(o.needs) > len(f.needs)) {
					visit(o)
				}
			}
			state[f] = 2
			out = append(out, f)
		}
		for _, f := range fs {
			visit(f)
		}
	}
	return out
}
