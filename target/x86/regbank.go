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

// bankTable maps generic opcodes to banks; opcodes that are not listed are integer throughout.
var bankTable = sync.OnceValue(func() *regbank.Table {
	const g, v, x = bankGPR, bankVECR, bankPSR
	b := regbank.New(g, []regbank.Bank{bankGPR: {Scalar: 64, Pointer: 64}, bankPSR: {Scalar: 80, Least: 80}, bankVECR: {Scalar: 128, Not: 80, Pointer: 64, Vector: 512}}...)
	// What leaves a register of the x87 goes through memory.
	b.Copy(g, bankPSR, regbank.Impossible)
	b.Copy(bankPSR, g, regbank.Impossible)
	b.Copy(v, bankPSR, regbank.Impossible)
	b.Copy(bankPSR, v, regbank.Impossible)

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
	b.Map([]desc.Opcode{desc.G_SHUFFLE_VECTOR, desc.G_CONCAT_VECTORS}, regbank.In(v))

	// Intrinsics have vectors in their bank, scalars in general registers, but for these.
	b.Intrinsics("x86.avx512.vfmadd.f", b.Class(fp))
	constrainedBanks(b)
	return b.Table()
})

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
func registerBanks(*target.Subtarget) *regbank.Table { return bankTable() }
