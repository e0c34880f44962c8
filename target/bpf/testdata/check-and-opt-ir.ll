; bpf-check-and-opt-ir: barriers go, minima go back to the comparisons in loops, accesses keep
; their offsets, and memory of other address spaces is reached through casts.
; RUN: llc -mtriple=bpfel -O2 -stop-after=bpf-check-and-opt-ir %s -o - | FileCheck %s

%s = type { i32, i32, i32 }
@g = addrspace(1) global i32 5
declare i32 @llvm.umin.i32(i32, i32)
declare i64 @llvm.bpf.passthrough.i64.i64(i32, i64)
declare i1 @llvm.bpf.compare.i32.i32(i32, i32, i32)
declare i32 @llvm.bpf.getelementptr.and.load.i32(ptr, i1, i8, i8, i8, i1, ...)
declare void @llvm.bpf.getelementptr.and.store.i32(i32, ptr, i1, i8, i8, i8, i1, ...)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)

; CHECK-LABEL: define i64 @barrier(
; CHECK-NEXT:    %y = add i64 %x, %x
; CHECK-NEXT:    ret i64 %y
define i64 @barrier(i64 %x) {
  %p = call i64 @llvm.bpf.passthrough.i64.i64(i32 3, i64 %x)
  %y = add i64 %p, %p
  ret i64 %y
}

; CHECK-LABEL: define i32 @access(
; CHECK:         %a1 = getelementptr inbounds %s, ptr %p, i32 0, i32 2
; CHECK-NEXT:    [[V:%.*]] = load volatile i32, ptr %a1, align 4, !tbaa
; CHECK-NEXT:    [[A:%.*]] = getelementptr i8, ptr %p, i64 12
; CHECK-NEXT:    store atomic i32 [[V]], ptr [[A]] syncscope("singlethread") release, align 8
; CHECK-NEXT:    [[C:%.*]] = icmp ult i32 [[V]], 3
; CHECK-NEXT:    %z = zext i1 [[C]] to i32
define i32 @access(ptr %p) {
  %a = call i32 (ptr, i1, i8, i8, i8, i1, ...) @llvm.bpf.getelementptr.and.load.i32(ptr elementtype(%s) %p, i1 true, i8 0, i8 1, i8 2, i1 true, i32 0, i32 2), !tbaa !0
  call void (i32, ptr, i1, i8, i8, i8, i1, ...) @llvm.bpf.getelementptr.and.store.i32(i32 %a, ptr elementtype(i8) %p, i1 false, i8 5, i8 0, i8 3, i1 false, i64 12)
  %c = call i1 @llvm.bpf.compare.i32.i32(i32 36, i32 %a, i32 3)
  %z = zext i1 %c to i32
  ret i32 %z
}

; CHECK-LABEL: define i64 @minimum(
; CHECK-NOT:     umin
; CHECK:       loop:
; CHECK:         [[A:%.*]] = zext i32 %a to i64
; CHECK-NEXT:    [[X:%.*]] = icmp ult i64 %i1, [[A]]
; CHECK-NEXT:    [[Y:%.*]] = icmp ult i64 %i1, 10
; CHECK-NEXT:    [[B:%.*]] = select i1 [[X]], i1 [[Y]], i1 false
; CHECK-NEXT:    br i1 [[B]], label %loop, label %out
define i64 @minimum(i32 %a) {
entry:
  %m = call i32 @llvm.umin.i32(i32 %a, i32 10)
  %e = zext i32 %m to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %i1 = add i64 %i, 1
  %c = icmp ult i64 %i1, %e
  br i1 %c, label %loop, label %out
out:
  ret i64 %i
}

; CHECK-LABEL: define i32 @space(
; CHECK:         %p1 = addrspacecast ptr addrspace(1) %p to ptr
; CHECK:         [[A:%.*]] = getelementptr i32, ptr %p1, i64 3
; CHECK-NEXT:    [[B:%.*]] = getelementptr i32, ptr [[A]], i64 4
; CHECK-NEXT:    %v = load i32, ptr [[B]]
; CHECK-NEXT:    %w = load i32, ptr addrspacecast (ptr addrspace(1) @g to ptr)
; CHECK-NEXT:    call void @llvm.memcpy.p0.p0.i64(ptr align 4 [[A]], ptr %q, i64 16, i1 false)
; CHECK-NEXT:    add
define i32 @space(ptr addrspace(1) %p, ptr %q) {
  %a = getelementptr i32, ptr addrspace(1) %p, i64 3
  %b = getelementptr i32, ptr addrspace(1) %a, i64 4
  %v = load i32, ptr addrspace(1) %b
  %w = load i32, ptr addrspace(1) @g
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) align 4 %a, ptr %q, i64 16, i1 false)
  %r = add i32 %v, %w
  ret i32 %r
}

; What barriers kept apart is one again; what is written between keeps loads apart.
; CHECK-LABEL: define i64 @equal(
; CHECK-NEXT:    %a = getelementptr i8, ptr %p, i64 8
; CHECK-NEXT:    %v = load i64, ptr %a
; CHECK-NEXT:    store i64 %v, ptr %q
; CHECK-NEXT:    %x = load i64, ptr %a
; CHECK-NEXT:    [[S:%.*]] = add i64 %v, %v
define i64 @equal(ptr %p, ptr %q) {
  %a = getelementptr i8, ptr %p, i64 8
  %pa = call ptr @llvm.bpf.passthrough.p0.p0(i32 0, ptr %a)
  %v = load i64, ptr %pa
  %b = getelementptr i8, ptr %p, i64 8
  %pb = call ptr @llvm.bpf.passthrough.p0.p0(i32 1, ptr %b)
  %w = load i64, ptr %pb
  store i64 %w, ptr %q
  %x = load i64, ptr %pb
  %s = add i64 %v, %w
  %r = add i64 %s, %x
  ret i64 %r
}
declare ptr @llvm.bpf.passthrough.p0.p0(i32, ptr)

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"tbaa"}
