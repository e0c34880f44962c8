package llvmflag

import (
	"io"
	"sort"
	"strings"
)

// synopsis is a flag as the left column of --help shows it.
func (f *Flag) synopsis() string {
	name := dashed(f.name)
	switch {
	case f.boolean:
		return name
	case f.joined:
		return name + "<" + f.value + ">"
	case len(f.name) == 1:
		return name + " <" + f.value + ">"
	}
	return name + "=<" + f.value + ">"
}

// help prints the overview, the flags by group in order of name, and examples.
func (s *Set) help(w io.Writer, hidden bool) {
	var b strings.Builder
	if s.Overview != "" {
		b.WriteString("OVERVIEW: " + s.Overview + "\n\n")
	}
	usage := s.Usage
	if usage == "" {
		usage = "[options] <input>"
	}
	b.WriteString("USAGE: " + s.Tool + " " + usage + "\n\nOPTIONS:\n")
	width := len("--version")
	for _, f := range s.flags {
		width = max(width, len(f.synopsis()))
	}
	row := func(left, right string) {
		b.WriteString("  " + left + strings.Repeat(" ", width-min(width, len(left))) + " - " + right + "\n")
	}
	for _, g := range s.groups() {
		title := g
		if title == "" {
			title = "General options"
		}
		b.WriteString("\n" + title + ":\n\n")
		for _, f := range s.inGroup(g, hidden) {
			row(f.synopsis(), f.help)
			for _, c := range f.choices {
				row("  ="+c.Name, "  "+c.Help)
			}
			for _, a := range f.aliases {
				row(dashed(a), "Alias for "+dashed(f.name))
			}
		}
	}
	b.WriteString("\nGeneric Options:\n\n")
	row("--help", "Display available options")
	row("--version", "Display the version of this program")
	if names := s.Foreign.names(); hidden && names != nil {
		b.WriteString("\nFlags of LLVM's " + s.Tool + " that are read and have no meaning here; those that the output would be wrong without are refused:\n")
		at := 100
		for _, n := range names {
			if s.find(n) != nil || n == "help" || n == "version" {
				continue
			}
			if at += len(n) + 1; at > 100 {
				b.WriteString("\n ")
				at = len(n) + 1
			}
			b.WriteString(" " + n)
		}
		b.WriteByte('\n')
	}
	if s.Examples != "" {
		b.WriteString("\nEXAMPLES:\n\n" + s.Examples)
	}
	if s.Footer != "" {
		b.WriteString("\n" + s.Footer)
	}
	io.WriteString(w, b.String())
}

// groups returns the titles in the order of their first flag.
func (s *Set) groups() []string {
	var list []string
	seen := map[string]bool{}
	for _, f := range s.flags {
		if !seen[f.group] {
			seen[f.group] = true
			list = append(list, f.group)
		}
	}
	return list
}

func (s *Set) inGroup(group string, hidden bool) []*Flag {
	var list []*Flag
	for _, f := range s.flags {
		if f.group == group && (hidden || !f.hidden) {
			list = append(list, f)
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].name < list[j].name })
	return list
}
