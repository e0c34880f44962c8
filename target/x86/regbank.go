package x86

import (
	"strings"
	"sync"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// The register banks, the facts' numbers.
const (
	bankGPR  = tab.GPRRegBankID
	bankVECR = tab.VECRRegBankID
)

// Short names for the table below.
const (
	bn = globalisel.BankNeutral
	bi = globalisel.BankInt
	bf = globalisel.BankFP
	bs = globalisel.BankSame
)

func bankRow(rest globalisel.BankUse, ops ...globalisel.BankUse) globalisel.BankMap {
	return globalisel.BankMap{Ops: ops, Rest: rest}
}

// regBanks maps generic opcodes to banks; opcodes that are not listed are integer throughout.
var regBanks = sync.OnceValue(func() *globalisel.RegBanks {
	fpBanks := bankRow(bf) // of opcodes whose values are all floating point
	return &globalisel.RegBanks{
		Int: bankGPR, FP: bankVECR,
		Maps: map[desc.Opcode]globalisel.BankMap{
			desc.G_FADD: fpBanks, desc.G_FSUB: fpBanks, desc.G_FMUL: fpBanks, desc.G_FDIV: fpBanks,
			desc.G_STRICT_FADD: fpBanks, desc.G_STRICT_FSUB: fpBanks, desc.G_STRICT_FMUL: fpBanks, desc.G_STRICT_FDIV: fpBanks,
			desc.G_FMA: fpBanks, desc.G_FNEG: fpBanks, desc.G_FABS: fpBanks, desc.G_FSQRT: fpBanks, desc.G_STRICT_FSQRT: fpBanks,
			desc.G_FMINNUM: fpBanks, desc.G_FMAXNUM: fpBanks, desc.G_FCOPYSIGN: fpBanks,
			desc.G_FFLOOR: fpBanks, desc.G_FCEIL: fpBanks, desc.G_INTRINSIC_TRUNC: fpBanks, desc.G_FRINT: fpBanks,
			desc.G_FNEARBYINT: fpBanks, desc.G_INTRINSIC_ROUNDEVEN: fpBanks,
			desc.G_FPEXT: fpBanks, desc.G_FPTRUNC: fpBanks, desc.G_FCONSTANT: fpBanks,

			desc.G_FPTOSI: bankRow(bf, bi), desc.G_FPTOUI: bankRow(bf, bi),
			desc.G_INTRINSIC_LRINT: bankRow(bf, bi), desc.G_INTRINSIC_LLRINT: bankRow(bf, bi),
			desc.G_SITOFP: bankRow(bi, bf), desc.G_UITOFP: bankRow(bi, bf),
			desc.G_FCMP: bankRow(bf, bi),

			desc.G_LOAD: bankRow(bi, bn), desc.G_STORE: bankRow(bi, bn),
			desc.G_IMPLICIT_DEF: bankRow(bn), desc.G_BITCAST: bankRow(bn),
			desc.G_SELECT: bankRow(bs, bs, bi), desc.G_PHI: bankRow(bs), desc.G_FREEZE: bankRow(bs),
		},
		IntrinsicFP: func(name string) bool {
			return strings.HasPrefix(name, "llvm.x86.sse") || strings.HasPrefix(name, "llvm.x86.avx")
		},
		NeedsFP: func(t mir.LLT) bool { return t.IsVector() || t.ScalarBits() == 128 && t.IsScalar() },
		OfClass: func(c desc.ClassID) desc.BankID {
			switch c {
			case tab.FR32RegClassID, tab.FR64RegClassID, tab.VR128RegClassID, tab.FR32XRegClassID, tab.FR64XRegClassID,
				tab.VR128XRegClassID, tab.VR256RegClassID, tab.VR256XRegClassID, tab.VR512RegClassID, tab.FR16RegClassID, tab.FR16XRegClassID:
				return bankVECR
			}
			return bankGPR
		},
		OfPhys: func(facts *desc.Info, r desc.PhysReg) desc.BankID {
			switch {
			case facts.ClassContains(tab.VR512RegClassID, r), facts.ClassContains(tab.VR256XRegClassID, r), facts.ClassContains(tab.VR128XRegClassID, r):
				return bankVECR
			}
			return bankGPR
		},
	}
})

// regBankInfo is ISelHooks.RegBanks.
func regBankInfo(*target.Subtarget) any { return regBanks() }
