package tablegen

import "strings"

// Position returns file name and line (from 1) of a place; "" and 0 for none.
func (rs *Records) Position(l Loc) (file string, line int) {
	if int(l.file) >= len(rs.files) || l.file < 0 || l.off < 0 {
		return "", 0
	}
	f := &rs.files[l.file]
	return f.name, 1 + strings.Count(f.src[:min(int(l.off), len(f.src))], "\n")
}
