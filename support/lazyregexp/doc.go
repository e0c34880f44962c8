// Package lazyregexp holds regular expressions that are compiled when they are
// first used: one binary carries many tools, and each run needs the expressions
// of one of them. It imports the standard library only.
package lazyregexp
