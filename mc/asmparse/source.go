package asmparse

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mc"
)

// loc is a place in what was read: the base of a buffer plus an offset in it. 0 is
// none. It is what mc.Context stamps expressions with.
type loc uint32

// buffer is one text: the file, an included one, or what a macro became.
type buffer struct {
	name   string
	src    string
	base   loc // of src[0]
	from   loc // the statement that included or expanded it
	isFile bool
	tag    int // of inline assembly
}

// input is a buffer that is being read.
type input struct {
	buf *buffer
	pos int
	// conds is how many conditions were open when it began.
	conds int
	// line is the number of the line of src[counted:], for -g.
	line, counted int
	// of macros: the name, and what stands in its place at the end of each
	// expansion of a repetition
	macro *macro
}

// maxText bounds what all buffers hold together; places have 32 bits.
const maxText = 1 << 30

// push begins to read a text.
func (p *Parser) push(name, src string, from loc, isFile bool) bool {
	if p.total+len(src) > maxText {
		p.errorAt(from, "the expanded text is larger than 1 GiB")
		p.abort = true
		return false
	}
	b := &buffer{name: name, src: src, base: loc(p.total + 1), from: from, isFile: isFile}
	p.total += len(src) + 1
	p.bufs = append(p.bufs, b)
	p.inputs = append(p.inputs, input{buf: b, conds: len(p.conds), line: 1})
	p.in = &p.inputs[len(p.inputs)-1]
	return true
}

// pop goes back to the text around the current one; false at the end of all.
func (p *Parser) pop() bool {
	if len(p.inputs) == 1 {
		return false
	}
	if p.in.macro != nil {
		p.depth--
	}
	p.inputs = p.inputs[:len(p.inputs)-1]
	p.in = &p.inputs[len(p.inputs)-1]
	return true
}

// at gives the place of an offset of the current statement.
func (p *Parser) at(off int) loc { return p.stmt + loc(off) }

// here is the place where the statement is being read.
func (p *Parser) here() loc { return p.at(p.pos) }

// find gives the buffer of a place.
func (p *Parser) find(l loc) *buffer {
	i := sort.Search(len(p.bufs), func(i int) bool { return p.bufs[i].base > l }) - 1
	if l == 0 || i < 0 {
		return nil
	}
	return p.bufs[i]
}

// hash is what a line marker (# 33 "foo.c") says.
type hash struct {
	buf  *buffer
	line int // number of the marker's line
	as   int // the number it gives the next line
	file string
}

// Classes of bytes in scanning statements.
const (
	inIdent    = 1 << iota // goes on an identifier
	beginIdent             // begins one
	isDigit
	isBlank
	stops // ends a run of bytes that mean nothing to the scanner
)

// classes are those of the assembly language, comments and separators in it.
func classes(a *mc.AsmInfo) (c [256]uint8) {
	for b := 'a'; b <= 'z'; b++ {
		c[b] = inIdent | beginIdent
		c[b-32] = inIdent | beginIdent
	}
	for b := '0'; b <= '9'; b++ {
		c[b] = inIdent | isDigit
	}
	c['_'], c['.'] = inIdent|beginIdent, inIdent|beginIdent
	c['$'], c['?'] = inIdent, inIdent
	if a.Comment[0] != '@' {
		c['@'] = inIdent
	}
	c[' '], c['\t'], c['\v'], c['\f'] = isBlank, isBlank, isBlank, isBlank
	for _, b := range []byte{'\n', '\r', '"', '\'', '/', a.Comment[0]} {
		c[b] |= stops
	}
	if a.Separator != "" {
		c[a.Separator[0]] |= stops
	}
	return c
}

