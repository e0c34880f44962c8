package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// lowerMem takes apart loads and stores of types that the target does not
// load: wide and odd integers, and vectors.
func (h *Helper) lowerMem(i mir.InstrID) bool {
	f := h.F
	if f.NumMem(i) == 0 {
		return false
	}
	m := *f.MemOf(i, 0)
	if m.Order > ir.Unordered {
		return false
	}
	load := f.Instr(i).Opcode != desc.G_STORE
	t := h.regType(i, 0)
	if t.IsVector() && t.ScalarBits()%8 == 0 {
		if load {
			return h.loadElements(i, t, m)
		}
		return h.storeElements(i, t, m)
	}
	if t.IsVector() {
		// A vector of bits lies in memory as an integer.
		it := mir.Scalar(t.Bits())
		m.Type = it
		if load {
			v := h.Load(it, h.reg(i, 1), m)
			d := h.reg(i, 0)
			h.BuildTo(desc.G_BITCAST, d, v)
			h.Erase(i)
			return true
		}
		v := h.Un(desc.G_BITCAST, it, h.reg(i, 0))
		h.Store(v, h.reg(i, 1), m)
		h.Erase(i)
		return true
	}
	if load {
		return h.loadInt(i, t, m)
	}
	return h.storeInt(i, t, m)
}

// sub is the memory operand of size bytes at off in m.
func subMem(m mir.MemOperand, t mir.LLT, off int64) mir.MemOperand {
	m.Type, m.Size, m.Offset, m.Ranges = t, int64(t.Bytes()), m.Offset+off, 0
	return m
}

func (h *Helper) loadElements(i mir.InstrID, t mir.LLT, m mir.MemOperand) bool {
	e, p := t.Elem(), h.reg(i, 1)
	size := int64(e.ScalarBits() / 8)
	var parts []mir.Reg
	for k := range t.NumElems() {
		off := int64(k) * size
		parts = append(parts, h.Load(e, h.PtrAddConst(p, off), subMem(m, e, off)))
	}
	return h.joined(i, parts)
}

func (h *Helper) storeElements(i mir.InstrID, t mir.LLT, m mir.MemOperand) bool {
	e, p := t.Elem(), h.reg(i, 1)
	size := int64(e.ScalarBits() / 8)
	for k, v := range h.Unmerge(nil, e, h.reg(i, 0)) {
		off := int64(k) * size
		h.Store(v, h.PtrAddConst(p, off), subMem(m, e, off))
	}
	h.Erase(i)
	return true
}

// bytesOf is the number of bytes in memory of an integer.
func bytesOf(t mir.LLT) int { return (t.ScalarBits() + 7) / 8 }

// loadInt loads an integer piece by piece.
func (h *Helper) loadInt(i mir.InstrID, t mir.LLT, m mir.MemOperand) bool {
	n, p, word := bytesOf(t), h.reg(i, 1), h.Rules.Word
	if n <= word {
		v := h.loadWord(p, m, 0, n)
		h.ReplaceWith(i, 0, h.Resize(desc.G_ANYEXT, t, v))
		return true
	}
	var words []mir.Reg
	for off := 0; off < n; off += word {
		v := h.loadWord(p, m, off, min(word, n-off))
		words = append(words, h.Resize(desc.G_ANYEXT, mir.Scalar(8*word), v))
	}
	if t.ScalarBits() == 8*word*len(words) {
		return h.joined(i, words)
	}
	wide := h.New(mir.Scalar(8 * word * len(words)))
	h.Merge(wide, words)
	h.ReplaceWith(i, 0, h.Un(desc.G_TRUNC, t, wide))
	return true
}

// loadWord loads n bytes, at most a word, from pieces whose sizes are powers of two;
// the result has at least n bytes.
func (h *Helper) loadWord(p mir.Reg, m mir.MemOperand, off, n int) mir.Reg {
	t := mir.Scalar(8 * nextPow2(n))
	var acc mir.Reg
	for at := 0; at < n; {
		size := h.Rules.Word
		for at+size > n {
			size /= 2
		}
		pt := mir.Scalar(8 * size)
		v := h.Load(pt, h.PtrAddConst(p, int64(off+at)), subMem(m, pt, int64(off+at)))
		v = h.Resize(desc.G_ZEXT, t, v)
		if at > 0 {
			v = h.Bin(desc.G_SHL, t, v, h.Const(t, int64(8*at)))
			v = h.Bin(desc.G_OR, t, acc, v)
		}
		acc = v
		at += size
	}
	return acc
}

// storeInt stores an integer piece by piece; bits above its width in the last byte are zero.
func (h *Helper) storeInt(i mir.InstrID, t mir.LLT, m mir.MemOperand) bool {
	n, v, p, word := bytesOf(t), h.reg(i, 0), h.reg(i, 1), h.Rules.Word
	words := []mir.Reg{v}
	if n <= word {
		words[0] = h.Resize(desc.G_ZEXT, mir.Scalar(8*nextPow2(n)), v)
	} else {
		w := (n + word - 1) / word
		words = h.Unmerge(words[:0], mir.Scalar(8*word), h.Resize(desc.G_ZEXT, mir.Scalar(8*word*w), v))
	}
	for k, w := range words {
		off, left := word*k, min(word, n-word*k)
		for at := 0; at < left; {
			size := word
			for at+size > left {
				size /= 2
			}
			pt := mir.Scalar(8 * size)
			x := w
			if at > 0 {
				x = h.Bin(desc.G_LSHR, h.Type(w), w, h.Const(h.Type(w), int64(8*at)))
			}
			x = h.Resize(desc.G_TRUNC, pt, x)
			h.Store(x, h.PtrAddConst(p, int64(off+at)), subMem(m, pt, int64(off+at)))
			at += size
		}
	}
	h.Erase(i)
	return true
}

// nextPow2 is the least power of two that is n or more.
func nextPow2(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}
