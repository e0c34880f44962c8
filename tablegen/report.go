package tablegen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/diag"
)

// Report is one message as the reader gives it to Options.Report.
type Report struct {
	*diag.Diagnostic
	// IncludedFrom are the include statements that lead to the file, as
	// FILE:LINE, the main file's first.
	IncludedFrom []string
}

// AppendText appends the message as LLVM prints it, with the include
// statements before it.
func (r Report) AppendText(b []byte) []byte {
	for _, p := range r.IncludedFrom {
		b = append(b, "Included from "...)
		b = append(b, p...)
		b = append(b, ":\n"...)
	}
	if r.File == "" {
		b = append(b, r.Severity.String()...)
		b = append(b, ": "...)
		b = append(b, r.Msg...)
		return append(b, '\n')
	}
	b = r.Diagnostic.AppendText(b)
	if r.Source == "" && r.Line > 0 {
		b = append(b, '\n')
		b = append(b, strings.Repeat(" ", max(r.Col-1, 0))...)
		b = append(b, "^\n"...)
	}
	return b
}

// ReportAt makes a report for a place.
func (rs *Records) ReportAt(l Loc, sev diag.Severity, msg string) Report {
	return Report{rs.ev.locate(l, sev, msg), rs.includedFrom(l)}
}

func (rs *Records) includedFrom(l Loc) []string {
	var out []string
	for l != noLoc && l.file >= 0 && int(l.file) < len(rs.files) {
		l = rs.files[l.file].by
		if name, line := rs.line(l); line > 0 {
			out = append(out, name+":"+strconv.Itoa(line))
		}
	}
	slices.Reverse(out)
	return out
}

// Files returns the names of the files that were included, sorted, each once.
func (rs *Records) Files() []string {
	var l []string
	for i := range rs.files {
		if rs.files[i].by != noLoc {
			l = append(l, rs.files[i].name)
		}
	}
	slices.Sort(l)
	return slices.Compact(l)
}
