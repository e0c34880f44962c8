// Package iranalysis computes facts about the functions of LLVM IR that code
// generation asks for: control-flow graphs (for package analysis), branch
// probabilities, known bits, aliasing, scalar evolution.
//
//	g := iranalysis.CFG(f)                       // nodes are ir.BlockIDs
//	p := iranalysis.BranchProbabilities(f, g)    // what LLVM's branch-prob says
//	freq := analysis.NewFrequencies(g, &p.Loops, p.Edge)
//
//	a := iranalysis.NewAlias(f)
//	a.Query(x, y)                                // NoAlias, MayAlias, MustAlias
//
// Package iranalysis imports ir and analysis.
package iranalysis
