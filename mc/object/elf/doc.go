// Package elf writes an mc.Object as a relocatable ELF file, 64 or 32 bits,
// little-endian: [Append] and [Write]; [Read] reads a 64-bit one, of any producer.
//
// The file is laid out as LLVM lays it out: header, contents of the sections in
// their order, groups, symbol table, relocations, strings, section headers. In
// the table of headers .strtab comes first, a group before its first member,
// relocations behind what they relocate, .symtab last.
//
// The package imports mc only.
package elf
