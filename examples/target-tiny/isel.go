package tiny

import (
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/codegen/regbank"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// iselHooks answer instruction selection.
var iselHooks = target.ISelHooks{
	// Memory is moved by words or the library.
	Legalize: func(h target.Legalizer, i mir.InstrID) error { return h.MemTransfer(i) },
	Banks:    func(*target.Subtarget) *regbank.Table { return loaded().banks },
	Selector: func(*target.Subtarget) (target.Selector, error) { return &loaded().selector, nil },
}

// rules say what the legalizer must bring about: values of 32 bits, pointers
// among them; memory of 8, 16 and 32 bits.
func rules() *legal.Table {
	s32, p0 := mir.Scalar(32), mir.Pointer(0, 32)
	in := &legal.Builder{Bool: s32, MaxInline: [2]int64{16, 64}, Word: 4}
	in.For(desc.G_CONSTANT, desc.G_IMPLICIT_DEF, desc.G_FREEZE, desc.G_PHI).Scalarize(0).Legal(s32, p0).Clamp(0, s32, s32)
	in.For(desc.G_GLOBAL_VALUE, desc.G_FRAME_INDEX, desc.G_JUMP_TABLE).Legal(p0)
	in.For(desc.G_ASSERT_ZEXT, desc.G_ASSERT_SEXT, desc.G_ASSERT_ALIGN, desc.G_BRINDIRECT, desc.G_BRJT, desc.G_TRAP).Else(legal.Legal)
	in.For(desc.G_ADD, desc.G_SUB, desc.G_MUL, desc.G_AND, desc.G_OR, desc.G_XOR).Scalarize(0).Legal(s32).Clamp(0, s32, s32)
	in.For(desc.G_UMULH).Scalarize(0).Legal(s32).Else(legal.Lower)
	in.For(desc.G_SDIV, desc.G_UDIV, desc.G_SREM, desc.G_UREM).Scalarize(0).Legal(s32).MinScalar(0, s32).Pow2(0).Else(legal.Libcall)
	in.For(desc.G_SHL, desc.G_LSHR, desc.G_ASHR).Scalarize(0).Clamp(0, s32, s32).MinScalar(1, s32).MaxScalar(1, s32).Legal(s32)
	in.For(desc.G_UADDO, desc.G_USUBO).Scalarize(0).MinScalar(1, s32).Legal(s32).Clamp(0, s32, s32)
	in.For(desc.G_UADDE, desc.G_USUBE).MinScalar(1, s32).Legal(s32).MaxScalar(0, s32)
	in.For(desc.G_SMIN, desc.G_SMAX, desc.G_UMIN, desc.G_UMAX, desc.G_ABS, desc.G_ROTL, desc.G_ROTR, desc.G_FSHL, desc.G_FSHR).Scalarize(0).Else(legal.Lower)
	in.For(desc.G_BSWAP, desc.G_BITREVERSE).Scalarize(0).For(legal.Lower, s32).Clamp(0, s32, s32)
	in.For(desc.G_UADDSAT, desc.G_USUBSAT, desc.G_SADDSAT, desc.G_SSUBSAT, desc.G_USHLSAT, desc.G_SSHLSAT, desc.G_SADDO, desc.G_SSUBO,
		desc.G_UMULO, desc.G_SMULO, desc.G_CTLZ, desc.G_CTTZ, desc.G_BITCAST).Scalarize(0).Else(legal.Lower)
	in.For(desc.G_EXTRACT_VECTOR_ELT, desc.G_INSERT_VECTOR_ELT, desc.G_SHUFFLE_VECTOR, desc.G_VECREDUCE_ADD, desc.G_VECREDUCE_MUL,
		desc.G_VECREDUCE_AND, desc.G_VECREDUCE_OR, desc.G_VECREDUCE_XOR, desc.G_VECREDUCE_SMAX, desc.G_VECREDUCE_SMIN,
		desc.G_VECREDUCE_UMAX, desc.G_VECREDUCE_UMIN).Else(legal.FewerElements)
	in.For(desc.G_CTPOP).Scalarize(0).Clamp(1, s32, s32).Clamp(0, s32, s32).Else(legal.Lower)
	in.For(desc.G_ICMP).Scalarize(1).MinScalar(0, s32).LegalAt(1, s32, p0).Clamp(1, s32, s32)
	in.For(desc.G_SELECT).Scalarize(0).MinScalar(1, s32).Legal(s32, p0).Clamp(0, s32, s32)
	in.For(desc.G_BRCOND).Legal(s32).MinScalar(0, s32)
	in.For(desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT).Scalarize(0).MaxScalar(0, s32).MinScalar(0, s32)
	in.For(desc.G_TRUNC).Scalarize(0).MaxScalar(1, s32).MinScalar(1, s32)
	in.For(desc.G_SEXT_INREG).Scalarize(0).MinScalar(0, s32).MaxScalar(0, s32).Else(legal.Lower)
	in.For(desc.G_MERGE_VALUES).If(legal.Unsupported, legal.ScalarWider(0, 32)).Else(legal.Lower)
	in.For(desc.G_UNMERGE_VALUES).If(legal.Unsupported, legal.IsVector(1)).If(legal.Unsupported, legal.ScalarWider(1, 32)).Else(legal.Lower)
	in.For(desc.G_PTRTOINT).Scalarize(0).Legal(s32).MinScalar(0, s32).MaxScalar(0, s32)
	in.For(desc.G_INTTOPTR).Scalarize(0).LegalAt(1, s32).MinScalar(1, s32).MaxScalar(1, s32)
	in.For(desc.G_PTR_ADD).LegalAt(1, s32).MinScalar(1, s32).MaxScalar(1, s32)
	// Bytes and half words are loaded into, and stored from, whole registers; odd widths in pieces.
	whole := legal.TypeIs(0, mir.Scalar(8), mir.Scalar(16))
	in.For(desc.G_LOAD, desc.G_STORE).If(legal.Legal, legal.Not(legal.MemOrderAtLeast(1)), legal.MemIs(
		legal.MemAccess{Value: s32, Bits: 8}, legal.MemAccess{Value: s32, Bits: 16}, legal.MemAccess{Value: s32, Bits: 32},
		legal.MemAccess{Value: p0, Bits: 32})).
		If(legal.Lower, legal.ScalarOrEltNarrower(0, 32), legal.Not(whole)).MinScalar(0, s32).Else(legal.Lower)
	in.For(desc.G_ZEXTLOAD, desc.G_SEXTLOAD).Legal(s32).MinScalar(0, s32).MaxScalar(0, s32)
	in.For(desc.G_VASTART, desc.G_VAARG).Else(legal.Lower)
	in.For(desc.G_MEMCPY, desc.G_MEMMOVE, desc.G_MEMSET, desc.G_MEMCPY_INLINE).Else(legal.Custom)
	return in.Table()
}

// banks: there is one.
func banks() *regbank.Table {
	b := regbank.New(0, regbank.Bank{Scalar: 32, Pointer: 32})
	b.Fast = true
	return b.Table()
}

// patternHooks are the functions that the patterns of Tiny.td name.
func (t *tableSet) patternHooks() *matchtable.Hooks {
	return &matchtable.Hooks{
		Xforms: map[string]func(*matchtable.Matcher, mir.InstrID, int){
			"high": func(m *matchtable.Matcher, i mir.InstrID, op int) { half(m, i, op, 14, 1<<18-1) },
			"low":  func(m *matchtable.Matcher, i mir.InstrID, op int) { half(m, i, op, 0, 1<<14-1) },
		},
		ClassOf: func(_ *target.Subtarget, ty mir.LLT, _ int16) desc.ClassID {
			if ty.Bits() > 32 {
				return desc.NoClass
			}
			return t.gpr
		},
	}
}

// half adds a part of a constant's 32 bits.
func half(m *matchtable.Matcher, i mir.InstrID, op int, shift uint, mask uint32) {
	v, _ := m.OperandConst(m.F.Op(i, op))
	m.Add(mir.ImmOp(int64(uint32(v) >> shift & mask)))
}
