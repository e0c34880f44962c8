// Package elfabi is what linkers and loaders need to know of x86-64 ELF: what
// each relocation computes and how its value is put into bytes ([Lookup],
// [Reloc.Put]), the jump of a procedure linkage table ([AppendStub]), the
// instructions that become shorter when a symbol is at hand ([Relax]), and the
// start of a program in machine code ([StartObject], [Builtin]).
//
// Packages link and jit stand on it. It imports mc only.
//
// The source of all numbers is the System V ABI, AMD64 Architecture Processor
// Supplement, sections 4.4 and 5.2; the code of the start-up is described in its
// section 3.4.1.
package elfabi
