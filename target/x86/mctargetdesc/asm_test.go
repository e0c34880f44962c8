package mctargetdesc

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmparse"
	"github.com/mirin-go/mirin/mc/asmtext"
)

// assembleText reads assembly for 64-bit mode and gives it back with its bytes, without blanks at the ends of words, and the messages.
func assembleText(t *testing.T, src string) (text, messages string) {
	t.Helper()
	k := newToolkit(t)
	s := asmtext.New(mc.NewContext(AsmInfo()), NewPrinter(k.info, ATT, "x86_64"))
	s.SetVerbose(true)
	s.Encodings(k.enc, k.be)
	var said []byte
	p := asmparse.New(s, NewAsmParser(k.info), k.st, asmparse.Options{Name: "t.s", Report: func(d *diag.Diagnostic) { said = d.AppendText(said) }})
	p.Parse([]byte(src))
	p.Report(s.Finish())
	var lines []string
	for l := range strings.Lines(string(s.Output())) {
		if w := strings.Join(strings.Fields(l), " "); w != "" && !strings.HasPrefix(w, "#") {
			lines = append(lines, w)
		}
	}
	return strings.Join(lines, "\n"), string(said)
}

// What is read, and what LLVM's assembler makes of it.
func TestAssemble(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"{disp8} movl (%rax), %ebx", "{disp8} movl (%rax), %ebx # encoding: [0x8b,0x58,0x00]"},
		{"{disp32} movl 4(%rax), %ebx", "{disp32} movl 4(%rax), %ebx # encoding: [0x8b,0x98,0x04,0x00,0x00,0x00]"},
		{"{disp8} movl 400(%rax), %ebx", "{disp8} movl 400(%rax), %ebx # encoding: [0x8b,0x98,0x90,0x01,0x00,0x00]"},
		{"{disp32} vaddps 64(%rax), %zmm1, %zmm2", "{disp32} vaddps 64(%rax), %zmm1, %zmm2 # encoding: [0x62,0xf1,0x74,0x48,0x58,0x90,0x40,0x00,0x00,0x00]"},
		{"{disp32} jne foo", "{disp32} jne foo # encoding: [0x0f,0x85,A,A,A,A]"},
		{"{vex2} vaddps %xmm1, %xmm2, %xmm3", "{vex2} vaddps %xmm1, %xmm2, %xmm3 # encoding: [0xc5,0xe8,0x58,0xd9]"},
		{"cmpq $foo, %rax", "cmpq $foo, %rax # encoding: [0x48,0x83,0xf8,A]"},
		{"xchg %eax, %eax", "xchgl %eax, %eax # encoding: [0x87,0xc0]"},
		{"xchg %eax, %ecx", "xchgl %ecx, %eax # encoding: [0x91]"},
		{"xchgq %rax, %rax", "nop # encoding: [0x90]"},
		{"movq (%rax), %mm1", "movq (%rax), %mm1 # encoding: [0x0f,0x6f,0x08]"},
		{"movq %mm1, (%rax)", "movq %mm1, (%rax) # encoding: [0x0f,0x7f,0x08]"},
		{"larl %eax, %ecx", "larl %ax, %ecx # encoding: [0x0f,0x02,0xc8]"},
		{"lsl %rax, %rcx", "lslq %ax, %rcx # encoding: [0x48,0x0f,0x03,0xc8]"},
		{"invlpga %rax, %ecx", "invlpga # encoding: [0x0f,0x01,0xdf]"},
		{"monitor %rax, %rcx, %rdx", "monitor # encoding: [0x0f,0x01,0xc8]"},
		{"vpextrw $3, %xmm25, %rcx", "vpextrw $3, %xmm25, %ecx # encoding: [0x62,0x91,0x7d,0x08,0xc5,0xc9,0x03]"},
		{"sha256rnds2 %xmm1, %xmm2", "sha256rnds2 %xmm0, %xmm1, %xmm2 # encoding: [0x0f,0x38,0xcb,0xd1]"},
		{"vcvtsd2usiq %xmm1, %rax", "vcvtsd2usi %xmm1, %rax # encoding: [0x62,0xf1,0xff,0x08,0x79,0xc1]"},
		{"retn $4", "retq $4 # encoding: [0xc2,0x04,0x00]"},
		{"setgb (%rax)", "setg (%rax) # encoding: [0x0f,0x9f,0x00]"},
		{"movsd", "movsl (%rsi), %es:(%rdi) # encoding: [0xa5]"},
		{"mov %ax, %es", "movl %eax, %es # encoding: [0x8e,0xc0]"},
		{"movl 3133065982, %ecx", "movl 3133065982, %ecx # encoding: [0x8b,0x0c,0x25,0xfe,0xca,0xbe,0xba]"},
		{"umonitor %eax", "umonitor %eax # encoding: [0x67,0xf3,0x0f,0xae,0xf0]"},
		{".code16gcc\nlodsb\nret\ncall $3, $4", ".code16\nlodsb (%esi), %al # encoding: [0x67,0xac]\nretl # encoding: [0x66,0xc3]\n" +
			"lcalll $3, $4 # encoding: [0x66,0x9a,0x04,0x00,0x00,0x00,0x03,0x00]"},
		{".code32\nincl %eax\ndecw %cx", ".code32\nincl %eax # encoding: [0x40]\ndecw %cx # encoding: [0x66,0x49]"},
		{".code16\ndata32 ret\ndata32 callw foo\ndata32 lodsb\n.code32\nxchg %eax, %eax", ".code16\nretl # encoding: [0x66,0xc3]\ncalll foo # encoding: [0x66,0xe8,A,A,A,A]\n" +
			"lodsb (%si), %al # encoding: [0xac]\n.code32\nxchgl %eax, %eax # encoding: [0x90]"},
	} {
		if got, said := assembleText(t, c.src); got != c.want || said != "" {
			t.Errorf("%s\ngives %s\nwant  %s\n%s", c.src, got, c.want, said)
		}
	}
}

func TestAssembleErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"data32 nop", "'data32' is not supported in 64-bit mode"},
		{".code32\ndata32 nop", "redundant data32 prefix"},
		{".code16\ndata16 nop", "redundant data16 prefix"},
		{"mwait %eax, %ecx", "instruction requires: Not 64-bit mode"},
		{"monitor %rax, %ecx, %edx", "invalid operand for instruction"},
		{"callw *%ax", "instruction requires: Not 64-bit mode"},
		{"fnstsw %eax", "invalid operand for instruction"},
		{"outb (%dx)", "invalid operand for instruction"},
		{"fild (%rax)", "(could be 'filds', or 'fildl')"},
		{"movl 3133065982(%rbx), %ecx", "a displacement beyond 32 bits"},
	} {
		if got, said := assembleText(t, c.src); !strings.Contains(said, c.want) {
			t.Errorf("%s gives %s %s, want %q", c.src, got, said, c.want)
		}
	}
}
