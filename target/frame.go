package target

import (
	"math/bits"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// FrameHooks is what prologepilog asks of a target: data by which it lays out
// frames, and functions that emit. The stack's alignment, its direction and the
// offset of the local area (below a return address, say) are facts
// (Machine.Variant).
//
// Offsets count from the stack pointer before the call that entered the
// function (the CFA).
type FrameHooks struct {
	// FramePointer and BasePointer are the registers that hold the frame's fixed
	// address, and that of aligned objects where the stack pointer moves. 0: the
	// target has none, and functions that need one are refused by name.
	FramePointer, BasePointer desc.PhysReg
	// OtherBasePointers take its place, the first first, in functions with instructions that
	// need that register (inline assembly, calls): see Subtarget.BasePointer.
	OtherBasePointers []desc.PhysReg
	// Pins reports other instructions that need registers of their own; nil: none does.
	Pins func(op desc.Opcode) bool
	// FramePointerOffset is where the frame pointer points.
	FramePointerOffset int64
	// AlwaysFramePointer says that the frame is addressed from the frame pointer in every function.
	AlwaysFramePointer bool
	// SavesNothing says that callers' registers survive although no function saves them: the
	// machine does.
	SavesNothing bool
	// SavesFramePointer says that the prologue saves the caller's frame pointer at
	// the top of the local area by itself.
	SavesFramePointer bool
	// RedZone is how far below the stack pointer a leaf may keep its objects.
	RedZone int64
	// Push and Pop save and restore the registers of PushClass one below the
	// other, right below the return address (and the frame pointer); other
	// registers are stored below them. 0: all are stored.
	Push, Pop desc.Opcode
	PushClass desc.ClassID

	// CallPushes push a word each for a call. Where the pseudo instruction
	// before a call says in its third operand that some of the arguments are pushed
	// the area of outgoing arguments is no part of the frame.
	CallPushes []desc.Opcode

	// ShrinkWraps says that the frame may be entered and left in other blocks than the
	// first and those that return; CanEnter and CanLeave say in which, nil: in any.
	ShrinkWraps        bool
	CanEnter, CanLeave func(st *Subtarget, f *mir.Function, b mir.BlockID) bool

	// OrderByDensity has the objects that are accessed most often for their size stand
	// where short offsets reach them.
	OrderByDensity bool

	// OffsetOperand is how many operands behind a frame index its offset stands; of
	// OffsetBits bits, signed, when it is an immediate of an instruction.
	OffsetOperand, OffsetBits int
	// ReplaceFrameIndex replaces operand op (a frame index) of i by register and
	// offset where that is not all; nil: it is.
	ReplaceFrameIndex func(st *Subtarget, f *mir.Function, i mir.InstrID, op int, base mir.Reg, off int64) error

	// FrameIndexReplaced may replace an instruction by a shorter one that had a frame
	// index and has register and offset instead; nil: nothing is shorter.
	FrameIndexReplaced func(st *Subtarget, f *mir.Function, i mir.InstrID) error

	// ZeroRegs is what "zero-call-used-regs" may clear; nil: nothing.
	ZeroRegs *ZeroRegs

	// AdjustStack adds n to the stack pointer.
	AdjustStack func(st *Subtarget, b *mir.Builder, n int64) error
	// EmitPrologue and EmitEpilogue write what enters and leaves the frame; the
	// saves and restores of registers stand there already. nil: the stack pointer
	// moves by the frame's size and that is all.
	EmitPrologue func(st *Subtarget, f *mir.Function, b mir.BlockID) error
	EmitEpilogue func(st *Subtarget, f *mir.Function, b mir.BlockID) error
}

// ZeroRegs is what a function may clear before it returns.
type ZeroRegs struct {
	// Integers and Others are the registers, in the order in which they are cleared;
	// ArgIntegers and ArgOthers are those of them that arguments come in.
	Integers, Others, ArgIntegers, ArgOthers []desc.PhysReg
	// Missing reports a subtarget whose registers are not all among them.
	Missing func(st *Subtarget) bool
	// Clear makes a register zero; ClearAll clears what else there is where all is wanted.
	Clear    func(b *mir.Builder, r desc.PhysReg)
	ClearAll func(st *Subtarget, b *mir.Builder)
}

// FrameHooks are the subtarget's, or the target's.
func (st *Subtarget) FrameHooks() *FrameHooks {
	if st.Frame != nil {
		return st.Frame
	}
	return &st.Target.Frame
}

// FnAttr gives a function attribute of the IR function.
func FnAttr(f *mir.Function, key string) (string, bool) {
	if f.IR == nil || f.Module == nil {
		return "", false
	}
	a, ok := f.Module.Attrs.At(f.IR.Global().Attrs).Fn.Get(key)
	return a.Value, ok
}

// IsNaked reports a function that is its inline assembly and nothing else: no register is
// saved, no frame made.
func IsNaked(f *mir.Function) bool {
	_, naked := FnAttr(f, "naked")
	return naked
}

// NeedsCFI reports whether call frame information is wanted: for unwinding
// through the function, or to its landing pads, or for debuggers.
func NeedsCFI(f *mir.Function) bool {
	if f.IR == nil || f.Module == nil {
		return true
	}
	return Unwinds(f.Module, f.IR.Global()) || f.Module.HasDebugInfo()
}

// Unwinds reports a function that exceptions may go through, or that asks for tables
// by which it can be unwound.
func Unwinds(m *ir.Module, g *ir.Global) bool {
	attrs := m.Attrs.At(g.Attrs).Fn
	return g.Persona != 0 || attrs.Has("uwtable") || !attrs.Has("nounwind")
}

// StackAlign is log2 of the stack's alignment at calls: what the facts say of the
// architecture, unless the system's data layout has less (32-bit Windows).
func (m *Machine) StackAlign() uint8 {
	n := max(uint64(m.Variant.StackAlign), 1)
	if m.Layout != nil && m.Layout.StackAlign != 0 {
		n = min(n, m.Layout.StackAlign)
	}
	return uint8(bits.Len64(n) - 1)
}

// LocalAreaOffset is the offset of the local area.
func (m *Machine) LocalAreaOffset() int64 { return int64(m.Variant.LocalAreaOffset) }

// WordSize is the size of a pointer, and of what is pushed.
func (m *Machine) WordSize() int64 { return int64(m.Variant.PointerSize) }

// SpillAlign is log2 of the alignment that a spill slot gets that wants one: no more
// than the stack has already, for the frame's registers are chosen when allocation begins.
func (st *Subtarget) SpillAlign(f *mir.Function, want uint8) uint8 {
	return min(want, max(st.StackAlign(), f.Frame.MaxAlign))
}

// NeedsRealign reports whether an object wants more alignment than callers give.
func (st *Subtarget) NeedsRealign(f *mir.Function) bool { return f.Frame.MaxAlign > st.StackAlign() }

// needsFP reports whether the frame cannot be addressed from the stack pointer.
func (st *Subtarget) needsFP(f *mir.Function) bool {
	fr := &f.Frame
	return fr.HasVarSizedObjects || fr.IsFrameAddressTaken || fr.HasOpaqueSPAdjustment || st.NeedsRealign(f)
}

// HasFP reports whether the function has a frame pointer.
func (st *Subtarget) HasFP(f *mir.Function) bool {
	if st.FrameHooks().FramePointer == 0 {
		return false
	}
	if st.FrameHooks().AlwaysFramePointer || st.needsFP(f) {
		return true
	}
	kind := st.Options.FramePointer
	if kind == FramePointerDefault {
		switch v, _ := FnAttr(f, "frame-pointer"); v {
		case "all":
			kind = FramePointerAll
		case "non-leaf", "non-leaf-no-reserve":
			kind = FramePointerNonLeaf
		}
	}
	return (kind == FramePointerAll || kind == FramePointerNonLeaf && f.Frame.HasCalls) && !IsNaked(f)
}

// HasBasePointer reports whether the stack pointer moves and the frame pointer
// does not know where aligned objects are.
func (st *Subtarget) HasBasePointer(f *mir.Function) bool {
	return st.FrameHooks().BasePointer != 0 && st.NeedsRealign(f) && !st.HasReservedCallFrame(f)
}

// BasePointer is the register that is the base pointer of f, 0 when there is none, or none is
// left: the first that no instruction must have for itself. These keep their registers
// through allocation, which cannot give them this one, so that the answer stays the same.
func (st *Subtarget) BasePointer(f *mir.Function) desc.PhysReg {
	if !st.HasBasePointer(f) {
		return 0
	}
	h := st.FrameHooks()
	pinned := make([]uint32, st.Facts.RegWords())
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.Instr(i).Flags()&(mir.FrameSetup|mir.FrameDestroy) == 0 {
				st.addPinned(f, i, pinned)
			}
		}
	}
	for k := -1; k < len(h.OtherBasePointers); k++ {
		r := h.BasePointer
		if k >= 0 {
			r = h.OtherBasePointers[k]
		}
		if pinned[r/32]>>(r%32)&1 == 0 {
			return r
		}
	}
	return 0
}

