package mctargetdesc

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
)

// state is what the parser knows of a text.
type state struct {
	pic    bool // la goes through the global offset table
	pushed []pushed
	attrs  []attribute // of objects
}

// pushed is what .option push keeps.
type pushed struct {
	st  *mc.Subtarget
	pic bool
}

func stateOf(a mc.AsmParser) *state {
	s := a.State()
	if *s == nil {
		*s = &state{}
	}
	return (*s).(*state)
}

// line reads the rest of a directive.
type line struct {
	a    mc.AsmParser
	text string
	pos  int
}

func (l *line) blanks() {
	for l.pos < len(l.text) && (l.text[l.pos] == ' ' || l.text[l.pos] == '\t') {
		l.pos++
	}
}

func (l *line) atEnd() bool { l.blanks(); return l.pos >= len(l.text) }

func (l *line) is(c byte) bool { return !l.atEnd() && l.text[l.pos] == c }

// word reads an identifier, "" where there is none.
func (l *line) word() string {
	l.blanks()
	from := l.pos
	for l.pos < len(l.text) && (isIdent(l.text[l.pos]) || l.pos > from && l.text[l.pos] >= '0' && l.text[l.pos] <= '9') {
		l.pos++
	}
	return l.text[from:l.pos]
}

func isIdent(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '.' || c == '$'
}

func (l *line) errorAt(at int, msg string) error {
	return &mc.ParseError{Start: at, End: at, Msg: msg}
}

// here is an error about what comes next.
func (l *line) here(msg string) error {
	l.blanks()
	return l.errorAt(l.pos, msg)
}

// end wants the end of the statement.
func (l *line) end() error {
	if !l.atEnd() {
		return l.here("expected newline")
	}
	return nil
}

// write writes the directive to text.
func (l *line) write(text string) {
	if out := l.a.Streamer(); out.IsText() {
		out.Raw("\t" + text)
	}
}

// ParseDirective reads the directives of RISC-V.
func (p *parser) ParseDirective(a mc.AsmParser, name, text string, pos int) (bool, error) {
	l := &line{a: a, text: text, pos: pos}
	switch name {
	case ".option":
		return true, p.option(l)
	case ".attribute":
		return true, p.attribute(l)
	case ".insn":
		return true, p.insn(l)
	case ".variant_cc":
		return true, p.variantCC(l)
	}
	return false, nil
}

// toggle turns a feature on or off.
func toggle(a mc.AsmParser, name string, on bool) {
	st := *a.Subtarget()
	i, ok := st.Info.FeatureByName(name)
	if !ok || st.Has(st.Info.Features[i].Bit) == on {
		return
	}
	st.Features = family.With(st.Info, st.Features, &st.Info.Features[i], on)
	a.SetSubtarget(&st)
}

func (p *parser) option(l *line) error {
	s := stateOf(l.a)
	name := l.word()
	if name == "" {
		return l.here("expected identifier")
	}
	if name == "arch" {
		return p.optionArch(l)
	}
	var features []string // with a sign
	switch name {
	case "push", "pop", "pic", "nopic":
	case "rvc":
		features = []string{"+c"}
	case "norvc":
		features = []string{"-c", "-zca"}
	case "relax":
		features = []string{"+relax"}
	case "norelax":
		features = []string{"-relax"}
	case "exact":
		features = []string{"+exact-asm", "-relax"}
	case "noexact":
		features = []string{"-exact-asm", "+relax"}
	default:
		l.blanks()
		l.a.Warn(l.pos, l.pos, "unknown option, expected 'push', 'pop', 'rvc', 'norvc', 'arch', 'relax', 'norelax', 'exact', or 'noexact'")
		return nil
	}
	if err := l.end(); err != nil {
		return err
	}
	switch name {
	case "push":
		s.pushed = append(s.pushed, pushed{l.a.Subtarget(), s.pic})
	case "pop":
		l.write(".option\tpop")
		n := len(s.pushed)
		if n == 0 {
			return l.errorAt(l.pos, ".option pop with no .option push")
		}
		l.a.SetSubtarget(s.pushed[n-1].st)
		s.pic = s.pushed[n-1].pic
		s.pushed = s.pushed[:n-1]
		return nil
	case "pic", "nopic":
		s.pic = name == "pic"
	}
	l.write(".option\t" + name)
	for _, f := range features {
		toggle(l.a, f[1:], f[0] == '+')
	}
	return nil
}

// optionArch reads extensions to be added or left out, or a whole architecture.
func (p *parser) optionArch(l *line) error {
	if !l.is(',') {
		return l.here("expected comma")
	}
	l.pos++
	var args []string
	for {
		l.blanks()
		at := l.pos
		sign := byte(0)
		if l.is('+') || l.is('-') {
			sign = l.text[l.pos]
			l.pos++
			l.blanks()
			at = l.pos
		} else if len(args) > 0 {
			return l.errorAt(at, "unexpected token, expected + or -")
		}
		name := l.word()
		if name == "" {
			return l.here("unexpected token, expected identifier")
		}
		arch := strings.ToLower(name)
		if sign == 0 {
			return p.wholeArch(l, at, arch)
		}
		if last := arch[len(arch)-1]; last >= '0' && last <= '9' && knownExtension(l.a.Subtarget().Info, arch) == nil {
			return l.errorAt(at, "extension version number parsing not currently implemented")
		}
		f := knownExtension(l.a.Subtarget().Info, arch)
		if f == nil {
			return l.errorAt(at, "unknown extension feature")
		}
		info := l.a.Subtarget().Info
		args = append(args, string(sign)+arch)
		if sign == '-' {
			if by := p.wanting(l.a.Subtarget(), f); by != "" {
				return l.errorAt(at, "can't disable "+arch+" extension; "+by+" extension requires "+arch+" extension")
			}
		}
		toggle(l.a, info.Str(f.Name), sign == '+')
		if l.atEnd() {
			break
		}
		if !l.is(',') {
			return l.here("expected comma")
		}
		l.pos++
	}
	l.write(".option\tarch, " + strings.Join(args, ", "))
	return nil
}

