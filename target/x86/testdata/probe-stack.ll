; Frames of more than a page are entered page by page.
; RUN: llc -mtriple=x86_64-linux-gnu -verify-machineinstrs %s -o - | FileCheck %s
declare void @use(ptr)

; CHECK-LABEL: small:
; CHECK: subq $1000, %rsp
; CHECK-NEXT: .cfi_def_cfa_offset
; CHECK-NOT: movq $0
; CHECK-LABEL: unrolled:
; CHECK: subq $4096, %rsp
; CHECK-NEXT: .cfi_adjust_cfa_offset 4096
; CHECK-NEXT: movq $0, (%rsp)
; CHECK-NEXT: subq $4096, %rsp
; CHECK-NEXT: .cfi_adjust_cfa_offset 4096
; CHECK-NEXT: movq $0, (%rsp)
; CHECK-NEXT: subq $1816, %rsp
; CHECK-NEXT: .cfi_def_cfa_offset 10016
define void @small() "probe-stack"="inline-asm" {
  %a = alloca [1000 x i8]
  call void @use(ptr %a)
  ret void
}
define void @unrolled() "probe-stack"="inline-asm" {
  %a = alloca [10000 x i8]
  call void @use(ptr %a)
  ret void
}

; CHECK-LABEL: loop:
; CHECK: movq %rsp, %r11
; CHECK-NEXT: subq $98304, %r11
; CHECK-NEXT: .cfi_def_cfa_register %r11
; CHECK-NEXT: .cfi_adjust_cfa_offset 98304
; CHECK-NEXT: [[L:.LBB[0-9_]+]]:
; CHECK-NEXT: subq $4096, %rsp
; CHECK-NEXT: movq $0, (%rsp)
; CHECK-NEXT: cmpq %r11, %rsp
; CHECK-NEXT: jne [[L]]
; CHECK-NEXT: # %bb.2:
; CHECK-NEXT: subq $1704, %rsp
; CHECK-NEXT: .cfi_def_cfa_register %rsp
; CHECK-NEXT: .cfi_def_cfa_offset 100016
define void @loop() "probe-stack"="inline-asm" {
  %a = alloca [100000 x i8]
  call void @use(ptr %a)
  ret void
}

; CHECK-LABEL: sized:
; CHECK: subq $10008, %rsp
; CHECK-NOT: movq $0
; CHECK-LABEL: no_probe:
; CHECK: subq $10008, %rsp
; CHECK-LABEL: function:
; CHECK: movl $10008, %eax
; CHECK-NEXT: callq __probe
; CHECK-NEXT: subq %rax, %rsp
; CHECK-NEXT: .cfi_def_cfa_offset 10016
; CHECK-LABEL: few:
; CHECK-NOT: __probe
define void @sized() "probe-stack"="inline-asm" "stack-probe-size"="16384" {
  %a = alloca [10000 x i8]
  call void @use(ptr %a)
  ret void
}
define void @no_probe() "probe-stack"="inline-asm" "no-stack-arg-probe" {
  %a = alloca [10000 x i8]
  call void @use(ptr %a)
  ret void
}
define void @function() "probe-stack"="__probe" {
  %a = alloca [10000 x i8]
  call void @use(ptr %a)
  ret void
}
define void @few() "probe-stack"="__probe" {
  %a = alloca [1000 x i8]
  call void @use(ptr %a)
  ret void
}

; Objects of variable size are entered so, too.
; CHECK-LABEL: variable:
; CHECK: subq %rax, [[AT:%r[a-z]+]]
; CHECK: cmpq %rsp, [[AT]]
; CHECK-NEXT: jge [[REST:.LBB[0-9_]+]]
; CHECK: xorq $0, (%rsp)
; CHECK-NEXT: subq $4096, %rsp
; CHECK: [[REST]]:
; CHECK-NEXT: movq [[AT]], %rsp
define void @variable(i64 %n) "probe-stack"="inline-asm" {
  %a = alloca i8, i64 %n
  call void @use(ptr %a)
  ret void
}
