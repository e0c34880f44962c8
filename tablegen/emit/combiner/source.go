package combiner

import "github.com/mirin-go/mirin/tablegen/emit/gofile"

// AppendGo appends a Go file of package pkg that embeds the table, a file of
// the name bin beside it, as NAMETable, and that has a function NAMEFuncs,
// which gives the Go functions that the rules name.
func AppendGo(b []byte, r *Result, pkg, bin string) ([]byte, error) {
	w := gofile.New("gen-go-combiner", pkg)
	w.Printf("import (\n\t_ \"embed\"\n\n\t\"github.com/mirin-go/mirin/codegen/matchtable\"\n)\n\n")
	w.Printf("// %sTable has %d rules in %d variants.\n//\n//go:embed %s\nvar %[1]sTable []byte\n\n", r.Name, len(r.Table.Rules), r.Variants, bin)
	w.Printf("// %sFuncs are the functions that the rules name.\nfunc %[1]sFuncs() map[string]matchtable.Func {\n\treturn map[string]matchtable.Func{\n", r.Name)
	for _, f := range r.Table.Funcs {
		w.Printf("\t\t%q: %[1]s,\n", f)
	}
	w.Printf("\t}\n}\n")
	return w.AppendTo(b)
}
