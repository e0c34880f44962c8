// Package mctargetdesc has what ARM's printer does beside its tables: the names of
// hints, which depend on what the processor has.
//
// Flow of data: mc.Inst → this printer → table.Printer for all else.
//
// The package imports mc, mc/mctarget and desc.
package mctargetdesc

import "github.com/mirin-go/mirin/mc/mctarget"

// Hooks are ARM's.
var Hooks = mctarget.Hooks{Wrap: newPrinter}
