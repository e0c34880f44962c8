package main

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestAppendGoTable: the constant that is written is the bytes of the table.
func TestAppendGoTable(t *testing.T) {
	var all []byte
	for i := range 600 {
		all = append(all, byte(i*7))
	}
	for _, data := range [][]byte{nil, []byte("a\"b\\c\n"), all, []byte("\x0a1\xffé")} {
		src := appendGoTable([]byte("package p\n\n"), "Table", data)
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "t.go", src, 0)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		pkg, err := new(types.Config).Check("p", fset, []*ast.File{f}, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		if got := constant.StringVal(pkg.Scope().Lookup("Table").(*types.Const).Val()); got != string(data) {
			t.Errorf("%q, want %q", got, data)
		}
	}
}
