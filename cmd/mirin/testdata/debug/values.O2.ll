; ModuleID = 'b.c'
source_filename = "b.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.S = type { i32, [12 x i8] }

@.str = private unnamed_addr constant [12 x i8] c"hello\00\00\00\00\00\00\00", align 4, !dbg !0
@switch.table.loop = private unnamed_addr constant [7 x i64] [i64 3, i64 9, i64 -4, i64 poison, i64 10, i64 poison, i64 11], align 8

; Function Attrs: nounwind uwtable
define dso_local range(i64 9223372032559808508, 4295067306) i64 @loop(ptr noundef readonly captures(none) %0, i32 noundef %1, i8 noundef zeroext %2) local_unnamed_addr #0 !dbg !23 {
    #dbg_value(ptr %0, !31, !DIExpression(), !46)
    #dbg_value(i32 %1, !32, !DIExpression(), !46)
    #dbg_value(i8 %2, !33, !DIExpression(), !46)
    #dbg_value(i64 0, !34, !DIExpression(), !46)
    #dbg_value(i32 1073741824, !35, !DIExpression(), !46)
    #dbg_value(i32 -1073741824, !36, !DIExpression(), !46)
    #dbg_value(i32 0, !37, !DIExpression(), !47)
  %4 = icmp sgt i32 %1, 0, !dbg !48
  br i1 %4, label %5, label %11, !dbg !49

5:                                                ; preds = %3
  %6 = zext i8 %2 to i64
  %7 = zext nneg i32 %1 to i64, !dbg !50
  br label %33, !dbg !49

8:                                                ; preds = %50
  %9 = sext i32 %43 to i64, !dbg !51
  %10 = sext i32 %44 to i64, !dbg !52
  br label %11, !dbg !53

11:                                               ; preds = %8, %3
  %12 = phi i64 [ -1073741824, %3 ], [ %10, %8 ], !dbg !46
  %13 = phi i64 [ 1073741824, %3 ], [ %9, %8 ], !dbg !46
  %14 = phi i64 [ 0, %3 ], [ %51, %8 ], !dbg !46
  %15 = and i32 %1, 7, !dbg !53
    #dbg_value(i32 %15, !54, !DIExpression(), !60)
    #dbg_value(i32 0, !59, !DIExpression(), !60)
  %16 = add nsw i32 %15, -1, !dbg !62
  %17 = icmp ult i32 %16, 7, !dbg !62
  %18 = trunc nsw i32 %16 to i8, !dbg !63
  %19 = lshr i8 87, %18, !dbg !63
  %20 = trunc i8 %19 to i1, !dbg !63
  %21 = select i1 %17, i1 %20, i1 false, !dbg !62
  br i1 %21, label %24, label %22, !dbg !62

22:                                               ; preds = %11
    #dbg_value(i32 %15, !59, !DIExpression(), !60)
  %23 = zext nneg i32 %15 to i64, !dbg !64
  br label %28, !dbg !65

24:                                               ; preds = %11
  %25 = zext nneg i32 %16 to i64, !dbg !62
  %26 = getelementptr inbounds nuw i64, ptr @switch.table.loop, i64 %25, !dbg !62
  %27 = load i64, ptr %26, align 8, !dbg !62
  br label %28, !dbg !62

28:                                               ; preds = %24, %22
  %29 = phi i64 [ %23, %22 ], [ %27, %24 ], !dbg !67
    #dbg_value(i64 %29, !59, !DIExpression(), !60)
  %30 = add nsw i64 %13, %12, !dbg !68
  %31 = add i64 %30, %14, !dbg !69
  %32 = add nsw i64 %31, %29, !dbg !70
  ret i64 %32, !dbg !71

