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
	FramePointer:       tab.RBP,
	BasePointer:        tab.RBX,
	FramePointerOffset: -2 * slotSize,
	SavesFramePointer:  true,
	RedZone:            128,
	Push:               tab.PUSH64r,
	Pop:                tab.POP64r,
	PushClass:          tab.GR64RegClassID,
	OffsetOperand:      3,
	OffsetBits:         32,
	AdjustStack:        adjustStack,
	EmitPrologue:       emitPrologue,
	EmitEpilogue:       emitEpilogue,
}

const slotSize = 8

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
			p.f.SetOpFlag(i, k, mir.Dead, true)
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

// adjustStack is FrameHooks.AdjustStack.
func adjustStack(_ *target.Subtarget, b *mir.Builder, n int64) error {
	p := &frameBuilder{f: b.F, b: b.Block, at: b.At}
	p.adjustSP(n)
	return nil
}

func dwarf(f *mir.Function, r desc.PhysReg) uint32 {
	return uint32(f.Facts.DwarfNum(f.Facts.DwarfFlavourOf("x86_64"), r, true))
}

func emitPrologue(st *target.Subtarget, f *mir.Function, b mir.BlockID) error {
	fr := &f.Frame
	p := &frameBuilder{f: f, b: b, at: f.Block(b).First(), flag: mir.FrameSetup, cfi: target.NeedsCFI(f)}
	fp := st.HasFP(f)
	csrSize := st.PushedSize(f)
	fixed := csrSize
	if fp {
		fixed += slotSize
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
	if st.NeedsRealign(f) {
		mask := -int64(1 << fr.MaxAlign)
		p.emit(tab.AND64ri32, mir.RegOp(reg(tab.RSP), mir.Def), mir.RegOp(reg(tab.RSP), 0), mir.ImmOp(mask))
		local = (local + (1<<fr.MaxAlign - 1)) &^ (1<<fr.MaxAlign - 1)
	}
	p.adjustSP(-local)
	if !fp && local != 0 {
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: int64(fr.StackSize) + slotSize})
	}
	if st.HasBasePointer(f) {
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

func emitEpilogue(st *target.Subtarget, f *mir.Function, b mir.BlockID) error {
	fr := &f.Frame
	fp := st.HasFP(f)
	term := f.FirstTerminator(b)
	p := &frameBuilder{f: f, b: b, at: term, flag: mir.FrameDestroy, cfi: target.NeedsCFI(f)}
	csrSize := st.PushedSize(f)
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
	case st.NeedsRealign(f) || fr.HasVarSizedObjects:
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
