// Package gofile writes the Go files of the generators of tablegen/emit: the
// line that tells generated files, the package clause and imports, gofmt's form.
// It imports the standard library alone.
package gofile
