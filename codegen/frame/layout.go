package frame

import (
	"cmp"
	"math/bits"
	"slices"

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
	var objects []int
	protector := fr.StackProtector
	protected := mir.FrameFlags(0)
	if protector >= 0 && protector < fr.End() && !fr.IsDead(protector) {
		place(protector) // above what could be written beyond its end
		protected = mir.FrameProtect
	}
	inFrame := func(fi int) bool {
		return !fr.IsDead(fi) && fi != protector && !isCSR(fi) && fr.Object(fi).StackID == 0
	}
	// What overflows most easily stands nearest to the protector.
	for _, kind := range [...]mir.FrameFlags{mir.FrameLargeArray, mir.FrameSmallArray, mir.FrameAddressTaken} {
		for fi := range fr.End() {
			if inFrame(fi) && fr.Object(fi).Flags&protected == kind {
				place(fi)
			}
		}
	}
	for fi := range fr.End() {
		if inFrame(fi) && fr.Object(fi).Flags&protected == 0 {
			objects = append(objects, fi)
		}
	}
	if p.c.Opt > 0 && p.h.OrderByDensity {
		p.order(objects)
	}
	for _, fi := range objects {
		place(fi)
	}
	if fr.AdjustsStack && p.reserved() {
		offset += int64(fr.MaxCallFrameSize)
	}
	// A leaf needs no aligned stack pointer of its own.
	if fr.AdjustsStack || fr.HasVarSizedObjects || p.st.NeedsRealign(f) && fr.End() > 0 {
		offset = alignTo(offset, max(p.st.StackAlign(), maxAlign))
	} else {
		offset = alignTo(offset, maxAlign)
	}
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

// density is how often an object is accessed for its size.
type density struct {
	uses, size int64
	align      uint8
	fi         int
}

// order sorts objects so that those that are accessed most often for their size
// come last, nearest to the register that addresses them, where short offsets
// reach them: the stack pointer, or first for the frame pointer. Of equal ones
// those of less alignment come first.
func (p *pei) order(objects []int) {
	f := p.f
	if len(objects) < 2 {
		return
	}
	uses := make([]int64, f.Frame.End())
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.IsDebugInstr(i) {
				continue
			}
			for k := range f.Instr(i).NumOps() {
				if o := f.Op(i, k); o.Kind() == mir.OpFrameIndex && o.FrameIndex() >= 0 && o.FrameIndex() < len(uses) {
					uses[o.FrameIndex()]++
				}
			}
		}
	}
	ds := make([]density, len(objects))
	for k, fi := range objects {
		o := f.Frame.Object(fi)
		size := o.Size
		if size == 0 {
			size = 4 // of variable size
		}
		ds[k] = density{uses[fi], size, o.Align, fi}
	}
	slices.SortStableFunc(ds, func(a, b density) int {
		x, y := uint64(a.uses)*uint64(b.size), uint64(b.uses)*uint64(a.size)
		if x == y {
			return cmp.Compare(a.align, b.align)
		}
		return cmp.Compare(x, y)
	})
	for k := range ds {
		objects[k] = ds[k].fi
	}
	if !p.st.NeedsRealign(f) && p.st.HasFP(f) {
		slices.Reverse(objects)
	}
}
