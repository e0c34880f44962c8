package irsummary

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
)

const text = `source_filename = "m.c"
@counter = internal global i32 0
@table = constant [2 x ptr] [ptr @helper, ptr @main]
@alias = alias i32 (), ptr @main

declare void @ext(ptr)

define internal void @helper(i32 %n) noinline nounwind {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %done, label %again
again:
  %x = load i32, ptr @counter
  %m = add i32 %x, -1
  call void @helper(i32 %m)
  br label %done
done:
  ret void
}

define i32 @main() !prof !0 {
  store i32 3, ptr @counter
  call void @ext(ptr @table)
  %f = load ptr, ptr @table
  call void %f(i32 4)
  %r = tail call i32 @alias()
  ret i32 %r
}

!0 = !{!"function_entry_count", i64 7}
`

func parse(t *testing.T, src string) *ir.Module {
	t.Helper()
	m, err := irtext.Parse("m.ll", []byte(src), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestBuild(t *testing.T) {
	m := parse(t, text)
	s := Build(m, Options{})
	value := func(name string) *ir.GlobalSummary {
		t.Helper()
		v := s.Find(m.GUID(m.Lookup(name)))
		if v == nil || v.Name != name || len(v.Summaries) != 1 {
			t.Fatalf("no summary of %s", name)
		}
		return &v.Summaries[0]
	}
	ref := func(name string) uint64 { return m.GUID(m.Lookup(name)) }

	g := value("main")
	if g.Kind != ir.FunctionSummary || g.Insts != 6 || g.FuncFlags != ir.SummaryHasUnknownCall {
		t.Errorf("main: %+v", g)
	}
	if want := []ir.SummaryCall{{Callee: ref("ext"), Hotness: ir.HotnessNone}, {Callee: ref("alias"), Hotness: ir.HotnessNone, Tail: true}}; !slices.Equal(g.Calls, want) {
		t.Errorf("main calls %+v, want %+v", g.Calls, want)
	}
	// The call and the load refer to the table; the store writes the counter.
	if want := []ir.SummaryRef{{GUID: ref("table")}, {GUID: ref("counter"), WriteOnly: true}}; !slices.Equal(g.Refs, want) {
		t.Errorf("main refers to %+v, want %+v", g.Refs, want)
	}
	if g := value("helper"); g.FuncFlags != ir.SummaryNoInline|ir.SummaryNoUnwind || !g.Refs[0].ReadOnly || g.Calls[0].RelFreq == 0 || g.Calls[0].RelFreq >= 256 {
		t.Errorf("helper: %+v", g)
	}
	if g := value("table"); g.VarFlags != ir.SummaryMaybeReadOnly|ir.SummaryConstant || len(g.Refs) != 2 {
		t.Errorf("table: %+v", g)
	}
	if g := value("alias"); g.Kind != ir.AliasSummary || g.Aliasee != ref("main") {
		t.Errorf("alias: %+v", g)
	}
	if v := s.Find(ref("ext")); v == nil || len(v.Summaries) != 0 {
		t.Errorf("ext: %+v", v)
	}
}

func TestNameAnonymous(t *testing.T) {
	m := parse(t, "@0 = internal global i32 0\ndefine void @f() {\n  ret void\n}\ndefine internal void @1() {\n  ret void\n}\n")
	if !NameAnonymous(m) || NameAnonymous(m) {
		t.Error("the first run must find globals without a name, the second none")
	}
	const hash = "8fa14cdd754f91cc6554c9e71929cce7" // md5 of f
	for name, kind := range map[string]ir.GlobalKind{"anon." + hash + ".0": ir.GlobalFunc, "anon." + hash + ".1": ir.GlobalVar} {
		if id := m.Lookup(name); id == 0 || m.Globals[id].Kind != kind {
			t.Errorf("no %s", name)
		}
	}
}

// TestAgainstLLVM compares summaries with those of opt -module-summary, entry by entry.
func TestAgainstLLVM(t *testing.T) {
	opt := testenv.LLVM(t, "opt")
	files, _ := filepath.Glob(filepath.Join(testenv.Shared(t, "programs", "ll"), "*.ll"))
	if testing.Short() {
		files = files[:min(len(files), 6)]
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(opt, "-module-summary", "-S", f)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		got, want := entries(irtext.AppendSummary(nil, Build(parse(t, string(src)), Options{}))), entries(out)
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("%s:\n%s\nwant\n%s", filepath.Base(f), got[i], want[i])
				break
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d entries, want %d", filepath.Base(f), len(got), len(want))
		}
	}
}

// entries are the lines of the values. Relative frequencies are left out: LLVM
// computes them in integers, which rounds a little differently.
func entries(b []byte) (out []string) {
	b = regexp.MustCompile(`, relbf: [0-9]+`).ReplaceAll(b, nil)
	for _, l := range bytes.Split(b, []byte("\n")) {
		if s := string(l); strings.HasPrefix(s, "^") && strings.Contains(s, "= gv:") {
			out = append(out, s)
		}
	}
	return out
}
