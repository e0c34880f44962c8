package irtext

import "strings"

// kind is the kind of a token. Tokens of one character have that character as their kind.
type kind uint8

const (
	tEOF kind = iota
	tError
	tWord     // keyword, opcode, type name
	tLabel    // name: (the text is without the colon)
	tLocal    // %name
	tLocalID  // %12
	tGlobal   // @name
	tGlobalID // @12
	tComdat   // $name
	tMDName   // !name
	tAttrGrp  // #12
	tHash     // #dbg_value
	tSummary  // ^12
	tInt      // 12, -3
	tHexInt   // u0x1F, s0x1F
	tFloat    // 1.5e3
	tHexFP    // 0x…, 0xK…, 0xL…, 0xM…, 0xH…, 0xR…
	tString   // "…"
	tDots     // ...
)

// Classes of bytes.
const (
	cLabel = 1 << iota // may stand in a name or label
	cWord              // may stand in a keyword
	cDigit
	cSpace
	cHex
)

var class = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= cLabel | cWord
		t[c-32] |= cLabel | cWord
	}
	for c := '0'; c <= '9'; c++ {
		t[c] |= cLabel | cWord | cDigit | cHex
	}
	for c := 'a'; c <= 'f'; c++ {
		t[c] |= cHex
		t[c-32] |= cHex
	}
	t['_'] |= cLabel | cWord
	for _, c := range "-$." {
		t[c] |= cLabel
	}
	for _, c := range " \t\r\n\x00" {
		t[c] |= cSpace
	}
	return
}()

// lexer cuts the source into tokens. The current token is tok, its text
// src[ts:te] without sigil, quotes or colon; off is where it begins.
type lexer struct {
	src     string
	pos     int // after the current token; tokens behind src are tEOF
	tok     kind
	off     int
	ts, te  int
	num     uint64 // tLocalID, tGlobalID, tAttrGrp, tSummary, numeric tLabel; tInt without sign
	neg     bool   // tInt
	big     bool   // tInt beyond 64 bits: see the text
	quoted  bool   // the name or label stood in quotes
	esc     bool   // the text has \xx escapes
	lexErr  string
	prev    int // end of the token before the current one
	prevOff int // beginning of it
}

func (l *lexer) text() string { return l.src[l.ts:l.te] }

// at returns the byte at i, 0 past the end.
func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

func (l *lexer) fail(off int, msg string) {
	l.tok, l.lexErr, l.off = tError, msg, off
	l.ts, l.te, l.pos = off, off, len(l.src)
}

// next reads the next token.
func (l *lexer) next() {
	src, i := l.src, l.pos
	l.prev, l.prevOff = i, l.off
again:
	for {
		if uint(i) >= uint(len(src)) {
			l.tok, l.off, l.ts, l.te, l.pos = tEOF, i, i, i, i
			return
		}
		if c := src[i]; c > ' ' || class[c]&cSpace == 0 {
			break
		}
		i++
	}
	c := src[i]
	l.off, l.ts = i, i
	if class[c]&cWord != 0 && class[c]&cDigit == 0 {
		l.word(i)
		return
	}
	switch c {
	case ';':
		n := strings.IndexByte(src[i:], '\n')
		if n < 0 {
			n = len(src) - i
		}
		i += n
		goto again
	case '/':
		if i+1 < len(src) && src[i+1] == '*' {
			j := i + 2
			for ; j+1 < len(src); j++ {
				if src[j] == '*' && src[j+1] == '/' {
					i = j + 2
					goto again
				}
			}
			l.fail(i, "unterminated comment")
			return
		}
		l.tok, l.te, l.pos = tError, i, i+1
	case '%':
		l.name(i, tLocal, tLocalID)
	case '@':
		l.name(i, tGlobal, tGlobalID)
	case '$':
		if n := i + 1; n < len(src) && src[n] == '"' {
			l.name(i, tComdat, tError)
			return
		}
		if l.labelAt(i) {
			return
		}
		l.name(i, tComdat, tError)
	case '!':
		j := i + 1
		if j < len(src) && (class[src[j]]&cLabel != 0 && class[src[j]]&cDigit == 0 || src[j] == '\\') {
			for j < len(src) && (class[src[j]]&cLabel != 0 || src[j] == '\\') {
				l.esc = l.esc || src[j] == '\\'
				j++
			}
			l.tok, l.ts, l.te, l.pos, l.quoted = tMDName, i+1, j, j, false
			l.esc = false
			for k := i + 1; k < j; k++ {
				if src[k] == '\\' {
					l.esc = true
				}
			}
			return
		}
		l.tok, l.te, l.pos = '!', i, j
	case '#':
		j := i + 1
		if j < len(src) && class[src[j]]&cDigit != 0 {
			l.number(j)
			l.tok = tAttrGrp
			return
		}
		if j < len(src) && class[src[j]]&cWord != 0 {
			for j < len(src) && class[src[j]]&cWord != 0 {
				j++
			}
			l.tok, l.ts, l.te, l.pos = tHash, i+1, j, j
			return
		}
		l.tok, l.te, l.pos = '#', i, j
	case '^':
		j := i + 1
		if j < len(src) && class[src[j]]&cDigit != 0 {
			l.number(j)
			l.tok = tSummary
			return
		}
		l.tok, l.te, l.pos = tError, i, j
	case '"':
		l.quote(i)
	case '.':
		if i+2 < len(src) && src[i+1] == '.' && src[i+2] == '.' && !(i+3 < len(src) && class[src[i+3]]&cLabel != 0 && l.colonAfter(i)) {
			l.tok, l.te, l.pos = tDots, i, i+3
			return
		}
		if l.labelAt(i) {
			return
		}
		l.tok, l.te, l.pos = tError, i, i+1
	case '-', '+':
		l.digits(i)
	default:
		if class[c]&cDigit != 0 {
			l.digits(i)
			return
		}
		l.tok, l.te, l.pos = kind(c), i, i+1
		if c >= 127 || c < 32 {
			l.tok = tError
		}
	}
}

