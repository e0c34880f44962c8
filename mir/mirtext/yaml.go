package mirtext

import (
	"strings"
)

// node is a value of the YAML subset that MIR files use: scalars, flow and
// block collections, block scalars. Anchors, tags and complex keys do not occur.
type node struct {
	kind     nodeKind
	off, end int // place in the file
	// text is the value of a scalar. A block scalar has none: its lines are src[off:end], indentation included.
	text  string
	keys  []keyNode // of a mapping
	items []node    // values of a mapping, elements of a sequence
}

// keyNode is a key of a mapping.
type keyNode struct {
	text string
	off  int
}

type nodeKind uint8

const (
	nullNode nodeKind = iota
	scalarNode
	mapNode
	seqNode
	blockNode // block scalar
)

// get returns the value of a key, nil when it is absent.
func (n *node) get(key string) *node {
	for i := range n.keys {
		if n.keys[i].text == key {
			return &n.items[i]
		}
	}
	return nil
}

// document is one YAML document of a file.
type document struct {
	start int
	root  node
}

// yamlReader reads documents. The first fault stops it.
type yamlReader struct {
	src   string
	pos   int
	err   string
	errAt int
	depth int
	// elems are the elements read so far of the sequences that are open, the
	// innermost's last; nodes and keys are memory for finished collections.
	elems []node
	nodes []node
	keys  []keyNode
}

// taken copies s into memory of its exact size, out of blocks.
func taken[T any](block *[]T, s []T) []T {
	if len(s) == 0 {
		return nil
	}
	if len(*block) < len(s) {
		*block = make([]T, max(256, len(s)))
	}
	out := (*block)[:len(s):len(s)]
	*block = (*block)[len(s):]
	copy(out, s)
	return out
}

// closeSeq gives s the elements from number from on.
func (y *yamlReader) closeSeq(s *node, from int) {
	s.items = taken(&y.nodes, y.elems[from:])
	y.elems = y.elems[:from]
	s.end = y.pos
}

const maxYAMLDepth = 64

func (y *yamlReader) fail(off int, msg string) {
	if y.err == "" {
		y.err, y.errAt = msg, off
	}
	y.pos = len(y.src)
}

// lineEnd returns the offset of the end of the line that off stands in.
func (y *yamlReader) lineEnd(off int) int {
	if n := strings.IndexByte(y.src[off:], '\n'); n >= 0 {
		return off + n
	}
	return len(y.src)
}

// skipLines passes over blank and comment lines; pos is then at the start of a line.
func (y *yamlReader) skipLines() {
	for y.pos < len(y.src) {
		e := y.lineEnd(y.pos)
		line := strings.TrimLeft(y.src[y.pos:e], " \t\r")
		if line != "" && line[0] != '#' {
			return
		}
		y.pos = min(e+1, len(y.src))
	}
}

func isMarker(line, mark string) bool {
	return strings.HasPrefix(line, mark) && (len(line) == 3 || strings.IndexByte(" \t\r\n", line[3]) >= 0)
}

// next reads the next document; false at the end of the file.
func (y *yamlReader) next() (d document, ok bool) {
	for {
		y.skipLines()
		if y.pos >= len(y.src) || y.err != "" {
			return d, false
		}
		line := y.src[y.pos:y.lineEnd(y.pos)]
		if isMarker(line, "...") || strings.HasPrefix(line, "%") {
			y.pos = min(y.lineEnd(y.pos)+1, len(y.src))
			continue
		}
		break
	}
	d.start = y.pos
	if c := y.src[y.pos]; c == '@' || c == '`' {
		y.fail(y.pos, "Unrecognized character while tokenizing.")
		return d, false
	}
	line := y.src[y.pos:y.lineEnd(y.pos)]
	if isMarker(line, "---") {
		rest := strings.TrimSpace(line[3:])
		if c := strings.Index(rest, " #"); c >= 0 {
			rest = strings.TrimSpace(rest[:c])
		}
		switch {
		case rest == "" || rest[0] == '#':
			y.pos = min(y.lineEnd(y.pos)+1, len(y.src))
		case rest[0] == '|' || rest[0] == '>':
			d.root = y.blockScalar(y.pos+strings.IndexByte(line, rest[0]), -1)
			return d, y.err == ""
		default:
			y.pos += 3
			for y.pos < len(y.src) && y.src[y.pos] == ' ' {
				y.pos++
			}
			d.root = y.inline(-1)
			return d, y.err == ""
		}
	}
	d.root = y.block(-1)
	return d, y.err == ""
}

