; RUN: llc -mtriple=x86_64-linux-gnu -O2 -mcpu=x86-64-v4 -verify-machineinstrs %s -o - | FileCheck %s

; Comparisons make masks; what stands under a select takes them.
define <16 x i32> @masked_add(<16 x i32> %a, <16 x i32> %b) {
; CHECK-LABEL: masked_add:
; CHECK: vpcmpgtd %zmm0, %zmm1, %k1
; CHECK-NEXT: vpaddd %zmm1, %zmm0, %zmm1 {%k1}
  %c = icmp slt <16 x i32> %a, %b
  %s = add <16 x i32> %a, %b
  %r = select <16 x i1> %c, <16 x i32> %s, <16 x i32> %b
  ret <16 x i32> %r
}

define <8 x double> @zeroed(<8 x double> %a, <8 x double> %b) {
; CHECK-LABEL: zeroed:
; CHECK: vcmpltpd %zmm1, %zmm0, %k1
; CHECK-NEXT: vmulpd %zmm1, %zmm0, %zmm0 {%k1} {z}
  %c = fcmp olt <8 x double> %a, %b
  %s = fmul <8 x double> %a, %b
  %r = select <8 x i1> %c, <8 x double> %s, <8 x double> zeroinitializer
  ret <8 x double> %r
}

; One comparison under the mask of another; those with zero are tests.
define <4 x i32> @both(<4 x i32> %a, <4 x i32> %b) {
; CHECK-LABEL: both:
; CHECK: vpcmpltud %xmm1, %xmm0, %k1
; CHECK-NEXT: vptestnmd %xmm0, %xmm0, %k0 {%k1}
; CHECK-NEXT: vpmovm2d %k0, %xmm0
  %c = icmp ult <4 x i32> %a, %b
  %d = icmp eq <4 x i32> %a, zeroinitializer
  %e = and <4 x i1> %c, %d
  %r = sext <4 x i1> %e to <4 x i32>
  ret <4 x i32> %r
}

; Elements of two registers in any order.
define <32 x i16> @permute(<32 x i16> %a, <32 x i16> %b) {
; CHECK-LABEL: permute:
; CHECK: vpermt2w %zmm1, %zmm{{[0-9]+}}, %zmm
  %r = shufflevector <32 x i16> %a, <32 x i16> %b, <32 x i32> <i32 0, i32 33, i32 2, i32 35, i32 4, i32 37, i32 6, i32 39, i32 8, i32 41, i32 10, i32 43, i32 12, i32 45, i32 14, i32 47, i32 16, i32 49, i32 18, i32 51, i32 20, i32 53, i32 22, i32 55, i32 63, i32 1, i32 62, i32 3, i32 61, i32 5, i32 60, i32 7>
  ret <32 x i16> %r
}

define i16 @word(<16 x i8> %a, <16 x i8> %b) {
; CHECK-LABEL: word:
; CHECK: vpcmpeqb %xmm1, %xmm0, %k0
; CHECK-NEXT: kmovw %k0, %eax
  %c = icmp eq <16 x i8> %a, %b
  %r = bitcast <16 x i1> %c to i16
  ret i16 %r
}

; Who prefers 256 bits, and needs no more, gets two registers.
define void @narrow(ptr %p, ptr %q) "prefer-vector-width"="256" "min-legal-vector-width"="0" {
; CHECK-LABEL: narrow:
; CHECK-NOT: zmm
; CHECK: retq
  %x = load <16 x i32>, ptr %p
  %y = add <16 x i32> %x, %x
  store <16 x i32> %y, ptr %q
  ret void
}
