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
	va := &f.Frame.VarArgs
	f.Frame.HasVAStart = true
	va.Stack = f.Frame.CreateFixedObject(1, a.Stack, uint8(min(bits.TrailingZeros64(uint64(a.Stack)), 4)), mir.FrameImmutable)
	va.Saved = f.Frame.CreateStackObject(saveArea, 4, 0)
	numInt, numFP := a.NumTaken(argRegs), a.NumTaken(vecRegs)
	va.Ints, va.Floats = int64(8*numInt), int64(saveInts+saveFPReg*numFP)
	p0, s64 := mir.Pointer(0, 64), mir.Scalar(64)
	base := b.New(p0)
	b.Build(desc.G_FRAME_INDEX, globalisel.Def(base), mir.FrameOp(va.Saved))
	for k := numInt; k < len(argRegs); k++ {
		r := b.New(s64)
		globalisel.LiveIn(mb, r, argRegs[k])
		m := slotMem(va.Saved, s64, 8)
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
		i := b.Build(tab.MOVAPSmr, mir.FrameOp(va.Saved), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(off), mir.RegOp(0, 0), globalisel.Use(r))
		m := slotMem(va.Saved, mir.Scalar(128), 16)
		m.Offset, m.Flags = off, mir.MemStore
		f.SetMem(i, f.AddMem(m))
	}
	return nil
}

// recoverVarArgs finds again what saveVarArgs left in mir.VarArgs and reports
// whether it did. MIR text does not carry it, so a function that comes from a file
// between the irtranslator and the legalizer is asked: the save area is the stack
// object into which the entry block stores unused argument registers; the
// first saved word and vector say how many the fixed arguments took; the
// overflow area is the highest fixed object, made of one byte.
func recoverVarArgs(f *mir.Function) bool {
	fr := &f.Frame
	if fr.VarArgs.Stack != 0 {
		return true
	}
	va := mir.VarArgs{Saved: mir.NoFrameIndex, Ints: saveInts, Floats: saveArea}
	for n := -fr.NumFixed; n < 0; n++ {
		o := fr.Object(n)
		if o.Size == 1 && o.Flags&mir.FrameImmutable != 0 && (va.Stack == 0 || o.Offset > fr.Object(va.Stack).Offset) {
			va.Stack = n
		}
	}
	for n := 0; n < len(fr.Objects)-fr.NumFixed; n++ {
		if o := fr.Object(n); o.Size == saveArea && o.Align == 4 && o.Name == 0 {
			if va.Saved != mir.NoFrameIndex {
				return false // either could be it
			}
			va.Saved = n
		}
	}
	if va.Stack == 0 || va.Saved == mir.NoFrameIndex {
		return false
	}
	for i := f.Block(f.FirstBlock()).First(); i != 0; i = f.Instr(i).Next() {
		if f.NumMem(i) != 1 {
			continue
		}
		m := f.MemOf(i, 0)
		if m.PtrKind != mir.PtrFixedStack || int(int32(m.Ptr)) != va.Saved || m.Flags&mir.MemStore == 0 {
			continue
		}
		if m.Size == 8 {
			va.Ints = min(va.Ints, m.Offset)
		} else {
			va.Floats = min(va.Floats, m.Offset)
		}
	}
	fr.VarArgs = va
	return true
}
