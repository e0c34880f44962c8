package asmparse

import (
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// parseSet reads .set, .equ and .equiv.
func parseSet(p *Parser, name string, _ int) error {
	p.skip()
	n, ok := p.ident()
	if !ok {
		return p.errHere("expected identifier")
	}
	if err := p.comma(); err != nil {
		return err
	}
	return p.assign(n, name != ".equiv")
}

// parseSymbolAttr reads .globl and others that list symbols.
func parseSymbolAttr(p *Parser, name string, _ int) error {
	attr, known := mc.AttrGlobal, true
	switch name {
	case ".weak", ".weak_reference":
		attr = mc.AttrWeak
	case ".local":
		attr = mc.AttrLocal
	case ".hidden":
		attr = mc.AttrHidden
	case ".internal":
		attr = mc.AttrInternal
	case ".protected":
		attr = mc.AttrProtected
	case ".globl", ".global":
	default: // of other object formats
		known = false
	}
	return p.list(func() error {
		p.skip()
		at := p.pos
		n, ok := p.ident()
		if !ok {
			return p.errHere("expected identifier")
		}
		switch {
		case known:
		case p.out.IsText():
			return p.out.Raw("\t" + name + "\t" + n)
		case name == ".no_dead_strip":
			return nil
		default:
			return p.errHere("unable to emit symbol attribute")
		}
		s := p.symbol(n)
		y := p.ctx.At(s)
		if y.Temp() && !p.out.IsText() && (attr == mc.AttrGlobal || attr == mc.AttrWeak && name != ".weak") {
			return errOff(at, "non-local symbol required")
		}
		if !p.out.IsText() {
			if err := p.binding(s, n, attr); err != nil {
				return err
			}
		}
		p.out.Attribute(s, attr)
		return nil
	})
}

// binding checks that a symbol keeps the binding that it was given.
func (p *Parser) binding(s mc.Sym, name string, attr mc.Attr) error {
	old := p.ctx.At(s).Binding
	if old == mc.BindUnset {
		return nil
	}
	switch {
	case attr == mc.AttrGlobal && old == mc.BindLocal:
		p.mistake(p.at(0), "%s changed binding to STB_GLOBAL", name)
	case attr == mc.AttrLocal && old != mc.BindLocal:
		p.mistake(p.at(0), "%s changed binding to STB_LOCAL", name)
	case attr == mc.AttrWeak && old == mc.BindLocal:
		p.mistake(p.at(0), "%s changed binding to STB_WEAK", name)
	case attr == mc.AttrWeak && old == mc.BindGlobal:
		p.warnAt(p.at(0), 0, "%s changed binding to STB_WEAK", name)
	}
	return nil
}

// parseType reads .type.
func parseType(p *Parser, _ string, _ int) error {
	n, err := p.symbolName()
	if err != nil {
		return err
	}
	s := p.symbol(n)
	p.eat(',') // it may be left out
	const expected = "expected STT_<TYPE_IN_UPPER_CASE>, '#<type>', '@<type>', '%%<type>' or \"<type>\""
	switch c := p.peek(); {
	case c == '@' || c == '%' || c == '#':
		p.pos++
	case c == '"' || p.class[c]&beginIdent != 0:
	default:
		return p.errHere(expected)
	}
	p.skip()
	at := p.pos
	w, ok := p.ident()
	if !ok {
		return p.errHere("expected symbol type")
	}
	attr, ok := symbolType(w)
	if !ok {
		return errOff(at, "unsupported attribute")
	}
	if err := p.eol(); err != nil {
		return err
	}
	p.out.Attribute(s, attr)
	return nil
}

func symbolType(w string) (mc.Attr, bool) {
	switch w {
	case "STT_FUNC", "function":
		return mc.AttrTypeFunction, true
	case "STT_OBJECT", "object":
		return mc.AttrTypeObject, true
	case "STT_TLS", "tls_object":
		return mc.AttrTypeTLS, true
	case "STT_COMMON", "common":
		return mc.AttrTypeCommon, true
	case "STT_NOTYPE", "notype":
		return mc.AttrTypeNoType, true
	case "STT_GNU_IFUNC", "gnu_indirect_function":
		return mc.AttrTypeIFunc, true
	case "gnu_unique_object":
		return mc.AttrTypeGNUUnique, true
	}
	return 0, false
}

// parseSize reads .size.
func parseSize(p *Parser, _ string, _ int) error {
	n, err := p.symbolName()
	if err != nil {
		return err
	}
	s := p.symbol(n)
	if err := p.comma(); err != nil {
		return err
	}
	x, err := p.value()
	if err == nil {
		err = p.eol()
	}
	if err == nil {
		p.out.Size(s, x)
	}
	return err
}

// parseComm reads .comm, .common and .lcomm.
func parseComm(p *Parser, name string, _ int) error {
	p.skip()
	nat := p.pos
	n, err := p.symbolName()
	if err != nil {
		return err
	}
	if err := p.comma(); err != nil {
		return err
	}
	p.skip()
	sizeAt := p.pos
	size, err := p.absolute()
	if err != nil {
		return err
	}
	align, alignAt := int64(0), 0
	if p.eat(',') {
		p.skip()
		alignAt = p.pos
		if align, err = p.absolute(); err != nil {
			return err
		}
		if name == ".lcomm" {
			return errOff(alignAt, "alignment not supported on this target")
		}
		if align <= 0 || align&(align-1) != 0 {
			return errOff(alignAt, "alignment must be a power of 2")
		}
	}
	if err := p.eol(); err != nil {
		return err
	}
	if size < 0 {
		return errOff(sizeAt, "size must be non-negative")
	}
	s := p.symbol(n)
	y := p.ctx.At(s)
	if y.Defined() && y.Flags&mc.SymCommon == 0 {
		return errOff(nat, "invalid symbol redefinition")
	}
	if name == ".lcomm" {
		p.out.LocalCommon(s, uint64(size), 1)
		return nil
	}
	if y.Flags&mc.SymCommon != 0 && (y.CommonSize != uint64(size) || y.CommonAlign != uint64(max(align, 1))) {
		p.errorAt(p.at(0), "Symbol: %s redeclared as different type", n)
		return nil
	}
	p.out.Common(s, uint64(size), uint64(max(align, 1)))
	return nil
}

// parseSymver reads .symver.
func parseSymver(p *Parser, _ string, _ int) error {
	n, err := p.symbolName()
	if err != nil {
		return err
	}
	if !p.eat(',') {
		return p.errHere("expected a comma")
	}
	p.skip()
	start := p.pos
	for p.pos < len(p.text) && (p.class[p.text[p.pos]]&inIdent != 0 || p.text[p.pos] == '@') {
		p.pos++
	}
	version := p.text[start:p.pos]
	if version == "" {
		return p.errHere("expected identifier")
	}
	if !strings.Contains(version, "@") {
		return p.errHere("expected a '@' in the name")
	}
	keep := !strings.Contains(version, "@@@")
	if p.eat(',') {
		w, ok := p.ident()
		if !ok || w != "remove" {
			return p.errHere("expected 'remove'")
		}
		keep = false
	}
	if err := p.eol(); err != nil {
		return err
	}
	p.out.SymVer(p.symbol(n), version, keep)
	return nil
}

// parseWeakref reads .weakref.
func parseWeakref(p *Parser, _ string, at int) error {
	a, err := p.symbolName()
	if err != nil {
		return err
	}
	if err := p.comma(); err != nil {
		return err
	}
	n, err := p.symbolName()
	if err != nil {
		return err
	}
	s := p.symbol(a)
	if y := p.ctx.At(s); y.Defined() && y.Flags&mc.SymWeakRef == 0 {
		return errOff(at, "symbol '%s' is already defined", a)
	}
	p.out.WeakRef(s, p.symbol(n))
	if p.out.IsText() {
		p.ctx.At(s).Flags |= mc.SymDefined | mc.SymWeakRef
	}
	return nil
}

// parseIdent reads .ident.
func parseIdent(p *Parser, _ string, _ int) error {
	s, err := p.str()
	if err == nil {
		err = p.eol()
	}
	if err == nil {
		p.out.Ident(s)
	}
	return err
}

// parseVersion reads .version: a note.
func parseVersion(p *Parser, _ string, _ int) error {
	s, _, ok := p.quoted()
	if !ok {
		return p.errHere("expected string")
	}
	saved := p.out.Section()
	p.out.SwitchSection(p.ctx.ELFSection(".note", mc.SecNote, 0, 0))
	p.out.Int(uint64(len(s)+1), 4)
	p.out.Int(0, 4)
	p.out.Int(1, 4)
	p.out.Bytes([]byte(s))
	p.out.Bytes([]byte{0})
	p.out.AlignValue(2, 0, 1, 0)
	p.out.SwitchSection(saved)
	return nil
}

// parseAddrsig reads .addrsig.
func parseAddrsig(p *Parser, _ string, _ int) error {
	err := p.eol()
	if err == nil {
		p.out.AddrSig()
	}
	return err
}

// parseAddrsigSym reads .addrsig_sym.
func parseAddrsigSym(p *Parser, _ string, _ int) error {
	n, err := p.symbolName()
	if err == nil {
		err = p.eol()
	}
	if err == nil {
		p.out.AddrSigSym(p.symbol(n))
	}
	return err
}

// parseCGProfile reads .cg_profile.
func parseCGProfile(p *Parser, _ string, _ int) error {
	from, ok := p.ident()
	if !ok {
		return p.errHere("expected identifier in directive")
	}
	if !p.eat(',') {
		return p.errHere("expected a comma")
	}
	to, ok := p.ident()
	if !ok {
		return p.errHere("expected identifier in directive")
	}
	if !p.eat(',') {
		return p.errHere("expected a comma")
	}
	c := p.peek()
	if p.class[c]&isDigit == 0 && c != '-' {
		return p.errHere("expected integer count in '.cg_profile' directive")
	}
	v, err := p.absolute()
	if err == nil {
		err = p.eol()
	}
	if err != nil {
		return err
	}
	p.out.CGProfile(p.symbol(from), p.symbol(to), uint64(v))
	return nil
}

// parseReloc reads .reloc: place, name of the relocation, value.
func parseReloc(p *Parser, _ string, _ int) error {
	at, err := p.value()
	if err != nil {
		return err
	}
	if err := p.comma(); err != nil {
		return err
	}
	p.skip()
	nat := p.pos
	name, ok := p.ident()
	if !ok {
		return p.errHere("expected relocation name")
	}
	var x mc.Expr
	if p.eat(',') {
		p.skip()
		vat := p.pos
		if x, err = p.value(); err != nil {
			return err
		}
		if _, ok := p.ctx.Reduce(x, nil); !ok {
			return errOff(vat, "expression must be relocatable")
		}
	}
	if err := p.eol(); err != nil {
		return err
	}
	if err := p.out.Reloc(at, name, x, p.st); err != nil {
		return errOff(nat, "%s", err.Error())
	}
	return nil
}

// parseLTO reads .lto_discard and .lto_set_conditional.
func parseLTO(p *Parser, name string, _ int) error {
	if name == ".lto_discard" {
		p.discarded = nil
		return p.list(func() error {
			n, ok := p.ident()
			if !ok {
				return p.errHere("expected identifier")
			}
			if p.discarded == nil {
				p.discarded = map[string]bool{}
			}
			p.discarded[n] = true
			return nil
		})
	}
	n, err := p.symbolName()
	if err != nil {
		return err
	}
	if err := p.comma(); err != nil {
		return err
	}
	p.skip()
	at := p.pos
	x, err := p.value()
	if err == nil {
		err = p.eol()
	}
	if err != nil {
		return err
	}
	if _, _, _, ok := p.ctx.SymRef(x); !ok {
		return errOff(at, "expected identifier")
	}
	p.out.AssignConditional(p.symbol(n), x)
	return nil
}

// parseMemtag reads .memtag.
func parseMemtag(p *Parser, _ string, _ int) error {
	n, err := p.symbolName()
	if err == nil {
		err = p.eol()
	}
	if err == nil {
		p.out.Attribute(p.symbol(n), mc.AttrMemtag)
	}
	return err
}

// parsePseudoProbe refuses pseudo probes in objects; text shows them as they are.
func parsePseudoProbe(p *Parser, name string, at int) error {
	if !p.out.IsText() {
		return errOff(at, "%s: pseudo probes in objects are not supported", name)
	}
	var nums [4]int64
	for i := range nums {
		c := p.peek()
		if p.class[c]&isDigit == 0 {
			return p.errHere("expected integer")
		}
		n, err := p.number()
		if err != nil {
			return err
		}
		nums[i] = int64(n.v)
	}
	rest := strings.TrimRight(p.text[:len(p.text)], " \t")
	p.skipRest()
	return p.out.Raw("\t" + strings.TrimSpace(rest[at:]))
}
