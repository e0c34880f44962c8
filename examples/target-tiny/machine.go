package tiny

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// instrHooks tell the machine passes about instructions.
var instrHooks = target.InstrHooks{
	CopyPhysReg: func(st *target.Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, loc mir.DebugLoc, dst, src mir.Reg, kill bool) error {
		i := f.New(loaded().r.addi, mir.RegOp(dst, mir.Def), mir.RegOp(src, killed(kill)), mir.ImmOp(0))
		f.Instr(i).Loc = loc
		f.InsertBefore(b, at, i)
		return nil
	},
	StoreRegToStack: func(st *target.Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, src mir.Reg, kill bool, fi int, _ int16, fl mir.MIFlags) error {
		return slot(f, b, at, fi, loaded().r.sw, mir.RegOp(src, killed(kill)), mir.MemStore, fl)
	},
	LoadRegFromStack: func(st *target.Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, dst mir.Reg, fi int, _ int16, fl mir.MIFlags) error {
		return slot(f, b, at, fi, loaded().r.lw, mir.RegOp(dst, mir.Def), mir.MemLoad, fl)
	},
	AnalyzeBranch: analyzeBranch,
	RemoveBranch:  removeBranch,
	InsertBranch:  insertBranch,
	ReverseCond: func(st *target.Subtarget, cond []mir.Operand) bool {
		cond[0].SetImm(int64(loaded().r.reverse[desc.Opcode(cond[0].Imm())]))
		return true
	},
	ReservedRegs: func(st *target.Subtarget, _ *mir.Function) (out []mir.Reg) {
		set := st.Facts.ReservedRegs(0)
		for r := range st.Facts.Regs {
			if set[r/32]>>(r%32)&1 != 0 {
				out = append(out, mir.Reg(r))
			}
		}
		return out
	},
	CalleeSaved: func(st *target.Subtarget, _ *mir.Function) (out []mir.Reg) {
		for _, r := range loaded().cc.SavedRegs(0) {
			out = append(out, mir.Reg(r))
		}
		return out
	},
}

func killed(kill bool) mir.OpFlags {
	if kill {
		return mir.Kill
	}
	return 0
}

// slot loads or stores a register in a stack slot.
func slot(f *mir.Function, b mir.BlockID, at mir.InstrID, fi int, op desc.Opcode, r mir.Operand, mem mir.MemFlags, fl mir.MIFlags) error {
	i := f.New(op, r, mir.FrameOp(fi), mir.ImmOp(0))
	o := f.Frame.Object(fi)
	f.Instr(i).SetFlags(fl)
	f.SetMem(i, f.AddMem(mir.MemOperand{Type: mir.Scalar(32), Size: 4, Ptr: uint32(int32(fi)), PtrKind: mir.PtrFixedStack, Flags: mem, BaseAlign: o.Align}))
	f.InsertBefore(b, at, i)
	return nil
}

// isCond reports a conditional branch.
func (n *names) isCond(op desc.Opcode) bool { return n.reverse[op] != 0 }

// analyzeBranch understands blocks that end in nothing, J, a conditional branch, or both. The
// condition is opcode and the two registers.
func analyzeBranch(st *target.Subtarget, f *mir.Function, b mir.BlockID) (br target.Branch, ok bool) {
	n := &loaded().r
	for i := f.FirstTerminator(b); i != 0; i = f.Instr(i).Next() {
		switch op := f.Instr(i).Opcode; {
		case n.isCond(op) && br.True == 0:
			br.True = f.Op(i, 2).Block()
			br.Cond = []mir.Operand{mir.ImmOp(int64(op)), *f.Op(i, 0), *f.Op(i, 1)}
		case op == n.j && br.True == 0:
			br.True = f.Op(i, 0).Block()
		case op == n.j && br.Cond != nil && br.False == 0:
			br.False = f.Op(i, 0).Block()
		default:
			return br, false
		}
	}
	return br, true
}

func removeBranch(st *target.Subtarget, f *mir.Function, b mir.BlockID) (count int) {
	n := &loaded().r
	for i := f.Block(b).Last(); i != 0 && (f.Instr(i).Opcode == n.j || n.isCond(f.Instr(i).Opcode)); i = f.Block(b).Last() {
		f.Erase(i)
		count++
	}
	return count
}

func insertBranch(st *target.Subtarget, f *mir.Function, b mir.BlockID, br target.Branch, loc mir.DebugLoc) int {
	bd := mir.Builder{F: f, Block: b, Loc: loc}
	if br.Cond == nil {
		bd.Build(loaded().r.j, mir.BlockOp(br.True))
		return 1
	}
	reg := func(k int) mir.Operand { return mir.RegOp(br.Cond[k].Reg(), 0) }
	bd.Build(desc.Opcode(br.Cond[0].Imm()), reg(1), reg(2), mir.BlockOp(br.True))
	if br.False == 0 {
		return 1
	}
	bd.Build(loaded().r.j, mir.BlockOp(br.False))
	return 2
}

// frameHooks lay out the stack frame: from the stack pointer up outgoing
// arguments, locals, saved registers, and the caller's arguments above them.
var frameHooks = target.FrameHooks{
	StackAlign:           3,
	HasFP:                func(*target.Subtarget, *mir.Function) bool { return false },
	HasReservedCallFrame: func(*target.Subtarget, *mir.Function) bool { return true },
	EmitPrologue: func(st *target.Subtarget, f *mir.Function, b mir.BlockID) error {
		if f.Frame.HasVarSizedObjects || f.Frame.MaxAlign > 3 {
			return st.NotSupported(f, "a stack object of variable size or of more than 8 bytes' alignment")
		}
		return moveSP(st, f, b, f.Block(b).First(), -int64(f.Frame.StackSize), mir.FrameSetup)
	},
	EmitEpilogue: func(st *target.Subtarget, f *mir.Function, b mir.BlockID) error {
		return moveSP(st, f, b, f.FirstTerminator(b), int64(f.Frame.StackSize), mir.FrameDestroy)
	},
	EliminateCallFramePseudo: func(_ *target.Subtarget, f *mir.Function, i mir.InstrID) (mir.InstrID, error) {
		next := f.Instr(i).Next()
		f.Erase(i)
		return next, nil
	},
	// A frame index is always followed by the number that is added to it.
	EliminateFrameIndex: func(st *target.Subtarget, f *mir.Function, i mir.InstrID, op, spAdj int) error {
		off := f.Frame.Object(f.Op(i, op).FrameIndex()).Offset + int64(f.Frame.StackSize) + int64(spAdj) + f.Op(i, op+1).Imm()
		f.ReplaceOp(i, op, mir.RegOp(mir.Reg(loaded().r.sp), 0))
		f.Op(i, op+1).SetImm(off)
		return inReach(st, f, off)
	},
}

// inReach refuses offsets that an instruction cannot hold.
func inReach(st *target.Subtarget, f *mir.Function, off int64) error {
	if off < -1<<17 || off >= 1<<17 {
		return st.NotSupported(f, "a stack frame of more than 128 KiB")
	}
	return nil
}

// moveSP adds n to the stack pointer.
func moveSP(st *target.Subtarget, f *mir.Function, b mir.BlockID, at mir.InstrID, n int64, fl mir.MIFlags) error {
	if n == 0 {
		return nil
	}
	sp := mir.Reg(loaded().r.sp)
	i := f.New(loaded().r.addi, mir.RegOp(sp, mir.Def), mir.RegOp(sp, 0), mir.ImmOp(n))
	f.Instr(i).SetFlags(fl)
	f.InsertBefore(b, at, i)
	return inReach(st, f, n)
}
