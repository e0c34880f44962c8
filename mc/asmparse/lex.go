package asmparse

import (
	"math/big"
	"strconv"
	"strings"
)

// skip moves behind blanks.
func (p *Parser) skip() {
	for p.pos < len(p.text) && p.class[p.text[p.pos]]&isBlank != 0 || p.pos < len(p.text) && p.text[p.pos] == '\n' {
		p.pos++
	}
}

// peek gives the next byte that is not blank, 0 at the end of the statement.
func (p *Parser) peek() byte {
	p.skip()
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// end reports that the statement ends here.
func (p *Parser) end() bool { return p.peek() == 0 }

// eat reads a byte if it is next.
func (p *Parser) eat(c byte) bool {
	if p.peek() != c || c == 0 {
		return false
	}
	p.pos++
	return true
}

// eol asks for the end of the statement.
func (p *Parser) eol() error {
	if !p.end() {
		return p.errHere("expected newline")
	}
	return nil
}

// comma asks for a comma.
func (p *Parser) comma() error {
	if !p.eat(',') {
		return p.errHere("expected comma")
	}
	return nil
}

// word gives the identifier that begins at the place, without moving; "" for none.
func (p *Parser) word() string {
	p.skip()
	return p.wordAt(p.pos)
}

func (p *Parser) wordAt(i int) string {
	if i >= len(p.text) || p.class[p.text[i]]&beginIdent == 0 {
		return ""
	}
	k := i + 1
	for k < len(p.text) && p.class[p.text[k]]&inIdent != 0 {
		k++
	}
	return p.text[i:k]
}

// ident reads an identifier or a name in quotes.
func (p *Parser) ident() (string, bool) {
	switch c := p.peek(); {
	case c == '"':
		s, raw, ok := p.quoted()
		if !ok {
			return "", false
		}
		return unquoteName(s, raw), true
	case c == '$' || c == '@': // $foo, @feat.00: what follows belongs to it
		w := p.wordAt(p.pos + 1)
		if w == "" { // $2
			k := p.pos + 1
			for k < len(p.text) && p.class[p.text[k]]&isDigit != 0 {
				k++
			}
			w = p.text[p.pos+1 : k]
		}
		if w != "" {
			s := p.text[p.pos : p.pos+1+len(w)]
			p.pos += len(s)
			return s, true
		}
	}
	w := p.word()
	p.pos += len(w)
	return w, w != ""
}

// symbolName reads the name of a symbol.
func (p *Parser) symbolName() (string, error) {
	n, ok := p.ident()
	if !ok {
		return "", p.errHere("expected identifier")
	}
	return n, nil
}

// quoted reads a string without its quotes, escapes left as they are.
func (p *Parser) quoted() (s string, raw bool, ok bool) {
	if p.peek() != '"' {
		return "", false, false
	}
	for k := p.pos + 1; k < len(p.text); k++ {
		switch p.text[k] {
		case '\\':
			k++
			raw = true
		case '"':
			s = p.text[p.pos+1 : k]
			p.pos = k + 1
			return s, raw, true
		}
	}
	return "", false, false
}

// unquoteName takes the escapes of a name in quotes out: \" and \\ and \n.
func unquoteName(s string, raw bool) string {
	if !raw {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case '"', '\\':
			b.WriteByte(s[i])
		default:
			b.WriteByte('\\')
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// str reads a string and takes its escapes out.
func (p *Parser) str() (string, error) {
	if p.peek() != '"' {
		return "", p.errHere("expected string")
	}
	at := p.pos
	s, raw, ok := p.quoted()
	if !ok {
		return "", errOff(at, "unterminated string constant")
	}
	for i := range len(s) {
		if s[i] == '\n' {
			p.warnAt(p.at(at+1+i), 0, "unterminated string; newline inserted")
		}
	}
	if !raw {
		return s, nil
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b = append(b, s[i])
			continue
		}
		if i++; i == len(s) {
			return "", errOff(at, "unexpected backslash at end of string")
		}
		switch c := s[i]; {
		case c == 'x' || c == 'X':
			n, v := i+1, 0
			for n < len(s) && hexDigit(s[n]) >= 0 {
				v = v<<4 | hexDigit(s[n])
				n++
			}
			if n == i+1 {
				return "", errOff(at, "invalid hexadecimal escape sequence")
			}
			b = append(b, byte(v))
			i = n - 1
		case c >= '0' && c <= '7':
			v, n := 0, i
			for n < len(s) && n < i+3 && s[n] >= '0' && s[n] <= '7' {
				v = v<<3 | int(s[n]-'0')
				n++
			}
			if v > 255 {
				return "", errOff(at, "invalid octal escape sequence (out of range)")
			}
			b = append(b, byte(v))
			i = n - 1
		default:
			k := strings.IndexByte("bfnrt\"\\", c)
			if k < 0 {
				return "", errOff(at, "invalid escape sequence (unrecognized character)")
			}
			b = append(b, "\b\f\n\r\t\"\\"[k])
		}
	}
	return string(b), nil
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// number is a number as it was read.
type number struct {
	v    uint64
	big  *big.Int // where 64 bits are too few
	real bool     // it has a point or an exponent
	text string
}

// number reads a number that begins at the place, which is at a digit.
func (p *Parser) number() (n number, err error) {
	s := p.text[p.pos:]
	start := p.pos
	if len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'x' {
		k := 2
		for k < len(s) && hexDigit(s[k]) >= 0 {
			k++
		}
		if k < len(s) && (s[k] == '.' || s[k]|0x20 == 'p') {
			return p.hexFloat(s, k)
		}
		if k == 2 {
			return n, errOff(start, "invalid hexadecimal number")
		}
		return p.integer(s[2:k], 16, k), nil
	}
	if len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'b' && (s[2] == '0' || s[2] == '1') {
		k := 2
		for k < len(s) && (s[k] == '0' || s[k] == '1') {
			k++
		}
		return p.integer(s[2:k], 2, k), nil
	}
	k := 0
	for k < len(s) && s[k] >= '0' && s[k] <= '9' {
		k++
	}
	if k < len(s) && (s[k] == '.' || s[k]|0x20 == 'e') && !(s[k] == '.' && k+1 < len(s) && p.class[s[k+1]]&beginIdent != 0 && s[k+1]|0x20 != 'e') {
		f := k
		if s[f] == '.' {
			for f++; f < len(s) && s[f] >= '0' && s[f] <= '9'; f++ {
			}
		}
		if f < len(s) && s[f]|0x20 == 'e' {
			f++
			if f < len(s) && (s[f] == '+' || s[f] == '-') {
				f++
			}
			for f < len(s) && s[f] >= '0' && s[f] <= '9' {
				f++
			}
		} else if f < len(s) && (s[f] == '+' || s[f] == '-') {
			return n, errOff(start, "invalid sign in float literal")
		}
		p.pos += f
		return number{real: true, text: s[:f]}, nil
	}
	base := 10
	digits := s[:k]
	if k > 1 && s[0] == '0' {
		base = 8
		if strings.ContainsAny(digits, "89") {
			// "1f" of a label that begins with 0 does not occur: it is a mistake.
			return n, errOff(start, "invalid octal number")
		}
	}
	return p.integer(digits, base, k), nil
}

// integer makes the number of digits, which with a prefix are n bytes, and skips a suffix (UL).
func (p *Parser) integer(digits string, base, n int) (num number) {
	num.text = p.text[p.pos : p.pos+n]
	p.pos += n
	v, err := strconv.ParseUint(digits, base, 64)
	if num.v = v; err != nil {
		num.big, _ = new(big.Int).SetString(digits, base)
	}
	for p.pos < len(p.text) && (p.text[p.pos]|0x20 == 'u' || p.text[p.pos]|0x20 == 'l') {
		p.pos++
	}
	return num
}

// hexFloat reads a hexadecimal number with an exponent; s[:k] has been seen.
func (p *Parser) hexFloat(s string, k int) (number, error) {
	start := p.pos
	digits := k > 2
	if s[k] == '.' {
		for k++; k < len(s) && hexDigit(s[k]) >= 0; k++ {
			digits = true
		}
	}
	if !digits {
		return number{}, errOff(start, "invalid hexadecimal floating-point constant: expected at least one significand digit")
	}
	if k >= len(s) || s[k]|0x20 != 'p' {
		return number{}, errOff(start, "invalid hexadecimal floating-point constant: expected exponent part 'p'")
	}
	k++
	if k < len(s) && (s[k] == '+' || s[k] == '-') {
		k++
	}
	first := k
	for k < len(s) && s[k] >= '0' && s[k] <= '9' {
		k++
	}
	if k == first {
		return number{}, errOff(start, "invalid hexadecimal floating-point constant: expected at least one exponent digit")
	}
	p.pos += k
	return number{real: true, text: s[:k]}, nil
}

// charLit reads a character in single quotes.
func (p *Parser) charLit() (int64, error) {
	at := p.pos
	s := p.text[p.pos:]
	k := 1
	if k < len(s) && s[k] == '\\' {
		k++
	}
	if k >= len(s) {
		return 0, errOff(at, "unterminated single quote")
	}
	v := int64(s[k])
	if k == 2 {
		if i := strings.IndexByte("bfnrt'", s[k]); i >= 0 {
			v = int64("\b\f\n\r\t'"[i])
		}
	}
	if k+1 >= len(s) || s[k+1] != '\'' {
		if k+1 >= len(s) {
			return 0, errOff(at, "unterminated single quote")
		}
		return 0, errOff(at, "single quote way too long")
	}
	p.pos += k + 2
	return v, nil
}
