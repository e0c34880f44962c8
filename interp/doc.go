// Package interp executes LLVM IR with LLVM's semantics: poison, undef,
// freeze, undefined behaviour. It is the oracle of the other packages' tests:
// a program that runs here without a report has one meaning, and compiled code
// must show it.
//
// New decodes nothing; a function is decoded once, at its first call, into a
// flat list of instructions over numbered registers (decode*.go): decode_plan.go
// looks at the whole function, keeps allocas in registers where nothing can
// tell, and gives values that do not meet the same register; decode_instr.go,
// decode_mem.go, decode_vec.go, call.go and intrin*.go decode; decode_link.go
// fills in targets. One loop (zz_loop.go, made from the rows of
// internal/loopgen) runs what is simple and needs no call, loop_step.go the rest
// with all tracking. A register is 64 bits, the undefined bits of them, and
// the provenance of a pointer. Values that need more (integers above 64 bits,
// vectors, aggregates) take several registers, one for each part, so that all
// tracking works the same for them.
//
// Memory (memory.go) is a set of objects with bounds, alignment and life: an
// access goes through the object that the pointer was derived from. Bytes know
// their undefined bits, poison, and the provenance of stored pointers.
//
// Functions of the C library that are declared and not defined are executed
// by this package (lib*.go) on that same memory, so that programs run on
// every system, and in WebAssembly, alike.
//
// Undefined behaviour is an error of type *UB with function, block,
// instruction and source line, and for poison with the instruction that made
// it; what is not supported is a *NotSupported.
//
// The package imports ir, ir/irtext, triple and the standard library only.
package interp
