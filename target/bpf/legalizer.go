package bpf

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

var (
	s8, s16, s32, s64 = mir.Scalar(8), mir.Scalar(16), mir.Scalar(32), mir.Scalar(64)
	p0, p1            = mir.Pointer(0, 64), mir.Pointer(1, 64) // arenas are address space 1
)

// rules say what the legalizer must bring about. Numbers have 64 bits, or 32 with alu32;
// conditions are the narrowest number, of which bit 0 counts unless a comparison made it.
func rules(s *isa) *legal.Table {
	least := s64
	ints, cmps := []mir.LLT{s64}, []mir.LLT{s64}
	if s.alu32 {
		least, ints = s32, []mir.LLT{s32, s64}
	}
	leastCmp := s64
	if s.jmp32 && s.alu32 {
		leastCmp, cmps = s32, ints
	}
	values := append([]mir.LLT{p0, p1}, ints...)
	// 128 stores of 8 bytes is what LLVM's BPF does in place.
	in := &legal.Builder{Bool: least, MaxInline: [2]int64{1024, 1024}, Word: 8, Aligned: true, MaxPieces: 128, LoadsZeroExtend: true}
	in.For(desc.G_CONSTANT, desc.G_IMPLICIT_DEF, desc.G_FREEZE, desc.G_PHI).Scalarize(0).Legal(values...).Clamp(0, least, s64)
	in.For(desc.G_GLOBAL_VALUE, desc.G_FRAME_INDEX, desc.G_JUMP_TABLE, desc.G_BLOCK_ADDR).Legal(p0, p1)
	in.For(desc.G_ASSERT_ZEXT, desc.G_ASSERT_SEXT, desc.G_ASSERT_ALIGN, desc.G_BRINDIRECT, desc.G_BRJT, desc.G_CONSTANT_FOLD_BARRIER, desc.G_FENCE).Else(legal.Legal)
	in.For(desc.G_ADD, desc.G_SUB, desc.G_MUL, desc.G_AND, desc.G_OR, desc.G_XOR, desc.G_UDIV, desc.G_UREM).
		Scalarize(0).Legal(ints...).Clamp(0, least, s64)
	div := in.For(desc.G_SDIV, desc.G_SREM).Scalarize(0)
	div.If(legal.Libcall, legal.TypeIs(0, mir.Scalar(128)))
	if s.sdivSmod {
		div.Legal(ints...).Clamp(0, least, s64)
	}
	in.For(desc.G_SHL, desc.G_LSHR, desc.G_ASHR).Scalarize(0).Clamp(0, least, s64).
		To(legal.WidenScalar, 1, legal.ToTypeOf(0), legal.LargerThan(0, 1)).
		To(legal.NarrowScalar, 1, legal.ToTypeOf(0), legal.LargerThan(1, 0)).Legal(ints...)
	in.For(desc.G_UADDO, desc.G_USUBO, desc.G_SADDO, desc.G_SSUBO, desc.G_UMULO, desc.G_SMULO, desc.G_UADDE, desc.G_USUBE,
		desc.G_SMIN, desc.G_SMAX, desc.G_UMIN, desc.G_UMAX, desc.G_ABS, desc.G_ROTL, desc.G_ROTR, desc.G_FSHL, desc.G_FSHR, desc.G_BITREVERSE,
		desc.G_UADDSAT, desc.G_USUBSAT, desc.G_SADDSAT, desc.G_SSUBSAT, desc.G_USHLSAT, desc.G_SSHLSAT, desc.G_SCMP, desc.G_UCMP,
		desc.G_BITCAST).Scalarize(0).Else(legal.Lower)
	in.For(desc.G_CTLZ, desc.G_CTTZ, desc.G_CTLZ_ZERO_UNDEF, desc.G_CTTZ_ZERO_UNDEF, desc.G_CTPOP).Scalarize(0).
		Clamp(1, least, s64).Clamp(0, least, s64).Else(legal.Lower)
	in.For(desc.G_BSWAP).Scalarize(0).For(legal.Custom, s16, s32, s64).Clamp(0, s32, s64).Else(legal.Lower)
	in.For(desc.G_TRAP, desc.G_DEBUGTRAP, desc.G_UBSANTRAP, desc.G_ADDRSPACE_CAST).Else(legal.Custom)
	in.For(desc.G_EXTRACT_VECTOR_ELT, desc.G_INSERT_VECTOR_ELT, desc.G_SHUFFLE_VECTOR, desc.G_VECREDUCE_ADD, desc.G_VECREDUCE_MUL,
		desc.G_VECREDUCE_AND, desc.G_VECREDUCE_OR, desc.G_VECREDUCE_XOR, desc.G_VECREDUCE_SMAX, desc.G_VECREDUCE_SMIN,
		desc.G_VECREDUCE_UMAX, desc.G_VECREDUCE_UMIN).Else(legal.FewerElements)
	in.For(desc.G_ICMP).Scalarize(1).Clamp(0, least, least).LegalAt(1, append([]mir.LLT{p0, p1}, cmps...)...).Clamp(1, leastCmp, s64)
	in.For(desc.G_SELECT).Scalarize(0).Clamp(1, least, least).Legal(values...).Clamp(0, least, s64)
	in.For(desc.G_BRCOND).Legal(least).MinScalar(0, least)
	ext := in.For(desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT).Scalarize(0)
	cut := in.For(desc.G_TRUNC).Scalarize(0)
	if s.alu32 {
		ext.LegalPairs(s64, s32)
		cut.LegalPairs(s32, s64)
	}
	ext.Clamp(0, least, s64)
	cut.Clamp(1, least, s64)
	inreg := in.For(desc.G_SEXT_INREG).Scalarize(0).Clamp(0, least, s64)
	if s.movsx {
		inreg.If(legal.Legal, legal.ImmIs(8)).If(legal.Legal, legal.ImmIs(16)).If(legal.Legal, legal.ImmIs(32), legal.TypeIs(0, s64))
	}
	inreg.Else(legal.Lower)
	in.For(desc.G_MERGE_VALUES).If(legal.Unsupported, legal.ScalarWider(0, 64)).Else(legal.Lower)
	in.For(desc.G_UNMERGE_VALUES).If(legal.Unsupported, legal.IsVector(1)).If(legal.Unsupported, legal.ScalarWider(1, 64)).Else(legal.Lower)
	in.For(desc.G_PTRTOINT).Scalarize(0).Legal(s64).Clamp(0, s64, s64)
	in.For(desc.G_INTTOPTR).Scalarize(0).LegalAt(1, s64).Clamp(1, s64, s64)
	in.For(desc.G_PTR_ADD).Scalarize(0).LegalAt(1, s64).Clamp(1, s64, s64)
	in.For(desc.G_PTRMASK).Scalarize(0).Else(legal.Lower)
	// There is no floating point: the errors name the functions that would do it.
	in.For(desc.G_FADD, desc.G_FSUB, desc.G_FMUL, desc.G_FDIV, desc.G_FREM, desc.G_FMA, desc.G_FPOW, desc.G_FPOWI, desc.G_FSQRT, desc.G_FSIN, desc.G_FCOS,
		desc.G_FEXP, desc.G_FEXP2, desc.G_FLOG, desc.G_FLOG2, desc.G_FLOG10, desc.G_FFLOOR, desc.G_FCEIL, desc.G_FRINT, desc.G_FMINNUM, desc.G_FMAXNUM,
		desc.G_FPEXT, desc.G_FPTRUNC, desc.G_FPTOSI, desc.G_FPTOUI).Scalarize(0).Else(legal.Libcall)
	in.For(desc.G_SITOFP, desc.G_UITOFP, desc.G_FCMP).Scalarize(0).Clamp(1, s32, s64).Else(legal.Libcall)
	memory(in, s, least)
	return in.Table()
}

