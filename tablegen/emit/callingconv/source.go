package callingconv

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen/emit/gofile"
)

// AppendGo appends the table as a Go file of package pkg: constants with the
// numbers of conventions and of lists of saved registers, and the table itself
// in the variable CallConv.
func AppendGo(b []byte, t *desc.CCTable, pkg string) ([]byte, error) {
	w := gofile.New("gen-go-callingconv", pkg, "github.com/mirin-go/mirin/desc")
	w.WriteString("// The calling conventions, indices into CallConv.Convs.\nconst (\n")
	for k := range t.Convs {
		w.Printf("\t%s = %d\n", t.Convs[k].Name, k)
	}
	w.WriteString(")\n\n")
	if len(t.Saved) > 0 {
		w.WriteString("// The lists of callee-saved registers, indices into CallConv.Saved.\nconst (\n")
		for k := range t.Saved {
			w.Printf("\t%s = %d\n", t.Saved[k].Name, k)
		}
		w.WriteString(")\n\n")
	}
	w.WriteString("// CallConv holds the calling conventions.\nvar CallConv = desc.CCTable{\n\tConvs: []desc.CCDesc{\n")
	for _, c := range t.Convs {
		w.Printf("\t\t{Name: %q, Code: %d},\n", c.Name, c.Code)
	}
	w.WriteString("\t},\n\tCode: []uint16{")
	next := 0
	for i, v := range t.Code {
		for next < len(t.Convs) && int(t.Convs[next].Code) == i {
			w.Printf("\n\t\t// %s\n\t\t", t.Convs[next].Name)
			next++
		}
		w.Printf("%d, ", v)
		if i%24 == 23 {
			w.WriteString("\n\t\t")
		}
	}
	w.WriteString("\n\t},\n\tSaved: []desc.CCSavedDesc{\n")
	for _, s := range t.Saved {
		w.Printf("\t\t{Name: %q, Regs: %d, NumRegs: %d, NumOther: %d},\n", s.Name, s.Regs, s.NumRegs, s.NumOther)
	}
	w.WriteString("\t},\n\tRegs: []desc.PhysReg{")
	for i, r := range t.Regs {
		if i%24 == 0 {
			w.WriteString("\n\t\t")
		}
		w.Printf("%d, ", r)
	}
	w.Printf("\n\t},\n\tPreds: %#v,\n\tCustoms: %#v,\n}\n", t.Preds, t.Customs)
	return w.AppendTo(b)
}
