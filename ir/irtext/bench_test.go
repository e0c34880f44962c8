package irtext

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

// repeated makes one module out of n copies of the functions of a program:
// the copies' names get a suffix.
func repeated(tb testing.TB, program string, n int) []byte {
	src, err := os.ReadFile(testenv.Shared(tb, "programs", "ll", program))
	if err != nil {
		tb.Fatal(err)
	}
	lines := strings.Split(string(src), "\n")
	var head, funcs []string
	in := false
	for _, l := range lines {
		if strings.HasPrefix(l, "define ") {
			in = true
		}
		if in {
			funcs = append(funcs, l)
		} else {
			head = append(head, l)
		}
		if l == "}" {
			in = false
		}
	}
	var b strings.Builder
	b.WriteString(strings.Join(head, "\n"))
	b.WriteByte('\n')
	for i := range n {
		for _, l := range funcs {
			if i > 0 && strings.HasPrefix(l, "define ") {
				at := strings.IndexByte(l, '@') + strings.IndexByte(l[strings.IndexByte(l, '@'):], '(')
				l = l[:at] + fmt.Sprintf(".%d", i) + l[at:]
			}
			b.WriteString(l)
			b.WriteByte('\n')
		}
	}
	return []byte(b.String())
}

func benchParse(b *testing.B, src []byte) {
	for _, jobs := range []int{1, 2} {
		b.Run(fmt.Sprintf("j%d", jobs), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse("bench.ll", src, Options{Jobs: jobs}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParse reads ten copies of the bodies of a program in one module.
func BenchmarkParse(b *testing.B) {
	for _, f := range []string{"Trimaran-enc-md5.O0.ll", "Misc-ReedSolomon.O2.ll", "BenchmarkGame-n-body.O2.ll"} {
		b.Run(strings.TrimSuffix(filepath.Base(f), ".ll"), func(b *testing.B) { benchParse(b, repeated(b, f, 20)) })
	}
}

// BenchmarkParseGenerated reads a generated module of named values.
func BenchmarkParseGenerated(b *testing.B) { benchParse(b, generated(2000)) }

// generated makes a module of n functions with a loop, calls and named values.
func generated(n int) []byte {
	var b strings.Builder
	b.WriteString("target triple = \"x86_64-pc-linux-gnu\"\n@g = global [16 x i32] zeroinitializer, align 16\n")
	for i := range n {
		fmt.Fprintf(&b, `define i32 @f%d(i32 %%n, ptr %%p) {
entry:
  %%cmp = icmp sgt i32 %%n, 0
  br i1 %%cmp, label %%loop, label %%exit

loop:
  %%i = phi i32 [ 0, %%entry ], [ %%next, %%loop ]
  %%idx = sext i32 %%i to i64
  %%addr = getelementptr inbounds i32, ptr %%p, i64 %%idx
  %%val = load i32, ptr %%addr, align 4
  %%sum = add nsw i32 %%val, %%i
  store i32 %%sum, ptr getelementptr inbounds ([16 x i32], ptr @g, i64 0, i64 %d), align 4
  %%r = call i32 @f%d(i32 %%sum, ptr %%addr)
  %%next = add nuw nsw i32 %%i, 1
  %%done = icmp eq i32 %%next, %%n
  br i1 %%done, label %%exit, label %%loop

exit:
  %%res = phi i32 [ 0, %%entry ], [ %%r, %%loop ]
  ret i32 %%res
}

`, i, i%16, (i*7)%n)
	}
	return []byte(b.String())
}

// BenchmarkPrint prints a program's module.
func BenchmarkPrint(b *testing.B) {
	src := repeated(b, "Misc-ReedSolomon.O2.ll", 20)
	m, err := Parse("bench.ll", src, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		buf = AppendModule(buf[:0], m)
	}
}
