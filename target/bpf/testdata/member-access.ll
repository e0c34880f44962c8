; Chains of accesses and questions about members, types and enumerators become variables that name relocations:
; their names, types and order of use are opt-22's.
; RUN: opt -mtriple=bpfel -passes='function(bpf-abstract-member-access,bpf-preserve-di-type)' -S %s | FileCheck %s --check-prefixes=CHECK,EL
; RUN: opt -mtriple=bpfeb -passes='function(bpf-abstract-member-access,bpf-preserve-di-type)' -S %s | FileCheck %s --check-prefixes=CHECK,EB
; RUN: opt -mtriple=bpfel -passes='function(bpf-abstract-member-access,bpf-preserve-di-type)' %s | llc -mtriple=bpfel -mcpu=v3 -filetype=obj -o /dev/null


%struct.s = type { i32, i16, i64, i16, [4 x i32], [16 x i8] }
%struct.anon_t = type { i32 }

@0 = private unnamed_addr constant [5 x i8] c"E1:7\00", align 1
@1 = private unnamed_addr constant [14 x i8] c"E2:2147483647\00", align 1

; Function Attrs: nounwind
define dso_local i32 @load(ptr noundef %0) #0 !dbg !34 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !51
    #dbg_declare(ptr %2, !50, !DIExpression(), !54)
  %3 = load ptr, ptr %2, align 8, !dbg !55, !tbaa !51
  %4 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %3, i32 0, i32 0), !dbg !56, !llvm.preserve.access.index !38
  %5 = load i32, ptr %4, align 8, !dbg !56, !tbaa !57
  %6 = load ptr, ptr %2, align 8, !dbg !61, !tbaa !51
  %7 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %6, i32 1, i32 1), !dbg !62, !llvm.preserve.access.index !38
  %8 = load i16, ptr %7, align 4, !dbg !62, !tbaa !63
  %9 = sext i16 %8 to i32, !dbg !61
  %10 = add nsw i32 %5, %9, !dbg !64
  %11 = load ptr, ptr %2, align 8, !dbg !65, !tbaa !51
  %12 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %11, i32 4, i32 5), !dbg !66, !llvm.preserve.access.index !38
  %13 = call ptr @llvm.preserve.array.access.index.p0.p0(ptr elementtype([4 x i32]) %12, i32 1, i32 2), !dbg !65, !llvm.preserve.access.index !14
  %14 = load i32, ptr %13, align 4, !dbg !65, !tbaa !30
  %15 = add nsw i32 %10, %14, !dbg !67
  %16 = load ptr, ptr %2, align 8, !dbg !68, !tbaa !51
  %17 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %16, i32 5, i32 6), !dbg !69, !llvm.preserve.access.index !38
  %18 = call ptr @llvm.preserve.array.access.index.p0.p0(ptr elementtype([16 x i8]) %17, i32 1, i32 3), !dbg !68, !llvm.preserve.access.index !18
  %19 = load i8, ptr %18, align 1, !dbg !68, !tbaa !70
  %20 = sext i8 %19 to i32, !dbg !68
  %21 = add nsw i32 %15, %20, !dbg !71
  ret i32 %21, !dbg !72
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare ptr @llvm.preserve.struct.access.index.p0.p0(ptr, i32 immarg, i32 immarg) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare ptr @llvm.preserve.array.access.index.p0.p0(ptr, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
define dso_local void @store(ptr noundef %0, i32 noundef %1) #0 !dbg !73 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !51
    #dbg_declare(ptr %3, !77, !DIExpression(), !79)
  store i32 %1, ptr %4, align 4, !tbaa !30
    #dbg_declare(ptr %4, !78, !DIExpression(), !80)
  %5 = load i32, ptr %4, align 4, !dbg !81, !tbaa !30
  %6 = trunc i32 %5 to i16, !dbg !82
  %7 = load ptr, ptr %3, align 8, !dbg !83, !tbaa !51
  %8 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %7, i32 1, i32 1), !dbg !84, !llvm.preserve.access.index !38
  store i16 %6, ptr %8, align 4, !dbg !85, !tbaa !63
  %9 = load ptr, ptr %3, align 8, !dbg !86, !tbaa !51
  %10 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %9, i32 2, i32 2), !dbg !87, !llvm.preserve.access.index !38
  store i64 9, ptr %10, align 8, !dbg !88, !tbaa !89
  %11 = load i32, ptr %4, align 4, !dbg !90, !tbaa !30
  %12 = load ptr, ptr %3, align 8, !dbg !91, !tbaa !51
  %13 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %12, i32 4, i32 5), !dbg !92, !llvm.preserve.access.index !38
  %14 = call ptr @llvm.preserve.array.access.index.p0.p0(ptr elementtype([4 x i32]) %13, i32 1, i32 1), !dbg !91, !llvm.preserve.access.index !14
  store i32 %11, ptr %14, align 4, !dbg !93, !tbaa !30
  ret void, !dbg !94
}

