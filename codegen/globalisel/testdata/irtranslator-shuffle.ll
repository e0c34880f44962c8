; RUN: llc -O0 -mtriple=x86_64-unknown-linux-gnu -stop-after=irtranslator -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -O0 -mtriple=x86_64-unknown-linux-gnu -verify-machineinstrs %s -o - | FileCheck --check-prefix=ASM %s
; Vectors of one element are scalars: their shuffles copy, build vectors or take elements.

; CHECK-LABEL: name: one
; CHECK-DAG: [[A:%[0-9]+]]:_(s8) = G_TRUNC
; CHECK: [[B:%[0-9]+]]:_(s8) = G_TRUNC
; CHECK-NEXT: [[R:%[0-9]+]]:_(s8) = COPY [[B]](s8)
; CHECK-NEXT: $al = COPY [[R]](s8)
; ASM-LABEL: one:
; ASM: retq
define <1 x i8> @one(<1 x i8> %a, <1 x i8> %b) {
  %s = shufflevector <1 x i8> %a, <1 x i8> %b, <1 x i32> <i32 1>
  ret <1 x i8> %s
}

; CHECK-LABEL: name: none
; CHECK: [[R:%[0-9]+]]:_(s8) = G_IMPLICIT_DEF
; CHECK-NEXT: $al = COPY [[R]](s8)
define <1 x i8> @none(<1 x i8> %a, <1 x i8> %b) {
  %s = shufflevector <1 x i8> %a, <1 x i8> %b, <1 x i32> poison
  ret <1 x i8> %s
}

; CHECK-LABEL: name: widen
; CHECK: [[A:%[0-9]+]]:_(s8) = G_TRUNC
; CHECK: [[B:%[0-9]+]]:_(s8) = G_TRUNC
; CHECK: [[U:%[0-9]+]]:_(s8) = G_IMPLICIT_DEF
; CHECK-NEXT: G_BUILD_VECTOR [[B]](s8), [[A]](s8), [[U]](s8), [[A]](s8)
define <4 x i8> @widen(<1 x i8> %a, <1 x i8> %b) {
  %s = shufflevector <1 x i8> %a, <1 x i8> %b, <4 x i32> <i32 1, i32 0, i32 poison, i32 0>
  ret <4 x i8> %s
}

; CHECK-LABEL: name: narrow
; CHECK: G_UNMERGE_VALUES
; CHECK: [[V:%[0-9]+]]:_(<16 x s8>) = COPY $xmm1
; CHECK-NEXT: [[B:%[0-9]+]]:_(<4 x s8>), {{.*}} = G_UNMERGE_VALUES [[V]](<16 x s8>)
; CHECK: [[K:%[0-9]+]]:_(s64) = G_CONSTANT i64 1
; CHECK: G_EXTRACT_VECTOR_ELT [[B]](<4 x s8>), [[K]](s64)
define <1 x i8> @narrow(<4 x i8> %a, <4 x i8> %b) {
  %s = shufflevector <4 x i8> %a, <4 x i8> %b, <1 x i32> <i32 5>
  ret <1 x i8> %s
}
