package targetinfo

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/tablegen"
)

// llvmInclude is where the headers of the reference are.
func llvmInclude(t testing.TB) string {
	t.Helper()
	testenv.LLVM(t, "llvm-tblgen")
	dir := "/usr/lib/llvm-22/include"
	if _, err := os.Stat(filepath.Join(dir, "llvm/Target/Target.td")); err != nil {
		t.Skip("no LLVM headers")
	}
	return dir
}

func parseFile(t testing.TB, file string, dirs ...string) *tablegen.Records {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rs, err := tablegen.Parse(tablegen.Options{IncludeDirs: dirs, ReadFile: os.ReadFile}, file, src)
	if err != nil {
		if _, _, theirs := runTblgen(t, []string{"-null-backend"}, file, dirs...); theirs == nil {
			t.Fatalf("LLVM reads it: %v", err)
		}
		t.Skipf("%v", err)
	}
	return rs
}

// runTblgen runs llvm-tblgen; the file it writes and its messages.
func runTblgen(t testing.TB, flags []string, file string, dirs ...string) (out string, messages []byte, err error) {
	t.Helper()
	out = filepath.Join(t.TempDir(), "out.inc")
	args := append(flags, file, "-o", out)
	for _, d := range dirs {
		args = append(args, "-I", d)
	}
	cmd := exec.Command(testenv.LLVM(t, "llvm-tblgen"), args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err = cmd.Run()
	return out, stderr.Bytes(), err
}

// llvmTblgen gives what a back end of llvm-tblgen writes. Files that it refuses
// are passed over.
func llvmTblgen(t testing.TB, flag, file string, dirs ...string) string {
	t.Helper()
	out, messages, err := runTblgen(t, []string{flag}, file, dirs...)
	if err != nil {
		t.Skipf("llvm-tblgen: %.300s", messages)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ofFolder runs a test over the files of the folder MIRIN_TD_DIR.
func ofFolder(t *testing.T, test func(t *testing.T, file, include, dir string)) {
	dir := os.Getenv("MIRIN_TD_DIR")
	if dir == "" {
		t.Skip("MIRIN_TD_DIR names no folder")
	}
	inc := llvmInclude(t)
	files, _ := filepath.Glob(filepath.Join(dir, "*.td"))
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) { test(t, f, inc, dir) })
	}
}

// llvmRegisters asks llvm-tblgen for its view of the registers.
func llvmRegisters(t testing.TB, file string, dirs ...string) (dump []byte, inc string, ok bool) {
	t.Helper()
	out, dump, err := runTblgen(t, []string{"-gen-register-info", "-register-info-debug"}, file, dirs...)
	return dump, strings.TrimSuffix(out, ".inc"), err == nil
}

// BenchmarkBuild builds the file of MIRIN_TD.
func BenchmarkBuild(b *testing.B) {
	file := os.Getenv("MIRIN_TD")
	if file == "" {
		b.Skip("MIRIN_TD names no file")
	}
	rs := parseFile(b, file, llvmInclude(b))
	for b.Loop() {
		if _, err := Build(rs, Options{RegistersOnly: true}); err != nil {
			b.Fatal(err)
		}
	}
}

// firstDifference shows the first line where two texts differ.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	head := ""
	for i := range max(len(g), len(w)) {
		a, b := "", ""
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if !strings.HasPrefix(b, "\t") {
			head = b
		}
		if a != b {
			return head + "\ngot  " + a + "\nwant " + b
		}
	}
	return ""
}

func compareRegisters(t *testing.T, file string, dirs ...string) {
	want, base, ok := llvmRegisters(t, file, dirs...)
	if !ok {
		t.Skipf("llvm-tblgen: %.300s", want)
	}
	rs := parseFile(t, file, dirs...)
	target, err := Build(rs, Options{RegistersOnly: true})
	if err != nil {
		t.Fatalf("%v", err)
	}
	dump := string(want)
	if i := strings.Index(dump, "RegisterClass "); i > 0 {
		dump = dump[i:] // warnings stand before it
	}
	if d := firstDifference(string(target.AppendRegisters(nil)), dump); d != "" {
		t.Error(d)
	}
	if d := firstDifference(strings.Join(ourTables(target.Info), "\n"), strings.Join(llvmTables(t, base), "\n")); d != "" {
		t.Errorf("tables: %s", d)
	}
}

// TestRegistersOfFolder compares all files of a folder (MIRIN_TD_DIR).
func TestRegistersOfFolder(t *testing.T) {
	ofFolder(t, func(t *testing.T, f, inc, dir string) {
		compareRegisters(t, f, inc, filepath.Join(dir, "Common"), filepath.Join(dir, "../Common"))
	})
}
