package autoupgrade

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// planDotBFloat is for the dot and matrix products on bfloat of ARM and AArch64, which begin with prefix.
func (u *upgrader) planDotBFloat(g *ir.Global, prefix, neon string) action {
	ret, params := u.t.Result(g.ValueType), u.t.Subtypes(g.ValueType)
	base, types, _ := strings.Cut(neon, ".")
	switch base {
	case "bfdot", "bfmmla", "bfmlalb", "bfmlalt":
	default:
		return nil
	}
	if len(params) != 3 || !strings.HasSuffix(types, "i8") || u.t.Kind(ret) != ir.KindVector || u.t.Elem(ret) != ir.Float {
		return nil
	}
	bf := u.t.Vector(ir.BFloat, 2*u.t.NumElems(ret), false)
	var over []ir.Type
	x := intrin.Lookup(prefix + base)
	if x.Overloaded() {
		over = []ir.Type{ret, bf}
	}
	id := u.declare(x, over)
	return func(c *call) bool {
		c.become(c.callTo(id, c.arg(0), c.cast(ir.OpBitCast, c.arg(1), bf), c.cast(ir.OpBitCast, c.arg(2), bf)))
		return true
	}
}

// planCvtBFloat is for AArch64's conversions to bfloat.
func (u *upgrader) planCvtBFloat(g *ir.Global, neon string) action {
	ret, params := u.t.Result(g.ValueType), u.t.Subtypes(g.ValueType)
	switch base, _, _ := strings.Cut(neon, "."); {
	case base == "bfcvt" && len(params) == 1:
		return func(c *call) bool { return c.val(c.cast(ir.OpFPTrunc, c.arg(0), ret)) }
	case base == "bfcvtn" && len(params) == 1:
		return func(c *call) bool {
			v := c.cast(ir.OpFPTrunc, c.arg(0), u.t.Vector(ir.BFloat, 4, false))
			return c.val(c.shuffle(v, c.null(c.typeOf(v)), iota64(8)))
		}
	case base == "bfcvtn2" && len(params) == 2:
		return func(c *call) bool {
			low := c.swizzle(c.arg(0), iota64(4))
			v := c.cast(ir.OpFPTrunc, c.arg(1), u.t.Vector(ir.BFloat, 4, false))
			return c.val(c.shuffle(low, v, iota64(8)))
		}
	}
	return nil
}

// planMVE is for operations on two 64-bit lanes, whose predicates were vectors of four bits.
func (u *upgrader) planMVE(g *ir.Global, name string) action {
	ret, params := u.t.Result(g.ValueType), u.t.Subtypes(g.ValueType)
	four, two := u.t.Vector(ir.Int1, 4, false), u.t.Vector(ir.Int1, 2, false)
	x := intrin.Lookup("llvm.arm." + name)
	if x == 0 || !strings.Contains(name, "v2i64") && name != "mve.vctp64" || strings.HasPrefix(name, "mve.pred") {
		return nil
	}
	anew := append([]ir.Type(nil), params...)
	changed := false
	for i, p := range anew {
		if p == four {
			anew[i], changed = two, true
		}
	}
	r := ret
	if name == "mve.vctp64" && ret == four {
		r, changed = two, true
	}
	over, m := x.Match(u.t, u.t.Func(r, anew, false))
	if !changed || m != intrin.Matches {
		return nil
	}
	convert := func(c *call, v ir.Value, from, to ir.Type) ir.Value {
		n := c.intrinsic("llvm.arm.mve.pred.v2i", []ir.Type{from}, v)
		return ir.Local(c.intrinsic("llvm.arm.mve.pred.i2v", []ir.Type{to}, ir.Local(n)))
	}
	return func(c *call) bool {
		args := append([]ir.Value(nil), c.args()...)
		for i, a := range args {
			if c.typeOf(a) == four {
				args[i] = convert(c, a, four, two)
			}
		}
		n := c.intrinsic(x.Name(), over, args...)
		name := c.f.ValueNames[c.i]
		if name != "" {
			c.name(n, name)
		}
		v := ir.Local(n)
		if r != ret {
			v = convert(c, v, two, four)
		}
		return c.val(v)
	}
}

// planFCvtBF is for conversions to bfloat whose predicate had a bit for each bfloat.
func (u *upgrader) planFCvtBF(g *ir.Global, sve string) action {
	if sve != "fcvt.bf16f32" && sve != "fcvtnt.bf16f32" {
		return nil
	}
	params := u.t.Subtypes(g.ValueType)
	eight, four := u.t.Vector(ir.Int1, 8, true), u.t.Vector(ir.Int1, 4, true)
	x := intrin.Lookup("llvm.aarch64.sve." + sve + ".v2")
	if x == 0 || len(params) != 3 || params[1] != eight {
		return nil
	}
	return func(c *call) bool {
		b := c.intrinsic("llvm.aarch64.sve.convert.to.svbool", []ir.Type{eight}, c.arg(1))
		p := c.intrinsic("llvm.aarch64.sve.convert.from.svbool", []ir.Type{four}, ir.Local(b))
		n := c.intrinsic(x.Name(), nil, c.arg(0), ir.Local(p), c.arg(2))
		if name := c.f.ValueNames[c.i]; name != "" {
			c.name(n, name)
		}
		return c.val(ir.Local(n))
	}
}
