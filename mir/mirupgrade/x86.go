package mirupgrade

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/support/lazyregexp"
)

// condition returns the code of an x86 condition, with which instructions of a
// family (JE_1, JNE_1, …) have become one (JCC_1).
func condition(name string) (code int, ok bool) {
	for k, n := range [...]string{"O", "NO", "B", "AE", "E", "NE", "BE", "A", "S", "NS", "P", "NP", "L", "GE", "LE", "G"} {
		if n == name {
			return k, true
		}
	}
	return 0, false
}

var conditional = lazyregexp.Regexp{Expr: `^(J|SET|CMOV)(N?[OBESPA]|AE|BE|NP|L|GE|LE|G)(_\d|r|m|\d\drr|\d\drm)$`}

// renamedX86 gives an instruction its name of today, where the name is gone,
// and the condition as an operand.
func renamedX86(s string, in *desc.Info) string {
	m := opcodeWord.Get().FindStringSubmatch(s)
	if m == nil {
		return s
	}
	if _, known := in.OpcodeByName(m[2]); known {
		return s
	}
	switch m[2] {
	case "RETQ":
		return m[1] + "RET64" + m[3]
	case "RETL":
		return m[1] + "RET32" + m[3]
	case "RETW":
		return m[1] + "RET16" + m[3]
	}
	f := conditional.Get().FindStringSubmatch(m[2])
	if f == nil {
		return s
	}
	code, ok := condition(f[2])
	if !ok {
		return s
	}
	name := map[string]string{"J": "JCC", "SET": "SETCC", "CMOV": "CMOV"}[f[1]] + f[3]
	op, ok := in.OpcodeByName(name)
	if !ok {
		return s
	}
	// The condition is the last of the explicit operands that are not defined.
	explicit := len(in.Operands(op)) - int(in.Instr(op).NumDefs)
	operands := strings.Split(m[3], ",")
	if m[3] == "" {
		operands = nil
	}
	at := min(explicit-1, len(operands))
	code2 := " " + strconv.Itoa(code)
	operands = append(operands[:at:at], append([]string{code2}, operands[at:]...)...)
	return m[1] + name + strings.Join(operands, ",")
}
