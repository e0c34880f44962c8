package irverify

import (
	"testing"

	"github.com/mirin-go/mirin/ir/irtext"
)

// TestApart checks functions one by one and refuses what Module has to say
// anything about, or checks with several functions at hand.
func TestApart(t *testing.T) {
	const head = "declare i32 @llvm.bswap.i32(i32)\ndeclare void @llvm.localescape(...)\n"
	for _, c := range []struct {
		name, src  string
		head, body bool // accepted
	}{
		{"clean", head + "define i32 @f(i32 %x) {\n%y = call i32 @llvm.bswap.i32(i32 %x), !own !0\nret i32 %y\n}\n!0 = !{}\n", true, true},
		{"variable", head + "@v = global i32 0, comdat\ndefine void @f() {\nret void\n}\n$v = comdat any\n@w = common global i32 1\n", false, false},
		{"declaration", "declare void @g() personality ptr @h\ndeclare void @h()\ndefine void @f() {\nret void\n}\n", false, false},
		{"dominance", "define i32 @f(i1 %c, i32 %x) {\nbr i1 %c, label %a, label %b\na:\n%y = add i32 %x, 1\nbr label %b\nb:\nret i32 %y\n}\n", true, false},
		{"intrinsic's address", head + "define ptr @f() {\nret ptr @llvm.bswap.i32\n}\n", true, false},
		{"intrinsic's address in a constant", head + "define i64 @f() {\nret i64 ptrtoint (ptr @llvm.bswap.i32 to i64)\n}\n", true, false},
		{"intrinsic's address in a variable's constant", head + "@v = global [1 x ptr] [ptr @llvm.bswap.i32]\ndefine void @f() {\nret void\n}\n", false, false},
		{"intrinsic's address in a variable", head + "@v = global ptr @llvm.bswap.i32\ndefine void @f() {\nret void\n}\n", false, false},
		{"escaped slots", head + "define void @f() {\n%a = alloca i32\ncall void (...) @llvm.localescape(ptr %a)\nret void\n}\n", true, false},
		{"unit in a loop's location", "define void @f() {\nbr label %a\na:\nbr label %a, !llvm.loop !0\n}\n!0 = distinct !{!0, !1}\n!1 = !DILocation(line: 1, scope: !2)\n" +
			"!2 = distinct !DISubprogram(name: \"f\", scope: !3, file: !3, unit: !4)\n!3 = !DIFile(filename: \"f.c\", directory: \"/\")\n" +
			"!4 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3)\n!5 = !{i32 2, !\"Debug Info Version\", i32 3}\n!llvm.module.flags = !{!5}\n", true, false},
		{"old aliasing tag", "define void @f(ptr %p) {\nstore i8 0, ptr %p, !tbaa !0\nret void\n}\n!0 = !{!\"int\", !1}\n!1 = !{!\"root\"}\n", true, false},
	} {
		d := irtext.ParseDeferred(c.name, c.src, irtext.Options{})
		if d == nil {
			t.Fatalf("%s: not read", c.name)
		}
		a := NewApart(d.Module)
		if (a != nil) != c.head {
			t.Errorf("%s: the module is accepted: %v", c.name, a != nil)
		}
		if a == nil {
			continue
		}
		id := d.Module.Lookup("f")
		f := d.NewReader().Read(id)
		if ok := a.NewChecker().Function(d.Module.Globals[id], f); ok != c.body {
			t.Errorf("%s: the function is accepted: %v", c.name, ok)
		}
	}
}
