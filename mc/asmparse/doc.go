// Package asmparse reads assembly in GNU syntax, as LLVM 22 reads it: [Parse] gives
// a mc.Streamer what the text says.
//
// Labels, symbols, expressions, sections, data, macros, conditions and call frame
// directives are the same for all targets and are read here. An instruction is
// the target's: its mc.TargetAsmParser gets the statement and emits
// what it finds. The target also gets directives and forms of expressions that
// it knows (mc.DirectiveParser, mc.ExprParser).
//
// Errors are told one by one as diag.Diagnostics in LLVM's words, with the notes that
// lead out of macros and included files; reading goes on at the next statement.
// Nesting, expansions and repetitions are bounded, so that no text makes the
// assembler run long or fill the memory.
//
// Flow of data: text → statements (macros expanded) → mc.Streamer.
//
// The package imports mc, desc and diag.
package asmparse
