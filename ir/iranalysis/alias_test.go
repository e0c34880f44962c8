package iranalysis

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
)

const aliasSource = `
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%S = type { i32, float, [4 x i32] }
@g = global i32 0
@h = global [4 x i32] zeroinitializer
declare noalias ptr @malloc(i64)
declare void @keep(ptr)
declare ptr @get()
define void @f(ptr %p, ptr noalias %q, i64 %i, i1 %c) {
  %local = alloca %S
  %other = alloca i32
  %kept = alloca i32
  %heap = call ptr @malloc(i64 8)
  call void @keep(ptr %kept)
  %got = call ptr @get()
  %a = getelementptr %S, ptr %local, i64 0, i32 0
  %b = getelementptr %S, ptr %local, i64 0, i32 1
  %b2 = getelementptr i8, ptr %local, i64 4
  %b3 = getelementptr i8, ptr %local, i64 6
  %v = getelementptr %S, ptr %p, i64 %i, i32 0
  %w = getelementptr %S, ptr %p, i64 %i, i32 1
  %x = getelementptr i32, ptr %p, i64 %i
  %even = getelementptr [2 x i32], ptr %p, i64 %i
  %odd = getelementptr i8, ptr %p, i64 4
  %sel = select i1 %c, ptr %local, ptr %other
  ret void
}
`

func named(f *ir.Function, name string) ir.Value {
	if g := f.Module.Lookup(name); g != 0 {
		return ir.GlobalVal(g)
	}
	for k, n := range f.ValueNames {
		if n == name {
			return ir.Local(ir.InstrID(k))
		}
	}
	return 0
}

func TestAlias(t *testing.T) {
	m := parse(t, "t.ll", []byte(aliasSource))
	f := m.Globals[m.Lookup("f")].Func
	dl, err := ir.ParseDataLayout(m.DataLayout)
	if err != nil {
		t.Fatal(err)
	}
	a := NewAlias(f, dl)
	for _, tc := range []struct {
		p, q string
		want AliasResult
	}{
		{"local", "other", NoAlias}, {"local", "p", NoAlias}, {"p", "q", NoAlias}, {"local", "g", NoAlias}, {"g", "h", NoAlias},
		{"p", "g", MayAlias}, {"q", "g", NoAlias}, {"heap", "p", NoAlias}, {"heap", "local", NoAlias},
		{"got", "local", NoAlias}, {"got", "kept", MayAlias}, {"got", "heap", NoAlias},
		{"a", "local", MustAlias}, {"a", "b", NoAlias}, {"b", "b2", MustAlias}, {"b", "b3", PartialAlias},
		{"v", "w", NoAlias}, {"v", "x", MayAlias}, {"even", "odd", NoAlias}, {"even", "p", MayAlias},
		{"sel", "local", MayAlias}, {"sel", "g", NoAlias}, {"sel", "p", NoAlias},
	} {
		p, q := named(f, tc.p), named(f, tc.q)
		if p == 0 || q == 0 {
			t.Fatalf("no value %s or %s", tc.p, tc.q)
		}
		for range 2 {
			if got := a.Query(Location{Ptr: p, Size: 4}, Location{Ptr: q, Size: 4}); got != tc.want {
				t.Errorf("%s, %s: %d, want %d", tc.p, tc.q, got, tc.want)
			}
			p, q = q, p
		}
	}
	// Four bytes of an unknown pointer do not lie in an object of four bytes when eight are accessed.
	if got := a.Query(Location{Ptr: named(f, "p"), Size: 8}, Location{Ptr: ir.GlobalVal(m.Lookup("g")), Size: 4}); got != NoAlias {
		t.Errorf("an access larger than the object: %d", got)
	}
}