33:                                               ; preds = %5, %50
  %34 = phi i64 [ 0, %5 ], [ %52, %50 ]
  %35 = phi i64 [ 0, %5 ], [ %51, %50 ]
  %36 = phi i32 [ 1073741824, %5 ], [ %43, %50 ]
  %37 = phi i32 [ -1073741824, %5 ], [ %44, %50 ]
    #dbg_value(i64 %35, !34, !DIExpression(), !46)
    #dbg_value(i32 %36, !35, !DIExpression(), !46)
    #dbg_value(i32 %37, !36, !DIExpression(), !46)
    #dbg_value(i64 %34, !37, !DIExpression(), !47)
  %38 = getelementptr inbounds nuw i32, ptr %0, i64 %34, !dbg !72
  %39 = load i32, ptr %38, align 4, !dbg !73, !tbaa !19
    #dbg_value(i32 %39, !39, !DIExpression(), !74)
  %40 = sext i32 %39 to i64, !dbg !75
    #dbg_value(i64 %40, !42, !DIExpression(), !74)
  %41 = mul nsw i64 %40, %6, !dbg !76
  %42 = add nsw i64 %41, %35, !dbg !77
    #dbg_value(i64 %42, !34, !DIExpression(), !46)
  %43 = tail call i32 @llvm.smin.i32(i32 %39, i32 %36), !dbg !78
    #dbg_value(i32 %43, !35, !DIExpression(), !46)
  %44 = tail call i32 @llvm.smax.i32(i32 %39, i32 %37), !dbg !79
    #dbg_value(i32 %44, !36, !DIExpression(), !46)
  %45 = icmp sgt i64 %42, 100000, !dbg !80
  br i1 %45, label %46, label %50, !dbg !81

46:                                               ; preds = %33
  %47 = trunc i64 %42 to i32, !dbg !82
    #dbg_value(i32 %47, !43, !DIExpression(), !83)
  %48 = srem i32 %47, 7, !dbg !84
  %49 = sext i32 %48 to i64, !dbg !85
    #dbg_value(i64 %49, !34, !DIExpression(), !46)
  br label %50, !dbg !86

50:                                               ; preds = %46, %33
  %51 = phi i64 [ %49, %46 ], [ %42, %33 ], !dbg !87
    #dbg_value(i64 %51, !34, !DIExpression(), !46)
  tail call void @put(i64 noundef %51) #7, !dbg !88
  %52 = add nuw nsw i64 %34, 1, !dbg !89
    #dbg_value(i32 %43, !35, !DIExpression(), !46)
    #dbg_value(i32 %44, !36, !DIExpression(), !46)
    #dbg_value(i64 %52, !37, !DIExpression(), !47)
  %53 = icmp eq i64 %52, %7, !dbg !50
  br i1 %53, label %8, label %33, !dbg !90, !llvm.loop !91
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare !dbg !95 void @put(i64 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local noundef double @mix(double noundef %0, float noundef %1, i32 noundef %2) local_unnamed_addr #3 !dbg !98 {
    #dbg_value(double %0, !104, !DIExpression(), !110)
    #dbg_value(float %1, !105, !DIExpression(), !110)
    #dbg_value(i32 %2, !106, !DIExpression(), !110)
  %4 = fpext float %1 to double, !dbg !111
  %5 = fmul double %0, %4, !dbg !112
    #dbg_value(double %5, !107, !DIExpression(), !110)
  %6 = fadd float %1, 1.500000e+00, !dbg !113
    #dbg_value(float %6, !108, !DIExpression(), !110)
  %7 = icmp eq i32 %2, 0, !dbg !114
  %8 = fpext float %6 to double, !dbg !115
  %9 = select i1 %7, double %8, double %5, !dbg !115
    #dbg_value(double %9, !109, !DIExpression(), !110)
  %10 = fcmp ord double %9, 0.000000e+00, !dbg !116
  %11 = select i1 %10, double %9, double 0.000000e+00, !dbg !116
    #dbg_value(double %11, !109, !DIExpression(), !110)
  ret double %11, !dbg !118
}

