// Package target says what a target is: a Target is a struct of tables and
// function fields, data first; a Machine is a Target configured by triple,
// options and levels; a Subtarget is a Machine with a processor and features,
// as the attributes of one function ask for.
//
// The hooks that code generation calls are grouped by who calls them, a file
// each: CallConv (call.go: conventions and call sequences), ISelHooks (isel.go:
// legalization, register banks, selection), InstrTable and InstrHooks (instr.go:
// copies, branches, spills, pseudos), FrameHooks (frame.go: prologue, epilogue,
// frame indices), MCHooks (mc.go: machine instructions to mc, encoders, printers). A nil
// hook is a feature that the target does not have, and is reported by name.
//
// There is no registration: target/all lists the targets as a value. Package
// target imports ir, mir, mc, objabi, desc, desc/family, triple and the data of
// codegen/callconv, codegen/legal and codegen/regbank; target/<isa> imports it.
package target
