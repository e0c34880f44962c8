package mcgen

// find finds an operand by name: the first part of a declared one, or a part.
func (in *inst) find(name string) (int, bool) { return in.from.Find(name) }

// group finds a declared operand by name.
func (in *inst) group(name string) *group {
	for k := range in.groups {
		if in.groups[k].name == name {
			return &in.groups[k]
		}
	}
	return nil
}
