package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is an expression and, once it was asked for, its compiled form. A
// package-level variable of it costs nothing at start:
//
//	var word = lazyregexp.Regexp{Expr: `\w+`}
//	… word.Get().FindString(s)
type Regexp struct {
	Expr string

	once sync.Once
	re   *regexp.Regexp
}

// Get compiles the expression on the first call; it panics when it is not valid.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(r.Expr) })
	return r.re
}
