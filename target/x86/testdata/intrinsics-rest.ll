; RUN: llc -mtriple=x86_64-linux-gnu -O2 -mattr=+sse4a,+tbm,+movrs,+lwp,+avx512vnni,+avx512vl,+avx10.2 -verify-machineinstrs %s -o - | FileCheck %s

declare <2 x i64> @llvm.x86.sse4a.insertqi(<2 x i64>, <2 x i64>, i8, i8)
declare <2 x i64> @llvm.x86.sse4a.extrqi(<2 x i64>, i8, i8)
declare i32 @llvm.x86.tbm.bextri.u32(i32, i32)
declare i8 @llvm.x86.movrsqi(ptr)
declare i8 @llvm.x86.lwpins32(i32, i32, i32)
declare <32 x bfloat> @llvm.x86.avx10.vminbf16512(<32 x bfloat>, <32 x bfloat>)

define <2 x i64> @bits(<2 x i64> %a, <2 x i64> %b) {
; CHECK-LABEL: bits:
; CHECK: insertq $6, $5, %xmm1, %xmm0
; CHECK-NEXT: extrq $9, $7, %xmm0
  %r = call <2 x i64> @llvm.x86.sse4a.insertqi(<2 x i64> %a, <2 x i64> %b, i8 5, i8 6)
  %s = call <2 x i64> @llvm.x86.sse4a.extrqi(<2 x i64> %r, i8 7, i8 9)
  ret <2 x i64> %s
}

define i32 @tbm(i32 %a) {
; CHECK-LABEL: tbm:
; CHECK: bextrl $3841, %edi, %eax
  %r = call i32 @llvm.x86.tbm.bextri.u32(i32 %a, i32 3841)
  ret i32 %r
}

define i8 @movrs(ptr %p) {
; CHECK-LABEL: movrs:
; CHECK: movrsb (%rdi), %al
  %r = call i8 @llvm.x86.movrsqi(ptr %p)
  ret i8 %r
}

define i8 @lwp(i32 %a, i32 %b) {
; CHECK-LABEL: lwp:
; CHECK: lwpins $77, %esi, %edi
; CHECK-NEXT: setb %al
  %r = call i8 @llvm.x86.lwpins32(i32 %a, i32 %b, i32 77)
  ret i8 %r
}

define <32 x bfloat> @bf16(<32 x bfloat> %a, <32 x bfloat> %b) {
; CHECK-LABEL: bf16:
; CHECK: vminbf16 %zmm1, %zmm0, %zmm0
  %r = call <32 x bfloat> @llvm.x86.avx10.vminbf16512(<32 x bfloat> %a, <32 x bfloat> %b)
  ret <32 x bfloat> %r
}
