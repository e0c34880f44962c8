; ModuleID = 'a.c'
source_filename = "a.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.P = type { i64, i64 }

@glob = dso_local global i32 0, align 4, !dbg !0

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @f(i32 noundef %0, double noundef %1, i64 %2, i64 %3) #0 !dbg !14 {
  %5 = alloca %struct.P, align 8
  %6 = alloca i32, align 4
  %7 = alloca double, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca double, align 8
  %11 = alloca ptr, align 8
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = getelementptr inbounds nuw { i64, i64 }, ptr %5, i32 0, i32 0
  store i64 %2, ptr %14, align 8
  %15 = getelementptr inbounds nuw { i64, i64 }, ptr %5, i32 0, i32 1
  store i64 %3, ptr %15, align 8
  store i32 %0, ptr %6, align 4
    #dbg_declare(ptr %6, !24, !DIExpression(), !25)
  store double %1, ptr %7, align 8
    #dbg_declare(ptr %7, !26, !DIExpression(), !27)
    #dbg_declare(ptr %5, !28, !DIExpression(), !29)
    #dbg_declare(ptr %8, !30, !DIExpression(), !31)
  %16 = load i32, ptr %6, align 4, !dbg !32
  %17 = mul nsw i32 %16, 3, !dbg !33
  store i32 %17, ptr %8, align 4, !dbg !31
    #dbg_declare(ptr %9, !34, !DIExpression(), !36)
  store i32 7, ptr %9, align 4, !dbg !36
    #dbg_declare(ptr %10, !37, !DIExpression(), !38)
  store double 2.500000e+00, ptr %10, align 8, !dbg !38
    #dbg_declare(ptr %11, !39, !DIExpression(), !41)
  store ptr @glob, ptr %11, align 8, !dbg !41
    #dbg_declare(ptr %12, !42, !DIExpression(), !44)
  store i32 0, ptr %12, align 4, !dbg !44
  br label %18, !dbg !45

18:                                               ; preds = %28, %4
  %19 = load i32, ptr %12, align 4, !dbg !46
  %20 = load i32, ptr %6, align 4, !dbg !48
  %21 = icmp slt i32 %19, %20, !dbg !49
  br i1 %21, label %22, label %31, !dbg !50

22:                                               ; preds = %18
  %23 = load i32, ptr %12, align 4, !dbg !51
  %24 = mul nsw i32 %23, 7, !dbg !53
  %25 = load i32, ptr %8, align 4, !dbg !54
  %26 = add nsw i32 %25, %24, !dbg !54
  store i32 %26, ptr %8, align 4, !dbg !54
  %27 = call i32 @ext(ptr noundef %8), !dbg !55
  br label %28, !dbg !56

28:                                               ; preds = %22
  %29 = load i32, ptr %12, align 4, !dbg !57
  %30 = add nsw i32 %29, 1, !dbg !57
  store i32 %30, ptr %12, align 4, !dbg !57
  br label %18, !dbg !58, !llvm.loop !59

31:                                               ; preds = %18
  %32 = load i32, ptr %8, align 4, !dbg !62
  %33 = sext i32 %32 to i64, !dbg !62
  %34 = getelementptr inbounds nuw %struct.P, ptr %5, i32 0, i32 0, !dbg !63
  %35 = load i64, ptr %34, align 8, !dbg !64
  %36 = add nsw i64 %35, %33, !dbg !64
  store i64 %36, ptr %34, align 8, !dbg !64
  %37 = getelementptr inbounds nuw { i64, i64 }, ptr %5, i32 0, i32 0, !dbg !65
  %38 = load i64, ptr %37, align 8, !dbg !65
  %39 = getelementptr inbounds nuw { i64, i64 }, ptr %5, i32 0, i32 1, !dbg !65
  %40 = load i64, ptr %39, align 8, !dbg !65
  call void @use(i64 %38, i64 %40), !dbg !65
    #dbg_declare(ptr %13, !66, !DIExpression(), !67)
  %41 = load i32, ptr %6, align 4, !dbg !68
  %42 = sub nsw i32 %41, 1, !dbg !69
  store i32 %42, ptr %13, align 4, !dbg !67
  %43 = load i32, ptr %13, align 4, !dbg !70
  %44 = icmp sgt i32 %43, 4, !dbg !72
  br i1 %44, label %45, label %46, !dbg !72

45:                                               ; preds = %31
  br label %53, !dbg !73

