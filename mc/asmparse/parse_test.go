package asmparse

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmtext"
)

// toy is a target whose one instruction is "op" with expressions.
type toy struct{}

func (toy) ParseInstruction(p mc.AsmParser, text string) error {
	if !strings.HasPrefix(text, "op") {
		return &mc.ParseError{Msg: "no such instruction"}
	}
	var in mc.Inst
	in.Set(1)
	for pos := 2; pos < len(text); {
		x, v, end, err := p.Expr(text, pos)
		if err != nil {
			return err
		}
		if x == 0 {
			x = p.Context().Const(v)
		}
		in.Add(mc.ExprOp(x))
		if pos = end + 1; end < len(text) && text[end] != ',' {
			return &mc.ParseError{Start: end, Msg: "expected comma"}
		}
	}
	return p.Emit(&in)
}

func (toy) ParseRegister(_ mc.AsmParser, text string, pos int) (desc.PhysReg, int, bool) {
	return 0, pos, false
}

func (toy) AppendInst(b, r []byte, ctx *mc.Context, _ *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) ([]byte, []byte, error) {
	b = append(b, "op"...)
	for i, o := range in.Ops {
		b = append(b, "\t,"[min(i, 1)])
		b = ctx.AppendExpr(b, o.Expr(), sym)
	}
	return b, r, nil
}

func (toy) AppendDwarfReg(b []byte, reg uint32) []byte { return append(b, 'r', byte('0'+reg%10)) }
func (toy) FileHeader() string                         { return "" }

func info() *mc.AsmInfo {
	a := mc.ELFAsmInfo()
	a.Modifiers = []mc.ModifierInfo{1: {Name: "PLT"}, 2: {Name: "hi", Prefix: "%hi(", Suffix: ")"}}
	return &a
}

// read gives the text that src becomes, and what was reported.
func read(src string, o Options) (text, report string) {
	s := asmtext.New(mc.NewContext(info()), toy{})
	var r []byte
	o.Name = "a.s"
	o.Report = func(d *diag.Diagnostic) { r = d.AppendText(r) }
	o.Print = func(t string) { r = append(append(r, t...), '\n') }
	New(s, toy{}, &mc.Subtarget{}, o).Parse([]byte(src))
	return string(s.Output()), string(r)
}

