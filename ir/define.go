package ir

import "strconv"

// Declare returns the function called name, declared with type t when the
// module has none.
func (m *Module) Declare(name string, t Type) GlobalID {
	if id := m.Lookup(name); id != 0 {
		return id
	}
	return m.AddGlobal(&Global{Kind: GlobalFunc, Name: name, ValueType: t, IsDecl: true})
}

// Define adds a function called name and returns its empty body. A function
// that is only declared so far gets the body.
func (m *Module) Define(name string, t Type) *Function {
	id := m.Declare(name, t)
	g := m.Globals[id]
	g.IsDecl = false
	g.Func = NewFunction(m, id)
	return g.Func
}

// AddVar adds a variable with an initializer made by [Module.Constants]; 0
// declares it only.
func (m *Module) AddVar(name string, t Type, init Value) GlobalID {
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
	for i, n := range names {
		f.ValueNames[f.Arg(i)] = n
	}
}
