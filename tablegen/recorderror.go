package tablegen

import "github.com/mirin-go/mirin/diag"

// ErrorsAt makes an error for a place of a record and the way to it, as notes:
// the include statements that lead to the file, outermost first, and the defm
// statements that made the record, innermost first. r may be nil.
func (rs *Records) ErrorsAt(r *Record, l Loc, msg string) diag.List {
	out := diag.List{rs.ErrorAt(l, msg)}
	var by []Loc
	for at := l; at != noLoc && at.file >= 0 && int(at.file) < len(rs.files); {
		at = rs.files[at.file].by
		by = append(by, at)
	}
	for i := len(by) - 1; i >= 0; i-- {
		if _, line := rs.Position(by[i]); line > 0 && by[i] != noLoc {
			out = append(out, rs.ev.locate(by[i], diag.Note, "included here"))
		}
	}
	if r != nil {
		for _, at := range r.usedAt {
			out = append(out, rs.ev.locate(at, diag.Note, "instantiated from multiclass"))
		}
	}
	return out
}

// FieldLoc returns the place that set a field of r last, the place of r itself
// where there is none or the field is not set.
func (r *Record) FieldLoc(field string) Loc {
	f := r.field(field)
	if f == nil || f.Loc == noLoc {
		return r.Loc
	}
	if _, ok := f.Value.(*UnsetInit); ok {
		return r.Loc
	}
	return f.Loc
}
