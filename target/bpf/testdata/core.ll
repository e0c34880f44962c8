; What CO-RE relocates: members' places, sizes, signs, shifts and existence, types, enumerators,
; numbers of types. The records are llc-22's; the code has what they are of the program's own types.
; RUN: llc -mtriple=bpfel -mcpu=v3 -O2 %s -o - | FileCheck %s
; RUN: llc -mtriple=bpfel -mcpu=v3 -O2 -j1 %s -o %t.1
; RUN: llc -mtriple=bpfel -mcpu=v3 -O2 -j3 %s -o %t.3
; RUN: diff %t.1 %t.3


@"llvm.s:0:28$0:5:2" = external global i64, !llvm.preserve.access.index !0 #0
@"llvm.s:0:4$0:1" = external global i64, !llvm.preserve.access.index !0 #0
@"llvm.s:0:0$0:0" = external global i64, !llvm.preserve.access.index !0 #0
@"llvm.s:0:39$0:6:3" = external global i64, !llvm.preserve.access.index !0 #0
@"llvm.s:0:8$0:2" = external global i64, !llvm.preserve.access.index !0 #0
@"llvm.s:0:24$0:5:1" = external global i64, !llvm.preserve.access.index !0 #0
@"llvm.s:5:53$0:4" = external global i32, !llvm.preserve.access.index !0 #0
@"llvm.s:0:16$0:4" = external global i32, !llvm.preserve.access.index !0 #0
@"llvm.s:4:48$0:4" = external global i32, !llvm.preserve.access.index !0 #0
@"llvm.s:3:1$0:4" = external global i32, !llvm.preserve.access.index !0 #0
@"llvm.s:1:8$0:2" = external global i32, !llvm.preserve.access.index !0 #0
@"llvm.s:2:1$0:1" = external global i32, !llvm.preserve.access.index !0 #0
@"llvm.u:0:0$0:1:0" = external global i64, !llvm.preserve.access.index !21 #0
@"llvm.u:0:32$0:1:5:3" = external global i32, !llvm.preserve.access.index !21 #0
@"llvm.e:11:7$1" = external global i64, !llvm.preserve.access.index !25 #0
@"llvm.s:8:1$0" = external global i32, !llvm.preserve.access.index !0 #0
@"llvm.s:9:56$0" = external global i32, !llvm.preserve.access.index !0 #0
@"llvm.s:12:1$0" = external global i32, !llvm.preserve.access.index !0 #0
@"llvm.e:10:1$2" = external global i64, !llvm.preserve.access.index !25 #0
@"llvm.btf_type_id.0$6" = external global i64, !llvm.preserve.access.index !0 #1
@"llvm.btf_type_id.1$7" = external global i64, !llvm.preserve.access.index !0 #1
@"llvm.btf_type_id.2$7" = external global i64, !llvm.preserve.access.index !30 #1
@"llvm.anon_t:0:0$0:0" = external global i64, !llvm.preserve.access.index !30 #0

; Function Attrs: nofree nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local i32 @load(ptr noundef readonly %0) local_unnamed_addr #2 !dbg !50 {
    #dbg_value(ptr %0, !55, !DIExpression(), !56)
  %2 = load i64, ptr @"llvm.s:0:0$0:0", align 8
  %3 = getelementptr i8, ptr %0, i64 %2
  %4 = tail call ptr @llvm.bpf.passthrough.p0.p0(i32 2, ptr %3)
  %5 = load i32, ptr %4, align 8, !dbg !57, !tbaa !58
  %6 = load i64, ptr @"llvm.s:0:4$0:1", align 8
  %7 = getelementptr i8, ptr %0, i64 %6
  %8 = tail call ptr @llvm.bpf.passthrough.p0.p0(i32 1, ptr %7)
  %9 = load i16, ptr %8, align 4, !dbg !62, !tbaa !63
  %10 = sext i16 %9 to i32, !dbg !64
  %11 = add nsw i32 %5, %10, !dbg !65
  %12 = load i64, ptr @"llvm.s:0:28$0:5:2", align 8
  %13 = getelementptr i8, ptr %0, i64 %12
  %14 = tail call ptr @llvm.bpf.passthrough.p0.p0(i32 0, ptr %13)
  %15 = load i32, ptr %14, align 4, !dbg !66, !tbaa !46
  %16 = add nsw i32 %11, %15, !dbg !67
  %17 = load i64, ptr @"llvm.s:0:39$0:6:3", align 8
  %18 = getelementptr i8, ptr %0, i64 %17
  %19 = tail call ptr @llvm.bpf.passthrough.p0.p0(i32 3, ptr %18)
  %20 = load i8, ptr %19, align 1, !dbg !68, !tbaa !69
  %21 = sext i8 %20 to i32, !dbg !68
  %22 = add nsw i32 %16, %21, !dbg !70
  ret i32 %22, !dbg !71
}

