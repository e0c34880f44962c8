package automata

import (
	"math/rand/v2"
	"testing"

	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/include"
)

// FuzzAutomata: no text makes the generators panic.
func FuzzAutomata(f *testing.F) {
	f.Add(`class T<int n, bits<32> st> : Transition { int A = n; let NewState = st; } def : T<1, 1>; def : T<1, 2>; def : T<2, 3>;
def Auto : GenericAutomaton { let TransitionClass = "T"; let SymbolFields = ["A"]; }`)
	f.Add(itineraries(rand.New(rand.NewPCG(1, 1)), false))
	f.Fuzz(func(t *testing.T, src string) {
		rs, err := tablegen.Parse(tablegen.Options{MaxSteps: 100000, ReadFile: include.ReadFile(nil)}, "f.td", []byte("include \"mirin/Automaton.td\"\ninclude \"mirin/Itinerary.td\"\n"+src))
		if err != nil {
			return
		}
		if l, err := Generic(rs); err == nil {
			AppendGo(nil, l, "p")
		}
		if l, classes, err := Packetizers(rs); err == nil {
			AppendPacketizers(nil, l, classes, "p")
		}
	})
}
