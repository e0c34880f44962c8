// Command asmtables makes the tables of AArch64's assembly parser (target/aarch64/tab).
//
//	go run ./tools/asmtables -object FILE -ask FILE -o target/aarch64/tab/zz_asm.bin
//
// The rows of forms, of operands with parsers of their own and of conversions are data of
// LLVM 22's AArch64AsmParser.cpp.o (of Debian's llvm-22-dev); what the classes of operands take
// and what conversions make of them is asked of the functions of that file (llvmaskasm,
// tools/llvmfacts/askasm.mk) with operands of all kinds.
package main
