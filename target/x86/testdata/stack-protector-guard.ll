; A kernel says by module flags where it has the word.
; RUN: llc -mtriple=x86_64-linux-gnu %s -o - | FileCheck %s
; CHECK: movq %gs:48, %rax
; CHECK: movq %gs:48, %r
define i32 @f(i32 %x) sspreq {
  ret i32 %x
}
!llvm.module.flags = !{!0, !1, !2}
!0 = !{i32 1, !"stack-protector-guard", !"tls"}
!1 = !{i32 1, !"stack-protector-guard-reg", !"gs"}
!2 = !{i32 1, !"stack-protector-guard-offset", i32 48}
