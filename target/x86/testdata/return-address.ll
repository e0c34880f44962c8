; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -verify-machineinstrs -verify-regalloc < %s | FileCheck %s

; The word with the return address may be written: what was read is not read again.

declare ptr @llvm.returnaddress(i32)
declare ptr @llvm.addressofreturnaddress.p0()
declare void @use(ptr)
declare void @use6(i64, i64, i64, i64, i64, i64)

; CHECK-LABEL: pressed:
; CHECK:       movq [[AT:[0-9]+]](%rsp), %[[R:r[a-z0-9]+]]
; CHECK:       movq %[[R]], [[SLOT:[0-9]*]](%rsp)
; CHECK:       callq use
; CHECK:       movq %r{{[a-z0-9]+}}, [[AT]](%rsp)
; CHECK:       callq use6
; CHECK-NOT:   [[AT]](%rsp), %rdi
; CHECK:       movq [[SLOT]](%rsp), %rdi
; CHECK-NEXT:  callq use
define i64 @pressed(i64 %a, i64 %b, ptr %n) {
  %r = call ptr @llvm.returnaddress(i32 0)
  call void @use(ptr %r)
  %p = call ptr @llvm.addressofreturnaddress.p0()
  store ptr %n, ptr %p
  %s = add i64 %a, %b
  %t = mul i64 %s, %a
  %u = xor i64 %s, %b
  %w = sub i64 %u, %t
  call void @use6(i64 %s, i64 %t, i64 %u, i64 %w, i64 %a, i64 %b)
  %z = add i64 %w, %u
  %z1 = mul i64 %z, %t
  %z2 = mul i64 %z1, %s
  %z3 = mul i64 %z2, %a
  call void @use(ptr %r)
  %z4 = add i64 %z3, %b
  ret i64 %z4
}
