package filecheck

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ereOp is the kind of a node of a regular expression.
type ereOp uint8

const (
	ereEmpty  ereOp = iota // matches nothing, always
	ereSet                 // one byte of set
	ereBOL                 // ^
	ereEOL                 // $
	ereWordB               // [[:<:]]
	ereWordE               // [[:>:]]
	ereCat                 // subs in order
	ereAlt                 // one of subs
	ereRepeat              // subs[0], min to max times; max -1 is unbounded
	ereGroup               // subs[0], captured as num
	ereBack                // what group num captured
)

// byteSet is a set of byte values.
type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) remove(c byte)   { s[c>>6] &^= 1 << (c & 63) }
func (s *byteSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

type ereNode struct {
	op       ereOp
	set      byteSet
	single   int // the byte when set has one written plainly, else -1
	subs     []*ereNode
	min, max int
	num      int
}

// The faults of a regular expression, in the words of the POSIX library that LLVM carries.
var (
	errParen   = errors.New("parentheses not balanced")
	errBrack   = errors.New("brackets ([ ]) not balanced")
	errBrace   = errors.New("braces not balanced")
	errBadBR   = errors.New("invalid repetition count(s)")
	errBadRpt  = errors.New("repetition-operator operand invalid")
	errEmpty   = errors.New("empty (sub)expression")
	errRange   = errors.New("invalid character range")
	errClass   = errors.New("invalid character class")
	errCollate = errors.New("invalid collating element")
	errSubReg  = errors.New("invalid backreference number")
	errEscape  = errors.New("trailing backslash (\\)")
)

// ereParser reads a POSIX extended regular expression with LLVM's extension
// of back-references. "." and negated sets never match a newline.
type ereParser struct {
	s      string
	pos    int
	groups int
	closed [10]bool // groups 1 to 9 that are complete, so may be referred to
	back   bool     // a back-reference occurs
	multi  bool     // a newline can be matched
	fold   bool
}

func parseERE(s string, fold bool) (*ereNode, *ereParser, error) {
	p := &ereParser{s: s, fold: fold}
	if s == "" {
		return nil, p, errEmpty
	}
	n, err := p.alt(false)
	if err == nil && p.pos < len(s) {
		err = errParen
	}
	return n, p, err
}

func (p *ereParser) more() bool { return p.pos < len(p.s) }

func (p *ereParser) alt(inGroup bool) (*ereNode, error) {
	var branches []*ereNode
	for {
		var seq []*ereNode
		for p.more() && p.s[p.pos] != '|' && (!inGroup || p.s[p.pos] != ')') {
			n, err := p.piece()
			if err != nil {
				return nil, err
			}
			seq = append(seq, n)
		}
		if len(seq) == 0 {
			return nil, errEmpty
		}
		if len(seq) == 1 {
			branches = append(branches, seq[0])
		} else {
			branches = append(branches, &ereNode{op: ereCat, subs: seq})
		}
		if !p.more() || p.s[p.pos] != '|' {
			break
		}
		p.pos++
	}
	if len(branches) == 1 {
		return branches[0], nil
	}
	return &ereNode{op: ereAlt, subs: branches}, nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// repeatAt says whether a repetition operator starts at the current position.
func (p *ereParser) repeatAt() bool {
	if !p.more() {
		return false
	}
	switch p.s[p.pos] {
	case '*', '+', '?':
		return true
	case '{':
		return p.pos+1 < len(p.s) && isDigit(p.s[p.pos+1])
	}
	return false
}

func (p *ereParser) piece() (*ereNode, error) {
	n, err := p.atom()
	if err != nil || !p.repeatAt() {
		return n, err
	}
	if n.op == ereBOL {
		return nil, errBadRpt
	}
	r := &ereNode{op: ereRepeat, subs: []*ereNode{n}, max: -1}
	c := p.s[p.pos]
	p.pos++
	switch c {
	case '+':
		r.min = 1
	case '?':
		r.max = 1
	case '{':
		if r.min, r.max, err = p.bounds(); err != nil {
			return nil, err
		}
	}
	if p.repeatAt() {
		return nil, errBadRpt
	}
	return r, nil
}

// dupMax is the largest repetition count that POSIX promises.
const dupMax = 255

func (p *ereParser) bounds() (lo, hi int, err error) {
	if lo, err = p.count(); err != nil {
		return
	}
	hi = lo
	if p.more() && p.s[p.pos] == ',' {
		p.pos++
		hi = -1
		if p.more() && isDigit(p.s[p.pos]) {
			if hi, err = p.count(); err != nil {
				return
			}
			if hi < lo {
				return 0, 0, errBadBR
			}
		}
	}
	if !p.more() || p.s[p.pos] != '}' {
		if strings.IndexByte(p.s[p.pos:], '}') >= 0 {
			return 0, 0, errBadBR
		}
		return 0, 0, errBrace
	}
	p.pos++
	return
}

func (p *ereParser) count() (int, error) {
	v, start := 0, p.pos
	for p.more() && isDigit(p.s[p.pos]) && v <= dupMax {
		v = v*10 + int(p.s[p.pos]-'0')
		p.pos++
	}
	if p.pos == start || v > dupMax {
		return 0, errBadBR
	}
	return v, nil
}

func (p *ereParser) literal(c byte) *ereNode {
	n := &ereNode{op: ereSet, single: int(c)}
	n.set.add(c)
	if p.fold {
		if foldSet(&n.set); c|32 >= 'a' && c|32 <= 'z' {
			n.single = -1
		}
	}
	if c == '\n' {
		p.multi = true
	}
	return n
}

func foldSet(s *byteSet) {
	for c := byte('a'); c <= 'z'; c++ {
		if s.has(c) || s.has(c-32) {
			s.add(c)
			s.add(c - 32)
		}
	}
}

func (p *ereParser) atom() (*ereNode, error) {
	c := p.s[p.pos]
	p.pos++
	switch c {
	case '(':
		if !p.more() {
			return nil, errParen
		}
		p.groups++
		g := &ereNode{op: ereGroup, num: p.groups}
		sub := &ereNode{op: ereEmpty}
		if p.s[p.pos] != ')' {
			var err error
			if sub, err = p.alt(true); err != nil {
				return nil, err
			}
		}
		if !p.more() {
			return nil, errParen
		}
		p.pos++
		g.subs = []*ereNode{sub}
		if g.num < len(p.closed) {
			p.closed[g.num] = true
		}
		return g, nil
	case ')':
		return nil, errParen
	case '^':
		return &ereNode{op: ereBOL}, nil
	case '$':
		return &ereNode{op: ereEOL}, nil
	case '*', '+', '?':
		return nil, errBadRpt
	case '{':
		if p.more() && isDigit(p.s[p.pos]) {
			return nil, errBadRpt
		}
		return p.literal(c), nil
	case '.':
		n := &ereNode{op: ereSet, single: -1, set: byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}}
		n.set.remove('\n')
		return n, nil
	case '[':
		return p.bracket()
	case '\\':
		if !p.more() {
			return nil, errEscape
		}
		c = p.s[p.pos]
		p.pos++
		if c >= '1' && c <= '9' {
			if !p.closed[c-'0'] {
				return nil, errSubReg
			}
			p.back = true
			return &ereNode{op: ereBack, num: int(c - '0')}, nil
		}
	}
	return p.literal(c), nil
}

func (p *ereParser) bracket() (*ereNode, error) {
	rest := p.s[p.pos:]
	if strings.HasPrefix(rest, "[:<:]]") || strings.HasPrefix(rest, "[:>:]]") {
		p.pos += 6
		if rest[2] == '<' {
			return &ereNode{op: ereWordB}, nil
		}
		return &ereNode{op: ereWordE}, nil
	}
	n := &ereNode{op: ereSet, single: -1}
	negate := strings.HasPrefix(rest, "^")
	if negate {
		p.pos++
	}
	for first := true; ; first = false {
		if !p.more() {
			return nil, errBrack
		}
		if p.s[p.pos] == ']' && !first {
			p.pos++
			break
		}
		if err := p.bracketTerm(&n.set, first); err != nil {
			return nil, err
		}
	}
	if p.fold {
		foldSet(&n.set)
	}
	if negate {
		for k := range n.set {
			n.set[k] = ^n.set[k]
		}
		n.set.remove('\n')
	}
	if n.set.has('\n') {
		p.multi = true
	}
	return n, nil
}

func (p *ereParser) bracketTerm(set *byteSet, first bool) error {
	rest := p.s[p.pos:]
	if strings.HasPrefix(rest, "[:") {
		end := strings.Index(rest, ":]")
		if end < 0 {
			return errBrack
		}
		p.pos += end + 2
		return addClass(set, rest[2:end])
	}
	if rest[0] == '-' && !first && !strings.HasPrefix(rest, "-]") {
		return errRange
	}
	lo, err := p.bracketChar()
	if err != nil {
		return err
	}
	hi := lo
	if rest = p.s[p.pos:]; len(rest) >= 2 && rest[0] == '-' && rest[1] != ']' {
		p.pos++
		if hi, err = p.bracketChar(); err != nil {
			return err
		}
	}
	if lo > hi {
		return errRange
	}
	for c := int(lo); c <= int(hi); c++ {
		set.add(byte(c))
	}
	return nil
}

// bracketChar reads one character of a bracket expression, [.x.] or [=x=].
func (p *ereParser) bracketChar() (byte, error) {
	rest := p.s[p.pos:]
	if rest == "" {
		return 0, errBrack
	}
	if strings.HasPrefix(rest, "[.") || strings.HasPrefix(rest, "[=") {
		if len(rest) < 5 || rest[3] != rest[1] || rest[4] != ']' {
			return 0, errCollate
		}
		p.pos += 5
		return rest[2], nil
	}
	p.pos++
	return rest[0], nil
}

func addClass(set *byteSet, name string) error {
	var in func(c byte) bool
	upper := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	lower := func(c byte) bool { return c >= 'a' && c <= 'z' }
	alnum := func(c byte) bool { return upper(c) || lower(c) || isDigit(c) }
	switch name {
	case "alnum":
		in = alnum
	case "alpha":
		in = func(c byte) bool { return upper(c) || lower(c) }
	case "blank":
		in = func(c byte) bool { return c == ' ' || c == '\t' }
	case "cntrl":
		in = func(c byte) bool { return c < 32 || c == 127 }
	case "digit":
		in = isDigit
	case "graph":
		in = func(c byte) bool { return c > 32 && c < 127 }
	case "lower":
		in = lower
	case "print":
		in = func(c byte) bool { return c >= 32 && c < 127 }
	case "punct":
		in = func(c byte) bool { return c > 32 && c < 127 && !alnum(c) }
	case "space":
		in = func(c byte) bool { return c == ' ' || c >= 9 && c <= 13 }
	case "upper":
		in = upper
	case "xdigit":
		in = func(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
	default:
		return errClass
	}
	for c := range 256 {
		if in(byte(c)) {
			set.add(byte(c))
		}
	}
	return nil
}

// appendGo writes n in the syntax of package regexp.
func (n *ereNode) appendGo(b []byte) []byte {
	switch n.op {
	case ereSet:
		return n.appendGoSet(b)
	case ereBOL:
		return append(b, '^')
	case ereEOL:
		return append(b, '$')
	case ereCat:
		for _, s := range n.subs {
			b = s.appendGo(b)
		}
	case ereAlt:
		b = append(b, "(?:"...)
		for k, s := range n.subs {
			if k > 0 {
				b = append(b, '|')
			}
			b = s.appendGo(b)
		}
		b = append(b, ')')
	case ereGroup:
		b = append(b, '(')
		b = n.subs[0].appendGo(b)
		b = append(b, ')')
	case ereRepeat:
		b = append(b, "(?:"...)
		b = n.subs[0].appendGo(b)
		b = append(b, ")"...)
		switch {
		case n.min == 0 && n.max < 0:
			b = append(b, '*')
		case n.min == 1 && n.max < 0:
			b = append(b, '+')
		default:
			b = append(b, '{')
			b = strconv.AppendInt(b, int64(n.min), 10)
			b = append(b, ',')
			if n.max >= 0 {
				b = strconv.AppendInt(b, int64(n.max), 10)
			}
			b = append(b, '}')
		}
	}
	return b
}

// appendGoSet writes a set of bytes as characters up to U+00FF; text is
// widened likewise before it is searched.
func (n *ereNode) appendGoSet(b []byte) []byte {
	const hex = "0123456789abcdef"
	char := func(c int) { b = append(b, '\\', 'x', hex[c>>4], hex[c&15]) }
	if n.single >= 0 {
		char(n.single)
		return b
	}
	b = append(b, '[')
	for c := 0; c < 256; c++ {
		if !n.set.has(byte(c)) {
			continue
		}
		char(c)
		b = append(b, '-')
		for c+1 < 256 && n.set.has(byte(c+1)) {
			c++
		}
		char(c)
	}
	return append(b, ']')
}

// ereRegexp is a compiled expression. It matches by package regexp, whose time
// is linear, or by the backtracker where that cannot express the pattern.
type ereRegexp struct {
	re     *regexp.Regexp
	tree   *ereNode
	groups int
	multi  bool   // a match may span lines
	need   []byte // bytes that every match holds; may be empty

	literal bool // need is all there is
}

// compileERE compiles the POSIX extended regular expression s. With fold,
// letters match in either case.
func compileERE(s string, fold bool) (*ereRegexp, error) {
	tree, p, err := parseERE(s, fold)
	if err != nil {
		return nil, err
	}
	r := &ereRegexp{tree: tree, groups: p.groups, multi: p.multi}
	if !fold {
		r.need = requiredLiteral(tree)
	}
	if len(r.need) > 0 && onlyLiteral(tree) {
		r.literal = true
		return r, nil
	}
	if p.back || inexpressible(tree) {
		return r, nil
	}
	re, err := regexp.Compile(string(tree.appendGo([]byte("(?m)"))))
	if err != nil { // beyond package regexp, such as repetitions too large
		return r, nil
	}
	re.Longest()
	r.re = re
	return r, nil
}

// inexpressible says whether the expression has parts, or sets of nothing,
// that package regexp cannot express.
func inexpressible(n *ereNode) bool {
	if n.op == ereWordB || n.op == ereWordE || n.op == ereSet && n.set == (byteSet{}) {
		return true
	}
	for _, s := range n.subs {
		if inexpressible(s) {
			return true
		}
	}
	return false
}

// onlyLiteral says whether the expression is a plain string, as many are once
// their substitutions are made.
func onlyLiteral(n *ereNode) bool {
	if n.op != ereCat {
		return n.op == ereSet && n.single >= 0
	}
	for _, s := range n.subs {
		if s.op != ereSet || s.single < 0 {
			return false
		}
	}
	return true
}

// requiredLiteral returns the longest run of bytes that any match must hold.
func requiredLiteral(n *ereNode) []byte {
	var best, run []byte
	var walk func(n *ereNode)
	flush := func() {
		if len(run) > len(best) {
			best = append([]byte(nil), run...)
		}
		run = run[:0]
	}
	walk = func(n *ereNode) {
		switch n.op {
		case ereSet:
			if n.single < 0 {
				flush()
			} else {
				run = append(run, byte(n.single))
			}
		case ereCat, ereGroup:
			for _, s := range n.subs {
				walk(s)
			}
		case ereEmpty, ereBOL, ereEOL, ereWordB, ereWordE:
		default:
			flush()
		}
	}
	walk(n)
	flush()
	return best
}

// find returns the leftmost-longest match in b as pairs of offsets, group 0
// first, or nil. The start of b counts as the start of a line.
func (r *ereRegexp) find(b []byte) []int {
	if r.literal {
		k := bytes.Index(b, r.need)
		if k < 0 {
			return nil
		}
		return []int{k, k + len(r.need)}
	}
	if r.multi {
		return r.findIn(b)
	}
	// No match spans lines, so only lines that hold the required bytes are
	// searched; the cost then grows with the distance, not with the input.
	for start := 0; start <= len(b); {
		if len(r.need) > 0 {
			k := bytes.Index(b[start:], r.need)
			if k < 0 {
				return nil
			}
			if nl := bytes.LastIndexByte(b[start:start+k], '\n'); nl >= 0 {
				start += nl + 1
			}
		}
		end := len(b)
		if nl := bytes.IndexByte(b[start:], '\n'); nl >= 0 {
			end = start + nl
		}
		if m := r.findIn(b[start:end]); m != nil {
			for k := range m {
				if m[k] >= 0 {
					m[k] += start
				}
			}
			return m
		}
		start = end + 1
	}
	return nil
}

func (r *ereRegexp) findIn(b []byte) []int {
	if r.re == nil {
		return backtrack(r.tree, r.groups, b)
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return r.findWide(b)
		}
	}
	return r.re.FindSubmatchIndex(b)
}

// findWide searches text that is not ASCII: POSIX matches bytes, package
// regexp characters, so each byte is made a character.
func (r *ereRegexp) findWide(b []byte) []int {
	wide := make([]byte, 0, len(b)+len(b)/4)
	back := make([]int, 0, cap(wide)+1) // offsets in wide to offsets in b
	for k, c := range b {
		wide = utf8.AppendRune(wide, rune(c))
		for len(back) < len(wide) {
			back = append(back, k)
		}
	}
	back = append(back, len(b))
	m := r.re.FindSubmatchIndex(wide)
	for k := range m {
		if m[k] >= 0 {
			m[k] = back[m[k]]
		}
	}
	return m
}
