package dagpattern

import "github.com/mirin-go/mirin/diag"

// Skipped is a pattern that a table leaves out.
type Skipped struct {
	*diag.Diagnostic // a warning at the pattern, which says all
	Name             string
	Reason           string
}

// Skip adds a pattern to a list. Alternatives and variants of a pattern are
// skipped for one reason, which is said once.
func (p *Set) Skip(l []Skipped, x *Pattern, why string) []Skipped {
	s := Skipped{p.warning(x.Record, "Skipped pattern: "+why+" ("+x.Record.Name+")"), x.Record.Name, why}
	for _, old := range l {
		if *old.Diagnostic == *s.Diagnostic {
			return l
		}
	}
	return append(l, s)
}
