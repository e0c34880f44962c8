// Package tab holds x86's generated tables: constants of opcodes, registers,
// register classes, banks and sub-register indices, equal to the facts.
//
// It imports desc only.
package tab

//go:generate go run github.com/mirin-go/mirin/tools/gentab -target X86 -dir .
