; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -verify-machineinstrs -o - %s | FileCheck %s

; Shifts of two registers by a constant, which was legalized before them, choose
; nothing at run time.

; CHECK-LABEL: right:
; CHECK-NOT: cmov
; CHECK-DAG: shrdq $5, %rsi, %r
; CHECK-DAG: shrq $5, %r
; CHECK-NOT: cmov
; CHECK: retq
define i128 @right(i128 %a) {
  %r = lshr i128 %a, 5
  ret i128 %r
}

; CHECK-LABEL: signed:
; CHECK-NOT: cmov
; CHECK-DAG: sarq $63, %rdx
; CHECK-DAG: sarq $36, %rax
; CHECK-NOT: cmov
; CHECK: retq
define i128 @signed(i128 %a) {
  %r = ashr i128 %a, 100
  ret i128 %r
}

; The lower half is 0, not shifted.
; CHECK-LABEL: left:
; CHECK-DAG: xorl %eax, %eax
; CHECK-DAG: shlq $7, %r
; CHECK-NOT: cmov
; CHECK: retq
define i128 @left(i128 %a) {
  %r = shl i128 %a, 71
  ret i128 %r
}

; CHECK-LABEL: half:
; CHECK: movq %rsi, %rax
; CHECK-NEXT: retq
define i64 @half(i128 %a) {
  %r = lshr i128 %a, 64
  %t = trunc i128 %r to i64
  ret i64 %t
}
