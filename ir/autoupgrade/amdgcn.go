package autoupgrade

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// amdgcnAtomic is for atomic operations that were intrinsics: atomic.inc,
// ds.fadd, global.atomic.fadd, …
func (u *upgrader) amdgcnAtomic(g *ir.Global, name string) action {
	ops := [...]struct {
		prefix string
		op     ir.RMWOp
	}{
		{"atomic.inc", ir.RMWUIncWrap}, {"atomic.dec", ir.RMWUDecWrap},
		{"ds.fadd", ir.RMWFAdd}, {"ds.fmin", ir.RMWFMin}, {"ds.fmax", ir.RMWFMax},
		{"global.atomic.fadd", ir.RMWFAdd}, {"global.atomic.fmin", ir.RMWFMin}, {"global.atomic.fmax", ir.RMWFMax},
		{"flat.atomic.fadd", ir.RMWFAdd}, {"flat.atomic.fmin", ir.RMWFMin}, {"flat.atomic.fmax", ir.RMWFMax},
	}
	for _, o := range ops {
		rest, ok := strings.CutPrefix(name, o.prefix)
		if !ok || rest != "" && rest[0] != '.' {
			continue
		}
		if strings.HasPrefix(rest, ".num") {
			return nil
		}
		ret := u.t.Result(g.ValueType)
		bf16 := u.t.IntBits(u.t.Scalar(ret)) != 0 && o.op == ir.RMWFAdd
		return func(c *call) bool { return c.amdgcnAtomic(o.op, ret, bf16) }
	}
	return nil
}

func (c *call) amdgcnAtomic(op ir.RMWOp, ret ir.Type, bf16 bool) bool {
	t := c.u.t
	p, v := c.arg(0), c.arg(1)
	pt := c.typeOf(p)
	e := t.Scalar(ret)
	size := max(t.IntBits(e), t.FloatBits(e))
	c.want(t.Kind(pt) == ir.KindPointer && c.typeOf(v) == ret && size > 0 && t.Kind(ret) != ir.KindScalableVector)
	if t.IsVector(ret) {
		size *= int(t.NumElems(ret))
	}
	c.want(size%8 == 0 && size&(size-1) == 0 && size <= 512)
	in := ir.Instr{Op: ir.OpAtomicRMW, Pred: ir.Pred(op), Order: ir.SeqCst, Type: ret, Scope: c.u.m.SyncScope("agent")}
	if bf16 {
		c.want(t.IntBits(e) == 16)
		in.Type = ir.BFloat
		if t.IsVector(ret) {
			in.Type = t.Vector(ir.BFloat, t.NumElems(ret), false)
		}
		v = c.cast(ir.OpBitCast, v, in.Type)
	}
	in.SrcType = in.Type
	for n := size / 8; n > 0; n >>= 1 {
		in.Align++
	}
	if args := c.args(); len(args) >= 3 {
		if o, ok := c.constInt(args[2]); ok && o >= 2 && o <= 7 && o != 3 {
			in.Order = [8]ir.Ordering{2: ir.Monotonic, 4: ir.Acquire, 5: ir.Release, 6: ir.AcqRel, 7: ir.SeqCst}[o]
		}
		if len(args) >= 5 {
			if vol, ok := c.constInt(args[4]); !ok || vol != 0 {
				in.Flags |= ir.Volatile
			}
		}
	}
	id := c.insert(in, p, v)
	space := t.AddrSpace(pt)
	md := func(kind string, node ir.MDID) {
		attach(c.f, c.f.Instr(id), ir.Attachment{Kind: c.u.m.MDKind(kind), Node: node})
	}
	if space == 0 {
		if c.u.private == 0 {
			c.u.private = c.u.mdTuple(c.u.mdInt(ir.Int32, 5), c.u.mdInt(ir.Int32, 6))
		}
		md("noalias.addrspace", c.u.private)
	}
	if space != 3 {
		md("amdgpu.no.fine.grained.memory", c.u.noNode())
		if op == ir.RMWFAdd && ret == ir.Float {
			md("amdgpu.ignore.denormal.mode", c.u.noNode())
		}
	}
	return c.val(c.cast(ir.OpBitCast, ir.Local(id), ret))
}

// amdgcnClamp is for matrix operations on bytes that had no clamp operand.
func (u *upgrader) amdgcnClamp(g *ir.Global, name string) action {
	if !strings.HasPrefix(name, "wmma.i32.16x16x64.iu8") && !strings.HasPrefix(name, "swmmac.i32.16x16x128.iu8") {
		return nil
	}
	x := intrin.Lookup("llvm.amdgcn." + name)
	n := 7
	if name[0] == 's' {
		n = 8
	}
	params := u.t.Subtypes(g.ValueType)
	if x == 0 || len(params) != n {
		return nil
	}
	ft := u.t.Func(u.t.Result(g.ValueType), append(append([]ir.Type(nil), params...), ir.Int1), false)
	over, r := x.Match(u.t, ft)
	if r != intrin.Matches {
		return nil
	}
	return func(c *call) bool {
		args := append(append([]ir.Value(nil), c.args()...), c.int(ir.Int1, 0))
		return c.val(ir.Local(c.intrinsic(x.Name(), over, args...)))
	}
}
