// Package predicatecode evaluates the C++ conditions on immediates that LLVM's .td
// files hold: return isInt<12>(Imm) && Imm != 0; and the like.
//
// Parse takes the body of a predicate; Expr.Match asks it about a value. What
// is not of the closed forms that the package knows is an error that says so,
// and has to become a Go function instead. Arithmetic follows C++: types of 32
// and 64 bits, signed and unsigned, with the usual conversions.
//
// The package imports the standard library only, so that both the generators
// of selector tables and their interpreters can use it.
package predicatecode
