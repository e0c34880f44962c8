source_filename = "all.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

module asm "nop"
module asm ".globl foo\22bar"

%later = type { i32, ptr, %other }
%other = type <{ i8, [4 x i16] }>
%0 = type { %1, i64 }
%1 = type { float }
%"quoted name" = type opaque

$c1 = comdat any
$"c 2" = comdat largest

@a = global i32 42, align 4
@b = internal unnamed_addr constant [4 x i8] c"ab\00\ff", align 1
@c = external dso_local global ptr
@"d e" = weak_odr hidden global %later { i32 1, ptr @f, %other zeroinitializer }, comdat($c1), align 8
@tls = thread_local(initialexec) global i64 -5, section "x", align 8
@as = addrspace(270) global i8 0
@fwd = global ptr getelementptr inbounds nuw (i8, ptr @arr, i64 8)
@arr = global [4 x i32] [i32 1, i32 2, i32 -3, i32 4]
@fl = global [3 x float] [float 1.0, float 0x3FB99999A0000000, float -0.0]
@wide = global i128 170141183460469231731687303715884105727
@x87 = global x86_fp80 0xK3FFF8000000000000000
@q = global fp128 0xL00000000000000003FFF000000000000
@vec = global <4 x i32> <i32 1, i32 1, i32 1, i32 1>
@vec2 = global <2 x ptr> <ptr @a, ptr null>
@ba = global ptr blockaddress(@labels, %two)
@nums = global %0 { %1 { float 2.5 }, i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @fwd to i64)) }
@1 = private global i8 1
@al = alias i32, ptr @a
@al2 = hidden alias i32, getelementptr (i8, ptr @arr, i64 4)
@ifn = ifunc void (), ptr @resolver

define ptr @resolver() {
  ret ptr @f
}

declare void @va(i32, ...)
declare noalias noundef ptr @malloc(i64 noundef) #1
declare i32 @__gxx_personality_v0(...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define weak_odr dso_local fastcc zeroext i8 @f(ptr noalias byval(%later) align 8 %agg, i32 signext %1, float %x) unnamed_addr #0 section "text" comdat($"c 2") align 32 {
entry:
  %p = alloca i32, align 4
  %arr = alloca i8, i64 100, align 16
  %v = load volatile i32, ptr %p, align 4
  %at = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4
  store atomic volatile i32 %v, ptr %p seq_cst, align 4
  fence syncscope("agent") release
  %old = atomicrmw umax ptr %p, i32 %v acq_rel, align 4
  %cx = cmpxchg weak volatile ptr %p, i32 %v, i32 %at acq_rel monotonic, align 4
  %ok = extractvalue { i32, i1 } %cx, 1
  %iv = insertvalue { i32, i1 } %cx, i1 false, 1
  %s = add nuw nsw i32 %v, %1
  %d = sdiv exact i32 %s, 3
  %o = or disjoint i32 %d, 1
  %fa = fadd nnan contract float %x, 1.000000e+00
  %fb = fmul fast float %fa, 0x3FB99999A0000000
  %n = fneg float %fb
  %cmp = icmp samesign ult i32 %o, -1
  %fc = fcmp ogt float %n, 0.0
  %sel = select i1 %cmp, i32 %o, i32 7
  %z = zext nneg i32 %sel to i64
  %t = trunc nuw i64 %z to i8
  %fr = freeze i8 %t
  %g = getelementptr inbounds %later, ptr %agg, i64 0, i32 2, i32 1, i64 3
  switch i32 %sel, label %loop [
    i32 0, label %done
    i32 5, label %loop
  ]

loop:
  %ph = phi i32 [ %next, %loop ], [ 0, %entry ], [ 0, %entry ]
  %next = add i32 %ph, 1
  call void (i32, ...) @va(i32 %next, ptr nonnull @b, double 2.0) #2
  %m = tail call align 16 ptr @malloc(i64 noundef 24) #1
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %m, ptr %g, i64 8, i1 false)
  %as = call i32 asm sideeffect "mov $1, $0", "=r,r,~{dirflag}"(i32 %next)
  %later_value = inttoptr i64 %z to ptr
  call void @use() [ "deopt"(i32 %as, ptr %later_value) ]
  br i1 %fc, label %done, label %loop, !prof !5, !llvm.loop !6

