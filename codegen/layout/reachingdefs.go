package layout

import (
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// neverWritten is the clearance of a register that nothing wrote.
const neverWritten = 1 << 21

// maxClearanceRounds bounds how often the blocks are gone through until
// clearances around loops are known: each round follows one more back edge.
const maxClearanceRounds = 4

// reachingDefs knows how many instructions ago registers were written, on the
// shortest way: LLVM's reaching definitions, of the registers alone that somebody
// asks about. reset, addUnits and compute find what holds at the ends of blocks;
// begin and step follow one block.
type reachingDefs struct {
	f *mir.Function
	// slot has for each register unit that is asked about one more than its row in
	// the tables below; units are all of them.
	slot  []int32
	units int
	// out has for each block and slot how many instructions before the block's end
	// the unit was written last; in likewise for the block's begin.
	in, out []int32
	last    []int32 // in the current block: the number of the instruction, or -in
	rpo     []mir.BlockID

	// hot are the registers that have a part with a slot.
	hot []bool
}

// reset forgets what was asked about another function.
func (d *reachingDefs) reset(f *mir.Function) {
	d.f = f
	d.slot = append(d.slot[:0], make([]int32, f.Facts.NumUnits())...)
	d.hot = append(d.hot[:0], make([]bool, len(f.Facts.Regs))...)
	d.units = 0
}

// addUnits gives slots to the units of r.
func (d *reachingDefs) addUnits(r desc.PhysReg) {
	for u := range d.f.Facts.RegUnits(r).All() {
		if d.slot[u] == 0 {
			d.units++
			d.slot[u] = int32(d.units)
			for _, a := range d.f.Facts.Aliases(r) {
				d.hot[a] = true
			}
		}
	}
}

// compute finds in and out of all blocks.
func (d *reachingDefs) compute(g *analysis.Graph) {
	f := d.f
	d.rpo = d.rpo[:0]
	for _, n := range g.RPO() {
		d.rpo = append(d.rpo, mir.BlockID(n))
	}
	n := f.NumBlockIDs() * d.units
	d.in, d.out = refill(d.in, n), refill(d.out, n)
	for range maxClearanceRounds {
		changed := false
		for _, b := range d.rpo {
			changed = d.flow(b) || changed
		}
		if !changed {
			break
		}
	}
}

// refill gives n entries of neverWritten.
func refill(s []int32, n int) []int32 {
	s = rows.Sized(s, n)
	for k := range s {
		s[k] = neverWritten
	}
	return s
}

// begin sets d.last to what is known where b begins.
func (d *reachingDefs) begin(b mir.BlockID) {
	f := d.f
	in := d.in[int(b)*d.units:][:d.units]
	for _, p := range f.Preds(b) {
		for k, v := range d.out[int(p)*d.units:][:d.units] {
			in[k] = min(in[k], v)
		}
	}
	if f.NumPreds(b) == 0 {
		for _, l := range f.LiveInsOf(b) {
			for u := range f.Facts.RegUnits(desc.PhysReg(l.Reg)).All() {
				if s := d.slot[u]; s > 0 {
					in[s-1] = 1
				}
			}
		}
	}
	d.last = rows.Sized(d.last, d.units)
	for k, v := range in {
		d.last[k] = -v
	}
}

// step takes note of what instruction i, number n of its block, writes.
func (d *reachingDefs) step(i mir.InstrID, n int32) {
	for _, o := range d.f.Ops(i) {
		if !o.IsDef() || !o.Reg().IsPhysical() || !d.hot[o.Reg()] {
			continue
		}
		for u := range d.f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
			if s := d.slot[u]; s > 0 {
				d.last[s-1] = n
			}
		}
	}
}

// flow finds out of b and reports whether it changed.
func (d *reachingDefs) flow(b mir.BlockID) bool {
	d.begin(b)
	n := int32(0)
	for i := d.f.Block(b).First(); i != 0; i = d.f.Instr(i).Next() {
		if !d.f.IsDebugInstr(i) {
			d.step(i, n)
			n++
		}
	}
	changed := false
	out := d.out[int(b)*d.units:][:d.units]
	for k, at := range d.last {
		if v := min(n-at, neverWritten); v != out[k] {
			out[k], changed = v, true
		}
	}
	return changed
}

// clearance is how many instructions before number n register r was written.
func (d *reachingDefs) clearance(r mir.Reg, n int32) int {
	least := int32(neverWritten)
	for u := range d.f.Facts.RegUnits(desc.PhysReg(r)).All() {
		if s := d.slot[u]; s > 0 {
			least = min(least, n-d.last[s-1])
		}
	}
	return int(least)
}
