// Package tablegen reads the TableGen language of LLVM 22 (.td files) and
// evaluates it to records.
//
// Parse is the way in; it returns Records, the classes and definitions of a
// file with all its includes. A Record is a name, a list of superclasses and
// a list of typed fields, each with a value (Init). After Parse every field of
// a definition holds one of the resolved kinds (*IntInit, *BitInit,
// *BitsInit, *StringInit, *ListInit, *DagInit, *DefInit, *UnsetInit); only a
// few, on purpose, keep references (bits of Inst that name an operand's
// field). Fields of classes may hold any kind.
//
// The flow: lexer.go (tokens, comments, preprocessor, includes) → parse*.go
// (statements and expressions; there is no syntax tree, an expression becomes
// an Init at once and folds as far as it can) → resolve.go (substitution of
// template arguments, iteration variables and fields) → fold*.go (the bang
// operators) → records.go. print.go and json.go write records out in
// llvm-tblgen's formats.
//
// What is known of a target from elsewhere need not be written as text:
// Options.LazyDef makes definitions when their names are first met.
//
// The package imports diag and the standard library only and reads files
// through Options.ReadFile alone, so it works where there are no files.
package tablegen
