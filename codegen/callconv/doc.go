// Package callconv places arguments and results by the calling conventions that
// targets describe in TableGen. Both instruction selectors use it.
//
// An Interp is a table of conventions (desc.CCTable, made by
// tablegen/emit/callingconv) with the Go functions that the description names.
// A State places the values of one call or function, in order: a Source cuts
// arguments into values of register types, Place runs a convention over one of
// them, and State.Locs says where each went.
//
//	src := callconv.Source{Types: types, Layout: layout, Regs: regTypes, NumFixed: len(args)}
//	vals, bad := src.Append(nil, 0, &args[0]) // bad >= 0: that part cannot be passed
//	s := in.NewState(features, cc, isVarArg)
//	for k := range vals {
//		if !s.Place(tab.CC_X86_64, &vals[k]) { … not supported … }
//	}
//
// Flow of data: types.go (types of the IR to register types), values.go
// (arguments to values with flags), interp.go (the actions), state.go (registers
// and stack slots that are taken). Conventions bundles what a subtarget's
// conventions are, with the placement of whole lists of arguments; it is a part of
// target.CallConv.
//
// The package imports ir, mir and desc: target stands on it.
package callconv
