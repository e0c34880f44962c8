package autoupgrade

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// action upgrades one call; it returns false when it leaves the call as it is.
type action func(*call) bool

// ofTargets plan the intrinsics of targets, by the first part of their names.
var ofTargets = [...]struct {
	prefix string
	plan   func(*upgrader, *ir.Global, string) action
}{
	{"x86", (*upgrader).planX86},
	{"riscv", (*upgrader).planRISCV},
	{"nvvm", (*upgrader).planNVVM},
	{"aarch64", (*upgrader).planAArch64},
	{"arm", (*upgrader).planARM},
	{"amdgcn", (*upgrader).planAMDGCN},
	{"wasm", (*upgrader).planWasm},
}

// plan returns what must be done with each call of an intrinsic that LLVM 22
// does not have any more, or has with other operands; nil when nothing must.
func (u *upgrader) plan(id ir.GlobalID, g *ir.Global, name string) action {
	params := u.t.Subtypes(g.ValueType)
	if prefix, rest, ok := strings.Cut(name, "."); ok {
		for i := range ofTargets {
			if ofTargets[i].prefix == prefix {
				return ofTargets[i].plan(u, g, rest)
			}
		}
	}
	is := func(base string) bool { return name == base || strings.HasPrefix(name, base+".") }
	dot := func(base string) bool { return strings.HasPrefix(name, base+".") }
	n := len(params)
	switch {
	case (dot("ctlz") || dot("cttz")) && n == 1:
		return u.append(name[:4], []ir.Type{params[0]}, func(c *call) []ir.Value { return []ir.Value{c.int(ir.Int1, 0)} })
	case (is("lifetime.start") || is("lifetime.end")) && n == 2:
		u.declareLifetime(name, params[0])
		return lifetime(name)
	case dot("objectsize") && n >= 2 && n <= 3:
		return u.objectSize(u.t.Result(g.ValueType), params)
	case is("masked.load") && n == 4 && u.t.IntBits(params[1]) != 0:
		return u.masked("masked.load", []ir.Type{u.t.Result(g.ValueType), params[0]}, 1, 0)
	case is("masked.gather") && n == 4 && u.t.IntBits(params[1]) != 0:
		return u.masked("masked.gather", []ir.Type{u.t.Result(g.ValueType), params[0]}, 1, 0)
	case is("masked.store") && n == 4 && u.t.IntBits(params[2]) != 0:
		return u.masked("masked.store", []ir.Type{params[0], params[1]}, 2, 1)
	case is("masked.scatter") && n == 4 && u.t.IntBits(params[2]) != 0:
		return u.masked("masked.scatter", []ir.Type{params[0], params[1]}, 2, 1)
	case (dot("memcpy") || dot("memmove")) && n == 5:
		return u.memory(name[:strings.IndexByte(name+".", '.')], []ir.Type{params[0], params[1], params[2]}, true)
	case dot("memset") && n == 5:
		return u.memory("memset", []ir.Type{params[0], params[2]}, false)
	case is("var.annotation") && n == 4:
		return u.append("var.annotation", []ir.Type{params[0], params[1]}, func(c *call) []ir.Value { return []ir.Value{c.null(ir.Ptr)} })
	case is("ptr.annotation") && n == 4:
		return u.append("ptr.annotation", []ir.Type{params[0], params[1]}, func(c *call) []ir.Value { return []ir.Value{c.null(ir.Ptr)} })
	case is("coro.end") && n == 2:
		return u.append("coro.end", nil, func(c *call) []ir.Value { return []ir.Value{c.plain(ir.ConstTokenNone, ir.Token)} })
	case is("vector.splice") && n == 3 && !is("vector.splice.left") && !is("vector.splice.right"), is("experimental.vector.splice"):
		return splice
	case is("experimental.vector.partial.reduce.add") && n == 2:
		return u.rename("vector.partial.reduce.add", []ir.Type{params[0], params[1]})
	case is("experimental.vector.reverse"), is("experimental.vector.insert"), is("experimental.vector.extract"),
		is("experimental.vector.interleave2"), is("experimental.vector.deinterleave2"):
		return u.renamed(g, strings.TrimPrefix(name, "experimental."))
	case is("experimental.stepvector"):
		return u.renamed(g, strings.TrimPrefix(name, "experimental."))
	case strings.HasPrefix(name, "experimental.vector.reduce."):
		return reduction(strings.TrimPrefix(name, "experimental."), params)
	case is("flt.rounds") && n == 0:
		return u.rename("get.rounding", nil)
	case is("invariant.group.barrier") && n == 1:
		return u.rename("launder.invariant.group", []ir.Type{params[0]})
	case name == "stackprotectorcheck":
		return func(c *call) bool { return c.val(0) }
	}
	return nil
}

