package x86

import (
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// What is legal of vectors. A register holds 128 bits with SSE2, 256 bits of floats
// with AVX and of integers with AVX2. Elements are of 8, 16, 32 or 64 bits. Vectors
// that fill no register get elements that do not count, longer ones are split.
// Vectors of bits are there in no register: they are cut off masks, vectors as wide as
// what was compared whose elements are all ones or all zeros, and wait for the user
// that extends them again. What there is no instruction for, and what legalizer_shape.go
// does not make of others, is done element by element.

// vecTypes are vectors of 128, 256 and 512 bits with elements of n bits.
func vecTypes(bits ...int) (xmm, ymm, zmm []mir.LLT) {
	for _, n := range bits {
		xmm = append(xmm, mir.Vector(128/n, mir.Scalar(n)))
		ymm = append(ymm, mir.Vector(256/n, mir.Scalar(n)))
		zmm = append(zmm, mir.Vector(512/n, mir.Scalar(n)))
	}
	return xmm, ymm, zmm
}

// maskTypes are the vectors of bits that mask registers hold.
func maskTypes() (out []mir.LLT) {
	for n := 2; n <= 64; n *= 2 {
		out = append(out, mir.Vector(n, mir.Scalar(1)))
	}
	return out
}

// Features of subtargets, see hasFeature.
var (
	withMasks    = legal.Feature("masks")
	withoutMasks = legal.Not(withMasks)
	withZMM      = legal.Feature("zmm")
	// zmmInHalves: registers of 512 bits for intrinsics alone.
	zmmInHalves = legal.Feature("halves of zmm")
)

// vecRules writes rules of one set about vectors at one type index.
type vecRules struct {
	s   *legal.Set
	idx int
	ymm legal.Cond // what registers of 256 bits want
}

func vectors(s *legal.Set, idx int, ymm string) vecRules {
	return vecRules{s.With(legal.Feature("sse2")), idx, legal.Feature(ymm)}
}

// whole writes rules of act for whole registers of elements of so many bits, where the
// subtarget has features.
func (r vecRules) whole(act legal.Action, with []legal.Cond, bits ...int) vecRules {
	xmm, ymm, zmm := vecTypes(bits...)
	s := r.s.With(with...)
	s.If(act, legal.TypeIs(r.idx, xmm...))
	s.With(r.ymm).If(act, legal.TypeIs(r.idx, ymm...))
	s.With(withZMM).If(act, legal.TypeIs(r.idx, zmm...))
	return r
}

// legal makes whole registers of elements of so many bits legal.
func (r vecRules) legal(bits ...int) vecRules { return r.whole(legal.Legal, nil, bits...) }

// legalIf is legal where the subtarget has a feature.
func (r vecRules) legalIf(feature string, bits ...int) vecRules {
	return r.whole(legal.Legal, []legal.Cond{legal.Feature(feature)}, bits...)
}

// legalPop makes the counting of bits legal where there is an instruction for it.
func (r vecRules) legalPop() vecRules {
	r.whole(legal.Legal, []legal.Cond{withMasks, legal.Feature("avx512vpopcntdq"), legal.SameType(0, 1)}, 32, 64)
	return r.whole(legal.Legal, []legal.Cond{withMasks, legal.Feature("avx512bitalg"), legal.SameType(0, 1)}, 8, 16)
}

// shape splits and pads vectors of elements of so many bits to whole registers.
func (r vecRules) shape(bits ...int) vecRules {
	pad := func(s *legal.Set, e mir.LLT, n int) {
		s.To(legal.MoreElements, r.idx, legal.CountTo(n), legal.EltIs(r.idx, e), legal.MoreThan(r.idx, n/2), legal.FewerThan(r.idx, n))
	}
	for _, n := range bits {
		e := mir.Scalar(n)
		z, y := r.s.With(withZMM), r.s.With(r.ymm)
		z.MaxElems(r.idx, e, 512/n)
		pad(z, e, 512/n)
		y.With(legal.Not(withZMM)).MaxElems(r.idx, e, 256/n)
		pad(y, e, 256/n)
		r.s.With(legal.Not(r.ymm)).MaxElems(r.idx, e, 128/n)
		r.s.MinElems(r.idx, e, 128/n)
	}
	return r
}

// act does act to vectors of elements of so many bits.
func (r vecRules) act(act legal.Action, bits ...int) vecRules {
	for _, n := range bits {
		r.s.If(act, legal.EltIs(r.idx, mir.Scalar(n)))
	}
	return r
}

// evenElems widens elements whose width is no power of two, or less than 8.
func (r vecRules) evenElems() vecRules {
	r.s.To(legal.WidenScalar, r.idx, legal.BitsToPow2(8), legal.IsVector(r.idx), legal.ScalarOrEltNotPow2(r.idx), legal.Not(legal.ScalarOrEltWider(r.idx, 64)))
	r.s.To(legal.WidenScalar, r.idx, legal.EltTo(mir.Scalar(8)), legal.IsVector(r.idx), legal.ScalarOrEltNarrower(r.idx, 8), legal.Not(legal.ScalarOrEltNarrower(r.idx, 2)))
	return r
}

// bits does what is asked of vectors of bits in masks, of registers where there are some.
func (r vecRules) bits() vecRules {
	s1 := mir.Scalar(1)
	m := r.s.With(withMasks)
	m.MaxElems(r.idx, s1, 64)
	m.To(legal.MoreElements, r.idx, legal.ElemsToPow2(2), legal.EltIs(r.idx, s1), legal.ElemsNotPow2(r.idx))
	r.s.If(legal.Custom, legal.EltIs(r.idx, s1))
	return r
}

// bitsLegal is bits for what mask registers do.
func (r vecRules) bitsLegal() vecRules {
	r.s.With(withMasks).LegalAt(r.idx, maskTypes()...)
	return r.bits()
}

// vectorValues are the rules of values as such.
func vectorValues(s *legal.Set) {
	vectors(s, 0, "avx").legal(8, 16, 32, 64).bitsLegal().evenElems().shape(8, 16, 32, 64)
}

// vectorInts: operations whose type index 0 is that of all, with AVX2 for 256 bits.
func vectorInts(s *legal.Set, bits ...int) vecRules {
	return vectors(s, 0, "avx2").legal(bits...).bits().evenElems()
}

// vectorSelect: by one condition, or by a mask: of the size of the values, or in a
// mask register.
func vectorSelect(s *legal.Set) {
	s1 := mir.Scalar(1)
	// Whoever selects by bits wants a mask as wide as the values.
	s.With(withMasks).If(legal.Legal, legal.TypeIs(0, maskTypes()...), legal.Not(legal.IsVector(1)))
	vectors(s, 0, "avx").bits()
	ints := []legal.Cond{legal.IsVector(1), legal.Not(legal.SameSize(0, 1))}
	for _, n := range [...]int{8, 16, 32, 64} {
		s.With(withoutMasks).If(legal.Custom, append(ints, legal.EltIs(0, mir.Scalar(n)))...)
		// Of masks that are values, not of bits.
		s.With(withMasks).If(legal.Custom, legal.IsVector(1), legal.Not(legal.EltIs(1, s1)), legal.EltIs(0, mir.Scalar(n)))
	}
	xmm, wide, zmm := vecTypes(8, 16, 32, 64)
	_, floats, _ := vecTypes(32, 64)
	_, narrow, _ := vecTypes(8, 16)
	s.Legal(xmm...)
	s.With(legal.Feature("avx")).Legal(floats...)
	s.With(legal.Feature("avx2")).Legal(narrow...)
	s.With(withMasks).Legal(wide...)
	s.With(withZMM).Legal(zmm...)
	vectors(s, 0, "avx2").evenElems().shape(8, 16)
	vectors(s, 0, "avx").shape(32, 64)
}

// vectorCompare: the result is a mask of the size of the operands, or in a mask register.
func vectorCompare(s *legal.Set, ymm string, bits ...int) {
	r := vectors(s, 1, ymm)
	r.bits().evenElems()
	for _, n := range bits {
		e := mir.Scalar(n)
		s.With(withoutMasks).To(legal.WidenScalar, 0, legal.EltSizeOf(1), legal.EltIs(1, e), legal.ScalarOrEltNarrower(0, n))
	}
	r.legal(bits...).shape(bits...)
}

// vectorMem: whole registers; others in parts that are registers or words.
func vectorMem(s *legal.Set) {
	xmm, ymm, zmm := vecTypes(8, 16, 32, 64)
	s.If(legal.Legal, legal.TypeIs(0, xmm...), legal.MemWhole())
	s.With(legal.Feature("avx")).If(legal.Legal, legal.TypeIs(0, ymm...), legal.MemWhole())
	s.With(withZMM).If(legal.Legal, legal.TypeIs(0, zmm...), legal.MemWhole())
	s.With(withMasks).If(legal.Legal, legal.TypeIs(0, maskTypes()[2:]...), legal.MemWhole())
	s.With(withMasks).If(legal.Custom, legal.EltIs(0, mir.Scalar(1)), legal.MemWhole(), legal.Not(legal.MemOrderAtLeast(1)))
	for _, n := range [...]int{8, 16, 32, 64} {
		s.If(legal.Custom, legal.EltIs(0, mir.Scalar(n)), legal.MemWhole(), legal.Not(legal.MemOrderAtLeast(1)))
	}
}

// vectorReductions are folded by halves.
func vectorReductions(in *legal.Builder) {
	ints := in.For(desc.G_VECREDUCE_ADD, desc.G_VECREDUCE_MUL, desc.G_VECREDUCE_AND, desc.G_VECREDUCE_OR, desc.G_VECREDUCE_XOR,
		desc.G_VECREDUCE_SMAX, desc.G_VECREDUCE_SMIN, desc.G_VECREDUCE_UMAX, desc.G_VECREDUCE_UMIN)
	vectors(ints, 1, "avx2").act(legal.Custom, 1, 8, 16, 32, 64)
	ints.Else(legal.FewerElements)
	floats := in.For(desc.G_VECREDUCE_FMAX, desc.G_VECREDUCE_FMIN)
	vectors(floats, 1, "avx").act(legal.Custom, 32, 64)
	floats.Else(legal.FewerElements)
	sums := in.For(desc.G_VECREDUCE_SEQ_FADD, desc.G_VECREDUCE_SEQ_FMUL)
	vectors(sums, 2, "avx").act(legal.Custom, 32, 64)
	sums.Else(legal.FewerElements)
}

// vectorParts are the rules of what takes vectors apart and puts them together.
func vectorParts(in *legal.Builder, unmerge *legal.Set) {
	xmm, ymm, zmm := vecTypes(8, 16, 32, 64)
	var halves, wide, quarters, masks []mir.LLT
	for k := range xmm {
		halves = append(halves, ymm[k], xmm[k])
		wide = append(wide, zmm[k], ymm[k])
		quarters = append(quarters, zmm[k], xmm[k])
	}
	for n := 8; n <= 32; n *= 2 {
		masks = append(masks, mir.Vector(2*n, mir.Scalar(1)), mir.Vector(n, mir.Scalar(1)))
	}
	s1 := mir.Scalar(1)
	avx := legal.Feature("avx")
	build := in.For(desc.G_BUILD_VECTOR)
	build.Legal(xmm...)
	build.With(avx).Legal(ymm...)
	build.With(withZMM).Legal(zmm...)
	build.With(zmmInHalves).If(legal.Custom, legal.TypeIs(0, zmm...))
	build.With(withMasks).If(legal.Custom, legal.TypeIs(0, maskTypes()...))
	build.Else(legal.Unsupported) // waits for its user to take it apart
	concat := in.For(desc.G_CONCAT_VECTORS)
	concat.With(avx).LegalPairs(halves...)
	concat.With(withZMM).LegalPairs(wide...)
	concat.With(withZMM).LegalPairs(quarters...)
	concat.With(zmmInHalves).LegalPairs(wide...)
	concat.With(zmmInHalves).If(legal.Custom, legal.TypesAre(0, 1, quarters...))
	concat.With(withMasks).If(legal.Custom, legal.EltIs(0, s1), legal.Not(legal.TypesAre(0, 1, masks...)))
	for _, n := range [...]int{8, 16, 32, 64} {
		concat.If(legal.Custom, legal.EltIs(0, mir.Scalar(n)), legal.FewerThan(1, 128/n))
	}
	concat.With(withMasks).LegalPairs(masks...)
	concat.If(legal.Custom, legal.EltIs(0, s1))
	extract := in.For(desc.G_EXTRACT_VECTOR_ELT)
	extract.If(legal.Legal, legal.TypeIs(1, xmm...), legal.ConstIndex())
	extract.With(avx).If(legal.Legal, legal.TypeIs(1, ymm...), legal.ConstIndex())
	extract.With(withZMM).If(legal.Legal, legal.TypeIs(1, zmm...), legal.ConstIndex())
	vectors(extract, 1, "avx").bits()
	extract.Scalarize(1)
	insert := in.For(desc.G_INSERT_VECTOR_ELT)
	vectors(insert, 0, "avx").bits()
	insert.Scalarize(0)
	shuffle := in.For(desc.G_SHUFFLE_VECTOR)
	same := legal.SameType(0, 1)
	shuffle.If(legal.Legal, legal.TypeIs(0, xmm...), same)
	shuffle.With(avx).If(legal.Legal, legal.TypeIs(0, ymm...), same)
	shuffle.With(withZMM).If(legal.Legal, legal.TypeIs(0, zmm...), same)
	shuffle.If(legal.Custom, legal.EltIs(0, s1))
	shuffle.Else(legal.FewerElements)
	in.For(desc.G_EXTRACT_SUBVECTOR, desc.G_INSERT_SUBVECTOR).With(withMasks).If(legal.Legal, legal.EltIs(0, s1))

	unmerge.If(legal.Custom, legal.TypeIs(1, xmm...))
	unmerge.With(avx).If(legal.Legal, legal.TypesAre(1, 0, halves...))
	unmerge.With(avx).If(legal.Custom, legal.TypeIs(1, ymm...))
	unmerge.With(withZMM).If(legal.Legal, legal.TypesAre(1, 0, wide...))
	unmerge.With(zmmInHalves).If(legal.Legal, legal.TypesAre(1, 0, wide...))
	unmerge.With(zmmInHalves).If(legal.Custom, legal.TypeIs(1, zmm...))
	unmerge.With(withZMM).If(legal.Legal, legal.TypesAre(1, 0, quarters...))
	unmerge.With(withZMM).If(legal.Custom, legal.TypeIs(1, zmm...))
	unmerge.With(withMasks).If(legal.Custom, legal.TypeIs(1, maskTypes()...))
	unmerge.If(legal.Custom, legal.IsVector(0), legal.IsVector(1))
}

// vectorExtend: register by register, vectors of bits with their users; elements of other
// widths one by one.
func vectorExtend(s *legal.Set, signed bool) {
	s1 := mir.Scalar(1)
	xmm, ymm, zmm := vecTypes(8, 16, 32, 64)
	for _, idx := range [...]int{0, 1} {
		s.With(withoutMasks).If(legal.Unsupported, legal.EltIs(idx, s1))
		bits := s.With(withMasks, legal.EltIs(idx, s1))
		bits.MaxElems(idx, s1, 64)
		bits.To(legal.MoreElements, idx, legal.ElemsToPow2(2), legal.EltIs(idx, s1), legal.ElemsNotPow2(idx))
		for _, odd := range [...]legal.Cond{legal.ScalarOrEltNarrower(idx, 8), legal.ScalarOrEltNotPow2(idx), legal.ScalarOrEltWider(idx, 64)} {
			s.To(legal.FewerElements, 0, legal.ToElement(), legal.IsVector(0), legal.Not(legal.EltIs(idx, s1)), odd)
		}
	}
	if signed {
		bits := s.With(withMasks, legal.EltIs(1, s1))
		bits.Legal(xmm...)
		bits.Legal(ymm...)
		bits.With(withZMM).Legal(zmm...)
	}
	s.If(legal.Custom, legal.IsVector(0))
}

// vectorShifts: by one amount for all elements, or by an amount for each.
func vectorShifts(s *legal.Set) {
	vectors(s, 0, "avx2").bits().evenElems().shape(8, 16, 32, 64).act(legal.Custom, 8, 16, 32, 64)
}

// vectorRotations: of odd widths they are no rotations of wider elements. The amount
// is a vector, too; by one number elements are rotated one by one. Elements of so many
// bits have an instruction with masks and more features.
func vectorRotations(s *legal.Set, with []legal.Cond, bits ...int) {
	for _, idx := range [...]int{0, 1} {
		s.To(legal.FewerElements, idx, legal.ToElement(), legal.IsVector(idx), legal.Not(legal.IsVector(1-idx)))
	}
	r := vectors(s, 0, "avx2")
	r.whole(legal.Legal, append([]legal.Cond{withMasks, legal.SameType(0, 1)}, with...), bits...)
	r.bits().shape(8, 16, 32, 64).act(legal.Custom, 8, 16, 32, 64)
}

// vectorFloats are operations of floats in whole registers.
func vectorFloats(s *legal.Set) { vectors(s, 0, "avx").legal(32, 64).shape(32, 64) }

// vectorFloatsWith is vectorFloats for subtargets with a feature.
func vectorFloatsWith(s *legal.Set, feature string) {
	f := s.With(legal.Feature(feature))
	vectors(f, 0, "avx").legal(32, 64).shape(32, 64)
}

// vectorConversions are those between integers and floats, and between floats, of 32
// and 64 bits. Narrower integers are widened; what an instruction takes from the low
// half of a register, or leaves there, is custom.
func vectorConversions(longer, shorter, sitofp, uitofp, fptosi, fptoui *legal.Set) {
	s1, s8, s16, s32, s64 := mir.Scalar(1), mir.Scalar(8), mir.Scalar(16), mir.Scalar(32), mir.Scalar(64)
	v4s32, v8s32, v4s64 := mir.Vector(4, s32), mir.Vector(8, s32), mir.Vector(4, s64)
	avx := legal.Feature("avx")
	evexConversions(longer, shorter, [2]*legal.Set{sitofp, uitofp}, [2]*legal.Set{fptosi, fptoui})
	both := func(s *legal.Set, a, b mir.LLT) { s.If(legal.Custom, legal.EltIs(0, a), legal.EltIs(1, b)) }
	longer.With(avx).LegalPairs(v4s64, v4s32)
	both(longer, s64, s32)
	shorter.With(avx).LegalPairs(v4s32, v4s64)
	both(shorter, s32, s64)

	for _, e := range [...]mir.LLT{s1, s8, s16} {
		sitofp.To(legal.WidenScalar, 1, legal.EltTo(s32), legal.EltIs(1, e))
		both(uitofp, s32, e)
		both(uitofp, s64, e)
		fptosi.To(legal.WidenScalar, 0, legal.EltTo(s32), legal.EltIs(0, e))
		both(fptoui, e, s32)
		both(fptoui, e, s64)
	}
	for _, s := range [...]*legal.Set{sitofp, fptosi} {
		s.LegalPairs(v4s32, v4s32)
		s.With(avx).LegalPairs(v8s32, v8s32)
	}
	sitofp.With(avx).LegalPairs(v4s64, v4s32)
	fptosi.With(avx).LegalPairs(v4s32, v4s64)
	for _, s := range [...]*legal.Set{sitofp, fptosi, uitofp, fptoui} {
		same := s.With(legal.EltIs(0, s32), legal.EltIs(1, s32))
		vectors(same, 0, "avx").shape(32)
	}
	both(sitofp, s64, s32)
	both(fptosi, s32, s64)
	both(uitofp, s32, s32)
	both(uitofp, s64, s32)
	both(uitofp, s64, s64)
	both(fptoui, s32, s32)
	both(fptoui, s32, s64)
}

// evexConversions are what AVX-512 has beyond AVX: unsigned numbers, those of 64 bits,
// and registers of 512 bits.
func evexConversions(longer, shorter *legal.Set, toFloat, toInt [2]*legal.Set) {
	s32, s64 := mir.Scalar(32), mir.Scalar(64)
	of := func(n int, e mir.LLT) mir.LLT { return mir.Vector(n, e) }
	longer.With(withZMM).LegalPairs(of(8, s64), of(8, s32))
	shorter.With(withZMM).LegalPairs(of(8, s32), of(8, s64))
	for _, sets := range [...][2]*legal.Set{toFloat, toInt} {
		for _, s := range sets {
			for _, x := range [...]struct {
				with legal.Cond
				n    int // elements of 64 bits
			}{{withMasks, 2}, {withMasks, 4}, {withZMM, 8}} {
				m := s.With(x.with)
				m.LegalPairs(of(2*x.n, s32), of(2*x.n, s32), of(x.n, s64), of(x.n, s64))
				if x.n > 2 {
					m.LegalPairs(of(x.n, s64), of(x.n, s32), of(x.n, s32), of(x.n, s64))
				}
			}
			// What has 64 bits on either side is cut and filled up by these.
			for _, idx := range [...]int{0, 1} {
				other := s.With(withMasks, legal.EltIs(1-idx, s64))
				vectors(other, idx, "avx").shape(64)
				wide := s.With(withMasks, legal.EltIs(1-idx, s32))
				wide.With(withZMM).MaxElems(idx, s64, 8)
				wide.With(legal.Not(withZMM)).MaxElems(idx, s64, 4)
				wide.With(withZMM).To(legal.MoreElements, idx, legal.CountTo(8), legal.EltIs(idx, s64), legal.MoreThan(idx, 4), legal.FewerThan(idx, 8))
				wide.To(legal.MoreElements, idx, legal.CountTo(4), legal.EltIs(idx, s64), legal.MoreThan(idx, 2), legal.FewerThan(idx, 4))
				wide.If(legal.Custom, legal.EltIs(idx, s64))
			}
		}
	}
}
