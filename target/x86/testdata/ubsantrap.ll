; RUN: llc -mtriple=x86_64-linux-gnu -O2 %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O0 %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O2 -filetype=obj %s -o %t.o

declare void @llvm.ubsantrap(i8 immarg)

; The number of the check that failed is a displacement.
define void @f() {
; CHECK-LABEL: f:
; CHECK: ud1l 12(%eax), %eax
  call void @llvm.ubsantrap(i8 12)
  unreachable
}
