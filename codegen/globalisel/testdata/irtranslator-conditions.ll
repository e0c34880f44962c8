; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -stop-after=irtranslator -verify-machineinstrs -simplify-mir %s -o - | FileCheck %s
; RUN: llc -O0 -mtriple=x86_64-unknown-linux-gnu -stop-after=irtranslator -verify-machineinstrs %s -o - | FileCheck %s --check-prefix=O0

; Equalities of which one is enough: each is a branch, and the PHI knows both.
; CHECK-LABEL: name: either
; CHECK: bb.0.entry:
; CHECK-NEXT: successors: %bb.2(0x30000000), %bb.1(0x50000000)
; CHECK: G_ICMP intpred(eq)
; CHECK-NOT: G_OR
; CHECK: G_BRCOND %{{[0-9]+}}(s1), %bb.2
; CHECK: bb.1.entry:
; CHECK-NEXT: successors: %bb.2(0x4ccccccd), %bb.3(0x33333333)
; CHECK: G_ICMP intpred(eq)
; CHECK-NEXT: G_BRCOND %{{[0-9]+}}(s1), %bb.2
; CHECK-NEXT: G_BR %bb.3
; CHECK: bb.2.yes:
; CHECK: G_PHI %{{[0-9]+}}(s32), %bb.0, %{{[0-9]+}}(s32), %bb.1
; O0-LABEL: name: either
; O0: G_OR
define i32 @either(i32 %a, i32 %b) {
entry:
  %x = icmp eq i32 %a, 5
  %y = icmp eq i32 %b, 7
  %z = or i1 %x, %y
  br i1 %z, label %yes, label %no, !prof !0
yes:
  %p = phi i32 [ %a, %entry ], [ 1, %no ]
  ret i32 %p
no:
  br label %yes
}

; The second condition is cheap: both are computed.
; CHECK-LABEL: name: cheap
; CHECK: G_AND
; CHECK: G_BRCOND
; CHECK-NOT: G_BRCOND
; CHECK: RET
define i32 @cheap(i32 %a, i32 %b) {
entry:
  %x = icmp slt i32 %a, 5
  %y = icmp slt i32 %b, 7
  %z = and i1 %x, %y
  br i1 %z, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}

; A load is not cheap. Selects are the logical forms.
; CHECK-LABEL: name: select_and
; CHECK-NOT: G_SELECT
; CHECK: G_BRCOND %{{[0-9]+}}(s1), %bb.1
; CHECK: G_BR %bb.3
; CHECK: bb.1.entry:
; CHECK: G_ICMP intpred(slt)
; CHECK: G_BRCOND %{{[0-9]+}}(s1), %bb.2
define i32 @select_and(i32 %a, ptr %q) {
entry:
  %x = icmp slt i32 %a, 5
  %b = load i32, ptr %q
  %y = icmp slt i32 %b, 7
  %z = select i1 %x, i1 %y, i1 false
  br i1 %z, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}

; Three parts; another use keeps a condition whole.
; CHECK-LABEL: name: three
; CHECK-COUNT-3: G_BRCOND
; CHECK-LABEL: name: used
; CHECK: G_OR
; CHECK: G_BRCOND
; CHECK-NOT: G_BRCOND
define i32 @three(i32 %a, i32 %b, i32 %c) {
entry:
  %x = icmp eq i32 %a, 5
  %y = icmp eq i32 %b, 7
  %z = or i1 %x, %y
  %u = icmp eq i32 %c, 9
  %w = select i1 %z, i1 true, i1 %u
  br i1 %w, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}
define i1 @used(i32 %a, i32 %b) {
entry:
  %x = icmp eq i32 %a, 5
  %y = icmp eq i32 %b, 7
  %z = or i1 %x, %y
  br i1 %z, label %yes, label %no
yes:
  ret i1 %z
no:
  ret i1 false
}

; Nobody knows which way it goes: one branch.
; CHECK-LABEL: name: unpredictable
; CHECK: G_OR
define i32 @unpredictable(i32 %a, i32 %b) {
entry:
  %x = icmp eq i32 %a, 5
  %y = icmp eq i32 %b, 7
  %z = or i1 %x, %y
  br i1 %z, label %yes, label %no, !unpredictable !1
yes:
  ret i32 1
no:
  ret i32 0
}
!0 = !{!"branch_weights", i32 3, i32 1}
!1 = !{}
