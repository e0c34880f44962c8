package frame

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// PrologEpilog is the pass prologepilog.
var PrologEpilog = pass.Pass{
	Name:     "prologepilog",
	Title:    "Prologue/Epilogue Insertion & Frame Finalization",
	Requires: mir.NoVRegs,
	Run:      runPrologEpilog,
}

// pei is the state of one run.
type pei struct {
	c    *pass.Context
	f    *mir.Function
	rets []mir.BlockID
}

func runPrologEpilog(c *pass.Context, f *mir.Function) error {
	p := &pei{c: c, f: f}
	if err := p.callFrames(); err != nil {
		return err
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if last := lastReal(f, b); last != 0 && f.Desc(last).IsReturn() {
			p.rets = append(p.rets, b)
		}
	}
	if err := p.calleeSaves(); err != nil {
		return err
	}
	h := &c.Machine.Target.Frame
	if h.ProcessBeforeFrameFinalized != nil {
		if err := h.ProcessBeforeFrameFinalized(c.Subtarget, f); err != nil {
			return err
		}
	}
	p.layOut()
	if err := h.EmitPrologue(c.Subtarget, f, f.FirstBlock()); err != nil {
		return err
	}
	for _, b := range p.rets {
		if err := h.EmitEpilogue(c.Subtarget, f, b); err != nil {
			return err
		}
	}
	return p.frameIndices()
}

// lastReal returns the last instruction of b that is no debug instruction.
func lastReal(f *mir.Function, b mir.BlockID) mir.InstrID {
	i := f.Block(b).Last()
	for i != 0 && f.IsDebugInstr(i) {
		i = f.Instr(i).Prev()
	}
	return i
}

// callFrames finds the largest outgoing argument area and, where it is part of
// the frame, removes the pseudo instructions around calls.
func (p *pei) callFrames() error {
	f := p.f
	var pseudos []mir.InstrID
	size := uint32(0)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			op := f.Instr(i).Opcode
			if d := f.Desc(i); d.IsCall() && !d.IsReturn() {
				f.Frame.HasCalls = true
			}
			if d, u := f.Facts.IsCallFrame(op); d || u {
				size = max(size, uint32(f.Op(i, 0).Imm()))
				f.Frame.AdjustsStack = true
				pseudos = append(pseudos, i)
			} else if op == desc.INLINEASM || op == desc.INLINEASM_BR {
				// Inline assembly may call (isalignstack, or a call in its text).
				if f.Op(i, 1).Imm()&2 != 0 {
					f.Frame.AdjustsStack = true
				}
			}
		}
	}
	f.Frame.MaxCallFrameSize = size
	h := &p.c.Machine.Target.Frame
	if h.HasReservedCallFrame == nil || !h.HasReservedCallFrame(p.c.Subtarget, f) {
		return nil
	}
	for _, i := range pseudos {
		if _, err := h.EliminateCallFramePseudo(p.c.Subtarget, f, i); err != nil {
			return err
		}
	}
	return nil
}

// calleeSaves finds the callee-saved registers that the function changes and
// saves them in the entry block and restores them before returns.
func (p *pei) calleeSaves() error {
	f, st := p.f, p.c.Subtarget
	ih, fh := &p.c.Machine.Target.Instr, &p.c.Machine.Target.Frame
	f.Frame.CalleeSaved = f.Frame.CalleeSaved[:0]
	f.Frame.IsCalleeSavedInfoValid = true
	var csrs []mir.Reg
	if ih.CalleeSaved != nil {
		csrs = ih.CalleeSaved(st, f)
	}
	saved := map[mir.Reg]bool{} // looked up by key only
	for _, r := range csrs {
		if IsModified(f, r) {
			saved[r] = true
		}
	}
	if fh.DetermineCalleeSaves != nil {
		fh.DetermineCalleeSaves(st, f, saved)
	}
	var csi []mir.CalleeSavedInfo
	for _, r := range csrs {
		if saved[r] {
			csi = append(csi, mir.CalleeSavedInfo{Reg: r, Restored: true})
		}
	}
	if fh.AssignCalleeSavedSlots == nil || !fh.AssignCalleeSavedSlots(st, f, csi) {
		for k := range csi {
			cl := f.Facts.MinimalPhysRegClass(desc.PhysReg(csi[k].Reg), 0)
			cs := f.Facts.ClassSize(cl, f.Facts.DefaultMode)
			csi[k].FI = f.Frame.CreateStackObject(int64(cs.SpillSize), log2(uint64(cs.SpillAlign)), mir.FrameSpill)
		}
	}
	f.Frame.CalleeSaved = csi
	if len(csi) == 0 {
		return nil
	}
	entry := f.FirstBlock()
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		// Live into the entry block they are the caller's values; elsewhere they
		// hold ours or the caller's, and nobody may take them.
		for _, ci := range csi {
			if b == entry && !f.IsLiveIn(b, ci.Reg) {
				f.AddLiveIn(b, ci.Reg, mir.AllLanes)
			}
		}
	}
	if err := p.save(entry, csi); err != nil {
		return err
	}
	for _, b := range p.rets {
		if err := p.restore(b, csi); err != nil {
			return err
		}
	}
	return nil
}

