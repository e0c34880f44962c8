package tablegen

import "slices"

// Copy returns a record with the superclasses and fields of r under another
// name and at another place. It belongs to no list and is found by no name:
// generators make records that LLVM makes on the way, as the registers of tuples.
func (rs *Records) Copy(r *Record, name string, at Loc) *Record {
	return &Record{
		Name: name, Loc: at, ID: r.ID, records: rs, usedAt: r.usedAt, direct: r.direct, kind: kindDef,
		Superclasses: slices.Clone(r.Superclasses), Fields: slices.Clone(r.Fields),
	}
}

// SetField gives a field of a record made by Copy another value; a field that
// it does not have is left out.
func (r *Record) SetField(field string, v Init) {
	if f := r.field(field); f != nil {
		f.Value = v
	}
}

// AddExpander makes the definitions of a class sets whose elements a function
// gives. The function may ask the same Sets.
func (s *Sets) AddExpander(class string, elements func(*Record) ([]*Record, error)) {
	if s.funcs == nil {
		s.funcs = map[string]func(*Record) ([]*Record, error){}
	}
	s.funcs[class] = elements
}

// expandFunc asks the functions of AddExpander.
func (s *Sets) expandFunc(r *Record, class string) ([]*Record, bool) {
	f, ok := s.funcs[class]
	if !ok {
		return nil, false
	}
	s.known[r] = nil
	l, err := f(r)
	if err != nil {
		s.failWith(err)
		return nil, true
	}
	s.known[r] = l
	return l, true
}
