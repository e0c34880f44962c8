package irtext

import (
	"strings"
	"sync"
	"testing"

	"github.com/mirin-go/mirin/ir"
)

// deferredModule has what bodies add to a module, each thing in several of them.
const deferredModule = `source_filename = "deferred.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%pair = type { i32, ptr }

@v = global i32 7
@table = internal constant [2 x ptr] [ptr @second, ptr @first]

define i32 @first(i32 noundef %n, ptr %p) #0 {
entry:
  %x = load i32, ptr %p, align 4, !tbaa !0, !range !6
  %c = icmp eq i32 %x, %n
  br i1 %c, label %yes, label %no, !prof !5

yes:
  %a = call i32 asm sideeffect "nop", "=r,~{memory}"() #1, !srcloc !4
  fence syncscope("first") seq_cst
  %r = call double @llvm.experimental.constrained.fadd.f64(double 1.0, double 2.0, metadata !"round.tonearest", metadata !"fpexcept.strict")
  br label %no

no:
  %phi = phi i32 [ %a, %yes ], [ %x, %entry ]
  ret i32 %phi
}

define internal void @second(ptr byval(%pair) %0) {
  %2 = getelementptr inbounds %pair, ptr %0, i64 0, i32 1
  store ptr @v, ptr %2, align 8, !tbaa !7
  fence syncscope("second") acquire
  %3 = call i32 asm sideeffect "nop", "=r,~{memory}"(), !srcloc !4
  %4 = call i32 @first(i32 noundef 3, ptr nonnull %0) #1
  fence syncscope("first") release
  call void asm sideeffect "pause", ""()
  %5 = call double @llvm.experimental.constrained.fadd.f64(double 3.0, double 2.0, metadata !"round.upward", metadata !"fpexcept.strict")
  store i32 %4, ptr %2, align 4, !own.kind !9
  ret void
}

declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)

attributes #0 = { nounwind strictfp }
attributes #1 = { strictfp }

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{i64 12}
!5 = !{!"branch_weights", i32 1, i32 2000}
!6 = !{i32 0, i32 8}
!7 = !{!8, !8, i64 0}
!8 = !{!"int", !2, i64 0}
!9 = !{!4}
`

