; RUN: llc -O2 -verify-machineinstrs -verify-regalloc %s -o - | FileCheck %s --check-prefixes=CHECK,SSE
; RUN: llc -O2 -mattr=+avx2 -verify-machineinstrs -verify-regalloc %s -o - | FileCheck %s --check-prefixes=CHECK,AVX

; Vectors that are longer than a register are split, shorter ones filled up.

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: {{^}}add8:
; SSE-COUNT-2: paddd
; AVX: vpaddd (%rdi), %ymm0, %ymm0
; AVX: vzeroupper
; CHECK: retq
define void @add8(ptr %p, ptr %q) {
  %a = load <8 x i32>, ptr %p, align 16
  %b = load <8 x i32>, ptr %q, align 4
  %c = add <8 x i32> %a, %b
  store <8 x i32> %c, ptr %p, align 16
  ret void
}

; CHECK-LABEL: {{^}}short:
; SSE: addps %xmm1, %xmm0
; AVX: vaddps %xmm1, %xmm0, %xmm0
; CHECK-NEXT: retq
define <2 x float> @short(<2 x float> %x, <2 x float> %y) {
  %r = fadd <2 x float> %x, %y
  ret <2 x float> %r
}

; A comparison is a mask as wide as its operands.
; CHECK-LABEL: {{^}}mask:
; SSE: cmpltps
; SSE-NOT: psrad
; AVX: vcmpltps
; AVX-NEXT: vblendvps
; CHECK: retq
define <4 x float> @mask(<4 x float> %a, <4 x float> %b) {
  %c = fcmp olt <4 x float> %a, %b
  %d = select <4 x i1> %c, <4 x float> %b, <4 x float> zeroinitializer
  ret <4 x float> %d
}

; CHECK-LABEL: {{^}}signs:
; SSE: pmovmskb %xmm{{[0-9]}}, %eax
; AVX: vpmovmskb %xmm{{[0-9]}}, %eax
; CHECK-NEXT: # kill: def $ax killed $ax killed $eax
; CHECK-NEXT: retq
define i16 @signs(<16 x i8> %a) {
  %b = icmp slt <16 x i8> %a, zeroinitializer
  %c = bitcast <16 x i1> %b to i16
  ret i16 %c
}

; CHECK-LABEL: {{^}}sum:
; CHECK: pshufd $238
; CHECK: paddd
; CHECK: pshufd $229
; CHECK: paddd
; CHECK: movd %xmm0, %eax
; CHECK-NEXT: retq
define i32 @sum(<4 x i32> %a) {
  %b = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %a)
  ret i32 %b
}

; CHECK-LABEL: {{^}}extend:
; SSE: punpcklbw
; SSE: psraw $8
; AVX: vpmovsxbd %xmm0, %ymm0
; CHECK: retq
define void @extend(ptr %p, ptr %q) {
  %a = load <8 x i8>, ptr %p
  %b = sext <8 x i8> %a to <8 x i32>
  store <8 x i32> %b, ptr %q
  ret void
}

; CHECK-LABEL: {{^}}cut:
; SSE: pand
; SSE: packssdw
; SSE-NEXT: packuswb
; AVX: vpackssdw
; AVX-NEXT: vpackuswb
; CHECK: retq
define void @cut(ptr %p, ptr %q) {
  %a = load <8 x i32>, ptr %p, align 32
  %b = trunc <8 x i32> %a to <8 x i8>
  store <8 x i8> %b, ptr %q
  ret void
}

; CHECK-LABEL: {{^}}reverse:
; SSE: pshufd $78
; SSE: pshuflw $27
; SSE: pshufhw $27
; AVX: vpshufb
; CHECK: retq
define <8 x i16> @reverse(<8 x i16> %a) {
  %b = shufflevector <8 x i16> %a, <8 x i16> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  ret <8 x i16> %b
}

; A bit that is inserted into nothing and repeated.
; CHECK-LABEL: {{^}}splat:
; CHECK: retq
define <2 x float> @splat(i1 %c, <2 x float> %a, <2 x float> %b) {
  %i = insertelement <2 x i1> poison, i1 %c, i64 0
  %m = shufflevector <2 x i1> %i, <2 x i1> poison, <2 x i32> zeroinitializer
  %r = select <2 x i1> %m, <2 x float> %a, <2 x float> %b
  ret <2 x float> %r
}
