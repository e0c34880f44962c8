package tablegen

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendFind appends all that is known of a definition or class: where it is,
// the defm statements that made it, its superclasses as a tree, and each field
// with the class that declares it and the place that set it last.
func (rs *Records) AppendFind(b []byte, name string) ([]byte, error) {
	r := rs.defs[name]
	kind := "def "
	if r == nil {
		r, kind = rs.classes[name], "class "
	}
	if r == nil {
		msg := "error: no definition or class is named '" + name + "'"
		if l := rs.similar(name); len(l) > 0 {
			msg += "; there is '" + strings.Join(l, "', '") + "'"
		}
		return b, errors.New(msg)
	}
	b = append(append(b, kind...), r.Name...)
	b = append(b, "\n  defined at "...)
	b = rs.appendAt(b, r.Loc)
	b = append(b, '\n')
	for _, l := range r.usedAt {
		b = append(b, "  through the defm at "...)
		b = append(rs.appendAt(b, l), '\n')
	}
	if len(r.TemplateArgs) > 0 {
		b = append(b, "  template arguments:\n"...)
		for i := range r.TemplateArgs {
			b = append(b, "    "...)
			b = append(r.TemplateArgs[i].appendDecl(b), '\n')
		}
	}
	if len(r.direct) > 0 {
		b = append(b, "  superclasses:\n"...)
		b = rs.appendSupers(b, r, "    ", map[*Record]bool{})
	}
	if r.kind == kindClass {
		b = append(b, "  records of this class: "...)
		b = append(strconv.AppendInt(b, int64(len(rs.DerivedFrom(name))), 10), '\n')
	}
	if len(r.Fields) > 0 {
		b = append(b, "  fields:\n"...)
	}
	for i := range r.Fields {
		f := &r.Fields[i]
		b = append(b, "    "...)
		b = append(f.appendDecl(b), '\n')
		b = append(b, "        "...)
		if c := rs.declares(r, f.Name); c != r {
			b = append(b, "declared in "...)
			b = append(b, c.Name...)
			if own := c.field(f.Name); own.Loc != f.Loc {
				b = append(b, " at "...)
				b = rs.appendAt(b, own.Loc)
				b = append(b, ", set"...)
			}
		} else {
			b = append(b, "declared here"...)
		}
		b = append(b, " at "...)
		b = append(rs.appendAt(b, f.Loc), '\n')
	}
	return b, nil
}

func (rs *Records) appendAt(b []byte, l Loc) []byte {
	name, line := rs.line(l)
	if line == 0 {
		return append(b, "(no place)"...)
	}
	b = append(b, name...)
	return strconv.AppendInt(append(b, ':'), int64(line), 10)
}

// appendSupers appends the superclasses as a tree; one that stood before is not
// opened again (a class may even have itself as superclass).
func (rs *Records) appendSupers(b []byte, r *Record, indent string, seen map[*Record]bool) []byte {
	for _, s := range r.direct {
		b = append(append(b, indent...), s.Name...)
		b = append(b, "  "...)
		b = append(rs.appendAt(b, s.Loc), '\n')
		if !seen[s] {
			seen[s] = true
			b = rs.appendSupers(b, s, indent+"  ", seen)
		}
	}
	return b
}

// similar returns a few names that differ from name only in case or that
// contain it.
func (rs *Records) similar(name string) []string {
	var l []string
	low := strings.ToLower(name)
	for _, list := range [...][]*Record{rs.classList, rs.defList} {
		for _, r := range list {
			if low != "" && strings.Contains(strings.ToLower(r.Name), low) {
				l = append(l, r.Name)
			}
		}
	}
	slices.SortFunc(l, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return l[:min(len(l), 3)]
}

// AppendClass appends all records of a class in order of their names: as JSON,
// one object in the form of AppendJSON, or as a table of the fields that the
// class and its superclasses declare.
func (rs *Records) AppendClass(b []byte, class string, json bool) ([]byte, error) {
	c := rs.classes[class]
	if c == nil {
		return b, errors.New("error: The class '" + class + "' is not defined")
	}
	defs := rs.DerivedSorted(class)
	if json {
		b = append(b, '{')
		for i, d := range defs {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, '\n')
			b = append(appendQuoted(b, d.Name), ':')
			b = rs.appendRecordJSON(b, d)
		}
		return append(b, "\n}\n"...), nil
	}
	rows := make([][]string, 1, len(defs)+1)
	rows[0] = []string{class}
	for i := range c.Fields {
		rows[0] = append(rows[0], c.Fields[i].Name)
	}
	for _, d := range defs {
		row := []string{d.Name}
		for i := range c.Fields {
			text := "?"
			if v := d.Value(c.Fields[i].Name); v != nil {
				if n, ok := IntValue(v); ok {
					text = strconv.FormatInt(n, 10)
				} else {
					text = clipText(unquoted(v))
				}
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return appendTable(b, rows), nil
}

// clipText makes a value one line of bounded length.
func clipText(s string) string {
	const most = 32
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > most {
		return string([]rune(s)[:most-1]) + "…"
	}
	return s
}

func appendTable(b []byte, rows [][]string) []byte {
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, s := range r {
			width[i] = max(width[i], utf8.RuneCountInString(s))
		}
	}
	for _, r := range rows {
		for i, s := range r {
			b = append(b, s...)
			if i+1 < len(r) {
				for range width[i] - utf8.RuneCountInString(s) + 2 {
					b = append(b, ' ')
				}
			}
		}
		b = append(b, '\n')
	}
	return b
}