// TestDeferred reads a module body by body, in any order and by two readers,
// and finds what reading it as a whole finds.
func TestDeferred(t *testing.T) {
	whole, err := ParseString("deferred.ll", deferredModule, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := string(AppendModule(nil, whole))
	for _, order := range [][]string{{"first", "second"}, {"second", "first"}} {
		d := ParseDeferred("deferred.ll", deferredModule, Options{})
		if d == nil {
			t.Fatal("refused")
		}
		var wg sync.WaitGroup
		for range 2 { // who comes later finds what the other one added
			wg.Go(func() {
				r := d.NewReader()
				for _, name := range order {
					id := d.Module.Lookup(name)
					f := r.Read(id)
					if f == nil {
						t.Error("refused: " + name)
						return
					}
					d.mu.Lock()
					d.Module.Globals[id].Func = f.Compact()
					d.mu.Unlock()
				}
			})
		}
		wg.Wait()
		if got := string(AppendModule(nil, d.Module)); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// TestDeferredMemory holds readers to one body's memory.
func TestDeferredMemory(t *testing.T) {
	d := ParseDeferred("deferred.ll", deferredModule, Options{})
	r := d.NewReader()
	first := r.Read(d.Module.Lookup("first"))
	if second := r.Read(d.Module.Lookup("second")); second != first || first == nil {
		t.Error("bodies have memory of their own")
	}
	if n := d.Length(d.Module.Lookup("second")); n < 100 || n > len(deferredModule) {
		t.Errorf("Length is %d", n)
	}
}

// TestDeferredRefused names what is not read body by body.
func TestDeferredRefused(t *testing.T) {
	const body = "define i32 @f(i32 %x, ptr %p) {\n"
	for name, c := range map[string]struct {
		src  string
		head bool // seen before any body is read
	}{
		"fault at the top":              {src: "@x = global i33", head: true},
		"undefined type":                {src: body + "ret i32 0\n}\n@x = external global %t\n", head: true},
		"undefined global":              {src: "@x = global ptr @y\n", head: true},
		"fault":                         {src: body + "ret i32 %y\n}\n"},
		"fault behind":                  {src: body + "ret i32 0\n"},
		"end not at a line":             {src: "define void @f() {\n  ret void }\ndefine void @g() {\n  ret void\n}\n"},
		"end within the body":           {src: "define void @f() {\n  store {\n i8\n} zeroinitializer, ptr null\n  ret void\n}\n", head: true},
		"end within a comment":          {src: "define void @f() {\n  /*\n} */ ret void\n}\n", head: true},
		"undefined metadata":            {src: body + "ret i32 0, !m !0\n}\n"},
		"global without a name":         {src: body + "store ptr @none, ptr %p\nret i32 0\n}\n"},
		"address of a block":            {src: body + "br label %b\nb:\nstore ptr blockaddress(@f, %b), ptr %p\nret i32 0\n}\n", head: true},
		"order of uses":                 {src: body + "ret i32 0\n}\nuselistorder ptr @f, { 1, 0 }\n", head: true},
		"order of uses in a body":       {src: body + "%y = add i32 %x, %x\nret i32 %y\nuselistorder i32 %x, { 1, 0 }\n}\n"},
		"address of a block of another": {src: "define ptr @f() {\nret ptr blockaddress(@g, %b)\n}\ndefine void @g() {\nbr label %b\nb:\nret void\n}\n", head: true},
		"old intrinsic":                 {src: "declare i64 @llvm.x86.sse42.crc32.64.8(i64, i8)\n", head: true},
		"undeclared intrinsic":          {src: body + "%y = call i32 @llvm.bswap.i32(i32 %x)\nret i32 %y\n}\n"},
		"debug information":             {src: body + "ret i32 0\n}\n!llvm.dbg.cu = !{}\n", head: true},
		"debug location":                {src: body + "ret i32 0, !dbg !0\n}\n!0 = !{}\n"},
		"value in metadata":             {src: body + "call void @g(metadata i32 7)\nret i32 0\n}\ndeclare void @g(metadata)\n"},
		"local value in metadata":       {src: body + "call void @g(metadata i32 %x)\nret i32 0\n}\ndeclare void @g(metadata)\n"},
	} {
		d := ParseDeferred("refused.ll", c.src, Options{})
		if (d == nil) != c.head {
			t.Errorf("%s: refused at the top is %v", name, d == nil)
			continue
		}
		if d != nil && d.NewReader().Read(d.Module.Lookup("f")) != nil {
			t.Errorf("%s: not refused", name)
		}
	}
}

// TestDeferredEnds reads bodies that are not printed as LLVM prints them.
func TestDeferredEnds(t *testing.T) {
	const src = "define void @f() { ret void } define void @g() {\n  ret void\n}\ndefine void @h() { ret void\n}\n"
	d := ParseDeferred("ends.ll", src, Options{})
	if d == nil {
		t.Fatal("refused")
	}
	for _, name := range []string{"f", "g", "h"} {
		if f := d.NewReader().Read(d.Module.Lookup(name)); f == nil || len(f.Order) != 1 {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// TestDeferredTypes: types that bodies make are the module's.
func TestDeferredTypes(t *testing.T) {
	d := ParseDeferred("types.ll", "define void @f() {\n%a = alloca [3 x { i7, ptr }]\nret void\n}\n", Options{})
	f := d.NewReader().Read(d.Module.Lookup("f"))
	if s := string(AppendType(nil, d.Module.Types, f.Instr(ir.InstrID(1)).SrcType)); !strings.Contains(s, "i7") {
		t.Error(s)
	}
}

// TestEmptyLines: lines without instructions get no room.
func TestEmptyLines(t *testing.T) {
	const lines = 1 << 16
	d := ParseDeferred("lines", "define void @f() {\n"+strings.Repeat("\n", lines)+"  ret void\n}\n", Options{})
	if d == nil {
		t.Fatal("not read")
	}
	f := d.NewReader().Read(d.Module.Funcs[0])
	if f == nil {
		t.Fatal("the body is not read")
	}
	if n := cap(f.Instrs); n > lines/4 {
		t.Errorf("room for %d instructions", n)
	}
}
