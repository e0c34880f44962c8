package layout

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// BreakFalseDeps keeps instructions from waiting for registers whose value they
// do not need: operands that are undefined become registers that are long known
// or that the instruction needs anyway, and where an instruction writes a part of
// a register that was written a short time ago, the register is cleared before it.
//
// How long ago a register was written is counted in instructions on the shortest
// way. It is asked of the few registers of such instructions alone; functions
// without them cost one look at each opcode.
var BreakFalseDeps = pass.Pass{
	Name:     "break-false-deps",
	Title:    "BreakFalseDeps",
	Requires: mir.NoVRegs,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runBreakFalseDeps,
}

// falseDeps is memory between functions.
type falseDeps struct {
	c *pass.Context
	reachingDefs
	order []desc.PhysReg
	undef []undefRead
	live  []bool // by register unit

	reserved []mir.Reg
}

type undefRead struct {
	i  mir.InstrID
	op int
}

func runBreakFalseDeps(c *pass.Context, f *mir.Function) error {
	h := &c.Machine.Target.Instr
	if h.PartialUpdate == nil && h.UndefRead == nil {
		return nil
	}
	d := pass.Scratch[falseDeps](c)
	d.c, d.reserved = c, d.reserved[:0]
	d.reset(f)
	if !d.findUnits() {
		return nil
	}
	d.compute(&pass.Get[pass.CFG](c, f).Graph)
	for _, b := range d.rpo {
		d.block(b)
	}
	return nil
}

// wanted gives the clearance that an instruction wants for operand k, 0 for none.
func (d *falseDeps) wanted(i mir.InstrID, k int) int {
	h, o := &d.c.Machine.Target.Instr, d.f.Op(i, k)
	switch {
	case !o.IsReg() || !o.Reg().IsPhysical():
		return 0
	case o.IsDef():
		if h.PartialUpdate == nil || k >= int(d.f.Desc(i).NumDefs) {
			return 0
		}
		return h.PartialUpdate(d.c.Subtarget, d.f, i, k)
	case o.IsUndef() && !o.IsImplicit() && h.UndefRead != nil:
		return h.UndefRead(d.c.Subtarget, d.f, i, k)
	}
	return 0
}

// findUnits gives slots to the units of registers that are asked about; false
// when there are none.
func (d *falseDeps) findUnits() bool {
	f, h, st := d.f, &d.c.Machine.Target.Instr, d.c.Subtarget
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			row := f.Desc(i)
			defs, n := int(row.NumDefs), min(int(row.NumOperands), f.Instr(i).NumOps())
			for k := range f.Ops(i)[:n] {
				o := f.Op(i, k)
				switch {
				case !o.IsReg() || !o.Reg().IsPhysical():
				case k < defs:
					if h.PartialUpdate != nil && h.PartialUpdate(st, f, i, k) > 0 {
						d.addUnits(desc.PhysReg(o.Reg()))
					}
				case o.IsUndef() && d.wanted(i, k) > 0:
					d.addUnits(desc.PhysReg(o.Reg()))
					if o.Flags()&mir.Renamable != 0 {
						d.appendOrder(i, k)
						for _, r := range d.order {
							d.addUnits(r)
						}
					}
				}
			}
		}
	}
	return d.units > 0
}

// appendOrder makes d.order the registers that may stand in operand k: those of
// its class that are not reserved.
func (d *falseDeps) appendOrder(i mir.InstrID, k int) {
	in := d.f.Facts
	d.order = d.order[:0]
	c := in.OperandClass(d.f.Instr(i).Opcode, k, in.DefaultMode)
	if c == desc.NoClass {
		return
	}
	if len(d.reserved) == 0 {
		d.reserved = d.c.Subtarget.ReservedRegs(d.f, d.reserved)
	}
	for _, r := range in.ClassOrder(c) {
		if !slices.Contains(d.reserved, mir.Reg(r)) {
			d.order = append(d.order, r)
		}
	}
}

