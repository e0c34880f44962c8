; RUN: llc -mtriple=x86_64-unknown-linux-gnu -run-pass=loop-reduce %s -o - | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128-ni:7"
target triple = "x86_64-unknown-linux-gnu"

; Two counters that differ in where they start are one, with another base
; before the loop, on a way into it that is its own.
; CHECK-LABEL: define void @twoCounters(
; CHECK: br i1 %c, label %[[PRE:.*]], label %exit
; CHECK: [[PRE]]:
; CHECK: [[O:%.*]] = mul i64 %o, 8
; CHECK-NEXT: [[Y:%.*]] = getelementptr i8, ptr %y, i64 [[O]]
; CHECK: loop:
; CHECK-NEXT: [[I:%.*]] = phi i64 [ 0, %[[PRE]] ], [ [[N:%.*]], %loop ]
; CHECK-NOT: phi
; CHECK: getelementptr i8, ptr %x
; CHECK: getelementptr i8, ptr [[Y]]
; CHECK: [[N]] = add i64 [[I]], 1
; CHECK-NEXT: icmp eq i64 [[N]], %n
define void @twoCounters(ptr %x, ptr %y, i64 %n, i64 %o, double %a) {
entry:
  %c = icmp sgt i64 %n, 0
  br i1 %c, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %i2, %loop ]
  %j = phi i64 [ %o, %entry ], [ %j2, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %q = getelementptr inbounds double, ptr %y, i64 %j
  %w = load double, ptr %q
  %m = fmul double %v, %a
  %s = fadd double %m, %w
  store double %s, ptr %q
  %i2 = add nuw nsw i64 %i, 1
  %j2 = add nsw i64 %j, 1
  %d = icmp eq i64 %i2, %n
  br i1 %d, label %exit, label %loop
exit:
  ret void
}

; A comparison of the value before the step becomes one of that after it.
; CHECK-LABEL: define i32 @afterStep(
; CHECK: [[START:%.*]] = add i32 %n, 1
; CHECK: loop:
; CHECK: [[I:%.*]] = phi i32 [ [[START]], %entry ], [ [[N:%.*]], %loop ]
; CHECK: [[N]] = add i32 [[I]], -1
; CHECK: icmp ugt i32 [[N]], 1
define i32 @afterStep(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %i2, %loop ]
  %q = phi ptr [ %p, %entry ], [ %q2, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s2, %loop ]
  %i2 = add nsw i32 %i, -1
  %q2 = getelementptr inbounds i8, ptr %q, i64 4
  %v = load i32, ptr %q2
  %s2 = add i32 %s, %v
  %c = icmp ugt i32 %i, 1
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %s2
}

; A stride that no address has is a pointer that moves.
; CHECK-LABEL: define void @stride(
; CHECK: loop:
; CHECK-DAG: [[P:%.*]] = phi ptr [ %p, %entry ], [ [[P2:%.*]], %loop ]
; CHECK-DAG: [[I:%.*]] = phi i64 [ 0, %entry ], [ [[I2:%.*]], %loop ]
; CHECK: store i64 [[I]], ptr [[P]]
; CHECK: [[Q:%.*]] = getelementptr i8, ptr [[P]], i64 8
; CHECK: store volatile i64 0, ptr [[Q]]
; CHECK-DAG: [[P2]] = getelementptr i8, ptr [[P]], i64 24
; CHECK-DAG: [[I2]] = add i64 [[I]], 1
; CHECK: icmp eq i64 [[I2]], 100
define void @stride(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i2, %loop ]
  %q = getelementptr inbounds [24 x i8], ptr %p, i64 %i
  store i64 %i, ptr %q
  %q8 = getelementptr inbounds i8, ptr %q, i64 8
  store volatile i64 0, ptr %q8
  %i2 = add i64 %i, 1
  %c = icmp eq i64 %i2, 100
  br i1 %c, label %exit, label %loop
exit:
  ret void
}

; Two counters of the same numbers are one.
; CHECK-LABEL: define void @congruent(
; CHECK: loop:
; CHECK: phi i64
; CHECK-NOT: phi
; CHECK: icmp eq i64 {{%.*}}, %n
define void @congruent(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i2, %loop ]
  %j = phi i64 [ 0, %entry ], [ %j2, %loop ]
  %q = getelementptr inbounds i64, ptr %p, i64 %j
  store i64 7, ptr %q
  %i2 = add nuw i64 %i, 4
  %j2 = add nsw i64 %j, 4
  %c = icmp eq i64 %i2, %n
  br i1 %c, label %exit, label %loop
exit:
  ret void
}

; Addresses that begin at one place of a global, by two constants, are one recurrence of
; the loop around.
; CHECK-LABEL: define void @same_place(
; CHECK: outer:
; CHECK-NEXT: phi ptr
; CHECK-NEXT: phi i64
; CHECK-NOT: phi
; CHECK: inner:
define void @same_place() {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i2, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 1, %outer ], [ %j3, %inner ]
  %r1 = getelementptr [256 x float], ptr getelementptr inbounds nuw (i8, ptr @table, i64 640), i64 %j
  %u1 = getelementptr i8, ptr %r1, i64 -1024
  %q1 = getelementptr float, ptr %u1, i64 %i
  %v1 = load float, ptr %q1
  %s1 = getelementptr float, ptr %r1, i64 %i
  store float %v1, ptr %s1
  %j2 = add nuw nsw i64 %j, 1
  %r2 = getelementptr [256 x float], ptr getelementptr inbounds nuw (i8, ptr @table, i64 640), i64 %j2
  %u2 = getelementptr i8, ptr %r2, i64 -1024
  %q2 = getelementptr float, ptr %u2, i64 %i
  %v2 = load float, ptr %q2
  %s2 = getelementptr float, ptr %r2, i64 %i
  store float %v2, ptr %s2
  %j3 = add nuw nsw i64 %j, 3
  %c = icmp eq i64 %j3, 256
  br i1 %c, label %latch, label %inner
latch:
  %i2 = add nuw nsw i64 %i, 1
  %d = icmp eq i64 %i2, 256
  br i1 %d, label %exit, label %outer
exit:
  ret void
}

; A known number of rounds: the pointer that moves is compared with its end,
; since each round has an access that gives it a meaning.
; CHECK-LABEL: define void @counted(
; CHECK: [[END:%.*]] = getelementptr i8, ptr %p, i64 2400
; CHECK: loop:
; CHECK-NEXT: [[P:%.*]] = phi ptr [ %p, %entry ], [ [[P2:%.*]], %loop ]
; CHECK-NOT: phi
; CHECK: [[P2]] = getelementptr i8, ptr [[P]], i64 24
; CHECK-NEXT: icmp eq ptr [[P2]], [[END]]
define void @counted(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i2, %loop ]
  %q = getelementptr inbounds [24 x i8], ptr %p, i64 %i
  store i64 1, ptr %q
  %i2 = add i64 %i, 1
  %c = icmp eq i64 %i2, 100
  br i1 %c, label %exit, label %loop
exit:
  ret void
}

; Not where the access may be left out: the pointer may be poison then.
; CHECK-LABEL: define void @notAlways(
; CHECK: icmp eq i64 {{%.*}}, 300
define void @notAlways(ptr %p, i1 %b) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i2, %latch ]
  br i1 %b, label %then, label %latch
then:
  %q = getelementptr inbounds [24 x i8], ptr %p, i64 %i
  store i64 1, ptr %q
  br label %latch
latch:
  %i2 = add i64 %i, 1
  %c = icmp eq i64 %i2, 100
  br i1 %c, label %exit, label %loop
exit:
  ret void
}

