// Package bintable is the small binary form that Mirin's own tables are kept in:
// numbers in LEB128, strings and lists behind their length. It imports the
// standard library alone.
package bintable
