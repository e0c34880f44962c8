; RUN: llc -O0 -mtriple=x86_64 -verify-machineinstrs -stop-after=irtranslator %s -o - | FileCheck %s
; RUN: llc -O2 -mtriple=x86_64 -verify-machineinstrs -stop-after=irtranslator %s -o - | FileCheck %s
; RUN: llc -O0 -mtriple=x86_64 -verify-machineinstrs %s -o - | FileCheck %s --check-prefix=ASM
; RUN: llc -O2 -mtriple=x86_64 -verify-machineinstrs %s -o - | FileCheck %s --check-prefix=ASM

@g = global i32 0

; The stack object of a declared variable names it; the last declaration counts.
; CHECK-LABEL: name: f
; CHECK: stack:
; CHECK-NEXT: - { id: 0,
; CHECK: debug-info-variable: '![[Y:[0-9]+]]', debug-info-expression: '!DIExpression()'
; CHECK: - { id: 1,
; CHECK: debug-info-variable: '', debug-info-expression: ''
; CHECK: [[A:%[0-9]+]]:_(s32) = COPY $edi
; CHECK: DBG_VALUE [[A]](s32), $noreg, ![[Y]], !DIExpression(), debug-location
; CHECK-NOT: DBG_
; CHECK: RET
; ASM-LABEL: f:
; ASM-NOT: DBG
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

; Constants are immediates, and nothing makes a register for the sake of a
; record. What has no value is $noreg: undef, poison, several values, addresses.
; CHECK-LABEL: name: constants
; CHECK: body:
; CHECK-NOT: G_
; CHECK: DBG_VALUE 7, 0, !{{[0-9]+}}, !DIExpression(), debug-location
; CHECK-NEXT: DBG_VALUE -1, 0,
; CHECK-NEXT: DBG_VALUE i128 36893488147419103232, 0,
; CHECK-NEXT: DBG_VALUE i128 0, 0,
; CHECK-NEXT: DBG_VALUE double 2.500000e+00, 0,
; CHECK-NEXT: DBG_VALUE 0, 0,
; CHECK-NEXT: DBG_VALUE 16, 0,
; CHECK-NEXT: DBG_VALUE $noreg, 0,
; CHECK-NEXT: DBG_VALUE $noreg, 0,
; CHECK-NEXT: DBG_VALUE $noreg, 0,
; CHECK-NEXT: DBG_VALUE $noreg, 0,
; CHECK-NEXT: DBG_VALUE $noreg, 0, !{{[0-9]+}}, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus)
; CHECK-NEXT: DBG_LABEL !{{[0-9]+}}, debug-location
; CHECK-NEXT: DBG_VALUE $noreg, 0, !{{[0-9]+}}, !DIExpression(), debug-location
; CHECK-NEXT: RET 0
define void @constants(i32 %a, i32 %b) !dbg !11 {
    #dbg_value(i32 7, !13, !DIExpression(), !14)
    #dbg_value(i32 -1, !13, !DIExpression(), !14)
    #dbg_value(i128 36893488147419103232, !13, !DIExpression(), !14)
    #dbg_value(i128 0, !13, !DIExpression(), !14)
    #dbg_value(double 2.5, !13, !DIExpression(), !14)
    #dbg_value(ptr null, !13, !DIExpression(), !14)
    #dbg_value(ptr inttoptr (i64 16 to ptr), !13, !DIExpression(), !14)
    #dbg_value(i32 undef, !13, !DIExpression(), !14)
    #dbg_value(i32 poison, !13, !DIExpression(), !14)
    #dbg_value(ptr @g, !13, !DIExpression(), !14)
    #dbg_value(!{}, !13, !DIExpression(), !14)
    #dbg_value(!DIArgList(i32 %a, i32 %b), !13, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus), !14)
    #dbg_label(!15, !14)
    #dbg_declare(ptr poison, !13, !DIExpression(), !14)
    #dbg_assign(i32 poison, !13, !DIExpression(), !16, ptr poison, !DIExpression(), !14)
  ret void, !dbg !14
}

; An address in a register; a value in two registers; the stack object behind
; an alloca; values that are made later, and never.
; CHECK-LABEL: name: places
; CHECK: [[P:%[0-9]+]]:_(p0) = COPY $rdi
; CHECK: DBG_VALUE [[P]](p0), 0, !{{[0-9]+}}, !DIExpression(), debug-location
; CHECK-NEXT: DBG_VALUE %stack.0.x, $noreg, !{{[0-9]+}}, !DIExpression(DW_OP_deref), debug-location
; CHECK-NEXT: DBG_VALUE [[L:%[0-9]+]](s32), $noreg,
; CHECK-NEXT: DBG_VALUE $noreg, $noreg,
; CHECK-NEXT: [[L]]:_(s32) = G_LOAD
; CHECK: DBG_VALUE $noreg, $noreg,
; CHECK: [[PHI:%[0-9]+]]:_(s32) = G_PHI
; CHECK-NEXT: G_PHI
; CHECK-NEXT: DBG_VALUE [[PHI]](s32), $noreg,
define i32 @places(ptr %p, i32 %q) !dbg !17 {
entry:
  %x = alloca i32
    #dbg_declare(ptr %p, !19, !DIExpression(), !20)
    #dbg_value(ptr %x, !19, !DIExpression(DW_OP_deref), !20)
    #dbg_value(i32 %l, !19, !DIExpression(), !20)
    #dbg_value(i32 %n, !19, !DIExpression(), !20)
  %l = load i32, ptr %p, !dbg !20
  %c = icmp eq i32 %q, 0, !dbg !20
  %s = insertvalue {i32, i32} {i32 3, i32 4}, i32 %l, 0, !dbg !20
    #dbg_value({i32, i32} %s, !19, !DIExpression(), !20)
  br i1 %c, label %t, label %e, !dbg !20
t:
  br label %e, !dbg !20
e:
  %a = phi i32 [ 1, %entry ], [ %l, %t ]
  %b = phi i32 [ %l, %entry ], [ 5, %t ]
    #dbg_value(i32 %a, !19, !DIExpression(), !20)
  %r = add i32 %a, %b, !dbg !20
  ret i32 %r, !dbg !20
gone:
  %n = load i32, ptr %p, !dbg !20
  ret i32 %n, !dbg !20
}

; A landing pad begins with its label, whatever stands before its instruction.
; CHECK-LABEL: name: pad
; CHECK: (landing-pad)
; CHECK: EH_LABEL
; CHECK: DBG_VALUE 1, 0,
define void @pad() personality ptr @__gxx_personality_v0 !dbg !21 {
  invoke void @may() to label %ok unwind label %lp, !dbg !23
ok:
  ret void, !dbg !23
lp:
    #dbg_value(i32 1, !22, !DIExpression(), !23)
  %l = landingpad { ptr, i32 } cleanup, !dbg !23
  resume { ptr, i32 } %l, !dbg !23
}
declare void @may()
declare i32 @__gxx_personality_v0(...)
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
!11 = distinct !DISubprogram(name: "constants", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!13 = !DILocalVariable(name: "x", scope: !11, file: !1, line: 2)
!14 = !DILocation(line: 3, scope: !11)
!15 = !DILabel(scope: !11, name: "l", file: !1, line: 4)
!16 = distinct !DIAssignID()
!17 = distinct !DISubprogram(name: "places", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!19 = !DILocalVariable(name: "x", scope: !17, file: !1, line: 2)
!20 = !DILocation(line: 3, scope: !17)
!21 = distinct !DISubprogram(name: "pad", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!22 = !DILocalVariable(name: "x", scope: !21, file: !1, line: 2)
!23 = !DILocation(line: 3, scope: !21)
