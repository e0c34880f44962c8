; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -stop-after=codegenprepare %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -verify-machineinstrs %s -o %t

; An address that every use takes in is computed at the uses, and is gone.
; CHECK-LABEL: define i32 @address(
; CHECK: entry:
; CHECK-NOT: getelementptr
; CHECK: then:
; CHECK-NEXT: [[I:%.*]] = mul i64 %i, 4
; CHECK-NEXT: [[A:%.*]] = getelementptr i8, ptr %p, i64 [[I]]
; CHECK-NEXT: [[B:%.*]] = getelementptr i8, ptr [[A]], i64 16
; CHECK-NEXT: store i32 5, ptr [[B]]
; CHECK: end:
; CHECK: load i32, ptr
define i32 @address(ptr %p, i64 %i, i1 %c) {
entry:
  %q = getelementptr i32, ptr %p, i64 %i
  %r = getelementptr i32, ptr %q, i64 4
  br i1 %c, label %then, label %end
then:
  store i32 5, ptr %r
  call void @use(i32 1)
  br label %end
end:
  %v = load i32, ptr %q
  ret i32 %v
}

; One that is needed as a value stays, and so does what would keep more alive.
; CHECK-LABEL: define i32 @needed(
; CHECK: load i32, ptr %q
define i32 @needed(ptr %p, i64 %i, i1 %c) {
entry:
  %q = getelementptr i32, ptr %p, i64 %i
  call void @usep(ptr %q)
  br i1 %c, label %then, label %end
then:
  call void @use(i32 1)
  br label %end
end:
  %v = load i32, ptr %q
  ret i32 %v
}

; An index that is scaled in steps, and has an offset; a scale of 16 is none.
; CHECK-LABEL: define i8 @scaled(
; CHECK: then:
; CHECK: [[M:%.*]] = mul i64 %i, 8
; CHECK-NEXT: [[A:%.*]] = getelementptr i8, ptr %p, i64 [[M]]
; CHECK-NEXT: [[B:%.*]] = getelementptr i8, ptr [[A]], i64 24
; CHECK-NEXT: load i8, ptr [[B]]
; CHECK: else:
; CHECK: getelementptr i8, ptr %p, i64 %s16
define i8 @scaled(ptr %p, i64 %i, i1 %c) {
entry:
  %i3 = add i64 %i, 3
  %s = shl i64 %i3, 3
  %q = getelementptr i8, ptr %p, i64 %s
  %s16 = shl i64 %i, 4
  %q16 = getelementptr i8, ptr %p, i64 %s16
  br i1 %c, label %then, label %else
then:
  %v = load i8, ptr %q
  ret i8 %v
else:
  %w = load i8, ptr %q16
  ret i8 %w
}

; A comparison is made where it is asked, a mask before it; in PHIs its result is used.
; CHECK-LABEL: define i32 @compare(
; CHECK: entry:
; CHECK-NEXT: %c = icmp
; CHECK-NEXT: br i1 %d
; CHECK: then:
; CHECK: [[C:%.*]] = icmp slt i32 %x, %y
; CHECK-NEXT: br i1 [[C]]
; CHECK: else:
; CHECK: [[M:%.*]] = and i32 %x, 8
; CHECK-NEXT: [[Z:%.*]] = icmp eq i32 [[M]], 0
; CHECK-NEXT: br i1 [[Z]]
define i32 @compare(i32 %x, i32 %y, i1 %d) {
entry:
  %c = icmp slt i32 %x, %y
  %m = and i32 %x, 8
  %z = icmp eq i32 %m, 0
  br i1 %d, label %then, label %else
then:
  call void @use(i32 1)
  br i1 %c, label %a, label %b
else:
  call void @use(i32 2)
  br i1 %z, label %a, label %b
a:
  %p = phi i1 [ %c, %then ], [ true, %else ]
  %e = zext i1 %p to i32
  ret i32 %e
b:
  ret i32 2
}

; An extension moves to the load that does it, if nothing else reads the load.
; CHECK-LABEL: define i64 @extend(
; CHECK: %v = load i16, ptr %p
; CHECK-NEXT: %e = sext i16 %v to i64
define i64 @extend(ptr %p, i1 %c) {
entry:
  %v = load i16, ptr %p
  br i1 %c, label %then, label %else
then:
  call void @use(i32 1)
  %e = sext i16 %v to i64
  ret i64 %e
else:
  ret i64 0
}

; Selects by one condition, one of whose values is dear, and one that is another's value.
; CHECK-LABEL: define double @select(
; CHECK: [[X:%.*]] = freeze i32 %x
; CHECK: [[Y:%.*]] = freeze i32 %y
; CHECK: %c = icmp slt i32 [[X]], [[Y]]
; CHECK: br i1 %c, label %[[T:.*]], label %[[E:.*]]
; CHECK: [[T]]:
; CHECK: %d = fdiv double %a, %b
; CHECK: [[E]]:
; CHECK: phi double [ %d, %[[T]] ], [ %a, %0 ]
; CHECK: phi double [ %d, %[[T]] ], [ %b, %0 ]
define double @select(double %a, double %b, i32 %x, i32 %y) {
  %d = fdiv double %a, %b
  %c = icmp slt i32 %x, %y
  %s = select i1 %c, double %d, double %a
  %t = select i1 %c, double %s, double %b
  %r = fadd double %s, %t
  ret double %r
}

; CHECK-LABEL: define double @unpredictable(
; CHECK: select i1
define double @unpredictable(double %a, double %b, i32 %x, i32 %y) {
  %d = fdiv double %a, %b
  %c = icmp slt i32 %x, %y
  %s = select i1 %c, double %d, double %a, !unpredictable !0
  ret double %s
}

; CHECK-LABEL: define i32 @likely(
; CHECK: br i1 %{{.*}}, !prof
define i32 @likely(i32 %a, i32 %b, i1 %c) {
  %s = select i1 %c, i32 %a, i32 %b, !prof !1
  ret i32 %s
}

; A quotient and a remainder have one short way.
; CHECK-LABEL: define i64 @divide(
; CHECK: [[O:%.*]] = or i64 %a, %b
; CHECK-NEXT: [[F:%.*]] = freeze i64 [[O]]
; CHECK-NEXT: [[H:%.*]] = and i64 [[F]], -4294967296
; CHECK-NEXT: [[C:%.*]] = icmp eq i64 [[H]], 0
; CHECK: udiv i32
; CHECK: urem i32
; CHECK: sdiv i64 %a, %b
; CHECK: srem i64 %a, %b
; CHECK: phi i64
; CHECK: phi i64
; CHECK-NOT: phi
define i64 @divide(i64 %a, i64 %b) #0 {
  %q = sdiv i64 %a, %b
  %r = srem i64 %a, %b
  %s = xor i64 %q, %r
  ret i64 %s
}

; Operands that are known to be short need no test, constants and small code no short way.
; CHECK-LABEL: define i64 @short(
; CHECK: [[A:%.*]] = trunc i64 %x to i32
; CHECK: [[Q:%.*]] = udiv i32 [[A]]
; CHECK: zext i32 [[Q]] to i64
; CHECK: udiv i64 %a, 7
; CHECK-NOT: br
define i64 @short(i32 %n, i32 %m, i64 %a) #0 {
  %x = zext i32 %n to i64
  %y = zext i32 %m to i64
  %q = udiv i64 %x, %y
  %k = udiv i64 %a, 7
  %s = add i64 %q, %k
  ret i64 %s
}
; CHECK-LABEL: define i64 @small(
; CHECK-NEXT: udiv i64 %a, %b
define i64 @small(i64 %a, i64 %b) #1 {
  %q = udiv i64 %a, %b
  ret i64 %q
}

; A tail call returns itself.
; CHECK-LABEL: define i32 @tail(
; CHECK: %v = tail call i32 @get(i32 %x)
; CHECK-NEXT: ret i32 %v
; CHECK: notail call i32 @get(i32 2)
; CHECK-NEXT: br label %end
define i32 @tail(i32 %x) {
  switch i32 %x, label %end [
    i32 1, label %a
    i32 2, label %b
  ]
a:
  %v = tail call i32 @get(i32 %x)
  br label %end
b:
  %w = notail call i32 @get(i32 2)
  br label %end
end:
  %r = phi i32 [ %v, %a ], [ %w, %b ], [ 0, %0 ]
  ret i32 %r
}

; Blocks that only lead on are passed by; where there are copies to make they stay, and where an address is taken.
; CHECK-LABEL: define i32 @empty(
; CHECK: br i1 %c, label %end, label %other
; CHECK-NOT: through:
; CHECK: keep:
; CHECK-NEXT: br label %last
define i32 @empty(i1 %c, i32 %x) {
  br i1 %c, label %through, label %other
through:
  br label %end
other:
  call void @use(i32 1)
  br i1 %c, label %keep, label %end
keep:
  br label %last
end:
  call void @use(i32 2)
  br label %last
last:
  %r = phi i32 [ 1, %keep ], [ 2, %end ]
  ret i32 %r
}

; What an indirectbr and other branches lead to is two blocks: copies for the first stand in the target.
; CHECK-LABEL: define i32 @indirect(
; CHECK: a:
; CHECK-NEXT: br label %[[B:.*]]
; CHECK: {{^ *}}[[D:[0-9]+]]:
; CHECK-NEXT: br label %[[B]]
; CHECK: {{^ *}}[[B]]:
; CHECK-NEXT: [[M:%.*]] = phi i32 [ [[N:%.*]], %a ], [ 1, %[[D]] ]
; CHECK-NEXT: [[N]] = add i32 [[M]], 1
; CHECK: indirectbr ptr %{{.*}}, [label %a, label %b]
define i32 @indirect(ptr %p) {
  br label %a
a:
  %i = phi i32 [ 1, %0 ], [ %n, %a ]
  %n = add i32 %i, 1
  %q = getelementptr ptr, ptr %p, i32 %n
  %t = load ptr, ptr %q
  indirectbr ptr %t, [label %a, label %b]
b:
  ret i32 %i
}

@table = global [2 x ptr] [ptr blockaddress(@indirect, %a), ptr blockaddress(@indirect, %b)]

declare void @use(i32)
declare void @usep(ptr)
declare i32 @get(i32)

attributes #0 = { "tune-cpu"="generic" }
attributes #1 = { optsize "tune-cpu"="generic" }

!0 = !{}
!1 = !{!"branch_weights", i32 1000, i32 1}
