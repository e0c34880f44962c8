package x86

import (
	"github.com/mirin-go/mirin/mir"
)

// recoverVarArgs finds again what saveVarArgs left in funcInfo. MIR text does
// not carry it (LLVM's neither), so a function that comes from a file between
// the irtranslator and the legalizer is asked: the save area is the stack
// object into which the entry block stores unused argument registers; the
// first saved word and vector say how many the fixed arguments took; the
// overflow area is the highest fixed object, made of one byte.
func recoverVarArgs(f *mir.Function) {
	fi := infoOf(f)
	if fi.isVarArg || f.IR == nil || !f.Module.Types.IsVarArg(f.IR.Global().ValueType) {
		return
	}
	fi.isVarArg = true
	fr := &f.Frame
	found := false
	for n := -fr.NumFixed; n < 0; n++ {
		o := fr.Object(n)
		if o.Size == 1 && o.Flags&mir.FrameImmutable != 0 && (!found || o.Offset > fr.Object(fi.overflow).Offset) {
			fi.overflow, found = n, true
		}
	}
	for n := 0; n < len(fr.Objects)-fr.NumFixed; n++ {
		if o := fr.Object(n); o.Size == saveArea && o.Align == 4 && o.Name == 0 {
			fi.regSave = n
			break
		}
	}
	fi.gpOffset, fi.fpOffset = saveInts, saveArea
	for i := f.Block(f.FirstBlock()).First(); i != 0; i = f.Instr(i).Next() {
		if f.NumMem(i) != 1 {
			continue
		}
		m := f.MemOf(i, 0)
		if m.PtrKind != mir.PtrFixedStack || int(int32(m.Ptr)) != fi.regSave || m.Flags&mir.MemStore == 0 {
			continue
		}
		if m.Size == 8 {
			fi.gpOffset = min(fi.gpOffset, m.Offset)
		} else {
			fi.fpOffset = min(fi.fpOffset, m.Offset)
		}
	}
}
