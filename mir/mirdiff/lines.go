package mirdiff

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/support/lazyregexp"
)

// kind is the kind of a name that may be changed.
type kind uint8

const (
	vreg kind = iota
	block
	stack
	fixedStack
)

// name is a register, block or stack object of one function.
type name struct {
	kind kind
	id   string // its number, or the name of a named register
}

// text of a name in the instruction language.
func (n name) text(id string) string {
	switch n.kind {
	case block:
		return "%bb." + id
	case stack:
		return "%stack." + id
	case fixedStack:
		return "%fixed-stack." + id
	}
	return "%" + id
}

// ref is a place in a line where a name stands. What the printed form says
// about it behind its number (the name of an alloca or IR block) is left out.
type ref struct {
	name     name
	at       int  // in line.fixed
	bare     bool // without the prefix: bb.1: at the start of a block, id: 1 in a list
	defining bool
}

// line is a line of a function's printed form: the text without the names, and
// the names.
type line struct {
	fixed string
	refs  []ref
}

var (
	reference = lazyregexp.Regexp{Expr: `%bb\.(\d+)(?:\.(?:[-\w$.]+|"[^"]*"))?|%(fixed-)?stack\.(\d+)(?:\.(?:[-\w$.]+|"[^"]*"))?|%([\w.]+(?:-[\w.]+)?)`}
	header    = lazyregexp.Regexp{Expr: `^  bb\.(\d+)(?:\.[-\w$.]+|\."[^"]*")?`}
	listItem  = lazyregexp.Regexp{Expr: `^  - \{ id: (\d+)`}
	classOnly = lazyregexp.Regexp{Expr: `^  - \{ id: \d+, class: [\w$]+(?:, preferred-register: '', flags: \[  \])? \}$`}
)

// notRegisters are what stands behind a percent sign without being a register.
var notRegisters = []string{"ir.", "ir-block.", "const.", "jump-table.", "subreg.", "ir-"}

// cut makes lines of the printed document of a function.
func cut(doc string) []line {
	var out []line
	key := ""
	for _, l := range strings.Split(strings.TrimSuffix(doc, "\n"), "\n") {
		if l != "" && l[0] != ' ' {
			key, _, _ = strings.Cut(l, ":")
			if l == "---" || l == "..." || key == "registers" {
				continue // what is in the list is shown where the register is defined
			}
		}
		switch {
		case strings.TrimSpace(l) == "":
		case strings.HasPrefix(strings.TrimSpace(l), "; "):
		case key == "registers" && classOnly.Get().MatchString(l):
		default:
			out = append(out, cutLine(l, key))
		}
	}
	return out
}

func cutLine(l, key string) line {
	var out line
	var b strings.Builder
	rest := l
	put := func(s string) { b.WriteString(s) }
	if m := header.Get().FindStringSubmatchIndex(l); m != nil && key == "body" {
		put("  bb.")
		out.refs = append(out.refs, ref{name: name{block, l[m[2]:m[3]]}, at: b.Len(), bare: true, defining: true})
		rest = l[m[1]:]
	} else if m := listItem.Get().FindStringSubmatchIndex(l); m != nil {
		kinds := map[string]kind{"registers": vreg, "stack": stack, "fixedStack": fixedStack}
		if k, ok := kinds[key]; ok {
			put("  - { id: ")
			out.refs = append(out.refs, ref{name: name{k, l[m[2]:m[3]]}, at: b.Len(), bare: true, defining: k != vreg})
			rest = l[m[1]:]
		}
	}
	equals := strings.Index(rest, " = ")
	pos := 0
	for _, m := range reference.Get().FindAllStringSubmatchIndex(rest, -1) {
		r := ref{}
		end := m[1]
		switch {
		case m[2] >= 0:
			r.name = name{block, rest[m[2]:m[3]]}
		case m[6] >= 0:
			r.name = name{stack, rest[m[6]:m[7]]}
			if m[4] >= 0 {
				r.name.kind = fixedStack
			}
		default:
			id := rest[m[8]:m[9]]
			if slices.ContainsFunc(notRegisters, func(p string) bool { return strings.HasPrefix(id, p) }) {
				continue
			}
			// A sub-register stands behind a dot.
			if dot := strings.IndexByte(id, '.'); dot > 0 {
				end -= len(id) - dot
				id = id[:dot]
			}
			r.name = name{vreg, id}
			r.defining = m[0] < equals
		}
		put(rest[pos:m[0]])
		r.at = b.Len()
		out.refs = append(out.refs, r)
		pos = end
	}
	put(rest[pos:])
	out.fixed = b.String()
	return out
}

// render writes a line with names as rename gives them.
func (l *line) render(rename func(name) string) string {
	var b strings.Builder
	pos := 0
	for _, r := range l.refs {
		b.WriteString(l.fixed[pos:r.at])
		pos = r.at
		id := rename(r.name)
		if r.bare {
			b.WriteString(id)
		} else {
			b.WriteString(r.name.text(id))
		}
	}
	b.WriteString(l.fixed[pos:])
	return b.String()
}
