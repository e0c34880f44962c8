package testtarget

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/codegen/regbank"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

var iselHooks = target.ISelHooks{
	Legalize: legalize,
	Banks:    func(*target.Subtarget) *regbank.Table { return loaded().banks },
	Selector: func(*target.Subtarget) (target.Selector, error) { return &loaded().selector, nil },
}

var s1, s32, p0 = mir.Scalar(1), mir.Scalar(32), mir.Pointer(0, 32)

// rules: numbers and addresses have 32 bits, conditions one.
func rules() *legal.Table {
	in := &legal.Builder{Bool: s1, MaxInline: [2]int64{16, 64}, Word: 4}
	in.For(desc.G_CONSTANT, desc.G_IMPLICIT_DEF, desc.G_FREEZE, desc.G_PHI).Scalarize(0).Legal(s32, p0).Clamp(0, s32, s32)
	in.For(desc.G_GLOBAL_VALUE, desc.G_FRAME_INDEX, desc.G_JUMP_TABLE, desc.G_BLOCK_ADDR, desc.G_STACKSAVE, desc.G_STACKRESTORE).Legal(p0)
	in.For(desc.G_ASSERT_ZEXT, desc.G_ASSERT_SEXT, desc.G_ASSERT_ALIGN, desc.G_BRINDIRECT, desc.G_BRJT, desc.G_TRAP).Else(legal.Legal)
	in.For(desc.G_ADD, desc.G_SUB, desc.G_MUL, desc.G_AND, desc.G_OR, desc.G_XOR).Scalarize(0).Legal(s32).Clamp(0, s32, s32)
	in.For(desc.G_UMULH).Scalarize(0).Legal(s32).Else(legal.Lower)
	in.For(desc.G_SMULH).Scalarize(0).Else(legal.Lower)
	in.For(desc.G_SDIV, desc.G_UDIV).Scalarize(0).Legal(s32).MinScalar(0, s32).Pow2(0).Else(legal.Libcall)
	in.For(desc.G_SREM, desc.G_UREM).Scalarize(0).For(legal.Lower, s32).MinScalar(0, s32).Pow2(0).Else(legal.Libcall)
	in.For(desc.G_SHL, desc.G_LSHR, desc.G_ASHR).Scalarize(0).Clamp(0, s32, s32).MinScalar(1, s32).MaxScalar(1, s32).Legal(s32)
	in.For(desc.G_UADDO, desc.G_USUBO).Scalarize(0).MinScalar(1, s32).Legal(s32).Clamp(0, s32, s32)
	in.For(desc.G_UADDE, desc.G_USUBE).MinScalar(1, s32).Legal(s32).MaxScalar(0, s32)
	in.For(desc.G_SMIN, desc.G_SMAX, desc.G_UMIN, desc.G_UMAX, desc.G_ABS, desc.G_ROTL, desc.G_ROTR, desc.G_FSHL, desc.G_FSHR).Scalarize(0).Else(legal.Lower)
	in.For(desc.G_BSWAP, desc.G_BITREVERSE).Scalarize(0).For(legal.Lower, s32).Clamp(0, s32, s32)
	in.For(desc.G_UADDSAT, desc.G_USUBSAT, desc.G_SADDSAT, desc.G_SSUBSAT, desc.G_USHLSAT, desc.G_SSHLSAT, desc.G_SADDO, desc.G_SSUBO,
		desc.G_UMULO, desc.G_SMULO, desc.G_CTLZ, desc.G_CTTZ, desc.G_BITCAST, desc.G_SCMP, desc.G_UCMP).Scalarize(0).Else(legal.Lower)
	in.For(desc.G_EXTRACT_VECTOR_ELT, desc.G_INSERT_VECTOR_ELT, desc.G_SHUFFLE_VECTOR, desc.G_VECREDUCE_ADD, desc.G_VECREDUCE_MUL,
		desc.G_VECREDUCE_AND, desc.G_VECREDUCE_OR, desc.G_VECREDUCE_XOR, desc.G_VECREDUCE_SMAX, desc.G_VECREDUCE_SMIN,
		desc.G_VECREDUCE_UMAX, desc.G_VECREDUCE_UMIN).Else(legal.FewerElements)
	in.For(desc.G_CTPOP).Scalarize(0).Clamp(1, s32, s32).Clamp(0, s32, s32).Else(legal.Lower)
	in.For(desc.G_ICMP).Scalarize(1).If(legal.Legal, legal.TypeIs(0, s1), legal.TypeIs(1, s32, p0)).Clamp(1, s32, s32)
	in.For(desc.G_SELECT).Scalarize(0).Legal(s32, p0).Clamp(0, s32, s32)
	in.For(desc.G_BRCOND).Legal(s1)
	in.For(desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT).Scalarize(0).LegalPairs(s32, s1).MaxScalar(0, s32).MinScalar(0, s32)
	in.For(desc.G_TRUNC).Scalarize(0).LegalPairs(s1, s32).MaxScalar(1, s32).MinScalar(1, s32)
	in.For(desc.G_SEXT_INREG).Scalarize(0).MinScalar(0, s32).MaxScalar(0, s32).Else(legal.Lower)
	in.For(desc.G_MERGE_VALUES).If(legal.Unsupported, legal.ScalarWider(0, 32)).Else(legal.Lower)
	in.For(desc.G_UNMERGE_VALUES).If(legal.Unsupported, legal.IsVector(1)).If(legal.Unsupported, legal.ScalarWider(1, 32)).Else(legal.Lower)
	in.For(desc.G_PTRTOINT).Scalarize(0).Legal(s32).MinScalar(0, s32).MaxScalar(0, s32)
	in.For(desc.G_INTTOPTR).Scalarize(0).LegalAt(1, s32).MinScalar(1, s32).MaxScalar(1, s32)
	in.For(desc.G_PTR_ADD).LegalAt(1, s32).MinScalar(1, s32).MaxScalar(1, s32)
	in.For(desc.G_PTRMASK).Else(legal.Lower)
	// Memory is read and written in its own order, at multiples of the size alone.
	whole := legal.TypeIs(0, mir.Scalar(8), mir.Scalar(16))
	in.For(desc.G_LOAD, desc.G_STORE).If(legal.Legal, legal.Not(legal.MemOrderAtLeast(1)), legal.MemIs(
		legal.MemAccess{Value: s32, Bits: 8}, legal.MemAccess{Value: s32, Bits: 16, Align: 2}, legal.MemAccess{Value: s32, Bits: 32, Align: 4},
		legal.MemAccess{Value: p0, Bits: 32, Align: 4})).
		If(legal.Lower, legal.ScalarOrEltNarrower(0, 32), legal.Not(whole)).MinScalar(0, s32).Else(legal.Lower)
	in.For(desc.G_ZEXTLOAD).LegalMem(legal.MemAccess{Value: s32, Bits: 8}, legal.MemAccess{Value: s32, Bits: 16, Align: 2}).
		MinScalar(0, s32).MaxScalar(0, s32).Else(legal.Lower)
	in.For(desc.G_SEXTLOAD).LegalMem(legal.MemAccess{Value: s32, Bits: 16, Align: 2}).MinScalar(0, s32).MaxScalar(0, s32).Else(legal.Lower)
	in.For(desc.G_MEMCPY, desc.G_MEMMOVE, desc.G_MEMSET, desc.G_MEMCPY_INLINE, desc.G_DYN_STACKALLOC).Else(legal.Custom)
	in.For(desc.G_VASTART, desc.G_VAARG).Else(legal.Lower)
	return in.Table()
}

