; RUN: llc -O2 -verify-machineinstrs -stop-after=instruction-select %s -o - | FileCheck %s

; What is frozen is one value: where it is undefined, also where only the
; legalizer finds that, it is a zero. The uses of a copy of an IMPLICIT_DEF may
; differ, for processimpdefs makes it an IMPLICIT_DEF, too.

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: name: element
; CHECK-NOT: IMPLICIT_DEF
; An element that nothing set is what the register has there.
; CHECK: [[V:%.*]]:vr128 = MOVDI2PDIrr
; CHECK: [[Z:%.*]]:gr32 = MOVPDI2DIrr
; CHECK: MOV32mr %{{.*}}, 1, $noreg, 0, $noreg, [[Z]]
; CHECK: ADD32ri [[Z]], 5
; CHECK: RET
define void @element(ptr %p, i32 %k) {
  %i = insertelement <2 x i32> undef, i32 %k, i32 0
  %f = freeze <2 x i32> %i
  %e = extractelement <2 x i32> %f, i32 1
  store volatile i32 %e, ptr %p
  %e2 = add i32 %e, 5
  store volatile i32 %e2, ptr %p
  ret void
}

; CHECK-LABEL: name: whole
; CHECK-NOT: IMPLICIT_DEF
; CHECK: [[Z:%.*]]:vr128 = V_SET0
; CHECK-COUNT-2: MOVAPSmr {{.*}}, [[Z]]
; CHECK: RET
define void @whole(ptr %p) {
  %f = freeze <4 x i32> poison
  store volatile <4 x i32> %f, ptr %p
  store volatile <4 x i32> %f, ptr %p
  ret void
}

; CHECK-LABEL: name: parts
; CHECK-NOT: IMPLICIT_DEF
; CHECK-COUNT-6: MOV32r0
; CHECK: RET
define void @parts(ptr %p) {
  %s = freeze { ptr, double } poison
  %x = extractvalue { ptr, double } %s, 0
  %y = extractvalue { ptr, double } %s, 1
  store volatile ptr %x, ptr %p
  store volatile double %y, ptr %p
  %t = trunc i64 undef to i16
  %tf = freeze i16 %t
  store volatile i16 %tf, ptr %p
  %b = freeze i1 poison
  %z = zext i1 %b to i8
  store volatile i8 %z, ptr %p
  %w = freeze i128 undef
  store volatile i128 %w, ptr %p
  ret void
}

; CHECK-LABEL: name: float
; CHECK-NOT: IMPLICIT_DEF
; CHECK: MOV32r0
; CHECK: ADDSSrr
define float @float(float %x) {
  %f = freeze float undef
  %y = fadd float %f, %x
  ret float %y
}

; CHECK-LABEL: name: long_double
; CHECK:       %{{[0-9]+}}:rfp80 = LD_Fp080
define x86_fp80 @long_double() {
  %f = freeze x86_fp80 undef
  ret x86_fp80 %f
}