// block breaks the dependencies of one block.
func (d *falseDeps) block(b mir.BlockID) {
	f := d.f
	d.begin(b)
	d.undef = d.undef[:0]
	_, small := target.FnAttr(f, "minsize")
	n := int32(0)
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		if f.IsDebugInstr(i) {
			continue
		}
		declared := min(int(f.Desc(i).NumOperands), f.Instr(i).NumOps())
		for k := int(f.Desc(i).NumDefs); k < declared; k++ {
			if want := d.wanted(i, k); want > 0 && !d.renameUndef(i, k, n, want) && d.clearance(f.Op(i, k).Reg(), n) < want {
				d.undef = append(d.undef, undefRead{i, k})
			}
		}
		for k := 0; k < int(f.Desc(i).NumDefs) && k < declared && !small; k++ {
			if want := d.wanted(i, k); want > 0 && d.clearance(f.Op(i, k).Reg(), n) < want {
				d.c.Machine.Target.Instr.BreakDependency(d.c.Subtarget, f, i, k)
			}
		}
		d.step(i, n)
		n++
	}
	if len(d.undef) > 0 && !small {
		d.breakUndef(b)
	}
}

// renameUndef gives undefined operand k another register: one that i waits for
// anyway, and then it returns true, or the one that was written longest ago.
func (d *falseDeps) renameUndef(i mir.InstrID, k int, n int32, want int) bool {
	f := d.f
	o := *f.Op(i, k)
	if o.IsTied() || o.Flags()&mir.Renamable == 0 {
		return false
	}
	for u := range f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
		if f.Facts.Units[u][1] != 0 {
			return false
		}
	}
	class := f.Facts.OperandClass(f.Instr(i).Opcode, k, f.Facts.DefaultMode)
	if class == desc.NoClass {
		return false
	}
	for _, x := range f.Ops(i) {
		if x.IsUse() && x.Reg().IsPhysical() && !x.IsUndef() && f.Facts.ClassContains(class, desc.PhysReg(x.Reg())) {
			f.SetReg(i, k, x.Reg())
			f.SetOpFlag(i, k, mir.Renamable, false)
			return true
		}
	}
	best, most := o.Reg(), 0
	d.appendOrder(i, k)
	for _, r := range slices.Backward(d.order) {
		if c := d.clearance(mir.Reg(r), n); c > most {
			best, most = mir.Reg(r), c
			if most > want {
				break
			}
		}
	}
	if best != o.Reg() {
		f.SetReg(i, k, best)
		f.SetOpFlag(i, k, mir.Renamable, false)
	}
	return false
}

// breakUndef clears, before the instructions in d.undef, the registers that
// nothing needs there.
func (d *falseDeps) breakUndef(b mir.BlockID) {
	f := d.f
	units := func(r mir.Reg, do func(u desc.RegUnit)) {
		for u := range f.Facts.RegUnits(desc.PhysReg(r)).All() {
			do(u)
		}
	}
	d.live = append(d.live[:0], make([]bool, f.Facts.NumUnits())...)
	for _, s := range f.Succs(b) {
		for _, l := range f.LiveInsOf(s.Block) {
			units(l.Reg, func(u desc.RegUnit) { d.live[u] = true })
		}
	}
	for i := f.Block(b).Last(); i != 0 && len(d.undef) > 0; i = f.Instr(i).Prev() {
		if f.IsDebugInstr(i) {
			continue
		}
		for _, o := range f.Ops(i) {
			if o.IsDef() && o.Reg().IsPhysical() {
				units(o.Reg(), func(u desc.RegUnit) { d.live[u] = false })
			}
		}
		for _, o := range f.Ops(i) {
			if o.IsUse() && o.Reg().IsPhysical() && !o.IsUndef() {
				units(o.Reg(), func(u desc.RegUnit) { d.live[u] = true })
			}
		}
		for len(d.undef) > 0 && d.undef[len(d.undef)-1].i == i {
			k := d.undef[len(d.undef)-1].op
			d.undef = d.undef[:len(d.undef)-1]
			alive := false
			units(f.Op(i, k).Reg(), func(u desc.RegUnit) { alive = alive || d.live[u] })
			if !alive {
				d.c.Machine.Target.Instr.BreakDependency(d.c.Subtarget, f, i, k)
			}
		}
	}
}
