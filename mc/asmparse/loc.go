package asmparse

import (
	"encoding/hex"

	"github.com/mirin-go/mirin/mc"
)

// lineState is what .file and .loc have said.
type lineState struct {
	files  map[int]bool // numbers that .file gave
	root   mc.LineFile  // file 0
	cur    mc.LineLoc
	debug  debugState
	md5    int // of files: 0 none yet, 1 all with checksums, 2 all without
	warned bool
}

// parseFile reads .file: the name of the source, or a numbered file of the line table.
func parseFile(p *Parser, name string, at int) error {
	c := p.peek()
	n := int64(-1)
	numAt := p.pos
	if p.class[c]&isDigit != 0 || c == '-' {
		if c == '-' {
			return p.errHere("negative file number")
		}
		v, err := p.number()
		if err != nil {
			return err
		}
		n = int64(v.v)
	}
	if p.peek() != '"' {
		return p.errHere("unexpected token in '%s' directive", name)
	}
	f := mc.LineFile{}
	var err error
	if f.Name, err = p.str(); err != nil {
		return err
	}
	if p.peek() == '"' {
		if n < 0 {
			return p.errHere("explicit path specified, but no file number")
		}
		f.Dir = f.Name
		if f.Name, err = p.str(); err != nil {
			return err
		}
	}
	for !p.end() {
		w, ok := p.ident()
		if !ok {
			return p.errHere("unexpected token in '%s' directive", name)
		}
		switch w {
		case "md5":
			if n < 0 {
				return p.errHere("MD5 checksum specified, but no file number")
			}
			p.skip()
			s := p.pos
			if _, err := p.number(); err != nil {
				return err
			}
			b, err := hex.DecodeString(trimHex(p.text[s:p.pos]))
			if err != nil || len(b) != 16 {
				return errOff(s, "out of range literal value")
			}
			f.HasMD5 = true
			copy(f.MD5[:], b)
		case "source":
			if n < 0 {
				return p.errHere("source specified, but no file number")
			}
			if p.peek() != '"' {
				return p.errHere("unexpected token in '%s' directive", name)
			}
			if f.Source, err = p.str(); err != nil {
				return err
			}
			f.HasSource = true
		default:
			return p.errHere("unexpected token in '%s' directive", name)
		}
	}
	if n < 0 {
		p.out.File(f.Name)
		return nil
	}
	if n > maxFiles {
		return errOff(numAt, "file number %d is not supported", n)
	}
	if p.opts.Debug && !p.line.debug.off {
		p.line.debug.off = true // the text has a line table of its own
	}
	if p.line.files == nil {
		p.line.files = map[int]bool{}
	}
	if p.line.files[int(n)] && n != 0 {
		p.errorAt(p.at(at), "file number already allocated")
		return nil
	}
	if n == 0 {
		p.line.root = f
	} else if r := &p.line.root; p.dwarfVersion() >= 5 && f.Name == r.Name && f.HasMD5 == r.HasMD5 && f.MD5 == r.MD5 {
		return nil // file 0 again
	}
	p.line.files[int(n)] = true
	if err := p.out.DwarfFile(0, int(n), f); err != nil {
		return errOff(at, "%s", err.Error())
	}
	kind := 2
	if f.HasMD5 {
		kind = 1
	}
	if p.line.md5 != 0 && p.line.md5 != kind && !p.line.warned {
		p.line.warned = true
		p.warnAt(p.at(at), 0, "inconsistent use of MD5 checksums")
	}
	p.line.md5 = kind
	return nil
}

// maxFiles bounds file numbers, for tables are by number.
const maxFiles = 1 << 20

func trimHex(s string) string {
	if len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' {
		s = s[2:]
	}
	for len(s) < 32 {
		s = "0" + s
	}
	return s
}

// parseLoc reads .loc.
func parseLoc(p *Parser, name string, at int) error {
	c := p.peek()
	fileAt := p.pos
	if p.class[c]&isDigit == 0 {
		return p.errHere("unexpected token in '%s' directive", name)
	}
	n, err := p.number()
	if err != nil {
		return err
	}
	if n.v > maxFiles {
		return errOff(fileAt, "file number %d is not supported", n.v)
	}
	if n.v < 1 && p.dwarfVersion() < 5 {
		return errOff(fileAt, "file number less than one in '%s' directive", name)
	}
	if !p.line.files[int(n.v)] {
		return errOff(fileAt, "unassigned file number in '%s' directive", name)
	}
	l := mc.LineLoc{File: uint32(n.v), Unnamed: true, Flags: p.line.cur.Flags & mc.LineIsStmt, ISA: 0}
	if !p.lineSeen {
		l.Flags = mc.LineIsStmt
	}
	nums := [2]*uint32{&l.Line, &l.Col}
	for i, to := range nums {
		c := p.peek()
		if c == '-' {
			return p.errHere([...]string{"line number less than zero in '%s' directive", "column position less than zero in '%s' directive"}[i], name)
		}
		if p.class[c]&isDigit == 0 {
			break
		}
		v, err := p.number()
		if err != nil {
			return err
		}
		*to = uint32(v.v)
	}
	for !p.end() {
		if err := p.locOption(&l, name); err != nil {
			return err
		}
	}
	p.lineSeen = true
	p.line.cur = l
	p.out.Loc(l)
	return nil
}

// locOption reads one of the words behind the numbers of .loc.
func (p *Parser) locOption(l *mc.LineLoc, name string) error {
	p.skip()
	wat := p.pos
	w, ok := p.ident()
	if !ok {
		return p.errHere("unexpected token in '%s' directive", name)
	}
	arg := func() (int64, int, bool, error) {
		p.skip()
		at := p.pos
		t, err := p.expr()
		return t.v, at, t.x == 0, err
	}
	switch w {
	case "basic_block":
		l.Flags |= mc.LineBasicBlock
	case "prologue_end":
		l.Flags |= mc.LinePrologueEnd
	case "epilogue_begin":
		l.Flags |= mc.LineEpilogueBegin
	case "is_stmt":
		v, vat, constant, err := arg()
		switch {
		case err != nil:
			return err
		case !constant:
			return errOff(vat, "is_stmt value not the constant value of 0 or 1")
		case v == 0:
			l.Flags &^= mc.LineIsStmt
		case v == 1:
			l.Flags |= mc.LineIsStmt
		default:
			return errOff(vat, "is_stmt value not 0 or 1")
		}
	case "isa":
		v, vat, constant, err := arg()
		switch {
		case err != nil:
			return err
		case !constant:
			return errOff(vat, "isa number not a constant value")
		case v < 0:
			return errOff(vat, "isa number less than zero")
		}
		l.ISA = uint32(v)
	case "discriminator":
		v, err := p.absolute()
		if err != nil {
			return err
		}
		l.Discriminator = uint32(v)
	default:
		return errOff(wat, "unknown sub-directive in '%s' directive", name)
	}
	return nil
}

// parseLocLabel reads .loc_label.
func parseLocLabel(p *Parser, _ string, _ int) error {
	p.skip()
	at := p.pos
	n, err := p.symbolName()
	if err == nil {
		err = p.eol()
	}
	if err == nil {
		p.out.LocLabel(p.symbol(n), uint32(p.at(at)))
	}
	return err
}

func (p *Parser) dwarfVersion() int {
	v := p.opts.DwarfVersion
	if v == 0 {
		v = 4
	}
	if p.line.files[0] {
		v = max(v, 5) // no earlier version has a file 0
	}
	return v
}
