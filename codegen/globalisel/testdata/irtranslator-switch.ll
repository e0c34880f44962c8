; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -stop-after=irtranslator %s -o - | FileCheck %s

; The probabilities of branches come from what is known of them, as in LLVM:
; what is called says that it is cold, !prof gives weights.

declare void @g(i32)
declare void @rare() cold

define void @cold(i32 %x) {
; CHECK-LABEL: name: cold
; CHECK: successors: %bb.1(0x078780e3), %bb.2(0x78787f1d)
  %c = icmp eq i32 %x, 7
  br i1 %c, label %a, label %b
a:
  call void @rare()
  br label %b
b:
  ret void
}

define void @weights(i1 %c) {
; CHECK-LABEL: name: weights
; CHECK: successors: %bb.1(0x20000000), %bb.2(0x60000000)
  br i1 %c, label %a, label %b, !prof !0
a:
  call void @g(i32 1)
  br label %b
b:
  ret void
}

; Sparse cases become a tree whose halves are equally probable.
define void @tree(i32 %x) {
; CHECK-LABEL: name: tree
; CHECK: bb.0
; CHECK: successors: %bb.1(0x40000000), %bb.6(0x40000000)
; CHECK: G_ICMP intpred(slt), %0(s32), %{{[0-9]+}}
; CHECK: bb.1
; CHECK: successors: %bb.2(0x40000000), %bb.4(0x40000000)
; CHECK: bb.2
; CHECK: successors: %bb.11(0x38e38e3a), %bb.3(0x471c71c6)
; CHECK: G_ICMP intpred(eq)
; CHECK: bb.3
; CHECK: successors: %bb.12(0x66666669), %bb.14(0x19999997)
  switch i32 %x, label %d [
    i32 1, label %a
    i32 5, label %b
    i32 9, label %c
    i32 100, label %a
    i32 1000, label %b
    i32 10000, label %c
    i32 20000, label %c
    i32 30000, label %a
  ]
a:
  call void @g(i32 1)
  br label %d
b:
  call void @g(i32 2)
  br label %d
c:
  call void @g(i32 3)
  br label %d
d:
  ret void
}

; A case that is most of all is asked for first.
define i32 @peeled(i32 %x) {
; CHECK-LABEL: name: peeled
; CHECK: bb.0
; CHECK: successors: %bb.{{[0-9]+}}(0x7{{.*}}), %bb.1(0x0{{.*}})
; CHECK: G_ICMP intpred(eq), %0(s32), %{{[0-9]+}}
  switch i32 %x, label %d [
    i32 1, label %a
    i32 50, label %b
    i32 900, label %c
    i32 7777, label %e
  ], !prof !1
a:
  ret i32 1
b:
  ret i32 2
c:
  ret i32 3
e:
  ret i32 4
d:
  ret i32 5
}

; Bit tests without a subtraction: all cases are bits of a word. The most probable comes first.
define i32 @bits(i32 %x) {
; CHECK-LABEL: name: bits
; CHECK: %[[LIMIT:[0-9]+]]:_(s32) = G_CONSTANT i32 30
; CHECK-NOT: G_SUB
; CHECK: G_ICMP intpred(ugt), %0(s32), %[[LIMIT]]
; CHECK: G_SHL
; CHECK: G_AND
; CHECK: G_ICMP intpred(ne)
; CHECK: G_ICMP intpred(eq)
  switch i32 %x, label %d [
    i32 1, label %a
    i32 3, label %a
    i32 11, label %a
    i32 20, label %a
    i32 30, label %b
  ]
a:
  ret i32 1
b:
  ret i32 2
d:
  ret i32 5
}

; Holes of a table lead to the default, not to the next test.
define i32 @table(i32 %x) {
; CHECK-LABEL: name: table
; CHECK: jumpTable:
; CHECK: blocks: [ '%bb.[[A:[0-9]+]]', '%bb.[[B:[0-9]+]]', '%bb.[[C:[0-9]+]]', '%bb.[[E:[0-9]+]]', '%bb.[[D:[0-9]+]]', '%bb.[[A]]' ]
; CHECK: G_BRJT
  switch i32 %x, label %d [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %c
    i32 3, label %e
    i32 5, label %a
    i32 1000000, label %b
  ]
a:
  ret i32 1
b:
  ret i32 2
c:
  ret i32 3
e:
  ret i32 4
d:
  ret i32 5
}

!0 = !{!"branch_weights", i32 1, i32 3}
!1 = !{!"branch_weights", i32 1, i32 1, i32 1, i32 1000, i32 1}
