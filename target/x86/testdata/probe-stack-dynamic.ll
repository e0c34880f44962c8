; RUN: not llc -mtriple=x86_64-linux-gnu %s -o - 2>&1 | FileCheck %s
; CHECK: a stack object of variable size that is probed (probe-stack) is not supported
declare void @use(ptr)
define void @f(i64 %n) "probe-stack"="inline-asm" {
  %a = alloca i8, i64 %n
  call void @use(ptr %a)
  ret void
}