// memory: whole registers are loaded, and stored, from as many bytes as they have or less.
func memory(in *legal.Builder, s *isa, least mir.LLT) {
	whole := []legal.MemAccess{{Value: s64, Bits: 64, Align: 8}, {Value: p0, Bits: 64, Align: 8}, {Value: p1, Bits: 64, Align: 8},
		{Value: s64, Bits: 32, Align: 4}, {Value: s64, Bits: 16, Align: 2}, {Value: s64, Bits: 8}}
	if s.alu32 {
		whole = append(whole, legal.MemAccess{Value: s32, Bits: 32, Align: 4}, legal.MemAccess{Value: s32, Bits: 16, Align: 2}, legal.MemAccess{Value: s32, Bits: 8})
	}
	small := legal.TypeIs(0, s8, s16, s32)
	// Of atomic ones relaxed orders are as none, acquire and release are v4's; nothing is sequentially consistent.
	most := int(ir.Acquire)
	if s.loadAcqStoreRel {
		most = int(ir.SeqCst)
	}
	ordered := legal.MemOrderAtLeast(uint8(most))
	in.For(desc.G_LOAD, desc.G_STORE).If(legal.Unsupported, ordered).If(legal.Legal, legal.MemIs(whole...)).
		If(legal.Lower, legal.ScalarOrEltNarrower(0, least.Bits()), legal.Not(small)).MinScalar(0, least).Else(legal.Lower)
	in.For(desc.G_ZEXTLOAD).LegalMem(whole...).MinScalar(0, least).MaxScalar(0, s64).Else(legal.Lower)
	sext := in.For(desc.G_SEXTLOAD)
	if s.ldsx {
		sext.LegalMem(whole[3:6]...)
	}
	sext.MinScalar(0, least).MaxScalar(0, s64).Else(legal.Lower)
	atomics := whole[:1:1] // values of 64 bits in memory of as many
	if s.alu32 {
		atomics = append(atomics, legal.MemAccess{Value: s32, Bits: 32, Align: 4})
	}
	in.For(desc.G_ATOMICRMW_AND, desc.G_ATOMICRMW_OR, desc.G_ATOMICRMW_XOR, desc.G_ATOMICRMW_XCHG, desc.G_ATOMIC_CMPXCHG).LegalMem(atomics...)
	in.For(desc.G_ATOMICRMW_SUB).Else(legal.Custom)
	add := in.For(desc.G_ATOMICRMW_ADD)
	add.LegalMem(atomics...)
	if !s.alu32 {
		add.LegalMem(legal.MemAccess{Value: s64, Bits: 32, Align: 4}).For(legal.Custom, s32)
	}
	in.For(desc.G_ATOMIC_CMPXCHG_WITH_SUCCESS).MinScalar(1, least).Else(legal.Lower)
	in.For(desc.G_MEMCPY, desc.G_MEMMOVE, desc.G_MEMSET, desc.G_MEMCPY_INLINE).Else(legal.Custom)
}

