// Package alias says whether machine instructions may touch the same memory, by
// their memory operands and by what the IR knows of the pointers behind these.
//
// It imports codegen/pass, ir/iranalysis and below; passes of several folders ask it.
package alias
