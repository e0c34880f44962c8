; RUN: llc -O0 -mtriple=x86_64-unknown-linux-gnu -stop-after=legalizer -verify-machineinstrs %s -o - | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Wide additions carry; nothing of 128 bits is left.
; CHECK-LABEL: name: add128
; CHECK-NOT: s128
; CHECK: [[L:%[0-9]+]]:_(s64), [[C:%[0-9]+]]:_(s8) = G_UADDO %{{[0-9]+}}, %{{[0-9]+}}
; CHECK: [[H:%[0-9]+]]:_(s64), %{{[0-9]+}}:_(s8) = G_UADDE %{{[0-9]+}}, %{{[0-9]+}}, [[C]]
; CHECK: $rax = COPY [[L]](s64)
; CHECK: $rdx = COPY [[H]](s64)
define i128 @add128(i128 %a, i128 %b) {
  %r = add i128 %a, %b
  ret i128 %r
}

; CHECK-LABEL: name: div128
; CHECK: CALL64pcrel32 &__divti3, csr_64
define i128 @div128(i128 %a, i128 %b) {
  %r = sdiv i128 %a, %b
  ret i128 %r
}

; Booleans are bytes, and a comparison is extended without masking.
; CHECK-LABEL: name: bools
; CHECK-NOT: s1)
; CHECK: [[A:%[0-9]+]]:_(s8) = G_ICMP intpred(slt)
; CHECK: [[B:%[0-9]+]]:_(s8) = G_ICMP intpred(eq)
; CHECK: [[C:%[0-9]+]]:_(s8) = G_AND [[A]], [[B]]
; CHECK: [[Z:%[0-9]+]]:_(s32) = G_ZEXT [[C]](s8)
; CHECK: $eax = COPY [[Z]](s32)
define i32 @bools(i32 %a, i32 %b) {
  %c = icmp slt i32 %a, %b
  %d = icmp eq i32 %a, 3
  %e = and i1 %c, %d
  %z = zext i1 %e to i32
  ret i32 %z
}

; Odd widths are widened; their upper bits are made when they count.
; CHECK-LABEL: name: odd
; CHECK: [[S:%[0-9]+]]:_(s64) = G_ADD
; CHECK: [[K:%[0-9]+]]:_(s64) = G_CONSTANT i64 8589934591
; CHECK: [[R:%[0-9]+]]:_(s64) = G_AND [[S]], [[K]]
; CHECK: $rax = COPY [[R]](s64)
define i64 @odd(i64 %a) {
  %t = trunc i64 %a to i33
  %s = add i33 %t, 5
  %z = zext i33 %s to i64
  ret i64 %z
}

; Vectors that fill a register stay.
; CHECK-LABEL: name: vector
; CHECK-NOT: G_UNMERGE
; CHECK: :_(<2 x s64>) = G_ADD
; CHECK-NOT: G_BUILD
define void @vector(ptr %p, ptr %q) {
  %a = load <2 x i64>, ptr %p
  %b = load <2 x i64>, ptr %q
  %s = add <2 x i64> %a, %b
  store <2 x i64> %s, ptr %p
  ret void
}

; CHECK-LABEL: name: u2d
; CHECK: G_SITOFP
; CHECK: G_LSHR
; CHECK: G_SITOFP
; CHECK: G_FADD
; CHECK: G_ICMP intpred(slt)
; CHECK: G_SELECT
define double @u2d(i64 %a) {
  %d = uitofp i64 %a to double
  ret double %d
}

; CHECK-LABEL: name: copy
; CHECK: CALL64pcrel32 &memcpy, csr_64
define void @copy(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: name: alloca
; CHECK: [[SP:%[0-9]+]]:_(p0) = COPY $rsp
; CHECK: G_SUB
; CHECK: $rsp = COPY %{{[0-9]+}}(p0)
define void @alloca(i64 %n) {
  %p = alloca i8, i64 %n, align 1
  store volatile i8 0, ptr %p
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
