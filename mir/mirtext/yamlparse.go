package mirtext

import (
	"strings"
	"unicode/utf8"
)

// yamlReader makes nodes of tokens, in the order in which LLVM's yaml::Input
// does. The first fault stops it.
type yamlReader struct {
	yamlScanner
	depth int
	// open says that a document was begun.
	open bool
	// elems are the elements read so far of the sequences that are open, the
	// innermost's last; nodes and keys are memory for finished collections.
	elems    []node
	pairs    []keyNode
	values   []node
	nodes    []node
	keyNodes []keyNode
}

const maxYAMLDepth = 64

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

// nextDocument reads the next document with something in it; false at the end of the
// file or behind a fault.
func (y *yamlReader) nextDocument() (d document, ok bool) {
	if !y.open {
		y.open = true
		y.indent, y.keyAllowed = -1, true
		y.next() // the start of the stream
	} else if !y.endDocument() {
		return d, false
	}
	for {
		directives := false
		for k := y.peek().kind; k == yVersion || k == yTagDirective; k = y.peek().kind {
			y.next()
			directives = true
		}
		t := y.peek()
		if t.kind == yDocStart {
			y.next()
		} else if directives {
			y.fail(t.off, "Unexpected token")
		}
		d.start = y.peek().off
		if d.root, ok = y.node(true); !ok || y.failed {
			return d, false
		}
		if d.root.kind != nullNode {
			return d, true
		}
		if !y.endDocument() {
			return d, false
		}
	}
}

// endDocument passes over the marks behind a document and reports whether another may follow.
func (y *yamlReader) endDocument() bool {
	for !y.failed {
		switch y.peek().kind {
		case yStreamEnd, yErr:
			return false
		case yDocEnd:
			y.next()
		default:
			return true
		}
	}
	return false
}

// node reads a node; atRoot says that it is a document's first.
func (y *yamlReader) node(atRoot bool) (n node, ok bool) {
	if y.depth++; y.depth > maxYAMLDepth {
		return n, y.fail(y.peek().off, "nesting is too deep")
	}
	defer func() { y.depth-- }()
	anchor, tag := false, false
	for {
		t := y.peek()
		switch t.kind {
		case yAlias:
			y.next()
			return n, y.fail(y.peek().off, "unknown node kind")
		case yAnchor:
			if anchor {
				return n, y.fail(t.off, "Already encountered an anchor for this node!")
			}
			anchor = true
			y.next()
			continue
		case yTag:
			if tag {
				return n, y.fail(t.off, "Already encountered a tag for this node!")
			}
			tag = true
			y.next()
			continue
		case yEntry:
			return y.sequence(yEntry)
		case yBlockSeq, ySeqOpen:
			y.next()
			return y.sequence(t.kind)
		case yBlockMap, yMapOpen:
			y.next()
			return y.mapping(t.kind)
		case yKey:
			return y.mapping(yKey)
		case yScalar:
			y.next()
			return y.scalar(t)
		case yBlockScalar:
			y.next()
			return node{kind: blockNode, off: t.text, end: t.end}, true
		case yMapClose, ySeqClose, yFlowEntry:
			if atRoot {
				return n, y.fail(t.off, "Unexpected token")
			}
		case yErr:
			return n, false
		}
		return node{kind: nullNode, off: t.off, end: t.off}, true
	}
}

func (y *yamlReader) sequence(k yamlKind) (s node, ok bool) {
	s = node{kind: seqNode, off: y.peek().off}
	from := len(y.elems)
	if ok = y.elements(k); ok {
		s.items = taken(&y.nodes, y.elems[from:])
		s.end = y.pos
	}
	y.elems = y.elems[:from]
	return s, ok
}

// elements reads what stands in a sequence.
func (y *yamlReader) elements(k yamlKind) bool {
	comma := true // before the first element none is needed
	for !y.failed {
		t := y.peek()
		switch {
		case t.kind == yErr:
			return !y.failed
		case k == yEntry && t.kind != yEntry:
			return true
		case k == ySeqOpen:
			switch t.kind {
			case yFlowEntry:
				y.next()
				comma = true
				continue
			case ySeqClose:
				y.next()
				return true
			case yStreamEnd, yDocEnd, yDocStart:
				return y.fail(t.off, "Could not find closing ]!")
			}
			if !comma {
				return y.fail(t.off, "Expected , between entries!")
			}
			comma = false
		case t.kind == yEntry:
			y.next()
		case t.kind == yBlockEnd:
			y.next()
			return true
		default:
			return y.fail(t.off, "Unexpected token. Expected Block Entry or Block End.")
		}
		v, ok := y.node(false)
		if !ok {
			return false
		}
		y.elems = append(y.elems, v)
	}
	return false
}

func (y *yamlReader) mapping(k yamlKind) (m node, ok bool) {
	m = node{kind: mapNode, off: y.peek().off}
	from := len(y.pairs)
	if ok = y.entries(k, from); ok {
		m.keys, m.items = taken(&y.keyNodes, y.pairs[from:]), taken(&y.nodes, y.values[from:])
		m.end = y.pos
	}
	y.pairs, y.values = y.pairs[:from], y.values[:from]
	return m, ok
}

