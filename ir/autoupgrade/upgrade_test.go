package autoupgrade_test

import (
	"os"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/ir/autoupgrade"
	"github.com/mirin-go/mirin/ir/irtext"
)

// TestUpgrade reads old text and looks for what it must have become.
func TestUpgrade(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"declare i32 @llvm.ctlz.i32(i32)\ndefine i32 @f(i32 %x) {\n  %r = call i32 @llvm.ctlz.i32(i32 %x)\n  ret i32 %r\n}\n",
			"%r = call i32 @llvm.ctlz.i32(i32 %x, i1 false)"},
		{"declare void @llvm.va_start(ptr)\ndefine void @f(ptr %p, ...) {\n  call void @llvm.va_start(ptr %p)\n  ret void\n}\n",
			"call void @llvm.va_start.p0(ptr %p)"},
		{"define void @f(ptr %p, <4 x float> %v) {\n  call void @llvm.x86.sse.storeu.ps(ptr %p, <4 x float> %v)\n  ret void\n}\n",
			"store <4 x float> %v, ptr %p, align 1"},
		{"!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"PIC Level\", i32 2}\n", "!{i32 8, !\"PIC Level\", i32 2}"},
		{"define void @f(ptr %p) {\n  store i8 0, ptr %p, !tbaa !0\n  ret void\n}\n!0 = !{!\"char\", !1}\n!1 = !{!\"root\"}\n", "!0 = !{!1, !1, i64 0}"},
	} {
		m, err := irtext.Parse("t.ll", []byte(c.src), irtext.Options{})
		if err != nil {
			t.Errorf("%v\n%s", err, c.src)
			continue
		}
		if got := string(irtext.AppendModule(nil, m)); !strings.Contains(got, c.want) {
			t.Errorf("no %q in\n%s", c.want, got)
		}
	}
}

// TestLayoutsOfLLVM holds data layouts to what LLVM makes of those in testdata/layouts.txt.
func TestLayoutsOfLLVM(t *testing.T) {
	b, err := os.ReadFile("testdata/layouts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 3 {
			continue
		}
		if got := autoupgrade.DataLayout(c[1], c[0]); got != c[2] {
			t.Errorf("%s, %q: got  %q\nwant %q", c[0], c[1], got, c[2])
		}
	}
}

func TestDataLayout(t *testing.T) {
	for _, c := range [][3]string{
		{"x86_64-linux", "e-m:e-i64:64-n8:16:32:64-S128", "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-n8:16:32:64-S128"},
		{"aarch64-linux", "e-m:e-i64:64", "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-Fn32"},
		{"riscv64", "e-m:e-n64-S128", "e-m:e-n32:64-S128"},
		{"amdgcn", "", "m:e-G1-ni:7:8:9-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32"},
		{"bpf", "e-m:e-i64:64", "e-m:e-i64:64"},
	} {
		if got := autoupgrade.DataLayout(c[1], c[0]); got != c[2] {
			t.Errorf("%s: %s, want %s", c[0], got, c[2])
		}
	}
}
