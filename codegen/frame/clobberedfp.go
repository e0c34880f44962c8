package frame

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// keepFramePointer pushes the frame pointer around inline assembly that clobbers it. What
// needs it for a value of its own is refused: spills between that value and its user would
// be addressed by it. The stack pointer stands one word below its home in the assembly,
// which therefore must not name objects of the frame.
func (p *pei) keepFramePointer() error {
	f, fp := p.f, mir.Reg(p.h.FramePointer)
	if fp == 0 || p.h.Push == 0 || !p.st.HasFP(f) || !IsModified(f, fp) {
		return nil
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.Instr(i).Flags()&(mir.FrameSetup|mir.FrameDestroy) != 0 {
				continue
			}
			clobbers, needs, local := p.framePointerIn(i)
			switch asm := f.Instr(i).Opcode == desc.INLINEASM; {
			case needs || clobbers && !asm:
				return p.st.NotSupported(f, "the frame pointer as an operand in a function that addresses its frame by it")
			case clobbers && local:
				return p.st.NotSupported(f, "inline assembly that clobbers the frame pointer and has an operand in the frame")
			case clobbers:
				loc := f.Instr(i).Loc
				push, pop := f.New(p.h.Push, mir.RegOp(fp, 0)), f.New(p.h.Pop, mir.RegOp(fp, mir.Def))
				for _, x := range [...]mir.InstrID{push, pop} {
					f.AddImplicitOps(x)
					f.Instr(x).Loc = loc
				}
				f.InsertBefore(b, i, push)
				f.InsertAfter(b, i, pop)
				f.Frame.AdjustsStack = true // there is no red zone
				i = pop
			}
		}
	}
	return nil
}

// framePointerIn reports what instruction i does with the frame pointer, and whether it
// names an object of the frame.
func (p *pei) framePointerIn(i mir.InstrID) (clobbers, needs, local bool) {
	f := p.f
	for _, o := range f.Ops(i) {
		switch {
		case o.Kind() == mir.OpFrameIndex:
			local = true
		case o.IsReg() && o.Reg() != 0 && o.IsDef() && f.Facts.Overlap(desc.PhysReg(o.Reg()), p.h.FramePointer):
			if o.IsImplicit() {
				clobbers = true
			} else {
				needs = true
			}
		}
	}
	return clobbers, needs, local
}
