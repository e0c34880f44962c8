package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Variable arguments of targets whose va_list is the address of the next
// argument; callLowering.saveVarArgs has put all of them one above the other.

// lowerVAStart stores the address of the first variable argument.
func (h *Helper) lowerVAStart(i mir.InstrID) bool {
	fi := h.F.Frame.VarArgs.Stack
	if fi == 0 {
		return false // the function comes from MIR behind the irtranslator
	}
	list := h.reg(i, 0)
	addr := h.New(h.Type(list))
	h.Build(desc.G_FRAME_INDEX, Def(addr), mir.FrameOp(fi))
	m := *h.F.MemOf(i, 0)
	m.Type, m.Size = h.Type(addr), int64(h.Type(addr).Bytes())
	h.Store(addr, list, m)
	h.Erase(i)
	return true
}

// lowerVAArg loads an argument and moves the list to the next one. What is
// smaller than a word stands at the word's end where its low bits are.
func (h *Helper) lowerVAArg(i mir.InstrID) {
	d, list := h.reg(i, 0), h.reg(i, 1)
	t, pt := h.Type(d), h.pointerType()
	word, size := int64(pt.Bytes()), int64(t.Bytes())
	lm := mir.MemOperand{Type: pt, Size: word, BaseAlign: log2(uint64(word))}
	p := h.Load(pt, list, lm)
	if al := h.F.Op(i, 2).Imm(); al > word {
		it := mir.Scalar(int(8 * word))
		up := h.Un(desc.G_PTRTOINT, it, h.PtrAddConst(p, al-1))
		p = h.Un(desc.G_INTTOPTR, pt, h.Bin(desc.G_AND, it, up, h.Const(it, -al)))
	}
	h.Store(h.PtrAddConst(p, (size+word-1)&^(word-1)), list, lm)
	if h.ST.Layout.BigEndian && size < word {
		p = h.PtrAddConst(p, word-size)
	}
	h.LoadTo(d, p, mir.MemOperand{Type: t, Size: size, BaseAlign: log2(uint64(min(word, size)))})
	h.Erase(i)
}

func (h *Helper) pointerType() mir.LLT { return mir.Pointer(0, h.pointerBits()) }
