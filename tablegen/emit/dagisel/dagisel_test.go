package dagisel

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
)

const llvmInclude = "/usr/include/llvm-22"

func toy(t *testing.T) *dagpattern.Set { return patterns(t, "toy.td") }

func patterns(t *testing.T, name string) *dagpattern.Set {
	t.Helper()
	if _, err := os.Stat(llvmInclude + "/llvm/Target/Target.td"); err != nil {
		t.Skip("LLVM's .td files are not installed")
	}
	file := filepath.Join("..", "dagpattern", "testdata", name)
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rs, err := tablegen.Parse(tablegen.Options{IncludeDirs: []string{llvmInclude}, ReadFile: os.ReadFile}, file, src)
	if err != nil {
		t.Fatal(err)
	}
	p, err := dagpattern.Read(rs)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// hooks accept everything that a table asks for.
func hooks(d *fakeDAG, tab *code.Table) *matchtable.DAGHooks {
	h := &matchtable.DAGHooks{Preds: map[string]func(*matchtable.DAGMatcher, matchtable.Value, []matchtable.Value) bool{},
		Complex: map[string]func(*matchtable.DAGMatcher, matchtable.Value) bool{}, Xforms: map[string]func(*matchtable.DAGMatcher, matchtable.Value) matchtable.Value{},
		Features: func(string) (bool, bool) { return true, true },
		Opcode:   func(s string) int { return d.num(s) }, Type: func(s string) int { return d.num("MVT " + s) }, Pointer: "i32"}
	for _, p := range tab.Preds {
		h.Preds[p.Hook] = func(*matchtable.DAGMatcher, matchtable.Value, []matchtable.Value) bool { return true }
	}
	for _, c := range tab.Complex {
		h.Complex[c.Name] = func(m *matchtable.DAGMatcher, v matchtable.Value) bool {
			for range c.NumOps {
				m.Render(v)
			}
			text := d.nodes[v.Node].text
			return strings.HasPrefix(text, "$") && (c.Name != "SelectShifted" || text == "$s")
		}
	}
	for _, x := range tab.Xforms {
		h.Xforms[x] = func(m *matchtable.DAGMatcher, v matchtable.Value) matchtable.Value {
			return d.add(fakeNode{op: "xform", text: x + "(" + d.show(v) + ")"})
		}
	}
	return h
}

func bind(t *testing.T, d *fakeDAG, tab *code.Table) *matchtable.DAGTable {
	t.Helper()
	s, err := matchtable.BindDAG(tab.AppendBinary(nil), hooks(d, tab))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// flatTable codes the rules one after the other, without sharing tests: the
// order of the patterns is that of the code.
func flatTable(t *testing.T, p *dagpattern.Set) *code.Table {
	t.Helper()
	g := newGenerator(p)
	g.Apart = true
	if err := g.assemble(); err != nil {
		t.Fatal(err)
	}
	return g.res.Table
}

// table makes the table of patterns.
func table(t *testing.T, p *dagpattern.Set) *Result {
	t.Helper()
	res, err := Generate(p)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestFirstInOrder selects the graph of each pattern's source, with several
// constants, and holds the choice to that of the list of patterns gone through
// in order.
func TestFirstInOrder(t *testing.T) {
	for _, name := range []string{"toy.td", "modes.td"} {
		t.Run(name, func(t *testing.T) { firstInOrder(t, patterns(t, name)) })
	}
}

func firstInOrder(t *testing.T, p *dagpattern.Set) {
	res := table(t, p)
	for _, s := range res.Skipped {
		t.Logf("%s:%d: %s: %s", s.File, s.Line, s.Name, s.Reason)
	}
	flat := flatTable(t, p)
	matched, graphs := 0, 0
	for _, x := range p.Patterns {
		for _, c := range []int64{0, 5, -1, 65535, 1 << 20} {
			d := newFake()
			g := &grapher{d: d, p: p, ptr: "i32", names: map[string]matchtable.Value{}, ints: func(*dagpattern.Node) int64 { return c }}
			root := g.build(x.Src)
			var a, b matchtable.DAGMatcher
			a.Start(bind(t, d, res.Table), d)
			b.Start(bind(t, d, flat), d)
			i, j := a.Match(root.Node), b.Match(root.Node)
			graphs++
			switch {
			case i < 0 != (j < 0):
				t.Errorf("%sconstant %d: shared %d, flat %d", p.AppendPattern(nil, x), c, i, j)
			case i >= 0:
				matched++
				if r, q := res.Table.Rules[i], flat.Rules[j]; r.Line != q.Line || r.Name != q.Name || r.Priority != q.Priority {
					t.Errorf("%sconstant %d: line %d, in order line %d", p.AppendPattern(nil, x), c, r.Line, q.Line)
				}
			}
		}
	}
	t.Logf("%d patterns, %d rules, %d bytes (%d flat), %d of %d graphs selected", res.Patterns, res.Rules, len(res.Table.Code), len(flat.Code), matched, graphs)
	if matched < graphs/2 {
		t.Error("too few graphs are selected")
	}
}

// TestSelect shows results as they come out.
func TestSelect(t *testing.T) {
	p := toy(t)
	res := table(t, p)
	want := map[string]string{
		"ADD":    "(ADD $a, $b)",
		"ADDI":   "(ADDI $a, 5)",
		"LW":     "(LW $p, $p, ch, mem) chain (LW $p, $p, ch, mem):1",
		"INCM":   "chain (INCM $p, $p, ch, mem)",
		"SEL":    "(SEL $a, $b, glue)",
		"DIVREM": "(DIVREM $a, $b):1 (DIVREM $a, $b)",
		"ADDC":   "(ADDC $a, $b) (ADDC $a, $b):1",
		"SW":     "chain (SW $v, $p, $p, ch, mem)",
		"IO":     "(IO $a, 5, ch) chain (IO $a, 5, ch):1",
		"CRC":    "(CRC $a, $b)",
		"VNOT":   "(VNOT $a)",
		"RET":    "chain (RET, ch)",
		"CALL":   "chain (CALL $f, ch)",
	}
	for _, x := range p.Patterns {
		w, ok := want[x.Record.Name]
		if !ok {
			continue
		}
		delete(want, x.Record.Name)
		d := newFake()
		g := &grapher{d: d, p: p, ptr: "i32", names: map[string]matchtable.Value{}, ints: func(*dagpattern.Node) int64 { return 5 }}
		root := g.build(x.Src)
		var m matchtable.DAGMatcher
		m.Start(bind(t, d, res.Table), d)
		sel, ok := m.Select(root.Node)
		if !ok {
			t.Errorf("%s is not selected", x.Record.Name)
			continue
		}
		var got []string
		for _, v := range sel.Values {
			got = append(got, d.show(v))
		}
		if sel.Chain != matchtable.NoValue {
			got = append(got, "chain "+d.show(sel.Chain))
		}
		if s := strings.Join(got, " "); s != w {
			t.Errorf("%s: %s, want %s", x.Record.Name, s, w)
		}
	}
	for n := range want {
		t.Errorf("no pattern of %s", n)
	}
}

func TestHooks(t *testing.T) {
	res := table(t, toy(t))
	var got []string
	for _, h := range res.Hooks {
		got = append(got, h.Kind+" "+h.Name)
	}
	want := "complex pattern SelectAddr,complex pattern SelectShifted,predicate addsmall,predicate fmul_contract,predicate or_is_add,transformation HI16,transformation LO16,transformation NEG"
	if s := strings.Join(got, ","); s != want {
		t.Errorf("hooks: %s", s)
	}
	for _, q := range res.Table.Preds {
		if q.Name == "fpzero" && (!q.Float || q.Bits != 0) {
			t.Error("fpzero is no constant")
		}
	}
}

// TestBind: a table whose functions are missing is refused, with all names.
func TestBind(t *testing.T) {
	d := newFake()
	res := table(t, toy(t))
	h := hooks(d, res.Table)
	delete(h.Complex, "SelectAddr")
	delete(h.Xforms, "HI16")
	_, err := matchtable.BindDAG(res.Table.AppendBinary(nil), h)
	if err == nil || !strings.Contains(err.Error(), `"SelectAddr"`) || !strings.Contains(err.Error(), `"HI16"`) {
		t.Errorf("error: %v", err)
	}
}

// TestDamaged: a damaged table is refused or runs without a panic.
func TestDamaged(t *testing.T) {
	p := toy(t)
	tab := table(t, p).Table
	data := tab.AppendBinary(nil)
	for i := range data {
		if i%7 == 0 {
			_, _ = code.Decode(data[:i])
		}
	}
	whole := len(data) - len(tab.Code)
	ran, n := 0, 4000
	for k := range n {
		rnd := rand.New(rand.NewPCG(1, uint64(k)))
		b := append([]byte(nil), data...)
		for range 1 + rnd.IntN(2) {
			b[whole+rnd.IntN(len(tab.Code))] = byte(rnd.IntN(160))
		}
		d := newFake()
		s, err := matchtable.BindDAG(b, hooks(d, tab))
		if err != nil {
			continue
		}
		ran++
		g := &grapher{d: d, p: p, ptr: "i32", names: map[string]matchtable.Value{}, ints: func(*dagpattern.Node) int64 { return 5 }}
		root := g.build(p.Patterns[rnd.IntN(len(p.Patterns))].Src)
		var m matchtable.DAGMatcher
		m.Start(s, d)
		m.Select(root.Node)
	}
	t.Logf("%d of %d damaged tables are refused", n-ran, n)
	if ran == 0 || ran == n {
		t.Error("the test shows nothing")
	}
}
