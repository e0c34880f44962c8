; ModuleID = 'b.c'
source_filename = "b.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.S = type { i32, [12 x i8] }

@.str = private unnamed_addr constant [12 x i8] c"hello\00\00\00\00\00\00\00", align 1, !dbg !0

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i64 @loop(ptr noundef %0, i32 noundef %1, i8 noundef zeroext %2) #0 !dbg !19 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i8, align 1
  %7 = alloca i64, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i64, align 8
  %13 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
    #dbg_declare(ptr %4, !27, !DIExpression(), !28)
  store i32 %1, ptr %5, align 4
    #dbg_declare(ptr %5, !29, !DIExpression(), !30)
  store i8 %2, ptr %6, align 1
    #dbg_declare(ptr %6, !31, !DIExpression(), !32)
    #dbg_declare(ptr %7, !33, !DIExpression(), !34)
  store i64 0, ptr %7, align 8, !dbg !34
    #dbg_declare(ptr %8, !35, !DIExpression(), !36)
  store i32 1073741824, ptr %8, align 4, !dbg !36
    #dbg_declare(ptr %9, !37, !DIExpression(), !38)
  %14 = load i32, ptr %8, align 4, !dbg !39
  %15 = sub nsw i32 0, %14, !dbg !40
  store i32 %15, ptr %9, align 4, !dbg !38
    #dbg_declare(ptr %10, !41, !DIExpression(), !43)
  store i32 0, ptr %10, align 4, !dbg !43
  br label %16, !dbg !44

16:                                               ; preds = %62, %3
  %17 = load i32, ptr %10, align 4, !dbg !45
  %18 = load i32, ptr %5, align 4, !dbg !47
  %19 = icmp slt i32 %17, %18, !dbg !48
  br i1 %19, label %20, label %65, !dbg !49

20:                                               ; preds = %16
    #dbg_declare(ptr %11, !50, !DIExpression(), !52)
  %21 = load ptr, ptr %4, align 8, !dbg !53
  %22 = load i32, ptr %10, align 4, !dbg !54
  %23 = sext i32 %22 to i64, !dbg !53
  %24 = getelementptr inbounds i32, ptr %21, i64 %23, !dbg !53
  %25 = load i32, ptr %24, align 4, !dbg !53
  store i32 %25, ptr %11, align 4, !dbg !52
    #dbg_declare(ptr %12, !55, !DIExpression(), !56)
  %26 = load i32, ptr %11, align 4, !dbg !57
  %27 = sext i32 %26 to i64, !dbg !57
  store i64 %27, ptr %12, align 8, !dbg !56
  %28 = load i64, ptr %12, align 8, !dbg !58
  %29 = load i8, ptr %6, align 1, !dbg !59
  %30 = zext i8 %29 to i64, !dbg !59
  %31 = mul nsw i64 %28, %30, !dbg !60
  %32 = load i64, ptr %7, align 8, !dbg !61
  %33 = add nsw i64 %32, %31, !dbg !61
  store i64 %33, ptr %7, align 8, !dbg !61
  %34 = load i32, ptr %11, align 4, !dbg !62
  %35 = load i32, ptr %8, align 4, !dbg !63
  %36 = icmp slt i32 %34, %35, !dbg !64
  br i1 %36, label %37, label %39, !dbg !62

37:                                               ; preds = %20
  %38 = load i32, ptr %11, align 4, !dbg !65
  br label %41, !dbg !62

39:                                               ; preds = %20
  %40 = load i32, ptr %8, align 4, !dbg !66
  br label %41, !dbg !62

41:                                               ; preds = %39, %37
  %42 = phi i32 [ %38, %37 ], [ %40, %39 ], !dbg !62
  store i32 %42, ptr %8, align 4, !dbg !67
  %43 = load i32, ptr %11, align 4, !dbg !68
  %44 = load i32, ptr %9, align 4, !dbg !69
  %45 = icmp sgt i32 %43, %44, !dbg !70
  br i1 %45, label %46, label %48, !dbg !68

46:                                               ; preds = %41
  %47 = load i32, ptr %11, align 4, !dbg !71
  br label %50, !dbg !68

48:                                               ; preds = %41
  %49 = load i32, ptr %9, align 4, !dbg !72
  br label %50, !dbg !68

50:                                               ; preds = %48, %46
  %51 = phi i32 [ %47, %46 ], [ %49, %48 ], !dbg !68
  store i32 %51, ptr %9, align 4, !dbg !73
  %52 = load i64, ptr %7, align 8, !dbg !74
  %53 = icmp sgt i64 %52, 100000, !dbg !76
  br i1 %53, label %54, label %60, !dbg !76

54:                                               ; preds = %50
    #dbg_declare(ptr %13, !77, !DIExpression(), !79)
  %55 = load i64, ptr %7, align 8, !dbg !80
  %56 = trunc i64 %55 to i32, !dbg !81
  store i32 %56, ptr %13, align 4, !dbg !79
  %57 = load i32, ptr %13, align 4, !dbg !82
  %58 = srem i32 %57, 7, !dbg !83
  %59 = sext i32 %58 to i64, !dbg !82
  store i64 %59, ptr %7, align 8, !dbg !84
  br label %60, !dbg !85

