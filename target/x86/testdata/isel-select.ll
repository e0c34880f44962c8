; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -stop-after=instruction-select -verify-machineinstrs %s -o - | FileCheck %s
; What instruction-select folds and shortens.

; CHECK-LABEL: name: sign
; CHECK: XORPSrm %{{[0-9]+}}, $rip, 1, $noreg, %const.[[S:[0-9]+]], $noreg :: (dereferenceable invariant load (s128) from constant-pool)
; CHECK: ANDPSrm %{{[0-9]+}}, $rip, 1, $noreg, %const.{{[0-9]+}}, $noreg
; CHECK: XORPSrm %{{[0-9]+}}, $rip, 1, $noreg, %const.[[S]], $noreg
define double @sign(double %x, double %y, ptr %p) {
  %a = fneg double %x
  store double %a, ptr %p
  %b = call double @llvm.fabs.f64(double %y)
  %c = fneg double %b
  ret double %c
}

; A constant with one user is its operand, one with two is loaded.
; CHECK-LABEL: name: constant
; CHECK: ADDSDrm %{{[0-9]+}}, $rip, 1, $noreg, %const.{{[0-9]+}}
; CHECK: MOVSDrm_alt $rip, 1, $noreg, %const.{{[0-9]+}}
; CHECK: MULSDrr
; CHECK: MULSDrr
define double @constant(double %x) {
  %a = fadd double %x, 1.5
  %b = fmul double %a, 2.5
  %c = fmul double %b, 2.5
  ret double %c
}

; The immediate operand, not the load, is folded.
; CHECK-LABEL: name: load_and_immediate
; CHECK: [[V:%[0-9]+]]:gr32 = MOV32rm
; CHECK: ADD32ri [[V]], 5
define i32 @load_and_immediate(ptr %p) {
  %v = load i32, ptr %p
  %r = add i32 %v, 5
  ret i32 %r
}

; 16 bits are added in 32, but where memory is an operand.
; CHECK-LABEL: name: short
; CHECK: ADD16rm
; CHECK: ADD32rr
; CHECK: AND32ri %{{[0-9]+}}, -256
define i16 @short(ptr %p, i16 %x, i16 %y) {
  %v = load i16, ptr %p
  %a = add i16 %x, %v
  %b = add i16 %a, %y
  %r = and i16 %b, 65280
  ret i16 %r
}

; CHECK-LABEL: name: lea
; CHECK: LEA64_32r %{{[0-9]+}}, 4, %{{[0-9]+}}, 7, $noreg
; CHECK-NOT: LEA
; CHECK: RET
define i32 @lea(i32 %x, i32 %y) {
  %a = shl i32 %x, 2
  %b = add i32 %a, %y
  %c = add i32 %b, 7
  ret i32 %c
}

; A sum that others use too is no part of the next.
; CHECK-LABEL: name: shared
; CHECK: [[S:%[0-9]+]]:gr64 = ADD64rr
; CHECK: MOV64mr
; CHECK: ADD64ri32 [[S]], 7
define i64 @shared(i64 %x, i64 %y, ptr %p) {
  %b = add i64 %x, %y
  store i64 %b, ptr %p
  %c = add i64 %b, 7
  ret i64 %c
}

; Masks of few bits: the low byte, in memory too. With the byte's highest bit
; only equality can be asked.
; CHECK-LABEL: name: mask
; CHECK: TEST8ri %{{[0-9]+}}, 96
; CHECK: TEST8mi %{{[0-9]+}}, 1, $noreg, 0, $noreg, 64
; CHECK: TEST32ri %{{[0-9]+}}, 4096
define i32 @mask(i64 %x, ptr %p) {
  %a = and i64 %x, 96
  %c = icmp eq i64 %a, 0
  br i1 %c, label %t, label %e
t:
  ret i32 3
e:
  %w = load i32, ptr %p
  %v = and i32 %w, 64
  %u = icmp ne i32 %v, 0
  br i1 %u, label %t, label %f
f:
  %k = and i64 %x, 4096
  %l = icmp ne i64 %k, 0
  br i1 %l, label %t, label %g
g:
  ret i32 4
}

