package autoupgrade

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

func (u *upgrader) planAArch64(g *ir.Global, name string) action {
	if sve, ok := strings.CutPrefix(name, "sve."); ok {
		if a := u.planFCvtBF(g, sve); a != nil {
			return a
		}
		return u.planSVE(g, sve)
	}
	if name == "thread.pointer" {
		return u.rename("thread.pointer", []ir.Type{ir.Ptr})
	}
	neon, ok := strings.CutPrefix(name, "neon.")
	if !ok {
		return nil
	}
	if a := u.planDotBFloat(g, "llvm.aarch64.neon.", neon); a != nil {
		return a
	}
	if a := u.planCvtBFloat(g, neon); a != nil {
		return a
	}
	ret := u.t.Result(g.ValueType)
	switch base, _, _ := strings.Cut(neon, "."); {
	case base == "addp" && u.t.IsFloat(u.t.Scalar(ret)):
		return u.rename("aarch64.neon.faddp", []ir.Type{ret})
	case base == "rbit":
		return u.rename("bitreverse", []ir.Type{ret})
	}
	return nil
}

func (u *upgrader) planARM(g *ir.Global, name string) action {
	if strings.HasPrefix(name, "mve.") || strings.HasPrefix(name, "cde.") {
		return u.planMVE(g, name)
	}
	if name == "thread.pointer" {
		return u.rename("thread.pointer", []ir.Type{ir.Ptr})
	}
	neon, ok := strings.CutPrefix(name, "neon.")
	if !ok {
		return nil
	}
	if a := u.planDotBFloat(g, "llvm.arm.neon.", neon); a != nil {
		return a
	}
	ret := u.t.Result(g.ValueType)
	switch base, _, _ := strings.Cut(neon, "."); {
	case strings.HasPrefix(base, "vq") && len(base) == 6:
		sat := map[string]string{"vqadds": "sadd.sat", "vqaddu": "uadd.sat", "vqsubs": "ssub.sat", "vqsubu": "usub.sat"}[base]
		if sat != "" && u.t.IntBits(u.t.Scalar(ret)) != 0 {
			return u.rename(sat, []ir.Type{ret})
		}
	case base == "vclz":
		return u.append("ctlz", []ir.Type{ret}, func(c *call) []ir.Value { return []ir.Value{c.int(ir.Int1, 0)} })
	case base == "vcnt":
		return u.rename("ctpop", []ir.Type{ret})
	}
	return nil
}

func (u *upgrader) planAMDGCN(g *ir.Global, name string) action {
	if a := u.amdgcnAtomic(g, name); a != nil {
		return a
	}
	if a := u.amdgcnClamp(g, name); a != nil {
		return a
	}
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
	ret := u.t.Result(g.ValueType)
	if strings.HasSuffix(name, ".bf16") || strings.HasSuffix(name, ".bf16x2") {
		to := name
		if strings.HasPrefix(name, "abs.") {
			to = "fabs"
		}
		if a := u.bfloats(g, "llvm.nvvm."+to); a != nil {
			return a
		}
	}
	if f := nvvmCall(name); f != nil {
		return func(c *call) bool {
			v := f(c, ret)
			if v == 0 {
				return false
			}
			c.want(ret == ir.Void || c.typeOf(v) == ret)
			return c.val(v)
		}
	}
	if a := u.nvvmRenamed(name, ret); a != nil {
		return a
	}
	if intrin.Lookup("llvm.nvvm."+name) != 0 {
		return u.planCluster(g, name)
	}
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
			a, ret := uint8(3), c.f.Instr(c.i).Type
			if ret == ir.Double {
				a = 4
			}
			c.want((ret == ir.Double || ret == ir.Float) && c.typeOf(c.arg(1)) == ret && u.t.Kind(c.typeOf(c.arg(0))) == ir.KindPointer)
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
	case "aes32dsi", "aes32dsmi", "aes32esi", "aes32esmi":
		if len(params) != 3 || u.t.IntBits(params[2]) != 8 {
			return nil
		}
	case "sm4ks", "sm4ed":
		if len(params) != 3 || params[0] == ir.Int32 && params[2] == ir.Int32 {
			return nil
		}
	case "sha256sig0", "sha256sig1", "sha256sum0", "sha256sum1", "sm3p0", "sm3p1":
		if len(params) != 1 || params[0] == ir.Int32 {
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

// sharedCluster is the address space of the shared memory of a cluster; its
// pointers were in that of a block's shared memory once.
const sharedCluster, sharedBlock = 7, 3

// planCluster is for intrinsics on the shared memory of a cluster.
func (u *upgrader) planCluster(g *ir.Global, name string) action {
	ret, params := u.t.Result(g.ValueType), u.t.Subtypes(g.ValueType)
	in := func(t ir.Type, as uint32) bool {
		return u.t.Kind(t) == ir.KindPointer && uint32(u.t.AddrSpace(t)) == as
	}
	x := intrin.Lookup("llvm.nvvm." + name)
	switch {
	case x.Overloaded():
		return nil
	case name == "mapa.shared.cluster" && in(ret, sharedBlock):
		id := u.declare(x, nil)
		return func(c *call) bool {
			n := c.callTo(id, c.args()...)
			c.takeName(n)
			return c.val(c.spaceCast(ir.Local(n), ret))
		}
	case strings.HasPrefix(name, "cp.async.bulk.") && len(params) > 0:
	default:
		return nil
	}
	want := u.t.Subtypes(x.FuncType(u.t))
	more := len(want) - len(params)
	if !in(want[0], sharedCluster) || more < 0 || more > 1 || more == 0 && !in(params[0], sharedBlock) {
		return nil
	}
	id := u.declare(x, nil)
	return func(c *call) bool {
		args := append([]ir.Value(nil), c.args()...)
		c.want(len(args) == len(params))
		args[0] = c.spaceCast(args[0], want[0])
		if more == 1 {
			args = append(args, c.int(ir.Int32, 0))
		}
		n := c.callTo(id, args...)
		c.become(n)
		return true
	}
}

// spaceCast is a pointer in another address space.
func (c *call) spaceCast(v ir.Value, t ir.Type) ir.Value {
	if c.typeOf(v) == t {
		return v
	}
	c.want(c.u.t.Kind(c.typeOf(v)) == ir.KindPointer && c.u.t.Kind(t) == ir.KindPointer && v.Const() == 0)
	return ir.Local(c.insert(ir.Instr{Op: ir.OpAddrSpaceCast, Type: t}, v))
}
