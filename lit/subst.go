package lit

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/mirin-go/mirin/support/lazyregexp"
)

// substitutions map names such as %s and %{check} to values. A value may use
// other substitutions; they take what they hold when a RUN: line is expanded.
type substitutions struct {
	values  map[string]string
	defined map[string]bool // by DEFINE:, so open to REDEFINE:
	longest int
}

// expandLimit bounds the depth of substitutions within substitutions.
const expandLimit = 20

// standard returns the substitutions that every test has. base is the scratch
// name in an existing folder.
func standard(path, base string, extra ...map[string]string) *substitutions {
	dir, file := filepath.Dir(path), filepath.Base(path)
	s := &substitutions{defined: map[string]bool{}, values: map[string]string{
		"%s": path, "%S": dir, "%p": dir, "%{pathsep}": string(filepath.ListSeparator),
		"%t": base + ".tmp", "%T": filepath.Dir(base), "%basename_t": filepath.Base(base) + ".tmp",
		"%{s:basename}": file, "%{s:stem}": strings.TrimSuffix(file, filepath.Ext(file)),
		"%{fs-sep}": string(filepath.Separator), "%/s": filepath.ToSlash(path), "%/S": filepath.ToSlash(dir),
		"%/p": filepath.ToSlash(dir), "%python": "python3", "%/t": filepath.ToSlash(base + ".tmp"), "%/T": filepath.ToSlash(filepath.Dir(base)),
	}}
	for _, m := range extra {
		maps.Copy(s.values, m)
	}
	for name := range s.values {
		s.longest = max(s.longest, len(name))
	}
	return s
}

var defineLine = lazyregexp.Regexp{Expr: `^(%\{[\w:.-]+\})\s*=\s*(.*)$`}

// define adds what a DEFINE: or REDEFINE: line says.
func (s *substitutions) define(d *Directive) error {
	m := defineLine.Get().FindStringSubmatch(strings.TrimSpace(d.Text))
	if m == nil {
		return fmt.Errorf("%s: needs the form %%{name} = value", d.Kind)
	}
	name := m[1]
	_, known := s.values[name]
	switch {
	case d.Kind == "DEFINE" && known:
		return fmt.Errorf("DEFINE: %s is already defined", name)
	case d.Kind == "REDEFINE" && !s.defined[name]:
		return fmt.Errorf("REDEFINE: %s was not made by DEFINE:", name)
	}
	s.values[name] = m[2]
	s.defined[name] = true
	s.longest = max(s.longest, len(name))
	return nil
}

// expand replaces the substitutions of a RUN: line; %% is a percent sign, and
// %(line), %(line+n) and %(line-n) count from the line.
func (s *substitutions) expand(text string, line int) (string, error) {
	return s.expandAt(text, line, 0)
}

var lineRef = lazyregexp.Regexp{Expr: `^%\(line *(?:([+-]) *(\d+))?\)`}

func (s *substitutions) expandAt(text string, line, depth int) (string, error) {
	if depth > expandLimit {
		return "", fmt.Errorf("substitutions refer to one another without end")
	}
	var b strings.Builder
	for {
		k := strings.IndexByte(text, '%')
		if k < 0 {
			b.WriteString(text)
			return b.String(), nil
		}
		b.WriteString(text[:k])
		text = text[k:]
		if strings.HasPrefix(text, "%%") {
			b.WriteByte('%')
			text = text[2:]
			continue
		}
		if m := lineRef.Get().FindStringSubmatch(text); m != nil {
			n := 0
			fmt.Sscan(m[2], &n)
			if m[1] == "-" {
				n = -n
			}
			fmt.Fprint(&b, line+n)
			text = text[len(m[0]):]
			continue
		}
		n := s.nameAt(text)
		if n == 0 {
			if strings.HasPrefix(text, "%{") {
				name, _, _ := strings.Cut(text, "}")
				return "", fmt.Errorf("unknown substitution %s}", name)
			}
			b.WriteByte('%')
			text = text[1:]
			continue
		}
		value, err := s.expandAt(s.values[text[:n]], line, depth+1)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		text = text[n:]
	}
}

// nameAt returns the length of the longest name that text starts with.
func (s *substitutions) nameAt(text string) int {
	for n := min(s.longest, len(text)); n > 1; n-- {
		if _, ok := s.values[text[:n]]; ok {
			return n
		}
	}
	return 0
}
