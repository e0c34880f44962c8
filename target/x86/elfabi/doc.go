// Package elfabi is the objabi.ABI of x86-64 ELF: [ABI].
//
// It imports mc and objabi only, so that linkers and loaders link little. The
// source of all numbers is the System V ABI, AMD64 Architecture Processor
// Supplement, sections 4.4 and 5.2; the code of the start-up is described in its
// section 3.4.1.
package elfabi
