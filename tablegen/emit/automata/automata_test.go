package automata

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/support/automaton"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/include"
)

// parse reads a description; LLVM's include file is answered with our own.
func parse(t *testing.T, src string) *tablegen.Records {
	t.Helper()
	rs, err := tablegen.Parse(tablegen.Options{ReadFile: func(p string) ([]byte, error) {
		return include.ReadFile(nil)(strings.Replace(p, "llvm/TableGen/", "mirin/", 1))
	}}, "a.td", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

// accepts runs the nondeterministic automaton.
func accepts(choices [][]uint64, taken uint64, symbols []int) bool {
	if len(symbols) == 0 {
		return true
	}
	return slices.ContainsFunc(choices[symbols[0]], func(c uint64) bool {
		return taken&c == 0 && accepts(choices, taken|c, symbols[1:])
	})
}

// TestBruteForce: the minimal automaton accepts what the nondeterministic one
// does, for all inputs up to a length, and no two of its states accept the same.
func TestBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	runs, yes := 0, 0
	for range 400 {
		n := 1 + rnd.IntN(4)
		choices := make([][]uint64, n)
		for s := range choices {
			for range 1 + rnd.IntN(4) {
				m := uint64(rnd.IntN(1 << (2 + rnd.IntN(5))))
				if rnd.IntN(2) == 0 {
					m = 1 << rnd.IntN(6)
				}
				choices[s] = append(choices[s], m)
			}
		}
		tab, err := Determinize(choices)
		if err != nil {
			t.Fatal(err)
		}
		var all func(prefix []int)
		all = func(prefix []int) {
			m := automaton.Machine{Table: tab}
			m.Reset()
			got := true
			for _, s := range prefix {
				before, can := m.State(), m.Can(s)
				for range 2 { // once more after going back
					m.Restore(before)
					if m.Step(s) != can {
						t.Fatal("Can and Step differ")
					}
				}
				if !can {
					got = false
					break
				}
			}
			want := accepts(choices, 0, prefix)
			runs++
			if want {
				yes++
			}
			if got != want {
				t.Fatalf("%v: %v, want %v (%x)", prefix, got, want, choices)
			}
			path, ok := tab.Path(nil, prefix)
			if ok != want {
				t.Fatalf("%v: path %v, want %v (%x)", prefix, ok, want, choices)
			}
			for i, after := range path {
				before := uint64(0)
				if i > 0 {
					before = path[i-1]
				}
				if !slices.ContainsFunc(choices[prefix[i]], func(c uint64) bool { return before&c == 0 && before|c == after }) {
					t.Fatalf("%v: wrong path %x", prefix, path)
				}
			}
			if want && len(prefix) < 5 {
				for s := range n {
					all(append(slices.Clone(prefix), s))
				}
			}
		}
		all(nil)
		checkMinimal(t, tab)
	}
	t.Logf("%d inputs, %d accepted", runs, yes)
	if yes < runs/20 {
		t.Error("hardly any input is accepted")
	}
}

// checkMinimal: any two states have an input that only one accepts.
func checkMinimal(t *testing.T, tab *automaton.Table) {
	t.Helper()
	n := tab.NumStates()
	differ := make([][]bool, n)
	for i := range differ {
		differ[i] = make([]bool, n)
		for j := range n {
			differ[i][j] = (i == 0) != (j == 0)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range n {
			for j := range n {
				for s := 0; s < tab.NumSymbols && !differ[i][j]; s++ {
					if differ[tab.Next[i*tab.NumSymbols+s]][tab.Next[j*tab.NumSymbols+s]] {
						differ[i][j], changed = true, true
					}
				}
			}
		}
	}
	for i := range n {
		for j := range i {
			if !differ[i][j] {
				t.Fatalf("states %d and %d of %v are alike", i, j, tab.Next)
			}
		}
	}
}

// llvmTable reads the transitions that llvm-tblgen prints: state, action, next.
func llvmTable(t *testing.T, flag, src, re string) (string, map[string]map[string]string) {
	t.Helper()
	inc := "/usr/lib/llvm-22/include"
	if out, err := exec.Command(testenv.LLVM(t, "llvm-config"), "--includedir").Output(); err == nil {
		inc = strings.TrimSpace(string(out))
	}
	cmd := exec.Command(testenv.LLVM(t, "llvm-tblgen"), flag, "-I", inc, "-")
	cmd.Stdin = strings.NewReader(src)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Skipf("%v\n%s", err, out)
	}
	next := map[string]map[string]string{}
	for _, m := range regexp.MustCompile(re).FindAllStringSubmatch(string(out), -1) {
		if next[m[1]] == nil {
			next[m[1]] = map[string]string{}
		}
		next[m[1]][m[2]] = m[3]
	}
	return string(out), next
}

// equivalent walks two automata side by side.
func equivalent(t *testing.T, tab *automaton.Table, next map[string]map[string]string, action func(symbol int) string) {
	t.Helper()
	type pair struct {
		s uint16
		l string
	}
	seen := map[pair]bool{}
	work := []pair{{automaton.Start, "1"}}
	for len(work) > 0 {
		p := work[0]
		work = work[1:]
		if seen[p] {
			continue
		}
		seen[p] = true
		for s := range tab.NumSymbols {
			n := tab.Next[int(p.s)*tab.NumSymbols+s]
			l := next[p.l][action(s)]
			if (n == automaton.Dead) != (l == "") {
				t.Fatalf("states %d and %s, action %s: %d, LLVM %q", p.s, p.l, action(s), n, l)
			}
			if l != "" {
				work = append(work, pair{n, l})
			}
		}
	}
	if tab.NumStates()-1 > len(next)+1 {
		t.Errorf("%d states, LLVM has %d", tab.NumStates()-1, len(next)+1)
	}
	t.Logf("%d states, LLVM has %d with transitions; %d pairs", tab.NumStates()-1, len(next), len(seen))
}

const automatonHead = "include \"llvm/TableGen/Automaton.td\"\n"

// TestGenericAgainstLLVM: the automaton of llvm-tblgen accepts the same.
func TestGenericAgainstLLVM(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 6 {
		var b strings.Builder
		b.WriteString(automatonHead + `class K; def KA : K; def KB : K; def KC : K;
class Tr<K k, int n, string s, bits<32> st> : Transition { K Kind = k; int Num = n; string Str = s; let NewState = st; }
def Auto : GenericAutomaton { let TransitionClass = "Tr"; let SymbolFields = ["Kind", "Num", "Str"]; }
`)
		for range 3 + rnd.IntN(10) {
			fmt.Fprintf(&b, "def : Tr<%s, %d, %q, %d>;\n", []string{"KA", "KB", "KC"}[rnd.IntN(3)], rnd.IntN(2), []string{"x", "y"}[rnd.IntN(2)], 1+rnd.IntN(127))
		}
		l, err := Generic(parse(t, b.String()))
		if err != nil || len(l) != 1 {
			t.Fatal(err)
		}
		_, next := llvmTable(t, "-gen-automata", b.String(), `(?m)^  \{(\d+), \{(.*)\}, (\d+), \d+\},$`)
		equivalent(t, l[0].Table, next, func(s int) string {
			x := l[0].Symbols[s]
			kind, _ := strconv.Unquote(x[0])
			return kind + ", " + x[1] + ", " + x[2]
		})
	}
}

// itineraries is a random machine: units U0…, a combined one, classes C0….
func itineraries(rnd *rand.Rand, namespaces bool) string {
	var b strings.Builder
	n := 3 + rnd.IntN(3)
	var list []string
	for i := range n {
		fmt.Fprintf(&b, "def U%d : FuncUnit;\n", i)
		list = append(list, fmt.Sprintf("U%d", i))
	}
	fmt.Fprintf(&b, "def UX : FuncUnit;\ndef Combo : ComboFuncUnits<[ComboFuncData<UX, [U0, U2]>]>;\n")
	for c := range 5 {
		fmt.Fprintf(&b, "def C%d : InstrItinClass;\n", c)
	}
	fmt.Fprintf(&b, "def It : ProcessorItineraries<[%s, UX], [], [\n", strings.Join(list, ", "))
	for c := range 5 {
		var stages []string
		used := map[string]bool{}
		for range 1 + rnd.IntN(2) {
			var us []string
			for _, u := range append(slices.Clone(list), "UX") {
				// The stages of LLVM's own targets take different units.
				if rnd.IntN(3) == 0 && !used[u] {
					us = append(us, u)
					used[u] = true
				}
			}
			if len(us) == 0 && len(stages) == 0 {
				us = []string{"U1"}
				used["U1"] = true
			}
			if len(us) > 0 {
				stages = append(stages, fmt.Sprintf("InstrStage<%d, [%s]>", 1+rnd.IntN(3), strings.Join(us, ", ")))
			}
		}
		fmt.Fprintf(&b, "  InstrItinData<C%d, [%s]>,\n", c, strings.Join(stages, ", "))
	}
	b.WriteString("]>;\n")
	_ = namespaces
	return b.String()
}

// TestPacketizerAgainstLLVM: the packetizer of llvm-tblgen accepts the same.
func TestPacketizerAgainstLLVM(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 4 {
		units := itineraries(rnd, false)
		ps, classes, err := Packetizers(parse(t, "include \"mirin/Itinerary.td\"\n"+units))
		if err != nil {
			t.Logf("%v", err) // two stages of one instruction that exclude each other
			continue
		}
		src := "include \"llvm/Target/Target.td\"\ndef T : Target;\n" + units + "def P : Processor<\"p\", It, []>;\n" +
			"class I<InstrItinClass c> : Instruction { let Namespace = \"T\"; let OutOperandList = (outs); let InOperandList = (ins); let Itinerary = c; }\n"
		for c := range 5 {
			src += fmt.Sprintf("def instr%d : I<C%d>;\n", c, c)
		}
		text, next := llvmTable(t, "-gen-dfa-packetizer", src, `(?m)^  \{(\d+), (\d+), (\d+), \d+\},$`)
		_, index, _ := strings.Cut(text, "TResourceIndices[] = {")
		index, _, _ = strings.Cut(index, "}")
		var actions []string // by class: NoItinerary, C0, …
		for _, s := range strings.Split(index, ",") {
			if s = strings.TrimSpace(s); s != "" {
				actions = append(actions, s)
			}
		}
		p := ps[0]
		equivalent(t, p.Table, next, func(s int) string {
			for c, sym := range p.Itins[0].Symbols {
				if int(sym) == s+1 {
					return actions[slices.Index(append([]string{"NoItinerary"}, classes[slices.Index(classes, "C0"):]...), classes[c])]
				}
			}
			t.Fatal("no class of a symbol")
			return ""
		})
	}
}

// TestPacketizerBruteForce: packets fit exactly when units can be given out.
func TestPacketizerBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 30 {
		rs := parse(t, "include \"mirin/Itinerary.td\"\n"+itineraries(rnd, false))
		ps, classes, err := Packetizers(rs)
		if err != nil {
			continue
		}
		it := rs.Def("It")
		stages := make([][][]string, len(classes)) // units by class and stage
		for _, d := range it.DefList("IID") {
			c := slices.Index(classes, d.DefField("TheClass").Name)
			for _, st := range d.DefList("Stages") {
				var us []string
				for _, u := range st.DefList("Units") {
					us = append(us, u.Name)
				}
				stages[c] = append(stages[c], us)
			}
		}
		var fits func(need [][]string, free map[string]bool) bool
		fits = func(need [][]string, free map[string]bool) bool {
			if len(need) == 0 {
				return true
			}
			for _, u := range need[0] {
				take := []string{u}
				if u == "UX" {
					take = []string{"UX", "U0", "U2"}
				}
				if slices.ContainsFunc(take, func(x string) bool { return !free[x] }) {
					continue
				}
				for _, x := range take {
					free[x] = false
				}
				ok := fits(need[1:], free)
				for _, x := range take {
					free[x] = true
				}
				if ok {
					return true
				}
			}
			return false
		}
		for range 300 {
			p := automaton.Packetizer{Machine: automaton.Machine{Table: ps[0].Table}, Classes: ps[0].Itins[0].Symbols}
			p.Reset()
			var need [][]string
			for range 6 {
				c := rnd.IntN(len(classes))
				free := map[string]bool{"UX": true}
				for _, u := range ps[0].Units {
					free[u] = true
				}
				want := fits(append(slices.Clone(need), stages[c]...), free)
				if got := p.CanReserve(c); got != want {
					t.Fatalf("%v and %v: %v, want %v", need, stages[c], got, want)
				}
				if want {
					p.Reserve(c)
					need = append(need, stages[c]...)
				}
			}
		}
	}
}

