package mcgen

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// matcherGen makes the assembly matcher's table.
type matcherGen struct {
	*Source
	t        *desc.MatcherTable
	formats  formats
	terms    terms
	classes  map[classKey]uint16
	parsers  numbered
	preds    numbered
	renders  numbered
	defaults numbered
	convs    numbered
}

// classKey tells operand classes apart.
type classKey struct {
	asm      *tablegen.Record
	reg      desc.ClassID
	format   desc.ImmFormat
	kind     desc.MatchClassKind
	symbols  bool
	optional bool
}

// form is one text with what it means, on its way into the table.
type form struct {
	rec      *tablegen.Record
	in       *inst
	mnemonic string
	items    []desc.MatchItem
	byName   map[string]int // item of an operand
	steps    []desc.MatchStep
	features []desc.FeatureTerm
	convert  string
	order    int
}

// Matcher makes the table of the assembly matcher.
func (s *Source) Matcher() (*desc.MatcherTable, error) {
	s.begin()
	if !s.hasRegisters() {
		return nil, s.take()
	}
	g := &matcherGen{Source: s, t: &desc.MatcherTable{}, classes: map[classKey]uint16{}}
	g.formats.number(desc.ImmFormat{})
	g.registers()
	for v := range g.variants() {
		g.variant(v)
	}
	g.mnemonicAliases()
	for _, r := range g.rs.DerivedFrom("TokenAlias") {
		g.t.Tokens = append(g.t.Tokens, desc.MatchTokenAlias{From: g.text(strings.ToLower(r.String("FromToken"))), To: g.text(strings.ToLower(r.String("ToToken")))})
	}
	for k := range g.info.Features {
		f := &g.info.Features[k]
		for len(g.t.FeatureNames) <= int(f.Bit) {
			g.t.FeatureNames = append(g.t.FeatureNames, 0)
		}
		g.t.FeatureNames[f.Bit] = g.text(g.info.Str(f.Name))
	}
	g.t.Formats, g.t.Terms = g.formats.list, g.terms.list
	g.t.Parsers, g.t.Preds, g.t.Renders = g.parsers.names, g.preds.names, g.renders.names
	g.t.Defaults, g.t.Converters = g.defaults.names, g.convs.names
	g.t.Names = s.names.String()
	return g.t, s.take()
}

// registers lists the names of registers.
func (g *matcherGen) registers() {
	add := func(name string, r desc.PhysReg) {
		if name != "" {
			g.t.RegNames = append(g.t.RegNames, desc.MatchReg{Name: g.text(name), Reg: r})
		}
	}
	for _, r := range g.rs.DerivedFrom("Register") {
		p, ok := g.register(r)
		if !ok || p == 0 {
			continue
		}
		add(r.String("AsmName"), p)
		for _, x := range r.List("AltNames") {
			if s, ok := x.(*tablegen.StringInit); ok {
				add(s.S, p)
			}
		}
	}
	blob := g.names.String()
	sort.SliceStable(g.t.RegNames, func(i, j int) bool { return g.t.RegNames[i].Name.In(blob) < g.t.RegNames[j].Name.In(blob) })
}