60:                                               ; preds = %54, %50
  %61 = load i64, ptr %7, align 8, !dbg !86
  call void @put(i64 noundef %61), !dbg !87
  br label %62, !dbg !88

62:                                               ; preds = %60
  %63 = load i32, ptr %10, align 4, !dbg !89
  %64 = add nsw i32 %63, 1, !dbg !89
  store i32 %64, ptr %10, align 4, !dbg !89
  br label %16, !dbg !90, !llvm.loop !91

65:                                               ; preds = %16
  %66 = load i64, ptr %7, align 8, !dbg !94
  %67 = load i32, ptr %8, align 4, !dbg !95
  %68 = sext i32 %67 to i64, !dbg !95
  %69 = add nsw i64 %66, %68, !dbg !96
  %70 = load i32, ptr %9, align 4, !dbg !97
  %71 = sext i32 %70 to i64, !dbg !97
  %72 = add nsw i64 %69, %71, !dbg !98
  %73 = load i32, ptr %5, align 4, !dbg !99
  %74 = and i32 %73, 7, !dbg !100
  %75 = call i32 @sw(i32 noundef %74), !dbg !101
  %76 = sext i32 %75 to i64, !dbg !101
  %77 = add nsw i64 %72, %76, !dbg !102
  ret i64 %77, !dbg !103
}

declare void @put(i64 noundef) #1

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @sw(i32 noundef %0) #0 !dbg !104 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !107, !DIExpression(), !108)
    #dbg_declare(ptr %3, !109, !DIExpression(), !110)
  store i32 0, ptr %3, align 4, !dbg !110
  %4 = load i32, ptr %2, align 4, !dbg !111
  switch i32 %4, label %12 [
    i32 1, label %5
    i32 2, label %6
    i32 3, label %7
    i32 5, label %8
    i32 7, label %11
  ], !dbg !112

5:                                                ; preds = %1
  store i32 3, ptr %3, align 4, !dbg !113
  br label %14, !dbg !115

6:                                                ; preds = %1
  store i32 9, ptr %3, align 4, !dbg !116
  br label %14, !dbg !117

7:                                                ; preds = %1
  store i32 -4, ptr %3, align 4, !dbg !118
  br label %14, !dbg !119

8:                                                ; preds = %1
  %9 = load i32, ptr %2, align 4, !dbg !120
  %10 = mul nsw i32 %9, 2, !dbg !121
  store i32 %10, ptr %3, align 4, !dbg !122
  br label %14, !dbg !123

11:                                               ; preds = %1
  store i32 11, ptr %3, align 4, !dbg !124
  br label %14, !dbg !125

12:                                               ; preds = %1
  %13 = load i32, ptr %2, align 4, !dbg !126
  store i32 %13, ptr %3, align 4, !dbg !127
  br label %14, !dbg !128

14:                                               ; preds = %12, %11, %8, %7, %6, %5
  %15 = load i32, ptr %3, align 4, !dbg !129
  ret i32 %15, !dbg !130
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local double @mix(double noundef %0, float noundef %1, i32 noundef %2) #0 !dbg !131 {
  %4 = alloca double, align 8
  %5 = alloca float, align 4
  %6 = alloca i32, align 4
  %7 = alloca double, align 8
  %8 = alloca float, align 4
  %9 = alloca double, align 8
  store double %0, ptr %4, align 8
    #dbg_declare(ptr %4, !136, !DIExpression(), !137)
  store float %1, ptr %5, align 4
    #dbg_declare(ptr %5, !138, !DIExpression(), !139)
  store i32 %2, ptr %6, align 4
    #dbg_declare(ptr %6, !140, !DIExpression(), !141)
    #dbg_declare(ptr %7, !142, !DIExpression(), !143)
  %10 = load double, ptr %4, align 8, !dbg !144
  %11 = load float, ptr %5, align 4, !dbg !145
  %12 = fpext float %11 to double, !dbg !145
  %13 = fmul double %10, %12, !dbg !146
  store double %13, ptr %7, align 8, !dbg !143
    #dbg_declare(ptr %8, !147, !DIExpression(), !148)
  %14 = load float, ptr %5, align 4, !dbg !149
  %15 = fadd float %14, 1.500000e+00, !dbg !150
  store float %15, ptr %8, align 4, !dbg !148
    #dbg_declare(ptr %9, !151, !DIExpression(), !152)
  %16 = load i32, ptr %6, align 4, !dbg !153
  %17 = icmp ne i32 %16, 0, !dbg !153
  br i1 %17, label %18, label %20, !dbg !153

18:                                               ; preds = %3
  %19 = load double, ptr %7, align 8, !dbg !154
  br label %23, !dbg !153

