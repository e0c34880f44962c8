// Package objabi is what object formats and instruction sets agree on, as data
// that each target serves: an [ABI] says what every relocation computes and how
// its value is put into bytes ([Reloc]), which of them the dynamic loader
// applies ([Dynamic]), how calls reach functions that are far away ([Stub]),
// the code that a program starts with, how unwinding tables hold addresses
// ([EHEncodings]), where thread-local data lies ([TLS]), and where dynamic
// loaders and libraries are ([System]).
//
// Flow of data: target/<isa> fills in ABIs; codegen/asmprinter, link and jit
// get one from their caller and know no instruction set.
//
// The package imports mc only.
package objabi
