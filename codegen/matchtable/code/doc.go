// Package code defines the format of match tables: what the generators under
// tablegen/emit write (selection patterns for GlobalISel and for SelectionDAG,
// combine rules) and codegen/matchtable interprets. It imports desc and
// support/bintable only.
//
// A table is one byte string: a header (lists of the names that the code refers
// to by number, and where the rules of each root opcode start), a debug section
// (source line, priority and name of each rule) and the code. Numbers are
// unsigned varints, signed ones are zigzag encoded, so that no index has a width
// that it could outgrow. The code is read in place.
//
// [Op] lists the instructions; [Verify] checks code once, so that an interpreter
// need not: numbers are in range, jumps land where an alternative begins, what
// is read was recorded, and every path ends. docs/tablegen/match-table.md describes it.
package code
