package x86

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Call lowering of x86-64. Where values go is described in X86CallingConv.td;
// here are the instructions that bring them there.

// funcInfo is the target's own information about a function.
type funcInfo struct {
	// sret holds the address that the function must return in RAX, 0 for none.
	sret mir.Reg
	// argStack is the size of the stack arguments in bytes.
	argStack int64
	// Variable arguments: frame indices of the register save area and of the
	// first stack argument, offsets into the save area.
	regSave, overflow  int
	gpOffset, fpOffset int64
	isVarArg           bool
}

func infoOf(f *mir.Function) *funcInfo {
	fi, ok := f.TargetInfo.(*funcInfo)
	if !ok {
		fi = new(funcInfo)
		f.TargetInfo = fi
	}
	return fi
}

// checkConvention reports conventions, and uses of them, that are not supported.
func checkConvention(st *target.Subtarget, f *mir.Function, cc uint16, varArg bool) error {
	switch cc {
	case ccC, ccFast, ccCold, ccTail, ccSysV, ccSwift, ccPreserveMost, ccPreserveAll:
		return nil
	case ccWin64, ccPreserveNone, ccRegCall:
		if varArg {
			return st.NotSupported(f, "a variable argument list in this calling convention")
		}
		return nil
	}
	return st.NotSupported(f, "this calling convention")
}

// legalPart reports why a part cannot be passed, "" when it can.
func legalPart(st *target.Subtarget, p target.Part) string {
	if p.LLT.IsVector() {
		if n := p.LLT.Bits(); n&(n-1) != 0 || n > 128 || p.LLT.ScalarBits() < 8 {
			return "passing a vector " + p.LLT.String()
		}
	}
	if p.LLT.IsPointer() && p.LLT.ScalarBits() != 64 {
		return "passing a pointer of 32 bits"
	}
	return ""
}

// oddAttribute names an attribute of an argument that is not supported, "" for none.
func oddAttribute(a ir.AttrSet) string {
	for _, k := range [...]string{"inalloca", "preallocated", "swiftasync", "swifterror"} {
		if a.Has(k) {
			return "parameter attribute " + k
		}
	}
	return ""
}

// assignment is the places of the arguments of a function or call.
type assignment struct {
	*callconv.State
	Locs []globalisel.Loc
}

// assign gives every part of the arguments its place.
func assign(st *target.Subtarget, f *mir.Function, cc uint16, varArg bool, numFixed int, args []target.CallArg) (*assignment, error) {
	for n := range args {
		if odd := oddAttribute(args[n].Attrs); odd != "" {
			return nil, st.NotSupported(f, odd)
		}
		for _, p := range args[n].Parts {
			if why := legalPart(st, p); why != "" {
				return nil, st.NotSupported(f, why)
			}
		}
	}
	s, why := placeArgs(st, f.Module.Types, cc, varArg, numFixed, args)
	if why != "" {
		return nil, st.NotSupported(f, why)
	}
	for k := range s.Locs {
		if s.Locs[k].Info == callconv.Indirect {
			return nil, st.NotSupported(f, "passing an argument by its address in this calling convention")
		}
	}
	return &assignment{State: s, Locs: globalisel.Locs(s, args)}, nil
}

// assignResult gives every part of a result its register.
func assignResult(st *target.Subtarget, f *mir.Function, cc uint16, ret *target.CallArg) ([]globalisel.Loc, error) {
	for _, p := range ret.Parts {
		if why := legalPart(st, p); why != "" {
			return nil, st.NotSupported(f, why)
		}
	}
	s, why := placeResult(st, f.Module.Types, cc, ret)
	if why != "" {
		return nil, st.NotSupported(f, why)
	}
	for k := range s.Locs {
		if r := s.Locs[k].Reg; r == tab.FP0 || r == tab.FP1 {
			return nil, st.NotSupported(f, "returning a value on the x87 stack")
		}
	}
	return globalisel.Locs(s, []target.CallArg{*ret}), nil
}

