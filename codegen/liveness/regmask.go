package liveness

import (
	"slices"

	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// findMasks lists the instructions with register masks: calls.
func (v *Intervals) findMasks() {
	f := v.f
	v.masks, v.bits, v.maskLayout = v.masks[:0], v.bits[:0], 0
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			for k := range f.Ops(i) {
				if o := f.Op(i, k); o.Kind() == mir.OpRegMask {
					v.masks = append(v.masks, v.Indexes.Of(i).Reg())
					v.bits = append(v.bits, f.RegMasks[o.Index()])
				}
			}
		}
	}
}

// RegMaskSlots lists the register slots of the instructions with register masks, in order.
func (v *Intervals) RegMaskSlots() []Index { return v.masks }

// RegMaskBits lists the masks of RegMaskSlots; a set bit is preserved.
func (v *Intervals) RegMaskBits() [][]uint32 { return v.bits }

// RegMaskSlotsIn lists the slots and masks of one block.
func (v *Intervals) RegMaskSlotsIn(b mir.BlockID) ([]Index, [][]uint32) {
	if v.maskLayout != v.Indexes.layout {
		v.findMaskRows()
	}
	r := v.maskRows[b]
	return v.masks[r[0]:r[1]], v.bits[r[0]:r[1]]
}

// findMaskRows finds the rows of masks of each block.
func (v *Intervals) findMaskRows() {
	x := v.Indexes
	v.maskLayout = x.layout
	v.maskRows = rows.Zeroed(v.maskRows, v.f.NumBlockIDs())
	k := 0
	for n := range x.order {
		end := x.end
		if n+1 < len(x.order) {
			end = x.order[n+1].at
		}
		from := k
		for k < len(v.masks) && v.masks[k] < end {
			k++
		}
		v.maskRows[x.order[n].b] = [2]int32{int32(from), int32(k)}
	}
}

// CheckRegMasks reports whether li is live across an instruction with a register
// mask. Then usable, which has room for a bit for each register, holds the
// registers that all of them preserve.
func (v *Intervals) CheckRegMasks(li *Interval, usable []uint32) bool {
	if li.Empty() {
		return false
	}
	slots := v.masks
	// A statepoint or call of one block needs no look at the others'.
	k, _ := slices.BinarySearch(slots, li.Begin())
	found := false
	join := func(mask []uint32) {
		if !found {
			found = true
			copy(usable, mask)
			return
		}
		for w := range usable {
			usable[w] &= mask[w]
		}
	}
	for s := 0; ; {
		for k < len(slots) && slots[k] < li.Segs[s].End {
			if slots[k] >= li.Segs[s].Start {
				join(v.bits[k])
			}
			k++
		}
		if k == len(slots) {
			return found
		}
		// *k is the first slot behind segment s.
		if s = li.AdvanceTo(s, slots[k]); s == len(li.Segs) {
			return found
		}
		if slots[k] < li.Segs[s].Start {
			d, _ := slices.BinarySearch(slots[k:], li.Segs[s].Start)
			if k += d; k == len(slots) {
				return found
			}
		}
	}
}
