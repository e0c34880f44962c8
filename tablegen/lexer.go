package tablegen

import (
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// maxIncludeDepth bounds how deep files include each other.
const maxIncludeDepth = 200

// sourceFile is one file that was read.
type sourceFile struct {
	name string
	src  string
	by   Loc // the include statement
	// lines are the offsets of the lines, made when first asked for.
	lines []int32
}

// lexer turns the bytes of a file, and of the files it includes, into tokens.
type lexer struct {
	rs    *Records
	src   string
	pos   int
	file  int32
	stack []lexState // files that include this one
	conds []condState
	// condBase is the number of conds that belong to the including files.
	condBase int
	macros   map[string]bool
	prevEnd  int32
	errorAt  int  // where the last error of a directive was
	bad      bool // an error was reported in the token at hand
}

type lexState struct {
	src      string
	pos      int
	file     int32
	condBase int
}

// condState is one #ifdef or #ifndef that is not yet closed.
type condState struct {
	live   bool // the text at hand is to be read
	inElse bool
	off    int
}

func (lx *lexer) fail(off int, msg string) {
	lx.rs.ev.softError(Loc{lx.file, int32(off)}, msg)
	lx.bad, lx.errorAt = true, off
}

// open starts reading a file.
func (lx *lexer) open(name, src string, by Loc) {
	lx.rs.files = append(lx.rs.files, sourceFile{name: name, src: src, by: by})
	lx.src, lx.pos, lx.file = src, 0, int32(len(lx.rs.files)-1)
	lx.condBase = len(lx.conds)
}

// include reads the file that an include statement at off names.
func (lx *lexer) include(name string, off int) {
	if len(lx.stack) >= maxIncludeDepth {
		lx.fail(off, "includes are nested too deep")
		return
	}
	src, full, err := lx.find(name)
	if err != nil {
		msg := "could not find include file '" + name + "'"
		if !errors.Is(err, fs.ErrNotExist) {
			msg += ": " + err.Error()
		}
		lx.fail(off, msg)
		return
	}
	if len(src) > 1<<30 {
		lx.fail(off, "include file '"+name+"' is too large")
		return
	}
	by := Loc{lx.file, int32(off)}
	lx.stack = append(lx.stack, lexState{lx.src, lx.pos, lx.file, lx.condBase})
	lx.open(full, string(src), by)
}

func (lx *lexer) find(name string) ([]byte, string, error) {
	read := lx.rs.opts.ReadFile
	if read == nil {
		return nil, "", fs.ErrNotExist
	}
	src, err := read(name)
	if err == nil {
		return src, name, nil
	}
	for _, d := range lx.rs.opts.IncludeDirs {
		if p := path.Join(d, name); !path.IsAbs(name) {
			if src, e := read(p); e == nil {
				return src, p, nil
			}
		}
	}
	return nil, "", err
}

// next scans the next token into t; tokError, which no statement takes, after
// an error in its text, tokEOF for ever once reading has failed.
func (lx *lexer) next(t *token) {
	lx.scan(t)
	if lx.bad {
		lx.bad = false
		t.kind = tokError
	}
}

func (lx *lexer) scan(t *token) {
	lx.prevEnd = int32(lx.pos)
	for {
		if lx.rs.ev.failed {
			t.kind, t.off = tokEOF, int32(lx.pos)
			return
		}
		src := lx.src
		if lx.pos >= len(src) {
			if !lx.endOfFile() {
				t.kind, t.off, t.text = tokEOF, int32(lx.pos), ""
				return
			}
			continue
		}
		start := lx.pos
		t.off = int32(start)
		c := src[start]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			lx.pos++
			continue
		case c == '/':
			if lx.comment() {
				continue
			}
			return
		case isAlpha(c):
			end := start + 1
			for end < len(src) && (isAlpha(src[end]) || isDigit(src[end])) {
				end++
			}
			lx.pos = end
			t.text = src[start:end]
			t.kind = keyword(t.text)
			if t.kind == tokInclude {
				if lx.includeStatement(t); lx.bad {
					return
				}
				continue
			}
			return
		case isDigit(c):
			lx.number(t)
			return
		case c == '#':
			if d := lx.directive(); d != "" {
				if lx.preprocess(d); lx.bad {
					t.off = int32(lx.errorAt)
					return
				}
				continue
			}
			lx.pos++
			t.kind = tokPaste
			return
		}
		lx.punctuation(t, c)
		return
	}
}

