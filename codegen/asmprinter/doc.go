// Package asmprinter turns machine functions and IR globals into mc streams:
// sections, labels, instructions, constants, tables, call frame information.
//
// A Printer serves one output. Begin writes what precedes the functions, Func
// takes finished machine functions in module order, End writes the globals,
// aliases and what follows. The target lowers its own instructions through
// target.AsmPrinterHooks; everything else is common.
//
// Several workers print at once: each has a printer of Fork's, whose Chunks the
// first one Joins in the order of the functions.
package asmprinter
