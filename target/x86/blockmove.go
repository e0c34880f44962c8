package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// blockMove moves 16 bytes through SSE registers, aligned or not.
var blockMove = target.BlockMove{
	Load: func(st *target.Subtarget, b *mir.Builder, p mir.Reg, off int64, m mir.MemOperand) mir.Reg {
		v := b.F.AddVReg(int16(tab.VR128RegClassID))
		op := tab.MOVUPSrm
		if alignedBlock(&m) {
			op = tab.MOVAPSrm
		}
		m.Flags |= mir.MemLoad
		i := b.BuildInstr(op, append([]mir.Operand{mir.RegOp(v, mir.Def)}, blockAddress(st, b, p, off)...)...)
		b.F.SetMem(i, b.F.AddMem(m))
		return v
	},
	Store: func(st *target.Subtarget, b *mir.Builder, v, p mir.Reg, off int64, m mir.MemOperand) {
		op := tab.MOVUPSmr
		if alignedBlock(&m) {
			op = tab.MOVAPSmr
		}
		m.Flags |= mir.MemStore
		i := b.BuildInstr(op, append(blockAddress(st, b, p, off), mir.RegOp(v, 0))...)
		b.F.SetMem(i, b.F.AddMem(m))
	},
	Clear: func(b *mir.Builder) mir.Reg {
		v := b.F.AddVReg(int16(tab.VR128RegClassID))
		b.BuildInstr(tab.V_SET0, mir.RegOp(v, mir.Def))
		return v
	},
}

// alignedBlock reports whether an access of 16 bytes is aligned.
func alignedBlock(m *mir.MemOperand) bool { return m.BaseAlign >= 4 && m.Offset%16 == 0 }

// blockAddress is p + off as the operands of an instruction: a stack object, a
// symbol or a register, and a displacement, behind additions of constants.
func blockAddress(st *target.Subtarget, b *mir.Builder, p mir.Reg, off int64) []mir.Operand {
	f := b.F
	base := mir.Operand{}
	segment, _ := segmentOf(f.TypeOf(p))
	for range maxAddressDepth {
		d := f.UniqueDef(p)
		if d == 0 {
			break
		}
		switch f.Instr(d).Opcode {
		case desc.G_FRAME_INDEX:
			base = mir.FrameOp(f.Op(d, 1).FrameIndex())
		case desc.G_GLOBAL_VALUE:
			o := *f.Op(d, 1)
			if o.TargetFlags() == 0 && 0 <= off && off < maxSymbolOffset && classifyGlobal(st, f, &o) == globalNear {
				return symbolMem(st, f, o.WithOffset(o.Offset()+off))
			}
		}
		if f.Instr(d).Opcode != desc.G_PTR_ADD {
			break
		}
		k, ok := globalisel.ConstOf(f, f.Op(d, 2).Reg())
		if !ok || k+off != int64(int32(k+off)) {
			break
		}
		p, off = f.Op(d, 1).Reg(), off+k
	}
	if base.Kind() != mir.OpFrameIndex {
		// The operand of a target instruction has a class from the start.
		r := f.AddVReg(int16(modeOf(st).gr))
		b.Copy(r, p)
		base = mir.RegOp(r, 0)
	}
	return []mir.Operand{base, mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(off), mir.RegOp(reg(segment), 0)}
}
