package bpf

import (
	"os"
	"slices"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
	"github.com/mirin-go/mirin/tablegen/include"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

// wrongInLLVM are sizes of LLVM's that are not those of what it writes.
var wrongInLLVM = map[string]bool{"LD_imm64": true, "LD_pseudo": true}

// described is what BPF.td says.
func described() (*desc.Info, error) {
	src, err := os.ReadFile("BPF.td")
	if err != nil {
		return nil, err
	}
	rs, err := tablegen.Parse(tablegen.Options{ReadFile: include.ReadFile(os.ReadFile)}, "BPF.td", src)
	if err != nil {
		return nil, err
	}
	td, err := targetinfo.Build(rs, targetinfo.Options{})
	if err != nil {
		return nil, err
	}
	return td.Info, nil
}

// TestFacts holds BPF.td to what LLVM says of its BPF: numbers and names of registers, classes and
// opcodes, operands, flags.
func TestFacts(t *testing.T) {
	want, err := facts.BPF()
	if err != nil {
		t.Fatal(err)
	}
	got, err := described()
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Regs) != len(want.Regs) || len(got.Classes) != len(want.Classes) || got.NumInstrs() != want.NumInstrs() {
		t.Fatalf("%d registers, %d classes, %d opcodes; LLVM has %d, %d, %d", len(got.Regs), len(got.Classes), got.NumInstrs(),
			len(want.Regs), len(want.Classes), want.NumInstrs())
	}
	for r := 1; r < len(want.Regs); r++ {
		if g, w := got.RegName(desc.PhysReg(r)), want.RegName(desc.PhysReg(r)); g != w {
			t.Errorf("register %d is %s, not %s", r, g, w)
		}
	}
	for c := range want.Classes {
		c := desc.ClassID(c)
		if got.RegClassName(c) != want.RegClassName(c) || !slices.Equal(got.ClassMembers(c), want.ClassMembers(c)) || *got.ClassSize(c, 0) != *want.ClassSize(c, 0) {
			t.Errorf("class %s %v %v, not %s %v %v", got.RegClassName(c), got.ClassMembers(c), *got.ClassSize(c, 0), want.RegClassName(c), want.ClassMembers(c), *want.ClassSize(c, 0))
		}
	}
	for k := range want.NumInstrs() {
		op := desc.Opcode(k)
		g, w, name := got.Instr(op), want.Instr(op), want.OpcodeName(op)
		if n := got.OpcodeName(op); n != name {
			t.Fatalf("opcode %d is %s, not %s", k, n, name)
		}
		if g.Flags != w.Flags || g.NumDefs != w.NumDefs || g.TSFlags != w.TSFlags || g.Size != w.Size && !wrongInLLVM[name] {
			t.Errorf("%s: flags %x, %d definitions, TSFlags %x, size %d, not %x, %d, %x, %d", name, g.Flags, g.NumDefs, g.TSFlags, g.Size, w.Flags, w.NumDefs, w.TSFlags, w.Size)
		}
		// What targets share takes pointers of a class that is C++ in LLVM.
		if g, w := got.Operands(op), want.Operands(op); !slices.Equal(g, w) && op >= tab.ADJCALLSTACKDOWN {
			t.Errorf("%s: operands %v, not %v", name, g, w)
		}
		if !slices.Equal(got.ImplicitUses(op), want.ImplicitUses(op)) || !slices.Equal(got.ImplicitDefs(op), want.ImplicitDefs(op)) {
			t.Errorf("%s: reads %v, writes %v, not %v, %v", name, got.ImplicitUses(op), got.ImplicitDefs(op), want.ImplicitUses(op), want.ImplicitDefs(op))
		}
	}
}
