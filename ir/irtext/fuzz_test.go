package irtext_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
)

// What Parse may allocate, dead memory included, for a text of n bytes:
// memPerByte*n + memBase. docs/llvm-ir.md states it.
const (
	memPerByte = 400
	memBase    = 4 << 20
	fuzzMax    = 1 << 16 // longer inputs only make fuzzing slow
	fuzzTime   = 20 * time.Second
)

// allocated returns the bytes that were allocated since the program began.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// smallSeeds are pieces of the language, each a module.
var smallSeeds = []string{
	"",
	"@g = global i32 7\n@a = alias i32, ptr @g\n",
	"%t = type { i32, %t2 }\n%t2 = type opaque\n@v = external global %t\n",
	"define i32 @f(i32 %x) {\nentry:\n  %y = add nsw i32 %x, 1\n  br label %l\nl:\n  %z = phi i32 [ %y, %entry ], [ %z, %l ]\n  br i1 poison, label %l, label %e\ne:\n  ret i32 %z\n}\n",
	"define <4 x i32> @v(<4 x i32> %a) {\n  %s = shufflevector <4 x i32> %a, <4 x i32> splat (i32 3), <4 x i32> <i32 0, i32 poison, i32 4, i32 1>\n  ret <4 x i32> %s\n}\n",
	"!named = !{!0, !1}\n!0 = distinct !{!0, !\"s\", i32 1}\n!1 = !DIExpression(DW_OP_plus_uconst, 3)\n",
	"declare void @g() #0\ndefine void @f() personality ptr null {\n  invoke void @g() to label %a unwind label %b\na:\n  ret void\nb:\n  %l = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %l\n}\nattributes #0 = { nounwind \"k\"=\"v\" memory(read) }\n",
	"$c = comdat any\n@x = linkonce_odr constant [3 x i8] c\"a\\00b\", comdat($c), align 4\nmodule asm \"nop\"\n",
	"@p = global ptr getelementptr inbounds ([4 x i32], ptr @q, i64 0, i64 2)\n@q = global [4 x i32] zeroinitializer\nuselistorder ptr @q, { 0 }\n",
}

// FuzzParse holds what any text must keep: the reader fails with an error or
// gives a module that can be verified and printed, within bounds of time and
// memory; what the verifier accepts prints to a text that reads as itself.
func FuzzParse(f *testing.F) {
	for _, s := range smallSeeds {
		f.Add([]byte(s))
	}
	for _, s := range irtext.Faults() {
		f.Add([]byte(s))
	}
	own, _ := filepath.Glob("testdata/*.ll")
	for _, p := range own {
		if b, err := os.ReadFile(p); err == nil {
			f.Add(b)
		}
	}
	if fuzzing() {
		for _, p := range corpus(f, 4096) {
			if b, err := os.ReadFile(p); err == nil {
				f.Add(b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > fuzzMax {
			return
		}
		late := time.AfterFunc(fuzzTime, func() { panic("FuzzParse: an input takes too long") })
		defer late.Stop()
		checkText(t, src)
	})
}

// unreadable is what is wrong with texts that LLVM prints and does not read:
// names and headers that are empty are left out and yet required.
var unreadable = regexp.MustCompile("missing required field '(name|header)'")

// checkText is FuzzParse's check of one input.
func checkText(t *testing.T, src []byte) {
	before := allocated()
	m, err := irtext.Parse("fuzz", src, irtext.Options{Jobs: 1})
	if used := allocated() - before; used > memPerByte*uint64(len(src))+memBase {
		t.Fatalf("%d bytes of text took %d bytes of memory", len(src), used)
	}
	if err != nil {
		return
	}
	if m.SourceFilename == "" {
		m.SourceFilename = "fuzz" // an empty one is not printed
	}
	valid := irverify.Module(m) == ""
	text := irtext.AppendModule(nil, m)
	if bytes.Contains(text, []byte("module asm \"\"\n")) {
		return // empty lines are printed, and not read
	}
	if !valid || strings.ContainsAny(m.Triple+m.DataLayout, "\"\\") {
		return // LLVM does not quote what stands in these two
	}
	m2, err := irtext.Parse("fuzz", text, irtext.Options{Jobs: 1})
	if err != nil && unreadable.MatchString(err.Error()) {
		return
	}
	if err != nil {
		t.Fatalf("our own text is not read: %v\n%s", err, text)
	}
	if again := irtext.AppendModule(nil, m2); !bytes.Equal(text, again) {
		t.Fatalf("printed, read and printed: %s", firstDifference(text, again))
	}
}

func firstDifference(a, b []byte) string {
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) {
			return fmt.Sprintf("line %d:\n- %s\n+ %s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}

// fuzzing says that this run is to find new inputs: more seeds are worth their time.
func fuzzing() bool {
	fl := flag.Lookup("test.fuzz")
	return fl != nil && fl.Value.String() != ""
}

// corpus returns LLVM's tests of the language up to a size, when they are there.
func corpus(tb testing.TB, size int64) (files []string) {
	suite := filepath.Join(filepath.Dir(testenv.Root(tb)), "shared", "tools", "suite.py")
	if s := os.Getenv("MIRIN_SHARED"); s != "" {
		suite = filepath.Join(s, "tools", "suite.py")
	}
	out, err := exec.Command("python3", suite).Output()
	if err != nil {
		return nil
	}
	for _, dir := range []string{"Assembler", "Bitcode", "Verifier"} {
		filepath.WalkDir(filepath.Join(strings.TrimSpace(string(out)), dir), func(p string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(p, ".ll") {
				if i, err := d.Info(); err == nil && i.Size() <= size {
					files = append(files, p)
				}
			}
			return nil
		})
	}
	return files
}
