; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O3 -opt-disable=loop-reduce -stop-after=consthoist %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O3 -verify-machineinstrs %s -o - | FileCheck %s --check-prefix=ASM
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -run-pass=consthoist %s -o - | FileCheck %s

; The constant that costs most is made in the entry, near ones of it.
; CHECK-LABEL: define void @near(
; CHECK-NEXT: [[C:%.*]] = bitcast i64 1234567890123400 to i64
; CHECK-NEXT: br
; CHECK: a:
; CHECK-NEXT: [[A:%.*]] = add i64 [[C]], 56
; CHECK-NEXT: mul i64 %x, [[A]]
; CHECK: b:
; CHECK-NEXT: [[B:%.*]] = add i64 [[C]], 57
; CHECK-NEXT: %z = add i64 %x, [[B]]
; CHECK-NEXT: xor i64 %z, [[C]]
; ASM-LABEL: near:
; ASM: movabsq $1234567890123400,
; ASM-NOT: movabsq
; ASM-LABEL: far:
define void @near(ptr %p, i64 %x, i1 %c) {
  br i1 %c, label %a, label %b
a:
  %y = mul i64 %x, 1234567890123456
  store i64 %y, ptr %p
  br label %b
b:
  %z = add i64 %x, 1234567890123457
  %z2 = xor i64 %z, 1234567890123400
  store i64 %z2, ptr %p
  ret void
}

; Constants too far from each other for an addition; one that is used once.
; CHECK-LABEL: define i64 @far(
; CHECK-NOT: bitcast
; CHECK: mul i64 %x, 1311768467463790320
; CHECK: xor i64 %y, 1311768472000000000
define i64 @far(i64 %x) {
  %y = mul i64 %x, 1311768467463790320
  %z = xor i64 %y, 1311768472000000000
  ret i64 %z
}

; What instructions hold stays: 32 bits with their sign, masks of the lower half,
; comparisons that are shifts, amounts of shifts, divisors, offsets.
; CHECK-LABEL: define i64 @free(
; CHECK-NOT: bitcast
; CHECK: ret i64
define i64 @free(i64 %x, i64 %y, ptr %p, i32 %s) {
  %a = add i64 %x, -2147483648
  %b = add i64 %a, -2147483648
  %c = and i64 %b, 4294967295
  %d = and i64 %y, 4294967295
  %e = icmp ult i64 %c, 4294967296
  %f = icmp ult i64 %d, 4294967296
  %g = udiv i64 %x, 1234567890123456
  %h = udiv i64 %y, 1234567890123456
  %i = getelementptr i8, ptr %p, i64 1234567890123456
  %j = getelementptr i8, ptr %i, i64 1234567890123456
  store i1 %e, ptr %j
  store i1 %f, ptr %j
  %k = xor i64 %g, %h
  switch i64 %k, label %o [
    i64 1234567890123456, label %n
    i64 1234567890123457, label %n
  ]
n:
  ret i64 %d
o:
  %m = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %k, i64 1234567890123456)
  %v = extractvalue { i64, i1 } %m, 0
  ret i64 %v
}

; What a PHI has of a block is made at that block's end, once for several ways
; out of it, and the block above the loop has the constant of the loop.
; CHECK-LABEL: define i64 @phi(
; CHECK: a:
; CHECK-NEXT: [[C:%.*]] = bitcast i64 1234567890123460 to i64
; CHECK-NEXT: switch
; CHECK: b:
; CHECK-NEXT: phi i64 [ [[C]], %a ], [ [[C]], %a ], [ %w, %b ]
; CHECK-NEXT: [[A:%.*]] = add i64 [[C]], -4
; CHECK-NEXT: %w = mul i64 %v, [[A]]
define i64 @phi(i64 %x, i32 %s, i1 %c) {
entry:
  br i1 %c, label %a, label %r
a:
  switch i32 %s, label %r [
    i32 1, label %b
    i32 2, label %b
  ]
b:
  %v = phi i64 [ 1234567890123460, %a ], [ 1234567890123460, %a ], [ %w, %b ]
  %w = mul i64 %v, 1234567890123456
  %d = icmp ult i64 %w, %x
  br i1 %d, label %b, label %r
r:
  %t = phi i64 [ 0, %entry ], [ 1, %a ], [ %w, %b ]
  ret i64 %t
}

; Where one way is rare the constant is made there, and not above.
; CHECK-LABEL: define i64 @rare(
; CHECK: entry:
; CHECK-NEXT: br
; CHECK: a:
; CHECK-NEXT: [[C:%.*]] = bitcast i64 1234567890123456 to i64
define i64 @rare(i64 %x, i1 %c) {
entry:
  br i1 %c, label %a, label %r, !prof !0
a:
  %v = mul i64 %x, 1234567890123456
  %w = xor i64 %v, 1234567890123457
  ret i64 %w
r:
  ret i64 0
}

; Addresses that are numbers.
; CHECK-LABEL: define i32 @port(
; CHECK: [[C:%.*]] = bitcast i64 309237645312 to i64
; CHECK-NEXT: [[P:%.*]] = inttoptr i64 [[C]] to ptr
; CHECK-NEXT: %v = load volatile i32, ptr [[P]]
; CHECK-NEXT: [[D:%.*]] = add i64 [[C]], 8
; CHECK-NEXT: [[Q:%.*]] = inttoptr i64 [[D]] to ptr
; CHECK-NEXT: store volatile i32 5, ptr [[Q]]
define i32 @port() {
  %v = load volatile i32, ptr inttoptr (i64 309237645312 to ptr)
  store volatile i32 5, ptr inttoptr (i64 309237645320 to ptr)
  ret i32 %v
}

; A landing pad stays first in its block.
; CHECK-LABEL: define i64 @pad(
; CHECK: pad:
; CHECK-NEXT: landingpad
; CHECK-NEXT: cleanup
; CHECK-NEXT: [[C:%.*]] = bitcast i64 1234567890123456 to i64
; CHECK-NEXT: call void @take(i64 [[C]])
define i64 @pad(i64 %x) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @take(i64 %x)
      to label %done unwind label %pad
pad:
  %l = landingpad { ptr, i32 } cleanup
  call void @take(i64 1234567890123456)
  call void @take(i64 1234567890123456)
  resume { ptr, i32 } %l
done:
  ret i64 0
}

declare void @take(i64)
declare i32 @__gxx_personality_v0(...)
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)
!0 = !{!"branch_weights", i32 1, i32 1000}
