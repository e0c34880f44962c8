package all

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mc"
)

// disassemblers are the subtargets whose disassembly is held to LLVM's: of some
// thousand words, three in four of them encodings of known opcodes with random
// fields, other mean something else than to LLVM, or are written otherwise.
var disassemblers = []struct {
	triple, cpu, features string
	other                 int
}{
	{"aarch64", "", "+all", 4},
	{"aarch64", "cortex-a57", "", 6},
	{"arm", "", "", 0},
	{"armv7-linux-gnueabihf", "cortex-a9", "", 0},
	{"armv8.6a", "", "+fullfp16,+dotprod", 0},
	{"bpfel", "", "", 0},
	{"loongarch64", "", "+lasx,+lsx,+lvz,+lbt", 0},
	{"mips", "mips32r2", "+msa,+dspr2", 1},
	{"mipsel", "mips32r6", "", 109},
	{"mips64", "mips64r6", "", 135},
	{"mips", "mips32r2", "+micromips", 45},
	{"powerpc64", "pwr10", "", 4},
	{"powerpc64le", "pwr9", "", 2},
	{"riscv64", "", "+m,+a,+f,+d,+c,+v,+zba,+zbb", 106},
	{"riscv32", "", "+m,+a,+f,+d,+c,+zbkb", 107},
	{"s390x", "z16", "", 0},
	{"sparc", "", "", 399},
	{"sparcv9", "", "", 77},
	{"avr", "avr6", "", 0},
	{"lanai", "", "", 16},
	{"m68k", "M68060", "", 321},
	{"msp430", "", "", 820},
	{"ve", "", "", 0},
	{"x86_64", "", "", 18},
	{"i386", "", "", 9},
	{"i386-unknown-unknown-code16", "", "", 27},
	{"xtensa", "", "+density,+mul16,+mul32,+windowed,+bool", 0},
}

// TestDisassembleLLVM puts words to our disassembler and to LLVM's.
func TestDisassembleLLVM(t *testing.T) {
	tool := testenv.LLVM(t, "llvm-mc")
	if testing.Short() {
		t.Skip("skipped: it asks a disassembler about a hundred thousand words")
	}
	for _, c := range disassemblers {
		t.Run(strings.Join([]string{c.triple, c.cpu, c.features}, " "), func(t *testing.T) {
			m, err := MC(c.triple, "", c.cpu, c.features)
			if err != nil {
				t.Fatal(err)
			}
			words := randomWords(t, c.triple, c.cpu, c.features)
			ask := func(ws [][]byte) []string {
				var src bytes.Buffer
				for _, w := range ws {
					src.WriteString("[")
					for _, b := range w {
						fmt.Fprintf(&src, "0x%02x ", b)
					}
					src.WriteString("]\n")
				}
				cmd := exec.Command(tool, "-disassemble", "-triple="+c.triple, "-mcpu="+c.cpu, "-mattr="+c.features)
				cmd.Stdin = &src
				out, _ := cmd.Output() // it ends with an error where a block has one
				return strings.SplitAfter(string(out), "\n")
			}
			// An instruction stands behind each word, since words may be none or several.
			var mark []byte
			var markText string
			for _, w := range words {
				if l := ask([][]byte{w}); len(l) == 2 {
					mark, markText = w, l[0]
					break
				}
			}
			var ws [][]byte
			for _, w := range words {
				ws = append(ws, w, mark)
			}
			var theirs []string
			now := ""
			for _, l := range ask(ws) {
				if l == markText {
					theirs = append(theirs, now)
					now = ""
				} else {
					now += l
				}
			}
			dis, err := m.Disassembler()
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.Printer(0)
			if err != nil {
				t.Fatal(err)
			}
			ctx := mc.NewContext(m.AsmInfo())
			var in mc.Inst
			same, other, at := 0, 0, 0
			for _, w := range words {
				if bytes.Equal(w, mark) {
					at += 2 // it is two marks
					continue
				}
				if at >= len(theirs) {
					t.Logf("LLVM crashed behind %d words", at)
					break
				}
				want := strings.TrimSpace(theirs[at])
				at++
				if i := strings.Index(want, "  "); i > 0 {
					want = strings.TrimSpace(want[:i]) // a remark
				}
				got := ""
				if n, s := dis.Disassemble(&in, m.ST, w, 0); s != mc.DecodeFail {
					text, _, err := p.AppendInst(nil, nil, ctx, m.ST, &in, nil)
					if got = strings.TrimSpace(string(text)); err != nil {
						got = err.Error()
					}
					if i := strings.Index(got, "  "); i > 0 {
						got = strings.TrimSpace(got[:i])
					}
					want, _, _ = strings.Cut(want, " # ")
					if n < len(w) {
						want, _, _ = strings.Cut(want, "\n") // the first of several
					}
				}
				if got == want {
					same++
				} else if other++; other < 25 {
					t.Logf("%x: %q, LLVM %q", w, got, want)
				}
			}
			t.Logf("%d words, %d as LLVM, %d otherwise", len(words), same, other)
			if other > c.other {
				t.Errorf("%d words mean something else than to LLVM, at most %d may", other, c.other)
			}
		})
	}
}

