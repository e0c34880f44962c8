; RUN: llc -O2 -stop-after=livedebugvalues %s -o - | FileCheck %s
; RUN: llc -O2 -stop-before=livedebugvalues %s -o - | FileCheck %s --check-prefix=BEFORE

; %x stays in the register that it came in: both blocks behind the branch begin with
; that, which nothing says before the pass. The call ends it.
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: name: f
; CHECK: bb.0
; CHECK: DBG_VALUE $edi, $noreg, ![[X:[0-9]+]]
; CHECK: bb.1
; CHECK: DBG_VALUE $edi, $noreg, ![[X]]
; CHECK: CALL64pcrel32
; CHECK: bb.2
; CHECK-NOT: DBG_VALUE $edi
; BEFORE-LABEL: name: f
; BEFORE-COUNT-1: DBG_VALUE
; BEFORE-NOT: DBG_VALUE
define i32 @f(i32 %x, i32 %y) !dbg !4 {
entry:
    #dbg_value(i32 %x, !8, !DIExpression(), !9)
  %c = icmp eq i32 %y, 0, !dbg !9
  br i1 %c, label %one, label %two, !dbg !9
one:
  call void @g(i32 %x), !dbg !10
  br label %two, !dbg !10
two:
  ret i32 %y, !dbg !10
}
declare void @g(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition | DISPFlagOptimized)
!5 = !DISubroutineType(types: !{!6, !6, !6})
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !1, line: 1, type: !6)
!9 = !DILocation(line: 2, scope: !4)
!10 = !DILocation(line: 3, scope: !4)
