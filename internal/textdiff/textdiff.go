package textdiff

import (
	"strconv"
	"strings"
)

// Pair says that a[A] and b[B] belong together.
type Pair struct{ A, B int }

// maxCost bounds the work of one search for a middle: beyond it the longest
// path found so far is taken, so that very different texts cost no quadratic time.
const maxCost = 4096

// Match returns the pairs of equal lines, rising in both.
func Match(a, b []string) []Pair {
	// Small numbers are compared faster than lines.
	ids := map[string]int32{}
	number := func(s []string) []int32 {
		out := make([]int32, len(s))
		for k, l := range s {
			id, ok := ids[l]
			if !ok {
				id = int32(len(ids))
				ids[l] = id
			}
			out[k] = id
		}
		return out
	}
	m := matcher{a: number(a), b: number(b)}
	n := 2*(len(a)+len(b)) + 4
	m.fwd, m.back = make([]int32, n), make([]int32, n)
	m.run(0, len(a), 0, len(b))
	return m.pairs
}

type matcher struct {
	a, b      []int32
	fwd, back []int32 // furthest x on each diagonal
	pairs     []Pair
}

// run matches a[alo:ahi] with b[blo:bhi].
func (m *matcher) run(alo, ahi, blo, bhi int) {
	for alo < ahi && blo < bhi && m.a[alo] == m.b[blo] {
		m.pairs = append(m.pairs, Pair{alo, blo})
		alo++
		blo++
	}
	tail := 0
	for alo < ahi && blo < bhi && m.a[ahi-1] == m.b[bhi-1] {
		ahi--
		bhi--
		tail++
	}
	if alo < ahi && blo < bhi {
		x, y := m.middle(alo, ahi, blo, bhi)
		if x+y > alo+blo && x+y < ahi+bhi {
			m.run(alo, x, blo, y)
			m.run(x, ahi, y, bhi)
		}
	}
	for k := range tail {
		m.pairs = append(m.pairs, Pair{ahi + k, bhi + k})
	}
}

// middle returns a point on a shortest edit path, about half way. A corner
// means that the two have nothing in common.
func (m *matcher) middle(alo, ahi, blo, bhi int) (x, y int) {
	n, k := ahi-alo, bhi-blo
	delta := n - k
	mid := n + k + 1
	m.fwd[mid+1], m.back[mid+1] = 0, 0
	for d := 0; d <= (n+k+1)/2; d++ {
		for diag := -d; diag <= d; diag += 2 {
			var px int
			if diag == -d || diag != d && m.fwd[mid+diag-1]+1 <= m.fwd[mid+diag+1] {
				px = int(m.fwd[mid+diag+1])
			} else {
				px = int(m.fwd[mid+diag-1]) + 1
			}
			py := px - diag
			for px < n && py < k && px >= 0 && py >= 0 && m.a[alo+px] == m.b[blo+py] {
				px++
				py++
			}
			m.fwd[mid+diag] = int32(px)
			if c := delta - diag; delta&1 != 0 && c >= -(d-1) && c <= d-1 && px+int(m.back[mid+c]) >= n {
				return clamp(alo+px, alo, ahi), clamp(blo+py, blo, bhi)
			}
		}
		for diag := -d; diag <= d; diag += 2 {
			var px int
			if diag == -d || diag != d && m.back[mid+diag-1]+1 <= m.back[mid+diag+1] {
				px = int(m.back[mid+diag+1])
			} else {
				px = int(m.back[mid+diag-1]) + 1
			}
			py := px - diag
			for px < n && py < k && px >= 0 && py >= 0 && m.a[ahi-1-px] == m.b[bhi-1-py] {
				px++
				py++
			}
			m.back[mid+diag] = int32(px)
			if c := delta - diag; delta&1 == 0 && c >= -d && c <= d && px+int(m.fwd[mid+c]) >= n {
				return clamp(ahi-px, alo, ahi), clamp(bhi-py, blo, bhi)
			}
		}
		if d > maxCost {
			return m.furthest(alo, ahi, blo, bhi, mid, d)
		}
	}
	return ahi, bhi
}

// furthest returns the point that the forward search has come furthest to.
func (m *matcher) furthest(alo, ahi, blo, bhi, mid, d int) (x, y int) {
	x, y = alo, blo
	for diag := -d; diag <= d; diag += 2 {
		px := int(m.fwd[mid+diag])
		py := px - diag
		if px <= ahi-alo && py >= 0 && py <= bhi-blo && alo+px+blo+py > x+y {
			x, y = alo+px, blo+py
		}
	}
	return x, y
}