// word reads a keyword or a label that begins like one.
func (l *lexer) word(i int) {
	src := l.src
	j := i + 1
	for j < len(src) && class[src[j]]&cWord != 0 {
		j++
	}
	if j < len(src) && (src[j] == ':' || class[src[j]]&cLabel != 0) {
		k := j
		for k < len(src) && class[src[k]]&cLabel != 0 {
			k++
		}
		if k < len(src) && src[k] == ':' {
			l.tok, l.te, l.pos, l.quoted, l.esc, l.num = tLabel, k, k+1, false, false, noNumber
			return
		}
	}
	// s0x and u0x begin hexadecimal integers.
	if j > i+3 && src[i+1] == '0' && src[i+2] == 'x' && (src[i] == 'u' || src[i] == 's') {
		l.tok, l.te, l.pos = tHexInt, j, j
		return
	}
	l.tok, l.te, l.pos = tWord, j, j
}

const noNumber = ^uint64(0)

func (l *lexer) colonAfter(i int) bool {
	for i < len(l.src) && class[l.src[i]]&cLabel != 0 {
		i++
	}
	return i < len(l.src) && l.src[i] == ':'
}

// labelAt reads a label whose first character is not that of a keyword.
func (l *lexer) labelAt(i int) bool {
	j := i
	for j < len(l.src) && class[l.src[j]]&cLabel != 0 {
		j++
	}
	if j >= len(l.src) || l.src[j] != ':' {
		return false
	}
	l.tok, l.ts, l.te, l.pos, l.quoted, l.esc, l.num = tLabel, i, j, j+1, false, false, noNumber
	return true
}

// name reads %x, %12, %"x".
func (l *lexer) name(i int, named, numbered kind) {
	src := l.src
	j := i + 1
	if j >= len(src) {
		l.tok, l.te, l.pos = tError, j, j
		return
	}
	switch c := src[j]; {
	case class[c]&cDigit != 0 && numbered != tError:
		l.number(j)
		if l.tok != tError {
			l.tok = numbered
		}
	case class[c]&cLabel != 0:
		for j < len(src) && class[src[j]]&cLabel != 0 {
			j++
		}
		l.tok, l.ts, l.te, l.pos, l.quoted, l.esc = named, i+1, j, j, false, false
	case c == '"':
		if !l.stringAt(j) {
			l.fail(i, "end of file in "+map[byte]string{'%': "global", '@': "global", '$': "COMDAT"}[src[i]]+" variable name")
			return
		}
		l.tok, l.quoted, l.off = named, true, i
		for k := l.ts; k < l.te; k++ {
			if src[k] == 0 {
				l.fail(i, "NUL character is not allowed in names")
				return
			}
		}
		if l.esc || l.te == l.ts {
			for k := l.ts; k+2 < l.te; k++ {
				if src[k] == '\\' && src[k+1] == '0' && src[k+2] == '0' {
					l.fail(i, "NUL character is not allowed in names")
					return
				}
			}
		}
	default:
		l.tok, l.te, l.pos = tError, j, j
	}
}

// number reads an unsigned 32-bit number at j.
func (l *lexer) number(j int) {
	src := l.src
	n, b := uint64(0), j
	for j < len(src) && class[src[j]]&cDigit != 0 {
		n = n*10 + uint64(src[j]-'0')
		if n > 1<<32-1 {
			l.fail(l.off, "invalid value number (too large)")
			return
		}
		j++
	}
	l.tok, l.num, l.ts, l.te, l.pos, l.quoted, l.esc = tInt, n, b, j, j, false, false
}

