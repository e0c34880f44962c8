; Inline assembly that clobbers the frame pointer stands between a push and a pop of it, below
; nothing that a leaf would keep in the red zone.
; RUN: llc -O2 -mtriple=x86_64-linux-gnu -verify-machineinstrs -o - %s | FileCheck %s
; RUN: not llc -mtriple=x86_64-linux-gnu -o - %S/Inputs/frame-pointer-operand.ll 2>&1 | FileCheck %s --check-prefix=NEEDS
; NEEDS: error: x86-64: in function f: the frame pointer as an operand in a function that addresses its frame by it is not supported

; CHECK-LABEL: f:
; CHECK:      movq %rsp, %rbp
; CHECK:      subq $
; CHECK:      pushq %rbp
; CHECK:      #APP
; CHECK:      nop
; CHECK:      #NO_APP
; CHECK-NEXT: popq %rbp
define i32 @f(i32 %x) "frame-pointer"="all" {
  %a = alloca i32
  store volatile i32 %x, ptr %a
  call void asm sideeffect "nop", "~{bp}"()
  %r = load volatile i32, ptr %a
  ret i32 %r
}

; CHECK-LABEL: without:
; CHECK:      pushq %rbp
; CHECK:      nop
; CHECK-NOT:  pop
; CHECK:      #NO_APP
; CHECK-NEXT: popq %rbp
define void @without() {
  call void asm sideeffect "nop", "~{bp}"()
  ret void
}
