// Package irverify says what is wrong with a module in the words of LLVM's
// verifier: each fault is a sentence, followed by the values it is about as
// LLVM prints them.
//
// [Module] checks a whole module, one function after the other. It imports
// ir, ir/autoupgrade, ir/intrin, ir/irtext, analysis and triple.
package irverify
