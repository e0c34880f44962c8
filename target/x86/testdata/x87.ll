; Long double lives on the x87 stack: arguments in memory, results in st(0) and st(1);
; operations take what dies off the stack, and edges agree about its order.
; RUN: mirin llc -O2 -mtriple=x86_64-linux-gnu -verify-machineinstrs -verify-regalloc < %s | FileCheck %s
; RUN: mirin llc -O0 -mtriple=x86_64-linux-gnu -verify-machineinstrs -verify-regalloc < %s | FileCheck %s --check-prefix=O0

define x86_fp80 @operations(x86_fp80 %a, x86_fp80 %b) {
; CHECK-LABEL: operations:
; CHECK:      fldt 8(%rsp)
; CHECK-NEXT: fldt 24(%rsp)
; CHECK-NEXT: fld %st(1)
; CHECK-NEXT: fsub %st(1), %st
; CHECK-NEXT: fxch %st(2)
; CHECK-NEXT: fdivp %st, %st(1)
; CHECK-NEXT: fmulp %st, %st(1)
; CHECK-NEXT: fsqrt
; CHECK-NEXT: fabs
; CHECK-NEXT: fchs
; CHECK-NEXT: retq
  %c = fsub x86_fp80 %a, %b
  %d = fdiv x86_fp80 %a, %b
  %e = fmul x86_fp80 %c, %d
  %f = call x86_fp80 @llvm.sqrt.f80(x86_fp80 %e)
  %g = call x86_fp80 @llvm.fabs.f80(x86_fp80 %f)
  %h = fneg x86_fp80 %g
  ret x86_fp80 %h
}

; Numbers that are floats are operands in memory; the others in the shortest format.
define x86_fp80 @constants(x86_fp80 %a) {
; CHECK:       .quad -3689348814741910323
; CHECK-NEXT:  .short 16379
; CHECK:       .quad 4591870180066957722
; CHECK:       .long 1077936128
; CHECK-LABEL: constants:
; CHECK:       fmuls .LCPI1_2(%rip)
; CHECK-NEXT:  faddl .LCPI1_1(%rip)
; CHECK-NEXT:  fldt .LCPI1_0(%rip)
; CHECK-NEXT:  faddp
; CHECK-NEXT:  fld1
; CHECK-NEXT:  fdivp
; CHECK-NEXT:  fldz
; CHECK-NEXT:  fsubp
  %b = fmul x86_fp80 %a, 0xK4000C000000000000000
  %c = fadd x86_fp80 %b, 0xK3FFBCCCCCCCCCCCCD000
  %d = fadd x86_fp80 %c, 0xK3FFBCCCCCCCCCCCCCCCD
  %e = fdiv x86_fp80 0xK3FFF8000000000000000, %d
  %f = fsub x86_fp80 0xK00000000000000000000, %e
  ret x86_fp80 %f
}

define { x86_fp80, x86_fp80 } @two(x86_fp80 %a, x86_fp80 %b) {
; CHECK-LABEL: two:
; CHECK:      fldt 8(%rsp)
; CHECK-NEXT: fldt 24(%rsp)
; CHECK-NEXT: fxch %st(1)
; CHECK-NEXT: retq
  %r = insertvalue { x86_fp80, x86_fp80 } poison, x86_fp80 %a, 0
  %s = insertvalue { x86_fp80, x86_fp80 } %r, x86_fp80 %b, 1
  ret { x86_fp80, x86_fp80 } %s
}

declare { x86_fp80, x86_fp80 } @pair()

define x86_fp80 @second() {
; CHECK-LABEL: second:
; CHECK:      callq pair
; CHECK-NEXT: fstp %st(0)
; CHECK:      retq
  %r = call { x86_fp80, x86_fp80 } @pair()
  %s = extractvalue { x86_fp80, x86_fp80 } %r, 1
  ret x86_fp80 %s
}

; Without SSE3 the control word truncates.
define i64 @truncate(x86_fp80 %a) {
; CHECK-LABEL: truncate:
; CHECK:      fldt 8(%rsp)
; CHECK:      fnstcw
; CHECK:      orl $3072
; CHECK:      fldcw
; CHECK:      fistpll
; CHECK:      fldcw
  %i = fptosi x86_fp80 %a to i64
  ret i64 %i
}

define i64 @truncate3(x86_fp80 %a) "target-features"="+sse3" {
; CHECK-LABEL: truncate3:
; CHECK:      fldt 8(%rsp)
; CHECK-NEXT: fisttpll
; CHECK-NOT:  fldcw
  %i = fptosi x86_fp80 %a to i64
  ret i64 %i
}

define i1 @compare(x86_fp80 %a, x86_fp80 %b) {
; CHECK-LABEL: compare:
; CHECK:      fucompi %st(1), %st
; CHECK-NEXT: fstp %st(0)
; CHECK-NEXT: seta %al
  %c = fcmp ogt x86_fp80 %a, %b
  ret i1 %c
}

define x86_fp80 @choose(double %x, double %y, x86_fp80 %a, x86_fp80 %b) {
; CHECK-LABEL: choose:
; CHECK:      ucomisd %xmm0, %xmm1
; CHECK-NEXT: fcmovnbe %st(1), %st
; CHECK-NEXT: fstp %st(1)
; CHECK-NEXT: retq
  %c = fcmp olt double %x, %y
  %s = select i1 %c, x86_fp80 %a, x86_fp80 %b
  ret x86_fp80 %s
}

; What is dead behind one of two edges is popped there.
define x86_fp80 @edges(i32 %n, x86_fp80 %a, x86_fp80 %b) {
; CHECK-LABEL: edges:
; CHECK:      fstp %st(0)
; CHECK:      retq
; O0-LABEL:   edges:
; O0:         fldt
; O0:         retq
entry:
  %x = fadd x86_fp80 %a, %b
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi x86_fp80 [ %x, %entry ], [ %u, %loop ]
  %t = phi x86_fp80 [ %b, %entry ], [ %s, %loop ]
  %u = fsub x86_fp80 %t, %s
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  %d = icmp eq i32 %n, 7
  br i1 %d, label %one, label %other
one:
  ret x86_fp80 %u
other:
  ret x86_fp80 %s
}

; GCC's rules for inline assembly: inputs that are clobbered or outputs are popped.
define x86_fp80 @assembly(x86_fp80 %x, x86_fp80 %y) {
; CHECK-LABEL: assembly:
; CHECK:      fpatan
; CHECK:      faddp
; CHECK:      retq
  %r = call x86_fp80 asm "fpatan", "={st},0,{st(1)},~{st(1)}"(x86_fp80 %x, x86_fp80 %y)
  %s = fadd x86_fp80 %r, %y
  ret x86_fp80 %s
}

; double in a register of the x87 is converted on the way.
define double @converts(double %x) {
; CHECK-LABEL: converts:
; CHECK:      fldl
; CHECK:      fsin
; CHECK:      fstpl
  %r = call double asm "fsin", "={st},0"(double %x)
  ret double %r
}

; An integer of 80 bits goes through the same registers, and memory.
define i80 @integer(ptr %p) {
; CHECK-LABEL: integer:
; CHECK:      fldt (%rdi)
; CHECK:      addq $1
  %a = load i80, ptr %p
  %b = add i80 %a, 1
  ret i80 %b
}

define x86_fp80 @unsigned(i64 %a) {
; CHECK-LABEL: unsigned:
; CHECK: fildll
; CHECK: faddp
  %b = uitofp i64 %a to x86_fp80
  ret x86_fp80 %b
}