; Function Attrs: nounwind uwtable
define dso_local i32 @agg(i32 noundef %0) local_unnamed_addr #0 !dbg !119 {
    #dbg_assign(i1 poison, !122, !DIExpression(DW_OP_LLVM_fragment, 32, 96), !135, ptr @.str, !DIExpression(), !136)
  %2 = alloca %struct.S, align 4, !DIAssignID !137
    #dbg_assign(i1 poison, !128, !DIExpression(), !137, ptr %2, !DIExpression(), !136)
    #dbg_value(i32 %0, !121, !DIExpression(), !136)
    #dbg_value(i32 %0, !122, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !136)
    #dbg_assign(i1 poison, !122, !DIExpression(DW_OP_LLVM_fragment, 32, 96), !138, ptr @.str, !DIExpression(), !136)
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #7, !dbg !139
  %3 = getelementptr inbounds nuw i8, ptr %2, i64 4, !dbg !140
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 4 dereferenceable(12) %3, ptr noundef nonnull align 4 dereferenceable(12) @.str, i64 12, i1 false), !dbg !140, !tbaa.struct !141, !DIAssignID !143
    #dbg_assign(i32 %0, !128, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !144, ptr %2, !DIExpression(), !136)
    #dbg_assign(i1 poison, !128, !DIExpression(DW_OP_LLVM_fragment, 32, 96), !143, ptr %3, !DIExpression(), !136)
  %4 = xor i32 %0, 5, !dbg !145
  store i32 %4, ptr %2, align 4, !dbg !146, !tbaa !147, !DIAssignID !149
    #dbg_assign(i32 %4, !128, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !149, ptr %2, !DIExpression(), !136)
  %5 = call i32 @g(ptr noundef nonnull %2, i32 noundef %0) #7, !dbg !150
    #dbg_value(i32 %5, !129, !DIExpression(), !136)
    #dbg_value(i32 0, !130, !DIExpression(), !151)
    #dbg_value(i32 %5, !129, !DIExpression(), !136)
    #dbg_value(i64 0, !130, !DIExpression(), !151)
    #dbg_value(i8 poison, !132, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !152)
    #dbg_value(i32 poison, !129, !DIExpression(), !136)
    #dbg_value(i64 1, !130, !DIExpression(), !151)
    #dbg_value(i8 poison, !132, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !152)
    #dbg_value(i32 poison, !129, !DIExpression(), !136)
    #dbg_value(i64 2, !130, !DIExpression(), !151)
    #dbg_value(i8 poison, !132, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !152)
    #dbg_value(i32 poison, !129, !DIExpression(), !136)
    #dbg_value(i64 3, !130, !DIExpression(), !151)
    #dbg_value(i8 poison, !132, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !152)
    #dbg_value(i32 poison, !129, !DIExpression(), !136)
    #dbg_value(i64 4, !130, !DIExpression(), !151)
    #dbg_value(i8 poison, !132, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !152)
    #dbg_value(i32 poison, !129, !DIExpression(), !136)
    #dbg_value(i64 5, !130, !DIExpression(), !151)
    #dbg_value(i8 poison, !132, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !152)
    #dbg_value(i32 poison, !129, !DIExpression(), !136)
    #dbg_value(i64 6, !130, !DIExpression(), !151)
    #dbg_value(i8 poison, !132, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !152)
    #dbg_value(i32 poison, !129, !DIExpression(), !136)
    #dbg_value(i64 7, !130, !DIExpression(), !151)
  %6 = load <8 x i8>, ptr %3, align 4, !dbg !153, !tbaa !142
    #dbg_value(i8 poison, !132, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !152)
  %7 = icmp eq <8 x i8> %6, splat (i8 108), !dbg !154
  %8 = select <8 x i1> %7, <8 x i8> <i8 0, i8 1, i8 2, i8 3, i8 4, i8 5, i8 6, i8 7>, <8 x i8> %6, !dbg !155
    #dbg_value(i32 poison, !129, !DIExpression(), !136)
    #dbg_value(i64 8, !130, !DIExpression(), !151)
  %9 = getelementptr inbounds nuw i8, ptr %2, i64 12, !dbg !156
    #dbg_value(i8 poison, !132, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !152)
    #dbg_value(i32 poison, !129, !DIExpression(), !136)
    #dbg_value(i64 9, !130, !DIExpression(), !151)
    #dbg_value(i8 poison, !132, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !152)
    #dbg_value(i32 poison, !129, !DIExpression(), !136)
    #dbg_value(i64 10, !130, !DIExpression(), !151)
    #dbg_value(i8 poison, !132, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !152)
    #dbg_value(i32 poison, !129, !DIExpression(), !136)
    #dbg_value(i64 11, !130, !DIExpression(), !151)
  %10 = load <4 x i8>, ptr %9, align 4, !dbg !157, !tbaa !142
    #dbg_value(i8 poison, !132, !DIExpression(DW_OP_LLVM_convert, 8, DW_ATE_signed, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value), !152)
  %11 = icmp eq <4 x i8> %10, splat (i8 108), !dbg !158
  %12 = select <4 x i1> %11, <4 x i8> <i8 8, i8 9, i8 10, i8 11>, <4 x i8> %10, !dbg !159
    #dbg_value(i32 poison, !129, !DIExpression(), !136)
    #dbg_value(i64 12, !130, !DIExpression(), !151)
  %13 = sext <8 x i8> %8 to <8 x i32>, !dbg !160
  %14 = sext <4 x i8> %12 to <4 x i32>, !dbg !160
  %15 = shufflevector <8 x i32> %13, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>, !dbg !160
  %16 = add nsw <4 x i32> %15, %14, !dbg !160
  %17 = shufflevector <4 x i32> %16, <4 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 poison, i32 poison, i32 poison, i32 poison>, !dbg !160
  %18 = shufflevector <8 x i32> %17, <8 x i32> %13, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>, !dbg !160
  %19 = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %18), !dbg !160
  %20 = add i32 %19, %0, !dbg !160
  %21 = add i32 %20, %5, !dbg !161
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #7, !dbg !162
  ret i32 %21, !dbg !163
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #4