20:                                               ; preds = %3
  %21 = load float, ptr %8, align 4, !dbg !155
  %22 = fpext float %21 to double, !dbg !155
  br label %23, !dbg !153

23:                                               ; preds = %20, %18
  %24 = phi double [ %19, %18 ], [ %22, %20 ], !dbg !153
  store double %24, ptr %9, align 8, !dbg !152
  %25 = load double, ptr %9, align 8, !dbg !156
  %26 = load double, ptr %9, align 8, !dbg !158
  %27 = fcmp une double %25, %26, !dbg !159
  br i1 %27, label %28, label %29, !dbg !159

28:                                               ; preds = %23
  store double 0.000000e+00, ptr %9, align 8, !dbg !160
  br label %29, !dbg !161

29:                                               ; preds = %28, %23
  %30 = load double, ptr %9, align 8, !dbg !162
  ret double %30, !dbg !163
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @agg(i32 noundef %0) #0 !dbg !164 {
  %2 = alloca i32, align 4
  %3 = alloca %struct.S, align 4
  %4 = alloca %struct.S, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !165, !DIExpression(), !166)
    #dbg_declare(ptr %3, !167, !DIExpression(), !173)
  %8 = getelementptr inbounds nuw %struct.S, ptr %3, i32 0, i32 0, !dbg !174
  %9 = load i32, ptr %2, align 4, !dbg !175
  store i32 %9, ptr %8, align 4, !dbg !174
  %10 = getelementptr inbounds nuw %struct.S, ptr %3, i32 0, i32 1, !dbg !174
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %10, ptr align 1 @.str, i64 12, i1 false), !dbg !176
    #dbg_declare(ptr %4, !177, !DIExpression(), !178)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %4, ptr align 4 %3, i64 16, i1 false), !dbg !179
  %11 = getelementptr inbounds nuw %struct.S, ptr %4, i32 0, i32 0, !dbg !180
  %12 = load i32, ptr %11, align 4, !dbg !181
  %13 = xor i32 %12, 5, !dbg !181
  store i32 %13, ptr %11, align 4, !dbg !181
    #dbg_declare(ptr %5, !182, !DIExpression(), !183)
  %14 = load i32, ptr %2, align 4, !dbg !184
  %15 = call i32 @g(ptr noundef %4, i32 noundef %14), !dbg !185
  store i32 %15, ptr %5, align 4, !dbg !183
    #dbg_declare(ptr %6, !186, !DIExpression(), !188)
  store i32 0, ptr %6, align 4, !dbg !188
  br label %16, !dbg !189

16:                                               ; preds = %36, %1
  %17 = load i32, ptr %6, align 4, !dbg !190
  %18 = icmp slt i32 %17, 12, !dbg !192
  br i1 %18, label %19, label %39, !dbg !193

19:                                               ; preds = %16
    #dbg_declare(ptr %7, !194, !DIExpression(), !196)
  %20 = getelementptr inbounds nuw %struct.S, ptr %4, i32 0, i32 1, !dbg !197
  %21 = load i32, ptr %6, align 4, !dbg !198
  %22 = sext i32 %21 to i64, !dbg !199
  %23 = getelementptr inbounds [12 x i8], ptr %20, i64 0, i64 %22, !dbg !199
  %24 = load i8, ptr %23, align 1, !dbg !199
  %25 = sext i8 %24 to i32, !dbg !199
  store i32 %25, ptr %7, align 4, !dbg !196
  %26 = load i32, ptr %7, align 4, !dbg !200
  %27 = icmp eq i32 %26, 108, !dbg !201
  br i1 %27, label %28, label %30, !dbg !200

28:                                               ; preds = %19
  %29 = load i32, ptr %6, align 4, !dbg !202
  br label %32, !dbg !200

30:                                               ; preds = %19
  %31 = load i32, ptr %7, align 4, !dbg !203
  br label %32, !dbg !200

32:                                               ; preds = %30, %28
  %33 = phi i32 [ %29, %28 ], [ %31, %30 ], !dbg !200
  %34 = load i32, ptr %5, align 4, !dbg !204
  %35 = add nsw i32 %34, %33, !dbg !204
  store i32 %35, ptr %5, align 4, !dbg !204
  br label %36, !dbg !205

36:                                               ; preds = %32
  %37 = load i32, ptr %6, align 4, !dbg !206
  %38 = add nsw i32 %37, 1, !dbg !206
  store i32 %38, ptr %6, align 4, !dbg !206
  br label %16, !dbg !207, !llvm.loop !208

39:                                               ; preds = %16
  %40 = load i32, ptr %5, align 4, !dbg !210
  %41 = getelementptr inbounds nuw %struct.S, ptr %3, i32 0, i32 0, !dbg !211
  %42 = load i32, ptr %41, align 4, !dbg !211
  %43 = add nsw i32 %40, %42, !dbg !212
  ret i32 %43, !dbg !213
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #2

