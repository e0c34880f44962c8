// Package mctargetdesc has what ARM's assembly has beside the tables: the names of hints, which
// depend on what the processor has, and directives: modes, architectures and processors, attributes
// of objects, and those of unwinding (in text alone).
//
// Flow of data: mc.Inst → this printer → table.Printer for all else; a statement → table.Reader, a
// directive → this package → the streamer.
//
// The package imports mc, mc/mctarget, mc/table, desc and desc/family.
package mctargetdesc

import "github.com/mirin-go/mirin/mc/mctarget"

// Hooks are ARM's.
var Hooks = mctarget.Hooks{Wrap: newPrinter, Parser: newParser, Disassembler: newDisassembler}
