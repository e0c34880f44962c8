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
func poppedBytes(st *target.Subtarget, cc uint16, varArg bool, stack int64) int64 {
	if varArg || !tailCalls(st, cc) {
		return 0
	}
	return (stack+slotSize+15)&^15 - slotSize
}

// moveReturn moves the return address up.
func moveReturn(_ *target.Subtarget, mb *mir.Builder, n int64) {
	b := globalisel.Wrap(mb)
	p0 := mir.Pointer(0, 64)
	at := func(off int64) (mir.Reg, mir.MemOperand) {
		addr, fi := b.New(p0), b.F.Frame.CreateFixedObject(slotSize, off, 3, 0)
		b.Build(desc.G_FRAME_INDEX, globalisel.Def(addr), mir.FrameOp(fi))
		return addr, mir.MemOperand{Type: mir.Scalar(64), Size: slotSize, BaseAlign: 3, Flags: mir.MemVolatile}
	}
	from, m := at(-slotSize)
	ret := b.Load(mir.Scalar(64), from, m)
	to, m := at(n - slotSize)
	b.Store(ret, to, m)
}

// refuseValue names values that no instruction is there for.
func refuseValue(st *target.Subtarget, cc uint16, p callconv.Part, l *callconv.Loc, _ bool) string {
	if cc == ccRegCall && p.LLT.IsVector() && p.LLT.ScalarBits() == 1 {
		return "passing a vector of bits in regcallcc" // LLVM's go in general registers
	}
	if (l.Reg == tab.FP0 || l.Reg == tab.FP1) && l.LocVT != desc.MVTf80 {
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
func copyLong(b *mir.Builder, dst, src mir.Reg, size int64) int64 {
	b.Copy(reg(tab.RDI), dst)
	b.Copy(reg(tab.RSI), src)
	b.Build(tab.MOV64ri, mir.RegOp(reg(tab.RCX), mir.Def), mir.ImmOp(size/8))
	b.BuildInstr(tab.REP_MOVSQ_64)
	return size &^ 7
}

// buildCall makes the call instruction with callee and mask.
func buildCall(st *target.Subtarget, b *mir.Builder, c *target.CallInfo, mask mir.Operand) mir.InstrID {
	f := b.F
	callee, direct := calleeOperand(st, f, c)
	if direct {
		return b.BuildInstr(tab.CALL64pcrel32, callee, mask)
	}
	if callee.Kind() != mir.OpReg {
		r := f.AddGenericVReg(mir.Pointer(0, 64))
		b.Build(desc.G_GLOBAL_VALUE, globalisel.Def(r), callee)
		callee = globalisel.Use(r)
	}
	// The operand of a target instruction has a class from the start.
	r := f.AddVReg(int16(tab.GR64RegClassID))
	b.Copy(r, callee.Reg())
	if noTrack(f, c) {
		return b.BuildInstr(tab.CALL64r_NT, globalisel.Use(r), mask)
	}
	return b.BuildInstr(tab.CALL64r, globalisel.Use(r), mask)
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
	if pic && near {
		flags = moPLT
	}
	if o, ok := c.Callee(f, flags); ok {
		return o, near
	}
	return globalisel.Use(c.Reg), false
}

// cannotJump: the callee must be a symbol in reach or an address in a register.
func cannotJump(st *target.Subtarget, f *mir.Function, c *target.CallInfo) string {
	if callee, direct := calleeOperand(st, f, c); !direct && callee.Kind() != mir.OpReg {
		return "musttail in the large code model"
	} else if !direct && noTrack(f, c) {
		return "musttail with nocf_check"
	}
	return ""
}

// buildJump makes the jump that takes the place of a call.
func buildJump(st *target.Subtarget, b *mir.Builder, c *target.CallInfo, mask mir.Operand, pop int64) mir.InstrID {
	callee, direct := calleeOperand(st, b.F, c)
	if direct {
		return b.BuildInstr(tab.TCRETURNdi64, callee, mir.ImmOp(pop), mask)
	}
	// The operand of a target instruction has a class from the start.
	r := b.F.AddVReg(int16(tab.GR64_TCRegClassID))
	b.Copy(r, callee.Reg())
	return b.BuildInstr(tab.TCRETURNri64, globalisel.Use(r), mir.ImmOp(pop), mask)
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
		half := vecOf(t.NumElems()/2, t.ScalarBits())
		lo, hi := b.New(half), b.New(half)
		b.Build(desc.COPY, globalisel.Def(lo), mir.SubRegOp(v, uint16(tab.SubYmm), 0))
		up := b.F.AddVReg(int16(tab.VR256RegClassID))
		b.Build(tab.VEXTRACTF64X4Zrri, globalisel.Def(up), globalisel.Use(v), mir.ImmOp(1))
		b.Copy(hi, up)
		b.Merge(d, []mir.Reg{lo, hi})
	}
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

func slotMem(n int, t mir.LLT, size int64) mir.MemOperand {
	return mir.MemOperand{Type: t, Size: size, Ptr: uint32(int32(n)), PtrKind: mir.PtrFixedStack, BaseAlign: 4}
}

// nativeRMW is ISelHooks.NativeRMW.
func nativeRMW(_ *target.Subtarget, op ir.RMWOp, t mir.LLT, used bool) bool {
	if !t.IsScalar() || t.ScalarBits() > 64 {
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
