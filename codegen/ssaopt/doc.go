// Package ssaopt holds the machine passes between instruction selection and
// register allocation: finalize-isel, and the optimisations over machine code
// in SSA form. A pass a file; the package imports codegen/pass and below.
package ssaopt