; Function Attrs: nounwind
define dso_local i64 @bits(ptr noundef %0) #0 !dbg !95 {
  %2 = alloca i64, align 8
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !51
    #dbg_declare(ptr %3, !99, !DIExpression(), !101)
  call void @llvm.lifetime.start.p0(ptr %4) #4, !dbg !102
    #dbg_declare(ptr %4, !100, !DIExpression(), !103)
  %6 = load ptr, ptr %3, align 8, !dbg !104, !tbaa !51
  %7 = load ptr, ptr %3, align 8, !dbg !105, !tbaa !51
  %8 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %7, i32 3, i32 4), !dbg !106, !llvm.preserve.access.index !38
  %9 = call i32 @llvm.bpf.preserve.field.info.p0(ptr %8, i64 0), !dbg !107
  %10 = zext i32 %9 to i64, !dbg !108
  %11 = getelementptr inbounds nuw i8, ptr %6, i64 %10, !dbg !108
  %12 = load i32, ptr %11, align 4, !dbg !109, !tbaa !30
  %13 = zext i32 %12 to i64, !dbg !110
  store i64 %13, ptr %4, align 8, !dbg !111, !tbaa !112
  %14 = load ptr, ptr %3, align 8, !dbg !113, !tbaa !51
  %15 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %14, i32 3, i32 4), !dbg !114, !llvm.preserve.access.index !38
  %16 = call i32 @llvm.bpf.preserve.field.info.p0(ptr %15, i64 4), !dbg !115
  %17 = load i64, ptr %4, align 8, !dbg !116, !tbaa !112
  %18 = zext i32 %16 to i64, !dbg !116
  %19 = shl i64 %17, %18, !dbg !117
  store i64 %19, ptr %4, align 8, !dbg !118, !tbaa !112
  %20 = load ptr, ptr %3, align 8, !dbg !119, !tbaa !51
  %21 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %20, i32 3, i32 4), !dbg !121, !llvm.preserve.access.index !38
  %22 = call i32 @llvm.bpf.preserve.field.info.p0(ptr %21, i64 3), !dbg !122
  %23 = icmp ne i32 %22, 0, !dbg !123
  br i1 %23, label %24, label %31, !dbg !124

24:                                               ; preds = %1
  %25 = load i64, ptr %4, align 8, !dbg !125, !tbaa !112
  %26 = load ptr, ptr %3, align 8, !dbg !126, !tbaa !51
  %27 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %26, i32 3, i32 4), !dbg !127, !llvm.preserve.access.index !38
  %28 = call i32 @llvm.bpf.preserve.field.info.p0(ptr %27, i64 5), !dbg !128
  %29 = zext i32 %28 to i64, !dbg !129
  %30 = ashr i64 %25, %29, !dbg !130
  store i64 %30, ptr %2, align 8, !dbg !131
  store i32 1, ptr %5, align 4
  br label %38, !dbg !131

