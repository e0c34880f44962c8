package globalisel

import (
	"path/filepath"
	"testing"

	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// TestSelect runs the table of the toy target, which LLVM-style patterns made,
// over generic instructions.
func TestSelect(t *testing.T) {
	res, tgt := generateToy(t, filepath.Join("..", "dagpattern", "testdata", "toy.td"))
	info := tgt.Info
	yes := func(*target.Subtarget, *mir.Function) bool { return true }
	gpr, ok := info.RegClassByName("gpr")
	if !ok {
		t.Fatal("no class GPR")
	}
	h := &matchtable.Hooks{
		Features: map[string]func(*target.Subtarget, *mir.Function) bool{"Subtarget->hasMul()": yes},
		ClassOf:  func(*target.Subtarget, mir.LLT, int16) desc.ClassID { return gpr },
	}
	s, err := matchtable.Bind(res.Table.AppendBinary(nil), h, info)
	if err != nil {
		t.Fatal(err)
	}
	s32 := mir.Scalar(32)
	for _, c := range []struct {
		op   desc.Opcode
		imm  int64 // of the second operand, 0: a register
		want string
	}{
		{desc.G_ADD, 0, "ADD"}, {desc.G_ADD, 5, "ADDI"}, {desc.G_ADD, 5000, "ADD"}, {desc.G_SHL, 31, "SHLI"}, {desc.G_SHL, 32, "SHL"},
		{desc.G_MUL, 0, "MUL"}, {desc.G_MUL, 64, "SHL"}, {desc.G_MUL, 63, "MUL"}, {desc.G_SUB, 0, "SUB"},
		// No pattern: not selected.
		{desc.G_UDIV, 0, ""},
	} {
		f := mir.NewFunction("f", info)
		b := mir.Builder{F: f, Block: f.AddBlock()}
		x, y, z := f.AddGenericVReg(s32), f.AddGenericVReg(s32), f.AddGenericVReg(s32)
		b.Build(desc.IMPLICIT_DEF, mir.RegOp(x, mir.Def))
		if c.imm == 0 {
			b.Build(desc.IMPLICIT_DEF, mir.RegOp(y, mir.Def))
		} else {
			k := f.CImm(32, uint64(c.imm))
			b.Build(desc.G_CONSTANT, mir.RegOp(y, mir.Def), k)
		}
		root := b.Build(c.op, mir.RegOp(z, mir.Def), mir.RegOp(x, 0), mir.RegOp(y, 0))
		m := &matchtable.Matcher{}
		m.Start(s, nil, f, 0)
		got := ""
		if m.Apply(root) {
			got = info.OpcodeName(f.Instr(f.Block(b.Block).Last()).Opcode)
		}
		if got != c.want {
			t.Errorf("%s with %d: %q, want %q", info.OpcodeName(c.op), c.imm, got, c.want)
		}
	}
}

// TestResults: an instruction with two results, in another order than those of
// the generic one.
func TestResults(t *testing.T) {
	res, tgt := generateToy(t, filepath.Join("..", "dagpattern", "testdata", "toy.td"))
	info := tgt.Info
	gpr, _ := info.RegClassByName("gpr")
	h := &matchtable.Hooks{
		Features: map[string]func(*target.Subtarget, *mir.Function) bool{"Subtarget->hasMul()": func(*target.Subtarget, *mir.Function) bool { return true }},
		ClassOf:  func(*target.Subtarget, mir.LLT, int16) desc.ClassID { return gpr },
	}
	s, err := matchtable.Bind(res.Table.AppendBinary(nil), h, info)
	if err != nil {
		t.Fatal(err)
	}
	f := mir.NewFunction("f", info)
	b := mir.Builder{F: f, Block: f.AddBlock()}
	var r [4]mir.Reg
	for i := range r {
		r[i] = f.AddGenericVReg(mir.Scalar(32))
	}
	b.Build(desc.IMPLICIT_DEF, mir.RegOp(r[2], mir.Def))
	b.Build(desc.IMPLICIT_DEF, mir.RegOp(r[3], mir.Def))
	root := b.Build(desc.G_SDIVREM, mir.RegOp(r[0], mir.Def), mir.RegOp(r[1], mir.Def), mir.RegOp(r[2], 0), mir.RegOp(r[3], 0))
	m := &matchtable.Matcher{}
	m.Start(s, nil, f, 0)
	if !m.Apply(root) {
		t.Fatal("G_SDIVREM is not selected")
	}
	i := f.Block(b.Block).Last()
	if n := info.OpcodeName(f.Instr(i).Opcode); n != "DIVREM" || f.Op(i, 0).Reg() != r[1] || f.Op(i, 1).Reg() != r[0] {
		t.Errorf("%s defines %v, %v", n, f.Op(i, 0).Reg(), f.Op(i, 1).Reg())
	}
}
