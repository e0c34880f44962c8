// Package mctargetdesc has what AArch64's machine code layer does beside its tables: the
// assembly parser, and what the printer writes of names of system registers and operations,
// which depend on what the processor has, of moves of bit fields and numbers, and remarks.
//
// Flow of data: text → AsmParser (statement: operands by what they look like; then the forms of
// the mnemonic in target/aarch64/tab) → mc.Inst; mc.Inst → printer → table.Printer for all else.
//
// The package imports mc, mc/mctarget, desc and target/aarch64/tab.
package mctargetdesc

import "github.com/mirin-go/mirin/mc/mctarget"

// Hooks are AArch64's.
var Hooks = mctarget.Hooks{Wrap: newPrinter, Parser: newAsmParser, PlainExprs: true}
