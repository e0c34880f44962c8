package main

import (
	"fmt"
	"math/bits"
	"sort"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// style is a desc.WriterStyle with its texts.
type style struct {
	kind           desc.WriterStyleKind
	prefix, suffix string
	mul, add       int64
	bits           uint8
	signed         bool
	texts          map[int64]string
}

// styles are the styles of a target, each once.
type styles struct {
	list  []*style
	byKey map[string]*style
}

func (y *style) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %q %q %d %d %d %t", y.kind, y.prefix, y.suffix, y.mul, y.add, y.bits, y.signed)
	keys := make([]int64, 0, len(y.texts))
	for v := range y.texts {
		keys = append(keys, v)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	for _, v := range keys {
		fmt.Fprintf(&b, " %d=%q", v, y.texts[v])
	}
	return b.String()
}

// intern gives the style that is equal. Texts of registers go into a table that
// says nothing else about any of them.
func (s *styles) intern(y *style) *style {
	if y.kind == desc.StyleRegTexts {
	next:
		for _, o := range s.list {
			if o.kind != desc.StyleRegTexts || o.prefix != y.prefix || o.suffix != y.suffix {
				continue
			}
			for v, t := range y.texts {
				if have, ok := o.texts[v]; ok && have != t {
					continue next
				}
			}
			for v, t := range y.texts {
				o.texts[v] = t
			}
			return o
		}
		s.list = append(s.list, y)
		return y
	}
	k := y.key()
	if o := s.byKey[k]; o != nil {
		return o
	}
	if s.byKey == nil {
		s.byKey = map[string]*style{}
	}
	s.byKey[k] = y
	s.list = append(s.list, y)
	return y
}

// render writes a value; false where the style has nothing for it.
func (l *learner) render(y *style, v int64) (string, bool) {
	if y.bits > 0 && y.bits < 64 {
		v &= 1<<y.bits - 1
		if y.signed {
			v = v << (64 - y.bits) >> (64 - y.bits)
		}
	}
	if t, ok := y.texts[v]; ok {
		return t, true
	}
	n := v*y.mul + y.add
	var mid string
	switch {
	case y.kind == desc.StyleReg:
		mid = l.or.regName(desc.PhysReg(v))
	case y.kind == desc.StyleSign && n >= 0:
		mid = "+" + strconv.FormatInt(n, 10)
	case y.kind == desc.StyleDec || y.kind == desc.StyleSign:
		mid = strconv.FormatInt(n, 10)
	case y.kind == desc.StyleSum && n < 0:
		mid = "- " + strconv.FormatUint(uint64(-n), 10)
	case y.kind == desc.StyleSum:
		mid = "+ " + strconv.FormatUint(uint64(n), 10)
	case y.kind == desc.StyleHexBits:
		mid = "0x" + strconv.FormatUint(uint64(n), 16)
	case y.kind == desc.StyleHex && n < 0:
		mid = "-0x" + strconv.FormatUint(uint64(-n), 16)
	case y.kind == desc.StyleHex:
		mid = "0x" + strconv.FormatUint(uint64(n), 16)
	default:
		return "", false
	}
	return y.prefix + mid + y.suffix, true
}

// written is a value and what stands in its place.
type written struct {
	val  int64
	text string
}

// numbers finds the numerals of a text: from, to, value and whether in hexadecimal.
func numbers(t string) (out []numeral) {
	for i := 0; i < len(t); i++ {
		if t[i] < '0' || t[i] > '9' || i > 0 && isWord(t[i-1]) {
			continue
		}
		n := numeral{from: i, to: i}
		if strings.HasPrefix(t[i:], "0x") {
			for n.to = i + 2; n.to < len(t) && strings.IndexByte("0123456789abcdef", t[n.to]) >= 0; n.to++ {
			}
			v, err := strconv.ParseUint(t[i+2:n.to], 16, 64)
			if err != nil {
				i = n.to
				continue
			}
			n.val, n.hex = int64(v), true
		} else {
			for n.to = i; n.to < len(t) && t[n.to] >= '0' && t[n.to] <= '9'; n.to++ {
			}
			v, err := strconv.ParseUint(t[i:n.to], 10, 64)
			if err != nil || n.to-i > 1 && t[i] == '0' {
				i = n.to
				continue
			}
			n.val = int64(v)
		}
		i = n.to
		if n.from > 0 && t[n.from-1] == '-' {
			n.from--
			n.val, n.neg = -n.val, true
		}
		out = append(out, n)
	}
	return out
}

type numeral struct {
	from, to int
	val      int64
	hex, neg bool
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// numeric fits a style that writes a number, with exceptions, to what was seen;
// whole says that all values of the domain were.
func numeric(ws []written, whole bool) *style {
	type shape struct {
		prefix, suffix string
		hex            bool
	}
	count := map[shape]int{}
	for _, w := range ws {
		for _, n := range numbers(w.text) {
			count[shape{w.text[:n.from], w.text[n.to:], n.hex}]++
		}
	}
	var best *style
	fewest := len(ws)
	shapes := make([]shape, 0, len(count))
	for s := range count {
		shapes = append(shapes, s)
	}
	sort.Slice(shapes, func(i, j int) bool {
		a, b := shapes[i], shapes[j]
		if count[a] != count[b] {
			return count[a] > count[b]
		}
		return a.prefix+"\x00"+a.suffix < b.prefix+"\x00"+b.suffix
	})
	for _, s := range shapes[:min(len(shapes), 4)] {
		if count[s] < 2 {
			continue
		}
		y := fitNumber(ws, s.prefix, s.suffix, s.hex)
		if y != nil && len(y.texts) < fewest {
			best, fewest = y, len(y.texts)
		}
	}
	// Of values that were not seen, exceptions are not known.
	if best == nil || fewest*2 > len(ws) || !whole && fewest > 2 {
		return nil
	}
	return best
}

// fitNumber finds the number that most values have between prefix and suffix.
func fitNumber(ws []written, prefix, suffix string, hex bool) *style {
	type point struct{ v, n int64 }
	var ps []point
	for _, w := range ws {
		for _, n := range numbers(w.text) {
			if n.hex == hex && w.text[:n.from] == prefix && w.text[n.to:] == suffix {
				ps = append(ps, point{w.val, n.val})
			}
		}
	}
	kind := desc.StyleDec
	if hex {
		kind = desc.StyleHex
	}
	var cand []*style
	for i := 0; i+1 < len(ps) && i < 6; i++ {
		a, b := ps[i], ps[i+1]
		if b.v == a.v || (b.n-a.n)%(b.v-a.v) != 0 {
			continue
		}
		mul := (b.n - a.n) / (b.v - a.v)
		if mul == 0 {
			continue
		}
		cand = append(cand, &style{kind: kind, mul: mul, add: a.n - mul*a.v})
	}
	most := int64(0)
	for _, p := range ps {
		most = max(most, p.n)
	}
	for _, n := range [...]int{bits.Len64(uint64(most)), bits.Len64(uint64(most)) + 1, 8, 16, 20, 32} {
		if n > 0 && n < 63 {
			cand = append(cand, &style{kind: kind, mul: 1, bits: uint8(n)}, &style{kind: kind, mul: 1, bits: uint8(n), signed: true})
		}
	}
	// A sign that is always written is a part of the number.
	if kind := signOf(prefix); kind != 0 && !hex {
		for _, y := range cand[:len(cand):len(cand)] {
			c := *y
			c.kind = kind
			cand = append(cand, &c)
		}
	}
	if hex {
		for _, y := range cand[:len(cand):len(cand)] {
			if y.bits == 0 && y.mul != 1 {
				cand = append(cand, &style{kind: desc.StyleHexBits, mul: y.mul, add: y.add})
			}
		}
		cand = append(cand, &style{kind: desc.StyleHexBits, mul: 1})
	}
	var best *style
	l := &learner{}
	for _, y := range cand {
		y.prefix, y.suffix, y.texts = prefix, suffix, map[int64]string{}
		switch y.kind {
		case desc.StyleSum:
			y.prefix = prefix[:len(prefix)-2]
		case desc.StyleSign:
			y.prefix = prefix[:len(prefix)-1]
		}
		ok := true
		for _, w := range ws {
			if got, _ := l.render(y, w.val); got != w.text {
				if y.bits > 0 {
					ok = false // exceptions are of what the bits leave
					break
				}
				y.texts[w.val] = w.text
			}
		}
		if ok && (best == nil || len(y.texts) < len(best.texts)) {
			best = y
		}
	}
	return best
}

// signOf is the kind of numbers that a prefix with a sign begins; 0 is none.
func signOf(prefix string) desc.WriterStyleKind {
	switch {
	case strings.HasSuffix(prefix, "+ "):
		return desc.StyleSum
	case strings.HasSuffix(prefix, "+"):
		return desc.StyleSign
	}
	return 0
}

// listed is the style that lists all values.
func listed(ws []written, reg bool) *style {
	y := &style{kind: desc.StyleTexts, texts: map[int64]string{}}
	if reg {
		y.kind = desc.StyleRegTexts
	}
	for _, w := range ws {
		y.texts[w.val] = w.text
	}
	return y
}
