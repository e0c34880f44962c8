; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -verify-machineinstrs %s -o - | FileCheck %s --check-prefixes=CHECK,SSE
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -mattr=+avx -verify-machineinstrs %s -o - | FileCheck %s --check-prefixes=CHECK,AVX

; What is rounded to 32 bits and is a float again does not go through a general register.

; CHECK-LABEL: dd:
; SSE: cvttpd2dq %xmm0, %xmm0
; SSE-NEXT: cvtdq2pd %xmm0, %xmm0
; AVX: vcvttpd2dq %xmm0, %xmm0
; AVX-NEXT: vcvtdq2pd %xmm0, %xmm0
; CHECK-NEXT: retq
; CHECK-LABEL: ff:
; SSE: cvttps2dq %xmm0, %xmm0
; SSE-NEXT: cvtdq2ps %xmm0, %xmm0
; AVX: vcvttps2dq %xmm0, %xmm0
; AVX-NEXT: vcvtdq2ps %xmm0, %xmm0
; CHECK-NEXT: retq
; CHECK-LABEL: fd:
; SSE: cvttps2dq %xmm0, %xmm0
; SSE-NEXT: cvtdq2pd %xmm0, %xmm0
; CHECK-LABEL: df:
; SSE: cvttpd2dq %xmm0, %xmm0
; SSE-NEXT: cvtdq2ps %xmm0, %xmm0
; CHECK-LABEL: used:
; CHECK: cvttsd2si %xmm0, %eax
; CHECK: cvttpd2dq %xmm0, %xmm0
; CHECK-LABEL: wide:
; CHECK: cvttsd2si %xmm0, %rax
define double @dd(double %x) {
  %i = fptosi double %x to i32
  %d = sitofp i32 %i to double
  ret double %d
}
define float @ff(float %x) {
  %i = fptosi float %x to i32
  %d = sitofp i32 %i to float
  ret float %d
}
define double @fd(float %x) {
  %i = fptosi float %x to i32
  %d = sitofp i32 %i to double
  ret double %d
}
define float @df(double %x) {
  %i = fptosi double %x to i32
  %d = sitofp i32 %i to float
  ret float %d
}
define double @used(double %x, ptr %p) {
  %i = fptosi double %x to i32
  store i32 %i, ptr %p
  %d = sitofp i32 %i to double
  ret double %d
}
define double @wide(double %x) {
  %i = fptosi double %x to i64
  %d = sitofp i64 %i to double
  ret double %d
}
