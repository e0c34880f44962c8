; RUN: llc -mtriple=x86_64-unknown-linux-gnu -stop-after=atomic-expand %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O0 -verify-machineinstrs %s -o - | FileCheck %s --check-prefix=ASM

; An operation without an instruction is a loop.
; CHECK-LABEL: define i32 @nand(
; CHECK-NEXT: [[I:%.*]] = load i32, ptr %p, align 4
; CHECK-NEXT: br label %atomicrmw.start
; CHECK: atomicrmw.start:
; CHECK-NEXT: %loaded = phi i32 [ [[I]], %0 ], [ %newloaded, %atomicrmw.start ]
; CHECK-NEXT: [[A:%.*]] = and i32 %loaded, %v
; CHECK-NEXT: %new = xor i32 [[A]], -1
; CHECK-NEXT: [[X:%.*]] = cmpxchg ptr %p, i32 %loaded, i32 %new seq_cst seq_cst, align 4
; CHECK-NEXT: %success = extractvalue { i32, i1 } [[X]], 1
; CHECK-NEXT: %newloaded = extractvalue { i32, i1 } [[X]], 0
; CHECK-NEXT: br i1 %success, label %atomicrmw.end, label %atomicrmw.start
; CHECK: atomicrmw.end:
; CHECK-NEXT: ret i32 %newloaded
; ASM-LABEL: nand:
; ASM: lock cmpxchgl
define i32 @nand(ptr %p, i32 %v) {
  %o = atomicrmw nand ptr %p, i32 %v seq_cst
  ret i32 %o
}

; Floating-point values are exchanged as integers; orderings, scope and volatility stay, a failure's ordering is no release.
; CHECK-LABEL: define float @fadd(
; CHECK: %loaded = phi float [ %1, %0 ], [ [[N:%.*]], %atomicrmw.start ]
; CHECK-NEXT: %new = fadd float %loaded, %v
; CHECK: cmpxchg volatile ptr %p, i32 %{{[0-9]+}}, i32 %{{[0-9]+}} syncscope("singlethread") release monotonic, align 8
; CHECK: [[N]] = bitcast i32 %newloaded to float
; CHECK: ret float [[N]]
define float @fadd(ptr %p, float %v) {
  %o = atomicrmw volatile fadd ptr %p, float %v syncscope("singlethread") release, align 8
  ret float %o
}

; What the target has an instruction for stays; with a result that is read, or has none.
; CHECK-LABEL: define i32 @native(
; CHECK-NEXT: atomicrmw or ptr %p, i32 %v seq_cst
; CHECK-NEXT: %a = atomicrmw add ptr %p, i32 %v seq_cst
; CHECK-NEXT: ret i32 %a
; ASM-LABEL: native:
; ASM: lock orl
; ASM: lock xaddl
define i32 @native(ptr %p, i32 %v) {
  %o = atomicrmw or ptr %p, i32 %v seq_cst
  %a = atomicrmw add ptr %p, i32 %v seq_cst
  ret i32 %a
}

; Exchanges and accesses of pointers and floating-point values.
; CHECK-LABEL: define ptr @exchange(
; CHECK-NEXT: [[V:%.*]] = ptrtoint ptr %v to i64
; CHECK-NEXT: [[O:%.*]] = atomicrmw xchg ptr %p, i64 [[V]] seq_cst, align 8
; CHECK-NEXT: inttoptr i64 [[O]] to ptr
define ptr @exchange(ptr %p, ptr %v) {
  %o = atomicrmw xchg ptr %p, ptr %v seq_cst
  ret ptr %o
}
; CHECK-LABEL: define { ptr, i1 } @pointers(
; CHECK: cmpxchg weak volatile ptr %p, i64 %{{[0-9]+}}, i64 %{{[0-9]+}} acq_rel monotonic, align 8
; CHECK: insertvalue { ptr, i1 } poison, ptr
define { ptr, i1 } @pointers(ptr %p, ptr %a, ptr %b) {
  %o = cmpxchg weak volatile ptr %p, ptr %a, ptr %b acq_rel monotonic, align 8
  ret { ptr, i1 } %o
}
; CHECK-LABEL: define float @float(
; CHECK-NEXT: [[L:%.*]] = load atomic i32, ptr %p acquire, align 4
; CHECK-NEXT: bitcast i32 [[L]] to float
; CHECK-NEXT: [[S:%.*]] = bitcast float %v to i32
; CHECK-NEXT: store atomic i32 [[S]], ptr %p seq_cst, align 4
; CHECK-NEXT: [[Y:%.*]] = bitcast float %v to i32
; CHECK-NEXT: atomicrmw xchg ptr %p, i32 [[Y]] seq_cst, align 4
define float @float(ptr %p, float %v) {
  %l = load atomic float, ptr %p acquire, align 4
  store atomic float %v, ptr %p seq_cst, align 4
  %x = atomicrmw xchg ptr %p, float %v seq_cst
  ret float %l
}

; Several in a block, between blocks with PHIs: names are counted, PHIs name the block that leads on.
; CHECK-LABEL: define i8 @several(
; CHECK: atomicrmw.end1:
; CHECK: br label %y
; CHECK: y:
; CHECK-NEXT: %r = phi i8 [ %v, %entry ], [ %newloaded{{[0-9]*}}, %atomicrmw.end{{[0-9]*}} ]
define i8 @several(ptr %p, i8 %v, i1 %c) {
entry:
  br i1 %c, label %x, label %y
x:
  %o = atomicrmw uinc_wrap ptr %p, i8 %v seq_cst
  %q = atomicrmw udec_wrap ptr %p, i8 %o monotonic
  br label %y
y:
  %r = phi i8 [ %v, %entry ], [ %q, %x ]
  ret i8 %r
}

; Vectors that fit an integer.
; CHECK-LABEL: define <2 x i32> @vector(
; CHECK: cmpxchg ptr %p, i64 {{.*}} seq_cst seq_cst, align 8
define <2 x i32> @vector(ptr %p, <2 x float> %v) {
  %o = atomicrmw fadd ptr %p, <2 x float> %v seq_cst
  %q = bitcast <2 x float> %o to <2 x i32>
  ret <2 x i32> %q
}
