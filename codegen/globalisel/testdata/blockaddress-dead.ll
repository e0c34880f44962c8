; RUN: llc -O0 -mtriple=x86_64-unknown-linux-gnu -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -O2 -j2 -mtriple=x86_64-unknown-linux-gnu -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -filetype=obj %s -o %t.o

; Blocks that nothing reaches get no code; their address is 1, as LLVM says,
; and not a label that is nowhere.
; CHECK-LABEL: here:
; CHECK: movl $1, %eax
; CHECK-LABEL: there:
; CHECK: movl $1, %eax
; CHECK-LABEL: t:
; CHECK-NEXT: .quad 1
; CHECK-NEXT: .quad .Ltmp0
@t = global [2 x ptr] [ptr blockaddress(@here, %dead), ptr blockaddress(@there, %alive)]

define ptr @here() {
  ret ptr blockaddress(@here, %dead)
dead:
  ret ptr null
}

define ptr @there(i1 %c) {
  br i1 %c, label %alive, label %other
other:
  ret ptr blockaddress(@here, %dead)
alive:
  ret ptr null
}
