package llvmflag

import (
	"strconv"
	"strings"
)

// Foreign are flags that LLVM's tool has and this one has no meaning for. Scripts
// that give them go on working: their values are checked as LLVM checks them, and
// [Set.Unused] names them. Those without which the output would be wrong are refused.
type Foreign struct {
	// Rows has a line for each: its name, the kind of its value (boolean, int, uint, long,
	// ulong, number, string, choice; with "?" behind it where the value may be left out)
	// and, for a choice, the values with commas between. tools/llvmflags writes it.
	Rows string
	// Refused says that a flag cannot be passed over when it has this value.
	Refused func(name, value string) bool
}

// find makes the flag of a name, nil where there is none.
func (x *Foreign) find(s *Set, name string) *Flag {
	if x == nil || name == "" || strings.ContainsAny(name, " \n") {
		return nil
	}
	rows, at := "\n"+x.Rows, -1
	if at = strings.Index(rows, "\n"+name+" "); at < 0 {
		return nil
	}
	row, _, _ := strings.Cut(rows[at+1+len(name)+1:], "\n")
	kind, choices, _ := strings.Cut(row, " ")
	kind, optional := strings.CutSuffix(kind, "?")
	f := &Flag{name: name, value: "value", boolean: kind == "boolean", optional: optional, foreign: true}
	if kind == "choice" {
		for c := range strings.SplitSeq(choices, ",") {
			f.choices = append(f.choices, Choice{Name: c})
		}
	}
	f.typ = map[string]string{"boolean": "boolean", "int": "integer", "number": "floating point"}[kind]
	if f.typ == "" {
		f.typ = kind
	}
	f.set = func(v string) bool {
		if !isOfKind(kind, v) {
			return false
		}
		s.Unused = append(s.Unused, dashed(name))
		return true
	}
	return f
}

// isOfKind reports whether LLVM reads v as a value of the kind.
func isOfKind(kind, v string) bool {
	var err error
	switch kind {
	case "boolean":
		switch v {
		case "", "true", "TRUE", "True", "1", "false", "FALSE", "False", "0":
		default:
			return false
		}
	case "int":
		_, err = strconv.ParseInt(v, 0, 32)
	case "uint":
		_, err = strconv.ParseUint(v, 0, 32)
	case "long":
		_, err = strconv.ParseInt(v, 0, 64)
	case "ulong":
		_, err = strconv.ParseUint(v, 0, 64)
	case "number":
		_, err = strconv.ParseFloat(v, 64)
	}
	return err == nil
}

// refuses reports whether the flag must not be passed over; off, none and default
// ask for nothing.
func (x *Foreign) refuses(name, value string) bool {
	switch strings.ToLower(value) {
	case "false", "0", "none", "default":
		return false
	}
	return x.Refused != nil && x.Refused(name, value)
}

// names are those of all rows.
func (x *Foreign) names() []string {
	if x == nil {
		return nil
	}
	var names []string
	for row := range strings.Lines(x.Rows) {
		n, _, _ := strings.Cut(row, " ")
		names = append(names, n)
	}
	return names
}