// addPinned adds the registers that instruction i needs, or loses, whatever is allocated.
func (st *Subtarget) addPinned(f *mir.Function, i mir.InstrID, set []uint32) {
	d := f.Desc(i)
	switch op := f.Instr(i).Opcode; {
	case op == desc.INLINEASM || op == desc.INLINEASM_BR || d.IsCall() || d.IsReturn():
	case st.FrameHooks().Pins == nil || !st.FrameHooks().Pins(op):
		return
	}
	for _, o := range f.Ops(i) {
		switch {
		case o.IsReg() && o.Reg().IsPhysical():
			for _, r := range st.Facts.Aliases(desc.PhysReg(o.Reg())) {
				set[r/32] |= 1 << (r % 32)
			}
		case o.Kind() == mir.OpRegMask && d.IsCall():
			for k, saved := range f.RegMasks[o.Index()] {
				set[k] |= ^saved
			}
		}
	}
}

// HasReservedCallFrame reports whether the outgoing argument area is part of the
// frame, so that the stack pointer never moves inside of the function.
func (st *Subtarget) HasReservedCallFrame(f *mir.Function) bool {
	return !f.Frame.HasVarSizedObjects && !f.Frame.HasOpaqueSPAdjustment
}

// UsesRedZone reports whether the function is a leaf that never moves the stack
// pointer and may keep objects below it.
func (st *Subtarget) UsesRedZone(f *mir.Function) bool {
	fr := &f.Frame
	if st.FrameHooks().RedZone == 0 || fr.HasCalls || fr.AdjustsStack || fr.HasVarSizedObjects || fr.HasOpaqueSPAdjustment || st.NeedsRealign(f) {
		return false
	}
	_, no := FnAttr(f, "noredzone")
	return !no
}