; Function Attrs: nofree nosync nounwind memory(readwrite, argmem: write, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local void @store(ptr noundef writeonly %0, i32 noundef %1) local_unnamed_addr #3 !dbg !72 {
    #dbg_value(ptr %0, !76, !DIExpression(), !78)
    #dbg_value(i32 %1, !77, !DIExpression(), !78)
  %3 = trunc i32 %1 to i16, !dbg !79
  %4 = load i64, ptr @"llvm.s:0:4$0:1", align 8
  %5 = getelementptr i8, ptr %0, i64 %4
  %6 = tail call ptr @llvm.bpf.passthrough.p0.p0(i32 4, ptr %5)
  store i16 %3, ptr %6, align 4, !dbg !80, !tbaa !63
  %7 = load i64, ptr @"llvm.s:0:8$0:2", align 8
  %8 = getelementptr i8, ptr %0, i64 %7
  %9 = tail call ptr @llvm.bpf.passthrough.p0.p0(i32 5, ptr %8)
  store i64 9, ptr %9, align 8, !dbg !81, !tbaa !82
  %10 = load i64, ptr @"llvm.s:0:24$0:5:1", align 8
  %11 = getelementptr i8, ptr %0, i64 %10
  %12 = tail call ptr @llvm.bpf.passthrough.p0.p0(i32 6, ptr %11)
  store i32 %1, ptr %12, align 4, !dbg !83, !tbaa !46
  ret void, !dbg !84
}

; Function Attrs: nofree nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local i64 @bits(ptr noundef readonly captures(none) %0) local_unnamed_addr #2 !dbg !85 {
    #dbg_value(ptr %0, !89, !DIExpression(), !91)
  %2 = load i32, ptr @"llvm.s:0:16$0:4", align 4
  %3 = tail call i32 @llvm.bpf.passthrough.i32.i32(i32 8, i32 %2)
  %4 = zext i32 %3 to i64, !dbg !92
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 %4, !dbg !92
  %6 = load i32, ptr %5, align 4, !dbg !93, !tbaa !46
  %7 = zext i32 %6 to i64, !dbg !94
    #dbg_value(i64 %7, !90, !DIExpression(), !91)
  %8 = load i32, ptr @"llvm.s:4:48$0:4", align 4
  %9 = tail call i32 @llvm.bpf.passthrough.i32.i32(i32 9, i32 %8)
  %10 = zext nneg i32 %9 to i64, !dbg !95
  %11 = shl i64 %7, %10, !dbg !96
    #dbg_value(i64 %11, !90, !DIExpression(), !91)
  %12 = load i32, ptr @"llvm.s:3:1$0:4", align 4
  %13 = tail call i32 @llvm.bpf.passthrough.i32.i32(i32 10, i32 %12)
  %14 = icmp eq i32 %13, 0, !dbg !97
  %15 = load i32, ptr @"llvm.s:5:53$0:4", align 4
  br i1 %14, label %20, label %16, !dbg !99

16:                                               ; preds = %1
  %17 = tail call i32 @llvm.bpf.passthrough.i32.i32(i32 11, i32 %15)
  %18 = zext nneg i32 %17 to i64, !dbg !100
  %19 = ashr i64 %11, %18, !dbg !101
  br label %24, !dbg !102

