; Where indirect branches arrive stands a mark; jumps by a table say that they need none.
; RUN: llc -mtriple=x86_64-linux-gnu -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O0 -verify-machineinstrs %s -o - | FileCheck %s --check-prefix=O0
; RUN: llc -mtriple=x86_64-linux-gnu -filetype=obj %s -o %t.o
declare i32 @setjmp(ptr) returns_twice
declare i32 @__gxx_personality_v0(...)
declare i32 @callee(i32)

; The object says what it enforces.
; CHECK: .section .note.gnu.property,"a",@note
; CHECK-NEXT: .p2align 3
; CHECK-NEXT: .long 4
; CHECK-NEXT: .long 16
; CHECK-NEXT: .long 5
; CHECK-NEXT: .asciz "GNU"
; CHECK-NEXT: .long 3221225474
; CHECK-NEXT: .long 4
; CHECK-NEXT: .long 3
; CHECK-NEXT: .p2align 3

; CHECK-LABEL: twice:
; CHECK: endbr64
; CHECK: callq setjmp
; CHECK-NEXT: endbr64
; O0-LABEL: twice:
; O0: endbr64
; O0: callq setjmp
; O0-NEXT: endbr64
define i32 @twice(ptr %b) {
  %r = call i32 @setjmp(ptr %b) returns_twice
  ret i32 %r
}

; CHECK-LABEL: no_check:
; CHECK-NOT: endbr64
; CHECK: notrack callq *%rdi
; CHECK: notrack callq *%rbx
define void @no_check(ptr %f) nocf_check {
  call void %f() nocf_check
  tail call void %f() nocf_check
  ret void
}

; What is patched stands behind the mark.
; CHECK-LABEL: patched:
; CHECK: endbr64
; CHECK-NEXT: [[AT:.Lpatch[0-9]+]]:
; CHECK-NEXT: nopl (%rax)
; CHECK: .quad [[AT]]
define i32 @patched(i32 %x) "patchable-function-entry"="3" {
  ret i32 %x
}

; CHECK-LABEL: pad:
; CHECK: endbr64
; CHECK: callq callee
; CHECK: .Leh{{[0-9]+}}_3:
; CHECK-NEXT: endbr64
define i32 @pad() personality ptr @__gxx_personality_v0 {
  invoke i32 @callee(i32 1) to label %a unwind label %b
a:
  ret i32 0
b:
  %x = landingpad { ptr, i32 } cleanup
  ret i32 1
}

; CHECK-LABEL: table:
; CHECK: notrack jmpq *
; CHECK-NOT: endbr64
; CHECK: retq
; O0-LABEL: table:
; O0: notrack jmpq *
define i32 @table(i32 %n) {
entry:
  switch i32 %n, label %d [
    i32 0, label %c0
    i32 1, label %c1
    i32 2, label %c2
    i32 3, label %c3
    i32 4, label %c4
  ]
c0:
  %r0 = call i32 @callee(i32 10)
  br label %d
c1:
  %r1 = call i32 @callee(i32 11)
  br label %d
c2:
  %r2 = call i32 @callee(i32 12)
  br label %d
c3:
  %r3 = call i32 @callee(i32 13)
  br label %d
c4:
  %r4 = call i32 @callee(i32 14)
  br label %d
d:
  %p = phi i32 [ 5, %entry ], [ %r0, %c0 ], [ %r1, %c1 ], [ %r2, %c2 ], [ %r3, %c3 ], [ %r4, %c4 ]
  ret i32 %p
}

; CHECK-LABEL: computed:
; CHECK: endbr64
; CHECK-NEXT: jmpq *%rdi
; CHECK: endbr64
; CHECK-NEXT: movl $1, %eax
; CHECK: endbr64
; CHECK-NEXT: movl $2, %eax
define i32 @computed(ptr %p) {
  indirectbr ptr %p, [label %a, label %b]
a:
  ret i32 1
b:
  ret i32 2
}
@places = global [2 x ptr] [ptr blockaddress(@computed, %a), ptr blockaddress(@computed, %b)]
!llvm.module.flags = !{!0, !1}
!0 = !{i32 8, !"cf-protection-branch", i32 1}
!1 = !{i32 8, !"cf-protection-return", i32 1}
