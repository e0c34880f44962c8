package ir

import "strconv"

// Declare returns the function called name, declared with type t when the
// module has none. One of another type, and a variable of the name, are faults
// (Module.Err).
func (m *Module) Declare(name string, t Type) GlobalID {
	if int(t) >= m.Types.Len() || m.Types.Kind(t) != KindFunction {
		m.fail("function @%s: its type is no function type", name)
		t = m.Types.Func(Void, nil, false)
	}
	if id := m.Lookup(name); id != 0 {
		switch g := m.Globals[id]; {
		case g.Kind != GlobalFunc && g.Kind != GlobalAlias && g.Kind != GlobalIFunc:
			m.fail("@%s is a variable, and no function", name)
		case g.ValueType != t:
			m.fail("function @%s has type %s, and not %s", name, m.Types.name(g.ValueType), m.Types.name(t))
		}
		return id
	}
	return m.AddGlobal(&Global{Kind: GlobalFunc, Name: name, ValueType: t, IsDecl: true})
}

// Define adds a function called name and returns its empty body. A function
// that is only declared so far gets the body; one that has a body already is a fault
// (Module.Err), and what is returned is no part of the module.
func (m *Module) Define(name string, t Type) *Function {
	id := m.Declare(name, t)
	g := m.Globals[id]
	switch {
	case g.Kind != GlobalFunc || g.ValueType != t:
		if m.Err() == nil {
			m.fail("@%s is defined already", name)
		}
		return NewFunction(m, m.stray(t))
	case g.Func != nil:
		m.fail("function @%s is defined already", name)
		return NewFunction(m, m.stray(t))
	}
	g.IsDecl = false
	g.Func = NewFunction(m, id)
	return g.Func
}

// stray is a function for a body that the module refused.
func (m *Module) stray(t Type) GlobalID {
	if int(t) >= m.Types.Len() || m.Types.Kind(t) != KindFunction {
		t = m.Types.Func(Void, nil, false)
	}
	return m.AddGlobal(&Global{Kind: GlobalFunc, ValueType: t, IsDecl: true})
}

// AddVar adds a variable with an initializer made by [Module.Constants]; 0
// declares it only.
func (m *Module) AddVar(name string, t Type, init Value) GlobalID {
	if name != "" && m.Lookup(name) != 0 {
		m.fail("@%s is defined already", name)
		name = ""
	}
	return m.AddGlobal(&Global{Kind: GlobalVar, Name: name, ValueType: t, Init: init, IsDecl: init == 0})
}

// AddString adds a private constant that holds s and a zero byte; "" lets the
// module choose the name: .str, .str.1, …
func (m *Module) AddString(name, s string) GlobalID {
	if name == "" {
		name = ".str"
		for k := 1; m.Lookup(name) != 0; k++ {
			name = ".str." + strconv.Itoa(k)
		}
	}
	t := m.Types.Array(Int8, uint64(len(s)+1))
	c := m.Consts.DataArray(t, append([]byte(s), 0))
	return m.AddGlobal(&Global{Kind: GlobalVar, Linkage: Private, Unnamed: GlobalUnnamedAddr, Constant: true, Align: 1,
		Name: name, ValueType: t, Init: ConstVal(c)})
}

// SetParamNames names the parameters of a function with a body.
func (f *Function) SetParamNames(names ...string) {
	if len(names) > f.NumArgs {
		f.Module.fail("function @%s: %d names for %d parameters", f.Name(), len(names), f.NumArgs)
		names = names[:f.NumArgs]
	}
	for i, n := range names {
		f.ValueNames[f.Arg(i)] = n
	}
}
