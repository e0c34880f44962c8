package irtext

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// asmFault says what is wrong with the constraints of inline assembly, "" when nothing is.
func asmFault(t *ir.Types, a *ir.InlineAsm) string {
	if t.IsVarArg(a.Type) {
		return "inline asm cannot be variadic"
	}
	outputs, inputs, clobbers, indirect, labels := 0, 0, 0, 0, 0
	list := splitConstraints(a.Constraints)
	kinds, matched := make([]byte, len(list)), map[int]int{}
	for i, c := range list {
		kind, _, rest, ok := constraint(c)
		kinds[i] = kind
		if !ok || !matchingOK(rest, i, kinds, matched) {
			return "failed to parse constraints"
		}
	}
	for _, c := range list {
		kind, ind, _, _ := constraint(c)
		switch kind {
		case '=':
			if inputs-indirect != 0 || clobbers != 0 || labels != 0 {
				return "output constraint occurs after input, clobber or label constraint"
			}
			if !ind {
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
	ret := t.Result(a.Type)
	switch outputs {
	case 0:
		if ret != ir.Void {
			return "inline asm without outputs must return void"
		}
	case 1:
		if t.Kind(ret) == ir.KindStruct {
			return "inline asm with one output cannot return struct"
		}
	default:
		if t.Kind(ret) != ir.KindStruct || len(t.Subtypes(ret)) != outputs {
			return "number of output constraints does not match number of return struct elements"
		}
	}
	if len(t.Subtypes(a.Type)) != inputs {
		return "number of input constraints does not match number of parameters"
	}
	return ""
}

// splitConstraints cuts at the commas; a comma at the end, or two together, give an empty part.
func splitConstraints(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// matchingOK checks the numbers in the codes of constraint i: they name an output, which matches one input.
func matchingOK(codes string, i int, kinds []byte, matched map[int]int) bool {
	for s := codes; s != ""; {
		switch c := s[0]; {
		case c == '{':
			s = s[strings.IndexByte(s, '}')+1:]
		case c >= '0' && c <= '9':
			n := 0
			for s != "" && s[0] >= '0' && s[0] <= '9' && n < 1<<20 {
				n = n*10 + int(s[0]-'0')
				s = s[1:]
			}
			if n >= i || kinds[n] != '=' || kinds[i] != 0 {
				return false
			}
			if m, ok := matched[n]; ok && m != i {
				return false
			}
			matched[n] = i
		case c == '^':
			s = s[min(3, len(s)):]
		default:
			s = s[1:]
		}
	}
	return true
}

// constraint reads one constraint: kind is '=', '~', '!' or 0 for an input;
// codes is what follows the prefixes.
func constraint(s string) (kind byte, indirect bool, codes string, ok bool) {
	if s == "" {
		return 0, false, "", false
	}
	switch s[0] {
	case '~':
		if len(s) > 1 && s[1] != '{' {
			return 0, false, "", false
		}
		kind, s = '~', s[1:]
	case '=', '!':
		kind, s = s[0], s[1:]
	}
	if strings.HasPrefix(s, "*") {
		indirect, s = true, s[1:]
	}
	if s == "" {
		return kind, indirect, "", false
	}
	for done := false; !done && s != ""; {
		switch s[0] {
		case '&':
			if kind != '=' {
				return kind, indirect, "", false
			}
			s = s[1:]
		case '%':
			if kind == '~' {
				return kind, indirect, "", false
			}
			s = s[1:]
		case '#', '*':
			return kind, indirect, "", false
		default:
			done = true
		}
	}
	if s == "" {
		return kind, indirect, "", false
	}
	codes = s
	for s != "" {
		if s[0] != '{' {
			s = s[1:]
			continue
		}
		i := strings.IndexByte(s, '}')
		if i < 0 {
			return kind, indirect, "", false
		}
		s = s[i+1:]
	}
	return kind, indirect, codes, true
}
