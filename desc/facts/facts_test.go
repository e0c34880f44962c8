package facts

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
)

// x86 loads the facts and finds a register, or ends the test.
func x86(t testing.TB) *desc.Info {
	t.Helper()
	in, err := X86()
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func reg(t testing.TB, in *desc.Info, name string) desc.PhysReg {
	t.Helper()
	r, ok := in.RegByName(name)
	if !ok {
		t.Fatalf("no register %s", name)
	}
	return r
}

func class(t testing.TB, in *desc.Info, name string) desc.ClassID {
	t.Helper()
	c, ok := in.RegClassByName(name)
	if !ok {
		t.Fatalf("no class %s", name)
	}
	return c
}

func TestLoad(t *testing.T) {
	if _, err := Load("Z80"); err == nil || !strings.Contains(err.Error(), `"Z80"`) {
		t.Errorf("unknown target: %v", err)
	}
	names := Names()
	if len(names) != 23 {
		t.Errorf("%d targets, want 23: %v", len(names), names)
	}
	a, _ := Load("X86")
	if b := x86(t); a != b {
		t.Error("two loads gave different Infos")
	}
}

// Damaged files give an error. (What is embedded is not damaged; the reader
// must still not loop or run over.)
func TestDamagedFile(t *testing.T) {
	for _, cut := range []int{0, 3, 7, 8, 100, headerSize + 38*entrySize, len(dataX86) / 2, len(dataX86) - 1} {
		if _, err := Decode(dataX86[:cut]); err == nil {
			t.Errorf("file cut to %d bytes was accepted", cut)
		}
	}
	if _, err := Decode("mirf\x02" + dataX86[5:]); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("wrong version: %v", err)
	}
	if _, err := Decode(dataBPF[:200] + strings.Repeat("x", len(dataBPF)-200)); err == nil {
		t.Error("spoilt sections were accepted")
	}
}

// TestFlippedBytes: no damage makes the reader panic.
func TestFlippedBytes(t *testing.T) {
	data, err := func() ([]byte, error) {
		in, err := Decode(dataBPF)
		if err != nil {
			return nil, err
		}
		return Append(nil, in) // not compressed, so that damage reaches the tables
	}()
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 4000 {
		bad := slices.Clone(data)
		for range 1 + rnd.IntN(4) {
			at := rnd.IntN(len(bad))
			if rnd.IntN(2) == 0 {
				at = rnd.IntN(headerSize + 38*entrySize) // the table of sections
			}
			bad[at] = byte(rnd.IntN(256))
		}
		Decode(string(bad))
	}
}

func TestX86Instr(t *testing.T) {
	in := x86(t)
	op, ok := in.OpcodeByName("ADD32rr")
	if !ok {
		t.Fatal("no ADD32rr")
	}
	d := in.Instr(op)
	if !d.IsCommutable() || d.IsCall() || d.MayLoad() || d.NumDefs != 1 {
		t.Errorf("ADD32rr: %+v", *d)
	}
	ops := in.Operands(op)
	gr32 := class(t, in, "gr32")
	if len(ops) != 3 || ops[0].RegClass != gr32 || ops[1].TiedTo != 0 || ops[2].TiedTo != -1 {
		t.Errorf("ADD32rr operands: %+v", ops)
	}
	if defs := in.ImplicitDefs(op); len(defs) != 1 || in.RegName(defs[0]) != "EFLAGS" {
		t.Errorf("ADD32rr defines %v", defs)
	}
	call, _ := in.OpcodeByName("CALL64pcrel32")
	if c := in.Instr(call); !c.IsCall() || in.OperandInfo(call, 0).Type != desc.OperandPCRel {
		t.Errorf("CALL64pcrel32: %+v", *c)
	}
	jcc, _ := in.OpcodeByName("JCC_1")
	if j := in.Instr(jcc); !j.IsConditionalBranch() || j.IsUnconditionalBranch() || !j.IsTerminator() {
		t.Errorf("JCC_1: %+v", *j)
	}
	// Address registers depend on the mode: 64 bits on x86-64, 32 on i386.
	load, _ := in.OpcodeByName("MOV32rm")
	for mode, want := range map[int]int{in.DefaultMode: 64, 0: 32} {
		c := in.OperandClass(load, 1, mode)
		if c == desc.NoClass || int(in.ClassSize(c, mode).RegSize) != want {
			t.Errorf("MOV32rm's base in mode %d is %d", mode, c)
		}
	}
	add := desc.G_ADD
	if in.OpcodeName(add) != "G_ADD" || !in.Instr(add).IsPreISel() || in.OperandInfo(add, 2).GenericTypeIndex() != 0 {
		t.Errorf("G_ADD: %+v", in.Operands(add))
	}
}

