// Package mctargetdesc is BPF's part of the machine code layer: what BPFInstr.td leaves to Go.
// Instructions are encoded, decoded, printed and read by the tables that `go generate` makes of
// it (package tab); here are the functions that they name (operands.go), fixups and relocations
// (backend.go) and the other byte order (order.go).
//
// The package imports mc, mc/mctarget, mc/table, desc and the tables.
package mctargetdesc

import (
	"sync"

	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

// Hooks are BPF's.
var Hooks = mctarget.Hooks{
	AsmInfo: func(t *mctarget.Target) *mc.AsmInfo { return asmInfo(!t.Triple.IsLittleEndian()) },
	Encoder: func(t *mctarget.Target) (mc.Encoder, error) {
		p, err := parts()
		return ordered{p.encoder, !t.Triple.IsLittleEndian()}, err
	},
	Backend: func(t *mctarget.Target) (mc.AsmBackend, error) { return backend{!t.Triple.IsLittleEndian()}, nil },
	Printer: func(t *mctarget.Target, variant int) (mc.InstPrinter, error) {
		p, err := parts()
		if variant > 1 {
			return nil, mctarget.NoVariant(t, variant)
		}
		return p.printer, err
	},
	Parser: func(*mctarget.Target) (mc.TargetAsmParser, error) {
		p, err := parts()
		return p.parser, err
	},
	Disassembler: func(t *mctarget.Target) (mc.Disassembler, error) {
		p, err := parts()
		return &disassembler{p.decoder, !t.Triple.IsLittleEndian()}, err
	},
}

// bound are the tables with their functions.
type bound struct {
	encoder *table.Encoder
	decoder *table.Decoder
	printer *table.Printer
	parser  assembler
}

var parts = sync.OnceValues(func() (p bound, err error) {
	info, err := facts.BPF() // TestFacts: they are BPFInstr.td's
	if err != nil {
		return p, err
	}
	if p.encoder, err = table.NewEncoder(&tab.Encoder, info, encodeFuncs); err != nil {
		return p, err
	}
	if p.decoder, err = table.NewDecoder(&tab.Decoder, info, nil); err != nil {
		return p, err
	}
	if p.printer, err = table.NewPrinter(&tab.Writer, info, 0, printFuncs); err != nil {
		return p, err
	}
	m, err := table.NewMatcher(&tab.Matcher, info, matchFuncs)
	p.parser = assembler{table.Assembler{Matcher: m}}
	return p, err
})

func asmInfo(big bool) *mc.AsmInfo {
	a := mc.ELFAsmInfo()
	a.BigEndian, a.BSSBySection, a.StackNote, a.PrivateLabel = big, true, "", "L"
	return &a
}

// assembler reads instructions, most of which look like assignments.
type assembler struct{ table.Assembler }

// EqualsInInstructions says so.
func (assembler) EqualsInInstructions() {}
