; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -verify-machineinstrs -o - %s | FileCheck %s

; Carries stay in the flags.

; CHECK-LABEL: add256:
; CHECK:      addq %r
; CHECK-NEXT: adcq 8(%rsp), %r
; CHECK-NEXT: adcq 16(%rsp), %r
; CHECK-NEXT: adcq 24(%rsp), %r
; CHECK-NOT:  set
; CHECK:      retq
define i256 @add256(i256 %a, i256 %b) {
  %r = add i256 %a, %b
  ret i256 %r
}

; CHECK-LABEL: sub128:
; CHECK:      subq %r
; CHECK-NEXT: sbbq %r
; CHECK-NOT:  set
; CHECK:      retq
define i128 @sub128(i128 %a, i128 %b) {
  %r = sub i128 %a, %b
  ret i128 %r
}

; CHECK-LABEL: constant:
; CHECK:      addq $5, %r
; CHECK-NEXT: adcq $0, %r
; CHECK:      retq
define i128 @constant(i128 %a) {
  %r = add i128 %a, 5
  ret i128 %r
}

; Nothing is left of the lowest part but the borrow.
; CHECK-LABEL: less:
; CHECK:      cmpq %rdx, %rdi
; CHECK-NEXT: sbbq %rcx, %rsi
; CHECK-NEXT: jae
define i64 @less(i128 %a, i128 %b) {
  %c = icmp ult i128 %a, %b
  br i1 %c, label %x, label %y
x:
  ret i64 1
y:
  ret i64 7
}

; A carry that is added by hand, with a store between.
; CHECK-LABEL: by_hand:
; CHECK:      addq %r
; CHECK-NEXT: movq %r{{.*}}, (%r8)
; CHECK-NEXT: adcq %r
; CHECK-NEXT: retq
define i64 @by_hand(i64 %a0, i64 %a1, i64 %b0, i64 %b1, ptr %p) {
  %s = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a0, i64 %b0)
  %v = extractvalue { i64, i1 } %s, 0
  %c = extractvalue { i64, i1 } %s, 1
  store i64 %v, ptr %p
  %t = add i64 %a1, %b1
  %z = zext i1 %c to i64
  %r = add i64 %t, %z
  ret i64 %r
}

; What stands between writes the flags: the carry is stored and made again.
; CHECK-LABEL: between:
; CHECK:      setb
; CHECK:      retq
define i64 @between(i64 %a0, i64 %a1, i64 %b0, i64 %b1, ptr %p) {
  %s = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a0, i64 %b0)
  %v = extractvalue { i64, i1 } %s, 0
  %c = extractvalue { i64, i1 } %s, 1
  %w = xor i64 %v, %b1
  store i64 %w, ptr %p
  %t = add i64 %a1, %b1
  %z = zext i1 %c to i64
  %r = add i64 %t, %z
  ret i64 %r
}

; Comparisons are carries.
; CHECK-LABEL: counts:
; CHECK:      cmpl %edx, %esi
; CHECK-NEXT: adcq $0, %rax
define i64 @counts(i64 %n, i32 %a, i32 %b) {
  %c = icmp ult i32 %a, %b
  %z = zext i1 %c to i64
  %r = add i64 %n, %z
  ret i64 %r
}

; CHECK-LABEL: counts_swapped:
; CHECK:      cmpl %esi, %edx
; CHECK-NEXT: sbbq $-1, %rax
define i64 @counts_swapped(i64 %n, i32 %a, i32 %b) {
  %c = icmp ule i32 %a, %b
  %z = zext i1 %c to i64
  %r = add i64 %n, %z
  ret i64 %r
}

; CHECK-LABEL: counts_zeros:
; CHECK:      cmpb $1, %sil
; CHECK-NEXT: sbbl $0, %eax
define i32 @counts_zeros(i32 %n, i8 %a) {
  %c = icmp eq i8 %a, 0
  %z = zext i1 %c to i32
  %r = sub i32 %n, %z
  ret i32 %r
}

; CHECK-LABEL: counts_others:
; CHECK:      cmpw $1, %si
; CHECK-NEXT: adcl $-1, %eax
define i32 @counts_others(i32 %n, i16 %a) {
  %c = icmp ne i16 %a, 0
  %z = zext i1 %c to i32
  %r = sub i32 %n, %z
  ret i32 %r
}

; The flags of an addition say whether it carries.
; CHECK-LABEL: overflows:
; CHECK:      addq
; CHECK-NEXT: jae
define i64 @overflows(i64 %a, i64 %b) {
  %s = add i64 %a, %b
  %c = icmp ult i64 %s, %a
  br i1 %c, label %x, label %y
x:
  ret i64 1
y:
  ret i64 %s
}

; CHECK-LABEL: overflows_constant:
; CHECK:      addl $10, %e
; CHECK-NOT:  cmp
; CHECK:      jae
define i32 @overflows_constant(i32 %a, ptr %p) {
  %s = add i32 %a, 10
  store i32 %s, ptr %p
  %c = icmp ugt i32 %a, -11
  br i1 %c, label %x, label %y
x:
  ret i32 1
y:
  ret i32 %s
}

; CHECK-LABEL: asked:
; CHECK:      addq
; CHECK-NEXT: jae
define i64 @asked(i64 %a, i64 %b) {
  %s = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %s, 0
  %c = extractvalue { i64, i1 } %s, 1
  br i1 %c, label %x, label %y
x:
  ret i64 1
y:
  ret i64 %v
}

; One multiplication makes both halves.
; CHECK-LABEL: product:
; CHECK:      mulq
; CHECK-NOT:  mul
; CHECK:      retq
define i64 @product(i64 %a, i64 %b) {
  %x = zext i64 %a to i128
  %y = zext i64 %b to i128
  %m = mul i128 %x, %y
  %h = lshr i128 %m, 64
  %t = trunc i128 %h to i64
  %l = trunc i128 %m to i64
  %r = xor i64 %t, %l
  ret i64 %r
}

; Several constants stand between the subtraction and the one that takes its borrow.

; CHECK-LABEL: constants:
; CHECK:      subl %esi, %e
; CHECK-NEXT: sbbl
; CHECK:      retq
declare { <1 x i32>, <1 x i1> } @llvm.usub.with.overflow.v1i32(<1 x i32>, <1 x i32>)
define <1 x i32> @constants(<1 x i32> %a, <1 x i32> %b, ptr %p) {
  %t = call { <1 x i32>, <1 x i1> } @llvm.usub.with.overflow.v1i32(<1 x i32> %a, <1 x i32> %b)
  %val = extractvalue { <1 x i32>, <1 x i1> } %t, 0
  %borrow = extractvalue { <1 x i32>, <1 x i1> } %t, 1
  %r = sext <1 x i1> %borrow to <1 x i32>
  store <1 x i32> %val, ptr %p
  ret <1 x i32> %r
}
