// Package triple takes target triples apart: arch-vendor-os-environment, as
// "x86_64-unknown-linux-gnu". It is the only place that does; whoever wants to
// know what a triple says asks a [Triple], and whoever wants to know which back
// end serves it, and with what data layout, asks desc/family.
//
// [Parse] reads a triple as it stands, as LLVM does with that of a module;
// [Normalize] puts the parts of a triple that a user wrote in their places first.
// Both follow LLVM 22: testdata holds what it says about some thousands of
// triples, and says how they were asked for.
//
// A Triple is a value of 24 bytes that keeps the text it was made of. No part of
// it is a state: a triple whose words are not known has the zero value for them.
//
// Package triple imports the standard library alone.
package triple