// indent returns the column of the first character of the line at pos, -1 at
// the end of the document.
func (y *yamlReader) indent() int {
	y.skipLines()
	if y.pos >= len(y.src) {
		return -1
	}
	line := y.src[y.pos:y.lineEnd(y.pos)]
	if isMarker(line, "---") || isMarker(line, "...") {
		return -1
	}
	n := 0
	for n < len(line) && line[n] == ' ' {
		n++
	}
	return n
}

// block reads the mapping or sequence that is indented more than parent.
func (y *yamlReader) block(parent int) node {
	n := y.indent()
	if n <= parent {
		return node{kind: nullNode, off: y.pos, end: y.pos}
	}
	if y.depth++; y.depth > maxYAMLDepth {
		y.fail(y.pos, "nesting is too deep")
		return node{}
	}
	defer func() { y.depth-- }()
	if y.isDash(y.pos + n) {
		return y.sequence(n)
	}
	return y.mapping(n)
}

func (y *yamlReader) isDash(off int) bool {
	return off < len(y.src) && y.src[off] == '-' && (off+1 == len(y.src) || strings.IndexByte(" \n\r", y.src[off+1]) >= 0)
}

func (y *yamlReader) sequence(n int) node {
	s := node{kind: seqNode, off: y.pos + n}
	from := len(y.elems)
	for y.err == "" {
		k := y.indent()
		if k != n || !y.isDash(y.pos+n) {
			if k > n {
				y.fail(y.pos+k, "unexpected token")
			}
			break
		}
		off := y.pos + n + 1
		for off < len(y.src) && y.src[off] == ' ' {
			off++
		}
		if off >= len(y.src) || y.src[off] == '\n' || y.src[off] == '\r' || y.src[off] == '#' {
			y.pos = min(y.lineEnd(off)+1, len(y.src))
			v := y.block(n)
			y.elems = append(y.elems, v)
			continue
		}
		if e := y.keyEnd(off); e >= 0 {
			// A mapping that begins on the dash's line.
			v := y.mappingAt(off, off-y.pos)
			y.elems = append(y.elems, v)
			continue
		}
		y.pos = off
		v := y.inline(n)
		y.elems = append(y.elems, v)
	}
	y.closeSeq(&s, from)
	return s
}

// keyEnd returns the offset of the colon behind a plain key at off, -1 when there is none.
func (y *yamlReader) keyEnd(off int) int {
	if off < len(y.src) && strings.IndexByte("{['\"", y.src[off]) >= 0 {
		return -1
	}
	for e := off; e < len(y.src) && y.src[e] != '\n'; e++ {
		switch y.src[e] {
		case ':':
			if e+1 == len(y.src) || strings.IndexByte(" \n\r\t", y.src[e+1]) >= 0 {
				return e
			}
		case '#':
			if e > off && y.src[e-1] == ' ' {
				return -1
			}
		}
	}
	return -1
}

func (y *yamlReader) mapping(n int) node { return y.mappingAt(y.pos+n, n) }

// mappingAt reads a mapping whose first key stands at off and whose keys are indented by n.
func (y *yamlReader) mappingAt(off, n int) node {
	m := node{kind: mapNode, off: off}
	var keyBuf [8]keyNode
	var itemBuf [8]node
	keys, items := keyBuf[:0], itemBuf[:0]
	for y.err == "" {
		e := y.keyEnd(off)
		if e < 0 {
			y.fail(off, "unexpected token")
			break
		}
		keys = append(keys, keyNode{strings.TrimRight(y.src[off:e], " "), off})
		y.pos = e + 1
		for y.pos < len(y.src) && (y.src[y.pos] == ' ' || y.src[y.pos] == '\t') {
			y.pos++
		}
		items = append(items, y.inline(n))
		k := y.indent()
		if k != n {
			if k > n {
				y.fail(y.pos+k, "unexpected token")
			}
			break
		}
		if y.isDash(y.pos + n) {
			break
		}
		off = y.pos + n
	}
	m.keys, m.items = taken(&y.keys, keys), taken(&y.nodes, items)
	m.end = y.pos
	return m
}

