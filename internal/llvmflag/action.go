package llvmflag

// Action adds a flag without a value that sets *p to its own name: one of
// several that exclude each other, of which the last given counts.
func (s *Set) Action(p *string, name, help string) *Flag {
	return s.add(&Flag{name: name, help: help, typ: "boolean", boolean: true, set: func(v string) bool {
		if v != "" {
			return false
		}
		*p = name
		return true
	}})
}
