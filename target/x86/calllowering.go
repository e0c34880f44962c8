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

// Call lowering of x86-64: the functions of target.CallConv. Where values go is
// described in X86CallingConv.td, and codegen/globalisel brings them there.

// unsupportedConvention names what is not supported of a convention.
func unsupportedConvention(st *target.Subtarget, cc uint16, varArg, defines bool) string {
	switch cc {
	case ccPreserveAll:
		if defines && st.HasFeature("avx") {
			return "saving the registers of AVX in a function of preserve_allcc"
		}
		return ""
	case ccC, ccFast, ccCold, ccTail, ccSwiftTail, ccSysV, ccSwift, ccPreserveMost:
		return ""
	case ccWin64, ccPreserveNone, ccRegCall:
		if varArg {
			return "a variable argument list in this calling convention"
		}
		return ""
	}
	return "this calling convention"
}

// tailCalls are the conventions whose tail calls are jumps always: with -tailcallopt others too.
func tailCalls(st *target.Subtarget, cc uint16) bool {
	switch cc {
	case ccTail, ccSwiftTail:
		return true
	case ccFast, ccRegCall:
		return st.Options.GuaranteedTailCalls
	}
	return false
}

// poppedBytes: callees of these take all arguments off the stack, and what aligns the
// return address behind them, so that jumps may have any number of arguments.
func poppedBytes(st *target.Subtarget, cc uint16, varArg bool, stack int64, _ []callconv.Arg) int64 {
	if varArg || !tailCalls(st, cc) {
		return 0
	}
	m := modeOf(st)
	return (stack+m.word+15)&^15 - m.word
}

// unsupportedConvention32 is unsupportedConvention of 32-bit code.
func unsupportedConvention32(_ *target.Subtarget, cc uint16, varArg, _ bool) string {
	switch cc {
	case ccC, ccFast, ccCold:
		return ""
	case ccTail, ccStdCall, ccFastCall, ccThisCall:
		if varArg {
			return "a variable argument list in this calling convention"
		}
		return ""
	}
	return "this calling convention"
}

// poppedBytes32 is poppedBytes of 32-bit code: the callee takes off all arguments in
// Windows' conventions, and in others the address of a result in memory, unless that
// is in a register (System V ABI, Intel386 supplement, "Functions Returning Structures").
func poppedBytes32(st *target.Subtarget, cc uint16, varArg bool, stack int64, args []callconv.Arg) int64 {
	switch {
	case varArg && cc != ccC && cc != ccFast && cc != ccCold:
	case cc == ccStdCall || cc == ccFastCall || cc == ccThisCall:
		return stack
	case tailCalls(st, cc) && !varArg:
		return poppedBytes(st, cc, varArg, stack, args)
	}
	if len(args) > 0 && args[0].Attrs.Has("sret") && !args[0].Attrs.Has("inreg") {
		return mode32.word
	}
	return 0
}

// needsGOT reports a callee of 32-bit code that the linker may reach through the
// procedure linkage table, whose entries read EBX.
func needsGOT(st *target.Subtarget, callee *mir.Operand) bool {
	return !modeOf(st).is64() && st.Options.Reloc == target.RelocPIC && callee.Kind() != mir.OpReg && callee.TargetFlags() == moPLT
}

// loadGOT has EBX be the address of the global offset table where the callee is to find it there.
func loadGOT(st *target.Subtarget, b *mir.Builder, c *target.CallInfo, _ *callconv.State) []mir.Reg {
	if callee, direct := calleeOperand(st, b.F, c); !direct || !needsGOT(st, &callee) {
		return nil
	}
	b.Copy(reg(tab.EBX), globalBase(b.F))
	return []mir.Reg{reg(tab.EBX)}
}

