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
// addressed from RSP, or from a base pointer, RBX mostly, when RSP moves.
var frameHooks = target.FrameHooks{
	FramePointer:       tab.RBP,
	BasePointer:        tab.RBX,
	OtherBasePointers:  []desc.PhysReg{tab.R12, tab.R13, tab.R14, tab.R15},
	Pins:               func(op desc.Opcode) bool { return op == tab.LCMPXCHG16B },
	FramePointerOffset: -16,
	SavesFramePointer:  true,
	RedZone:            128,
	Push:               tab.PUSH64r,
	Pop:                tab.POP64r,
	PushClass:          tab.GR64RegClassID,
	CallPushes:         callPushes[:],
	ShrinkWraps:        true,
	OrderByDensity:     true,
	// Realignment changes the flags, what else is done need not.
	CanEnter: func(st *target.Subtarget, f *mir.Function, b mir.BlockID) bool {
		return !st.NeedsRealign(f) || !f.IsLiveIn(b, reg(tab.EFLAGS))
	},
	OffsetOperand:      3,
	OffsetBits:         32,
	FrameIndexReplaced: leaToMove,
	ZeroRegs:           &zeroRegs,
	AdjustStack:        adjustStack,
	EmitPrologue:       emitPrologue,
	EmitEpilogue:       emitEpilogue,
}

// frameHooks32 lay out the frame of 32-bit code: the same with words of 4 bytes, other
// registers and no red zone.
var frameHooks32 = func() target.FrameHooks {
	h, m := frameHooks, &mode32
	h.FramePointer, h.BasePointer, h.OtherBasePointers = m.fp, m.bp, []desc.PhysReg{tab.EBX, tab.EDI}
	h.Pins = func(op desc.Opcode) bool { return op == tab.LCMPXCHG8B }
	h.FramePointerOffset, h.RedZone = -2*m.word, 0
	h.Push, h.Pop, h.PushClass, h.CallPushes = m.push, m.pop, m.gr, callPushes32[:]
	h.ZeroRegs = nil
	return h
}()

// callPushes are the pushes of x86-cf-opt, and what spilling makes of them.
var callPushes, callPushes32 = [...]desc.Opcode{tab.PUSH64i32, tab.PUSH64r, tab.PUSH64rmm}, [...]desc.Opcode{tab.PUSH32i, tab.PUSH32r, tab.PUSH32rmm}

// frameBuilder emits prologue and epilogue code.
type frameBuilder struct {
	f    *mir.Function
	m    *mode
	b    mir.BlockID
	at   mir.InstrID
	flag mir.MIFlags
	cfi  bool
	fp   bool // there is a frame pointer
	loc  mir.DebugLoc
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
	p.f.Instr(i).Loc = p.loc
	p.f.InsertBefore(p.b, p.at, i)
	return i
}

func (p *frameBuilder) addCFI(c mir.CFI) {
	if !p.cfi {
		return
	}
	i := p.f.New(desc.CFI_INSTRUCTION, p.f.AddCFI(c))
	p.f.Instr(i).SetFlags(p.flag)
	p.f.Instr(i).Loc = p.loc
	p.f.InsertBefore(p.b, p.at, i)
}

// adjustSP moves the stack pointer by n bytes; keepFlags says that somebody reads
// the flags behind. A step of one word into or out of the frame is a push, or a
// pop to a register that nobody reads.
func (p *frameBuilder) adjustSP(n int64, keepFlags bool) {
	if n == -p.m.word && p.flag == mir.FrameSetup {
		p.emit(p.m.push, mir.RegOp(reg(p.m.ax), mir.Undef))
		return
	}
	if n == p.m.word && p.flag == mir.FrameDestroy {
		if r := p.deadRegister(); r != 0 {
			p.emit(p.m.pop, mir.RegOp(r, mir.Def))
			return
		}
	}
	op, sign := p.m.addImm, int64(1)
	if n < 0 {
		op, n, sign = p.m.subImm, -n, -1
	}
	for n > 0 {
		step := min(n, 1<<31-1)
		if keepFlags {
			p.emit(p.m.lea, mir.RegOp(reg(p.m.sp), mir.Def), mir.RegOp(reg(p.m.sp), 0), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(sign*step), mir.RegOp(0, 0))
		} else {
			p.emit(op, mir.RegOp(reg(p.m.sp), mir.Def), mir.RegOp(reg(p.m.sp), 0), mir.ImmOp(step))
		}
		n -= step
	}
}

