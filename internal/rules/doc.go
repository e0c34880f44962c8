// Package rules holds the house as a whole to its rules: what each package may
// reach, that no package is without a tenant, that the documents name things
// that exist; and counts what must not come back (count.go): comparisons of
// target names, words of one instruction set, untyped hooks, further
// interpreters of match tables, packages without a doc.go. tools/housecount prints the figures.
//
// It imports the standard library only.
package rules