done:
  ret i8 %fr
}

declare void @use()

define void @labels(i32 %0) personality ptr @__gxx_personality_v0 {
  %p = select i1 true, ptr blockaddress(@labels, %two), ptr blockaddress(@labels, %5)
  indirectbr ptr %p, [label %two, label %5]

two:
  %3 = invoke i32 @inv(i32 1)
          to label %4 unwind label %lp

4:
  ret void

5:
  unreachable

lp:
  %e = landingpad { ptr, i32 }
          cleanup
          catch ptr @a
          filter [1 x ptr] [ptr @c]
  resume { ptr, i32 } %e
}

declare i32 @inv(i32)

define <4 x i32> @vectors(<4 x i32> %a, <4 x i32> %b, <vscale x 2 x double> %s) {
  %1 = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 0, i32 poison, i32 5, i32 7>
  %2 = insertelement <4 x i32> %1, i32 9, i64 2
  %x = add i32 0, 1
  %3 = extractelement <4 x i32> %2, i32 %x
  %4 = shufflevector <vscale x 2 x double> %s, <vscale x 2 x double> poison, <vscale x 2 x i32> zeroinitializer
  %5 = add <4 x i32> %2, splat (i32 -7)
  %6 = icmp eq <4 x i32> %5, zeroinitializer
  %7 = select <4 x i1> %6, <4 x i32> %a, <4 x i32> <i32 1, i32 undef, i32 3, i32 4>
  ret <4 x i32> %7
}

define void @funclets() personality ptr @__gxx_personality_v0 {
entry:
  invoke void @use()
          to label %ok unwind label %cs

ok:
  ret void

cs:
  %s = catchswitch within none [label %h] unwind to caller

h:
  %c = catchpad within %s [ptr null, i32 64, ptr null]
  call void @use() [ "funclet"(token %c) ]
  catchret from %c to label %ok
}

define cc 42 i32 @va_user(ptr %ap, ...) {
  %r = va_arg ptr %ap, i32
  %m = musttail call cc 42 i32 (ptr, ...) @va_user(ptr %ap, ...)
  ret i32 %m
}

define void @dbg() !dbg !10 {
    #dbg_value(i32 3, !13, !DIExpression(DW_OP_plus_uconst, 4, DW_OP_stack_value), !14)
  %1 = alloca i32, align 4, !dbg !14
    #dbg_declare(ptr %1, !13, !DIExpression(), !14)
  ret void, !dbg !DILocation(line: 9, column: 2, scope: !10)
}

attributes #0 = { nounwind uwtable "frame-pointer"="all" memory(argmem: read) }
attributes #1 = { allocsize(0) nounwind allockind("alloc,zeroed") }
attributes #2 = { cold }

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!8}
!other = !{!0, !7}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{!"branch_weights", i32 1, i32 2}
!6 = distinct !{!6, !7}
!7 = !{null, !"a\22\00b", ptr @a, !{}}
!8 = distinct !DICompileUnit(language: DW_LANG_C11, file: !9, producer: "x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!9 = !DIFile(filename: "a.c", directory: "/")
!10 = distinct !DISubprogram(name: "dbg", scope: !9, file: !9, line: 1, type: !11, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !8)
!11 = !DISubroutineType(types: !12)
!12 = !{null}
!13 = !DILocalVariable(scope: !10, name: "v", type: !15, file: !9, line: 2)
!14 = !DILocation(line: 2, column: 3, scope: !10)
!15 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)

@reals = global [8 x double] [double 1.0e-06, double 0.7, double 0.3, double 0.1, double 123456.0, double 1234567.0, double 1.0e+22, double -11352.57]
@wsplat = global <2 x i128> <i128 -1, i128 -1>
