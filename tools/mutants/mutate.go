package main

import (
	"math/rand/v2"
	"regexp"
	"strings"
)

// token is a piece of a source with the class of what it may be exchanged for.
type token struct {
	text  string
	class byte
}

const (
	clsSpace  = ' '
	clsLine   = '\n'
	clsString = '"'
	clsNumber = '0'
	clsWord   = 'w'
	clsType   = 't'
	clsPunct  = '.'
	// Names have their sigil as class: % @ ! # $ ^ &.
)

var (
	tokenRE = regexp.MustCompile(`\n|[ \t]+|"[^"\n]*"|0x[0-9A-Fa-fHKLMR]+|[-+]?[0-9]+(?:\.[0-9]+(?:e[-+]?[0-9]+)?)?|[%@!#$^&]?[-a-zA-Z_.$0-9]*[a-zA-Z_$0-9]|.`)
	typeRE  = regexp.MustCompile(`^(?:i[0-9]+|s[0-9]+|p[0-9]+|ptr|void|float|double|half|bfloat|fp128|x86_fp80|ppc_fp128|label|metadata|token|int|bit|bits|list|dag|string|code|_)$`)
)

func tokens(src string) []token {
	var ts []token
	for _, s := range tokenRE.FindAllString(src, -1) {
		ts = append(ts, token{s, classOf(s)})
	}
	return ts
}

func classOf(s string) byte {
	c := s[0]
	switch {
	case c == '\n':
		return clsLine
	case c == ' ' || c == '\t':
		return clsSpace
	case c == '"' && len(s) > 1:
		return clsString
	case strings.IndexByte("%@!#$^&", c) >= 0 && len(s) > 1:
		return c
	case c >= '0' && c <= '9' || (c == '-' || c == '+') && len(s) > 1 && s[1] <= '9':
		return clsNumber
	case typeRE.MatchString(s):
		return clsType
	case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		return clsWord
	}
	return clsPunct
}

// strip leaves out comments that begin with mark, and lines with nothing else.
func strip(src, mark string) string {
	var b strings.Builder
	for l := range strings.Lines(src) {
		at, in := -1, false
		for i := range len(l) {
			if l[i] == '"' {
				in = !in
			}
			if !in && strings.HasPrefix(l[i:], mark) && (mark != "#" || strings.TrimLeft(l[:i], " ") == "") {
				at = i
				break
			}
		}
		if at >= 0 {
			if l = strings.TrimRight(l[:at], " \t"); l == "" {
				continue
			}
			l += "\n"
		}
		b.WriteString(l)
	}
	return b.String()
}

// dictionary is what stands in all seeds, by class.
type dictionary map[byte][]string

func (d dictionary) learn(ts []token, seen map[string]bool) {
	for _, t := range ts {
		if t.class != clsSpace && t.class != clsLine && !seen[t.text] && len(t.text) < 60 {
			seen[t.text] = true
			d[t.class] = append(d[t.class], t.text)
		}
	}
}

var numbers = []string{"0", "1", "-1", "2", "3", "7", "8", "16", "31", "32", "63", "64", "128", "255", "256", "65536", "4294967295", "4294967296", "4294967297",
	"18446744073709551615", "18446744073709551616", "-9223372036854775809", "1.0", "0x10", "99999999999"}

// mutate changes a source in one place, sometimes two.
func mutate(r *rand.Rand, ts []token, d dictionary) string {
	out := append([]token(nil), ts...)
	for n := 1 + r.IntN(5)/4; n > 0; n-- {
		out = change(r, out, d)
	}
	var b strings.Builder
	for _, t := range out {
		b.WriteString(t.text)
	}
	return b.String()
}

func visible(t token) bool { return t.class != clsSpace && t.class != clsLine }

func change(r *rand.Rand, ts []token, d dictionary) []token {
	var at []int
	for i, t := range ts {
		if visible(t) {
			at = append(at, i)
		}
	}
	if len(at) < 2 {
		return ts
	}
	k := r.IntN(len(at))
	i := at[k]
	splice := func(from, to int, with ...token) []token {
		return append(append(append([]token(nil), ts[:from]...), with...), ts[to:]...)
	}
	space := token{" ", clsSpace}
	switch n := r.IntN(100); {
	case n < 14: // lose
		return splice(i, i+1)
	case n < 19: // twice
		return splice(i, i, ts[i], space)
	case n < 27: // exchange neighbours
		if k+1 < len(at) {
			ts = append([]token(nil), ts...)
			ts[i], ts[at[k+1]] = ts[at[k+1]], ts[i]
		}
		return ts
	case n < 33: // a line lost, twice, or elsewhere
		from, to := i, i
		for from > 0 && ts[from-1].class != clsLine {
			from--
		}
		for to < len(ts) && ts[to].class != clsLine {
			to++
		}
		to = min(to+1, len(ts))
		line := append([]token(nil), ts[from:to]...)
		switch r.IntN(3) {
		case 0:
			return splice(from, to)
		case 1:
			return splice(to, to, line...)
		}
		rest := splice(from, to)
		p := r.IntN(len(rest) + 1)
		for p > 0 && rest[p-1].class != clsLine {
			p--
		}
		return append(append(append([]token(nil), rest[:p]...), line...), rest[p:]...)
	case n < 41: // a word more
		c := []byte{clsWord, clsType, clsNumber, clsPunct, clsString}[r.IntN(5)]
		if l := d[c]; len(l) > 0 {
			return splice(i, i, token{l[r.IntN(len(l))], c}, space)
		}
		return ts
	default: // another of its kind
		c := ts[i].class
		var with string
		if c == clsNumber && r.IntN(2) == 0 {
			with = numbers[r.IntN(len(numbers))]
		} else if l := d[c]; len(l) > 0 && r.IntN(10) < 4 {
			with = l[r.IntN(len(l))]
		} else {
			var same []string
			for _, j := range at {
				if ts[j].class == c && ts[j].text != ts[i].text {
					same = append(same, ts[j].text)
				}
			}
			if len(same) == 0 {
				return splice(i, i+1)
			}
			with = same[r.IntN(len(same))]
		}
		return splice(i, i+1, token{with, c})
	}
}
