; RUN: llc -O0 -mtriple=x86_64-unknown-linux-gnu -verify-machineinstrs %s -o - | FileCheck %s
; The module's data layout counts, not the target's: i64 is aligned to 4 bytes here.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:32-i128:128-f80:128-n8:16:32:64-S128"

%pair = type { i32, i64 }

; CHECK-LABEL: second:
; CHECK: movq 4(%rdi), %rax
define i64 @second(ptr %p) {
  %q = getelementptr %pair, ptr %p, i32 0, i32 1
  %v = load i64, ptr %q
  ret i64 %v
}

; CHECK-LABEL: constant:
; CHECK: .long 1
; CHECK-NEXT: .quad 2
; CHECK-NEXT: .size constant, 12
@constant = global %pair { i32 1, i64 2 }
