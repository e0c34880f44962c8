package diag

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// Severity ranks a diagnostic.
type Severity uint8

// The severities, in LLVM's words when printed.
const (
	Error Severity = iota
	Warning
	Note
	Remark
)

var severityNames = [...]string{"error", "warning", "note", "remark"}

// String returns LLVM's word for the severity.
func (s Severity) String() string { return severityNames[s] }

// Diagnostic is one message about one place of a source file. Line and Col
// count from 1; Line 0 means that no place is known, Col 0 that only the line is.
type Diagnostic struct {
	File     string
	Line     int
	Col      int
	Severity Severity
	Msg      string
	// Source is the text of the line, without its line end; empty prints no
	// source and no caret.
	Source string
	// Width, where it is more than 1, underlines so many columns behind the caret.
	Width int
	// ShowEmpty prints source and caret of an empty line, too.
	ShowEmpty bool
	// Before is text that is printed before the message: which file included this one.
	Before string
	// WordFirst puts the severity before the place, as LLVM's reader of Machine IR does.
	WordFirst bool
}

// At makes an error for byte offset off of src.
// An offset past the end is moved to the end.
func At(file string, src []byte, off int, msg string) *Diagnostic {
	line, col, text := Locate(src, off)
	return &Diagnostic{File: file, Line: line, Col: col, Msg: msg, Source: text}
}

// Locate returns the 1-based line and column (in bytes) of offset off and the
// text of that line without its line end.
func Locate(src []byte, off int) (line, col int, text string) {
	off = min(max(off, 0), len(src))
	line = 1 + bytes.Count(src[:off], []byte{'\n'})
	start := bytes.LastIndexByte(src[:off], '\n') + 1
	end := len(src)
	if i := bytes.IndexByte(src[off:], '\n'); i >= 0 {
		end = off + i
	}
	return line, off - start + 1, strings.TrimSuffix(string(src[start:end]), "\r")
}

// Error returns the first line of the printed form: file:line:col: error: msg.
func (d *Diagnostic) Error() string { return string(d.appendHead(nil)) }

func (d *Diagnostic) appendHead(b []byte) []byte {
	if d.WordFirst {
		b = append(b, d.Severity.String()...)
		b = append(b, ": "...)
	}
	if d.File != "" {
		b = append(b, d.File...)
		b = append(b, ':')
	}
	if d.Line > 0 {
		b = strconv.AppendInt(b, int64(d.Line), 10)
		b = append(b, ':')
		if d.Col > 0 {
			b = strconv.AppendInt(b, int64(d.Col), 10)
			b = append(b, ':')
		}
	}
	if d.File != "" || d.Line > 0 {
		b = append(b, ' ')
	}
	if !d.WordFirst {
		b = append(b, d.Severity.String()...)
		b = append(b, ": "...)
	}
	return append(b, d.Msg...)
}

// AppendText appends the whole printed form: head, source line, caret line.
func (d *Diagnostic) AppendText(b []byte) []byte {
	b = d.appendHead(append(b, d.Before...))
	b = append(b, '\n')
	if d.Source == "" && !d.ShowEmpty || d.Line == 0 {
		return b
	}
	if d.Col == 0 {
		return append(appendExpanded(b, d.Source, nil), '\n')
	}
	marks := make([]byte, max(len(d.Source), d.Col))
	for i := range marks {
		switch {
		case i == d.Col-1:
			marks[i] = '^'
		case i >= d.Col && i < d.Col-1+d.Width && i < len(d.Source):
			marks[i] = '~'
		default:
			marks[i] = ' '
		}
	}
	for n := len(marks); n > d.Col && marks[n-1] == ' '; n-- {
		marks = marks[:n-1]
	}
	b = append(appendExpanded(b, d.Source, nil), '\n')
	return append(appendExpanded(b, string(marks), []byte(d.Source)), '\n')
}

// appendExpanded appends a line with blanks up to the next multiple of 8 columns in the place of
// tabs; where is the line whose tabs count, nil for text itself. A mark on a tab goes on.
func appendExpanded(b []byte, text string, where []byte) []byte {
	const stop = 8
	col := 0
	for i := range len(text) {
		tab := text[i] == '\t'
		if where != nil {
			tab = i < len(where) && where[i] == '\t'
		}
		if !tab {
			b = append(b, text[i])
			col++
			continue
		}
		for {
			c := byte(' ')
			if where != nil {
				c = text[i]
			}
			b = append(b, c)
			if col++; col%stop == 0 || c == '^' {
				break
			}
		}
		for ; col%stop != 0; col++ {
			b = append(b, ' ')
		}
	}
	return b
}

// List is several diagnostics as one error.
type List []*Diagnostic

// Error joins the heads, one a line.
func (l List) Error() string {
	var b []byte
	for i, d := range l {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, d.Error()...)
	}
	return string(b)
}

// Err returns l as an error, nil when it is empty.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// AppendError appends the printed form of any error: diagnostics with source
// and caret, other errors as "PROGRAM: error: text".
func AppendError(b []byte, program string, err error) []byte {
	var l List
	var d *Diagnostic
	switch {
	case errors.As(err, &l):
		for _, d := range l {
			b = d.AppendText(b)
		}
		return b
	case errors.As(err, &d):
		return d.AppendText(b)
	}
	b = append(b, program...)
	b = append(b, ": error: "...)
	b = append(b, err.Error()...)
	return append(b, '\n')
}