// variant adds the forms of one syntax variant.
func (g *matcherGen) variant(v int) {
	row := desc.MatchVariant{Number: uint16(v), Entry: uint32(len(g.t.Entries))}
	name := ""
	if t := g.target(); t != nil {
		for _, p := range t.DefList("AssemblyParserVariants") {
			if int(p.Int("Variant")) == v {
				name = p.String("Name")
				row.Comment, row.RegPrefix = g.text(p.String("CommentDelimiter")), g.text(p.String("RegisterPrefix"))
			}
		}
	}
	row.Name = g.text(name)
	var forms []*form
	for _, in := range g.insts {
		if in.Rec.Bit("isCodeGenOnly") || in.Rec.String("Namespace") == "TargetOpcode" {
			continue
		}
		if n := in.Rec.String("AsmVariantName"); n != "" && n != name {
			continue
		}
		forms = append(forms, g.instForms(in, v)...)
	}
	for _, r := range g.rs.DerivedFrom("InstAlias") {
		if n := r.String("AsmVariantName"); n != "" && n != name {
			continue
		}
		if a, ok := g.instAlias(r); ok {
			if f := g.aliasForm(a, v); f != nil {
				forms = append(forms, f)
			}
		}
	}
	for k, f := range forms {
		f.order = k
	}
	sort.SliceStable(forms, func(i, j int) bool { return g.less(forms[i], forms[j]) })
	for k, f := range forms {
		if k > 0 && f.same(forms[k-1]) {
			g.warnf(f.rec.Loc, "'%s' has the same assembly as '%s', which is matched instead", f.rec.Name, forms[k-1].rec.Name)
		}
		e := desc.MatchEntry{Mnemonic: g.text(f.mnemonic), Items: uint32(len(g.t.Items)), Steps: uint32(len(g.t.Steps)),
			NumItems: uint8(len(f.items)), NumSteps: uint8(len(f.steps)), Op: f.in.op, Features: g.terms.add(f.features)}
		e.Convert = g.number(&g.convs, f.convert)
		g.t.Items = append(g.t.Items, f.items...)
		g.t.Steps = append(g.t.Steps, f.steps...)
		g.t.Entries = append(g.t.Entries, e)
	}
	row.Num = uint32(len(g.t.Entries)) - row.Entry
	g.t.Variants = append(g.t.Variants, row)
}

// same reports two forms that admit the same text under the same conditions.
func (f *form) same(o *form) bool {
	return f.mnemonic == o.mnemonic && slices.Equal(f.items, o.items) && slices.Equal(f.features, o.features)
}

// instForms makes the forms of an instruction: its own text, and that without
// the operand of TwoOperandAliasConstraint.
func (g *matcherGen) instForms(in *inst, v int) []*form {
	r := in.Rec
	asm := r.String("AsmString")
	if asm == "" && r.Bit("isPseudo") {
		return nil
	}
	if asm == "" {
		g.errorf(r.Loc, "instruction with empty asm string")
		return nil
	}
	if strings.Contains(asm, "\n") {
		g.errorf(r.Loc, "multiline instruction is not valid for the asmparser, mark it isCodeGenOnly")
		return nil
	}
	refs := func(name string) (operandRef, bool) { return g.refOf(in, name) }
	f := g.form(r, in, asm, v, "", refs)
	if f == nil {
		return nil
	}
	f.convert = r.String("AsmMatchConverter")
	f.features = g.features(r.Loc, r.DefList("Predicates"))
	if f.convert == "" && !g.instSteps(f) {
		return nil
	}
	out := []*form{f}
	if c := r.String("TwoOperandAliasConstraint"); c != "" {
		l, rr, _ := strings.Cut(c, "=")
		keep, drop := strings.TrimPrefix(strings.TrimSpace(l), "$"), strings.TrimPrefix(strings.TrimSpace(rr), "$")
		_, ok1 := f.byName[keep]
		_, ok2 := f.byName[drop]
		if !ok1 || !ok2 {
			g.errorf(r.Loc, "TwoOperandAliasConstraint '%s' names an operand that is not in the asm string", c)
			return out
		}
		if two := g.form(r, in, asm, v, drop, refs); two != nil {
			two.byName[drop] = two.byName[keep]
			two.convert, two.features = f.convert, f.features
			if two.convert != "" || g.instSteps(two) {
				out = append(out, two)
			}
		}
	}
	return out
}

