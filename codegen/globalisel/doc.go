// Package globalisel selects instructions for whole functions over generic
// machine code, as LLVM's GlobalISel does:
//
//	irtranslator → [combiner → localizer] → legalizer → [combiner → loadstore-opt] → regbankselect → [combiner] → instruction-select
//
// irtranslator (irtranslator*.go) makes generic instructions of an IR
// function; calls, arguments and returns go through the target's hooks with
// the help of callhelper.go and codegen/callconv. The combiner (combine*.go) applies the
// rules of combine.td. The localizer brings constants
// from the entry block to their users. The legalizer (legalizer*.go) rewrites generic
// instructions until the rules of the target (codegen/legal) hold.
// regbankselect and instruction-select (regbankselect.go, select*.go) turn the
// rest into target instructions with codegen/regbank's mappings of operands to
// register banks and codegen/matchtable.
//
// Each pass keeps its memory in a scratch struct of the worker's pass.Context.
// The package imports pass, alias, target, mir, ir, desc, ir/iranalysis, mir/miranalysis,
// analysis, codegen/callconv, codegen/legal, codegen/regbank and codegen/matchtable.
package globalisel
