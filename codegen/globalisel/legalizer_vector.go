package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// scalarize does a vector operation element by element.
func (h *Helper) scalarize(i mir.InstrID) bool {
	f := h.F
	switch op := f.Instr(i).Opcode; op {
	case desc.G_LOAD, desc.G_STORE:
		return h.lowerMem(i)
	case desc.G_PHI:
		t := h.regType(i, 0)
		return h.splitPhi(i, t.Elem(), t.NumElems())
	case desc.G_IMPLICIT_DEF:
		t := h.regType(i, 0)
		e := h.New(t.Elem())
		h.BuildTo(desc.G_IMPLICIT_DEF, e)
		parts := make([]mir.Reg, t.NumElems())
		for k := range parts {
			parts[k] = e
		}
		return h.joined(i, parts)
	case desc.G_BITCAST:
		return h.lowerBitcast(i)
	case desc.G_EXTRACT_VECTOR_ELT, desc.G_INSERT_VECTOR_ELT:
		return h.elementAccess(i)
	case desc.G_SHUFFLE_VECTOR:
		return h.shuffle(i)
	case desc.G_VECREDUCE_SEQ_FADD, desc.G_VECREDUCE_SEQ_FMUL:
		return h.reduce(i)
	default:
		if reduction(op) != 0 {
			return h.reduce(i)
		}
	}
	return h.splitEach(i, 1)
}

// elementAccess takes or changes one element: by name when its number is
// constant, else in memory.
func (h *Helper) elementAccess(i mir.InstrID) bool {
	f := h.F
	insert := f.Instr(i).Opcode == desc.G_INSERT_VECTOR_ELT
	v := h.reg(i, 1)
	t := h.Type(v)
	idx := 2
	if insert {
		idx = 3
	}
	k, ok := ConstOf(f, h.reg(i, idx))
	if !ok {
		return h.elementInMemory(i, insert, v, h.reg(i, idx))
	}
	if k < 0 || k >= int64(t.NumElems()) {
		d := h.reg(i, 0)
		h.BuildTo(desc.G_IMPLICIT_DEF, d)
		h.Erase(i)
		return true
	}
	parts := h.Unmerge(nil, t.Elem(), v)
	if insert {
		parts[k] = h.reg(i, 2)
		return h.joined(i, parts)
	}
	h.ReplaceWith(i, 0, parts[k])
	return true
}

func (h *Helper) elementInMemory(i mir.InstrID, insert bool, v, idx mir.Reg) bool {
	f := h.F
	t := h.Type(v)
	e := t.Elem()
	if e.ScalarBits()%8 != 0 {
		// Elements of odd widths become bytes, or a power of two of them.
		e := mir.Scalar(nextPow2(max(8, e.ScalarBits())))
		wide := mir.Vector(t.NumElems(), e)
		w := h.Un(desc.G_ANYEXT, wide, v)
		d := h.reg(i, 0)
		if insert {
			x := h.Resize(desc.G_ANYEXT, e, h.reg(i, 2))
			r := h.New(wide)
			h.Insert(f.New(desc.G_INSERT_VECTOR_ELT, Def(r), Use(w), Use(x), Use(idx)))
			h.BuildTo(desc.G_TRUNC, d, r)
		} else {
			r := h.New(e)
			h.Insert(f.New(desc.G_EXTRACT_VECTOR_ELT, Def(r), Use(w), Use(idx)))
			h.BuildTo(desc.G_TRUNC, d, r)
		}
		h.Erase(i)
		h.pushUsers(d)
		return true
	}
	size := int64(e.ScalarBits() / 8)
	al := log2(uint64(nextPow2(min(t.Bytes(), 16))))
	fi := f.Frame.CreateStackObject(int64(t.Bytes()), al, 0)
	pt := mir.Pointer(0, h.pointerBits())
	base := h.New(pt)
	h.Insert(f.New(desc.G_FRAME_INDEX, Def(base), mir.FrameOp(fi)))
	m := mir.MemOperand{Type: t, Size: int64(t.Bytes()), Ptr: uint32(int32(fi)), PtrKind: mir.PtrFixedStack, BaseAlign: al}
	h.Store(v, base, m)
	it := mir.Scalar(pt.ScalarBits())
	n := h.Resize(desc.G_ZEXT, it, idx)
	// An index out of range gives poison, but must stay in the slot.
	last := int64(t.NumElems() - 1)
	if last&(last+1) == 0 {
		n = h.Bin(desc.G_AND, it, n, h.Const(it, last))
	} else {
		n = h.Bin(desc.G_UMIN, it, n, h.Const(it, last))
	}
	if size > 1 {
		n = h.Bin(desc.G_MUL, it, n, h.Const(it, size))
	}
	addr := h.PtrAdd(base, n)
	em := mir.MemOperand{Type: e, Size: size, BaseAlign: min(al, log2(uint64(size)))}
	if !insert {
		h.ReplaceWith(i, 0, h.Load(e, addr, em))
		return true
	}
	h.Store(h.reg(i, 2), addr, em)
	h.ReplaceWith(i, 0, h.Load(t, base, m))
	return true
}

