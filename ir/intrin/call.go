package intrin

import "github.com/mirin-go/mirin/ir"

// Call adds a call of an intrinsic by its name without types, "llvm.sqrt", which
// it completes from the types of result and arguments; names that are complete are
// taken as they are. What does not agree with the intrinsic's signature is a fault
// of the builder.
//
//	root := intrin.Call(b, "llvm.sqrt", ir.Double, x)
func Call(b ir.Builder, name string, res ir.Type, args ...ir.Value) ir.Value {
	id := Lookup(name)
	m := b.Func().Module
	if id != 0 && id.Name() == name && id.Overloaded() {
		params := make([]ir.Type, len(args))
		for i, a := range args {
			if params[i] = b.TypeOf(a); params[i] == ir.NoType {
				return b.Intrinsic(name, res, args...) // which finds the fault again
			}
		}
		if over, r := id.Match(m.Types, m.Types.Func(res, params, false)); r == Matches {
			name = id.MangledName(m.Types, over)
		}
	}
	return b.Intrinsic(name, res, args...)
}
