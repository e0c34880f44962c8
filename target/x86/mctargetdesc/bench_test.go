package mctargetdesc

import (
	"testing"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// mix emits a few instructions of common kinds: 8 of them.
func mix(a *asm, c *mc.Context, e mc.Expr) {
	a.i(tab.PUSH64r, mc.Reg(tab.RBX))
	a.i(tab.MOV64rm, mc.Reg(tab.RAX), mc.Reg(tab.RSP), mc.Imm(1), mc.Reg(0), mc.Imm(48), mc.Reg(0))
	a.i(tab.ADD32ri8, mc.Reg(tab.EAX), mc.Reg(tab.EAX), mc.Imm(5))
	a.i(tab.LEA64r, mc.Reg(tab.R9), mc.Reg(tab.RAX), mc.Imm(4), mc.Reg(tab.RCX), mc.Imm(1000), mc.Reg(0))
	a.i(tab.CALL64pcrel32, mc.ExprOp(e))
	a.i(tab.MOV32mr, mc.Reg(tab.RBP), mc.Imm(1), mc.Reg(0), mc.Imm(-20), mc.Reg(0), mc.Reg(tab.EDX))
	a.i(tab.ADDSDrr, mc.Reg(tab.XMM9), mc.Reg(tab.XMM9), mc.Reg(tab.XMM1))
	a.i(tab.JCC_1, mc.ExprOp(e), mc.Imm(4))
}

func BenchmarkEncode(b *testing.B) {
	k := newToolkit(b)
	c := mc.NewContext(AsmInfo())
	var in mc.Inst
	in.Set(tab.MOV64rm, mc.Reg(tab.RAX), mc.Reg(tab.RSP), mc.Imm(1), mc.Reg(0), mc.Imm(48), mc.Reg(0))
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf, _, _ = k.enc.Encode(c, k.st, &in, buf[:0], nil)
	}
}

func BenchmarkObject(b *testing.B) {
	k := newToolkit(b)
	b.ReportAllocs()
	for b.Loop() {
		o := k.object()
		a := &asm{Streamer: o, st: k.st}
		c := o.Context()
		for i := range 100 {
			l := c.Temp("tmp")
			e := c.Ref(l, mc.ModNone)
			for range 125 {
				mix(a, c, e)
			}
			o.Label(l)
			_ = i
		}
		if _, err := o.Object(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100_000, "ns/inst")
}

func BenchmarkText(b *testing.B) {
	k := newToolkit(b)
	p := NewPrinter(k.info, ATT, "x86_64")
	b.ReportAllocs()
	for b.Loop() {
		s := asmtext.New(mc.NewContext(AsmInfo()), p)
		s.SwitchSection(s.Context().TextSection())
		a := &asm{Streamer: s, st: k.st}
		l := s.Context().Temp("tmp")
		e := s.Context().Ref(l, mc.ModNone)
		for range 12500 {
			mix(a, s.Context(), e)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100_000, "ns/inst")
}