// TestNamespaces: itineraries of one namespace share an automaton, and units of
// different itineraries do not get mixed up.
func TestNamespaces(t *testing.T) {
	ps, classes, err := Packetizers(parse(t, `include "mirin/Itinerary.td"
def A : FuncUnit; def B : FuncUnit; def X : InstrItinClass; def Y : InstrItinClass;
def I1 : ProcessorItineraries<[A], [], [InstrItinData<X, [InstrStage<1, [A]>]>]>;
def I2 : ProcessorItineraries<[B], [], [InstrItinData<X, [InstrStage<1, [B]>]>, InstrItinData<Y, []>]>;
let PacketizerNamespace = "Other" in def I3 : ProcessorItineraries<[B], [], [InstrItinData<Y, [InstrStage<1, [B]>]>]>;
`))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(classes, []string{"NoItinerary", "X", "Y"}) || len(ps) != 2 || !slices.Equal(ps[0].Units, []string{"A", "B"}) || ps[1].Namespace != "Other" {
		t.Fatalf("%v %+v", classes, ps)
	}
	if !slices.Equal(ps[0].Itins[0].Symbols, []uint16{0, 1, 0}) || !slices.Equal(ps[0].Itins[1].Symbols, []uint16{0, 2, 0}) {
		t.Errorf("%v", ps[0].Itins)
	}
	if _, err := AppendPacketizers(nil, ps, classes, "p"); err != nil {
		t.Error(err)
	}
}

