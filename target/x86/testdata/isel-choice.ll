; RUN: llc -mtriple=x86_64-linux-gnu -O2 -verify-machineinstrs %s -o - | FileCheck %s
; Choices between floating-point numbers by masks, and single bits by number.

; CHECK-LABEL: less:
; CHECK: cmpltss %xmm1, %xmm0
; CHECK: andnps %xmm3
; CHECK: andps %xmm2, %xmm0
; CHECK: orps
; CHECK: retq
define float @less(float %a, float %b, float %x, float %y) {
  %c = fcmp olt float %a, %b
  %r = select i1 %c, float %x, float %y
  ret float %r
}

; CHECK-LABEL: or_zero:
; CHECK: cmpnltsd %xmm1, %xmm0
; CHECK-NEXT: andps %xmm2, %xmm0
; CHECK-NEXT: retq
define double @or_zero(double %a, double %b, double %x, double %y) {
  %c = fcmp uge double %a, %b
  %r = select i1 %c, double %x, double 0.0
  ret double %r
}

; CHECK-LABEL: zero_or:
; CHECK: cmpnlesd %xmm0, %xmm1
; CHECK-NEXT: andnps %xmm3, %xmm1
; CHECK-NEXT: movaps %xmm1, %xmm0
; CHECK-NEXT: retq
define double @zero_or(double %a, double %b, double %x, double %y) {
  %c = fcmp ult double %a, %b
  %r = select i1 %c, double 0.0, double %y
  ret double %r
}

; CHECK-LABEL: minimum:
; CHECK: minss %xmm1, %xmm0
; CHECK-NEXT: retq
define float @minimum(float %a, float %b) {
  %c = fcmp olt float %a, %b
  %r = select i1 %c, float %a, float %b
  ret float %r
}

; CHECK-LABEL: less_or_equal:
; CHECK: cmpless %xmm1
; CHECK: andnps %xmm1
; CHECK: andps
; CHECK: orps
; CHECK: retq
define float @less_or_equal(float %a, float %b) {
  %c = fcmp ole float %a, %b
  %r = select i1 %c, float %a, float %b
  ret float %r
}

; CHECK-LABEL: ordered_unequal:
; CHECK: ucomiss %xmm1
; CHECK: je
; CHECK: retq
define float @ordered_unequal(float %a, float %b, float %x, float %y) {
  %c = fcmp one float %a, %b
  %r = select i1 %c, float %x, float %y
  ret float %r
}

; CHECK-LABEL: equal:
; CHECK: cmpeqss %xmm1, %xmm0
; CHECK: andnps %xmm3
; CHECK: andps %xmm2, %xmm0
; CHECK: orps
; CHECK: retq
define float @equal(float %a, float %b, float %x, float %y) {
  %c = fcmp oeq float %a, %b
  %r = select i1 %c, float %x, float %y
  ret float %r
}

; CHECK-LABEL: set:
; CHECK: movq %rdi, %rax
; CHECK-NEXT: # kill: def $esi killed $esi def $rsi
; CHECK-NEXT: btsq %rsi, %rax
; CHECK-NEXT: retq
define i64 @set(i64 %a, i8 %n) {
 %e = zext i8 %n to i64
 %s = shl i64 1, %e
 %r = or i64 %a, %s
 ret i64 %r
}

; CHECK-LABEL: reset:
; CHECK: movq %rdi, %rax
; CHECK-NEXT: # kill: def $esi killed $esi def $rsi
; CHECK-NEXT: btrq %rsi, %rax
; CHECK-NEXT: retq
define i64 @reset(i64 %a, i32 %n) {
 %e = zext i32 %n to i64
 %s = shl i64 1, %e
 %t = xor i64 %s, -1
 %r = and i64 %a, %t
 ret i64 %r
}

; CHECK-LABEL: complement:
; CHECK: movl %edi, %eax
; CHECK-NEXT: btcl %esi, %eax
; CHECK-NEXT: retq
define i32 @complement(i32 %a, i32 %n) {
 %s = shl i32 1, %n
 %r = xor i32 %a, %s
 ret i32 %r
}
declare i32 @llvm.fshl.i32(i32, i32, i32)
; CHECK-LABEL: reset_rotated:
; CHECK: movl %edi, %eax
; CHECK-NEXT: btrl %esi, %eax
; CHECK-NEXT: retq
define i32 @reset_rotated(i32 %a, i32 %n) {
 %s = call i32 @llvm.fshl.i32(i32 -2, i32 -2, i32 %n)
 %r = and i32 %a, %s
 ret i32 %r
}