// moveReturn moves the return address up.
func moveReturn(st *target.Subtarget, mb *mir.Builder, n int64) {
	b, md := globalisel.Wrap(mb), modeOf(st)
	p0, word := md.p0(), md.int0()
	at := func(off int64) (mir.Reg, mir.MemOperand) {
		addr, fi := b.New(p0), b.F.Frame.CreateFixedObject(md.word, off, md.align, 0)
		b.Build(desc.G_FRAME_INDEX, globalisel.Def(addr), mir.FrameOp(fi))
		return addr, mir.MemOperand{Type: word, Size: md.word, BaseAlign: md.align, Flags: mir.MemVolatile}
	}
	from, m := at(-md.word)
	ret := b.Load(word, from, m)
	to, m := at(n - md.word)
	b.Store(ret, to, m)
}

// refuseValue names values that no instruction is there for.
func refuseValue(st *target.Subtarget, cc uint16, p callconv.Part, l *callconv.Loc, _ bool) string {
	if cc == ccRegCall && p.LLT.IsVector() && p.LLT.ScalarBits() == 1 {
		return "passing a vector of bits in regcallcc" // LLVM's go in general registers
	}
	if (l.Reg == tab.FP0 || l.Reg == tab.FP1) && l.LocVT != desc.MVTf80 && modeOf(st).is64() {
		return "returning a value on the x87 stack"
	}
	return ""
}

// structReturn: RAX has the address of a result in memory, but for Swift, where the
// caller passed it there, and for functions that preserve RAX.
func structReturn(cc uint16) desc.PhysReg {
	switch cc {
	case ccSwift, ccSwiftTail, ccPreserveMost, ccPreserveAll:
		return 0
	}
	return tab.RAX
}

// countVectors: AL bounds the number of vector registers that the callee of a
// call with variable arguments must save.
func countVectors(_ *target.Subtarget, b *mir.Builder, c *target.CallInfo, s *callconv.State) []mir.Reg {
	if !c.VarArg {
		return nil
	}
	b.Build(tab.MOV8ri, mir.RegOp(reg(tab.AL), mir.Def), mir.ImmOp(int64(s.NumTaken(vecRegs))))
	return []mir.Reg{reg(tab.AL)}
}

// copyLong copies words by the string instruction.
func copyLong(m *mode) func(b *mir.Builder, dst, src mir.Reg, size int64) int64 {
	return func(b *mir.Builder, dst, src mir.Reg, size int64) int64 {
		b.Copy(reg(m.di), dst)
		b.Copy(reg(m.si), src)
		b.Build(m.moveImm, mir.RegOp(reg(m.cx), mir.Def), mir.ImmOp(size/m.word))
		b.BuildInstr(m.repMoveWords)
		return size &^ (m.word - 1)
	}
}

// buildCall makes the call instruction with callee and mask.
func buildCall(st *target.Subtarget, b *mir.Builder, c *target.CallInfo, mask mir.Operand) mir.InstrID {
	f, m := b.F, modeOf(st)
	callee, direct := calleeOperand(st, f, c)
	if direct {
		return b.BuildInstr(m.call, callee, mask)
	}
	if callee.Kind() != mir.OpReg {
		r := f.AddGenericVReg(m.p0())
		b.Build(desc.G_GLOBAL_VALUE, globalisel.Def(r), callee)
		callee = globalisel.Use(r)
	}
	// The operand of a target instruction has a class from the start.
	r := f.AddVReg(int16(m.gr))
	b.Copy(r, callee.Reg())
	if noTrack(f, c) {
		return b.BuildInstr(m.callRegNoTrack, globalisel.Use(r), mask)
	}
	return b.BuildInstr(m.callReg, globalisel.Use(r), mask)
}

// calleeOperand is what the call names; direct says that it is a symbol in reach.
func calleeOperand(st *target.Subtarget, f *mir.Function, c *target.CallInfo) (o mir.Operand, direct bool) {
	flags, near := uint16(0), st.Options.CodeModel != target.CodeModelLarge
	pic := st.Options.Reloc == target.RelocPIC && !st.Options.JIT
	if c.Global != 0 {
		g := f.Module.Globals[c.Global]
		pic = pic && !target.IsDSOLocal(g)
		if pic && f.Module.Attrs.At(g.Attrs).Fn.Has("nonlazybind") {
			o, _ = c.Callee(f, 0)
			return o, false
		}
	}
	if c.Global != 0 && !near {
		near = !st.IsLarge(f.Module, f.Module.Globals[c.Global])
	}
	if near && (pic || !modeOf(st).is64() && c.Global != 0 && !target.IsDSOLocal(f.Module.Globals[c.Global])) {
		flags = moPLT
	}
	if o, ok := c.Callee(f, flags); ok {
		return o, near
	}
	return globalisel.Use(c.Reg), false
}

