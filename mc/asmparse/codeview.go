package asmparse

import (
	"fmt"
	"strings"
)

// codeView is what .cv_file and the like have said. Objects say nothing of it by itself:
// what asks for its tables (.cv_linetable and others) is refused in them.
type codeView struct {
	files map[int64]bool
	funcs map[int64]bool
}

// parseCodeView reads the directives of CodeView, whose formats are those of COFF.
func parseCodeView(p *Parser, name string, at int) error {
	if p.cv.files == nil {
		p.cv.files, p.cv.funcs = map[int64]bool{}, map[int64]bool{}
	}
	switch name {
	case ".cv_file":
		return p.cvFile(name)
	case ".cv_func_id":
		return p.cvFunc()
	case ".cv_inline_site_id":
		return p.cvInlineSite(name)
	case ".cv_loc":
		return p.cvLoc(name)
	}
	return errOff(at, "%s: CodeView debug information is not supported", name)
}

// cvInt reads a number, or says what was expected.
func (p *Parser) cvInt(format string, args ...any) (int64, error) {
	c := p.peek()
	if p.class[c]&isDigit == 0 {
		return 0, p.errHere(format, args...)
	}
	n, err := p.number()
	return int64(n.v), err
}

// cvText writes a directive to text.
func (p *Parser) cvText(format string, args ...any) {
	if p.out.IsText() {
		p.out.Raw("\t" + fmt.Sprintf(format, args...))
	}
}

// cvFileNumber reads the number of a file.
func (p *Parser) cvFileNumber(suffix string) (int64, int, error) {
	p.skip()
	at := p.pos
	n, err := p.cvInt("expected file number%s", suffix)
	if err == nil && n < 1 {
		err = errOff(at, "file number less than one%s", suffix)
	}
	return n, at, err
}

func (p *Parser) cvFile(name string) error {
	n, at, err := p.cvFileNumber("")
	if err != nil {
		return err
	}
	if p.peek() != '"' {
		return p.errHere("unexpected token in '%s' directive", name)
	}
	file, err := p.str()
	if err != nil {
		return err
	}
	text := fmt.Sprintf(".cv_file\t%d %q", n, file)
	if !p.end() {
		if p.peek() != '"' {
			return p.errHere("unexpected token in '%s' directive", name)
		}
		sum, err := p.str()
		if err != nil {
			return err
		}
		kind, err := p.cvInt("expected checksum kind in '%s' directive", name)
		if err == nil {
			err = p.eol()
		}
		if err != nil {
			return err
		}
		text += fmt.Sprintf(" \"%s\" %d", strings.ToUpper(sum), kind)
	}
	if p.cv.files[n] {
		return errOff(at, "file number already allocated")
	}
	p.cv.files[n] = true
	p.cvText("%s", text)
	return nil
}

func (p *Parser) cvFunc() error {
	p.skip()
	at := p.pos
	n, err := p.cvInt("expected function id")
	if err == nil {
		err = p.eol()
	}
	if err != nil {
		return err
	}
	if p.cv.funcs[n] {
		return errOff(at, "function id already allocated")
	}
	p.cv.funcs[n] = true
	p.cvText(".cv_func_id %d", n)
	return nil
}

func (p *Parser) cvInlineSite(name string) error {
	p.skip()
	at := p.pos
	n, err := p.cvInt("expected function id")
	if err != nil {
		return err
	}
	if w, _ := p.ident(); w != "within" {
		p.pos -= len(w)
		return p.errHere("expected 'within' identifier in '%s' directive", name)
	}
	in, err := p.cvInt("expected function id")
	if err != nil {
		return err
	}
	if w, _ := p.ident(); w != "inlined_at" {
		p.pos -= len(w)
		return p.errHere("expected 'inlined_at' identifier in '%s' directive", name)
	}
	file, fileAt, err := p.cvFileNumber("")
	if err != nil {
		return err
	}
	line, err := p.cvInt("expected line number after 'inlined_at'")
	if err != nil {
		return err
	}
	col := int64(0)
	if c := p.peek(); p.class[c]&isDigit != 0 {
		if col, err = p.cvInt(""); err != nil {
			return err
		}
	}
	switch err := p.eol(); {
	case err != nil:
		return err
	case !p.cv.files[file]:
		return errOff(fileAt, "unassigned file number")
	case !p.cv.funcs[in]:
		return errOff(at, "parent function id not introduced by .cv_func_id or .cv_inline_site_id")
	case p.cv.funcs[n]:
		return errOff(at, "function id already allocated")
	}
	p.cv.funcs[n] = true
	p.cvText(".cv_inline_site_id %d within %d inlined_at %d %d %d", n, in, file, line, col)
	return nil
}

func (p *Parser) cvLoc(name string) error {
	p.skip()
	at := p.pos
	fn, err := p.cvInt("expected function id")
	if err != nil {
		return err
	}
	file, fileAt, err := p.cvFileNumber(" in '" + name + "' directive")
	switch {
	case err != nil && p.pos == fileAt:
		return p.errHere("expected file number")
	case err != nil:
		return err
	case !p.cv.files[file]:
		return errOff(fileAt, "unassigned file number in '%s' directive", name)
	case !p.cv.funcs[fn]:
		return errOff(at, "function id not introduced by .cv_func_id or .cv_inline_site_id")
	}
	var place [2]int64 // line and column
	for i := range place {
		c := p.peek()
		if p.class[c]&isDigit == 0 {
			break
		}
		if place[i], err = p.cvInt(""); err != nil {
			return err
		}
	}
	prologue, stmt := "", ""
	for !p.end() {
		p.skip()
		wat := p.pos
		w, ok := p.ident()
		switch {
		case !ok:
			return p.errHere("unexpected token in '%s' directive", name)
		case w == "prologue_end":
			prologue = " prologue_end"
		case w == "is_stmt":
			p.skip()
			vat := p.pos
			t, err := p.expr()
			if err != nil {
				return err
			}
			if t.x != 0 || t.v != 0 && t.v != 1 {
				return errOff(vat, "is_stmt value not 0 or 1")
			}
			if stmt = ""; t.v == 1 {
				stmt = " is_stmt 1"
			}
		default:
			return errOff(wat, "unknown sub-directive in '%s' directive", name)
		}
	}
	p.out.Comment(fmt.Sprintf(":%d:%d", place[0], place[1]))
	p.cvText(".cv_loc\t%d %d %d %d%s%s", fn, file, place[0], place[1], prologue, stmt)
	return nil
}
