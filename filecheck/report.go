package filecheck

import (
	"bytes"
	"sort"
	"strconv"
	"strings"
)

// source is a text that messages point into.
type source struct {
	name  string
	text  string
	lines []int // offsets of line starts, made on demand
}

// span is a range of a source.
type span struct {
	src        *source
	start, end int
}

// lineCol returns the 1-based line and column of an offset.
func (s *source) lineCol(off int) (line, col int) {
	if s.lines == nil {
		s.lines = append(s.lines, 0)
		for k := range len(s.text) {
			if s.text[k] == '\n' {
				s.lines = append(s.lines, k+1)
			}
		}
	}
	line = sort.SearchInts(s.lines, off+1)
	return line, off - s.lines[line-1] + 1
}

// line returns the text of a line without its end.
func (s *source) line(n int) string {
	t := s.text[s.lines[n-1]:]
	if k := strings.IndexAny(t, "\r\n"); k >= 0 {
		t = t[:k]
	}
	return t
}

// srcError is a fault of the check file or the command line's definitions.
type srcError struct {
	at      span
	msg     string
	numeric bool // reported through the expression parser, which ends with an empty line
	fatal   bool // exit status 1, as LLVM leaves at once
	color   bool
}

func errAt(src *source, off int, msg string) *srcError {
	return &srcError{at: span{src, off, off}, msg: msg}
}

// Error returns the whole report: message, source line and caret.
func (e *srcError) Error() string {
	r := reporter{color: e.color}
	r.print("error", e.at, e.msg)
	if e.numeric {
		r.buf.WriteByte('\n')
	}
	return r.buf.String()
}

// reporter prints messages with the source line and a caret.
type reporter struct {
	buf   bytes.Buffer
	color bool
}

// The terminal's escape codes that LLVM uses.
const (
	colorReset = "\x1b[0m"
	colorBold  = "\x1b[1m"
)

func severityColor(severity string) string {
	switch severity {
	case "error":
		return "\x1b[0;1;31m"
	case "remark":
		return "\x1b[0;1;34m"
	}
	return "\x1b[0;1;30m"
}

func (r *reporter) print(severity string, at span, msg string) {
	line, col := at.src.lineCol(at.start)
	b := &r.buf
	place := at.src.name + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(col) + ": "
	if r.color {
		b.WriteString(colorBold + place + colorReset + severityColor(severity) + severity + ": " + colorReset + colorBold + msg + "\n" + colorReset)
	} else {
		b.WriteString(place + severity + ": " + msg + "\n")
	}
	text := at.src.line(line)
	marks := bytes.Repeat([]byte{' '}, max(len(text), col)+1)
	for k := col - 1; k < min(col-1+at.end-at.start, len(text)); k++ {
		marks[k] = '~'
	}
	marks[col-1] = '^'
	marks = bytes.TrimRight(marks, " ")
	for k := range len(text) {
		if text[k] >= 0x80 { // columns of the terminal are not bytes here
			b.WriteString(text + "\n")
			return
		}
	}
	var shown, under []byte
	for k := 0; k < max(len(text), len(marks)); k++ {
		tab := k < len(text) && text[k] == '\t'
		for {
			if k < len(text) {
				if tab {
					shown = append(shown, ' ')
				} else {
					shown = append(shown, text[k])
				}
			}
			if k < len(marks) {
				under = append(under, marks[k])
			}
			if !tab || len(shown)%8 == 0 {
				break
			}
		}
	}
	b.Write(shown)
	b.WriteByte('\n')
	if r.color {
		b.WriteString("\x1b[0;1;32m")
	}
	b.Write(under)
	b.WriteByte('\n')
	if r.color {
		b.WriteString(colorReset)
	}
}

// resultKind says what became of a search.
type resultKind uint8

const (
	foundExpected resultKind = iota
	foundExcluded
	foundWrongLine
	foundDiscarded
	noneExcluded
	noneExpected
	noneInvalid
	foundFuzzy
)

// result is one row of the input dump's annotations.
type result struct {
	kind  checkKind
	count int
	check span // where the directive's pattern is written
	what  resultKind
	input span
	note  string
}
