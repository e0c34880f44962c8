; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O0 %s -o - | FileCheck %s --check-prefix=O0
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -verify-machineinstrs %s -o - | FileCheck %s

; Odd widths behind others: a truncation of an extension from a narrower number, and one
; that ends inside of the parts of a wide number.

; O0-LABEL: narrower:
; CHECK-LABEL: narrower:
; CHECK: andl $127, %e
; CHECK: retq
define i47 @narrower(i7 %x) {
  %w = zext i7 %x to i96
  %t = trunc i96 %w to i47
  ret i47 %t
}

; O0-LABEL: parts:
; CHECK-LABEL: parts:
; CHECK: movd %xmm0, %e
; CHECK: orq
; CHECK: retq
define i63 @parts(<4 x i32> %x) {
  %r = bitcast <4 x i32> %x to i128
  %s = trunc i128 %r to i63
  ret i63 %s
}

; Above 64 bits saturating conversions are library calls between bounds.
; CHECK-LABEL: saturated:
; CHECK: callq __fixdfti
; CHECK: ucomisd
; CHECK: retq
; O0-LABEL: saturated:
; O0: callq __fixdfti
define i96 @saturated(double %x) {
  %r = call i96 @llvm.fptosi.sat.i96.f64(double %x)
  ret i96 %r
}
declare i96 @llvm.fptosi.sat.i96.f64(double)
