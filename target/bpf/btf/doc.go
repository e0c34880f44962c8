// Package btf writes BTF, the type information that the kernel and libbpf read
// (sections .BTF and .BTF.ext), from a module's debug information metadata: the
// same types in the same order as LLVM 22 gives them.
//
//	types.go    the table of types and strings; what a type's words are
//	visit.go    from metadata to types: which types come in, and where pointers stop
//	globals.go  variables, sections of data, external functions
//	lines.go    texts of source lines
//	writer.go   a module in order: functions, their lines, relocations of CO-RE; the end
//	emit.go     the sections, as data with comments
//
// The format is the kernel's (Documentation/bpf/btf.rst, include/uapi/linux/btf.h);
// what LLVM makes of which metadata was asked of llc-22.
//
// The package imports ir, mc and below.
package btf
