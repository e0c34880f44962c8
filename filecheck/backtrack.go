package filecheck

// stepLimit bounds the work of one start position of the backtracker; past it
// the longest match found so far is taken.
const stepLimit = 1 << 20

// matcher matches an expression by trying every way, for patterns that refer
// back to their own groups.
type matcher struct {
	text  []byte
	caps  []int
	best  []int
	steps int
}

// backtrack returns the leftmost match of n in text, the longest at that place.
func backtrack(n *ereNode, groups int, text []byte) []int {
	m := &matcher{text: text, caps: make([]int, 2*groups+2)}
	for start := 0; start <= len(text); start++ {
		for k := range m.caps {
			m.caps[k] = -1
		}
		m.steps = 0
		m.match(n, start, func(end int) bool {
			if m.best == nil || end > m.best[1] {
				m.best = append(m.best[:0], m.caps...)
				m.best[0], m.best[1] = start, end
			}
			return end == len(text)
		})
		if m.best != nil {
			return m.best
		}
	}
	return nil
}

func isWord(c byte) bool {
	return c == '_' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// match matches n at pos and calls k with the end of each way to do so, the
// greedy one first, until k returns true.
func (m *matcher) match(n *ereNode, pos int, k func(int) bool) bool {
	if m.steps++; m.steps > stepLimit {
		return m.best != nil
	}
	t := m.text
	switch n.op {
	case ereEmpty:
		return k(pos)
	case ereSet:
		return pos < len(t) && n.set.has(t[pos]) && k(pos+1)
	case ereBOL:
		return (pos == 0 || t[pos-1] == '\n') && k(pos)
	case ereEOL:
		return (pos == len(t) || t[pos] == '\n') && k(pos)
	case ereWordB:
		return (pos == 0 || !isWord(t[pos-1])) && pos < len(t) && isWord(t[pos]) && k(pos)
	case ereWordE:
		return pos > 0 && isWord(t[pos-1]) && (pos == len(t) || !isWord(t[pos])) && k(pos)
	case ereCat:
		return m.cat(n.subs, pos, k)
	case ereAlt:
		for _, s := range n.subs {
			if m.match(s, pos, k) {
				return true
			}
		}
		return false
	case ereGroup:
		old0, old1 := m.caps[2*n.num], m.caps[2*n.num+1]
		if m.match(n.subs[0], pos, func(end int) bool {
			in0, in1 := m.caps[2*n.num], m.caps[2*n.num+1]
			m.caps[2*n.num], m.caps[2*n.num+1] = pos, end
			if k(end) {
				return true
			}
			m.caps[2*n.num], m.caps[2*n.num+1] = in0, in1
			return false
		}) {
			return true
		}
		m.caps[2*n.num], m.caps[2*n.num+1] = old0, old1
		return false
	case ereRepeat:
		return m.repeat(n, pos, 0, k)
	case ereBack:
		lo, hi := m.caps[2*n.num], m.caps[2*n.num+1]
		if lo < 0 || len(t)-pos < hi-lo || string(t[lo:hi]) != string(t[pos:pos+hi-lo]) {
			return false
		}
		return k(pos + hi - lo)
	}
	return false
}

func (m *matcher) cat(subs []*ereNode, pos int, k func(int) bool) bool {
	if len(subs) == 0 {
		return k(pos)
	}
	return m.match(subs[0], pos, func(p int) bool { return m.cat(subs[1:], p, k) })
}

func (m *matcher) repeat(n *ereNode, pos, done int, k func(int) bool) bool {
	if n.max < 0 || done < n.max {
		if m.match(n.subs[0], pos, func(p int) bool {
			// An empty turn beyond the required ones would loop for ever.
			if p == pos && done >= n.min {
				return false
			}
			return m.repeat(n, p, done+1, k)
		}) {
			return true
		}
	}
	return done >= n.min && k(pos)
}