// The text of each is what llvm-mc 22 writes for x86-64 ELF.
func TestText(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"a: b: .long 1; .byte 2 # c\n/* x\n */ .short 3, 'a' // d", "a:\nb:\n\t.long\t1\n\t.byte\t2\n\t.short\t3\n\t.short\t97\n"},
		{"# 33 \"foo.c\"\n.quad -1, 0x10, 0b11, 017, 1<<3|1", "\n\t.quad\t-1\n\t.quad\t16\n\t.quad\t3\n\t.quad\t15\n\t.quad\t9\n"},
		{".long a+1+2, a-(b+1), (a+1)*2, -a, \"a b\"+3", "\t.long\ta+1+2\n\t.long\ta-(b+1)\n\t.long\t(a+1)*2\n\t.long\t-a\n\t.long\t\"a b\"+3\n"},
		{".long 1+2*3==7, 2+2<<1, 1||0&&0, ~1", "\t.long\t-1\n\t.long\t6\n\t.long\t1\n\t.long\t-2\n"},
		{".long f@PLT, %hi(a-b)", "\t.long\tf@PLT\n\t.long\t%hi(a-b)\n"},
		{".set a, 3\n.long a\na = 4\n.long a+x", "a = 3\n\t.long\t3\na = 4\n\t.long\t4+x\n"},
		{"1: op 1b, 1f\n1:", ".Ltmp0:\n\top\t.Ltmp0,.Ltmp1\n.Ltmp1:\n"},
		{".macro m a, b=7, c:vararg\n.long \\a, \\b, \\a\\()q\\@\n.endm\nm 1\nm x, y, 2, 3", "\n\t.long\t1\n\t.long\t7\n"}, // 1q0 is no number
		{".macro m a:req, b=\"x\"\n\\a \\b\n.endm\nm b=5, a=.byte", "\n\t.byte\t5\n"},
		{".rept 2\n.byte \\+\n.endr\n.irp x, 1, 2\n.short \\x\n.endr\n.irpc c, ab\n.long \\c\n.endr", "\t.byte\t0\n\t.byte\t1\n\t.short\t1\n\t.short\t2\n\t.long\ta\n\t.long\tb\n"},
		{".altmacro\n.macro m a\n.long a&x\n.endm\nm %1+2\nm <b>", "\n\t.long\t3\n"}, // 3x is no number
		{".if 0\n.foo\n.elseif 1\n.byte 1\n.else\n.bar\n.endif\n.ifdef q\n.baz\n.endif\n.ifc a b, a b\n.byte 2\n.endif", "\t.byte\t1\n\t.byte\t2\n"},
		{".ascii \"a\\n\\001\" \"b\"\n.asciz \"xy\"", "\t.ascii\t\"a\\n\\001\"\n\t.byte\t98\n\t.ascii\t\"xy\"\n\t.byte\t0\n"},
		{".octa 0x123456789abcdef0123456789\n.float 1.5\n.double -1e3", "\t.quad\t-6066930334832433271\n\t.quad\t4886718345\n\t.long\t1069547520\n\t.quad\t-4571364728013586432\n"},
		{".data 2\n.pushsection .bss\n.popsection\n.text\n.previous", "\t.data\t2\n\t.bss\n\t.data\t2\n\t.text\n\t.data\t2\n"},
		{".section .x,\"aGM\",@progbits,4,g,comdat", "\t.section\t.x,\"aMG\",@progbits,4,g,comdat\n"},
		{".p2align 4,,3\n.space 3\n.fill 2,2,5\n.org 8\n.zero x", "\t.p2align\t4, , 3\n\t.zero\t3\n\t.fill\t2, 2, 0x5\n.org 8, 0\n\t.zero\tx\n"},
		{".cfi_startproc\n.cfi_def_cfa 7, 8\n.cfi_escape 1, 2\n.cfi_endproc", "\t.cfi_startproc\n\t.cfi_def_cfa r7, 8\n\t.cfi_escape 0x01, 0x02\n\t.cfi_endproc\n"},
		{".symver a, b@V1\n.weakref f, g\n.reloc 4, R_X, a\n.type a, @function\n.size a, 3", ".symver a, b@V1\n.weakref f, g\n\t.reloc 4, R_X, a\n\t.type\ta,@function\n\t.size\ta, 3\n"},
	} {
		got, _ := read(c.src, Options{})
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", c.src, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{".long a b", "a.s:1:9: error: unexpected token\n.long a b\n        ^\n"},
		{" .byte 256", "a.s:1:8: error: out of range literal value\n .byte 256\n       ^\n"},
		{"x:\nx:", "a.s:2:1: error: symbol 'x' is already defined\nx:\n^\n"},
		{"b:\nb=3", "a.s:2:3: error: redefinition of 'b'\nb=3\n  ^\n"},
		{"a = a+1", "a.s:1:5: error: Recursive use of 'a'\na = a+1\n    ^\n"},
		{".foo", "a.s:1:1: error: unknown directive\n.foo\n^\n"},
		{".macro m\n.foo\n.endm\n.macro n\nm\n.endm\nn", "<instantiation>:1:1: error: unknown directive\n.foo\n^\n<instantiation>:1:1: note: while in macro instantiation\nm\n^\na.s:7:1: note: while in macro instantiation\nn\n^\n"},
		{".macro m a:req\n.endm\nm", "a.s:3:2: error: missing value for required parameter 'a' in macro 'm'\nm\n ^\n"},
		{".rept 2", "a.s:1:1: error: no matching '.endr' in definition\n.rept 2\n^\n"},
		{".else", "a.s:1:1: error: Encountered a .else that doesn't follow  an .if or an .elseif\n.else\n^\n"},
		{".if 1\n", "a.s:2:1: error: unmatched .ifs or .elses\n\n^\n"},
		{".err\n.error \"x\"\n.warning \"y\"\n.print \"z\"", "a.s:1:1: error: .err encountered\n.err\n^\na.s:2:1: error: x\n.error \"x\"\n^\na.s:3:1: warning: y\n.warning \"y\"\n^\nz\n"},
		{".cfi_endproc", "a.s:1:1: error: this directive must appear between .cfi_startproc and .cfi_endproc directives\n.cfi_endproc\n^\n"},
		{".loc 1 2", "a.s:1:6: error: unassigned file number in '.loc' directive\n.loc 1 2\n     ^\n"},
		{".long 1f", "a.s:1:7: error: directional label undefined\n.long 1f\n      ^\n"},
		{"# 33 \"foo.c\"\n.foo", "foo.c:33:1: error: unknown directive\n.foo\n^\n"},
		{".section .a,\"ax\"\n.section .a,\"aw\"", "a.s:2:1: error: changed section flags for .a, expected: 0x6\n.section .a,\"aw\"\n^\n"},
		{".include \"no\"", "a.s:1:10: error: Could not find include file 'no'\n.include \"no\"\n         ^\n"},
	} {
		if _, got := read(c.src, Options{}); got != c.want {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", c.src, got, c.want)
		}
	}
}

