; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu %s -o - | FileCheck %s

; %a and %b share a slot, which stands under the name of the one whose address does
; not escape. A store through a loaded pointer, which is that of %b, writes it all
; the same: the load of %w is not sunk below it.
; CHECK-LABEL: escapes:
; CHECK: movl %eax, -64(%rsp)
; CHECK: movl -64(%rsp,%r8,4), [[W:%e[a-z]+]]
; CHECK: movl $77,
; CHECK: imull {{.*}}[[W]]
@g = global ptr null
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
define i32 @escapes(i32 %x, i32 %y, i64 %i, i64 %j, i64 %k) {
  %a = alloca [16 x i32]
  %b = alloca [16 x i32]
  call void @llvm.lifetime.start.p0(ptr %a)
  %pa = getelementptr i32, ptr %a, i64 %i
  store i32 3, ptr %pa
  %qa = getelementptr i32, ptr %a, i64 %j
  %v0 = load i32, ptr %qa
  call void @llvm.lifetime.end.p0(ptr %a)
  call void @llvm.lifetime.start.p0(ptr %b)
  %pb = getelementptr i32, ptr %b, i64 %k
  store i32 %v0, ptr %b
  store ptr %b, ptr @g
  %p = load ptr, ptr @g
  %w = load i32, ptr %pb
  %c = icmp eq i32 %x, %y
  br i1 %c, label %mid, label %ex
mid:
  store i32 77, ptr %p
  %c2 = icmp slt i32 %v0, %y
  br i1 %c2, label %to, label %no
ex:
  %c3 = icmp slt i32 %v0, 9
  br i1 %c3, label %to, label %no
to:
  %w1 = mul i32 %w, %y
  ret i32 %w1
no:
  ret i32 %v0
}