// form reads an assembly string. drop is an operand that is left out with the
// comma before it.
func (g *matcherGen) form(r *tablegen.Record, in *inst, asm string, variant int, drop string, find func(name string) (operandRef, bool)) *form {
	flat, err := flatten(asm, variant)
	if err != nil {
		g.errorf(r.Loc, "%s", err)
		return nil
	}
	ps, err := pieces(flat)
	if err != nil {
		g.errorf(r.Loc, "%s", err)
		return nil
	}
	f := &form{rec: r, in: in, byName: map[string]int{}}
	glued := false // nothing stands between the item before and the next one
	first := true
	for n, p := range ps {
		if p.operand == "" {
			rest := p.text
			if first {
				rest = strings.TrimLeft(rest, " \t")
				k := 0
				for k < len(rest) && isWordByte(rest[k]) {
					k++
				}
				first = false
				if k > 0 && (k < len(rest) || n == len(ps)-1) {
					f.mnemonic, rest = strings.ToLower(rest[:k]), rest[k:]
				}
			}
			glued = g.tokens(f, rest, glued)
			continue
		}
		first = false
		if p.modifier != "" {
			g.errorf(r.Loc, "matcher does not support asm operand modifier ':%s', mark the instruction isCodeGenOnly or give it another text", p.modifier)
			return nil
		}
		if p.operand == drop {
			if k := len(f.items) - 1; k >= 0 && f.items[k].Kind == desc.MatchToken && f.items[k].Text == g.text(",") {
				f.items = f.items[:k]
			}
			continue
		}
		ref, ok := find(p.operand)
		if !ok {
			g.errorf(r.Loc, "unable to find operand: '%s'", p.operand)
			return nil
		}
		it := desc.MatchItem{Kind: desc.MatchOperand, Glued: glued}
		if k, dup := f.byName[p.operand]; dup {
			it.Kind, it.Arg = desc.MatchSame, uint16(k)
		} else if k, tied := f.tiedItem(ref.op); tied {
			it.Kind, it.Arg = desc.MatchSame, uint16(k)
			f.byName[p.operand] = k
		} else {
			f.byName[p.operand] = len(f.items)
			it.Arg = g.class(ref)
		}
		f.items = append(f.items, it)
		glued = true
	}
	return f
}

// tiedItem finds the item of the operand that operand op must equal.
func (f *form) tiedItem(op int) (item int, ok bool) {
	in := f.in
	for k := range in.Ops {
		if in.Ops[k].TiedTo == op || in.Ops[op].TiedTo == k {
			if item, ok = f.byName[in.Groups[in.Ops[k].Group].Name]; ok {
				return item, true
			}
		}
	}
	return 0, false
}

func isWordByte(c byte) bool { return isNameByte(c) || c == '.' }

// tokens adds the words and signs of a text; it returns whether what follows
// stands right behind the last one.
func (g *matcherGen) tokens(f *form, text string, glued bool) bool {
	for i := 0; i < len(text); {
		if text[i] == ' ' || text[i] == '\t' {
			glued = false
			i++
			continue
		}
		j := i + 1
		if isWordByte(text[i]) {
			for j < len(text) && isWordByte(text[j]) {
				j++
			}
		}
		f.items = append(f.items, desc.MatchItem{Kind: desc.MatchToken, Text: g.text(strings.ToLower(text[i:j])), Glued: glued})
		glued = true
		i = j
	}
	return glued
}

// instSteps makes the MC operands of an instruction from the items of its form.
func (g *matcherGen) instSteps(f *form) bool {
	in := f.in
	for gi := range in.Groups {
		gr := &in.Groups[gi]
		if k, ok := f.byName[gr.Name]; ok && gr.Name != "" {
			f.steps = append(f.steps, desc.MatchStep{Kind: desc.StepItem, Arg: uint16(k)})
			continue
		}
		for k := gr.First; k < gr.First+gr.Num; k++ {
			s, ok := g.instStep(f, k)
			if !ok {
				return false
			}
			f.steps = append(f.steps, s...)
		}
	}
	return true
}

