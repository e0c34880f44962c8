package mctargetdesc_test

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmparse"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/mc/mctarget"
	riscv "github.com/mirin-go/mirin/target/riscv/mctargetdesc"
	"github.com/mirin-go/mirin/triple"
)

// assemble reads src for a triple and gives it as text without aliases, and what is said about it.
func assemble(t *testing.T, arch, features, src string, options ...string) (text, said string) {
	t.Helper()
	of := triple.Parse(triple.Normalize(arch + "-unknown-linux-gnu"))
	mt, err := mctarget.New(family.ByArch(of.Arch), of, "", features, &riscv.Hooks)
	if err != nil {
		t.Fatal(err)
	}
	mt.PrinterOptions = options
	ta, err := mt.Parser()
	if err != nil {
		t.Fatal(err)
	}
	ip, err := mt.Printer(0)
	if err != nil {
		t.Fatal(err)
	}
	s := asmtext.New(mc.NewContext(mt.AsmInfo()), ip)
	var b strings.Builder
	p := asmparse.New(s, ta, mt.ST, asmparse.Options{Name: "x.s", Report: func(d *diag.Diagnostic) { b.Write(d.AppendText(nil)) }})
	p.Parse([]byte(src))
	return string(s.Output()), b.String()
}

// lines are the lines of a text, without .text and with one blank for each tab.
func lines(text string) string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(strings.ReplaceAll(l, "\t", " ")); l != "" && l != ".text" {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// What instructions become was seen with llvm-mc 22.
func TestInstructions(t *testing.T) {
	for _, c := range []struct{ arch, features, src, want string }{
		{"riscv64", "", "ret\njr a0\njr 4(a0)\njalr a1, 8(a0)\njalr a0, a1", "jalr zero, 0(ra)\njalr zero, 0(a0)\njalr zero, 4(a0)\njalr a1, 8(a0)\njalr a0, 0(a1)"},
		{"riscv64", "+c", "ret\nadd a0,a1,a0\naddi a0,a0,0\naddi sp,sp,16\naddi sp,sp,-64\naddi a0,sp,8\nsub a0,a0,t0\nld s0,248(a5)\nld s0,256(a5)\nsd x0,0(sp)\nbeqz a0,x\nj x",
			"c.jr ra\nc.add a0, a1\nc.mv a0, a0\nc.addi sp, 16\nc.addi16sp sp, -64\nc.addi4spn a0, sp, 8\nsub a0, a0, t0\nc.ld s0, 248(a5)\nld s0, 256(a5)\nc.sdsp zero, 0(sp)\nc.beqz a0, x\nc.j x"},
		{"riscv64", "+c,+exact-asm", "ret\nnop", "jalr zero, 0(ra)\naddi zero, zero, 0"},
		{"riscv32", "", "addi a0, a1, 4294967295\nmove a0, a1\nsgt a0, a1, a2\nadd a0, a1, 3\ncsrrs a0, 1, 3", "addi a0, a1, -1\naddi a0, a1, 0\nslt a0, a2, a1\naddi a0, a1, 3\ncsrrsi a0, fflags, 3"},
		{"riscv64", "+v", "vmsge.vi v4, v8, 16\nvmsltu.vi v4, v8, 0, v0.t\nvmsgt.vv v2, v4, v6", "vmsgt.vi v4, v8, 15\nvmsne.vv v4, v8, v8, v0.t\nvmslt.vv v2, v6, v4"},
	} {
		text, said := assemble(t, c.arch, c.features, c.src, "no-aliases")
		if got := lines(text); got != c.want || said != "" {
			t.Errorf("%s %s\n%s\nis\n%s\nwant\n%s\n%s", c.arch, c.features, c.src, got, c.want, said)
		}
	}
	text, _ := assemble(t, "riscv64", "+d", "fadd.d fa0,ft0,fs1\nli a0, 3", "numeric")
	if got, want := lines(text), "fadd.d f10, f0, f9\nli x10, 3"; got != want {
		t.Errorf("by numbers:\n%s\nwant\n%s", got, want)
	}
}

// What is said and what is written was seen with llvm-mc 22.
func TestDirectives(t *testing.T) {
	for _, c := range []struct{ arch, features, src, want, said string }{
		{"riscv64", "", ".option push\n.option rvc\naddi a0, a1, 0\n.option pop\naddi a0, a1, 0", ".option push\n.option rvc\nc.mv a0, a1\n.option pop\naddi a0, a1, 0", ""},
		{"riscv32", "", ".option arch, +c, -c, -zca\n.option arch, rv32imac\nmul a0, a0, a0",
			".option arch, +c, -c, -zca\n.option arch, rv32i2p1_m2p0_a2p1_c2p0_zmmul1p0_zaamo1p0_zalrsc1p0_zca1p0\nmul a0, a0, a0", ""},
		{"riscv64", "", ".option pop", ".option pop", "x.s:1:12: error: .option pop with no .option push\n"},
		{"riscv64", "", ".attribute stack_align, 16\n.attribute arch, \"rv64i_zba\"", ".attribute 4, 16\n.attribute 5, \"rv64i2p1_zba1p0\"", ""},
		{"riscv64", "", ".attribute arch, \"rv64i_y\"", "", "x.s:1:18: error: invalid arch name 'rv64i_y', invalid standard user-level extension 'y'\n"},
		{"riscv64", "", ".insn r 0x33, 0, 0, a0, a1, a2\n.insn i LOAD, 0, a0, 5(a1)\n.insn 0x13", ".insn r 51, 0, 0, a0, a1, a2\n.insn i 3, 0, a0, 5(a1)\n.insn 0x4, 19", ""},
		{"riscv64", "", ".insn r 0x33, 8, 0, a0, a1, a2", "", "x.s:1:15: error: immediate must be an integer in the range [0, 7]\n"},
		{"riscv64", "", "csrr a0, cycleh", "", "x.s:1:10: error: system register 'cycleh' is RV32 only\n"},
		{"riscv32", "", "csrrs a0, henvcfgh, zero\ncsrw sptbr, a0", "csrrs a0, henvcfgh, zero\ncsrrw zero, satp, a0", "x.s:2:6: warning: 'sptbr' is a deprecated alias for 'satp'\n"},
		{"riscv64", "", "call foo@plt\ntail foo\njump foo, t0\nlw a0, foo", "call foo\ntail foo\njump foo, t0\n.Lpcrel_hi0:\nauipc a0, %pcrel_hi(foo)\nlw a0, %pcrel_lo(.Lpcrel_hi0)(a0)", ""},
		{"riscv64", "", "la a0, foo-bar", "", "x.s:1:8: error: operand either must be a constant 64-bit integer or a bare symbol name\n"},
		{"riscv64", "+zbs", "li a0, 0x123456789abcdef\nli a1, 0x100000000", "", ""},
		{"riscv32", "+zcmp", "cm.push {ra, s0-s1}, -16\ncm.pop {x1, x8-x9, x18-x27}, 64", "cm.push {ra, s0-s1}, -16\ncm.pop {ra, s0-s11}, 64", ""},
		{"riscv32", "+zcmp", "cm.push {ra, s0-s10}, -64", "", "x.s:1:9: error: invalid register list, '{ra, s0-s10}' or '{x1, x8-x9, x18-x26}' is not supported\n"},
		{"riscv64", "+v", "vrgather.vv v2, v2, v4", "", "x.s:1:13: error: the destination vector register group cannot overlap the source vector register group\n"},
		{"riscv64", "+a", "lr.w a0, 4(a1)", "", "x.s:1:10: error: optional integer offset must be 0\n"},
		{"riscv32", "", "slli a0, a1, 32", "", "x.s:1:14: error: immediate must be an integer in the range [0, 31]\n"},
	} {
		text, said := assemble(t, c.arch, c.features, c.src, "no-aliases")
		if i := strings.IndexByte(said, '\n'); i >= 0 {
			said = said[:i+1]
		}
		if got := lines(text); (got != c.want && c.want != "") || said != c.said {
			t.Errorf("%s %s\n%s\nis\n%s\n%s\nwant\n%s\n%s", c.arch, c.features, c.src, got, said, c.want, c.said)
		}
	}
}
