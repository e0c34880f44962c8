// Package textdiff compares sequences of lines: Match finds a longest common
// subsequence by Myers's algorithm in linear space, AppendUnified prints the
// difference as diff -u does. It imports the standard library only.
package textdiff
