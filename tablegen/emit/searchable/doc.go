// Package searchable turns LLVM's searchable tables (llvm/TableGen/SearchableTable.td:
// GenericEnum, GenericTable, SearchIndex and the older SearchableTable) into Go
// source: enumerations, arrays of rows, and lookup functions that index or
// search by halving.
//
// Collect reads the records into a Tables value, which holds the rows in order
// and each search index as an order of rows; AppendGo writes it as a Go file
// that imports nothing. docs/tablegen/searchable-tables.md describes what
// becomes of each kind of field.
//
// Flow of data: collect.go reads enumerations, tables and indices and checks
// them; legacy.go makes tables of the classes below SearchableTable; order.go
// compares rows; source.go writes Go. Errors carry the place of the field or
// record at fault and the way there.
//
// The package imports tablegen, emit/gofile and diag.
package searchable
