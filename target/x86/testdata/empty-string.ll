; An empty string is a string for linkers to merge; more zeros are not.
; RUN: llc -mtriple=x86_64-linux-gnu %s -o - | FileCheck %s
; CHECK:      .section .rodata.str1.1,"aMS",@progbits,1
; CHECK:      .La:
; CHECK:      .section .rodata,"a",@progbits
; CHECK:      .Lb:
; CHECK:      .section .rodata.str2.2,"aMS",@progbits,2
; CHECK:      .Lc:
@a = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@b = private unnamed_addr constant [2 x i8] zeroinitializer, align 1
@c = private unnamed_addr constant [1 x i16] zeroinitializer
@u = global [3 x ptr] [ptr @a, ptr @b, ptr @c]