// next finds the next statement of the current text: p.text, with blanks in
// place of comments inside of it. It is false at the end.
func (p *Parser) next() bool {
	in := p.in
	src, i := in.buf.src, in.pos
	lineStart := i == 0 || src[i-1] == '\n' || src[i-1] == '\r' || p.info.Separator != "" && strings.HasSuffix(src[:i], p.info.Separator)
	for i < len(src) && p.class[src[i]]&isBlank != 0 {
		i++
		lineStart = false
	}
	if i >= len(src) {
		in.pos = i
		return false
	}
	if src[i] == '#' {
		end := lineEnd(src, i)
		if lineStart && p.marker(src[i:end], i) || !p.info.NoHashComments {
			p.empty(i)
			in.pos = min(end+1, len(src))
			return true
		}
	}
	start := i
	var patched []byte // a copy without comments
	for i < len(src) {
		c := src[i]
		if p.class[c]&stops == 0 {
			i++
			continue
		}
		switch {
		case c == '\n' || c == '\r':
			p.set(start, i, patched)
			if i++; c == '\r' && i < len(src) && src[i] == '\n' {
				i++
			}
			in.pos = i
			return true
		case c == '"':
			i = p.skipString(src, i)
			continue
		case strings.HasPrefix(src[i:], p.info.Comment), c == '/' && strings.HasPrefix(src[i:], "//"):
			end := lineEnd(src, i)
			p.set(start, i, patched)
			in.pos = min(end+1, len(src))
			return true
		case p.info.Separator != "" && strings.HasPrefix(src[i:], p.info.Separator):
			p.set(start, i, patched)
			in.pos = i + len(p.info.Separator)
			return true
		case c == '/' && strings.HasPrefix(src[i:], "/*"):
			end := strings.Index(src[i+2:], "*/")
			if end < 0 {
				p.set(start, i, patched)
				p.errorAt(in.buf.base+loc(i), "unterminated comment")
				in.pos = len(src)
				return true
			}
			if patched == nil {
				patched = []byte(src[start:])
			}
			for k := i; k < i+4+end; k++ {
				patched[k-start] = ' '
			}
			i += 4 + end
			continue
		case c == '\'':
			i = skipChar(src, i)
			continue
		}
		i++
	}
	p.set(start, i, patched)
	in.pos = i
	return true
}

// set makes src[start:end] the statement.
func (p *Parser) set(start, end int, patched []byte) {
	p.stmt = p.in.buf.base + loc(start)
	p.start = start
	if patched != nil {
		p.text = string(patched[:end-start])
	} else {
		p.text = p.in.buf.src[start:end]
	}
	p.pos = 0
}

func (p *Parser) empty(start int) { p.set(start, start, nil) }

func lineEnd(src string, i int) int {
	if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(src)
}

// skipString finds the end of a string, which may span lines.
func (p *Parser) skipString(src string, i int) int {
	for k := i + 1; k < len(src); k++ {
		switch src[k] {
		case '\\':
			k++
		case '"':
			return k + 1
		}
	}
	return len(src)
}

// skipChar finds the end of a character: 'a', '\n'.
func skipChar(src string, i int) int {
	k := i + 1
	if k < len(src) && src[k] == '\\' {
		k++
	}
	if k < len(src) && src[k] != '\n' {
		k++
	}
	if k < len(src) && src[k] == '\'' {
		k++
	}
	return k
}

// marker notes a line marker of the preprocessor, which begins at offset at.
func (p *Parser) marker(line string, at int) bool {
	f := strings.TrimLeft(line[1:], " \t")
	n := 0
	for n < len(f) && p.class[f[n]]&isDigit != 0 {
		n++
	}
	num, err := strconv.Atoi(f[:n])
	f = strings.TrimLeft(f[n:], " \t")
	if err != nil || f == "" || f[0] != '"' {
		return false
	}
	end := strings.IndexByte(f[1:], '"')
	if end < 0 {
		return false
	}
	p.out.BlankLine()
	if !p.in.buf.isFile {
		return true
	}
	if p.line.debug.first == "" {
		p.line.debug.first = f[1 : 1+end]
	}
	if num == 0 {
		p.hash = hash{}
		return true
	}
	no, _, _ := diag.Locate([]byte(p.in.buf.src[:at]), at)
	p.hash = hash{p.in.buf, no, num, f[1 : 1+end]}
	return true
}

// lineOf gives the number of the line of the current statement in its text.
func (p *Parser) lineOf() int {
	in := p.in
	if in.counted > p.start {
		in.line, in.counted = 1, 0
	}
	in.line += bytes.Count([]byte(in.buf.src[in.counted:p.start]), []byte{'\n'})
	in.counted = p.start
	return in.line
}
