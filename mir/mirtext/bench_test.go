package mirtext

import (
	"strconv"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
)

// loadFacts is ParseOptions.Facts of the tests.
func loadFacts(triple string) (*desc.Info, error) {
	if triple == "" {
		triple = defaultTriple
	}
	return facts.Load(family.NameOf(triple))
}

// bigInput makes an x86-64 file with one function of the given number of
// blocks, nine instructions each.
func bigInput(blocks int) []byte {
	b := []byte("---\nname: big\ntracksRegLiveness: true\nliveins:\n  - { reg: '$edi' }\n  - { reg: '$rsi' }\nframeInfo:\n  maxAlignment: 16\n" +
		"stack:\n  - { id: 0, size: 16, alignment: 16 }\nbody: |\n")
	num := func(n int) { b = strconv.AppendInt(b, int64(n), 10) }
	text := func(s string) { b = append(b, s...) }
	for k := range blocks {
		text("  bb.")
		num(k)
		text(":\n")
		if k+1 < blocks {
			text("    successors: %bb.")
			num(k + 1)
			text("(0x40000000), %bb.")
			num(min(k+2, blocks-1))
			text("(0x40000000)\n")
		}
		text("    liveins: $edi, $rsi\n\n")
		v := 8 * k
		reg := func(n int) { text("%"); num(v + n) }
		line := func(parts ...string) {
			text("    ")
			for _, p := range parts {
				if p[0] == '#' {
					reg(int(p[1] - '0'))
				} else {
					text(p)
				}
			}
			text("\n")
		}
		line("#0", ":gr32 = COPY $edi")
		line("#1", ":gr64 = COPY killed $rsi")
		line("#2", ":gr32 = MOV32rm ", "#1", ", 1, $noreg, 16, $noreg :: (load (s32), align 8)")
		line("#3", ":gr32 = ADD32rr ", "#2", ", ", "#0", ", implicit-def dead $eflags")
		line("#4", ":gr32 = nsw IMUL32rri killed ", "#3", ", 12345, implicit-def dead $eflags")
		line("MOV32mr %stack.0, 1, $noreg, 4, $noreg, ", "#4", " :: (store (s32) into %stack.0 + 4)")
		line("CMP32ri ", "#4", ", -7, implicit-def $eflags")
		if k+1 < blocks {
			text("    JCC_1 %bb.")
			num(k + 1)
			text(", 5, implicit $eflags\n    JMP_1 %bb.")
			num(min(k+2, blocks-1))
			text("\n\n")
		} else {
			text("    RET64\n")
		}
	}
	return append(b, "...\n"...)
}

func BenchmarkParse(b *testing.B) {
	src := bigInput(5000)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("big.mir", src, ParseOptions{Facts: loadFacts, Jobs: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	f, err := Parse("big.mir", bigInput(5000), ParseOptions{Facts: loadFacts, Jobs: 1})
	if err != nil {
		b.Fatal(err)
	}
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		out = f.AppendText(out[:0], PrintOptions{})
		b.SetBytes(int64(len(out)))
	}
}
