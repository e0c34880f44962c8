package bitcode

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// tagLazy marks constants that LLVM 22 has no expression for: expressions that
// old files have, and what is made of them. Where a body uses one, it becomes
// instructions before the user, or on the edge that a phi names.
const tagLazy ir.ValueTag = 6

// lazyExpr is one of them. Its operands may be lazy too.
type lazyExpr struct {
	in   ir.Instr // operation, flags and types; OpNone for an aggregate
	mask []int64  // of a shuffle
	ops  []ir.Value
}

func lazy(i uint32) ir.Value { return ir.Value(uint32(tagLazy)<<29 | i) }

// addLazy keeps an expression and returns what stands for it.
func (k *constReader) addLazy(x lazyExpr) ir.Value {
	if k.body != nil {
		k.body.lazies = append(k.body.lazies, x)
		return lazy(uint32(len(k.body.lazies)-1) | provisional)
	}
	k.r.lazies = append(k.r.lazies, x)
	return lazy(uint32(len(k.r.lazies) - 1))
}

// lazyOf returns the expression behind a value with tagLazy.
func (r *reader) lazyOf(v ir.Value) *lazyExpr { return &r.lazies[v.Index()] }

func (b *bodyReader) lazyOf(v ir.Value) *lazyExpr {
	if i := v.Index(); i&provisional != 0 {
		return &b.lazies[i&^provisional]
	}
	return b.reader.lazyOf(v)
}

func (k *constReader) lazyOf(v ir.Value) *lazyExpr {
	if k.body != nil {
		return k.body.lazyOf(v)
	}
	return k.r.lazyOf(v)
}

func anyLazy(ops []ir.Value) bool {
	for _, v := range ops {
		if v.Tag() == tagLazy {
			return true
		}
	}
	return false
}

// lazyInstr makes the instruction that an expression stands for.
func (k *constReader) lazyInstr(r ir.Const, ops []ir.Value) ir.Value {
	x := lazyExpr{in: ir.Instr{Op: r.Op, Flags: r.Flags &^ ir.HasInRange, Type: r.Type, SrcType: r.SrcType}, ops: append([]ir.Value(nil), ops...)}
	switch r.Op {
	case ir.OpICmp, ir.OpFCmp:
		x.in.Pred = ir.Pred(r.Bits)
	case ir.OpGEP:
		if r.Flags&ir.HasInRange != 0 {
			x.ops = x.ops[:len(x.ops)-2]
		}
	case ir.OpShuffleVector:
		var ok bool
		if x.mask, ok = k.shuffleMask(ops[2]); !ok {
			k.c.fail("a shufflevector constant expression with a mask that is not plain is not supported")
			return 0
		}
		x.ops = x.ops[:2]
	}
	return k.addLazy(x)
}

// shuffleMask reads a mask; poison and undef are -1.
func (k *constReader) shuffleMask(v ir.Value) (mask []int64, ok bool) {
	c := v.Const()
	if c == 0 {
		return nil, false
	}
	r := k.pool.At(c)
	n := int(k.r.t.NumElems(r.Type))
	if n > 1<<16 {
		return nil, false
	}
	switch r.Kind {
	case ir.ConstZero, ir.ConstUndef, ir.ConstPoison:
		fill := int64(0)
		if r.Kind != ir.ConstZero {
			fill = -1
		}
		for range n {
			mask = append(mask, fill)
		}
	case ir.ConstSplat:
		e, ok := k.pool.SignedInt(k.r.t, k.pool.Ops(c)[0])
		if !ok {
			return nil, false
		}
		for range n {
			mask = append(mask, e)
		}
	case ir.ConstData:
		for d := k.pool.Data(c); len(d) >= 4; d = d[4:] {
			mask = append(mask, int64(int32(uint32(d[0])|uint32(d[1])<<8|uint32(d[2])<<16|uint32(d[3])<<24)))
		}
	case ir.ConstVector:
		for _, o := range k.pool.Ops(c) {
			if e, ok := k.pool.SignedInt(k.r.t, o); ok {
				mask = append(mask, e)
			} else {
				mask = append(mask, -1)
			}
		}
	default:
		return nil, false
	}
	return mask, true
}

// materialize appends the instructions of a lazy constant to a block and returns their value.
func (b *bodyReader) materialize(v ir.Value, to ir.BlockID) ir.Value {
	return b.materializeIn(v, to, map[ir.Value]ir.Value{}, 0)
}

