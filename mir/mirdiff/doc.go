// Package mirdiff compares MIR files function by function. Virtual registers,
// blocks and stack objects are paired before texts are compared, so that a
// different numbering is no difference.
//
// [Files] pairs functions by name and compares each pair: the printed forms
// are cut into lines and names (lines.go), lines are matched by their shape
// (names left out), the names that meet in matched lines are paired by
// majority, the second function is written in the names of the first, and
// what then differs is shown (compare.go).
//
// It imports mir, mir/mirtext, ir/irtext, internal/textdiff and
// support/lazyregexp.
package mirdiff
