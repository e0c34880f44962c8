// Package mctargetdesc has what SystemZ's assembler does beside its tables: addresses
// (displacement, index, length, base), registers by their numbers, places in the code,
// and .insn.
//
// Flow of data: table.Reader, which follows the forms of the tables → operands, here.
//
// The package imports mc, mc/mctarget, mc/table and desc.
package mctargetdesc

import "github.com/mirin-go/mirin/mc/mctarget"

// Hooks are SystemZ's.
var Hooks = mctarget.Hooks{Parser: newParser, Backend: newBackend}
