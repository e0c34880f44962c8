package asmparse

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mc"
)

// errHere makes an error of the place where the statement is being read.
func (p *Parser) errHere(format string, args ...any) error {
	p.skip()
	return errOff(p.pos, format, args...)
}

// errOff makes an error of an offset in the statement.
func errOff(off int, format string, args ...any) error {
	return &mc.ParseError{Start: off, End: off, Msg: fmt.Sprintf(format, args...)}
}

// fail shows an error of the current statement.
func (p *Parser) fail(err error) {
	var at *mc.SourceError
	if errors.As(err, &at) {
		p.errorAt(loc(at.Loc), "%s", at.Msg)
		return
	}
	var e *mc.ParseError
	if !errors.As(err, &e) {
		p.errorAt(p.stmt, "%s", err.Error())
		return
	}
	p.report(diag.Error, p.at(e.Start), e.End-e.Start, e.Msg)
	for i := range e.Notes {
		n := &e.Notes[i]
		p.report(diag.Note, p.at(n.Start), n.End-n.Start, n.Msg)
	}
	p.instantiations()
	for i := range e.More {
		p.fail(&e.More[i])
	}
}

// errorAt shows an error of a place.
func (p *Parser) errorAt(l loc, format string, args ...any) {
	p.report(diag.Error, l, 0, fmt.Sprintf(format, args...))
	p.instantiations()
}

// warnAt shows a warning.
func (p *Parser) warnAt(l loc, width int, format string, args ...any) {
	switch {
	case p.opts.NoWarn:
		return
	case p.opts.FatalWarnings:
		p.report(diag.Error, l, width, fmt.Sprintf(format, args...))
	default:
		p.report(diag.Warning, l, width, fmt.Sprintf(format, args...))
	}
	p.instantiations()
}

// Failed reports whether an error has been shown.
func (p *Parser) Failed() bool { return p.failed || p.wrong }

// mistake shows an error of a place behind which the object is made nevertheless, so that its
// errors are shown, too.
func (p *Parser) mistake(l loc, format string, args ...any) {
	failed := p.failed
	p.errorAt(l, format, args...)
	p.failed, p.wrong = failed, true
}

// Report shows errors that a streamer had behind the text's end, each at the expression it is
// about.
func (p *Parser) Report(err error) {
	if err == nil {
		return
	}
	if m, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range m.Unwrap() {
			p.Report(e)
		}
		return
	}
	var s *mc.SourceError
	if errors.As(err, &s) {
		p.report(diag.Error, loc(s.Loc), 0, s.Msg)
		return
	}
	p.report(diag.Error, 0, 0, err.Error())
}

// instantiations says in which macros the current statement stands.
func (p *Parser) instantiations() {
	for k := len(p.inputs) - 1; k > 0; k-- {
		if b := p.inputs[k].buf; !b.isFile {
			p.report(diag.Note, b.from, 0, "while in macro instantiation")
		}
	}
}

// report shows a diagnostic of width columns.
func (p *Parser) report(s diag.Severity, l loc, width int, msg string) {
	if s == diag.Error {
		p.failed = true
	}
	if p.opts.Report == nil {
		return
	}
	b := p.find(l)
	if b == nil {
		p.tag = 0
		p.opts.Report(&diag.Diagnostic{File: "<unknown>:0", Severity: s, Msg: msg})
		return
	}
	line, col, text := diag.Locate([]byte(b.src), int(l-b.base))
	d := &diag.Diagnostic{File: b.name, Line: line, Col: col, Width: width, Severity: s, Msg: msg, Source: text, ShowEmpty: true}
	p.tag = b.tag
	if h := p.hash; b == h.buf && line > h.line {
		d.File, d.Line = h.file, h.as+line-h.line-1
	}
	if b.isFile && b.from != 0 {
		d.Before = p.includedFrom(b)
	}
	p.opts.Report(d)
}

// includedFrom lists the files around an included one, outermost first.
func (p *Parser) includedFrom(b *buffer) string {
	var lines []string
	for b.from != 0 {
		l := b.from
		if b = p.find(l); b == nil {
			break
		}
		n, _, _ := diag.Locate([]byte(b.src), int(l-b.base))
		lines = append(lines, fmt.Sprintf("Included from %s:%d:\n", b.name, n))
	}
	var s strings.Builder
	for k := len(lines) - 1; k >= 0; k-- {
		s.WriteString(lines[k])
	}
	return s.String()
}