20:                                               ; preds = %1
  %21 = tail call i32 @llvm.bpf.passthrough.i32.i32(i32 7, i32 %15)
  %22 = zext nneg i32 %21 to i64, !dbg !103
  %23 = lshr i64 %11, %22, !dbg !104
  br label %24, !dbg !105

24:                                               ; preds = %20, %16
  %25 = phi i64 [ %19, %16 ], [ %23, %20 ], !dbg !106
  ret i64 %25, !dbg !107
}

; Function Attrs: nofree nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local i32 @info(ptr noundef readnone captures(none) %0, ptr noundef readonly %1) local_unnamed_addr #2 !dbg !108 {
    #dbg_value(ptr %0, !113, !DIExpression(), !115)
    #dbg_value(ptr %1, !114, !DIExpression(), !115)
  %3 = load i32, ptr @"llvm.s:1:8$0:2", align 4
  %4 = tail call i32 @llvm.bpf.passthrough.i32.i32(i32 12, i32 %3)
  %5 = load i32, ptr @"llvm.s:2:1$0:1", align 4
  %6 = tail call i32 @llvm.bpf.passthrough.i32.i32(i32 13, i32 %5)
  %7 = add i32 %6, %4, !dbg !116
  %8 = load i64, ptr @"llvm.u:0:0$0:1:0", align 8
  %9 = getelementptr i8, ptr %1, i64 %8
  %10 = tail call ptr @llvm.bpf.passthrough.p0.p0(i32 14, ptr %9)
  %11 = load i32, ptr %10, align 8, !dbg !117, !tbaa !69
  %12 = add i32 %7, %11, !dbg !118
  %13 = load i32, ptr @"llvm.u:0:32$0:1:5:3", align 4
  %14 = tail call i32 @llvm.bpf.passthrough.i32.i32(i32 15, i32 %13)
  %15 = add i32 %12, %14, !dbg !119
  ret i32 %15, !dbg !120
}

; Function Attrs: nofree nosync nounwind memory(read, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local i64 @types() local_unnamed_addr #4 !dbg !121 {
  %1 = load i32, ptr @"llvm.s:8:1$0", align 4
  %2 = tail call i32 @llvm.bpf.passthrough.i32.i32(i32 17, i32 %1)
  %3 = load i32, ptr @"llvm.s:9:56$0", align 4
  %4 = tail call i32 @llvm.bpf.passthrough.i32.i32(i32 18, i32 %3)
  %5 = add i32 %4, %2, !dbg !124
  %6 = load i32, ptr @"llvm.s:12:1$0", align 4
  %7 = tail call i32 @llvm.bpf.passthrough.i32.i32(i32 19, i32 %6)
  %8 = add i32 %5, %7, !dbg !125
  %9 = zext i32 %8 to i64, !dbg !126
  %10 = load i64, ptr @"llvm.e:11:7$1", align 8
  %11 = tail call i64 @llvm.bpf.passthrough.i64.i64(i32 16, i64 %10)
  %12 = add i64 %11, %9, !dbg !127
  %13 = load i64, ptr @"llvm.e:10:1$2", align 8
  %14 = tail call i64 @llvm.bpf.passthrough.i64.i64(i32 20, i64 %13)
  %15 = add i64 %12, %14, !dbg !128
  ret i64 %15, !dbg !129
}

; Function Attrs: nofree nosync nounwind memory(read, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local i32 @ids(ptr noundef readnone captures(none) %0) local_unnamed_addr #4 !dbg !130 {
    #dbg_value(ptr %0, !132, !DIExpression(), !133)
  %2 = load i64, ptr @"llvm.btf_type_id.0$6", align 8
  %3 = tail call i64 @llvm.bpf.passthrough.i64.i64(i32 21, i64 %2)
  %4 = load i64, ptr @"llvm.btf_type_id.1$7", align 8
  %5 = tail call i64 @llvm.bpf.passthrough.i64.i64(i32 22, i64 %4)
  %6 = add i64 %5, %3, !dbg !134
  %7 = load i64, ptr @"llvm.btf_type_id.2$7", align 8
  %8 = tail call i64 @llvm.bpf.passthrough.i64.i64(i32 23, i64 %7)
  %9 = add i64 %6, %8, !dbg !135
  %10 = trunc i64 %9 to i32, !dbg !136
  ret i32 %10, !dbg !137
}

