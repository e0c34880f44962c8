package ir

import "strings"

// AsmConstraint is one part of the constraint string of inline assembly (the
// language is in LLVM's Language Reference, "Inline Asm Constraint String").
type AsmConstraint struct {
	Kind         byte // '=' output, 0 input, '~' clobber, '!' label
	Indirect     bool // the operand is the address of the value
	EarlyClobber bool // the output is written before all inputs are read
	Codes        string
}

// ParseConstraints reads a constraint string; ok is false where it breaks the language.
func ParseConstraints(s string) (list []AsmConstraint, ok bool) {
	if s == "" {
		return nil, true
	}
	matched := map[int]int{}
	for part := range strings.SplitSeq(s, ",") {
		c, ok := parseConstraint(part)
		if list = append(list, c); !ok || !matchingOK(list, matched) {
			return list, false
		}
	}
	return list, true
}

func parseConstraint(s string) (c AsmConstraint, ok bool) {
	if s == "" {
		return c, false
	}
	switch s[0] {
	case '~':
		if len(s) > 1 && s[1] != '{' {
			return c, false
		}
		c.Kind, s = '~', s[1:]
	case '=', '!':
		c.Kind, s = s[0], s[1:]
	}
	if strings.HasPrefix(s, "*") {
		c.Indirect, s = true, s[1:]
	}
	for ; s != "" && (s[0] == '&' || s[0] == '%'); s = s[1:] {
		if s[0] == '&' && c.Kind != '=' || s[0] == '%' && c.Kind == '~' {
			return c, false
		}
		c.EarlyClobber = c.EarlyClobber || s[0] == '&'
	}
	if s == "" || s[0] == '#' || s[0] == '*' {
		return c, false
	}
	c.Codes = s
	for s != "" {
		if s[0] != '{' {
			s = s[1:]
			continue
		}
		i := strings.IndexByte(s, '}')
		if i < 0 {
			return c, false
		}
		s = s[i+1:]
	}
	return c, true
}

// matchingOK checks the numbers in the codes of the last constraint: they name
// an output, and each output is matched by one input.
func matchingOK(list []AsmConstraint, matched map[int]int) bool {
	i := len(list) - 1
	for _, code := range list[i].List() {
		if code[0] < '0' || code[0] > '9' {
			continue
		}
		n := 0
		for k := 0; k < len(code) && n < 1<<20; k++ {
			n = n*10 + int(code[k]-'0')
		}
		if n >= i || list[n].Kind != '=' || list[i].Kind != 0 {
			return false
		}
		if m, ok := matched[n]; ok && m != i {
			return false
		}
		matched[n] = i
	}
	return true
}

// List cuts the codes of all alternatives apart: letters, "^xy" (as "xy"),
// "@nxyz" (as "xyz"), "{register}" and the number of a matched output.
func (c *AsmConstraint) List() []string {
	var out []string
	for s := c.Codes; s != ""; {
		n := 1
		switch {
		case s[0] == '|':
			s = s[1:]
			continue
		case s[0] == '{':
			if n = strings.IndexByte(s, '}') + 1; n == 0 {
				n = len(s)
			}
		case s[0] >= '0' && s[0] <= '9':
			for n < len(s) && s[n] >= '0' && s[n] <= '9' {
				n++
			}
		case s[0] == '^' && len(s) >= 3:
			out, s = append(out, s[1:3]), s[3:]
			continue
		case s[0] == '@' && len(s) >= 2 && s[1] >= '1' && s[1] <= '9' && len(s) >= 2+int(s[1]-'0'):
			n = 2 + int(s[1]-'0')
			out, s = append(out, s[2:n]), s[n:]
			continue
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}

// Fault says what is wrong with inline assembly, in LLVM's words, "" when nothing is.
func (a *InlineAsm) Fault(t *Types) string {
	if t.IsVarArg(a.Type) {
		return "inline asm cannot be variadic"
	}
	list, ok := ParseConstraints(a.Constraints)
	if !ok {
		return "failed to parse constraints"
	}
	outputs, inputs, clobbers, indirect, labels := 0, 0, 0, 0, 0
	for _, c := range list {
		switch c.Kind {
		case '=':
			if inputs-indirect != 0 || clobbers != 0 || labels != 0 {
				return "output constraint occurs after input, clobber or label constraint"
			}
			if !c.Indirect {
				outputs++
				continue
			}
			indirect++
			inputs++
		case '~':
			clobbers++
		case '!':
			if clobbers != 0 {
				return "label constraint occurs after clobber constraint"
			}
			labels++
		default:
			if clobbers != 0 {
				return "input constraint occurs after clobber constraint"
			}
			inputs++
		}
	}
	if msg := asmResultFault(t, t.Result(a.Type), outputs); msg != "" {
		return msg
	}
	if len(t.Subtypes(a.Type)) != inputs {
		return "number of input constraints does not match number of parameters"
	}
	return ""
}

func asmResultFault(t *Types, ret Type, outputs int) string {
	switch {
	case outputs == 0 && ret != Void:
		return "inline asm without outputs must return void"
	case outputs == 1 && t.Kind(ret) == KindStruct:
		return "inline asm with one output cannot return struct"
	case outputs > 1 && (t.Kind(ret) != KindStruct || len(t.Subtypes(ret)) != outputs):
		return "number of output constraints does not match number of return struct elements"
	}
	return ""
}
