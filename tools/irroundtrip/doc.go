// Command irroundtrip measures the .ll reader and printer against LLVM 22
// over many files. The reference results are made once by irref.cpp beside it
// (see there); a list names an input and the stem of its results a line,
// separated by a tab:
//
//	STEM.ll    what llvm-as | llvm-dis prints
//	STEM.err   why LLVM rejects the file: a line "parse", "verify", …, then its messages
//
// Every accepted file must print the same here, every rejected one must be
// rejected at the same line and column with the same message.
package main
