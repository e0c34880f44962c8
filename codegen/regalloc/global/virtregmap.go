package global

import (
	"math/bits"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regalloc/check"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// VirtRegMap is what allocation decides of each virtual register: its physical
// register or its stack slot, from which register it was split off, and where it
// would like to be. Allocators fill it in, virtregrewriter carries it out.
//
// It is LLVM's virtregmap: a state of the function that passes from pass to
// pass rather than facts that could be found again.
type VirtRegMap struct {
	f    *mir.Function
	rows []virtReg
	// hintRegs has the hints of all registers, those of one in a run.
	hintRegs []mir.Reg
	// snapshot is the function before allocation where that is to be proved.
	snapshot *check.Snapshot
}

type virtReg struct {
	phys desc.PhysReg // 0: none yet, or on the stack
	slot int32        // frame index, noSlot for none
	// original is the register of the input that this one is a part of.
	original mir.Reg
	// hints are hintRegs[hintOff:hintOff+hintNum], best first.
	hintOff, hintNum uint32
}

const noSlot = mir.NoFrameIndex

// Compute begins with an empty map.
func (m *VirtRegMap) Compute(_ *pass.Context, f *mir.Function) {
	m.f, m.rows, m.hintRegs, m.snapshot = f, m.rows[:0], m.hintRegs[:0], nil
}

// Differs is "": what is decided cannot be computed.
func (m *VirtRegMap) Differs(*VirtRegMap) string { return "" }

// OfCFG is false.
func (m *VirtRegMap) OfCFG() bool { return false }

func (m *VirtRegMap) row(r mir.Reg) *virtReg {
	n := r.Index()
	if n < len(m.rows) {
		return &m.rows[n]
	}
	if n >= cap(m.rows) {
		m.rows = append(make([]virtReg, 0, max(2*cap(m.rows), m.f.NumVRegs()*3/2)), m.rows...)
	}
	for k := len(m.rows); k <= n; k++ {
		m.rows = append(m.rows, virtReg{slot: noSlot, original: mir.VReg(k)})
	}
	return &m.rows[n]
}

// Phys returns the physical register that r was given, 0 for none.
func (m *VirtRegMap) Phys(r mir.Reg) desc.PhysReg { return m.row(r).phys }

func (m *VirtRegMap) setPhys(r mir.Reg, p desc.PhysReg) { m.row(r).phys = p }

// Original returns the register of the input that r is a part of.
func (m *VirtRegMap) Original(r mir.Reg) mir.Reg { return m.row(r).original }

// split makes r a part of the register that from is a part of.
func (m *VirtRegMap) split(r, from mir.Reg) {
	o := m.Original(from)
	m.row(r).original = o
}

// Slot returns the stack slot of r, noSlot for none. All parts of a register share one.
func (m *VirtRegMap) Slot(r mir.Reg) int { return int(m.row(m.Original(r)).slot) }

// makeSlot returns the stack slot of r, creating it.
func (m *VirtRegMap) makeSlot(st *target.Subtarget, r mir.Reg) (fi int, isNew bool) {
	o := m.row(m.Original(r))
	if o.slot != noSlot {
		return int(o.slot), false
	}
	in := m.f.Facts
	cs := in.ClassSize(desc.ClassID(m.f.VReg(r).Class), in.DefaultMode)
	fi = m.f.Frame.CreateStackObject(int64(cs.SpillSize), st.SpillAlign(m.f, uint8(bits.Len16(max(cs.SpillAlign, 1))-1)), mir.FrameSpill)
	o.slot = int32(fi)
	return fi, true
}

// hints lists the registers, physical and virtual ones, that r would like to
// share, the best first.
func (m *VirtRegMap) hints(r mir.Reg) []mir.Reg {
	x := m.row(r)
	return m.hintRegs[x.hintOff : x.hintOff+x.hintNum]
}

func (m *VirtRegMap) setHints(r mir.Reg, hints []mir.Reg) {
	x := m.row(r)
	if uint32(len(hints)) > x.hintNum {
		x.hintOff = uint32(len(m.hintRegs))
		m.hintRegs = append(m.hintRegs, hints...)
	}
	x.hintNum = uint32(len(hints))
	copy(m.hintRegs[x.hintOff:], hints)
}

// simpleHint is the best hint, 0 for none.
func (m *VirtRegMap) simpleHint(r mir.Reg) mir.Reg {
	if h := m.hints(r); len(h) > 0 {
		return h[0]
	}
	return 0
}

// physOf follows a virtual register to what it was given.
func (m *VirtRegMap) physOf(r mir.Reg) desc.PhysReg {
	if r.IsVirtual() {
		return m.Phys(r)
	}
	return desc.PhysReg(r)
}

// hasPreferred reports whether r was given what it wanted most.
func (m *VirtRegMap) hasPreferred(r mir.Reg) bool {
	h := m.simpleHint(r)
	return h != 0 && m.physOf(h) == m.Phys(r)
}

// knowsPreference reports whether the physical register that r wants most is known.
func (m *VirtRegMap) knowsPreference(r mir.Reg) bool {
	h := m.simpleHint(r)
	return h != 0 && m.physOf(h) != 0
}