// canLowerReturn is ISelHooks.CanLowerReturn.
func canLowerReturn(st *target.Subtarget, parts []target.Part, cc uint16) bool {
	_, why := placeResult(st, nil, cc, &target.CallArg{Parts: parts})
	return why == ""
}

// groups cuts locations into those of one part each and calls do for them.
func groups(locs []globalisel.Loc, do func(ls []globalisel.Loc) error) error {
	for k := 0; k < len(locs); k += locs[k].Words {
		if err := do(locs[k : k+locs[k].Words]); err != nil {
			return err
		}
	}
	return nil
}

// lowerFormalArguments is ISelHooks.LowerFormalArguments.
func lowerFormalArguments(st *target.Subtarget, mb *mir.Builder, args []target.CallArg) error {
	f, b := mb.F, globalisel.Wrap(mb)
	f.TargetInfo = nil
	fi := infoOf(f)
	g := f.IR.Global()
	varArg := f.Module.Types.IsVarArg(g.ValueType)
	if err := checkConvention(st, f, g.CC, varArg); err != nil {
		return err
	}
	if g.CC == ccPreserveAll && st.HasFeature("avx") {
		return st.NotSupported(f, "saving the registers of AVX in a function of preserve_allcc")
	}
	a, err := assign(st, f, g.CC, varArg, len(args), args)
	if err != nil {
		return err
	}
	err = groups(a.Locs, func(ls []globalisel.Loc) error { return incoming(st, b, &args[ls[0].Arg], ls) })
	if err != nil {
		return err
	}
	for n := range args {
		if args[n].Attrs.Has("sret") && g.CC != ccSwift {
			fi.sret = args[n].Regs[0]
		}
	}
	fi.argStack = a.Stack
	if varArg {
		fi.isVarArg = true
		saveVarArgs(st, b, a)
	}
	return nil
}

// liveIn makes a physical register live into the function and copies it to r.
func liveIn(b globalisel.Builder, r mir.Reg, phys desc.PhysReg) {
	b.F.AddLiveIn(b.Block, reg(phys), mir.AllLanes)
	b.F.LiveIns = append(b.F.LiveIns, mir.LiveInPair{Phys: reg(phys)})
	b.Copy(r, reg(phys))
}

// alignOf is log2 of the alignment of stack offset off.
func alignOf(off int64) uint8 {
	n := uint8(4)
	for off&(1<<n-1) != 0 {
		n--
	}
	return n
}

// incoming brings in one part.
func incoming(st *target.Subtarget, b globalisel.Builder, arg *target.CallArg, ls []globalisel.Loc) error {
	f := b.F
	l := ls[0]
	d := arg.Regs[l.Part]
	if l.ByVal > 0 {
		n := f.Frame.CreateFixedObject(l.ByVal, l.Off, alignOf(l.Off), 0)
		b.Build(desc.G_FRAME_INDEX, globalisel.Def(d), mir.FrameOp(n))
		return nil
	}
	if l.LLT.IsVector() {
		return incomingVector(st, b, d, l)
	}
	if len(ls) == 1 && l.LLT == f.TypeOf(d) {
		wordIn(b, d, l, b.Type(d))
		return nil
	}
	var words []mir.Reg
	for _, l := range ls {
		w := b.New(l.LLT)
		mt := l.LLT
		if len(ls) == 1 {
			mt = narrowMem(f.TypeOf(d), l.LLT)
		}
		wordIn(b, w, l, mt)
		words = append(words, w)
	}
	if n := f.TypeOf(d).ScalarBits(); len(ls) == 1 && n < l.LLT.ScalarBits() {
		op := desc.Opcode(0)
		switch globalisel.ExtensionOf(arg.Attrs) {
		case desc.G_ZEXT:
			op = desc.G_ASSERT_ZEXT
		case desc.G_SEXT:
			op = desc.G_ASSERT_SEXT
		}
		if op != 0 && l.Reg != 0 {
			w := b.New(l.LLT)
			b.Build(op, globalisel.Def(w), globalisel.Use(words[0]), mir.ImmOp(int64(n)))
			words[0] = w
		}
	}
	b.JoinWords(d, words)
	return nil
}

