package mctargetdesc_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmparse"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/mc/mctarget"
	ppc "github.com/mirin-go/mirin/target/ppc/mctargetdesc"
	"github.com/mirin-go/mirin/triple"
)

var (
	blanks  = regexp.MustCompile(`[ \t]+`)
	message = regexp.MustCompile(`(?m)^x\.s:(\d+:\d+: .*)$`)
)

// What statements become and what is said of them was seen with llvm-mc 22.
func TestStatements(t *testing.T) {
	for _, c := range []struct{ arch, src, want, said string }{
		{"powerpc64", "add 3, 4, x@tls\nlbzx 3, 4, x@tls@pcrel\nbl __tls_get_addr(x@tlsgd)\nbl __tls_get_addr@notoc(x@tlsld+8)", "add 3, 4, x@tls|lbzx 3, 4, x@tls@pcrel|bl __tls_get_addr(x@tlsgd)|bl __tls_get_addr@notoc(x@tlsld+8)", ""},
		{"powerpc64", "addis 2, 12, .TOC.-.Lx@ha\nori 1, 2, 131071@l\nlis 3, 0x12348000@ha\nlis 3, -1@higher\nori 1, 2, -(x@h)\nld 3, x@got@l+4(2)", "addis 2, 12, .TOC.-.Lx@ha|ori 1, 2, 65535|lis 3, 4661|lis 3, -1|ori 1, 2, -x@h|ld 3, x@got@l+4(2)", ""},
		{"powerpc", "bl __tls_get_addr(x@tlsgd)@plt\nba 0xfe000000", "bl __tls_get_addr(x@tlsgd)@PLT|ba 0xfe000000", ""},
		{"powerpc64", "bc+ 12, 28, x\nbcla- 12, 28, x\ncmpi 2, 1, 3, 128\nslwi 3, 4, 5\nclrrdi 3, 4, 7\nlq 2, 128(4)\ncmpw cr3, 4, 5\ndci %r0", "bc+ 12, 28, x|bcla- 12, 28, x|cmpdi 2, 3, 128|slwi 3, 4, 5|rldicr 3, 4, 0, 56|lq 2, 128(4)|cmpw 3, 4, 5|dccci 0, 0", ""},
		{"powerpc64", "ori 1, 2, x@l+x@l\nbl foo(x)\naddi 4, 3, 123@got\n.word 0 $", "", "1:15: error: cannot contain more than one relocation specifier|2:8: error: invalid memory operand|" +
			"3:16: error: invalid modifier 'got' (no symbols present)|3:12: error: unknown operand|4:9: error: unexpected token in '.word' directive"},
	} {
		of := triple.Parse(triple.Normalize(c.arch + "-linux-gnu"))
		mt, err := mctarget.New(family.ByArch(of.Arch), of, "", "", &ppc.Hooks)
		if err != nil {
			t.Fatal(err)
		}
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
		asmparse.New(s, ta, mt.ST, asmparse.Options{Name: "x.s", Report: func(d *diag.Diagnostic) { b.Write(d.AppendText(nil)) }}).Parse([]byte(c.src + "\n"))
		var got, said []string
		for _, l := range strings.Split(string(s.Output()), "\n") {
			if l = strings.TrimSpace(blanks.ReplaceAllString(l, " ")); l != "" && !strings.HasPrefix(l, ".short") {
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
