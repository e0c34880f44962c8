package mcgen

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
	"github.com/mirin-go/mirin/tablegen/include"
)

// verdicts of our generators on a file; nil errors are acceptance.
func ours(file string, dirs []string) map[string]error {
	out := map[string]error{}
	src, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	rs, err := tablegen.Parse(tablegen.Options{IncludeDirs: dirs, ReadFile: os.ReadFile}, file, src)
	if err != nil {
		return nil
	}
	t, err := targetinfo.Build(rs, targetinfo.Options{NoRegisters: true})
	for _, g := range [...]string{"emitter", "disassembler", "asm-writer", "asm-matcher"} {
		if err != nil {
			out[g] = err
			continue
		}
		s := New(rs, t)
		switch g {
		case "emitter":
			_, out[g] = s.Encoder()
		case "disassembler":
			_, out[g] = s.Decoder(DecoderOptions{})
		case "asm-writer":
			_, out[g] = s.Writer()
		case "asm-matcher":
			_, out[g] = s.Matcher()
		}
	}
	return out
}

// emitterTest finds LLVM's tests of these generators; with MIRIN_ALL_TD all its
// .td files are tried (minutes).
var emitterTest = regexp.MustCompile(`RUN:.*gen-(emitter|disassembler|asm-writer|asm-matcher)`)

// update asks an installed llvm-tblgen for testdata/verdicts.txt anew.
var update = flag.Bool("update", false, "write testdata/verdicts.txt")

// different lists where we and llvm-tblgen do not agree, and why that is meant.
var different = map[string]string{
	"ValueTypeByHwModeMissingRegInfo.td emitter":     "llvm-tblgen crashes",
	"ValueTypeByHwModeMissingRegInfo.td asm-writer":  "the size of a register class is not known: targetinfo takes 0",
	"ValueTypeByHwModeMissingRegInfo.td asm-matcher": "the same",
}

var generators = [...]string{"emitter", "disassembler", "asm-writer", "asm-matcher"}

// TestLLVMVerdicts runs the generators on LLVM's own TableGen tests and compares
// what is accepted and what is refused with what llvm-tblgen said
// (testdata/verdicts.txt: file, then + or - for each generator).
func TestLLVMVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	out, err := exec.Command("python3", testenv.Shared(t, "tools", "suite.py")).Output()
	if err != nil {
		t.Skip("no tests of LLVM's")
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "TableGen")
	inc := "/usr/lib/llvm-22/include"
	if _, err := os.Stat(filepath.Join(inc, "llvm/Target/Target.td")); err != nil {
		t.Skip("no headers of LLVM's")
	}
	list := filepath.Join("testdata", "verdicts.txt")
	if *update {
		writeVerdicts(t, list, root, inc)
	}
	b, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	agreed, seen := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		name, want, _ := strings.Cut(line, " ")
		f := filepath.Join(root, name)
		us := ours(f, includes(root, inc, f))
		if us == nil {
			t.Logf("%s cannot be read", name)
			continue
		}
		for k, g := range generators {
			seen++
			if (want[k] == '+') == (us[g] == nil) {
				agreed++
			} else if different[name+" "+g] == "" {
				t.Errorf("%s %s: LLVM says %c: %v", name, g, want[k], us[g])
			}
		}
	}
	t.Logf("%d of %d verdicts are LLVM's", agreed, seen)
}

func includes(root, inc, file string) []string {
	return []string{inc, filepath.Dir(file), root, filepath.Join(root, "Common")}
}

// writeVerdicts asks llvm-tblgen about its tests of these generators.
func writeVerdicts(t *testing.T, list, root, inc string) {
	tool := testenv.LLVM(t, "llvm-tblgen")
	files, _ := filepath.Glob(filepath.Join(root, "*.td"))
	more, _ := filepath.Glob(filepath.Join(root, "*", "*.td"))
	var b []byte
	for _, f := range append(files, more...) {
		src, _ := os.ReadFile(f)
		if os.Getenv("MIRIN_ALL_TD") == "" && !emitterTest.Match(src) || ours(f, includes(root, inc, f)) == nil {
			continue
		}
		name, _ := filepath.Rel(root, f)
		b = append(append(b, name...), ' ')
		for _, g := range generators {
			args := []string{"-gen-" + g, f, "-o", os.DevNull}
			for _, d := range includes(root, inc, f) {
				args = append(args, "-I", d)
			}
			mark := byte('+')
			if exec.Command(tool, args...).Run() != nil {
				mark = '-'
			}
			b = append(b, mark)
		}
		b = append(b, '\n')
	}
	if err := os.WriteFile(list, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestEncodingsAgainstLLVM compares the fixed bits of testdata/rich.td's
// encodings with llvm-tblgen's, which accepts the file for all four generators.
func TestEncodingsAgainstLLVM(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	tool := testenv.LLVM(t, "llvm-tblgen")
	inc := "/usr/lib/llvm-22/include"
	if _, err := os.Stat(filepath.Join(inc, "llvm/Target/Target.td")); err != nil {
		t.Skip("no headers of LLVM's")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "mirin"), 0o755); err != nil {
		t.Fatal(err)
	}
	mc, err := include.ReadFile(nil)("mirin/MC.td")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"Target.td": `include "llvm/Target/Target.td"`, "MC.td": string(mc)} {
		if err := os.WriteFile(filepath.Join(dir, "mirin", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join("testdata", "rich.td")
	var bits []byte
	for _, g := range generators {
		out, err := exec.Command(tool, "-gen-"+g, file, "-D", "FIXED_LENGTH", "-I", dir, "-I", inc).Output()
		if err != nil {
			t.Errorf("%s: %v", g, err)
		}
		if g == "emitter" {
			bits = out
		}
	}
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rs, err := tablegen.Parse(tablegen.Options{ReadFile: include.ReadFile(nil)}, file, src)
	if err != nil {
		t.Fatal(err)
	}
	td, err := targetinfo.Build(rs, targetinfo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	enc, err := New(rs, td).Encoder()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, m := range regexp.MustCompile(`UINT64_C\((\d+)\),\s*// (\w+)`).FindAllStringSubmatch(string(bits), -1) {
		op, _ := td.Info.OpcodeByName(m[2])
		want, _ := strconv.ParseUint(m[1], 10, 64)
		if got := enc.Words[enc.Instrs[op].Words]; got != want {
			t.Errorf("%s: %#x, LLVM has %#x", m[2], got, want)
		}
		n++
	}
	if n < 10 {
		t.Errorf("%d encodings compared", n)
	}
}
