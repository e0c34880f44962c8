// Package bpf makes eBPF programs in Go: it compiles LLVM IR to objects for libbpf, cilium/ebpf and
// any other loader, without clang, LLVM or a C compiler.
//
//	obj, err := bpf.Compile(module, &bpf.Options{CPU: "v3"})
//
// The module comes from text ([ParseIR]; clang -target bpf -g -O2 -S -emit-llvm writes it), or a
// program builds it: a [Unit] has the license, maps with their types, variables, kernel functions and
// programs in sections; a [Func] writes instructions (it is an ir.Builder), calls helpers by number,
// and reads fields of kernel structures where this kernel has them (CO-RE).
//
//	u := bpf.NewUnit("count", nil)
//	u.License("GPL")
//	counts := u.Map("counts", bpf.MapSpec{Type: bpf.Hash, Key: bpf.U32, Value: bpf.U64, MaxEntries: 1024})
//	f := u.Program("raw_tracepoint/sys_enter", "count", bpf.I32, bpf.Param{Name: "ctx", Type: bpf.Pointer(nil)})
//
// What it builds has debug information: types for the kernel (.BTF), and lines, which are those of
// the Go program that built it, so that the verifier's log names them.
//
// A binary that imports this package links the eBPF target alone. docs/ebpf.md goes from an empty
// folder to a loaded program; package bpf/collection, a module of its own, makes objects into
// cilium/ebpf's CollectionSpec; target/bpf/vm runs them without a kernel.
package bpf