// cannotJump: the callee must be a symbol in reach or an address in a register.
func cannotJump(st *target.Subtarget, f *mir.Function, c *target.CallInfo) string {
	if callee, direct := calleeOperand(st, f, c); direct && needsGOT(st, &callee) && c.Global == 0 {
		return "musttail to a library function in position-independent code"
	} else if !direct && callee.Kind() != mir.OpReg {
		return "musttail in the large code model"
	} else if !direct && noTrack(f, c) {
		return "musttail with nocf_check"
	}
	return ""
}

// buildJump makes the jump that takes the place of a call.
func buildJump(st *target.Subtarget, b *mir.Builder, c *target.CallInfo, mask mir.Operand, pop int64) mir.InstrID {
	m := modeOf(st)
	callee, direct := calleeOperand(st, b.F, c)
	if direct && needsGOT(st, &callee) {
		// EBX is the caller's again when the jump comes: the address is read here.
		r := b.F.AddGenericVReg(m.p0())
		b.Build(desc.G_GLOBAL_VALUE, globalisel.Def(r), callee.WithTargetFlags(0))
		callee, direct = globalisel.Use(r), false
	}
	if direct {
		return b.BuildInstr(m.tailJump, callee, mir.ImmOp(pop), mask)
	}
	// The operand of a target instruction has a class from the start.
	r := b.F.AddVReg(int16(m.tc))
	b.Copy(r, callee.Reg())
	return b.BuildInstr(m.tailJumpReg, globalisel.Use(r), mir.ImmOp(pop), mask)
}

// carrier: scalars of integer registers that conventions pass in vector registers
// go between the two as two words; half and bfloat as the low part of a float; 512 bits
// where no instruction on that many is used (AVX512F alone) as two halves.
func carrier(st *target.Subtarget) func(mir.LLT, desc.PhysReg) desc.ClassID {
	halves := !hasMasks(st)
	return func(t mir.LLT, r desc.PhysReg) desc.ClassID {
		switch {
		case t == mir.Scalar(128) && r >= tab.XMM0 && r <= tab.XMM15:
			return tab.VR128RegClassID
		case t == mir.Scalar(16) && r >= tab.XMM0 && r <= tab.XMM15:
			return tab.FR32RegClassID
		case halves && r >= tab.ZMM0 && r <= tab.ZMM31:
			return tab.VR512RegClassID
		}
		return desc.NoClass
	}
}

// fromVector makes generic value d of what vector register v holds.
func fromVector(mb *mir.Builder, d, v mir.Reg) {
	b := globalisel.Wrap(mb)
	t := b.Type(d)
	switch t.Bits() {
	case 16:
		w := b.New(mir.Scalar(32))
		b.Copy(w, v)
		b.BuildTo(desc.G_TRUNC, d, w)
	case 128:
		w := b.New(vecOf(2, 64))
		b.Copy(w, v)
		b.Merge(d, b.Unmerge(nil, mir.Scalar(64), w))
	default:
		lo, hi := halvesOfZMM(b, vecOf(t.NumElems()/2, t.ScalarBits()), v)
		b.Merge(d, []mir.Reg{lo, hi})
	}
}

// halvesOfZMM gives the halves, of type t, of a register of class VR512.
func halvesOfZMM(b globalisel.Builder, t mir.LLT, v mir.Reg) (lo, hi mir.Reg) {
	lo, hi = b.New(t), b.New(t)
	b.Build(desc.COPY, globalisel.Def(lo), mir.SubRegOp(v, uint16(tab.SubYmm), 0))
	up := b.F.AddVReg(int16(tab.VR256RegClassID))
	b.Build(tab.VEXTRACTF64X4Zrri, globalisel.Def(up), globalisel.Use(v), mir.ImmOp(1))
	b.Copy(hi, up)
	return lo, hi
}

