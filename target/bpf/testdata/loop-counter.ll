; RUN: llc -mtriple=bpfel -mcpu=v3 -O2 -verify-machineinstrs %s -o - | FileCheck %s

; The kernel's verifier goes round this loop and knows the counter in each round; of two
; pointers into the stack it would not know that they are equal at the end.
; CHECK-LABEL: same:
; CHECK: if r{{[0-9]+}} {{==|!=}} {{0|64}} goto
; CHECK-NOT: if r{{[0-9]+}} {{==|!=}} r{{[0-9]+}} goto
; CHECK: exit
declare void @fill(ptr, ptr)
define i32 @same() {
entry:
  %a = alloca [64 x i8], align 8
  %b = alloca [64 x i8], align 8
  call void @fill(ptr %a, ptr %b)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %p = getelementptr i8, ptr %a, i64 %i
  %q = getelementptr i8, ptr %b, i64 %i
  %x = load i8, ptr %p
  %y = load i8, ptr %q
  %c = icmp eq i8 %x, %y
  br i1 %c, label %next, label %no
next:
  %i1 = add nuw nsw i64 %i, 1
  %d = icmp eq i64 %i1, 64
  br i1 %d, label %yes, label %loop
yes:
  ret i32 0
no:
  ret i32 1
}
