// Package mctargetdesc has what RISC-V's assembler does beside its tables: the
// instructions that the machine does not have (li, la, call, loads and stores of
// symbols, …), which stand for others, other ways to write instructions, lists of
// registers, the forms of 16 bits that instructions become, what instructions must not be
// (vector registers that overlap), the directives .option, .attribute and .insn, names of
// control and status registers and of extensions; and how calls are encoded and written.
//
// Flow of data: text of such an instruction → texts of others → table.Reader.
//
// The package imports mc, mc/mctarget, mc/table, desc and desc/family.
package mctargetdesc

import "github.com/mirin-go/mirin/mc/mctarget"

// The flags of llvm-mc that are RISC-V's.
const (
	ulebFlag      = "riscv-uleb128-reloc"
	noAliasesFlag = "riscv-no-aliases"
)

var flags = []mctarget.Flag{
	{Name: ulebFlag, Bool: true, Default: "true", Help: "Emit R_RISCV_SET_ULEB128/E_RISCV_SUB_ULEB128 if appropriate"},
	{Name: noAliasesFlag, Bool: true, Default: "false", Help: "Disable the emission of assembler pseudo instructions"},
}

// Hooks are RISC-V's.
var Hooks = mctarget.Hooks{Parser: newParser, Flags: flags, Backend: newBackend, WrapEncoder: wrapEncoder, Wrap: newPrinter, WrapDisassembler: wrapDisassembler, RegName: appendRegNumber, RegNamed: numeric}