// deadRegister is a register that the return before which the frame is left does
// not read, 0 when what stands there is no return.
func (p *frameBuilder) deadRegister() mir.Reg {
	f := p.f
	if p.at == 0 || !f.Desc(p.at).IsReturn() || f.CallsEHReturn {
		return 0
	}
	for _, r := range p.m.scratch {
		read := false
		for _, o := range f.Ops(p.at) {
			read = read || o.IsReg() && o.Reg().IsPhysical() && f.Facts.Overlap(desc.PhysReg(o.Reg()), r)
		}
		if !read {
			return reg(r)
		}
	}
	return 0
}

// flagsLiveOut reports whether the terminators of b, or what follows, read flags
// that are set before.
func flagsLiveOut(f *mir.Function, b mir.BlockID) bool {
	for i := f.FirstTerminator(b); i != 0; i = f.Instr(i).Next() {
		sets := false
		for _, o := range f.Ops(i) {
			if o.IsReg() && o.Reg() == reg(tab.EFLAGS) {
				if !o.IsDef() {
					return true
				}
				sets = true
			}
		}
		if sets {
			return false
		}
	}
	for _, s := range f.Succs(b) {
		if f.IsLiveIn(s.Block, reg(tab.EFLAGS)) {
			return true
		}
	}
	return false
}

// adjustStack is FrameHooks.AdjustStack.
func adjustStack(st *target.Subtarget, b *mir.Builder, n int64) error {
	m := modeOf(st)
	p := &frameBuilder{m: m, f: b.F, b: b.Block, at: b.At, loc: b.Loc}
	if !minSize(b.F) || !p.popArguments(n) {
		p.adjustSP(n, false)
	}
	return nil
}

// popArguments takes one or two words off the stack right behind a call, to registers
// that the call leaves undefined: a byte each instead of four.
func (p *frameBuilder) popArguments(n int64) bool {
	f := p.f
	if n != p.m.word && n != 2*p.m.word || p.at == 0 || f.Instr(p.at).Prev() == 0 {
		return false
	}
	call := f.Instr(p.at).Prev()
	if !f.Desc(call).IsCall() {
		return false
	}
	var mask []uint32
	for _, o := range f.Ops(call) {
		if o.Kind() == mir.OpRegMask {
			mask = f.RegMasks[o.Index()]
		}
	}
	if mask == nil {
		return false
	}
	var free []desc.PhysReg
	for _, r := range p.m.scratch[:p.m.popTo] {
		if mask[r/32]>>(r%32)&1 != 0 || slices.ContainsFunc(f.Ops(call), func(o mir.Operand) bool { return o.IsDef() && overlap(f.Facts, o.Reg(), reg(r)) }) {
			continue
		}
		free = append(free, r)
	}
	if len(free) == 0 {
		return false
	}
	for k := range int(n / p.m.word) {
		p.emit(p.m.pop, mir.RegOp(reg(free[min(k, len(free)-1)]), mir.Def))
	}
	return true
}

func dwarf(in *desc.Info, m *mode, r desc.PhysReg) uint32 {
	return uint32(in.DwarfNum(in.DwarfFlavourOf(m.dwarf), r, true))
}

