// Package regalloc takes machine functions out of SSA form and gives virtual
// registers their physical ones, block by block; codegen/regalloc/global does
// that over whole functions. A pass a file, the coalescer in several.
//
// DetectDeadLanes, InitUndef, ProcessImpDefs and UnreachableBlocks tidy up. PHIElimination and TwoAddress
// rewrite PHIs and tied operands into copies, RegisterCoalescer joins the
// registers of copies, RenameSubregs takes those apart whose parts have nothing to do
// with each other; what they leave is what every allocator takes. Fast allocates one block at a
// time with stack slots between blocks. A global allocator takes the same
// input and gives the same output (no virtual registers, the kill and dead
// flags right), so that the pipeline exchanges one for the other. PostRAPseudos makes
// instructions of what is a copy then.
//
// The package imports codegen/pass and below.
package regalloc
