// Package miranalysis describes machine functions to package analysis: their
// control-flow graph, over which orders, dominators, loops and frequencies are
// found, as ir/iranalysis does for IR.
//
// Passes ask for what they need by pass.Get; this package serves the tools and
// the verifier too, which know no passes. It imports mir and analysis.
package miranalysis