// rename calls the intrinsic of another name with the same arguments.
func (u *upgrader) rename(name string, over []ir.Type) action {
	return u.append(name, over, func(*call) []ir.Value { return nil })
}

// renamed is rename for an overloaded intrinsic whose types the old declaration tells.
func (u *upgrader) renamed(g *ir.Global, name string) action {
	x := intrin.Lookup("llvm." + name)
	if x == 0 {
		return nil
	}
	over, r := x.Match(u.t, g.ValueType)
	if r != intrin.Matches {
		return nil
	}
	id := u.declare(x, over)
	return func(c *call) bool {
		c.setCallee(id)
		return true
	}
}

// append calls an intrinsic with the arguments of the site and more.
func (u *upgrader) append(name string, over []ir.Type, more func(*call) []ir.Value) action {
	x := intrin.Lookup("llvm." + name)
	if x == 0 {
		return nil
	}
	id := u.declare(x, over)
	return func(c *call) bool {
		if c.f.Instr(c.i).SrcType == u.m.Globals[id].ValueType {
			c.setCallee(id)
			return true
		}
		c.become(c.callTo(id, append(append([]ir.Value(nil), c.args()...), more(c)...)...))
		return true
	}
}

// declareLifetime declares the marker as LLVM does: for the type of the size.
func (u *upgrader) declareLifetime(name string, t ir.Type) {
	base := name[:strings.IndexByte(name[len("lifetime."):]+".", '.')+len("lifetime.")]
	if u.dry {
		return
	}
	full := "llvm." + base + "." + mangled(u.t, t)
	if u.m.Lookup(full) == 0 {
		u.m.AddGlobal(&ir.Global{Kind: ir.GlobalFunc, Name: full, ValueType: u.t.Func(ir.Void, []ir.Type{t}, false), IsDecl: true})
	}
}

func mangled(t *ir.Types, ty ir.Type) string {
	n := intrin.Lookup("llvm.ctpop").MangledName(t, []ir.Type{ty})
	return n[len("llvm.ctpop."):]
}

// lifetime drops the size; the marker stays where it is about an alloca.
func lifetime(name string) action {
	base := "llvm.lifetime.start"
	if strings.HasPrefix(name, "lifetime.end") {
		base = "llvm.lifetime.end"
	}
	return func(c *call) bool {
		p := c.arg(1)
		for p.IsLocal() {
			in := c.f.Instr(p.Instr())
			if in.Op == ir.OpAlloca {
				c.become(c.intrinsic(base, []ir.Type{in.Type}, p))
				return true
			}
			if in.Op != ir.OpBitCast && in.Op != ir.OpAddrSpaceCast && !(in.Op == ir.OpGEP && zeroIndices(c, p.Instr())) {
				break
			}
			p = c.f.Op(p.Instr(), 0)
		}
		return c.val(0)
	}
}

func zeroIndices(c *call, i ir.InstrID) bool {
	for _, v := range c.f.Ops(i)[1:] {
		if n, ok := c.constInt(v); !ok || n != 0 {
			return false
		}
	}
	return true
}

func (u *upgrader) objectSize(result ir.Type, params []ir.Type) action {
	id := u.declare(intrin.Lookup("llvm.objectsize"), []ir.Type{result, params[0]})
	return func(c *call) bool {
		args := append([]ir.Value(nil), c.args()...)
		for len(args) < 4 {
			args = append(args, c.int(ir.Int1, 0))
		}
		c.become(c.callTo(id, args...))
		return true
	}
}

