package ir

// Flags goes through the module flags (!llvm.module.flags): each one's name and
// the node that holds its value.
func (m *Module) Flags(yield func(name string, value *MDNode) bool) {
	for _, l := range m.NamedMD {
		if l.Name != "llvm.module.flags" {
			continue
		}
		for _, id := range l.Nodes {
			n := m.MD.At(id)
			if n == nil || len(n.Ops) != 3 {
				continue
			}
			key, val := m.MD.At(n.Ops[1]), m.MD.At(n.Ops[2])
			if key != nil && val != nil && key.Kind == MDString && !yield(key.Str, val) {
				return
			}
		}
	}
}

// FlagInt gives the value of a module flag that is a number.
func (m *Module) FlagInt(name string) (v uint64, ok bool) {
	for key, val := range m.Flags {
		if key == name && val.Kind == MDConst && val.Value.Const() != 0 {
			v, ok = m.Consts.At(val.Value.Const()).Bits, true
		}
	}
	return v, ok
}

// FlagString gives the value of a module flag that is a string.
func (m *Module) FlagString(name string) (v string, ok bool) {
	for key, val := range m.Flags {
		if key == name && val.Kind == MDString {
			v, ok = val.Str, true
		}
	}
	return v, ok
}

// HasDebugInfo reports a module with compile units (!llvm.dbg.cu).
func (m *Module) HasDebugInfo() bool {
	for k := range m.NamedMD {
		if l := &m.NamedMD[k]; l.Name == "llvm.dbg.cu" {
			return len(l.Nodes) > 0
		}
	}
	return false
}