// inline reads the value at pos, on the line of its key or dash (of
// indentation n) or below it.
func (y *yamlReader) inline(n int) node {
	if y.pos >= len(y.src) {
		return node{kind: nullNode, off: y.pos, end: y.pos}
	}
	switch y.src[y.pos] {
	case '\n', '\r', '#':
		off := y.pos
		y.pos = min(y.lineEnd(y.pos)+1, len(y.src))
		k := y.indent()
		if k == n && n >= 0 && y.isDash(y.pos+n) {
			return y.sequence(n)
		}
		if k <= n {
			return node{kind: nullNode, off: off, end: off}
		}
		return y.block(n)
	case '|', '>':
		return y.blockScalar(y.pos, n)
	case '{', '[', '\'', '"':
		v := y.flow()
		y.endOfLine()
		return v
	}
	v := y.plain(false)
	y.endOfLine()
	return v
}

// endOfLine passes over the rest of a line, which must be blank or a comment.
func (y *yamlReader) endOfLine() {
	if y.err != "" {
		return
	}
	e := y.lineEnd(y.pos)
	rest := strings.TrimLeft(y.src[y.pos:e], " \t\r")
	if rest != "" && rest[0] != '#' {
		y.fail(e-len(rest), "unexpected token")
		return
	}
	y.pos = min(e+1, len(y.src))
}

// plain reads an unquoted scalar: to the end of the line, in flow collections to a delimiter.
func (y *yamlReader) plain(flow bool) node {
	off := y.pos
	if off < len(y.src) && strings.IndexByte("@`%", y.src[off]) >= 0 {
		y.fail(off, "Unrecognized character while tokenizing.")
		return node{}
	}
	e := off
scan:
	for ; e < len(y.src) && y.src[e] != '\n'; e++ {
		switch c := y.src[e]; c {
		case '#':
			if e > off && (y.src[e-1] == ' ' || y.src[e-1] == '\t') {
				break scan
			}
		case ',', '}', ']', '{', '[':
			if flow {
				break scan
			}
		case ':':
			if flow && (e+1 == len(y.src) || strings.IndexByte(" ,}]\n", y.src[e+1]) >= 0) {
				break scan
			}
		}
	}
	text := strings.TrimRight(y.src[off:e], " \t\r")
	y.pos = e
	return node{kind: scalarNode, off: off, end: off + len(text), text: text}
}

// flowSpace passes over blanks, line ends and comments inside a flow collection.
func (y *yamlReader) flowSpace() {
	for y.pos < len(y.src) {
		switch y.src[y.pos] {
		case ' ', '\t', '\r', '\n':
			y.pos++
		case '#':
			y.pos = y.lineEnd(y.pos)
		default:
			return
		}
	}
}

// flow reads a flow collection or a quoted or plain scalar.
func (y *yamlReader) flow() node {
	if y.depth++; y.depth > maxYAMLDepth {
		y.fail(y.pos, "nesting is too deep")
		return node{}
	}
	defer func() { y.depth-- }()
	if y.pos >= len(y.src) {
		y.fail(y.pos, "Unexpected token. Expected Key, Flow Entry, or Flow Mapping End.")
		return node{}
	}
	switch y.src[y.pos] {
	case '{':
		return y.flowMap()
	case '[':
		s := node{kind: seqNode, off: y.pos}
		from := len(y.elems)
		y.pos++
		for y.err == "" {
			y.flowSpace()
			if y.pos >= len(y.src) {
				y.fail(y.pos, "Could not find closing ]!")
				break
			}
			if y.src[y.pos] == ']' {
				y.pos++
				break
			}
			v := y.flow()
			y.elems = append(y.elems, v)
			y.flowSpace()
			if y.pos < len(y.src) && y.src[y.pos] == ',' {
				y.pos++
			} else if y.pos < len(y.src) && y.src[y.pos] != ']' {
				y.fail(y.pos, "Expected , between entries!")
			}
		}
		y.closeSeq(&s, from)
		return s
	case '\'':
		return y.single()
	case '"':
		return y.double()
	}
	return y.plain(true)
}