// masked turns the alignment operand at into an attribute of the pointer operand.
func (u *upgrader) masked(name string, over []ir.Type, at, ptr int) action {
	id := u.declare(intrin.Lookup("llvm."+name), over)
	return func(c *call) bool {
		var args []ir.Value
		align, isInt := c.constInt(c.arg(at))
		if isInt && align&(align-1) != 0 {
			u.fatal = "Invalid alignment argument"
		} else if isInt && align == 0 {
			if name == "masked.load" || name == "masked.store" {
				u.fatal = "Invalid zero alignment argument"
			}
			dt := over[0]
			if dl, err := ir.ParseDataLayout(u.m.DataLayout); err == nil {
				align = dl.ABIAlign(u.t, u.t.Scalar(dt))
			}
		}
		for i, a := range c.args() {
			if i != at {
				args = append(args, a)
			}
		}
		old := *c.f.Instr(c.i)
		n := c.callTo(id, args...)
		in := c.f.Instr(n)
		in.Flags = old.Flags & tailFlags
		if align != 0 {
			in.Attrs = c.paramAttrs(ptr, ir.AttrSet{{Key: "align", Int: align, HasInt: true}})
		}
		c.become(n)
		return true
	}
}

// memory turns the alignment operand of memcpy, memmove and memset into attributes.
func (u *upgrader) memory(name string, over []ir.Type, src bool) action {
	id := u.declare(intrin.Lookup("llvm."+name), over)
	return func(c *call) bool {
		align, _ := c.constInt(c.arg(3))
		old := *c.f.Instr(c.i)
		attrs := c.u.m.Attrs.At(old.Attrs)
		n := c.callTo(id, c.arg(0), c.arg(1), c.arg(2), c.arg(4))
		l := &ir.AttrList{Fn: attrs.Fn, Ret: attrs.Ret}
		for i := range 3 {
			l.Params = append(l.Params, attrs.Param(i))
		}
		l.Params = append(l.Params, attrs.Param(4))
		if align > 0 {
			l.Params[0] = withAlign(l.Params[0], align)
			if src {
				l.Params[1] = withAlign(l.Params[1], align)
			}
		}
		c.f.Instr(n).Attrs = c.u.m.Attrs.Intern(l)
		c.become(n)
		return true
	}
}

func withAlign(s ir.AttrSet, n uint64) ir.AttrSet {
	var out ir.AttrSet
	done := false
	for _, a := range s {
		if a.Key == "align" {
			continue
		}
		if !done && (a.IsString || intAttrAfterAlign(a.Key)) {
			out = append(out, ir.Attr{Key: "align", Int: n, HasInt: true})
			done = true
		}
		out = append(out, a)
	}
	if !done {
		out = append(out, ir.Attr{Key: "align", Int: n, HasInt: true})
	}
	return out
}

// intAttrAfterAlign reports the attributes with arguments that are printed behind align.
func intAttrAfterAlign(key string) bool {
	switch key {
	case "captures", "dereferenceable", "dereferenceable_or_null", "nofpclass", "alignstack", "range", "initializes":
		return true
	}
	return false
}

// splice tells splices to the left and to the right apart.
func splice(c *call) bool {
	v, ok := c.constInt(c.arg(2))
	if !ok {
		return false
	}
	t := c.typeOf(c.arg(0))
	name, n := "llvm.vector.splice.left", int64(int32(v))
	if n < 0 {
		name, n = "llvm.vector.splice.right", -n
	}
	return c.val(ir.Local(c.intrinsic(name, []ir.Type{t}, c.arg(0), c.arg(1), c.int(ir.Int32, uint64(n)))))
}

// reduction renames the experimental reductions; those of floats had a "v2".
func reduction(name string, params []ir.Type) action {
	base := name
	for _, op := range []string{"fadd", "fmul"} {
		if strings.Contains(name, "reduce."+op) {
			return nil // had no start value in place; LLVM leaves it
		}
		base = strings.Replace(base, "reduce.v2."+op, "reduce."+op, 1)
	}
	x := intrin.Lookup("llvm." + base)
	if x == 0 {
		return nil
	}
	return func(c *call) bool {
		over := []ir.Type{params[len(params)-1]}
		c.become(c.intrinsic(x.Name(), over, c.args()...))
		return true
	}
}
