// Package mctargetdesc has what PowerPC's assembler does beside its tables: registers
// that are numbers or names behind '%', bits of condition registers by name
// (4*cr2+eq), rotations by position and length, calls about thread-local storage, and
// directives.
//
// Flow of data: table.Reader, which follows the forms of the tables → operands, here;
// text of an instruction that the machine does not have → text of another → table.Reader.
//
// The package imports mc, mc/mctarget, mc/table and desc.
package mctargetdesc

import "github.com/mirin-go/mirin/mc/mctarget"

// Hooks are PowerPC's.
var Hooks = mctarget.Hooks{Parser: newParser, Wrap: newPrinter, WrapEncoder: wrapEncoder, Backend: newBackend, Flags: flags, RegName: appendFullName, RegNamed: fullyNamed}

// The flags of llvm-mc about names of registers.
const (
	fullNames = "ppc-asm-full-reg-names"
	percent   = "ppc-reg-with-percent-prefix"
)

var flags = []mctarget.Flag{
	{Name: fullNames, Bool: true, Default: "false", Help: "Use full register names when printing assembly"},
	{Name: percent, Bool: true, Default: "false", Help: "Prints full register names with percent"},
}