// The banks, in the order of the names of Big.td.
const (
	addr desc.BankID = iota
	cond
	data
)

// banks: numbers are data, what is read or jumped through an address, what
// branches and selections ask a condition.
func banks() *regbank.Table {
	b := regbank.New(data, []regbank.Bank{data: {Scalar: 32, Pointer: 32}, addr: {Pointer: 32}, cond: {Scalar: 1}}...)
	either := []regbank.Mapping{regbank.In(data, addr), regbank.In(addr, addr)}
	b.Map([]desc.Opcode{desc.G_LOAD, desc.G_STORE}, either...)
	b.Map([]desc.Opcode{desc.G_ZEXTLOAD, desc.G_SEXTLOAD}, either[0])
	b.Map([]desc.Opcode{desc.G_IMPLICIT_DEF, desc.G_PHI, desc.PHI, desc.G_FREEZE, desc.G_ASSERT_ALIGN}, regbank.In(data), regbank.In(addr))
	b.Map([]desc.Opcode{desc.G_GLOBAL_VALUE, desc.G_FRAME_INDEX, desc.G_JUMP_TABLE, desc.G_BLOCK_ADDR, desc.G_BRINDIRECT, desc.G_STACKSAVE,
		desc.G_STACKRESTORE}, regbank.In(addr))
	b.Map([]desc.Opcode{desc.G_PTR_ADD, desc.G_BRJT}, regbank.In(addr, addr, data))
	b.Map([]desc.Opcode{desc.G_ICMP, desc.G_TRUNC}, regbank.In(cond, data))
	b.Map([]desc.Opcode{desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT}, regbank.In(data, cond))
	b.Map([]desc.Opcode{desc.G_SELECT}, regbank.In(data, cond, data))
	b.Map([]desc.Opcode{desc.G_BRCOND}, regbank.In(cond))
	return b.Table()
}

func (t *tableSet) patternHooks() *matchtable.Hooks {
	return &matchtable.Hooks{
		Xforms: map[string]func(*matchtable.Matcher, mir.InstrID, int){
			"high": func(m *matchtable.Matcher, i mir.InstrID, op int) {
				v, _ := m.OperandConst(m.F.Op(i, op))
				m.Add(mir.ImmOp(int64(uint32(v+0x8000) >> 16)))
			},
			"low": func(m *matchtable.Matcher, i mir.InstrID, op int) {
				v, _ := m.OperandConst(m.F.Op(i, op))
				m.Add(mir.ImmOp(int64(int16(v))))
			},
		},
		ClassOf: func(_ *target.Subtarget, ty mir.LLT, bank int16) desc.ClassID {
			switch {
			case ty.Bits() > 32:
				return desc.NoClass
			case desc.BankID(bank) == addr:
				return t.ar
			case desc.BankID(bank) == cond:
				return t.cr
			}
			return t.dr
		},
	}
}

// legalize does what the rules call Custom.
func legalize(h target.Legalizer, i mir.InstrID) error {
	b := globalisel.Wrap(h.Emit())
	f := b.F
	switch f.Instr(i).Opcode {
	case desc.G_MEMCPY, desc.G_MEMMOVE, desc.G_MEMSET, desc.G_MEMCPY_INLINE:
		return h.MemTransfer(i)
	case desc.G_DYN_STACKALLOC:
		sp, reg := b.New(p0), mir.Reg(h.Subtarget().Variant.StackPointer)
		b.Copy(sp, reg)
		v := b.Bin(desc.G_SUB, s32, b.Un(desc.G_PTRTOINT, s32, sp), f.Op(i, 1).Reg())
		v = b.Bin(desc.G_AND, s32, v, b.Const(s32, -max(f.Op(i, 2).Imm(), 8)))
		p := b.Un(desc.G_INTTOPTR, p0, v)
		b.Copy(reg, p)
		h.ReplaceWith(i, 0, p)
	default:
		return h.Unable(i)
	}
	return nil
}
