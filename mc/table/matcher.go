package table

import (
	"fmt"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/support/editdistance"
)

// AsmOperand is an operand as it was read.
type AsmOperand struct {
	// Op is the register, immediate or expression.
	Op mc.Operand
	// More are further parts, for RenderMethods of the target.
	More []mc.Operand
	// Start and End delimit it in the text.
	Start, End int
	// Absent says that an optional operand was not there.
	Absent bool
}

// RenderFunc adds the MC operands of what was read (nil for a default).
type RenderFunc func(p *Parsing, o *AsmOperand)

// MatchFuncs are the functions that a MatcherTable names.
type MatchFuncs struct {
	// Parsers are ParserMethods. They read at p.Pos and move it; false leaves
	// the operand to be refused (p.Why may say why).
	Parsers map[string]func(p *Parsing, o *AsmOperand) bool
	// Preds are PredicateMethods.
	Preds map[string]func(p *Parsing, o *AsmOperand) bool
	// Renders are RenderMethods; addRegOperands, addImmOperands and addOperands
	// have a meaning without being there.
	Renders map[string]RenderFunc
	// Defaults are DefaultMethods.
	Defaults map[string]func(p *Parsing, o *AsmOperand)
	// Converters are AsmMatchConverters: they make all operands of p.Inst.
	Converters map[string]func(p *Parsing, items []AsmOperand)
}

// Matcher turns text into instructions.
type Matcher struct {
	t          *desc.MatcherTable
	info       *desc.Info
	regs       map[string]desc.PhysReg
	tokens     map[string][]string // other texts of a token
	parsers    []func(p *Parsing, o *AsmOperand) bool
	preds      []func(p *Parsing, o *AsmOperand) bool
	renders    []RenderFunc
	defaults   []func(p *Parsing, o *AsmOperand)
	converters []func(p *Parsing, items []AsmOperand)
}

// NewMatcher binds a table.
func NewMatcher(t *desc.MatcherTable, info *desc.Info, f MatchFuncs) (*Matcher, error) {
	m := &Matcher{t: t, info: info, regs: map[string]desc.PhysReg{}}
	for _, r := range t.RegNames {
		n := strings.ToLower(r.Name.In(t.Names))
		if _, dup := m.regs[n]; !dup {
			m.regs[n] = r.Reg
		}
	}
	for _, a := range t.Tokens {
		if m.tokens == nil {
			m.tokens = map[string][]string{}
		}
		to := a.To.In(t.Names)
		m.tokens[to] = append(m.tokens[to], a.From.In(t.Names))
	}
	render := func(p *Parsing, o *AsmOperand) { p.Inst.Add(o.Op) }
	renders := map[string]RenderFunc{"addRegOperands": render, "addImmOperands": render, "addOperands": render, "addExpr": render}
	for n, r := range f.Renders {
		renders[n] = r
	}
	var err error
	if m.parsers, err = bind(t.Names, t.Parsers, "ParserMethod", f.Parsers); err != nil {
		return nil, err
	}
	if m.preds, err = bind(t.Names, t.Preds, "PredicateMethod", f.Preds); err != nil {
		return nil, err
	}
	if m.renders, err = bind(t.Names, t.Renders, "RenderMethod", renders); err != nil {
		return nil, err
	}
	if m.defaults, err = bind(t.Names, t.Defaults, "DefaultMethod", f.Defaults); err != nil {
		return nil, err
	}
	if m.converters, err = bind(t.Names, t.Converters, "AsmMatchConverter", f.Converters); err != nil {
		return nil, err
	}
	return m, nil
}

// Miss is one reason why a text is no instruction.
type Miss struct {
	Off int // in the text
	Msg string
	// Type is the DiagnosticType of the operand class that was expected.
	Type string
}

// MatchError says why a text is no instruction, and for which reasons others
// were refused when there are several that are equally near.
type MatchError struct {
	Miss
	Near []Miss
}

// Error gives the message.
func (e *MatchError) Error() string {
	s := e.Msg
	for _, n := range e.Near {
		s += "\n\t" + n.Msg
	}
	return s
}

// candidate is what the attempt with one entry came to.
type candidate struct {
	off   int
	items int // items that were found
	msg   string
	typ   string
}

// Match reads one instruction: all of text, without a label or comment. variant
// is the number of the syntax variant.
func (m *Matcher) Match(ctx *mc.Context, st *mc.Subtarget, variant int, text string, in *mc.Inst) error {
	return m.match(&Parsing{Matcher: m, Text: text, Ctx: ctx, ST: st, Inst: in}, variant)
}

