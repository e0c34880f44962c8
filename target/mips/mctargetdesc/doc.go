// Package mctargetdesc has what Mips' printer does beside its tables: branches that are
// written shorter where a register is zero or the first condition is meant.
//
// Flow of data: mc.Inst → table.Printer → the text, shortened here.
//
// The package imports mc, mc/mctarget and desc.
package mctargetdesc

import "github.com/mirin-go/mirin/mc/mctarget"

// Hooks are Mips'.
var Hooks = mctarget.Hooks{Wrap: newPrinter}