// legalize does what the rules call Custom.
func legalize(h target.Legalizer, i mir.InstrID) error {
	switch h.Emit().F.Instr(i).Opcode {
	case desc.G_ATOMICRMW_SUB:
		legalizeAtomic(h, i)
	case desc.G_ATOMICRMW_ADD:
		return plainAdd(h, i)
	case desc.G_TRAP, desc.G_DEBUGTRAP, desc.G_UBSANTRAP:
		trap(h, i)
	case desc.G_BSWAP:
		swapBytes(h, i)
	case desc.G_ADDRSPACE_CAST:
		castAddress(h, i)
	default:
		return h.MemTransfer(i)
	}
	return nil
}

// plainAdd makes the addition of a word one of registers of 64 bits. Its old value cannot be had.
func plainAdd(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	for range f.NonDebugUses(f.Op(i, 0).Reg()) {
		return h.Unable(i)
	}
	n := b.Build(desc.G_ATOMICRMW_ADD, mir.RegOp(b.New(s64), mir.Def), *f.Op(i, 1), mir.RegOp(b.Un(desc.G_ANYEXT, s64, f.Op(i, 2).Reg()), 0))
	f.CopyMem(n, i)
	h.Erase(i)
	return nil
}

// refusal says what is not there of an instruction.
func refusal(_ *target.Subtarget, f *mir.Function, i mir.InstrID) string {
	switch f.Instr(i).Opcode {
	case desc.G_DYN_STACKALLOC, desc.G_STACKSAVE, desc.G_STACKRESTORE:
		return "unsupported dynamic stack allocation"
	case desc.G_SDIV, desc.G_SREM:
		return "unsupported signed division, please convert to unsigned div/mod."
	case desc.G_MUL, desc.G_UMULH, desc.G_SMULH:
		return "A call to built-in function '__multi3' is not supported."
	case desc.G_ATOMICRMW_ADD:
		return "Invalid usage of the XADD return value"
	case desc.G_LOAD, desc.G_STORE:
		if m := f.MemOf(i, 0); m.Order == ir.SeqCst {
			return "sequentially consistent (seq_cst) atomic load/store is not supported"
		}
		return "acquire and release loads and stores are instructions of version 4 (-mcpu=v4)"
	}
	return ""
}