func TestX86Regs(t *testing.T) {
	in := x86(t)
	rax, eax, ax, al, ah, rbx := reg(t, in, "rax"), reg(t, in, "eax"), reg(t, in, "ax"), reg(t, in, "al"), reg(t, in, "ah"), reg(t, in, "rbx")
	sub8, _ := in.SubRegIndexByName("sub_8bit")
	sub32, _ := in.SubRegIndexByName("sub_32bit")
	for _, c := range []struct {
		what string
		ok   bool
	}{
		{"rax overlaps ah", in.Overlap(rax, ah)},
		{"al does not overlap ah", !in.Overlap(al, ah)},
		{"rax does not overlap rbx", !in.Overlap(rax, rbx)},
		{"ax is a part of rax", in.IsSubRegister(rax, ax) && in.IsSuperRegister(ax, rax)},
		{"rax is not a part of ax", !in.IsSubRegister(ax, rax)},
		{"rax:sub_32bit", in.SubReg(rax, sub32) == eax},
		{"eax:sub_8bit", in.SubReg(eax, sub8) == al},
		{"al has no sub_8bit", in.SubReg(al, sub8) == 0},
		{"index of al in rax", in.SubRegIndexOf(rax, al) == sub8},
		{"super of al", in.MatchingSuperReg(al, sub8, class(t, in, "gr32")) == eax},
		{"compose", in.ComposeSubRegs(sub32, sub8) == sub8},
		{"reverse compose", in.ReverseComposeSubRegs(sub32, sub8) == sub8},
		{"sub_8bit is 8 bits at 0", in.SubRegIndices[sub8].Size == 8 && in.SubRegIndices[sub8].Offset == 0},
		{"encoding of rbx", in.Regs[rbx].Encoding == 3},
		{"constant registers", in.Regs[reg(t, in, "rip")].Flags&desc.RegConstant == 0},
	} {
		if !c.ok {
			t.Error(c.what)
		}
	}
	aliases := in.Aliases(ax)
	for _, name := range []string{"rax", "eax", "ax", "al", "ah"} {
		if r := reg(t, in, name); !contains(aliases, r) {
			t.Errorf("%s is no alias of ax", name)
		}
	}
	if len(aliases) != 5 {
		t.Errorf("%d aliases of ax", len(aliases))
	}
	// DWARF numbers of the psABIs; Darwin's i386 frames swap esp and ebp.
	for _, c := range []struct {
		flavour, reg string
		eh           bool
		want         int
	}{
		{"x86_64", "rax", false, 0}, {"x86_64", "rsp", true, 7}, {"x86_64", "rbp", true, 6}, {"x86_64", "xmm0", false, 17},
		{"x86_64", "rip", true, 16}, {"x86_64", "eflags", true, 49}, {"i386-unknown", "esp", true, 4}, {"i386-unknown", "ebp", true, 5},
		{"i386-apple", "esp", true, 5}, {"i386-apple", "ebp", true, 4}, {"i386-apple", "ebp", false, 5},
		{"x86_64", "df", false, -1},
	} {
		if got := in.DwarfNum(in.DwarfFlavourOf(c.flavour), reg(t, in, c.reg), c.eh); got != c.want {
			t.Errorf("DWARF number of %s %s: %d, want %d", c.flavour, c.reg, got, c.want)
		}
	}
}

