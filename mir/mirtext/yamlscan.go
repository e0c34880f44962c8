package mirtext

import (
	"strings"
	"unicode/utf8"
)

// The tokens of YAML 1.1, found as LLVM's yaml::Scanner finds them (which is
// libyaml's way): a key without a mark is known by the colon behind it, so
// tokens wait in a queue while one of them may turn out to be a key.

type yamlKind uint8

const (
	yErr yamlKind = iota
	yStreamStart
	yStreamEnd
	yVersion
	yTagDirective
	yDocStart
	yDocEnd
	yEntry // - of a block sequence
	yBlockEnd
	yBlockSeq
	yBlockMap
	yFlowEntry // ,
	ySeqOpen
	ySeqClose
	yMapOpen
	yMapClose
	yKey
	yValue
	yScalar
	yBlockScalar
	yAlias
	yAnchor
	yTag
)

type yamlToken struct {
	kind     yamlKind
	off, end int
	// text is where a block scalar's lines begin; off is its header.
	text int
}

// simpleKey is a token that is a key if a colon follows it on its line.
type simpleKey struct {
	seq       int // number of the token
	line, col int
	flow      int
}

// maxSimpleKey is how far behind a key its colon may stand.
const maxSimpleKey = 1024

type yamlScanner struct {
	src     string
	pos     int
	line    int
	col     int
	indent  int
	indents []int
	flow    int
	keys    []simpleKey
	queue   []yamlToken
	head    int // of queue
	base    int // number of the token queue[0]
	started bool
	// keyAllowed says that a key without a mark may begin here.
	keyAllowed bool
	// adjacent says that a colon needs no blank behind it: behind quotes and brackets.
	adjacent bool

	failed bool
	err    string
	errAt  int
}

func (s *yamlScanner) fail(off int, msg string) bool {
	if !s.failed {
		s.failed, s.err, s.errAt = true, msg, max(0, min(off, len(s.src)-1))
	}
	return false
}

func (s *yamlScanner) byte(off int) byte {
	if off < len(s.src) {
		return s.src[off]
	}
	return 0
}

// blankOrBreak reports a blank or line end at off; the end of the file is neither.
func (s *yamlScanner) blankOrBreak(off int) bool {
	return off < len(s.src) && (s.src[off] == ' ' || s.src[off] == '\t' || s.src[off] == '\r' || s.src[off] == '\n')
}

// nonBreak returns the offset behind the character at off, off when it ends a line or is none.
func (s *yamlScanner) nonBreak(off int) int {
	if off >= len(s.src) {
		return off
	}
	switch c := s.src[off]; {
	case c == '\t' || c >= 0x20 && c <= 0x7e:
		return off + 1
	case c&0x80 != 0:
		r, n := utf8.DecodeRuneInString(s.src[off:])
		if r != utf8.RuneError && r != 0xfeff && (r == 0x85 || r >= 0xa0) {
			return off + n
		}
	}
	return off
}

func (s *yamlScanner) lineBreak(off int) int {
	switch s.byte(off) {
	case '\r':
		if off < len(s.src) && s.byte(off+1) == '\n' {
			return off + 2
		}
		return off + 1
	case '\n':
		return off + 1
	}
	return off
}

// plainSafe reports a character that may stand within a plain scalar at off.
func (s *yamlScanner) plainSafe(off int) bool {
	if off >= len(s.src) || s.blankOrBreak(off) {
		return false
	}
	return s.flow == 0 || strings.IndexByte(",[]{}", s.src[off]) < 0
}

func (s *yamlScanner) skip(n int) {
	s.pos += n
	s.col += n
}

func (s *yamlScanner) push(k yamlKind, off, end int) {
	s.queue = append(s.queue, yamlToken{kind: k, off: off, end: end})
}

func (s *yamlScanner) insert(at int, t yamlToken) {
	s.queue = append(s.queue, yamlToken{})
	copy(s.queue[at+1:], s.queue[at:])
	s.queue[at] = t
}

// peek returns the next token.
func (s *yamlScanner) peek() yamlToken {
	more := false
	for {
		if s.head == len(s.queue) || more {
			if s.head == len(s.queue) {
				s.base += s.head
				s.queue, s.head = s.queue[:0], 0
			}
			if s.failed || !s.fetch() {
				s.base += len(s.queue)
				s.queue, s.head, s.keys = append(s.queue[:0], yamlToken{off: s.pos, end: s.pos}), 0, s.keys[:0]
				return s.queue[0]
			}
			if s.head == len(s.queue) {
				continue
			}
		}
		s.dropStaleKeys()
		more = false
		for _, k := range s.keys {
			more = more || k.seq == s.base+s.head
		}
		if !more {
			return s.queue[s.head]
		}
	}
}

