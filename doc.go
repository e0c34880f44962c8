// Package mirin compiles LLVM IR in pure Go: to assembly, to an object file, to
// an executable, or to code that runs in this process.
//
//	m, err := mirin.ParseIR("prog.ll", text)
//	obj, err := mirin.Object(m, nil)          // an ELF object, for any linker
//	exe, err := mirin.Executable([]*ir.Module{m}, nil)
//
//	p, err := mirin.Load(m, nil)              // or run it here
//	var add func(a, b int64) int64
//	err = p.Func("add", &add)
//	sum := add(2, 3)
//
// Front ends build the module with ir.NewModule and ir.NewBuilder instead of
// text; docs/tutorial.md makes a small language that way.
//
// This package is the short way for most users and links every target. A
// program that wants more say, or less code, uses the parts: ir, codegen/driver,
// codegen/pipeline, target/x86, mc, link, jit.
package mirin
