; RUN: mirin llc -mtriple=bpfel -verify-machineinstrs %s -o - | filecheck %s
; RUN: mirin llc -mtriple=bpfel -mcpu=v1 -O0 %s -o - | filecheck %s --check-prefix=O0

; Machines without flags compare what they add.
; CHECK-LABEL: sum:
; CHECK: r1 += r2
; CHECK-NEXT: w0 = 1
; CHECK-NEXT: if r1 < r2 goto
; O0-LABEL: sum:
define i32 @sum(i64 %x, i64 %y) {
  %p = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %x, i64 %y)
  %o = extractvalue { i64, i1 } %p, 1
  %r = zext i1 %o to i32
  ret i32 %r
}

; CHECK-LABEL: difference:
; CHECK: if r1 < r2 goto
define i32 @difference(i64 %x, i64 %y) {
  %p = call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %x, i64 %y)
  %o = extractvalue { i64, i1 } %p, 1
  %r = zext i1 %o to i32
  ret i32 %r
}

; CHECK-LABEL: wide:
; CHECK: *(u64 *)(r1 + 0) = r
; CHECK: *(u64 *)(r1 + 8) = r
define void @wide(ptr %p) {
  %x = load i128, ptr %p, align 8
  %y = add i128 %x, 18446744073709551617
  store i128 %y, ptr %p, align 8
  ret void
}

; CHECK-LABEL: reversed:
; CHECK: r0 >>= 31
define i64 @reversed(i64 %x) {
  %t = trunc i64 %x to i33
  %v = call i33 @llvm.bitreverse.i33(i33 %t)
  %r = zext i33 %v to i64
  ret i64 %r
}
