package asmtext

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/mc"
)

// plain prints instructions as "op" with a remark, registers as %r and a number.
type plain struct{ header string }

func (p plain) AppendInst(b, r []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) ([]byte, []byte, error) {
	b = append(b, "op\t"...)
	for _, o := range in.Ops {
		b = ctx.AppendExpr(b, o.Expr(), sym)
	}
	return b, append(r, "remark\n"...), nil
}

func (p plain) AppendDwarfReg(b []byte, reg uint32) []byte {
	return append(b, "%r"+string(rune('0'+reg))...)
}
func (p plain) FileHeader() string { return p.header }

// The text of each directive is what llc 22 writes for x86-64 ELF.
// info has the sections, and the modifier, of the tests.
func info() *mc.AsmInfo {
	a := mc.ELFAsmInfo()
	a.Modifiers = []mc.ModifierInfo{1: {Name: "PLT"}}
	return &a
}

func TestDirectives(t *testing.T) {
	const pad = "                                        "
	for _, x := range []struct {
		want string
		f    func(s *Text, c *mc.Context)
	}{
		{"\t.file\t\"a\\\"b.c\"\n", func(s *Text, c *mc.Context) { s.File("a\"b.c") }},
		{"\t.ident\t\"me\"\n", func(s *Text, c *mc.Context) { s.Ident("me") }},
		{"\t.text\n", func(s *Text, c *mc.Context) { s.SwitchSection(c.TextSection()); s.SwitchSection(c.TextSection()) }},
		{"\t.bss\n", func(s *Text, c *mc.Context) { s.SwitchSection(c.BSSSection()) }},
		{"\t.section\t.rodata.str1.1,\"aMS\",@progbits,1\n", func(s *Text, c *mc.Context) {
			s.SwitchSection(c.ELFSection(".rodata.str1.1", mc.SecProgBits, mc.FlagAlloc|mc.FlagMerge|mc.FlagStrings, 1))
		}},
		{"\t.section\t\".note.GNU-stack\",\"\",@progbits\n", func(s *Text, c *mc.Context) {
			s.SwitchSection(c.ELFSection(".note.GNU-stack", mc.SecProgBits, 0, 0))
		}},
		{"\t.section\t.text.f,\"axG\",@progbits,f,comdat\n", func(s *Text, c *mc.Context) {
			s.SwitchSection(c.Section(mc.Section{Name: ".text.f", Type: mc.SecProgBits, Flags: mc.FlagAlloc | mc.FlagExec, Group: "f", Comdat: true, Unique: mc.GenericSection}))
		}},
		{"\t.section\t.text,\"ax\",@progbits,unique,1\n", func(s *Text, c *mc.Context) {
			s.SwitchSection(c.Section(mc.Section{Name: ".text", Type: mc.SecProgBits, Flags: mc.FlagAlloc | mc.FlagExec, Unique: 1}))
		}},
		{"\t.section\tm,\"ao\",@progbits,.text.f\n", func(s *Text, c *mc.Context) {
			s.SwitchSection(c.Section(mc.Section{Name: "m", Type: mc.SecProgBits, Flags: mc.FlagAlloc | mc.FlagLinkOrder, Unique: mc.GenericSection, LinkedTo: c.Symbol(".text.f")}))
		}},
		{"\t.section\t.init_array,\"aw\",@init_array\n", func(s *Text, c *mc.Context) {
			s.SwitchSection(c.ELFSection(".init_array", mc.SecInitArray, mc.FlagAlloc|mc.FlagWrite, 0))
		}},
		{"\t.globl\tf                               # -- Begin function f\n", func(s *Text, c *mc.Context) {
			s.Comment("-- Begin function f")
			s.Attribute(c.Symbol("f"), mc.AttrGlobal)
		}},
		{pad + "# -- End function\n\n", func(s *Text, c *mc.Context) { s.Comment("-- End function"); s.BlankLine(); s.BlankLine() }},
		{".LBB2_5:                                # %w\n" + pad + "# =>Loop\n", func(s *Text, c *mc.Context) {
			s.Comment("%w")
			s.Comment("=>Loop")
			s.Label(c.Symbol(".LBB2_5"))
		}},
		{"# %bb.0:\n\t#APP\n", func(s *Text, c *mc.Context) { s.RawComment(" %bb.0:", false); s.RawComment("APP", true) }},
		{"\t.type\tf,@function\n\t.hidden\t\"a b\"\n", func(s *Text, c *mc.Context) {
			s.Attribute(c.Symbol("f"), mc.AttrTypeFunction)
			s.Attribute(c.Symbol("a b"), mc.AttrHidden)
		}},
		{"\t.size\tf, .Lfunc_end0-f\n", func(s *Text, c *mc.Context) { s.Size(c.Symbol("f"), c.Diff(c.Temp("func_end"), c.Symbol("f"))) }},
		{"a = b+4\n", func(s *Text, c *mc.Context) { s.Assign(c.Symbol("a"), c.RefOff(c.Symbol("b"), mc.ModNone, 4)) }},
		{"\t.local\tl\n\t.comm\tl,400,16\n", func(s *Text, c *mc.Context) { s.LocalCommon(c.Symbol("l"), 400, 16) }},
		{"\t.asciz\t\"he\\\"l\\\\l\\to\\n\\001\\177\\3771\"\n", func(s *Text, c *mc.Context) { s.Bytes([]byte("he\"l\\l\to\n\x01\x7f\xff1\x00")) }},
		{"\t.ascii\t\"abc\"\n\t.byte\t7\n", func(s *Text, c *mc.Context) { s.Bytes([]byte("abc")); s.Bytes([]byte{7}); s.Bytes(nil) }},
		{"\t.byte\t253\n\t.short\t65535\n\t.long\t4294967295\n\t.quad\t-5\n", func(s *Text, c *mc.Context) {
			minus5, all := int64(-5), ^uint64(0)
			s.Int(all-2, 1)
			s.Int(all, 2)
			s.Int(all, 4)
			s.Int(uint64(minus5), 8)
		}},
		{"\t.quad\tg+4\n", func(s *Text, c *mc.Context) { s.Value(c.RefOff(c.Symbol("g"), mc.ModNone, 4), 8) }},
		{"\t.zero\t40\n\t.zero\t3,7\n\t.fill\t3, 2, 0x1234\n", func(s *Text, c *mc.Context) { s.Zeros(40); s.Fill(3, 1, 7); s.Fill(3, 2, 0x1234); s.Zeros(0) }},
		{"\t.uleb128 .La-.Lb\n", func(s *Text, c *mc.Context) { s.ULEB128(c.Diff(c.Symbol(".La"), c.Symbol(".Lb"))) }},
		{"\t.p2align\t4\n\t.p2align\t4, , 10\n\t.p2align\t3, 0x0\n\t.p2align\t3, 0xcc, 5\n", func(s *Text, c *mc.Context) {
			s.AlignCode(4, nil, 0)
			s.AlignCode(4, nil, 10)
			s.Align(3, 0, 0)
			s.Align(3, 0xcc, 5)
		}},
		{"\t.cfi_startproc\n\t.cfi_personality 155, DW.ref.p\n\t.cfi_lsda 27, .Lexception0\n\t.cfi_def_cfa_offset 16\n\t.cfi_offset %r3, -16\n" +
			"\t.cfi_def_cfa %r7, 8\n\t.cfi_def_cfa_register %r6\n\t.cfi_remember_state\n\t.cfi_escape 0x16, 0x03\n\t.cfi_endproc\n", func(s *Text, c *mc.Context) {
			s.StartProc(false)
			s.Personality(c.Symbol("DW.ref.p"), 155)
			s.LSDA(c.Symbol(".Lexception0"), 27)
			s.CFI(mc.CFI{Op: mc.CFIDefCfaOffset, Offset: 16})
			s.CFI(mc.CFI{Op: mc.CFIOffset, Reg: 3, Offset: -16})
			s.CFI(mc.CFI{Op: mc.CFIDefCfa, Reg: 7, Offset: 8})
			s.CFI(mc.CFI{Op: mc.CFIDefCfaRegister, Reg: 6})
			s.CFI(mc.CFI{Op: mc.CFIRememberState})
			s.CFI(mc.CFI{Op: mc.CFIEscape, Bytes: "\x16\x03"})
			s.EndProc()
		}},
		{"\top\tx@PLT                           # mine\n" + pad + "# remark\n", func(s *Text, c *mc.Context) {
			var in mc.Inst
			s.Comment("mine")
			s.Inst(in.Set(1, mc.ExprOp(c.Ref(c.Symbol("x"), 1))), nil)
		}},
		{"\top\t\n", func(s *Text, c *mc.Context) {
			var in mc.Inst
			s.SetVerbose(false)
			s.Inst(in.Set(1), nil)
		}},
		{"\t.p2align\t4                               # -- Begin function f\n", func(s *Text, c *mc.Context) {
			s.Comment("-- Begin function f")
			s.AlignCode(4, nil, 0)
		}},
	} {
		c := mc.NewContext(info())
		s := New(c, plain{})
		x.f(s, c)
		if got := string(s.Output()); got != x.want {
			t.Errorf("got:\n%s\nwant:\n%s", got, x.want)
		}
		if err := s.Finish(); err != nil {
			t.Error(err)
		}
	}
}

func TestFileHeader(t *testing.T) {
	s := New(mc.NewContext(info()), plain{header: "\t.another_syntax"})
	if got := string(s.Output()); got != "\t.another_syntax\n" {
		t.Errorf("%q", got)
	}
}

// A chunk says nothing about its first section when that is the current one,
// and the numbers of temporary symbols run on.
func TestChunks(t *testing.T) {
	s := New(mc.NewContext(info()), plain{})
	s.SwitchSection(s.Context().TextSection())
	for range 3 {
		k := s.Fork()
		c := k.Context()
		k.SwitchSection(c.TextSection())
		for range 2 {
			l := c.Temp("tmp")
			k.Label(l)
			k.Value(c.Diff(l, c.Symbol("f")), 4)
		}
		if err := s.Join(k); err != nil {
			t.Fatal(err)
		}
	}
	got := string(s.Output())
	if strings.Count(got, ".text") != 1 || !strings.HasSuffix(got, ".Ltmp5:\n\t.long\t.Ltmp5-f\n") {
		t.Errorf("%s", got)
	}
}
