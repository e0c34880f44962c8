package autoupgrade

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// planSVE is for the intrinsics on tuples of vectors, which were one long
// vector and are structs, and inserts and extracts, now.
func (u *upgrader) planSVE(g *ir.Global, name string) action {
	ret, params := u.t.Result(g.ValueType), u.t.Subtypes(g.ValueType)
	// A count, then nothing or the types of vectors.
	count := func(rest string) (n int) {
		if len(rest) == 0 || rest[0] < '2' || rest[0] > '4' || len(rest) > 1 && !strings.HasPrefix(rest[1:], ".nxv") {
			return 0
		}
		return int(rest[0] - '0')
	}
	if rest, ok := strings.CutPrefix(name, "ld"); ok {
		if n := count(rest); n != 0 && u.t.IsVector(ret) && len(params) > 0 && u.t.IsVector(params[0]) {
			part := u.t.Vector(u.t.Elem(ret), u.t.NumElems(params[0]), true)
			full := "llvm.aarch64.sve.ld" + itoa(n) + ".sret"
			return func(c *call) bool {
				load := ir.Local(c.intrinsic(full, []ir.Type{part}, c.args()...))
				return c.tuple(ret, n, func(i int) ir.Value { return c.extractValue(load, i) })
			}
		}
		return nil
	}
	switch name {
	case "bfdot.lane", "bfmlalb.lane", "bfmlalt.lane": // the lane was an i64
		id := u.declare(intrin.Lookup("llvm.aarch64.sve."+name+".v2"), nil)
		return func(c *call) bool {
			n, ok := c.constInt(c.arg(3))
			if ok {
				c.become(c.callTo(id, c.arg(0), c.arg(1), c.arg(2), c.int(ir.Int32, n)))
			}
			return ok
		}
	}
	tuple, ok := strings.CutPrefix(name, "tuple.")
	if !ok {
		return nil
	}
	switch {
	case strings.HasPrefix(tuple, "get") && len(params) == 2:
		return func(c *call) bool {
			i, ok := c.constInt(c.arg(1))
			if ok {
				c.become(c.intrinsic("llvm.vector.extract", []ir.Type{ret, params[0]}, c.arg(0), c.int(ir.Int64, i*u.t.NumElems(ret))))
			}
			return ok
		}
	case strings.HasPrefix(tuple, "set") && len(params) == 3:
		return func(c *call) bool {
			i, ok := c.constInt(c.arg(1))
			if ok {
				c.become(c.intrinsic("llvm.vector.insert", []ir.Type{ret, params[2]}, c.arg(0), c.arg(2), c.int(ir.Int64, i*u.t.NumElems(params[2]))))
			}
			return ok
		}
	}
	if rest, ok := strings.CutPrefix(tuple, "create"); ok {
		if n := count(rest); n != 0 && n == len(params) {
			return func(c *call) bool { return c.tuple(ret, n, c.arg) }
		}
	}
	return nil
}

// tuple replaces the site by a vector that n parts are inserted into.
func (c *call) tuple(ret ir.Type, n int, part func(int) ir.Value) bool {
	v := c.plain(ir.ConstPoison, ret)
	size := c.u.t.NumElems(ret) / uint64(n)
	var last ir.InstrID
	for i := range n {
		p := part(i)
		last = c.intrinsic("llvm.vector.insert", []ir.Type{ret, c.typeOf(p)}, v, p, c.int(ir.Int64, uint64(i)*size))
		v = ir.Local(last)
	}
	c.become(last)
	return true
}

// extractValue takes a member out of a struct.
func (c *call) extractValue(v ir.Value, i int) ir.Value {
	x := c.f.AddExtra(ir.Extra{Ints: []int64{int64(i)}})
	return ir.Local(c.insert(ir.Instr{Op: ir.OpExtractValue, Type: c.u.t.Subtypes(c.typeOf(v))[i], Extra: x}, v))
}

func (c *call) insertValue(agg, v ir.Value, i int) ir.Value {
	x := c.f.AddExtra(ir.Extra{Ints: []int64{int64(i)}})
	return ir.Local(c.insert(ir.Instr{Op: ir.OpInsertValue, Type: c.typeOf(agg), Extra: x}, agg, v))
}

// literalStruct is for intrinsics that are declared with a named or packed
// struct as their result, where a plain one is asked for.
func (u *upgrader) literalStruct(x intrin.ID, id ir.GlobalID, g *ir.Global) action {
	ret := u.t.Result(g.ValueType)
	if u.t.Kind(ret) != ir.KindStruct || !u.t.IsIdentified(ret) && !u.t.IsPacked(ret) {
		return nil
	}
	ft := u.t.Func(u.t.Struct(u.t.Subtypes(ret), false), u.t.Subtypes(g.ValueType), u.t.IsVarArg(g.ValueType))
	over, r := x.Match(u.t, ft)
	if r != intrin.Matches || slices.Contains(over, u.t.Result(ft)) {
		return nil // the name of an overloaded result says what struct it is
	}
	old := g.Name
	u.m.RenameGlobal(id, old+".old")
	to := u.declare(x, over)
	return func(c *call) bool {
		n := c.callTo(to, c.args()...)
		c.f.Instr(n).Attrs = c.f.Instr(c.i).Attrs
		v := c.plain(ir.ConstPoison, ret)
		for i := range u.t.Subtypes(ret) {
			v = c.insertValue(v, c.extractValue(ir.Local(n), i), i)
		}
		return c.val(v)
	}
}

// unsafeAtomics replaces an attribute of functions for AMD's processors by what
// it said of each atomic operation on floating point.
func (u *upgrader) unsafeAtomics() {
	const key = "amdgpu-unsafe-fp-atomics"
	m := u.m
	empty := ir.MDID(0)
	for _, id := range m.Funcs {
		g := m.Globals[id]
		if g.Func == nil || g.Attrs == 0 {
			continue
		}
		l := m.Attrs.At(g.Attrs)
		a, ok := l.Fn.Get(key)
		if !ok || !a.IsString {
			continue
		}
		g.Attrs = m.Attrs.Intern(&ir.AttrList{Fn: without(append(ir.AttrSet(nil), l.Fn...), key), Ret: l.Ret, Params: l.Params})
		if a.Value != "true" {
			continue
		}
		for i := 1; i < len(g.Func.Instrs); i++ {
			in := &g.Func.Instrs[i]
			if in.Op != ir.OpAtomicRMW || in.Block == 0 {
				continue
			}
			switch ir.RMWOp(in.Pred) {
			case ir.RMWFAdd, ir.RMWFSub, ir.RMWFMax, ir.RMWFMin, ir.RMWFMaximum, ir.RMWFMinimum:
			default:
				continue
			}
			if empty == 0 {
				empty = u.mdTuple()
			}
			for _, name := range [...]string{"amdgpu.no.fine.grained.host.memory", "amdgpu.no.remote.memory.access", "amdgpu.ignore.denormal.mode"} {
				attach(g.Func, in, ir.Attachment{Kind: m.MDKind(name), Node: empty})
			}
		}
	}
}

// attach adds an attachment of a new kind behind the others.
func attach(f *ir.Function, in *ir.Instr, a ir.Attachment) {
	n := uint32(len(f.Attachments))
	f.Attachments = append(f.Attachments, a)
	if in.MD == 0 {
		in.MD = n
		return
	}
	last := in.MD
	for f.Attachments[last].Next != 0 {
		last = f.Attachments[last].Next
	}
	f.Attachments[last].Next = n
}
