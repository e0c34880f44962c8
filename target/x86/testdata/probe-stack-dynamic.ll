; RUN: not llc -mtriple=x86_64-linux-gnu %s -o - 2>&1 | FileCheck %s
; CHECK: a stack object of variable size that a function probes (probe-stack=__probe) is not supported
declare void @use(ptr)
define void @f(i64 %n) "probe-stack"="__probe" {
  %a = alloca i8, i64 %n
  call void @use(ptr %a)
  ret void
}
