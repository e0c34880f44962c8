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

// threadPointer is the address of the thread's block, which its first word has.
func threadPointer(b globalisel.Builder) mir.Reg {
	tp := b.New(mir.Pointer(0, 64))
	b.Build(desc.G_INTRINSIC, globalisel.Def(tp), mir.IntrinsicOp(ir.IntrThreadPointer))
	return tp
}

// tlsOffset is an offset that the linker knows, or the GOT has.
func tlsOffset(b globalisel.Builder, o mir.Operand) mir.Reg {
	r := b.New(mir.Scalar(64))
	b.Build(desc.G_GLOBAL_VALUE, globalisel.Def(r), o)
	return r
}

// callTLS makes one of the calls that are written as the linkers expect it.
func callTLS(b globalisel.Builder, op desc.Opcode, sym mir.Operand, t mir.LLT) mir.Reg {
	f := b.F
	f.Frame.HasCalls, f.Frame.AdjustsStack = true, true
	b.BuildInstr(tab.ADJCALLSTACKDOWN64, mir.ImmOp(0), mir.ImmOp(0), mir.ImmOp(0))
	i := b.BuildInstr(op, mir.RegOp(0, 0), mir.ImmOp(1), mir.RegOp(0, 0), sym, mir.RegOp(0, 0))
	if op == tab.TLS_desc64 {
		f.AddOp(i, mir.RegOp(reg(tab.RAX), mir.Def|mir.Implicit)) // LLVM says EAX
	}
	b.BuildInstr(tab.ADJCALLSTACKUP64, mir.ImmOp(0), mir.ImmOp(0))
	r := b.New(t)
	b.Copy(r, reg(tab.RAX))
	return r
}

// callsForTLS reports the pseudo instructions that become calls.
func callsForTLS(op desc.Opcode) bool {
	return op == tab.TLS_addr64 || op == tab.TLS_base_addr64 || op == tab.TLS_desc64
}

// isThreadPointer reports a register that holds the thread pointer.
func isThreadPointer(f *mir.Function, d mir.InstrID) bool {
	return d != 0 && f.Instr(d).Opcode == desc.G_INTRINSIC && f.Op(d, 1).Intrinsic() == ir.IntrThreadPointer
}

// selectThreadPointer reads the thread pointer.
func selectThreadPointer(f *mir.Function, i mir.InstrID) {
	f.Become(i, tab.MOV64rm, *f.Op(i, 0), mir.RegOp(0, 0), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(0), mir.RegOp(reg(tab.FS), 0))
	f.SetMem(i, f.AddMem(mir.MemOperand{Type: mir.Pointer(spaceFS, 64), Size: 8, BaseAlign: 3, AddrSpace: spaceFS,
		Flags: mir.MemLoad | mir.MemInvariant | mir.MemDereferenceable}))
}

// usesSegment reports whether accesses of thread-local variables may name the segment:
// systems whose kernels make that slow say so.
func usesSegment(f *mir.Function) bool {
	_, indirect := target.FnAttr(f, "indirect-tls-seg-refs")
	return !indirect
}

// expandTLS writes the calls that linkers replace, where they can, by something shorter: of
// these bytes and no others. It reports whether i is one.
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
	case tab.TLS_desc64:
		lea(tab.RAX, mctargetdesc.ModTLSDESC)
		x.Emit(tab.CALL64m, mc.Reg(tab.RAX), mc.Imm(1), none, x.Symbol(f.Op(i, addrDisp), mctargetdesc.ModTLSCALL), none)
	default:
		return false, nil
	}
	return true, x.Err()
}