// IsPushed reports whether the prologue pushes callee-saved register r.
func (st *Subtarget) IsPushed(r mir.Reg) bool {
	h := st.FrameHooks()
	return h.Push != 0 && st.Facts.ClassContains(h.PushClass, desc.PhysReg(r))
}

// PushedSize is the size of the pushed callee-saved registers.
func (st *Subtarget) PushedSize(f *mir.Function) int64 {
	n := int64(0)
	for k := range f.Frame.CalleeSaved {
		if st.IsPushed(f.Frame.CalleeSaved[k].Reg) {
			n += st.WordSize()
		}
	}
	return n
}

// FrameBases says which registers the objects of a frame are addressed from.
type FrameBases struct {
	st *Subtarget
	// base and fp are the base and frame pointer where there is one, and realign says
	// that the latter does not know where the objects are that the function makes.
	base, fp mir.Reg
	realign  bool
}

// FrameBases finds the registers of a finished frame.
func (st *Subtarget) FrameBases(f *mir.Function) FrameBases {
	b := FrameBases{st: st, realign: st.NeedsRealign(f)}
	b.base = mir.Reg(st.BasePointer(f))
	if st.HasFP(f) {
		b.fp = mir.Reg(st.FrameHooks().FramePointer)
	}
	return b
}

// Reference gives the register and the offset by which frame index fi is
// addressed; spAdj is how far the stack pointer stands below its home.
func (b *FrameBases) Reference(f *mir.Function, fi, spAdj int) (base mir.Reg, off int64) {
	st, fr := b.st, &f.Frame
	off = fr.Object(fi).Offset
	// From the stack pointer behind the prologue. Of aligned objects, whose offsets
	// count from the CFA too, only the alignment of that is lost.
	bySP := off - st.LocalAreaOffset() + int64(fr.StackSize)
	if st.Variant.StackGrowsUp {
		bySP -= 2 * int64(fr.StackSize)
	}
	switch {
	case fi >= 0 && b.base != 0:
		return b.base, bySP
	case b.fp != 0 && !(fi >= 0 && b.realign):
		return b.fp, off - st.FrameHooks().FramePointerOffset
	}
	return mir.Reg(st.Variant.StackPointer), bySP + int64(spAdj)
}

// OptForSize reports that the code of f is to be small rather than fast (optsize, minsize).
func OptForSize(f *mir.Function) bool {
	if f.IR == nil || f.Module == nil {
		return false
	}
	a := f.Module.Attrs.At(f.IR.Global().Attrs).Fn
	return a.Has("optsize") || a.Has("minsize")
}

// HasProfile reports that f has a profile: how often it was entered is known.
func HasProfile(f *mir.Function) bool {
	if f.IR == nil || f.Module == nil {
		return false
	}
	m := f.Module
	for _, a := range f.IR.Global().MD {
		if m.MDKinds()[a.Kind] != "prof" {
			continue
		}
		n := m.MD.At(a.Node)
		if n == nil || len(n.Ops) < 2 {
			return false
		}
		name := m.MD.At(n.Ops[0])
		return name != nil && name.Str == "function_entry_count"
	}
	return false
}