// randomWords are words of the sizes of instructions.
func randomWords(t *testing.T, triple, cpu, features string) (out [][]byte) {
	m, err := MC(triple, "", cpu, features)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := m.Tables()
	if err != nil {
		t.Fatal(err)
	}
	e := tab.Encoder
	if e == nil || len(e.Instrs) == 0 {
		return randomX86()
	}
	rnd := rand.New(rand.NewPCG(13, 4))
	little := e.BigEndian && m.Triple.IsLittleEndian() && !m.Family.CodeLittle
	for len(out) < 4000 {
		size, b := 4, []byte(nil)
		row := &e.Instrs[rnd.IntN(len(e.Instrs))]
		if row.Size > 0 && rnd.IntN(4) > 0 {
			b = randomFields(rnd, e, row)
			if little {
				for lo := 0; lo+4 <= len(b); lo += 4 {
					b[lo], b[lo+1], b[lo+2], b[lo+3] = b[lo+3], b[lo+2], b[lo+1], b[lo]
				}
			}
		} else {
			if row.Size > 0 {
				size = int(row.Size)
			}
			for range size {
				b = append(b, byte(rnd.Uint32()))
			}
		}
		out = append(out, b)
	}
	return out
}

// randomX86 are random bytes behind prefixes and escapes.
func randomX86() (out [][]byte) {
	rnd := rand.New(rand.NewPCG(13, 86))
	mark := []byte{0x66, 0x67, 0x81, 0x80, 0x78, 0x56, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12}
	out = [][]byte{mark, mark[2:]} // one instruction in 16-bit mode, and in others
	const prefixes = "\x66\xf2\xf3\x66\x67\xf0\x2e\x64\x65\x3e"
	escapes := []string{"", "", "", "\x0f", "\x0f", "\x0f\x38", "\x0f\x3a", "\x48", "\x41", "\x4c\x0f", "\x48\x0f", "\xc5", "\xc5", "\xc4\xe2", "\xc4\xe3", "\xc4\xc1",
		"\x62\xf1", "\x62\xf2", "\x62\xf3", "\x62\x51", "\x62\xf5", "\x62\xf6", "\x62\xf4", "\x8f\xe8", "\x8f\xe9", "\xd5"}
	for range 6000 {
		var b []byte
		for rnd.IntN(4) == 0 {
			b = append(b, prefixes[rnd.IntN(len(prefixes))])
		}
		b = append(b, escapes[rnd.IntN(len(escapes))]...)
		for len(b) < 15 {
			b = append(b, byte(rnd.Uint32()))
		}
		out = append(out, b)
	}
	return out
}

// randomFields is an encoding with random bits in its fields.
func randomFields(rnd *rand.Rand, e *desc.EncoderTable, row *desc.EncInstr) []byte {
	w := make([]uint64, 8)
	copy(w, e.Words[row.Words:row.Words+(uint32(row.Size)+7)/8])
	for _, f := range e.Fields[row.Fields : row.Fields+uint32(row.NumFields)] {
		v := rnd.Uint64()
		if x := &e.Xforms[f.Xform]; x.Num > 0 {
			v = e.Maps[x.First+rnd.Uint32N(x.Num)].Value
		}
		for _, s := range e.Segs[f.Segs : f.Segs+uint32(f.NumSegs)] {
			for b := range s.Len {
				w[(s.Inst+b)/64] ^= v >> (s.Value + b) & 1 << ((s.Inst + b) % 64)
			}
		}
	}
	b := make([]byte, row.Size)
	for k := range b {
		i := k
		if e.BigEndian {
			i = len(b) - 1 - k
		}
		b[i] = byte(w[k/8] >> (k % 8 * 8))
	}
	return b
}
