// Package facts holds what LLVM 22 knows about its targets, as embedded data.
//
// [Load] (or a target's own function, [X86]) gives a [desc.Info], decoded on
// first use and shared afterwards. The files are written by tools/llvmfacts.
//
// # File format
//
// A file zz_<target>.bin holds numbered sections; integers are little-endian.
//
//	"mirf"  version u16 = 1  sections u16
//	for each section: id u16, codec u16 (0 as is, 1 zlib), offset u32,
//	stored bytes u32, bytes when decoded u32
//	the sections
//
// Most sections start with a row count (u32). The tables of instructions,
// operands and registers follow as columns, all values of one field after
// another; smaller tables as rows in the order of the fields that decode.go
// reads. Names of instructions and registers lie in row order in the section
// of names, so that a length is all a row keeps; other names are offset<<9 |
// length. MCID flags are indices into a list of the different values. Hash
// tables are those of [desc.BuildHash]. Sections are stored as they are and read
// where they lie, because decoding is part of the start of every run; large ones
// that few runs ask for (sets of classes, sub-class tables) are compressed. Machine
// models are small, since equal costs share a row, and are read when a pass asks.
//
// The machine-code tables ([MachineCode]) are files of their own, zz_mc_<target>.bin,
// which tools/mclearn writes; machinecode.go describes them.
//
// The package imports desc and the standard library.
package facts