// stringAt reads a quoted run; false when the closing quote is missing.
func (l *lexer) stringAt(i int) bool {
	src := l.src
	l.esc = false
	j := i + 1
	for j < len(src) && src[j] != '"' {
		if src[j] == '\\' {
			l.esc = true
		}
		j++
	}
	if j >= len(src) {
		return false
	}
	l.ts, l.te, l.pos = i+1, j, j+1
	return true
}

func (l *lexer) quote(i int) {
	if !l.stringAt(i) {
		l.fail(i, "end of file in string constant")
		return
	}
	l.tok = tString
	if l.at(l.pos) == ':' {
		l.tok, l.quoted, l.num = tLabel, true, noNumber
		l.pos++
	}
}

// digits reads an integer, a floating-point number or a numeric label.
func (l *lexer) digits(i int) {
	src := l.src
	j := i
	l.neg = src[j] == '-'
	if src[j] == '-' || src[j] == '+' {
		j++
		if j >= len(src) || class[src[j]]&cDigit == 0 {
			if src[i] == '-' && l.labelAt(i) {
				return
			}
			l.tok, l.te, l.pos = tError, j, j
			return
		}
	}
	d := j
	n, big := uint64(0), false
	for j < len(src) && class[src[j]]&cDigit != 0 {
		c := uint64(src[j] - '0')
		if n > (1<<64-1)/10 || n*10 > 1<<64-1-c {
			big = true
		}
		n = n*10 + c
		j++
	}
	if j < len(src) && class[src[j]]&cLabel != 0 || j < len(src) && src[j] == ':' {
		if src[i] != '+' && l.labelAt(i) {
			if l.te == j && d == i && !big && n < 1<<32 {
				l.num = n
			}
			return
		}
		if d == i && src[d] == '0' && j == d+1 && src[j] == 'x' {
			l.hex(i)
			return
		}
	}
	if j < len(src) && src[j] == '.' {
		j++
		for j < len(src) && class[src[j]]&cDigit != 0 {
			j++
		}
		if j+1 < len(src) && (src[j] == 'e' || src[j] == 'E') {
			k := j + 1
			if src[k] == '+' || src[k] == '-' {
				k++
			}
			if k < len(src) && class[src[k]]&cDigit != 0 {
				for k < len(src) && class[src[k]]&cDigit != 0 {
					k++
				}
				j = k
			}
		}
		l.tok, l.te, l.pos = tFloat, j, j
		return
	}
	if src[i] == '+' {
		l.tok, l.te, l.pos = tError, j, j
		return
	}
	l.tok, l.num, l.big, l.te, l.pos = tInt, n, big, j, j
}

func (l *lexer) hex(i int) {
	src := l.src
	j := i + 2
	if j < len(src) && (src[j] >= 'K' && src[j] <= 'M' || src[j] == 'H' || src[j] == 'R') {
		j++
	}
	b := j
	for j < len(src) && class[src[j]]&cHex != 0 {
		j++
	}
	if j == b {
		l.tok, l.te, l.pos = tError, i+1, i+1
		return
	}
	l.tok, l.te, l.pos = tHexFP, j, j
}

// unescape replaces \xx and \\.
func unescape(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			if i+1 < len(s) && s[i+1] == '\\' {
				b = append(b, '\\')
				i++
				continue
			}
			if i+2 < len(s) && class[s[i+1]]&cHex != 0 && class[s[i+2]]&cHex != 0 {
				b = append(b, unhex(s[i+1])<<4|unhex(s[i+2]))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

func unhex(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}

// str returns the text of the token with its escapes replaced.
func (l *lexer) str() string {
	if l.esc {
		return unescape(l.text())
	}
	return l.text()
}

// skipPrinted is skipBody for a body that looks as LLVM prints it, whose } is
// the first that stands at the beginning of a line. Who reads the body finds out
// when that is not so: it does not end there, or sooner.
func skipPrinted(src string, i int) (end int, ok bool) {
	if i < len(src) && src[i] == '\n' {
		if n := strings.Index(src[i:], "\n}"); n >= 0 {
			return i + n + len("\n}"), true
		}
	}
	return skipBody(src, i)
}

// skipBody returns the offset after the } that closes the { before i,
// len(src) when there is none. Strings and comments are passed over.
func skipBody(src string, i int) (end int, ok bool) {
	depth := 1
	for i < len(src) {
		switch c := src[i]; {
		case c > '}' || bodyClass[c] == 0:
			i++
			continue
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1, true
			}
		case c == '"':
			i++
			for i < len(src) && src[i] != '"' {
				i++
			}
		case c == ';':
			for i < len(src) && src[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(src) && src[i+1] == '*':
			i += 2
			for i+1 < len(src) && !(src[i] == '*' && src[i+1] == '/') {
				i++
			}
			i++
		}
		i++
	}
	return len(src), false
}

var bodyClass = [128]uint8{'{': 1, '}': 1, '"': 1, ';': 1, '/': 1}