31:                                               ; preds = %1
  %32 = load i64, ptr %4, align 8, !dbg !132, !tbaa !112
  %33 = load ptr, ptr %3, align 8, !dbg !133, !tbaa !51
  %34 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %33, i32 3, i32 4), !dbg !134, !llvm.preserve.access.index !38
  %35 = call i32 @llvm.bpf.preserve.field.info.p0(ptr %34, i64 5), !dbg !135
  %36 = zext i32 %35 to i64, !dbg !136
  %37 = lshr i64 %32, %36, !dbg !137
  store i64 %37, ptr %2, align 8, !dbg !138
  store i32 1, ptr %5, align 4
  br label %38, !dbg !138

38:                                               ; preds = %31, %24
  call void @llvm.lifetime.end.p0(ptr %4) #4, !dbg !139
  %39 = load i64, ptr %2, align 8, !dbg !140
  ret i64 %39, !dbg !141
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: nounwind memory(none)
declare i32 @llvm.bpf.preserve.field.info.p0(ptr, i64 immarg) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: nounwind
define dso_local i32 @info(ptr noundef %0, ptr noundef %1) #0 !dbg !142 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8, !tbaa !51
    #dbg_declare(ptr %3, !151, !DIExpression(), !153)
  store ptr %1, ptr %4, align 8, !tbaa !154
    #dbg_declare(ptr %4, !152, !DIExpression(), !156)
  %5 = load ptr, ptr %3, align 8, !dbg !157, !tbaa !51
  %6 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %5, i32 2, i32 2), !dbg !158, !llvm.preserve.access.index !38
  %7 = call i32 @llvm.bpf.preserve.field.info.p0(ptr %6, i64 1), !dbg !159
  %8 = load ptr, ptr %3, align 8, !dbg !160, !tbaa !51
  %9 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %8, i32 1, i32 1), !dbg !161, !llvm.preserve.access.index !38
  %10 = call i32 @llvm.bpf.preserve.field.info.p0(ptr %9, i64 2), !dbg !162
  %11 = add i32 %7, %10, !dbg !163
  %12 = load ptr, ptr %4, align 8, !dbg !164, !tbaa !154
  %13 = call ptr @llvm.preserve.union.access.index.p0.p0(ptr %12, i32 1), !dbg !165, !llvm.preserve.access.index !146
  %14 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %13, i32 0, i32 0), !dbg !166, !llvm.preserve.access.index !38
  %15 = load i32, ptr %14, align 8, !dbg !166, !tbaa !70
  %16 = add i32 %11, %15, !dbg !167
  %17 = load ptr, ptr %4, align 8, !dbg !168, !tbaa !154
  %18 = call ptr @llvm.preserve.union.access.index.p0.p0(ptr %17, i32 1), !dbg !169, !llvm.preserve.access.index !146
  %19 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.s) %18, i32 4, i32 5), !dbg !170, !llvm.preserve.access.index !38
  %20 = call ptr @llvm.preserve.array.access.index.p0.p0(ptr elementtype([4 x i32]) %19, i32 1, i32 3), !dbg !168, !llvm.preserve.access.index !14
  %21 = call i32 @llvm.bpf.preserve.field.info.p0(ptr %20, i64 0), !dbg !171
  %22 = add i32 %16, %21, !dbg !172
  ret i32 %22, !dbg !173
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare ptr @llvm.preserve.union.access.index.p0.p0(ptr, i32 immarg) #1

; Function Attrs: nounwind
define dso_local i64 @types() #0 !dbg !174 {
  %1 = call i32 @llvm.bpf.preserve.type.info(i32 0, i64 0), !dbg !177, !llvm.preserve.access.index !38
  %2 = call i32 @llvm.bpf.preserve.type.info(i32 1, i64 1), !dbg !178, !llvm.preserve.access.index !38
  %3 = add i32 %1, %2, !dbg !179
  %4 = call i32 @llvm.bpf.preserve.type.info(i32 2, i64 2), !dbg !180, !llvm.preserve.access.index !38
  %5 = add i32 %3, %4, !dbg !181
  %6 = zext i32 %5 to i64, !dbg !177
  %7 = call i64 @llvm.bpf.preserve.enum.value(i32 3, ptr @0, i64 1), !dbg !182, !llvm.preserve.access.index !3
  %8 = add i64 %6, %7, !dbg !183
  %9 = call i64 @llvm.bpf.preserve.enum.value(i32 4, ptr @1, i64 0), !dbg !184, !llvm.preserve.access.index !3
  %10 = add i64 %8, %9, !dbg !185
  ret i64 %10, !dbg !186
}

