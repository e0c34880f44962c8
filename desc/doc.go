// Package desc describes targets as pure data: instructions, operands,
// registers, register units, classes, banks, call-preserved masks, target
// flags, processors and features.
//
// An [Info] holds everything that is known about one LLVM target ("X86",
// "AArch64", …). It is read-only after it was made and safe for any number of
// readers. Its tables are slices of fixed-size rows without pointers; names are
// [Name] values (offset and length) into one string; lists (operands, implicit
// registers, sub-registers, class members) are ranges of shared pools.
//
// Numbers equal LLVM 22's: opcodes, register numbers, class, bank and
// sub-register index ids, operand types and MCID flags. Opcodes below
// [FirstTargetOpcode] are the same in every target and have constants in
// zz_opcodes.go.
//
// Flow of data: tools/llvmfacts asks an installed LLVM and writes binary
// tables, package desc/facts embeds and decodes them into an Info, everything
// else (mir, target, codegen, mc) reads the Info. A target that LLVM does not
// know fills an Info itself.
//
// The package imports the standard library only.
package desc
