// Package suffixtree finds what repeats in a string of numbers, in time that is
// near linear in its length (E. Ukkonen, On-line construction of suffix trees,
// 1995; children are found by hashing).
//
// Repeats come in the order in which LLVM's SuffixTree gives them, since names of
// outlined functions follow from it: it visits the children of a node in the
// order of a DenseMap, whose places depend on the keys and little on their order.
package suffixtree
