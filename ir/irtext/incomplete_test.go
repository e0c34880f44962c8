package irtext_test

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/ir/irtext"
)

// TestIncomplete reads text in which declarations and metadata are missing.
// What LLVM's opt -S -allow-incomplete-ir prints has these lines.
func TestIncomplete(t *testing.T) {
	src := `@v = global ptr @w, !exclude !4
define ptr @f(ptr %p) !dbg !3 {
  call void @same(i32 0, ptr null)
  call void @same(i32 1, ptr %p)
  call void @other(i32 2)
  call void @other(ptr @g)
  %r = call i32 (ptr, ...) @many(ptr %p, i32 1)
  store i32 %r, ptr addrspace(3) @shared, !tbaa !1
  %x = load i8, ptr %p, !dbg !2, !noalias !100
  call void @llvm.experimental.noalias.scope.decl(metadata !5)
  ret ptr @g
}
!100 = !{!101}
!101 = distinct !{!101}
`
	m, err := irtext.Parse("x", []byte(src), irtext.Options{AllowIncomplete: true})
	if err != nil {
		t.Fatal(err)
	}
	out := string(irtext.AppendModule(nil, m))
	for _, want := range []string{
		"@v = global ptr @w\n", "@g = external global i8\n", "@other = external global i8\n", "@shared = external addrspace(3) global i8\n",
		"@w = external global i8\n", "declare void @same(i32, ptr)\n", "declare i32 @many(ptr, ...)\n",
		"  store i32 %r, ptr addrspace(3) @shared, align 4\n", "  %x = load i8, ptr %p, align 1, !noalias !0\n  ret ptr @g\n", "!0 = !{!1}\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, bad := range []struct{ src, err string }{
		{"define void @f(ptr %p) {\n  %v = load i8, ptr %p, !noalias !0\n  ret void\n}\n!0 = !{!1}\n", "5:9: error: use of undefined metadata '!1'"},
		{"!0 = !DILocation(line: 1, scope: !7)\n!a = !{!0}\n", "1:35: error: use of undefined metadata '!7'"},
		{"define void @f() {\n  call void @llvm.nosuch()\n  ret void\n}\n", "2:13: error: unknown intrinsic 'llvm.nosuch'"},
		{"define void @f() {\n  ret i32 0\n}\n@x = global ptr @0\n", "2:7: error: value does"},
		{"@x = global ptr @0\n", "use of undefined value '@0'"},
	} {
		_, err := irtext.Parse("x", []byte(bad.src), irtext.Options{AllowIncomplete: true})
		if err == nil || !strings.Contains(err.Error(), bad.err) {
			t.Errorf("%q: %v, want %s", bad.src, err, bad.err)
		}
	}
}
