; A sequentially consistent store of a float is an exchange of its bits; weaker
; ones are plain moves.
; RUN: llc -mtriple=x86_64-linux-gnu -O2 -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O0 -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -filetype=obj %s -o %t.o

; CHECK-LABEL: strong:
; CHECK: movd %xmm0, %[[R:e..]]
; CHECK: xchgl %[[R]], (%rdi)
; CHECK: movq %xmm1, %[[Q:r..]]
; CHECK: xchgq %[[Q]], 8(%rdi)
define void @strong(ptr %p, float %x, double %y) {
  store atomic float %x, ptr %p seq_cst, align 4
  %q = getelementptr i8, ptr %p, i64 8
  store atomic double %y, ptr %q seq_cst, align 8
  ret void
}

; CHECK-LABEL: weak:
; CHECK: movss %xmm0, (%rdi)
define void @weak(ptr %p, float %x) {
  store atomic float %x, ptr %p release, align 4
  ret void
}