// TestErrors: what is refused, where, and the way there.
func TestErrors(t *testing.T) {
	const tr = "class Tr : Transition { int S = 0; }\n"
	for src, want := range map[string]string{
		`def A : GenericAutomaton { let TransitionClass = "No"; let SymbolFields = ["S"]; }`:                                                                              "a.td:3:32: error: the class 'No' is not defined\n",
		`def A : GenericAutomaton { let SymbolFields = ["S"]; }`:                                                                                                          "a.td:3:5: error: record 'A', field 'TransitionClass' exists but does not have a string value\n",
		`def A : GenericAutomaton { let TransitionClass = "Tr"; let SymbolFields = []; }`:                                                                                 "a.td:3:60: error: SymbolFields of 'A' must name the fields of an action\n",
		`def A : GenericAutomaton { let TransitionClass = "Tr"; let SymbolFields = ["S"]; }`:                                                                              "a.td:3:32: error: there is no transition: class 'Tr' has no records\n",
		`def t : Tr { let NewState = 1; } def A : GenericAutomaton { let TransitionClass = "Tr"; let SymbolFields = ["Q"]; }`:                                             "a.td:3:5: error: transition 't' has no field 'Q', which SymbolFields of 'A' names\n",
		`def t : Tr; def A : GenericAutomaton { let TransitionClass = "Tr"; let SymbolFields = ["S"]; }`:                                                                  "a.td:3:5: error: transition 't' has no NewState\n",
		`class T2 : Transition { list<int> S = []; } def t : T2 { let NewState = 1; } def A : GenericAutomaton { let TransitionClass = "T2"; let SymbolFields = ["S"]; }`: "a.td:3:35: error: field 'S' of transition 't' must be a record, a number or a string\n",
		`multiclass M { def _t : Tr; } defm m : M; def A : GenericAutomaton { let TransitionClass = "Tr"; let SymbolFields = ["S"]; }`: "a.td:3:20: error: transition 'm_t' has no NewState\n" +
			"multiclass M { def _t : Tr; } defm m : M; def A : GenericAutomaton { let TransitionClass = \"Tr\"; let SymbolFields = [\"S\"]; }\n                   ^\na.td:3:40: note: instantiated from multiclass\n",
	} {
		_, err := Generic(parse(t, automatonHead+tr+src+"\n"))
		checkError(t, src, err, want)
	}
	const head = "include \"mirin/Itinerary.td\"\ndef A : FuncUnit; def B : FuncUnit; def X : InstrItinClass;\n"
	for src, want := range map[string]string{
		"def I : ProcessorItineraries<[A], [], [InstrItinData<X, [InstrStage<1, [B]>]>]>;":                                                                                      "error: itinerary 'I': 'X' takes the unit 'B', which FU does not list\n",
		"def I : ProcessorItineraries<[A], [], [InstrItinData<X, [InstrStage<1, [A]>, InstrStage<1, [A]>]>]>;":                                                                  "a.td:3:5: error: itinerary 'I': 'X' can never be issued: its stages take the same unit\n",
		"def I : ProcessorItineraries<[A], [], [InstrItinData<X, [InstrStage<1, [A]>]>, InstrItinData<X, [], [1]>]>;":                                                           "a.td:3:5: error: itinerary 'I' has data for 'X' twice\n",
		"foreach i = 0-64 in def V#i : FuncUnit; def I : ProcessorItineraries<!instances<FuncUnit>(), [], []>;":                                                                 "a.td:3:45: error: itinerary 'I': more than 64 functional units in one packetizer; use PacketizerNamespace\n",
		"foreach i = 0-25 in def V#i : FuncUnit; defvar V = !instances<FuncUnit>(); def I : ProcessorItineraries<V, [], [InstrItinData<X, !listsplat(InstrStage<1, V>, 13)>]>;": "a.td:3:80: error: itinerary 'I': 'X' may take its units in more than 4096 ways\n",
	} {
		_, _, err := Packetizers(parse(t, head+src+"\n"))
		checkError(t, src, err, want)
	}
}

func checkError(t *testing.T, src string, err error, want string) {
	t.Helper()
	var l diag.List
	if !errors.As(err, &l) {
		t.Errorf("%s: no error", src)
		return
	}
	if got := string(diag.AppendError(nil, "", l)); !strings.Contains(got, want) || l[0].Col == 0 || l[0].Source == "" {
		t.Errorf("%s:\n%s", src, got)
	}
}

// TestTooLarge: a blow-up ends with an error.
func TestTooLarge(t *testing.T) {
	var choices [][]uint64
	for s := range 22 {
		choices = append(choices, []uint64{1 << s, 1 << (s + 1) % (1 << 40), 1 << (s + 22)})
	}
	if _, err := Determinize(choices); err == nil {
		t.Error("no error")
	}
}
