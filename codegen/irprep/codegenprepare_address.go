package irprep

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/target"
)

// sunkAddress is where an address was last computed anew.
type sunkAddress struct {
	block ir.BlockID
	v     ir.Value
}

// addressMode is an address being taken apart: base + scale*index + offset.
// base is a pointer, index an integer of the pointers' width.
type addressMode struct {
	base, index ir.Value
	scale       int64
	offset      int64
	// parts are the instructions that the address takes in.
	parts []ir.InstrID
}

// maxAddressDepth bounds how many operations one address takes in.
const maxAddressDepth = 6

// sinkAddresses computes the addresses of loads and stores in their blocks
// where the instruction can take the computation in.
func (p *preparer) sinkAddresses() {
	f := p.f
	p.sunk = append(p.sunk[:0], make([]sunkAddress, len(f.Instrs))...)
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			switch f.Instrs[i].Op {
			case ir.OpLoad, ir.OpCmpXchg, ir.OpAtomicRMW:
				p.sinkAddress(i, 0)
			case ir.OpStore:
				p.sinkAddress(i, 1)
			}
		}
	}
}

// sinkAddress computes operand n of a memory access in front of it if part of
// the address that the access takes in stands in another block.
func (p *preparer) sinkAddress(i ir.InstrID, n int) {
	f := p.f
	addr := f.Op(i, n)
	a := addr.Instr()
	if a == 0 || f.Instrs[a].Op != ir.OpGEP || p.t.IsVector(f.Instrs[a].Type) {
		return
	}
	b := f.Instrs[i].Block
	if int(a) < len(p.sunk) && p.sunk[a].block == b {
		f.SetOp(i, n, p.sunk[a].v)
		p.dropDead(a)
		return
	}
	m := &p.mode
	*m = addressMode{parts: m.parts[:0]}
	if !p.matchPointer(m, addr, i, 0) || len(m.parts) == 0 {
		return
	}
	local := true
	for _, x := range m.parts {
		local = local && f.Instrs[x].Block == b
	}
	if local {
		return
	}
	p.c.Count("codegenprepare", "Number of memory instructions whose address computations were sunk", 1)
	v := p.buildAddress(m, i)
	f.SetOp(i, n, v)
	if int(a) < len(p.sunk) {
		p.sunk[a] = sunkAddress{b, v}
	}
	p.dropDead(a)
}

// dropDead erases an address that nothing uses any more.
func (p *preparer) dropDead(a ir.InstrID) {
	if !p.f.HasUses(ir.Local(a)) {
		p.f.EraseWithOperands(a)
	}
}

// buildAddress computes an address in front of at.
func (p *preparer) buildAddress(m *addressMode, at ir.InstrID) ir.Value {
	v := m.base
	t := p.f.TypeOf(v)
	if m.index != 0 {
		idx, it := m.index, p.f.TypeOf(m.index)
		if m.scale != 1 {
			idx = p.insert(at, ir.Instr{Op: ir.OpMul, Type: it}, idx, p.int(it, m.scale))
		}
		v = p.insert(at, ir.Instr{Op: ir.OpGEP, Type: t, SrcType: ir.Int8}, v, idx)
	}
	if m.offset != 0 {
		it := p.t.Int(p.dl.IndexBits(p.t.AddrSpace(t)))
		v = p.insert(at, ir.Instr{Op: ir.OpGEP, Type: t, SrcType: ir.Int8}, v, p.int(it, m.offset))
	}
	return v
}

// legal asks the target about the address as far as it is known.
func (p *preparer) legal(m *addressMode) bool {
	a := target.AddressMode{Base: m.base != 0, Scale: m.scale, Offset: m.offset}
	if g := m.base.Global(); g != 0 {
		a.Global, a.Base = p.f.Module.Globals[g], false
		if !p.st.LegalAddress(a) {
			a.Global, a.Base = nil, true // in a register
		}
	}
	return p.st.LegalAddress(a)
}

// matchPointer makes v part of m: what computes it where that pays, else v as
// the base. at is the access.
func (p *preparer) matchPointer(m *addressMode, v ir.Value, at ir.InstrID, depth int) bool {
	old := *m
	if g := v.Instr(); g != 0 && depth < maxAddressDepth && p.f.Instrs[g].Op == ir.OpGEP {
		if p.matchGEP(m, g, at, depth) && (p.f.HasOneUse(v) || p.foldPays(g, m, &old, at)) {
			m.parts = append(m.parts, g)
			return true
		}
		*m = old
	}
	m.base = v
	if p.legal(m) {
		return true
	}
	*m = old
	return false
}