func (b *bodyReader) materializeIn(v ir.Value, to ir.BlockID, done map[ir.Value]ir.Value, depth int) ir.Value {
	if v.Tag() != tagLazy {
		return v
	}
	if x, ok := done[v]; ok {
		return x
	}
	if depth > maxLazy {
		b.fail("a constant expression is nested too deep")
		return 0
	}
	x := b.lazyOf(v)
	ops := make([]ir.Value, len(x.ops))
	local := v.Index()&provisional != 0
	for i, o := range x.ops {
		if c := o.Const(); c != 0 {
			if ops[i] = o; !local { // of the module's pool
				ops[i] = b.f.Consts.CopyFrom(&b.m.Consts, o)
			}
			continue
		}
		if ops[i] = b.materializeIn(o, to, done, depth+1); b.c.err != nil {
			return 0
		}
	}
	if x.in.Op == ir.OpNone {
		done[v] = b.build(x.in.Type, ops, to)
		return done[v]
	}
	in := x.in
	if x.mask != nil {
		in.Extra = b.f.AddExtra(ir.Extra{Ints: x.mask})
	}
	done[v] = b.append(in, to, "constexpr", ops...)
	return done[v]
}

// Limits against hostile files: depth of expressions, instructions that they become in a function.
const (
	maxLazy       = 1000
	maxLazyInstrs = 1 << 20
)

// append adds an instruction that the file does not have, and names it.
func (b *bodyReader) append(in ir.Instr, to ir.BlockID, name string, ops ...ir.Value) ir.Value {
	if b.lastLazy++; b.lastLazy > maxLazyInstrs {
		b.fail("the function's constant expressions make too many instructions")
		return 0
	}
	id := b.f.AppendOps(to, &in, ops)
	if in.Type != ir.Void {
		for len(b.f.ValueNames) <= int(id) {
			b.f.ValueNames = append(b.f.ValueNames, "")
		}
		b.f.ValueNames[id] = b.unique(name)
	}
	return ir.Local(id)
}

// unique makes a name that no other one of these has.
func (b *bodyReader) unique(name string) string {
	s := name
	for b.made[s] {
		b.lastMade++
		s = name + strconv.Itoa(b.lastMade)
	}
	if b.made == nil {
		b.made = map[string]bool{}
	}
	b.made[s] = true
	return s
}

// build inserts the members of an aggregate one after the other.
func (b *bodyReader) build(t ir.Type, ops []ir.Value, to ir.BlockID) ir.Value {
	v := ir.ConstVal(b.f.Consts.Plain(ir.ConstPoison, t))
	for i, o := range ops {
		if b.t.IsVector(t) {
			v = b.append(ir.Instr{Op: ir.OpInsertElement, Type: t}, to, "constexpr.ins", v, o, ir.ConstVal(b.f.Consts.Int(ir.Int32, uint64(i))))
			continue
		}
		x := b.f.AddExtra(ir.Extra{Ints: []int64{int64(i)}})
		v = b.append(ir.Instr{Op: ir.OpInsertValue, Type: t, Extra: x}, to, "constexpr.ins", v, o)
	}
	return v
}

// lazyPhi is an operand of a phi that becomes instructions on its edge.
type lazyPhi struct {
	phi      ir.InstrID
	op       int
	v        ir.Value
	from, to ir.BlockID
}

// edges puts the instructions of lazy operands of phis into blocks on their edges.
func (b *bodyReader) edges() {
	type edge struct{ from, to ir.BlockID }
	made := map[edge]ir.BlockID{}
	var list []edge
	for _, p := range b.phis {
		e := edge{p.from, p.to}
		blk, ok := made[e]
		if !ok {
			blk = b.f.AddBlock(b.unique("phi.constexpr"))
			b.f.Order = b.f.Order[:len(b.f.Order)-1] // its place comes below
			made[e] = blk
			list = append(list, e)
		}
		b.f.Ops(p.phi)[p.op] = b.materialize(p.v, blk)
		if b.c.err != nil {
			return
		}
	}
	for _, e := range list {
		blk := made[e]
		b.f.AppendOps(blk, &ir.Instr{Op: ir.OpBr, Type: ir.Void}, []ir.Value{ir.BlockVal(e.to)})
		for i, x := range b.f.Order {
			if x == e.to {
				b.f.Order = append(b.f.Order[:i:i], append([]ir.BlockID{blk}, b.f.Order[i:]...)...)
				break
			}
		}
		ops := b.f.Ops(b.f.Terminator(e.from))
		for i, o := range ops {
			if o == ir.BlockVal(e.to) {
				ops[i] = ir.BlockVal(blk)
			}
		}
		for i := b.f.Blocks[e.to].First; i != 0 && b.f.Instrs[i].Op == ir.OpPhi; i = b.f.Instrs[i].Next {
			ops := b.f.Ops(i)
			for k := 1; k < len(ops); k += 2 {
				if ops[k] == ir.BlockVal(e.from) {
					ops[k] = ir.BlockVal(blk)
				}
			}
		}
	}
}
