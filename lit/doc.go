// Package lit runs LLVM-style test files in process. A test file says in RUN:
// lines how it is run; the lines are shell commands with substitutions such as
// %s (the file) and %t (a scratch name).
//
// [Parse] (file.go) reads the RUN:, REQUIRES:, UNSUPPORTED:, XFAIL:, DEFINE:
// and REDEFINE: lines of a file, subst.go expands them, and [Runner.Run]
// (run.go) gives the script to the shell interpreter mvdan.cc/sh/v3, whose
// commands are the tools of the Runner, the built-in ones (builtin.go: not,
// count, split-file) or programs of the system. [RunDir] makes Go subtests of
// a folder; [Runner.Main] is the command; update.go rewrites CHECK lines.
//
// It imports the shell interpreter, internal/llvmflag, support/lazyregexp and the standard library; the tools,
// FileCheck among them, are given by the caller.
package lit