func TestX86Classes(t *testing.T) {
	in := x86(t)
	gr32, abcd, gr8, gr64 := class(t, in, "gr32"), class(t, in, "gr32_abcd"), class(t, in, "gr8"), class(t, in, "gr64")
	hi, _ := in.SubRegIndexByName("sub_8bit_hi")
	sub32, _ := in.SubRegIndexByName("sub_32bit")
	if !in.HasSubClassEq(gr32, abcd) || in.HasSubClassEq(abcd, gr32) || in.CommonSubClass(gr32, abcd) != abcd {
		t.Error("gr32_abcd is a sub-class of gr32")
	}
	if c := in.CommonSubClass(gr32, gr64); c != desc.NoClass {
		t.Errorf("gr32 and gr64 share %s", in.RegClassName(c))
	}
	if c := in.SubClassWithSubReg(gr32, hi); c != abcd {
		t.Errorf("registers of gr32 with sub_8bit_hi are %d", c)
	}
	if c := in.MatchingSuperRegClass(gr64, abcd, sub32); c == desc.NoClass || in.RegClassName(c) != "GR64_ABCD" {
		t.Errorf("registers of gr64 over gr32_abcd are %d", c)
	}
	for r, want := range map[string]string{"eax": "GR32_AD", "al": "GR8_ABCD_L", "xmm5": "FR32", "rip": "GR64_with_sub_32bit_in_GR32"} {
		c := in.MinimalPhysRegClass(reg(t, in, r), 0)
		if c == desc.NoClass || !in.ClassContains(c, reg(t, in, r)) {
			t.Errorf("%s is in no class", r)
			continue
		}
		for d := range in.Classes {
			if id := desc.ClassID(d); in.ClassContains(id, reg(t, in, r)) && id != c && in.HasSubClassEq(c, id) {
				t.Errorf("%s: %s is smaller than %s (expected about %s)", r, in.RegClassName(id), in.RegClassName(c), want)
			}
		}
	}
	s := in.ClassSize(gr64, in.DefaultMode)
	if s.RegSize != 64 || s.SpillSize != 8 || s.SpillAlign != 8 || !in.ClassHasType(gr64, desc.MVTi64, in.DefaultMode) || in.ClassHasType(gr64, desc.MVTi8, in.DefaultMode) {
		t.Errorf("gr64: %+v", *s)
	}
	// The 64-bit order leaves out ah, bh, ch, dh, which need an encoding without REX.
	if contains(in.ClassOrder(gr8), reg(t, in, "ah")) || !contains(in.ClassMembers(gr8), reg(t, in, "ah")) {
		t.Error("gr8's order")
	}
	gpr, ok := in.RegBankByName("gpr")
	if !ok || !in.BankCovers(gpr, gr32) || in.BankCovers(gpr, class(t, in, "vr128")) || in.Banks[gpr].MaxSize != 64 {
		t.Error("bank gpr")
	}
}

func TestX86Masks(t *testing.T) {
	in := x86(t)
	i, ok := in.RegMaskByName("csr_64")
	if !ok {
		t.Fatal("no csr_64")
	}
	m := in.RegMask(i)
	bit := func(name string) bool { r := reg(t, in, name); return m[r/32]>>(r%32)&1 != 0 }
	if !bit("rbx") || !bit("bl") || bit("rax") || bit("xmm0") {
		t.Error("csr_64")
	}
	regs, mask, ok := in.CalleeSaved("x86_64-unknown-linux-gnu", "", 0)
	var names []string
	for _, r := range regs {
		names = append(names, in.RegName(r))
	}
	if got := strings.Join(names, " "); !ok || mask != i || got != "RBX R12 R13 R14 R15 RBP" {
		t.Errorf("callee-saved: %s, mask %d", got, mask)
	}
	if v, ok := in.DirectFlagByName("x86-plt"); !ok || v == 0 {
		t.Error("flag x86-plt")
	}
	f, ok := in.FeatureByName("avx2")
	if !ok {
		t.Fatal("no avx2")
	}
	avx, _ := in.FeatureByName("avx")
	if b := in.Features[avx].Bit; in.FeatureSet(in.Features[f].Implies)[b/64]>>(b%64)&1 == 0 {
		t.Error("avx2 does not imply avx")
	}
	if p, ok := in.ProcessorByName("znver4"); !ok || in.Processors[p].Model == 0 {
		t.Error("znver4")
	}
}

func contains(l []desc.PhysReg, r desc.PhysReg) bool {
	for _, x := range l {
		if x == r {
			return true
		}
	}
	return false
}

func BenchmarkDecodeX86(b *testing.B)     { benchmarkDecode(b, dataX86) }
func BenchmarkDecodeAArch64(b *testing.B) { benchmarkDecode(b, dataAArch64) }
func BenchmarkDecodeAMDGPU(b *testing.B)  { benchmarkDecode(b, dataAMDGPU) }
func BenchmarkDecodeBPF(b *testing.B)     { benchmarkDecode(b, dataBPF) }

func benchmarkDecode(b *testing.B, data string) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(data, false); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpcodeByName(b *testing.B) {
	in := x86(b)
	names := []string{"ADD32rr", "VPERMI2PSZ256rmbkz", "COPY", "MOV64rm", "G_ADD", "nothing"}
	for i := 0; b.Loop(); i++ {
		in.OpcodeByName(names[i%len(names)])
	}
}
