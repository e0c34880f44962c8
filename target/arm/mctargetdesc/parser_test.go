package mctargetdesc_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmparse"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/mc/mctarget"
	arm "github.com/mirin-go/mirin/target/arm/mctargetdesc"
	"github.com/mirin-go/mirin/triple"
)

func target(t *testing.T, arch string) *mctarget.Target {
	t.Helper()
	of := triple.Parse(triple.Normalize(arch + "-none-eabi"))
	mt, err := mctarget.New(family.ByArch(of.Arch), of, "", "", &arm.Hooks)
	if err != nil {
		t.Fatal(err)
	}
	return mt
}

var (
	blanks  = regexp.MustCompile(`[ \t]+`)
	message = regexp.MustCompile(`(?m)^x\.s:(\d+:\d+: .*)$`)
)

// What statements become and what is said of them was seen with llvm-mc 22.
func TestStatements(t *testing.T) {
	for _, c := range []struct{ arch, src, want, said string }{
		{"armv7", "sub r2, #6\nmov r0, #42\nsubs r2, r3, #4\ndsb\nadd r2, r3\nnop\nyield", "sub r2, r2, #6|mov r0, #42|subs r2, r3, #4|dsb sy|add r2, r2, r3|nop|yield", ""},
		{"armv5", "nop", "mov r0, r0", ""},
		{"thumbv7", "add r2, r3, #4\nnop\nyield.w", "add.w r2, r3, #4|nop|yield.w", ""},
		{"armv8", ".thumb\n.arm\n.code 16\n.fpu neon\n.eabi_attribute 6, 10", ".code 16|.p2align 1|.code 32|.p2align 2|.code 16|.fpu neon|.eabi_attribute 6, 10 @ Tag_CPU_arch", ""},
		{"arm", ".arch armv7-m", ".code 16|.arch armv7-m", "1:1: warning: new target does not support arm mode, switching to thumb mode"},
		{"armv7", ".fnstart\n.save {r4-r6, lr}\n.pad #8\n.setfp r11, sp, #8\n.vsave {d8, d9}\n.handlerdata\n.fnend", ".fnstart|.save {r4, r5, r6, lr}|.pad #8|.setfp r11, sp, #8|.vsave {d8, d9}|.handlerdata|.fnend", ""},
		{"armv7", ".fnend\n.fnstart\n.cantunwind\n.personality x\n.arch_extension foo\n.arch_extension crc\n.fpu nothing\n.syntax divided", ".fnstart|.cantunwind",
			"1:1: error: .fnstart must precede .fnend directive|4:1: error: .personality can't be used with .cantunwind directive|3:1: note: .cantunwind was specified here|" +
				"5:17: error: unknown architectural extension: foo|6:17: error: architectural extension 'crc' is not allowed for the current base architecture|" +
				"7:6: error: Unknown FPU name|8:9: error: '.syntax divided' arm assembly not supported"},
	} {
		mt := target(t, c.arch)
		ta, err := mt.Parser()
		if err != nil {
			t.Fatal(err)
		}
		ip, err := mt.Printer(0)
		if err != nil {
			t.Fatal(err)
		}
		s := asmtext.New(mc.NewContext(mt.AsmInfo()), ip)
		s.SetVerbose(true)
		var b strings.Builder
		asmparse.New(s, ta, mt.ST, asmparse.Options{Name: "x.s", Report: func(d *diag.Diagnostic) { b.Write(d.AppendText(nil)) }}).Parse([]byte(c.src + "\n"))
		var got, said []string
		for _, l := range strings.Split(string(s.Output()), "\n") {
			if l = strings.TrimSpace(blanks.ReplaceAllString(l, " ")); l != "" {
				got = append(got, l)
			}
		}
		for _, m := range message.FindAllStringSubmatch(b.String(), -1) {
			said = append(said, m[1])
		}
		if g := strings.Join(got, "|"); g != c.want {
			t.Errorf("%s %q\nis   %s\nwant %s", c.arch, c.src, g, c.want)
		}
		if g := strings.Join(said, "|"); g != c.said {
			t.Errorf("%s %q\nsaid %s\nwant %s", c.arch, c.src, g, c.said)
		}
	}
}

// The attributes of an object are those of its directives (bytes of llvm-mc 22).
func TestAttributes(t *testing.T) {
	mt := target(t, "arm")
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
	asmparse.New(s, ta, mt.ST, asmparse.Options{Name: "x.s"}).Parse([]byte(".arch armv7-a\n.fpu neon\n"))
	obj, err := s.Object()
	if err != nil {
		t.Fatal(err)
	}
	want := []byte("A\x20\x00\x00\x00aeabi\x00\x01\x16\x00\x00\x00\x057-A\x00\x06\x0a\x07\x41\x08\x01\x09\x02\x0a\x03\x0c\x01")
	for i := range obj.Sections {
		if obj.Sections[i].Name == ".ARM.attributes" {
			if !bytes.Equal(obj.Sections[i].Data, want) {
				t.Errorf("attributes\n% x, want\n% x", obj.Sections[i].Data, want)
			}
			return
		}
	}
	t.Error("no .ARM.attributes")
}
