package llvmflag

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/support/editdistance"
)

// Choice is an allowed value of an enumeration.
type Choice struct{ Name, Help string }

// Set is the command line of one tool.
type Set struct {
	Tool     string // the name in messages
	Overview string // one line for --help
	Usage    string // what follows the tool's name in --help
	Examples string // text for --help, indented by the caller
	Footer   string // the end of --help
	Version  string // the answer to --version
	MaxArgs  int    // most positional arguments; 0 is no limit
	Args     []string

	// Foreign are LLVM's other flags; Unused names those that were given.
	Foreign *Foreign
	Unused  []string

	flags []*Flag
	group string
}

// Flag is one flag of a Set; its methods refine it.
type Flag struct {
	name    string
	aliases []string
	group   string
	help    string
	value   string // the value's name in --help
	typ     string // LLVM's name of the value's type in messages
	choices []Choice
	boolean bool
	joined  bool // -Ovalue
	always  bool // joined in any case: no "=", no value in the next argument
	comma   bool
	hidden  bool
	bare    string // the value where none is given, "" for flags that need one
	foreign bool   // a row of Foreign
	// optional allows no value at all, which bare cannot say.
	optional bool
	set      func(string) bool // false: the value is invalid
}

// Alias adds another name.
func (f *Flag) Alias(names ...string) *Flag { f.aliases = append(f.aliases, names...); return f }

// Value names the value in --help.
func (f *Flag) Value(name string) *Flag { f.value = name; return f }

// Joined lets the value follow the name without a separator, as in -DX=1.
func (f *Flag) Joined() *Flag { f.joined = true; return f }

// AlwaysJoined makes what follows the name the value, an "=" included.
func (f *Flag) AlwaysJoined() *Flag { f.joined, f.always = true, true; return f }

// Bare lets the value be left out, which means v; the next argument is none.
func (f *Flag) Bare(v string) *Flag { f.bare = v; return f }

// CommaSeparated splits the values of a list at commas.
func (f *Flag) CommaSeparated() *Flag { f.comma = true; return f }

// Hidden leaves the flag out of --help; --help-hidden shows it.
func (f *Flag) Hidden() *Flag { f.hidden = true; return f }

// Then has do called when the flag was given, with its value set.
func (f *Flag) Then(do func()) *Flag {
	set := f.set
	f.set = func(v string) bool {
		if !set(v) {
			return false
		}
		do()
		return true
	}
	return f
}

// Group starts a group: flags added from now on stand under its title in --help.
func (s *Set) Group(title string) { s.group = title }

func (s *Set) add(f *Flag) *Flag {
	f.group = s.group
	s.flags = append(s.flags, f)
	return f
}

// Bool adds -name, -name=true, -name=false.
func (s *Set) Bool(p *bool, name, help string) *Flag {
	return s.add(&Flag{name: name, help: help, typ: "boolean", boolean: true, set: func(v string) bool {
		switch v {
		case "", "true", "TRUE", "True", "1":
			*p = true
		case "false", "FALSE", "False", "0":
			*p = false
		default:
			return false
		}
		return true
	}})
}

// String adds a flag that takes a value.
func (s *Set) String(p *string, name, help string) *Flag {
	return s.add(&Flag{name: name, help: help, value: "string", set: func(v string) bool { *p = v; return true }})
}

// Int adds a flag that takes an integer.
func (s *Set) Int(p *int, name, help string) *Flag {
	return s.add(&Flag{name: name, help: help, value: "int", typ: "integer", set: func(v string) bool {
		n, err := strconv.ParseInt(v, 0, 0)
		*p = int(n)
		return err == nil
	}})
}

// Uint adds a flag that takes an unsigned integer of 32 bits.
func (s *Set) Uint(p *int, name, help string) *Flag {
	return s.add(&Flag{name: name, help: help, value: "uint", typ: "uint", set: func(v string) bool {
		n, err := strconv.ParseUint(v, 0, 32)
		*p = int(n)
		return err == nil
	}})
}

// IntList adds a flag that takes an unsigned integer each time it is given.
func (s *Set) IntList(p *[]int, name, help string) *Flag {
	return s.add(&Flag{name: name, help: help, value: "uint", typ: "uint", set: func(v string) bool {
		n, err := strconv.ParseUint(v, 0, 31)
		*p = append(*p, int(n))
		return err == nil
	}})
}

// List adds a flag whose values are collected.
func (s *Set) List(p *[]string, name, help string) *Flag {
	return s.add(&Flag{name: name, help: help, value: "string", set: func(v string) bool { *p = append(*p, v); return true }})
}

// Enum adds a flag that takes one of the choices.
func (s *Set) Enum(p *string, name, help string, choices ...Choice) *Flag {
	f := s.String(p, name, help).Value("value")
	f.choices = choices
	return f
}

// EnumList adds a flag that takes one of the choices each time it is given.
func (s *Set) EnumList(p *[]string, name, help string, choices ...Choice) *Flag {
	f := s.List(p, name, help).Value("value")
	f.choices = choices
	return f
}