func clamp(v, lo, hi int) int { return max(lo, min(v, hi)) }

// Lines splits a text behind its newlines.
func Lines(s string) []string {
	l := strings.SplitAfter(s, "\n")
	if n := len(l); l[n-1] == "" {
		l = l[:n-1]
	}
	return l
}

// Op is what becomes of a line.
type Op byte

// The operations.
const (
	Same   Op = ' '
	Delete Op = '-'
	Insert Op = '+'
)

// Edit is one line of an edit script; A and B are the places in both texts.
type Edit struct {
	Op   Op
	A, B int
}

// Script returns the edit script that the pairs of Match stand for.
func Script(na, nb int, pairs []Pair) []Edit {
	out := make([]Edit, 0, max(na, nb))
	a, b := 0, 0
	upTo := func(p Pair) {
		for ; a < p.A; a++ {
			out = append(out, Edit{Delete, a, b})
		}
		for ; b < p.B; b++ {
			out = append(out, Edit{Insert, a, b})
		}
	}
	for _, p := range pairs {
		upTo(p)
		out = append(out, Edit{Same, a, b})
		a++
		b++
	}
	upTo(Pair{na, nb})
	return out
}

// Hunks cuts a script into the runs of changes with context lines around them.
func Hunks(s []Edit, context int) [][]Edit {
	var out [][]Edit
	end := 0
	for k := 0; k < len(s); k++ {
		if s[k].Op == Same {
			continue
		}
		from := max(k-context, end)
		last := k
		for j := k; j < len(s) && j <= last+2*context+1; j++ {
			if s[j].Op != Same {
				last = j
			}
		}
		to := min(last+context+1, len(s))
		out = append(out, s[from:to])
		end, k = to, to-1
	}
	return out
}

// Colors are escape sequences around lines; the zero value is plain.
type Colors struct{ Header, Hunk, Delete, Insert, Reset string }

// Terminal returns the usual colours of a terminal.
func Terminal() Colors {
	return Colors{Header: "\x1b[1m", Hunk: "\x1b[36m", Delete: "\x1b[31m", Insert: "\x1b[32m", Reset: "\x1b[0m"}
}

// AppendUnified appends the difference of two texts as diff -u prints it,
// nothing when they are equal.
func AppendUnified(out []byte, nameA, nameB, a, b string, c Colors) []byte {
	la, lb := Lines(a), Lines(b)
	hunks := Hunks(Script(len(la), len(lb), Match(la, lb)), 3)
	if len(hunks) == 0 {
		return out
	}
	out = append(out, c.Header+"--- "+nameA+c.Reset+"\n"+c.Header+"+++ "+nameB+c.Reset+"\n"...)
	for _, h := range hunks {
		out = AppendHunk(out, h, la, lb, "", c)
	}
	return out
}

// AppendHunk appends one hunk; title stands behind its ranges.
func AppendHunk(out []byte, h []Edit, a, b []string, title string, c Colors) []byte {
	na, nb := 0, 0
	for _, e := range h {
		if e.Op != Insert {
			na++
		}
		if e.Op != Delete {
			nb++
		}
	}
	out = append(out, c.Hunk+"@@ -"...)
	out = appendRange(out, h[0].A, na)
	out = append(out, " +"...)
	out = appendRange(out, h[0].B, nb)
	out = append(out, " @@"+c.Reset...)
	if title != "" {
		out = append(out, ' ')
		out = append(out, title...)
	}
	out = append(out, '\n')
	for _, e := range h {
		line, color := "", ""
		switch e.Op {
		case Same:
			line = a[e.A]
		case Delete:
			line, color = a[e.A], c.Delete
		default:
			line, color = b[e.B], c.Insert
		}
		text, newline := strings.CutSuffix(line, "\n")
		out = append(out, color...)
		out = append(out, byte(e.Op))
		out = append(out, text...)
		if color != "" {
			out = append(out, c.Reset...)
		}
		out = append(out, '\n')
		if !newline {
			out = append(out, "\\ No newline at end of file\n"...)
		}
	}
	return out
}

// appendRange appends a range of lines: an empty one names the line before it.
func appendRange(out []byte, at, n int) []byte {
	if n > 0 {
		at++
	}
	out = strconv.AppendInt(out, int64(at), 10)
	if n != 1 {
		out = append(out, ',')
		out = strconv.AppendInt(out, int64(n), 10)
	}
	return out
}
