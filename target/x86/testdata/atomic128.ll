; Atomic accesses of 16 bytes are CMPXCHG16B.
; RUN: mirin llc -O2 -mtriple=x86_64-linux-gnu -mattr=+cx16 -verify-machineinstrs < %s | FileCheck %s
; RUN: mirin llc -O0 -mtriple=x86_64-linux-gnu -mattr=+cx16 -verify-machineinstrs < %s | FileCheck %s --check-prefix=O0
; RUN: not mirin llc -mtriple=x86_64-linux-gnu < %s 2>&1 | FileCheck %s --check-prefix=NONE

; CHECK-LABEL: load:
; CHECK:       pushq %rbx
; CHECK:       lock cmpxchg16b (%rdi)
; CHECK:       popq %rbx
; O0: lock cmpxchg16b
; NONE: error: x86-64: in function load: an atomic access of this size is not supported
define i128 @load(ptr %p) {
  %v = load atomic i128, ptr %p acquire, align 16
  ret i128 %v
}

; CHECK-LABEL: store:
; CHECK:       lock cmpxchg16b (%rdi)
; CHECK-NEXT:  jne
define void @store(ptr %p, i128 %v) {
  store atomic i128 %v, ptr %p seq_cst, align 16
  ret void
}

; CHECK-LABEL: exchange:
; CHECK:       lock cmpxchg16b (%rdi)
; CHECK-NEXT:  sete %al
define i1 @exchange(ptr %p, i128 %c, i128 %n) {
  %x = cmpxchg ptr %p, i128 %c, i128 %n seq_cst seq_cst, align 16
  %s = extractvalue { i128, i1 } %x, 1
  ret i1 %s
}

; CHECK-LABEL: add:
; CHECK:       adcq
; CHECK:       lock cmpxchg16b (%rdi)
define i128 @add(ptr %p, i128 %v) {
  %r = atomicrmw add ptr %p, i128 %v monotonic, align 16
  ret i128 %r
}