declare !dbg !164 i32 @g(ptr noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local range(i128 -170141183460469231731687303715884105721, -170141183460469231731687303715884105728) i128 @wide(i128 noundef %0, i64 noundef %1) local_unnamed_addr #3 !dbg !168 {
    #dbg_value(i128 %0, !172, !DIExpression(), !177)
    #dbg_value(i64 %1, !173, !DIExpression(), !177)
  %3 = sext i64 %1 to i128, !dbg !178
  %4 = mul nsw i128 %0, %3, !dbg !179
    #dbg_value(i128 %4, !174, !DIExpression(), !177)
    #dbg_value(i128 7, !175, !DIExpression(), !177)
  %5 = add nsw i128 %4, 7, !dbg !180
  ret i128 %5, !dbg !181
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local i32 @sel(i32 noundef %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #3 !dbg !182 {
    #dbg_value(i32 %0, !186, !DIExpression(), !192)
    #dbg_value(i32 %1, !187, !DIExpression(), !192)
    #dbg_value(i32 %2, !188, !DIExpression(), !192)
  %4 = icmp slt i32 %0, %1, !dbg !193
  %5 = tail call i32 @llvm.smin.i32(i32 %0, i32 %1), !dbg !194
    #dbg_value(i32 %5, !189, !DIExpression(), !192)
    #dbg_value(i32 %2, !190, !DIExpression(), !192)
  %6 = add nsw i32 %5, %2, !dbg !195
    #dbg_value(i32 %6, !191, !DIExpression(), !192)
  %7 = select i1 %4, i32 %6, i32 0, !dbg !196
  ret i32 %7, !dbg !197
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local noundef i32 @dead(i32 noundef returned %0) local_unnamed_addr #3 !dbg !198 {
    #dbg_value(i32 %0, !200, !DIExpression(), !203)
    #dbg_value(i32 %0, !201, !DIExpression(DW_OP_constu, 77, DW_OP_mul, DW_OP_stack_value), !203)
    #dbg_value(i32 %0, !202, !DIExpression(DW_OP_constu, 77, DW_OP_mul, DW_OP_plus_uconst, 3, DW_OP_stack_value), !203)
  ret i32 %0, !dbg !204
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #5

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>) #6

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nounwind }

