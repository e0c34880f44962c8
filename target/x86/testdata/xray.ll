; Sleds where functions begin and end, and the table of them.
; RUN: llc -mtriple=x86_64-linux-gnu -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -filetype=obj %s -o %t.o
declare i32 @callee(i32)

; CHECK-LABEL: always:
; CHECK-NEXT: .Lfunc_begin0:
; CHECK: .p2align 1
; CHECK-NEXT: .Lxray_sled_0_0:
; CHECK-NEXT: .ascii "\353\t"
; CHECK-NEXT: nopw 512(%rax,%rax)
; CHECK-NEXT: pushq %rbx
; CHECK: .p2align 1
; CHECK-NEXT: .Lxray_sled_0_1:
; CHECK-NEXT: retq
; CHECK-NEXT: nopw %cs:512(%rax,%rax)
; CHECK: .section xray_instr_map,"ao",@progbits,always
; CHECK-NEXT: .Lxray_sleds_start0:
; CHECK-NEXT: [[E:.Lxray_entry_0_0]]:
; CHECK-NEXT: .quad .Lxray_sled_0_0-[[E]]
; CHECK-NEXT: .quad .Lfunc_begin0-([[E]]+8)
; CHECK-NEXT: .byte 0
; CHECK-NEXT: .byte 1
; CHECK-NEXT: .byte 2
; CHECK-NEXT: .zero 13
; CHECK-NEXT: [[X:.Lxray_entry_0_1]]:
; CHECK-NEXT: .quad .Lxray_sled_0_1-[[X]]
; CHECK-NEXT: .quad .Lfunc_begin0-([[X]]+8)
; CHECK-NEXT: .byte 1
; CHECK-NEXT: .byte 1
; CHECK-NEXT: .byte 2
; CHECK-NEXT: .zero 13
; CHECK-NEXT: .Lxray_sleds_end0:
; CHECK-NEXT: .section xray_fn_idx,"ao",@progbits,always
; CHECK-NEXT: .p2align 3
; CHECK-NEXT: .Lxray_fn_idx0:
; CHECK-NEXT: .quad .Lxray_sleds_start0-.Lxray_fn_idx0
; CHECK-NEXT: .quad 2
define i32 @always(i32 %x) "function-instrument"="xray-always" {
  %r = call i32 @callee(i32 %x)
  %s = add i32 %r, %x
  ret i32 %s
}

; CHECK-LABEL: jump:
; CHECK: .Lxray_sled_1_1:
; CHECK-NEXT: .ascii "\353\t"
; CHECK-NEXT: nopw 512(%rax,%rax)
; CHECK-NEXT: jmp callee
define i32 @jump(i32 %x) "xray-instruction-threshold"="1" "xray-log-args"="1" {
  %r = tail call i32 @callee(i32 %x)
  ret i32 %r
}

; CHECK-LABEL: never:
; CHECK-NOT: xray
define i32 @never(i32 %x) "function-instrument"="xray-never" "xray-instruction-threshold"="1" {
  ret i32 %x
}

; A tail call under a condition is an exit on one way only: what is before it is not on the other.
; CHECK-LABEL: sometimes:
; CHECK: jae .LBB
; CHECK: .Lxray_sled_3_1:
; CHECK-NEXT: .ascii "\353\t"
; CHECK-NEXT: nopw 512(%rax,%rax)
; CHECK-NEXT: jmp other
define void @sometimes(i32 %x, i32 %y) "function-instrument"="xray-always" {
  %c = icmp ult i32 %x, %y
  br i1 %c, label %a, label %b
a:
  tail call void @other()
  ret void
b:
  store volatile i32 3, ptr @g
  ret void
}
@g = global i32 0
declare void @other()