func (h *Helper) pointerBits() int { return int(h.ST.Layout.Pointer(0).Bits) }

// shuffle picks elements of two vectors.
func (h *Helper) shuffle(i mir.InstrID) bool {
	f := h.F
	x, y := h.reg(i, 1), h.reg(i, 2)
	mask := f.ShuffleMasks[f.Op(i, 3).Index()]
	t := h.Type(x)
	parts := []mir.Reg{x, y}
	if t.IsVector() {
		parts = h.Unmerge(h.Unmerge(nil, t.Elem(), x), t.Elem(), y)
	}
	var undef mir.Reg
	out := make([]mir.Reg, len(mask))
	for k, n := range mask {
		if n >= 0 && int(n) < len(parts) {
			out[k] = parts[n]
			continue
		}
		if undef == 0 {
			undef = h.New(t.Elem())
			h.BuildTo(desc.G_IMPLICIT_DEF, undef)
		}
		out[k] = undef
	}
	if !h.regType(i, 0).IsVector() {
		h.ReplaceWith(i, 0, out[0])
		return true
	}
	return h.joined(i, out)
}

// reduce folds the elements of a vector into one: in order for the sequential
// reductions, which have a start value, else as a tree.
func (h *Helper) reduce(i mir.InstrID) bool {
	f := h.F
	op, fl := f.Instr(i).Opcode, f.Instr(i).Flags()
	plain, src := reduction(op), 1
	seq := plain == 0
	if seq {
		plain, src = desc.G_FADD, 2
		if op == desc.G_VECREDUCE_SEQ_FMUL {
			plain = desc.G_FMUL
		}
	}
	v := h.reg(i, src)
	e := h.Type(v).Elem()
	do := func(x, y mir.Reg) mir.Reg {
		r := h.New(e)
		m := f.New(plain, Def(r), Use(x), Use(y))
		f.Instr(m).SetFlags(fl)
		h.Insert(m)
		return r
	}
	parts := []mir.Reg{v}
	if h.Type(v).IsVector() {
		parts = h.Unmerge(nil, e, v)
	}
	if seq {
		acc := h.reg(i, 1)
		for _, p := range parts {
			acc = do(acc, p)
		}
		h.ReplaceWith(i, 0, acc)
		return true
	}
	for len(parts) > 1 {
		var next []mir.Reg
		for k := 0; k+1 < len(parts); k += 2 {
			next = append(next, do(parts[k], parts[k+1]))
		}
		if len(parts)%2 != 0 {
			next = append(next, parts[len(parts)-1])
		}
		parts = next
	}
	h.ReplaceWith(i, 0, parts[0])
	return true
}
