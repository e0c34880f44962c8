package x86

import (
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/objabi"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/elfabi"
	"github.com/mirin-go/mirin/target/x86/mctargetdesc"
	"github.com/mirin-go/mirin/target/x86/tab"
	"github.com/mirin-go/mirin/triple"
)

// mcHooks make x86's parts of the machine code layer.
var mcHooks = target.MCHooks{
	AsmPrinter: asmPrinter,
	AsmInfo:    func(*target.Machine) *mc.AsmInfo { return mctargetdesc.AsmInfo() },
	Encoder:    func(m *target.Machine) mc.Encoder { return mctargetdesc.NewEncoder(m.Facts) },
	Backend: func(m *target.Machine) mc.AsmBackend {
		if m.Triple.Arch != triple.X86_64 {
			return mctargetdesc.NewBackend32(m.Facts)
		}
		return mctargetdesc.NewBackend(m.Facts)
	},
	Printer: func(m *target.Machine, variant int) mc.InstPrinter {
		return mctargetdesc.NewPrinter(m.Facts, variant, m.Triple.String())
	},
	Parser: func(m *target.Machine) mc.TargetAsmParser { return mctargetdesc.NewAsmParser(m.Facts) },
	ABIs:   []*objabi.ABI{&elfabi.ABI},

	LargeSections: true,
	Syntax: &target.AsmSyntax{Flag: "x86-asm-syntax", Help: "Choose style of code to emit from X86 backend",
		Names: []string{mctargetdesc.ATT: "att", mctargetdesc.Intel: "intel"}},
}

// asmPrinter makes the hooks of codegen/asmprinter.
func asmPrinter(m *target.Machine) *target.AsmPrinterHooks {
	enc := mctargetdesc.NewEncoder(m.Facts)
	printer := func(variant int) func() *mctargetdesc.Printer {
		return sync.OnceValue(func() *mctargetdesc.Printer { return mctargetdesc.NewPrinter(m.Facts, variant, m.Triple.String()) })
	}
	bits := 64
	if m.Triple.Arch != triple.X86_64 {
		bits = 32
	}
	printers := [...]func() *mctargetdesc.Printer{printer(mctargetdesc.ATT), printer(mctargetdesc.Intel)}
	return &target.AsmPrinterHooks{
		DTPOff:   mctargetdesc.ModDTPOFF,
		Modifier: modifier,
		Call:     map[bool]desc.Opcode{true: tab.CALL64pcrel32, false: tab.CALLpcrel32}[bits == 64],
		Nops:     appendNops,
		Expand:   expandTLS,
		SledJump: []byte{0xeb, 9}, SledRoom: 9,
		Hardened: hardened,
		Property: gnuProperty,
		Rewrite: func(_ *target.Subtarget, f *mir.Function, i mir.InstrID, in *mc.Inst) {
			if isCountOfZeros(f, i) {
				in.Flags |= mctargetdesc.FlagRep
			}
			enc.Optimize(in, bits)
		},
		AsmOperand: func(b []byte, ctx *mc.Context, ops []mc.Operand, modifier byte, variant int) ([]byte, bool) {
			return printers[variant]().AppendAsmOperand(b, ctx, ops, modifier)
		},
		SwitchSyntax: mctargetdesc.SyntaxDirective,
	}
}

// isCountOfZeros reports a BSF that may as well be TZCNT, which differs for 0 and
// in the flags alone: with a REP prefix processors that have TZCNT run that, which
// is faster and does not wait for the destination; others ignore the prefix.
func isCountOfZeros(f *mir.Function, i mir.InstrID) bool {
	switch f.Instr(i).Opcode {
	case tab.BSF16rr, tab.BSF16rm, tab.BSF32rr, tab.BSF32rm, tab.BSF64rr, tab.BSF64rm:
		return flagsDead(f, i) && f.Op(i, 1).IsReg() && f.Op(i, 1).IsUndef() && !optSize(f)
	}
	return false
}

// Operand target flags, with LLVM's numbers (the facts hold their names).
const (
	moGOTPCREL        = 5
	moGOTPCRELNoRelax = 6
	moPLT             = 7
	moTLSGD           = 8
	moTLSLD           = 9
	moGOTTPOFF        = 11
	moTLSLDM          = 10
	moTPOFF           = 13
	moDTPOFF          = 14
)

// modifier translates target flags to symbol modifiers.
func modifier(flags uint16) (mc.Modifier, error) {
	switch flags {
	case 0:
		return mc.ModNone, nil
	case moGOTPCREL:
		return mctargetdesc.ModGOTPCREL, nil
	case moGOTPCRELNoRelax:
		return mctargetdesc.ModGOTPCRELNoRelax, nil
	case moPLT:
		return mctargetdesc.ModPLT, nil
	case moTLSGD:
		return mctargetdesc.ModTLSGD, nil
	case flagGOT:
		return mctargetdesc.ModGOT, nil
	case flagGOTOFF:
		return mctargetdesc.ModGOTOFF, nil
	case moTLSLDM:
		return mctargetdesc.ModTLSLDM, nil
	case flagINDNTPOFF:
		return mctargetdesc.ModINDNTPOFF, nil
	case flagNTPOFF:
		return mctargetdesc.ModNTPOFF, nil
	case flagGOTNTPOFF:
		return mctargetdesc.ModGOTNTPOFF, nil
	case moTLSLD:
		return mctargetdesc.ModTLSLD, nil
	case moGOTTPOFF:
		return mctargetdesc.ModGOTTPOFF, nil
	case moTPOFF:
		return mctargetdesc.ModTPOFF, nil
	case moDTPOFF:
		return mctargetdesc.ModDTPOFF, nil
	}
	return 0, &target.Unsupported{Target: "x86-64", What: "operand target flag " + string(rune('0'+flags/10)) + string(rune('0'+flags%10))}
}
