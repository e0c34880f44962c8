// Package trie writes the decision trees of selector tables: rules, each a list
// of encoded tests and what follows when all of them hold, become code in which
// rules share the tests that they begin with.
//
// A generator makes [Step] values with [New] and [Keyed], puts the rules of one
// root into the order in which they are to be tried, and calls [Tree.Code].
// codegen/matchtable/code says what the code means.
//
// The package imports the standard library alone.
package trie
