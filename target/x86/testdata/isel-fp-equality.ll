; RUN: llc -mtriple=x86_64-linux-gnu -O2 -verify-machineinstrs %s -o - | FileCheck %s

; A branch on equality is two conditional ones, no SETCC.
define void @oeq(double %a, double %b) {
; CHECK-LABEL: oeq:
; CHECK: ucomisd %xmm1, %xmm0
; CHECK-NEXT: jne [[NOT:.LBB[0-9_]+]]
; CHECK-NEXT: jnp [[EQ:.LBB[0-9_]+]]
; CHECK-NEXT: [[NOT]]:
; CHECK-NEXT: retq
; CHECK-NEXT: [[EQ]]:
; CHECK: callq f
  %c = fcmp oeq double %a, %b
  br i1 %c, label %t, label %e
t:
  call void @f()
  ret void
e:
  ret void
}

; What somebody else reads stays.
define void @read(float %a, float %b, ptr %p) {
; CHECK-LABEL: read:
; CHECK: ucomiss %xmm1, %xmm0
; CHECK-NEXT: sete
; CHECK-NEXT: setnp
; CHECK-NEXT: andb
  %c = fcmp oeq float %a, %b
  %z = zext i1 %c to i8
  store volatile i8 %z, ptr %p
  br i1 %c, label %t, label %e
t:
  call void @f()
  ret void
e:
  ret void
}

; The constant of a sum that is scaled is a displacement.
define i64 @disjoint(ptr %p, i64 %i) {
; CHECK-LABEL: disjoint:
; CHECK: movq 8(%rdi,%r{{..}},8), %rax
; CHECK-NEXT: retq
  %x = shl i64 %i, 2
  %y = or disjoint i64 %x, 1
  %g = getelementptr i64, ptr %p, i64 %y
  %v = load i64, ptr %g
  ret i64 %v
}
declare void @f()
