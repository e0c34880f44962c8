package x86

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// frameHooks lay out the System V stack frame. From high to low addresses:
//
//	incoming stack arguments        offset   0 (the CFA)
//	return address                  offset  -8
//	saved RBP, with a frame pointer offset -16; RBP points here
//	pushed callee-saved registers
//	locals and spill slots
//	outgoing stack arguments        RSP points here
//
// A leaf function keeps up to 128 bytes below RSP (the red zone) without
// moving RSP. Over-aligned objects make the prologue align RSP; then locals are
// addressed from RSP, or from the base pointer RBX when RSP moves.
var frameHooks = target.FrameHooks{
	StackAlign:               4,
	LocalAreaOffset:          -8,
	DetermineCalleeSaves:     determineCalleeSaves,
	AssignCalleeSavedSlots:   assignCalleeSavedSlots,
	SpillCalleeSaved:         spillCalleeSaved,
	RestoreCalleeSaved:       restoreCalleeSaved,
	EmitPrologue:             emitPrologue,
	EmitEpilogue:             emitEpilogue,
	EliminateCallFramePseudo: eliminateCallFramePseudo,
	EliminateFrameIndex:      eliminateFrameIndex,
	HasFP:                    hasFP,
	HasReservedCallFrame:     hasReservedCallFrame,
}

const slotSize = 8

func fnAttr(f *mir.Function, key string) (string, bool) {
	if f.IR == nil || f.Module == nil {
		return "", false
	}
	a, ok := f.Module.Attrs.At(f.IR.Global().Attrs).Fn.Get(key)
	return a.Value, ok
}

// needsRealign reports whether an object wants more alignment than callers give.
func needsRealign(f *mir.Function) bool { return f.Frame.MaxAlign > 4 }

func hasFP(st *target.Subtarget, f *mir.Function) bool {
	fr := &f.Frame
	if fr.HasVarSizedObjects || fr.IsFrameAddressTaken || fr.HasOpaqueSPAdjustment || needsRealign(f) {
		return true
	}
	kind := st.Options.FramePointer
	if kind == target.FramePointerDefault {
		switch v, _ := fnAttr(f, "frame-pointer"); v {
		case "all":
			kind = target.FramePointerAll
		case "non-leaf", "non-leaf-no-reserve":
			kind = target.FramePointerNonLeaf
		}
	}
	return kind == target.FramePointerAll || kind == target.FramePointerNonLeaf && fr.HasCalls
}

// hasBasePointer: RSP moves and RBP does not know where the aligned locals are.
func hasBasePointer(_ *target.Subtarget, f *mir.Function) bool {
	return needsRealign(f) && (f.Frame.HasVarSizedObjects || f.Frame.HasOpaqueSPAdjustment)
}

func hasReservedCallFrame(_ *target.Subtarget, f *mir.Function) bool {
	return !f.Frame.HasVarSizedObjects && !f.Frame.HasOpaqueSPAdjustment
}

func determineCalleeSaves(st *target.Subtarget, f *mir.Function, saved map[mir.Reg]bool) {
	if hasBasePointer(st, f) {
		saved[reg(tab.RBX)] = true
	}
}

func assignCalleeSavedSlots(st *target.Subtarget, f *mir.Function, csi []mir.CalleeSavedInfo) bool {
	off := int64(-slotSize)
	if hasFP(st, f) {
		// The prologue pushes RBP right below the return address.
		off -= slotSize
		f.Frame.CreateFixedObject(slotSize, off, 4, mir.FrameSpill)
	}
	// The register listed last is pushed first; vector registers are below.
	for k := len(csi) - 1; k >= 0; k-- {
		if isPushed(f, csi[k].Reg) {
			off -= slotSize
			csi[k].FI = f.Frame.CreateFixedObject(slotSize, off, 3, mir.FrameSpill)
		}
	}
	for k := len(csi) - 1; k >= 0; k-- {
		if !isPushed(f, csi[k].Reg) {
			off = (off - vecSlotSize) &^ (vecSlotSize - 1)
			csi[k].FI = f.Frame.CreateFixedObject(vecSlotSize, off, 4, mir.FrameSpill)
		}
	}
	return true
}

// vecSlotSize is the size and alignment of the slot of a saved XMM register.
const vecSlotSize = 16

// isPushed tells general registers, which are pushed, from vector registers.
func isPushed(f *mir.Function, r mir.Reg) bool {
	return f.Facts.ClassContains(tab.GR64RegClassID, desc.PhysReg(r))
}

