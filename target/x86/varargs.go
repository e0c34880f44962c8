package x86

import (
	"math/bits"

	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// funcInfo is what va_start needs to know of a function with variable
// arguments: frame indices of the register save area and of the first stack
// argument, and offsets into the save area.
type funcInfo struct {
	read               mir.FunctionInfo // of a MIR file, which is printed again
	isVarArg           bool
	regSave, overflow  int
	gpOffset, fpOffset int64
}

func infoOf(f *mir.Function) *funcInfo {
	fi, ok := f.TargetInfo.(*funcInfo)
	if !ok {
		fi = &funcInfo{read: f.TargetInfo}
		f.TargetInfo = fi
	}
	return fi
}

// AppendYAML is mir.FunctionInfo's: LLVM's fields know nothing of what is kept here.
func (fi *funcInfo) AppendYAML(b []byte, f *mir.Function, simplify bool) ([]byte, bool) {
	if fi.read != nil {
		return fi.read.AppendYAML(b, f, simplify)
	}
	return b, false
}

// The register save area of va_start: six words, then eight vectors.
const (
	saveInts  = 6 * 8
	saveArea  = saveInts + 8*16
	saveFPReg = 16
)

// saveVarArgs stores the argument registers that fixed arguments left free to
// the save area. The vectors are stored whatever AL says: AL is a hint that
// allows to skip them.
func saveVarArgs(st *target.Subtarget, mb *mir.Builder, a *callconv.State) error {
	f, b := mb.F, globalisel.Wrap(mb)
	fi := infoOf(f)
	fi.isVarArg = true
	f.Frame.HasVAStart = true
	fi.overflow = f.Frame.CreateFixedObject(1, a.Stack, uint8(min(bits.TrailingZeros64(uint64(a.Stack)), 4)), mir.FrameImmutable)
	fi.regSave = f.Frame.CreateStackObject(saveArea, 4, 0)
	numInt, numFP := a.NumTaken(argRegs), a.NumTaken(vecRegs)
	fi.gpOffset, fi.fpOffset = int64(8*numInt), int64(saveInts+saveFPReg*numFP)
	p0, s64 := mir.Pointer(0, 64), mir.Scalar(64)
	base := b.New(p0)
	b.Build(desc.G_FRAME_INDEX, globalisel.Def(base), mir.FrameOp(fi.regSave))
	for k := numInt; k < len(argRegs); k++ {
		r := b.New(s64)
		globalisel.LiveIn(mb, r, argRegs[k])
		m := slotMem(fi.regSave, s64, 8)
		m.Offset = int64(8 * k)
		b.Store(r, b.PtrAddConst(base, m.Offset), m)
	}
	if f.IR.Module.Attrs.At(f.IR.Global().Attrs).Fn.Has("noimplicitfloat") || !st.HasFeature("sse") {
		return nil
	}
	for k := numFP; k < len(vecRegs); k++ {
		r := f.AddVReg(int16(tab.VR128RegClassID))
		globalisel.LiveIn(mb, r, vecRegs[k])
		off := int64(saveInts + saveFPReg*k)
		i := b.Build(tab.MOVAPSmr, mir.FrameOp(fi.regSave), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(off), mir.RegOp(0, 0), globalisel.Use(r))
		m := slotMem(fi.regSave, mir.Scalar(128), 16)
		m.Offset, m.Flags = off, mir.MemStore
		f.SetMem(i, f.AddMem(m))
	}
	return nil
}

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