declare i32 @g(ptr noundef, i32 noundef) #1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i128 @wide(i128 noundef %0, i64 noundef %1) #0 !dbg !214 {
  %3 = alloca i128, align 16
  %4 = alloca i64, align 8
  %5 = alloca i128, align 16
  %6 = alloca i128, align 16
  store i128 %0, ptr %3, align 16
    #dbg_declare(ptr %3, !217, !DIExpression(), !218)
  store i64 %1, ptr %4, align 8
    #dbg_declare(ptr %4, !219, !DIExpression(), !220)
    #dbg_declare(ptr %5, !221, !DIExpression(), !222)
  %7 = load i128, ptr %3, align 16, !dbg !223
  %8 = load i64, ptr %4, align 8, !dbg !224
  %9 = sext i64 %8 to i128, !dbg !224
  %10 = mul nsw i128 %7, %9, !dbg !225
  store i128 %10, ptr %5, align 16, !dbg !222
    #dbg_declare(ptr %6, !226, !DIExpression(), !228)
  store i128 7, ptr %6, align 16, !dbg !228
  %11 = load i128, ptr %5, align 16, !dbg !229
  %12 = load i128, ptr %6, align 16, !dbg !230
  %13 = add nsw i128 %11, %12, !dbg !231
  ret i128 %13, !dbg !232
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @sel(i32 noundef %0, i32 noundef %1, i32 noundef %2) #0 !dbg !233 {
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
    #dbg_declare(ptr %4, !236, !DIExpression(), !237)
  store i32 %1, ptr %5, align 4
    #dbg_declare(ptr %5, !238, !DIExpression(), !239)
  store i32 %2, ptr %6, align 4
    #dbg_declare(ptr %6, !240, !DIExpression(), !241)
    #dbg_declare(ptr %7, !242, !DIExpression(), !243)
  %10 = load i32, ptr %4, align 4, !dbg !244
  %11 = load i32, ptr %5, align 4, !dbg !245
  %12 = icmp slt i32 %10, %11, !dbg !246
  br i1 %12, label %13, label %15, !dbg !244

13:                                               ; preds = %3
  %14 = load i32, ptr %4, align 4, !dbg !247
  br label %17, !dbg !244

15:                                               ; preds = %3
  %16 = load i32, ptr %5, align 4, !dbg !248
  br label %17, !dbg !244

17:                                               ; preds = %15, %13
  %18 = phi i32 [ %14, %13 ], [ %16, %15 ], !dbg !244
  store i32 %18, ptr %7, align 4, !dbg !243
    #dbg_declare(ptr %8, !249, !DIExpression(), !250)
  %19 = load i32, ptr %4, align 4, !dbg !251
  %20 = load i32, ptr %5, align 4, !dbg !252
  %21 = icmp slt i32 %19, %20, !dbg !253
  br i1 %21, label %22, label %24, !dbg !251

22:                                               ; preds = %17
  %23 = load i32, ptr %6, align 4, !dbg !254
  br label %26, !dbg !251

24:                                               ; preds = %17
  %25 = load i32, ptr %4, align 4, !dbg !255
  br label %26, !dbg !251

26:                                               ; preds = %24, %22
  %27 = phi i32 [ %23, %22 ], [ %25, %24 ], !dbg !251
  store i32 %27, ptr %8, align 4, !dbg !250
    #dbg_declare(ptr %9, !256, !DIExpression(), !257)
  %28 = load i32, ptr %7, align 4, !dbg !258
  %29 = load i32, ptr %8, align 4, !dbg !259
  %30 = add nsw i32 %28, %29, !dbg !260
  store i32 %30, ptr %9, align 4, !dbg !257
  %31 = load i32, ptr %9, align 4, !dbg !261
  %32 = load i32, ptr %4, align 4, !dbg !262
  %33 = load i32, ptr %5, align 4, !dbg !263
  %34 = icmp slt i32 %32, %33, !dbg !264
  %35 = zext i1 %34 to i32, !dbg !264
  %36 = mul nsw i32 %31, %35, !dbg !265
  ret i32 %36, !dbg !266
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @dead(i32 noundef %0) #0 !dbg !267 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !268, !DIExpression(), !269)
    #dbg_declare(ptr %3, !270, !DIExpression(), !271)
  %5 = load i32, ptr %2, align 4, !dbg !272
  %6 = mul nsw i32 %5, 77, !dbg !273
  store i32 %6, ptr %3, align 4, !dbg !271
    #dbg_declare(ptr %4, !274, !DIExpression(), !275)
  %7 = load i32, ptr %3, align 4, !dbg !276
  %8 = add nsw i32 %7, 3, !dbg !277
  store i32 %8, ptr %4, align 4, !dbg !275
  %9 = load i32, ptr %2, align 4, !dbg !278
  ret i32 %9, !dbg !279
}

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }

