// Package bpf is the eBPF target: instruction set versions 1 to 4, both byte orders.
//
// [Target] is the way in. What the machine is stands in BPF.td and the files it includes:
// selection patterns in BPFSelect.td, the calling convention in BPFCallingConv.td; go generate
// makes the tables of package tab of them. What no table can say is Go: isa.go (what the
// versions have), legalizer.go (which operations exist at which types), isel.go (addresses, the
// functions that patterns name), calls.go (helpers by number, what is refused), instr.go
// (copies, spills, branches, Select), frame.go (the 512 bytes of stack).
//
// btfhandler.go writes .BTF and .BTF.ext beside the code by package btf, and puts what CO-RE
// relocates into instructions; patchable.go makes these instructions. irpasses.go are the passes of
// package irpass that code generation runs.
//
// It imports target and what that stands on (ir, mir, mc, desc), desc/facts, mc/mctarget, and the
// generic halves of what it hooks into: codegen/globalisel, callconv, legal, regbank, matchtable.
package bpf
