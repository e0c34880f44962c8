// Package mctargetdesc is x86's part of the machine code layer.
//
//   - [Encoder] turns an mc.Inst into bytes and fixups, driven by the TSFlags of
//     the facts (tsflags.go says what they hold): legacy, REX, VEX, XOP and EVEX
//     encodings. What it cannot encode (APX so far) is an error with the opcode's name.
//   - [Disassembler] reads instructions: what bytes mean in their context is a table
//     of the facts, where the operands are follows from TSFlags.
//   - [Backend] knows fixups, relaxation of jumps, padding with nops and ELF's relocations.
//   - [Printer] writes AT&T and Intel syntax: mc/table over the facts, with functions for what styles do not say.
//   - [Optimize] chooses the shortest of several encodings, as LLVM does when it
//     lowers machine instructions.
//
// All are immutable after New and may be shared by any number of workers.
//
// The package imports mc, mc/table, desc, desc/facts and the tables in target/x86/tab.
package mctargetdesc
