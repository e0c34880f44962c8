// Package asmtext is the mc.Streamer that writes assembly in GNU syntax, as llc
// does for ELF: [Text].
//
// Numbers of temporary symbols (.Ltmp0, .Ltmp1, …) run through the whole file.
// A chunk writes its own count and notes where, and joining puts the final
// numbers in.
//
// The package imports mc only.
package asmtext