func emitPrologue(st *target.Subtarget, f *mir.Function, b mir.BlockID) error {
	fr, m := &f.Frame, modeOf(st)
	p := &frameBuilder{m: m, f: f, b: b, at: f.Block(b).First(), flag: mir.FrameSetup, cfi: target.NeedsCFI(f)}
	fp := st.HasFP(f)
	csrSize := st.PushedSize(f)
	fixed := csrSize
	if fp {
		fixed += m.word
	}
	local := int64(fr.StackSize) - fixed
	if local > 1<<31-1 {
		return st.NotSupported(f, "stack frame of 2 GiB or more")
	}
	if fp {
		p.emit(m.push, mir.RegOp(reg(m.fp), mir.Kill))
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: 2 * m.word})
		p.addCFI(mir.CFI{Kind: mir.CFIOffset, Reg: dwarf(f.Facts, m, m.fp), Offset: -2 * m.word})
		p.emit(m.move, mir.RegOp(reg(m.fp), mir.Def), mir.RegOp(reg(m.sp), 0))
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfaRegister, Reg: dwarf(f.Facts, m, m.fp)})
		liveInEverywhere(f, m.fp, true)
	}
	// Step over the pushes that were placed already.
	cfa := m.word
	for p.at != 0 && f.Instr(p.at).Opcode == m.push && f.Instr(p.at).Flags()&mir.FrameSetup != 0 {
		p.at = f.Instr(p.at).Next()
		cfa += m.word
		if !fp {
			p.addCFI(mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: cfa})
		}
	}
	probe, err := probeOf(st, f)
	if err != nil {
		return err
	}
	if probe.inline && local > maxUnrolledProbes*probe.size && f.IsLiveIn(b, reg(tab.EAX)) && !m.is64() {
		return st.NotSupported(f, "a large probed stack frame where an argument is in EAX")
	}
	skew := int64(0)
	if st.NeedsRealign(f) {
		skew = 1 << fr.MaxAlign % max(probe.size, 1)
		mask := -int64(1 << fr.MaxAlign)
		p.emit(m.andImm, mir.RegOp(reg(m.sp), mir.Def), mir.RegOp(reg(m.sp), 0), mir.ImmOp(mask))
		local = (local + (1<<fr.MaxAlign - 1)) &^ (1<<fr.MaxAlign - 1)
	}
	p.fp = fp
	p.probedEnter(&probe, local, skew)
	if !fp && local != 0 {
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: int64(fr.StackSize) + m.word})
	}
	if bp := st.BasePointer(f); bp != 0 {
		p.emit(m.move, mir.RegOp(reg(bp), mir.Def), mir.RegOp(reg(m.sp), 0))
		liveInEverywhere(f, bp, false)
	}
	p.flag = 0
	for k := range fr.CalleeSaved {
		ci := &fr.CalleeSaved[k]
		p.addCFI(mir.CFI{Kind: mir.CFIOffset, Reg: dwarf(f.Facts, m, desc.PhysReg(ci.Reg)), Offset: fr.Object(ci.FI).Offset})
	}
	fr.OffsetAdjustment = -local
	if !fp {
		fr.OffsetAdjustment = -int64(fr.StackSize)
	}
	return nil
}

// liveInEverywhere records that a register set by the prologue is read all over the function.
func liveInEverywhere(f *mir.Function, r desc.PhysReg, entry bool) {
	for b := f.NextBlock(f.FirstBlock()); b != 0; b = f.NextBlock(b) {
		if !f.IsLiveIn(b, reg(r)) {
			f.AddLiveIn(b, reg(r), mir.AllLanes)
		}
	}
	if e := f.FirstBlock(); entry && !f.IsLiveIn(e, reg(r)) {
		f.AddLiveIn(e, reg(r), mir.AllLanes)
	}
}

