package ir

import "slices"

// RemoveGlobal takes a global out of the module's lists and names. Its row
// stays in Globals, without a name, so that ids keep their meaning.
func (m *Module) RemoveGlobal(id GlobalID) {
	g := m.Globals[id]
	list := m.listOf(g.Kind)
	if i := slices.Index(*list, id); i >= 0 {
		*list = slices.Delete(*list, i, i+1)
	}
	if m.byName[g.Name] == id {
		delete(m.byName, g.Name)
	}
	g.Name, g.IsDecl, g.Func = "", true, nil
}

// RestoreGlobal undoes RemoveGlobal for a declaration, which comes last and has a name that is free.
func (m *Module) RestoreGlobal(id GlobalID, name string) {
	list := m.listOf(m.Globals[id].Kind)
	*list = append(*list, id)
	m.RenameGlobal(id, name)
}

// RenameGlobal gives a global another name, which must be free.
func (m *Module) RenameGlobal(id GlobalID, name string) {
	g := m.Globals[id]
	if m.byName[g.Name] == id {
		delete(m.byName, g.Name)
	}
	g.Name = name
	if g.Kind == GlobalFunc {
		g.Intrinsic = LookupIntrinsic(name)
	}
	m.byName[name] = id
}

func (m *Module) listOf(k GlobalKind) *[]GlobalID {
	switch k {
	case GlobalVar:
		return &m.Vars
	case GlobalAlias:
		return &m.Aliases
	case GlobalIFunc:
		return &m.IFuncs
	}
	return &m.Funcs
}

// SetBody makes a body that was edited apart from the module, see
// Function.CopyFrom, the body of global id.
func (m *Module) SetBody(id GlobalID, f *Function) {
	m.Globals[id].Func = f
	f.own = false
	for md, v := range f.localMD {
		f.setLocalMetadata(md, v)
	}
	f.localMD = nil
}