// pushedSize is the size of the pushed callee-saved registers.
func pushedSize(f *mir.Function) int64 {
	n := int64(0)
	for k := range f.Frame.CalleeSaved {
		if isPushed(f, f.Frame.CalleeSaved[k].Reg) {
			n += slotSize
		}
	}
	return n
}

// killUnlessArgument is the flag of a register that is saved: the function
// still reads it when an argument came in it.
func killUnlessArgument(f *mir.Function, r mir.Reg) mir.OpFlags {
	for _, l := range f.LiveIns {
		if f.Facts.Overlap(desc.PhysReg(l.Phys), desc.PhysReg(r)) {
			return 0
		}
	}
	return mir.Kill
}

func spillCalleeSaved(st *target.Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, csi []mir.CalleeSavedInfo) (bool, error) {
	for k := len(csi) - 1; k >= 0; k-- {
		if !isPushed(f, csi[k].Reg) {
			continue
		}
		i := f.New(tab.PUSH64r, mir.RegOp(csi[k].Reg, killUnlessArgument(f, csi[k].Reg)))
		f.AddImplicitOps(i)
		f.Instr(i).SetFlags(mir.FrameSetup)
		f.InsertBefore(b, at, i)
	}
	for k := len(csi) - 1; k >= 0; k-- {
		if isPushed(f, csi[k].Reg) {
			continue
		}
		if err := instrHooks.StoreRegToStack(st, f, b, at, csi[k].Reg, killUnlessArgument(f, csi[k].Reg) != 0, csi[k].FI, int16(tab.VR128RegClassID), mir.FrameSetup); err != nil {
			return true, err
		}
	}
	return true, nil
}

func restoreCalleeSaved(st *target.Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, csi []mir.CalleeSavedInfo) (bool, error) {
	for k := range csi {
		if isPushed(f, csi[k].Reg) {
			continue
		}
		if err := instrHooks.LoadRegFromStack(st, f, b, at, csi[k].Reg, csi[k].FI, int16(tab.VR128RegClassID), mir.FrameDestroy); err != nil {
			return true, err
		}
	}
	for k := range csi {
		if !isPushed(f, csi[k].Reg) {
			continue
		}
		i := f.New(tab.POP64r, mir.RegOp(csi[k].Reg, mir.Def))
		f.AddImplicitOps(i)
		f.Instr(i).SetFlags(mir.FrameDestroy)
		f.InsertBefore(b, at, i)
	}
	return true, nil
}

// needsCFI reports whether call frame information is wanted: for unwinding
// through the function, or to its landing pads.
func needsCFI(f *mir.Function) bool {
	if f.IR == nil || f.IR.Global().Persona != 0 {
		return true
	}
	if _, ok := fnAttr(f, "uwtable"); ok {
		return true
	}
	_, nounwind := fnAttr(f, "nounwind")
	return !nounwind
}

// frameBuilder emits prologue and epilogue code.
type frameBuilder struct {
	f    *mir.Function
	b    mir.BlockID
	at   mir.InstrID
	flag mir.MIFlags
	cfi  bool
}

func (p *frameBuilder) emit(op desc.Opcode, ops ...mir.Operand) mir.InstrID {
	i := p.f.New(op, ops...)
	p.f.AddImplicitOps(i)
	for k := range p.f.Instr(i).NumOps() {
		if o := p.f.Op(i, k); o.IsReg() && o.IsDef() && o.Reg() == reg(tab.EFLAGS) {
			o.SetFlag(mir.Dead, true)
		}
	}
	p.f.Instr(i).SetFlags(p.flag)
	p.f.InsertBefore(p.b, p.at, i)
	return i
}

func (p *frameBuilder) addCFI(c mir.CFI) {
	if !p.cfi {
		return
	}
	i := p.f.New(desc.CFI_INSTRUCTION, p.f.AddCFI(c))
	p.f.Instr(i).SetFlags(p.flag)
	p.f.InsertBefore(p.b, p.at, i)
}

// adjustSP moves the stack pointer by n bytes.
func (p *frameBuilder) adjustSP(n int64) {
	if n == 0 {
		return
	}
	op := tab.ADD64ri32
	if n < 0 {
		op, n = tab.SUB64ri32, -n
	}
	for n > 0 {
		step := min(n, 1<<31-1)
		p.emit(op, mir.RegOp(reg(tab.RSP), mir.Def), mir.RegOp(reg(tab.RSP), 0), mir.ImmOp(step))
		n -= step
	}
}

