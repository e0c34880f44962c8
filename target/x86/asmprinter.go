package x86

import (
	"sync"

	"github.com/mirin-go/mirin/codegen/asmprinter"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/mctargetdesc"
)

// mcHooks make x86's parts of the machine code layer.
var mcHooks = target.MCHooks{
	AsmPrinter: asmPrinter,
	Encoder:    func(m *target.Machine) any { return mctargetdesc.NewEncoder(m.Facts) },
	Backend:    func(m *target.Machine) any { return mctargetdesc.NewBackend(m.Facts) },
	Printer:    func(m *target.Machine, intel bool) any { return mctargetdesc.NewPrinter(m.Facts, intel, m.Triple.Text) },
}

// asmPrinter makes the hooks of codegen/asmprinter.
func asmPrinter(m *target.Machine) any {
	enc := mctargetdesc.NewEncoder(m.Facts)
	printer := func(intel bool) func() *mctargetdesc.Printer {
		return sync.OnceValue(func() *mctargetdesc.Printer { return mctargetdesc.NewPrinter(m.Facts, intel, m.Triple.Text) })
	}
	att, intelSyntax := printer(false), printer(true)
	return &asmprinter.Hooks{
		Modifier:  modifier,
		Rewrite:   func(_ *target.Subtarget, in *mc.Inst) { enc.Optimize(in, 64) },
		FuncAlign: 4,
		AsmOperand: func(b []byte, ctx *mc.Context, ops []mc.Operand, modifier byte, intel bool) ([]byte, bool) {
			p := att
			if intel {
				p = intelSyntax
			}
			return p().AppendAsmOperand(b, ctx, ops, modifier)
		},
		Dialect: func(intel bool) string {
			if intel {
				return "\t.intel_syntax noprefix"
			}
			return "\t.att_syntax prefix"
		},
		PlainAsm: func(m *target.Machine, line string) (desc.Opcode, bool) { return mctargetdesc.PlainInst(m.Facts, line) },
	}
}

// Operand target flags, with LLVM's numbers (the facts hold their names).
const (
	moGOTPCREL        = 5
	moGOTPCRELNoRelax = 6
	moPLT             = 7
	moTLSGD           = 8
	moTLSLD           = 9
	moGOTTPOFF        = 11
	moTPOFF           = 13
	moDTPOFF          = 14
)

// modifier translates target flags to symbol modifiers.
func modifier(flags uint16) (mc.Modifier, error) {
	switch flags {
	case 0:
		return mc.ModNone, nil
	case moGOTPCREL:
		return mc.ModGOTPCREL, nil
	case moGOTPCRELNoRelax:
		return mc.ModGOTPCRELNoRelax, nil
	case moPLT:
		return mc.ModPLT, nil
	case moTLSGD:
		return mc.ModTLSGD, nil
	case moTLSLD:
		return mc.ModTLSLD, nil
	case moGOTTPOFF:
		return mc.ModGOTTPOFF, nil
	case moTPOFF:
		return mc.ModTPOFF, nil
	case moDTPOFF:
		return mc.ModDTPOFF, nil
	}
	return 0, &target.Unsupported{Target: "x86-64", What: "operand target flag " + string(rune('0'+flags/10)) + string(rune('0'+flags%10))}
}
