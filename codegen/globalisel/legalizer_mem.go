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
	if t.IsPointer() {
		it := mir.Scalar(t.ScalarBits())
		m.Type = it
		if load {
			h.ReplaceWith(i, 0, h.Un(desc.G_INTTOPTR, t, h.Load(it, h.reg(i, 1), m)))
		} else {
			h.Store(h.Un(desc.G_PTRTOINT, it, h.reg(i, 0)), h.reg(i, 1), m)
			h.Erase(i)
		}
		return true
	}
	if op := f.Instr(i).Opcode; op == desc.G_SEXTLOAD || op == desc.G_ZEXTLOAD {
		it, ext := mir.Scalar(int(8*m.Size)), desc.Opcode(desc.G_ZEXT)
		if op == desc.G_SEXTLOAD {
			ext = desc.G_SEXT
		}
		if m.Type.ScalarBits() < it.ScalarBits() {
			return false // bits of a byte
		}
		m.Type = it
		h.ReplaceWith(i, 0, h.Resize(ext, t, h.Load(it, h.reg(i, 1), m)))
		return true
	}
	// An access that is a word as it is, but is not legal, is cut into halves.
	n, most := bytesOf(t), h.Rules.Word
	if m.Size < int64(n) {
		n = int(m.Size)
	}
	if whole := t.ScalarBits()%8 == 0 || n < bytesOf(t); whole && n <= most && nextPow2(n) == n {
		if most = n / 2; n == 1 {
			return false
		}
	}
	if load {
		return h.loadInt(i, t, m, n, most)
	}
	return h.storeInt(i, t, m, n, most)
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

// piece is a part of a number of n bytes in memory: size bytes at off, to be
// shifted by shift bits within the number.
type piece struct{ off, size, shift int }

// pieces cuts a number of n bytes into parts of powers of two of at most most bytes.
func (h *Helper) pieces(n, most int) (ps []piece) {
	for at := 0; at < n; {
		size := most
		for at+size > n {
			size /= 2
		}
		p := piece{off: at, size: size, shift: 8 * at}
		if h.ST.Layout.BigEndian {
			p.shift = 8 * (n - at - size)
		}
		ps = append(ps, p)
		at += size
	}
	return ps
}

// wordPlace is where word k, counted from the low end, of a number of n bytes
// lies, and how many bytes of it there are.
func (h *Helper) wordPlace(n, k int) (off, size int) {
	word := h.Rules.Word
	off, size = word*k, min(word, n-word*k)
	if h.ST.Layout.BigEndian {
		off = n - off - size
	}
	return off, size
}

// loadInt loads an integer of n bytes in memory, in pieces of at most most bytes.
func (h *Helper) loadInt(i mir.InstrID, t mir.LLT, m mir.MemOperand, n, most int) bool {
	p, word := h.reg(i, 1), h.Rules.Word
	if n <= word {
		v := h.loadWord(p, m, 0, n, most)
		h.ReplaceWith(i, 0, h.Resize(desc.G_ANYEXT, t, v))
		return true
	}
	var words []mir.Reg
	for k := range (n + word - 1) / word {
		off, size := h.wordPlace(n, k)
		v := h.loadWord(p, m, off, size, most)
		words = append(words, h.Resize(desc.G_ANYEXT, mir.Scalar(8*word), v))
	}
	if t.ScalarBits() == 8*word*len(words) {
		return h.joined(i, words)
	}
	wide := h.New(mir.Scalar(8 * word * len(words)))
	h.Merge(wide, words)
	h.ReplaceWith(i, 0, h.Resize(desc.G_ANYEXT, t, wide))
	return true
}

// loadWord loads n bytes at off, at most a word; the result has at least n bytes.
func (h *Helper) loadWord(p mir.Reg, m mir.MemOperand, off, n, most int) mir.Reg {
	t := mir.Scalar(8 * nextPow2(n))
	var acc mir.Reg
	for _, x := range h.pieces(n, most) {
		pt := mir.Scalar(8 * x.size)
		v := h.Load(pt, h.PtrAddConst(p, int64(off+x.off)), subMem(m, pt, int64(off+x.off)))
		v = h.Resize(desc.G_ZEXT, t, v)
		if x.shift > 0 {
			v = h.Bin(desc.G_SHL, t, v, h.Const(t, int64(x.shift)))
		}
		if acc != 0 {
			v = h.Bin(desc.G_OR, t, acc, v)
		}
		acc = v
	}
	return acc
}

// storeInt stores the low n bytes of an integer, in pieces of at most most bytes; bits
// above its width in the last byte are zero.
func (h *Helper) storeInt(i mir.InstrID, t mir.LLT, m mir.MemOperand, n, most int) bool {
	v, p, word := h.reg(i, 0), h.reg(i, 1), h.Rules.Word
	words := []mir.Reg{v}
	if n <= word {
		words[0] = h.Resize(desc.G_ZEXT, mir.Scalar(8*nextPow2(n)), v)
	} else {
		w := (n + word - 1) / word
		words = h.Unmerge(words[:0], mir.Scalar(8*word), h.Resize(desc.G_ZEXT, mir.Scalar(8*word*w), v))
	}
	for k, w := range words {
		off, size := h.wordPlace(n, k)
		for _, part := range h.pieces(size, most) {
			pt := mir.Scalar(8 * part.size)
			x := w
			if part.shift > 0 {
				x = h.Bin(desc.G_LSHR, h.Type(w), w, h.Const(h.Type(w), int64(part.shift)))
			}
			x = h.Resize(desc.G_TRUNC, pt, x)
			h.Store(x, h.PtrAddConst(p, int64(off+part.off)), subMem(m, pt, int64(off+part.off)))
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