; Function Attrs: nounwind memory(none)
declare i32 @llvm.bpf.preserve.type.info(i32, i64) #3

; Function Attrs: nounwind memory(none)
declare i64 @llvm.bpf.preserve.enum.value(i32, ptr, i64) #3

; Function Attrs: nounwind
define dso_local i32 @ids(ptr noundef %0) #0 !dbg !187 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !51
    #dbg_declare(ptr %2, !189, !DIExpression(), !190)
  %3 = call i64 @llvm.bpf.btf.type.id(i32 5, i64 0), !dbg !191, !llvm.preserve.access.index !38
  %4 = call i64 @llvm.bpf.btf.type.id(i32 6, i64 1), !dbg !192, !llvm.preserve.access.index !38
  %5 = add i64 %3, %4, !dbg !193
  %6 = call i64 @llvm.bpf.btf.type.id(i32 7, i64 1), !dbg !194, !llvm.preserve.access.index !21
  %7 = add i64 %5, %6, !dbg !195
  %8 = trunc i64 %7 to i32, !dbg !196
  ret i32 %8, !dbg !197
}

; Function Attrs: nounwind memory(none)
declare i64 @llvm.bpf.btf.type.id(i32, i64) #3

; Function Attrs: nounwind
define dso_local i32 @anon(ptr noundef %0) #0 !dbg !198 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !204
    #dbg_declare(ptr %2, !203, !DIExpression(), !205)
  %3 = load ptr, ptr %2, align 8, !dbg !206, !tbaa !204
  %4 = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(%struct.anon_t) %3, i32 0, i32 0), !dbg !207, !llvm.preserve.access.index !21
  %5 = load i32, ptr %4, align 4, !dbg !208, !tbaa !209
  ret i32 %5, !dbg !211
}

