//go:build linux && amd64 && !nojit

package mirin_test

import (
	"testing"

	"github.com/mirin-go/mirin"
	"github.com/mirin-go/mirin/ir/irtext"
)

// TestDebugInfo: code with debug information, whose sections are no part of a process, is loaded.
func TestDebugInfo(t *testing.T) {
	m, err := irtext.Parse("t.ll", []byte(`target triple = "x86_64-unknown-linux-gnu"
define i32 @f() !dbg !5 {
  ret i32 7, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "t.c", directory: "/src")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocation(line: 2, column: 3, scope: !5)
`), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := mirin.Load(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	var f func() int32
	if err := p.Func("f", &f); err != nil {
		t.Fatal(err)
	}
	if got := f(); got != 7 {
		t.Errorf("f() = %d, want 7", got)
	}
}
