; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -asm-verbose=false %s -o - | FileCheck %s --check-prefix=TERSE
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O0 %s -o - | FileCheck %s --check-prefix=SPILL

; Where blocks come from, how they stand to the loops; what saves and loads registers.
; CHECK-LABEL: f:
; CHECK: {{^}}# %bb.0: # %entry
; CHECK: .LBB0_1: # %outer
; CHECK-NEXT: # =>This Loop Header: Depth=1
; CHECK-NEXT: #     Child Loop BB0_2 Depth 2
; CHECK-NEXT: #       Child Loop BB0_3 Depth 3
; CHECK-NEXT: #     Child Loop BB0_7 Depth 2
; CHECK: .LBB0_3: # %inner
; CHECK-NEXT: #   Parent Loop BB0_1 Depth=1
; CHECK-NEXT: #     Parent Loop BB0_2 Depth=2
; CHECK-NEXT: # =>    This Inner Loop Header: Depth=3
; CHECK: {{^}}# %bb.5: # %"a b"
; CHECK-NEXT: # in Loop: Header=BB0_1 Depth=1
; CHECK: {{^}}# %bb.6: # in Loop: Header=BB0_1 Depth=1
; CHECK: .LBB0_9: # %exit
; TERSE-NOT: # {{(%|=>|in Loop)}}
; SPILL: movl %{{.*}}(%rsp) # 4-byte Spill
; SPILL: movl {{.*}}(%rsp), %{{.*}} # 4-byte Reload
declare void @g(i32)
define void @f(i32 %n, ptr %p) {
entry:
  br label %outer
outer:
  %i = phi i32 [0, %entry], [%i1, %latch]
  call void @g(i32 %i)
  br label %mid
mid:
  %k = phi i32 [0, %outer], [%k1, %midl]
  br label %inner
inner:
  %j = phi i32 [0, %mid], [%j1, %inner]
  call void @g(i32 %j)
  %j1 = add i32 %j, 1
  %c = icmp slt i32 %j1, %n
  br i1 %c, label %inner, label %midl
midl:
  call void @g(i32 0)
  %k1 = add i32 %k, 1
  %ck = icmp slt i32 %k1, %n
  br i1 %ck, label %mid, label %"a b"
"a b":
  %q = load i32, ptr %p
  %z = icmp eq i32 %q, 0
  br i1 %z, label %0, label %latch
0:
  call void @g(i32 7)
  br label %second
second:
  %v = phi i32 [0, %0], [%v1, %second]
  call void @g(i32 %v)
  %v1 = add i32 %v, 1
  %c1 = icmp slt i32 %v1, %n
  br i1 %c1, label %second, label %latch
latch:
  %i1 = add i32 %i, 1
  %d = icmp slt i32 %i1, %n
  br i1 %d, label %outer, label %exit
exit:
  ret void
}
