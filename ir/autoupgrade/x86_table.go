package autoupgrade

import (
	_ "embed"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// x86Tab says what becomes of the old x86 intrinsics whose replacement follows
// one of the shapes of x86Shape. A line is
//
//	OPERATION PARAMETERS… : NAMES…
//
// Names may have alternatives in braces.
//
//go:embed x86.tab
var x86Tab string

// shape is an operation of the table and its parameters.
type shape []string

// x86Shapes reads the table.
func x86Shapes() map[string]shape {
	t := map[string]shape{}
	for line := range strings.Lines(x86Tab) {
		op, names, ok := strings.Cut(line, " : ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		s := shape(strings.Fields(op))
		for _, n := range strings.Fields(names) {
			for _, full := range alternatives(n) {
				t[full] = s
			}
		}
	}
	return t
}

// alternatives writes out the braces of a name.
func alternatives(s string) []string {
	i := strings.IndexByte(s, '{')
	if i < 0 {
		return []string{s}
	}
	j := i + strings.IndexByte(s[i:], '}')
	var out []string
	for _, a := range strings.Split(s[i+1:j], ",") {
		out = append(out, alternatives(s[:i]+a+s[j+1:])...)
	}
	return out
}

// x86Table returns the action of a name that the table has.
func (u *upgrader) x86Table(g *ir.Global, name string) action {
	if u.x86 == nil {
		u.x86 = x86Shapes()
	}
	base := name
	for _, w := range [...]string{".128", ".256", ".512"} {
		base = strings.TrimSuffix(base, w)
	}
	s, ok := u.x86[name]
	if !ok {
		if s, ok = u.x86[base]; !ok {
			return nil
		}
	}
	if x := intrin.Lookup("llvm.x86." + name); x != 0 && s[0] != "broadcastm" { // that one LLVM has, and replaces
		if _, r := x.Match(u.t, g.ValueType); r == intrin.Matches || u.sameRegisters(x, g.ValueType) && s[0] != "bf16" {
			return nil
		}
	}
	f := x86Shape(s[0])
	if f == nil {
		return nil
	}
	switch s[0] {
	case "vpermil2", "frcz", "bf16", "recoverfp", "rdtscp": // the new declaration comes at once
		full := "llvm.x86." + name
		if s[0] == "recoverfp" {
			full = "llvm.eh.recoverfp"
		}
		x := intrin.Lookup(full)
		if x == 0 {
			return nil
		}
		u.declare(x, nil)
	}
	maskedCall := maskKind(name)
	return func(c *call) bool {
		o := x86call{call: c, name: name, base: base, param: s[1:], ret: c.f.Instr(c.i).Type, mask: maskedCall}
		v := f(&o)
		if v == 0 {
			return false
		}
		if o.named {
			c.takeName(v.Instr())
		}
		if o.ret == ir.Void {
			v = 0
		}
		return c.val(v)
	}
}

// sameRegisters reports that the old declaration has the parameters of the one that LLVM 22 has.
func (u *upgrader) sameRegisters(x intrin.ID, ft ir.Type) bool {
	if x.Overloaded() {
		return false
	}
	return x.FuncType(u.t) == ft
}

// masking is how a name says that it has a mask.
type masking uint8

const (
	unmasked masking = iota
	merging          // avx512.mask.: what passes through, mask
	zeroing          // avx512.maskz.: mask
	third            // avx512.mask3.: the third operand passes through
)

func maskKind(name string) masking {
	switch {
	case strings.HasPrefix(name, "avx512.mask."):
		return merging
	case strings.HasPrefix(name, "avx512.maskz."):
		return zeroing
	case strings.HasPrefix(name, "avx512.mask3."):
		return third
	}
	return unmasked
}

// x86call is a call whose shape the table gives. named says that the value of
// the shape takes the name of the call.
type x86call struct {
	*call
	name, base string
	param      shape
	ret        ir.Type
	mask       masking
	named      bool
}

// operands are the arguments in front of what passes through and the mask.
func (o *x86call) operands() []ir.Value {
	a := o.args()
	if o.mask == merging {
		o.want(len(a) >= 2)
		a = a[:len(a)-2]
	}
	return append([]ir.Value(nil), a...)
}

// merge takes r where the mask is set, else what passes through.
func (o *x86call) merge(r ir.Value) ir.Value {
	if o.mask != merging {
		return r
	}
	n := len(o.args())
	o.want(n >= 2)
	return o.maskSelect(o.arg(n-1), r, o.arg(n-2))
}

// lanes is the number of elements of the result.
func (o *x86call) lanes() int {
	o.want(o.u.t.Kind(o.ret) == ir.KindVector)
	return int(o.u.t.NumElems(o.ret))
}

// size is the number of bits of a vector.
func (c *call) size(t ir.Type) int {
	ty := c.u.t
	c.want(ty.Kind(t) == ir.KindVector)
	e := ty.Elem(t)
	return int(ty.NumElems(t)) * max(ty.IntBits(e), ty.FloatBits(e))
}

// ints is the vector of integers of the size of a vector's elements.
func (c *call) ints(t ir.Type) ir.Type {
	ty := c.u.t
	c.want(ty.Kind(t) == ir.KindVector)
	e := ty.Elem(t)
	w := max(ty.IntBits(e), ty.FloatBits(e))
	c.want(w > 0 && w <= 64)
	return ty.Vector(ty.Int(w), ty.NumElems(t), false)
}

// x86 calls an intrinsic that is not overloaded.
func (c *call) x86(name string, args ...ir.Value) ir.Value {
	n := c.intrinsic("llvm.x86."+name, nil, args...)
	c.want(n != 0)
	return ir.Local(n)
}

// generic calls an intrinsic that is overloaded on the type of its first argument.
func (c *call) generic(name string, args ...ir.Value) ir.Value {
	c.want(len(args) > 0)
	t := c.typeOf(args[0])
	s := c.u.t.Scalar(t)
	c.want(c.u.t.IntBits(s) != 0 || c.u.t.IsFloat(s))
	n := c.intrinsic("llvm."+name, []ir.Type{t}, args...)
	c.want(n != 0)
	return ir.Local(n)
}

// imm is an argument that is a constant.
func (c *call) imm(n int) int64 {
	v, ok := c.constInt(c.arg(n))
	c.want(ok)
	return int64(v)
}
