; ModuleID = 'a.c'
source_filename = "a.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@glob = dso_local local_unnamed_addr global i32 0, align 4, !dbg !0

; Function Attrs: nounwind uwtable
define dso_local i32 @f(i32 noundef %0, double noundef %1, i64 %2, i64 %3) local_unnamed_addr #0 !dbg !18 {
  %5 = alloca i32, align 4, !DIAssignID !41
    #dbg_assign(i1 poison, !31, !DIExpression(), !41, ptr %5, !DIExpression(), !42)
    #dbg_value(i64 %2, !30, !DIExpression(DW_OP_LLVM_fragment, 0, 64), !42)
    #dbg_value(i64 %3, !30, !DIExpression(DW_OP_LLVM_fragment, 64, 64), !42)
    #dbg_value(i32 %0, !28, !DIExpression(), !42)
    #dbg_value(double %1, !29, !DIExpression(), !42)
  call void @llvm.lifetime.start.p0(ptr nonnull %5) #3, !dbg !43
  %6 = mul nsw i32 %0, 3, !dbg !44
  store i32 %6, ptr %5, align 4, !dbg !45, !tbaa !14, !DIAssignID !46
    #dbg_assign(i32 %6, !31, !DIExpression(), !46, ptr %5, !DIExpression(), !42)
    #dbg_value(i32 7, !32, !DIExpression(), !42)
    #dbg_value(double 2.500000e+00, !34, !DIExpression(), !42)
    #dbg_value(ptr @glob, !35, !DIExpression(), !42)
    #dbg_value(i32 0, !37, !DIExpression(), !47)
  %7 = icmp sgt i32 %0, 0, !dbg !48
  br i1 %7, label %22, label %10, !dbg !50

8:                                                ; preds = %22
  %9 = load i32, ptr %5, align 4, !dbg !51, !tbaa !14
  br label %10, !dbg !51

10:                                               ; preds = %8, %4
  %11 = phi i32 [ %9, %8 ], [ %6, %4 ], !dbg !51
  %12 = sext i32 %11 to i64, !dbg !51
  %13 = add nsw i64 %2, %12, !dbg !52
    #dbg_value(i64 %13, !30, !DIExpression(DW_OP_LLVM_fragment, 0, 64), !42)
  call void @use(i64 %13, i64 %3) #3, !dbg !53
    #dbg_value(i32 %0, !39, !DIExpression(DW_OP_constu, 1, DW_OP_minus, DW_OP_stack_value), !42)
  %14 = icmp sgt i32 %0, 5, !dbg !54
  %15 = load i32, ptr %5, align 4, !dbg !56, !tbaa !14
  %16 = fmul double %1, 2.500000e+00, !dbg !57
  %17 = fptosi double %16 to i32, !dbg !57
  %18 = select i1 %14, i32 0, i32 %17, !dbg !57
  %19 = sub nsw i32 %15, %18, !dbg !57
    #dbg_label(!40, !58)
  %20 = load i32, ptr @glob, align 4, !dbg !59, !tbaa !14
  %21 = add nsw i32 %20, %19, !dbg !60
  call void @llvm.lifetime.end.p0(ptr nonnull %5) #3, !dbg !61
  ret i32 %21, !dbg !62

