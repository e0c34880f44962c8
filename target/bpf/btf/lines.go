package btf

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// Line is a place in the source.
type Line struct {
	File         ir.MDID
	Line, Column uint32
}

// Place is where a record of a line belongs.
type Place uint8

// The places: nowhere, at the begin of the function, at the instruction.
const (
	Nowhere Place = iota
	AtBegin
	Here
)

// Liner tells which instructions of a function have records of their lines: those whose
// place in the source is another than that of the last, and the first in any case.
type Liner struct {
	m        *ir.Module
	sp       *ir.MDNode
	prev     ir.DILocation
	havePrev bool
	any      bool
}

// Begin begins a function. It reports false where its unit has no debug information.
func (l *Liner) Begin(m *ir.Module, g *ir.Global) bool {
	*l = Liner{m: m, sp: subprogram(m, g)}
	return l.sp == nil || hasDebugInfo(m, l.sp)
}

// Next takes the location of the next instruction, 0 for none.
func (l *Liner) Next(loc ir.MDID) (Line, Place) {
	x, ok := l.m.MD.Location(loc)
	if !ok || x.Line == 0 || l.havePrev && x == l.prev {
		if l.any || l.sp == nil {
			return Line{}, Nowhere
		}
		l.any = true
		return Line{File: l.sp.FieldNode("file"), Line: uint32(l.sp.FieldInt("line"))}, AtBegin
	}
	l.any, l.havePrev, l.prev = true, true, x
	return Line{File: l.m.MD.FileOf(x.Scope), Line: x.Line, Column: uint32(x.Column)}, Here
}

// sources are the lines of the files that line records name.
type sources struct {
	files map[string][]string
	// read gives the text of a file, false where there is none; nil: there are none.
	read func(name string) ([]byte, bool)
}

// file returns the name of a DIFile, and its lines: embedded in the metadata, or read.
func (s *sources) file(n *ir.MDNode) (name string, lines []string) {
	name = n.FieldText("filename")
	if dir := n.FieldText("directory"); dir != "" && !strings.HasPrefix(name, "/") {
		name = dir + "/" + name
	}
	lines, ok := s.files[name]
	if !ok {
		lines = []string{""} // line 0
		if src := n.Field("source"); src != nil {
			lines = append(lines, splitLines(src.Str)...)
		} else if s.read != nil {
			if text, ok := s.read(name); ok {
				lines = append(lines, splitLines(string(text))...)
			}
		}
		if s.files == nil {
			s.files = map[string][]string{}
		}
		s.files[name] = lines
	}
	return name, lines
}

// splitLines splits a text at line feeds, with or without a carriage return before.
func splitLines(text string) (lines []string) {
	for l := range strings.Lines(text) {
		lines = append(lines, strings.TrimSuffix(strings.TrimSuffix(l, "\n"), "\r"))
	}
	return lines
}
