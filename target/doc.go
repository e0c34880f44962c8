// Package target says what a target is: a Target is a struct of tables and
// function fields, data first; a Machine is a Target configured by triple,
// options and levels; a Subtarget is a Machine with a processor and features,
// as the attributes of one function ask for.
//
// The hooks that code generation calls are grouped by who calls them, a file
// each: ISelHooks (isel.go: call lowering, legalization, register banks,
// selection), InstrHooks (instr.go: copies, branches, spills, pseudos),
// FrameHooks (frame.go: prologue, epilogue, frame indices), MCHooks (mc.go:
// machine instructions to mc, encoders, printers). A nil hook is a feature
// that the target does not have, and is reported by name.
//
// There is no registration: target/all lists the targets as a value. Package
// target imports ir, mir, mc, objabi, desc and diag; target/<isa> imports it.
package target
