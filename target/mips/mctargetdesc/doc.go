// Package mctargetdesc is what Mips' assembly has beside the tables of the facts: the assembler,
// whose rows (zz_rows.txt) are learned from LLVM and chosen as its matcher does, macros, directives,
// what objects say of the instruction set; and branches that are printed shorter where a register
// is zero or the first condition is meant.
//
// Flow of data: a statement → operands (reader) → a row → mc.Inst or a macro's instructions → the
// streamer; mc.Inst → table.Printer → the text, shortened here.
//
// The package imports mc, mc/mctarget, desc and desc/family.
package mctargetdesc

import "github.com/mirin-go/mirin/mc/mctarget"

// Hooks are Mips'.
var Hooks = mctarget.Hooks{Wrap: newPrinter, WrapEncoder: wrapEncoder, Parser: newParser, Backend: newBackend, AsmInfo: asmInfo, WrapDisassembler: wrapDisassembler}
