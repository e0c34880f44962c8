package autoupgrade

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

func (u *upgrader) planARM(g *ir.Global, target, name string) action {
	if name == "thread.pointer" {
		return u.rename("thread.pointer", []ir.Type{ir.Ptr})
	}
	neon, ok := strings.CutPrefix(name, "neon.")
	if !ok {
		return nil
	}
	ret := u.t.Result(g.ValueType)
	base, _, _ := strings.Cut(neon, ".")
	switch {
	case target == "aarch64" && base == "addp" && u.t.IsFloat(u.t.Scalar(ret)):
		return u.rename("aarch64.neon.faddp", []ir.Type{ret})
	case target == "aarch64" && base == "rbit":
		return u.rename("bitreverse", []ir.Type{ret})
	case target == "arm" && base == "vclz":
		return u.append("ctlz", []ir.Type{ret}, func(c *call) []ir.Value { return []ir.Value{c.int(ir.Int1, 0)} })
	case target == "arm" && base == "vcnt":
		return u.rename("ctpop", []ir.Type{ret})
	}
	return nil
}

func (u *upgrader) planAMDGCN(g *ir.Global, name string) action {
	params := u.t.Subtypes(g.ValueType)
	switch base, _, _ := strings.Cut(name, "."); base {
	case "alignbit":
		return u.rename("fshr", []ir.Type{ir.Int32})
	case "ldexp":
		return u.rename("ldexp", []ir.Type{params[0], params[1]})
	}
	return nil
}

func (u *upgrader) planNVVM(g *ir.Global, name string) action { return nil }
func (u *upgrader) planX86(g *ir.Global, name string) action  { return nil }
