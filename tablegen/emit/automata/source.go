package automata

import (
	"strings"

	"github.com/mirin-go/mirin/support/automaton"
	"github.com/mirin-go/mirin/tablegen/emit/gofile"
)

type writer struct{ *gofile.File }

// newWriter starts a file that has tables, or none.
func newWriter(action, pkg string, tables int) writer {
	if tables == 0 {
		return writer{gofile.New(action, pkg)}
	}
	return writer{gofile.New(action, pkg, "github.com/mirin-go/mirin/support/automaton")}
}

// AppendGo appends automata as a Go file of package pkg: for each a table, the
// type of its actions, and their list, in which an action's place is its symbol.
func AppendGo(b []byte, l []*Automaton, pkg string) ([]byte, error) {
	w := newWriter("gen-go-automata", pkg, len(l))
	for _, a := range l {
		w.Printf("\n// %sAction is an action of %s.\ntype %sAction struct {\n", a.Name, a.Name, a.Name)
		for _, f := range a.Fields {
			w.Printf("\t%s %s\n", f.Name, f.Type)
		}
		w.Printf("}\n\n// %sActions has the action of each symbol.\nvar %sActions = [...]%sAction{\n", a.Name, a.Name, a.Name)
		for _, s := range a.Symbols {
			w.Printf("\t{%s},\n", strings.Join(s, ", "))
		}
		w.Printf("}\n\n// %sSymbol returns the symbol of an action, -1 for none.\nfunc %sSymbol(a %sAction) int {\n", a.Name, a.Name, a.Name)
		w.Printf("\tfor i := range %sActions {\n\t\tif %sActions[i] == a {\n\t\t\treturn i\n\t\t}\n\t}\n\treturn -1\n}\n", a.Name, a.Name)
		w.table(a.Name, "the automaton "+a.Name, a.Table)
	}
	return w.AppendTo(b)
}

// AppendPacketizers appends packetizers as a Go file of package pkg: for each
// namespace a table, for each itinerary the symbols of its classes, and
// constants for the classes.
func AppendPacketizers(b []byte, l []*Packetizer, classes []string, pkg string) ([]byte, error) {
	w := newWriter("gen-go-dfa-packetizer", pkg, len(l))
	w.Printf("\n// The itinerary classes.\nconst (\n")
	for i, c := range classes {
		w.Printf("\tItin%s = %d\n", c, i)
	}
	w.Printf(")\n")
	for _, p := range l {
		w.table(p.Namespace+"PacketizerTable", "the packetizer of the units "+strings.Join(p.Units, ", "), p.Table)
		for _, it := range p.Itins {
			w.Printf("\n// %s%sClasses has what each class takes of %sPacketizerTable.\nvar %s%sClasses = [...]uint16{", p.Namespace, it.Name, p.Namespace, p.Namespace, it.Name)
			list16(w, it.Symbols)
			w.Printf("}\n")
		}
	}
	return w.AppendTo(b)
}

// table writes the table of an automaton.
func (w writer) table(name, what string, t *automaton.Table) {
	w.Printf("\n// %s is %s: %d states, %d symbols.\n", name, what, t.NumStates(), t.NumSymbols)
	w.Printf("var %s = automaton.Table{\n\tNumSymbols: %d,\n\tNext: []uint16{", name, t.NumSymbols)
	list16(w, t.Next)
	w.Printf("},\n\tChoices: [][]uint64{\n")
	for _, c := range t.Choices {
		w.Printf("\t\t{")
		for i, m := range c {
			if i > 0 {
				w.Printf(", ")
			}
			w.Printf("%#x", m)
		}
		w.Printf("},\n")
	}
	w.Printf("\t},\n}\n")
}

func list16(w writer, l []uint16) {
	for i, v := range l {
		if i%24 == 0 {
			w.Printf("\n\t\t")
		}
		w.Printf("%d, ", v)
	}
	if len(l) > 0 {
		w.Printf("\n\t")
	}
}
