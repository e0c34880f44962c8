package asmparse

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// sectionKey is what tells sections apart: others of the same key must agree in
// type, flags and entry size.
type sectionKey struct {
	name, group string
	linked      mc.Sym
	unique      uint32
}

// namedSection is what a directive says of a section.
type namedSection struct {
	mc.Section
	typeGiven, flagsGiven bool
}

// defaultFlags are those of sections by name.
func defaultFlags(name string) mc.SectionFlags {
	under := func(p string) bool { return name == p || strings.HasPrefix(name, p) && name[len(p)] == '.' }
	switch {
	case under(".rodata") || name == ".rodata1":
		return mc.FlagAlloc
	case name == ".fini" || name == ".init" || under(".text"):
		return mc.FlagAlloc | mc.FlagExec
	case under(".data") || name == ".data1" || under(".bss") || under(".init_array") || under(".fini_array") || under(".preinit_array"):
		return mc.FlagAlloc | mc.FlagWrite
	case under(".tdata") || under(".tbss"):
		return mc.FlagAlloc | mc.FlagWrite | mc.FlagTLS
	}
	return 0
}

// defaultType is the type of a section by name.
func defaultType(name string) mc.SectionType {
	under := func(p string) bool { return name == p || strings.HasPrefix(name, p) && name[len(p)] == '.' }
	switch {
	case strings.HasPrefix(name, ".note"):
		return mc.SecNote
	case under(".init_array"):
		return mc.SecInitArray
	case under(".bss") || under(".tbss"):
		return mc.SecNoBits
	case under(".fini_array"):
		return mc.SecFiniArray
	case under(".preinit_array"):
		return mc.SecPreinitArray
	}
	return mc.SecProgBits
}

// llvmTypes are the section types that LLVM added.
func llvmType(name string) (mc.SectionType, bool) {
	switch name {
	case "progbits":
		return mc.SecProgBits, true
	case "nobits":
		return mc.SecNoBits, true
	case "note":
		return mc.SecNote, true
	case "init_array":
		return mc.SecInitArray, true
	case "fini_array":
		return mc.SecFiniArray, true
	case "preinit_array":
		return mc.SecPreinitArray, true
	}
	for i := range mc.LLVMSectionTypes {
		if t := &mc.LLVMSectionTypes[i]; t.Name == name {
			return t.Type, true
		}
	}
	return 0, false
}

// parseSection reads .section and .pushsection.
func parseSection(p *Parser, name string, at int) error {
	push := name == ".pushsection"
	if push {
		p.sections.stack = append(p.sections.stack, [2]place{p.sections.cur, p.sections.prev})
	}
	err := p.sectionArgs(push, at)
	if err != nil && push {
		p.sections.stack = p.sections.stack[:len(p.sections.stack)-1]
	}
	return err
}

// sectionName reads the name: a string, or what stands before a comma or a blank.
func (p *Parser) sectionName() (string, bool) {
	if p.peek() == '"' {
		s, raw, ok := p.quoted()
		return unquoteName(s, raw), ok
	}
	start := p.pos
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		if c == ',' || p.class[c]&isBlank != 0 {
			break
		}
		if c == '"' {
			if _, _, ok := p.quoted(); !ok {
				return "", false
			}
			continue
		}
		p.pos++
	}
	return p.text[start:p.pos], p.pos > start
}

func (p *Parser) sectionArgs(push bool, at int) error {
	var s namedSection
	var ok bool
	if s.Name, ok = p.sectionName(); !ok {
		return p.errHere("expected identifier")
	}
	s.Unique = mc.GenericSection
	s.Flags = defaultFlags(s.Name)
	sub := int64(0)
	last := false
	if p.eat(',') {
		if push && p.peek() != '"' {
			v, err := p.absolute()
			if err != nil {
				return err
			}
			sub = v
			if !p.eat(',') {
				goto end
			}
		}
		if p.peek() != '"' {
			return p.errHere("expected string")
		}
		flags, _, ok := p.quoted()
		if !ok {
			return p.errHere("expected string")
		}
		f, group, ok := p.sectionFlags(flags)
		if !ok {
			return p.errHere("unknown flag")
		}
		last = group
		s.flagsGiven = flags != ""
		s.Flags |= f
		if err := p.sectionRest(&s, last); err != nil {
			return err
		}
	}
end:
	if !p.end() {
		return p.errHere("expected end of directive")
	}
	return p.useSection(&s, sub, at)
}