// trap calls a function of the kernel, which is not there: the verifier refuses what gets to it.
func trap(h target.Legalizer, i mir.InstrID) {
	b, v := h.Emit(), h.Subtarget().Variant
	b.BuildInstr(v.FrameSetup, mir.ImmOp(0), mir.ImmOp(0))
	b.BuildInstr(tab.JAL, mir.IndexOp(mir.OpExtSym, b.F.Symbol("__bpf_trap"), 0, 0), b.F.NamedRegMask(int(v.Mask)))
	b.BuildInstr(v.FrameDestroy, mir.ImmOp(0), mir.ImmOp(0))
	b.F.Frame.HasCalls, b.F.Frame.AdjustsStack = true, true
	h.Erase(i)
}

// swapBytes: one instruction for each width, whose result has zeros above.
func swapBytes(h target.Legalizer, i mir.InstrID) {
	b := globalisel.Wrap(h.Emit())
	f, st := b.F, h.Subtarget()
	t := b.Type(f.Op(i, 0).Reg())
	n := map[int]int{16: 0, 32: 1, 64: 2}[t.Bits()]
	s := isaOf(st)
	op := [...]desc.Opcode{tab.BE16, tab.BE32, tab.BE64}[n]
	switch {
	case s.bswap:
		op = [...]desc.Opcode{tab.BSWAP16, tab.BSWAP32, tab.BSWAP64}[n]
	case st.Layout.BigEndian:
		op = [...]desc.Opcode{tab.LE16, tab.LE32, tab.LE64}[n]
	}
	x := f.Op(i, 1).Reg()
	if t != s64 {
		x = b.Un(desc.G_ANYEXT, s64, x)
	}
	src, dst, d := f.AddVReg(int16(tab.GPRRegClassID)), f.AddVReg(int16(tab.GPRRegClassID)), b.New(s64)
	b.Copy(src, x)
	f.TieDeclared(b.BuildInstr(op, mir.RegOp(dst, mir.Def), mir.RegOp(src, 0)))
	b.Copy(d, dst)
	if t != s64 {
		z := b.New(s64)
		b.Build(desc.G_ASSERT_ZEXT, mir.RegOp(z, mir.Def), mir.RegOp(d, 0), mir.ImmOp(int64(t.Bits())))
		d = b.Un(desc.G_TRUNC, t, z)
	}
	h.ReplaceWith(i, 0, d)
}

// castAddress: between the kernel's addresses and those of an arena, which are its user's.
func castAddress(h target.Legalizer, i mir.InstrID) {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	from, to := b.Type(f.Op(i, 1).Reg()), b.Type(f.Op(i, 0).Reg())
	src, dst, d := f.AddVReg(int16(tab.GPRRegClassID)), f.AddVReg(int16(tab.GPRRegClassID)), b.New(to)
	b.Copy(src, f.Op(i, 1).Reg())
	b.Build(tab.ADDR_SPACE_CAST, mir.RegOp(dst, mir.Def), mir.RegOp(src, 0), mir.ImmOp(int64(to.AddrSpace())), mir.ImmOp(int64(from.AddrSpace())))
	b.Copy(d, dst)
	h.ReplaceWith(i, 0, d)
}
