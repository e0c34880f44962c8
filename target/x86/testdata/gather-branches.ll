; RUN: llc -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v4 -O0 -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v4 -O2 -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 -O2 -verify-machineinstrs %s -o - | FileCheck %s

; Gathers and scatters are branches around single elements, also where there are mask
; registers, which other masked accesses are selected for.

; CHECK-LABEL: scatter:
; CHECK-COUNT-4: {{^}}	j
; CHECK: retq
define void @scatter(<4 x i64> %v, <4 x ptr> %p, <4 x i1> %m) {
  call void @llvm.masked.scatter.v4i64.v4p0(<4 x i64> %v, <4 x ptr> align 8 %p, <4 x i1> %m)
  ret void
}

; CHECK-LABEL: gather:
; CHECK-COUNT-4: {{^}}	j
; CHECK: retq
define <4 x float> @gather(<4 x ptr> %p, <4 x i1> %m, <4 x float> %w) {
  %r = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %p, <4 x i1> %m, <4 x float> %w)
  ret <4 x float> %r
}
