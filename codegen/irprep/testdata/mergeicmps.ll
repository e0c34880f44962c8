; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -stop-after=mergeicmps %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -verify-machineinstrs %s -o - | FileCheck %s --check-prefix=ASM
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -run-pass=mergeicmps %s -o - | FileCheck %s

; Fields that follow each other, however the blocks stand and are asked.
; CHECK-LABEL: define i1 @fields(
; CHECK-NEXT: entry:
; CHECK-NEXT: [[V:%.*]] = call i32 @memcmp(ptr %a, ptr %b, i64 16)
; CHECK-NEXT: [[E:%.*]] = icmp eq i32 [[V]], 0
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK-NEXT: phi i1 [ [[E]], %entry ]
; ASM-LABEL: fields:
; ASM-NOT: memcmp
; ASM: retq
define i1 @fields(ptr dereferenceable(16) %a, ptr dereferenceable(16) %b) {
entry:
  %a2 = getelementptr inbounds i8, ptr %a, i64 8
  %x2 = load i64, ptr %a2, align 8
  %b2 = getelementptr inbounds i8, ptr %b, i64 8
  %y2 = load i64, ptr %b2, align 8
  %c2 = icmp eq i64 %x2, %y2
  br i1 %c2, label %first, label %end
second:
  %a1 = getelementptr inbounds i8, ptr %a, i64 4
  %x1 = load i32, ptr %a1, align 4
  %b1 = getelementptr inbounds i8, ptr %b, i64 4
  %y1 = load i32, ptr %b1, align 4
  %c1 = icmp eq i32 %y1, %x1
  br label %end
first:
  %x = load i32, ptr %a, align 4
  %y = load i32, ptr %b, align 4
  %c = icmp ne i32 %x, %y
  br i1 %c, label %end, label %second
end:
  %r = phi i1 [ %c1, %second ], [ false, %entry ], [ false, %first ]
  ret i1 %r
}

; A hole between the fields: two comparisons, in their order, the first of which stays one.
; CHECK-LABEL: define i1 @hole(
; CHECK: entry:
; CHECK: load i32
; CHECK: load i32
; CHECK: br i1 {{.*}}, label %[[N:.*]], label %end
; CHECK: [[N]]:
; CHECK: call i32 @memcmp(ptr {{.*}}, ptr {{.*}}, i64 8)
; CHECK: end:
; CHECK-NEXT: phi i1 [ false, %entry ], [ {{.*}}, %[[N]] ]
define i1 @hole(ptr dereferenceable(32) %a, ptr dereferenceable(32) %b) {
entry:
  %x = load i32, ptr %a, align 4
  %y = load i32, ptr %b, align 4
  %c = icmp eq i32 %x, %y
  br i1 %c, label %second, label %end
second:
  %a1 = getelementptr inbounds i8, ptr %a, i64 8
  %x1 = load i32, ptr %a1, align 4
  %b1 = getelementptr inbounds i8, ptr %b, i64 8
  %y1 = load i32, ptr %b1, align 4
  %c1 = icmp eq i32 %y1, %x1
  br i1 %c1, label %third, label %end
third:
  %a2 = getelementptr inbounds i8, ptr %a, i64 12
  %x2 = load i32, ptr %a2, align 4
  %b2 = getelementptr inbounds i8, ptr %b, i64 12
  %y2 = load i32, ptr %b2, align 4
  %c2 = icmp eq i32 %y2, %x2
  br label %end
end:
  %r = phi i1 [ false, %entry ], [ false, %second ], [ %c2, %third ]
  ret i1 %r
}

; Other work of the first block is done before the call, a store that cannot
; touch what is compared included.
; CHECK-LABEL: define i1 @work(
; CHECK: entry:
; CHECK-NEXT: %w = add i64 %v, 1
; CHECK-NEXT: store i64 %w, ptr %l
; CHECK-NEXT: call i32 @memcmp(
; CHECK: ret i1
define i1 @work(ptr dereferenceable(16) %a, ptr dereferenceable(16) %b, ptr noalias %l, i64 %v) {
entry:
  %x = load i64, ptr %a, align 8
  %w = add i64 %v, 1
  %y = load i64, ptr %b, align 8
  store i64 %w, ptr %l
  %c = icmp eq i64 %x, %y
  br i1 %c, label %second, label %end
second:
  %a1 = getelementptr inbounds i8, ptr %a, i64 8
  %x1 = load i64, ptr %a1, align 4
  %b1 = getelementptr inbounds i8, ptr %b, i64 8
  %y1 = load i64, ptr %b1, align 4
  %c1 = icmp eq i64 %y1, %x1
  br label %end
end:
  %r = phi i1 [ false, %entry ], [ %c1, %second ]
  ret i1 %r
}

; A store that may: two blocks are left, the second of which is alone.
; CHECK-LABEL: define i1 @clobbered(
; CHECK-NOT: memcmp
; CHECK: ret i1
define i1 @clobbered(ptr dereferenceable(16) %a, ptr dereferenceable(16) %b, ptr %l, i64 %v) {
entry:
  %x = load i64, ptr %a, align 8
  %y = load i64, ptr %b, align 8
  store i64 %v, ptr %l
  %c = icmp eq i64 %x, %y
  br i1 %c, label %second, label %end
second:
  %a1 = getelementptr inbounds i8, ptr %a, i64 8
  %x1 = load i64, ptr %a1, align 4
  %b1 = getelementptr inbounds i8, ptr %b, i64 8
  %y1 = load i64, ptr %b1, align 4
  %c1 = icmp eq i64 %y1, %x1
  br label %end
end:
  %r = phi i1 [ false, %entry ], [ %c1, %second ]
  ret i1 %r
}

; A block that cannot be split, at the start, is left out.
; CHECK-LABEL: define i1 @later(
; CHECK: entry:
; CHECK: br i1 %c, label %second, label %end
; CHECK: second:
; CHECK: call i32 @memcmp(ptr {{.*}}, ptr {{.*}}, i64 16)
; CHECK: phi i1 [ false, %entry ], [ {{.*}}, %second ]
define i1 @later(ptr dereferenceable(24) %a, ptr dereferenceable(24) %b, ptr %l) {
entry:
  %x = load i64, ptr %a, align 8
  %y = load i64, ptr %b, align 8
  store i64 %y, ptr %l
  %c = icmp eq i64 %x, %y
  br i1 %c, label %second, label %end
second:
  %a1 = getelementptr inbounds i8, ptr %a, i64 8
  %x1 = load i64, ptr %a1, align 4
  %b1 = getelementptr inbounds i8, ptr %b, i64 8
  %y1 = load i64, ptr %b1, align 4
  %c1 = icmp eq i64 %y1, %x1
  br i1 %c1, label %third, label %end
third:
  %a2 = getelementptr inbounds i8, ptr %a, i64 16
  %x2 = load i64, ptr %a2, align 4
  %b2 = getelementptr inbounds i8, ptr %b, i64 16
  %y2 = load i64, ptr %b2, align 4
  %c2 = icmp eq i64 %y2, %x2
  br label %end
end:
  %r = phi i1 [ false, %entry ], [ false, %second ], [ %c2, %third ]
  ret i1 %r
}

; What may not be there is not read before it is asked; a volatile load is one
; load; a result that is read elsewhere stays; memcmp must not be called.
; CHECK-LABEL: define i1 @short(
; CHECK-NOT: memcmp
; CHECK-LABEL: define i1 @volatile(
; CHECK-NOT: memcmp
; CHECK-LABEL: define i1 @used(
; CHECK-NOT: memcmp
; CHECK-LABEL: define i1 @free(
; CHECK-NOT: memcmp
; CHECK: ret i1
define i1 @short(ptr dereferenceable(8) %a, ptr dereferenceable(16) %b) {
entry:
  %x = load i64, ptr %a, align 8
  %y = load i64, ptr %b, align 8
  %c = icmp eq i64 %x, %y
  br i1 %c, label %second, label %end
second:
  %a1 = getelementptr inbounds i8, ptr %a, i64 8
  %x1 = load i64, ptr %a1, align 4
  %b1 = getelementptr inbounds i8, ptr %b, i64 8
  %y1 = load i64, ptr %b1, align 4
  %c1 = icmp eq i64 %y1, %x1
  br label %end
end:
  %r = phi i1 [ false, %entry ], [ %c1, %second ]
  ret i1 %r
}

define i1 @volatile(ptr dereferenceable(16) %a, ptr dereferenceable(16) %b) {
entry:
  %x = load volatile i64, ptr %a, align 8
  %y = load i64, ptr %b, align 8
  %c = icmp eq i64 %x, %y
  br i1 %c, label %second, label %end
second:
  %a1 = getelementptr inbounds i8, ptr %a, i64 8
  %x1 = load i64, ptr %a1, align 4
  %b1 = getelementptr inbounds i8, ptr %b, i64 8
  %y1 = load i64, ptr %b1, align 4
  %c1 = icmp eq i64 %y1, %x1
  br label %end
end:
  %r = phi i1 [ false, %entry ], [ %c1, %second ]
  ret i1 %r
}

define i1 @used(ptr dereferenceable(16) %a, ptr dereferenceable(16) %b) {
entry:
  %x = load i64, ptr %a, align 8
  %y = load i64, ptr %b, align 8
  %c = icmp eq i64 %x, %y
  br i1 %c, label %second, label %end
second:
  %a1 = getelementptr inbounds i8, ptr %a, i64 8
  %x1 = load i64, ptr %a1, align 4
  %b1 = getelementptr inbounds i8, ptr %b, i64 8
  %y1 = load i64, ptr %b1, align 4
  %c1 = icmp eq i64 %y1, %x1
  br label %end
end:
  %r = phi i1 [ false, %entry ], [ %c1, %second ]
  %s = phi i64 [ %x, %entry ], [ 0, %second ]
  store i64 %s, ptr %a
  ret i1 %r
}

define i1 @free(ptr dereferenceable(16) %a, ptr dereferenceable(16) %b) "no-builtin-memcmp" {
entry:
  %x = load i64, ptr %a, align 8
  %y = load i64, ptr %b, align 8
  %c = icmp eq i64 %x, %y
  br i1 %c, label %second, label %end
second:
  %a1 = getelementptr inbounds i8, ptr %a, i64 8
  %x1 = load i64, ptr %a1, align 4
  %b1 = getelementptr inbounds i8, ptr %b, i64 8
  %y1 = load i64, ptr %b1, align 4
  %c1 = icmp eq i64 %y1, %x1
  br label %end
end:
  %r = phi i1 [ false, %entry ], [ %c1, %second ]
  ret i1 %r
}

; More than loads would be good for: a call.
; ASM-LABEL: long:
; ASM: callq memcmp
define i1 @long(ptr dereferenceable(128) %a, ptr dereferenceable(128) %b) minsize {
entry:
  %x = load i64, ptr %a, align 8
  %y = load i64, ptr %b, align 8
  %c = icmp eq i64 %x, %y
  br i1 %c, label %second, label %end
second:
  %a1 = getelementptr inbounds i8, ptr %a, i64 8
  %x1 = load i64, ptr %a1, align 4
  %b1 = getelementptr inbounds i8, ptr %b, i64 8
  %y1 = load i64, ptr %b1, align 4
  %c1 = icmp eq i64 %y1, %x1
  br label %end
end:
  %r = phi i1 [ false, %entry ], [ %c1, %second ]
  ret i1 %r
}