func (p *pei) save(b mir.BlockID, csi []mir.CalleeSavedInfo) error {
	f, st := p.f, p.c.Subtarget
	at := f.Block(b).First()
	if h := p.c.Machine.Target.Frame.SpillCalleeSaved; h != nil {
		if done, err := h(st, f, b, at, csi); done || err != nil {
			return err
		}
	}
	for _, ci := range csi {
		cl := int16(f.Facts.MinimalPhysRegClass(desc.PhysReg(ci.Reg), 0))
		if err := p.c.Machine.Target.Instr.StoreRegToStack(st, f, b, at, ci.Reg, true, ci.FI, cl, mir.FrameSetup); err != nil {
			return err
		}
	}
	return nil
}

func (p *pei) restore(b mir.BlockID, csi []mir.CalleeSavedInfo) error {
	f, st := p.f, p.c.Subtarget
	at := f.FirstTerminator(b)
	if h := p.c.Machine.Target.Frame.RestoreCalleeSaved; h != nil {
		if done, err := h(st, f, b, at, csi); done || err != nil {
			return err
		}
	}
	for k := len(csi) - 1; k >= 0; k-- {
		cl := int16(f.Facts.MinimalPhysRegClass(desc.PhysReg(csi[k].Reg), 0))
		if err := p.c.Machine.Target.Instr.LoadRegFromStack(st, f, b, at, csi[k].Reg, csi[k].FI, cl, mir.FrameDestroy); err != nil {
			return err
		}
	}
	return nil
}

// IsModified reports whether an instruction of f writes a part of physical
// register r, calls that do not preserve it included.
func IsModified(f *mir.Function, r mir.Reg) bool {
	for _, a := range f.Facts.AppendAliases(nil, desc.PhysReg(r)) {
		if f.HasDefs(mir.Reg(a)) {
			return true
		}
	}
	if f.HasDefs(r) {
		return true
	}
	for _, m := range f.RegMasks {
		if m[r/32]>>(r%32)&1 == 0 {
			return true
		}
	}
	return false
}

func log2(n uint64) uint8 {
	l := uint8(0)
	for n > 1 {
		n >>= 1
		l++
	}
	return l
}

func alignTo(n int64, log2 uint8) int64 {
	a := int64(1) << log2
	return (n + a - 1) &^ (a - 1)
}

// layOut gives the ordinary stack objects their offsets, below the fixed ones.
func (p *pei) layOut() {
	f := p.f
	fr := &f.Frame
	h := &p.c.Machine.Target.Frame
	local := int64(-h.LocalAreaOffset)
	offset := local
	for fi := fr.First(); fi < 0; fi++ {
		if o := fr.Object(fi); !fr.IsDead(fi) {
			offset = max(offset, -o.Offset)
		}
	}
	maxAlign := fr.MaxAlign
	place := func(fi int) {
		o := fr.Object(fi)
		offset = alignTo(offset+o.Size, o.Align)
		o.Offset = -offset
		maxAlign = max(maxAlign, o.Align)
	}
	// Slots of callee-saved registers stand nearest to the frame's top.
	isCSR := func(fi int) bool {
		for _, ci := range fr.CalleeSaved {
			if ci.DstReg == 0 && ci.FI == fi {
				return true
			}
		}
		return false
	}
	for fi := range fr.End() {
		if isCSR(fi) && !fr.IsDead(fi) {
			place(fi)
		}
	}
	for fi := range fr.End() {
		o := fr.Object(fi)
		if fr.IsDead(fi) || o.Flags&mir.FrameVarSized != 0 || isCSR(fi) || o.StackID != 0 {
			continue
		}
		place(fi)
	}
	if fr.AdjustsStack && h.HasReservedCallFrame != nil && h.HasReservedCallFrame(p.c.Subtarget, f) {
		offset += int64(fr.MaxCallFrameSize)
	}
	// A leaf needs no aligned stack pointer of its own.
	if fr.AdjustsStack || fr.HasVarSizedObjects || maxAlign > h.StackAlign {
		offset = alignTo(offset, max(h.StackAlign, maxAlign))
	} else {
		offset = alignTo(offset, maxAlign)
	}
	// From here on the frame's alignment is a fact for readers of MIR, who take
	// that of the fixed objects into account.
	for fi := fr.First(); fi < 0; fi++ {
		maxAlign = max(maxAlign, fr.Object(fi).Align)
	}
	fr.MaxAlign = maxAlign
	fr.StackSize = uint64(offset - local)
}

// frameIndices replaces frame indices by addresses, following how far calls
// have moved the stack pointer.
func (p *pei) frameIndices() error {
	f := p.f
	h := &p.c.Machine.Target.Frame
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		spAdj := 0
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if d, u := f.Facts.IsCallFrame(f.Instr(i).Opcode); d || u {
				n := int(alignTo(f.Op(i, 0).Imm(), h.StackAlign))
				if d {
					spAdj += n
				} else {
					spAdj -= n
				}
				nx, err := h.EliminateCallFramePseudo(p.c.Subtarget, f, i)
				if err != nil {
					return err
				}
				i = nx
				continue
			}
			for k := 0; k < f.Instr(i).NumOps(); k++ {
				if f.Op(i, k).Kind() != mir.OpFrameIndex {
					continue
				}
				if err := h.EliminateFrameIndex(p.c.Subtarget, f, i, k, spAdj); err != nil {
					return err
				}
			}
			i = next
		}
	}
	return nil
}
