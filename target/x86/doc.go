// Package x86 is the x86-64 target, and i386: what the passes of package codegen ask
// about registers, frames, calls and instructions of this one machine.
//
// The two are [Target] and [Target32]; mode.go has what they have under different
// names, patterns say which mode they are for, and legal tables and register banks are
// made for each.
//
// [Target] is the way in: tables and small hook functions, which target/all
// lists and anyone may use directly. Selection patterns
// stand in X86.td and the files it includes, calling conventions in
// X86CallingConv.td; go generate makes the tables of package tab out of them,
// and codegen/matchtable and codegen/callconv interpret those. What no table
// can say is Go: legalizer.go and legalizer_custom.go (which operations exist
// at which types), regbank.go, isel.go and isel_addr.go (address matching, the renderers
// that patterns name), isel_fold.go (calls that read memory, flags of operations on
// memory), legalizer_x87.go and x87.go (long double, half),
// callconv.go, calllowering.go and varargs.go (the System V rules beyond the
// table: registers' types, sret, structs in memory, tail calls, variable arguments),
// inlineasm.go (constraints), frame.go (prologue, epilogue, call frame
// information), pseudo.go (expansions after allocation), branch.go, instr.go (copies,
// spills), regs.go (reserved registers), subtarget.go, asmprinter.go (machine
// instructions to MC instructions).
//
// What optimizing passes ask is in fold.go (operands in memory), remat.go, compare.go
// (comparisons that other flags make needless), borrow.go, immediate.go (constants and
// selects), commute.go, threeaddr.go (LEA, blends), peephole.go, slots.go, prepare.go (IR),
// scheduling.go, outline.go, domains.go and falsedeps.go. The target's own passes are a
// file each, in the order in which they run: cmovconversion.go, fixupsetcc.go,
// optimizeleas.go, cfopt.go, avoidsfb.go, flagscopy.go, suppressapx.go,
// fpstackifier.go (with fpstackops.go and fpstackasm.go), expandpseudo.go,
// branchtracking.go, fixupbw.go, fixupleas.go, compressevex.go, returnthunks.go. What
// attributes ask of functions is done in stackguard.go, probe.go, zeroregs.go and nops.go.
//
// Package mctargetdesc beneath it encodes and prints MC instructions from the facts and
// knows nothing of machine functions.
//
// It imports target and what that stands on (ir, mir, mc, desc), desc/facts, and
// the generic halves of what it hooks into: codegen/globalisel, callconv, legal,
// regbank and matchtable.
package x86