// matchGEP adds the offset and the one variable index of a getelementptr, and then its base.
func (p *preparer) matchGEP(m *addressMode, g ir.InstrID, at ir.InstrID, depth int) bool {
	f := p.f
	src := f.Instrs[g].SrcType
	if p.t.IsVector(f.Instrs[g].Type) || p.dl.IsScalable(p.t, src) {
		return false
	}
	width := p.dl.IndexBits(p.t.AddrSpace(f.Instrs[g].Type))
	var index ir.Value
	scale := int64(0)
	for k, v := range f.Ops(g)[1:] {
		if n, ok := p.constant(v); ok {
			off := n * int64(p.dl.SizeOf(p.t, src))
			if k > 0 {
				if off, src, ok = p.dl.ElemOffset(p.t, src, n); !ok {
					return false
				}
			}
			m.offset += off
			continue
		}
		if k > 0 {
			src = p.t.Elem(src)
		}
		if index != 0 || p.t.Kind(f.TypeOf(v)) != ir.KindInteger || p.t.IntBits(f.TypeOf(v)) != width {
			return false
		}
		index, scale = v, int64(p.dl.SizeOf(p.t, src))
	}
	if m.offset != int64(int32(m.offset)) {
		return false
	}
	if index != 0 && !p.matchIndex(m, index, scale, at, depth) {
		return false
	}
	return p.matchPointer(m, f.Op(g, 0), at, depth+1)
}

// matchIndex adds scale times v to m: what v is computed of where that is one
// value, scaled and offset, else v.
func (p *preparer) matchIndex(m *addressMode, v ir.Value, scale int64, at ir.InstrID, depth int) bool {
	if scale == 0 {
		return true
	}
	f := p.f
	old := *m
	if i := v.Instr(); i != 0 && depth < maxAddressDepth && f.NumOps(i) == 2 && (f.HasOneUse(v) || p.isLive(f.Op(i, 0), at)) {
		c, known := p.constant(f.Op(i, 1))
		ok := false
		switch in := &f.Instrs[i]; {
		case !known:
		case in.Op == ir.OpAdd, in.Op == ir.OpOr && in.Flags&ir.Disjoint != 0:
			if m.offset += c * scale; c == int64(int32(c)) && m.offset == int64(int32(m.offset)) {
				ok = p.matchIndex(m, f.Op(i, 0), scale, at, depth+1)
			}
		case in.Op == ir.OpShl && c >= 0 && c < 8:
			ok = p.matchIndex(m, f.Op(i, 0), scale<<c, at, depth+1)
		case in.Op == ir.OpMul && c > 0 && c < 256:
			ok = p.matchIndex(m, f.Op(i, 0), scale*c, at, depth+1)
		}
		if ok {
			m.parts = append(m.parts, i)
			return true
		}
		*m = old
	}
	switch {
	case m.index == v:
		m.scale += scale
	case m.index != 0:
		return false
	default:
		m.index, m.scale = v, scale
	}
	base := m.base
	if base == 0 {
		m.base = v // there will be one
	}
	ok := p.legal(m)
	m.base = base
	if !ok {
		*m = old
	}
	return ok
}

// How many uses of an address are looked at.
const maxAddressUses = 20

// foldPays reports whether it pays to take in address g, which has other uses:
// when what it is made of is alive at the access anyway, or when all its uses
// take it in too, so that it goes away.
func (p *preparer) foldPays(g ir.InstrID, m, before *addressMode, at ir.InstrID) bool {
	base, index := m.base, m.index
	if base == before.base {
		base = 0
	}
	if index == before.index {
		index = 0
	}
	if p.isLive(base, at) && p.isLive(index, at) {
		return true
	}
	left := maxAddressUses
	return p.onlyAddresses(g, m.index != 0, &left)
}

// onlyAddresses reports whether all uses of an address are accesses, or
// constant offsets from it that only accesses use.
func (p *preparer) onlyAddresses(g ir.InstrID, indexed bool, left *int) bool {
	f := p.f
	for u := range f.Uses(ir.Local(g)) {
		if *left--; *left < 0 {
			return false
		}
		switch in := &f.Instrs[u.I]; in.Op {
		case ir.OpLoad:
		case ir.OpStore:
			if u.N != 1 {
				return false
			}
		case ir.OpAtomicRMW, ir.OpCmpXchg:
			if u.N != 0 {
				return false
			}
		case ir.OpGEP:
			if u.N != 0 {
				return false
			}
			off, ok := p.dl.ConstGEPOffset(f, u.I)
			if !ok && indexed || ok && off != int64(int32(off)) || !p.onlyAddresses(u.I, indexed || !ok, left) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isLive reports whether a value is at hand at an access: it needs no register,
// or something in the access' block uses it anyway.
func (p *preparer) isLive(v ir.Value, at ir.InstrID) bool {
	f := p.f
	i := v.Instr()
	if i == 0 {
		return true
	}
	if in := &f.Instrs[i]; in.Op == ir.OpAlloca && in.Block == f.Order[0] && f.Op(i, 0).Const() != 0 {
		return true
	}
	n := 0
	for u := range f.Uses(v) {
		if n++; n > maxAddressUses {
			return false
		}
		if f.Instrs[u.I].Block == f.Instrs[at].Block && f.Instrs[u.I].Op != ir.OpPhi {
			return true
		}
	}
	return false
}
