package liveness

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// HandleMove makes the ranges true after instruction i, which had index old (its
// Of before), was moved within its block by Function.Move. The registers that it
// names are not assigned in a Matrix. It takes the time of finding their ranges
// anew; units are found again when they are asked for.
func (v *Intervals) HandleMove(i mir.InstrID, old Index) {
	v.moveMasks(i, old)
	f := v.f
	for m := range f.InBundle(f.BundleHead(i)) {
		for k := range f.Ops(m) {
			switch r := f.Op(m, k).Reg(); {
			case !f.Op(m, k).IsReg() || r == 0:
			case r.IsVirtual() && v.Has(r):
				v.Recompute(v.at(r))
			case r.IsPhysical():
				for u := range f.Facts.RegUnits(desc.PhysReg(r)).All() {
					v.refresh(u)
				}
			}
		}
	}
}

// refresh finds a unit's range anew if it is known.
func (v *Intervals) refresh(u desc.RegUnit) {
	r := v.units[u]
	if r == nil {
		return
	}
	// What comes into the function and into landing pads stays.
	vals := r.Vals[:0]
	for _, d := range r.Vals {
		if d.IsPHI() && v.comesIn(u, v.Indexes.BlockAt(d.Def)) {
			vals = append(vals, d)
		}
	}
	v.unitEdits[u]++
	r.Segs, r.Vals = r.Segs[:0], vals
	v.computeUnit(u, r)
}

// comesIn reports whether unit u is live into block b from outside.
func (v *Intervals) comesIn(u desc.RegUnit, b mir.BlockID) bool {
	f := v.f
	if b != f.FirstBlock() && f.Block(b).Flags&mir.EHPad == 0 {
		return false
	}
	for _, l := range f.LiveInsOf(b) {
		for x := range f.Facts.RegUnits(desc.PhysReg(l.Reg)).All() {
			if x == u {
				return true
			}
		}
	}
	return false
}

// moveMasks moves the register masks of i, which stood at old, to where it stands now.
func (v *Intervals) moveMasks(i mir.InstrID, old Index) {
	from, ok := slices.BinarySearch(v.masks, old.Reg())
	if !ok {
		return
	}
	v.maskLayout = 0
	bits := v.bits[from]
	v.masks, v.bits = slices.Delete(v.masks, from, from+1), slices.Delete(v.bits, from, from+1)
	at := v.Indexes.Of(i).Reg()
	to, _ := slices.BinarySearch(v.masks, at)
	v.masks, v.bits = slices.Insert(v.masks, to, at), slices.Insert(v.bits, to, bits)
}