; Function Attrs: nofree nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local i32 @anon(ptr noundef readonly %0) local_unnamed_addr #2 !dbg !138 {
    #dbg_value(ptr %0, !143, !DIExpression(), !144)
  %2 = load i64, ptr @"llvm.anon_t:0:0$0:0", align 8
  %3 = getelementptr i8, ptr %0, i64 %2
  %4 = tail call ptr @llvm.bpf.passthrough.p0.p0(i32 24, ptr %3)
  %5 = load i32, ptr %4, align 4, !dbg !145, !tbaa !146
  ret i32 %5, !dbg !148
}

; Function Attrs: nofree nosync nounwind memory(none)
declare ptr @llvm.bpf.passthrough.p0.p0(i32, ptr) #5

; Function Attrs: nofree nosync nounwind memory(none)
declare i32 @llvm.bpf.passthrough.i32.i32(i32, i32) #5

; Function Attrs: nofree nosync nounwind memory(none)
declare i64 @llvm.bpf.passthrough.i64.i64(i32, i64) #5

attributes #0 = { "btf_ama" }
attributes #1 = { "btf_type_id" }
attributes #2 = { nofree nosync nounwind memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="v3" }
attributes #3 = { nofree nosync nounwind memory(readwrite, argmem: write, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="v3" }
attributes #4 = { nofree nosync nounwind memory(read, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="v3" }
attributes #5 = { nofree nosync nounwind memory(none) }

!llvm.dbg.cu = !{!34}
!llvm.module.flags = !{!40, !41, !42, !43, !44}
!llvm.ident = !{!45}
!llvm.errno.tbaa = !{!46}

