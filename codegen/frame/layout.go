package frame

import (
	"math/bits"

	"github.com/mirin-go/mirin/mir"
)

// log2 is the exponent of the greatest power of two that divides n.
func log2(n uint64) uint8 { return uint8(bits.TrailingZeros64(n)) }

func alignTo(n int64, log2 uint8) int64 {
	a := int64(1) << log2
	return (n + a - 1) &^ (a - 1)
}

// layOut gives the ordinary stack objects their offsets, below the fixed ones.
func (p *pei) layOut() {
	f := p.f
	fr := &f.Frame
	up := p.st.Variant.StackGrowsUp
	local := p.st.LocalAreaOffset() // as a distance in the stack's direction, like all offsets below
	if !up {
		local = -local
	}
	offset := local
	for fi := fr.First(); fi < 0; fi++ {
		if o := fr.Object(fi); !fr.IsDead(fi) {
			if up {
				offset = max(offset, o.Offset+o.Size)
			} else {
				offset = max(offset, -o.Offset)
			}
		}
	}
	maxAlign := fr.MaxAlign
	place := func(fi int) {
		o := fr.Object(fi)
		if up {
			o.Offset = alignTo(offset, o.Align)
			offset = o.Offset + o.Size
		} else {
			offset = alignTo(offset+o.Size, o.Align)
			o.Offset = -offset
		}
		maxAlign = max(maxAlign, o.Align)
	}
	// Slots of callee-saved registers stand nearest to the frame's top.
	isCSR := func(fi int) bool {
		for _, ci := range fr.CalleeSaved {
			if ci.DstReg == 0 && ci.FI == fi {
				return true
			}
		}
		return false
	}
	for fi := range fr.End() {
		if isCSR(fi) && !fr.IsDead(fi) {
			place(fi)
		}
	}
	for fi := range fr.End() {
		o := fr.Object(fi)
		if fr.IsDead(fi) || o.Flags&mir.FrameVarSized != 0 || isCSR(fi) || o.StackID != 0 {
			continue
		}
		place(fi)
	}
	if fr.AdjustsStack && p.st.HasReservedCallFrame(f) {
		offset += int64(fr.MaxCallFrameSize)
	}
	// A leaf needs no aligned stack pointer of its own.
	if fr.AdjustsStack || fr.HasVarSizedObjects || maxAlign > p.st.StackAlign() {
		offset = alignTo(offset, max(p.st.StackAlign(), maxAlign))
	} else {
		offset = alignTo(offset, maxAlign)
	}
	// From here on the frame's alignment is a fact for readers of MIR, who take
	// that of the fixed objects into account.
	for fi := fr.First(); fi < 0; fi++ {
		maxAlign = max(maxAlign, fr.Object(fi).Align)
	}
	fr.MaxAlign = maxAlign
	size := offset - local
	if p.st.UsesRedZone(f) {
		fixed := p.st.PushedSize(f)
		if p.h.SavesFramePointer && p.st.HasFP(f) {
			fixed += p.st.WordSize()
		}
		size = max(fixed, size-p.h.RedZone)
	}
	fr.StackSize = uint64(size)
}