// knownExtension is the feature of an extension, nil for none.
func knownExtension(info *desc.Info, name string) *desc.FeatureDesc {
	for _, n := range [...]string{name, "experimental-" + name} {
		if i, ok := info.FeatureByName(n); ok && extensions().byName[name] != nil {
			return &info.Features[i]
		}
	}
	return nil
}

// wanting is an extension that is on and implies f.
func (p *parser) wanting(st *mc.Subtarget, f *desc.FeatureDesc) string {
	info := st.Info
	for i := range info.Features {
		g := &info.Features[i]
		if st.Has(g.Bit) && info.FeatureSet(g.Implies)[f.Bit/64]>>(f.Bit%64)&1 != 0 {
			return strings.TrimPrefix(info.Str(g.Name), "experimental-")
		}
	}
	return ""
}

// wholeArch sets the extensions to those of an architecture's name.
func (p *parser) wholeArch(l *line, at int, arch string) error {
	st := l.a.Subtarget()
	isa, msg := parseArch(arch, st.Has(featureBit(st.Info, "experimental")))
	if msg != "" {
		return l.errorAt(at, "invalid arch name '"+arch+"', "+msg)
	}
	if err := l.end(); err != nil {
		return err
	}
	setArch(l.a, isa)
	l.write(".option\tarch, " + isa.String())
	return nil
}

// setArch makes the extensions of the subtarget those of an architecture.
func setArch(a mc.AsmParser, s *isa) {
	info := a.Subtarget().Info
	for name := range extensions().byName {
		if s.exts[name] == nil {
			if f := knownExtension(info, name); f != nil {
				toggle(a, info.Str(f.Name), false)
			}
		}
	}
	for _, name := range s.ordered() {
		if f := knownExtension(info, name); f != nil {
			toggle(a, info.Str(f.Name), true)
		}
	}
	toggle(a, "64bit", s.wide)
	toggle(a, "32bit", !s.wide)
}

// attribute is one of .riscv.attributes.
type attribute struct {
	tag  uint64
	num  uint64
	text string
}

// attributeTags are their names (the psABI's chapter on attributes).
var attributeTags = map[string]uint64{"stack_align": 4, "arch": 5, "unaligned_access": 6, "priv_spec": 8, "priv_spec_minor": 10, "priv_spec_revision": 12, "atomic_abi": 14}

func (p *parser) attribute(l *line) error {
	l.blanks()
	at := l.pos
	var tag uint64
	if name := l.word(); name != "" {
		t, ok := attributeTags[strings.TrimPrefix(name, "Tag_")]
		if !ok {
			return l.errorAt(at, "attribute name not recognised: "+name)
		}
		tag = t
	} else {
		x, v, end, err := l.a.Expr(l.text, l.pos)
		if err != nil {
			return err
		}
		if x != 0 {
			return l.errorAt(at, "expected numeric constant")
		}
		tag, l.pos = uint64(v), end
	}
	if !l.is(',') {
		return l.here("comma expected")
	}
	l.pos++
	l.blanks()
	at = l.pos
	at2 := attribute{tag: tag}
	if tag%2 == 0 {
		x, v, end, err := l.a.Expr(l.text, l.pos)
		if err != nil || x != 0 {
			return l.errorAt(at, "expected numeric constant")
		}
		at2.num, l.pos = uint64(v), end
	} else {
		if !l.is('"') {
			return l.here("expected string constant")
		}
		end := strings.IndexByte(l.text[l.pos+1:], '"')
		if end < 0 {
			return l.here("expected string constant")
		}
		at2.text = l.text[l.pos+1 : l.pos+1+end]
		l.pos += end + 2
	}
	if err := l.end(); err != nil {
		return err
	}
	if tag == attributeTags["arch"] {
		st := l.a.Subtarget()
		isa, msg := parseArch(at2.text, st.Has(featureBit(st.Info, "experimental")))
		if msg != "" {
			return l.errorAt(at, "invalid arch name '"+at2.text+"', "+msg)
		}
		at2.text = isa.String()
		setArch(l.a, isa)
	}
	switch {
	case tag%2 == 0:
		l.write(".attribute\t" + strconv.FormatUint(tag, 10) + ", " + strconv.FormatUint(at2.num, 10))
	default:
		l.write(".attribute\t" + strconv.FormatUint(tag, 10) + ", \"" + at2.text + "\"")
	}
	s := stateOf(l.a)
	for i := range s.attrs {
		if s.attrs[i].tag == tag {
			s.attrs[i] = at2
			return nil
		}
	}
	s.attrs = append(s.attrs, at2)
	return nil
}

// variantCC marks a symbol of a function with another calling convention.
func (p *parser) variantCC(l *line) error {
	name := l.word()
	if name == "" {
		return l.here("expected symbol name")
	}
	if err := l.end(); err != nil {
		return err
	}
	if out := l.a.Streamer(); out.IsText() {
		l.write(".variant_cc\t" + name)
		return nil
	}
	const variantCC = 0x80 // STO_RISCV_VARIANT_CC
	ctx := l.a.Context()
	y := ctx.Symbol(name)
	l.a.Streamer().Attribute(y, mc.AttrTypeNoType)
	ctx.At(y).Other |= variantCC
	return nil
}
