package trie

import "encoding/binary"

// Step is one test, encoded. Steps with equal bytes are shared; two steps
// exclude each other when they ask for different values of one thing (Key).
type Step struct {
	Bytes string
	Key   string // "" when nothing is known to exclude it
}

// Encode gives an instruction with its operands.
func Encode[Op ~uint8](op Op, args ...int) []byte {
	b := []byte{byte(op)}
	for _, a := range args {
		b = binary.AppendUvarint(b, uint64(a))
	}
	return b
}

// New makes a test of which nothing is known that excludes it.
func New[Op ~uint8](op Op, args ...int) Step { return Step{Bytes: string(Encode(op, args...))} }

// Keyed makes a test whose first n operands say of what, and whose rest is the
// value that is asked for.
func Keyed[Op ~uint8](n int, op Op, args ...int) Step {
	return Step{string(Encode(op, args...)), string(Encode(op, args[:n]...))}
}

// Excludes reports whether two tests cannot both succeed.
func (a Step) Excludes(b Step) bool { return a.Key != "" && a.Key == b.Key && a.Bytes != b.Bytes }

// Tree writes the trees of one table.
type Tree[R any] struct {
	// Steps are the tests of a rule; Accept the code behind them, asked for once
	// for each rule that can match, in the order of the code.
	Steps  func(r R) []Step
	Accept func(r R) []byte
	// Shadow is told of a rule that cannot match, as by always matches before it;
	// nil when nobody asks.
	Shadow func(r, by R)
	// The instructions: of alternatives, of the test of a type and of a jump by it.
	Try, CheckType, SwitchType byte
	// MaxTries is how deep alternatives may nest.
	MaxTries int
}

// Code gives the tree of the rules of one root. A rule moves only over rules
// that exclude it, so that the first one in order that fits is found.
func (t *Tree[R]) Code(rs []R) []byte { return t.tree(rs, 0, 0) }

// at returns test n of a rule, the zero Step behind its last one.
func (t *Tree[R]) at(r R, n int) Step {
	if s := t.Steps(r); n < len(s) {
		return s[n]
	}
	return Step{}
}

// tree codes rules that agree in their first depth tests.
func (t *Tree[R]) tree(rs []R, depth, tries int) []byte {
	groups := t.groups(rs, depth)
	if len(groups) > 1 && t.allTypes(groups, depth) {
		return t.typeSwitch(groups, depth, tries)
	}
	var out []byte
	for i, gr := range groups {
		more := i < len(groups)-1
		n := tries
		if more {
			n++
		}
		if n+1 >= t.MaxTries { // too deep to share: one after the other
			return t.flat(rs, depth)
		}
		body, always := t.group(gr, depth, n)
		if always && more {
			for _, rest := range groups[i+1:] {
				t.shadow(rest, gr[0])
			}
			more = false
		}
		if !more {
			return append(out, body...)
		}
		out = t.try(out, body)
	}
	return out
}

// try adds an alternative that others follow.
func (t *Tree[R]) try(out, body []byte) []byte {
	return append(binary.AppendUvarint(append(out, t.Try), uint64(len(body))), body...)
}

func (t *Tree[R]) shadow(rs []R, by R) {
	for _, r := range rs {
		if t.Shadow != nil {
			t.Shadow(r, by)
		}
	}
}

// flat codes rules without sharing, which nests alternatives by one only.
func (t *Tree[R]) flat(rs []R, depth int) []byte {
	var out []byte
	for i, r := range rs {
		body := t.tail(r, depth)
		if i == len(rs)-1 {
			return append(out, body...)
		}
		out = t.try(out, body)
	}
	return out
}

// tail is the rest of one rule.
func (t *Tree[R]) tail(r R, depth int) []byte {
	var out []byte
	steps := t.Steps(r)
	for _, s := range steps[min(depth, len(steps)):] {
		out = append(out, s.Bytes...)
	}
	return append(out, t.Accept(r)...)
}

// group codes rules whose test at depth is one; always: the first has no test
// left and always matches.
func (t *Tree[R]) group(rs []R, depth, tries int) (code []byte, always bool) {
	r := rs[0]
	if depth >= len(t.Steps(r)) {
		t.shadow(rs[1:], r)
		return t.Accept(r), true
	}
	if len(rs) == 1 {
		return t.tail(r, depth), false
	}
	return append([]byte(t.at(r, depth).Bytes), t.tree(rs, depth+1, tries)...), false
}

// groups puts rules with the same test at depth together.
func (t *Tree[R]) groups(rs []R, depth int) [][]R {
	var groups [][]R
	for _, r := range rs {
		s := t.at(r, depth)
		at := len(groups)
		for i := len(groups) - 1; i >= 0; i-- {
			q := t.at(groups[i][0], depth)
			if q == s && s.Bytes != "" {
				at = i
				break
			}
			if !q.Excludes(s) {
				break
			}
		}
		if at == len(groups) {
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], r)
	}
	return groups
}

// allTypes reports whether all groups test the type of one value.
func (t *Tree[R]) allTypes(groups [][]R, depth int) bool {
	key := t.at(groups[0][0], depth).Key
	seen := map[string]bool{}
	for _, gr := range groups {
		s := t.at(gr[0], depth)
		if s.Bytes == "" || s.Bytes[0] != t.CheckType || s.Key != key || seen[s.Bytes] {
			return false
		}
		seen[s.Bytes] = true
	}
	return true
}

// typeSwitch codes groups that differ in the type of a value as a jump.
func (t *Tree[R]) typeSwitch(groups [][]R, depth, tries int) []byte {
	key := t.at(groups[0][0], depth).Key
	var table, bodies []byte
	for _, gr := range groups {
		table = append(table, t.at(gr[0], depth).Bytes[len(key):]...)
		table = binary.AppendUvarint(table, uint64(len(bodies)))
		bodies = append(bodies, t.tree(gr, depth+1, tries)...)
	}
	out := append([]byte{t.SwitchType}, key[1:]...)
	out = binary.AppendUvarint(out, uint64(len(groups)))
	return append(append(out, table...), bodies...)
}
