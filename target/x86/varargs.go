package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// legalizeCustom lowers what only this target knows: variable arguments
// (psABI 3.5.7) and the addresses of frames.
func legalizeCustom(st *target.Subtarget, mb *mir.Builder, i mir.InstrID) (bool, error) {
	f := mb.F
	b := globalisel.Wrap(mb)
	switch f.Instr(i).Opcode {
	case desc.G_VASTART:
		vaStart(f, b, f.Op(i, 0).Reg())
	case desc.G_INTRINSIC, desc.G_INTRINSIC_W_SIDE_EFFECTS:
		return lowerIntrinsic(st, f, b, i)
	default:
		return false, nil
	}
	f.Erase(i)
	return true, nil
}

// vaStart fills in a va_list: gp_offset, fp_offset, overflow_arg_area, reg_save_area.
func vaStart(f *mir.Function, b globalisel.Builder, list mir.Reg) {
	fi := infoOf(f)
	s32, p0 := mir.Scalar(32), mir.Pointer(0, 64)
	at := func(off int64, t mir.LLT) (mir.Reg, mir.MemOperand) {
		return b.PtrAddConst(list, off), mir.MemOperand{Type: t, Size: int64(t.Bytes()), Offset: off, BaseAlign: 3}
	}
	p, m := at(0, s32)
	b.Store(b.Const(s32, fi.gpOffset), p, m)
	p, m = at(4, s32)
	b.Store(b.Const(s32, fi.fpOffset), p, m)
	for _, x := range [...]struct {
		off int64
		fi  int
	}{{8, fi.overflow}, {16, fi.regSave}} {
		a := b.New(p0)
		b.Build(desc.G_FRAME_INDEX, globalisel.Def(a), mir.FrameOp(x.fi))
		p, m = at(x.off, p0)
		b.Store(a, p, m)
	}
}

// lowerIntrinsic lowers va_copy, frameaddress, returnaddress.
func lowerIntrinsic(st *target.Subtarget, f *mir.Function, b globalisel.Builder, i mir.InstrID) (bool, error) {
	s64, p0 := mir.Scalar(64), mir.Pointer(0, 64)
	k := 0
	for f.Op(i, k).Kind() != mir.OpIntrinsicID {
		k++
	}
	switch name := f.Intrinsics[f.Op(i, k).Index()]; name {
	case "llvm.va_copy", "va_copy":
		d, s := f.Op(i, k+1).Reg(), f.Op(i, k+2).Reg()
		for off := int64(0); off < 24; off += 8 {
			m := mir.MemOperand{Type: s64, Size: 8, Offset: off, BaseAlign: 3}
			b.Store(b.Load(s64, b.PtrAddConst(s, off), m), b.PtrAddConst(d, off), m)
		}
	case "llvm.frameaddress", "frameaddress", "llvm.returnaddress", "returnaddress":
		ret := name == "llvm.returnaddress" || name == "returnaddress"
		depth := f.Op(i, k+1).Imm()
		f.Frame.IsFrameAddressTaken = true
		cur := b.New(p0)
		b.Copy(cur, reg(tab.RBP))
		m := mir.MemOperand{Type: p0, Size: 8, BaseAlign: 3}
		for range depth {
			cur = b.Load(p0, cur, m)
		}
		if ret {
			cur = b.Load(p0, b.PtrAddConst(cur, 8), m)
		}
		b.Copy(f.Op(i, 0).Reg(), cur)
	default:
		return false, nil
	}
	f.Erase(i)
	return true, nil
}