func isAlpha(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// endOfFile goes on with the including file; false at the very end.
func (lx *lexer) endOfFile() bool {
	if len(lx.conds) > lx.condBase {
		lx.unclosed()
		return false
	}
	n := len(lx.stack)
	if n == 0 {
		return false
	}
	s := lx.stack[n-1]
	lx.stack = lx.stack[:n-1]
	lx.src, lx.pos, lx.file, lx.condBase = s.src, s.pos, s.file, s.condBase
	return true
}

// unclosed reports a missing #endif.
func (lx *lexer) unclosed() {
	ev := lx.rs.ev
	if ev.failed {
		return
	}
	ev.softError(Loc{lx.file, int32(len(lx.src))}, "reached EOF without matching #endif")
	ev.softError(Loc{lx.file, int32(lx.conds[len(lx.conds)-1].off)}, "the latest preprocessor control is here")
	lx.bad, lx.errorAt = true, len(lx.src)
	lx.conds = lx.conds[:lx.condBase]
}

// includeStatement reads what follows the word include and opens the file.
func (lx *lexer) includeStatement(t *token) {
	off := int(t.off)
	lx.scan(t)
	if t.kind != tokString {
		lx.fail(off, "expected filename after include")
		return
	}
	lx.include(t.text, int(t.off))
}

// comment skips the comment at the cursor.
func (lx *lexer) comment() bool {
	rest := lx.src[lx.pos:]
	switch {
	case strings.HasPrefix(rest, "//"):
		n := strings.IndexAny(rest, "\n\r")
		if n < 0 {
			n = len(rest)
		}
		lx.pos += n
		return true
	case strings.HasPrefix(rest, "/*"):
		return lx.blockComment()
	}
	lx.fail(lx.pos, "unexpected character")
	return false
}

// blockComment skips a /* … */ comment; they nest.
func (lx *lexer) blockComment() bool {
	start := lx.pos
	i, depth := lx.pos+2, 1
	for {
		n := strings.IndexAny(lx.src[i:], "/*")
		if n < 0 || i+n+1 >= len(lx.src) {
			lx.pos = len(lx.src)
			lx.fail(start, "unterminated comment")
			return false
		}
		i += n
		switch lx.src[i : i+2] {
		case "*/":
			i += 2
			if depth--; depth == 0 {
				lx.pos = i
				return true
			}
		case "/*":
			i += 2
			depth++
		default:
			i++
		}
	}
}

// number scans an integer, or an identifier that begins with digits.
func (lx *lexer) number(t *token) {
	src, start := lx.src, lx.pos
	end := start
	for end < len(src) && isDigit(src[end]) {
		end++
	}
	// 0x12 and 0b01 are numbers, 0xyz and 4X are identifiers.
	if end == start+1 && src[start] == '0' && end+1 < len(src) {
		switch src[end] {
		case 'b':
			if isBin(src[end+1]) {
				lx.binary(t, end+1)
				return
			}
		case 'x':
			if isHex(src[end+1]) {
				lx.hex(t, end+1)
				return
			}
		}
	}
	if end < len(src) && isAlpha(src[end]) {
		for end < len(src) && (isAlpha(src[end]) || isDigit(src[end])) {
			end++
		}
		lx.pos = end
		t.kind, t.text = tokID, src[start:end]
		return
	}
	lx.decimal(t, start, end)
}

func isBin(c byte) bool { return c == '0' || c == '1' }

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func (lx *lexer) decimal(t *token, start, end int) {
	lx.pos = end
	t.kind, t.text = tokInt, lx.src[start:end]
	v, err := strconv.ParseInt(t.text, 10, 64)
	if err != nil {
		// Values above the signed range are taken as their bit pattern.
		u, err := strconv.ParseUint(t.text, 10, 64)
		if err != nil {
			lx.fail(start, "number out of range")
		}
		v = int64(u)
	}
	t.num = v
}

func (lx *lexer) binary(t *token, digits int) {
	end := digits
	for end < len(lx.src) && isBin(lx.src[end]) {
		end++
	}
	lx.pos = end
	t.kind, t.text = tokBinInt, lx.src[digits:end]
	v, err := strconv.ParseUint(t.text, 2, 64)
	if err != nil {
		lx.fail(digits-2, "number out of range")
	}
	t.num, t.width = int64(v), int32(end-digits)
}

func (lx *lexer) hex(t *token, digits int) {
	end := digits
	for end < len(lx.src) && isHex(lx.src[end]) {
		end++
	}
	lx.pos = end
	t.kind, t.text = tokInt, lx.src[digits:end]
	v, err := strconv.ParseUint(t.text, 16, 64)
	if err != nil {
		lx.fail(digits-2, "number out of range")
	}
	t.num = int64(v)
}

var punctKinds = [128]tokenKind{
	']': tokRSquare, '{': tokLBrace, '}': tokRBrace, '(': tokLParen, ')': tokRParen,
	'<': tokLess, '>': tokGreater, ':': tokColon, ';': tokSemi, ',': tokComma,
	'=': tokEqual, '?': tokQuestion,
}

func (lx *lexer) punctuation(t *token, c byte) {
	src, start := lx.src, lx.pos
	if c < 128 && punctKinds[c] != 0 {
		lx.pos++
		t.kind = punctKinds[c]
		return
	}
	var c1 byte
	if start+1 < len(src) {
		c1 = src[start+1]
	}
	switch c {
	case '-', '+':
		if isDigit(c1) {
			end := start + 1
			for end < len(src) && isDigit(src[end]) {
				end++
			}
			lx.decimal(t, start, end)
			return
		}
		lx.pos++
		t.kind = tokMinus
		if c == '+' {
			t.kind = tokPlus
		}
	case '.':
		switch {
		case c1 == '.' && start+2 < len(src) && src[start+2] == '.':
			lx.pos += 3
			t.kind = tokDotDotDot
		case c1 == '.':
			lx.fail(start, "invalid '..' punctuation")
		default:
			lx.pos++
			t.kind = tokDot
		}
	case '"':
		lx.str(t)
	case '$':
		end := start + 1
		if end >= len(src) || !isAlpha(src[end]) {
			lx.fail(start, "unexpected character")
			t.kind = tokEOF
			return
		}
		for end < len(src) && (isAlpha(src[end]) || isDigit(src[end])) {
			end++
		}
		lx.pos = end
		t.kind, t.text = tokVarName, src[start+1:end]
	case '[':
		lx.pos++
		t.kind = tokLSquare
		if c1 == '{' {
			lx.code(t)
		}
	case '!':
		lx.bang(t)
	default:
		lx.fail(start, "unexpected character")
		t.kind = tokEOF
	}
}

func (lx *lexer) str(t *token) {
	src, start := lx.src, lx.pos
	end := start + 1
	escaped := false
	for {
		if end >= len(src) {
			lx.fail(start+1, "end of file in string literal")
			t.kind = tokEOF
			return
		}
		c := src[end]
		if c == '"' {
			break
		}
		if c == '\n' || c == '\r' {
			lx.fail(start+1, "end of line in string literal")
			t.kind = tokEOF
			return
		}
		if c == '\\' {
			escaped = true
			end++
			if end < len(src) && strings.IndexByte(`\'"tn`, src[end]) < 0 {
				if src[end] == '\n' || src[end] == '\r' {
					lx.fail(end, "escaped newlines not supported in tblgen")
				} else {
					lx.fail(end, "invalid escape in string literal")
				}
				t.kind = tokEOF
				return
			}
		}
		end++
	}
	lx.pos = end + 1
	t.kind, t.text = tokString, src[start+1:end]
	if escaped {
		t.text = unescape(t.text)
	}
}

func unescape(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && i+1 < len(s) {
			i++
			switch c = s[i]; c {
			case 't':
				c = '\t'
			case 'n':
				c = '\n'
			}
		}
		b = append(b, c)
	}
	return string(b)
}

func (lx *lexer) code(t *token) {
	start := lx.pos + 1
	n := strings.Index(lx.src[start:], "}]")
	if n < 0 {
		lx.fail(lx.pos-1, "unterminated code block")
		t.kind = tokEOF
		return
	}
	t.kind, t.text = tokCode, lx.src[start:start+n]
	lx.pos = start + n + 2
}

func (lx *lexer) bang(t *token) {
	src, start := lx.src, lx.pos
	end := start + 1
	for end < len(src) && src[end]|0x20 >= 'a' && src[end]|0x20 <= 'z' {
		end++
	}
	if end == start+1 {
		lx.fail(start, "invalid \"!operator\"")
		t.kind = tokEOF
		return
	}
	op := opByName(src[start+1 : end])
	if op == opNone {
		lx.fail(start, "unknown operator")
		t.kind = tokEOF
		return
	}
	lx.pos = end
	t.kind, t.op, t.text = tokOp, op, src[start:end]
}
