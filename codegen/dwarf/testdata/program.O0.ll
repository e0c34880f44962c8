; ModuleID = 'g.c'
source_filename = "g.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.P = type { i32, i32, double, ptr, i8, i32 }

@__const.main.p = private unnamed_addr constant { i32, i32, double, ptr, i8, [3 x i8], i32 } { i32 3, i32 4, double 2.500000e+00, ptr null, i8 5, [3 x i8] zeroinitializer, i32 1 }, align 8
@__const.main.buf = private unnamed_addr constant [16 x i8] c"hello\00\00\00\00\00\00\00\00\00\00\00", align 16
@.str = private unnamed_addr constant [7 x i8] c"%d %s\0A\00", align 1, !dbg !0
@total = internal global i32 0, align 4, !dbg !7
@.str.1 = private unnamed_addr constant [6 x i8] c"t=%d\0A\00", align 1, !dbg !29

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @work(ptr noundef %0, i32 noundef %1) #0 !dbg !42 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %6, align 8
    #dbg_declare(ptr %6, !46, !DIExpression(), !47)
  store i32 %1, ptr %7, align 4
    #dbg_declare(ptr %7, !48, !DIExpression(), !49)
    #dbg_declare(ptr %8, !50, !DIExpression(), !51)
  store i32 0, ptr %8, align 4, !dbg !51
    #dbg_declare(ptr %9, !52, !DIExpression(), !54)
  store i32 0, ptr %9, align 4, !dbg !54
  br label %11, !dbg !55

11:                                               ; preds = %35, %2
  %12 = load i32, ptr %9, align 4, !dbg !56
  %13 = load i32, ptr %7, align 4, !dbg !58
  %14 = icmp slt i32 %12, %13, !dbg !59
  br i1 %14, label %15, label %38, !dbg !60

15:                                               ; preds = %11
    #dbg_declare(ptr %10, !61, !DIExpression(), !63)
  %16 = load i32, ptr %9, align 4, !dbg !64
  %17 = load ptr, ptr %6, align 8, !dbg !65
  store i32 %16, ptr %3, align 4
    #dbg_declare(ptr %3, !66, !DIExpression(), !70)
  store ptr %17, ptr %4, align 8
    #dbg_declare(ptr %4, !72, !DIExpression(), !73)
    #dbg_declare(ptr %5, !74, !DIExpression(), !75)
  %18 = load i32, ptr %3, align 4, !dbg !76
  %19 = load ptr, ptr %4, align 8, !dbg !77
  %20 = load i32, ptr %19, align 8, !dbg !78
  %21 = mul nsw i32 %18, %20, !dbg !79
  store i32 %21, ptr %5, align 4, !dbg !75
  %22 = load i32, ptr %5, align 4, !dbg !80
  %23 = load i32, ptr @total, align 4, !dbg !81
  %24 = add nsw i32 %23, %22, !dbg !81
  store i32 %24, ptr @total, align 4, !dbg !81
  %25 = load i32, ptr %5, align 4, !dbg !82
  %26 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, i32 noundef %25) #3, !dbg !83
  %27 = load i32, ptr %5, align 4, !dbg !84
  %28 = load ptr, ptr %4, align 8, !dbg !85
  %29 = getelementptr inbounds nuw %struct.P, ptr %28, i32 0, i32 1, !dbg !86
  %30 = load i32, ptr %29, align 4, !dbg !86
  %31 = add nsw i32 %27, %30, !dbg !87
  store i32 %31, ptr %10, align 4, !dbg !63
  %32 = load i32, ptr %10, align 4, !dbg !88
  %33 = load i32, ptr %8, align 4, !dbg !89
  %34 = add nsw i32 %33, %32, !dbg !89
  store i32 %34, ptr %8, align 4, !dbg !89
  br label %35, !dbg !90

35:                                               ; preds = %15
  %36 = load i32, ptr %9, align 4, !dbg !91
  %37 = add nsw i32 %36, 1, !dbg !91
  store i32 %37, ptr %9, align 4, !dbg !91
  br label %11, !dbg !92, !llvm.loop !93

