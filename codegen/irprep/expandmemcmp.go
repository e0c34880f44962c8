package irprep

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// ExpandMemCmp makes calls of memcmp and bcmp with a constant, small size loads
// and comparisons.
var ExpandMemCmp = pass.Pass{
	Name:     "expand-memcmp",
	Title:    "Expand memcmp() to load/stores",
	IR:       true,
	Optional: pass.Skippable,
	Run:      runExpandMemCmp,
}

// memCompare is one call that is expanded.
type memCompare struct {
	call ir.InstrID
	x, y ir.Value
	// at and size are the loads: bytes from the start, and how many.
	at, size []int
	// equal: only whether the result is zero is asked.
	equal bool
}

func runExpandMemCmp(c *pass.Context, mf *mir.Function) error {
	if mf.IR == nil || mf.FirstBlock() != 0 || len(c.Subtarget.Target.ISel.Prepare.Compare.Sizes) == 0 {
		return nil
	}
	p := pass.Scratch[preparer](c)
	p.start(c, mf)
	if p.f.Module.Attrs.At(p.f.Global().Attrs).Fn.Has("minsize") {
		return nil
	}
	p.rewriteCalls(mf, p.isMemCmp, func(i ir.InstrID) {
		if m, ok := p.planCompare(i); ok {
			p.c.Count("expand-memcmp", "Number of inlined memcmp calls", 1)
			p.expandCompare(&m)
		}
	})
	return nil
}

func (p *preparer) isMemCmp(i ir.InstrID) bool {
	f := p.f
	if name := p.libCall(i); name != "memcmp" && name != "bcmp" || f.NumArgOps(i) != 3 || f.Instrs[i].Extra != 0 {
		return false
	}
	_, ok := p.constant(f.Op(i, 2))
	return ok && p.t.Kind(f.Instrs[i].Type) == ir.KindInteger && f.TypeOf(f.Op(i, 0)) == ir.Ptr && f.TypeOf(f.Op(i, 1)) == ir.Ptr
}

// planCompare chooses the loads: as few as there can be, which may overlap.
func (p *preparer) planCompare(i ir.InstrID) (m memCompare, ok bool) {
	f := p.f
	how := &p.st.Target.ISel.Prepare.Compare
	n64, _ := p.constant(f.Op(i, 2))
	m = memCompare{call: i, x: f.Op(i, 0), y: f.Op(i, 1), equal: p.libCall(i) == "bcmp" || p.onlyZero(i)}
	most := how.MaxOrdered
	if m.equal {
		most = how.MaxLoads
	}
	if n64 <= 0 || n64 > int64(most*how.Sizes[0]) || !f.HasUses(ir.Local(i)) {
		return m, false
	}
	n := int(n64)
	at := 0
	for _, s := range how.Sizes {
		for ; at+s <= n; at += s {
			m.at, m.size = append(m.at, at), append(m.size, s)
		}
	}
	if k := slices.IndexFunc(how.Sizes, func(s int) bool { return s <= n }); k >= 0 {
		if s := how.Sizes[k]; (n+s-1)/s < len(m.at) {
			m.at, m.size = m.at[:0], m.size[:0]
			for at := 0; at < n; at += s {
				m.at, m.size = append(m.at, min(at, n-s)), append(m.size, s)
			}
		}
	}
	return m, len(m.at) <= most
}

// onlyZero reports a result that is compared with zero alone.
func (p *preparer) onlyZero(i ir.InstrID) bool {
	f := p.f
	for u := range f.Uses(ir.Local(i)) {
		in := &f.Instrs[u.I]
		if in.Op != ir.OpICmp || in.Pred != ir.ICmpEQ && in.Pred != ir.ICmpNE || u.N != 0 {
			return false
		}
		if c, ok := p.constant(f.Op(u.I, 1)); !ok || c != 0 {
			return false
		}
	}
	return true
}

// loadBytes loads size bytes as an integer; those of a constant are a constant.
func (p *preparer) loadBytes(at ir.InstrID, ptr ir.Value, off, size int) ir.Value {
	t := p.t.Int(size * 8)
	if b, ok := p.f.Module.ConstantBytes(ptr.Global(), off, size); ok {
		v := uint64(0)
		for k := range b {
			shift := 8 * k
			if p.dl.BigEndian {
				shift = 8 * (size - 1 - k)
			}
			v |= uint64(b[k]) << shift
		}
		return ir.ConstVal(p.f.Consts.Int(t, v))
	}
	if off != 0 {
		it := p.t.Int(p.dl.IndexBits(0))
		ptr = p.insert(at, ir.Instr{Op: ir.OpGEP, Type: ir.Ptr, SrcType: ir.Int8}, ptr, p.int(it, int64(off)))
	}
	return p.insert(at, ir.Instr{Op: ir.OpLoad, Type: t, SrcType: t, Align: 1}, ptr)
}