46:                                               ; preds = %31
  %47 = load double, ptr %7, align 8, !dbg !74
  %48 = load double, ptr %10, align 8, !dbg !75
  %49 = fmul double %47, %48, !dbg !76
  %50 = fptosi double %49 to i32, !dbg !77
  %51 = load i32, ptr %8, align 4, !dbg !78
  %52 = sub nsw i32 %51, %50, !dbg !78
  store i32 %52, ptr %8, align 4, !dbg !78
  br label %53, !dbg !79

53:                                               ; preds = %46, %45
    #dbg_label(!80, !81)
  %54 = load i32, ptr %8, align 4, !dbg !82
  %55 = load ptr, ptr %11, align 8, !dbg !83
  %56 = load i32, ptr %55, align 4, !dbg !84
  %57 = add nsw i32 %54, %56, !dbg !85
  ret i32 %57, !dbg !86
}

declare i32 @ext(ptr noundef) #1

declare void @use(i64, i64) #1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @vla(i32 noundef %0) #0 !dbg !87 {
  %2 = alloca i32, align 4
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !90, !DIExpression(), !91)
  %5 = load i32, ptr %2, align 4, !dbg !92
  %6 = zext i32 %5 to i64, !dbg !93
  %7 = call ptr @llvm.stacksave.p0(), !dbg !93
  store ptr %7, ptr %3, align 8, !dbg !93
  %8 = alloca i32, i64 %6, align 16, !dbg !93
  store i64 %6, ptr %4, align 8, !dbg !93
    #dbg_declare(ptr %4, !94, !DIExpression(), !96)
    #dbg_declare(ptr %8, !97, !DIExpression(), !101)
  %9 = call i32 @ext(ptr noundef %8), !dbg !102
  %10 = getelementptr inbounds i32, ptr %8, i64 0, !dbg !103
  %11 = load i32, ptr %10, align 16, !dbg !103
  %12 = load ptr, ptr %3, align 8, !dbg !104
  call void @llvm.stackrestore.p0(ptr %12), !dbg !104
  ret i32 %11, !dbg !104
}

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare ptr @llvm.stacksave.p0() #2

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.stackrestore.p0(ptr) #2

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nofree nosync nounwind willreturn }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!7, !8, !9, !10, !11, !12, !13}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "glob", scope: !2, file: !3, line: 4, type: !5, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
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
!13 = !{i32 7, !"frame-pointer", i32 2}
!14 = distinct !DISubprogram(name: "f", scope: !3, file: !3, line: 5, type: !15, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !23)
!15 = !DISubroutineType(types: !16)
!16 = !{!5, !5, !17, !18}
!17 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!18 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "P", file: !3, line: 1, size: 128, elements: !19)
!19 = !{!20, !22}
!20 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !18, file: !3, line: 1, baseType: !21, size: 64)
!21 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!22 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !18, file: !3, line: 1, baseType: !21, size: 64, offset: 64)
!23 = !{}
!24 = !DILocalVariable(name: "n", arg: 1, scope: !14, file: !3, line: 5, type: !5)
!25 = !DILocation(line: 5, column: 11, scope: !14)
!26 = !DILocalVariable(name: "d", arg: 2, scope: !14, file: !3, line: 5, type: !17)
!27 = !DILocation(line: 5, column: 21, scope: !14)
!28 = !DILocalVariable(name: "p", arg: 3, scope: !14, file: !3, line: 5, type: !18)
!29 = !DILocation(line: 5, column: 33, scope: !14)
!30 = !DILocalVariable(name: "x", scope: !14, file: !3, line: 6, type: !5)
!31 = !DILocation(line: 6, column: 7, scope: !14)
!32 = !DILocation(line: 6, column: 11, scope: !14)
!33 = !DILocation(line: 6, column: 13, scope: !14)
!34 = !DILocalVariable(name: "k", scope: !14, file: !3, line: 7, type: !35)
!35 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !5)
!36 = !DILocation(line: 7, column: 13, scope: !14)
!37 = !DILocalVariable(name: "e", scope: !14, file: !3, line: 8, type: !17)
!38 = !DILocation(line: 8, column: 10, scope: !14)
!39 = !DILocalVariable(name: "gp", scope: !14, file: !3, line: 9, type: !40)
!40 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5, size: 64)
!41 = !DILocation(line: 9, column: 8, scope: !14)
!42 = !DILocalVariable(name: "i", scope: !43, file: !3, line: 10, type: !5)
!43 = distinct !DILexicalBlock(scope: !14, file: !3, line: 10, column: 3)
!44 = !DILocation(line: 10, column: 12, scope: !43)
!45 = !DILocation(line: 10, column: 8, scope: !43)
!46 = !DILocation(line: 10, column: 19, scope: !47)
!47 = distinct !DILexicalBlock(scope: !43, file: !3, line: 10, column: 3)
!48 = !DILocation(line: 10, column: 23, scope: !47)
!49 = !DILocation(line: 10, column: 21, scope: !47)
!50 = !DILocation(line: 10, column: 3, scope: !43)
!51 = !DILocation(line: 10, column: 38, scope: !52)
!52 = distinct !DILexicalBlock(scope: !47, file: !3, line: 10, column: 31)
!53 = !DILocation(line: 10, column: 40, scope: !52)
!54 = !DILocation(line: 10, column: 35, scope: !52)
!55 = !DILocation(line: 10, column: 45, scope: !52)
!56 = !DILocation(line: 10, column: 54, scope: !52)
!57 = !DILocation(line: 10, column: 27, scope: !47)
!58 = !DILocation(line: 10, column: 3, scope: !47)
!59 = distinct !{!59, !50, !60, !61}
!60 = !DILocation(line: 10, column: 54, scope: !43)
!61 = !{!"llvm.loop.mustprogress"}
!62 = !DILocation(line: 11, column: 10, scope: !14)
!63 = !DILocation(line: 11, column: 5, scope: !14)
!64 = !DILocation(line: 11, column: 7, scope: !14)
!65 = !DILocation(line: 12, column: 3, scope: !14)
!66 = !DILocalVariable(name: "z", scope: !14, file: !3, line: 13, type: !5)
!67 = !DILocation(line: 13, column: 7, scope: !14)
!68 = !DILocation(line: 13, column: 11, scope: !14)
!69 = !DILocation(line: 13, column: 13, scope: !14)
!70 = !DILocation(line: 14, column: 7, scope: !71)
!71 = distinct !DILexicalBlock(scope: !14, file: !3, line: 14, column: 7)
!72 = !DILocation(line: 14, column: 9, scope: !71)
!73 = !DILocation(line: 14, column: 14, scope: !71)
!74 = !DILocation(line: 15, column: 14, scope: !14)
!75 = !DILocation(line: 15, column: 16, scope: !14)
!76 = !DILocation(line: 15, column: 15, scope: !14)
!77 = !DILocation(line: 15, column: 8, scope: !14)
!78 = !DILocation(line: 15, column: 5, scope: !14)
!79 = !DILocation(line: 15, column: 3, scope: !14)
!80 = !DILabel(scope: !14, name: "out", file: !3, line: 16, column: 1)
!81 = !DILocation(line: 16, column: 1, scope: !14)
!82 = !DILocation(line: 17, column: 10, scope: !14)
!83 = !DILocation(line: 17, column: 15, scope: !14)
!84 = !DILocation(line: 17, column: 14, scope: !14)
!85 = !DILocation(line: 17, column: 12, scope: !14)
!86 = !DILocation(line: 17, column: 3, scope: !14)
!87 = distinct !DISubprogram(name: "vla", scope: !3, file: !3, line: 19, type: !88, scopeLine: 19, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !23)
!88 = !DISubroutineType(types: !89)
!89 = !{!5, !5}
!90 = !DILocalVariable(name: "n", arg: 1, scope: !87, file: !3, line: 19, type: !5)
!91 = !DILocation(line: 19, column: 13, scope: !87)
!92 = !DILocation(line: 19, column: 24, scope: !87)
!93 = !DILocation(line: 19, column: 18, scope: !87)
!94 = !DILocalVariable(name: "__vla_expr0", scope: !87, type: !95, flags: DIFlagArtificial)
!95 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!96 = !DILocation(line: 0, scope: !87)
!97 = !DILocalVariable(name: "a", scope: !87, file: !3, line: 19, type: !98)
!98 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, elements: !99)
!99 = !{!100}
!100 = !DISubrange(count: !94)
!101 = !DILocation(line: 19, column: 22, scope: !87)
!102 = !DILocation(line: 19, column: 28, scope: !87)
!103 = !DILocation(line: 19, column: 43, scope: !87)
!104 = !DILocation(line: 19, column: 49, scope: !87)
