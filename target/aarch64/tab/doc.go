// Package tab has the tables of AArch64's assembly parser: which operands the forms of each
// mnemonic have, in the order in which LLVM tries them, what each class of operand takes and
// what is said where it takes something else, and how operands become those of instructions.
//
// go run ./tools/asmtables makes them: rows from the data of LLVM's parser (Debian's
// llvm-22-dev), what classes and conversions do by asking it.
package tab
