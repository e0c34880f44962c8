package matchtable

import (
	"math/rand/v2"
	"testing"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/mir"
)

// BenchmarkBind is what a table costs when a process starts to select.
func BenchmarkBind(b *testing.B) {
	for _, d := range realTables(b) {
		data := d.table.AppendBinary(nil)
		b.Run(d.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for range b.N {
				if _, err := Bind(data, d.hooks, d.facts); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkVerify is the verifier alone.
func BenchmarkVerify(b *testing.B) {
	d := realTables(b)[0]
	l := code.LimitsOf(d.facts)
	b.SetBytes(int64(len(d.table.Code)))
	b.ReportAllocs()
	for range b.N {
		if err := code.Verify(d.table, l); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMatch runs the tests of a real table over one function, whose
// instructions it does not replace.
func BenchmarkMatch(b *testing.B) {
	for _, d := range realTables(b) {
		b.Run(d.name, func(b *testing.B) {
			m, roots := matcher(b, d)
			b.ReportAllocs()
			for range b.N {
				for _, i := range roots {
					m.Apply(i)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(roots)), "ns/instr")
		})
	}
}

// matcher makes a matcher that refuses all rules, and instructions for it.
func matcher(t testing.TB, d damaged) (*Matcher, []mir.InstrID) {
	t.Helper()
	s, err := Bind(d.table.AppendBinary(nil), d.hooks, d.facts)
	if err != nil {
		t.Fatal(err)
	}
	f, roots := someFunction(s, x86Facts(t), rand.New(rand.NewPCG(3, 4)))
	m := &Matcher{}
	m.Allow = func(int) bool { return false }
	m.Start(s, nil, f, 0)
	return m, roots
}

// TestAllocs: matching allocates nothing.
func TestAllocs(t *testing.T) {
	for _, d := range realTables(t) {
		m, roots := matcher(t, d)
		if n := testing.AllocsPerRun(10, func() {
			for _, i := range roots {
				m.Apply(i)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", d.name, n)
		}
	}
}
