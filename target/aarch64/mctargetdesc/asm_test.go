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
	aarch64 "github.com/mirin-go/mirin/target/aarch64/mctargetdesc"
	"github.com/mirin-go/mirin/triple"
)

// assemble reads src and gives it as text, and what is said about it.
func assemble(t *testing.T, features, src string) (text, said string) {
	t.Helper()
	of := triple.Parse("aarch64-unknown-linux-gnu")
	mt, err := mctarget.New(family.ByArch(of.Arch), of, "", features, &aarch64.Hooks)
	if err != nil {
		t.Fatal(err)
	}
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

// What is read and what is said was seen with llvm-mc 22.
func TestAssemble(t *testing.T) {
	for _, c := range []struct{ features, src, want string }{
		{"", "add x0, x1, x2, lsl #3", "add\tx0, x1, x2, lsl #3"},
		{"", "ADD X0, X1, 4096", "add\tx0, x1, #1, lsl #12"},
		{"", "lsl w0, w1, #3", "lsl\tw0, w1, #3"},
		{"", "bfi w0, w1, #3, #4", "bfi\tw0, w1, #3, #4"},
		{"", "fadd.4s v0, v1, v2", "fadd\tv0.4s, v1.4s, v2.4s"},
		{"", "mov w0, #-1", "mov\tw0, #-1"},
		{"", "ldr x0, =0x10000", "mov\tx0, #65536"},
		{"", "beq foo", "b.eq\tfoo"},
		{"+sve", "mov z21.h, #-128, lsl #8", "mov\tz21.h, #-32768"},
		{"+sve", "ld1b { z0.d }, p0/z, [x0, z1.d, uxtw]", "ld1b\t{ z0.d }, p0/z, [x0, z1.d, uxtw]"},
		{"+sme", "zero {za0.h}", "zero\t{za0.h}"},
		{"+ccpp", "dc cvap, x3", "dc\tcvap, x3"},
		{"", "sub sp, x3, x7, lsl #4", "sub\tsp, x3, x7, lsl #4"},
	} {
		text, said := assemble(t, c.features, c.src)
		got, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), ".text")), "  ")
		if got, _, _ = strings.Cut(got, "\n"); strings.TrimRight(got, " \t") != c.want || said != "" {
			t.Errorf("%s is %q, want %q %s", c.src, got, c.want, said)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ features, src, want string }{
		{"", "add x0", "1:1: error: too few operands for instruction"},
		{"", "ldr x0, [x1, #999999]", "1:14: error: index must be an integer in range [-256, 255]."},
		{"", "add z0.s, z1.s, z2.s", "1:1: error: instruction requires: sve or sme"},
		{"+sve", "ld1b { z0.b }, p9/z, [x0, x1]", "1:16: error: invalid restricted predicate register, expected p0..p7 (without element suffix)"},
		{"", "msr MIDR_EL1, x0", "1:5: error: expected writable system register or pstate"},
		{"", "bfi w0, w1, #33, #4", "1:13: error: expected integer in range [0, 31]"},
		{"", "ldp x0, x0, [x1]", "1:9: error: unpredictable LDP instruction, Rt2==Rt"},
		{"", "csel x0, x1, x2, xx", "1:18: error: invalid condition code"},
		{"", "tlbi vae1os, x0", "1:6: error: TLBI VAE1OS requires: tlb-rmi"},
		{"", ".arch_extension foo", "1:17: error: unsupported architectural extension: foo"},
	} {
		_, said := assemble(t, c.features, c.src)
		got, _, _ := strings.Cut(strings.TrimPrefix(said, "x.s:"), "\n")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.src, got, c.want)
		}
	}
}
