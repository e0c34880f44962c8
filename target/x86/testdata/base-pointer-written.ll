; Where rbx addresses the frame nothing else may write it.
; RUN: not llc -mtriple=x86_64-linux-gnu < %s 2>&1 | FileCheck %s
; CHECK: error: x86-64: in function f: rbx as an operand in a function that addresses its frame by it is not supported
declare void @use(ptr, ptr)
define void @f(i64 %n) {
  %a = alloca i32, align 64
  %b = alloca i8, i64 %n
  call void asm sideeffect "nop", "{bx}"(i32 405)
  call void @use(ptr %a, ptr %b)
  ret void
}
