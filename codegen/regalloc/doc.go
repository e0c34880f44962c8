// Package regalloc takes machine functions out of SSA form and gives virtual
// registers their physical ones: phi-node-elimination, twoaddressinstruction
// and the allocators, each a pass.Pass in a file of its own.
//
// ProcessImpDefs and UnreachableBlocks tidy up. PHIElimination and TwoAddress
// rewrite PHIs and tied operands into copies, RegisterCoalescer joins the
// registers of copies; what they leave is what every allocator takes. Fast allocates one block at a
// time with stack slots between blocks. A global allocator takes the same
// input and gives the same output (no virtual registers, the kill and dead
// flags right), so that the pipeline exchanges one for the other.
//
// The package imports codegen/pass and below.
package regalloc
