package mctargetdesc

import (
	"strings"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
)

// state is what is kept from one statement to the next.
type state struct {
	aliases    map[string]alias
	prefix     prefix
	pools      []pool // by section, in the order of their first use
	attributes buildAttributes
}

func stateOf(p mc.AsmParser) *state {
	at := p.State()
	s, ok := (*at).(*state)
	if !ok {
		s = &state{aliases: map[string]alias{}}
		*at = s
	}
	return s
}

func (a *AsmParser) alias(p mc.AsmParser, name string) (alias, bool) {
	s, ok := (*p.State()).(*state)
	if !ok {
		return alias{}, false
	}
	al, ok := s.aliases[name]
	return al, ok
}

// request reads "name .req register".
func (s *statement) request() (bool, error) {
	s.seek(0)
	t := s.peek()
	if s.tok.kind != tokIdent || t.kind != tokIdent || !strings.EqualFold(s.text[t.start:t.end], ".req") {
		return false, nil
	}
	name := s.lower()
	s.next()
	s.next()
	at := s.loc()
	var al alias
	if r, ok := s.scalar(); ok {
		al = alias{kind: regScalar, reg: r}
	} else {
		for _, k := range [...]struct {
			kind  regKind
			words string
		}{{regNeon, "vector register without type specifier expected"}, {regSVE, "sve vector register without type specifier expected"},
			{regPred, "sve predicate register without type specifier expected"}, {regCounter, "sve predicate register without type specifier expected"}} {
			n, width, st, err := s.vectorRegister(k.kind)
			if st == failure {
				return true, err
			}
			if st == success {
				if width != "" {
					return true, fail(at, k.words)
				}
				al = alias{kind: k.kind, n: n}
				break
			}
		}
	}
	if al.kind == regNone {
		return true, fail(at, "register name or alias expected")
	}
	if !s.isEnd() {
		return true, s.here("expected newline")
	}
	known := stateOf(s.p).aliases
	if old, ok := known[name]; ok && old != al {
		s.p.Warn(at, at, "ignoring redefinition of register alias '"+name+"'")
	} else {
		known[name] = al
	}
	return true, nil
}

// ParseDirective reads AArch64's directives.
func (a *AsmParser) ParseDirective(p mc.AsmParser, name, text string, pos int) (bool, error) {
	f := directives[name]
	if f == nil {
		return false, nil
	}
	s := a.begin(p, text)
	defer a.end(s)
	s.seek(pos)
	return true, f(s)
}

var directives = map[string]func(s *statement) error{
	".arch": (*statement).archDirective, ".cpu": (*statement).cpuDirective, ".arch_extension": (*statement).extensionDirective,
	".inst": (*statement).instDirective, ".unreq": (*statement).unrequest, ".tlsdesccall": (*statement).tlsDescCall,
	".aeabi_subsection": (*statement).subsectionDirective, ".aeabi_attribute": (*statement).attributeDirective, ".variant_pcs": (*statement).variantPCS,
	".ltorg": (*statement).emitPool, ".pool": (*statement).emitPool,
}

func (s *statement) end() error {
	if !s.isEnd() {
		return s.here("expected newline")
	}
	return nil
}

// rest is the text to the end, without blanks around.
func (s *statement) rest() (text string, at int) {
	at = s.loc()
	return strings.TrimSpace(s.text[at:]), at
}

// features writes the features of a subtarget as a list.
func (a *AsmParser) featureList(st *mc.Subtarget) string {
	var b strings.Builder
	for i := range a.info.Features {
		if st.Has(a.info.Features[i].Bit) {
			b.WriteString(",+" + a.info.Str(a.info.Features[i].Name))
		}
	}
	return b.String()
}

// setFeatures makes the subtarget one of a processor and features.
func (s *statement) setFeatures(cpu, features string) {
	st := *s.p.Subtarget()
	r := family.Resolve(s.a.info, cpu, cpu, features)
	st.Features = r.Bits()
	if cpu != "" {
		st.CPU = cpu
	}
	s.p.SetSubtarget(&st)
}

