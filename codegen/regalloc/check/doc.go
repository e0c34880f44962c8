// Package check proves that a register allocation means what the function
// meant before it.
//
// Record notes, before allocation, which virtual register each operand names.
// Snapshot.Verify then executes the allocated function symbolically: for every
// register unit and stack slot it knows the values ("lanes of virtual register
// v, as last defined") that the place is known to hold on all ways to this
// point. A definition makes its place hold the new value and every other place
// lose the old one; copies, spills and reloads that the allocator added carry
// values along; a use must find its value in the place that it was given. Where
// ways meet, a place holds what it holds on all of them.
//
// No state is copied from block to block. Each block is executed once, from
// places whose content at its start is unknown (local.go); a content is a node
// of a forest, in which a copied content is a child of what it was copied from,
// so that "does it hold v" is a question about ancestors (content.go). What a
// block changed is kept as records, found by place and by value (index.go). A use
// that its block does not decide asks whether a place holds a value at the
// block's start; that fact is true when it is true at the end of all
// predecessors, and facts are followed backwards only from uses, each once
// (flow.go). A stack slot that one block writes, with a value that one block
// defines, needs no following: whoever is dominated sees what that block left.
// So the work is linear in instructions, edges and the blocks that a register
// carries a value through, but for logarithms of searches.
//
// Instructions that the allocator deletes, computes again or folds still mean what
// they did. A snapshot listens to the function until Verify, and knows an
// original by more than its number. A copy that is gone makes its result another
// name of its source's value, wherever that is held (gone.go). What reads nothing
// that changes is an expression; a place where it is computed again holds every
// register that is that expression on all ways to this point (expr.go). An
// instruction with operands in memory that takes the place of an original one
// reads and writes that one's registers in a stack slot (fold.go). What the code
// itself writes to physical registers are values too: nothing of the allocator may
// stand between them and their uses.
//
// The idea of such a checker is that of regalloc2's (cfallin, 2020), here over
// register units, so that sub-registers and overlapping registers are checked
// lane by lane. The package knows no allocator; it imports mir, the control-flow
// graph and desc. The tests compare it with a second checker that keeps whole
// states, on random allocations with random faults.
package check
