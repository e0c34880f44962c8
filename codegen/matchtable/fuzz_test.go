package matchtable

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// damaged is a real table whose code a test damages.
type damaged struct {
	name  string
	table *code.Table
	hooks *Hooks
	facts *desc.Info
}

// realTables are those of the project's own target and combiner, with hooks
// that say yes.
func realTables(t testing.TB) []damaged {
	t.Helper()
	info := x86Facts(t)
	var out []damaged
	for _, x := range []struct {
		file  string
		facts *desc.Info
	}{{"target/x86/tab/zz_isel.bin", info}, {"codegen/globalisel/zz_combine.bin", nil}} {
		data, err := os.ReadFile(filepath.Join(testenv.Root(t), x.file))
		if err != nil {
			t.Fatal(err)
		}
		tab, err := code.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, damaged{filepath.Base(x.file), tab, yes(tab), x.facts})
	}
	return out
}

// yes makes hooks for all that a table names.
func yes(t *code.Table) *Hooks {
	h := &Hooks{Instr: map[string]func(*Matcher, mir.InstrID) bool{}, Const: map[string]func(int64) bool{},
		Complex: map[string]func(*Matcher, mir.Reg) bool{}, Xforms: map[string]func(*Matcher, mir.InstrID, int){},
		Features: map[string]func(*target.Subtarget, *mir.Function) bool{}, Funcs: map[string]Func{},
		ClassOf: classOf, BuildConst: func(b *mir.Builder, r mir.Reg, v int64) {
			b.Build(desc.G_CONSTANT, mir.RegOp(r, mir.Def), b.F.CImm(64, uint64(v)))
		},
		ConstOf: func(f *mir.Function, r mir.Reg) (int64, bool) { return int64(r) & 3, true }}
	for _, n := range t.Hooks {
		h.Instr[n] = func(*Matcher, mir.InstrID) bool { return true }
	}
	for _, n := range t.ConstHooks {
		h.Const[n] = func(int64) bool { return true }
	}
	for _, c := range t.Complex {
		h.Complex[c.Name] = func(m *Matcher, r mir.Reg) bool {
			m.Render(mir.RegOp(r, 0))
			for range c.NumOps - 1 {
				m.Render(mir.ImmOp(1))
			}
			return true
		}
	}
	for _, n := range t.Xforms {
		h.Xforms[n] = func(m *Matcher, _ mir.InstrID, _ int) { m.Add(mir.ImmOp(2)) }
	}
	for i := range t.Features { // conditions on a subtarget become hooks: there is none here
		t.Features[i].Hook = true
		h.Features[t.Features[i].Name] = func(*target.Subtarget, *mir.Function) bool { return true }
	}
	for _, n := range t.Funcs {
		h.Funcs[n] = func(m *Matcher, a []Arg) bool {
			for _, x := range a {
				if x.Data != nil {
					*x.Data = Data{Reg: mir.VReg(0), Int: 3}
				}
			}
			return true
		}
	}
	return h
}

// someFunction makes an instruction of each opcode that has rules, with
// operands of any kind.
func someFunction(s *Table, info *desc.Info, rnd *rand.Rand) (*mir.Function, []mir.InstrID) {
	f := mir.NewFunction("f", info)
	b := mir.Builder{F: f}
	b.SetBlock(f.AddBlock())
	types := []mir.LLT{mir.Scalar(1), mir.Scalar(8), mir.Scalar(32), mir.Scalar(64), mir.Pointer(0, 64), mir.Vector(4, mir.Scalar(32))}
	reg := func() mir.Reg { return f.AddGenericVReg(types[rnd.IntN(len(types))]) }
	regs := []mir.Reg{reg()}
	for range 8 {
		r := reg()
		b.Build(desc.G_CONSTANT, mir.RegOp(r, mir.Def), f.CImm(32, uint64(rnd.IntN(5))))
		regs = append(regs, r)
	}
	var roots []mir.InstrID
	for op := range desc.FirstTargetOpcode {
		if !s.HasRules(op) {
			continue
		}
		d := info.Instr(op)
		var ops []mir.Operand
		for k := range int(d.NumOperands) {
			switch {
			case k < int(d.NumDefs):
				r := reg()
				regs = append(regs, r)
				ops = append(ops, mir.RegOp(r, mir.Def))
			case rnd.IntN(6) == 0:
				ops = append(ops, mir.PredOp(uint8(32+rnd.IntN(10))))
			case rnd.IntN(6) == 0:
				ops = append(ops, mir.ImmOp(int64(rnd.IntN(3))))
			default:
				ops = append(ops, mir.RegOp(regs[rnd.IntN(len(regs))], 0))
			}
		}
		roots = append(roots, b.Build(op, ops...))
	}
	return f, roots
}

