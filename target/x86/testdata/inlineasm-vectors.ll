; RUN: llc -mtriple=x86_64-linux-gnu -O2 -mcpu=x86-64-v4 -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O0 -mcpu=x86-64-v4 -verify-machineinstrs %s -o /dev/null

; Registers of vectors and masks as operands.
define <8 x float> @ymm(<8 x float> %a, <8 x float> %b) {
; CHECK-LABEL: ymm:
; CHECK: vperm2f128 $16, %ymm1, %ymm0, %ymm0
  %r = call <8 x float> asm "vperm2f128 $3, $2, $1, $0", "=x,x,x,i"(<8 x float> %a, <8 x float> %b, i32 16)
  ret <8 x float> %r
}

; Integers in mask registers; writemasks are not k0.
define i16 @mask(i16 %a, i8 %b) {
; CHECK-LABEL: mask:
; CHECK: kmovw %edi, %k0
; CHECK: kmovw %esi, %k1
; CHECK: use %k0, %k0, %k1
; CHECK: kmovw %k0, %eax
  %r = call i16 asm "use $1, $0, $2", "=k,k,^Yk"(i16 %a, i8 %b)
  ret i16 %r
}

define i64 @mask64(i64 %a) {
; CHECK-LABEL: mask64:
; CHECK: kmovq %rdi, %k0
; CHECK: kmovq %k0, %rax
  %r = call i64 asm "", "=k,0"(i64 %a)
  ret i64 %r
}

define <16 x float> @names(<16 x float> %a) {
; CHECK-LABEL: names:
; CHECK: use %zmm0, %zmm0, %xmm0 %ymm0 %zmm0
  %r = call <16 x float> asm "use $1, $0, ${0:x} ${0:t} ${0:g}", "=^Yz,v"(<16 x float> %a)
  ret <16 x float> %r
}

define <2 x i64> @named(<2 x i64> %a) {
; CHECK-LABEL: named:
; CHECK: vmovaps %xmm0, %xmm17
; CHECK: use %xmm17, %xmm3
; CHECK: vmovaps %xmm3, %xmm0
  %r = call <2 x i64> asm "use $1, $0", "={xmm3},{xmm17}"(<2 x i64> %a)
  ret <2 x i64> %r
}

; With x none of the upper 16.
define <4 x i32> @lower(<4 x i32> %a) {
; CHECK-LABEL: lower:
; CHECK: vmovaps %xmm0, %xmm16
; CHECK: use %xmm16
; CHECK-NOT: %xmm{{1[6-9]|2|3}}
  call void asm sideeffect "use $0", "v,~{xmm0},~{xmm1},~{xmm2},~{xmm3},~{xmm4},~{xmm5},~{xmm6},~{xmm7},~{xmm8},~{xmm9},~{xmm10},~{xmm11},~{xmm12},~{xmm13},~{xmm14},~{xmm15}"(<4 x i32> %a)
  %r = call <4 x i32> asm "make $0", "=x,~{xmm0},~{xmm1},~{xmm2},~{xmm3}"()
  ret <4 x i32> %r
}

declare <4 x i32> @llvm.x86.avx2.gather.d.d(<4 x i32>, ptr, <4 x i32>, <4 x i32>, i8 immarg)

; Gathers write their result and their mask before they have read all.
define <4 x i32> @gather(ptr %p, <4 x i32> %k) {
; CHECK-LABEL: gather:
; CHECK: vpgatherdd %[[M:xmm[1-9]]], (%rdi,%xmm0,2), %[[R:xmm[1-9]]]
  %r = call <4 x i32> @llvm.x86.avx2.gather.d.d(<4 x i32> zeroinitializer, ptr %p, <4 x i32> %k, <4 x i32> splat (i32 -1), i8 2)
  ret <4 x i32> %r
}
