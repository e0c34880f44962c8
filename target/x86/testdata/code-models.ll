; Code models: what is far is named by 64 bits.
; RUN: llc -mtriple=x86_64-linux-gnu -relocation-model=static -code-model=medium -large-data-threshold=16 -verify-machineinstrs -o - %s | FileCheck %s --check-prefixes=CHECK,MEDIUM
; RUN: llc -mtriple=x86_64-linux-gnu -relocation-model=static -code-model=large -verify-machineinstrs -o - %s | FileCheck %s --check-prefixes=CHECK,LARGE
; RUN: llc -mtriple=x86_64-linux-gnu -relocation-model=static -code-model=kernel -verify-machineinstrs -o - %s | FileCheck %s --check-prefix=KERNEL
; RUN: not llc -mtriple=x86_64-linux-gnu -relocation-model=pic -code-model=large -o - %s 2>&1 | FileCheck %s --check-prefix=PIC
; PIC: error: x86-64: position-independent code of the medium and large code models is not supported

@small = dso_local global i32 1
@big = dso_local global [100 x i32] zeroinitializer

; LARGE:       .section .ltext,"axl",@progbits
; CHECK-LABEL: f:
; MEDIUM:      callq g
; LARGE:       movabsq $g, %rax
; LARGE:       callq *%rax
; CHECK-DAG:   movabsq $big, %
; MEDIUM-DAG:  small(%rip)
; LARGE-DAG:   movabsq $small, %
; KERNEL-LABEL: f:
; KERNEL:      movq %gs:40, %rax
; KERNEL:      callq g
define dso_local i32 @f(i64 %i) sspreq {
  %a = call i32 @g()
  %p = getelementptr [100 x i32], ptr @big, i64 0, i64 %i
  %b = load i32, ptr %p
  %c = load i32, ptr @small
  %d = add i32 %a, %b
  %e = add i32 %d, %c
  ret i32 %e
}

; CHECK:       .section .lbss,"awl",@nobits
; CHECK-NEXT:  .globl big
declare dso_local i32 @g()
