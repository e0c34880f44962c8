target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

module asm ".globl x"

%pair = type { i32, ptr }
%opaque = type opaque

$c = comdat any

@a = global %pair { i32 -5, ptr @b }, align 8
@b = internal unnamed_addr constant [4 x i8] c"abc\00", section "s", comdat($c)
@w = constant i128 -170141183460469231731687303715884105728
@x = thread_local(initialexec) global x86_fp80 0xK3FFF8000000000000000
@v = global <4 x float> <float 1.0, float 2.0, float undef, float poison>
@gep = global ptr getelementptr inbounds nuw (i8, ptr @a, i64 8)
@gr = global ptr getelementptr inbounds inrange(-8, 8) (i8, ptr @a, i64 8)
@pi = global i64 sub (i64 ptrtoint (ptr @a to i64), i64 3)
@ba = global ptr blockaddress(@f, %next)
@al = hidden alias i32, ptr @a
@if = ifunc void (), ptr @res

declare i32 @p(...)

define ptr @res() {
  ret ptr null
}

declare void @attrs(ptr captures(ret: address, provenance) initializes((0, 4)), i32 range(i32 -3, 9), float nofpclass(nan)) #0

define i32 @f(i32 %x, ptr %p) #1 personality ptr @p {
entry:
  %a = alloca i32, i32 %x, align 16
  %m = load atomic i32, ptr %p syncscope("agent") acquire, align 4
  %c = cmpxchg weak volatile ptr %p, i32 %m, i32 %x acq_rel monotonic
  %e = extractvalue { i32, i1 } %c, 0
  %r = atomicrmw uinc_wrap ptr %p, i32 %e seq_cst
  switch i32 %r, label %next [
    i32 -1, label %other
    i32 7, label %next
  ]
other:
  %i = invoke i32 (...) @p(i32 1, double 2.0) [ "deopt"(i32 %x, metadata !"q") ]
          to label %next unwind label %pad
pad:
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [1 x ptr] zeroinitializer
  resume { ptr, i32 } %l
next:
  %ph = phi i32 [ 0, %entry ], [ 0, %entry ], [ %i, %other ]
  %fl = uitofp nneg i32 %ph to float
  %ff = fmul nnan contract float %fl, 3.0
  %z = zext i32 %x to i64
  %sp = insertelement <4 x float> splat (float 1.5), float %ff, i64 %z
  %sh = shufflevector <4 x float> %sp, <4 x float> poison, <4 x i32> <i32 1, i32 poison, i32 0, i32 3>

  call void asm sideeffect "nop $0", "r,~{memory}"(i32 %x) #2
  %cmp = icmp samesign ult i32 %x, 5
  %sel = select i1 %cmp, i32 %x, i32 %ph
  fence syncscope("singlethread") release
  ret i32 %sel
}

attributes #0 = { nounwind memory(read, argmem: readwrite, inaccessiblemem: none) "k"="v" }
attributes #1 = { vscale_range(1,16) uwtable(sync) allockind("alloc,zeroed") }
attributes #2 = { nounwind }