// sectionFlags reads letters of flags; last says that the group is that of the current section.
func (p *Parser) sectionFlags(s string) (f mc.SectionFlags, last, ok bool) {
	if v, err := strconv.ParseUint(s, 0, 32); err == nil {
		return mc.SectionFlags(v), false, true
	}
next:
	for i := range len(s) {
		switch s[i] {
		case 'a':
			f |= mc.FlagAlloc
		case 'e':
			f |= mc.FlagExclude
		case 'x':
			f |= mc.FlagExec
		case 'w':
			f |= mc.FlagWrite
		case 'M':
			f |= mc.FlagMerge
		case 'S':
			f |= mc.FlagStrings
		case 'T':
			f |= mc.FlagTLS
		case 'o':
			f |= mc.FlagLinkOrder
		case 'G':
			f |= mc.FlagGroup
		case 'R':
			if p.info.Retain != 0 {
				f |= p.info.Retain
			} else {
				f |= mc.FlagRetain
			}
		case '?':
			last = true
		default:
			for _, t := range p.info.SectionFlags {
				if t.Letter == s[i] {
					f |= t.Flag
					continue next
				}
			}
			return 0, false, false
		}
	}
	return f, last, true
}

// sectionRest reads what stands behind the flags.
func (p *Parser) sectionRest(s *namedSection, lastGroup bool) error {
	merge, group := s.Flags&mc.FlagMerge != 0, s.Flags&mc.FlagGroup != 0
	if group && lastGroup {
		return p.errHere("Section cannot specifiy a group name while also acting as a member of the last group")
	}
	typ := ""
	if p.eat(',') {
		mark := p.peek()
		switch {
		case mark == '@' || mark == '%':
			p.pos++
		case mark != '"':
			if p.info.Comment[0] == '@' {
				return p.errHere("expected '%%<type>' or \"<type>\"")
			}
			return p.errHere("expected '@<type>', '%%<type>' or \"<type>\"")
		}
		if c := p.peek(); p.class[c]&isDigit != 0 {
			at := p.pos
			if _, err := p.number(); err != nil {
				return err
			}
			typ = p.text[at:p.pos]
		} else {
			w, ok := p.ident()
			if !ok {
				return p.errHere("expected identifier")
			}
			typ = w
		}
	}
	switch {
	case typ == "" && merge:
		return p.errHere("Mergeable section must specify the type")
	case typ == "" && group:
		return p.errHere("Group section must specify the type")
	case typ == "":
		if !p.end() {
			return p.errHere("expected end of directive")
		}
		return nil
	}
	s.typeGiven = true
	if merge || typ == "llvm_cfi_jump_table" {
		if !p.eat(',') {
			return p.errHere("expected the entry size")
		}
		v, err := p.absolute()
		if err != nil {
			return err
		}
		if v <= 0 {
			return p.errHere("entry size must be positive")
		}
		s.EntSize = uint32(v)
	}
	if s.Flags&mc.FlagLinkOrder != 0 {
		if err := p.linkedTo(s); err != nil {
			return err
		}
	}
	if group {
		if err := p.sectionGroup(s); err != nil {
			return err
		}
	}
	if err := p.uniqueID(s); err != nil {
		return err
	}
	if lastGroup {
		if c := p.sections.cur.section; c != 0 {
			if q := p.ctx.SectionAt(c); q.Group != "" {
				s.Group, s.Comdat = q.Group, q.Comdat
				s.Flags |= mc.FlagGroup
			}
		}
	}
	t, ok := llvmType(typ)
	if !ok {
		for _, x := range p.info.SectionTypes {
			if x.Name == typ {
				t, ok = x.Type, true
			}
		}
	}
	if !ok {
		v, err := strconv.ParseUint(typ, 0, 32)
		if err != nil {
			return errOff(0, "unknown section type")
		}
		t = mc.SectionType(v)
	}
	s.Type = t
	return nil
}

func (p *Parser) sectionGroup(s *namedSection) error {
	if !p.eat(',') {
		return p.errHere("expected group name")
	}
	if c := p.peek(); p.class[c]&isDigit != 0 {
		at := p.pos
		for p.pos < len(p.text) && p.class[p.text[p.pos]]&isDigit != 0 {
			p.pos++
		}
		s.Group = p.text[at:p.pos]
	} else {
		n, ok := p.ident()
		if !ok {
			return p.errHere("invalid group name")
		}
		s.Group = n
	}
	at := p.pos
	if p.eat(',') {
		w, ok := p.ident()
		if !ok {
			return p.errHere("invalid linkage")
		}
		switch w {
		case "comdat":
			s.Comdat = true
		case "unique":
			p.pos = at
		default:
			return p.errHere("Linkage must be 'comdat'")
		}
	}
	return nil
}

func (p *Parser) linkedTo(s *namedSection) error {
	if !p.eat(',') {
		return p.errHere("expected linked-to symbol")
	}
	p.skip()
	at := p.pos
	n, ok := p.ident()
	if !ok {
		if p.peek() == '0' {
			p.pos++
			return nil
		}
		return errOff(at, "invalid linked-to symbol")
	}
	y := p.ctx.Lookup(n)
	if y == 0 || p.ctx.At(y).Section == 0 && !p.ctx.At(y).Defined() {
		if p.hasSection(n) { // the object's writer lets the name mean the section
			s.LinkedTo = p.symbol(n)
			return nil
		}
	}
	if y == 0 || p.ctx.At(y).Section == 0 {
		return errOff(at, "linked-to symbol is not in a section: %s", n)
	}
	s.LinkedTo = y
	return nil
}