func (y *yamlReader) flowMap() node {
	m := node{kind: mapNode, off: y.pos}
	var keyBuf [8]keyNode
	var itemBuf [8]node
	keys, items := keyBuf[:0], itemBuf[:0]
	y.pos++
	for y.err == "" {
		y.flowSpace()
		if y.pos >= len(y.src) {
			y.fail(y.pos, "Could not find closing }!")
			break
		}
		if y.src[y.pos] == '}' {
			y.pos++
			break
		}
		key := y.plain(true)
		if y.pos >= len(y.src) || y.src[y.pos] != ':' {
			y.fail(y.pos, "Unexpected token. Expected Key, Flow Entry, or Flow Mapping End.")
			break
		}
		y.pos++
		keys = append(keys, keyNode{key.text, key.off})
		y.flowSpace()
		if y.pos < len(y.src) && y.isDash(y.pos) {
			// LLVM writes block sequences inside flow mappings.
			s := node{kind: seqNode, off: y.pos}
			from := len(y.elems)
			for y.err == "" && y.pos < len(y.src) && y.isDash(y.pos) {
				y.pos++
				y.flowSpace()
				v := y.flow()
				y.elems = append(y.elems, v)
				y.flowSpace()
			}
			y.closeSeq(&s, from)
			items = append(items, s)
		} else if y.pos < len(y.src) && y.src[y.pos] != ',' && y.src[y.pos] != '}' {
			items = append(items, y.flow())
		} else {
			items = append(items, node{kind: nullNode, off: y.pos, end: y.pos})
		}
		y.flowSpace()
		if y.pos < len(y.src) && y.src[y.pos] == ',' {
			y.pos++
		} else if y.pos < len(y.src) && y.src[y.pos] != '}' {
			y.fail(y.pos, "Expected , between entries!")
		}
	}
	m.keys, m.items = taken(&y.keys, keys), taken(&y.nodes, items)
	m.end = y.pos
	return m
}

func (y *yamlReader) single() node {
	off := y.pos
	var b []byte
	for i := off + 1; i < len(y.src); i++ {
		if y.src[i] != '\'' {
			b = append(b, y.src[i])
			continue
		}
		if i+1 < len(y.src) && y.src[i+1] == '\'' {
			b = append(b, '\'')
			i++
			continue
		}
		y.pos = i + 1
		return node{kind: scalarNode, off: off, end: y.pos, text: string(b)}
	}
	y.fail(off, "Expected quote at end of scalar")
	return node{}
}

func (y *yamlReader) double() node {
	off := y.pos
	var b []byte
	for i := off + 1; i < len(y.src); i++ {
		switch c := y.src[i]; c {
		case '"':
			y.pos = i + 1
			return node{kind: scalarNode, off: off, end: y.pos, text: string(b)}
		case '\\':
			i++
			if i >= len(y.src) {
				break
			}
			switch e := y.src[i]; e {
			case 'n':
				b = append(b, '\n')
			case 't':
				b = append(b, '\t')
			case 'r':
				b = append(b, '\r')
			case '0':
				b = append(b, 0)
			case 'a':
				b = append(b, 7)
			case 'b':
				b = append(b, 8)
			case 'v':
				b = append(b, 11)
			case 'f':
				b = append(b, 12)
			case 'e':
				b = append(b, 27)
			case 'x':
				v, n := 0, 0
				for n < 2 && i+1 < len(y.src) && hexDigit(y.src[i+1]) >= 0 {
					v = v<<4 | hexDigit(y.src[i+1])
					i++
					n++
				}
				b = append(b, byte(v))
			default:
				b = append(b, e)
			}
		default:
			b = append(b, c)
		}
	}
	y.fail(off, "Expected quote at end of scalar")
	return node{}
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// blockScalar reads the lines below | that are indented more than parent.
func (y *yamlReader) blockScalar(off, parent int) node {
	y.pos = min(y.lineEnd(off)+1, len(y.src))
	b := node{kind: blockNode, off: y.pos}
	indent := -1
	for y.pos < len(y.src) {
		e := y.lineEnd(y.pos)
		line := y.src[y.pos:e]
		n := 0
		for n < len(line) && line[n] == ' ' {
			n++
		}
		if n < len(line) && strings.Trim(line, " \t\r") != "" {
			if indent < 0 {
				if n <= parent || isMarker(line, "---") || isMarker(line, "...") {
					break
				}
				indent = n
			} else if n < indent && n > max(parent, 0) && line[n] != '#' {
				y.fail(y.pos+n, "A text line is less indented than the block scalar")
				break
			} else if n < indent || n == 0 && (isMarker(line, "---") || isMarker(line, "...")) {
				break
			}
		}
		y.pos = min(e+1, len(y.src))
		if e == len(y.src) {
			break
		}
	}
	b.end = y.pos
	return b
}
