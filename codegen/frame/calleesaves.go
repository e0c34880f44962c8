package frame

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// calleeSaves finds the callee-saved registers that the function changes and
// saves them at the beginning of the blocks of saves, and restores them at the
// end of those of restores.
func (p *pei) calleeSaves() error {
	f := p.f
	f.Frame.IsCalleeSavedInfoValid = true
	csi := p.changed(f.Frame.CalleeSaved[:0])
	p.assignSlots(csi)
	f.Frame.CalleeSaved = csi
	if len(csi) == 0 {
		return nil
	}
	for _, b := range p.saves {
		if err := p.save(b, csi); err != nil {
			return err
		}
	}
	p.liveOutside(csi)
	for _, b := range p.restores {
		if err := p.restore(b, csi); err != nil {
			return err
		}
	}
	return nil
}

// liveOutside makes the saved registers live into the blocks where they are the
// caller's: up to where they are saved and from where they are restored.
// Elsewhere they hold ours.
func (p *pei) liveOutside(csi []mir.CalleeSavedInfo) {
	f := p.f
	save, restore := f.FirstBlock(), mir.BlockID(0)
	if n := f.Frame.SavePoints; len(n) > 0 {
		save = n[0].Block
	}
	if n := f.Frame.RestorePoints; len(n) > 0 {
		restore = n[0].Block
	}
	seen := make([]bool, f.NumBlockIDs())
	order, work := []mir.BlockID{}, []mir.BlockID{}
	visit := func(b mir.BlockID) {
		if !seen[b] {
			seen[b] = true
			order = append(order, b)
		}
	}
	if entry := f.FirstBlock(); entry != save {
		work = append(work, entry)
		visit(entry)
	}
	visit(save)
	if restore != 0 {
		work = append(work, restore)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == save && save != restore {
			continue
		}
		for _, s := range f.Succs(b) {
			if !seen[s.Block] {
				visit(s.Block)
				work = append(work, s.Block)
			}
		}
	}
	for _, ci := range csi {
		for _, b := range order {
			if !f.IsLiveIn(b, ci.Reg) {
				f.AddLiveIn(b, ci.Reg, mir.AllLanes)
			}
		}
	}
}

// changed lists, in the convention's order, the registers that the function
// must preserve and changes, without those that hold its result.
func (p *pei) changed(csi []mir.CalleeSavedInfo) []mir.CalleeSavedInfo {
	if p.st.Call == nil || p.h.SavesNothing {
		return csi
	}
	cc := uint16(0) // C
	if p.f.IR != nil {
		cc = p.f.IR.Global().CC
	}
	fp, bp := p.st.HasFP(p.f) && p.h.SavesFramePointer, p.st.BasePointer(p.f)
	var returned []desc.PhysReg
	if h := p.st.Call.ResultInSaved; h != nil && h(cc) {
		returned = p.returned()
	}
	for _, r := range p.st.Call.SavedRegs(cc) {
		switch {
		case fp && r == p.h.FramePointer: // the prologue saves it by itself
		case !p.f.CallsUnwindInit && !IsModified(p.f, mir.Reg(r)) && r != bp:
		case slices.ContainsFunc(returned, func(x desc.PhysReg) bool { return p.f.Facts.Overlap(x, r) }):
		default:
			csi = append(csi, mir.CalleeSavedInfo{Reg: mir.Reg(r), Restored: true})
		}
	}
	return csi
}

// returned lists the registers that returns hand to the caller: those that they
// read beside what every return reads (a return address).
func (p *pei) returned() (regs []desc.PhysReg) {
	for _, b := range p.restores {
		i := p.f.LastReal(b)
		if i == 0 || !p.f.Desc(i).IsReturn() {
			continue
		}
		always := p.f.Facts.ImplicitUses(p.f.Instr(i).Opcode)
		for _, o := range p.f.Ops(i) {
			if !o.IsReg() || !o.IsImplicit() || o.IsDef() || !o.Reg().IsPhysical() {
				continue
			}
			if r := desc.PhysReg(o.Reg()); !slices.Contains(always, r) && !slices.Contains(regs, r) {
				regs = append(regs, r)
			}
		}
	}
	return regs
}