// expandCompare does one call.
func (p *preparer) expandCompare(m *memCompare) {
	switch {
	case m.equal && len(m.at) <= p.st.Target.ISel.Prepare.Compare.PerBlock:
		p.replaceZeroTests(m.call, p.differ(m.call, m, 0, len(m.at)))
	case m.equal:
		p.compareBlocks(m)
	case len(m.at) == 1:
		p.orderOne(m)
	default:
		p.orderBlocks(m)
	}
}

// differ is true where the loads from a to b-1 differ.
func (p *preparer) differ(at ir.InstrID, m *memCompare, a, b int) ir.Value {
	if b-a == 1 {
		x, y := p.loadBytes(at, m.x, m.at[a], m.size[a]), p.loadBytes(at, m.y, m.at[a], m.size[a])
		return p.insert(at, ir.Instr{Op: ir.OpICmp, Pred: ir.ICmpNE, Type: ir.Int1}, x, y)
	}
	t := p.t.Int(8 * slices.Max(m.size[a:b]))
	all := ir.Value(0)
	for k := a; k < b; k++ {
		x, y := p.loadBytes(at, m.x, m.at[k], m.size[k]), p.loadBytes(at, m.y, m.at[k], m.size[k])
		d := p.insert(at, ir.Instr{Op: ir.OpXor, Type: p.f.TypeOf(x)}, x, y)
		if p.f.TypeOf(d) != t {
			d = p.insert(at, ir.Instr{Op: ir.OpZExt, Type: t}, d)
		}
		if all != 0 {
			d = p.insert(at, ir.Instr{Op: ir.OpOr, Type: t}, all, d)
		}
		all = d
	}
	return p.insert(at, ir.Instr{Op: ir.OpICmp, Pred: ir.ICmpNE, Type: ir.Int1}, all, p.int(t, 0))
}

// replaceZeroTests makes the tests of a call's result for zero ones of differ,
// which is true where the memory differs, and erases the call.
func (p *preparer) replaceZeroTests(call ir.InstrID, differ ir.Value) {
	f := p.f
	if d := differ.Instr(); f.Instrs[d].Op == ir.OpICmp && p.onlyZero(call) {
		p.edges = p.edges[:0]
		for u := range f.Uses(ir.Local(call)) {
			p.edges = append(p.edges, u)
		}
		for _, u := range p.edges {
			x, y := f.Op(d, 0), f.Op(d, 1)
			f.Instrs[u.I].Flags = 0
			f.SetOp(u.I, 0, x)
			f.SetOp(u.I, 1, y)
		}
		f.Erase(call)
		if !f.HasUses(differ) {
			f.Erase(d)
		}
		return
	}
	v := p.insert(call, ir.Instr{Op: ir.OpZExt, Type: f.Instrs[call].Type}, differ)
	f.ReplaceAllUses(ir.Local(call), v)
	f.Erase(call)
}

// compareBlocks compares in several blocks, each of which leads on where nothing differs.
func (p *preparer) compareBlocks(m *memCompare) {
	f := p.f
	call := m.call
	b, loc, t := f.Instrs[call].Block, f.Instrs[call].Loc, f.Instrs[call].Type
	end := f.SplitBlock(call, "")
	br := ir.Instr{Op: ir.OpBr, Type: ir.Void, Loc: loc}
	phi := p.insert(call, ir.Instr{Op: ir.OpPhi, Type: t})
	var ways []ir.Value
	per := p.st.Target.ISel.Prepare.Compare.PerBlock
	for a := 0; a < len(m.at); a += per {
		last := a+per >= len(m.at)
		jump := f.Terminator(b)
		d := p.differ(jump, m, a, min(a+per, len(m.at)))
		if last {
			d = p.insert(jump, ir.Instr{Op: ir.OpZExt, Type: t}, d)
			ways = append(ways, d, ir.BlockVal(b))
			break
		}
		next := f.AddBlockAfter(b, "")
		f.Append(next, br, ir.BlockVal(end))
		f.SetTerminator(b, br, d, ir.BlockVal(end), ir.BlockVal(next))
		ways = append(ways, p.int(t, 1), ir.BlockVal(b))
		b = next
	}
	f.SetOps(phi.Instr(), ways)
	f.ReplaceAllUses(ir.Local(call), phi)
	f.Erase(call)
}

