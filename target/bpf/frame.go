package bpf

import (
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

// frameHooks: the kernel gives each function 512 bytes below R10, and nothing moves. No
// register is saved: what a call keeps the kernel itself keeps.
var frameHooks = target.FrameHooks{
	FramePointer: tab.R10, AlwaysFramePointer: true, SavesNothing: true,
	OffsetOperand: 1, OffsetBits: 16,
	ReplaceFrameIndex: replaceFrameIndex,
	AdjustStack:       func(*target.Subtarget, *mir.Builder, int64) error { return nil },
	EmitPrologue:      func(*target.Subtarget, *mir.Function, mir.BlockID) error { return nil },
	EmitEpilogue:      func(*target.Subtarget, *mir.Function, mir.BlockID) error { return nil },
}

// replaceFrameIndex: loads and stores have the offset; the address of an object is R10 and the
// offset, in two instructions.
func replaceFrameIndex(_ *target.Subtarget, f *mir.Function, i mir.InstrID, op int, base mir.Reg, off int64) error {
	in := f.Instr(i)
	switch in.Opcode {
	case tab.MOV_rr, tab.FI_ri:
		if in.Opcode == tab.FI_ri {
			off += f.Op(i, 2).Imm()
		}
		dst := f.Op(i, 0).Reg()
		b := mir.Builder{F: f, Loc: in.Loc}
		b.SetBefore(i)
		b.BuildInstr(tab.MOV_rr, mir.RegOp(dst, mir.Def), mir.RegOp(base, 0))
		b.BuildInstr(tab.ADD_ri, mir.RegOp(dst, mir.Def), mir.RegOp(dst, 0), mir.ImmOp(off))
		f.Erase(i)
	default:
		f.ReplaceOp(i, op, mir.RegOp(base, 0))
		f.SetImm(i, op+1, off+f.Op(i, op+1).Imm())
	}
	return nil
}
