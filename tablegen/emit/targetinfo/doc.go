// Package targetinfo makes a target's description of its .td files: the records
// of classes Target, Register, RegisterTuples, RegisterClass, Instruction,
// SubtargetFeature, Processor, SchedMachineModel and their like become a
// [desc.Info], the structure that desc/facts decodes for LLVM's own targets, so
// that all of Mirin works on a target that is read at run time.
//
// Flow of data: [Load] parses a file, [Build] reads registers (regs.go, tuples.go), completes the
// sub-register graph (subregs.go, compose.go), makes the classes that are missing
// in the algebra of classes (classes.go, infer.go), weighs register units and finds
// pressure sets (units.go, pressure.go), reads instructions (instr.go, flags.go), features and processors (features.go) and machine models (sched*.go)
// and lays all of it out (layout*.go); source.go writes Go constants. All numbers are LLVM's: llvm-tblgen is the
// oracle of the tests.
//
// A [Target] also keeps the instructions' operands by name ([Instr]), which the
// generators of the machine code layer need.
//
// What is wrong in a description is reported with its place and the way there
// (includes, defm statements); many faults at a time.
//
// The package imports tablegen, tablegen/include, emit/gofile, desc, desc/facts
// (for the opcodes that all targets share) and diag.
package targetinfo
