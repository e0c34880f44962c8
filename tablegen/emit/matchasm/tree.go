package matchasm

import (
	"encoding/binary"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
)

// tree writes the decision tree of the rules of one root. A rule moves only
// over rules that exclude it, so that the first one in order that fits is found.
type tree struct {
	// accept is the code behind the tests of a rule, asked for once for each
	// rule that can match, in the order of the code.
	accept func(r *Rule) []byte
	apart  bool // share nothing
}

// at returns test n of a rule, the zero Step behind its last one.
func (t *tree) at(r *Rule, n int) Step {
	if s := r.Steps; n < len(s) {
		return s[n]
	}
	return Step{}
}

// code codes rules that agree in their first depth tests.
func (t *tree) code(rs []*Rule, depth, tries int) []byte {
	if t.apart {
		return t.flat(rs, depth)
	}
	groups := t.groups(rs, depth)
	var out []byte
	for i := 0; i < len(groups); {
		next := i + max(1, t.cases(groups[i:], depth))
		more := next < len(groups)
		n := tries
		if more {
			n++
		}
		if n+1 >= code.MaxTries { // too deep to share: one after the other
			return t.flat(rs, depth)
		}
		var body []byte
		if next > i+1 {
			body = t.jump(groups[i:next], depth, n)
		} else {
			var always bool
			if body, always = t.group(groups[i], depth, n); always && more {
				for _, rest := range groups[next:] {
					t.shadow(rest, groups[i][0])
				}
				more = false
			}
		}
		if !more {
			return append(out, body...)
		}
		out = t.try(out, body)
		i = next
	}
	return out
}

// try adds an alternative that others follow.
func (t *tree) try(out, body []byte) []byte {
	return append(binary.AppendUvarint(append(out, byte(code.Try)), uint64(len(body))), body...)
}

func (t *tree) shadow(rs []*Rule, by *Rule) {
	for _, r := range rs {
		r.Shadow = by
	}
}

// flat codes rules without sharing, which nests alternatives by one only.
func (t *tree) flat(rs []*Rule, depth int) []byte {
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
func (t *tree) tail(r *Rule, depth int) []byte {
	var out []byte
	for _, s := range r.Steps[min(depth, len(r.Steps)):] {
		out = append(out, s.Bytes...)
	}
	return append(out, t.accept(r)...)
}

// group codes rules whose test at depth is one; always: the first has no test
// left and always matches.
func (t *tree) group(rs []*Rule, depth, tries int) (body []byte, always bool) {
	r := rs[0]
	if depth >= len(r.Steps) {
		t.shadow(rs[1:], r)
		return t.accept(r), true
	}
	if len(rs) == 1 {
		return t.tail(r, depth), false
	}
	return append([]byte(t.at(r, depth).Bytes), t.code(rs, depth+1, tries)...), false
}

// groups puts rules with the same test at depth together.
func (t *tree) groups(rs []*Rule, depth int) [][]*Rule {
	var groups [][]*Rule
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

// switchOf is the jump that tests become when several ask for different values
// of one thing; Try where there is none.
func switchOf(op code.Op) code.Op {
	switch op {
	case code.CheckType:
		return code.SwitchType
	case code.CheckOpcode:
		return code.SwitchOpcode
	}
	return code.Try
}

// cases counts the groups at the beginning that ask for different types (or
// opcodes) of one thing: a jump can choose between them.
func (t *tree) cases(groups [][]*Rule, depth int) int {
	first := t.at(groups[0][0], depth)
	if first.Key == "" || switchOf(first.Op()) == code.Try {
		return 0
	}
	seen := map[string]bool{}
	for n, gr := range groups {
		s := t.at(gr[0], depth)
		if s.Key != first.Key || seen[s.Bytes] {
			return n
		}
		seen[s.Bytes] = true
	}
	return len(groups)
}

// jump codes groups that differ in the type or the opcode of a thing.
func (t *tree) jump(groups [][]*Rule, depth, tries int) []byte {
	first := t.at(groups[0][0], depth)
	var table, bodies []byte
	for _, gr := range groups {
		table = append(table, t.at(gr[0], depth).Bytes[len(first.Key):]...)
		table = binary.AppendUvarint(table, uint64(len(bodies)))
		bodies = append(bodies, t.code(gr, depth+1, tries)...)
	}
	out := append([]byte{byte(switchOf(first.Op()))}, first.Key[1:]...)
	out = binary.AppendUvarint(out, uint64(len(table)))
	return append(append(out, table...), bodies...)
}