; Bools that comparisons made set the flags when they are joined.
; CHECK-LABEL: name: bools
; CHECK: TEST8rr
; CHECK-NEXT: JCC_1 %bb.{{[0-9]+}}, 5
; CHECK: OR8rr
; CHECK-NEXT: JCC_1 %bb.{{[0-9]+}}, 5
define i32 @bools(i32 %a, i32 %b, i32 %c, i32 %d) {
  %x = icmp slt i32 %a, %b
  %y = icmp ult i32 %c, %d
  %z = and i1 %x, %y
  br i1 %z, label %t, label %e
t:
  ret i32 3
e:
  %u = icmp sgt i32 %a, %c
  %v = icmp ult i32 %b, %d
  %w = or i1 %u, %v
  br i1 %w, label %t, label %f
f:
  ret i32 5
}

; The forms of these with memory operands depend on what their results held.
; CHECK-LABEL: name: convert
; CHECK: MOVSSrm_alt
; CHECK: CVTSS2SDrr
define double @convert(ptr %p) {
  %v = load float, ptr %p
  %r = fpext float %v to double
  ret double %r
}
declare double @llvm.fabs.f64(double)

; The lesser or greater of two numbers, where which of them is chosen when they are
; equal or not to be compared is what the instruction gives: its second operand.
; CHECK-LABEL: name: greater
; CHECK: [[X:%[0-9]+]]:fr32 = COPY $xmm0
; CHECK: [[Y:%[0-9]+]]:fr32 = COPY $xmm1
; CHECK: MAXSSrr [[X]], [[Y]]
; CHECK: MAXSSrr [[Y]], [[X]]
; CHECK: MAXSSrr [[X]], [[Y]]
; CHECK: MAXSSrr [[Y]], [[X]]
define void @greater(float %x, float %y, ptr %p) {
  %1 = fcmp ogt float %x, %y
  %a = select i1 %1, float %x, float %y
  store volatile float %a, ptr %p
  %2 = fcmp olt float %x, %y
  %b = select i1 %2, float %y, float %x
  store volatile float %b, ptr %p
  %3 = fcmp ule float %x, %y
  %c = select i1 %3, float %y, float %x
  store volatile float %c, ptr %p
  %4 = fcmp uge float %x, %y
  %d = select i1 %4, float %x, float %y
  store volatile float %d, ptr %p
  ret void
}

; CHECK-LABEL: name: lesser
; CHECK: [[X:%[0-9]+]]:fr64 = COPY $xmm0
; CHECK: [[Y:%[0-9]+]]:fr64 = COPY $xmm1
; CHECK: MINSDrr [[X]], [[Y]]
; CHECK: MINSDrr [[Y]], [[X]]
; CHECK: MINSDrr [[X]], [[Y]]
; CHECK: MINSDrr [[Y]], [[X]]
define void @lesser(double %x, double %y, ptr %p) {
  %1 = fcmp olt double %x, %y
  %a = select i1 %1, double %x, double %y
  store volatile double %a, ptr %p
  %2 = fcmp ogt double %x, %y
  %b = select i1 %2, double %y, double %x
  store volatile double %b, ptr %p
  %3 = fcmp uge double %x, %y
  %c = select i1 %3, double %y, double %x
  store volatile double %c, ptr %p
  %4 = fcmp ule double %x, %y
  %d = select i1 %4, double %x, double %y
  store volatile double %d, ptr %p
  ret void
}

; Where they are equal one may be 0 and the other -0.
; CHECK-LABEL: name: not_strict
; CHECK: [[X:%[0-9]+]]:vr128 = COPY $xmm0
; CHECK: [[Y:%[0-9]+]]:vr128 = COPY $xmm1
; CHECK-NOT: MINSDrr
; CHECK: CMPSDrri [[X]], [[Y]], 2
; CHECK: ORPSrr
; CHECK-NOT: MINSDrr
; CHECK: CMPSDrri [[Y]], [[X]], 6
; CHECK: ORPSrr
define void @not_strict(double %x, double %y, ptr %p) {
  %1 = fcmp ole double %x, %y
  %a = select i1 %1, double %x, double %y
  store volatile double %a, ptr %p
  %2 = fcmp ult double %x, %y
  %b = select i1 %2, double %x, double %y
  store volatile double %b, ptr %p
  ret void
}

; A truth value is 0 or 1: nothing is masked for its negative.
; CHECK-LABEL: name: all_bits
; CHECK: SETCCr 12
; CHECK-NOT: AND
; CHECK: MOVZX32rr8
; CHECK-NOT: AND
; CHECK: NEG32r
define i32 @all_bits(i32 %x, i32 %y) {
  %c = icmp slt i32 %x, %y
  %r = sext i1 %c to i32
  ret i32 %r
}
