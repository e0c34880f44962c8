; RUN: llc -O0 -mtriple=x86_64-unknown-linux-gnu -stop-after=irtranslator -verify-machineinstrs %s -o - | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
; Arguments, constants in the entry block, comparisons, PHIs, returns.

@g = external global i32

; CHECK-LABEL: name: branches
; CHECK: liveins: $edi, $rsi, $edx
; CHECK: %0:_(s32) = COPY $edi
; CHECK: %1:_(p0) = COPY $rsi
; CHECK: [[Z:%[0-9]+]]:_(s32) = COPY $edx
; CHECK: G_ASSERT_ZEXT [[Z]], 1
; CHECK: [[SEVEN:%[0-9]+]]:_(s32) = G_CONSTANT i32 7
; CHECK: [[G:%[0-9]+]]:_(p0) = G_GLOBAL_VALUE @g
; CHECK: [[C:%[0-9]+]]:_(s1) = G_ICMP intpred(slt), %0(s32), [[SEVEN]]
; CHECK-NEXT: G_BRCOND [[C]](s1), %bb.[[T:[0-9]+]]
; CHECK-NEXT: G_BR %bb.[[E:[0-9]+]]
; CHECK: bb.[[T]].t:
; CHECK: [[L:%[0-9]+]]:_(s32) = G_LOAD [[G]](p0) :: (volatile dereferenceable load (s32) from @g)
; CHECK: bb.[[E]].e:
; CHECK: [[P:%[0-9]+]]:_(s32) = G_PHI [[L]](s32), %bb.[[T]], %0(s32), %bb.{{[0-9]+}}
; CHECK: $eax = COPY [[P]](s32)
; CHECK-NEXT: RET 0, implicit $eax
define i32 @branches(i32 %a, ptr %p, i1 zeroext %z) {
  %c = icmp slt i32 %a, 7
  br i1 %c, label %t, label %e
t:
  %l = load volatile i32, ptr @g, align 4
  br label %e
e:
  %r = phi i32 [ %l, %t ], [ %a, %0 ]
  ret i32 %r
}

; CHECK-LABEL: name: gep
; CHECK: [[F:%[0-9]+]]:_(s64) = G_CONSTANT i64 40
; CHECK-NEXT: [[M:%[0-9]+]]:_(s64) = nsw G_MUL %1, [[F]]
; CHECK-NEXT: [[A:%[0-9]+]]:_(p0) = nusw inbounds G_PTR_ADD %0, [[M]](s64)
; CHECK-NEXT: [[O:%[0-9]+]]:_(s64) = G_CONSTANT i64 24
; CHECK-NEXT: [[B:%[0-9]+]]:_(p0) = nuw nusw inbounds G_PTR_ADD [[A]], [[O]](s64)
; CHECK-NEXT: G_STORE %{{[0-9]+}}(s64), [[B]](p0) :: (store (s64) into %ir.q, align 4)
define void @gep(ptr %p, i64 %i) {
  %q = getelementptr inbounds {i32, [4 x i64]}, ptr %p, i64 %i, i32 1, i64 2
  store i64 1, ptr %q, align 4
  ret void
}

; A value of several parts: one register each.
; CHECK-LABEL: name: parts
; CHECK: [[X:%[0-9]+]]:_(s64) = G_LOAD %0(p0) :: (load (s64) from %ir.p)
; CHECK: [[Q:%[0-9]+]]:_(p0) = nuw inbounds G_PTR_ADD %0, %{{[0-9]+}}(s64)
; CHECK: G_LOAD [[Q]](p0) :: (load (s32) from %ir.p + 8, align 8)
; CHECK: $rax = COPY [[X]](s64)
; CHECK: $edx = COPY %1(s32)
; CHECK: RET 0, implicit $rax, implicit $edx
define {i64, i32} @parts(ptr %p, i32 %n) {
  %l = load {i64, i32}, ptr %p
  %i = insertvalue {i64, i32} %l, i32 %n, 1
  ret {i64, i32} %i
}

; Results that do not fit registers go through a hidden pointer.
; CHECK-LABEL: name: hidden
; CHECK: [[S:%[0-9]+]]:_(p0) = COPY $rdi
; CHECK: G_STORE %{{[0-9]+}}(s64), [[S]](p0) :: (store (s64))
; CHECK: $rax = COPY [[S]](p0)
; CHECK: RET 0, implicit $rax
define [4 x i64] @hidden() {
  ret [4 x i64] [i64 1, i64 2, i64 3, i64 4]
}

declare i32 @ext(i32, ...)

; CHECK-LABEL: name: varcall
; CHECK: ADJCALLSTACKDOWN64 0, 0, 0
; CHECK: $edi = COPY %0(s32)
; CHECK: $xmm0 = COPY %{{[0-9]+}}(s64)
; CHECK: $al = MOV8ri 1
; CHECK: CALL64pcrel32 @ext, csr_64, implicit $rsp, implicit $ssp, implicit $edi, implicit $xmm0, implicit $al, {{.*}}implicit-def $eax
; CHECK: ADJCALLSTACKUP64 0, 0
define i32 @varcall(i32 %a) {
  %r = call i32 (i32, ...) @ext(i32 %a, double 1.5)
  ret i32 %r
}

; CHECK-LABEL: name: stackargs
; CHECK: G_FRAME_INDEX %fixed-stack
; CHECK: G_LOAD %{{[0-9]+}}(p0) :: (invariant load (s64) from %fixed-stack
define i64 @stackargs(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g) {
  ret i64 %g
}

; A dense switch becomes a jump table, in order of its cases.
; CHECK-LABEL: name: table
; CHECK: jumpTable:
; CHECK: blocks: [ '%bb.[[A:[0-9]+]]', '%bb.[[B:[0-9]+]]', '%bb.[[C:[0-9]+]]', '%bb.[[D:[0-9]+]]' ]
; CHECK: G_ICMP intpred(ugt)
; CHECK: G_BRJT
define i32 @table(i32 %x) {
  switch i32 %x, label %d [ i32 0, label %a
    i32 1, label %b
    i32 2, label %c
    i32 3, label %e ]
a:
  ret i32 10
b:
  ret i32 20
c:
  ret i32 30
e:
  ret i32 40
d:
  ret i32 0
}

; atomicrmw without an instruction becomes a loop.
; CHECK-LABEL: name: rmw
; CHECK: bb.1
; CHECK: G_PHI
; CHECK: G_AND
; CHECK: G_XOR
; CHECK: G_ATOMIC_CMPXCHG_WITH_SUCCESS {{.*}} :: (load store seq_cst seq_cst (s32) on %ir.p)
; CHECK: G_BRCOND
define i32 @rmw(ptr %p, i32 %v) {
  %o = atomicrmw nand ptr %p, i32 %v seq_cst
  ret i32 %o
}
