// Package callingconv turns calling conventions of .td files into tables for
// codegen/callconv.
//
// The language is LLVM's (CallingConv, CCAction and its subclasses,
// CalleeSavedRegs); mirin/CallingConv.td (package tablegen/include) declares it,
// and LLVM's own llvm/Target/TargetCallingConv.td does as well. docs/tablegen/calling-conv.md describes it.
//
// FromFile reads a file, FromRecords takes records that are read already; both
// give a desc.CCTable. AppendGo writes it as Go source.
//
// Flow of data: generator.go walks the actions of every convention and writes
// words of code; predicate.go reads the strings of CCIf; sets.go evaluates the
// set expressions of CalleeSavedRegs; source.go writes the Go file. Errors are
// collected with file, line and column of the action that is at fault.
//
// The package imports tablegen, tablegen/include, emit/gofile, desc and diag.
package callingconv