func emitEpilogue(st *target.Subtarget, f *mir.Function, b mir.BlockID) error {
	fr, m := &f.Frame, modeOf(st)
	fp := st.HasFP(f)
	term := f.FirstTerminator(b)
	p := &frameBuilder{m: m, f: f, b: b, at: term, flag: mir.FrameDestroy, cfi: target.NeedsCFI(f), fp: fp}
	if term != 0 {
		p.loc = f.Instr(term).Loc
	}
	csrSize := st.PushedSize(f)
	// The pops were placed before the terminators: the stack pointer is reset before the first of them.
	pops := make([]mir.InstrID, 0, len(fr.CalleeSaved))
	numPops := int(csrSize / m.word)
	i := term
	if i == 0 {
		i = f.Block(b).Last()
	} else {
		i = f.Instr(i).Prev()
	}
	for ; len(pops) < numPops && i != 0 && f.Instr(i).Opcode == m.pop && f.Instr(i).Flags()&mir.FrameDestroy != 0; i = f.Instr(i).Prev() {
		pops = append(pops, i)
	}
	slices.Reverse(pops)
	if len(pops) > 0 {
		p.at = pops[0]
	}
	local := int64(fr.StackSize) - csrSize
	if fp {
		local -= m.word
	}
	switch {
	case st.NeedsRealign(f) || fr.HasVarSizedObjects:
		p.flag = 0
		if csrSize != 0 {
			p.emit(m.lea, mir.RegOp(reg(m.sp), mir.Def), mir.RegOp(reg(m.fp), 0), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(-csrSize), mir.RegOp(0, 0))
		} else {
			p.emit(m.move, mir.RegOp(reg(m.sp), mir.Def), mir.RegOp(reg(m.fp), 0))
		}
		p.flag = mir.FrameDestroy
	default:
		p.adjustSP(local, flagsLiveOut(f, b))
		if !fp && local != 0 {
			p.addCFI(mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: csrSize + m.word})
		}
	}
	cfa := csrSize + m.word
	for _, pop := range pops {
		p.at = f.Instr(pop).Next()
		cfa -= m.word
		if !fp {
			p.addCFI(mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: cfa})
		}
	}
	p.at = term
	defer p.restoreCFI(term)
	if fp {
		p.emit(m.pop, mir.RegOp(reg(m.fp), mir.Def))
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfa, Reg: dwarf(f.Facts, m, m.sp), Offset: m.word})
	}
	return nil
}

// restoreCFI says, where the function goes on behind an epilogue, that the saved
// registers are the caller's again.
func (p *frameBuilder) restoreCFI(at mir.InstrID) {
	f := p.f
	if f.NumSuccs(p.b) == 0 {
		return
	}
	p.at, p.flag = at, 0
	m := p.m
	if last := f.LastReal(p.b); p.fp && (last == 0 || !f.Desc(last).IsReturn()) {
		p.flag = mir.FrameDestroy
		p.addCFI(mir.CFI{Kind: mir.CFIRestore, Reg: dwarf(f.Facts, m, m.fp)})
		p.flag = 0
	}
	for k := range f.Frame.CalleeSaved {
		p.addCFI(mir.CFI{Kind: mir.CFIRestore, Reg: dwarf(f.Facts, m, desc.PhysReg(f.Frame.CalleeSaved[k].Reg))})
	}
}

// leaToMove replaces the address of what a register points to by a copy of that.
func leaToMove(st *target.Subtarget, f *mir.Function, i mir.InstrID) error {
	op := f.Instr(i).Opcode
	if op != tab.LEA64r && op != tab.LEA32r || f.Op(i, 2).Imm() != 1 || f.Op(i, 3).Reg() != 0 || !f.Op(i, 4).IsImm() || f.Op(i, 4).Imm() != 0 || f.Op(i, 5).Reg() != 0 {
		return nil
	}
	base := *f.Op(i, 1)
	if err := st.CopyPhysReg(f, f.Instr(i).Block(), i, f.Instr(i).Loc, f.Op(i, 0).Reg(), base.Reg(), base.IsKill()); err != nil {
		return err
	}
	f.Erase(i)
	return nil
}