// instStep makes an MC operand that the text does not name by its declared name.
func (g *matcherGen) instStep(f *form, k int) ([]desc.MatchStep, bool) {
	in := f.in
	o := &in.Ops[k]
	if n, ok := f.byName[o.Name]; ok && o.Name != "" {
		return []desc.MatchStep{{Kind: desc.StepItem, Arg: uint16(n)}}, true
	}
	if o.TiedTo >= 0 {
		return []desc.MatchStep{{Kind: desc.StepCopy, Arg: uint16(o.TiedTo)}}, true
	}
	for j := range in.Ops { // the text names the operand that is tied to this one
		if in.Ops[j].TiedTo == k {
			if n, ok := f.byName[in.Groups[in.Ops[j].Group].Name]; ok {
				return []desc.MatchStep{{Kind: desc.StepItem, Arg: uint16(n)}}, true
			}
		}
	}
	gr := &in.Groups[o.Group]
	if d := gr.Def.Dag("DefaultOps"); d != nil && k-gr.First < len(d.Args) {
		x := d.Args[k-gr.First]
		if v, ok := tablegen.IntValue(x); ok {
			return []desc.MatchStep{{Kind: desc.StepImm, Value: v}}, true
		}
		if r, ok := x.(*tablegen.DefInit); ok {
			if p, ok := g.register(r.Rec); ok {
				return []desc.MatchStep{{Kind: desc.StepReg, Value: int64(p)}}, true
			}
		}
	}
	g.warnf(f.rec.Loc, "instruction '%s' has operand '%s' that doesn't appear in asm string; it cannot be assembled", in.Rec.Name, gr.Name)
	return nil, false
}

// aliasForm makes the form of an InstAlias.
func (g *matcherGen) aliasForm(a *alias, v int) *form {
	f := g.form(a.rec, a.in, a.rec.String("AsmString"), v, "", a.ref)
	if f == nil {
		return nil
	}
	f.features = g.features(a.rec.Loc, a.rec.DefList("Predicates"))
	if a.rec.Bit("UseInstAsmMatchConverter") {
		if f.convert = a.in.Rec.String("AsmMatchConverter"); f.convert != "" {
			return f
		}
	}
	for k := range a.ops {
		x := &a.ops[k]
		switch x.kind {
		case aliasReg:
			f.steps = append(f.steps, desc.MatchStep{Kind: desc.StepReg, Value: int64(x.reg)})
		case aliasImm:
			f.steps = append(f.steps, desc.MatchStep{Kind: desc.StepImm, Value: x.imm})
		case aliasTied:
			f.steps = append(f.steps, desc.MatchStep{Kind: desc.StepCopy, Arg: uint16(a.in.Ops[k].TiedTo)})
		case aliasOperand:
			n, ok := f.byName[x.name]
			if !ok {
				g.errorf(a.rec.Loc, "instruction '%s' has operand '%s' that doesn't appear in asm string!", a.in.Rec.Name, x.name)
				return nil
			}
			f.steps = append(f.steps, desc.MatchStep{Kind: desc.StepItem, Arg: uint16(n)})
		}
	}
	return f
}

// class numbers the class of an operand.
func (g *matcherGen) class(ref operandRef) uint16 {
	def := ref.def
	key := classKey{reg: desc.NoClass, kind: desc.ClassImm}
	c, isReg := g.regClass(def)
	key.asm = def.DefField("ParserMatchClass")
	if isReg {
		key.kind, key.reg = desc.ClassReg, c
	} else {
		key.format = immFormat(def)
		key.symbols = key.format == (desc.ImmFormat{}) || def.DefField("ImmFixup") != nil || def.String("EncoderMethod") != ""
		if d := def.Dag("MIOperandInfo"); d != nil && len(d.Args) > 1 {
			key.kind = desc.ClassFunc
		} else if d != nil && len(d.Args) == 1 {
			if part, ok := d.Args[0].(*tablegen.DefInit); ok {
				if c, isReg := g.regClass(part.Rec); isReg {
					key.kind, key.reg = desc.ClassReg, c
				}
			}
		}
	}
	m := desc.MatchClass{Kind: key.kind, RegClass: key.reg, Symbols: key.symbols}
	name := def.Name
	if a := key.asm; a != nil {
		name = a.String("Name")
		key.optional = a.Bit("IsOptional")
	}
	if n, ok := g.classes[key]; ok {
		return n
	}
	if a := key.asm; a != nil {
		m.Optional = key.optional
		text := a.String("DiagnosticString")
		m.Diag, m.DiagType = g.text(text), g.text(a.String("DiagnosticType"))
		m.Parser = g.number(&g.parsers, a.String("ParserMethod"))
		if p, ok := a.StringOK("PredicateMethod"); ok {
			m.Pred = g.number(&g.preds, p)
		}
		if p, ok := a.StringOK("RenderMethod"); ok && p != "addRegOperands" && p != "addImmOperands" {
			m.Render = g.number(&g.renders, p)
		}
		if p, ok := a.StringOK("DefaultMethod"); ok {
			m.Default = g.number(&g.defaults, p)
		}
	}
	if m.Kind == desc.ClassFunc && m.Parser == 0 {
		m.Parser = g.number(&g.parsers, "parse"+name)
	}
	m.Name, m.Format = g.text(name), g.formats.number(key.format)
	n := uint16(len(g.t.Classes))
	g.t.Classes = append(g.t.Classes, m)
	g.classes[key] = n
	return n
}

