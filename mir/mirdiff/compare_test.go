package mirdiff

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir/mirtext"
)

func parse(t *testing.T, src string) *mirtext.File {
	t.Helper()
	f, err := mirtext.Parse("x.mir", []byte(src), mirtext.ParseOptions{Facts: func(string) (*desc.Info, error) { return facts.X86() }})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const one = `---
name: f
tracksRegLiveness: true
stack:
  - { id: 0, size: 4, alignment: 4 }
  - { id: 1, size: 8, alignment: 8 }
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $edi, $esi
    %0:gr32 = COPY $edi
    %1:gr32 = COPY $esi
    %2:gr32 = ADD32rr %0, %1, implicit-def $eflags
    JCC_1 %bb.2, 4, implicit $eflags
  bb.1:
    MOV32mr %stack.0, 1, $noreg, 0, $noreg, %2 :: (store (s32) into %stack.0)
    MOV64mi32 %stack.1, 1, $noreg, 0, $noreg, 7 :: (store (s64) into %stack.1)
  bb.2:
    %3:gr8 = COPY %2.sub_8bit
    $eax = COPY %2
    RET64 $eax
...
`

// renumbered is one with other numbers, names and order of stack objects.
const renumbered = `---
name: f
tracksRegLiveness: true
stack:
  - { id: 0, size: 8, alignment: 8 }
  - { id: 1, size: 4, alignment: 4 }
body: |
  bb.0:
    successors: %bb.4, %bb.7
    liveins: $edi, $esi
    %9:gr32 = COPY $edi
    %named:gr32 = COPY $esi
    %4:gr32 = ADD32rr %9, %named, implicit-def $eflags
    JCC_1 %bb.7, 4, implicit $eflags
  bb.4:
    MOV32mr %stack.1, 1, $noreg, 0, $noreg, %4 :: (store (s32) into %stack.1)
    MOV64mi32 %stack.0, 1, $noreg, 0, $noreg, 7 :: (store (s64) into %stack.0)
  bb.7:
    %1:gr8 = COPY %4.sub_8bit
    $eax = COPY %4
    RET64 $eax
...
`

func diff(t *testing.T, a, b string, o Options) (string, *Result) {
	t.Helper()
	o.Context = 0
	r := Files("a", "b", parse(t, a), parse(t, b), o)
	return string(r.Text), r
}

func TestRenamingIsNoDifference(t *testing.T) {
	if text, r := diff(t, one, renumbered, Options{}); !r.Equal() || r.Same != 1 || text != "" {
		t.Errorf("%s", text)
	}
	if _, r := diff(t, one, renumbered, Options{Exact: true}); r.Equal() {
		t.Error("with Exact, names matter")
	}
}

func TestDifferences(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"$noreg, 7 ::", "$noreg, 8 ::", "-    MOV64mi32 %stack.1, 1, $noreg, 0, $noreg, 7 :: (store (s64) into %stack.1)\n+    MOV64mi32 %stack.1, 1, $noreg, 0, $noreg, 8 :: (store (s64) into %stack.1)\n"},
		{"$eax = COPY %4\n", "$eax = COPY %9\n", "-    $eax = COPY %2\n+    $eax = COPY %0\n"},
		{"    %4:gr32", "    %20:gr32 = MOV32ri 5\n    %4:gr32", "+    %2':gr32 = MOV32ri 5\n"},
		{"    %named:gr32 = COPY $esi\n    %4:gr32 = ADD32rr %9, %named", "    %4:gr32 = ADD32rr %9, %9", "-    %1:gr32 = COPY $esi\n-    %2:gr32 = ADD32rr %0, %1, implicit-def $eflags\n+    %2:gr32 = ADD32rr %0, %0, implicit-def $eflags\n"},
		{"size: 8, alignment: 8", "size: 8, alignment: 16", "alignment: 16"},
		{"%bb.4, %bb.7", "%bb.7, %bb.4", "-    successors: %bb.1, %bb.2\n"},
	} {
		b := strings.Replace(renumbered, c.old, c.new, 1)
		if b == renumbered {
			t.Fatalf("no %q", c.old)
		}
		text, r := diff(t, one, b, Options{})
		if r.Changed != 1 || !strings.Contains(text, c.want) {
			t.Errorf("%s: no\n%s in\n%s", c.new, c.want, text)
		}
	}
}

func TestMissingFunctions(t *testing.T) {
	text, r := diff(t, one, strings.Replace(one, "name: f", "name: g", 1), Options{})
	if r.OnlyA != 1 || r.OnlyB != 1 || text != "--- a\n+++ b\nOnly in a: f\nOnly in b: g\n" {
		t.Errorf("%s", text)
	}
}
