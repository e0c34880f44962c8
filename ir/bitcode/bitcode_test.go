package bitcode

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir/irtext"
)

// run runs a tool of LLVM and returns its output.
func run(t testing.TB, in []byte, tool string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(tool, args...)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	return out
}

// dropHead cuts the lines that name the file.
func dropHead(b []byte) []byte {
	for _, p := range []string{"; ModuleID", "source_filename"} {
		if bytes.HasPrefix(b, []byte(p)) {
			b = b[bytes.IndexByte(b, '\n')+1:]
		}
	}
	return b
}

func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	got, want = dropHead(got), dropHead(want)
	if bytes.Equal(got, want) {
		return
	}
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			t.Errorf("%s: line %d:\ngot  %s\nwant %s", what, i+1, g[i], w[i])
			return
		}
	}
	t.Errorf("%s: %d lines, want %d", what, len(g), len(w))
}

// files returns test inputs: the ready-made programs and our own.
func files(t testing.TB) []string {
	own, _ := filepath.Glob("testdata/*.ll")
	progs, _ := filepath.Glob(filepath.Join(testenv.Shared(t, "programs", "ll"), "*.ll"))
	if testing.Short() {
		progs = progs[:min(len(progs), 4)]
	}
	return append(own, progs...)
}

// TestAgainstLLVM reads what llvm-as writes and gives llvm-dis what we write.
func TestAgainstLLVM(t *testing.T) {
	as, dis := testenv.LLVM(t, "llvm-as"), testenv.LLVM(t, "llvm-dis")
	for _, f := range files(t) {
		t.Run(filepath.Base(f), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			bc := run(t, src, as, "-")
			want := run(t, bc, dis, "-")
			m, err := Read("x", bc, Options{})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "read", irtext.AppendModule(nil, m), want)
			out, err := Append(nil, m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "written", run(t, out, dis, "-"), want)
		})
	}
}

// TestRoundTrip needs no LLVM: text, bitcode, text.
func TestRoundTrip(t *testing.T) {
	own, _ := filepath.Glob("testdata/*.ll")
	if len(own) == 0 {
		t.Fatal("no test data")
	}
	for _, f := range own {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m, err := irtext.Parse(f, src, irtext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := irtext.AppendModule(nil, m)
		bc, err := Append([]byte("xyz"), m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		bc = bc[3:]
		if !IsBitcode(bc) {
			t.Fatal("not bitcode")
		}
		for _, jobs := range []int{1, 4} {
			m2, err := Read(f, bc, Options{Jobs: jobs})
			if err != nil {
				t.Fatal(err)
			}
			same(t, f, irtext.AppendModule(nil, m2), want)
		}
		again, err := Append(nil, m, Options{})
		if err != nil || !bytes.Equal(again, bc) {
			t.Errorf("%s: written twice, the bytes differ (%v)", f, err)
		}
	}
}

// seeds are small modules as bitcode.
func seeds(tb testing.TB) [][]byte {
	var out [][]byte
	for _, src := range []string{
		"",
		"define i32 @f(i32 %x) {\n  %y = add nsw i32 %x, 7\n  ret i32 %y\n}\n",
		"@g = constant [3 x i16] [i16 1, i16 2, i16 3], !foo !0\n!named = !{!0}\n!0 = distinct !{!0, !\"s\", i32 7}\n",
		"declare void @h(ptr byval(i64) align 8) memory(read)\ndefine void @f(ptr %p) {\n  call void @h(ptr byval(i64) %p) [\"deopt\"(i32 1)]\n  br label %l\nl:\n  %v = phi i32 [0, %0], [%w, %l]\n  %w = add i32 %v, 1\n  br label %l\n}\n",
	} {
		m, err := irtext.Parse("seed", []byte(src), irtext.Options{})
		if err != nil {
			tb.Fatal(err)
		}
		b, err := Append(nil, m, Options{})
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

// TestDamage flips every bit of small files in turn.
func TestDamage(t *testing.T) {
	for _, s := range seeds(t) {
		for i := range len(s) * 8 {
			d := bytes.Clone(s)
			d[i/8] ^= 1 << (i % 8)
			ReadAll("damaged", d, Options{Jobs: 1})
		}
		for i := range len(s) / 4 {
			ReadAll("cut", s[:i*4], Options{Jobs: 1})
		}
	}
}

// BenchmarkRead reads the largest program's bitcode.
func BenchmarkRead(b *testing.B) {
	as := testenv.LLVM(b, "llvm-as")
	var big []byte
	for _, f := range files(b) {
		if src, err := os.ReadFile(f); err == nil && len(src) > len(big) {
			big = src
		}
	}
	bc := run(b, big, as, "-")
	b.SetBytes(int64(len(bc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read("x", bc, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestZeroByte holds that the writer refuses what a file could not give back:
// strings of attributes end at a zero byte there.
func TestZeroByte(t *testing.T) {
	for _, attr := range []string{`"a\00b"`, `"a"="b\00"`} {
		m, err := irtext.Parse("zero.ll", []byte("declare void @f() "+attr+"\n"), irtext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Append(nil, m, Options{}); err == nil || !strings.Contains(err.Error(), "zero byte") {
			t.Errorf("%s: error %v, want one about the zero byte", attr, err)
		}
	}
}
