; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -verify-machineinstrs %s -o - | FileCheck %s
; The registers that a convention preserves are saved; those that hold the
; result are not.

target triple = "x86_64-unknown-linux-gnu"

declare void @g()

; CHECK-LABEL: win64:
; CHECK: pushq %rsi
; CHECK: pushq %rdi
; CHECK: movaps %xmm15, {{[0-9]+}}(%rsp)
; CHECK: movaps %xmm6, {{[0-9]*}}(%rsp)
; CHECK: callq g
; CHECK: movaps {{[0-9]*}}(%rsp), %xmm6
; CHECK: movaps {{[0-9]+}}(%rsp), %xmm15
; CHECK: popq %rdi
; CHECK: popq %rsi
define win64cc void @win64() {
  call void @g()
  ret void
}

; CHECK-LABEL: most:
; CHECK: pushq %r10
; CHECK-NOT: movq %rax
; CHECK-NOT: %xmm
; CHECK: callq g
; CHECK: popq %r10
define preserve_mostcc i64 @most(i64 %x) {
  call void @g()
  %y = add i64 %x, 1
  ret i64 %y
}

; The caller of win64cc leaves a home for four words.
; CHECK-LABEL: caller:
; CHECK: movl $1, %ecx
; CHECK: movsd {{.*}}, %xmm1
; CHECK: callq callee
declare win64cc void @callee(i32, double, ptr, i64, i64)
define void @caller() {
  call win64cc void @callee(i32 1, double 2.0, ptr null, i64 4, i64 5)
  ret void
}

; CHECK-LABEL: swift:
; CHECK: movq %rdi, %r13
; CHECK: callq self
declare swiftcc void @self(ptr swiftself)
define void @swift(ptr %p) {
  call swiftcc void @self(ptr swiftself %p)
  ret void
}