func (p *Parser) uniqueID(s *namedSection) error {
	if !p.eat(',') {
		return nil
	}
	w, ok := p.ident()
	if !ok {
		return p.errHere("expected identifier")
	}
	if w != "unique" {
		return p.errHere("expected 'unique'")
	}
	if !p.eat(',') {
		return p.errHere("expected commma") // as LLVM spells it
	}
	v, err := p.absolute()
	switch {
	case err != nil:
		return err
	case v < 0:
		return p.errHere("unique id must be positive")
	case v >= int64(mc.GenericSection):
		return p.errHere("unique id is too large")
	}
	s.Unique = uint32(v)
	return nil
}

// useSection switches to a section, which may have been named before.
func (p *Parser) useSection(s *namedSection, sub int64, at int) error {
	if !s.typeGiven {
		s.Type = defaultType(s.Name)
	}
	k := sectionKey{s.Name, s.Group, s.LinkedTo, s.Unique}
	id, ok := p.sectionIDs[k]
	if !ok && k == (sectionKey{name: s.Name, unique: mc.GenericSection}) {
		if old, known := p.standardSection(s.Name); known {
			id, ok = p.ctx.Section(old), true
		}
	}
	if p.sectionIDs == nil {
		p.sectionIDs = map[sectionKey]mc.SectionID{}
	}
	p.sectionIDs[k] = id
	if !ok {
		id = p.ctx.Section(s.Section)
		p.sectionIDs[k] = id
	}
	p.debugSection(id, p.at(at))
	old := *p.ctx.SectionAt(id)
	p.switchTo(id, &sub)
	if !ok {
		return nil
	}
	said := s.flagsGiven || s.EntSize != 0 || s.typeGiven
	if s.typeGiven && old.Type != s.Type && !(s.Name == ".eh_frame" && s.Type == mc.SecProgBits) {
		p.errorAt(p.at(at), "changed section type for %s, expected: 0x%x", s.Name, uint32(old.Type))
	}
	if said && old.Flags != s.Flags {
		p.errorAt(p.at(at), "changed section flags for %s, expected: 0x%x", s.Name, uint64(old.Flags))
	}
	if said && old.EntSize != s.EntSize {
		p.errorAt(p.at(at), "changed section entsize for %s, expected: %d", s.Name, old.EntSize)
	}
	return nil
}

// subsectionNumber reads the number of a subsection, 0 where there is none. Out of
// range it is an error without a place, as in LLVM, and 0.
func (p *Parser) subsectionNumber() (int64, error) {
	if p.end() {
		return 0, nil
	}
	at := p.pos
	n, err := p.absolute()
	if err != nil {
		var e *mc.ParseError
		if errors.As(err, &e) && e.Msg == "expected absolute expression" {
			return 0, errOff(at, "cannot evaluate subsection number")
		}
		return 0, err
	}
	if n < 0 || n > math.MaxInt32 {
		p.errorAt(0, "subsection number %d is not within [0,2147483647]", n)
		return 0, nil
	}
	return n, nil
}

// parsePlainSection reads .text, .data and others whose name is their directive.
func parsePlainSection(p *Parser, name string, at int) error {
	sub, err := p.subsectionNumber()
	if err == nil {
		err = p.eol()
	}
	if err != nil {
		return err
	}
	s := namedSection{Section: mc.Section{Name: name, Unique: mc.GenericSection, Flags: defaultFlags(name)}}
	return p.useSection(&s, sub, at)
}

// parsePopSection reads .popsection.
func parsePopSection(p *Parser, _ string, _ int) error {
	n := len(p.sections.stack)
	if n == 0 {
		return p.errHere(".popsection without corresponding .pushsection")
	}
	e := p.sections.stack[n-1]
	p.sections.stack = p.sections.stack[:n-1]
	p.sections.cur, p.sections.prev = e[0], e[1]
	if e[0].section != 0 {
		p.out.SwitchSection(e[0].section)
	}
	return nil
}

// parsePrevious reads .previous.
func parsePrevious(p *Parser, _ string, _ int) error {
	prev := p.sections.prev
	if prev.section == 0 {
		return p.errHere(".previous without corresponding .section")
	}
	p.sections.cur, p.sections.prev = prev, p.sections.cur
	p.out.SwitchSection(prev.section)
	return nil
}

// parseSubsection reads .subsection.
func parseSubsection(p *Parser, _ string, _ int) error {
	n, err := p.subsectionNumber()
	if err == nil {
		err = p.eol()
	}
	if err != nil {
		return err
	}
	p.switchTo(p.sections.cur.section, &n)
	return nil
}
