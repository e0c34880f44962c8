package matchtable

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// asWritten walks the rules of a root without what merge does: the rules whose tests hold, in order.
func asWritten(m *Matcher, op desc.Opcode) []int {
	t := treeReader{t: m.T}
	t.read(int(m.T.roots[op]-1), m.T.rootEnd(op))
	var rules []int
	for at := uint32(1); at != 0; {
		r := &t.rows[at]
		switch r.op {
		case code.SwitchOpcode, code.SwitchType:
			key := noType
			if r.op == code.SwitchOpcode {
				key = uint64(m.F.Instr(m.insns[r.insn]).Opcode)
			} else if reg, ok := m.regOf(r.insn, r.opn); ok {
				key = typeKey(m.F.TypeOf(reg))
			}
			at = r.fail
			for _, c := range t.cases[r.x : r.x+r.n] {
				if c.key == key {
					at = c.to
					break
				}
			}
		case code.Accept:
			rules = append(rules, int(r.x))
			at = r.fail
		default:
			if m.holds(&t.tree, r) {
				at = r.next
			} else {
				at = r.fail
			}
		}
	}
	return rules
}

// moody makes hooks that accept some of what they are asked about, by what it is.
func moody(h *Hooks) *Hooks {
	n := uint32(0)
	mood := func() func(x uint32) bool {
		n++
		k := n
		return func(x uint32) bool { return (x*2654435761+k*40503)>>13&3 != 0 }
	}
	for name := range h.Instr {
		ok := mood()
		h.Instr[name] = func(_ *Matcher, i mir.InstrID) bool { return ok(uint32(i)) }
	}
	for name := range h.Const {
		ok := mood()
		h.Const[name] = func(v int64) bool { return ok(uint32(v)) }
	}
	for name, match := range h.Complex {
		ok := mood()
		h.Complex[name] = func(m *Matcher, r mir.Reg) bool { return ok(uint32(r.Index())) && match(m, r) }
	}
	return h
}

// deepFunction makes instructions whose operands are results of others, of few
// types, in one bank, with memory where opcodes have it: many patterns match them in part.
func deepFunction(s *Table, info *desc.Info, rnd *rand.Rand) (*mir.Function, []mir.InstrID) {
	f := mir.NewFunction("f", info)
	b := mir.Builder{F: f}
	b.SetBlock(f.AddBlock())
	ops := []desc.Opcode{desc.G_CONSTANT, desc.G_CONSTANT, desc.G_LOAD, desc.G_LOAD, desc.G_ADD, desc.G_SUB, desc.G_AND, desc.G_OR,
		desc.G_XOR, desc.G_SHL, desc.G_LSHR, desc.G_ZEXT, desc.G_SEXT, desc.G_TRUNC, desc.G_ICMP, desc.G_PTR_ADD, desc.G_STORE, desc.G_BRCOND,
		desc.G_SELECT, desc.G_MUL, desc.G_FADD, desc.G_FCMP}
	for op := range desc.FirstTargetOpcode {
		if s.HasRules(op) {
			ops = append(ops, op)
		}
	}
	byType := map[mir.LLT][]mir.Reg{}
	values := []mir.LLT{mir.Scalar(8), mir.Scalar(32), mir.Scalar(64)}
	reg := func(t mir.LLT) mir.Reg {
		r := f.AddGenericVReg(t)
		f.VReg(r).Bank = int16(rnd.IntN(8) / 7)
		byType[t] = append(byType[t], r)
		return r
	}
	var roots []mir.InstrID
	for range 400 {
		op := ops[rnd.IntN(len(ops))]
		var types [6]mir.LLT
		for k := range types {
			types[k] = values[(rnd.IntN(3)+k)%3]
		}
		switch op {
		case desc.G_LOAD, desc.G_STORE, desc.G_ZEXTLOAD, desc.G_SEXTLOAD:
			types[1] = mir.Pointer(0, 64)
		case desc.G_PTR_ADD:
			types[0], types[1] = mir.Pointer(0, 64), mir.Scalar(64)
		case desc.G_ICMP, desc.G_FCMP, desc.G_BRCOND:
			types[0] = mir.Scalar(8)
		case desc.G_SHL, desc.G_LSHR, desc.G_ASHR, desc.G_SELECT:
			types[1] = mir.Scalar(8)
		}
		infos := info.Operands(op)
		defs := int(info.Instr(op).NumDefs)
		var list []mir.Operand
		for k := range infos {
			ty := infos[k].GenericTypeIndex()
			switch {
			case k < defs:
				list = append(list, mir.RegOp(reg(types[max(ty, 0)]), mir.Def))
			case ty >= 0:
				t := types[ty]
				if len(byType[t]) == 0 {
					b.Build(desc.G_IMPLICIT_DEF, mir.RegOp(reg(t), mir.Def))
				}
				have := byType[t]
				list = append(list, mir.RegOp(have[len(have)-1-rnd.IntN(min(len(have), 6))], 0))
			case op == desc.G_CONSTANT:
				list = append(list, f.CImm(types[0].ScalarBits(), uint64(rnd.IntN(5)-2)))
			case op == desc.G_ICMP:
				list = append(list, mir.PredOp(uint8(32+rnd.IntN(10))))
			case op == desc.G_FCMP:
				list = append(list, mir.PredOp(uint8(rnd.IntN(16))))
			case op == desc.G_BRCOND || op == desc.G_BR:
				list = append(list, mir.BlockOp(b.Block))
			default:
				list = append(list, mir.ImmOp(int64(rnd.IntN(3))))
			}
		}
		i := b.Build(op, list...)
		if d := info.Instr(op); d.MayLoad() || d.MayStore() {
			f.SetMem(i, f.AddMem(mir.MemOperand{Size: int64(types[0].Bytes())}))
		}
		if s.HasRules(op) {
			roots = append(roots, i)
		}
	}
	return f, roots
}

