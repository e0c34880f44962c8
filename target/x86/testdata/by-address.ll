; What conventions pass by address is copied by the caller: the callee may write there.
; RUN: mirin llc -O2 -mtriple=x86_64-linux-gnu -verify-machineinstrs < %s | FileCheck %s

%three = type { i64, i64, i64 }
declare preserve_nonecc i64 @none(i64, ptr byval(%three))
declare win64cc i64 @win(i64, ptr byval(%three), x86_fp80)
declare void @over(i64, ptr byval(%three) align 64)

; CHECK-LABEL: caller:
; CHECK:      leaq 8(%rsp), %r13
; CHECK-NEXT: movups 80(%rsp), %xmm0
; CHECK-NEXT: movups %xmm0, 8(%rsp)
; CHECK:      callq none
define i64 @caller(ptr byval(%three) %p) {
  %r = call preserve_nonecc i64 @none(i64 1, ptr byval(%three) %p)
  ret i64 %r
}

; CHECK-LABEL: callee:
; CHECK:     movq %r12, %rax
; CHECK-NEXT: addq (%r13), %rax
define preserve_nonecc i64 @callee(i64 %x, ptr byval(%three) %p) {
  %v = load i64, ptr %p
  %r = add i64 %v, %x
  ret i64 %r
}

; CHECK-LABEL: windows:
; CHECK:     leaq 48(%rsp), %rdx
; CHECK:     leaq 32(%rsp), %r8
; CHECK:     fstpt 32(%rsp)
; CHECK:     callq win
define i64 @windows(ptr %p, x86_fp80 %f) {
  %r = call win64cc i64 @win(i64 1, ptr byval(%three) %p, x86_fp80 %f)
  ret i64 %r
}

; CHECK-LABEL: windowscallee:
; CHECK:     fldt (%r8)
; CHECK:     addq (%rdx), %rax
define win64cc i64 @windowscallee(i64 %x, ptr byval(%three) %p, x86_fp80 %f) {
  %v = load i64, ptr %p
  %i = fptosi x86_fp80 %f to i64
  %r = add i64 %v, %i
  ret i64 %r
}

; Arguments that are aligned to more than 16 bytes have the caller align its stack.
; CHECK-LABEL: aligned:
; CHECK:     andq $-64, %rsp
; CHECK:     callq over
define void @aligned(ptr %p) {
  call void @over(i64 1, ptr byval(%three) align 64 %p)
  ret void
}

; These preserve RAX, where others return the address of their result.
; CHECK-LABEL: mostsret:
; CHECK-NOT: %rax
; CHECK:     retq
define preserve_mostcc void @mostsret(ptr sret(%three) %p) {
  store i64 1, ptr %p
  ret void
}
