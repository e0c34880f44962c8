; ModuleID = 'e.cpp'
source_filename = "e.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.Guard = type { i32 }

$_ZN5GuardC2Ei = comdat any

$__clang_call_terminate = comdat any

$_ZN5GuardD2Ev = comdat any

@_ZTIi = external constant ptr

; Function Attrs: mustprogress noinline optnone uwtable
define dso_local noundef i32 @_Z3runi(i32 noundef %0) #0 personality ptr @__gxx_personality_v0 !dbg !21 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca %struct.Guard, align 4
  %6 = alloca i32, align 4
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !25, !DIExpression(), !26)
    #dbg_declare(ptr %3, !27, !DIExpression(), !28)
  store i32 0, ptr %3, align 4, !dbg !28
    #dbg_declare(ptr %4, !29, !DIExpression(), !31)
  store i32 0, ptr %4, align 4, !dbg !31
  br label %11, !dbg !32

11:                                               ; preds = %41, %1
  %12 = load i32, ptr %4, align 4, !dbg !33
  %13 = load i32, ptr %2, align 4, !dbg !35
  %14 = icmp slt i32 %12, %13, !dbg !36
  br i1 %14, label %15, label %52, !dbg !37

15:                                               ; preds = %11
    #dbg_declare(ptr %5, !38, !DIExpression(), !40)
  %16 = load i32, ptr %4, align 4, !dbg !41
  call void @_ZN5GuardC2Ei(ptr noundef nonnull align 4 dereferenceable(4) %5, i32 noundef %16), !dbg !40
    #dbg_declare(ptr %6, !42, !DIExpression(), !44)
  %17 = load i32, ptr %4, align 4, !dbg !45
  %18 = invoke noundef i32 @_Z3mayi(i32 noundef %17)
          to label %19 unwind label %23, !dbg !46

19:                                               ; preds = %15
  store i32 %18, ptr %6, align 4, !dbg !44
  %20 = load i32, ptr %6, align 4, !dbg !47
  %21 = load i32, ptr %3, align 4, !dbg !48
  %22 = add nsw i32 %21, %20, !dbg !48
  store i32 %22, ptr %3, align 4, !dbg !48
  br label %40, !dbg !49

23:                                               ; preds = %15
  %24 = landingpad { ptr, i32 }
          catch ptr @_ZTIi
          catch ptr null, !dbg !50
  %25 = extractvalue { ptr, i32 } %24, 0, !dbg !50
  store ptr %25, ptr %7, align 8, !dbg !50
  %26 = extractvalue { ptr, i32 } %24, 1, !dbg !50
  store i32 %26, ptr %8, align 4, !dbg !50
  br label %27, !dbg !50

27:                                               ; preds = %23
  %28 = load i32, ptr %8, align 4, !dbg !49
  %29 = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi) #5, !dbg !49
  %30 = icmp eq i32 %28, %29, !dbg !49
  br i1 %30, label %31, label %44, !dbg !49

31:                                               ; preds = %27
    #dbg_declare(ptr %9, !51, !DIExpression(), !52)
  %32 = load ptr, ptr %7, align 8, !dbg !53
  %33 = call ptr @__cxa_begin_catch(ptr %32) #5, !dbg !53
  %34 = load i32, ptr %33, align 4, !dbg !53
  store i32 %34, ptr %9, align 4, !dbg !53
    #dbg_declare(ptr %10, !55, !DIExpression(), !57)
  %35 = load i32, ptr %9, align 4, !dbg !58
  %36 = mul nsw i32 %35, 2, !dbg !59
  store i32 %36, ptr %10, align 4, !dbg !57
  %37 = load i32, ptr %10, align 4, !dbg !60
  %38 = load i32, ptr %3, align 4, !dbg !61
  %39 = sub nsw i32 %38, %37, !dbg !61
  store i32 %39, ptr %3, align 4, !dbg !61
  call void @__cxa_end_catch() #5, !dbg !62
  br label %40, !dbg !62

40:                                               ; preds = %31, %19
  call void @_ZN5GuardD2Ev(ptr noundef nonnull align 4 dereferenceable(4) %5) #5, !dbg !63
  br label %41, !dbg !64

