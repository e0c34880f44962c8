package x86

import (
	"sync"

	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// What is legal after the legalizer on x86-64: the contract between the rules
// in this file and the selection patterns (*.td). p means p0, and pointers into segments, p256 to p258. There are no
// values of type s1, of odd widths, or wider than 64 bits but s80, which the x87
// holds, whatever it means; booleans are s8 of
// which only bit 0 counts unless a comparison made them (then they are 0 or 1).
//
//	G_CONSTANT                        s8 s16 s32 s64 p
//	G_FCONSTANT                       s32 s64 s80 (float, double, x86_fp80)
//	G_IMPLICIT_DEF G_FREEZE G_PHI COPY  s8 s16 s32 s64 s80 p
//	G_GLOBAL_VALUE                    p, s64 (an offset of a thread-local variable)
//	G_FRAME_INDEX G_BLOCK_ADDR G_JUMP_TABLE G_CONSTANT_POOL   p
//	G_ADD G_SUB G_AND G_OR G_XOR      s8 s16 s32 s64
//	G_MUL                             s8 s16 s32 s64
//	G_UMULH G_SMULH                   s8 s16 s32 s64
//	G_SDIV G_UDIV G_SREM G_UREM       s8 s16 s32 s64
//	G_SDIVREM G_UDIVREM               s16 s32 s64
//	G_SHL G_LSHR G_ASHR G_ROTL G_ROTR s8 s16 s32 s64, amount s8 (a constant amount is an s8 G_CONSTANT too)
//	G_FSHL G_FSHR                     s32 s64, amount s8
//	G_UADDO G_SADDO G_USUBO G_SSUBO   s8 s16 s32 s64, overflow s8
//	G_UADDE G_SADDE G_USUBE G_SSUBE   s8 s16 s32 s64, carry in and out s8
//	G_UMULO G_SMULO                   s8 s16 s32 s64, overflow s8
//	G_ICMP                            s8 = s8 s16 s32 s64 p
//	G_FCMP                            s8 = s32 s64 s80
//	G_SELECT                          s8 s16 s32 s64 s80 p, condition s8 (bit 0)
//	G_BRCOND                          s8 (bit 0)
//	G_BR G_BRINDIRECT(p) G_BRJT(p, s64) G_TRAP G_DEBUGTRAP G_UBSANTRAP
//	G_ZEXT G_SEXT G_ANYEXT            s8→s16 s8→s32 s8→s64 s16→s32 s16→s64 s32→s64
//	G_TRUNC                           the reverse
//	G_SEXT_INREG                      s16 s32 s64 from 8, 16, 32; s8 s16 s32 s64 from 1
//	G_PTR_ADD                         p, s64
//	G_PTRTOINT s64 = p, G_INTTOPTR p = s64
//	G_LOAD G_STORE                    s8 s16 s32 s64 s80 p, memory of the same size; atomic ones by their order
//	G_ZEXTLOAD G_SEXTLOAD             s16 s32 s64 from smaller memory of s8, s16, s32
//	G_ATOMICRMW_{XCHG,ADD,SUB}        s8 s16 s32 s64
//	G_ATOMICRMW_{AND,OR,XOR}          s8 s16 s32 s64, result not used
//	G_ATOMIC_CMPXCHG, …_WITH_SUCCESS  s8 s16 s32 s64, success s8
//	G_FENCE
//	G_CTLZ G_CTTZ and _ZERO_UNDEF     s16 s32 s64
//	G_CTPOP                           s16 s32 s64 with popcnt
//	G_BSWAP                           s16 s32 s64
//	G_FADD G_FSUB G_FMUL G_FDIV G_FSQRT G_FNEG G_FABS   s32 s64 s80
//	G_FMA                             s32 s64 with fma
//	G_FFLOOR G_FCEIL G_INTRINSIC_TRUNC G_FRINT G_FNEARBYINT G_INTRINSIC_ROUNDEVEN   s32 s64 with sse4.1
//	G_FPEXT, the reverse of G_FPTRUNC s64 = s32; s80 = s32 s64
//	G_SITOFP                          s32 s64 = s32 s64; s80 = s16 s32 s64
//	G_FPTOSI                          s32 s64 = s32 s64; s16 s32 s64 = s80
//	G_INTRINSIC_LRINT G_INTRINSIC_LLRINT   s32 s64 = s32 s64 s80
//	G_STACKSAVE G_STACKRESTORE G_READCYCLECOUNTER G_PREFETCH
//	G_INTRINSIC(_W_SIDE_EFFECTS) of the target, with operands of these types
//
// Vectors that fill a register of 128 or 256 bits are legal too: legalizer_vector.go says
// which operations on them are.

// legalTable gives the rules of all subtargets of a mode.
func legalTable(m *mode) *legal.Table {
	if m.is64() {
		return legalTable64()
	}
	return legalTable32()
}

var (
	legalTable64 = sync.OnceValue(func() *legal.Table { return makeLegalTable(&mode64) })
	legalTable32 = sync.OnceValue(func() *legal.Table { return makeLegalTable(&mode32) })
)

// modeRules is a Builder of the rules of a mode.
type modeRules struct {
	*legal.Builder
	m    *mode
	sse2 legal.Cond // float and double have registers
}

// double makes values of 64 bits legal that are floating point, in 32-bit mode.
func (in modeRules) double(s *legal.Set) {
	if !in.m.is64() {
		s.If(legal.Legal, in.sse2, legal.TypeIs(0, mir.Scalar(64)), legal.FloatValue())
	}
}

// viaX87 has float and double at a type index be computed in the x87's format where
// there is nothing else.
func (in modeRules) viaX87(s *legal.Set, idx int) {
	if !in.m.is64() {
		s.To(legal.WidenScalar, idx, legal.To(mir.Scalar(80)), legal.Not(in.sse2), legal.TypeIs(idx, mir.Scalar(32), mir.Scalar(64)))
	}
}

func makeLegalTable(m *mode) *legal.Table {
	var (
		s1, s8, s16 = mir.Scalar(1), mir.Scalar(8), mir.Scalar(16)
		s32, s64    = mir.Scalar(32), mir.Scalar(64)
		p0, word    = m.p0(), m.int0()
		ints        = []mir.LLT{s8, s16, s32, s64}[:m.ints()]
		wide        = ints[1:]
		values      = append(ints[:len(ints):len(ints)], p0, m.pointer(spaceGS), m.pointer(spaceFS), m.pointer(spaceSS))
		s80         = mir.Scalar(80)
		any         = append([]mir.LLT{s80}, values...) // what registers hold
	)
	in := modeRules{&legal.Builder{Bool: s8, MaxInline: [2]int64{2 * m.word, 128}, Word: int(m.word)}, m, legal.Feature("sse2")}

	// Values as such.
	in.For(desc.G_CONSTANT).Legal(values...).Scalarize(0).Clamp(0, s8, word)
	in.For(desc.G_FCONSTANT).Legal(s80).If(legal.Legal, in.sse2, legal.TypeIs(0, s32, s64)).Else(legal.Lower)
	undef := in.For(desc.G_IMPLICIT_DEF, desc.G_FREEZE, desc.G_PHI).Legal(any...)
	vectorValues(undef)
	in.double(undef)
	undef.Scalarize(0).Clamp(0, s8, word)
	// Thread-local variables are sums then, of offsets that are s64.
	in.For(desc.G_GLOBAL_VALUE).Legal(word).If(legal.Custom, legal.ThreadLocal()).Legal(p0)
	in.For(desc.G_FRAME_INDEX, desc.G_BLOCK_ADDR, desc.G_JUMP_TABLE, desc.G_CONSTANT_POOL).Legal(p0)
	in.For(desc.G_ASSERT_ZEXT, desc.G_ASSERT_SEXT, desc.G_ASSERT_ALIGN, desc.G_CONSTANT_FOLD_BARRIER).Else(legal.Legal)
	sel := in.For(desc.G_SELECT).MinScalar(1, s8).MaxScalar(1, s8)
	vectorSelect(sel)
	in.double(sel)
	sel.Scalarize(0).Legal(any...).Clamp(0, s8, word)

	// Integer arithmetic.
	sum := in.For(desc.G_ADD, desc.G_SUB).Legal(ints...)
	vectorInts(sum, 8, 16, 32, 64).shape(8, 16, 32, 64)
	logic := in.For(desc.G_AND, desc.G_OR, desc.G_XOR).Legal(ints...)
	vectors(logic, 0, "avx").legal(8, 16, 32, 64).bitsLegal().evenElems().shape(8, 16, 32, 64)
	mul := in.For(desc.G_MUL).Legal(ints...)
	vectorInts(mul, 16, 32, 64)
	mul.To(legal.WidenScalar, 0, legal.EltTo(s16), legal.EltIs(0, s8))
	vectors(mul, 0, "avx2").shape(16, 32, 64)
	for _, s := range [...]*legal.Set{sum, logic, mul} {
		s.Scalarize(0).Clamp(0, s8, word)
	}
	high := in.For(desc.G_UMULH, desc.G_SMULH).Legal(ints...)
	vectors(high, 0, "avx2").legal(16).shape(16)
	high.Scalarize(0).Else(legal.Lower)
	in.For(desc.G_SDIV, desc.G_UDIV, desc.G_SREM, desc.G_UREM).Legal(ints...).Scalarize(0).
		If(legal.Unsupported, legal.ScalarWider(0, 2*m.bits)).MinScalar(0, s8).Pow2(0).Else(legal.Libcall)
	in.For(desc.G_SDIVREM, desc.G_UDIVREM).Legal(wide...)
	shift := in.For(desc.G_SHL, desc.G_LSHR, desc.G_ASHR)
	vectorShifts(shift)
	shift.Scalarize(0).Clamp(0, s8, word).
		MaxScalar(1, s8).MinScalar(1, s8).Legal(ints...)
	rotate := in.For(desc.G_ROTL, desc.G_ROTR)
	vectorRotations(rotate, nil, 32, 64)
	rotate.Scalarize(0).If(legal.Lower, legal.Not(legal.TypeIs(0, ints...))).MaxScalar(1, s8).MinScalar(1, s8).Legal(ints...)
	funnel := in.For(desc.G_FSHL, desc.G_FSHR)
	vectorRotations(funnel, []legal.Cond{legal.Feature("avx512vbmi2")}, 16, 32, 64)
	funnel.Scalarize(0).If(legal.Lower, legal.SameUses()).If(legal.Lower, legal.Not(legal.TypeIs(0, ints[2:]...))).
		MaxScalar(1, s8).MinScalar(1, s8).Legal(ints[2:]...)
	in.For(desc.G_UADDO, desc.G_SADDO, desc.G_USUBO, desc.G_SSUBO).
		Scalarize(0).MinScalar(1, s8).Legal(ints...).Clamp(0, s8, word)
	in.For(desc.G_UMULO, desc.G_SMULO).Scalarize(0).MinScalar(1, s8).Legal(ints...).
		If(legal.Lower, legal.ScalarWider(0, m.bits)).MinScalar(0, s8).Pow2(0)
	in.For(desc.G_UADDE, desc.G_SADDE, desc.G_USUBE, desc.G_SSUBE).MinScalar(1, s8).Legal(ints...).MaxScalar(0, word)
	for _, m := range [...]struct {
		op    desc.Opcode
		sse2  int
		sse41 [2]int
	}{{desc.G_SMIN, 16, [2]int{8, 32}}, {desc.G_SMAX, 16, [2]int{8, 32}}, {desc.G_UMIN, 8, [2]int{16, 32}}, {desc.G_UMAX, 8, [2]int{16, 32}}} {
		s := in.For(m.op)
		vectorInts(s, m.sse2).legalIf("sse4.1", m.sse41[:]...).legalIf("masks", 64).shape(8, 16, 32, 64).act(legal.Lower, 8, 16, 32, 64)
		s.Scalarize(0).MinScalar(0, s8).Pow2(0).Else(legal.Lower)
	}
	abs := in.For(desc.G_ABS)
	vectors(abs, 0, "avx2").bits().evenElems().legalIf("ssse3", 8, 16, 32).legalIf("masks", 64).shape(8, 16, 32, 64).act(legal.Lower, 8, 16, 32, 64)
	abs.Scalarize(0).Legal(wide...).MinScalar(0, s8).Pow2(0).Else(legal.Lower)
	in.For(desc.G_SCMP, desc.G_UCMP).Scalarize(0).Else(legal.Lower)
	sat := in.For(desc.G_UADDSAT, desc.G_USUBSAT, desc.G_SADDSAT, desc.G_SSUBSAT)
	vectors(sat, 0, "avx2").legal(8, 16).shape(8, 16, 32, 64).act(legal.Lower, 32, 64)
	sat.Scalarize(0).Else(legal.Lower)
	in.For(desc.G_USHLSAT, desc.G_SSHLSAT).Scalarize(0).Else(legal.Lower)

	// Comparisons and branches.
	icmp := in.For(desc.G_ICMP)
	vectorCompare(icmp, "avx2", 8, 16, 32, 64)
	icmp.Scalarize(1).MinScalar(0, s8).LegalAt(1, values...).Clamp(1, s8, word)
	fcmp := in.For(desc.G_FCMP)
	vectorCompare(fcmp, "avx", 32, 64)
	fcmp.Scalarize(1).MinScalar(0, s8).LegalAt(1, s80).If(legal.Legal, in.sse2, legal.TypeIs(1, s32, s64)).MinScalar(1, s32)
	in.viaX87(fcmp, 1)
	fcmp.Else(legal.Libcall)
	in.For(desc.G_BRCOND).Legal(s8).MinScalar(0, s8)
	in.For(desc.G_BRINDIRECT, desc.G_BRJT, desc.G_TRAP, desc.G_DEBUGTRAP, desc.G_UBSANTRAP, desc.G_FENCE, desc.G_PREFETCH,
		desc.G_STACKSAVE, desc.G_STACKRESTORE).Else(legal.Legal)
	in.For(desc.G_READCYCLECOUNTER).LegalAt(0, word).Else(legal.Custom)

	// Widths. Extensions and truncations of widths that x86 does not have wait for
	// their users or operands to be widened, and then cancel.
	odd := func(idx int) []legal.Cond {
		return []legal.Cond{legal.Not(legal.TypeIs(idx, ints...)), legal.NotMultipleOf(idx, m.bits)}
	}
	smaller := []mir.LLT{s16, s8, s32, s8, s32, s16, s64, s8, s64, s16, s64, s32}[:6*(m.ints()-2)]
	for k, ext := range [...]*legal.Set{in.For(desc.G_ZEXT, desc.G_ANYEXT), in.For(desc.G_SEXT)} {
		ext.LegalPairs(smaller...)
		vectorExtend(ext, k == 1)
		ext.Scalarize(0).If(legal.Custom, legal.TypeIs(1, s80)).If(legal.Unsupported, legal.NotMultipleOf(1, m.bits), legal.ScalarWider(1, m.bits)).MaxScalar(0, word).
			If(legal.Unsupported, odd(0)...).If(legal.Unsupported, odd(1)...)
	}
	var cuts []mir.LLT
	for k := 0; k < len(smaller); k += 2 {
		cuts = append(cuts, smaller[k+1], smaller[k])
	}
	cut := in.For(desc.G_TRUNC).LegalPairs(cuts...)
	vectorExtend(cut, false)
	cut.Scalarize(0).If(legal.Custom, legal.TypeIs(1, s80)).If(legal.Custom, legal.TypeIs(0, s80)).
		If(legal.Unsupported, odd(0)...).If(legal.Unsupported, odd(1)...).MaxScalar(1, word)
	inreg := in.For(desc.G_SEXT_INREG)
	vectors(inreg, 0, "avx2").evenElems().act(legal.Lower, 8, 16, 32, 64)
	inreg.Scalarize(0).
		If(legal.Legal, legal.TypeIs(0, ints...), legal.ImmIs(1)).If(legal.Legal, legal.TypeIs(0, wide...), legal.ImmIs(8)).
		If(legal.Legal, legal.TypeIs(0, ints[2:]...), legal.ImmIs(16)).If(legal.Legal, legal.TypeIs(0, ints[3:]...), legal.ImmIs(32)).
		MinScalar(0, s8).MaxScalar(0, word).Pow2(0).Else(legal.Lower)
	unmerge := in.For(desc.G_UNMERGE_VALUES)
	merge := in.For(desc.G_MERGE_VALUES)
	vectorParts(in.Builder, unmerge)
	if !m.is64() {
		unmerge.If(legal.Legal, in.sse2, legal.TypeIs(0, s32), legal.TypeIs(1, s64))
		merge.If(legal.Legal, in.sse2, legal.TypeIs(1, s32), legal.TypeIs(0, s64))
		unmerge.If(legal.Custom, legal.ScalarNarrower(0, 32), legal.TypeIs(1, s64))
	}
	unmerge.If(legal.Unsupported, legal.ScalarWider(1, m.bits)).If(legal.Unsupported, legal.IsVector(0)).If(legal.Unsupported, legal.IsVector(1)).Else(legal.Lower)
	merge.If(legal.Unsupported, legal.ScalarWider(0, m.bits)).If(legal.Unsupported, legal.IsVector(0)).If(legal.Unsupported, legal.IsVector(1)).Else(legal.Lower)
	cast := in.For(desc.G_BITCAST)
	xmm, ymm, zmm := vecTypes(8, 16, 32, 64)
	cast.LegalProduct(xmm, xmm)
	cast.With(legal.Feature("avx")).LegalProduct(ymm, ymm)
	cast.With(withZMM).LegalProduct(zmm, zmm)
	for _, n := range [...]int{8, 16, 32, 64} {
		bits := mir.Vector(n, s1)
		cast.With(withMasks).LegalPairs(bits, mir.Scalar(n), mir.Scalar(n), bits)
	}
	cast.If(legal.Custom, legal.IsVector(0)).If(legal.Custom, legal.IsVector(1)).Else(legal.Lower)
	in.For(desc.G_ADDRSPACE_CAST).Else(legal.Lower)
	in.For(desc.G_PTRTOINT).Scalarize(0).Legal(word).MaxScalar(0, word).MinScalar(0, word)
	in.For(desc.G_INTTOPTR).Scalarize(0).LegalAt(1, word).MaxScalar(1, word).MinScalar(1, word)
	in.For(desc.G_PTR_ADD).Scalarize(0).If(legal.Unsupported, legal.Not(legal.SizeIs(0, m.bits))).LegalAt(1, word).MinScalar(1, word).MaxScalar(1, word)
	in.For(desc.G_PTRMASK).Scalarize(0).Else(legal.Lower)

	// Bits.
	for k, count := range [...]*legal.Set{in.For(desc.G_CTLZ), in.For(desc.G_CTTZ, desc.G_CTLZ_ZERO_UNDEF, desc.G_CTTZ_ZERO_UNDEF)} {
		if k == 0 {
			xmm, ymm, zmm := vecTypes(32, 64)
			lzcnt := count.With(withMasks, legal.Feature("avx512cd"))
			for n := range xmm {
				lzcnt.LegalPairs(xmm[n], xmm[n], ymm[n], ymm[n])
				lzcnt.With(withZMM).LegalPairs(zmm[n], zmm[n])
			}
		}
		vectors(count, 1, "avx2").shape(8, 16, 32, 64).act(legal.Lower, 8, 16, 32, 64)
		count.Scalarize(0)
		count.MaxScalar(0, word).MaxScalar(1, word).If(legal.Custom, legal.Not(legal.SameType(0, 1)), legal.Not(legal.IsVector(1))).Legal(wide...).MinScalar(1, s32).Pow2(1).MinScalar(0, s32).Pow2(0)
	}
	pop := in.For(desc.G_CTPOP)
	vectors(pop, 1, "avx2").legalPop().shape(8, 16, 32, 64).act(legal.Lower, 8, 16, 32, 64)
	pop.Scalarize(0).MaxScalar(0, word).MaxScalar(1, word).If(legal.Custom, legal.Not(legal.SameType(0, 1)), legal.Not(legal.IsVector(1)))
	popcnt := legal.Feature("popcnt")
	pop.With(popcnt).Legal(wide...).MinScalar(1, s32).Pow2(1)
	pop.With(legal.Not(popcnt)).For(legal.Lower, ints...).MinScalar(1, s8).Pow2(1)
	swap := in.For(desc.G_BSWAP)
	vectors(swap, 0, "avx2").shape(16, 32, 64).act(legal.Custom, 16, 32, 64)
	swap.Scalarize(0).Legal(wide...).MaxScalar(0, word).MinScalar(0, s16).Pow2(0)
	reverse := in.For(desc.G_BITREVERSE)
	vectors(reverse, 0, "avx2").shape(8, 16, 32, 64).act(legal.Lower, 8, 16, 32, 64)
	reverse.Scalarize(0).For(legal.Lower, ints...).Clamp(0, s8, word)

	// Memory.
	mem := in.For(desc.G_LOAD, desc.G_STORE)
	vectorMem(mem)
	in.double(mem)
	mem.If(legal.Legal, legal.TypeIs(0, any...), legal.Not(legal.IsPointer(0)), legal.MemWhole()).
		If(legal.Legal, legal.IsPointer(0), legal.SizeIs(0, m.bits), legal.MemWhole()).For(legal.Custom, s1).Else(legal.Lower)
	in.For(desc.G_ZEXTLOAD, desc.G_SEXTLOAD).Legal(wide...)
	in.For(desc.G_ATOMICRMW_XCHG, desc.G_ATOMICRMW_ADD, desc.G_ATOMICRMW_SUB, desc.G_ATOMICRMW_AND, desc.G_ATOMICRMW_OR,
		desc.G_ATOMICRMW_XOR, desc.G_ATOMIC_CMPXCHG).Legal(values...)
	in.For(desc.G_ATOMIC_CMPXCHG_WITH_SUCCESS).MinScalar(1, s8).Legal(values...).For(legal.Custom, mir.Scalar(2*m.bits))
	in.For(desc.G_MEMCPY, desc.G_MEMMOVE, desc.G_MEMSET, desc.G_MEMCPY_INLINE).Else(legal.Custom)
	in.For(desc.G_DYN_STACKALLOC, desc.G_VASTART, desc.G_VAARG).Else(legal.Custom)

	vectorReductions(in.Builder)
	floatRules(in)
	return in.Table()
}

// floatRules adds the rules of floating point.
func floatRules(in modeRules) {
	s16, s32, s64, s80 := mir.Scalar(16), mir.Scalar(32), mir.Scalar(64), mir.Scalar(80)
	sse := []mir.LLT{s32, s64}
	// Integers of 64 bits that no register holds go through memory and the x87.
	ints := sse[:in.m.ints()-2]
	wide := []mir.LLT{s16, s32, s64}[:in.m.ints()-1]
	inMemory := func(s *legal.Set, int, float int) {
		if !in.m.is64() {
			s.If(legal.Custom, legal.TypeIs(float, s80), legal.TypeIs(int, s64))
			s.To(legal.WidenScalar, float, legal.To(s80), legal.TypeIs(float, s32, s64), legal.TypeIs(int, s64))
			s.To(legal.WidenScalar, float, legal.To(s80), legal.TypeIs(float, s32, s64), legal.Not(in.sse2))
		}
	}
	inRegs := func(s *legal.Set) *legal.Set {
		s.Legal(s80)
		if in.m.is64() {
			return s.Legal(sse...)
		}
		return s.If(legal.Legal, in.sse2, legal.TypeIs(0, sse...))
	}
	plain := inRegs(in.For(desc.G_FADD, desc.G_FSUB, desc.G_FMUL, desc.G_FDIV, desc.G_FSQRT))
	in.viaX87(plain, 0)
	vectorFloats(plain)
	plain.Scalarize(0).MinScalar(0, s32).Else(legal.Libcall)
	sign := inRegs(in.For(desc.G_FNEG, desc.G_FABS))
	vectors(sign, 0, "avx").act(legal.Lower, 32, 64)
	sign.Scalarize(0).Else(legal.Lower)
	cosign := in.For(desc.G_FCOPYSIGN)
	cosign.If(legal.Lower, legal.EltIs(0, s32), legal.SameType(0, 1)).If(legal.Lower, legal.EltIs(0, s64), legal.SameType(0, 1))
	cosign.Scalarize(0).Scalarize(1).If(legal.Custom, legal.TypeIs(0, s80)).If(legal.Custom, legal.TypeIs(1, s80)).Else(legal.Lower)
	least := in.For(desc.G_FMINNUM, desc.G_FMAXNUM)
	order := in.For(desc.G_FMINIMUM, desc.G_FMAXIMUM, desc.G_FMINIMUMNUM, desc.G_FMAXIMUMNUM)
	vectors(least, 0, "avx").shape(32, 64).act(legal.Lower, 32, 64)
	vectors(order, 0, "avx").shape(32, 64).act(legal.Lower, 32, 64)
	least.Scalarize(0).MinScalar(0, s32).For(legal.Lower, sse...).Else(legal.Libcall)
	order.Scalarize(0).MinScalar(0, s32).Else(legal.Lower)
	in.For(desc.G_FCANONICALIZE).Scalarize(0).MinScalar(0, s32).Else(legal.Lower)
	in.For(desc.G_IS_FPCLASS).Scalarize(0).Else(legal.Lower)
	fma := in.For(desc.G_FMA)
	vectorFloatsWith(fma, "fma")
	fma.Scalarize(0).MinScalar(0, s32)
	fma.With(legal.Feature("fma")).Legal(sse...)
	fma.Else(legal.Libcall)
	round := in.For(desc.G_FFLOOR, desc.G_FCEIL, desc.G_INTRINSIC_TRUNC, desc.G_FRINT, desc.G_FNEARBYINT, desc.G_INTRINSIC_ROUNDEVEN)
	vectorFloatsWith(round, "sse4.1")
	round.Scalarize(0).MinScalar(0, s32)
	away := in.For(desc.G_INTRINSIC_ROUND).Scalarize(0).MinScalar(0, s32)
	sse41 := legal.Feature("sse4.1")
	round.With(sse41).Legal(sse...)
	away.With(sse41).For(legal.Lower, sse...)
	round.Else(legal.Libcall)
	away.Else(legal.Libcall)
	in.For(desc.G_FREM, desc.G_FPOW, desc.G_FEXP, desc.G_FEXP2, desc.G_FEXP10, desc.G_FLOG, desc.G_FLOG2, desc.G_FLOG10,
		desc.G_FSIN, desc.G_FCOS, desc.G_FTAN, desc.G_FASIN, desc.G_FACOS, desc.G_FATAN, desc.G_FATAN2, desc.G_FSINH,
		desc.G_FCOSH, desc.G_FTANH, desc.G_FLDEXP, desc.G_FPOWI).Scalarize(0).MinScalar(0, s32).Else(legal.Libcall)
	in.For(desc.G_LROUND, desc.G_LLROUND).Scalarize(0).MinScalar(1, s32).Else(legal.Libcall)
	rint := in.For(desc.G_INTRINSIC_LRINT, desc.G_INTRINSIC_LLRINT).Scalarize(0)
	rint.If(legal.Legal, legal.TypeIs(0, ints...), legal.TypeIs(1, s80)).If(legal.Legal, in.sse2, legal.TypeIs(0, ints...), legal.TypeIs(1, sse...)).MinScalar(1, s32).Else(legal.Libcall)

	longer, shorter := in.For(desc.G_FPEXT), in.For(desc.G_FPTRUNC)
	sitofp, uitofp := in.For(desc.G_SITOFP), in.For(desc.G_UITOFP)
	fptosi, fptoui := in.For(desc.G_FPTOSI), in.For(desc.G_FPTOUI)
	vectorConversions(longer, shorter, sitofp, uitofp, fptosi, fptoui)
	// Formats of 16 bits are half; bfloat is done by the irtranslator.
	f16c := legal.Feature("f16c")
	longer.Scalarize(0)
	longer.With(in.sse2).LegalPairs(s64, s32, s80, s32, s80, s64)
	longer.If(legal.Custom, legal.TypesAre(0, 1, s64, s32, s80, s32, s80, s64))
	longer.With(f16c).If(legal.Custom, legal.TypesAre(0, 1, s32, s16))
	longer.If(legal.Lower, legal.TypeIs(1, s16), legal.Not(legal.TypeIs(0, s32))).Else(legal.Libcall)
	shorter.Scalarize(0)
	shorter.With(in.sse2).LegalPairs(s32, s64, s32, s80, s64, s80)
	shorter.If(legal.Custom, legal.TypesAre(0, 1, s32, s64, s32, s80, s64, s80))
	shorter.With(f16c).If(legal.Custom, legal.TypesAre(0, 1, s16, s32))
	shorter.Else(legal.Libcall)
	// fp128 has functions for integers of 32 bits and more.
	quad := func(idx int) legal.Cond { return legal.TypeIs(idx, mir.Scalar(128)) }
	sitofp.Scalarize(0).If(legal.Unsupported, legal.IsVector(1)).MinScalar(0, s32).If(legal.Legal, in.sse2, legal.TypeIs(0, sse...), legal.TypeIs(1, ints...)).If(legal.Legal, legal.TypeIs(0, s80), legal.TypeIs(1, wide...))
	inMemory(sitofp, 1, 0)
	sitofp.MinScalar(1, s16).To(legal.WidenScalar, 1, legal.To(s32), legal.TypeIs(1, s16), legal.Not(legal.TypeIs(0, s80))).
		Pow2(1).If(legal.Libcall, quad(0)).If(legal.Libcall, legal.ScalarWider(1, 64))
	uitofp.Scalarize(0).If(legal.Unsupported, legal.IsVector(1)).MinScalar(0, s32).To(legal.WidenScalar, 1, legal.To(s32), quad(0), legal.ScalarNarrower(1, 32)).
		Pow2(1).If(legal.Libcall, quad(0)).If(legal.Libcall, legal.ScalarWider(1, 64)).Else(legal.Lower)
	fptosi.Scalarize(0).If(legal.Unsupported, legal.IsVector(1)).MinScalar(1, s32).If(legal.Legal, in.sse2, legal.TypeIs(0, ints...), legal.TypeIs(1, sse...)).If(legal.Legal, legal.TypeIs(1, s80), legal.TypeIs(0, wide...))
	inMemory(fptosi, 0, 1)
	fptosi.MinScalar(0, s16).To(legal.WidenScalar, 0, legal.To(s32), legal.TypeIs(0, s16), legal.Not(legal.TypeIs(1, s80))).
		Pow2(0).If(legal.Libcall, quad(1)).If(legal.Libcall, legal.ScalarWider(0, 64))
	fptoui.Scalarize(0).If(legal.Unsupported, legal.IsVector(1)).MinScalar(1, s32).To(legal.WidenScalar, 0, legal.To(s32), quad(1), legal.ScalarNarrower(0, 32)).
		Pow2(0).If(legal.Libcall, quad(1)).If(legal.Libcall, legal.ScalarWider(0, 64)).Else(legal.Lower)
	in.For(desc.G_FPTOSI_SAT, desc.G_FPTOUI_SAT).Scalarize(0).MinScalar(1, s32).Else(legal.Lower)
}
