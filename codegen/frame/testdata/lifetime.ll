; RUN: llc -mtriple=x86_64 -O2 -opt-disable=stack-coloring -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64 -O2 -no-stack-coloring -opt-bisect-limit=0 -verify-machineinstrs %s -o - 2>/dev/null | FileCheck %s

; Where stack-coloring is cut off its markers end here.
; CHECK-LABEL: f:
; CHECK: callq g
; CHECK: retq
define void @f() {
  %p = alloca [32 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr %p)
  call void @g(ptr %p)
  call void @llvm.lifetime.end.p0(ptr %p)
  ret void
}
declare void @g(ptr)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
