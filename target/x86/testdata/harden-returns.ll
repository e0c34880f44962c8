; Returns by a thunk, and traps behind what leaves a block.
; RUN: llc -mtriple=x86_64-linux-gnu -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O0 -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -filetype=obj %s -o %t.o

; CHECK-LABEL: thunk:
; CHECK-NOT: retq
; CHECK: cs
; CHECK-NEXT: jmp __x86_return_thunk
define i32 @thunk(i32 %x) fn_ret_thunk_extern {
  ret i32 %x
}

; CHECK-LABEL: __x86_return_thunk:
; CHECK: retq
define void @__x86_return_thunk() fn_ret_thunk_extern {
  ret void
}

; CHECK-LABEL: returns:
; CHECK: retq
; CHECK-NEXT: int3
define i32 @returns(i32 %x) "target-features"="+harden-sls-ret" {
  ret i32 %x
}

; CHECK-LABEL: jumps:
; CHECK: jmpq *
; CHECK-NEXT: int3
; CHECK: retq
; CHECK-NOT: int3
; CHECK-LABEL: plain:
; CHECK-NOT: int3
define i32 @jumps(ptr %p) "target-features"="+harden-sls-ijmp" {
  indirectbr ptr %p, [label %a, label %b]
a:
  ret i32 1
b:
  ret i32 2
}
define i32 @plain(i32 %x) {
  ret i32 %x
}
!llvm.module.flags = !{!0}
!0 = !{i32 4, !"indirect_branch_cs_prefix", i32 1}
