package mctargetdesc_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/mc"
)

// What the tables cannot say is read by hand; a field that ends before it begins is none.
// The texts are llvm-objdump-22's.
func TestDisassemble(t *testing.T) {
	mt := target(t, "mips64el", "mips64r2", "")
	dis, err := mt.Disassembler()
	if err != nil {
		t.Fatal(err)
	}
	printer, err := mt.Printer(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx := mc.NewContext(mt.AsmInfo())
	for word, want := range map[uint32]string{
		0x7ca41f85: "dins $4, $5, 30, 6",
		0x7ca4a206: "dins $4, $5, 40, 13",
		0x7c827147: "dins $2, $4, 5, 10",
		0x7c824943: "dext $2, $4, 5, 10",
		0x7c822882: "dext $2, $4, 34, 6",
		0x7c820941: "dext $2, $4, 5, 34",
		0x7c8207c7: "",
		0x7ca41004: "ins $4, $5, 0, 3",
		0x7ca41104: "", // bits 4 to 2
	} {
		var in mc.Inst
		code := binary.LittleEndian.AppendUint32(nil, word)
		n, status := dis.Disassemble(&in, mt.ST, code, 0)
		got := ""
		if status != mc.DecodeFail {
			text, _, err := printer.AppendInst(nil, nil, ctx, mt.ST, &in, nil)
			if err != nil || n != 4 {
				t.Fatal(word, n, err)
			}
			got = strings.ReplaceAll(string(text), "\t", " ")
		}
		if got != want {
			t.Errorf("%#x is %q, not %q", word, got, want)
		}
	}
}