// TestTree: a tree finds the rules that the table has as it is written, in their
// order, whatever was left out on the way; so does a damaged table's. All rules
// are refused, so that each is left for the next.
func TestTree(t *testing.T) {
	for _, d := range realTables(t) {
		d.hooks = moody(d.hooks)
		rules, found := 0, map[int]bool{}
		for seed := range uint64(30) {
			rnd := rand.New(rand.NewPCG(7, seed))
			tab := *d.table
			tab.Code = slices.Clone(tab.Code)
			s, err := Bind(tab.AppendBinary(nil), d.hooks, d.facts)
			for n := 0; err == nil && seed%2 == 1 && n < 20; n++ {
				was := slices.Clone(tab.Code)
				damage(tab.Code, rnd)
				if x, err := Bind(tab.AppendBinary(nil), d.hooks, d.facts); err == nil {
					s = x
				} else {
					tab.Code = was
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			f, roots := deepFunction(s, x86Facts(t), rnd)
			var got []int
			m := &Matcher{}
			m.Allow = func(rule int) bool { got = append(got, rule); return false }
			m.Start(s, nil, f, 0)
			for _, i := range roots {
				got = got[:0]
				m.Apply(i)
				want := asWritten(m, f.Instr(i).Opcode)
				if !slices.Equal(got, want) {
					t.Fatalf("%s, seed %d: %s: rules %v, want %v", d.name, seed, f.Facts.OpcodeName(f.Instr(i).Opcode), got, want)
				}
				for _, r := range want {
					found[r] = true
				}
				rules += len(want)
			}
		}
		t.Logf("%s: %d rules matched, %d different ones", d.name, rules, len(found))
		if rules == 0 {
			t.Errorf("%s: no rule matched", d.name)
		}
	}
}

// BenchmarkTrees is what all trees of a table cost to make; a program needs few.
func BenchmarkTrees(b *testing.B) {
	for _, d := range realTables(b) {
		s, err := Bind(d.table.AppendBinary(nil), d.hooks, d.facts)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(d.name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				for op := range s.roots {
					if s.roots[op] != 0 {
						s.trees[op].Store(nil)
						s.treeOf(desc.Opcode(op))
					}
				}
			}
		})
	}
}
