package lit

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mirin-go/mirin/support/lazyregexp"
)

// Directive is a RUN:, DEFINE: or REDEFINE: line, continued lines joined.
type Directive struct {
	Kind string // "RUN", "DEFINE" or "REDEFINE"
	Line int    // of its first line, from 1
	Text string
}

// File is what a test file says about how it is run.
type File struct {
	Path        string
	Directives  []Directive
	Requires    []string // boolean expressions over feature names; all must hold
	Unsupported []string // any that holds skips the test
	XFail       []string // any that holds, or "*", expects a failure
	AllowRetry  bool
}

// directiveLine finds a keyword that does not end another word. What stands
// before it, such as a comment leader, is of no account.
var directiveLine = lazyregexp.Regexp{Expr: `(?:^|[^\w-])(RUN|REQUIRES|UNSUPPORTED|XFAIL|DEFINE|REDEFINE|END)([:.])([ \t]*)(.*?)[ \t\r]*$`}

// Parse reads the directives of a test file. Errors have the form file:line: message.
func Parse(path string, src []byte) (*File, error) {
	f := &File{Path: path}
	continued := -1 // the directive that a backslash continues
	for n, line := range strings.Split(string(src), "\n") {
		m := directiveLine.Get().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		kind, text := m[1], m[4]
		if (m[2] == ".") != (kind == "END") {
			continue
		}
		switch kind {
		case "END":
			return f, f.validate(continued)
		case "REQUIRES":
			f.Requires = append(f.Requires, splitList(text)...)
		case "UNSUPPORTED":
			f.Unsupported = append(f.Unsupported, splitList(text)...)
		case "XFAIL":
			f.XFail = append(f.XFail, splitList(text)...)
		default:
			more := strings.HasSuffix(text, `\`)
			if more {
				text = text[:len(text)-1]
			}
			if continued >= 0 {
				d := &f.Directives[continued]
				if d.Kind != kind {
					return nil, fmt.Errorf("%s:%d: %s: line continues a %s: line", path, n+1, kind, d.Kind)
				}
				d.Text += m[3] + text // blanks before it count, as after a name
			} else {
				f.Directives = append(f.Directives, Directive{kind, n + 1, text})
				continued = len(f.Directives) - 1
			}
			if !more {
				continued = -1
			}
		}
	}
	return f, f.validate(continued)
}

func (f *File) validate(continued int) error {
	if continued >= 0 {
		d := f.Directives[continued]
		return fmt.Errorf("%s:%d: %s: line ends in a backslash but no line follows", f.Path, d.Line, d.Kind)
	}
	for _, d := range f.Directives {
		if d.Kind == "RUN" {
			return nil
		}
	}
	return fmt.Errorf("%s: no RUN: line", f.Path)
}

func splitList(s string) []string {
	var list []string
	for _, e := range strings.Split(s, ",") {
		if e = strings.TrimSpace(e); e != "" {
			list = append(list, e)
		}
	}
	return list
}

// boolParser evaluates a boolean expression over feature names: !, &&, ||,
// parentheses, true, false. A name may hold {{regex}}, which some feature must match.
type boolParser struct {
	toks []string
	has  func(string) bool
	err  error
}

var boolToken = lazyregexp.Regexp{Expr: `^\s*(\(|\)|&&|\|\||!|(?:[-+=._a-zA-Z0-9]|\{\{.+?\}\})+)`}

// evalBool evaluates expr with the given features.
func evalBool(expr string, features map[string]bool) (bool, error) {
	if expr == "*" {
		return true, nil
	}
	p := &boolParser{has: func(name string) bool { return hasFeature(name, features) }}
	for s := expr; strings.TrimSpace(s) != ""; {
		m := boolToken.Get().FindStringSubmatch(s)
		if m == nil {
			return false, fmt.Errorf("bad expression %q", expr)
		}
		p.toks = append(p.toks, m[1])
		s = s[len(m[0]):]
	}
	v := p.or()
	if p.err == nil && len(p.toks) > 0 {
		p.err = fmt.Errorf("unexpected %q", p.toks[0])
	}
	if p.err != nil {
		return false, fmt.Errorf("bad expression %q: %w", expr, p.err)
	}
	return v, nil
}

func hasFeature(name string, features map[string]bool) bool {
	switch name {
	case "true":
		return true
	case "false":
		return false
	}
	if !strings.Contains(name, "{{") {
		return features[name]
	}
	var re strings.Builder
	re.WriteString("^(?:")
	for name != "" {
		lit, rest, ok := strings.Cut(name, "{{")
		re.WriteString(regexp.QuoteMeta(lit))
		if !ok {
			break
		}
		var body string
		body, name, _ = strings.Cut(rest, "}}")
		re.WriteString("(?:" + body + ")")
	}
	re.WriteString(")$")
	r, err := regexp.Compile(re.String())
	if err != nil {
		return false
	}
	for f, on := range features {
		if on && r.MatchString(f) {
			return true
		}
	}
	return false
}

func (p *boolParser) take(tok string) bool {
	if len(p.toks) > 0 && p.toks[0] == tok {
		p.toks = p.toks[1:]
		return true
	}
	return false
}

func (p *boolParser) or() bool {
	v := p.and()
	for p.take("||") {
		r := p.and()
		v = v || r
	}
	return v
}

func (p *boolParser) and() bool {
	v := p.not()
	for p.take("&&") {
		r := p.not()
		v = v && r
	}
	return v
}

func (p *boolParser) not() bool {
	if p.take("!") {
		return !p.not()
	}
	if p.take("(") {
		v := p.or()
		if !p.take(")") && p.err == nil {
			p.err = fmt.Errorf("missing )")
		}
		return v
	}
	if len(p.toks) == 0 || strings.ContainsAny(p.toks[0][:1], ")&|") {
		if p.err == nil {
			p.err = fmt.Errorf("missing name")
		}
		return false
	}
	name := p.toks[0]
	p.toks = p.toks[1:]
	return p.has(name)
}
