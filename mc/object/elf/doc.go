// Package elf writes an mc.Object as a relocatable ELF file, of 64 or 32 bits
// and either byte order, with or without addends in its relocations: [Append]
// and [Write]. [Read] reads files of any producer whose relocations have addends.
//
// The file is laid out as LLVM lays it out: header, contents of the sections in
// their order, groups, symbol table, relocations, strings, section headers. In
// the table of headers .strtab comes first, a group before its first member,
// relocations behind what they relocate, .symtab last.
//
// The package imports mc only.
package elf