// What would never end ends with an error.
func TestBounds(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{".macro m\nm\n.endm\nm", "macros cannot be nested more than 20 levels deep"},
		{".rept 1000000000\n.long 12345678\n.endr", "macros expand to more than 128 MiB"},
		{".long " + strings.Repeat("(", 100000) + "1", "nested too deeply"},
		{".dcb.b 1000000000000, 1", "is not supported"},
	} {
		if _, got := read(c.src, Options{}); !strings.Contains(got, c.want) {
			t.Errorf("%.40s: got %.300s, want %s", c.src, got, c.want)
		}
	}
}

func TestIncludes(t *testing.T) {
	o := Options{Defines: []Define{{"d", 5}}, Open: func(name string) (string, []byte, error) {
		return "dir/" + name, []byte(".byte d\n.foo"), nil
	}}
	text, report := read(".include \"f\"\n.incbin \"f\",1,4", o)
	if want := "d = 5\n\t.byte\t5\n\t.ascii\t\"byte\"\n"; text != want {
		t.Errorf("got %q, want %q", text, want)
	}
	if want := "Included from a.s:1:\ndir/f:2:1: error: unknown directive\n.foo\n^\n"; report != want {
		t.Errorf("got %q, want %q", report, want)
	}
}

// FuzzParse: no text makes the assembler panic; go test reads the seeds.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		".macro m a,b:vararg\n\\a \\b\n.endm\nm .long,1,2", ".altmacro\n.macro q x\n.byte x\n.endm\nq %1+1\nq <a!>", ".rept 3\n.irp x,1,2\n.byte \\x\n.endr\n.endr",
		"1: op 1b,1f\n1: .set a,b-1b\n.if a==3\n.else\n.endif", ".section .a,\"aGMS?\",@progbits,1,g,comdat,unique,3\n.pushsection .b,1\n.popsection", "\"a\\\"b\": .ascii \"\\xff\\777\"",
		".file 1 \"a\" md5 0x12 source \"x\"\n.loc 1 2 3 is_stmt 0 discriminator 4", ".cfi_startproc\n.cfi_offset 3,-8\n.cfi_escape 1,2\n.cfi_endproc", ".octa -1\n.float 0x1p3,nan,-inf\n.dcb.d 2,1.5\n.ds.x 3",
		".org 4,5\n.fill a-b,2,3\n.nops 4,2\n.balignl 8,1,3\n.uleb128 a-b", ".symver a,b@@@c\n.weakref d,e\n.cg_profile a,b,3\n.reloc .,R,a@PLT+4", "/* # 3 \"x\"\n'\\''", ".ifc a\n.ifeqs \"a\",\"b\"\n.elseif", "\\@\\()\\+", ". = .+4\n$x=3\n@y:",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) { read(src, Options{}) })
}