attributes #0 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="v3" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nounwind memory(none) }
attributes #4 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!25, !26, !27, !28}
!llvm.ident = !{!29}
!llvm.errno.tbaa = !{!30}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !2, retainedTypes: !9, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "c.c", directory: "/tmp/btf", checksumkind: CSK_MD5, checksum: "9ac3d328055d8600af5d2e35c5d5b8c1")
!2 = !{!3}
!3 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e", file: !1, line: 4, baseType: !4, size: 32, elements: !5)
!4 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!5 = !{!6, !7, !8}
!6 = !DIEnumerator(name: "E0", value: 0)
!7 = !DIEnumerator(name: "E1", value: 7)
!8 = !DIEnumerator(name: "E2", value: 2147483647)
!9 = !{!10, !11, !13, !14, !18, !21}
!10 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !4, size: 64)
!11 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !12, size: 64)
!12 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!13 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!14 = !DICompositeType(tag: DW_TAG_array_type, baseType: !15, size: 128, elements: !16)
!15 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!16 = !{!17}
!17 = !DISubrange(count: 4)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 128, elements: !19)
!19 = !{!20}
!20 = !DISubrange(count: 16)
!21 = !DIDerivedType(tag: DW_TAG_typedef, name: "anon_t", file: !1, line: 4, baseType: !22)
!22 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !1, line: 4, size: 32, elements: !23)
!23 = !{!24}
!24 = !DIDerivedType(tag: DW_TAG_member, name: "q", scope: !22, file: !1, line: 4, baseType: !15, size: 32)
!25 = !{i32 7, !"Dwarf Version", i32 5}
!26 = !{i32 2, !"Debug Info Version", i32 3}
!27 = !{i32 1, !"wchar_size", i32 4}
!28 = !{i32 7, !"frame-pointer", i32 2}
!29 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!30 = !{!31, !31, i64 0}
!31 = !{!"int", !32, i64 0}
!32 = !{!"omnipotent char", !33, i64 0}
!33 = !{!"Simple C/C++ TBAA"}
!34 = distinct !DISubprogram(name: "load", scope: !1, file: !1, line: 6, type: !35, scopeLine: 6, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !49, keyInstructions: true)
!35 = !DISubroutineType(types: !36)
!36 = !{!15, !37}
!37 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !38, size: 64)
!38 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "s", file: !1, line: 3, size: 448, elements: !39)
!39 = !{!40, !41, !43, !45, !46, !47, !48}
!40 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !38, file: !1, line: 3, baseType: !15, size: 32)
!41 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !38, file: !1, line: 3, baseType: !42, size: 16, offset: 32)
!42 = !DIBasicType(name: "short", size: 16, encoding: DW_ATE_signed)
!43 = !DIDerivedType(tag: DW_TAG_member, name: "c", scope: !38, file: !1, line: 3, baseType: !44, size: 64, offset: 64)
!44 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!45 = !DIDerivedType(tag: DW_TAG_member, name: "f1", scope: !38, file: !1, line: 3, baseType: !4, size: 5, offset: 128, flags: DIFlagBitField, extraData: i64 128)
!46 = !DIDerivedType(tag: DW_TAG_member, name: "f2", scope: !38, file: !1, line: 3, baseType: !15, size: 11, offset: 133, flags: DIFlagBitField, extraData: i64 128)
!47 = !DIDerivedType(tag: DW_TAG_member, name: "arr", scope: !38, file: !1, line: 3, baseType: !14, size: 128, offset: 160)
!48 = !DIDerivedType(tag: DW_TAG_member, name: "name", scope: !38, file: !1, line: 3, baseType: !18, size: 128, offset: 288)
!49 = !{!50}
!50 = !DILocalVariable(name: "p", arg: 1, scope: !34, file: !1, line: 6, type: !37)
!51 = !{!52, !52, i64 0}
!52 = !{!"p1 _ZTS1s", !53, i64 0}
!53 = !{!"any pointer", !32, i64 0}
!54 = !DILocation(line: 6, column: 20, scope: !34)
!55 = !DILocation(line: 6, column: 32, scope: !34)
!56 = !DILocation(line: 6, column: 35, scope: !34)
!57 = !{!58, !31, i64 0}
!58 = !{!"s", !31, i64 0, !59, i64 4, !60, i64 8, !31, i64 16, !31, i64 16, !32, i64 20, !32, i64 36}
!59 = !{!"short", !32, i64 0}
!60 = !{!"long", !32, i64 0}
!61 = !DILocation(line: 6, column: 39, scope: !34)
!62 = !DILocation(line: 6, column: 42, scope: !34)
!63 = !{!58, !59, i64 4}
!64 = !DILocation(line: 6, column: 37, scope: !34)
!65 = !DILocation(line: 6, column: 46, scope: !34)
!66 = !DILocation(line: 6, column: 49, scope: !34)
!67 = !DILocation(line: 6, column: 44, scope: !34)
!68 = !DILocation(line: 6, column: 58, scope: !34)
!69 = !DILocation(line: 6, column: 61, scope: !34)
!70 = !{!32, !32, i64 0}
!71 = !DILocation(line: 6, column: 56, scope: !34, atomGroup: 1, atomRank: 2)
!72 = !DILocation(line: 6, column: 25, scope: !34, atomGroup: 1, atomRank: 1)
!73 = distinct !DISubprogram(name: "store", scope: !1, file: !1, line: 7, type: !74, scopeLine: 7, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !76, keyInstructions: true)
!74 = !DISubroutineType(types: !75)
!75 = !{null, !37, !15}
!76 = !{!77, !78}
!77 = !DILocalVariable(name: "p", arg: 1, scope: !73, file: !1, line: 7, type: !37)
!78 = !DILocalVariable(name: "v", arg: 2, scope: !73, file: !1, line: 7, type: !15)
!79 = !DILocation(line: 7, column: 22, scope: !73)
!80 = !DILocation(line: 7, column: 29, scope: !73)
!81 = !DILocation(line: 7, column: 41, scope: !73, atomGroup: 1, atomRank: 3)
!82 = !DILocation(line: 7, column: 41, scope: !73, atomGroup: 1, atomRank: 2)
!83 = !DILocation(line: 7, column: 34, scope: !73)
!84 = !DILocation(line: 7, column: 37, scope: !73)
!85 = !DILocation(line: 7, column: 39, scope: !73, atomGroup: 1, atomRank: 1)
!86 = !DILocation(line: 7, column: 44, scope: !73)
!87 = !DILocation(line: 7, column: 47, scope: !73)
!88 = !DILocation(line: 7, column: 49, scope: !73, atomGroup: 2, atomRank: 1)
!89 = !{!58, !60, i64 8}
!90 = !DILocation(line: 7, column: 66, scope: !73, atomGroup: 3, atomRank: 2)
!91 = !DILocation(line: 7, column: 54, scope: !73)
!92 = !DILocation(line: 7, column: 57, scope: !73)
!93 = !DILocation(line: 7, column: 64, scope: !73, atomGroup: 3, atomRank: 1)
!94 = !DILocation(line: 7, column: 69, scope: !73, atomGroup: 4, atomRank: 1)
!95 = distinct !DISubprogram(name: "bits", scope: !1, file: !1, line: 8, type: !96, scopeLine: 8, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !98, keyInstructions: true)
!96 = !DISubroutineType(types: !97)
!97 = !{!44, !37}
!98 = !{!99, !100}
!99 = !DILocalVariable(name: "p", arg: 1, scope: !95, file: !1, line: 8, type: !37)
!100 = !DILocalVariable(name: "v", scope: !95, file: !1, line: 8, type: !44)
!101 = !DILocation(line: 8, column: 30, scope: !95)
!102 = !DILocation(line: 8, column: 35, scope: !95)
!103 = !DILocation(line: 8, column: 49, scope: !95)
!104 = !DILocation(line: 8, column: 74, scope: !95)
!105 = !DILocation(line: 8, column: 81, scope: !95)
!106 = !DILocation(line: 8, column: 84, scope: !95)
!107 = !DILocation(line: 8, column: 78, scope: !95)
!108 = !DILocation(line: 8, column: 53, scope: !95)
!109 = !DILocation(line: 8, column: 53, scope: !95, atomGroup: 1, atomRank: 3)
!110 = !DILocation(line: 8, column: 53, scope: !95, atomGroup: 1, atomRank: 2)
!111 = !DILocation(line: 8, column: 49, scope: !95, atomGroup: 1, atomRank: 1)
!112 = !{!60, !60, i64 0}
!113 = !DILocation(line: 8, column: 102, scope: !95)
!114 = !DILocation(line: 8, column: 105, scope: !95)
!115 = !DILocation(line: 8, column: 99, scope: !95)
!116 = !DILocation(line: 8, column: 95, scope: !95)
!117 = !DILocation(line: 8, column: 95, scope: !95, atomGroup: 2, atomRank: 2)
!118 = !DILocation(line: 8, column: 95, scope: !95, atomGroup: 2, atomRank: 1)
!119 = !DILocation(line: 8, column: 120, scope: !120)
!120 = distinct !DILexicalBlock(scope: !95, file: !1, line: 8, column: 117)
!121 = !DILocation(line: 8, column: 123, scope: !120)
!122 = !DILocation(line: 8, column: 117, scope: !120)
!123 = !DILocation(line: 8, column: 117, scope: !120, atomGroup: 3, atomRank: 2)
!124 = !DILocation(line: 8, column: 117, scope: !120, atomGroup: 3, atomRank: 1)
!125 = !DILocation(line: 8, column: 144, scope: !120)
!126 = !DILocation(line: 8, column: 152, scope: !120)
!127 = !DILocation(line: 8, column: 155, scope: !120)
!128 = !DILocation(line: 8, column: 149, scope: !120)
!129 = !DILocation(line: 8, column: 146, scope: !120)
!130 = !DILocation(line: 8, column: 146, scope: !120, atomGroup: 4, atomRank: 2)
!131 = !DILocation(line: 8, column: 131, scope: !120, atomGroup: 4, atomRank: 1)
!132 = !DILocation(line: 8, column: 170, scope: !95)
!133 = !DILocation(line: 8, column: 178, scope: !95)
!134 = !DILocation(line: 8, column: 181, scope: !95)
!135 = !DILocation(line: 8, column: 175, scope: !95)
!136 = !DILocation(line: 8, column: 172, scope: !95)
!137 = !DILocation(line: 8, column: 172, scope: !95, atomGroup: 5, atomRank: 2)
!138 = !DILocation(line: 8, column: 163, scope: !95, atomGroup: 5, atomRank: 1)
!139 = !DILocation(line: 8, column: 188, scope: !95)
!140 = !DILocation(line: 8, column: 188, scope: !95, atomGroup: 6, atomRank: 2)
!141 = !DILocation(line: 8, column: 188, scope: !95, atomGroup: 6, atomRank: 1)
!142 = distinct !DISubprogram(name: "info", scope: !1, file: !1, line: 9, type: !143, scopeLine: 9, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !150, keyInstructions: true)
!143 = !DISubroutineType(types: !144)
!144 = !{!15, !37, !145}
!145 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !146, size: 64)
!146 = distinct !DICompositeType(tag: DW_TAG_union_type, name: "u", file: !1, line: 5, size: 448, elements: !147)
!147 = !{!148, !149}
!148 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !146, file: !1, line: 5, baseType: !15, size: 32)
!149 = !DIDerivedType(tag: DW_TAG_member, name: "s", scope: !146, file: !1, line: 5, baseType: !38, size: 448)
!150 = !{!151, !152}
!151 = !DILocalVariable(name: "p", arg: 1, scope: !142, file: !1, line: 9, type: !37)
!152 = !DILocalVariable(name: "u", arg: 2, scope: !142, file: !1, line: 9, type: !145)
!153 = !DILocation(line: 9, column: 20, scope: !142)
!154 = !{!155, !155, i64 0}
!155 = !{!"p1 _ZTS1u", !53, i64 0}
!156 = !DILocation(line: 9, column: 32, scope: !142)
!157 = !DILocation(line: 9, column: 47, scope: !142)
!158 = !DILocation(line: 9, column: 50, scope: !142)
!159 = !DILocation(line: 9, column: 44, scope: !142)
!160 = !DILocation(line: 9, column: 61, scope: !142)
!161 = !DILocation(line: 9, column: 64, scope: !142)
!162 = !DILocation(line: 9, column: 58, scope: !142)
!163 = !DILocation(line: 9, column: 56, scope: !142)
!164 = !DILocation(line: 9, column: 72, scope: !142)
!165 = !DILocation(line: 9, column: 75, scope: !142)
!166 = !DILocation(line: 9, column: 77, scope: !142)
!167 = !DILocation(line: 9, column: 70, scope: !142)
!168 = !DILocation(line: 9, column: 84, scope: !142)
!169 = !DILocation(line: 9, column: 87, scope: !142)
!170 = !DILocation(line: 9, column: 89, scope: !142)
!171 = !DILocation(line: 9, column: 81, scope: !142)
!172 = !DILocation(line: 9, column: 79, scope: !142, atomGroup: 1, atomRank: 2)
!173 = !DILocation(line: 9, column: 37, scope: !142, atomGroup: 1, atomRank: 1)
!174 = distinct !DISubprogram(name: "types", scope: !1, file: !1, line: 10, type: !175, scopeLine: 10, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, keyInstructions: true)
!175 = !DISubroutineType(types: !176)
!176 = !{!13}
!177 = !DILocation(line: 10, column: 27, scope: !174)
!178 = !DILocation(line: 10, column: 77, scope: !174)
!179 = !DILocation(line: 10, column: 75, scope: !174)
!180 = !DILocation(line: 10, column: 126, scope: !174)
!181 = !DILocation(line: 10, column: 124, scope: !174)
!182 = !DILocation(line: 10, column: 175, scope: !174)
!183 = !DILocation(line: 10, column: 173, scope: !174)
!184 = !DILocation(line: 10, column: 225, scope: !174)
!185 = !DILocation(line: 10, column: 223, scope: !174, atomGroup: 1, atomRank: 2)
!186 = !DILocation(line: 10, column: 20, scope: !174, atomGroup: 1, atomRank: 1)
!187 = distinct !DISubprogram(name: "ids", scope: !1, file: !1, line: 11, type: !35, scopeLine: 11, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !188, keyInstructions: true)
!188 = !{!189}
!189 = !DILocalVariable(name: "p", arg: 1, scope: !187, file: !1, line: 11, type: !37)
!190 = !DILocation(line: 11, column: 19, scope: !187)
!191 = !DILocation(line: 11, column: 31, scope: !187)
!192 = !DILocation(line: 11, column: 62, scope: !187)
!193 = !DILocation(line: 11, column: 60, scope: !187)
!194 = !DILocation(line: 11, column: 105, scope: !187)
!195 = !DILocation(line: 11, column: 103, scope: !187, atomGroup: 1, atomRank: 3)
!196 = !DILocation(line: 11, column: 31, scope: !187, atomGroup: 1, atomRank: 2)
!197 = !DILocation(line: 11, column: 24, scope: !187, atomGroup: 1, atomRank: 1)
!198 = distinct !DISubprogram(name: "anon", scope: !1, file: !1, line: 12, type: !199, scopeLine: 12, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !202, keyInstructions: true)
!199 = !DISubroutineType(types: !200)
!200 = !{!15, !201}
!201 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21, size: 64)
!202 = !{!203}
!203 = !DILocalVariable(name: "p", arg: 1, scope: !198, file: !1, line: 12, type: !201)
!204 = !{!53, !53, i64 0}
!205 = !DILocation(line: 12, column: 18, scope: !198)
!206 = !DILocation(line: 12, column: 30, scope: !198)
!207 = !DILocation(line: 12, column: 33, scope: !198)
!208 = !DILocation(line: 12, column: 33, scope: !198, atomGroup: 1, atomRank: 2)
!209 = !{!210, !31, i64 0}
!210 = !{!"", !31, i64 0}
!211 = !DILocation(line: 12, column: 23, scope: !198, atomGroup: 1, atomRank: 1)

