// Package oddwidth makes programs for tests of the legalizer: every operation of
// IR on integers and on vectors of widths that no machine has, with a result
// that package interp and the machine must agree on.
//
// The package imports the standard library alone.
package oddwidth
