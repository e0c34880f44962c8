; A copy is not joined with the next one where what it loads has got another reader: who loads
; what the copy stored.
; RUN: llc -O2 -mtriple=x86_64-linux-gnu -verify-machineinstrs -stop-after=loadstore-opt -o - %s | FileCheck %s
; RUN: llc -O2 -mtriple=x86_64-linux-gnu -verify-machineinstrs -verify-regalloc -o - %s | FileCheck %s --check-prefix=ASM

; CHECK-LABEL: name: f
; CHECK:       [[LOW:%[0-9]+]]:_(s64) = G_LOAD
; CHECK:       [[HIGH:%[0-9]+]]:_(s64) = G_LOAD
; CHECK:       G_ADD [[LOW]], [[HIGH]]
; ASM-LABEL:   f:
; ASM:         movq (%rdi), %rax
; ASM:         addq %{{.*}}, %rax
define i64 @f(ptr %p, ptr noalias %q) {
  %a = load i64, ptr %p, align 16
  %p8 = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %p8, align 8
  store i64 %a, ptr %q, align 16
  %q8 = getelementptr i8, ptr %q, i64 8
  store i64 %b, ptr %q8, align 8
  %c = load i64, ptr %q, align 16
  %d = load i64, ptr %q8, align 8
  %s = add i64 %c, %d
  ret i64 %s
}
