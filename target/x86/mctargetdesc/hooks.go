package mctargetdesc

import (
	"fmt"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/triple"
)

// Hooks are x86's parts for whoever reads, writes or prints machine code.
var Hooks = mctarget.Hooks{
	AsmInfo: func(*mctarget.Target) *mc.AsmInfo { return AsmInfo() },
	Encoder: func(t *mctarget.Target) (mc.Encoder, error) { return NewEncoder(t.Info), nil },
	Backend: func(t *mctarget.Target) (mc.AsmBackend, error) {
		switch {
		case t.Triple.Arch != triple.X86_64:
			return NewBackend32(t.Info), nil
		case t.Triple.IsX32():
			return NewBackendX32(t.Info), nil
		}
		return NewBackend(t.Info), nil
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