// next takes the next token.
func (s *yamlScanner) next() yamlToken {
	t := s.peek()
	if s.head < len(s.queue) {
		s.head++
	}
	return t
}

func (s *yamlScanner) dropStaleKeys() {
	kept := s.keys[:0]
	for _, k := range s.keys {
		if k.line == s.line && k.col+maxSimpleKey >= s.col {
			kept = append(kept, k)
		}
	}
	s.keys = kept
}

// mayBeKey notes that the last token may be a key; it began in column col.
func (s *yamlScanner) mayBeKey(col int) {
	if s.keyAllowed {
		s.keys = append(s.keys, simpleKey{seq: s.base + len(s.queue) - 1, line: s.line, col: col, flow: s.flow})
	}
}

func (s *yamlScanner) dropKeyOfLevel() {
	if n := len(s.keys); n > 0 && s.keys[n-1].flow == s.flow {
		s.keys = s.keys[:n-1]
	}
}

func (s *yamlScanner) unroll(col int) {
	for s.flow == 0 && s.indent > col {
		s.push(yBlockEnd, s.pos, s.pos+1)
		s.indent = s.indents[len(s.indents)-1]
		s.indents = s.indents[:len(s.indents)-1]
	}
}

// roll opens a block collection at a column that is further right, before token at.
func (s *yamlScanner) roll(col int, k yamlKind, at int) {
	if s.flow == 0 && s.indent < col {
		s.indents = append(s.indents, s.indent)
		s.indent = col
		s.insert(at, yamlToken{kind: k, off: s.pos, end: s.pos})
	}
}

// blanks passes over blanks, comments and line ends between tokens.
func (s *yamlScanner) blanks() {
	for {
		for s.byte(s.pos) == ' ' || s.byte(s.pos) == '\t' {
			s.skip(1)
		}
		s.comment()
		n := s.lineBreak(s.pos)
		if n == s.pos {
			return
		}
		s.pos, s.col = n, 0
		s.line++
		if s.flow == 0 {
			s.keyAllowed = true
		}
	}
}

func (s *yamlScanner) comment() {
	if s.byte(s.pos) != '#' {
		return
	}
	for n := s.nonBreak(s.pos); n != s.pos; n = s.nonBreak(s.pos) {
		s.pos = n
		s.col++
	}
}

func (s *yamlScanner) marker(mark string) bool {
	return s.col == 0 && strings.HasPrefix(s.src[s.pos:], mark) && (s.pos+3 == len(s.src) || s.blankOrBreak(s.pos+3))
}

// fetch adds a token or more to the queue.
func (s *yamlScanner) fetch() bool {
	if !s.started {
		s.started = true
		s.push(yStreamStart, 0, 0)
		return true
	}
	s.blanks()
	if s.pos >= len(s.src) {
		if s.col != 0 {
			s.col = 0
			s.line++
		}
		s.unroll(-1)
		s.keys, s.keyAllowed, s.adjacent = s.keys[:0], false, false
		s.push(yStreamEnd, s.pos, s.pos)
		return true
	}
	s.dropStaleKeys()
	s.unroll(s.col)
	c, adjacent := s.src[s.pos], s.adjacent
	s.adjacent = false
	switch {
	case s.col == 0 && c == '%':
		return s.directive()
	case s.marker("---"):
		return s.document(yDocStart)
	case s.marker("..."):
		return s.document(yDocEnd)
	}
	switch c {
	case '[', '{':
		k := ySeqOpen
		if c == '{' {
			k = yMapOpen
		}
		s.push(k, s.pos, s.pos+1)
		s.skip(1)
		s.mayBeKey(s.col - 1)
		s.keyAllowed = true
		s.flow++
		return true
	case ']', '}':
		k := ySeqClose
		if c == '}' {
			k = yMapClose
		}
		s.dropKeyOfLevel()
		s.keyAllowed, s.adjacent = false, true
		s.one(k)
		s.flow = max(0, s.flow-1)
		return true
	case ',':
		s.dropKeyOfLevel()
		s.keyAllowed = true
		s.one(yFlowEntry)
		return true
	case '-':
		if s.pos+1 == len(s.src) || s.blankOrBreak(s.pos+1) {
			s.roll(s.col, yBlockSeq, len(s.queue))
			s.dropKeyOfLevel()
			s.keyAllowed = true
			s.one(yEntry)
			return true
		}
	case '?':
		if s.pos+1 == len(s.src) || s.blankOrBreak(s.pos+1) {
			if s.flow == 0 {
				s.roll(s.col, yBlockMap, len(s.queue))
			}
			s.dropKeyOfLevel()
			s.keyAllowed = s.flow == 0
			s.one(yKey)
			return true
		}
	case ':':
		if adjacent || !s.plainSafe(s.pos+1) {
			s.value()
			return true
		}
	case '*', '&':
		return s.anchor(c == '*')
	case '!':
		return s.tag()
	case '|', '>':
		if s.flow == 0 {
			return s.blockScalar()
		}
	case '\'', '"':
		return s.quoted(c)
	}
	if !s.blankOrBreak(s.pos) && strings.IndexByte("-?:,[]{}#&*!|>'\"%@`", c) < 0 || strings.IndexByte("?:-", c) >= 0 && s.plainSafe(s.pos+1) {
		return s.plain()
	}
	return s.fail(s.pos, "Unrecognized character while tokenizing.")
}

