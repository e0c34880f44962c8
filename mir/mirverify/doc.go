// Package mirverify checks machine functions as LLVM's machine verifier does
// and reports faults in its words.
//
// Verify runs one Verifier over a function; whoever verifies after every pass
// keeps a Verifier, whose tables are reused. Data flows in three steps: the
// frame and the edges of the function as a whole (frame.go, cfg.go), every
// block in layout order with its instructions and operands (block.go,
// instr.go, operand.go, generic*.go), and last what needs all blocks: values
// that are required across edges, PHIs, live-ins, convergence tokens
// (flow.go, phi.go, convergence.go).
//
// Liveness inside a block is a sparse set of physical registers and, for
// virtual ones, the number of the block that last defined or killed them.
// Across blocks only virtual registers are followed that are used outside the
// block that defines them, one register at a time, so that the cost is that of
// the live ranges' blocks and not of blocks times registers.
//
// A Report's text is made when a fault is found, since it shows the function
// as it was. The wording is LLVM's; the numbers in parentheses behind block
// names, addresses there, are made up here and stable.
//
// What is not checked: live intervals and live variables, which LLVM verifies
// while those analyses are alive; convergence regions and cycles; gc operands
// of statepoints. What LLVM's targets add is in target*.go, by target, for
// AMDGPU, AArch64, ARM, RISC-V, X86, SystemZ and MIPS; Options.Target takes its
// place. How targets take the ends of blocks apart is in branches.go. A
// register counts as reserved when a variant of the facts with the same
// register files reserves it, so that a read of an undefined one may pass.
// TestAgainstLLVM measures the agreement with an LLVM, over what
// tools/mirverdicts collects; its mutants.py compares commands.
//
// Package mirverify imports mir, mir/miranalysis, mir/mirtext, desc, desc/family,
// ir, ir/intrin, analysis and triple.
package mirverify
