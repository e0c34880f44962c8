// Package mirfmt rewrites MIR files in LLVM's canonical form without losing
// their comments.
//
// [Format] reads a file with mirtext, prints it, and puts the comments of the
// source back (comments.go): a comment belongs to what stands behind it: a key
// of the YAML part, the n-th instruction of the n-th block, a line of the IR
// module; it goes where that has gone. Nothing is dropped: a comment whose
// anchor is gone from the text goes to the next one. The result is read again
// and must print as the source does, or Format returns an error.
//
// It imports mir/mirtext, ir/irtext, internal/textdiff and support/lazyregexp.
package mirfmt
