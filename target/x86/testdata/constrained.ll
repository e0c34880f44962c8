; RUN: llc -mtriple=x86_64-linux-gnu -O2 -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O0 -verify-machineinstrs %s -o /dev/null
; RUN: llc -mtriple=x86_64-linux-gnu -O2 -stop-after=instruction-select %s -o - | FileCheck --check-prefix=MIR %s

; Constrained operations stay where they are, as often as they are there, and say
; that they may raise exceptions.
define double @all_stay(double %a, double %b) #0 {
; CHECK-LABEL: all_stay:
; CHECK: addsd
; CHECK: addsd
; CHECK: divsd
; CHECK: retq
; MIR-LABEL: name: all_stay
; MIR-NOT: nofpexcept
; MIR: ADDSDrr
; MIR-NOT: nofpexcept
; MIR: DIVSDrr
; MIR: RET
  %r = call double @llvm.experimental.constrained.fadd.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.strict") #0
  %s = call double @llvm.experimental.constrained.fadd.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.strict") #0
  %t = call double @llvm.experimental.constrained.fdiv.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.strict") #0
  ret double %s
}

; In the default environment they are like any others.
define double @default(double %a, double %b) #0 {
; CHECK-LABEL: default:
; CHECK: addsd
; CHECK-NEXT: retq
  %r = call double @llvm.experimental.constrained.fadd.f64(double %a, double %b, metadata !"round.tonearest", metadata !"fpexcept.ignore") #0
  %t = call double @llvm.experimental.constrained.fdiv.f64(double %a, double %b, metadata !"round.tonearest", metadata !"fpexcept.ignore") #0
  ret double %r
}

declare void @change()

; Not past a call that may change the rounding.
define double @call(double %a, double %b) #0 {
; CHECK-LABEL: call:
; CHECK: divsd
; CHECK: callq change
; CHECK: divsd
; CHECK: subsd
  %r = call double @llvm.experimental.constrained.fdiv.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.strict") #0
  call void @change() #0
  %s = call double @llvm.experimental.constrained.fdiv.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.strict") #0
  %t = call double @llvm.experimental.constrained.fsub.f64(double %r, double %s, metadata !"round.dynamic", metadata !"fpexcept.strict") #0
  ret double %t
}

; One that signals every NaN, and one that is quiet; not at their user.
define i1 @compare(double %a, double %b) #0 {
; CHECK-LABEL: compare:
; CHECK: comisd %xmm1, %xmm0
; CHECK-NEXT: ucomisd %xmm0, %xmm1
; CHECK-NEXT: seta
; CHECK: callq change
  %r = call i1 @llvm.experimental.constrained.fcmps.f64(double %a, double %b, metadata !"olt", metadata !"fpexcept.strict") #0
  call void @change() #0
  br i1 %r, label %x, label %y
x:
  call void @change() #0
  br label %y
y:
  ret i1 %r
}

define i1 @quiet(float %a, float %b) #0 {
; CHECK-LABEL: quiet:
; CHECK-NOT: {{[[:space:]]}}comiss
; CHECK: ucomiss %xmm0, %xmm1
; CHECK-NEXT: seta
  %r = call i1 @llvm.experimental.constrained.fcmp.f32(float %a, float %b, metadata !"olt", metadata !"fpexcept.strict") #0
  ret i1 %r
}

; One conversion, of a number that fits.
define i64 @unsigned(double %a) #0 {
; CHECK-LABEL: unsigned:
; CHECK: ucomisd
; CHECK: subsd
; CHECK: cvttsd2si
; CHECK-NOT: cvttsd2si
; CHECK: retq
  %r = call i64 @llvm.experimental.constrained.fptoui.i64.f64(double %a, metadata !"fpexcept.strict") #0
  ret i64 %r
}

define float @from_unsigned(i64 %a) #0 {
; CHECK-LABEL: from_unsigned:
; CHECK: cmovnsq
; CHECK: cvtsi2ss
; CHECK-NOT: cvtsi2ss
; CHECK: retq
  %r = call float @llvm.experimental.constrained.uitofp.f32.i64(i64 %a, metadata !"round.dynamic", metadata !"fpexcept.strict") #0
  ret float %r
}

; Whole registers; what fills none element by element.
define <8 x float> @halves(<8 x float> %a, <8 x float> %b) #0 {
; CHECK-LABEL: halves:
; CHECK: mulps %xmm2, %xmm0
; CHECK-NEXT: mulps %xmm3, %xmm1
  %r = call <8 x float> @llvm.experimental.constrained.fmul.v8f32(<8 x float> %a, <8 x float> %b, metadata !"round.dynamic", metadata !"fpexcept.strict") #0
  ret <8 x float> %r
}

define <3 x float> @three(<3 x float> %a, <3 x float> %b) #0 {
; CHECK-LABEL: three:
; CHECK-NOT: mulps
; CHECK-COUNT-3: mulss
; CHECK-NOT: muls
; CHECK: retq
  %r = call <3 x float> @llvm.experimental.constrained.fmul.v3f32(<3 x float> %a, <3 x float> %b, metadata !"round.dynamic", metadata !"fpexcept.strict") #0
  ret <3 x float> %r
}

; The library's, called though nobody reads the result.
define void @library(double %a, fp128 %q) #0 {
; CHECK-LABEL: library:
; CHECK: callq sin
; CHECK: callq fmin
; CHECK: callq __addtf3
  %r = call double @llvm.experimental.constrained.sin.f64(double %a, metadata !"round.dynamic", metadata !"fpexcept.strict") #0
  %m = call double @llvm.experimental.constrained.minnum.f64(double %a, double %a, metadata !"fpexcept.strict") #0
  %s = call fp128 @llvm.experimental.constrained.fadd.f128(fp128 %q, fp128 %q, metadata !"round.dynamic", metadata !"fpexcept.strict") #0
  ret void
}

attributes #0 = { strictfp }
