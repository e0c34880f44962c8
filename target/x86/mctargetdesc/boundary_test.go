package mctargetdesc_test

import (
	"bytes"
	"testing"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmparse"
	"github.com/mirin-go/mirin/mc/mctarget"
	x86 "github.com/mirin-go/mirin/target/x86/mctargetdesc"
	"github.com/mirin-go/mirin/triple"
)

// Branches are kept off boundaries by instructions that do nothing, by longer jumps and by prefixes
// (bytes of llvm-mc 22; a whole program was compared, too).
func TestBoundaries(t *testing.T) {
	value := func(name, v string) mctarget.FlagValue { return mctarget.FlagValue{Flag: name, Value: &v} }
	boundary := value("x86-align-branch-boundary", "32")
	for _, c := range []struct {
		src   string
		flags mctarget.Flags
		from  int
		want  []byte
	}{
		{".nops 27\ntestq %rcx, %rcx\nje .L\n.L: ret", mctarget.Flags{boundary, value("x86-align-branch", "fused+jcc")}, 27,
			[]byte{0x0f, 0x1f, 0x44, 0, 0, 0x48, 0x85, 0xc9, 0x74, 0, 0xc3}},
		{".nops 28\nint3\nint3\nje .L\n.L: ret", mctarget.Flags{boundary, value("x86-align-branch", "jcc"), value("x86-pad-max-prefix-size", "1")}, 28,
			[]byte{0x2e, 0xcc, 0x2e, 0xcc, 0x74, 0, 0xc3}},
		{".nops 28\nint3\nint3\nje .L\n.L: ret", mctarget.Flags{boundary, value("x86-align-branch", "jmp")}, 28, []byte{0xcc, 0xcc, 0x74, 0, 0xc3}},
	} {
		of := triple.Parse("x86_64-unknown-linux-gnu")
		mt, err := mctarget.New(family.ByArch(of.Arch), of, "", "", &x86.Hooks)
		if err != nil {
			t.Fatal(err)
		}
		mt.Flags = c.flags
		ta, err := mt.Parser()
		if err != nil {
			t.Fatal(err)
		}
		enc, _ := mt.Encoder()
		be, err := mt.Backend()
		if err != nil {
			t.Fatal(err)
		}
		s := mc.NewObjectStreamer(mc.NewContext(mt.AsmInfo()), enc, be)
		asmparse.New(s, ta, mt.ST, asmparse.Options{Name: "x.s"}).Parse([]byte(c.src + "\n"))
		obj, err := s.Object()
		if err != nil {
			t.Fatal(err)
		}
		if got := obj.Sections[0].Data[c.from:]; !bytes.Equal(got, c.want) {
			t.Errorf("%s: % x, want % x", c.src, got, c.want)
		}
	}
}
