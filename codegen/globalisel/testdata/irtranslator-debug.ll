; RUN: llc -O0 -mtriple=x86_64 -stop-after=irtranslator %s -o - | FileCheck %s

; The stack object of a declared variable names it; the last declaration counts.
; A variable in a register is dropped, and no code comes of either.
; CHECK-LABEL: name: f
; CHECK: stack:
; CHECK-NEXT: - { id: 0,
; CHECK: debug-info-variable: '!{{[0-9]+}}', debug-info-expression: '!DIExpression()'
; CHECK: - { id: 1,
; CHECK: debug-info-variable: '', debug-info-expression: ''
; CHECK-NOT: DBG_VALUE
; CHECK: RET
define i32 @f(i32 %a) !dbg !4 {
  %x = alloca i32
  %y = alloca i32
    #dbg_declare(ptr %x, !8, !DIExpression(), !10)
    #dbg_declare(ptr %x, !9, !DIExpression(), !10)
    #dbg_value(i32 %a, !9, !DIExpression(), !10)
  store i32 %a, ptr %x, !dbg !10
  store i32 1, ptr %y, !dbg !10
  %r = load i32, ptr %x, !dbg !10
  ret i32 %r, !dbg !10
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{!7, !7}
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 2, type: !7)
!9 = !DILocalVariable(name: "y", scope: !4, file: !1, line: 2, type: !7)
!10 = !DILocation(line: 3, scope: !4)