func (s *yamlScanner) one(k yamlKind) {
	s.push(k, s.pos, s.pos+1)
	s.skip(1)
}

func (s *yamlScanner) value() {
	if n := len(s.keys); n > 0 {
		k := s.keys[n-1]
		s.keys = s.keys[:n-1]
		at := k.seq - s.base
		s.insert(at, yamlToken{kind: yKey, off: s.queue[at].off, end: s.queue[at].end})
		s.roll(k.col, yBlockMap, at)
		s.keyAllowed = false
	} else {
		if s.flow == 0 {
			s.roll(s.col, yBlockMap, len(s.queue))
		}
		s.keyAllowed = s.flow == 0
	}
	s.one(yValue)
}

func (s *yamlScanner) directive() bool {
	s.unroll(-1)
	s.keys, s.keyAllowed = s.keys[:0], false
	start := s.pos
	word := func() string {
		from := s.pos
		for !s.blankOrBreak(s.pos) && s.nonBreak(s.pos) != s.pos {
			s.pos = s.nonBreak(s.pos)
		}
		for s.byte(s.pos) == ' ' || s.byte(s.pos) == '\t' {
			s.pos++
		}
		return strings.TrimSpace(s.src[from:s.pos])
	}
	switch word() {
	case "%YAML":
		word()
		s.push(yVersion, start, s.pos)
		return true
	case "%TAG":
		word()
		word()
		s.push(yTagDirective, start, s.pos)
		return true
	}
	return false
}

func (s *yamlScanner) document(k yamlKind) bool {
	s.unroll(-1)
	s.keys, s.keyAllowed = s.keys[:0], false
	s.push(k, s.pos, s.pos+3)
	s.skip(3)
	return true
}

func (s *yamlScanner) anchor(alias bool) bool {
	start, col, k := s.pos, s.col, yAnchor
	if alias {
		k = yAlias
	}
	for s.skip(1); s.pos < len(s.src) && strings.IndexByte("[]{},:", s.src[s.pos]) < 0 && !s.blankOrBreak(s.pos) && s.nonBreak(s.pos) != s.pos; s.col++ {
		s.pos = s.nonBreak(s.pos)
	}
	if s.pos == start+1 {
		return s.fail(start, "Got empty alias or anchor")
	}
	s.push(k, start, s.pos)
	s.mayBeKey(col)
	s.keyAllowed = false
	return true
}

func (s *yamlScanner) tag() bool {
	start, col := s.pos, s.col
	for s.skip(1); s.pos < len(s.src) && !s.blankOrBreak(s.pos) && s.nonBreak(s.pos) != s.pos; s.col++ {
		s.pos = s.nonBreak(s.pos)
	}
	s.push(yTag, start, s.pos)
	s.mayBeKey(col)
	s.keyAllowed = false
	return true
}

// quoted passes over a scalar in quotes.
func (s *yamlScanner) quoted(q byte) bool {
	start, col := s.pos, s.col
	if q == '"' {
		for s.pos++; s.pos < len(s.src) && s.src[s.pos] != '"'; s.pos++ {
			if s.src[s.pos] == '\\' {
				s.pos++
			}
		}
	} else {
		for s.skip(1); s.pos < len(s.src); {
			if s.src[s.pos] == '\'' {
				if s.byte(s.pos+1) != '\'' {
					break
				}
				s.skip(2)
				continue
			}
			if n := s.nonBreak(s.pos); n != s.pos {
				s.pos = n
				s.col++
			} else if n = s.lineBreak(s.pos); n != s.pos {
				s.pos, s.col = n, 0
				s.line++
			} else {
				break
			}
		}
	}
	if s.pos >= len(s.src) {
		return s.fail(len(s.src), "Expected quote at end of scalar")
	}
	s.skip(1)
	s.push(yScalar, start, s.pos)
	s.mayBeKey(col)
	s.keyAllowed, s.adjacent = false, true
	return true
}

