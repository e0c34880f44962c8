; half, bfloat and fp128 have no instructions of their own: half is computed in float,
; with F16C between them or the library; bfloat by shifts; fp128 by the library.
; RUN: mirin llc -O2 -mtriple=x86_64-linux-gnu -verify-machineinstrs < %s | FileCheck %s
; RUN: mirin llc -O2 -mtriple=x86_64-linux-gnu -mattr=+f16c -verify-machineinstrs < %s | FileCheck %s --check-prefix=F16C

define half @half(half %a, half %b) {
; CHECK-LABEL: half:
; CHECK: callq __extendhfsf2
; CHECK: callq __extendhfsf2
; CHECK: addss
; CHECK: callq __truncsfhf2
; F16C-LABEL: half:
; F16C: vcvtph2ps
; F16C: vcvtph2ps
; F16C: addss
; F16C: vcvtps2ph $4
; F16C-NOT: callq
; F16C: retq
  %c = fadd half %a, %b
  ret half %c
}

; Rounded once.
define half @fromdouble(double %a) {
; CHECK-LABEL: fromdouble:
; CHECK: callq __truncdfhf2
  %b = fptrunc double %a to half
  ret half %b
}

define half @sign(half %a) {
; CHECK-LABEL: sign:
; CHECK-NOT: call
; CHECK: xor{{[wl]}}
; CHECK: retq
  %b = fneg half %a
  ret half %b
}

define float @frombfloat(bfloat %a) {
; CHECK-LABEL: frombfloat:
; CHECK-NOT: call
; CHECK: shll $16
; CHECK: retq
  %b = fpext bfloat %a to float
  ret float %b
}

define bfloat @bfloat(bfloat %a, bfloat %b) {
; CHECK-LABEL: bfloat:
; CHECK-NOT: call
; CHECK: mulss
; CHECK: 32767
; CHECK: shrl $16
; CHECK: retq
  %c = fmul bfloat %a, %b
  ret bfloat %c
}

define bfloat @bfloatfromdouble(double %a) {
; CHECK-LABEL: bfloatfromdouble:
; CHECK: callq __truncdfbf2
  %b = fptrunc double %a to bfloat
  ret bfloat %b
}

define fp128 @quad(fp128 %a, i16 %i) {
; CHECK-LABEL: quad:
; CHECK: callq __floatsitf
; CHECK: callq __multf3
; CHECK: callq sqrtf128
  %b = sitofp i16 %i to fp128
  %c = fmul fp128 %a, %b
  %d = call fp128 @llvm.sqrt.f128(fp128 %c)
  ret fp128 %d
}

define i1 @unordered(fp128 %a, fp128 %b) {
; CHECK-LABEL: unordered:
; CHECK: callq __getf2
; CHECK: testl %eax, %eax
; CHECK: sets %al
  %c = fcmp ult fp128 %a, %b
  ret i1 %c
}