// tryDamaged binds a damaged table, and runs it on a function where it is not
// refused. It reports whether it was not.
func tryDamaged(t *testing.T, d damaged, c []byte, rnd *rand.Rand) bool {
	t.Helper()
	tab := *d.table
	tab.Code = c
	s, err := Bind(tab.AppendBinary(nil), d.hooks, d.facts)
	if err != nil {
		return false
	}
	f, roots := someFunction(s, x86Facts(t), rnd)
	m := &Matcher{}
	m.Start(s, nil, f, 0)
	for _, i := range roots {
		m.Apply(i)
	}
	return true
}

// TestDamagedTables: a real table, however it is damaged, is refused or runs
// without leaving its code, its lists or the matcher's memory.
func TestDamagedTables(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 100
	}
	for _, d := range realTables(t) {
		if !tryDamaged(t, d, d.table.Code, rand.New(rand.NewPCG(1, 1))) {
			t.Fatalf("%s is refused as it is", d.name)
		}
		ran := 0
		for k := range n {
			rnd := rand.New(rand.NewPCG(2, uint64(k)))
			c := append([]byte(nil), d.table.Code...)
			for range 1 + rnd.IntN(3) {
				damage(c, rnd)
			}
			if tryDamaged(t, d, c, rnd) {
				ran++
			}
		}
		t.Logf("%s: %d of %d damaged tables are refused", d.name, n-ran, n)
		if ran == 0 || ran == n {
			t.Errorf("%s: %d of %d damaged tables run: the test shows nothing", d.name, ran, n)
		}
	}
}

// TestDamagedHeaders: a damaged header is refused or bound, its debug section
// given or not, without a panic.
func TestDamagedHeaders(t *testing.T) {
	for _, d := range realTables(t) {
		data := d.table.AppendBinary(nil)
		n := len(data) - len(d.table.Code)
		for i := 0; i < n; i += 1 + n/400 {
			b := append([]byte(nil), data...)
			b[i] ^= 1 << (i % 8)
			if s, err := Bind(b, d.hooks, d.facts); err == nil {
				for k := range s.Rules() {
					s.RuleSource(k)
				}
			}
			if _, err := Bind(data[:i], d.hooks, d.facts); err == nil {
				t.Errorf("%s: %d bytes of it are bound", d.name, i)
			}
		}
	}
}

// damage changes the code at one place.
func damage(c []byte, rnd *rand.Rand) {
	i := rnd.IntN(len(c))
	switch rnd.IntN(4) {
	case 0:
		c[i] ^= 1 << rnd.IntN(8)
	case 1:
		c[i] += byte(1 - 2*rnd.IntN(2))
	case 2:
		c[i] = byte(rnd.IntN(256))
	default: // a piece of the code stands somewhere else
		n := 1 + rnd.IntN(8)
		j := rnd.IntN(len(c))
		copy(c[i:], append([]byte(nil), c[j:min(j+n, len(c))]...))
	}
}

// FuzzCode: pairs of a place and a byte to put there damage a real table.
func FuzzCode(f *testing.F) {
	tables := realTables(f)
	f.Add([]byte{0, 0, 1, 9, 2, 3, 4, 5})
	f.Add([]byte{1, 0, 2, 200})
	f.Fuzz(func(t *testing.T, edits []byte) {
		if len(edits) == 0 {
			return
		}
		d := tables[int(edits[0])%len(tables)]
		c := append([]byte(nil), d.table.Code...)
		for e := edits[1:]; len(e) >= 4; e = e[4:] {
			c[int(binary.LittleEndian.Uint32(append([]byte{0}, e[:3]...))>>8)%len(c)] = e[3]
		}
		tryDamaged(t, d, c, rand.New(rand.NewPCG(1, 2)))
	})
}
