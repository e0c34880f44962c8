package all

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmparse"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/mc/object/elf"
)

var (
	mutantCount = flag.Int("mutants", 30, "texts and byte strings for each target of TestMutants")
	mutantSeed  = flag.Uint64("mutantseed", 1, "seed of TestMutants")
)

// mutantTriples are the targets with a parser or a disassembler.
var mutantTriples = []string{"x86_64", "i386", "aarch64", "aarch64_be", "armv8a", "thumbv8a", "riscv64", "riscv32", "mips", "mips64el", "powerpc64le", "powerpc", "s390x",
	"loongarch64", "sparcv9", "sparc", "bpfel", "bpfeb", "avr", "msp430", "m68k", "lanai", "xtensa", "ve"}

// mutantWords are pieces of assembly; mutants join them at random.
var mutantWords = strings.Split(`foo bar .Lx a b 1 0 -1 4 0x10 255 0x7fffffffffffffff 18446744073709551615 1f 1b . , , , : = ( ) [ ] + - * / % & | ^ ~ ! << >> == && || @ @PLT @GOT $ # "s" "" ' \ { }
.text .data .bss .section .pushsection .popsection .previous .subsection .byte .short .long .quad .octa .float .double .ascii .asciz .fill .space .zero .org .align .balign .p2align
.set .equ .equiv .globl .weak .local .hidden .type .size .comm .lcomm .symver .weakref .reloc .uleb128 .sleb128 .cfi_startproc .cfi_endproc .cfi_def_cfa .cfi_offset .cfi_escape .cfi_label
.cfi_sections .file .loc .loc_label .macro .endm .rept .endr .irp .irpc .if .else .elseif .endif .ifdef .ifc .ifb .include .incbin .exitm .purgem .altmacro .noaltmacro .err .warning .print
.ident .version .addrsig .addrsig_sym .cg_profile .lto_discard .lto_set_conditional .dcb .ds .dc .nops .base64 .end .code16 .code32 .code64 .intel_syntax .option .set .cpu .arch .thumb .arm
.debug_frame .eh_frame @progbits @nobits "ax" "aw" "aMS" "aG" "ao" comdat unique @function @object R_X86_64_NONE BFD_RELOC_32
mov add sub ld st lw sw addi jmp b bl call ret nop push pop %eax %rax %xmm1 %r1 %g1 r0 r1 x0 w0 v0.4s {r0,r1} a0 sp $4 8(sp) [x0] [r0] #4 %hi(foo) :lo12:foo lsl vadd.vv`, " ")

// mutant makes a text of some lines.
func mutant(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(14) {
		for range 1 + r.IntN(9) {
			w := mutantWords[r.IntN(len(mutantWords))]
			if r.IntN(40) == 0 && w != "" {
				k := r.IntN(len(w))
				w = w[:k] + string(rune(r.IntN(256))) + w[k:]
			}
			b.WriteString(strings.TrimSpace(w))
			b.WriteString([...]string{" ", " ", " ", "", ", "}[r.IntN(5)])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Nothing that anybody writes makes the assembler or the disassembler panic, hang or
// take much memory. More: -mutants=100000 -mutantseed=7.
func TestMutants(t *testing.T) {
	for _, name := range mutantTriples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(*mutantSeed, uint64(len(name))))
			for i := range *mutantCount {
				text := mutant(r)
				var code [48]byte
				for k := range code {
					code[k] = byte(r.UintN(256))
				}
				start := time.Now()
				if err := tryMutant(name, text, code[:]); err != nil {
					t.Fatalf("mutant %d: %v\n%q\n%x", i, err, text, code)
				}
				if d := time.Since(start); d > 20*time.Second {
					t.Errorf("mutant %d takes %v: %q", i, d, text)
				}
			}
		})
	}
}

// tryMutant reads a text twice, for text and for an object, and bytes once.
func tryMutant(name, text string, code []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	t, err := MC(name, "", "", "")
	if err != nil {
		return err
	}
	parser, _ := t.Parser()
	opts := asmparse.Options{Name: "m.s", Report: func(*diag.Diagnostic) {}, Print: func(string) {}}
	if p, err := t.Printer(0); err == nil {
		s := asmtext.New(mc.NewContext(t.AsmInfo()), p)
		asmparse.New(s, parser, t.ST, opts).Parse([]byte(text))
		if err := s.Finish(); err != nil {
			_ = err.Error()
		}
		if d, err := t.Disassembler(); err == nil {
			var in mc.Inst
			for k := 0; k < len(code); {
				n, status := d.Disassemble(&in, t.ST, code[k:], uint64(k))
				if status != mc.DecodeFail {
					if err := s.Inst(&in, t.ST); err != nil {
						_ = err.Error()
					}
				}
				k += max(n, 1)
			}
		}
	}
	enc, err1 := t.Encoder()
	be, err2 := t.Backend()
	if err1 != nil || err2 != nil {
		return nil
	}
	s := mc.NewObjectStreamer(mc.NewContext(t.AsmInfo()), enc, be)
	opts.Debug = len(text)%2 == 0
	p := asmparse.New(s, parser, t.ST, opts)
	if !p.Parse([]byte(text)) {
		return nil
	}
	if obj, err := s.Object(); err == nil {
		_, _ = elf.Append(nil, obj)
	}
	return nil
}
