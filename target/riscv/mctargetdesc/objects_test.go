package mctargetdesc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmparse"
	"github.com/mirin-go/mirin/mc/mctarget"
	riscv "github.com/mirin-go/mirin/target/riscv/mctargetdesc"
	"github.com/mirin-go/mirin/triple"
)

// relocs assembles src and gives the relocations of a section: offset, type and addend.
func relocs(t *testing.T, features, src, section string) (list string, data []byte) {
	t.Helper()
	of := triple.Parse(triple.Normalize("riscv64-unknown-linux-gnu"))
	mt, err := mctarget.New(family.ByArch(of.Arch), of, "", features, &riscv.Hooks)
	if err != nil {
		t.Fatal(err)
	}
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
	asmparse.New(s, ta, mt.ST, asmparse.Options{Name: "x.s"}).Parse([]byte(src))
	obj, err := s.Object()
	if err != nil {
		t.Fatal(err)
	}
	for i := range obj.Sections {
		if obj.Sections[i].Name == section {
			for _, r := range obj.Sections[i].Relocs {
				list += fmt.Sprintf(" %x:%d+%d", r.Offset, r.Type, r.Addend)
			}
			data = obj.Sections[i].Data
		}
	}
	return strings.TrimSpace(list), data
}

// What depends on the size of code that a linker changes is left to it, in pairs of relocations;
// what does not is known (as seen with llvm-mc 22).
func TestLinkerRelaxation(t *testing.T) {
	const src = `f:	.cfi_startproc
.Lb:
	addi sp, sp, -16
	.cfi_def_cfa_offset 16
.L0:	nop
	beqz a0, .L0
	call g
.L1:	nop
	beqz a0, .L1
	beqz a0, .L0
	.cfi_def_cfa_offset 32
	ret
	.p2align 4
.Le:	nop
	.cfi_endproc
	.section .gcc_except_table,"a"
	.uleb128 .Le-.Lb
	.uleb128 .L0-.Lb
	.word .Le-.Lb
	.word .L0-.Lb
	.half .Le-.L1
`
	for _, c := range []struct{ features, section, want string }{
		{"+c,+relax", ".text", "6:19+0 6:51+0 12:44+0 16:43+14"},
		{"+relax", ".text", "c:19+0 c:51+0 1c:16+0 24:43+14"},
		{"+c", ".text", "6:19+0"},
		{"+c,+relax", ".gcc_except_table", "0:60+0 0:61+0 2:35+0 2:39+0 a:34+0 a:38+0"},
		{"+c", ".gcc_except_table", ""},
		{"+c,+relax", ".eh_frame", "1c:57+0 20:35+0 20:39+0 28:53+0 28:52+0"},
		{"+c", ".eh_frame", "1c:57+0"},
	} {
		if got, _ := relocs(t, c.features, src, c.section); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.features, c.section, got, c.want)
		}
	}
	got, data := relocs(t, "+relax", ".file 1 \"x.c\"\n.loc 1 3\nnop\ncall g\n.loc 1 4\nnop\n", ".debug_line")
	if want := "28:2+0 34:34+0 34:38+0"; got != want {
		t.Errorf(".debug_line: %s, want %s: % x", got, want, data)
	}
}

// The low half of an address is known where the high half is, else it names the label of that.
func TestHalves(t *testing.T) {
	const src = "1:	auipc a0, %pcrel_hi(a)\n	addi a0, a0, %pcrel_lo(1b)\n2:	auipc a0, %pcrel_hi(b)\n	sw a1, %pcrel_lo(2b)(a0)\na:	nop\n	.attribute arch, \"rv64i\"\n"
	got, data := relocs(t, "", src, ".text")
	if want := "8:23+0 c:25+0"; got != want || data[6] != 0x05 || data[7] != 0x01 {
		t.Errorf("%s, want %s: % x", got, want, data[:8])
	}
	if _, data = relocs(t, "", src, ".riscv.attributes"); string(data) != "A\x19\x00\x00\x00riscv\x00\x01\x0f\x00\x00\x00\x05rv64i2p1\x00" {
		t.Errorf(".riscv.attributes: %q", data)
	}
}
