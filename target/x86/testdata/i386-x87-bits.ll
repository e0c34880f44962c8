; RUN: mirin llc -O2 -mtriple=i386-linux-gnu %s -o - -verify-machineinstrs | FileCheck %s

; The bits of a number of the x87 are three words in memory.
; CHECK-LABEL: low:
; CHECK: fstpt (%esp)
; CHECK: movl (%esp), %eax
define i32 @low(x86_fp80 %x) {
  %a = bitcast x86_fp80 %x to i80
  %b = trunc i80 %a to i32
  ret i32 %b
}

; CHECK-LABEL: made:
; CHECK-DAG: movl %e{{..}}, (%esp)
; CHECK-DAG: movl %e{{..}}, 4(%esp)
; CHECK-DAG: movw %{{..}}, 8(%esp)
; CHECK: fldt (%esp)
define x86_fp80 @made(i80 %x) {
  %a = bitcast i80 %x to x86_fp80
  ret x86_fp80 %a
}
