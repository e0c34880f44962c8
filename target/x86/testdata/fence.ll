; On x86 only a sequentially consistent fence between threads is an instruction;
; the others hold back the compiler.
; RUN: llc -mtriple=x86_64-linux-gnu %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -filetype=obj %s -o %t.o

; CHECK-LABEL: weak:
; CHECK-NOT: mfence
; CHECK-COUNT-3: {{^}}	#MEMBARRIER{{$}}
; CHECK-NEXT: retq
define void @weak() {
  fence acquire
  fence release
  fence acq_rel
  ret void
}

; CHECK-LABEL: one_thread:
; CHECK: #MEMBARRIER
; CHECK-NEXT: retq
define void @one_thread() {
  fence syncscope("singlethread") seq_cst
  ret void
}

; CHECK-LABEL: strong:
; CHECK: mfence
; CHECK-NEXT: retq
define void @strong() {
  fence seq_cst
  ret void
}