22:                                               ; preds = %4, %22
  %23 = phi i32 [ %28, %22 ], [ 0, %4 ]
    #dbg_value(i32 %23, !37, !DIExpression(), !47)
  %24 = mul nuw nsw i32 %23, 7, !dbg !63
  %25 = load i32, ptr %5, align 4, !dbg !65, !tbaa !14
  %26 = add nsw i32 %25, %24, !dbg !66
  store i32 %26, ptr %5, align 4, !dbg !67, !tbaa !14, !DIAssignID !68
    #dbg_assign(i32 %26, !31, !DIExpression(), !68, ptr %5, !DIExpression(), !42)
  %27 = call i32 @ext(ptr noundef nonnull %5) #3, !dbg !69
  %28 = add nuw nsw i32 %23, 1, !dbg !70
    #dbg_value(i32 %28, !37, !DIExpression(), !47)
  %29 = icmp eq i32 %28, %0, !dbg !71
  br i1 %29, label %8, label %22, !dbg !72, !llvm.loop !73
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare !dbg !77 i32 @ext(ptr noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare !dbg !80 void @use(i64, i64) local_unnamed_addr #2

; Function Attrs: nounwind uwtable
define dso_local i32 @vla(i32 noundef %0) local_unnamed_addr #0 !dbg !83 {
    #dbg_value(i32 %0, !87, !DIExpression(), !94)
  %2 = zext i32 %0 to i64, !dbg !95
  %3 = alloca i32, i64 %2, align 16, !dbg !95
    #dbg_value(i64 %2, !88, !DIExpression(), !94)
    #dbg_declare(ptr %3, !90, !DIExpression(), !96)
  %4 = call i32 @ext(ptr noundef nonnull %3) #3, !dbg !97
  %5 = load i32, ptr %3, align 16, !dbg !98, !tbaa !14
  ret i32 %5, !dbg !99
}

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!7, !8, !9, !10, !11, !12, !13}
!llvm.errno.tbaa = !{!14}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "glob", scope: !2, file: !3, line: 4, type: !5, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "a.c", directory: "/", checksumkind: CSK_MD5, checksum: "f6726edaa141b04570dc965aa8b46ddf")
!4 = !{!5}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !{!0}
!7 = !{i32 7, !"Dwarf Version", i32 5}
!8 = !{i32 2, !"Debug Info Version", i32 3}
!9 = !{i32 1, !"wchar_size", i32 4}
!10 = !{i32 8, !"PIC Level", i32 2}
!11 = !{i32 7, !"PIE Level", i32 2}
!12 = !{i32 7, !"uwtable", i32 2}
!13 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!14 = !{!15, !15, i64 0}
!15 = !{!"int", !16, i64 0}
!16 = !{!"omnipotent char", !17, i64 0}
!17 = !{!"Simple C/C++ TBAA"}
!18 = distinct !DISubprogram(name: "f", scope: !3, file: !3, line: 5, type: !19, scopeLine: 5, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !27, keyInstructions: true)
!19 = !DISubroutineType(types: !20)
!20 = !{!5, !5, !21, !22}
!21 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!22 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "P", file: !3, line: 1, size: 128, elements: !23)
!23 = !{!24, !26}
!24 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !22, file: !3, line: 1, baseType: !25, size: 64)
!25 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!26 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !22, file: !3, line: 1, baseType: !25, size: 64, offset: 64)
!27 = !{!28, !29, !30, !31, !32, !34, !35, !37, !39, !40}
!28 = !DILocalVariable(name: "n", arg: 1, scope: !18, file: !3, line: 5, type: !5)
!29 = !DILocalVariable(name: "d", arg: 2, scope: !18, file: !3, line: 5, type: !21)
!30 = !DILocalVariable(name: "p", arg: 3, scope: !18, file: !3, line: 5, type: !22)
!31 = !DILocalVariable(name: "x", scope: !18, file: !3, line: 6, type: !5)
!32 = !DILocalVariable(name: "k", scope: !18, file: !3, line: 7, type: !33)
!33 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !5)
!34 = !DILocalVariable(name: "e", scope: !18, file: !3, line: 8, type: !21)
!35 = !DILocalVariable(name: "gp", scope: !18, file: !3, line: 9, type: !36)
!36 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5, size: 64)
!37 = !DILocalVariable(name: "i", scope: !38, file: !3, line: 10, type: !5)
!38 = distinct !DILexicalBlock(scope: !18, file: !3, line: 10, column: 3)
!39 = !DILocalVariable(name: "z", scope: !18, file: !3, line: 13, type: !5)
!40 = !DILabel(scope: !18, name: "out", file: !3, line: 16, column: 1)
!41 = distinct !DIAssignID()
!42 = !DILocation(line: 0, scope: !18)
!43 = !DILocation(line: 6, column: 3, scope: !18)
!44 = !DILocation(line: 6, column: 13, scope: !18, atomGroup: 1, atomRank: 2)
!45 = !DILocation(line: 6, column: 7, scope: !18, atomGroup: 1, atomRank: 1)
!46 = distinct !DIAssignID()
!47 = !DILocation(line: 0, scope: !38)
!48 = !DILocation(line: 10, column: 21, scope: !49, atomGroup: 18, atomRank: 1)
!49 = distinct !DILexicalBlock(scope: !38, file: !3, line: 10, column: 3)
!50 = !DILocation(line: 10, column: 3, scope: !38, atomGroup: 19, atomRank: 1)
!51 = !DILocation(line: 11, column: 10, scope: !18)
!52 = !DILocation(line: 11, column: 7, scope: !18, atomGroup: 11, atomRank: 2)
!53 = !DILocation(line: 12, column: 3, scope: !18)
!54 = !DILocation(line: 14, column: 9, scope: !55, atomGroup: 13, atomRank: 2)
!55 = distinct !DILexicalBlock(scope: !18, file: !3, line: 14, column: 7)
!56 = !DILocation(line: 17, column: 10, scope: !18)
!57 = !DILocation(line: 14, column: 9, scope: !55, atomGroup: 13, atomRank: 1)
!58 = !DILocation(line: 16, column: 1, scope: !18)
!59 = !DILocation(line: 17, column: 14, scope: !18)
!60 = !DILocation(line: 17, column: 12, scope: !18, atomGroup: 17, atomRank: 2)
!61 = !DILocation(line: 18, column: 1, scope: !18)
!62 = !DILocation(line: 17, column: 3, scope: !18, atomGroup: 17, atomRank: 1)
!63 = !DILocation(line: 10, column: 40, scope: !64)
!64 = distinct !DILexicalBlock(scope: !49, file: !3, line: 10, column: 31)
!65 = !DILocation(line: 10, column: 35, scope: !64)
!66 = !DILocation(line: 10, column: 35, scope: !64, atomGroup: 8, atomRank: 2)
!67 = !DILocation(line: 10, column: 35, scope: !64, atomGroup: 8, atomRank: 1)
!68 = distinct !DIAssignID()
!69 = !DILocation(line: 10, column: 45, scope: !64)
!70 = !DILocation(line: 10, column: 27, scope: !49, atomGroup: 9, atomRank: 2)
!71 = !DILocation(line: 10, column: 21, scope: !49, atomGroup: 6, atomRank: 1)
!72 = !DILocation(line: 10, column: 3, scope: !38, atomGroup: 7, atomRank: 1)
!73 = distinct !{!73, !74, !75, !76}
!74 = !DILocation(line: 10, column: 3, scope: !38)
!75 = !DILocation(line: 10, column: 54, scope: !38)
!76 = !{!"llvm.loop.mustprogress"}
!77 = !DISubprogram(name: "ext", scope: !3, file: !3, line: 2, type: !78, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!78 = !DISubroutineType(types: !79)
!79 = !{!5, !36}
!80 = !DISubprogram(name: "use", scope: !3, file: !3, line: 3, type: !81, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!81 = !DISubroutineType(types: !82)
!82 = !{null, !22}
!83 = distinct !DISubprogram(name: "vla", scope: !3, file: !3, line: 19, type: !84, scopeLine: 19, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !86, keyInstructions: true)
!84 = !DISubroutineType(types: !85)
!85 = !{!5, !5}
!86 = !{!87, !88, !90}
!87 = !DILocalVariable(name: "n", arg: 1, scope: !83, file: !3, line: 19, type: !5)
!88 = !DILocalVariable(name: "__vla_expr0", scope: !83, type: !89, flags: DIFlagArtificial)
!89 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!90 = !DILocalVariable(name: "a", scope: !83, file: !3, line: 19, type: !91)
!91 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, elements: !92)
!92 = !{!93}
!93 = !DISubrange(count: !88)
!94 = !DILocation(line: 0, scope: !83)
!95 = !DILocation(line: 19, column: 18, scope: !83)
!96 = !DILocation(line: 19, column: 22, scope: !83)
!97 = !DILocation(line: 19, column: 28, scope: !83)
!98 = !DILocation(line: 19, column: 43, scope: !83, atomGroup: 2, atomRank: 2)
!99 = !DILocation(line: 19, column: 49, scope: !83, atomGroup: 2, atomRank: 1)