// assignSlots gives the saved registers their slots: what is pushed, and what is
// stored below it, at offsets that are known now, others anywhere.
func (p *pei) assignSlots(csi []mir.CalleeSavedInfo) {
	f, in := p.f, p.f.Facts
	off, word := p.st.LocalAreaOffset(), p.st.WordSize()
	if p.h.SavesFramePointer && p.st.HasFP(f) {
		off -= word
		f.Frame.CreateFixedObject(word, off, p.alignAt(off), mir.FrameSpill)
	}
	// The register listed last is pushed first.
	for k := len(csi) - 1; k >= 0; k-- {
		if p.st.IsPushed(csi[k].Reg) {
			off -= word
			csi[k].FI = f.Frame.CreateFixedObject(word, off, p.alignAt(off), mir.FrameSpill)
			f.Frame.CVBytesOfCalleeSaved += uint32(word)
		}
	}
	for n := range csi {
		k := n
		if p.h.Push != 0 {
			k = len(csi) - 1 - n
		}
		if p.st.IsPushed(csi[k].Reg) {
			continue
		}
		s := in.ClassSize(in.MinimalPhysRegClass(desc.PhysReg(csi[k].Reg), 0), in.DefaultMode)
		size, align := int64(s.SpillSize), int64(s.SpillAlign)
		// Beside a frame pointer the slots are at fixed offsets from it: the base
		// pointer, from which other objects are addressed, is one that is restored.
		if p.h.Push == 0 && !p.st.HasFP(f) {
			csi[k].FI = f.Frame.CreateStackObject(size, log2(uint64(align)), mir.FrameSpill)
			continue
		}
		off = (off - size) &^ (align - 1)
		csi[k].FI = f.Frame.CreateFixedObject(size, off, p.alignAt(off), mir.FrameSpill)
		f.Frame.MaxAlign = max(f.Frame.MaxAlign, log2(uint64(align)))
	}
}

// alignAt is how a fixed object at an offset is aligned.
func (p *pei) alignAt(off int64) uint8 { return min(log2(uint64(-off)), p.st.StackAlign()) }

// isArgument reports whether an argument came in a part of r, which the function
// still reads after it saved r.
func isArgument(f *mir.Function, r mir.Reg) bool {
	for _, l := range f.LiveIns {
		if f.Facts.Overlap(desc.PhysReg(l.Phys), desc.PhysReg(r)) {
			return true
		}
	}
	return false
}

// save writes the pushes and, behind them, the stores.
func (p *pei) save(b mir.BlockID, csi []mir.CalleeSavedInfo) error {
	f := p.f
	at := f.Block(b).First()
	for k := len(csi) - 1; k >= 0; k-- {
		if r := csi[k].Reg; p.st.IsPushed(r) {
			if !f.IsLiveIn(b, r) {
				f.AddLiveIn(b, r, mir.AllLanes)
			}
			o := mir.RegOp(r, 0).WithFlag(mir.Kill, !isArgument(f, r))
			p.insert(b, at, mir.FrameSetup, p.h.Push, o)
		}
	}
	for n := range csi {
		k := n
		if p.h.Push != 0 {
			k = len(csi) - 1 - n
		}
		r := csi[k].Reg
		if p.st.IsPushed(r) {
			continue
		}
		cl := int16(f.Facts.MinimalPhysRegClass(desc.PhysReg(r), 0))
		if err := p.st.StoreRegToStack(f, b, at, r, !isArgument(f, r), csi[k].FI, cl, mir.FrameSetup); err != nil {
			return err
		}
	}
	return nil
}

// restore does the reverse.
func (p *pei) restore(b mir.BlockID, csi []mir.CalleeSavedInfo) error {
	f := p.f
	at := f.FirstTerminator(b)
	for n := range csi {
		k := n
		if p.h.Push == 0 {
			k = len(csi) - 1 - n
		}
		if p.st.IsPushed(csi[k].Reg) {
			continue
		}
		cl := int16(f.Facts.MinimalPhysRegClass(desc.PhysReg(csi[k].Reg), 0))
		if err := p.st.LoadRegFromStack(f, b, at, csi[k].Reg, csi[k].FI, cl, mir.FrameDestroy); err != nil {
			return err
		}
	}
	for k := range csi {
		if p.st.IsPushed(csi[k].Reg) {
			p.insert(b, at, mir.FrameDestroy, p.h.Pop, mir.RegOp(csi[k].Reg, mir.Def))
		}
	}
	return nil
}

func (p *pei) insert(b mir.BlockID, at mir.InstrID, flags mir.MIFlags, op desc.Opcode, ops ...mir.Operand) {
	i := p.f.New(op, ops...)
	p.f.AddImplicitOps(i)
	p.f.Instr(i).SetFlags(flags)
	if at != 0 && flags&mir.FrameDestroy != 0 {
		p.f.Instr(i).Loc = p.f.Instr(at).Loc
	}
	p.f.InsertBefore(b, at, i)
}

// IsModified reports whether an instruction of f writes a part of physical
// register r, calls that do not preserve it included.
func IsModified(f *mir.Function, r mir.Reg) bool {
	for _, a := range f.Facts.Aliases(desc.PhysReg(r)) {
		if f.HasDefs(mir.Reg(a)) {
			return true
		}
	}
	for _, m := range f.RegMasks {
		if m[r/32]>>(r%32)&1 == 0 {
			return true
		}
	}
	return false
}
