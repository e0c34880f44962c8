; RUN: not llc -mtriple=x86_64-linux-gnu %s -o - 2>&1 | FileCheck %s
; CHECK: in function f: the instrumentation function nobody is not supported
define void @f() "instrument-function-entry-inlined"="nobody" {
  ret void
}
