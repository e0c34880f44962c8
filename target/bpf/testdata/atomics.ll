; RUN: mirin llc -mtriple=bpfel -mcpu=v4 -verify-machineinstrs %s -o - | filecheck %s

; CHECK-LABEL: rmw:
; CHECK: = atomic_fetch_add((u64 *)(r1 + 0), r
; CHECK: lock *(u64 *)(r1 + 8) |= r
; CHECK: = xchg32_32(r1 + 0, w
define i64 @rmw(ptr %p, i64 %v, i32 %w) {
  %a = atomicrmw add ptr %p, i64 %v seq_cst
  %q = getelementptr i8, ptr %p, i64 8
  %b = atomicrmw or ptr %q, i64 %v monotonic
  %c = atomicrmw xchg ptr %p, i32 %w seq_cst
  %z = zext i32 %c to i64
  %r = add i64 %a, %z
  ret i64 %r
}

; CHECK-LABEL: exchange:
; CHECK: w0 = w2
; CHECK: w0 = cmpxchg32_32(r1 + 0, w0, w3)
define i32 @exchange(ptr %p, i32 %v, i32 %n) {
  %x = cmpxchg ptr %p, i32 %v, i32 %n seq_cst seq_cst
  %r = extractvalue {i32, i1} %x, 0
  ret i32 %r
}

; CHECK-LABEL: ordered:
; CHECK: r{{[0-9]}} = load_acquire((u64 *)(r1 + 0))
; CHECK: store_release((u32 *)(r1 + 0), w2)
define i64 @ordered(ptr %p, i32 %w) {
  %a = load atomic i64, ptr %p acquire, align 8
  store atomic i32 %w, ptr %p release, align 4
  ret i64 %a
}