// plain passes over a scalar without quotes, which may go on in lines that are indented.
func (s *yamlScanner) plain() bool {
	start, col, broken := s.pos, s.col, false
	for s.pos < len(s.src) && s.src[s.pos] != '#' {
		for s.pos < len(s.src) {
			if s.src[s.pos] == ':' && !s.plainSafe(s.pos+1) || s.src[s.pos] != ':' && !s.plainSafe(s.pos) {
				break
			}
			n := s.nonBreak(s.pos)
			if n == s.pos {
				break
			}
			s.pos = n
			s.col++
		}
		if !s.blankOrBreak(s.pos) {
			break
		}
		at := s.pos
		for s.blankOrBreak(at) {
			if c := s.src[at]; c == ' ' || c == '\t' {
				if broken && s.col < s.indent+1 && c == '\t' {
					return s.fail(at, "Found invalid tab character in indentation")
				}
				at++
				s.col++
				continue
			}
			at = s.lineBreak(at)
			broken = true
			s.col = 0
			s.line++
		}
		if s.flow == 0 && s.col < s.indent+1 {
			break
		}
		s.pos = at
	}
	if s.pos == start {
		return s.fail(start, "Got empty plain scalar")
	}
	s.push(yScalar, start, s.pos)
	s.mayBeKey(col)
	s.keyAllowed = false
	return true
}

// blockScalar passes over | or > and the lines that are indented more than what it stands in.
func (s *yamlScanner) blockScalar() bool {
	start := s.pos
	s.skip(1)
	exit, indent := max(s.indent, 0), 0
	for range 2 {
		switch c := s.byte(s.pos); {
		case c == '+' || c == '-':
			s.skip(1)
		case c >= '1' && c <= '9':
			indent = int(c - '0')
			s.skip(1)
		}
	}
	for s.byte(s.pos) == ' ' || s.byte(s.pos) == '\t' {
		s.pos++
	}
	s.comment()
	t := yamlToken{kind: yBlockScalar, off: start, text: s.pos, end: s.pos}
	if s.pos < len(s.src) {
		n := s.lineBreak(s.pos)
		if n == s.pos {
			return s.fail(s.pos, "Expected a line break after block scalar header")
		}
		s.pos, s.col = n, 0
		s.line++
		t.text = s.pos
		if !s.blockLines(exit, indent) {
			return false
		}
		t.end = s.pos - s.col
	}
	if s.flow == 0 {
		s.keyAllowed = true
	}
	s.queue = append(s.queue, t)
	return true
}

// blockLines passes over the lines of a block scalar and stops in front of
// what stands in the line behind it.
func (s *yamlScanner) blockLines(exit, indent int) bool {
	longest, longestAt := 0, 0
	for s.pos < len(s.src) {
		for s.byte(s.pos) == ' ' && (indent == 0 || s.col < indent) {
			s.skip(1)
		}
		n := s.nonBreak(s.pos)
		if n != s.pos {
			switch {
			case s.col <= exit:
				return true
			case indent == 0:
				if longest > s.col {
					return s.fail(longestAt, "Leading all-spaces line must be smaller than the block indent")
				}
				indent = s.col
			case s.col < indent && s.src[s.pos] == '#':
				return true
			case s.col < indent:
				return s.fail(s.pos, "A text line is less indented than the block scalar")
			}
			// All of the line: the characters that are not printable ASCII are rare.
			for n != s.pos {
				s.pos = n
				for s.pos < len(s.src) && s.src[s.pos] >= 0x20 && s.src[s.pos] < 0x7f {
					s.pos++
				}
				n = s.nonBreak(s.pos)
			}
		} else if indent == 0 && s.lineBreak(s.pos) != s.pos && s.col > longest {
			longest, longestAt = s.col, s.pos
		}
		n = s.lineBreak(s.pos)
		if n == s.pos {
			s.col = 0 // what follows is no text, or nothing
			return true
		}
		s.pos, s.col = n, 0
		s.line++
	}
	return true
}