38:                                               ; preds = %11
  %39 = load i32, ptr %8, align 4, !dbg !96
  ret i32 %39, !dbg !97
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 !dbg !98 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca %struct.P, align 8
  %7 = alloca [16 x i8], align 16
  %8 = alloca i32, align 4
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4
    #dbg_declare(ptr %4, !103, !DIExpression(), !104)
  store ptr %1, ptr %5, align 8
    #dbg_declare(ptr %5, !105, !DIExpression(), !106)
    #dbg_declare(ptr %6, !107, !DIExpression(), !108)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %6, ptr align 8 @__const.main.p, i64 32, i1 false), !dbg !108
    #dbg_declare(ptr %7, !109, !DIExpression(), !113)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %7, ptr align 16 @__const.main.buf, i64 16, i1 false), !dbg !113
    #dbg_declare(ptr %8, !114, !DIExpression(), !115)
  %9 = load i32, ptr %4, align 4, !dbg !116
  %10 = add nsw i32 %9, 2, !dbg !117
  %11 = call i32 @work(ptr noundef %6, i32 noundef %10), !dbg !118
  store i32 %11, ptr %8, align 4, !dbg !115
  %12 = load i32, ptr %8, align 4, !dbg !119
  %13 = getelementptr inbounds [16 x i8], ptr %7, i64 0, i64 0, !dbg !120
  %14 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %12, ptr noundef %13), !dbg !121
  %15 = load i32, ptr %8, align 4, !dbg !122
  %16 = icmp eq i32 %15, 0, !dbg !123
  %17 = zext i1 %16 to i32, !dbg !123
  ret i32 %17, !dbg !124
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #1

declare i32 @printf(ptr noundef, ...) #2

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }

!llvm.dbg.cu = !{!9}
!llvm.module.flags = !{!34, !35, !36, !37, !38, !39, !40}
!llvm.ident = !{!41}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(scope: null, file: !2, line: 26, type: !3, isLocal: true, isDefinition: true)
!2 = !DIFile(filename: "g.c", directory: "/src", checksumkind: CSK_MD5, checksum: "2ef138946f2fe8a456fbbed4abc58d11")
!3 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 56, elements: !5)
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!5 = !{!6}
!6 = !DISubrange(count: 7)
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(name: "total", scope: !9, file: !2, line: 4, type: !15, isLocal: true, isDefinition: true)
!9 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "clang version 22.1.8", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !10, globals: !28, splitDebugInlining: false, nameTableKind: None)
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
!40 = !{i32 7, !"frame-pointer", i32 2}
!41 = !{!"clang version 22.1.8"}
!42 = distinct !DISubprogram(name: "work", scope: !2, file: !2, line: 12, type: !43, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !9, retainedNodes: !45)
!43 = !DISubroutineType(types: !44)
!44 = !{!15, !20, !15}
!45 = !{}
!46 = !DILocalVariable(name: "p", arg: 1, scope: !42, file: !2, line: 12, type: !20)
!47 = !DILocation(line: 12, column: 46, scope: !42)
!48 = !DILocalVariable(name: "n", arg: 2, scope: !42, file: !2, line: 12, type: !15)
!49 = !DILocation(line: 12, column: 53, scope: !42)
!50 = !DILocalVariable(name: "sum", scope: !42, file: !2, line: 14, type: !15)
!51 = !DILocation(line: 14, column: 7, scope: !42)
!52 = !DILocalVariable(name: "i", scope: !53, file: !2, line: 15, type: !15)
!53 = distinct !DILexicalBlock(scope: !42, file: !2, line: 15, column: 3)
!54 = !DILocation(line: 15, column: 12, scope: !53)
!55 = !DILocation(line: 15, column: 8, scope: !53)
!56 = !DILocation(line: 15, column: 19, scope: !57)
!57 = distinct !DILexicalBlock(scope: !53, file: !2, line: 15, column: 3)
!58 = !DILocation(line: 15, column: 23, scope: !57)
!59 = !DILocation(line: 15, column: 21, scope: !57)
!60 = !DILocation(line: 15, column: 3, scope: !53)
!61 = !DILocalVariable(name: "v", scope: !62, file: !2, line: 16, type: !15)
!62 = distinct !DILexicalBlock(scope: !57, file: !2, line: 15, column: 31)
!63 = !DILocation(line: 16, column: 9, scope: !62)
!64 = !DILocation(line: 16, column: 19, scope: !62)
!65 = !DILocation(line: 16, column: 22, scope: !62)
!66 = !DILocalVariable(name: "a", arg: 1, scope: !67, file: !2, line: 5, type: !15)
!67 = distinct !DISubprogram(name: "inner", scope: !2, file: !2, line: 5, type: !68, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !9, retainedNodes: !45)
!68 = !DISubroutineType(types: !69)
!69 = !{!15, !15, !20}
!70 = !DILocation(line: 5, column: 60, scope: !67, inlinedAt: !71)
!71 = distinct !DILocation(line: 16, column: 13, scope: !62)
!72 = !DILocalVariable(name: "p", arg: 2, scope: !67, file: !2, line: 5, type: !20)
!73 = !DILocation(line: 5, column: 73, scope: !67, inlinedAt: !71)
!74 = !DILocalVariable(name: "t", scope: !67, file: !2, line: 7, type: !15)
!75 = !DILocation(line: 7, column: 7, scope: !67, inlinedAt: !71)
!76 = !DILocation(line: 7, column: 11, scope: !67, inlinedAt: !71)
!77 = !DILocation(line: 7, column: 15, scope: !67, inlinedAt: !71)
!78 = !DILocation(line: 7, column: 18, scope: !67, inlinedAt: !71)
!79 = !DILocation(line: 7, column: 13, scope: !67, inlinedAt: !71)
!80 = !DILocation(line: 8, column: 12, scope: !67, inlinedAt: !71)
!81 = !DILocation(line: 8, column: 9, scope: !67, inlinedAt: !71)
!82 = !DILocation(line: 9, column: 20, scope: !67, inlinedAt: !71)
!83 = !DILocation(line: 9, column: 3, scope: !67, inlinedAt: !71)
!84 = !DILocation(line: 10, column: 10, scope: !67, inlinedAt: !71)
!85 = !DILocation(line: 10, column: 14, scope: !67, inlinedAt: !71)
!86 = !DILocation(line: 10, column: 17, scope: !67, inlinedAt: !71)
!87 = !DILocation(line: 10, column: 12, scope: !67, inlinedAt: !71)
!88 = !DILocation(line: 17, column: 12, scope: !62)
!89 = !DILocation(line: 17, column: 9, scope: !62)
!90 = !DILocation(line: 18, column: 3, scope: !62)
!91 = !DILocation(line: 15, column: 27, scope: !57)
!92 = !DILocation(line: 15, column: 3, scope: !57)
!93 = distinct !{!93, !60, !94, !95}
!94 = !DILocation(line: 18, column: 3, scope: !53)
!95 = !{!"llvm.loop.mustprogress"}
!96 = !DILocation(line: 19, column: 10, scope: !42)
!97 = !DILocation(line: 19, column: 3, scope: !42)
!98 = distinct !DISubprogram(name: "main", scope: !2, file: !2, line: 21, type: !99, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !9, retainedNodes: !45)
!99 = !DISubroutineType(types: !100)
!100 = !{!15, !15, !101}
!101 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !102, size: 64)
!102 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !4, size: 64)
!103 = !DILocalVariable(name: "argc", arg: 1, scope: !98, file: !2, line: 21, type: !15)
!104 = !DILocation(line: 21, column: 14, scope: !98)
!105 = !DILocalVariable(name: "argv", arg: 2, scope: !98, file: !2, line: 21, type: !101)
!106 = !DILocation(line: 21, column: 27, scope: !98)
!107 = !DILocalVariable(name: "p", scope: !98, file: !2, line: 23, type: !12)
!108 = !DILocation(line: 23, column: 12, scope: !98)
!109 = !DILocalVariable(name: "buf", scope: !98, file: !2, line: 24, type: !110)
!110 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 128, elements: !111)
!111 = !{!112}
!112 = !DISubrange(count: 16)
!113 = !DILocation(line: 24, column: 8, scope: !98)
!114 = !DILocalVariable(name: "r", scope: !98, file: !2, line: 25, type: !15)
!115 = !DILocation(line: 25, column: 7, scope: !98)
!116 = !DILocation(line: 25, column: 20, scope: !98)
!117 = !DILocation(line: 25, column: 25, scope: !98)
!118 = !DILocation(line: 25, column: 11, scope: !98)
!119 = !DILocation(line: 26, column: 21, scope: !98)
!120 = !DILocation(line: 26, column: 24, scope: !98)
!121 = !DILocation(line: 26, column: 3, scope: !98)
!122 = !DILocation(line: 27, column: 10, scope: !98)
!123 = !DILocation(line: 27, column: 12, scope: !98)
!124 = !DILocation(line: 27, column: 3, scope: !98)
