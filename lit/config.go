package lit

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/support/lazyregexp"
)

// localConfig is what the lit.local.cfg files above a test say.
type localConfig struct {
	unsupported string   // the file that declares the folder unsupported
	suffixes    []string // nil: the usual ones
	excludes    []string
	features    []string
	subs        map[string]string
	notes       []string // statements that were not understood, with their places
}

// suiteMarks are files whose folder is the top of a test suite: settings are
// not looked for above it.
var suiteMarks = []string{"lit.cfg", "lit.cfg.py", "lit.site.cfg", "lit.site.cfg.py", "go.mod", ".git"}

const localConfigName = "lit.local.cfg"

// config reads the lit.local.cfg files from the top of the suite down to a folder.
//
// They are Python programs. Understood is what nearly all of them consist of:
// assignments to config.unsupported, suffixes and excludes, additions to
// suffixes, available_features and substitutions, under conditions on
// config.root.targets and config.available_features.
func (r *Runner) config(dir string) *localConfig {
	var files []string
	for d := dir; ; d = filepath.Dir(d) {
		if f := filepath.Join(d, localConfigName); exists(f) {
			files = append(files, f)
		}
		if filepath.Dir(d) == d || slices.ContainsFunc(suiteMarks, func(m string) bool { return exists(filepath.Join(d, m)) }) {
			break
		}
	}
	slices.Reverse(files)
	c := &localConfig{}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			c.notes = append(c.notes, err.Error())
			continue
		}
		p := configReader{r: r, c: c, file: f, lines: strings.Split(string(src), "\n")}
		p.block(0, true)
	}
	return c
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// configReader executes one file.
type configReader struct {
	r     *Runner
	c     *localConfig
	file  string
	lines []string
	at    int
}

func (p *configReader) note(line int, text string) {
	p.c.notes = append(p.c.notes, fmt.Sprintf("%s:%d: not understood: %s", p.file, line, text))
}

// statement returns the next statement, which brackets may stretch over
// lines, and its indentation, without taking it.
func (p *configReader) statement() (text string, indent, lines int) {
	for ; p.at < len(p.lines); p.at++ {
		l := stripComment(p.lines[p.at])
		if strings.TrimSpace(l) == "" {
			continue
		}
		indent = len(l) - len(strings.TrimLeft(l, " \t"))
		text, lines = strings.TrimSpace(l), 1
		for open := brackets(text); open > 0 && p.at+lines < len(p.lines); lines++ {
			text += " " + strings.TrimSpace(stripComment(p.lines[p.at+lines]))
			open = brackets(text)
		}
		return text, indent, lines
	}
	return "", -1, 0
}

func brackets(s string) int {
	n, quote := 0, byte(0)
	for k := 0; k < len(s); k++ {
		switch c := s[k]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			n++
		case strings.IndexByte(")]}", c) >= 0:
			n--
		}
	}
	return n
}

func stripComment(s string) string {
	quote := byte(0)
	for k := 0; k < len(s); k++ {
		switch c := s[k]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '#':
			return s[:k]
		}
	}
	return s
}

// block executes the statements that are indented by indent or more, or
// passes over them when live is false.
func (p *configReader) block(indent int, live bool) {
	taken := false // an if, or an elif after it, was executed
	for {
		text, in, n := p.statement()
		if n == 0 || in < indent {
			return
		}
		line := p.at + 1
		p.at += n
		word, rest, _ := strings.Cut(strings.TrimSuffix(text, ":"), " ")
		isBlock := strings.HasSuffix(text, ":")
		if !isBlock {
			if live {
				p.assign(text, line)
			}
			continue
		}
		run := false
		switch word {
		case "if", "elif":
			if word == "if" {
				taken = false
			}
			if live && !taken {
				v, ok := p.r.condition(rest, p.c)
				if !ok {
					p.note(line, text)
				}
				run = ok && v
				taken = v || !ok // what follows a condition that is not understood is left out too
			}
		case "else":
			run = live && !taken
		default:
			if live {
				p.note(line, text)
			}
		}
		p.block(in+1, run)
	}
}

var (
	assignment = lazyregexp.Regexp{Expr: `^config\.(unsupported|suffixes|excludes)\s*=\s*(.*)$`}
	addition   = lazyregexp.Regexp{Expr: `^config\.(suffixes|available_features|excludes)\.(?:add|append)\((.*)\)$`}
	substitute = lazyregexp.Regexp{Expr: `^config\.substitutions\.append\(\s*\(\s*(["'][^"']*["'])\s*,\s*(["'][^"']*["'])\s*,?\s*\)\s*,?\s*\)$`}
	pyString   = lazyregexp.Regexp{Expr: `^(?:"([^"\\]*)"|'([^'\\]*)')`}
	pyList     = lazyregexp.Regexp{Expr: `^(?:set\()?[\[{(](.*)[\]})]$`}
)