// inOrder is a number that is less where the bytes are, as memcmp reads them.
func (p *preparer) inOrder(at ir.InstrID, v ir.Value) ir.Value {
	t := p.f.TypeOf(v)
	if t == ir.Int8 || p.dl.BigEndian {
		return v
	}
	return p.insert(at, ir.Instr{Op: ir.OpCall, Type: t, SrcType: p.t.Func(t, []ir.Type{t}, false)}, v, ir.IntrinsicVal(ir.IntrBswap))
}

// orderOne orders by one load: the difference where it cannot overflow, else
// the difference of "greater" and "less".
func (p *preparer) orderOne(m *memCompare) {
	f := p.f
	call, t := m.call, f.Instrs[m.call].Type
	x := p.inOrder(call, p.loadBytes(call, m.x, 0, m.size[0]))
	y := p.inOrder(call, p.loadBytes(call, m.y, 0, m.size[0]))
	wide := func(v ir.Value) ir.Value { return p.insert(call, ir.Instr{Op: ir.OpZExt, Type: t}, v) }
	if 8*m.size[0] < p.t.IntBits(t) {
		x, y = wide(x), wide(y)
	} else {
		gt := p.insert(call, ir.Instr{Op: ir.OpICmp, Pred: ir.ICmpUGT, Type: ir.Int1}, x, y)
		lt := p.insert(call, ir.Instr{Op: ir.OpICmp, Pred: ir.ICmpULT, Type: ir.Int1}, x, y)
		x, y = wide(gt), wide(lt)
	}
	f.ReplaceAllUses(ir.Local(call), p.insert(call, ir.Instr{Op: ir.OpSub, Type: t}, x, y))
	f.Erase(call)
}

// orderBlocks finds the first load that differs and orders by that; a byte at
// the end needs no look, its difference orders.
func (p *preparer) orderBlocks(m *memCompare) {
	f := p.f
	call := m.call
	b, loc, t := f.Instrs[call].Block, f.Instrs[call].Loc, f.Instrs[call].Type
	wt := p.t.Int(8 * slices.Max(m.size))
	end := f.SplitBlock(call, "")
	br := ir.Instr{Op: ir.OpBr, Type: ir.Void, Loc: loc}
	result := f.AddBlockAfter(b, "")
	out := f.Append(result, br, ir.BlockVal(end))
	var xs, ys []ir.Value
	phi := p.insert(call, ir.Instr{Op: ir.OpPhi, Type: t})
	equal := p.int(t, 0) // the result where all but the end is equal
	for k := range m.at {
		jump := f.Terminator(b)
		if k == len(m.at)-1 && m.size[k] == 1 && p.t.IntBits(t) > 8 {
			x := p.insert(jump, ir.Instr{Op: ir.OpZExt, Type: t}, p.loadBytes(jump, m.x, m.at[k], 1))
			y := p.insert(jump, ir.Instr{Op: ir.OpZExt, Type: t}, p.loadBytes(jump, m.y, m.at[k], 1))
			equal = p.insert(jump, ir.Instr{Op: ir.OpSub, Type: t}, x, y)
			break
		}
		wide := func(v ir.Value) ir.Value {
			if v = p.inOrder(jump, v); f.TypeOf(v) != wt {
				v = p.insert(jump, ir.Instr{Op: ir.OpZExt, Type: wt}, v)
			}
			return v
		}
		x := wide(p.loadBytes(jump, m.x, m.at[k], m.size[k]))
		y := wide(p.loadBytes(jump, m.y, m.at[k], m.size[k]))
		same := p.insert(jump, ir.Instr{Op: ir.OpICmp, Pred: ir.ICmpEQ, Type: ir.Int1}, x, y)
		xs, ys = append(xs, x, ir.BlockVal(b)), append(ys, y, ir.BlockVal(b))
		next := end
		if k < len(m.at)-1 {
			next = f.AddBlockAfter(b, "")
			f.Append(next, br, ir.BlockVal(end))
		}
		f.SetTerminator(b, br, same, ir.BlockVal(next), ir.BlockVal(result))
		if next != end {
			b = next
		}
	}
	px := p.insert(out, ir.Instr{Op: ir.OpPhi, Type: wt}, xs...)
	py := p.insert(out, ir.Instr{Op: ir.OpPhi, Type: wt}, ys...)
	less := p.insert(out, ir.Instr{Op: ir.OpICmp, Pred: ir.ICmpULT, Type: ir.Int1}, px, py)
	sel := p.insert(out, ir.Instr{Op: ir.OpSelect, Type: t}, less, p.int(t, -1), p.int(t, 1))
	f.SetOps(phi.Instr(), []ir.Value{equal, ir.BlockVal(b), sel, ir.BlockVal(result)})
	f.ReplaceAllUses(ir.Local(call), phi)
	f.Erase(call)
}
