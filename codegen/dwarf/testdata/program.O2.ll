; ModuleID = 'g.c'
source_filename = "g.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@__const.main.p = private unnamed_addr constant { i32, i32, double, ptr, i8, [3 x i8], i32 } { i32 3, i32 4, double 2.500000e+00, ptr null, i8 5, [3 x i8] zeroinitializer, i32 1 }, align 8
@__const.main.buf = private unnamed_addr constant [16 x i8] c"hello\00\00\00\00\00\00\00\00\00\00\00", align 16
@.str = private unnamed_addr constant [7 x i8] c"%d %s\0A\00", align 1, !dbg !0
@total = internal unnamed_addr global i32 0, align 4, !dbg !7
@.str.1 = private unnamed_addr constant [6 x i8] c"t=%d\0A\00", align 1, !dbg !29

; Function Attrs: nofree noinline nounwind uwtable
define dso_local i32 @work(ptr noundef readonly captures(none) %0, i32 noundef %1) local_unnamed_addr #0 !dbg !46 {
    #dbg_value(ptr %0, !50, !DIExpression(), !58)
    #dbg_value(i32 %1, !51, !DIExpression(), !58)
    #dbg_value(i32 0, !52, !DIExpression(), !58)
    #dbg_value(i32 0, !53, !DIExpression(), !59)
  %3 = icmp sgt i32 %1, 0, !dbg !60
  br i1 %3, label %4, label %6, !dbg !61

4:                                                ; preds = %2
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 4
  br label %8, !dbg !61

6:                                                ; preds = %8, %2
  %7 = phi i32 [ 0, %2 ], [ %18, %8 ], !dbg !58
  ret i32 %7, !dbg !62

8:                                                ; preds = %4, %8
  %9 = phi i32 [ 0, %4 ], [ %18, %8 ]
  %10 = phi i32 [ 0, %4 ], [ %19, %8 ]
    #dbg_value(i32 %9, !52, !DIExpression(), !58)
    #dbg_value(i32 %10, !53, !DIExpression(), !59)
    #dbg_value(i32 %10, !63, !DIExpression(), !70)
    #dbg_value(ptr %0, !68, !DIExpression(), !70)
  %11 = load i32, ptr %0, align 8, !dbg !72, !tbaa !73
  %12 = mul nsw i32 %11, %10, !dbg !78
    #dbg_value(i32 %12, !69, !DIExpression(), !70)
  %13 = load i32, ptr @total, align 4, !dbg !79, !tbaa !42
  %14 = add nsw i32 %13, %12, !dbg !80
  store i32 %14, ptr @total, align 4, !dbg !81, !tbaa !42
  %15 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str.1, i32 noundef %12), !dbg !82
  %16 = load i32, ptr %5, align 4, !dbg !83, !tbaa !84
    #dbg_value(i32 poison, !55, !DIExpression(), !85)
  %17 = add i32 %12, %9, !dbg !86
  %18 = add i32 %17, %16, !dbg !87
    #dbg_value(i32 %18, !52, !DIExpression(), !58)
  %19 = add nuw nsw i32 %10, 1, !dbg !88
    #dbg_value(i32 %19, !53, !DIExpression(), !59)
  %20 = icmp eq i32 %19, %1, !dbg !89
  br i1 %20, label %6, label %8, !dbg !90, !llvm.loop !91
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nofree nounwind uwtable
define dso_local range(i32 0, 2) i32 @main(i32 noundef %0, ptr noundef readnone captures(none) %1) local_unnamed_addr #2 !dbg !95 {
    #dbg_assign(i1 poison, !103, !DIExpression(), !109, ptr @__const.main.p, !DIExpression(), !110)
  %3 = alloca [16 x i8], align 16, !DIAssignID !111
    #dbg_assign(i1 poison, !104, !DIExpression(), !111, ptr %3, !DIExpression(), !110)
    #dbg_value(i32 %0, !101, !DIExpression(), !110)
    #dbg_value(ptr %1, !102, !DIExpression(), !110)
    #dbg_assign(i1 poison, !103, !DIExpression(), !112, ptr @__const.main.p, !DIExpression(), !110)
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #5, !dbg !113
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %3, ptr noundef nonnull align 16 dereferenceable(16) @__const.main.buf, i64 16, i1 false), !dbg !114, !DIAssignID !115
    #dbg_assign(i1 poison, !104, !DIExpression(), !115, ptr %3, !DIExpression(), !110)
  %4 = add nsw i32 %0, 2, !dbg !116
  %5 = tail call i32 @work(ptr noundef nonnull @__const.main.p, i32 noundef %4), !dbg !117
    #dbg_value(i32 %5, !108, !DIExpression(), !110)
  %6 = call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str, i32 noundef %5, ptr noundef nonnull %3), !dbg !118
  %7 = icmp eq i32 %5, 0, !dbg !119
  %8 = zext i1 %7 to i32, !dbg !120
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #5, !dbg !121
  ret i32 %8, !dbg !122
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #3