41:                                               ; preds = %40
  %42 = load i32, ptr %4, align 4, !dbg !65
  %43 = add nsw i32 %42, 1, !dbg !65
  store i32 %43, ptr %4, align 4, !dbg !65
  br label %11, !dbg !66, !llvm.loop !67

44:                                               ; preds = %27
  %45 = load ptr, ptr %7, align 8, !dbg !49
  %46 = call ptr @__cxa_begin_catch(ptr %45) #5, !dbg !49
  store i32 -1, ptr %3, align 4, !dbg !70
  invoke void @__cxa_rethrow() #6
          to label %62 unwind label %47, !dbg !71

47:                                               ; preds = %44
  %48 = landingpad { ptr, i32 }
          cleanup, !dbg !72
  %49 = extractvalue { ptr, i32 } %48, 0, !dbg !72
  store ptr %49, ptr %7, align 8, !dbg !72
  %50 = extractvalue { ptr, i32 } %48, 1, !dbg !72
  store i32 %50, ptr %8, align 4, !dbg !72
  invoke void @__cxa_end_catch()
          to label %51 unwind label %59, !dbg !53

51:                                               ; preds = %47
  call void @_ZN5GuardD2Ev(ptr noundef nonnull align 4 dereferenceable(4) %5) #5, !dbg !63
  br label %54, !dbg !63

52:                                               ; preds = %11
  %53 = load i32, ptr %3, align 4, !dbg !73
  ret i32 %53, !dbg !74

54:                                               ; preds = %51
  %55 = load ptr, ptr %7, align 8, !dbg !63
  %56 = load i32, ptr %8, align 4, !dbg !63
  %57 = insertvalue { ptr, i32 } poison, ptr %55, 0, !dbg !63
  %58 = insertvalue { ptr, i32 } %57, i32 %56, 1, !dbg !63
  resume { ptr, i32 } %58, !dbg !63

59:                                               ; preds = %47
  %60 = landingpad { ptr, i32 }
          catch ptr null, !dbg !53
  %61 = extractvalue { ptr, i32 } %60, 0, !dbg !53
  call void @__clang_call_terminate(ptr %61) #7, !dbg !53
  unreachable, !dbg !53

62:                                               ; preds = %44
  unreachable
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define linkonce_odr dso_local void @_ZN5GuardC2Ei(ptr noundef nonnull align 4 dereferenceable(4) %0, i32 noundef %1) unnamed_addr #1 comdat align 2 !dbg !75 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !76, !DIExpression(), !78)
  store i32 %1, ptr %4, align 4
    #dbg_declare(ptr %4, !79, !DIExpression(), !80)
  %5 = load ptr, ptr %3, align 8
  %6 = getelementptr inbounds nuw %struct.Guard, ptr %5, i32 0, i32 0, !dbg !81
  %7 = load i32, ptr %4, align 4, !dbg !82
  store i32 %7, ptr %6, align 4, !dbg !81
  ret void, !dbg !83
}

declare noundef i32 @_Z3mayi(i32 noundef) #2

declare i32 @__gxx_personality_v0(...)

; Function Attrs: nounwind memory(none)
declare i32 @llvm.eh.typeid.for.p0(ptr) #3

declare ptr @__cxa_begin_catch(ptr)

declare void @__cxa_rethrow()

declare void @__cxa_end_catch()

; Function Attrs: noinline noreturn nounwind uwtable
define linkonce_odr hidden void @__clang_call_terminate(ptr noundef %0) #4 comdat {
  %2 = call ptr @__cxa_begin_catch(ptr %0) #5
  call void @_ZSt9terminatev() #7
  unreachable
}

declare void @_ZSt9terminatev()

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define linkonce_odr dso_local void @_ZN5GuardD2Ev(ptr noundef nonnull align 4 dereferenceable(4) %0) unnamed_addr #1 comdat align 2 personality ptr @__gxx_personality_v0 !dbg !84 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !85, !DIExpression(), !86)
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw %struct.Guard, ptr %3, i32 0, i32 0, !dbg !87
  %5 = load i32, ptr %4, align 4, !dbg !87
  invoke void @_Z4notei(i32 noundef %5)
          to label %6 unwind label %7, !dbg !89

