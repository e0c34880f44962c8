; RUN: llc -mtriple=x86_64-linux-gnu -O2 -mattr=+avx512vnni,+avx512vl -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O2 -mattr=+avxvnni -verify-machineinstrs %s -o - | FileCheck %s

; An intrinsic of AVX-512 wants its own feature alone, and is AVX's too.
declare <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32>, <32 x i8>, <32 x i8>)

define <8 x i32> @dot(<8 x i32> %a, <32 x i8> %b, <32 x i8> %c) {
; CHECK-LABEL: dot:
; CHECK: vpdpbusd %ymm2, %ymm1, %ymm0
  %r = call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32> %a, <32 x i8> %b, <32 x i8> %c)
  ret <8 x i32> %r
}