// namedExtension is what a name of .arch_extension switches, as a list of features; ok is false
// where there is no such name.
func (s *statement) namedExtension(name string) (list string, bare string, ok bool) {
	sign := ",+"
	bare = name
	if len(name) >= 2 && strings.EqualFold(name[:2], "no") {
		sign, bare = ",-", name[2:]
	}
	for i := range s.a.tab.Extensions {
		if x := &s.a.tab.Extensions[i]; x.Name == bare {
			if len(x.Features) == 0 {
				return "", bare, false
			}
			return sign + strings.Join(x.Features, sign), bare, true
		}
	}
	return "", bare, false
}

// crypto is what "crypto" stands for, which depends on the architecture.
func crypto(names []string, later bool) []string {
	has := func(w string) bool {
		for _, n := range names {
			if strings.EqualFold(n, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("crypto") && later:
		for _, n := range [...]string{"sm4", "sha3", "sha2", "aes"} {
			if !has("no" + n) {
				names = append(names, n)
			}
		}
	case has("crypto"):
		for _, n := range [...]string{"sha2", "aes"} {
			if !has("no" + n) {
				names = append(names, n)
			}
		}
	case has("nocrypto") && later:
		for _, n := range [...]string{"sm4", "sha3", "sha2", "aes"} {
			if !has(n) {
				names = append(names, "no"+n)
			}
		}
	case has("nocrypto"):
		for _, n := range [...]string{"sha2", "aes"} {
			if !has(n) {
				names = append(names, "no"+n)
			}
		}
	}
	return names
}

// extensions reads the extensions behind the name of an architecture or a processor.
func (s *statement) extensions(list string, at int, later bool) (features string, err error) {
	if list == "" {
		return "", nil
	}
	for _, n := range crypto(strings.Split(list, "+"), later) {
		at++
		f, bare, ok := s.namedExtension(n)
		if !ok {
			return features, fail(at, "unsupported architectural extension: "+bare)
		}
		features += f
		at += len(bare)
	}
	return features, nil
}

func (s *statement) archDirective() error {
	text, at := s.rest()
	name, list, _ := strings.Cut(text, "+")
	for i := range s.a.tab.Archs {
		x := &s.a.tab.Archs[i]
		if !strings.EqualFold(x.Name, name) && !strings.EqualFold(strings.TrimPrefix(x.Name, "arm"), name) {
			continue
		}
		features := "+" + strings.Join(x.Features, ",+")
		later := name != "armv8-a" && name != "armv8.1-a" && name != "armv8.2-a" && name != "armv8.3-a" && name != "armv8-r"
		more, err := s.extensions(list, at+len(name), later)
		s.setFeatures("generic", features+more)
		if err == nil && s.p.Streamer().IsText() {
			err = s.p.Streamer().Raw("\t.arch\t" + strings.ToLower(name))
		}
		return err
	}
	return fail(at, "unknown arch name")
}

func (s *statement) cpuDirective() error {
	text, at := s.rest()
	name, list, _ := strings.Cut(text, "+")
	if _, ok := s.a.info.ProcessorByName(name); !ok {
		return fail(at, "unknown CPU name")
	}
	s.setFeatures(name, "")
	later := s.a.has(s.p.Subtarget(), "v8.4a") || s.a.has(s.p.Subtarget(), "v9a")
	more, err := s.extensions(list, at+len(name), later)
	s.setFeatures(name, more)
	return err
}

func (s *statement) extensionDirective() error {
	text, at := s.rest()
	f, bare, ok := s.namedExtension(text)
	if !ok {
		return fail(at, "unsupported architectural extension: "+bare)
	}
	s.setFeatures("", s.a.featureList(s.p.Subtarget())+f)
	if s.p.Streamer().IsText() {
		return s.p.Streamer().Raw("\t.arch_extension\t" + text)
	}
	return nil
}

// instDirective reads .inst: words that are instructions.
func (s *statement) instDirective() error {
	if s.isEnd() {
		return fail(0, "expected expression following '.inst' directive")
	}
	for {
		at := s.loc()
		x, v, err := s.expr()
		if err != nil {
			return fail(at, "expected expression")
		}
		if x != 0 {
			return fail(at, "expected constant expression")
		}
		if err := s.word(uint32(v)); err != nil {
			return err
		}
		if !s.eat(",") {
			return s.end()
		}
	}
}

// word appends the bytes of an instruction.
func (s *statement) word(v uint32) error {
	out := s.p.Streamer()
	if out.IsText() {
		const digits = "0123456789abcdef"
		b := []byte("\t.inst\t0x")
		for k := 28; k >= 0; k -= 4 {
			b = append(b, digits[v>>k&15])
		}
		return out.Raw(string(b))
	}
	code := []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}
	if o, ok := out.(interface{ Code(b []byte) }); ok {
		o.Code(code)
	} else {
		out.Bytes(code)
	}
	return nil
}

func (s *statement) unrequest() error {
	if !s.isIdent() {
		return s.here("unexpected input in .unreq directive.")
	}
	delete(stateOf(s.p).aliases, s.lower())
	s.next()
	return s.end()
}

// tlsDescCall reads .tlsdesccall, which marks the call of a descriptor's function.
func (s *statement) tlsDescCall() error {
	if !s.isIdent() {
		return s.here("expected symbol")
	}
	ctx := s.p.Context()
	m, _ := ctx.Info().ModifierByPrefix(":tlsdesc:")
	name := s.str()
	s.next()
	if err := s.end(); err != nil {
		return err
	}
	out := s.p.Streamer()
	if out.IsText() {
		return out.Raw("\t.tlsdesccall " + name)
	}
	op, ok := s.a.info.OpcodeByName("TLSDESCCALL")
	if !ok {
		return s.here("no such instruction")
	}
	s.in.Reset(op)
	s.in.Add(mc.ExprOp(ctx.Ref(ctx.Symbol(name), m)))
	return s.p.Emit(&s.in)
}

// pool is the numbers that ldr loads in a section, behind the code.
type pool struct {
	section mc.SectionID
	entries []literal
}

type literal struct {
	x     mc.Expr // 0 for the number v
	v     int64
	size  int
	label mc.Sym
}

// pool adds a number or address to the pool of the section and gives the expression of its place.
func (s *statement) pool(x mc.Expr, v int64, size int) (mc.Expr, error) {
	ctx := s.p.Context()
	st := stateOf(s.p)
	sec := s.p.Streamer().Section()
	var pl *pool
	for i := range st.pools {
		if st.pools[i].section == sec {
			pl = &st.pools[i]
		}
	}
	if pl == nil {
		st.pools = append(st.pools, pool{section: sec})
		pl = &st.pools[len(st.pools)-1]
	}
	for _, e := range pl.entries {
		if e.size != size {
			continue
		}
		if e.x == 0 && x == 0 && e.v == v || e.x != 0 && x != 0 && sameSymbol(ctx, e.x, x) {
			return ctx.Ref(e.label, mc.ModNone), nil
		}
	}
	label := ctx.Temp("tmp")
	pl.entries = append(pl.entries, literal{x, v, size, label})
	return ctx.Ref(label, mc.ModNone), nil
}

// sameSymbol reports two plain references to a symbol.
func sameSymbol(ctx *mc.Context, a, b mc.Expr) bool {
	s1, m1, o1, ok1 := ctx.SymRef(a)
	s2, m2, o2, ok2 := ctx.SymRef(b)
	return ok1 && ok2 && s1 == s2 && m1 == m2 && o1 == 0 && o2 == 0
}

// write appends a pool at the place.
func (pl *pool) write(out mc.Streamer) {
	for _, e := range pl.entries {
		log := uint8(2)
		if e.size == 8 {
			log = 3
		}
		out.Align(log, 0, 0)
		out.Label(e.label)
		if e.x == 0 {
			out.Int(uint64(e.v), e.size)
		} else {
			out.Value(e.x, e.size)
		}
	}
	pl.entries = nil
}

// emitPool reads .ltorg.
func (s *statement) emitPool() error {
	if err := s.end(); err != nil {
		return err
	}
	st := stateOf(s.p)
	for i := range st.pools {
		if st.pools[i].section == s.p.Streamer().Section() {
			st.pools[i].write(s.p.Streamer())
		}
	}
	return nil
}

// Finish writes the pools that are left.
func (a *AsmParser) Finish(p mc.AsmParser) error {
	st, ok := (*p.State()).(*state)
	if !ok {
		return nil
	}
	for i := range st.pools {
		if pl := &st.pools[i]; len(pl.entries) > 0 {
			p.Streamer().SwitchSection(pl.section)
			pl.write(p.Streamer())
		}
	}
	st.attributes.write(p.Streamer())
	return nil
}
