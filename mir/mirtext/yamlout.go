package mirtext

import "strconv"

// yamlOut writes YAML as LLVM's writer does: keys padded to column 16, flow
// collections wrapped behind column 70, strings quoted by need.
type yamlOut struct {
	b         []byte
	lineStart int // offset of the current line in b
}

const wrapColumn = 70

func (y *yamlOut) str(s string) { y.b = append(y.b, s...) }
func (y *yamlOut) column() int  { return len(y.b) - y.lineStart }
func (y *yamlOut) newline() {
	y.b = append(y.b, '\n')
	y.lineStart = len(y.b)
}

const spaces = "                                                                                "

func (y *yamlOut) indent(n int) {
	for n > len(spaces) {
		y.str(spaces)
		n -= len(spaces)
	}
	y.str(spaces[:n])
}

// key writes a block mapping's key with indentation and padding.
func (y *yamlOut) key(indent int, k string) {
	y.indent(indent)
	y.str(k)
	y.b = append(y.b, ':')
	if len(k) < 16 {
		y.str(spaces[:16-len(k)])
	} else {
		y.b = append(y.b, ' ')
	}
}

// open writes the key of a nested mapping or sequence, with nothing behind it.
func (y *yamlOut) open(indent int, k string) {
	y.indent(indent)
	y.str(k)
	y.b = append(y.b, ':')
	y.newline()
}

func (y *yamlOut) boolKey(indent int, k string, v bool) {
	y.key(indent, k)
	y.bool(v)
	y.newline()
}

func (y *yamlOut) intKey(indent int, k string, v int64) {
	y.key(indent, k)
	y.int(v)
	y.newline()
}

func (y *yamlOut) strKey(indent int, k, v string) {
	y.key(indent, k)
	y.scalar(v)
	y.newline()
}

func (y *yamlOut) bool(v bool) {
	if v {
		y.str("true")
	} else {
		y.str("false")
	}
}

func (y *yamlOut) int(v int64)   { y.b = strconv.AppendInt(y.b, v, 10) }
func (y *yamlOut) uint(v uint64) { y.b = strconv.AppendUint(y.b, v, 10) }

// flow is an open flow mapping or sequence.
type flow struct {
	start int
	any   bool
}

func (y *yamlOut) beginFlow(open string) flow {
	f := flow{start: y.column()}
	y.str(open)
	return f
}

// next starts an element: a comma behind the one before, a new line where the current one is full.
func (y *yamlOut) next(f *flow) {
	if f.any {
		y.str(", ")
	}
	f.any = true
	if y.column() > wrapColumn {
		y.newline()
		y.indent(f.start + 2)
	}
}

// field starts an element of a flow mapping.
func (y *yamlOut) field(f *flow, k string) {
	y.next(f)
	y.str(k)
	y.str(": ")
}

// scalar writes a string, quoted if it must be.
func (y *yamlOut) scalar(s string) {
	switch quoting(s) {
	case plainScalar:
		y.str(s)
	case singleQuoted:
		y.b = append(y.b, '\'')
		for i := 0; i < len(s); i++ {
			if s[i] == '\'' {
				y.b = append(y.b, '\'')
			}
			y.b = append(y.b, s[i])
		}
		y.b = append(y.b, '\'')
	default:
		y.b = append(y.b, '"')
		y.b = appendYAMLEscaped(y.b, s)
		y.b = append(y.b, '"')
	}
}

type quotes uint8

const (
	plainScalar quotes = iota
	singleQuoted
	doubleQuoted
)

// quoting returns how LLVM's YAML writer quotes a string.
func quoting(s string) quotes {
	if s == "" {
		return singleQuoted
	}
	q := plainScalar
	if s[0] == ' ' || s[0] == '\t' || s[len(s)-1] == ' ' || s[len(s)-1] == '\t' {
		q = singleQuoted
	}
	switch s {
	case "null", "Null", "NULL", "~", "true", "True", "TRUE", "false", "False", "FALSE":
		q = singleQuoted
	}
	if isYAMLNumber(s) {
		q = singleQuoted
	}
	switch s[0] {
	case '-', '?', ':', '\\', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
		q = singleQuoted
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			continue
		}
		switch c {
		case '_', '-', '^', '.', ',', ' ', '\t':
		case '\n', '\r':
			q = singleQuoted
		default:
			if c <= 0x1f || c >= 0x7f {
				return doubleQuoted
			}
			q = singleQuoted
		}
	}
	return q
}

// isYAMLNumber reports what YAML reads as a number: decimal with fraction and
// exponent, octal 0o, hexadecimal 0x, .inf, .nan.
func isYAMLNumber(s string) bool {
	switch s {
	case "+", "-", ".":
		return false
	case ".nan", ".NaN", ".NAN":
		return true
	}
	t := s
	if t[0] == '-' || t[0] == '+' {
		t = t[1:]
	}
	switch t {
	case "":
		return false
	case ".inf", ".Inf", ".INF":
		return true
	}
	digits := func(s, set string) bool {
		for i := 0; i < len(s); i++ {
			ok := false
			for k := 0; k < len(set); k++ {
				ok = ok || s[i] == set[k]
			}
			if !ok {
				return false
			}
		}
		return s != ""
	}
	if len(s) > 1 && s[:2] == "0o" {
		return digits(s[2:], "01234567")
	}
	if len(s) > 1 && s[:2] == "0x" {
		return digits(s[2:], "0123456789abcdefABCDEF")
	}
	n := 0
	for n < len(t) && t[n] >= '0' && t[n] <= '9' {
		n++
	}
	whole := n
	if n < len(t) && t[n] == '.' {
		n++
		for n < len(t) && t[n] >= '0' && t[n] <= '9' {
			n++
		}
		if n == whole+1 && whole == 0 {
			return false
		}
	} else if whole == 0 {
		return false
	}
	if n == len(t) {
		return true
	}
	if t[n] != 'e' && t[n] != 'E' {
		return false
	}
	t = t[n+1:]
	if t != "" && (t[0] == '-' || t[0] == '+') {
		t = t[1:]
	}
	return digits(t, "0123456789")
}

func appendYAMLEscaped(b []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			b = append(b, `\\`...)
		case c == '"':
			b = append(b, `\"`...)
		case c == 0:
			b = append(b, `\0`...)
		case c == 7:
			b = append(b, `\a`...)
		case c == 8:
			b = append(b, `\b`...)
		case c == 9:
			b = append(b, `\t`...)
		case c == 10:
			b = append(b, `\n`...)
		case c == 11:
			b = append(b, `\v`...)
		case c == 12:
			b = append(b, `\f`...)
		case c == 13:
			b = append(b, `\r`...)
		case c == 27:
			b = append(b, `\e`...)
		case c < 32 || c == 127:
			b = append(b, '\\', 'x', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return b
}
