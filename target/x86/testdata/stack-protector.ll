; Which functions get a word before the return address that must not have changed, and what stands next to it.
; RUN: llc -mtriple=x86_64-linux-gnu -O2 -relocation-model=pic -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O0 -relocation-model=pic -verify-machineinstrs %s -o - | FileCheck %s --check-prefix=O0
; RUN: llc -mtriple=x86_64-linux-gnu -O2 -stop-after=irtranslator %s -o - | FileCheck %s --check-prefix=MIR
declare void @use(ptr)
declare void @use3(ptr, ptr, ptr)
declare i32 @callee(i32)
declare void @throw() noreturn

; From high addresses to low: the word, large arrays, small ones, what has its address taken.
; CHECK-LABEL: order:
; CHECK: subq $56, %rsp
; CHECK: movq %fs:40, %rax
; CHECK-NEXT: movq %rax, 48(%rsp)
; CHECK-NEXT: leaq 8(%rsp), %rdi
; CHECK-NEXT: leaq 12(%rsp), %rsi
; CHECK-NEXT: leaq 16(%rsp), %rdx
; CHECK-NEXT: callq use3@PLT
; CHECK: movq %fs:40, %rax
; CHECK-NEXT: movq 48(%rsp), %rcx
; CHECK-NEXT: cmpq %rcx, %rax
; CHECK-NEXT: jne [[FAIL:.LBB[0-9_]+]]
; CHECK-NEXT: addq $56, %rsp
; CHECK-NEXT: .cfi_def_cfa_offset 8
; CHECK-NEXT: retq
; CHECK-NEXT: [[FAIL]]:
; CHECK-NEXT: .cfi_def_cfa_offset 64
; CHECK-NEXT: callq __stack_chk_fail@PLT
; CHECK-NEXT: .Lfunc_end
; MIR-LABEL: name: order
; MIR: stackProtector: '%stack.0'
define void @order() sspstrong {
  %x = alloca i32
  %small = alloca [4 x i8]
  %large = alloca [32 x i8]
  call void @use3(ptr %x, ptr %small, ptr %large)
  ret void
}

; ssp asks for arrays of characters alone, sspstrong for everything that could be misused.
; CHECK-LABEL: plain_ints:
; CHECK-NOT: %fs
; CHECK-LABEL: strong_ints:
; CHECK: %fs:40
; CHECK-LABEL: plain_chars:
; CHECK: %fs:40
; CHECK-LABEL: plain_few_chars:
; CHECK-NOT: %fs
; CHECK-LABEL: plain_small_buffer:
; CHECK: %fs:40
define void @plain_ints() ssp {
  %a = alloca [16 x i32]
  call void @use(ptr %a)
  ret void
}
define void @strong_ints() sspstrong {
  %a = alloca [1 x i32]
  call void @use(ptr %a)
  ret void
}
define void @plain_chars() ssp {
  %a = alloca { i32, { [8 x i8] } }
  call void @use(ptr %a)
  ret void
}
define void @plain_few_chars() ssp {
  %a = alloca [7 x i8]
  call void @use(ptr %a)
  ret void
}
define void @plain_small_buffer() ssp "stack-protector-buffer-size"="4" {
  %a = alloca [7 x i8]
  call void @use(ptr %a)
  ret void
}

; What is only loaded and stored, within its bounds, needs none; sspreq asks for one always.
; CHECK-LABEL: followed:
; CHECK-NOT: %fs
; CHECK-LABEL: beyond:
; CHECK: %fs:40
; CHECK-LABEL: compared:
; CHECK: %fs:40
; CHECK-LABEL: always:
; CHECK: %fs:40
define i32 @followed(i1 %c) sspstrong {
  %a = alloca { i32, i32 }
  %b = alloca { i32, i32 }
  %s = select i1 %c, ptr %a, ptr %b
  %f = getelementptr { i32, i32 }, ptr %s, i32 0, i32 1
  store volatile i32 1, ptr %f
  %v = load volatile i32, ptr %f
  ret i32 %v
}
define i32 @beyond() sspstrong {
  %a = alloca i32
  %v = load volatile i64, ptr %a
  ret i32 1
}
define i1 @compared(ptr %p) sspstrong {
  %a = alloca i32
  %c = icmp eq ptr %a, %p
  ret i1 %c
}
define i32 @always(i32 %x) sspreq {
  ret i32 %x
}

; The word is looked at before a call that becomes a jump, and before it is thrown.
; CHECK-LABEL: jump:
; CHECK: jne [[FAIL:.LBB[0-9_]+]]
; CHECK: jmp callee@PLT
; CHECK: [[FAIL]]:
; CHECK-LABEL: throws:
; CHECK: %fs:40
; CHECK: cmpq
; CHECK: callq throw@PLT
; CHECK: callq __stack_chk_fail
; O0-LABEL: throws:
; O0: %fs:40
; O0: cmpq
; O0: callq throw@PLT
define i32 @jump(i32 %x) sspreq {
  %r = tail call i32 @callee(i32 %x)
  ret i32 %r
}
define void @throws() sspreq {
  call void @throw()
  unreachable
}
