package x86

import (
	"sync"

	"github.com/mirin-go/mirin/codegen/regbank"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// The register banks, the facts' numbers: general registers, the stack of the
// x87, vector registers, which hold scalar floating point too.
const (
	bankGPR  = tab.GPRRegBankID
	bankPSR  = tab.PSRRegBankID
	bankVECR = tab.VECRRegBankID
)

// bankTable maps generic opcodes to banks; opcodes that are not listed are integer
// throughout. bankTableX87 is that of processors without SSE2, where float and double
// are integers but in the x87's own format.
var (
	bankTable64  = sync.OnceValue(func() *regbank.Table { return bankTable(64, true) })
	bankTable32  = sync.OnceValue(func() *regbank.Table { return bankTable(32, true) })
	bankTableX87 = sync.OnceValue(func() *regbank.Table { return bankTable(32, false) })
)

func bankTable(word int, sse2 bool) *regbank.Table {
	const g, x = bankGPR, bankPSR
	v := desc.BankID(bankVECR)
	if !sse2 {
		v = g
	}
	b := regbank.New(g, []regbank.Bank{bankGPR: {Scalar: word, Pointer: word}, bankPSR: {Scalar: 80, Least: 80}, bankVECR: {Scalar: 128, Not: 80, Pointer: word, Vector: 512}}...)
	// What leaves a register of the x87 goes through memory.
	b.Copy(g, bankPSR, regbank.Impossible)
	b.Copy(bankPSR, g, regbank.Impossible)
	b.Copy(bankVECR, bankPSR, regbank.Impossible)
	b.Copy(bankPSR, bankVECR, regbank.Impossible)

	fp, fpX87 := regbank.In(v), regbank.In(x) // all values are floating point
	b.Map([]desc.Opcode{desc.G_FADD, desc.G_FSUB, desc.G_FMUL, desc.G_FDIV, desc.G_STRICT_FADD, desc.G_STRICT_FSUB, desc.G_STRICT_FMUL,
		desc.G_STRICT_FDIV, desc.G_FMA, desc.G_FNEG, desc.G_FABS, desc.G_FSQRT, desc.G_STRICT_FSQRT, desc.G_FMINNUM, desc.G_FMAXNUM,
		desc.G_FCOPYSIGN, desc.G_FFLOOR, desc.G_FCEIL, desc.G_INTRINSIC_TRUNC, desc.G_FRINT, desc.G_FNEARBYINT,
		desc.G_INTRINSIC_ROUNDEVEN, desc.G_FCONSTANT}, fp, fpX87)
	b.Map([]desc.Opcode{desc.G_FPEXT}, fp, regbank.In(x, v))
	b.Map([]desc.Opcode{desc.G_FPTRUNC}, fp, regbank.In(v, x))
	b.Map([]desc.Opcode{desc.G_FPTOSI, desc.G_FPTOUI, desc.G_INTRINSIC_LRINT, desc.G_INTRINSIC_LLRINT, desc.G_FCMP}, regbank.In(g, v), regbank.In(g, x))
	b.Map([]desc.Opcode{desc.G_SITOFP, desc.G_UITOFP}, regbank.In(v, g), regbank.In(x, g))

	// What is as good in one bank as in the other.
	b.Map([]desc.Opcode{desc.G_LOAD, desc.G_STORE}, regbank.In(g, g), regbank.In(v, g), regbank.In(x, g))
	b.Map([]desc.Opcode{desc.G_IMPLICIT_DEF, desc.G_PHI, desc.PHI, desc.G_FREEZE}, regbank.In(g), regbank.In(v), regbank.In(x))
	b.Map([]desc.Opcode{desc.G_BITCAST}, regbank.In(g, g), regbank.In(v, v), regbank.In(g, v), regbank.In(v, g))
	b.Map([]desc.Opcode{desc.G_SELECT}, regbank.In(g, g, g), regbank.In(v, g, v), regbank.In(x, g, x))

	// Vectors have one bank; these have elements too.
	b.Map([]desc.Opcode{desc.G_EXTRACT_VECTOR_ELT}, regbank.In(g, v, g), regbank.In(v, v, g))
	b.Map([]desc.Opcode{desc.G_INSERT_VECTOR_ELT}, regbank.In(v, v, g, g), regbank.In(v, v, v, g))
	b.Map([]desc.Opcode{desc.G_BUILD_VECTOR}, regbank.In(v, g), regbank.In(v, v))
	if word == 32 && sse2 {
		// Doubles are in vector registers alone.
		b.Map([]desc.Opcode{desc.G_MERGE_VALUES}, regbank.In(v, g))
		b.Map([]desc.Opcode{desc.G_UNMERGE_VALUES}, regbank.In(g, g, v))
	}
	b.Map([]desc.Opcode{desc.G_SHUFFLE_VECTOR, desc.G_CONCAT_VECTORS}, regbank.In(v))

	// Intrinsics have vectors in their bank, scalars in general registers, but for these.
	b.Intrinsics("x86.avx512.vfmadd.f", b.Class(fp))
	constrainedBanks(b)
	return b.Table()
}

// constrainedBanks are those of constrained floating point: as of plain opcodes, with the
// intrinsic in between.
func constrainedBanks(b *regbank.Builder) {
	const g, v, x = bankGPR, bankVECR, bankPSR
	b.Intrinsic(b.Class(regbank.In(v), regbank.In(x)),
		ir.IntrExperimentalConstrainedFadd, ir.IntrExperimentalConstrainedFsub, ir.IntrExperimentalConstrainedFmul, ir.IntrExperimentalConstrainedFdiv,
		ir.IntrExperimentalConstrainedFma, ir.IntrExperimentalConstrainedSqrt, ir.IntrExperimentalConstrainedFloor, ir.IntrExperimentalConstrainedCeil,
		ir.IntrExperimentalConstrainedTrunc, ir.IntrExperimentalConstrainedRint, ir.IntrExperimentalConstrainedNearbyint, ir.IntrExperimentalConstrainedRoundeven)
	b.Intrinsic(b.Class(regbank.In(v), regbank.In(x, x, v)), ir.IntrExperimentalConstrainedFpext)
	b.Intrinsic(b.Class(regbank.In(v), regbank.In(v, v, x)), ir.IntrExperimentalConstrainedFptrunc)
	b.Intrinsic(b.Class(regbank.In(g, g, v), regbank.In(g, g, x)), ir.IntrExperimentalConstrainedFptosi, ir.IntrExperimentalConstrainedFptoui,
		ir.IntrExperimentalConstrainedLrint, ir.IntrExperimentalConstrainedLlrint, ir.IntrExperimentalConstrainedFcmp)
	b.Intrinsic(b.Class(regbank.In(v, v, g), regbank.In(x, x, g)), ir.IntrExperimentalConstrainedSitofp, ir.IntrExperimentalConstrainedUitofp)
}

// registerBanks is ISelHooks.Banks.
func registerBanks(st *target.Subtarget) *regbank.Table {
	switch {
	case modeOf(st).is64():
		return bankTable64()
	case !st.HasFeature("sse2"):
		return bankTableX87()
	}
	return bankTable32()
}
