package main

import (
	"fmt"
	"regexp"
	"strings"
)

// Headers define intrinsics as inline functions and, where an operand is a constant, as
// macros, which say the types of their operands by casts.

var (
	comment  = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	function = regexp.MustCompile(`(?s)static\s+(?:__inline(?:__)?|inline)\s+([\w\s*]+?)\s*(__DEFAULT_FN_ATTRS\w*|__attribute__\s*\(\([^;{]*?\)\)\)|__attribute__\s*\(\(.*?\)\))\s*(_\w+)\s*\(([^()]*)\)\s*\{`)
	attrLast = regexp.MustCompile(`__(?:DEFAULT|TARGET)\w*`)
	macro    = regexp.MustCompile(`(?m)^#\s*define\s+(_(?:mm|m_|tile|rdrand|bextr|lwp|kshift|k|cvt|xabort|store|load)\w*)\(([\w, ]*)\)((?:[^\n\\]|\\\n|\\.)*)`)
	cast     = `\(\s*([\w ]+?(?: const)?\s*\*?)\s*\)\s*\(\s*%s\s*\)`
)

const firstLine = 2 // of the functions in the source

// source is the program of wrappers.
func source(funcs []string) []byte {
	return []byte("#include <x86intrin.h>\n" + strings.Join(funcs, "\n") + "\n")
}

// wrappers makes a function, in a line, of each intrinsic of a header.
func wrappers(text string) []string {
	text = comment.ReplaceAllString(text, "")
	seen := map[string]bool{}
	var out []string
	add := func(name, f string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, f)
		}
	}
	for _, m := range function.FindAllStringSubmatch(text, -1) {
		result, name := clean(attrLast.ReplaceAllString(m[1], "")), m[3]
		var params, args []string
		if p := clean(m[4]); p != "void" && p != "" {
			for k, decl := range strings.Split(p, ",") {
				t := strings.TrimSpace(decl)
				for len(t) > 0 && (t[len(t)-1] == '_' || isWord(t[len(t)-1])) {
					t = t[:len(t)-1]
				}
				if strings.TrimSpace(t) == "" {
					t = decl
				}
				params = append(params, fmt.Sprintf("%s a%d", t, k))
				args = append(args, fmt.Sprint("a", k))
			}
		}
		add(name, wrapper(result, name, params, args))
	}
	for _, m := range macro.FindAllStringSubmatch(text, -1) {
		name, body := m[1], strings.ReplaceAll(m[3], "\\\n", " ")
		var params, args []string
		ok := true
		if strings.TrimSpace(m[2]) != "" {
			for k, p := range strings.Split(m[2], ",") {
				t, constant := operand(strings.TrimSpace(p), body)
				switch {
				case t == "":
					ok = false
				case constant:
					args = append(args, t)
				default:
					params = append(params, fmt.Sprintf("%s a%d", t, k))
					args = append(args, fmt.Sprint("a", k))
				}
			}
		}
		if ok {
			add(name, wrapper("__auto_type", name, params, args))
		}
	}
	return out
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func clean(s string) string {
	s = strings.ReplaceAll(s, "__inline__", "")
	return strings.Join(strings.Fields(s), " ")
}

// wrapper is the function that calls an intrinsic.
func wrapper(result, name string, params, args []string) string {
	call := fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
	list := strings.Join(params, ", ")
	if list == "" {
		list = "void"
	}
	if result == "__auto_type" {
		// The type of a macro is what it gives; void ones are statements.
		return fmt.Sprintf("typeof(%s) t_%s(%s);", strings.Join(zeros(params, args, name), ""), name, list) +
			fmt.Sprintf(" typeof(%s) t_%s(%s) { return %s; }", strings.Join(zeros(params, args, name), ""), name, list, call)
	}
	return fmt.Sprintf("%s t_%s(%s) { return %s; }", result, name, list, call)
}

// zeros is the call with values of the right types instead of parameters.
func zeros(params, args []string, name string) []string {
	types := map[string]string{}
	for _, p := range params {
		at := strings.LastIndexByte(p, ' ')
		types[p[at+1:]] = p[:at]
	}
	var list []string
	for _, a := range args {
		if t, ok := types[a]; ok {
			a = fmt.Sprintf("*(%s*)0", t)
		}
		list = append(list, a)
	}
	return []string{fmt.Sprintf("%s(%s)", name, strings.Join(list, ", "))}
}

// operand finds the type of a macro's operand, or the number to give where it must be
// a constant.
func operand(p, body string) (string, bool) {
	m := regexp.MustCompile(fmt.Sprintf(cast, p)).FindStringSubmatch(body)
	switch p {
	case "R", "ROUND", "SAE", "__R":
		return "8", true // no exceptions
	case "scale", "SCALE", "S_", "s":
		if m == nil || strings.TrimSpace(m[1]) == "int" {
			return "4", true
		}
	}
	if m == nil {
		return "", false
	}
	switch t := strings.TrimSpace(m[1]); t {
	case "int", "char", "unsigned char", "unsigned int", "signed char":
		return "1", true
	default:
		return t, false
	}
}
