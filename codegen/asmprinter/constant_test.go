package asmprinter

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/target"
)

// noInsts is the printer of a text that is data alone.
type noInsts struct{ mc.InstPrinter }

func (noInsts) FileHeader() string { return "" }

// layouts are those of x86-64, s390x and powerpc (which has no directive for 8 bytes).
var layouts = [...]struct {
	layout string
	quad   string
}{
	{"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", "\t.quad\t"},
	{"E-S64-m:e-i1:8:16-i8:8:16-i64:64-f128:64-v128:64-a:8:16-n32:64", "\t.quad\t"},
	{"E-m:e-p:32:32-Fn32-i64:64-n32-f128:64", ""},
}

// TestConstants: the directives are those that llc 22 writes for x86-64, s390x
// and powerpc; numbers of floats are written there in another way.
func TestConstants(t *testing.T) {
	for _, x := range []struct {
		init string
		want [3]string
	}{
		{"i64 72623859790382856", [3]string{"quad 72623859790382856", "quad 72623859790382856", "long 16909060 long 84281096"}},
		{"i40 4328719365", [3]string{"long 33752069 byte 1 zero 3", "long 16909060 byte 5 zero 3", "long 16909060 byte 5 zero 3"}},
		{"i24 66051", [3]string{"short 515 byte 1 zero 1", "short 258 byte 3 zero 1", "short 258 byte 3 zero 1"}},
		{"[2 x i24] [i24 66051, i24 263430]", [3]string{"short 515 byte 1 zero 1 short 1286 byte 4 zero 1",
			"short 258 byte 3 zero 1 short 1029 byte 6 zero 1", "short 258 byte 3 zero 1 short 1029 byte 6 zero 1"}},
		{"i65 36893488147419103231", [3]string{"quad -1 byte 1 zero 7", "quad 144115188075855871 byte 255 zero 7", "long 33554431 long 4294967295 byte 255 zero 7"}},
		{"i72 1339673755198158349044", [3]string{"quad -6938562182638918924 byte 72 zero 7", "quad 5233100606242806050 byte 244 zero 7",
			"long 1218426182 long 1962662178 byte 244 zero 7"}},
		{"i128 1339673755198158349044581307228491536", [3]string{"quad 651345242494996240 quad 72623859790382856",
			"quad 72623859790382856 quad 651345242494996240", "long 16909060 long 84281096 long 151653132 long 219025168"}},
		{"{ i8, i32, i16 } { i8 1, i32 16909060, i16 258 }", [3]string{"byte 1 zero 3 long 16909060 short 258 zero 2",
			"byte 1 zero 3 long 16909060 short 258 zero 2", "byte 1 zero 3 long 16909060 short 258 zero 2"}},
		{"<8 x i1> <i1 1, i1 0, i1 1, i1 1, i1 0, i1 0, i1 0, i1 1>", [3]string{"byte 141", "byte 177", "byte 177"}},
		{"<3 x i1> <i1 1, i1 0, i1 1>", [3]string{"byte 5", "byte 5", "byte 5"}},
		{"<12 x i1> <i1 1, i1 0, i1 1, i1 1, i1 0, i1 0, i1 0, i1 1, i1 1, i1 1, i1 0, i1 1>", [3]string{"short 2957", "short 2845", "short 2845"}},
		{"<3 x i4> <i4 1, i4 2, i4 3>", [3]string{"short 801", "short 291", "short 291"}},
		{"<4 x i1> splat (i1 true)", [3]string{"byte 15", "byte 15", "byte 15"}},
		{"<2 x i16> <i16 1, i16 2>", [3]string{"short 1 short 2", "short 1 short 2", "short 1 short 2"}},
		{"[2 x float] [float 1.0, float 2.0]", [3]string{"long 1065353216 long 1073741824", "long 1065353216 long 1073741824", "long 1065353216 long 1073741824"}},
		{"fp128 0xL00000000000000003FFF000000000000", [3]string{"quad 0 quad 4611404543450677248", "quad 4611404543450677248 quad 0",
			"long 1073676288 long 0 long 0 long 0"}},
		{"ppc_fp128 0xM3FF00000000000003C90000000000000", [3]string{"", "", "long 1072693248 long 0 long 1016070144 long 0"}},
	} {
		for k, l := range layouts {
			if x.want[k] == "" {
				continue
			}
			if got := directives(t, x.init, l.layout, l.quad); got != x.want[k] {
				t.Errorf("%s in %s:\n%s, want\n%s", x.init, l.layout, got, x.want[k])
			}
		}
	}
}

// directives writes one constant and returns the lines in short.
func directives(t *testing.T, init, layout, quad string) string {
	mod, err := irtext.Parse("t.ll", []byte("@x = global "+init+"\n"), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dl, err := ir.ParseDataLayout(layout)
	if err != nil {
		t.Fatal(err)
	}
	info := mc.ELFAsmInfo()
	info.BigEndian, info.Data[3] = dl.BigEndian, quad
	out := asmtext.New(mc.NewContext(&info), noInsts{})
	p := New(&target.Machine{Layout: dl, Target: &target.Target{}}, mod, out, &target.AsmPrinterHooks{})
	g := mod.Globals[mod.Vars[0]]
	if err := p.constant(&mod.Consts, g.Init, g.ValueType); err != nil {
		t.Fatalf("%s: %v", init, err)
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(string(out.Output()), "\t.", " ")), " ")
}
