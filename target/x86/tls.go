package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/mctargetdesc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Addresses of thread-local variables (Drepper, "ELF Handling For Thread-Local Storage";
// psABI, appendix on TLS descriptors). The legalizer makes sums of them:
//
//	general-dynamic  what TLS_addr64 returns, which calls __tls_get_addr
//	local-dynamic    what TLS_base_addr64 returns, the same for the whole module, and an offset
//	initial-exec     the thread pointer and an offset that the GOT has
//	local-exec       the thread pointer and an offset
//
// With descriptors TLS_desc64 stands for both calls; it returns an offset from the
// thread pointer. The thread pointer is llvm.thread.pointer until selection, where
// memory operands make it the segment FS.

// lowerTLS makes the address that G_GLOBAL_VALUE i wants of a thread-local variable.
func lowerTLS(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f, st := b.F, h.Subtarget()
	o := *f.Op(i, 1)
	if !modeOf(st).is64() {
		return lowerTLS32(h, i)
	}
	var base, off mir.Reg
	switch model := st.TLSModel(f.Module, f.Module.Globals[o.Index()]); {
	case model == ir.LocalExecTLS:
		base, off = threadPointer(b), tlsOffset(b, o.WithTargetFlags(flagTPOFF))
	case model == ir.InitialExecTLS:
		base, off = threadPointer(b), tlsOffset(b, o.WithTargetFlags(flagGOTTPOFF))
	case st.Options.TLSDesc:
		if model == ir.LocalDynamicTLS {
			module := mir.IndexOp(mir.OpExtSym, f.Symbol("_TLS_MODULE_BASE_"), 0, moTLSLD)
			// DTPOFF is what the base of the module lacks.
			of := b.PtrAdd(threadPointer(b), callTLS(b, tab.TLS_desc64, module, mir.Scalar(64)))
			base, off = of, tlsOffset(b, o.WithTargetFlags(flagDTPOFF))
			break
		}
		base, off = threadPointer(b), callTLS(b, tab.TLS_desc64, o.WithOffset(0).WithTargetFlags(moTLSGD), mir.Scalar(64))
	case model == ir.LocalDynamicTLS:
		base, off = callTLS(b, tab.TLS_base_addr64, o.WithOffset(0).WithTargetFlags(moTLSLD), mir.Pointer(0, 64)), tlsOffset(b, o.WithTargetFlags(flagDTPOFF))
	default:
		base = callTLS(b, tab.TLS_addr64, o.WithOffset(0).WithTargetFlags(moTLSGD), mir.Pointer(0, 64))
		if o.Offset() == 0 {
			h.ReplaceWith(i, 0, base)
			return nil
		}
		off = b.Const(mir.Scalar(64), o.Offset())
	}
	h.ReplaceWith(i, 0, b.PtrAdd(base, off))
	return nil
}

// lowerTLS32 is lowerTLS of 32-bit code (Drepper, 4.1.6, 4.2.6, 4.3.6, 4.4.6): offsets from the
// thread pointer are negative, and both calls want EBX to be the global offset table.
func lowerTLS32(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f, st := b.F, h.Subtarget()
	o := *f.Op(i, 1)
	if st.Options.TLSDesc {
		return st.NotSupported(f, "-enable-tlsdesc in 32-bit code")
	}
	p0 := mode32.p0()
	model := st.TLSModel(f.Module, f.Module.Globals[o.Index()])
	pic := st.Options.Reloc == target.RelocPIC
	var base, off mir.Reg
	switch {
	case model == ir.LocalExecTLS:
		base, off = threadPointer(b), tlsOffset(b, o.WithTargetFlags(flagNTPOFF))
	case model == ir.InitialExecTLS && pic:
		base, off = threadPointer(b), tlsOffset(b, o.WithTargetFlags(flagGOTNTPOFF))
	case model == ir.InitialExecTLS:
		base, off = threadPointer(b), tlsOffset(b, o.WithTargetFlags(flagINDNTPOFF))
	case !pic:
		return st.NotSupported(f, "a dynamic model of thread-local variables in code that is not position-independent")
	case model == ir.LocalDynamicTLS:
		base, off = callTLS(b, tab.TLS_base_addr32, o.WithOffset(0).WithTargetFlags(moTLSLDM), p0), tlsOffset(b, o.WithTargetFlags(flagDTPOFF))
	default:
		base = callTLS(b, tab.TLS_addr32, o.WithOffset(0).WithTargetFlags(moTLSGD), p0)
		off = b.Const(mode32.int0(), o.Offset())
	}
	h.ReplaceWith(i, 0, b.PtrAdd(base, off))
	return nil
}

// threadPointer is the address of the thread's block, which its first word has.
func threadPointer(b globalisel.Builder) mir.Reg {
	tp := b.New(modeOfFunc(b.F).p0())
	b.Build(desc.G_INTRINSIC, globalisel.Def(tp), mir.IntrinsicOp(ir.IntrThreadPointer))
	return tp
}

// tlsOffset is an offset that the linker knows, or the GOT has.
func tlsOffset(b globalisel.Builder, o mir.Operand) mir.Reg {
	r := b.New(modeOfFunc(b.F).int0())
	b.Build(desc.G_GLOBAL_VALUE, globalisel.Def(r), o)
	return r
}

// callTLS makes one of the calls that are written as the linkers expect it.
func callTLS(b globalisel.Builder, op desc.Opcode, sym mir.Operand, t mir.LLT) mir.Reg {
	f := b.F
	f.Frame.HasCalls, f.Frame.AdjustsStack = true, true
	m := modeOfFunc(f)
	b.BuildInstr(m.callFrameDown, mir.ImmOp(0), mir.ImmOp(0), mir.ImmOp(0))
	base, index := mir.RegOp(0, 0), mir.RegOp(0, 0)
	if !m.is64() {
		b.Copy(reg(tab.EBX), globalBase(f))
		base = mir.RegOp(reg(tab.EBX), 0)
		if op == tab.TLS_addr32 {
			base, index = index, base
		}
	}
	i := b.BuildInstr(op, base, mir.ImmOp(1), index, sym, mir.RegOp(0, 0))
	if op == tab.TLS_desc64 {
		f.AddOp(i, mir.RegOp(reg(tab.RAX), mir.Def|mir.Implicit)) // LLVM says EAX
	}
	b.BuildInstr(m.callFrameUp, mir.ImmOp(0), mir.ImmOp(0))
	r := b.New(t)
	b.Copy(r, reg(m.ax))
	return r
}

// callsForTLS reports the pseudo instructions that become calls.
func callsForTLS(op desc.Opcode) bool {
	return op == tab.TLS_addr32 || op == tab.TLS_base_addr32 || op == tab.TLS_addr64 || op == tab.TLS_base_addr64 || op == tab.TLS_desc64
}

// isThreadPointer reports a register that holds the thread pointer.
func isThreadPointer(f *mir.Function, d mir.InstrID) bool {
	return d != 0 && f.Instr(d).Opcode == desc.G_INTRINSIC && f.Op(d, 1).Intrinsic() == ir.IntrThreadPointer
}

// selectThreadPointer reads the thread pointer.
func selectThreadPointer(f *mir.Function, i mir.InstrID) {
	m := modeOfFunc(f)
	f.Become(i, m.load, *f.Op(i, 0), mir.RegOp(0, 0), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(reg(m.thread), 0))
	f.SetMem(i, f.AddMem(mir.MemOperand{Type: m.pointer(m.threadSpace), Size: m.word, BaseAlign: m.align, AddrSpace: m.threadSpace,
		Flags: mir.MemLoad | mir.MemInvariant | mir.MemDereferenceable}))
}

// usesSegment reports whether accesses of thread-local variables may name the segment:
// systems whose kernels make that slow say so.
func usesSegment(f *mir.Function) bool {
	_, indirect := target.FnAttr(f, "indirect-tls-seg-refs")
	return !indirect
}

// expandTLS writes the calls that linkers replace, where they can, by something shorter: of
// these bytes and no others; and the other instructions that stand for bytes. It reports whether i is one.
func expandTLS(f *mir.Function, i mir.InstrID, x target.Expansion) (bool, error) {
	none, rip := mc.Reg(0), mc.Reg(tab.RIP)
	lea := func(to desc.PhysReg, m mc.Modifier) {
		x.Emit(tab.LEA64r, mc.Reg(to), rip, mc.Imm(1), none, x.Symbol(f.Op(i, addrDisp), m), none)
	}
	call := func() { x.Emit(tab.CALL64pcrel32, x.Extern("__tls_get_addr", mctargetdesc.ModPLT)) }
	switch f.Instr(i).Opcode {
	case tab.TLS_addr64:
		x.Emit(tab.DATA16_PREFIX)
		lea(tab.RDI, mctargetdesc.ModTLSGD)
		x.Emit(tab.DATA16_PREFIX)
		x.Emit(tab.DATA16_PREFIX)
		x.Emit(tab.REX64_PREFIX)
		call()
	case tab.TLS_base_addr64:
		lea(tab.RDI, mctargetdesc.ModTLSLD)
		call()
	case tab.TLS_addr32:
		x.Emit(tab.LEA32r, mc.Reg(tab.EAX), none, mc.Imm(1), mc.Reg(tab.EBX), x.Symbol(f.Op(i, addrDisp), mctargetdesc.ModTLSGD), none)
		x.Emit(tab.CALLpcrel32, x.Extern("___tls_get_addr", mctargetdesc.ModPLT))
	case tab.TLS_base_addr32:
		x.Emit(tab.LEA32r, mc.Reg(tab.EAX), mc.Reg(tab.EBX), mc.Imm(1), none, x.Symbol(f.Op(i, addrDisp), mctargetdesc.ModTLSLDM), none)
		x.Emit(tab.CALLpcrel32, x.Extern("___tls_get_addr", mctargetdesc.ModPLT))
	case tab.UBSAN_UD1:
		// A handler of the trap reads the number of the check out of the instruction.
		eax := mc.Reg(tab.EAX)
		x.Emit(tab.UD1Lm, eax, eax, mc.Imm(1), none, mc.Imm(f.Op(i, 0).Imm()), none)
	case tab.MOVPC32r:
		// The call's return address is what is wanted.
		pb := x.Label("pb")
		x.Emit(tab.CALLpcrel32, pb)
		x.Place("pb")
		x.Emit(tab.POP32r, mc.Reg(desc.PhysReg(f.Op(i, 0).Reg())))
	case tab.ADD32ri:
		if !findsGOT(f, i) {
			return false, nil
		}
		r := mc.Reg(desc.PhysReg(f.Op(i, 0).Reg()))
		x.Emit(tab.ADD32ri, r, r, x.SymbolFrom(f.Op(i, 2), "pb"))
	case tab.TLS_desc64:
		lea(tab.RAX, mctargetdesc.ModTLSDESC)
		x.Emit(tab.CALL64m, mc.Reg(tab.RAX), mc.Imm(1), none, x.Symbol(f.Op(i, addrDisp), mctargetdesc.ModTLSCALL), none)
	default:
		return false, nil
	}
	return true, x.Err()
}
