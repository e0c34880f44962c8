// Package ssaopt holds the machine passes between instruction selection and
// register allocation: finalize-isel, and the optimisations over machine code
// in SSA form; and, beside those, what hoists, sinks and finds equal instructions
// after it: machinelicm, postra-machine-sink, machine-latecleanup. A pass a file; the
// package imports codegen/pass and below.
package ssaopt
