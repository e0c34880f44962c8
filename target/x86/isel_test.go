package x86

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	emit "github.com/mirin-go/mirin/tablegen/emit/globalisel"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// iselFunc makes a function for a test: build gets the builder in the entry block.
func iselFunc(t *testing.T, build func(f *mir.Function, b *mir.Builder)) (*mir.Function, *pass.Context) {
	t.Helper()
	m, err := target.NewMachine(&Target, target.Options{Triple: "x86_64-unknown-linux-gnu"})
	if err != nil {
		t.Fatal(err)
	}
	st, err := m.Subtarget(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := mir.NewFunction("f", m.Facts)
	f.Props = mir.IsSSA | mir.Legalized
	b := &mir.Builder{F: f}
	b.SetBlock(f.AddBlock())
	build(f, b)
	return f, &pass.Context{Machine: m, Subtarget: st}
}

func selectText(t *testing.T, build func(f *mir.Function, b *mir.Builder)) string {
	t.Helper()
	f, c := iselFunc(t, build)
	if err := globalisel.RegBankSelect.Run(c, f); err != nil {
		t.Fatal(err)
	}
	if err := globalisel.InstructionSelect.Run(c, f); err != nil {
		t.Fatal(err)
	}
	var out []byte
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			out = append(globalisel.AppendInstr(out, f, i), '\n')
		}
	}
	return string(out)
}

var (
	s8  = mir.Scalar(8)
	s32 = mir.Scalar(32)
	s64 = mir.Scalar(64)
	p0  = mir.Pointer(0, 64)
)

func def(r mir.Reg) mir.Operand { return mir.RegOp(r, mir.Def) }
func use(r mir.Reg) mir.Operand { return mir.RegOp(r, 0) }

func TestSelectLoadAdd(t *testing.T) {
	got := selectText(t, func(f *mir.Function, b *mir.Builder) {
		p, x, l, k, q, sum := f.AddGenericVReg(p0), f.AddGenericVReg(s32), f.AddGenericVReg(s32), f.AddGenericVReg(s64), f.AddGenericVReg(p0), f.AddGenericVReg(s32)
		b.Build(desc.COPY, def(p), use(reg(tab.RDI)))
		b.Build(desc.COPY, def(x), use(reg(tab.ESI)))
		b.Build(desc.G_CONSTANT, def(k), f.CImm(64, 12))
		b.Build(desc.G_PTR_ADD, def(q), use(p), use(k))
		ld := b.Build(desc.G_LOAD, def(l), use(q))
		f.SetMem(ld, f.AddMem(mir.MemOperand{Type: s32, Size: 4, Flags: mir.MemLoad}))
		b.Build(desc.G_ADD, def(sum), use(x), use(l))
		b.Build(desc.COPY, def(reg(tab.EAX)), use(sum))
		b.BuildInstr(tab.RET64, mir.RegOp(reg(tab.EAX), mir.Implicit))
	})
	if !strings.Contains(got, "ADD32rm %1:gr32, %0:gr64, 1, $noreg, 12, $noreg") || strings.Contains(got, "MOV") {
		t.Errorf("load not folded:\n%s", got)
	}
}

func TestSelectCompareBranch(t *testing.T) {
	got := selectText(t, func(f *mir.Function, b *mir.Builder) {
		x, y, c, c1 := f.AddGenericVReg(s32), f.AddGenericVReg(s32), f.AddGenericVReg(s8), f.AddGenericVReg(mir.Scalar(1))
		to := f.AddBlock()
		b.Build(desc.COPY, def(x), use(reg(tab.EDI)))
		b.Build(desc.COPY, def(y), use(reg(tab.ESI)))
		b.Build(desc.G_ICMP, def(c), mir.PredOp(uint8(ir.ICmpSLT)), use(x), use(y))
		b.Build(desc.G_TRUNC, def(c1), use(c))
		b.Build(desc.G_BRCOND, use(c1), mir.BlockOp(to))
		b.Build(desc.G_BR, mir.BlockOp(to))
		f.AddSucc(b.Block, to)
	})
	want := "CMP32rr %0:gr32, %1:gr32, $eflags\nJCC_1 %bb.1, 12, $eflags\nJMP_1 %bb.1\n"
	if !strings.HasSuffix(got, want) {
		t.Errorf("got\n%swant the end\n%s", got, want)
	}
}

