// Package giselpattern brings LLVM-style selection patterns
// (tablegen/emit/dagpattern) to GlobalISel: nodes become the generic
// instructions that GINodeEquiv records of SelectionDAGCompat.td name, and the
// patterns a table for codegen/matchtable.
//
// Generate is the way in. Patterns that GlobalISel cannot have, or that the
// table cannot express, are reported by name with the reason, in LLVM's words
// where LLVM has the same reason (-warn-on-skipped-patterns).
//
// Flow of data: equiv.go reads the equivalences; source.go and result.go turn a
// pattern into the records of tablegen/emit/globalisel, which makes the tests
// and actions, checks the flow of physical registers and writes the table.
// Complexity is LLVM's and decides the order.
//
// The package imports dagpattern, dagisel (conditions, floating constants),
// globalisel, predicatecode and desc.
package giselpattern
