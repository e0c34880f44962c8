// Package testtarget is a target for tests of what targets share: the machine of
// Big.td, 32 bits and high byte first, which differs from the other targets
// wherever code that is meant for all could hold an assumption. It is used by
// tests alone.
//
//	Big.td         registers, instructions, calls, patterns
//	testtarget.go  the tables that are made of it, the target
//	isel.go        legal types, register banks, what is legalized by hand
//	frame.go       instructions that passes build, prologue and epilogue
//
// The package imports what any target imports: see examples/target-tiny and
// docs/add-a-target.md.
package testtarget
