package autoupgrade

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// nvvmRenamed are the old intrinsics whose calls call another one with the
// same operands and keep their name.
func (u *upgrader) nvvmRenamed(name string, ret ir.Type) action {
	base := map[string]string{"max.s": "smax", "max.i": "smax", "max.ll": "smax", "max.us": "umax", "max.ui": "umax", "max.ull": "umax",
		"min.s": "smin", "min.i": "smin", "min.ll": "smin", "min.us": "umin", "min.ui": "umin", "min.ull": "umin", "popc.i": "ctpop"}[name]
	switch {
	case u.t.IntBits(ret) == 0:
		return nil
	case base != "":
		return u.rename(base, []ir.Type{ret})
	case name == "clz.i":
		return u.append("ctlz", []ir.Type{ret}, func(c *call) []ir.Value { return []ir.Value{c.int(ir.Int1, 0)} })
	}
	return nil
}

// nvvmCall returns what takes the place of a call of an old intrinsic of NVVM
// without its name, nil for another one.
func nvvmCall(name string) func(c *call, ret ir.Type) ir.Value {
	other := func(full string) func(*call, ir.Type) ir.Value {
		return func(c *call, _ ir.Type) ir.Value {
			n := c.intrinsic("llvm.nvvm."+full, nil, c.args()...)
			if n != 0 {
				return ir.Local(n)
			}
			return 0
		}
	}
	switch name {
	case "fabs.f", "fabs.d", "ex2.approx.f", "ex2.approx.d", "ex2.approx.f16x2", "fabs.ftz.f", "ex2.approx.ftz.f":
		base := "nvvm." + name[:strings.LastIndexByte(name, '.')]
		return func(c *call, ret ir.Type) ir.Value { return c.generic(base, c.arg(0)) }
	case "tanh.approx.f32":
		return func(c *call, ret ir.Type) ir.Value {
			v := c.generic("tanh", c.arg(0))
			c.f.Instr(v.Instr()).Flags |= ir.ApproxFunc
			return v
		}
	case "clz.ll", "popc.ll":
		return func(c *call, ret ir.Type) ir.Value {
			base, args := "ctpop", []ir.Value{c.arg(0)}
			if name == "clz.ll" {
				base, args = "ctlz", append(args, c.int(ir.Int1, 0))
			}
			return c.named(c.cast(ir.OpTrunc, c.named(c.generic(base, args...), base), ret), base+".trunc")
		}
	case "abs.i", "abs.ll":
		return func(c *call, ret ir.Type) ir.Value {
			a := c.arg(0)
			zero := c.null(c.typeOf(a))
			neg := c.named(c.bin(ir.OpSub, zero, a), "neg")
			cond := c.named(c.icmp(ir.ICmpSGE, a, zero), "abs.cond")
			return c.named(c.sel(cond, a, neg), "abs")
		}
	case "h2f":
		return func(c *call, ret ir.Type) ir.Value {
			n := c.intrinsic("llvm.convert.from.fp16", []ir.Type{ir.Float}, c.arg(0))
			c.name(n, "h2f")
			return ir.Local(n)
		}
	case "bitcast.f2i", "bitcast.i2f", "bitcast.d2ll", "bitcast.ll2d":
		return func(c *call, ret ir.Type) ir.Value { return c.cast(ir.OpBitCast, c.arg(0), ret) }
	case "swap.lo.hi.b64":
		return func(c *call, ret ir.Type) ir.Value {
			return c.generic("fshl", c.arg(0), c.arg(0), c.int(ir.Int64, 32))
		}
	case "barrier":
		return other("barrier.cta.sync.aligned.count")
	case "barrier.sync.cnt":
		return other("barrier.cta.sync.count")
	case "barrier0.popc", "barrier0.and", "barrier0.or":
		return func(c *call, ret ir.Type) ir.Value {
			a := c.arg(0)
			any := c.icmp(ir.ICmpNE, a, c.null(c.typeOf(a)))
			v := ir.Local(c.intrinsic("llvm.nvvm.barrier.cta.red"+name[len("barrier0"):]+".aligned.all", nil, c.int(ir.Int32, 0), any))
			if c.typeOf(v) == ret {
				return v
			}
			return c.cast(ir.OpZExt, v, ret)
		}
	}
	switch {
	case strings.HasPrefix(name, "ptr.gen.to."), strings.HasPrefix(name, "ptr.") && strings.Contains(name, ".to.gen"):
		return func(c *call, ret ir.Type) ir.Value { return c.spaceCast(c.arg(0), ret) }
	case strings.HasPrefix(name, "ldg.global."):
		return nvvmLoad
	case strings.HasPrefix(name, "atomic.load.inc.32"), strings.HasPrefix(name, "atomic.load.dec.32"):
		op := ir.RMWUIncWrap
		if strings.HasPrefix(name, "atomic.load.dec") {
			op = ir.RMWUDecWrap
		}
		return func(c *call, ret ir.Type) ir.Value {
			c.want(c.u.t.Kind(c.typeOf(c.arg(0))) == ir.KindPointer && c.typeOf(c.arg(1)) == ir.Int32)
			return ir.Local(c.insert(ir.Instr{Op: ir.OpAtomicRMW, Pred: ir.Pred(op), Order: ir.SeqCst, Align: 3, Type: ir.Int32,
				SrcType: ir.Int32}, c.arg(0), c.arg(1)))
		}
	}
	return nil
}

