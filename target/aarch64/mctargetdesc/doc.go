// Package mctargetdesc has what AArch64's printer does beside its tables: names of
// system registers and system operations, which depend on what the processor has, and
// the names of moves of bit fields, which depend on two operands together.
//
// Flow of data: mc.Inst → this printer → table.Printer for all else.
//
// The package imports mc, mc/mctarget and desc.
package mctargetdesc

import "github.com/mirin-go/mirin/mc/mctarget"

// Hooks are AArch64's.
var Hooks = mctarget.Hooks{Wrap: newPrinter}
