; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -stop-after=partially-inline-libcalls %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -verify-machineinstrs %s -o - | FileCheck %s --check-prefix=ASM

; The root is an instruction; the library is called where it is not a number, for errno's sake.
; CHECK-LABEL: define double @root(
; CHECK-NEXT: [[R:%.*]] = call double @llvm.sqrt.f64(double %x)
; CHECK-NEXT: [[F:%.*]] = freeze double [[R]]
; CHECK-NEXT: [[O:%.*]] = fcmp ord double [[F]], [[F]]
; CHECK-NEXT: br i1 [[O]], label %[[END:[0-9]+]], label %[[CALL:[0-9]+]]
; CHECK: {{^ *}}[[CALL]]:
; CHECK-NEXT: %r = call double @sqrt(double %x)
; CHECK: phi double [ [[R]], %0 ], [ %r, %[[CALL]] ]
; ASM-LABEL: root:
; ASM: sqrtsd
; ASM: callq sqrt
define double @root(double %x) {
  %r = tail call double @sqrt(double %x)
  ret double %r
}

; Without errno there is no call.
; CHECK-LABEL: define float @pure(
; CHECK-NEXT: call float @llvm.sqrt.f32(float %x)
; CHECK-NEXT: ret float
define float @pure(float %x) {
  %r = call float @sqrtf(float %x) memory(none)
  ret float %r
}

; CHECK-LABEL: define double @other(
; CHECK-NEXT: call double @sqrt(double %x) #
; CHECK-NEXT: ret double
define double @other(double %x) {
  %r = call double @sqrt(double %x) nobuiltin
  ret double %r
}

; CHECK-LABEL: define double @strict(
; CHECK-NEXT: call double @sqrt(
define double @strict(double %x) strictfp {
  %r = call double @sqrt(double %x) strictfp
  ret double %r
}

; Equality of a few bytes is asked by loads that may overlap; constants are no loads.
; CHECK-LABEL: define i1 @equal(
; CHECK-NEXT: [[A:%.*]] = load i32, ptr %p, align 1
; CHECK-NEXT: [[X:%.*]] = xor i32 [[A]], 1684234849
; CHECK-NEXT: [[Q:%.*]] = getelementptr i8, ptr %p, i64 3
; CHECK-NEXT: [[B:%.*]] = load i32, ptr [[Q]], align 1
; CHECK-NEXT: [[Y:%.*]] = xor i32 [[B]], 1734763876
; CHECK-NEXT: [[O:%.*]] = or i32 [[X]], [[Y]]
; CHECK-NEXT: %c = icmp eq i32 [[O]], 0
; CHECK-NEXT: ret i1 %c
define i1 @equal(ptr %p) {
  %r = call i32 @bcmp(ptr %p, ptr @s, i64 7)
  %c = icmp eq i32 %r, 0
  ret i1 %c
}

; What can be changed elsewhere is loaded.
; CHECK-LABEL: define i1 @weak(
; CHECK: load i8, ptr @w
define i1 @weak(ptr %p) {
  %r = call i32 @memcmp(ptr %p, ptr @w, i64 1)
  %c = icmp ne i32 %r, 0
  ret i1 %c
}

; More bytes are compared block by block.
; CHECK-LABEL: define i32 @long(
; CHECK: or i64
; CHECK: icmp ne i64
; CHECK: br i1 %{{.*}}, label %[[END:[0-9]+]], label %[[NEXT:[0-9]+]]
; CHECK: {{^ *}}[[NEXT]]:
; CHECK: getelementptr i8, ptr %p, i64 16
; CHECK: load i32
; CHECK: {{^ *}}[[END]]:
; CHECK-NEXT: phi i32 [ 1, %0 ], [ %{{.*}}, %[[NEXT]] ]
define i32 @long(ptr %p, ptr %q) {
  %r = call i32 @bcmp(ptr %p, ptr %q, i64 20)
  ret i32 %r
}

; Order: single bytes subtract, more are read high byte first.
; CHECK-LABEL: define i32 @byte(
; CHECK: [[A:%.*]] = zext i8 %{{.*}} to i32
; CHECK: [[B:%.*]] = zext i8 %{{.*}} to i32
; CHECK: sub i32 [[A]], [[B]]
; CHECK-NEXT: ret
define i32 @byte(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 1)
  ret i32 %r
}
; CHECK-LABEL: define i32 @order(
; CHECK: call i64 @llvm.bswap.i64(
; CHECK: [[C:%.*]] = icmp eq i64
; CHECK: br i1 [[C]]
; CHECK: call i16 @llvm.bswap.i16(
; CHECK: select i1 %{{.*}}, i32 -1, i32 1
; CHECK: phi i32 [ 0, %{{.*}} ]
define i32 @order(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 10)
  ret i32 %r
}

; A byte at the end is looked at no more: its difference orders.
; CHECK-LABEL: define i32 @nine(
; CHECK: [[C:%.*]] = icmp eq i64
; CHECK-NEXT: br i1 [[C]], label %[[L:.*]], label %[[R:.*]]
; CHECK: [[L]]:
; CHECK: [[D:%.*]] = sub i32
; CHECK-NEXT: br label %[[E:.*]]
; CHECK: [[R]]:
; CHECK: [[S:%.*]] = select i1 %{{.*}}, i32 -1, i32 1
; CHECK: [[E]]:
; CHECK-NEXT: phi i32 [ [[D]], %[[L]] ], [ [[S]], %[[R]] ]
define i32 @nine(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 9)
  ret i32 %r
}
; More than 16 bytes in order, and 32 that are only equal or not, are a call.
; CHECK-LABEL: define i32 @seventeen(
; CHECK-NEXT: call i32 @memcmp(
define i32 @seventeen(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 17)
  ret i32 %r
}
; CHECK-LABEL: define i1 @most(
; CHECK-NOT: memcmp
; CHECK-LABEL: define i1 @more(
; CHECK-NEXT: call i32 @memcmp(
define i1 @most(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 32)
  %z = icmp eq i32 %r, 0
  ret i1 %z
}
define i1 @more(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 33)
  %z = icmp eq i32 %r, 0
  ret i1 %z
}

; Small code and long memory call.
; CHECK-LABEL: define i32 @minsize(
; CHECK-NEXT: call i32 @memcmp(
define i32 @minsize(ptr %p, ptr %q) minsize {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 4)
  ret i32 %r
}
; CHECK-LABEL: define i32 @far(
; CHECK-NEXT: call i32 @memcmp(
define i32 @far(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 65)
  ret i32 %r
}

@s = constant [8 x i8] c"abcdefg\00"
@w = weak constant [2 x i8] c"a\00"

declare double @sqrt(double)
declare float @sqrtf(float)
declare i32 @memcmp(ptr, ptr, i64)
declare i32 @bcmp(ptr, ptr, i64)