func (m *Matcher) match(p *Parsing, variant int) error {
	v := m.variant(variant)
	if v == nil {
		return fmt.Errorf("mc/table: the target has no assembler variant %d", variant)
	}
	st, in := p.ST, p.Inst
	p.prefix = v.RegPrefix.In(m.t.Names)
	p.skipSpace()
	start := p.Pos
	word := p.mnemonic()
	after := p.Pos
	key := m.unalias(strings.ToLower(word), variant, st)
	entries := m.t.Entries[v.Entry : v.Entry+v.Num]
	var misses []candidate
	found := false
	for k := m.find(entries, key); k < len(entries) && entries[k].Mnemonic.In(m.t.Names) == key; k++ {
		found = true
		c, ok := p.attempt(&entries[k], after)
		if ok {
			return nil
		}
		misses = append(misses, c)
	}
	for k := 0; k < len(entries) && entries[k].Mnemonic == 0; k++ { // forms that begin with an operand
		c, ok := p.attempt(&entries[k], start)
		if ok {
			return nil
		}
		if c.items > 0 {
			misses = append(misses, c)
		}
	}
	in.Reset(0)
	if !found && len(misses) == 0 {
		msg := "invalid instruction mnemonic '" + word + "'"
		if word == "" {
			msg = "expected an instruction mnemonic"
		} else if s := m.similar(entries, key); s != "" {
			msg += ", did you mean: " + s + "?"
		}
		return &MatchError{Miss: Miss{Off: start, Msg: msg}}
	}
	return nearest(misses)
}

// nearest makes the error of the attempts that came farthest.
func nearest(misses []candidate) error {
	best := misses[0]
	for _, c := range misses {
		if c.off > best.off || c.off == best.off && c.items > best.items {
			best = c
		}
	}
	var near []Miss
	seen := map[string]bool{}
	for _, c := range misses {
		if c.off == best.off && !seen[c.msg] {
			seen[c.msg] = true
			near = append(near, Miss{c.off, c.msg, c.typ})
		}
	}
	if len(near) == 1 {
		return &MatchError{Miss: near[0]}
	}
	return &MatchError{Miss: Miss{Off: best.off, Msg: "invalid instruction, any one of the following would fix this:"}, Near: near}
}

func (m *Matcher) variant(n int) *desc.MatchVariant {
	for k := range m.t.Variants {
		if int(m.t.Variants[k].Number) == n {
			return &m.t.Variants[k]
		}
	}
	return nil
}

// find gives the first entry of a mnemonic.
func (m *Matcher) find(entries []desc.MatchEntry, key string) int {
	return sort.Search(len(entries), func(i int) bool { return entries[i].Mnemonic.In(m.t.Names) >= key })
}

// unalias applies the mnemonic aliases.
func (m *Matcher) unalias(key string, variant int, st *mc.Subtarget) string {
	as := m.t.Aliases
	k := sort.Search(len(as), func(i int) bool { return as[i].From.In(m.t.Names) >= key })
	for ; k < len(as) && as[k].From.In(m.t.Names) == key; k++ {
		if (as[k].Variant < 0 || int(as[k].Variant) == variant) && m.has(as[k].Features, st) {
			return as[k].To.In(m.t.Names)
		}
	}
	return key
}

func (m *Matcher) has(c desc.FeatureCond, st *mc.Subtarget) bool {
	return c.Num == 0 || st != nil && holds(m.t.Terms, c, st.Has)
}

// similar lists mnemonics that differ from a word by one letter (or two, in
// long words).
func (m *Matcher) similar(entries []desc.MatchEntry, key string) string {
	limit := 1 + len(key)/6
	out := ""
	last := ""
	n := 0
	for k := range entries {
		s := entries[k].Mnemonic.In(m.t.Names)
		if s == last || s == "" {
			continue
		}
		if last = s; n < 8 && near(s, key, limit) {
			if n++; n > 1 {
				out += ", "
			}
			out += s
		}
	}
	return out
}

// near reports whether two words differ in limit letters at most that are more or
// less; LLVM's matchers replace none.
func near(a, b string, limit int) bool {
	d := len(a) - len(b)
	return -limit <= d && d <= limit && len(b) <= 60 && editdistance.Indel(a, b) <= limit
}

// featureNames lists the features that a condition asks for and a subtarget lacks.
func (m *Matcher) featureNames(c desc.FeatureCond) string {
	s := ""
	for k, t := range m.t.Terms[c.First : c.First+c.Num] {
		if k > 0 {
			s += " "
			if m.t.Terms[int(c.First)+k-1]&desc.FeatureOr != 0 {
				s += "or "
			}
		}
		if t&desc.FeatureNot != 0 {
			s += "not "
		}
		if bit := int(t &^ (desc.FeatureNot | desc.FeatureOr)); bit < len(m.t.FeatureNames) {
			s += m.t.FeatureNames[bit].In(m.t.Names)
		}
	}
	return s
}
