; A module flag asks for the word of a variable.
; RUN: llc -mtriple=x86_64-unknown-linux-gnu %s -o - | FileCheck %s
; CHECK: movq __stack_chk_guard(%rip), %r
; CHECK: movq __stack_chk_guard(%rip), %r
define i32 @f(i32 %x) sspreq {
  ret i32 %x
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"stack-protector-guard", !"global"}
