package combiner

import (
	"strings"

	"github.com/mirin-go/mirin/tablegen/emit/gofile"
)

// AppendGo appends the combiner as a Go file of package pkg: the variable NAME
// of type combine.Table, which names the Go functions of the rules.
func AppendGo(b []byte, r *Result, pkg string) ([]byte, error) {
	imports := []string{"github.com/mirin-go/mirin/codegen/matchtable/combine"}
	if len(r.Types) > 0 {
		imports = append(imports, "github.com/mirin-go/mirin/mir")
	}
	w := gofile.New("gen-go-combiner", pkg, imports...)
	w.Printf("// %s has %d rules in %d variants.\nvar %s = combine.Table{\n\tRules: []combine.Rule{\n", r.Name, len(r.Rules), r.Variants, r.Name)
	for _, x := range r.Rules {
		w.Printf("\t\t{Name: %q, Line: %d},\n", x.Name, x.Line)
	}
	w.Printf("\t},\n\tFuncs: []combine.Func{\n")
	for _, f := range r.Funcs {
		w.Printf("\t\t%s,\n", f)
	}
	w.Printf("\t},\n")
	if len(r.Types) > 0 {
		w.Printf("\tTypes: []mir.LLT{%s},\n", strings.Join(r.Types, ", "))
	}
	w.Printf("\tRoots: []combine.Root{\n")
	for _, x := range r.Roots {
		w.Printf("\t\t{Opcode: %d, Offset: %d}, // %s\n", x.Opcode, x.Offset, x.Name)
	}
	w.Printf("\t},\n\tCode: []int32{")
	next := 0
	col := 0
	for i, v := range r.Code {
		if next < len(r.Roots) && int(r.Roots[next].Offset) == i {
			w.Printf("\n\t\t// %s\n\t\t", r.Roots[next].Name)
			next++
			col = 0
		}
		if col == 24 {
			w.Printf("\n\t\t")
			col = 0
		}
		w.Printf("%d, ", v)
		col++
	}
	w.Printf("\n\t},\n}\n")
	return w.AppendTo(b)
}
