package combiner

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// call is the call of a Go function.
type call struct {
	fn   string
	not  bool
	args []arg
}

// arg is an argument: a name (of an operand, an instruction or data), or a number.
type arg struct {
	name string
	val  int64
}

// argForm is ${name}, with what LLVM's C++ writes around it.
const argForm = `^\*?\$\{([A-Za-z_]\w*)\}(?:\.\w+\(\))?$`

// callForm is NAME or NAME(ARGS), perhaps behind objects: Helper.name(…).
const callForm = `^(?s)(?:[A-Za-z_]\w*(?:\(\))?(?:\.|->|::))*([A-Za-z_]\w*)(?:\((.*)\))?$`

// parseCode reads a fragment of code: calls of Go functions joined by &&, each
// perhaps behind a !. Around them C++ may have "return" and ";".
func parseCode(src string) ([]call, error) {
	s := strings.TrimSpace(regexp.MustCompile(`/\*.*?\*/`).ReplaceAllString(src, ""))
	s = strings.TrimSpace(strings.TrimSuffix(s, ";"))
	if r, ok := strings.CutPrefix(s, "return"); ok && r != "" && strings.ContainsAny(r[:1], " \t\n!") {
		s = strings.TrimSpace(r)
	}
	bad := func() ([]call, error) {
		return nil, fmt.Errorf("'%s' is not understood: name Go functions, as in \"isFoo(${x}) && !isBar(${y}, 5)\"", strings.Join(strings.Fields(src), " "))
	}
	var out []call
	for _, part := range strings.Split(s, "&&") {
		c := call{}
		part = strings.TrimSpace(part)
		if r, ok := strings.CutPrefix(part, "!"); ok {
			c.not, part = true, strings.TrimSpace(r)
		}
		f := regexp.MustCompile(callForm).FindStringSubmatch(part)
		if f == nil || f[1] == "true" || f[1] == "false" {
			return bad()
		}
		c.fn = f[1]
		if list := strings.TrimSpace(f[2]); list != "" {
			for _, a := range strings.Split(list, ",") {
				a = strings.TrimSpace(a)
				if m := regexp.MustCompile(argForm).FindStringSubmatch(a); m != nil {
					c.args = append(c.args, arg{name: m[1]})
					continue
				}
				if a == "MRI" || a == "B" || a == "Helper" {
					continue // a Func has the matcher
				}
				v, err := strconv.ParseInt(a, 0, 64)
				if a == "true" {
					v, err = 1, nil
				} else if a == "false" {
					v, err = 0, nil
				}
				if err != nil {
					return bad()
				}
				c.args = append(c.args, arg{val: v})
			}
		}
		out = append(out, c)
	}
	return out, nil
}
