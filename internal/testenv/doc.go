// Package testenv finds what tests may use when it is there: the shared
// material beside the checkout and an installed LLVM. It imports the standard
// library only.
package testenv