// entries reads what stands in a mapping.
func (y *yamlReader) entries(k yamlKind, from int) bool {
	for !y.failed {
		t := y.peek()
		switch {
		case t.kind == yKey || t.kind == yScalar:
		case k == yBlockMap && t.kind == yBlockEnd, k != yBlockMap && t.kind == yMapClose:
			y.next()
			return true
		case t.kind == yErr:
			return !y.failed
		case k == yBlockMap:
			return y.fail(t.off, "Unexpected token. Expected Key or Block End")
		case t.kind == yFlowEntry:
			y.next()
			continue
		default:
			return y.fail(t.off, "Unexpected token. Expected Key, Flow Entry, or Flow Mapping End.")
		}
		if !y.pair(from) {
			return false
		}
		if k == yKey {
			return true
		}
	}
	return false
}

// pair reads a key and its value.
func (y *yamlReader) pair(from int) bool {
	if y.peek().kind == yKey {
		y.next()
	}
	key, ok := node{off: y.peek().off}, true
	if t := y.peek(); t.kind != yBlockEnd && t.kind != yValue {
		if key, ok = y.node(false); !ok {
			return y.fail(y.peek().off, "Null key in Key Value.")
		}
	}
	v, ok := y.pairValue()
	switch {
	case y.failed:
		return false
	case key.kind != scalarNode:
		return y.fail(key.off, "Map key must be a scalar")
	case !ok:
		return y.fail(key.off, "Map value must not be empty")
	}
	for _, p := range y.pairs[from:] {
		if p.text == key.text {
			return y.fail(key.off, "duplicated mapping key '"+key.text+"'")
		}
	}
	y.pairs = append(y.pairs, keyNode{key.text, key.off})
	y.values = append(y.values, v)
	return true
}

func (y *yamlReader) pairValue() (node, bool) {
	t := y.peek()
	none := node{kind: nullNode, off: t.off, end: t.off}
	switch t.kind {
	case yBlockEnd, yMapClose, yKey, yFlowEntry, yErr:
		return none, true
	case yValue:
		y.next()
	default:
		return none, y.fail(t.off, "Unexpected token in Key Value.")
	}
	if t = y.peek(); t.kind == yBlockEnd || t.kind == yKey {
		return node{kind: nullNode, off: t.off, end: t.off}, true
	}
	return y.node(false)
}

// scalar makes a node of a scalar's token.
func (y *yamlReader) scalar(t yamlToken) (node, bool) {
	raw := y.src[t.off:t.end]
	n := node{kind: scalarNode, off: t.off, end: t.end}
	switch raw[0] {
	case '\'':
		n.text = strings.ReplaceAll(unfold(raw[1:len(raw)-1]), "''", "'")
		return n, true
	case '"':
		return y.double(n, raw[1:len(raw)-1])
	}
	raw = strings.TrimRight(raw, "\n\r\t ")
	n.end, n.text = n.off+len(raw), unfold(raw)
	return n, true
}

// unfold makes one line of several: a line end is a blank, an empty line a line end.
func unfold(s string) string {
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\r') < 0 {
		return s
	}
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	var b strings.Builder
	for i, l := range lines {
		l = strings.Trim(l, " \t")
		switch {
		case i == 0:
		case l == "":
			b.WriteByte('\n')
		case i > 0 && strings.Trim(lines[i-1], " \t") != "" || i == 1:
			b.WriteByte(' ')
		}
		b.WriteString(l)
	}
	return b.String()
}

// double gives a node the text in double quotes.
func (y *yamlReader) double(n node, raw string) (node, bool) {
	if strings.IndexByte(raw, '\\') < 0 {
		n.text = unfold(raw)
		return n, true
	}
	raw = unfold(raw)
	var b []byte
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			b = append(b, raw[i])
			continue
		}
		if i++; i >= len(raw) {
			break
		}
		if k := strings.IndexByte("0abtnvfre \"/\\_NLP", raw[i]); k >= 0 {
			b = append(b, [...]string{"\x00", "\a", "\b", "\t", "\n", "\v", "\f", "\r", "\x1b", " ", "\"", "/", "\\", "\u00a0", "\u0085", "\u2028", "\u2029"}[k]...)
			continue
		}
		width := map[byte]int{'x': 2, 'u': 4, 'U': 8}[raw[i]]
		if width == 0 && raw[i] != '\t' {
			return n, y.fail(n.off+1+i, "Unrecognized escape code")
		}
		v := rune(0)
		for k := 0; k < width && i+1 < len(raw) && hexDigit(raw[i+1]) >= 0; k++ {
			i++
			v = v<<4 | rune(hexDigit(raw[i]))
		}
		if width > 0 {
			b = utf8.AppendRune(b, v)
		} else {
			b = append(b, '\t')
		}
	}
	n.text = string(b)
	return n, true
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