// toVector puts generic value s into vector register v.
func toVector(mb *mir.Builder, v, s mir.Reg) {
	b := globalisel.Wrap(mb)
	t := b.Type(s)
	switch t.Bits() {
	case 16:
		b.Copy(v, b.Un(desc.G_ANYEXT, mir.Scalar(32), s))
	case 128:
		w := b.New(vecOf(2, 64))
		b.Merge(w, b.Unmerge(nil, mir.Scalar(64), s))
		b.Copy(v, w)
	default:
		class := func(c desc.ClassID) mir.Reg { return b.F.AddVReg(int16(c)) }
		parts := b.Unmerge(nil, vecOf(t.NumElems()/2, t.ScalarBits()), s)
		lo, hi := class(tab.VR256RegClassID), class(tab.VR256RegClassID)
		b.Copy(lo, parts[0])
		b.Copy(hi, parts[1])
		undef, low := class(tab.VR512RegClassID), class(tab.VR512RegClassID)
		b.BuildTo(desc.IMPLICIT_DEF, undef)
		insert := b.BuildInstr(desc.INSERT_SUBREG, globalisel.Def(low), globalisel.Use(undef), globalisel.Use(lo), mir.ImmOp(int64(tab.SubYmm)))
		b.F.TieDeclared(insert)
		b.Build(tab.VINSERTF64X4Zrri, globalisel.Def(v), globalisel.Use(low), globalisel.Use(hi), mir.ImmOp(1))
	}
}

// carrier32: numbers are returned on the x87 stack in its own format.
func carrier32(st *target.Subtarget) func(mir.LLT, desc.PhysReg) desc.ClassID {
	others := carrier(st)
	return func(t mir.LLT, r desc.PhysReg) desc.ClassID {
		if (r == tab.FP0 || r == tab.FP1) && t != mir.Scalar(80) {
			return tab.RFP80RegClassID
		}
		return others(t, r)
	}
}

// fromCarrier32 and toCarrier32 round what comes off the x87 stack, and extend what goes there.
func fromCarrier32(mb *mir.Builder, d, v mir.Reg) {
	b := globalisel.Wrap(mb)
	if b.F.VReg(v).Class != int16(tab.RFP80RegClassID) {
		fromVector(mb, d, v)
		return
	}
	w := b.New(mir.Scalar(80))
	b.Copy(w, v)
	b.BuildTo(desc.G_FPTRUNC, d, w)
}

func toCarrier32(mb *mir.Builder, v, s mir.Reg) {
	b := globalisel.Wrap(mb)
	if b.F.VReg(v).Class != int16(tab.RFP80RegClassID) {
		toVector(mb, v, s)
		return
	}
	b.Copy(v, b.Un(desc.G_FPEXT, mir.Scalar(80), s))
}

func slotMem(n int, t mir.LLT, size int64) mir.MemOperand {
	return mir.MemOperand{Type: t, Size: size, Ptr: uint32(int32(n)), PtrKind: mir.PtrFixedStack, BaseAlign: 4}
}

// nativeRMW is ISelHooks.NativeRMW.
func nativeRMW(st *target.Subtarget, op ir.RMWOp, t mir.LLT, used bool) bool {
	if !t.IsScalar() || t.ScalarBits() > modeOf(st).bits {
		return false
	}
	switch op {
	case ir.RMWXchg, ir.RMWAdd, ir.RMWSub:
		return true
	case ir.RMWAnd, ir.RMWOr, ir.RMWXor:
		return !used
	}
	return false
}

// jumpTableKind is ISelHooks.JumpTableKind: offsets in position-independent code, else addresses.
func jumpTableKind(st *target.Subtarget) mir.JumpTableKind {
	if st.Options.Reloc == target.RelocPIC || st.Options.JIT {
		return mir.JTLabelDiff32
	}
	return mir.JTBlockAddress
}
