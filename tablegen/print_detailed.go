package tablegen

import (
	"maps"
	"path"
	"slices"
	"strconv"
)

// AppendDetailed appends all records with the places of everything, as
// llvm-tblgen --print-detailed-records does; file is the name of the main
// file. LLVM's statistics of its own memory at the end are not there.
func (rs *Records) AppendDetailed(b []byte, file string) []byte {
	b = append(b, "DETAILED RECORDS for file "...)
	b = append(b, file...)
	b = append(b, "\n\n"...)

	b = appendHeading(b, "Global Variables", len(rs.globals))
	for _, n := range slices.Sorted(maps.Keys(rs.globals)) {
		b = append(b, n...)
		b = append(b, " = "...)
		b = rs.globals[n].AppendText(b)
		b = append(b, '\n')
	}
	b = append(b, '\n')

	b = appendHeading(b, "Classes", len(rs.classList))
	for _, c := range sortedByName(rs.classList) {
		b = rs.appendDetails(b, c)
	}
	b = appendHeading(b, "Records", len(rs.defList))
	for _, d := range sortedByName(rs.defList) {
		b = rs.appendDetails(b, d)
	}
	return b
}

func appendHeading(b []byte, title string, n int) []byte {
	b = append(b, "-------------------- "...)
	b = append(b, title...)
	b = append(b, " ("...)
	b = strconv.AppendInt(b, int64(n), 10)
	return append(b, ") --------------------\n\n"...)
}

func (rs *Records) appendPlace(b []byte, l Loc) []byte {
	name, line := rs.line(l)
	b = append(b, '|')
	b = append(b, path.Base(name)...)
	b = append(b, ':')
	b = strconv.AppendInt(b, int64(line), 10)
	return append(b, '|')
}

func (rs *Records) appendDetails(b []byte, r *Record) []byte {
	b = append(b, r.Name...)
	b = append(b, "  "...)
	b = rs.appendPlace(b, r.Loc)
	b = append(b, '\n')
	if r.kind == kindClass {
		if len(r.TemplateArgs) == 0 {
			b = append(b, "  Template args: (none)\n"...)
		} else {
			b = append(b, "  Template args:\n"...)
			for i := range r.TemplateArgs {
				b = rs.appendDetailedField(b, &r.TemplateArgs[i])
			}
		}
	} else if len(r.usedAt) > 0 {
		b = append(b, "  Defm sequence:"...)
		for i := len(r.usedAt) - 1; i >= 0; i-- {
			b = rs.appendPlace(append(b, ' '), r.usedAt[i])
		}
		b = rs.appendPlace(append(b, ' '), r.Loc)
		b = append(b, '\n')
	}
	b = append(b, "  Superclasses:"...)
	if len(r.Superclasses) == 0 {
		b = append(b, " (none)"...)
	}
	for _, s := range r.Superclasses {
		if containsRecord(r.direct, s) {
			b = append(b, ' ')
			b = append(b, s.Name...)
			continue
		}
		b = append(b, " ("...)
		b = append(b, s.Name...)
		b = append(b, ')')
	}
	b = append(b, '\n')
	if len(r.Fields) == 0 {
		b = append(b, "  Fields: (none)\n"...)
	} else {
		b = append(b, "  Fields:\n"...)
		for i := range r.Fields {
			b = rs.appendDetailedField(b, &r.Fields[i])
		}
	}
	return append(b, '\n')
}

func (rs *Records) appendDetailedField(b []byte, f *Field) []byte {
	b = append(b, "    "...)
	b = f.appendDecl(b)
	b = append(b, "  "...)
	b = rs.appendPlace(b, f.Loc)
	return append(b, '\n')
}
