package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// oddModules end, name or mix things in ways that matter where bodies are read
// one by one.
var oddModules = []string{
	"define void @f() {\n  ret void }\ndefine void @g() {\n  ret void\n}\n",
	"define void @f() {\n  ret void }\ndefine available_externally void @g() {\n  ret i32 1\n}\n",
	"define void @\"a}\n{b\"() {\n\"b}\n}\":\n  br label %\"c}\"\n\"c}\":\n  ret void\n}\n",
	"define void @f() {\n  call void asm sideeffect \"nop # }\n}\n\", \"\"()\n  ; }\n/*\n}\n*/  ret void\n}\n",
	"define i32 @f() {\n  ret i32 %x\n}\n@v = global bogus\ndefine i32 @g() {\n  ret i32 %y\n}\n",
	"define void @f() {\r\n  ret void\r\n}\r\ndefine void @g() {\r\n  ret i32 0\r\n}",
	"define ptr @0(ptr %0) {\n  %2 = call ptr @1(ptr @2)\n  ret ptr %2\n}\ndefine ptr @1(ptr %0) #0 {\n  ret ptr %0\n}\n@2 = global %t zeroinitializer\n" +
		"%t = type { i32, ptr }\nattributes #0 = { nounwind }\n",
	"define x86_fp80 @f(x86_fp80 %x) {\n  %y = fmul x86_fp80 %x, %x\n  ret x86_fp80 %y\n}\ndefine void @g() gc \"none such\" {\n  ret void\n}\n",
	"define void @f() {\n  br label %a\na:\n  br label %a, !llvm.loop !0\n}\n!0 = distinct !{!0, !1}\n!1 = !DILocation(line: 1, scope: !2)\n" +
		"!2 = distinct !DISubprogram(name: \"f\", scope: !3, file: !3, unit: !4)\n!3 = !DIFile(filename: \"f.c\", directory: \"/\")\n" +
		"!4 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3)\n!llvm.module.flags = !{!5}\n!5 = !{i32 2, !\"Debug Info Version\", i32 3}\n",
}

// TestWhole: what llc writes, says and returns is the same when bodies are read
// one by one and when the module is read as a whole, as it is with a list of
// functions to print; for odd modules, and examples in which something is wrong.
func TestWhole(t *testing.T) {
	sources := oddModules
	examples, _ := filepath.Glob(filepath.Join("..", "..", "examples", "*.ll"))
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, path := range examples {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			s := bytes.Clone(text)
			switch at := rnd.IntN(len(s)); rnd.IntN(3) {
			case 0:
				s[at] = "}{\";%@!\n 01,=()"[rnd.IntN(15)]
			case 1:
				s = append(s[:at], s[min(at+1+rnd.IntN(12), len(s)):]...)
			default:
				lines := strings.SplitAfter(string(s), "\n")
				lines[rnd.IntN(len(lines))] = ""
				s = []byte(strings.Join(lines, ""))
			}
			sources = append(sources, string(s))
		}
	}
	if len(sources) < 100 {
		t.Fatal("no examples")
	}
	for _, src := range sources {
		file := write(t, "odd.ll", src)
		for _, flags := range [][]string{{"-O0", "-j1"}, {"-O2", "-j2"}} {
			args := append(flags, "-mtriple=x86_64-unknown-linux-gnu", "-o", "-", file)
			code, out, said := llc(args...)
			wantCode, wantOut, wantSaid := llc(append(args, "-filter-print-funcs=none")...)
			if code != wantCode || out != wantOut || said != wantSaid {
				t.Errorf("%v: exit %d, want %d\n%s\nwant\n%s\nof\n%s", flags, code, wantCode, said, wantSaid, src)
			}
		}
	}
}
