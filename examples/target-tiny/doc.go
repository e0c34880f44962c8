// Package tiny is a target from nothing: the instruction set of Tiny.td with
// what a description cannot say. docs/add-a-target.md walks through it.
//
// The tables are made of Tiny.td when the target is first used; a target that
// cares about its start would generate them (see the same document).
package tiny