func TestMetadataAlias(t *testing.T) {
	m := parse(t, "t.ll", []byte(`
define void @f(ptr %p, ptr %q) {
  %i = load i32, ptr %p, !tbaa !1
  %fl = load float, ptr %q, !tbaa !3
  %c = load i8, ptr %q, !tbaa !5
  %s = load float, ptr %q, !tbaa !8
  %n = load i32, ptr %q, !alias.scope !12
  %o = load i32, ptr %p, !noalias !12
  ret void
}
!0 = !{!"int", !6, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !6, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!6, !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = !{!9, !2, i64 4}
!9 = !{!"S", !0, i64 0, !2, i64 4}
!10 = distinct !{!10, !"domain"}
!11 = distinct !{!11, !10, !"scope"}
!12 = !{!11}
`))
	f := m.Globals[m.Lookup("f")].Func
	dl, err := ir.ParseDataLayout(m.DataLayout)
	if err != nil {
		t.Fatal(err)
	}
	a := NewAlias(f, dl)
	at := func(name string) Location {
		l, ok := a.LocationOf(named(f, name).Instr())
		if !ok {
			t.Fatal(name)
		}
		return l
	}
	for _, tc := range []struct {
		x, y string
		want AliasResult
	}{{"i", "fl", NoAlias}, {"i", "c", MayAlias}, {"i", "s", NoAlias}, {"fl", "s", MustAlias}, {"n", "o", NoAlias}, {"n", "i", MayAlias}} {
		if got := a.Query(at(tc.x), at(tc.y)); got != tc.want {
			t.Errorf("%s, %s: %d, want %d", tc.x, tc.y, got, tc.want)
		}
	}
}

var aliasLine = regexp.MustCompile(`(?m)^  (\w+)(?: \(off -?\d+\))?:\t(.+)\* (%\S+|@\S+), (.+)\* (%\S+|@\S+)$`)

// TestAliasAgainstLLVM: no answer contradicts one of opt's basic-aa, and most are the same.
func TestAliasAgainstLLVM(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(testenv.Shared(t, "programs", "ll"), "*.O2.ll"))
	opt, err := exec.LookPath("opt-22")
	if err != nil {
		t.Skip("skipped: opt-22 is not installed")
	}
	same, all, stronger := 0, 0, 0
	head := regexp.MustCompile(`(?m)^Function: (\S+):.*\n`)
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := parse(t, file, src)
		dl, err := ir.ParseDataLayout(m.DataLayout)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(opt, "-aa-pipeline=basic-aa", "-passes=aa-eval", "-print-all-alias-modref-info", "-disable-output", file).CombinedOutput()
		if err != nil {
			t.Fatal(err)
		}
		parts := head.FindAllSubmatchIndex(out, -1)
		for k, at := range parts {
			end := len(out)
			if k+1 < len(parts) {
				end = parts[k+1][0]
			}
			f := m.Globals[m.Lookup(string(out[at[2]:at[3]]))].Func
			a := NewAlias(f, dl)
			locs := locations(a, m)
			for _, l := range aliasLine.FindAllSubmatch(out[at[1]:end], -1) {
				x, ok1 := locs[string(l[2])+" "+string(l[3])]
				y, ok2 := locs[string(l[4])+" "+string(l[5])]
				if !ok1 || !ok2 {
					continue
				}
				all++
				got, want := a.Query(x, y), string(l[1])
				switch {
				case [...]string{"NoAlias", "MayAlias", "PartialAlias", "MustAlias"}[got] == want:
					same++
				case (want == "MustAlias" || want == "PartialAlias") && got == NoAlias, want == "NoAlias" && got > MayAlias:
					t.Errorf("%s %s: %s: we say %d", filepath.Base(file), f.Name(), l[0], got)
				case want == "MayAlias":
					stronger++ // through loops: allocation functions called in them
				}
			}
		}
	}
	t.Logf("%d of %d answers as basic-aa has them, %d say more", same, all, stronger)
	if all < 1000 || same*100 < all*96 {
		t.Errorf("only %d of %d", same, all)
	}
}

// locations finds the accesses of a function by type and pointer, without metadata.
func locations(a *Alias, m *ir.Module) map[string]Location {
	f := a.f
	slots := irtext.NewSlots(m)
	slots.Enter(f)
	locs := map[string]Location{}
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			l, ok := a.LocationOf(i)
			if !ok {
				continue
			}
			l.TBAA, l.Scope, l.NoAlias = 0, 0, 0
			ty := f.Instrs[i].Type
			if f.Instrs[i].Op == ir.OpStore {
				ty = f.Instrs[i].SrcType
			}
			_, name, _ := strings.Cut(string(slots.AppendTyped(nil, &f.Consts, l.Ptr)), " ")
			locs[string(irtext.AppendType(nil, m.Types, ty))+" "+name] = l
		}
	}
	return locs
}
