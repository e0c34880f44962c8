; Vectors of elements that take several registers each, as arguments and results.
; RUN: llc -O2 -mtriple=x86_64-linux-gnu -verify-machineinstrs -o - %s | FileCheck %s
; RUN: llc -O0 -mtriple=x86_64-linux-gnu -verify-machineinstrs -o - %s | FileCheck %s --check-prefix=O0

; CHECK-LABEL: ints:
; CHECK-DAG:   addq %rsi, %r9
; CHECK-DAG:   adcq 8(%rsp), %rdx
; CHECK-DAG:   addq 16(%rsp), %rcx
; CHECK-DAG:   adcq 24(%rsp), %r8
; CHECK:       retq
; O0-LABEL:    ints:
; O0:          adcq
; O0:          adcq
define <2 x i128> @ints(<2 x i128> %a, <2 x i128> %b) {
  %r = add <2 x i128> %a, %b
  ret <2 x i128> %r
}

; CHECK-LABEL: take:
; CHECK:       callq ints
; O0-LABEL:    take:
; O0:          callq ints
define i128 @take(<2 x i128> %a, <2 x i128> %b) {
  %r = call <2 x i128> @ints(<2 x i128> %b, <2 x i128> %a)
  %e = extractelement <2 x i128> %r, i32 1
  ret i128 %e
}

; O0-LABEL:    quads:
; CHECK-LABEL: quads:
; CHECK-NOT:   call
; CHECK:       retq
define fp128 @quads(<2 x fp128> %a, <2 x fp128> %b) {
  %e = extractelement <2 x fp128> %b, i32 1
  ret fp128 %e
}