!0 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "s", file: !1, line: 3, size: 448, elements: !2)
!1 = !DIFile(filename: "../c.c", directory: "/src", checksumkind: CSK_MD5, checksum: "9ac3d328055d8600af5d2e35c5d5b8c1")
!2 = !{!3, !5, !7, !9, !11, !12, !16}
!3 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !0, file: !1, line: 3, baseType: !4, size: 32)
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !0, file: !1, line: 3, baseType: !6, size: 16, offset: 32)
!6 = !DIBasicType(name: "short", size: 16, encoding: DW_ATE_signed)
!7 = !DIDerivedType(tag: DW_TAG_member, name: "c", scope: !0, file: !1, line: 3, baseType: !8, size: 64, offset: 64)
!8 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!9 = !DIDerivedType(tag: DW_TAG_member, name: "f1", scope: !0, file: !1, line: 3, baseType: !10, size: 5, offset: 128, flags: DIFlagBitField, extraData: i64 128)
!10 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!11 = !DIDerivedType(tag: DW_TAG_member, name: "f2", scope: !0, file: !1, line: 3, baseType: !4, size: 11, offset: 133, flags: DIFlagBitField, extraData: i64 128)
!12 = !DIDerivedType(tag: DW_TAG_member, name: "arr", scope: !0, file: !1, line: 3, baseType: !13, size: 128, offset: 160)
!13 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 128, elements: !14)
!14 = !{!15}
!15 = !DISubrange(count: 4)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "name", scope: !0, file: !1, line: 3, baseType: !17, size: 128, offset: 288)
!17 = !DICompositeType(tag: DW_TAG_array_type, baseType: !18, size: 128, elements: !19)
!18 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!19 = !{!20}
!20 = !DISubrange(count: 16)
!21 = distinct !DICompositeType(tag: DW_TAG_union_type, name: "u", file: !1, line: 5, size: 448, elements: !22)
!22 = !{!23, !24}
!23 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !21, file: !1, line: 5, baseType: !4, size: 32)
!24 = !DIDerivedType(tag: DW_TAG_member, name: "s", scope: !21, file: !1, line: 5, baseType: !0, size: 448)
!25 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e", file: !1, line: 4, baseType: !10, size: 32, elements: !26)
!26 = !{!27, !28, !29}
!27 = !DIEnumerator(name: "E0", value: 0)
!28 = !DIEnumerator(name: "E1", value: 7)
!29 = !DIEnumerator(name: "E2", value: 2147483647)
!30 = !DIDerivedType(tag: DW_TAG_typedef, name: "anon_t", file: !1, line: 4, baseType: !31)
!31 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !1, line: 4, size: 32, elements: !32)
!32 = !{!33}
!33 = !DIDerivedType(tag: DW_TAG_member, name: "q", scope: !31, file: !1, line: 4, baseType: !4, size: 32)
!34 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !35, retainedTypes: !36, splitDebugInlining: false, nameTableKind: None)
!35 = !{!25}
!36 = !{!37, !38, !39, !13, !17, !30}
!37 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)
!38 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !18, size: 64)
!39 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!40 = !{i32 7, !"Dwarf Version", i32 5}
!41 = !{i32 2, !"Debug Info Version", i32 3}
!42 = !{i32 1, !"wchar_size", i32 4}
!43 = !{i32 7, !"frame-pointer", i32 2}
!44 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!45 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!46 = !{!47, !47, i64 0}
!47 = !{!"int", !48, i64 0}
!48 = !{!"omnipotent char", !49, i64 0}
!49 = !{!"Simple C/C++ TBAA"}
!50 = distinct !DISubprogram(name: "load", scope: !1, file: !1, line: 6, type: !51, scopeLine: 6, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !34, retainedNodes: !54, keyInstructions: true)
!51 = !DISubroutineType(types: !52)
!52 = !{!4, !53}
!53 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !0, size: 64)
!54 = !{!55}
!55 = !DILocalVariable(name: "p", arg: 1, scope: !50, file: !1, line: 6, type: !53)
!56 = !DILocation(line: 0, scope: !50)
!57 = !DILocation(line: 6, column: 35, scope: !50)
!58 = !{!59, !47, i64 0}
!59 = !{!"s", !47, i64 0, !60, i64 4, !61, i64 8, !47, i64 16, !47, i64 16, !48, i64 20, !48, i64 36}
!60 = !{!"short", !48, i64 0}
!61 = !{!"long", !48, i64 0}
!62 = !DILocation(line: 6, column: 42, scope: !50)
!63 = !{!59, !60, i64 4}
!64 = !DILocation(line: 6, column: 39, scope: !50)
!65 = !DILocation(line: 6, column: 37, scope: !50)
!66 = !DILocation(line: 6, column: 46, scope: !50)
!67 = !DILocation(line: 6, column: 44, scope: !50)
!68 = !DILocation(line: 6, column: 58, scope: !50)
!69 = !{!48, !48, i64 0}
!70 = !DILocation(line: 6, column: 56, scope: !50, atomGroup: 1, atomRank: 2)
!71 = !DILocation(line: 6, column: 25, scope: !50, atomGroup: 1, atomRank: 1)
!72 = distinct !DISubprogram(name: "store", scope: !1, file: !1, line: 7, type: !73, scopeLine: 7, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !34, retainedNodes: !75, keyInstructions: true)
!73 = !DISubroutineType(types: !74)
!74 = !{null, !53, !4}
!75 = !{!76, !77}
!76 = !DILocalVariable(name: "p", arg: 1, scope: !72, file: !1, line: 7, type: !53)
!77 = !DILocalVariable(name: "v", arg: 2, scope: !72, file: !1, line: 7, type: !4)
!78 = !DILocation(line: 0, scope: !72)
!79 = !DILocation(line: 7, column: 41, scope: !72, atomGroup: 1, atomRank: 2)
!80 = !DILocation(line: 7, column: 39, scope: !72, atomGroup: 1, atomRank: 1)
!81 = !DILocation(line: 7, column: 49, scope: !72, atomGroup: 2, atomRank: 1)
!82 = !{!59, !61, i64 8}
!83 = !DILocation(line: 7, column: 64, scope: !72, atomGroup: 3, atomRank: 1)
!84 = !DILocation(line: 7, column: 69, scope: !72, atomGroup: 4, atomRank: 1)
!85 = distinct !DISubprogram(name: "bits", scope: !1, file: !1, line: 8, type: !86, scopeLine: 8, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !34, retainedNodes: !88, keyInstructions: true)
!86 = !DISubroutineType(types: !87)
!87 = !{!8, !53}
!88 = !{!89, !90}
!89 = !DILocalVariable(name: "p", arg: 1, scope: !85, file: !1, line: 8, type: !53)
!90 = !DILocalVariable(name: "v", scope: !85, file: !1, line: 8, type: !8)
!91 = !DILocation(line: 0, scope: !85)
!92 = !DILocation(line: 8, column: 53, scope: !85)
!93 = !DILocation(line: 8, column: 53, scope: !85, atomGroup: 1, atomRank: 3)
!94 = !DILocation(line: 8, column: 53, scope: !85, atomGroup: 1, atomRank: 2)
!95 = !DILocation(line: 8, column: 95, scope: !85)
!96 = !DILocation(line: 8, column: 95, scope: !85, atomGroup: 2, atomRank: 2)
!97 = !DILocation(line: 8, column: 117, scope: !98, atomGroup: 3, atomRank: 2)
!98 = distinct !DILexicalBlock(scope: !85, file: !1, line: 8, column: 117)
!99 = !DILocation(line: 8, column: 117, scope: !98, atomGroup: 3, atomRank: 1)
!100 = !DILocation(line: 8, column: 146, scope: !98)
!101 = !DILocation(line: 8, column: 146, scope: !98, atomGroup: 4, atomRank: 2)
!102 = !DILocation(line: 8, column: 131, scope: !98, atomGroup: 4, atomRank: 1)
!103 = !DILocation(line: 8, column: 172, scope: !85)
!104 = !DILocation(line: 8, column: 172, scope: !85, atomGroup: 5, atomRank: 2)
!105 = !DILocation(line: 8, column: 163, scope: !85, atomGroup: 5, atomRank: 1)
!106 = !DILocation(line: 8, scope: !85, atomGroup: 4, atomRank: 1)
!107 = !DILocation(line: 8, column: 188, scope: !85, atomGroup: 6, atomRank: 1)
!108 = distinct !DISubprogram(name: "info", scope: !1, file: !1, line: 9, type: !109, scopeLine: 9, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !34, retainedNodes: !112, keyInstructions: true)
!109 = !DISubroutineType(types: !110)
!110 = !{!4, !53, !111}
!111 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21, size: 64)
!112 = !{!113, !114}
!113 = !DILocalVariable(name: "p", arg: 1, scope: !108, file: !1, line: 9, type: !53)
!114 = !DILocalVariable(name: "u", arg: 2, scope: !108, file: !1, line: 9, type: !111)
!115 = !DILocation(line: 0, scope: !108)
!116 = !DILocation(line: 9, column: 56, scope: !108)
!117 = !DILocation(line: 9, column: 77, scope: !108)
!118 = !DILocation(line: 9, column: 70, scope: !108)
!119 = !DILocation(line: 9, column: 79, scope: !108, atomGroup: 1, atomRank: 2)
!120 = !DILocation(line: 9, column: 37, scope: !108, atomGroup: 1, atomRank: 1)
!121 = distinct !DISubprogram(name: "types", scope: !1, file: !1, line: 10, type: !122, scopeLine: 10, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !34, keyInstructions: true)
!122 = !DISubroutineType(types: !123)
!123 = !{!39}
!124 = !DILocation(line: 10, column: 75, scope: !121)
!125 = !DILocation(line: 10, column: 124, scope: !121)
!126 = !DILocation(line: 10, column: 27, scope: !121)
!127 = !DILocation(line: 10, column: 173, scope: !121)
!128 = !DILocation(line: 10, column: 223, scope: !121, atomGroup: 1, atomRank: 2)
!129 = !DILocation(line: 10, column: 20, scope: !121, atomGroup: 1, atomRank: 1)
!130 = distinct !DISubprogram(name: "ids", scope: !1, file: !1, line: 11, type: !51, scopeLine: 11, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !34, retainedNodes: !131, keyInstructions: true)
!131 = !{!132}
!132 = !DILocalVariable(name: "p", arg: 1, scope: !130, file: !1, line: 11, type: !53)
!133 = !DILocation(line: 0, scope: !130)
!134 = !DILocation(line: 11, column: 60, scope: !130)
!135 = !DILocation(line: 11, column: 103, scope: !130, atomGroup: 1, atomRank: 3)
!136 = !DILocation(line: 11, column: 31, scope: !130, atomGroup: 1, atomRank: 2)
!137 = !DILocation(line: 11, column: 24, scope: !130, atomGroup: 1, atomRank: 1)
!138 = distinct !DISubprogram(name: "anon", scope: !1, file: !1, line: 12, type: !139, scopeLine: 12, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !34, retainedNodes: !142, keyInstructions: true)
!139 = !DISubroutineType(types: !140)
!140 = !{!4, !141}
!141 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !30, size: 64)
!142 = !{!143}
!143 = !DILocalVariable(name: "p", arg: 1, scope: !138, file: !1, line: 12, type: !141)
!144 = !DILocation(line: 0, scope: !138)
!145 = !DILocation(line: 12, column: 33, scope: !138, atomGroup: 1, atomRank: 2)
!146 = !{!147, !47, i64 0}
!147 = !{!"", !47, i64 0}
!148 = !DILocation(line: 12, column: 23, scope: !138, atomGroup: 1, atomRank: 1)

