package tblgen

import "github.com/mirin-go/mirin/tablegen"

// generator is one of our own actions of mirin tblgen, --gen-go-…: it makes
// a file out of records. Errors with a position are *diag.Diagnostic values or
// diag.List; they are printed with the line and a caret.
type generator struct {
	name string // of the action, without dashes
	help string
	run  func(c *command, rs *tablegen.Records, in string) ([]byte, error)
}

// generators lists our generators in the order in which --help shows them;
// docs/tablegen has a page for each.
func generators() []generator {
	return []generator{
		{"gen-go-register-info", "Generate Go constants of registers, classes, sub-register indices, banks and pressure sets", genGoRegisterInfo},
		{"gen-go-instr-info", "Generate Go constants of opcodes and scheduling classes", genGoInstrInfo},
		{"gen-go-subtarget", "Generate Go constants of features and processors; with --facts-file, the function Info", genGoSubtarget},
		{"gen-facts", "Generate the whole description of a target as a file of facts (package desc/facts)", genFacts},
		{"print-registers", "Print classes, sub-register indices and registers, what is inferred included", genRegisters},
		{"gen-go-dag-isel", "Generate a Go table that selects SelectionDAG nodes (Pattern, PatFrag, Instruction.Pattern)", genGoDAGISel},
		{"gen-go-global-isel", "Generate a Go table that selects generic instructions out of the same patterns (GINodeEquiv)", genGoGlobalISel},
		{"gen-global-isel-table", "Generate the table of --gen-go-global-isel as a file to embed", genGlobalISelTable},
		{"print-dag-patterns", "Print the selection patterns with their types in the order in which they are tried", printPatterns},
		{"gen-go-callingconv", "Generate Go tables of calling conventions and callee-saved registers (CallingConv, CalleeSavedRegs)", genGoCallingConv},
		{"gen-go-searchable-tables", "Generate Go tables and lookup functions (GenericTable, GenericEnum, SearchIndex)", genGoSearchable},
		{"gen-go-combiner", "Generate a Go file for a table of combine rules (GICombiner): their functions, and the table as an embedded file", genGoCombiner},
		{"gen-combiner-table", "Generate the table that the file of --gen-go-combiner embeds", genCombinerTable},
		{"gen-go-intrinsics", "Generate the constants of intrinsics (package ir)", genGoIntrinsics},
		{"gen-intrinsic-names", "Generate the table of intrinsics' names (package ir)", genIntrinsicNames},
		{"gen-intrinsic-signatures", "Generate the table of intrinsics' signatures and attributes (package ir/intrin)", genIntrinsicSignatures},
		{"gen-go-automata", "Generate Go tables of finite automata (GenericAutomaton)", genGoAutomata},
		{"gen-go-dfa-packetizer", "Generate Go tables of the packetizer of itineraries' functional units", genGoPacketizer},
		{"gen-go-asm-writer", "Generate a Go table of the assembly syntax for printing (AsmString, InstAlias)", genGoAsmWriter},
		{"gen-go-asm-matcher", "Generate a Go table of the assembly syntax for reading (AsmOperandClass, MnemonicAlias)", genGoAsmMatcher},
		{"gen-go-emitter", "Generate a Go table of encodings (Inst)", genGoEmitter},
		{"gen-go-disassembler", "Generate a Go table that decodes instructions", genGoDisassembler},
	}
}
