package mctargetdesc_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmparse"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/mc/mctarget"
	mips "github.com/mirin-go/mirin/target/mips/mctargetdesc"
	"github.com/mirin-go/mirin/triple"
)

func target(t *testing.T, arch, cpu, features string) *mctarget.Target {
	t.Helper()
	of := triple.Parse(triple.Normalize(arch + "-unknown-linux-gnu"))
	mt, err := mctarget.New(family.ByArch(of.Arch), of, cpu, features, &mips.Hooks)
	if err != nil {
		t.Fatal(err)
	}
	return mt
}

// assemble gives a text as it was understood, and what is said about it.
func assemble(t *testing.T, arch, cpu, features, src string) (text, said string) {
	t.Helper()
	mt := target(t, arch, cpu, features)
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
	p.Parse([]byte(src + "\n"))
	return string(s.Output()), b.String()
}

var (
	blanks  = regexp.MustCompile(`[ \t]+`)
	message = regexp.MustCompile(`(?m)^x\.s:(\d+:\d+: .*)$`)
)

// lines are the lines of a text with one blank for each run of them.
func lines(text string) string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(blanks.ReplaceAllString(l, " ")); l != "" {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// What instructions become and what is said of them was seen with llvm-mc 22.
func TestInstructions(t *testing.T) {
	for _, c := range []struct{ arch, cpu, features, src, want, said string }{
		{"mips", "mips32r2", "",
			"neg $2\nadd $2, $3\nsll $2, $3, $4\naddu $9, 10\nrotr $1, 15\nlw $4, 40000($5)\nli $5, 0x12345678\nla $5, sym+4($6)\nbeq $2, 5, l",
			"neg $2, $2\nadd $2, $2, $3\nsllv $2, $3, $4\naddiu $9, $9, 10\nrotr $1, $1, 15\nlui $4, 1\naddu $4, $4, $5\nlw $4, -25536($4)\nlui $5, 4660\nori $5, $5, 22136\nlui $5, %hi(sym+4)\naddiu $5, $5, %lo(sym+4)\naddu $5, $5, $6\n.set noreorder\naddiu $1, $zero, 5\nbeq $2, $1, l\nnop\n.set reorder",
			"5:6: warning: used $at (currently $1) without \".set noat\""},
		{"mips", "mips32r2", "",
			".set noreorder\n.set noat\ndiv $4, $5, 7\nblt $4, $5, l\naddiu $2, $3, 40000\naddiu $2, $3\nxyzzy $2\nlw $2, 4($3\nsll $2, $3, 32\nb 3\nb 0x20000",
			".set noreorder\n.set noat\naddiu $2, $3, -25536",
			"3:1: error: pseudo-instruction requires $at, which is not available\n4:1: error: pseudo-instruction requires $at, which is not available\n6:1: error: expected 16-bit signed immediate\n7:1: error: unknown instruction\n8:12: error: ')' expected\n8:12: error: unexpected token in argument list\n9:13: error: expected 5-bit unsigned immediate\n10:1: error: branch to misaligned address\n11:1: error: branch target out of range"},
		{"mips", "mips32r2", "+micromips",
			"lw $3, 32($gp)\nlwm $16, $17, $ra, 8($sp)\nmovep $5, $6, $2, $3\nbeqz $2, l\nins $9, $6, 3, 7\naddiusp -1032\nlwp $16, 8($4)",
			"lw $3, 32($gp)\nlwm16 $16, $17, $ra, 8($sp)\nmovep $5, $6, $2, $3\n.set noreorder\nbeqz $2, l\nnop\n.set reorder\nins $9, $6, 3, 7\naddiusp -1032\nlwp $16, 8($4)",
			""},
		{"mips64", "mips64r2", "",
			"dli $4, 0x123456789abcdef0\ndla $4, sym\ndext $2, $3, 40, 8\ndins $2, $3, 5, 34\nsge $4, $5, 0x100000000\nlw $2, sym",
			"lui $4, 4660\nori $4, $4, 22136\ndsll $4, $4, 16\nori $4, $4, 39612\ndsll $4, $4, 16\nori $4, $4, 57072\nlui $4, %highest(sym)\nlui $1, %hi(sym)\ndaddiu $4, $4, %higher(sym)\ndaddiu $1, $1, %lo(sym)\ndsll32 $4, $4, 0\ndaddu $4, $4, $1\ndextu $2, $3, 40, 8\ndinsm $2, $3, 5, 34\nori $4, $zero, 32768\ndsll $4, $4, 17\nslt $4, $5, $4\nxori $4, $4, 1\nlui $2, %highest(sym)\ndaddiu $2, $2, %higher(sym)\ndsll $2, $2, 16\ndaddiu $2, $2, %hi(sym)\ndsll $2, $2, 16\nlw $2, %lo(sym)($2)",
			""},
		{"mips", "mips32r6", "",
			"lsa $2, $3, $4, 5\nbgec $2, $2, 16\nmul $2, $3\nbgezc $0, 8",
			"",
			"1:17: error: expected immediate in range 1 .. 4\n2:1: error: registers must be different\n3:1: error: instruction requires a CPU feature not currently enabled\n4:1: error: invalid operand ($zero) for instruction"},
		{"mips", "mips32r6", "",
			"beqc $5, $3, 16\naddiu $2, $2, 1\nbeqc $5, $3, 16\nbnec $5, $3, 16\nb 16\nbeqzc $2, 8\nsyscall\nll $2, 300($3)\nbovc $2, $3, 8",
			".set noreorder\nbeqc $5, $3, 16\naddiu $2, $2, 1\n.set reorder\n.set noreorder\nbeqc $5, $3, 16\nnop\n.set reorder\n.set noreorder\nbnec $5, $3, 16\nnop\n.set noreorder\nb 16\nnop\n.set reorder\n.set noreorder\nbeqzc $2, 8\nnop\n.set reorder\nsyscall\naddiu $2, $3, 300\nll $2, 0($2)\n.set noreorder\nbovc $2, $3, 8\nnop\n.set reorder",
			""},
		{"mips", "mips1", "",
			"dsll $2, $3, 4\nbc1f $fcc1, 4\nmtc0 $2, $3, 1\nsync 2\nadd.d $f1, $f2, $f4",
			"add.d $f0, $f2, $f4",
			"1:1: error: instruction requires a CPU feature not currently enabled\n2:6: error: non-zero fcc register doesn't exist in current ISA level\n3:1: error: selector must be zero for pre-MIPS32 ISAs\n4:1: error: instruction requires a CPU feature not currently enabled\n5:7: warning: Float register should be even."},
		{"mips", "mips32", "",
			".module fp=xx\n.set push\n.set mips3\n.set at=$5\nld $2, 0($3)\n.set pop\nld $2, 0($4)\n.option pic2\n.cpload $25\njal f\n.module fp=32",
			".module fp=xx\n.set push\n.set mips3\n.set at=$5\nld $2, 0($3)\n.set pop\nlw $2, 0($4)\nlw $3, 4($4)\n.option pic2\n.cpload $25\nlw $25, %call16(f)($gp)\n.reloc $tmp0, R_MIPS_JALR, f\n$tmp0:\n.set noreorder\njalr $25\nnop\n.set reorder",
			"9:1: warning: .cpload should be inside a noreorder section\n10:1: warning: no .cprestore used in PIC mode\n11:9: error: .module directive must appear before any code"},
	} {
		text, said := assemble(t, c.arch, c.cpu, c.features, c.src)
		var msgs []string
		for _, m := range message.FindAllStringSubmatch(said, -1) {
			msgs = append(msgs, m[1])
		}
		if got := lines(text); got != c.want {
			t.Errorf("%s %s %s\n%s\nis\n%s\nwant\n%s", c.arch, c.cpu, c.features, c.src, got, c.want)
		}
		if got := strings.Join(msgs, "\n"); got != c.said {
			t.Errorf("%s %s %s\n%s\nsaid\n%s\nwant\n%s", c.arch, c.cpu, c.features, c.src, got, c.said)
		}
	}
}

// The rows are sorted by their mnemonics, which is how they are found, and each can be read.
func TestEachRowIsFound(t *testing.T) {
	text, said := assemble(t, "mips", "mips32r2", "", ".set noreorder\n.set noat\nabs $4, $5\nxori $2, $3, 1\nyield $3")
	if want := "instruction requires a CPU feature not currently enabled"; !strings.Contains(said, want) || strings.Count(said, "error") != 1 {
		t.Errorf("said %s, want one %q", said, want)
	}
	if got := lines(text); !strings.HasSuffix(got, "xori $2, $3, 1") || !strings.Contains(got, "bgez $5, 8") {
		t.Errorf("text %s", got)
	}
}

// Branches to labels of the object reach them (words of llvm-mc 22).
func TestBranches(t *testing.T) {
	for _, c := range []struct {
		arch, cpu, features, src string
		want                     string
	}{
		{"mips", "mips32r2", "", ".set noreorder\nb x\nnop\nnop\nx: bne $2, $3, y\nnop\ny: bnez $2, x\nnop", "10 00 00 02 00 00 00 00 00 00 00 00 14 43 00 01 00 00 00 00 14 40 ff fd 00 00 00 00"},
		{"mipsel", "mips32r6", "", ".set noreorder\nbeqzc $2, x\nnop\nx: bc x\nbalc y\nnop\ny: lwpc $2, y", "01 00 40 d8 00 00 00 00 ff ff ff cb 01 00 00 e8 00 00 00 00 00 00 48 ec"},
		{"mipsel", "mips32r2", "+micromips", ".set noreorder\nb16 y\nnop\ny: bne $2, $3, z\nnop\nz: nop", "02 cc 00 00 00 00 62 b4 02 00 00 00 00 00 00 00 00 00"},
	} {
		obj := object(t, target(t, c.arch, c.cpu, c.features), c.src)
		for i := range obj.Sections {
			if obj.Sections[i].Name == ".text" {
				if got := fmt.Sprintf("% x", obj.Sections[i].Data); got != c.want {
					t.Errorf("%s %s\n%s\nis   %s\nwant %s", c.arch, c.features, c.src, got, c.want)
				}
			}
		}
	}
}

func object(t *testing.T, mt *mctarget.Target, src string) *mc.Object {
	t.Helper()
	ta, err := mt.Parser()
	if err != nil {
		t.Fatal(err)
	}
	enc, err := mt.Encoder()
	if err != nil {
		t.Fatal(err)
	}
	be, err := mt.Backend()
	if err != nil {
		t.Fatal(err)
	}
	s := mc.NewObjectStreamer(mc.NewContext(mt.AsmInfo()), enc, be)
	asmparse.New(s, ta, mt.ST, asmparse.Options{Name: "x.s"}).Parse([]byte(src + "\n"))
	obj, err := s.Object()
	if err != nil {
		t.Fatal(err)
	}
	return obj
}

// .MIPS.abiflags and the header say what the module's features are (bytes of llvm-mc 22).
func TestObjects(t *testing.T) {
	for _, c := range []struct {
		arch, cpu, features, src string
		flags                    uint32
		abi                      []byte
	}{
		{"mips", "mips32r2", "", "nop", 0x70001004, []byte{0, 0, 32, 2, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}},
		{"mips", "mips32r6", "+msa", ".set noreorder\nnop", 0x90001405, []byte{0, 0, 32, 6, 1, 3, 0, 6, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0}},
		{"mips64el", "mips64r2", "", ".option pic2\nnop", 0x80000006, []byte{0, 0, 64, 2, 2, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}},
	} {
		obj := object(t, target(t, c.arch, c.cpu, c.features), c.src)
		if got := obj.Machine.ELFFlags; got != c.flags {
			t.Errorf("%s %s: flags %#x, want %#x", c.arch, c.cpu, got, c.flags)
		}
		var got []byte
		for i := range obj.Sections {
			if obj.Sections[i].Name == ".MIPS.abiflags" {
				got = obj.Sections[i].Data
			}
		}
		if !bytes.Equal(got, c.abi) {
			t.Errorf("%s %s: .MIPS.abiflags % x, want % x", c.arch, c.cpu, got, c.abi)
		}
	}
}

// Without addends a high half stands before the low half that has its carry (as seen with llvm-mc 22).
func TestHalvesAreNext(t *testing.T) {
	obj := object(t, target(t, "mips", "mips32r2", ""), "\t.set noreorder\n\tlui $2, %hi(a+4)\n\tlw $3, %lo(a)($2)\n\tlw $3, %lo(a+4)($2)\n\tlui $4, %hi(a)\n\tlui $4, %hi(b)\n\tlui $4, %hi(a+6)\n")
	const hi, lo = 5, 6
	var got []uint64
	for _, r := range obj.Sections[0].Relocs {
		got = append(got, r.Offset<<8|uint64(r.Type))
	}
	if want := []uint64{0xc<<8 | hi, 4<<8 | lo, 0<<8 | hi, 8<<8 | lo, 0x10<<8 | hi, 0x14<<8 | hi}; !slices.Equal(got, want) {
		t.Errorf("%#x, want %#x", got, want)
	}
}