// TestTableIsCurrent makes the table anew: run `go generate ./target/x86` when it fails.
func TestTableIsCurrent(t *testing.T) {
	info, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	res, err := emit.FromFile(info, "X86.td", os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Err(); err != nil {
		t.Error(err)
	}
	for _, r := range res.Reports {
		if r.Severity != diag.Note {
			t.Error(r)
		}
	}
	if !bytes.Equal(res.Table.AppendBinary(nil), tab.ISel) {
		t.Error("tab/zz_isel.bin is not what X86.td says: run go generate")
	}
	// The program does not verify it: see makeSelector.
	if _, err := matchtable.Bind(tab.ISel, iselHooks(), info); err != nil {
		t.Error(err)
	}
}

// args copies the arguments of a test function: a pointer and an i32.
func ptrAndInt(f *mir.Function, b *mir.Builder) (p, x mir.Reg) {
	p, x = f.AddGenericVReg(p0), f.AddGenericVReg(s32)
	b.Build(desc.COPY, def(p), use(reg(tab.RDI)))
	b.Build(desc.COPY, def(x), use(reg(tab.ESI)))
	return p, x
}

func load(f *mir.Function, b *mir.Builder, p mir.Reg, fl mir.MemFlags) mir.Reg {
	r := f.AddGenericVReg(s32)
	i := b.Build(desc.G_LOAD, def(r), use(p))
	f.SetMem(i, f.AddMem(mir.MemOperand{Type: s32, Size: 4, Flags: mir.MemLoad | fl}))
	return r
}

func store(f *mir.Function, b *mir.Builder, v, p mir.Reg) {
	i := b.Build(desc.G_STORE, use(v), use(p))
	f.SetMem(i, f.AddMem(mir.MemOperand{Type: s32, Size: 4, Flags: mir.MemStore}))
}

func binary(f *mir.Function, b *mir.Builder, op desc.Opcode, x, y mir.Reg) mir.Reg {
	r := f.AddGenericVReg(f.TypeOf(x))
	b.Build(op, def(r), use(x), use(y))
	return r
}

// TestFoldLoads: a load becomes a memory operand only where that changes nothing.
func TestFoldLoads(t *testing.T) {
	tests := []struct {
		name  string
		build func(f *mir.Function, b *mir.Builder)
		want  string // one of the instructions
		not   string
	}{
		{"plain", func(f *mir.Function, b *mir.Builder) {
			p, x := ptrAndInt(f, b)
			b.Build(desc.COPY, def(reg(tab.EAX)), use(binary(f, b, desc.G_SUB, x, load(f, b, p, 0))))
		}, "SUB32rm", "MOV32rm"},
		{"a store between", func(f *mir.Function, b *mir.Builder) {
			p, x := ptrAndInt(f, b)
			l := load(f, b, p, 0)
			store(f, b, x, p)
			b.Build(desc.COPY, def(reg(tab.EAX)), use(binary(f, b, desc.G_SUB, x, l)))
		}, "MOV32rm", "SUB32rm"},
		{"two uses", func(f *mir.Function, b *mir.Builder) {
			p, x := ptrAndInt(f, b)
			l := load(f, b, p, 0)
			b.Build(desc.COPY, def(reg(tab.EAX)), use(binary(f, b, desc.G_SUB, x, l)))
			b.Build(desc.COPY, def(reg(tab.EDX)), use(l))
		}, "MOV32rm", "SUB32rm"},
		{"volatile", func(f *mir.Function, b *mir.Builder) {
			p, x := ptrAndInt(f, b)
			b.Build(desc.COPY, def(reg(tab.EAX)), use(binary(f, b, desc.G_SUB, x, load(f, b, p, mir.MemVolatile))))
		}, "MOV32rm", "SUB32rm"},
		{"another block", func(f *mir.Function, b *mir.Builder) {
			p, x := ptrAndInt(f, b)
			l := load(f, b, p, 0)
			next := f.AddBlock()
			b.Build(desc.G_BR, mir.BlockOp(next))
			f.AddSucc(b.Block, next)
			b.SetBlock(next)
			b.Build(desc.COPY, def(reg(tab.EAX)), use(binary(f, b, desc.G_SUB, x, l)))
		}, "MOV32rm", "SUB32rm"},
		{"invariant over a store", func(f *mir.Function, b *mir.Builder) {
			p, x := ptrAndInt(f, b)
			l := load(f, b, p, mir.MemInvariant)
			store(f, b, x, p)
			b.Build(desc.COPY, def(reg(tab.EAX)), use(binary(f, b, desc.G_SUB, x, l)))
		}, "SUB32rm", "MOV32rm"},
		{"read, change, write", func(f *mir.Function, b *mir.Builder) {
			p, x := ptrAndInt(f, b)
			store(f, b, binary(f, b, desc.G_SUB, load(f, b, p, 0), x), p)
		}, "SUB32mr %0:gr64, 1, $noreg, 0, $noreg, %1:gr32", "MOV32"},
		{"write elsewhere", func(f *mir.Function, b *mir.Builder) {
			p, x := ptrAndInt(f, b)
			q := f.AddGenericVReg(p0)
			b.Build(desc.COPY, def(q), use(reg(tab.RDX)))
			store(f, b, binary(f, b, desc.G_XOR, load(f, b, p, 0), x), q)
		}, "XOR32rm", "XOR32mr"},
		{"changed value used again", func(f *mir.Function, b *mir.Builder) {
			p, x := ptrAndInt(f, b)
			v := binary(f, b, desc.G_SUB, load(f, b, p, 0), x)
			store(f, b, v, p)
			b.Build(desc.COPY, def(reg(tab.EAX)), use(v))
		}, "MOV32mr", "SUB32mr"},
	}
	for _, tt := range tests {
		got := selectText(t, tt.build)
		if !strings.Contains(got, tt.want) || strings.Contains(got, tt.not) {
			t.Errorf("%s: want %s and no %s in\n%s", tt.name, tt.want, tt.not, got)
		}
	}
}

// TestBanks: a value that floating-point instructions use is loaded where they
// want it; one that both kinds use is copied once.
func TestBanks(t *testing.T) {
	got := selectText(t, func(f *mir.Function, b *mir.Builder) {
		p, _ := ptrAndInt(f, b)
		l := load(f, b, p, 0)
		d := binary(f, b, desc.G_FADD, l, l)
		b.Build(desc.COPY, def(reg(tab.XMM0)), use(d))
		e := binary(f, b, desc.G_FMUL, d, l)
		b.Build(desc.COPY, def(reg(tab.XMM1)), use(e))
		b.Build(desc.COPY, def(reg(tab.EAX)), use(binary(f, b, desc.G_XOR, l, l)))
	})
	for _, want := range []string{":fr32 = MOVSSrm_alt", ":gr32 = COPY %2:fr32", "XOR32rr"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestCannotSelect(t *testing.T) {
	f, c := iselFunc(t, func(f *mir.Function, b *mir.Builder) {
		r := f.AddGenericVReg(mir.Scalar(17))
		b.Build(desc.G_CONSTANT, def(r), f.CImm(17, 1))
		b.Build(desc.COPY, def(reg(tab.EAX)), use(r))
	})
	if err := globalisel.RegBankSelect.Run(c, f); err != nil {
		t.Fatal(err)
	}
	err := globalisel.InstructionSelect.Run(c, f)
	var u *target.Unsupported
	if !errors.As(err, &u) || u.Func != "f" {
		t.Errorf("error %v is no Unsupported of function f", err)
	}
}
