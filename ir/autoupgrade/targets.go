package autoupgrade

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

func (u *upgrader) planARM(g *ir.Global, target, name string) action {
	if sve, ok := strings.CutPrefix(name, "sve."); ok && target == "aarch64" {
		return u.planSVE(g, sve)
	}
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
	switch base, _, _ := strings.Cut(name, "."); {
	case base == "alignbit":
		return u.rename("fshr", []ir.Type{ir.Int32})
	case base == "ldexp" && len(params) == 2:
		return u.rename("ldexp", []ir.Type{params[0], params[1]})
	}
	return nil
}

func itoa(n int) string { return strconv.Itoa(n) }

func (u *upgrader) planNVVM(g *ir.Global, name string) action {
	if intrin.Lookup("llvm.nvvm."+name) != 0 {
		return nil
	}
	ret := u.t.Result(g.ValueType)
	simple := func(full string, over []ir.Type, args func(c *call) []ir.Value) action {
		return func(c *call) bool {
			n := c.intrinsic(full, over, args(c)...)
			if n == 0 {
				return false
			}
			return c.val(ir.Local(n))
		}
	}
	switch {
	case name == "barrier0" || name == "bar.sync" || name == "barrier.n":
		return simple("llvm.nvvm.barrier.cta.sync.aligned.all", nil, func(c *call) []ir.Value {
			if name == "barrier0" {
				return []ir.Value{c.int(ir.Int32, 0)}
			}
			return c.args()
		})
	case name == "barrier.sync":
		return simple("llvm.nvvm.barrier.cta.sync.all", nil, func(c *call) []ir.Value { return c.args() })
	case name == "rotate.b32" || name == "rotate.b64" || name == "rotate.right.b64":
		base := "llvm.fshl"
		if name == "rotate.right.b64" {
			base = "llvm.fshr"
		}
		return simple(base, []ir.Type{ret}, func(c *call) []ir.Value {
			amt := c.arg(1)
			if c.typeOf(amt) != ret {
				amt = c.cast(ir.OpZExt, amt, ret)
			}
			return []ir.Value{c.arg(0), c.arg(0), amt}
		})
	case name == "brev32" || name == "brev64":
		return u.rename("bitreverse", []ir.Type{ret})
	case name == "abs.bf16" || name == "abs.bf16x2":
		return simple("llvm.nvvm.fabs", []ir.Type{ret}, func(c *call) []ir.Value { return c.args() })
	case strings.HasPrefix(name, "atomic.load.add.f"):
		return func(c *call) bool {
			a := uint8(3)
			if ret == ir.Double {
				a = 4
			}
			return c.val(ir.Local(c.insert(ir.Instr{Op: ir.OpAtomicRMW, Pred: ir.Pred(ir.RMWFAdd), Order: ir.SeqCst, Align: a, Type: ret,
				SrcType: ret}, c.arg(0), c.arg(1))))
		}
	}
	return nil
}

// planRISCV is for the cryptography intrinsics that had a type in their name.
func (u *upgrader) planRISCV(g *ir.Global, name string) action {
	base, _, _ := strings.Cut(name, ".")
	params := u.t.Subtypes(g.ValueType)
	switch base {
	case "sm4ks", "sm4ed":
		if len(params) != 3 || params[0] == ir.Int32 && params[2] == ir.Int32 && name == base {
			return nil
		}
	case "sha256sig0", "sha256sig1", "sha256sum0", "sha256sum1", "sm3p0", "sm3p1":
		if len(params) != 1 || params[0] == ir.Int32 && name == base {
			return nil
		}
	default:
		return nil
	}
	ret := u.t.Result(g.ValueType)
	id := u.declare(intrin.Lookup("llvm.riscv."+base), nil)
	return func(c *call) bool {
		var args []ir.Value
		for _, a := range c.args() {
			switch w := u.t.IntBits(c.typeOf(a)); {
			case w == 64:
				a = c.cast(ir.OpTrunc, a, ir.Int32)
			case w == 8:
				a = c.cast(ir.OpZExt, a, ir.Int32)
			}
			args = append(args, a)
		}
		n := c.callTo(id, args...)
		if ret == ir.Int32 {
			c.become(n)
			return true
		}
		c.takeName(n)
		return c.val(c.cast(ir.OpSExt, ir.Local(n), ret))
	}
}
