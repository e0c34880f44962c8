// Package mcgen turns the instructions of a target's .td files into the tables
// of the machine code layer: encoder, decoder (disassembler), assembly writer
// and assembly matcher. Package mc/table interprets them.
//
// The records are LLVM's: Instruction with Inst, AsmString, operand lists and
// DecoderNamespace, Operand, RegisterOperand, AsmOperandClass, InstAlias,
// MnemonicAlias, Predicate. What LLVM leaves to C++ (ranges of immediates,
// fixups) may be said with the classes of mirin/MC.td; what is said by the name
// of a function stays a name in the table, and the target binds it.
//
// Flow of data: New takes instructions and operands as tablegen/emit/targetinfo
// has read them (source.go); encoding.go reads their bits; encoder.go, decoder.go (with decodetree.go), writer.go and
// matcher.go make a table each; golit.go writes any of them as a Go file.
//
// Numbers of opcodes, registers and classes are those of the target's desc.Info,
// which tablegen/emit/targetinfo makes of the same records.
//
// The package imports tablegen, tablegen/emit/targetinfo and gofile, desc and diag.
package mcgen