; Function Attrs: nofree nounwind
declare !dbg !123 noundef i32 @printf(ptr noundef readonly captures(none), ...) local_unnamed_addr #4

attributes #0 = { nofree noinline nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nofree nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nofree nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }

!llvm.dbg.cu = !{!9}
!llvm.module.flags = !{!34, !35, !36, !37, !38, !39, !40}
!llvm.ident = !{!41}
!llvm.errno.tbaa = !{!42}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(scope: null, file: !2, line: 26, type: !3, isLocal: true, isDefinition: true)
!2 = !DIFile(filename: "g.c", directory: "/src", checksumkind: CSK_MD5, checksum: "2ef138946f2fe8a456fbbed4abc58d11")
!3 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 56, elements: !5)
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!5 = !{!6}
!6 = !DISubrange(count: 7)
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(name: "total", scope: !9, file: !2, line: 4, type: !15, isLocal: true, isDefinition: true)
!9 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "clang version 22.1.8", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !10, globals: !28, splitDebugInlining: false, nameTableKind: None)
!10 = !{!11}
!11 = !DICompositeType(tag: DW_TAG_enumeration_type, scope: !12, file: !2, line: 3, baseType: !22, size: 32, elements: !24)
!12 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "P", file: !2, line: 3, size: 256, elements: !13)
!13 = !{!14, !16, !17, !19, !21, !23}
!14 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !12, file: !2, line: 3, baseType: !15, size: 32)
!15 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !12, file: !2, line: 3, baseType: !15, size: 32, offset: 32)
!17 = !DIDerivedType(tag: DW_TAG_member, name: "w", scope: !12, file: !2, line: 3, baseType: !18, size: 64, offset: 64)
!18 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!19 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !12, file: !2, line: 3, baseType: !20, size: 64, offset: 128)
!20 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !12, size: 64)
!21 = !DIDerivedType(tag: DW_TAG_member, name: "f", scope: !12, file: !2, line: 3, baseType: !22, size: 3, offset: 192, flags: DIFlagBitField, extraData: i64 192)
!22 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!23 = !DIDerivedType(tag: DW_TAG_member, name: "e", scope: !12, file: !2, line: 3, baseType: !11, size: 32, offset: 224)
!24 = !{!25, !26, !27}
!25 = !DIEnumerator(name: "A", value: 0)
!26 = !DIEnumerator(name: "B", value: 1)
!27 = !DIEnumerator(name: "C", value: 2)
!28 = !{!0, !29, !7}
!29 = !DIGlobalVariableExpression(var: !30, expr: !DIExpression())
!30 = distinct !DIGlobalVariable(scope: null, file: !2, line: 9, type: !31, isLocal: true, isDefinition: true)
!31 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 48, elements: !32)
!32 = !{!33}
!33 = !DISubrange(count: 6)
!34 = !{i32 7, !"Dwarf Version", i32 5}
!35 = !{i32 2, !"Debug Info Version", i32 3}
!36 = !{i32 1, !"wchar_size", i32 4}
!37 = !{i32 8, !"PIC Level", i32 2}
!38 = !{i32 7, !"PIE Level", i32 2}
!39 = !{i32 7, !"uwtable", i32 2}
!40 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!41 = !{!"clang version 22.1.8"}
!42 = !{!43, !43, i64 0}
!43 = !{!"int", !44, i64 0}
!44 = !{!"omnipotent char", !45, i64 0}
!45 = !{!"Simple C/C++ TBAA"}
!46 = distinct !DISubprogram(name: "work", scope: !2, file: !2, line: 12, type: !47, scopeLine: 13, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !9, retainedNodes: !49, keyInstructions: true)
!47 = !DISubroutineType(types: !48)
!48 = !{!15, !20, !15}
!49 = !{!50, !51, !52, !53, !55}
!50 = !DILocalVariable(name: "p", arg: 1, scope: !46, file: !2, line: 12, type: !20)
!51 = !DILocalVariable(name: "n", arg: 2, scope: !46, file: !2, line: 12, type: !15)
!52 = !DILocalVariable(name: "sum", scope: !46, file: !2, line: 14, type: !15)
!53 = !DILocalVariable(name: "i", scope: !54, file: !2, line: 15, type: !15)
!54 = distinct !DILexicalBlock(scope: !46, file: !2, line: 15, column: 3)
!55 = !DILocalVariable(name: "v", scope: !56, file: !2, line: 16, type: !15)
!56 = distinct !DILexicalBlock(scope: !57, file: !2, line: 15, column: 31)
!57 = distinct !DILexicalBlock(scope: !54, file: !2, line: 15, column: 3)
!58 = !DILocation(line: 0, scope: !46)
!59 = !DILocation(line: 0, scope: !54)
!60 = !DILocation(line: 15, column: 21, scope: !57, atomGroup: 11, atomRank: 1)
!61 = !DILocation(line: 15, column: 3, scope: !54, atomGroup: 12, atomRank: 1)
!62 = !DILocation(line: 19, column: 3, scope: !46, atomGroup: 10, atomRank: 1)
!63 = !DILocalVariable(name: "a", arg: 1, scope: !64, file: !2, line: 5, type: !15)
!64 = distinct !DISubprogram(name: "inner", scope: !2, file: !2, line: 5, type: !65, scopeLine: 6, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !9, retainedNodes: !67, keyInstructions: true)
!65 = !DISubroutineType(types: !66)
!66 = !{!15, !15, !20}
!67 = !{!63, !68, !69}
!68 = !DILocalVariable(name: "p", arg: 2, scope: !64, file: !2, line: 5, type: !20)
!69 = !DILocalVariable(name: "t", scope: !64, file: !2, line: 7, type: !15)
!70 = !DILocation(line: 0, scope: !64, inlinedAt: !71)
!71 = distinct !DILocation(line: 16, column: 13, scope: !56)
!72 = !DILocation(line: 7, column: 18, scope: !64, inlinedAt: !71)
!73 = !{!74, !43, i64 0}
!74 = !{!"P", !43, i64 0, !43, i64 4, !75, i64 8, !76, i64 16, !43, i64 24, !43, i64 28}
!75 = !{!"double", !44, i64 0}
!76 = !{!"p1 _ZTS1P", !77, i64 0}
!77 = !{!"any pointer", !44, i64 0}
!78 = !DILocation(line: 7, column: 13, scope: !64, inlinedAt: !71, atomGroup: 1, atomRank: 2)
!79 = !DILocation(line: 8, column: 9, scope: !64, inlinedAt: !71)
!80 = !DILocation(line: 8, column: 9, scope: !64, inlinedAt: !71, atomGroup: 2, atomRank: 2)
!81 = !DILocation(line: 8, column: 9, scope: !64, inlinedAt: !71, atomGroup: 2, atomRank: 1)
!82 = !DILocation(line: 9, column: 3, scope: !64, inlinedAt: !71)
!83 = !DILocation(line: 10, column: 17, scope: !64, inlinedAt: !71)
!84 = !{!74, !43, i64 4}
!85 = !DILocation(line: 0, scope: !56)
!86 = !DILocation(line: 10, column: 12, scope: !64, inlinedAt: !71, atomGroup: 4, atomRank: 2)
!87 = !DILocation(line: 17, column: 9, scope: !56, atomGroup: 6, atomRank: 2)
!88 = !DILocation(line: 15, column: 27, scope: !57, atomGroup: 7, atomRank: 2)
!89 = !DILocation(line: 15, column: 21, scope: !57, atomGroup: 3, atomRank: 1)
!90 = !DILocation(line: 15, column: 3, scope: !54, atomGroup: 4, atomRank: 1)
!91 = distinct !{!91, !92, !93, !94}
!92 = !DILocation(line: 15, column: 3, scope: !54)
!93 = !DILocation(line: 18, column: 3, scope: !54)
!94 = !{!"llvm.loop.mustprogress"}
!95 = distinct !DISubprogram(name: "main", scope: !2, file: !2, line: 21, type: !96, scopeLine: 22, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !9, retainedNodes: !100, keyInstructions: true)
!96 = !DISubroutineType(types: !97)
!97 = !{!15, !15, !98}
!98 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !99, size: 64)
!99 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !4, size: 64)
!100 = !{!101, !102, !103, !104, !108}
!101 = !DILocalVariable(name: "argc", arg: 1, scope: !95, file: !2, line: 21, type: !15)
!102 = !DILocalVariable(name: "argv", arg: 2, scope: !95, file: !2, line: 21, type: !98)
!103 = !DILocalVariable(name: "p", scope: !95, file: !2, line: 23, type: !12)
!104 = !DILocalVariable(name: "buf", scope: !95, file: !2, line: 24, type: !105)
!105 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 128, elements: !106)
!106 = !{!107}
!107 = !DISubrange(count: 16)
!108 = !DILocalVariable(name: "r", scope: !95, file: !2, line: 25, type: !15)
!109 = distinct !DIAssignID()
!110 = !DILocation(line: 0, scope: !95)
!111 = distinct !DIAssignID()
!112 = distinct !DIAssignID()
!113 = !DILocation(line: 24, column: 3, scope: !95)
!114 = !DILocation(line: 24, column: 8, scope: !95, atomGroup: 2, atomRank: 1)
!115 = distinct !DIAssignID()
!116 = !DILocation(line: 25, column: 25, scope: !95)
!117 = !DILocation(line: 25, column: 11, scope: !95, atomGroup: 3, atomRank: 2)
!118 = !DILocation(line: 26, column: 3, scope: !95)
!119 = !DILocation(line: 27, column: 12, scope: !95, atomGroup: 5, atomRank: 3)
!120 = !DILocation(line: 27, column: 12, scope: !95, atomGroup: 5, atomRank: 2)
!121 = !DILocation(line: 28, column: 1, scope: !95)
!122 = !DILocation(line: 27, column: 3, scope: !95, atomGroup: 5, atomRank: 1)
!123 = !DISubprogram(name: "printf", scope: !124, file: !124, line: 356, type: !125, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!124 = !DIFile(filename: "/usr/include/stdio.h", directory: "", checksumkind: CSK_MD5, checksum: "b5a90985555f47bfb88eff5a8f0f5b72")
!125 = !DISubroutineType(types: !126)
!126 = !{!15, !127, null}
!127 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !128)
!128 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !129, size: 64)
!129 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !4)
