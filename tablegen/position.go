package tablegen

import (
	"strings"

	"github.com/mirin-go/mirin/diag"
)

// Position returns file name and line (from 1) of a place; "" and 0 for none.
func (rs *Records) Position(l Loc) (file string, line int) {
	if int(l.file) >= len(rs.files) || l.file < 0 || l.off < 0 {
		return "", 0
	}
	f := &rs.files[l.file]
	return f.name, 1 + strings.Count(f.src[:min(int(l.off), len(f.src))], "\n")
}

// ErrorAt makes an error for a place: what a generator says about a record.
func (rs *Records) ErrorAt(l Loc, msg string) *diag.Diagnostic {
	return rs.ev.locate(l, diag.Error, msg)
}