// Prefix adds a one-letter flag with a joined value, as -O2.
func (s *Set) Prefix(p *string, letter byte, help string, choices ...Choice) *Flag {
	f := s.Enum(p, string(letter), help, choices...).Joined()
	if len(choices) == 0 {
		f.value = "string"
	}
	return f
}

// Error is a fault of the command line in LLVM's words.
type Error string

// Error returns the message.
func (e Error) Error() string { return string(e) }

func (s *Set) errorf(format string, args ...any) error {
	return Error(s.Tool + ": " + fmt.Sprintf(format, args...))
}

// dashed writes a name as LLVM does: one dash for a letter, two for a word.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func (s *Set) find(name string) *Flag {
	for _, f := range s.flags {
		if f.name == name {
			return f
		}
		for _, a := range f.aliases {
			if a == name {
				return f
			}
		}
	}
	return nil
}

// findJoined finds the flag of the longest name that arg starts with.
func (s *Set) findJoined(arg string) (best *Flag, value string) {
	for _, f := range s.flags {
		if v, ok := strings.CutPrefix(arg, f.name); ok && f.joined && v != "" && (best == nil || len(f.name) > len(best.name)) {
			best, value = f, v
		}
	}
	return best, value
}

// Parse reads the arguments after the tool's name. done says that --help or
// --version was answered on stdout and nothing is left to do.
func (s *Set) Parse(args []string, stdout io.Writer) (done bool, err error) {
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		if a == "--" {
			s.Args = append(s.Args, args...)
			break
		}
		if len(a) < 2 || a[0] != '-' {
			s.Args = append(s.Args, a)
			continue
		}
		body := strings.TrimPrefix(a[1:], "-")
		name, value, hasValue := strings.Cut(body, "=")
		f := s.find(name)
		if f != nil && f.always {
			value, hasValue = body[len(name):], len(body) > len(name)
		}
		if f == nil {
			switch name {
			case "help", "h", "help-list", "help-hidden", "help-list-hidden":
				s.help(stdout, strings.HasSuffix(name, "hidden"))
				return true, nil
			case "version":
				io.WriteString(stdout, s.Version)
				return true, nil
			}
			if f = s.Foreign.find(s, name); f == nil {
				if f, value = s.findJoined(body); f == nil {
					return false, s.unknown(a, name)
				}
				hasValue = true
			}
		}
		switch {
		case hasValue || f.boolean:
		case f.bare != "" || f.optional:
			value = f.bare
		default:
			if len(args) == 0 || f.always {
				return false, s.errorf("for the %s option: requires a value!", dashed(f.name))
			}
			value, args = args[0], args[1:]
		}
		if err := s.store(f, value, hasValue); err != nil {
			return false, err
		}
	}
	if s.MaxArgs > 0 && len(s.Args) > s.MaxArgs {
		return false, s.errorf("Too many positional arguments specified!\nCan specify at most %d positional arguments: See: %s --help", s.MaxArgs, s.Tool)
	}
	return false, nil
}

func (s *Set) store(f *Flag, value string, given bool) error {
	if f.foreign && s.Foreign.refuses(f.name, value) {
		return s.errorf("for the %s option: not supported", dashed(f.name))
	}
	values := []string{value}
	if f.comma {
		values = strings.Split(value, ",")
	}
	for _, v := range values {
		if len(f.choices) > 0 && !hasChoice(f.choices, v) && (given || !f.optional) {
			return s.errorf("for the %s option: Cannot find option named '%s'!", dashed(f.name), v)
		}
		if !f.set(v) {
			if f.boolean {
				return s.errorf("for the %s option: '%s' is invalid value for boolean argument! Try 0 or 1", dashed(f.name), v)
			}
			return s.errorf("for the %s option: '%s' value invalid for %s argument!", dashed(f.name), v, f.typ)
		}
	}
	return nil
}

func hasChoice(choices []Choice, v string) bool {
	for _, c := range choices {
		if c.Name == v {
			return true
		}
	}
	return false
}

// unknown is the error for a flag that is not there, with the nearest one that is.
func (s *Set) unknown(arg, name string) error {
	_, given, hasValue := strings.Cut(arg, "=")
	msg := fmt.Sprintf("Unknown command line argument '%s'.  Try: '%s --help'", arg, s.Tool)
	best, bestDist := "", 1<<30
	for _, f := range s.flags {
		if f.hidden {
			continue
		}
		for _, n := range append([]string{f.name}, f.aliases...) {
			if d := editdistance.Of(n, name); d < bestDist {
				best, bestDist = n, d
			}
		}
	}
	if best != "" {
		plain := best
		best = dashed(best)
		if hasValue && !s.find(plain).boolean {
			best += "=" + given
		}
		msg += fmt.Sprintf("\n%s: Did you mean '%s'?", s.Tool, best)
	}
	return s.errorf("%s", msg)
}

// Nearest returns the name with the smallest edit distance from s, "" when
// none is near.
func Nearest(s string, names []string) string {
	best, bestDist := "", len(s)/2+2
	for _, n := range names {
		if d := editdistance.Of(n, s); d < bestDist {
			best, bestDist = n, d
		}
	}
	return best
}
