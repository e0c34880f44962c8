package autoupgrade

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// planWasm is for the relaxed operations under the names they had before that word.
func (u *upgrader) planWasm(g *ir.Global, name string) action {
	ret := u.t.Result(g.ValueType)
	base, _, _ := strings.Cut(name, ".")
	switch {
	case u.t.Kind(ret) != ir.KindVector:
	case base == "fma":
		return u.rename("wasm.relaxed.madd", []ir.Type{ret})
	case base == "fms":
		return u.rename("wasm.relaxed.nmadd", []ir.Type{ret})
	case base == "laneselect":
		return u.rename("wasm.relaxed.laneselect", []ir.Type{ret})
	case name == "dot.i8x16.i7x16.signed", name == "dot.i8x16.i7x16.add.signed":
		return u.rename("wasm.relaxed."+name, nil)
	}
	return nil
}
