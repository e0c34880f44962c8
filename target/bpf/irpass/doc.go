// Package irpass has BPF's passes over LLVM IR, each under LLVM's name. They keep
// what optimizers would do from confusing the kernel's verifier, and make what
// clang says about accesses to structures into relocations (CO-RE).
//
//	passes.go          the list
//	checkopt.go        bpf-check-and-opt-ir: what kept optimizers away goes, before selection
//	mergeequal.go      …what barriers kept apart is one again
//	addrspace.go       …accesses through pointers of other address spaces go through space 0
//	memberaccess.go    bpf-abstract-member-access: chains of llvm.preserve.*.access.index, and
//	                   llvm.bpf.preserve.*.info, become variables that stand for relocations
//	fieldinfo.go       …what such a variable is of the program's own types
//	ditype.go          bpf-preserve-di-type: numbers of types, llvm.bpf.btf.type.id
//	adjustopt.go       bpf-adjust-opt: comparisons and values held back by llvm.bpf.passthrough
//	preserveoffset.go  bpf-preserve-static-offset: accesses that keep their offset in the instruction
//	staticoffset.go    …and such accesses as addresses, loads and stores again
//	aspace.go          bpf-aspace-simplify: casts there and back around an address
//
// clang runs all but bpf-check-and-opt-ir where its optimizer begins and ends, so
// modules that it wrote have them behind them; llc runs that one. They work on the
// bodies that they are given.
//
// The package imports ir, ir/intrin, ir/iranalysis, analysis, target/bpf/btf.
package irpass