// assign executes one simple statement.
func (p *configReader) assign(text string, line int) {
	c := p.c
	if m := substitute.Get().FindStringSubmatch(text); m != nil && strings.HasPrefix(unquote(m[1]), "%") {
		if c.subs == nil {
			c.subs = map[string]string{}
		}
		c.subs[unquote(m[1])] = unquote(m[2])
		return
	}
	if m := addition.Get().FindStringSubmatch(text); m != nil {
		if items, ok := stringList(m[2]); ok {
			switch m[1] {
			case "suffixes":
				if c.suffixes == nil {
					c.suffixes = slices.Clone(testSuffixes)
				}
				c.suffixes = append(c.suffixes, items...)
			case "available_features":
				c.features = append(c.features, items...)
			default:
				c.excludes = append(c.excludes, items...)
			}
			return
		}
	}
	m := assignment.Get().FindStringSubmatch(text)
	switch {
	case m == nil && (strings.HasPrefix(text, "import ") || strings.HasPrefix(text, "from ")):
		return // changes nothing by itself
	case m == nil:
		p.note(line, text)
		return
	case m[1] == "unsupported" && m[2] == "True":
		c.unsupported = p.file
		return
	case m[1] == "unsupported" && m[2] == "False":
		c.unsupported = ""
		return
	}
	l := pyList.Get().FindStringSubmatch(m[2])
	var items []string
	ok := l != nil && m[1] != "unsupported"
	if ok {
		items, ok = stringList(l[1])
	}
	switch {
	case !ok:
		p.note(line, text)
	case m[1] == "suffixes":
		c.suffixes = append([]string{}, items...)
	default:
		c.excludes = items
	}
}

func unquote(s string) string { return s[1 : len(s)-1] }

// stringList reads string literals with commas between them.
func stringList(s string) ([]string, bool) {
	var list []string
	for s = strings.Trim(s, " []{}"); s != ""; {
		m := pyString.Get().FindStringSubmatch(s)
		if m == nil {
			return nil, false
		}
		list = append(list, m[1]+m[2])
		s = strings.TrimSpace(s[len(m[0]):])
		if s != "" && s[0] != ',' {
			return nil, false
		}
		s = strings.TrimSpace(strings.TrimPrefix(s, ","))
	}
	return list, true
}

var conditionToken = lazyregexp.Regexp{Expr: `^\s*("[^"]*"|'[^']*'|[\w.]+|[()])`}

// condition evaluates a condition over the targets and features.
func (r *Runner) condition(s string, c *localConfig) (value, ok bool) {
	p := &conditionReader{r: r, c: c}
	for strings.TrimSpace(s) != "" {
		m := conditionToken.Get().FindStringSubmatch(s)
		if m == nil {
			return false, false
		}
		p.toks = append(p.toks, m[1])
		s = s[len(m[0]):]
	}
	v := p.or()
	return v, !p.bad && len(p.toks) == 0
}

type conditionReader struct {
	r    *Runner
	c    *localConfig
	toks []string
	bad  bool
}

func (p *conditionReader) take(tok string) bool {
	if len(p.toks) > 0 && p.toks[0] == tok {
		p.toks = p.toks[1:]
		return true
	}
	return false
}

func (p *conditionReader) or() bool {
	v := p.and()
	for p.take("or") {
		w := p.and()
		v = v || w
	}
	return v
}

func (p *conditionReader) and() bool {
	v := p.not()
	for p.take("and") {
		w := p.not()
		v = v && w
	}
	return v
}

func (p *conditionReader) not() bool {
	if p.take("not") {
		return !p.not()
	}
	if p.take("(") {
		v := p.or()
		p.bad = p.bad || !p.take(")")
		return v
	}
	if len(p.toks) < 3 || strings.IndexByte(`"'`, p.toks[0][0]) < 0 {
		p.bad = true
		return false
	}
	name := unquote(p.toks[0])
	p.toks = p.toks[1:]
	negated := p.take("not")
	if !p.take("in") || len(p.toks) == 0 {
		p.bad = true
		return false
	}
	set := p.toks[0]
	p.toks = p.toks[1:]
	var v bool
	switch set {
	case "config.root.targets", "config.targets":
		v = slices.Contains(p.r.Targets, name)
	case "config.available_features", "config.root.available_features":
		v = slices.Contains(p.r.Features, name) || slices.Contains(p.c.features, name)
	default:
		p.bad = true
	}
	return v != negated
}
