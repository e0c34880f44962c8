// Package debugify gives modules debug information that stands for nothing, so
// that the worth of a pass for debug information can be tested, and that debug
// information changes no code: mir-debugify makes it, mir-check-debugify says
// what became of it, mir-strip-debug takes it away again. Around says which
// passes of a pipeline may run between the first and the last of them.
//
// The three work on the whole module, its metadata and IR included; they are the
// same for every target. Package debugify imports codegen/pass and below.
package debugify
