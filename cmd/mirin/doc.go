// Command mirin is a code generator for LLVM IR: one binary, a subcommand a
// tool. Called as llc (a link of that name) it is that tool.
package main
