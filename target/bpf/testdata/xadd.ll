; RUN: mirin llc -mtriple=bpfel -mcpu=v1 %s -o - | filecheck %s
; RUN: not mirin llc -mtriple=bpfel -mcpu=v2 %S/xadd-read.ll.in -o - 2>&1 | filecheck %s --check-prefix=ERR

; Versions 1 and 2 add to memory, and do not say what was there.
; CHECK-LABEL: word:
; CHECK: lock *(u32 *)(r1 + 4) += r2
define void @word(ptr %p, i32 %v) {
  %q = getelementptr i32, ptr %p, i64 1
  %o = atomicrmw add ptr %q, i32 %v seq_cst
  ret void
}

; CHECK-LABEL: less:
; CHECK: r2 = -r2
; CHECK: lock *(u64 *)(r1 + 0) += r2
define void @less(ptr %p, i64 %v) {
  %o = atomicrmw sub ptr %p, i64 %v monotonic
  ret void
}

; ERR: in function read i64 (ptr, i64): Invalid usage of the XADD return value
; ERR: in function readword i32 (ptr, i32): Invalid usage of the XADD return value
