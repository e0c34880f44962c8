; Address spaces 256 to 258 are what the segments GS, FS and SS address.
; RUN: llc -O0 -mtriple=x86_64-linux-gnu -verify-machineinstrs -o - %s | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -verify-machineinstrs -o - %s | FileCheck %s

; CHECK-LABEL: gs:
; CHECK:     movl %gs:16(,%r{{.*}},4), %eax
; CHECK-LABEL: fs:
; CHECK:     movsd %xmm0, %fs:(%rdi)
; CHECK-LABEL: ss:
; CHECK:     %ss:(%rdi)
; CHECK:     movq %rax, %ss:(%rdi)
; CHECK-LABEL: at:
; CHECK:     xaddq %rax, %fs:(%rdi)
; CHECK-LABEL: tp:
; CHECK:     movq %fs:0, %rax
; CHECK-LABEL: cp:
; CHECK:     mov{{.*}} %fs:(%rdi)
; CHECK-LABEL: v:
; CHECK:     movaps %fs:(%rdi), %xmm0
; CHECK-LABEL: call:
; CHECK:     %fs:(%rdi)
; CHECK-LABEL: cast:
; CHECK:     movq %rdi, %rax
; CHECK-LABEL: eq:
; CHECK:     testq %rdi, %rdi
define i32 @gs(i64 %i) { %p = getelementptr i32, ptr addrspace(256) inttoptr (i64 16 to ptr addrspace(256)), i64 %i
 %v = load i32, ptr addrspace(256) %p
 ret i32 %v }
define void @fs(ptr addrspace(257) %p, double %d) { store double %d, ptr addrspace(257) %p
 ret void }
define i64 @ss(ptr addrspace(258) %p, i64 %a) { %v = load i64, ptr addrspace(258) %p
 %w = add i64 %v, %a
 store i64 %w, ptr addrspace(258) %p
 ret i64 %w }
define i64 @at(ptr addrspace(257) %p, i64 %a) { %v = atomicrmw add ptr addrspace(257) %p, i64 %a seq_cst
 ret i64 %v }
define ptr @tp() { %v = call ptr @llvm.thread.pointer.p0()
 ret ptr %v }
define void @cp(ptr addrspace(257) %p, ptr %q) { call void @llvm.memcpy.p257.p0.i64(ptr addrspace(257) %p, ptr %q, i64 16, i1 false)
 ret void }
define <4 x i32> @v(ptr addrspace(257) %p) { %v = load <4 x i32>, ptr addrspace(257) %p
 ret <4 x i32> %v }
define i32 @call(ptr addrspace(257) %p) { %f = load ptr, ptr addrspace(257) %p
 %r = call i32 %f()
 ret i32 %r }
define ptr @cast(ptr addrspace(257) %p) { %v = addrspacecast ptr addrspace(257) %p to ptr
 ret ptr %v }
define i1 @eq(ptr addrspace(257) %p) { %v = icmp eq ptr addrspace(257) %p, null
 ret i1 %v }
