package matchasm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/codegen/matchtable/code"
)

// things is a graph of one node; its operand i has the type in[i], the opcode
// 1+in[i] and is the constant in[i].
type things struct {
	matchtable.DAG
	in []int
}

func (g *things) Opcode(n matchtable.Node) int {
	if n == 0 {
		return 0
	}
	return 1 + g.in[n-1]
}
func (g *things) NumOperands(matchtable.Node) int { return len(g.in) }
func (g *things) Operand(_ matchtable.Node, i int) matchtable.Value {
	return matchtable.Value{Node: matchtable.Node(1 + i)}
}
func (g *things) Type(v matchtable.Value) int { return g.in[v.Node-1] }
func (g *things) Int(n matchtable.Node) (int64, int, bool) {
	return int64(g.in[n-1]), 64, true
}

// assemble makes a table of rules, whose names are their numbers.
func assemble(t *testing.T, rs []*Rule, apart bool) *matchtable.DAGTable {
	t.Helper()
	a := New("", code.DAG)
	a.Apart = apart
	for i := range 4 {
		a.Opcode(fmt.Sprint(i))
		a.Type(fmt.Sprint(i))
	}
	for i, r := range rs {
		r.Name, r.File, r.Recorded, r.Actions = fmt.Sprint(i), "d/f.td", 4, Encode(code.Results, 0)
		for k := range 3 {
			if len(r.Steps) > k && r.Steps[k].Op() == code.RecordOperand {
				continue // of a table before
			}
			r.Steps = slices.Insert(r.Steps, k, Test(code.RecordOperand, k+1, 0, k+1))
		}
	}
	a.Add(rs...)
	tab, err := a.Table(code.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := matchtable.BindDAG(tab.AppendBinary(nil), &matchtable.DAGHooks{
		Opcode: func(s string) int { return int(s[0] - '0') },
		Type:   func(s string) int { return int(s[0] - '0') },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run gives the rule that is found, "" for none.
func run(s *matchtable.DAGTable, in []int) string {
	var m matchtable.DAGMatcher
	m.Start(s, &things{in: in})
	n := m.Match(0)
	if n < 0 {
		return ""
	}
	return s.Rules()[n].Name
}

// typeIs, opcodeIs and valueIs are tests of a thing.
func opcodeIs(thing, v int) Step { return Keyed(1, code.CheckOpcode, thing+1, v+1) }
func typeIs(thing, v int) Step   { return Keyed(2, code.CheckType, 0, thing+1, v) }
func valueIs(thing, v int) Step  { return Number(int64(v), code.CheckConst, 0, thing+1) }

// TestOrder: the code finds, for all inputs, the first rule in order that fits,
// however rules are shared; a rule that is shadowed is found for none.
func TestOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		var rs []*Rule
		var fits []func(in []int) bool
		for range 1 + rnd.IntN(14) {
			r := &Rule{}
			var want [][2]int
			for range rnd.IntN(5) {
				thing, v := rnd.IntN(3), rnd.IntN(3)
				s := valueIs(thing, v)
				switch rnd.IntN(7) {
				case 0, 1:
					s = typeIs(thing, v)
				case 2, 3:
					s = opcodeIs(thing, v)
				case 4:
					s.Key = ""
				}
				r.Steps = append(r.Steps, s)
				want = append(want, [2]int{thing, v})
			}
			rs = append(rs, r)
			fits = append(fits, func(in []int) bool {
				for _, w := range want {
					if in[w[0]] != w[1] {
						return false
					}
				}
				return true
			})
		}
		s := assemble(t, rs, false)
		found := map[string]bool{}
		for in := range 27 {
			in := []int{in % 3, in / 3 % 3, in / 9}
			want := ""
			for i := range rs {
				if fits[i](in) {
					want = rs[i].Name
					break
				}
			}
			if got := run(s, in); got != want {
				t.Fatalf("%v: rule %q, want %q", in, got, want)
			}
			found[want] = true
		}
		for _, r := range rs {
			if r.Shadow != nil && found[r.Name] || r.Shadow != nil && r.Used {
				t.Fatalf("rule %s matches and is called shadowed", r.Name)
			}
		}
	}
}

// TestDeep: rules that would nest too deep are tried one after the other.
func TestDeep(t *testing.T) {
	const n = 2 * code.MaxTries
	var rs []*Rule
	for id := range n {
		r := &Rule{}
		for k := range n - 1 - id {
			r.Steps = append(r.Steps, valueIs(k%3, 0))
		}
		rs = append(rs, r)
	}
	for _, apart := range []bool{false, true} {
		s := assemble(t, rs, apart)
		for in, want := range map[[3]int]int{{0, 0, 0}: 0, {1, 0, 0}: n - 1, {0, 1, 0}: n - 2, {0, 0, 1}: n - 3} {
			if got := run(s, in[:]); got != fmt.Sprint(want) {
				t.Errorf("%v: rule %s, want %d", in, got, want)
			}
		}
	}
}

// TestRefuses: what does not fit in a table is an error of who makes it.
func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		r    Rule
		want string
	}{
		{Rule{Recorded: 2}, "does not record"},
		{Rule{Recorded: 1, Steps: []Step{typeIs(0, 7)}}, "no t of that number"},
		{Rule{Recorded: 1, Steps: []Step{Test(code.CheckFold, -1)}}, "not recorded"},
		{Rule{Recorded: 1, Root: 3}, "no root opcode 3"},
	} {
		a := New("", code.DAG)
		a.Opcode("op")
		c.r.Actions = Encode(code.Results, 0)
		a.Add(&c.r)
		if _, err := a.Table(code.Limits{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