; CHECK-DAG: @"llvm.s:0:0$0:0" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:0:4$0:1" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:0:28$0:5:2" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:0:39$0:6:3" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:0:8$0:2" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:0:24$0:5:1" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:5:53$0:4" = external global i32, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:0:16$0:4" = external global i32, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; EL-DAG: @"llvm.s:4:48$0:4" = external global i32, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:3:1$0:4" = external global i32, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:1:8$0:2" = external global i32, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:2:1$0:1" = external global i32, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.u:0:0$0:1:0" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.u:0:32$0:1:5:3" = external global i32, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:8:1$0" = external global i32, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:9:56$0" = external global i32, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.s:12:1$0" = external global i32, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.e:11:7$1" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.e:10:1$2" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.btf_type_id.0$6" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.btf_type_id.1$7" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.btf_type_id.2$7" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-DAG: @"llvm.anon_t:0:0$0:0" = external global i64, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; EB-DAG: @"llvm.s:4:5$0:4" = external global i32, !llvm.preserve.access.index !{{[0-9]+}} #{{[0-9]+}}
; CHECK-LABEL: @load(
; CHECK: [[L:%.*]] = load i64, ptr @"llvm.s:0:0$0:0", align 8
; CHECK-NEXT: [[A:%.*]] = getelementptr i8, ptr %{{[0-9]+}}, i64 [[L]]
; CHECK-NEXT: [[P:%.*]] = call ptr @llvm.bpf.passthrough.p0.p0(i32 {{[0-9]+}}, ptr [[A]])
; CHECK: load i32, ptr [[P]]
; CHECK-LABEL: @ids(
; CHECK: load i64, ptr @"llvm.btf_type_id.0$6"
; CHECK-NOT: call {{.*}}llvm.{{(bpf\.)?}}preserve
