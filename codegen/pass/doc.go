// Package pass defines what a machine pass is and runs it.
//
// A Pass is a value: LLVM's name, what it requires, sets and clears of a
// function's properties, and a run function. A Context is what one worker
// keeps between functions: the machine, scratch memory, statistics; it is
// reset, never shared. The Runner is the one place that times, dumps,
// verifies, stops and bisects.
//
// What passes know about a function is computed on demand: Get[Dominators](c, f)
// finds it once, in memory that the context keeps. A pass declares which of it
// still holds afterwards, and the Runner drops the rest, but for what follows from
// blocks and edges (EdgeAnalysis) while none of these was changed; where it verifies, it
// computes what was kept again and compares. A Gate leaves optional passes out.
//
// A pass over the module sees a Module, between the runs of the passes before it
// and of those behind it over all functions: Runner.Split is where they meet.
//
// Passes live in the folders of codegen, a pass a file; codegen/pipeline puts
// them in order. Package pass imports target and below.
package pass