// rank orders what may stand at one place: what admits less comes first.
func (g *matcherGen) rank(it *desc.MatchItem) (kind, size int) {
	switch it.Kind {
	case desc.MatchToken:
		return 0, 0
	case desc.MatchRegister, desc.MatchSame:
		return 1, 0
	}
	c := &g.t.Classes[it.Arg]
	switch c.Kind {
	case desc.ClassReg:
		if c.RegClass == desc.NoClass {
			return 2, 1 << 20
		}
		return 2, int(g.info.Classes[c.RegClass].NumMembers)
	case desc.ClassFunc:
		return 3, 0
	}
	f := g.formats.list[c.Format]
	if f.Bits == 0 {
		size = 1 << 20
		if c.Pred != 0 {
			size = 1 << 19
		}
		return 4, size
	}
	return 4, int(f.Bits)*64 + int(f.Shift)
}

// less orders forms: by mnemonic, then those that admit less first, then those
// that ask for more features.
func (g *matcherGen) less(a, b *form) bool {
	if a.mnemonic != b.mnemonic {
		return a.mnemonic < b.mnemonic
	}
	for k := 0; k < len(a.items) && k < len(b.items); k++ {
		ka, sa := g.rank(&a.items[k])
		kb, sb := g.rank(&b.items[k])
		if ka != kb {
			return ka < kb
		}
		if sa != sb {
			return sa < sb
		}
	}
	if len(a.items) != len(b.items) {
		return len(a.items) < len(b.items)
	}
	return len(a.features) > len(b.features)
}

// mnemonicAliases adds the MnemonicAlias records.
func (g *matcherGen) mnemonicAliases() {
	for _, r := range g.rs.DerivedFrom("MnemonicAlias") {
		a := desc.MatchAlias{From: g.text(strings.ToLower(r.String("FromMnemonic"))), To: g.text(strings.ToLower(r.String("ToMnemonic"))), Variant: -1}
		if n := r.String("AsmVariantName"); n != "" {
			for v := range g.variants() {
				if g.variantName(v) == n {
					a.Variant = int16(v)
				}
			}
			if a.Variant < 0 {
				g.errorf(r.Loc, "no assembler variant is called '%s'", n)
				continue
			}
		}
		a.Features = g.terms.add(g.features(r.Loc, r.DefList("Predicates")))
		g.t.Aliases = append(g.t.Aliases, a)
	}
	blob := g.names.String()
	sort.SliceStable(g.t.Aliases, func(i, j int) bool {
		x, y := &g.t.Aliases[i], &g.t.Aliases[j]
		if a, b := x.From.In(blob), y.From.In(blob); a != b {
			return a < b
		}
		return x.Features.Num > y.Features.Num
	})
	for k := 1; k < len(g.t.Aliases); k++ {
		x, y := &g.t.Aliases[k-1], &g.t.Aliases[k]
		if x.From == y.From && x.Features == y.Features && x.Variant == y.Variant && x.To != y.To {
			g.errs = append(g.errs, g.rs.ErrorAt(g.aliasLoc(y.From.In(blob)), fmt.Sprintf("mnemonic alias '%s' stands for '%s' and for '%s' under the same conditions", x.From.In(blob), x.To.In(blob), y.To.In(blob))))
		}
	}
}

func (g *matcherGen) aliasLoc(from string) (l tablegen.Loc) {
	for _, r := range g.rs.DerivedFrom("MnemonicAlias") {
		if strings.EqualFold(r.String("FromMnemonic"), from) {
			l = r.Loc
		}
	}
	return l
}
