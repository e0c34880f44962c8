package mctargetdesc

import (
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/triple"
)

// relaxFlag is the flag about relocations of instructions that linkers may rewrite.
const relaxFlag = "x86-relax-relocations"

// Hooks are x86's parts for whoever reads, writes or prints machine code.
var Hooks = mctarget.Hooks{
	Flags: append([]mctarget.Flag{{Name: relaxFlag, Bool: true, Default: "true",
		Help: "Emit GOTPCRELX/REX_GOTPCRELX/CODE_4_GOTPCRELX instead of GOTPCREL on x86-64 ELF"}}, paddingFlags...),
	AsmInfo: func(t *mctarget.Target) *mc.AsmInfo {
		a := AsmInfo()
		if t.Triple.Arch == triple.X86_64 {
			a.EHFrame = SecUnwind
		}
		return a
	},
	Encoder: func(t *mctarget.Target) (mc.Encoder, error) { return NewEncoder(t.Info), nil },
	Backend: func(t *mctarget.Target) (mc.AsmBackend, error) {
		b := NewBackend(t.Info)
		b.OSABI = family.ELFOSABI(t.Triple)
		b.x32 = t.Triple.IsX32()
		var err error
		if b.pad, err = paddingOf(t.Flags); err != nil {
			return nil, err
		}
		b.noRelax = !t.Flags.On(relaxFlag, true)
		if t.Triple.Arch != triple.X86_64 {
			return &Backend32{Backend: b, iamcu: t.Triple.OS == triple.OSELFIAMCU}, nil
		}
		return b, nil
	},
	Parser:       func(t *mctarget.Target) (mc.TargetAsmParser, error) { return NewAsmParser(t.Info), nil },
	Disassembler: func(t *mctarget.Target) (mc.Disassembler, error) { return NewDisassembler(t.Info) },
	Printer: func(t *mctarget.Target, variant int) (mc.InstPrinter, error) {
		if variant < 0 || variant > 1 {
			return nil, mctarget.NoVariant(t, variant)
		}
		return NewPrinter(t.Info, variant, t.Triple.Arch.Name()), nil
	},
}