// narrowMem is the type of a stack argument in memory: what is above it there
// is not defined, so that no more than the value's own bytes are read.
func narrowMem(t, loc mir.LLT) mir.LLT {
	n := 8
	for n < t.ScalarBits() {
		n *= 2
	}
	if n < loc.ScalarBits() {
		return mir.Scalar(n)
	}
	return loc
}

// wordIn copies or loads one word of an argument.
func wordIn(b globalisel.Builder, d mir.Reg, l globalisel.Loc, mt mir.LLT) {
	if l.Reg != 0 {
		liveIn(b, d, l.Reg)
		return
	}
	fr := &b.F.Frame
	n := fr.CreateFixedObject(int64(l.LLT.Bytes()), l.Off, alignOf(l.Off), mir.FrameImmutable)
	addr := b.New(mir.Pointer(0, 64))
	b.Build(desc.G_FRAME_INDEX, globalisel.Def(addr), mir.FrameOp(n))
	m := mir.MemOperand{Type: mt, Size: int64(mt.Bytes()), Ptr: uint32(int32(n)), PtrKind: mir.PtrFixedStack,
		BaseAlign: alignOf(l.Off), Flags: mir.MemInvariant}
	if mt != l.LLT && mt.IsScalar() {
		// The rest of the word is not defined.
		w := b.Load(mt, addr, m)
		b.Build(desc.G_ANYEXT, globalisel.Def(d), globalisel.Use(w))
		return
	}
	b.LoadTo(d, addr, m)
}

// incomingVector spills a vector register to the stack and loads the value
// from there, so that generic code sees ordinary loads.
func incomingVector(st *target.Subtarget, b globalisel.Builder, d mir.Reg, l globalisel.Loc) error {
	if l.Reg == 0 {
		wordIn(b, d, l, l.LLT)
		return nil
	}
	f := b.F
	v := f.AddVReg(int16(tab.VR128RegClassID))
	liveIn(b, v, l.Reg)
	vectorToGeneric(b, d, v)
	return nil
}

// vectorToGeneric loads generic vector d from a slot that register v is stored to.
func vectorToGeneric(b globalisel.Builder, d, v mir.Reg) {
	n := b.F.Frame.CreateStackObject(16, 4, 0)
	m := slotMem(n, mir.Scalar(128), 16)
	m.Flags = mir.MemStore
	i := b.Build(tab.MOVAPSmr, mir.FrameOp(n), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(0, 0), globalisel.Use(v))
	b.F.SetMem(i, b.F.AddMem(m))
	addr := b.New(mir.Pointer(0, 64))
	b.Build(desc.G_FRAME_INDEX, globalisel.Def(addr), mir.FrameOp(n))
	b.LoadTo(d, addr, slotMem(n, b.Type(d), int64(b.Type(d).Bytes())))
}

// genericToVector stores generic vector s to a slot and loads a vector register from it.
func genericToVector(b globalisel.Builder, s mir.Reg) mir.Reg {
	n := b.F.Frame.CreateStackObject(16, 4, 0)
	addr := b.New(mir.Pointer(0, 64))
	b.Build(desc.G_FRAME_INDEX, globalisel.Def(addr), mir.FrameOp(n))
	b.Store(s, addr, slotMem(n, b.Type(s), int64(b.Type(s).Bytes())))
	v := b.F.AddVReg(int16(tab.VR128RegClassID))
	i := b.Build(tab.MOVAPSrm, globalisel.Def(v), mir.FrameOp(n), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(0, 0))
	m := slotMem(n, mir.Scalar(128), 16)
	m.Flags = mir.MemLoad
	b.F.SetMem(i, b.F.AddMem(m))
	return v
}

