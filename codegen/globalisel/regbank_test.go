package globalisel_test

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regbank"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir/mirtext"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86"
)

// machineOf is x86 with tables of a test.
func machineOf(t *testing.T, change func(t *target.Target)) *target.Machine {
	t.Helper()
	tgt := x86.Target
	change(&tgt)
	m, err := target.NewMachine(&tgt, target.Options{Triple: "x86_64-unknown-linux-gnu"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// runMIR runs a pass over the function of a MIR body and gives its instructions.
func runMIR(t *testing.T, m *target.Machine, p *pass.Pass, head, body string) (string, error) {
	t.Helper()
	src := "---\nname: f\n" + head + "body: |\n  bb.0:\n" + body + "...\n"
	mod, err := mirtext.Parse("test.mir", []byte(src), mirtext.ParseOptions{
		Facts: func(string) (*desc.Info, error) { return m.Facts, nil }, Triple: "x86_64-unknown-linux-gnu"})
	if err != nil {
		t.Fatal(err)
	}
	f := mod.Functions[0]
	st, err := m.Subtarget(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(&pass.Context{Machine: m, Subtarget: st}, f); err != nil {
		return "", err
	}
	var out []byte
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			out = append(globalisel.AppendInstr(out, f, i), '\n')
		}
	}
	return string(out), nil
}

func banks(fast bool, b *regbank.Builder) func(*target.Target) {
	b.Fast = fast
	t := b.Table()
	return func(x *target.Target) { x.ISel.Banks = func(*target.Subtarget) *regbank.Table { return t } }
}

// toyBanks: G_AND is in the general registers or, dearer, in the vectors.
func toyBanks() *regbank.Builder {
	const gpr, vec desc.BankID = 0, 2
	b := regbank.New(gpr, regbank.Bank{Scalar: 64, Pointer: 64}, regbank.Bank{}, regbank.Bank{Scalar: 64, Vector: 128})
	b.Map([]desc.Opcode{desc.G_FADD}, regbank.In(vec))
	b.Map([]desc.Opcode{desc.G_LOAD, desc.G_STORE}, regbank.In(gpr, gpr), regbank.In(vec, gpr))
	b.Map([]desc.Opcode{desc.G_AND}, regbank.In(gpr), regbank.Mapping{Cost: 2, Ops: []desc.BankID{vec}})
	return b
}

const bankBody = `
    %0:_(p0) = COPY $rdi
    %1:_(s32) = G_LOAD %0 :: (load (s32))
    %2:_(s32) = G_FADD %1, %1
    %3:_(s32) = G_FADD %2, %1
    %4:_(s32) = G_AND %3, %2
    G_STORE %4, %0 :: (store (s32))
`

// TestBankModes: the greedy mode sees that the loaded value is only added as
// floating point and that G_AND is cheaper than three copies; the fast mode does
// not look ahead.
func TestBankModes(t *testing.T) {
	got, err := runMIR(t, machineOf(t, banks(false, toyBanks())), &globalisel.RegBankSelect, "legalized: true\n", bankBody)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(got, "COPY") != 1 || !strings.Contains(got, "%1:vecr(s32) = G_LOAD") || !strings.Contains(got, "%4:vecr(s32) = G_AND") {
		t.Errorf("greedy:\n%s", got)
	}
	if got, err = runMIR(t, machineOf(t, banks(true, toyBanks())), &globalisel.RegBankSelect, "legalized: true\n", bankBody); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got, "%1:gpr(s32) = G_LOAD") || !strings.Contains(got, "%2:vecr(s32) = G_FADD") || strings.Count(got, "COPY") < 3 {
		t.Errorf("fast:\n%s", got)
	}
}

// TestBankSplit: s128 lies in two general registers, bit operations are done on both.
func TestBankSplit(t *testing.T) {
	b := regbank.New(0, regbank.Bank{Scalar: 64, Pointer: 64})
	body := `
    %0:_(s64) = COPY $rdi
    %1:_(s64) = COPY $rsi
    %2:_(s128) = G_MERGE_VALUES %0(s64), %1(s64)
    %3:_(s128) = G_XOR %2, %2
    %4:_(s8) = COPY $al
    %5:_(s128) = G_SELECT %4(s8), %3, %2
    %6:_(s64), %7:_(s64) = G_UNMERGE_VALUES %5(s128)
    $rax = COPY %6(s64)
    $rdx = COPY %7(s64)
`
	got, err := runMIR(t, machineOf(t, banks(false, b)), &globalisel.RegBankSelect, "legalized: true\n", body)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(got, "s128") || strings.Count(got, "G_XOR") != 2 || strings.Count(got, "G_SELECT %4") != 2 {
		t.Errorf("%s", got)
	}
	_, err = runMIR(t, machineOf(t, banks(false, b)), &globalisel.RegBankSelect, "legalized: true\n", `
    %0:_(s128) = G_IMPLICIT_DEF
    %1:_(s128) = G_MUL %0, %0
`)
	if err == nil || !strings.Contains(err.Error(), "G_MUL") {
		t.Errorf("a product of two registers: %v", err)
	}
}
