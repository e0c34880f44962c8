package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// flagSet reads flags as LLVM's tools do: one or two dashes, -name=value or
// -name value, joined prefixes (-O2), before and after file names.
type flagSet struct {
	tool     string
	overview string
	examples string
	flags    []flagDef
	args     []string
}

// flagDef is one flag. Exactly one of the targets is set.
type flagDef struct {
	name   string
	help   string
	value  string // what --help shows for the value
	b      *bool
	s      *string
	n      *int
	list   *[]string
	choice []string // allowed values of s
	prefix bool     // the value is joined to the name
}

func (fs *flagSet) bool(p *bool, name, help string) {
	fs.flags = append(fs.flags, flagDef{name: name, help: help, b: p})
}
func (fs *flagSet) str(p *string, name, value, help string, choice ...string) {
	fs.flags = append(fs.flags, flagDef{name: name, value: value, help: help, s: p, choice: choice})
}
func (fs *flagSet) int(p *int, name, help string) {
	fs.flags = append(fs.flags, flagDef{name: name, value: "n", help: help, n: p})
}
func (fs *flagSet) joinedInt(p *int, name, help string) {
	fs.flags = append(fs.flags, flagDef{name: name, value: "n", help: help, n: p, prefix: true})
}
func (fs *flagSet) lst(p *[]string, name, value, help string) {
	fs.flags = append(fs.flags, flagDef{name: name, value: value, help: help, list: p})
}
func (fs *flagSet) joined(p *string, name, value, help string, choice ...string) {
	fs.flags = append(fs.flags, flagDef{name: name, value: value, help: help, s: p, choice: choice, prefix: true})
}

// usageError is a fault of the command line; its text is complete.
type usageError string

func (e usageError) Error() string { return string(e) }

func (fs *flagSet) find(name string) *flagDef {
	for k := range fs.flags {
		if fs.flags[k].name == name {
			return &fs.flags[k]
		}
	}
	return nil
}

// parse reads the command line; done is true when --help or --version was answered.
func (fs *flagSet) parse(args []string, stdout io.Writer) (done bool, err error) {
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		if a == "--" {
			fs.args = append(fs.args, args...)
			return false, nil
		}
		if len(a) < 2 || a[0] != '-' {
			fs.args = append(fs.args, a)
			continue
		}
		name := strings.TrimPrefix(a[1:], "-")
		value, hasValue := "", false
		if eq := strings.IndexByte(name, '='); eq >= 0 {
			name, value, hasValue = name[:eq], name[eq+1:], true
		}
		switch name {
		case "help", "h", "help-hidden":
			fs.printHelp(stdout)
			return true, nil
		case "version":
			fmt.Fprintf(stdout, "Mirin, LLVM 22 languages\n  Registered Targets:\n    x86-64 - 64-bit X86: EM64T and AMD64\n")
			return true, nil
		}
		f := fs.find(name)
		if f == nil && !hasValue {
			f, value, hasValue = fs.findPrefix(name)
		}
		if f == nil {
			return false, fs.unknown(a, name)
		}
		if f.b == nil && !hasValue {
			if len(args) == 0 {
				return false, usageError(fmt.Sprintf("%s: for the --%s option: requires a value!", fs.tool, name))
			}
			value, args = args[0], args[1:]
		}
		if err := fs.set(f, value, hasValue); err != nil {
			return false, err
		}
	}
	return false, nil
}

func (fs *flagSet) findPrefix(name string) (*flagDef, string, bool) {
	for k := range fs.flags {
		if f := &fs.flags[k]; f.prefix && strings.HasPrefix(name, f.name) {
			return f, name[len(f.name):], true
		}
	}
	return nil, "", false
}

func (fs *flagSet) set(f *flagDef, value string, hasValue bool) error {
	bad := func(what string) error {
		return usageError(fmt.Sprintf("%s: for the --%s option: %s", fs.tool, f.name, what))
	}
	switch {
	case f.b != nil:
		switch strings.ToLower(value) {
		case "", "true", "1":
			*f.b = true
		case "false", "0":
			*f.b = false
		default:
			return bad("'" + value + "' is invalid value for boolean argument! Try 0 or 1")
		}
		if hasValue && value == "" {
			*f.b = true
		}
	case f.n != nil:
		n, err := strconv.Atoi(value)
		if err != nil {
			return bad("'" + value + "' value invalid for integer argument!")
		}
		*f.n = n
	case f.list != nil:
		for _, v := range strings.Split(value, ",") {
			if v != "" {
				*f.list = append(*f.list, v)
			}
		}
	default:
		if len(f.choice) > 0 && !slices.Contains(f.choice, value) {
			msg := "Cannot find option named '" + value + "'!"
			if n := nearest(value, f.choice); n != "" {
				msg += " Did you mean '" + n + "'?"
			}
			return bad(msg)
		}
		*f.s = value
	}
	return nil
}

func (fs *flagSet) unknown(arg, name string) error {
	msg := fmt.Sprintf("%s: Unknown command line argument '%s'.  Try: '%s --help'", fs.tool, arg, fs.tool)
	var names []string
	for k := range fs.flags {
		names = append(names, fs.flags[k].name)
	}
	if n := nearest(name, names); n != "" {
		dash := "--"
		if len(n) == 1 {
			dash = "-"
		}
		msg += fmt.Sprintf("\n%s: Did you mean '%s%s'?", fs.tool, dash, n)
	}
	return usageError(msg)
}

func (fs *flagSet) printHelp(w io.Writer) {
	fmt.Fprintf(w, "OVERVIEW: %s\n\nUSAGE: %s [options] <input>\n\nOPTIONS:\n", fs.overview, fs.tool)
	for k := range fs.flags {
		f := &fs.flags[k]
		left := "-" + f.name
		switch {
		case f.prefix:
			left += "<" + f.value + ">"
		case f.value != "":
			left += "=<" + f.value + ">"
		}
		fmt.Fprintf(w, "  %-32s - %s\n", left, f.help)
	}
	if fs.examples != "" {
		fmt.Fprintf(w, "\nEXAMPLES:\n%s", fs.examples)
	}
}

// nearest returns the name with the smallest edit distance, "" when none is near.
func nearest(s string, names []string) string {
	best, bestD := "", 1+len(s)/2
	for _, n := range names {
		if d := distance(s, n); d < bestD {
			best, bestD = n, d
		}
	}
	return best
}

// distance is the Levenshtein distance.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		prev := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			d := prev
			if a[i-1] != b[j-1] {
				d++
			}
			prev = row[j]
			row[j] = min(d, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
