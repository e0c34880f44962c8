; Registers that are zero when a function returns.
; RUN: llc -mtriple=x86_64-linux-gnu -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -filetype=obj %s -o %t.o
; RUN: not llc -mtriple=x86_64-linux-gnu -mattr=+avx %s -o - 2>&1 | FileCheck %s --check-prefix=AVX
; AVX: zero-call-used-regs=all-arg on this processor is not supported
declare i32 @callee(i32)

; CHECK-LABEL: skip:
; CHECK-NOT: xor
; CHECK: retq
; CHECK-LABEL: used_gpr:
; CHECK: xorl %edi, %edi
; CHECK-NEXT: xorl %esi, %esi
; CHECK-NEXT: retq
define i32 @skip(i32 %x) "zero-call-used-regs"="skip" {
  ret i32 %x
}
define i32 @used_gpr(i32 %x, i32 %y, double %d) "zero-call-used-regs"="used-gpr" {
  %z = mul i32 %x, %y
  ret i32 %z
}

; The result stays; only used-arg leaves alone what is no argument.
; CHECK-LABEL: used:
; CHECK: addsd
; CHECK-NEXT: xorl %edi, %edi
; CHECK-NEXT: xorl %esi, %esi
; CHECK-NEXT: xorps %xmm1, %xmm1
; CHECK-NEXT: retq
; CHECK-LABEL: used_arg:
; CHECK: xorl %edi, %edi
; CHECK-NEXT: xorl %esi, %esi
; CHECK-NEXT: xorps %xmm1, %xmm1
; CHECK-NEXT: retq
define double @used(i32 %x, i32 %y, double %d) "zero-call-used-regs"="used" {
  %z = mul i32 %x, %y
  %f = sitofp i32 %z to double
  %s = fadd double %f, %d
  ret double %s
}
define double @used_arg(i32 %x, i32 %y, double %d, double %e) "zero-call-used-regs"="used-arg" {
  %z = mul i32 %x, %y
  %f = sitofp i32 %z to double
  %s = fadd double %f, %d
  %s2 = fadd double %s, %e
  ret double %s2
}

; CHECK-LABEL: all_gpr:
; CHECK: movl %edi, %eax
; CHECK-NEXT: xorl %ecx, %ecx
; CHECK-NEXT: xorl %edi, %edi
; CHECK-NEXT: xorl %edx, %edx
; CHECK-NEXT: xorl %esi, %esi
; CHECK-NEXT: xorl %r8d, %r8d
; CHECK-NEXT: xorl %r9d, %r9d
; CHECK-NEXT: xorl %r10d, %r10d
; CHECK-NEXT: xorl %r11d, %r11d
; CHECK-NEXT: retq
; CHECK-LABEL: all_arg:
; CHECK: xorl %r9d, %r9d
; CHECK-NEXT: xorps %xmm0, %xmm0
; CHECK: xorps %xmm7, %xmm7
; CHECK-NEXT: retq
; CHECK-LABEL: all:
; CHECK-COUNT-8: fldz
; CHECK-COUNT-8: fstp %st(0)
; CHECK: xorl %r11d, %r11d
; CHECK: xorps %xmm15, %xmm15
; CHECK-NEXT: retq
define i32 @all_gpr(i32 %x) "zero-call-used-regs"="all-gpr" {
  ret i32 %x
}
define i32 @all_arg(i32 %x) "zero-call-used-regs"="all-arg" {
  ret i32 %x
}
define i32 @all(i32 %x) "zero-call-used-regs"="all" {
  ret i32 %x
}

; What the function preserves and what a call in its place reads are no registers to be cleared.
; CHECK-LABEL: saved:
; CHECK: popq %rbx
; CHECK: xorl %edi, %edi
; CHECK-NEXT: retq
; CHECK-LABEL: jump:
; CHECK: xorl %esi, %esi
; CHECK-NEXT: jmp callee
define i32 @saved(i32 %x) "zero-call-used-regs"="used" {
  %r = call i32 @callee(i32 %x)
  %s = add i32 %r, %x
  ret i32 %s
}
define i32 @jump(i32 %x, i32 %y) "zero-call-used-regs"="used-gpr" {
  %z = mul i32 %x, %y
  %r = tail call i32 @callee(i32 %z)
  ret i32 %r
}
