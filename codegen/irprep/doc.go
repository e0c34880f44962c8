// Package irprep has the passes over LLVM IR that prepare a function for
// instruction selection, each under LLVM's name: what a target has no
// instructions for becomes IR that it has.
//
// A pass works on a body of the machine function's own (mir.Function.OwnIR),
// which is made of the module's when the first pass finds something to change:
// the module itself is never written to.
//
//	atomicexpand.go     atomic-expand: read-modify-write operations as loops around
//	                    a compare-and-exchange, accesses of floating-point values as integers
//	atomicvalue.go      what those operations compute
//	callbrprepare.go    callbrprepare: results of callbr on the ways that jump out of the assembly
//	codegenprepare*.go  codegenprepare: addresses, comparisons, masks next to their uses, short
//	                    ways for slow divisions, branches for selects, returns for tail calls
//	consthoist.go       consthoist: constants that no instruction holds once, others of them
//	entryexit.go        post-inline-ee-instrument: calls of a profiler
//	expandmemcmp.go     expand-memcmp: memcmp and bcmp of a few bytes as loads
//	loopreduce*.go      loop-reduce: what loops count with, chosen by cost
//	libcalls.go         partially-inline-libcalls: square roots as instructions, errno by a call
//	mergeicmps.go       mergeicmps: fields compared one after the other as a memcmp
//	stackprotector.go   stack-protector: a word before the return address that must not have changed
//	scalarizemasked.go  scalarize-masked-mem-intrin: masked accesses element by element
//
// The package imports codegen/pass, ir, mir and below.
package irprep
