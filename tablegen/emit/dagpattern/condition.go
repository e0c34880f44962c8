package dagpattern

import "strings"

// Condition is a condition on the subtarget: C++, or the name of a Go function.
type Condition struct {
	Text string
	Not  bool
}

// Conditions lists the conditions on the subtarget under which a pattern is
// there: its predicates and those of its hardware mode.
func (p *Set) Conditions(x *Pattern) []Condition {
	var out []Condition
	add := func(cond string, not bool) {
		cond = strings.TrimSpace(cond)
		if cond == "" {
			return
		}
		if s, ok := strings.CutPrefix(cond, "!"); ok && !strings.ContainsAny(strings.ReplaceAll(s, "->", ""), "&|?=<>") {
			cond, not = s, !not
		}
		out = append(out, Condition{cond, not})
	}
	for _, r := range x.Predicates {
		add(r.String("CondString"), false)
	}
	mode := func(m Mode) (conds []string) {
		for _, r := range p.modes[m].DefList("Predicates") {
			if c := r.String("CondString"); c != "" {
				conds = append(conds, c)
			}
		}
		return conds
	}
	if x.HwMode != 0 {
		for _, c := range mode(x.HwMode) {
			add(c, false)
		}
	}
	for _, m := range x.NotModes {
		if l := mode(m); len(l) == 1 {
			add(l[0], true)
		} else if len(l) > 1 {
			add("("+strings.Join(l, ") && (")+")", true)
		}
	}
	return out
}