func slotMem(n int, t mir.LLT, size int64) mir.MemOperand {
	return mir.MemOperand{Type: t, Size: size, Ptr: uint32(int32(n)), PtrKind: mir.PtrFixedStack, BaseAlign: 4}
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
func saveVarArgs(st *target.Subtarget, b globalisel.Builder, a *assignment) {
	f := b.F
	fi := infoOf(f)
	f.Frame.HasVAStart = true
	fi.overflow = f.Frame.CreateFixedObject(1, a.Stack, alignOf(a.Stack), mir.FrameImmutable)
	fi.regSave = f.Frame.CreateStackObject(saveArea, 4, 0)
	numInt, numFP := a.NumTaken(argRegs), a.NumTaken(vecRegs)
	fi.gpOffset, fi.fpOffset = int64(8*numInt), int64(saveInts+saveFPReg*numFP)
	p0, s64 := mir.Pointer(0, 64), mir.Scalar(64)
	base := b.New(p0)
	b.Build(desc.G_FRAME_INDEX, globalisel.Def(base), mir.FrameOp(fi.regSave))
	for k := numInt; k < len(argRegs); k++ {
		r := b.New(s64)
		liveIn(b, r, argRegs[k])
		m := slotMem(fi.regSave, s64, 8)
		m.Offset = int64(8 * k)
		b.Store(r, b.PtrAddConst(base, m.Offset), m)
	}
	if f.IR.Module.Attrs.At(f.IR.Global().Attrs).Fn.Has("noimplicitfloat") || !st.HasFeature("sse") {
		return
	}
	for k := numFP; k < len(vecRegs); k++ {
		r := f.AddVReg(int16(tab.VR128RegClassID))
		liveIn(b, r, vecRegs[k])
		off := int64(saveInts + saveFPReg*k)
		i := b.Build(tab.MOVAPSmr, mir.FrameOp(fi.regSave), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(off), mir.RegOp(0, 0), globalisel.Use(r))
		m := slotMem(fi.regSave, mir.Scalar(128), 16)
		m.Offset, m.Flags = off, mir.MemStore
		f.SetMem(i, f.AddMem(m))
	}
}

// lowerReturn is ISelHooks.LowerReturn.
func lowerReturn(st *target.Subtarget, mb *mir.Builder, ret *target.CallArg) error {
	f, b := mb.F, globalisel.Wrap(mb)
	fi := infoOf(f)
	var used []mir.Reg
	locs, err := assignResult(st, f, f.IR.Global().CC, ret)
	if err != nil {
		return err
	}
	type move struct{ dst, src mir.Reg }
	var moves []move
	err = groups(locs, func(ls []globalisel.Loc) error {
		src := outgoing(b, ret, ls)
		for k, l := range ls {
			moves = append(moves, move{reg(l.Reg), src[k]})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if fi.sret != 0 {
		moves = append(moves, move{reg(tab.RAX), fi.sret})
	}
	for _, m := range moves {
		b.Copy(m.dst, m.src)
		used = append(used, m.dst)
	}
	i := b.Build(tab.RET, mir.ImmOp(0))
	for _, r := range used {
		f.AddOp(i, mir.RegOp(r, mir.Implicit))
	}
	return nil
}

// outgoing gives the words of one part as their places want them.
func outgoing(b globalisel.Builder, arg *target.CallArg, ls []globalisel.Loc) []mir.Reg {
	v := arg.Regs[ls[0].Part]
	switch {
	case ls[0].LLT.IsVector():
		if ls[0].Reg != 0 {
			v = genericToVector(b, v)
		}
		return []mir.Reg{v}
	case ls[0].FP:
		return []mir.Reg{v}
	}
	return b.SplitWords(nil, globalisel.ExtensionOf(arg.Attrs), ls[0].LLT, len(ls), v)
}
