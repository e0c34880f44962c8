; RUN: llc -mtriple=x86_64-linux-gnu -O2 -verify-machineinstrs %s -o - | FileCheck %s

; By a known amount a funnel shift that the target lacks is two shifts.
define void @left(ptr %p, i16 %a, i16 %b) {
; CHECK-LABEL: left:
; CHECK-DAG: shrw $13, %dx
; CHECK-DAG: shll $3, %esi
; CHECK: orl
; CHECK-NEXT: movw
; CHECK-NEXT: retq
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %b, i16 3)
  store i16 %r, ptr %p
  ret void
}

define void @right(ptr %p, i16 %a, i16 %b) {
; CHECK-LABEL: right:
; CHECK-DAG: shrw $3, %dx
; CHECK-DAG: shll $13, %esi
; CHECK: orl
; CHECK-NEXT: movw
; CHECK-NEXT: retq
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %b, i16 3)
  store i16 %r, ptr %p
  ret void
}