6:                                                ; preds = %1
  ret void, !dbg !90

7:                                                ; preds = %1
  %8 = landingpad { ptr, i32 }
          catch ptr null, !dbg !89
  %9 = extractvalue { ptr, i32 } %8, 0, !dbg !89
  call void @__clang_call_terminate(ptr %9) #7, !dbg !89
  unreachable, !dbg !89
}

declare void @_Z4notei(i32 noundef) #2

attributes #0 = { mustprogress noinline optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind memory(none) }
attributes #4 = { noinline noreturn nounwind uwtable "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }
attributes #6 = { noreturn }
attributes #7 = { noreturn nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!14, !15, !16, !17, !18, !19, !20}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !2, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "e.cpp", directory: "/", checksumkind: CSK_MD5, checksum: "32ba1d621879cb1d5ead89501f0a1612")
!2 = !{!3}
!3 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Guard", file: !1, line: 2, size: 32, flags: DIFlagTypePassByReference | DIFlagNonTrivial, elements: !4, identifier: "_ZTS5Guard")
!4 = !{!5, !7, !11}
!5 = !DIDerivedType(tag: DW_TAG_member, name: "v", scope: !3, file: !1, line: 2, baseType: !6, size: 32)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DISubprogram(name: "Guard", linkageName: "_ZN5GuardC4Ei", scope: !3, file: !1, line: 2, type: !8, scopeLine: 2, flags: DIFlagExplicit | DIFlagPrototyped, spFlags: 0)
!8 = !DISubroutineType(types: !9)
!9 = !{null, !10, !6}
!10 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !3, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!11 = !DISubprogram(name: "~Guard", linkageName: "_ZN5GuardD4Ev", scope: !3, file: !1, line: 2, type: !12, scopeLine: 2, flags: DIFlagPrototyped, spFlags: 0)
!12 = !DISubroutineType(types: !13)
!13 = !{null, !10}
!14 = !{i32 7, !"Dwarf Version", i32 5}
!15 = !{i32 2, !"Debug Info Version", i32 3}
!16 = !{i32 1, !"wchar_size", i32 4}
!17 = !{i32 8, !"PIC Level", i32 2}
!18 = !{i32 7, !"PIE Level", i32 2}
!19 = !{i32 7, !"uwtable", i32 2}
!20 = !{i32 7, !"frame-pointer", i32 2}
!21 = distinct !DISubprogram(name: "run", linkageName: "_Z3runi", scope: !1, file: !1, line: 3, type: !22, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !24)
!22 = !DISubroutineType(types: !23)
!23 = !{!6, !6}
!24 = !{}
!25 = !DILocalVariable(name: "n", arg: 1, scope: !21, file: !1, line: 3, type: !6)
!26 = !DILocation(line: 3, column: 13, scope: !21)
!27 = !DILocalVariable(name: "r", scope: !21, file: !1, line: 3, type: !6)
!28 = !DILocation(line: 3, column: 22, scope: !21)
!29 = !DILocalVariable(name: "i", scope: !30, file: !1, line: 3, type: !6)
!30 = distinct !DILexicalBlock(scope: !21, file: !1, line: 3, column: 29)
!31 = !DILocation(line: 3, column: 38, scope: !30)
!32 = !DILocation(line: 3, column: 34, scope: !30)
!33 = !DILocation(line: 3, column: 45, scope: !34)
!34 = distinct !DILexicalBlock(scope: !30, file: !1, line: 3, column: 29)
!35 = !DILocation(line: 3, column: 49, scope: !34)
!36 = !DILocation(line: 3, column: 47, scope: !34)
!37 = !DILocation(line: 3, column: 29, scope: !30)
!38 = !DILocalVariable(name: "g", scope: !39, file: !1, line: 3, type: !3)
!39 = distinct !DILexicalBlock(scope: !34, file: !1, line: 3, column: 57)
!40 = !DILocation(line: 3, column: 65, scope: !39)
!41 = !DILocation(line: 3, column: 67, scope: !39)
!42 = !DILocalVariable(name: "k", scope: !43, file: !1, line: 3, type: !6)
!43 = distinct !DILexicalBlock(scope: !39, file: !1, line: 3, column: 75)
!44 = !DILocation(line: 3, column: 81, scope: !43)
!45 = !DILocation(line: 3, column: 89, scope: !43)
!46 = !DILocation(line: 3, column: 85, scope: !43)
!47 = !DILocation(line: 3, column: 98, scope: !43)
!48 = !DILocation(line: 3, column: 95, scope: !43)
!49 = !DILocation(line: 3, column: 101, scope: !43)
!50 = !DILocation(line: 3, column: 199, scope: !43)
!51 = !DILocalVariable(name: "e", scope: !39, file: !1, line: 3, type: !6)
!52 = !DILocation(line: 3, column: 114, scope: !39)
!53 = !DILocation(line: 3, column: 185, scope: !54)
!54 = distinct !DILexicalBlock(scope: !39, file: !1, line: 3, column: 168)
!55 = !DILocalVariable(name: "doubled", scope: !56, file: !1, line: 3, type: !6)
!56 = distinct !DILexicalBlock(scope: !39, file: !1, line: 3, column: 117)
!57 = !DILocation(line: 3, column: 123, scope: !56)
!58 = !DILocation(line: 3, column: 133, scope: !56)
!59 = !DILocation(line: 3, column: 135, scope: !56)
!60 = !DILocation(line: 3, column: 145, scope: !56)
!61 = !DILocation(line: 3, column: 142, scope: !56)
!62 = !DILocation(line: 3, column: 154, scope: !56)
!63 = !DILocation(line: 3, column: 187, scope: !34)
!64 = !DILocation(line: 3, column: 187, scope: !39)
!65 = !DILocation(line: 3, column: 53, scope: !34)
!66 = !DILocation(line: 3, column: 29, scope: !34)
!67 = distinct !{!67, !37, !68, !69}
!68 = !DILocation(line: 3, column: 187, scope: !30)
!69 = !{!"llvm.loop.mustprogress"}
!70 = !DILocation(line: 3, column: 172, scope: !54)
!71 = !DILocation(line: 3, column: 178, scope: !54)
!72 = !DILocation(line: 3, column: 199, scope: !54)
!73 = !DILocation(line: 3, column: 196, scope: !21)
!74 = !DILocation(line: 3, column: 189, scope: !21)
!75 = distinct !DISubprogram(name: "Guard", linkageName: "_ZN5GuardC2Ei", scope: !3, file: !1, line: 2, type: !8, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, declaration: !7, retainedNodes: !24)
!76 = !DILocalVariable(name: "this", arg: 1, scope: !75, type: !77, flags: DIFlagArtificial | DIFlagObjectPointer)
!77 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !3, size: 64)
!78 = !DILocation(line: 0, scope: !75)
!79 = !DILocalVariable(name: "x", arg: 2, scope: !75, file: !1, line: 2, type: !6)
!80 = !DILocation(line: 2, column: 42, scope: !75)
!81 = !DILocation(line: 2, column: 47, scope: !75)
!82 = !DILocation(line: 2, column: 49, scope: !75)
!83 = !DILocation(line: 2, column: 53, scope: !75)
!84 = distinct !DISubprogram(name: "~Guard", linkageName: "_ZN5GuardD2Ev", scope: !3, file: !1, line: 2, type: !12, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, declaration: !11, retainedNodes: !24)
!85 = !DILocalVariable(name: "this", arg: 1, scope: !84, type: !77, flags: DIFlagArtificial | DIFlagObjectPointer)
!86 = !DILocation(line: 0, scope: !84)
!87 = !DILocation(line: 2, column: 71, scope: !88)
!88 = distinct !DILexicalBlock(scope: !84, file: !1, line: 2, column: 64)
!89 = !DILocation(line: 2, column: 66, scope: !88)
!90 = !DILocation(line: 2, column: 75, scope: !84)