func dwarf(f *mir.Function, r desc.PhysReg) uint32 {
	return uint32(f.Facts.DwarfNum(f.Facts.DwarfFlavourOf("x86_64"), r, true))
}

func emitPrologue(st *target.Subtarget, f *mir.Function, b mir.BlockID) error {
	fr := &f.Frame
	p := &frameBuilder{f: f, b: b, at: f.Block(b).First(), flag: mir.FrameSetup, cfi: needsCFI(f)}
	fp := hasFP(st, f)
	csrSize := pushedSize(f)
	fixed := csrSize
	if fp {
		fixed += slotSize
	}
	if usesRedZone(f) {
		fr.StackSize = uint64(max(fixed, int64(fr.StackSize)-128))
	}
	local := int64(fr.StackSize) - fixed
	if local > 1<<31-1 {
		return st.NotSupported(f, "stack frame of 2 GiB or more")
	}
	if fp {
		p.emit(tab.PUSH64r, mir.RegOp(reg(tab.RBP), mir.Kill))
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: 16})
		p.addCFI(mir.CFI{Kind: mir.CFIOffset, Reg: dwarf(f, tab.RBP), Offset: -16})
		p.emit(tab.MOV64rr, mir.RegOp(reg(tab.RBP), mir.Def), mir.RegOp(reg(tab.RSP), 0))
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfaRegister, Reg: dwarf(f, tab.RBP)})
		liveInEverywhere(f, tab.RBP)
	}
	// Step over the pushes that were placed already.
	cfa := int64(slotSize)
	for p.at != 0 && f.Instr(p.at).Opcode == tab.PUSH64r && f.Instr(p.at).Flags()&mir.FrameSetup != 0 {
		p.at = f.Instr(p.at).Next()
		cfa += slotSize
		if !fp {
			p.addCFI(mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: cfa})
		}
	}
	if needsRealign(f) {
		mask := -int64(1 << fr.MaxAlign)
		p.emit(tab.AND64ri32, mir.RegOp(reg(tab.RSP), mir.Def), mir.RegOp(reg(tab.RSP), 0), mir.ImmOp(mask))
		local = (local + (1<<fr.MaxAlign - 1)) &^ (1<<fr.MaxAlign - 1)
	}
	p.adjustSP(-local)
	if !fp && local != 0 {
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: int64(fr.StackSize) + slotSize})
	}
	if hasBasePointer(st, f) {
		p.emit(tab.MOV64rr, mir.RegOp(reg(tab.RBX), mir.Def), mir.RegOp(reg(tab.RSP), 0))
		liveInEverywhere(f, tab.RBX)
	}
	for k := range fr.CalleeSaved {
		ci := &fr.CalleeSaved[k]
		p.addCFI(mir.CFI{Kind: mir.CFIOffset, Reg: dwarf(f, desc.PhysReg(ci.Reg)), Offset: fr.Object(ci.FI).Offset})
	}
	if !fp {
		fr.OffsetAdjustment = -int64(fr.StackSize)
	}
	return nil
}

// liveInEverywhere records that a register set by the prologue is read all over the function.
func liveInEverywhere(f *mir.Function, r desc.PhysReg) {
	for b := f.NextBlock(f.FirstBlock()); b != 0; b = f.NextBlock(b) {
		if !f.IsLiveIn(b, reg(r)) {
			f.AddLiveIn(b, reg(r), mir.AllLanes)
		}
	}
	if e := f.FirstBlock(); r == tab.RBP && !f.IsLiveIn(e, reg(r)) {
		f.AddLiveIn(e, reg(r), mir.AllLanes)
	}
}

// usesRedZone: a leaf that never moves the stack pointer (psABI 3.2.2).
func usesRedZone(f *mir.Function) bool {
	fr := &f.Frame
	if fr.HasCalls || fr.AdjustsStack || fr.HasVarSizedObjects || fr.HasOpaqueSPAdjustment || needsRealign(f) {
		return false
	}
	_, no := fnAttr(f, "noredzone")
	return !no
}

