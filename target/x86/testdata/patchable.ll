; Places that tools change while the program runs, and data before and behind the label.
; RUN: llc -mtriple=x86_64-linux-gnu -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -filetype=obj %s -o %t.o
declare void @use(ptr)

; CHECK-LABEL: entry:
; CHECK-NEXT: .Lfunc_begin0:
; CHECK-NEXT: .cfi_startproc
; CHECK-NEXT: # %bb.0:
; CHECK-NEXT: nopl (%rax)
; CHECK-NEXT: movl %edi, %eax
; CHECK: .section __patchable_function_entries,"awo",@progbits,entry
; CHECK-NEXT: .p2align 3
; CHECK-NEXT: .quad .Lfunc_begin0
; CHECK-NEXT: .text
define i32 @entry(i32 %x) "patchable-function-entry"="3" {
  ret i32 %x
}

; CHECK-LABEL: long:
; CHECK: nopw %cs:512(%rax,%rax)
; CHECK-NEXT: nopl (%rax)
; CHECK-NEXT: movl
; CHECK: .section __patchable_function_entries,"awoG",@progbits,long,cd,comdat
$cd = comdat any
define i32 @long(i32 %x) "patchable-function-entry"="13" comdat($cd) {
  ret i32 %x
}

; Before the label nops are of one byte each.
; CHECK: .Lpatch2:
; CHECK-NEXT: nop
; CHECK-NEXT: nop
; CHECK-NEXT: before:
; CHECK: nopl 8(%rax,%rax)
; CHECK-NEXT: movl
; CHECK: .section abc,"awo",@progbits,before
; CHECK-NEXT: .p2align 3
; CHECK-NEXT: .quad .Lpatch2
define i32 @before(i32 %x) "patchable-function-entry"="5" "patchable-function-prefix"="2" "patchable-function-entry-section"="abc" {
  ret i32 %x
}

; A first instruction of two bytes or more can be changed at once; a shorter one gets a nop before it.
; CHECK-LABEL: redirect:
; CHECK-NOT: nop
; CHECK: movl %edi, %eax
; CHECK-LABEL: redirect_short:
; CHECK: xchgw %ax, %ax
; CHECK-NEXT: retq
; CHECK-LABEL: redirect_push:
; CHECK: xchgw %ax, %ax
; CHECK-NEXT: pushq %rax
define i32 @redirect(i32 %x) "patchable-function"="prologue-short-redirect" {
  ret i32 %x
}
define void @redirect_short() "patchable-function"="prologue-short-redirect" {
  ret void
}
define void @redirect_push() "patchable-function"="prologue-short-redirect" {
  call void @use(ptr null)
  ret void
}

; CHECK-LABEL: fentry:
; CHECK: callq __fentry__
; CHECK-NEXT: pushq %rax
define void @fentry() "fentry-call"="true" {
  call void @use(ptr null)
  ret void
}

; CHECK: .long 123
; CHECK-NEXT: .quad fentry
; CHECK-NEXT: data:
; CHECK-NEXT: .cfi_startproc
; CHECK-NEXT: .byte 144
; CHECK-NEXT: # %bb.0:
; CHECK-NEXT: movl
define i32 @data(i32 %x) prefix <{ i32, ptr }> <{ i32 123, ptr @fentry }> prologue i8 144 {
  ret i32 %x
}
