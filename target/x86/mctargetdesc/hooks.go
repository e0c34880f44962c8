package mctargetdesc

import (
	"fmt"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/triple"
)

// Hooks are x86's parts for whoever reads, writes or prints machine code.
var Hooks = mctarget.Hooks{
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
		if t.Triple.Arch != triple.X86_64 {
			return &Backend32{b}, nil
		}
		return b, nil
	},
	Parser:       func(t *mctarget.Target) (mc.TargetAsmParser, error) { return NewAsmParser(t.Info), nil },
	Disassembler: func(t *mctarget.Target) (mc.Disassembler, error) { return NewDisassembler(t.Info) },
	Printer: func(t *mctarget.Target, variant int) (mc.InstPrinter, error) {
		if variant < 0 || variant > 1 {
			return nil, fmt.Errorf("target %s: no syntax variant %d", t.Name, variant)
		}
		return NewPrinter(t.Info, variant, t.Triple.String()), nil
	},
}