!llvm.dbg.cu = !{!7}
!llvm.module.flags = !{!12, !13, !14, !15, !16, !17, !18}
!llvm.errno.tbaa = !{!19}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(scope: null, file: !2, line: 10, type: !3, isLocal: true, isDefinition: true)
!2 = !DIFile(filename: "b.c", directory: "/", checksumkind: CSK_MD5, checksum: "ee424c18215b874e16c0ecab19db5bb9")
!3 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 96, elements: !5)
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!5 = !{!6}
!6 = !DISubrange(count: 12)
!7 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !8, globals: !11, splitDebugInlining: false, nameTableKind: None)
!8 = !{!9, !10}
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = !DIBasicType(name: "__int128", size: 128, encoding: DW_ATE_signed)
!11 = !{!0}
!12 = !{i32 7, !"Dwarf Version", i32 5}
!13 = !{i32 2, !"Debug Info Version", i32 3}
!14 = !{i32 1, !"wchar_size", i32 4}
!15 = !{i32 8, !"PIC Level", i32 2}
!16 = !{i32 7, !"PIE Level", i32 2}
!17 = !{i32 7, !"uwtable", i32 2}
!18 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!19 = !{!20, !20, i64 0}
!20 = !{!"int", !21, i64 0}
!21 = !{!"omnipotent char", !22, i64 0}
!22 = !{!"Simple C/C++ TBAA"}
!23 = distinct !DISubprogram(name: "loop", scope: !2, file: !2, line: 4, type: !24, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !7, retainedNodes: !30, keyInstructions: true)
!24 = !DISubroutineType(types: !25)
!25 = !{!26, !27, !9, !29}
!26 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!27 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !28, size: 64)
!28 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !9)
!29 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!30 = !{!31, !32, !33, !34, !35, !36, !37, !39, !42, !43}
!31 = !DILocalVariable(name: "p", arg: 1, scope: !23, file: !2, line: 4, type: !27)
!32 = !DILocalVariable(name: "n", arg: 2, scope: !23, file: !2, line: 4, type: !9)
!33 = !DILocalVariable(name: "m", arg: 3, scope: !23, file: !2, line: 4, type: !29)
!34 = !DILocalVariable(name: "sum", scope: !23, file: !2, line: 5, type: !26)
!35 = !DILocalVariable(name: "lo", scope: !23, file: !2, line: 5, type: !9)
!36 = !DILocalVariable(name: "hi", scope: !23, file: !2, line: 5, type: !9)
!37 = !DILocalVariable(name: "i", scope: !38, file: !2, line: 6, type: !9)
!38 = distinct !DILexicalBlock(scope: !23, file: !2, line: 6, column: 3)
!39 = !DILocalVariable(name: "v", scope: !40, file: !2, line: 6, type: !9)
!40 = distinct !DILexicalBlock(scope: !41, file: !2, line: 6, column: 31)
!41 = distinct !DILexicalBlock(scope: !38, file: !2, line: 6, column: 3)
!42 = !DILocalVariable(name: "w", scope: !40, file: !2, line: 6, type: !26)
!43 = !DILocalVariable(name: "over", scope: !44, file: !2, line: 6, type: !9)
!44 = distinct !DILexicalBlock(scope: !45, file: !2, line: 6, column: 135)
!45 = distinct !DILexicalBlock(scope: !40, file: !2, line: 6, column: 121)
!46 = !DILocation(line: 0, scope: !23)
!47 = !DILocation(line: 0, scope: !38)
!48 = !DILocation(line: 6, column: 21, scope: !41, atomGroup: 21, atomRank: 1)
!49 = !DILocation(line: 6, column: 3, scope: !38, atomGroup: 22, atomRank: 1)
!50 = !DILocation(line: 6, column: 21, scope: !41, atomGroup: 5, atomRank: 1)
!51 = !DILocation(line: 7, column: 16, scope: !23)
!52 = !DILocation(line: 7, column: 21, scope: !23)
!53 = !DILocation(line: 7, column: 31, scope: !23)
!54 = !DILocalVariable(name: "k", arg: 1, scope: !55, file: !2, line: 3, type: !9)
!55 = distinct !DISubprogram(name: "sw", scope: !2, file: !2, line: 3, type: !56, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !7, retainedNodes: !58, keyInstructions: true)
!56 = !DISubroutineType(types: !57)
!57 = !{!9, !9}
!58 = !{!54, !59}
!59 = !DILocalVariable(name: "r", scope: !55, file: !2, line: 3, type: !9)
!60 = !DILocation(line: 0, scope: !55, inlinedAt: !61)
!61 = distinct !DILocation(line: 7, column: 26, scope: !23)
!62 = !DILocation(line: 3, column: 35, scope: !55, inlinedAt: !61, atomGroup: 2, atomRank: 1)
!63 = !DILocation(line: 3, column: 35, scope: !55, inlinedAt: !61, atomGroup: 91, atomRank: 1)
!64 = !DILocation(line: 7, column: 26, scope: !23)
!65 = !DILocation(line: 3, column: 180, scope: !66, inlinedAt: !61)
!66 = distinct !DILexicalBlock(scope: !55, file: !2, line: 3, column: 46)
!67 = !DILocation(line: 3, scope: !66, inlinedAt: !61, atomGroup: 3, atomRank: 1)
!68 = !DILocation(line: 7, column: 14, scope: !23)
!69 = !DILocation(line: 7, column: 19, scope: !23)
!70 = !DILocation(line: 7, column: 24, scope: !23, atomGroup: 20, atomRank: 2)
!71 = !DILocation(line: 7, column: 3, scope: !23, atomGroup: 20, atomRank: 1)
!72 = !DILocation(line: 6, column: 41, scope: !40)
!73 = !DILocation(line: 6, column: 41, scope: !40, atomGroup: 7, atomRank: 2)
!74 = !DILocation(line: 0, scope: !40)
!75 = !DILocation(line: 6, column: 56, scope: !40, atomGroup: 8, atomRank: 2)
!76 = !DILocation(line: 6, column: 68, scope: !40)
!77 = !DILocation(line: 6, column: 63, scope: !40, atomGroup: 9, atomRank: 2)
!78 = !DILocation(line: 6, column: 78, scope: !40, atomGroup: 11, atomRank: 1)
!79 = !DILocation(line: 6, column: 100, scope: !40, atomGroup: 13, atomRank: 1)
!80 = !DILocation(line: 6, column: 125, scope: !45, atomGroup: 14, atomRank: 2)
!81 = !DILocation(line: 6, column: 125, scope: !45, atomGroup: 14, atomRank: 1)
!82 = !DILocation(line: 6, column: 148, scope: !44, atomGroup: 15, atomRank: 2)
!83 = !DILocation(line: 0, scope: !44)
!84 = !DILocation(line: 6, column: 169, scope: !44, atomGroup: 16, atomRank: 3)
!85 = !DILocation(line: 6, column: 164, scope: !44, atomGroup: 16, atomRank: 2)
!86 = !DILocation(line: 6, column: 174, scope: !44)
!87 = !DILocation(line: 6, scope: !40, atomGroup: 9, atomRank: 1)
!88 = !DILocation(line: 6, column: 176, scope: !40)
!89 = !DILocation(line: 6, column: 27, scope: !41, atomGroup: 17, atomRank: 2)
!90 = !DILocation(line: 6, column: 3, scope: !38, atomGroup: 6, atomRank: 1)
!91 = distinct !{!91, !92, !93, !94}
!92 = !DILocation(line: 6, column: 3, scope: !38)
!93 = !DILocation(line: 6, column: 186, scope: !38)
!94 = !{!"llvm.loop.mustprogress"}
!95 = !DISubprogram(name: "put", scope: !2, file: !2, line: 2, type: !96, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!96 = !DISubroutineType(types: !97)
!97 = !{null, !26}
!98 = distinct !DISubprogram(name: "mix", scope: !2, file: !2, line: 9, type: !99, scopeLine: 9, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !7, retainedNodes: !103, keyInstructions: true)
!99 = !DISubroutineType(types: !100)
!100 = !{!101, !101, !102, !9}
!101 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!102 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!103 = !{!104, !105, !106, !107, !108, !109}
!104 = !DILocalVariable(name: "x", arg: 1, scope: !98, file: !2, line: 9, type: !101)
!105 = !DILocalVariable(name: "y", arg: 2, scope: !98, file: !2, line: 9, type: !102)
!106 = !DILocalVariable(name: "sel", arg: 3, scope: !98, file: !2, line: 9, type: !9)
!107 = !DILocalVariable(name: "t", scope: !98, file: !2, line: 9, type: !101)
!108 = !DILocalVariable(name: "u", scope: !98, file: !2, line: 9, type: !102)
!109 = !DILocalVariable(name: "best", scope: !98, file: !2, line: 9, type: !101)
!110 = !DILocation(line: 0, scope: !98)
!111 = !DILocation(line: 9, column: 57, scope: !98)
!112 = !DILocation(line: 9, column: 55, scope: !98, atomGroup: 1, atomRank: 2)
!113 = !DILocation(line: 9, column: 72, scope: !98, atomGroup: 2, atomRank: 2)
!114 = !DILocation(line: 9, column: 94, scope: !98, atomGroup: 4, atomRank: 2)
!115 = !DILocation(line: 9, column: 94, scope: !98, atomGroup: 4, atomRank: 1)
!116 = !DILocation(line: 9, column: 116, scope: !117, atomGroup: 5, atomRank: 1)
!117 = distinct !DILexicalBlock(scope: !98, file: !2, line: 9, column: 111)
!118 = !DILocation(line: 9, column: 135, scope: !98, atomGroup: 8, atomRank: 1)
!119 = distinct !DISubprogram(name: "agg", scope: !2, file: !2, line: 10, type: !56, scopeLine: 10, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !7, retainedNodes: !120, keyInstructions: true)
!120 = !{!121, !122, !128, !129, !130, !132}
!121 = !DILocalVariable(name: "n", arg: 1, scope: !119, file: !2, line: 10, type: !9)
!122 = !DILocalVariable(name: "s", scope: !119, file: !2, line: 10, type: !123)
!123 = !DIDerivedType(tag: DW_TAG_typedef, name: "S", file: !2, line: 1, baseType: !124)
!124 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !2, line: 1, size: 128, elements: !125)
!125 = !{!126, !127}
!126 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !124, file: !2, line: 1, baseType: !9, size: 32)
!127 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !124, file: !2, line: 1, baseType: !3, size: 96, offset: 32)
!128 = !DILocalVariable(name: "t", scope: !119, file: !2, line: 10, type: !123)
!129 = !DILocalVariable(name: "r", scope: !119, file: !2, line: 10, type: !9)
!130 = !DILocalVariable(name: "i", scope: !131, file: !2, line: 10, type: !9)
!131 = distinct !DILexicalBlock(scope: !119, file: !2, line: 10, column: 77)
!132 = !DILocalVariable(name: "c", scope: !133, file: !2, line: 10, type: !9)
!133 = distinct !DILexicalBlock(scope: !134, file: !2, line: 10, column: 106)
!134 = distinct !DILexicalBlock(scope: !131, file: !2, line: 10, column: 77)
!135 = distinct !DIAssignID()
!136 = !DILocation(line: 0, scope: !119)
!137 = distinct !DIAssignID()
!138 = distinct !DIAssignID()
!139 = !DILocation(line: 10, column: 40, scope: !119)
!140 = !DILocation(line: 10, column: 46, scope: !119, atomGroup: 2, atomRank: 1)
!141 = !{i64 0, i64 12, !142}
!142 = !{!21, !21, i64 0}
!143 = distinct !DIAssignID()
!144 = distinct !DIAssignID()
!145 = !DILocation(line: 10, column: 53, scope: !119, atomGroup: 3, atomRank: 2)
!146 = !DILocation(line: 10, column: 53, scope: !119, atomGroup: 3, atomRank: 1)
!147 = !{!148, !20, i64 0}
!148 = !{!"", !20, i64 0, !21, i64 4}
!149 = distinct !DIAssignID()
!150 = !DILocation(line: 10, column: 67, scope: !119, atomGroup: 4, atomRank: 2)
!151 = !DILocation(line: 0, scope: !131)
!152 = !DILocation(line: 0, scope: !133)
!153 = !DILocation(line: 10, column: 116, scope: !133, atomGroup: 8, atomRank: 3)
!154 = !DILocation(line: 10, column: 131, scope: !133, atomGroup: 10, atomRank: 2)
!155 = !DILocation(line: 10, column: 129, scope: !133, atomGroup: 10, atomRank: 1)
!156 = !DILocation(line: 10, column: 116, scope: !133)
!157 = !DILocation(line: 10, column: 116, scope: !133, atomGroup: 67, atomRank: 3)
!158 = !DILocation(line: 10, column: 131, scope: !133, atomGroup: 68, atomRank: 2)
!159 = !DILocation(line: 10, column: 129, scope: !133, atomGroup: 68, atomRank: 1)
!160 = !DILocation(line: 10, column: 158, scope: !119, atomGroup: 14, atomRank: 2)
!161 = !DILocation(line: 10, column: 126, scope: !133, atomGroup: 9, atomRank: 2)
!162 = !DILocation(line: 10, column: 165, scope: !119)
!163 = !DILocation(line: 10, column: 149, scope: !119, atomGroup: 14, atomRank: 1)
!164 = !DISubprogram(name: "g", scope: !2, file: !2, line: 2, type: !165, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!165 = !DISubroutineType(types: !166)
!166 = !{!9, !167, !9}
!167 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !123, size: 64)
!168 = distinct !DISubprogram(name: "wide", scope: !2, file: !2, line: 11, type: !169, scopeLine: 11, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !7, retainedNodes: !171, keyInstructions: true)
!169 = !DISubroutineType(types: !170)
!170 = !{!10, !10, !26}
!171 = !{!172, !173, !174, !175}
!172 = !DILocalVariable(name: "a", arg: 1, scope: !168, file: !2, line: 11, type: !10)
!173 = !DILocalVariable(name: "b", arg: 2, scope: !168, file: !2, line: 11, type: !26)
!174 = !DILocalVariable(name: "c", scope: !168, file: !2, line: 11, type: !10)
!175 = !DILocalVariable(name: "k", scope: !168, file: !2, line: 11, type: !176)
!176 = !DIBasicType(name: "unsigned __int128", size: 128, encoding: DW_ATE_unsigned)
!177 = !DILocation(line: 0, scope: !168)
!178 = !DILocation(line: 11, column: 54, scope: !168)
!179 = !DILocation(line: 11, column: 52, scope: !168, atomGroup: 1, atomRank: 2)
!180 = !DILocation(line: 11, column: 91, scope: !168, atomGroup: 4, atomRank: 2)
!181 = !DILocation(line: 11, column: 82, scope: !168, atomGroup: 4, atomRank: 1)
!182 = distinct !DISubprogram(name: "sel", scope: !2, file: !2, line: 12, type: !183, scopeLine: 12, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !7, retainedNodes: !185, keyInstructions: true)
!183 = !DISubroutineType(types: !184)
!184 = !{!9, !9, !9, !9}
!185 = !{!186, !187, !188, !189, !190, !191}
!186 = !DILocalVariable(name: "a", arg: 1, scope: !182, file: !2, line: 12, type: !9)
!187 = !DILocalVariable(name: "b", arg: 2, scope: !182, file: !2, line: 12, type: !9)
!188 = !DILocalVariable(name: "c", arg: 3, scope: !182, file: !2, line: 12, type: !9)
!189 = !DILocalVariable(name: "x", scope: !182, file: !2, line: 12, type: !9)
!190 = !DILocalVariable(name: "y", scope: !182, file: !2, line: 12, type: !9)
!191 = !DILocalVariable(name: "z", scope: !182, file: !2, line: 12, type: !9)
!192 = !DILocation(line: 0, scope: !182)
!193 = !DILocation(line: 12, column: 42, scope: !182, atomGroup: 2, atomRank: 2)
!194 = !DILocation(line: 12, column: 40, scope: !182, atomGroup: 2, atomRank: 1)
!195 = !DILocation(line: 12, column: 88, scope: !182, atomGroup: 5, atomRank: 2)
!196 = !DILocation(line: 12, column: 102, scope: !182, atomGroup: 7, atomRank: 2)
!197 = !DILocation(line: 12, column: 93, scope: !182, atomGroup: 7, atomRank: 1)
!198 = distinct !DISubprogram(name: "dead", scope: !2, file: !2, line: 13, type: !56, scopeLine: 13, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !7, retainedNodes: !199, keyInstructions: true)
!199 = !{!200, !201, !202}
!200 = !DILocalVariable(name: "a", arg: 1, scope: !198, file: !2, line: 13, type: !9)
!201 = !DILocalVariable(name: "unused", scope: !198, file: !2, line: 13, type: !9)
!202 = !DILocalVariable(name: "also", scope: !198, file: !2, line: 13, type: !9)
!203 = !DILocation(line: 0, scope: !198)
!204 = !DILocation(line: 13, column: 63, scope: !198, atomGroup: 4, atomRank: 1)