declare void @g(i64)
declare i32 @pers(...)

; What a landing pad reads is computed once, in front of the invoke.
; CHECK-LABEL: define void @inv(
; CHECK: loop:
; CHECK: [[J:%.*]] = add i64 {{%.*}}, 5
; CHECK-NOT: add
; CHECK: invoke void @g(i64 [[J]])
; CHECK: phi i64 [ [[J]], %loop ]
define void @inv(ptr %p, i64 %n) personality ptr @pers {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i2, %latch ]
  %j = phi i64 [ 5, %entry ], [ %j2, %latch ]
  %q = getelementptr [24 x i8], ptr %p, i64 %j
  store i64 %i, ptr %q
  invoke void @g(i64 %j) to label %latch unwind label %lp
latch:
  %i2 = add i64 %i, 1
  %j2 = add i64 %j, 1
  %c = icmp eq i64 %i2, %n
  br i1 %c, label %exit, label %loop
lp:
  %k = phi i64 [ %j, %loop ]
  %l = landingpad { ptr, i32 } cleanup
  call void @g(i64 %k)
  resume { ptr, i32 } %l
exit:
  ret void
}

; No block can stand before a loop that indirectbr enters.
; CHECK-LABEL: define void @ind(
; CHECK: getelementptr [24 x i8], ptr %p, i64 %i
define void @ind(ptr %p, i64 %n, ptr %t) {
entry:
  indirectbr ptr %t, [label %loop, label %exit]
loop:
  %i = phi i64 [ 0, %entry ], [ %i2, %loop ]
  %q = getelementptr [24 x i8], ptr %p, i64 %i
  store i64 %i, ptr %q
  %i2 = add i64 %i, 1
  %c = icmp eq i64 %i2, %n
  br i1 %c, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define void @on(
; CHECK: getelementptr [24 x i8], ptr %p, i64 %i
define void @on(ptr %p, i64 %n) optnone noinline {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i2, %loop ]
  %q = getelementptr [24 x i8], ptr %p, i64 %i
  store i64 %i, ptr %q
  %i2 = add i64 %i, 1
  %c = icmp eq i64 %i2, %n
  br i1 %c, label %exit, label %loop
exit:
  ret void
}

; Wide and odd numbers, and pointers that are no numbers, stay.
; CHECK-LABEL: define void @wide(
; CHECK: phi i128
; CHECK-NEXT: phi i24
; CHECK-NEXT: phi ptr addrspace(7)
; CHECK: getelementptr [24 x i8], ptr %p, i128 %i
; CHECK: getelementptr i8, ptr addrspace(7) %zz, i64 24
define void @wide(ptr %p, i128 %n, ptr addrspace(7) %z) {
entry:
  br label %loop
loop:
  %i = phi i128 [ 0, %entry ], [ %i2, %loop ]
  %k = phi i24 [ 0, %entry ], [ %k2, %loop ]
  %zz = phi ptr addrspace(7) [ %z, %entry ], [ %zz2, %loop ]
  %q = getelementptr [24 x i8], ptr %p, i128 %i
  store i24 %k, ptr %q
  store i24 %k, ptr addrspace(7) %zz
  %zz2 = getelementptr i8, ptr addrspace(7) %zz, i64 24
  %i2 = add i128 %i, 1
  %k2 = add i24 %k, 1
  %c = icmp eq i128 %i2, %n
  br i1 %c, label %exit, label %loop
exit:
  ret void
}

; Several ways in get one block before the loop, those of a switch each as often as it has them.
; CHECK-LABEL: define i64 @sw(
; CHECK: [[B:[0-9]+]]: {{.*}}; preds = %other, %entry, %entry
; CHECK: [[S:%.*]] = phi i64 [ 0, %entry ], [ 0, %entry ], [ 3, %other ]
; CHECK: mul i64 [[S]], 24
; CHECK: loop:
; CHECK: phi ptr
; CHECK: exit:
; CHECK-NEXT: phi i64 [ [[R:%.*]], %loop ], [ [[R]], %loop ]
define i64 @sw(ptr %p, i64 %n, i32 %x) {
entry:
  switch i32 %x, label %other [ i32 0, label %loop
    i32 1, label %loop ]
other:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ 0, %entry ], [ 3, %other ], [ %i2, %loop ]
  %j = phi i64 [ %n, %entry ], [ %n, %entry ], [ 7, %other ], [ %j2, %loop ]
  %q = getelementptr [24 x i8], ptr %p, i64 %i
  store i64 %j, ptr %q
  %i2 = add i64 %i, 1
  %j2 = add i64 %j, 1
  %v = load i32, ptr %q
  switch i32 %v, label %loop [ i32 5, label %exit
     i32 6, label %exit ]
exit:
  %r = phi i64 [ %i2, %loop ], [ %i2, %loop ]
  ret i64 %r
}

; A use in code that is not reached says nothing about where the value is at hand.
; CHECK-LABEL: define void @un(
; CHECK: store i64 %i, ptr %p
; CHECK: %i = phi
define void @un(ptr %p, i64 %n) {
entry:
  br label %loop
dead:
  store i64 %i, ptr %p
  br label %dead
loop:
  %i = phi i64 [ 0, %entry ], [ %i2, %loop ]
  %q = getelementptr [24 x i8], ptr %p, i64 %i
  store i64 %i, ptr %q
  %i2 = add i64 %i, 1
  %c = icmp eq i64 %i2, %n
  br i1 %c, label %exit, label %loop
exit:
  ret void
}

; The loop around counts the same place as a number and as a pointer: the
; pointer is what one within begins with.
; CHECK-LABEL: define void @outerNumber(
; CHECK-NOT: trunc
; CHECK: outer:
; CHECK: [[O:%.*]] = phi ptr [ %x, %entry ]
; CHECK: inner:
; CHECK: phi ptr [ [[O]], %outer ]
; CHECK-NOT: trunc
; CHECK: ret void
define void @outerNumber(ptr %x, i64 %n, i64 %m) {
entry:
  %xi = ptrtoint ptr %x to i64
  br label %outer
outer:
  %q = phi i64 [ %xi, %entry ], [ %q2, %olatch ]
  %o = phi ptr [ %x, %entry ], [ %o2, %olatch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i2, %inner ]
  %a = getelementptr i32, ptr %o, i64 %i
  %v = load i32, ptr %a
  %w = add i32 %v, 1
  store i32 %w, ptr %a
  %b = getelementptr i8, ptr %a, i64 %n
  store i32 %w, ptr %b
  %i2 = add i64 %i, 3
  %c = icmp ult i64 %i2, %m
  br i1 %c, label %inner, label %olatch
olatch:
  %q2 = add i64 %q, 400
  %o2 = getelementptr i8, ptr %o, i64 400
  %d = icmp eq i64 %q2, %n
  br i1 %d, label %exit, label %outer
exit:
  ret void
}

; A pointer of the loop around that counts from null is no number to multiply.
; CHECK-LABEL: define void @outerPointer(
; CHECK-NOT: mul ptr
; CHECK: %row = mul i64 %qi, 5
; CHECK-NOT: mul ptr
; CHECK: ret void
define void @outerPointer(ptr %x, i64 %n, i64 %m, i64 %stride) {
entry:
  br label %outer
outer:
  %q = phi ptr [ null, %entry ], [ %q2, %olatch ]
  %qi = ptrtoint ptr %q to i64
  %row = mul i64 %qi, 5
  %row2 = add i64 %row, %stride
  br label %inner
inner:
  %i = phi i64 [ %row2, %outer ], [ %i2, %inner ]
  %a = getelementptr [3 x i32], ptr %x, i64 %i
  %v = load i32, ptr %a
  %w = add i32 %v, 1
  store i32 %w, ptr %a
  %i2 = add i64 %i, 3
  %c = icmp ult i64 %i2, %m
  br i1 %c, label %inner, label %olatch
olatch:
  call void @take(ptr %q)
  %q2 = getelementptr i8, ptr %q, i64 1
  %e2 = ptrtoint ptr %q2 to i64
  %d = icmp eq i64 %e2, %n
  br i1 %d, label %exit, label %outer
exit:
  ret void
}
declare void @take(ptr)

; What was not poison with %x is not computed from %x: the two counters stay apart.
; CHECK-LABEL: define void @apart(
; CHECK-NOT: sub
; CHECK: loop:
; CHECK-DAG: phi i64 [ %x, %entry ]
; CHECK-DAG: phi i64 [ %y, %entry ]
; CHECK-DAG: phi i64 [ 0, %entry ], [ [[N:%.*]], %loop ]
; CHECK: [[N]] = add i64 {{%.*}}, 24
; CHECK: ret void
define void @apart(i64 %x, i64 %y) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %x, %entry ], [ %i2, %loop ]
  %j = phi i64 [ %y, %entry ], [ %j2, %loop ]
  %k = phi i64 [ 0, %entry ], [ %k2, %loop ]
  %m = mul i64 %k, 24
  store volatile i64 %i, ptr @apartCell
  store volatile i64 %j, ptr @apartCell
  store volatile i64 %m, ptr @apartCell
  %i2 = add i64 %i, 1
  %j2 = add i64 %j, 1
  %k2 = add i64 %k, 1
  %d = icmp eq i64 %k2, 100
  br i1 %d, label %exit, label %loop
exit:
  ret void
}
@apartCell = external global i64
@table = external global [1000 x float]

; What is no poison in the first round, where the step is not read yet, is not
; computed from what starts with the step.
; CHECK-LABEL: define void @firstRound(
; CHECK-NOT: sub
; CHECK: loop:
; CHECK-DAG: phi i64 [ %s, %entry ]
; CHECK-DAG: phi i64 [ %y, %entry ]
; CHECK-DAG: phi i64 [ 0, %entry ], [ [[N:%.*]], %loop ]
; CHECK: [[N]] = add i64 {{%.*}}, 24
; CHECK: ret void
define void @firstRound(i64 %s, i64 %y) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %s, %entry ], [ %i2, %loop ]
  %j = phi i64 [ %y, %entry ], [ %j2, %loop ]
  %k = phi i64 [ 0, %entry ], [ %k2, %loop ]
  %m = mul i64 %k, 24
  store volatile i64 %i, ptr @apartCell
  store volatile i64 %j, ptr @apartCell
  store volatile i64 %m, ptr @apartCell
  %i2 = add i64 %i, %s
  %j2 = add i64 %j, %s
  %k2 = add i64 %k, 1
  %d = icmp eq i64 %k2, 100
  br i1 %d, label %exit, label %loop
exit:
  ret void
}

; A comparison that leaves the loop in its first round, and what is read behind
; it, do not read the step there.
; CHECK-LABEL: define i64 @leftFirst(
; CHECK-NOT: sub
; CHECK: loop:
; CHECK: [[I:%.*]] = phi i64 [ 6, %entry ]
; CHECK: %d = icmp eq i64 [[I]], 6
; CHECK: ret i64 [[I]]
define i64 @leftFirst(i64 %s, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 6, %entry ], [ %i2, %loop ]
  %q = getelementptr i64, ptr %p, i64 %i
  store volatile i64 %i, ptr %q
  %i2 = add i64 %i, %s
  %d = icmp eq i64 %i, 6
  br i1 %d, label %exit, label %loop
exit:
  ret i64 %i
}

; A loop that is left as it is keeps its ways in, what comes on each, and the
; order in which its PHIs name them.
; CHECK-LABEL: define i64 @left(
; CHECK: br i1 %c, label %a, label %b
; CHECK: a:
; CHECK-NEXT: br label %loop
; CHECK: b:
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK-NEXT: %i = phi i64 [ 5, %a ], [ %i2, %loop ], [ %n, %b ]
; CHECK-NEXT: %j = phi i64 [ %j2, %loop ], [ %n, %b ], [ 7, %a ]
; CHECK-NEXT: %i2 = call
define i64 @left(i64 %n, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %loop
b:
  br label %loop
loop:
  %i = phi i64 [ 5, %a ], [ %i2, %loop ], [ %n, %b ]
  %j = phi i64 [ %j2, %loop ], [ %n, %b ], [ 7, %a ]
  %i2 = call i64 @next(i64 %i, i64 %j)
  %j2 = xor i64 %j, %i2
  %d = icmp eq i64 %i2, 0
  br i1 %d, label %exit, label %loop
exit:
  ret i64 %i
}

; CHECK-LABEL: define void @leftSwitch(
; CHECK: switch i32 %c, label %exit [
; CHECK-NEXT: i32 1, label %loop
; CHECK-NEXT: i32 4, label %loop
; CHECK-NEXT: i32 5, label %a
; CHECK: loop:
; CHECK-NEXT: %i = phi i64 [ %n, %entry ], [ 5, %a ], [ %i2, %loop ], [ %n, %entry ]
; CHECK-NEXT: %i2 = call
define void @leftSwitch(i64 %n, i32 %c) {
entry:
  switch i32 %c, label %exit [
    i32 1, label %loop
    i32 4, label %loop
    i32 5, label %a
  ]
a:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ 5, %a ], [ %i2, %loop ], [ %n, %entry ]
  %i2 = call i64 @next(i64 %i, i64 1)
  %d = icmp eq i64 %i2, 0
  br i1 %d, label %exit, label %loop
exit:
  ret void
}

declare i64 @next(i64, i64)
