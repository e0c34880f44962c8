; RUN: llc -mtriple=x86_64-unknown-linux-gnu -run-pass=loop-reduce %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O3 -verify-machineinstrs %s -o %t

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
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
