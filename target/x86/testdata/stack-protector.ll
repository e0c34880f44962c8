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
; CHECK-NEXT: # %bb.1:
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

; Pointers whose ways meet again and again are followed once.
; CHECK-LABEL: diamonds:
; CHECK-NOT: %fs
define i32 @diamonds(i1 %c) sspstrong {
  %s0 = alloca i32
  %s1 = select i1 %c, ptr %s0, ptr %s0
  %s2 = select i1 %c, ptr %s1, ptr %s1
  %s3 = select i1 %c, ptr %s2, ptr %s2
  %s4 = select i1 %c, ptr %s3, ptr %s3
  %s5 = select i1 %c, ptr %s4, ptr %s4
  %s6 = select i1 %c, ptr %s5, ptr %s5
  %s7 = select i1 %c, ptr %s6, ptr %s6
  %s8 = select i1 %c, ptr %s7, ptr %s7
  %s9 = select i1 %c, ptr %s8, ptr %s8
  %s10 = select i1 %c, ptr %s9, ptr %s9
  %s11 = select i1 %c, ptr %s10, ptr %s10
  %s12 = select i1 %c, ptr %s11, ptr %s11
  %s13 = select i1 %c, ptr %s12, ptr %s12
  %s14 = select i1 %c, ptr %s13, ptr %s13
  %s15 = select i1 %c, ptr %s14, ptr %s14
  %s16 = select i1 %c, ptr %s15, ptr %s15
  %s17 = select i1 %c, ptr %s16, ptr %s16
  %s18 = select i1 %c, ptr %s17, ptr %s17
  %s19 = select i1 %c, ptr %s18, ptr %s18
  %s20 = select i1 %c, ptr %s19, ptr %s19
  %s21 = select i1 %c, ptr %s20, ptr %s20
  %s22 = select i1 %c, ptr %s21, ptr %s21
  %s23 = select i1 %c, ptr %s22, ptr %s22
  %s24 = select i1 %c, ptr %s23, ptr %s23
  %s25 = select i1 %c, ptr %s24, ptr %s24
  %s26 = select i1 %c, ptr %s25, ptr %s25
  %s27 = select i1 %c, ptr %s26, ptr %s26
  %s28 = select i1 %c, ptr %s27, ptr %s27
  %s29 = select i1 %c, ptr %s28, ptr %s28
  %s30 = select i1 %c, ptr %s29, ptr %s29
  %s31 = select i1 %c, ptr %s30, ptr %s30
  %s32 = select i1 %c, ptr %s31, ptr %s31
  %s33 = select i1 %c, ptr %s32, ptr %s32
  %s34 = select i1 %c, ptr %s33, ptr %s33
  %s35 = select i1 %c, ptr %s34, ptr %s34
  %s36 = select i1 %c, ptr %s35, ptr %s35
  %s37 = select i1 %c, ptr %s36, ptr %s36
  %s38 = select i1 %c, ptr %s37, ptr %s37
  %s39 = select i1 %c, ptr %s38, ptr %s38
  %s40 = select i1 %c, ptr %s39, ptr %s39
  %s41 = select i1 %c, ptr %s40, ptr %s40
  %s42 = select i1 %c, ptr %s41, ptr %s41
  %s43 = select i1 %c, ptr %s42, ptr %s42
  %s44 = select i1 %c, ptr %s43, ptr %s43
  %s45 = select i1 %c, ptr %s44, ptr %s44
  %s46 = select i1 %c, ptr %s45, ptr %s45
  %s47 = select i1 %c, ptr %s46, ptr %s46
  %s48 = select i1 %c, ptr %s47, ptr %s47
  %s49 = select i1 %c, ptr %s48, ptr %s48
  %s50 = select i1 %c, ptr %s49, ptr %s49
  %s51 = select i1 %c, ptr %s50, ptr %s50
  %s52 = select i1 %c, ptr %s51, ptr %s51
  %s53 = select i1 %c, ptr %s52, ptr %s52
  %s54 = select i1 %c, ptr %s53, ptr %s53
  %s55 = select i1 %c, ptr %s54, ptr %s54
  %s56 = select i1 %c, ptr %s55, ptr %s55
  %s57 = select i1 %c, ptr %s56, ptr %s56
  %s58 = select i1 %c, ptr %s57, ptr %s57
  %s59 = select i1 %c, ptr %s58, ptr %s58
  %s60 = select i1 %c, ptr %s59, ptr %s59
  store volatile i32 1, ptr %s60
  ret i32 1
}
