// Package debugvalues follows the values of variables through a finished machine
// function: a DBG_VALUE holds until the end of its block, and livedebugvalues puts
// another one at the start of every block that is entered with the value in the
// same place from wherever it is entered.
package debugvalues
