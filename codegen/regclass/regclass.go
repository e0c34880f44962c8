package regclass

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// Info is what allocation knows of the register classes of one function.
type Info struct {
	in *desc.Info
	st *target.Subtarget
	// reserved marks registers that allocation must not use, by register.
	reserved []bool
	next     []bool // those of the function at hand, until they are compared
	// saved has, by register, the last callee-saved register that overlaps it, 0 for none.
	saved   []desc.PhysReg
	csrs    []desc.PhysReg
	csrBuf  []desc.PhysReg
	classes []class
	// epoch is that of the classes that were found for these registers.
	epoch uint32
	list  []mir.Reg
	// limits are those of the pressure sets, of limitEpoch, widest the classes that they come from.
	limits     []int32
	limitEpoch uint32
	widest     []desc.ClassID
}

// class is the allocation order of a class and what follows from it.
type class struct {
	epoch      uint32
	order      []desc.PhysReg
	minCost    uint8
	lastChange int
	proper     bool
}

// Compute finds the reserved and the callee-saved registers of f.
func (x *Info) Compute(c *pass.Context, f *mir.Function) {
	n := len(f.Facts.Regs)
	x.next = rows.Zeroed(x.next, n)
	x.list = c.Subtarget.ReservedRegs(f, x.list[:0])
	for _, r := range x.list {
		x.next[r] = true
	}
	csrs := c.Subtarget.CalleeSaved(f, x.csrBuf[:0])
	x.csrBuf = csrs
	if x.st == c.Subtarget && slices.Equal(csrs, x.csrs) && slices.Equal(x.next, x.reserved) {
		return
	}
	x.in, x.st = f.Facts, c.Subtarget
	x.reserved, x.next = x.next, x.reserved
	x.saved = rows.Zeroed(x.saved, n)
	x.csrs = append(x.csrs[:0], csrs...)
	for _, r := range csrs {
		for _, a := range x.in.Aliases(r) {
			x.saved[a] = r
		}
	}
	x.classes = rows.Sized(x.classes, len(x.in.Classes))
	x.epoch++
}

// Differs compares the registers.
func (x *Info) Differs(o *Info) string {
	if !slices.Equal(x.csrs, o.csrs) || !slices.Equal(x.reserved, o.reserved) {
		return "the registers that may be allocated"
	}
	return ""
}

// OfCFG is true: no change of code changes what is reserved, once allocation has begun.
func (x *Info) OfCFG() bool { return true }

// IsReserved reports whether allocation must not use r.
func (x *Info) IsReserved(r desc.PhysReg) bool { return x.reserved[r] }

// IsAllocatable reports whether r belongs to an allocatable class and is not reserved.
func (x *Info) IsAllocatable(r desc.PhysReg) bool {
	return x.in.Regs[r].Flags&desc.RegInAllocatableSet != 0 && !x.reserved[r]
}

// SavedAlias returns the last callee-saved register that overlaps r, 0 for none.
func (x *Info) SavedAlias(r desc.PhysReg) desc.PhysReg { return x.saved[r] }

// CalleeSaved lists the callee-saved registers.
func (x *Info) CalleeSaved() []desc.PhysReg { return x.csrs }

func (x *Info) class(c desc.ClassID) *class {
	k := &x.classes[c]
	if k.epoch != x.epoch {
		x.compute(k, c)
	}
	return k
}

// compute finds the order of a class: the raw one, those that cost a save behind the others.
func (x *Info) compute(k *class, c desc.ClassID) {
	*k = class{epoch: x.epoch, order: k.order[:0], minCost: 255}
	last := uint8(255)
	add := func(r desc.PhysReg) {
		if cost := x.in.Regs[r].Cost; cost != last {
			k.lastChange, last = len(k.order), cost
		}
		k.order = append(k.order, r)
	}
	raw := x.in.ClassOrder(c)
	for saved := range 2 {
		for _, r := range raw {
			if x.reserved[r] || (x.saved[r] != 0) != (saved == 1) {
				continue
			}
			k.minCost = min(k.minCost, x.in.Regs[r].Cost)
			add(r)
		}
	}
	n := len(k.order)
	if super := x.st.LargestSuperClass(c); super != c {
		// The row may move: the super-class is looked at by value.
		proper := x.NumAllocatable(super) > n
		x.classes[c].proper = proper
	}
}

// Order lists the registers of a class that may be allocated, in the order in
// which to try them.
func (x *Info) Order(c desc.ClassID) []desc.PhysReg { return x.class(c).order }

// NumAllocatable is the number of registers in Order.
func (x *Info) NumAllocatable(c desc.ClassID) int { return len(x.class(c).order) }

// MinCost is the least cost per use of a register of the class.
func (x *Info) MinCost(c desc.ClassID) uint8 { return x.class(c).minCost }

// LastCostChange is the place in Order from which on all registers cost the same.
func (x *Info) LastCostChange(c desc.ClassID) int { return x.class(c).lastChange }

// IsProperSubClass reports whether a class that values of c may be moved to has
// more registers to allocate.
func (x *Info) IsProperSubClass(c desc.ClassID) bool { return x.class(c).proper }

// PressureLimit is how many units of a pressure set can be used: its limit
// without the reserved registers of the largest class that counts in it.
func (x *Info) PressureLimit(set int) int {
	if x.limitEpoch != x.epoch {
		x.findLimits()
	}
	return int(x.limits[set])
}

// findLimits finds the limits of all pressure sets.
func (x *Info) findLimits() {
	x.limitEpoch = x.epoch
	x.limits = rows.Sized(x.limits, len(x.in.PressureSets))
	x.widest = rows.Sized(x.widest, len(x.in.PressureSets))
	for s := range x.widest {
		x.widest[s] = desc.NoClass
	}
	for c := range x.in.Classes {
		p := &x.in.ClassPressure[c]
		for _, s := range x.in.PressureLists[p.Sets : p.Sets+uint32(p.NumSets)] {
			if w := x.widest[s]; w == desc.NoClass || p.Limit > x.in.ClassPressure[w].Limit {
				x.widest[s] = desc.ClassID(c)
			}
		}
	}
	for s, c := range x.widest {
		x.limits[s] = int32(x.in.PressureSets[s].Limit)
		if c == desc.NoClass {
			continue
		}
		if n := len(x.class(c).order); n > 0 {
			x.limits[s] -= int32(x.in.ClassPressure[c].Weight) * int32(len(x.in.ClassMembers(c))-n)
		}
	}
}
