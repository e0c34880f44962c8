; bpf-adjust-opt holds comparisons and values back, bpf-aspace-simplify drops casts there and back,
; bpf-preserve-static-offset keeps offsets with their accesses, and says where it cannot.
; RUN: opt -mtriple=bpfel -passes='bpf-adjust-opt,function(bpf-aspace-simplify,bpf-preserve-static-offset)' -S %s 2>%t | FileCheck %s
; RUN: FileCheck --check-prefix=WARN %s < %t
; RUN: opt -mtriple=bpfel -passes='bpf-preserve-static-offset<allow-partial>' -S %s | FileCheck --check-prefix=PARTIAL %s

%s = type { i32, [4 x i32], i64 }
declare ptr @llvm.preserve.static.offset(ptr readnone)

; CHECK-LABEL: @compare(
; CHECK:         %t = trunc i64 %x to i32
; CHECK-NEXT:    [[C:%.*]] = call i1 @llvm.bpf.compare.i32.i32(i32 36, i32 %t, i32 64)
; CHECK-NEXT:    ret i1 [[C]]
define i1 @compare(i64 %x) {
  %t = trunc i64 %x to i32
  %c = icmp ult i32 %t, 64
  ret i1 %c
}

; CHECK-LABEL: @either(
; CHECK:         [[P:%.*]] = call i1 @llvm.bpf.passthrough.i1.i1(i32 {{[0-9]+}}, i1 %a)
; CHECK-NEXT:    %r = select i1 [[P]], i1 true, i1 %b
define i1 @either(i32 %x) {
  %a = icmp slt i32 %x, 3
  %b = icmp sgt i32 %x, 9
  %r = select i1 %a, i1 true, i1 %b
  ret i1 %r
}

; CHECK-LABEL: @speculation(
; CHECK:       inside:
; CHECK-NEXT:    [[P:%.*]] = call i32 @llvm.bpf.passthrough.i32.i32(i32 {{[0-9]+}}, i32 %v)
; CHECK-NEXT:    %e = zext i32 [[P]] to i64
define i8 @speculation(ptr %p, ptr %q) {
  %v = load i32, ptr %p
  %c = icmp ult i32 %v, 16
  br i1 %c, label %inside, label %out
inside:
  %e = zext i32 %v to i64
  %a = getelementptr i8, ptr %q, i64 %e
  %b = load i8, ptr %a
  ret i8 %b
out:
  ret i8 0
}

; CHECK-LABEL: @spaces(
; CHECK-NEXT:    %b = getelementptr inbounds i8, ptr addrspace(1) %p, i64 8
; CHECK-NEXT:    ret ptr addrspace(1) %b
define ptr addrspace(1) @spaces(ptr addrspace(1) %p) {
  %a = addrspacecast ptr addrspace(1) %p to ptr
  %b = getelementptr inbounds i8, ptr %a, i64 8
  %c = addrspacecast ptr %b to ptr addrspace(1)
  ret ptr addrspace(1) %c
}

; CHECK-LABEL: @offsets(
; CHECK-NEXT:    %b1 = call i32 (ptr, i1, i8, i8, i8, i1, ...) @llvm.bpf.getelementptr.and.load.i32(ptr readonly elementtype(%s) %p, i1 false, i8 0, i8 1, i8 2, i1 true, i32 immarg 0, i32 immarg 1, i64 immarg 2)
; CHECK-NEXT:    call void (i64, ptr, i1, i8, i8, i8, i1, ...) @llvm.bpf.getelementptr.and.store.i64(i64 7, ptr elementtype(%s) %p, i1 true, i8 0, i8 1, i8 3, i1 false, i32 immarg 0, i32 immarg 2)
; CHECK-NEXT:    ret i32 %b1
define i32 @offsets(ptr %p) {
  %m = call ptr @llvm.preserve.static.offset(ptr %p)
  %a = getelementptr inbounds %s, ptr %m, i32 0, i32 1
  %b = getelementptr inbounds [4 x i32], ptr %a, i64 0, i64 2
  %v = load i32, ptr %b
  %d = getelementptr %s, ptr %m, i32 0, i32 2
  store volatile i64 7, ptr %d
  ret i32 %v
}

; WARN: warning: <unknown>:0:0: in function varying i32 (ptr, i64): Non-constant offset in access to a field of a type marked with preserve_static_offset might be rejected by BPF verifier (pass -g option to get exact location)
; CHECK-LABEL: @varying(
; CHECK-NOT:     preserve
; CHECK:         ret
; PARTIAL-LABEL: @varying(
; PARTIAL:         call ptr @llvm.preserve.static.offset(ptr %p)
define i32 @varying(ptr %p, i64 %n) {
  %m = call ptr @llvm.preserve.static.offset(ptr %p)
  %a = getelementptr i32, ptr %m, i64 %n
  %v = load i32, ptr %a
  ret i32 %v
}
