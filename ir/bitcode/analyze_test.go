package bitcode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir/irtext"
)

const analyzed = `@g = global i32 4
define i32 @f(i32 %a) {
  %x = add i32 %a, 7
  ret i32 %x
}
!named = !{!0}
!0 = !{!"text", i32 1}
`

func module(t *testing.T, text string, o Options) []byte {
	t.Helper()
	m, err := irtext.Parse("m.ll", []byte(text), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Append(nil, m, o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAnalyze(t *testing.T) {
	b := module(t, analyzed, Options{ModuleHash: true, IndexThreshold: -1})
	out, err := Analyze(nil, "m.bc", b, AnalyzeOptions{Dump: true, CheckHash: true, HashKey: "gf"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<IDENTIFICATION_BLOCK_ID NumWords=4 BlockCodeSize=5>\n", "    <INST_BINOP abbrevid=8 op0=2 op1=1 op2=0/>\n", "      'text'\n",
		" (offset match)/>", " (match)/>\n", "<BLOB abbrevid=4/> blob data = 'gf'\n", "Summary of m.bc:\n", "Stream type: LLVM IR\n",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if _, err := Analyze(nil, "m.bc", b[:len(b)-8], AnalyzeOptions{}); err == nil {
		t.Error("a file that is cut off has no error")
	}
}

// TestAnalyzeAgainstLLVM compares with llvm-bcanalyzer byte by byte.
func TestAnalyzeAgainstLLVM(t *testing.T) {
	tool := testenv.LLVM(t, "llvm-bcanalyzer")
	file := filepath.Join(t.TempDir(), "m.bc")
	b := module(t, analyzed, Options{})
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		o    AnalyzeOptions
		args []string
	}{
		{AnalyzeOptions{}, nil},
		{AnalyzeOptions{Dump: true}, []string{"-dump"}},
		{AnalyzeOptions{Dump: true, NonSymbolic: true, NoHistogram: true}, []string{"-dump", "-non-symbolic", "-disable-histogram"}},
		{AnalyzeOptions{Dump: true, DumpBlockInfo: true, ShowBinaryBlobs: true}, []string{"-dump", "-dump-blockinfo", "-show-binary-blobs"}},
	} {
		out, err := Analyze(nil, file, b, x.o)
		if err != nil {
			t.Fatal(err)
		}
		if want := run(t, nil, tool, append(x.args, file)...); string(out) != string(want) {
			same(t, strings.Join(x.args, " "), out, want)
		}
	}
}

// FuzzAnalyze looks for panics and hangs.
func FuzzAnalyze(f *testing.F) {
	m, err := irtext.Parse("m.ll", []byte(analyzed), irtext.Options{})
	if err != nil {
		f.Fatal(err)
	}
	b, err := Append(nil, m, Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, data []byte) {
		Analyze(nil, "m", data, AnalyzeOptions{Dump: true, CheckHash: true})
	})
}
