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
