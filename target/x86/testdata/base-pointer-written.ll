; Where an instruction must have rbx another register addresses the frame.
; RUN: llc -O0 -mtriple=x86_64-linux-gnu -mattr=+cx16 -verify-machineinstrs -o - %s | FileCheck %s
; RUN: llc -O2 -mtriple=x86_64-linux-gnu -mattr=+cx16 -verify-machineinstrs -verify-regalloc -o - %s | FileCheck %s
; RUN: not llc -mtriple=x86_64-linux-gnu -o - %S/Inputs/base-pointer-none.ll 2>&1 | FileCheck %s --check-prefix=NONE
; NONE: error: x86-64: in function f: aligned stack objects beside those of variable size where instructions need all registers that could be their base is not supported

declare void @use(ptr, ptr)

; CHECK-LABEL: f:
; CHECK:     movq %rsp, %r12
; CHECK:     movl $405, %ebx
; CHECK:     {{(movq %r12, %rdi)|(leaq .*\(%r12\), %rdi)}}
define void @f(i64 %n) {
  %a = alloca i32, align 64
  %b = alloca i8, i64 %n
  call void asm sideeffect "nop", "{bx}"(i32 405)
  call void @use(ptr %a, ptr %b)
  ret void
}

; CHECK-LABEL: exchange:
; CHECK:     movq %rsp, %r13
; CHECK:     lock cmpxchg16b
define i128 @exchange(i64 %n, ptr %p, i128 %x) {
  %a = alloca i32, align 64
  %b = alloca i8, i64 %n
  call void asm sideeffect "nop", "~{r12}"()
  call void @use(ptr %a, ptr %b)
  %r = atomicrmw xchg ptr %p, i128 %x seq_cst
  ret i128 %r
}

; CHECK-LABEL: plain:
; CHECK:     movq %rsp, %rbx
define void @plain(i64 %n) {
  %a = alloca i32, align 64
  %b = alloca i8, i64 %n
  call void @use(ptr %a, ptr %b)
  ret void
}
