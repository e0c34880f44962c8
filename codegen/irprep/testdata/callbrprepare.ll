; RUN: mirin llc -mtriple=bpfel -stop-after=irtranslator %s -o - | filecheck %s --check-prefix=MIR
; RUN: mirin llc -mtriple=bpfel %s -o - | filecheck %s
; RUN: mirin llc -mtriple=bpfel -O0 %s -o - | filecheck %s --check-prefix=O0
; RUN: mirin llc -mtriple=x86_64-linux %s -o - | filecheck %s --check-prefix=X86

; The result is read in both blocks that the assembly leads to, and where they join.
; MIR-LABEL: name: joined
; MIR: INLINEASM_BR &"$0 = 5; if r1 == 0 goto ${1:l}", 0 {{.*}}, def %[[OUT:[0-9]+]], 13 {{.*}}, %bb.[[PAD:[0-9]+]]
; MIR: %[[X:[0-9]+]]:_(s64) = COPY %[[OUT]]
; MIR: bb.[[PAD]] ({{.*}}inlineasm-br-indirect-target):
; MIR: %[[Y:[0-9]+]]:_(s64) = COPY %[[OUT]]
; MIR: %[[Z:[0-9]+]]:_(s64) = COPY %[[Y]]
; MIR: G_PHI %[[Z]](s64), %bb.[[PAD]]

; CHECK-LABEL: joined:
; CHECK: #APP
; CHECK-NEXT: r0 = 5; if r1 == 0 goto [[PAD:LBB0_[0-9]+]]
; CHECK-NEXT: #NO_APP
; CHECK-NEXT: # %bb.1:
; CHECK-NEXT: r0 += 1
; CHECK-NEXT: [[JOIN:LBB0_[0-9]+]]:
; CHECK-NEXT: exit
; CHECK-NEXT: [[PAD]]:
; CHECK-NEXT: goto [[JOIN]]

; O0-LABEL: joined:
; O0: if r1 == 0 goto [[PAD:LBB0_[0-9]+]]
; O0: [[PAD]]:
; X86-LABEL: joined:
; X86: %rax = 5; if r1 == 0 goto .LBB0_
define i64 @joined() {
entry:
  %x = callbr i64 asm "$0 = 5; if r1 == 0 goto ${1:l}", "=r,!i"() to label %through [label %join]
through:
  %y = add i64 %x, 1
  br label %join
join:
  %z = phi i64 [ %x, %entry ], [ %y, %through ]
  ret i64 %z
}

; What a PHI takes on the way out stands before the assembly.
; CHECK-LABEL: out:
; CHECK: r0 = 7
; CHECK-NEXT: #APP
; CHECK-NEXT: may_goto [[OUT:LBB1_[0-9]+]]
; CHECK: [[OUT]]:
; CHECK-NEXT: exit
define i64 @out(i1 %c) {
entry:
  callbr void asm sideeffect "may_goto ${0:l}", "!i"() to label %on [label %out]
on:
  br label %out
out:
  %r = phi i64 [ 7, %entry ], [ 9, %on ]
  ret i64 %r
}
