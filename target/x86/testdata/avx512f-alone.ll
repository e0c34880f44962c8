; RUN: llc -mtriple=x86_64-linux-gnu -O2 -mattr=+avx512f -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O0 -mattr=+avx512f -verify-machineinstrs %s -o /dev/null

; Without BW, DQ and VL code is AVX2's; 512 bits are passed in one register all the same.
define <16 x i32> @sum(<16 x i32> %a, <16 x i32> %b) {
; CHECK-LABEL: sum:
; CHECK: vextractf64x4 $1, %zmm0, %ymm2
; CHECK-NEXT: vextractf64x4 $1, %zmm1, %ymm3
; CHECK-NEXT: vpaddd %ymm1, %ymm0, %ymm0
; CHECK-NEXT: vpaddd %ymm3, %ymm2, %ymm1
; CHECK-NEXT: vinsertf64x4 $1, %ymm1, %zmm0, %zmm0
; CHECK-NEXT: retq
  %r = add <16 x i32> %a, %b
  ret <16 x i32> %r
}

; Elements of 8 bits are in no register of 512 bits without BW.
define <64 x i8> @bytes(<64 x i8> %a, <64 x i8> %b) {
; CHECK-LABEL: bytes:
; CHECK: vpaddb %ymm2, %ymm0, %ymm0
; CHECK-NEXT: vpaddb %ymm3, %ymm1, %ymm1
; CHECK-NEXT: retq
  %r = add <64 x i8> %a, %b
  ret <64 x i8> %r
}

; What fills no register has one, too.
define <7 x i64> @odd(<7 x i64> %a) {
; CHECK-LABEL: odd:
; CHECK: vextractf64x4 $1, %zmm0, %ymm
; CHECK: vinsertf64x4 $1, %ymm{{[0-9]}}, %zmm{{[0-9]}}, %zmm0
  %r = add <7 x i64> %a, splat (i64 1)
  ret <7 x i64> %r
}

declare <8 x double> @callee(<8 x double>, <8 x double>)

define <8 x double> @call(<8 x double> %a, ptr %p) {
; CHECK-LABEL: call:
; CHECK: vinsertf64x4 $1, {{.*}}, %zmm{{[0-9]}}, %zmm
; CHECK: callq callee
; CHECK-NEXT: vextractf64x4 $1, %zmm0, %ymm1
; CHECK: vinsertf64x4 $1, %ymm1, %zmm0, %zmm0
  %r = call <8 x double> @callee(<8 x double> %a, <8 x double> splat (double 1.0))
  %s = fadd <8 x double> %r, %a
  ret <8 x double> %s
}

declare <16 x i32> @llvm.x86.avx512.permvar.si.512(<16 x i32>, <16 x i32>)

; Intrinsics of 512 bits stand between code of 256: halves are joined for them, and taken apart.
define i32 @intrinsic(<16 x i32> %a, <16 x i32> %b) {
; CHECK-LABEL: intrinsic:
; CHECK: vpermd %zmm
; CHECK: vextractf64x4 $1, %zmm
; CHECK: vpaddd %ymm
; CHECK: vpaddd %ymm
; CHECK: vinsertf64x4 $1
; CHECK: vpermd %zmm0, %zmm{{[0-9]}}, %zmm0
; CHECK: vpextrd $3, %xmm0, %eax
  %x = call <16 x i32> @llvm.x86.avx512.permvar.si.512(<16 x i32> %a, <16 x i32> <i32 15, i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>)
  %r = add <16 x i32> %x, %b
  %y = call <16 x i32> @llvm.x86.avx512.permvar.si.512(<16 x i32> %r, <16 x i32> %b)
  %e = extractelement <16 x i32> %y, i32 3
  ret i32 %e
}
