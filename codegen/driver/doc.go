// Package driver takes functions through a pipeline and prints them, several
// at a time. Each worker has a pass.Context, a machine function and, to print
// with, a streamer of its own; it takes the long functions first, then the others
// in the module's order, and makes chunks of finished code. Chunks are joined in the module's order, so
// that the output is the same for every number of workers. Memory is a few
// times that of the largest function, for each worker, and that of finished
// code. Where a pipeline has passes over the module, the functions go through
// it in stages, and all machine functions are in memory.
//
// It imports codegen/asmprinter, codegen/pass and what these import.
package driver