; CHECK-LABEL: load: 
; CHECK-DAG: *(u32 *)(r1 + 0)
; CHECK-DAG: *(u16 *)(r1 + 4)
; CHECK-DAG: *(u32 *)(r1 + 28)
; CHECK-DAG: *(u8 *)(r1 + 39)
; CHECK-LABEL: store:
; CHECK-DAG: *(u16 *)(r1 + 4) = w2
; CHECK-DAG: *(u64 *)(r1 + 8)
; CHECK-DAG: *(u32 *)(r1 + 24) = w2
; CHECK-LABEL: bits:
; CHECK: <<= 48
; CHECK: s>>= 53
; CHECK-LABEL: types:
; CHECK: r{{[0-9]}} = 7 ll
; CHECK-LABEL: ids:
; CHECK: = 2 ll
; CHECK: .long 16 # FieldReloc
; CHECK-NEXT: .long 93 # Field reloc section string offset=93
; CHECK-NEXT: .long 25
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 99
; CHECK-NEXT: .long 0
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 115
; CHECK-NEXT: .long 0
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 119
; CHECK-NEXT: .long 0
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 125
; CHECK-NEXT: .long 0
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 115
; CHECK-NEXT: .long 0
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 139
; CHECK-NEXT: .long 0
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 143
; CHECK-NEXT: .long 0
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 154
; CHECK-NEXT: .long 0
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 154
; CHECK-NEXT: .long 4
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 154
; CHECK-NEXT: .long 3
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 154
; CHECK-NEXT: .long 5
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 154
; CHECK-NEXT: .long 5
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 139
; CHECK-NEXT: .long 1
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 115
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 18
; CHECK-NEXT: .long 167
; CHECK-NEXT: .long 0
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 18
; CHECK-NEXT: .long 173
; CHECK-NEXT: .long 0
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 192
; CHECK-NEXT: .long 8
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 192
; CHECK-NEXT: .long 9
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 192
; CHECK-NEXT: .long 12
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 24
; CHECK-NEXT: .long 205
; CHECK-NEXT: .long 11
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 24
; CHECK-NEXT: .long 207
; CHECK-NEXT: .long 10
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 192
; CHECK-NEXT: .long 6
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 2
; CHECK-NEXT: .long 192
; CHECK-NEXT: .long 7
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 27
; CHECK-NEXT: .long 192
; CHECK-NEXT: .long 7
; CHECK-NEXT: .long .Ltmp{{[0-9]+}}
; CHECK-NEXT: .long 27
; CHECK-NEXT: .long 99
; CHECK-NEXT: .long 0