func emitEpilogue(st *target.Subtarget, f *mir.Function, b mir.BlockID) error {
	fr := &f.Frame
	fp := hasFP(st, f)
	term := f.FirstTerminator(b)
	p := &frameBuilder{f: f, b: b, at: term, flag: mir.FrameDestroy, cfi: needsCFI(f)}
	csrSize := pushedSize(f)
	// The pops were placed before the terminators: the stack pointer is reset before the first of them.
	pops := make([]mir.InstrID, 0, len(fr.CalleeSaved))
	numPops := int(csrSize / slotSize)
	i := term
	if i == 0 {
		i = f.Block(b).Last()
	} else {
		i = f.Instr(i).Prev()
	}
	for ; len(pops) < numPops && i != 0 && f.Instr(i).Opcode == tab.POP64r && f.Instr(i).Flags()&mir.FrameDestroy != 0; i = f.Instr(i).Prev() {
		pops = append(pops, i)
	}
	slices.Reverse(pops)
	if len(pops) > 0 {
		p.at = pops[0]
	}
	local := int64(fr.StackSize) - csrSize
	if fp {
		local -= slotSize
	}
	switch {
	case needsRealign(f) || fr.HasVarSizedObjects:
		if csrSize != 0 {
			p.emit(tab.LEA64r, mir.RegOp(reg(tab.RSP), mir.Def), mir.RegOp(reg(tab.RBP), 0), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(-csrSize), mir.RegOp(0, 0))
		} else {
			p.emit(tab.MOV64rr, mir.RegOp(reg(tab.RSP), mir.Def), mir.RegOp(reg(tab.RBP), 0))
		}
	default:
		p.adjustSP(local)
		if !fp && local != 0 {
			p.addCFI(mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: csrSize + slotSize})
		}
	}
	cfa := csrSize + slotSize
	for _, pop := range pops {
		p.at = f.Instr(pop).Next()
		cfa -= slotSize
		if !fp {
			p.addCFI(mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: cfa})
		}
	}
	p.at = term
	if fp {
		p.emit(tab.POP64r, mir.RegOp(reg(tab.RBP), mir.Def))
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfa, Reg: dwarf(f, tab.RSP), Offset: slotSize})
	}
	return nil
}

func eliminateCallFramePseudo(st *target.Subtarget, f *mir.Function, i mir.InstrID) (mir.InstrID, error) {
	next := f.Instr(i).Next()
	if !hasReservedCallFrame(st, f) {
		n := (f.Op(i, 0).Imm() + 15) &^ 15
		if f.Instr(i).Opcode == tab.ADJCALLSTACKDOWN64 {
			n = -n
		} else if f.Op(i, 1).Imm() != 0 {
			n -= f.Op(i, 1).Imm() // popped by the callee
		}
		p := &frameBuilder{f: f, b: f.Instr(i).Block(), at: i}
		p.adjustSP(n)
	}
	f.Erase(i)
	return next, nil
}

// frameReference returns the register and displacement of frame index fi.
func frameReference(st *target.Subtarget, f *mir.Function, fi, spAdj int) (desc.PhysReg, int64) {
	fr := &f.Frame
	off := fr.Object(fi).Offset
	fp := hasFP(st, f)
	switch {
	case hasBasePointer(st, f) && fi >= 0:
		return tab.RBX, off + slotSize + alignedSize(fr)
	case needsRealign(f) && fi >= 0:
		return tab.RSP, off + slotSize + alignedSize(fr) + int64(spAdj)
	case fp:
		return tab.RBP, off + 2*slotSize
	}
	return tab.RSP, off + slotSize + int64(fr.StackSize) + int64(spAdj)
}

// alignedSize is the frame's size as the aligned stack pointer sees it: the
// locals' offsets count from the CFA, of which only the alignment is lost.
func alignedSize(fr *mir.FrameInfo) int64 { return int64(fr.StackSize) }

func eliminateFrameIndex(st *target.Subtarget, f *mir.Function, i mir.InstrID, op, spAdj int) error {
	fi := f.Op(i, op).FrameIndex()
	r, off := frameReference(st, f, fi, spAdj)
	in := f.Instr(i)
	if in.Opcode == desc.DBG_VALUE || f.IsDebugInstr(i) {
		f.ReplaceOp(i, op, mir.RegOp(0, mir.Debug))
		return nil
	}
	if in.NumOps() < op+4 || !f.Op(i, op+3).IsImm() {
		return st.NotSupported(f, "frame index outside of a memory reference")
	}
	disp := f.Op(i, op+3).Imm() + off
	if disp != int64(int32(disp)) {
		return st.NotSupported(f, "frame offset beyond 2 GiB")
	}
	f.ReplaceOp(i, op, mir.RegOp(reg(r), 0))
	f.Op(i, op+3).SetImm(disp)
	return nil
}
