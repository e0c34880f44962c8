// Package dwarfname knows the names of the constants that stand in debug info
// metadata: DWARF's tags, encodings, languages, operations, … and LLVM's
// DIFlags. The data is written by gen/names.py from LLVM 22's headers.
// It imports the standard library only.
package dwarfname