!llvm.dbg.cu = !{!7}
!llvm.module.flags = !{!12, !13, !14, !15, !16, !17, !18}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(scope: null, file: !2, line: 10, type: !3, isLocal: true, isDefinition: true)
!2 = !DIFile(filename: "b.c", directory: "/", checksumkind: CSK_MD5, checksum: "ee424c18215b874e16c0ecab19db5bb9")
!3 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 96, elements: !5)
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!5 = !{!6}
!6 = !DISubrange(count: 12)
!7 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !8, globals: !11, splitDebugInlining: false, nameTableKind: None)
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
!18 = !{i32 7, !"frame-pointer", i32 2}
!19 = distinct !DISubprogram(name: "loop", scope: !2, file: !2, line: 4, type: !20, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !7, retainedNodes: !26)
!20 = !DISubroutineType(types: !21)
!21 = !{!22, !23, !9, !25}
!22 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!23 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !24, size: 64)
!24 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !9)
!25 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!26 = !{}
!27 = !DILocalVariable(name: "p", arg: 1, scope: !19, file: !2, line: 4, type: !23)
!28 = !DILocation(line: 4, column: 22, scope: !19)
!29 = !DILocalVariable(name: "n", arg: 2, scope: !19, file: !2, line: 4, type: !9)
!30 = !DILocation(line: 4, column: 29, scope: !19)
!31 = !DILocalVariable(name: "m", arg: 3, scope: !19, file: !2, line: 4, type: !25)
!32 = !DILocation(line: 4, column: 46, scope: !19)
!33 = !DILocalVariable(name: "sum", scope: !19, file: !2, line: 5, type: !22)
!34 = !DILocation(line: 5, column: 8, scope: !19)
!35 = !DILocalVariable(name: "lo", scope: !19, file: !2, line: 5, type: !9)
!36 = !DILocation(line: 5, column: 21, scope: !19)
!37 = !DILocalVariable(name: "hi", scope: !19, file: !2, line: 5, type: !9)
!38 = !DILocation(line: 5, column: 35, scope: !19)
!39 = !DILocation(line: 5, column: 41, scope: !19)
!40 = !DILocation(line: 5, column: 40, scope: !19)
!41 = !DILocalVariable(name: "i", scope: !42, file: !2, line: 6, type: !9)
!42 = distinct !DILexicalBlock(scope: !19, file: !2, line: 6, column: 3)
!43 = !DILocation(line: 6, column: 12, scope: !42)
!44 = !DILocation(line: 6, column: 8, scope: !42)
!45 = !DILocation(line: 6, column: 19, scope: !46)
!46 = distinct !DILexicalBlock(scope: !42, file: !2, line: 6, column: 3)
!47 = !DILocation(line: 6, column: 23, scope: !46)
!48 = !DILocation(line: 6, column: 21, scope: !46)
!49 = !DILocation(line: 6, column: 3, scope: !42)
!50 = !DILocalVariable(name: "v", scope: !51, file: !2, line: 6, type: !9)
!51 = distinct !DILexicalBlock(scope: !46, file: !2, line: 6, column: 31)
!52 = !DILocation(line: 6, column: 37, scope: !51)
!53 = !DILocation(line: 6, column: 41, scope: !51)
!54 = !DILocation(line: 6, column: 43, scope: !51)
!55 = !DILocalVariable(name: "w", scope: !51, file: !2, line: 6, type: !22)
!56 = !DILocation(line: 6, column: 52, scope: !51)
!57 = !DILocation(line: 6, column: 56, scope: !51)
!58 = !DILocation(line: 6, column: 66, scope: !51)
!59 = !DILocation(line: 6, column: 70, scope: !51)
!60 = !DILocation(line: 6, column: 68, scope: !51)
!61 = !DILocation(line: 6, column: 63, scope: !51)
!62 = !DILocation(line: 6, column: 78, scope: !51)
!63 = !DILocation(line: 6, column: 82, scope: !51)
!64 = !DILocation(line: 6, column: 80, scope: !51)
!65 = !DILocation(line: 6, column: 87, scope: !51)
!66 = !DILocation(line: 6, column: 91, scope: !51)
!67 = !DILocation(line: 6, column: 76, scope: !51)
!68 = !DILocation(line: 6, column: 100, scope: !51)
!69 = !DILocation(line: 6, column: 104, scope: !51)
!70 = !DILocation(line: 6, column: 102, scope: !51)
!71 = !DILocation(line: 6, column: 109, scope: !51)
!72 = !DILocation(line: 6, column: 113, scope: !51)
!73 = !DILocation(line: 6, column: 98, scope: !51)
!74 = !DILocation(line: 6, column: 121, scope: !75)
!75 = distinct !DILexicalBlock(scope: !51, file: !2, line: 6, column: 121)
!76 = !DILocation(line: 6, column: 125, scope: !75)
!77 = !DILocalVariable(name: "over", scope: !78, file: !2, line: 6, type: !9)
!78 = distinct !DILexicalBlock(scope: !75, file: !2, line: 6, column: 135)
!79 = !DILocation(line: 6, column: 141, scope: !78)
!80 = !DILocation(line: 6, column: 153, scope: !78)
!81 = !DILocation(line: 6, column: 148, scope: !78)
!82 = !DILocation(line: 6, column: 164, scope: !78)
!83 = !DILocation(line: 6, column: 169, scope: !78)
!84 = !DILocation(line: 6, column: 162, scope: !78)
!85 = !DILocation(line: 6, column: 174, scope: !78)
!86 = !DILocation(line: 6, column: 180, scope: !51)
!87 = !DILocation(line: 6, column: 176, scope: !51)
!88 = !DILocation(line: 6, column: 186, scope: !51)
!89 = !DILocation(line: 6, column: 27, scope: !46)
!90 = !DILocation(line: 6, column: 3, scope: !46)
!91 = distinct !{!91, !49, !92, !93}
!92 = !DILocation(line: 6, column: 186, scope: !42)
!93 = !{!"llvm.loop.mustprogress"}
!94 = !DILocation(line: 7, column: 10, scope: !19)
!95 = !DILocation(line: 7, column: 16, scope: !19)
!96 = !DILocation(line: 7, column: 14, scope: !19)
!97 = !DILocation(line: 7, column: 21, scope: !19)
!98 = !DILocation(line: 7, column: 19, scope: !19)
!99 = !DILocation(line: 7, column: 29, scope: !19)
!100 = !DILocation(line: 7, column: 31, scope: !19)
!101 = !DILocation(line: 7, column: 26, scope: !19)
!102 = !DILocation(line: 7, column: 24, scope: !19)
!103 = !DILocation(line: 7, column: 3, scope: !19)
!104 = distinct !DISubprogram(name: "sw", scope: !2, file: !2, line: 3, type: !105, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !7, retainedNodes: !26)
!105 = !DISubroutineType(types: !106)
!106 = !{!9, !9}
!107 = !DILocalVariable(name: "k", arg: 1, scope: !104, file: !2, line: 3, type: !9)
!108 = !DILocation(line: 3, column: 19, scope: !104)
!109 = !DILocalVariable(name: "r", scope: !104, file: !2, line: 3, type: !9)
!110 = !DILocation(line: 3, column: 28, scope: !104)
!111 = !DILocation(line: 3, column: 43, scope: !104)
!112 = !DILocation(line: 3, column: 35, scope: !104)
!113 = !DILocation(line: 3, column: 58, scope: !114)
!114 = distinct !DILexicalBlock(scope: !104, file: !2, line: 3, column: 46)
!115 = !DILocation(line: 3, column: 63, scope: !114)
!116 = !DILocation(line: 3, column: 80, scope: !114)
!117 = !DILocation(line: 3, column: 85, scope: !114)
!118 = !DILocation(line: 3, column: 102, scope: !114)
!119 = !DILocation(line: 3, column: 108, scope: !114)
!120 = !DILocation(line: 3, column: 127, scope: !114)
!121 = !DILocation(line: 3, column: 129, scope: !114)
!122 = !DILocation(line: 3, column: 125, scope: !114)
!123 = !DILocation(line: 3, column: 134, scope: !114)
!124 = !DILocation(line: 3, column: 151, scope: !114)
!125 = !DILocation(line: 3, column: 157, scope: !114)
!126 = !DILocation(line: 3, column: 177, scope: !114)
!127 = !DILocation(line: 3, column: 175, scope: !114)
!128 = !DILocation(line: 3, column: 180, scope: !114)
!129 = !DILocation(line: 3, column: 189, scope: !104)
!130 = !DILocation(line: 3, column: 182, scope: !104)
!131 = distinct !DISubprogram(name: "mix", scope: !2, file: !2, line: 9, type: !132, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !7, retainedNodes: !26)
!132 = !DISubroutineType(types: !133)
!133 = !{!134, !134, !135, !9}
!134 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!135 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!136 = !DILocalVariable(name: "x", arg: 1, scope: !131, file: !2, line: 9, type: !134)
!137 = !DILocation(line: 9, column: 19, scope: !131)
!138 = !DILocalVariable(name: "y", arg: 2, scope: !131, file: !2, line: 9, type: !135)
!139 = !DILocation(line: 9, column: 28, scope: !131)
!140 = !DILocalVariable(name: "sel", arg: 3, scope: !131, file: !2, line: 9, type: !9)
!141 = !DILocation(line: 9, column: 35, scope: !131)
!142 = !DILocalVariable(name: "t", scope: !131, file: !2, line: 9, type: !134)
!143 = !DILocation(line: 9, column: 49, scope: !131)
!144 = !DILocation(line: 9, column: 53, scope: !131)
!145 = !DILocation(line: 9, column: 57, scope: !131)
!146 = !DILocation(line: 9, column: 55, scope: !131)
!147 = !DILocalVariable(name: "u", scope: !131, file: !2, line: 9, type: !135)
!148 = !DILocation(line: 9, column: 66, scope: !131)
!149 = !DILocation(line: 9, column: 70, scope: !131)
!150 = !DILocation(line: 9, column: 72, scope: !131)
!151 = !DILocalVariable(name: "best", scope: !131, file: !2, line: 9, type: !134)
!152 = !DILocation(line: 9, column: 87, scope: !131)
!153 = !DILocation(line: 9, column: 94, scope: !131)
!154 = !DILocation(line: 9, column: 100, scope: !131)
!155 = !DILocation(line: 9, column: 104, scope: !131)
!156 = !DILocation(line: 9, column: 111, scope: !157)
!157 = distinct !DILexicalBlock(scope: !131, file: !2, line: 9, column: 111)
!158 = !DILocation(line: 9, column: 119, scope: !157)
!159 = !DILocation(line: 9, column: 116, scope: !157)
!160 = !DILocation(line: 9, column: 130, scope: !157)
!161 = !DILocation(line: 9, column: 125, scope: !157)
!162 = !DILocation(line: 9, column: 142, scope: !131)
!163 = !DILocation(line: 9, column: 135, scope: !131)
!164 = distinct !DISubprogram(name: "agg", scope: !2, file: !2, line: 10, type: !105, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !7, retainedNodes: !26)
!165 = !DILocalVariable(name: "n", arg: 1, scope: !164, file: !2, line: 10, type: !9)
!166 = !DILocation(line: 10, column: 13, scope: !164)
!167 = !DILocalVariable(name: "s", scope: !164, file: !2, line: 10, type: !168)
!168 = !DIDerivedType(tag: DW_TAG_typedef, name: "S", file: !2, line: 1, baseType: !169)
!169 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !2, line: 1, size: 128, elements: !170)
!170 = !{!171, !172}
!171 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !169, file: !2, line: 1, baseType: !9, size: 32)
!172 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !169, file: !2, line: 1, baseType: !3, size: 96, offset: 32)
!173 = !DILocation(line: 10, column: 20, scope: !164)
!174 = !DILocation(line: 10, column: 24, scope: !164)
!175 = !DILocation(line: 10, column: 26, scope: !164)
!176 = !DILocation(line: 10, column: 29, scope: !164)
!177 = !DILocalVariable(name: "t", scope: !164, file: !2, line: 10, type: !168)
!178 = !DILocation(line: 10, column: 42, scope: !164)
!179 = !DILocation(line: 10, column: 46, scope: !164)
!180 = !DILocation(line: 10, column: 51, scope: !164)
!181 = !DILocation(line: 10, column: 53, scope: !164)
!182 = !DILocalVariable(name: "r", scope: !164, file: !2, line: 10, type: !9)
!183 = !DILocation(line: 10, column: 63, scope: !164)
!184 = !DILocation(line: 10, column: 73, scope: !164)
!185 = !DILocation(line: 10, column: 67, scope: !164)
!186 = !DILocalVariable(name: "i", scope: !187, file: !2, line: 10, type: !9)
!187 = distinct !DILexicalBlock(scope: !164, file: !2, line: 10, column: 77)
!188 = !DILocation(line: 10, column: 86, scope: !187)
!189 = !DILocation(line: 10, column: 82, scope: !187)
!190 = !DILocation(line: 10, column: 93, scope: !191)
!191 = distinct !DILexicalBlock(scope: !187, file: !2, line: 10, column: 77)
!192 = !DILocation(line: 10, column: 95, scope: !191)
!193 = !DILocation(line: 10, column: 77, scope: !187)
!194 = !DILocalVariable(name: "c", scope: !195, file: !2, line: 10, type: !9)
!195 = distinct !DILexicalBlock(scope: !191, file: !2, line: 10, column: 106)
!196 = !DILocation(line: 10, column: 112, scope: !195)
!197 = !DILocation(line: 10, column: 118, scope: !195)
!198 = !DILocation(line: 10, column: 120, scope: !195)
!199 = !DILocation(line: 10, column: 116, scope: !195)
!200 = !DILocation(line: 10, column: 129, scope: !195)
!201 = !DILocation(line: 10, column: 131, scope: !195)
!202 = !DILocation(line: 10, column: 140, scope: !195)
!203 = !DILocation(line: 10, column: 144, scope: !195)
!204 = !DILocation(line: 10, column: 126, scope: !195)
!205 = !DILocation(line: 10, column: 147, scope: !195)
!206 = !DILocation(line: 10, column: 102, scope: !191)
!207 = !DILocation(line: 10, column: 77, scope: !191)
!208 = distinct !{!208, !193, !209, !93}
!209 = !DILocation(line: 10, column: 147, scope: !187)
!210 = !DILocation(line: 10, column: 156, scope: !164)
!211 = !DILocation(line: 10, column: 162, scope: !164)
!212 = !DILocation(line: 10, column: 158, scope: !164)
!213 = !DILocation(line: 10, column: 149, scope: !164)
!214 = distinct !DISubprogram(name: "wide", scope: !2, file: !2, line: 11, type: !215, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !7, retainedNodes: !26)
!215 = !DISubroutineType(types: !216)
!216 = !{!10, !10, !22}
!217 = !DILocalVariable(name: "a", arg: 1, scope: !214, file: !2, line: 11, type: !10)
!218 = !DILocation(line: 11, column: 24, scope: !214)
!219 = !DILocalVariable(name: "b", arg: 2, scope: !214, file: !2, line: 11, type: !22)
!220 = !DILocation(line: 11, column: 32, scope: !214)
!221 = !DILocalVariable(name: "c", scope: !214, file: !2, line: 11, type: !10)
!222 = !DILocation(line: 11, column: 46, scope: !214)
!223 = !DILocation(line: 11, column: 50, scope: !214)
!224 = !DILocation(line: 11, column: 54, scope: !214)
!225 = !DILocation(line: 11, column: 52, scope: !214)
!226 = !DILocalVariable(name: "k", scope: !214, file: !2, line: 11, type: !227)
!227 = !DIBasicType(name: "unsigned __int128", size: 128, encoding: DW_ATE_unsigned)
!228 = !DILocation(line: 11, column: 75, scope: !214)
!229 = !DILocation(line: 11, column: 89, scope: !214)
!230 = !DILocation(line: 11, column: 103, scope: !214)
!231 = !DILocation(line: 11, column: 91, scope: !214)
!232 = !DILocation(line: 11, column: 82, scope: !214)
!233 = distinct !DISubprogram(name: "sel", scope: !2, file: !2, line: 12, type: !234, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !7, retainedNodes: !26)
!234 = !DISubroutineType(types: !235)
!235 = !{!9, !9, !9, !9}
!236 = !DILocalVariable(name: "a", arg: 1, scope: !233, file: !2, line: 12, type: !9)
!237 = !DILocation(line: 12, column: 13, scope: !233)
!238 = !DILocalVariable(name: "b", arg: 2, scope: !233, file: !2, line: 12, type: !9)
!239 = !DILocation(line: 12, column: 20, scope: !233)
!240 = !DILocalVariable(name: "c", arg: 3, scope: !233, file: !2, line: 12, type: !9)
!241 = !DILocation(line: 12, column: 27, scope: !233)
!242 = !DILocalVariable(name: "x", scope: !233, file: !2, line: 12, type: !9)
!243 = !DILocation(line: 12, column: 36, scope: !233)
!244 = !DILocation(line: 12, column: 40, scope: !233)
!245 = !DILocation(line: 12, column: 44, scope: !233)
!246 = !DILocation(line: 12, column: 42, scope: !233)
!247 = !DILocation(line: 12, column: 48, scope: !233)
!248 = !DILocation(line: 12, column: 52, scope: !233)
!249 = !DILocalVariable(name: "y", scope: !233, file: !2, line: 12, type: !9)
!250 = !DILocation(line: 12, column: 59, scope: !233)
!251 = !DILocation(line: 12, column: 63, scope: !233)
!252 = !DILocation(line: 12, column: 67, scope: !233)
!253 = !DILocation(line: 12, column: 65, scope: !233)
!254 = !DILocation(line: 12, column: 71, scope: !233)
!255 = !DILocation(line: 12, column: 75, scope: !233)
!256 = !DILocalVariable(name: "z", scope: !233, file: !2, line: 12, type: !9)
!257 = !DILocation(line: 12, column: 82, scope: !233)
!258 = !DILocation(line: 12, column: 86, scope: !233)
!259 = !DILocation(line: 12, column: 90, scope: !233)
!260 = !DILocation(line: 12, column: 88, scope: !233)
!261 = !DILocation(line: 12, column: 100, scope: !233)
!262 = !DILocation(line: 12, column: 105, scope: !233)
!263 = !DILocation(line: 12, column: 109, scope: !233)
!264 = !DILocation(line: 12, column: 107, scope: !233)
!265 = !DILocation(line: 12, column: 102, scope: !233)
!266 = !DILocation(line: 12, column: 93, scope: !233)
!267 = distinct !DISubprogram(name: "dead", scope: !2, file: !2, line: 13, type: !105, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !7, retainedNodes: !26)
!268 = !DILocalVariable(name: "a", arg: 1, scope: !267, file: !2, line: 13, type: !9)
!269 = !DILocation(line: 13, column: 14, scope: !267)
!270 = !DILocalVariable(name: "unused", scope: !267, file: !2, line: 13, type: !9)
!271 = !DILocation(line: 13, column: 23, scope: !267)
!272 = !DILocation(line: 13, column: 32, scope: !267)
!273 = !DILocation(line: 13, column: 34, scope: !267)
!274 = !DILocalVariable(name: "also", scope: !267, file: !2, line: 13, type: !9)
!275 = !DILocation(line: 13, column: 44, scope: !267)
!276 = !DILocation(line: 13, column: 51, scope: !267)
!277 = !DILocation(line: 13, column: 58, scope: !267)
!278 = !DILocation(line: 13, column: 70, scope: !267)
!279 = !DILocation(line: 13, column: 63, scope: !267)
