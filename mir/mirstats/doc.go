// Package mirstats counts what machine functions consist of: blocks,
// instructions by opcode, registers by class, stack objects, memory operands,
// copies, spills. [Of] counts one function, [Stats.Add] sums; the Append
// functions of table.go write tables, JSON and CSV.
//
// It imports mir and desc.
package mirstats
