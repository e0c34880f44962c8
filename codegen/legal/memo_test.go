package legal_test

import (
	"testing"

	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// TestMemo: what is remembered is what the table decides, of instructions that
// differ in any one thing that rules see, more of them than a memo holds.
func TestMemo(t *testing.T) {
	info, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	tab := table().Bind(func(string) bool { return true })
	f := mir.NewFunction("f", info)
	b := mir.Builder{F: f}
	b.SetBlock(f.AddBlock())
	types := []mir.LLT{s1, s8, mir.Scalar(16), s32, mir.Scalar(33), s64, mir.Scalar(65), p0, mir.Pointer(3, 32), v4s32, mir.Vector(2, s64), 0}
	var regs []mir.Operand
	for _, ty := range types {
		regs = append(regs, mir.RegOp(f.AddGenericVReg(ty), 0))
	}
	for k, x := range regs {
		b.Build(desc.G_ADD, x, x, x)
		b.Build(desc.G_SUB, x, x, x)
		b.Build(desc.G_AND, x, x, x)
		b.Build(desc.G_MUL, x, x, x) // no rules
		b.Build(desc.G_ADD, mir.ImmOp(0), x, x)
		b.Build(desc.G_ADD, x)
		for _, n := range []int64{7, 8} {
			b.Build(desc.G_SEXT_INREG, x, x, mir.ImmOp(n))
		}
		for _, y := range regs {
			b.Build(desc.G_ZEXT, x, y)
			b.Build(desc.G_FSHL, x, x, y, regs[1])
			b.Build(desc.G_FSHL, x, y, y, regs[1])
		}
		for n := range 64 {
			i := b.Build(desc.G_LOAD, x, regs[7+n&1])
			m := mir.MemOperand{Flags: mir.MemLoad, Size: int64(1 << (n >> 1 & 3)), BaseAlign: uint8(n >> 3 & 3), Order: ir.Ordering(n >> 5 * 4)}
			switch {
			case k == 0 && n < 4:
				m.Size = mir.UnknownSize
			case k == 1:
				m.Offset = 2
			case k&1 == 0:
				m.Type = types[n%len(types)]
			}
			f.SetMem(i, f.AddMem(m))
		}
	}
	var memo legal.Memo
	var q legal.Query
	n := 0
	for range 2 {
		memo.Reset(tab, info)
		for i := f.Block(b.Block).First(); i != 0; i = f.Instr(i).Next() {
			q.Set(f, i)
			if got, want := memo.Decide(f, i), tab.Decide(&q); got != want {
				t.Errorf("%+v: %v, want %v", q, got, want)
			}
			n++
		}
	}
	for _, ty := range types {
		q := legal.Query{Op: desc.G_ADD, Types: [legal.MaxTypes]mir.LLT{ty}}
		if got, want := memo.DecideType(desc.G_ADD, ty), tab.Decide(&q); got != want {
			t.Errorf("%v: %v, want %v", ty, got, want)
		}
	}
	if n < 1000 {
		t.Errorf("%d questions", n)
	}
	i := f.Block(b.Block).First()
	if n := testing.AllocsPerRun(10, func() { memo.Decide(f, i) }); n != 0 {
		t.Errorf("%v allocations a decision", n)
	}
	// Another table's decisions are others.
	none := (&legal.Builder{}).Table()
	memo.Reset(none, info)
	if d := memo.Decide(f, i); d.Act != legal.NotFound {
		t.Errorf("without rules: %v", d.Act)
	}
}