// nvvmLoad is a load of what does not change, in the global address space.
func nvvmLoad(c *call, ret ir.Type) ir.Value {
	p := c.arg(0)
	align := c.imm(1)
	c.want(c.u.t.Kind(c.typeOf(p)) == ir.KindPointer && align > 0 && align&(align-1) == 0 && align <= 1<<32)
	log := uint8(1)
	for ; align > 1; align >>= 1 {
		log++
	}
	if c.u.t.AddrSpace(c.typeOf(p)) == 0 {
		p = c.spaceCast(p, c.u.t.Pointer(1))
	}
	v := c.load(ret, p, log)
	attach(c.f, c.f.Instr(v.Instr()), ir.Attachment{Kind: c.u.m.MDKind("invariant.load"), Node: c.u.noNode()})
	return v
}

// noNode is !{}.
func (u *upgrader) noNode() ir.MDID {
	for i := 1; u.empty == 0 && i < u.m.MD.Len(); i++ {
		if n := u.m.MD.At(ir.MDID(i)); n != nil && n.Kind == ir.MDTuple && !n.Distinct && len(n.Ops) == 0 {
			u.empty = ir.MDID(i)
		}
	}
	if u.empty == 0 {
		u.empty = u.mdTuple()
	}
	return u.empty
}

// bfloats is for intrinsics on bfloat that had integers once. The new ones may
// have another name.
func (u *upgrader) bfloats(g *ir.Global, to string) action {
	x := intrin.Lookup(to)
	ret := u.t.Result(g.ValueType)
	if x == 0 || u.t.IntBits(ret) != 16 && u.t.IntBits(ret) != 32 {
		return nil
	}
	b := ir.BFloat
	if u.t.IntBits(ret) == 32 {
		b = u.t.Vector(ir.BFloat, 2, false)
	}
	for _, p := range u.t.Subtypes(g.ValueType) {
		if p != ret {
			return nil
		}
	}
	return func(c *call) bool {
		args := append([]ir.Value(nil), c.args()...)
		for i, a := range args {
			args[i] = c.cast(ir.OpBitCast, a, b)
		}
		var over []ir.Type
		if x.Overloaded() {
			over = []ir.Type{b}
		}
		n := c.intrinsic(to, over, args...)
		return c.val(c.cast(ir.OpBitCast, ir.Local(n), ret))
	}
}
