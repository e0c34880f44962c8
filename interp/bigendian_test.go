package interp

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/ir/irtext"
)

// TestBigEndian: the order of bytes shows where memory, or a bitcast, is seen as two types.
func TestBigEndian(t *testing.T) {
	for _, c := range [...]struct {
		body      string
		big, tiny uint64 // results with the high byte first, and the low one
	}{
		{"%p = alloca i32\n store i32 16909060, ptr %p\n %b = load i8, ptr %p\n %r = zext i8 %b to i64", 1, 4},
		{"%p = alloca i64\n store i64 72623859790382856, ptr %p\n %q = getelementptr i8, ptr %p, i32 2\n %b = load i16, ptr %q\n %r = zext i16 %b to i64", 0x0304, 0x0506},
		{"%p = alloca i24\n store i24 66051, ptr %p\n %b = load i8, ptr %p\n %r = zext i8 %b to i64", 1, 3},
		{"%p = alloca i72\n store i72 18446744073709551618, ptr %p\n %b = load i8, ptr %p\n %r = zext i8 %b to i64", 1, 2},
		{"%p = alloca i128\n store i128 18446744073709551621, ptr %p\n %r = load i64, ptr %p", 1, 5},
		{"%p = alloca [2 x i32]\n store i64 4294967298, ptr %p\n %b = load i32, ptr %p\n %r = zext i32 %b to i64", 1, 2},
		{"%v = bitcast i32 16909060 to <2 x i16>\n %e = extractelement <2 x i16> %v, i32 0\n %r = zext i16 %e to i64", 0x0102, 0x0304},
		{"%v = bitcast i8 129 to <8 x i1>\n %w = insertelement <8 x i1> %v, i1 false, i32 0\n %b = bitcast <8 x i1> %w to i8\n %r = zext i8 %b to i64", 1, 128},
		{"%p = alloca <4 x i4>\n store <4 x i4> <i4 1, i4 2, i4 3, i4 4>, ptr %p\n %b = load i8, ptr %p\n %r = zext i8 %b to i64", 0x12, 0x21},
		{"%b = load i8, ptr @data\n %r = zext i8 %b to i64", 1, 2},
		{"%b = load i16, ptr @data\n %r = zext i16 %b to i64", 0x0102, 0x0102},
		{"%p = alloca ptr\n store ptr @data, ptr %p\n %q = load ptr, ptr %p\n %b = load i16, ptr %q\n %r = zext i16 %b to i64", 0x0102, 0x0102},
		{"%v = add <2 x i16> <i16 258, i16 772>, zeroinitializer\n %e = extractelement <2 x i16> %v, i32 1\n %r = zext i16 %e to i64", 0x0304, 0x0304},
		{"%b = load i8, ptr @pair\n %r = zext i8 %b to i64", 1, 4},
	} {
		for layout, want := range map[string]uint64{"E-p:32:32": c.big, "e-p:32:32": c.tiny} {
			src := "target datalayout = \"" + layout + "\"\n@data = global [2 x i16] [i16 258, i16 772]\n@pair = global {i32, i8} {i32 16909060, i8 9}\n" +
				"define i64 @f() {\n " + c.body + "\n ret i64 %r\n}\n"
			m, err := irtext.Parse("f.ll", []byte(src), irtext.Options{})
			if err != nil {
				t.Fatal(err, src)
			}
			vm, err := New(m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := vm.Call("f")
			if err != nil || got[0].Bits != want {
				t.Errorf("%s: %s: %v (%v), want %#x", layout, strings.ReplaceAll(c.body, "\n", ";"), got, err, want)
			}
		}
	}
}
