package regalloc

import (
	"math/bits"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// The state of the fast allocator: register units, live virtual registers,
// the choice of a register, spills and reloads.

func (a *fastAlloc) mark(m []uint32, r desc.PhysReg) {
	for u := range a.in.RegUnits(r).All() {
		m[u] = a.epoch
	}
}

func (a *fastAlloc) marked(m []uint32, r desc.PhysReg) bool {
	for u := range a.in.RegUnits(r).All() {
		if m[u] == a.epoch {
			return true
		}
	}
	return false
}

func (a *fastAlloc) setUnits(r desc.PhysReg, state uint32) {
	for u := range a.in.RegUnits(r).All() {
		a.units[u] = state
	}
}

// anyPhys reports whether an instruction below reads a part of r by name.
func (a *fastAlloc) anyPhys(r desc.PhysReg) bool {
	for u := range a.in.RegUnits(r).All() {
		if a.units[u] == unitPhys {
			return true
		}
	}
	return false
}

// anyVirt reports whether a virtual register holds a part of r.
func (a *fastAlloc) anyVirt(r desc.PhysReg) bool {
	for u := range a.in.RegUnits(r).All() {
		if a.units[u] >= unitVirt {
			return true
		}
	}
	return false
}

func (a *fastAlloc) assign(n int, p desc.PhysReg) {
	a.vregs[n].phys = p
	a.live = append(a.live, int32(n))
	a.setUnits(p, unitVirt+uint32(n))
}

// release ends the life of virtual register n above this point.
func (a *fastAlloc) release(n int) {
	for u := range a.in.RegUnits(a.vregs[n].phys).All() {
		if a.units[u] == unitVirt+uint32(n) {
			a.units[u] = unitFree
		}
	}
	a.vregs[n].phys = 0
	for l, x := range a.live {
		if int(x) == n {
			last := len(a.live) - 1
			a.live[l] = a.live[last]
			a.live = a.live[:last]
			break
		}
	}
}

// displace takes the register of n away from instruction i upwards: it is
// loaded again behind i.
func (a *fastAlloc) displace(i mir.InstrID, n int) error {
	v := &a.vregs[n]
	p := v.phys
	a.release(n)
	v.reloaded = true
	a.c.Count("regallocfast", "Number of loads added", 1)
	return a.load(a.block, a.f.Instr(i).Next(), n, p)
}

// displaceUnits displaces every virtual register that holds a part of r.
func (a *fastAlloc) displaceUnits(i mir.InstrID, r desc.PhysReg) error {
	for u := range a.in.RegUnits(r).All() {
		if s := a.units[u]; s >= unitVirt {
			if err := a.displace(i, int(s-unitVirt)); err != nil {
				return err
			}
		}
	}
	return nil
}

// order lists the registers of a class that may be used, in the order to try them.
func (a *fastAlloc) order(class int) []desc.PhysReg {
	if o := a.orders[class]; o != nil {
		return o
	}
	from := a.in.ClassOrder(desc.ClassID(class))
	o := make([]desc.PhysReg, 0, len(from))
	for _, r := range from {
		if !a.reserved[r] {
			o = append(o, r)
		}
	}
	a.orders[class] = o
	return o
}

// pick chooses a register for virtual register n at instruction i: a hinted or
// free one, else the one whose holders cost least to displace. Uses and
// exclusive definitions (tied, early clobber, partial) avoid what the uses of i
// need; definitions avoid the other definitions.
func (a *fastAlloc) pick(i mir.InstrID, n int, exclusive, def bool) (desc.PhysReg, error) {
	class := int(a.f.VReg(mir.VReg(n)).Class)
	if class < 0 {
		return 0, a.c.Subtarget.NotSupported(a.f, "register %"+itoa(n)+" without a class in regallocfast")
	}
	order := a.order(class)
	hint := a.hint(i, n)
	if hint != 0 && !a.reserved[hint] && a.in.ClassContains(desc.ClassID(class), hint) && a.cost(hint, exclusive, def) == 0 {
		return hint, nil
	}
	best, bestCost := desc.PhysReg(0), maxCost
	for _, p := range order {
		c := a.cost(p, exclusive, def)
		if c == 0 {
			return p, nil
		}
		if c < bestCost {
			best, bestCost = p, c
		}
	}
	if best == 0 {
		return 0, a.c.Subtarget.NotSupported(a.f, "running out of registers of class "+a.in.RegClassName(desc.ClassID(class))+" in one instruction")
	}
	return best, a.displaceUnits(i, best)
}

const maxCost = 1 << 30

// Costs of displacing: a register whose definition stores anyway costs a
// reload, any other one a store too.
const (
	costReload = 50
	costSpill  = 100
)

// cost says what it costs to take p at the current instruction: 0 when it is
// free, maxCost when it cannot be had.
func (a *fastAlloc) cost(p desc.PhysReg, exclusive, def bool) int {
	if exclusive && a.isClobbered(p) {
		return maxCost
	}
	total := 0
	last := uint32(0)
	for u := range a.in.RegUnits(p).All() {
		if def && a.defMark[u] == a.epoch || exclusive && a.useMark[u] == a.epoch {
			return maxCost
		}
		switch s := a.units[u]; {
		case s == unitFree || s == last:
		case s == unitPhys:
			return maxCost
		default:
			last = s
			if v := &a.vregs[s-unitVirt]; v.reloaded || v.crosses && v.pendingBlock != a.block {
				total += costReload
			} else {
				total += costSpill
			}
		}
	}
	return total
}

// hint names the register that would make a copy of n disappear.
func (a *fastAlloc) hint(i mir.InstrID, n int) desc.PhysReg {
	f := a.f
	if f.Instr(i).Opcode == desc.COPY {
		// A source takes the place of the destination.
		if d, s := f.Op(i, 0), f.Op(i, 1); s.Reg() == mir.VReg(n) && d.Reg().IsPhysical() && d.SubReg() == 0 && s.SubReg() == 0 {
			return desc.PhysReg(d.Reg())
		}
	}
	// A value copied from a physical register stays there; look through a few copies
	// into a few definitions.
	left := maxHintCopies
	for id := f.FirstUse(mir.VReg(n)); id != 0 && f.OpAt(id).IsDef() && left > 0; id = f.NextUse(id) {
		d, _ := f.Owner(id)
		if src := fullCopyOf(f, d); src != 0 {
			if p := a.traceCopies(src); p != 0 {
				return p
			}
		}
		left--
	}
	return 0
}

// maxHintCopies bounds the definitions and the copies that are looked through for a hint.
const maxHintCopies = 3

// traceCopies is the physical register that r was copied from, 0 for none.
func (a *fastAlloc) traceCopies(r mir.Reg) desc.PhysReg {
	for range maxHintCopies + 1 {
		if r.IsPhysical() {
			return desc.PhysReg(r)
		}
		d := a.f.UniqueDef(r)
		if d == 0 {
			return 0
		}
		if r = fullCopyOf(a.f, d); r == 0 {
			return 0
		}
	}
	return 0
}

// fullCopyOf is the register that i copies whole, 0 for other instructions.
func fullCopyOf(f *mir.Function, i mir.InstrID) mir.Reg {
	if f.Instr(i).Opcode != desc.COPY || f.Op(i, 0).SubReg() != 0 || f.Op(i, 1).SubReg() != 0 {
		return 0
	}
	return f.Op(i, 1).Reg()
}

func (a *fastAlloc) slot(n int) int {
	v := &a.vregs[n]
	if v.slot == noSlot {
		cs := a.in.ClassSize(desc.ClassID(a.f.VReg(mir.VReg(n)).Class), a.in.DefaultMode)
		v.slot = int32(a.f.Frame.CreateStackObject(int64(cs.SpillSize), a.c.Subtarget.SpillAlign(a.f, uint8(bits.Len16(cs.SpillAlign)-1)), mir.FrameSpill))
	}
	return int(v.slot)
}

// store saves n, which instruction i defines in p, behind i.
func (a *fastAlloc) store(i mir.InstrID, n int, p desc.PhysReg, kill bool) error {
	fi := a.slot(n)
	a.c.Count("regallocfast", "Number of stores added", 1)
	return a.c.Subtarget.StoreRegToStack(a.f, a.block, a.f.Instr(i).Next(), mir.Reg(p), kill, fi, a.f.VReg(mir.VReg(n)).Class, 0)
}

// load puts the slot of n into p before at.
func (a *fastAlloc) load(b mir.BlockID, at mir.InstrID, n int, p desc.PhysReg) error {
	return a.c.Subtarget.LoadRegFromStack(a.f, b, at, mir.Reg(p), a.slot(n), a.f.VReg(mir.VReg(n)).Class, 0)
}

func itoa(n int) string { return strconv.Itoa(n) }
