; ModuleID = 'e.cpp'
source_filename = "e.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

$__clang_call_terminate = comdat any

@_ZTIi = external constant ptr

; Function Attrs: mustprogress uwtable
define dso_local noundef i32 @_Z3runi(i32 noundef %0) local_unnamed_addr #0 personality ptr @__gxx_personality_v0 !dbg !25 {
    #dbg_value(ptr poison, !41, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !45)
    #dbg_value(ptr poison, !41, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !47)
    #dbg_value(i32 %0, !29, !DIExpression(), !49)
    #dbg_value(i32 0, !30, !DIExpression(), !49)
    #dbg_value(i32 0, !31, !DIExpression(), !50)
  %2 = icmp sgt i32 %0, 0, !dbg !51
  br i1 %2, label %5, label %3, !dbg !52

3:                                                ; preds = %27, %1
  %4 = phi i32 [ 0, %1 ], [ %23, %27 ], !dbg !53
  ret i32 %4, !dbg !54

5:                                                ; preds = %1, %27
  %6 = phi i32 [ %23, %27 ], [ 0, %1 ]
  %7 = phi i32 [ %28, %27 ], [ 0, %1 ]
    #dbg_value(i32 %6, !30, !DIExpression(), !49)
    #dbg_value(i32 %7, !31, !DIExpression(), !50)
    #dbg_value(i32 %7, !33, !DIExpression(), !55)
  %8 = invoke noundef i32 @_Z3mayi(i32 noundef %7)
          to label %9 unwind label %11, !dbg !56

9:                                                ; preds = %5
    #dbg_value(i32 %8, !36, !DIExpression(), !57)
  %10 = add nsw i32 %8, %6, !dbg !58
    #dbg_value(i32 %10, !30, !DIExpression(), !49)
  br label %22, !dbg !59

11:                                               ; preds = %5
  %12 = landingpad { ptr, i32 }
          catch ptr @_ZTIi
          catch ptr null, !dbg !60
  %13 = extractvalue { ptr, i32 } %12, 0, !dbg !60
  %14 = extractvalue { ptr, i32 } %12, 1, !dbg !60
  %15 = tail call i32 @llvm.eh.typeid.for.p0(ptr nonnull @_ZTIi) #5, !dbg !59
  %16 = icmp eq i32 %14, %15, !dbg !59
  %17 = tail call ptr @__cxa_begin_catch(ptr %13) #5, !dbg !61
  br i1 %16, label %18, label %30, !dbg !59

18:                                               ; preds = %11
  %19 = load i32, ptr %17, align 4, !dbg !62, !tbaa !21
    #dbg_value(i32 %19, !38, !DIExpression(), !55)
  %20 = shl nsw i32 %19, 1, !dbg !64
    #dbg_value(i32 %20, !39, !DIExpression(), !65)
  %21 = sub nsw i32 %6, %20, !dbg !66
    #dbg_value(i32 %21, !30, !DIExpression(), !49)
  tail call void @__cxa_end_catch() #5, !dbg !67
  br label %22, !dbg !67

22:                                               ; preds = %18, %9
  %23 = phi i32 [ %10, %9 ], [ %21, %18 ], !dbg !68
    #dbg_value(i32 %23, !30, !DIExpression(), !49)
    #dbg_value(ptr undef, !41, !DIExpression(), !47)
  invoke void @_Z4notei(i32 noundef %7)
          to label %27 unwind label %24, !dbg !69

24:                                               ; preds = %22
  %25 = landingpad { ptr, i32 }
          catch ptr null, !dbg !69
  %26 = extractvalue { ptr, i32 } %25, 0, !dbg !69
  tail call void @__clang_call_terminate(ptr %26) #6, !dbg !69
  unreachable, !dbg !69

27:                                               ; preds = %22
  %28 = add nuw nsw i32 %7, 1, !dbg !71
    #dbg_value(i32 %23, !30, !DIExpression(), !49)
    #dbg_value(i32 %28, !31, !DIExpression(), !50)
  %29 = icmp eq i32 %28, %0, !dbg !72
  br i1 %29, label %3, label %5, !dbg !73, !llvm.loop !74

30:                                               ; preds = %11
    #dbg_value(i32 -1, !30, !DIExpression(), !49)
  invoke void @__cxa_rethrow() #7
          to label %41 unwind label %31, !dbg !78

31:                                               ; preds = %30
  %32 = landingpad { ptr, i32 }
          cleanup, !dbg !79
  invoke void @__cxa_end_catch()
          to label %33 unwind label %38, !dbg !80

33:                                               ; preds = %31
    #dbg_value(ptr undef, !41, !DIExpression(), !45)
  invoke void @_Z4notei(i32 noundef %7)
          to label %37 unwind label %34, !dbg !81

34:                                               ; preds = %33
  %35 = landingpad { ptr, i32 }
          catch ptr null, !dbg !81
  %36 = extractvalue { ptr, i32 } %35, 0, !dbg !81
  tail call void @__clang_call_terminate(ptr %36) #6, !dbg !81
  unreachable, !dbg !81

37:                                               ; preds = %33
  resume { ptr, i32 } %32, !dbg !82

38:                                               ; preds = %31
  %39 = landingpad { ptr, i32 }
          catch ptr null, !dbg !80
  %40 = extractvalue { ptr, i32 } %39, 0, !dbg !80
  tail call void @__clang_call_terminate(ptr %40) #6, !dbg !80
  unreachable, !dbg !80

41:                                               ; preds = %30
  unreachable
}

declare !dbg !83 noundef i32 @_Z3mayi(i32 noundef) local_unnamed_addr #1

declare i32 @__gxx_personality_v0(...)

; Function Attrs: nofree nosync nounwind memory(none)
declare i32 @llvm.eh.typeid.for.p0(ptr) #2

declare ptr @__cxa_begin_catch(ptr) local_unnamed_addr

declare void @__cxa_rethrow() local_unnamed_addr

declare void @__cxa_end_catch() local_unnamed_addr

; Function Attrs: noinline noreturn nounwind uwtable
define linkonce_odr hidden void @__clang_call_terminate(ptr noundef %0) local_unnamed_addr #3 comdat {
  %2 = tail call ptr @__cxa_begin_catch(ptr %0) #5
  tail call void @_ZSt9terminatev() #6
  unreachable
}

; Function Attrs: cold nofree noreturn
declare void @_ZSt9terminatev() local_unnamed_addr #4

declare !dbg !84 void @_Z4notei(i32 noundef) local_unnamed_addr #1

attributes #0 = { mustprogress uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nofree nosync nounwind memory(none) }
attributes #3 = { noinline noreturn nounwind uwtable "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { cold nofree noreturn }
attributes #5 = { nounwind }
attributes #6 = { noreturn nounwind }
attributes #7 = { noreturn }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!14, !15, !16, !17, !18, !19, !20}
!llvm.errno.tbaa = !{!21}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !2, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "e.cpp", directory: "/", checksumkind: CSK_MD5, checksum: "32ba1d621879cb1d5ead89501f0a1612")
!2 = !{!3}
!3 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Guard", file: !1, line: 2, size: 32, flags: DIFlagTypePassByReference | DIFlagNonTrivial, elements: !4, identifier: "_ZTS5Guard")
!4 = !{!5, !7, !11}
!5 = !DIDerivedType(tag: DW_TAG_member, name: "v", scope: !3, file: !1, line: 2, baseType: !6, size: 32)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DISubprogram(name: "Guard", linkageName: "_ZN5GuardC4Ei", scope: !3, file: !1, line: 2, type: !8, scopeLine: 2, flags: DIFlagExplicit | DIFlagPrototyped, spFlags: DISPFlagOptimized)
!8 = !DISubroutineType(types: !9)
!9 = !{null, !10, !6}
!10 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !3, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!11 = !DISubprogram(name: "~Guard", linkageName: "_ZN5GuardD4Ev", scope: !3, file: !1, line: 2, type: !12, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!12 = !DISubroutineType(types: !13)
!13 = !{null, !10}
!14 = !{i32 7, !"Dwarf Version", i32 5}
!15 = !{i32 2, !"Debug Info Version", i32 3}
!16 = !{i32 1, !"wchar_size", i32 4}
!17 = !{i32 8, !"PIC Level", i32 2}
!18 = !{i32 7, !"PIE Level", i32 2}
!19 = !{i32 7, !"uwtable", i32 2}
!20 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!21 = !{!22, !22, i64 0}
!22 = !{!"int", !23, i64 0}
!23 = !{!"omnipotent char", !24, i64 0}
!24 = !{!"Simple C++ TBAA"}
!25 = distinct !DISubprogram(name: "run", linkageName: "_Z3runi", scope: !1, file: !1, line: 3, type: !26, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !28, keyInstructions: true)
!26 = !DISubroutineType(types: !27)
!27 = !{!6, !6}
!28 = !{!29, !30, !31, !33, !36, !38, !39}
!29 = !DILocalVariable(name: "n", arg: 1, scope: !25, file: !1, line: 3, type: !6)
!30 = !DILocalVariable(name: "r", scope: !25, file: !1, line: 3, type: !6)
!31 = !DILocalVariable(name: "i", scope: !32, file: !1, line: 3, type: !6)
!32 = distinct !DILexicalBlock(scope: !25, file: !1, line: 3, column: 29)
!33 = !DILocalVariable(name: "g", scope: !34, file: !1, line: 3, type: !3)
!34 = distinct !DILexicalBlock(scope: !35, file: !1, line: 3, column: 57)
!35 = distinct !DILexicalBlock(scope: !32, file: !1, line: 3, column: 29)
!36 = !DILocalVariable(name: "k", scope: !37, file: !1, line: 3, type: !6)
!37 = distinct !DILexicalBlock(scope: !34, file: !1, line: 3, column: 75)
!38 = !DILocalVariable(name: "e", scope: !34, file: !1, line: 3, type: !6)
!39 = !DILocalVariable(name: "doubled", scope: !40, file: !1, line: 3, type: !6)
!40 = distinct !DILexicalBlock(scope: !34, file: !1, line: 3, column: 117)
!41 = !DILocalVariable(name: "this", arg: 1, scope: !42, type: !44, flags: DIFlagArtificial | DIFlagObjectPointer)
!42 = distinct !DISubprogram(name: "~Guard", linkageName: "_ZN5GuardD2Ev", scope: !3, file: !1, line: 2, type: !12, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, declaration: !11, retainedNodes: !43, keyInstructions: true)
!43 = !{!41}
!44 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !3, size: 64)
!45 = !DILocation(line: 0, scope: !42, inlinedAt: !46)
!46 = distinct !DILocation(line: 3, column: 187, scope: !35)
!47 = !DILocation(line: 0, scope: !42, inlinedAt: !48)
!48 = distinct !DILocation(line: 3, column: 187, scope: !35)
!49 = !DILocation(line: 0, scope: !25)
!50 = !DILocation(line: 0, scope: !32)
!51 = !DILocation(line: 3, column: 47, scope: !35, atomGroup: 15, atomRank: 1)
!52 = !DILocation(line: 3, column: 29, scope: !32, atomGroup: 16, atomRank: 1)
!53 = !DILocation(line: 3, scope: !25, atomGroup: 1, atomRank: 1)
!54 = !DILocation(line: 3, column: 189, scope: !25, atomGroup: 14, atomRank: 1)
!55 = !DILocation(line: 0, scope: !34)
!56 = !DILocation(line: 3, column: 85, scope: !37, atomGroup: 5, atomRank: 2)
!57 = !DILocation(line: 0, scope: !37)
!58 = !DILocation(line: 3, column: 95, scope: !37, atomGroup: 6, atomRank: 2)
!59 = !DILocation(line: 3, column: 101, scope: !37)
!60 = !DILocation(line: 3, column: 199, scope: !37)
!61 = !DILocation(line: 3, scope: !34)
!62 = !DILocation(line: 3, column: 185, scope: !63, atomGroup: 8, atomRank: 2)
!63 = distinct !DILexicalBlock(scope: !34, file: !1, line: 3, column: 168)
!64 = !DILocation(line: 3, column: 135, scope: !40, atomGroup: 9, atomRank: 2)
!65 = !DILocation(line: 0, scope: !40)
!66 = !DILocation(line: 3, column: 142, scope: !40, atomGroup: 10, atomRank: 2)
!67 = !DILocation(line: 3, column: 154, scope: !40)
!68 = !DILocation(line: 3, scope: !34, atomGroup: 6, atomRank: 1)
!69 = !DILocation(line: 2, column: 66, scope: !70, inlinedAt: !48)
!70 = distinct !DILexicalBlock(scope: !42, file: !1, line: 2, column: 64)
!71 = !DILocation(line: 3, column: 53, scope: !35, atomGroup: 11, atomRank: 2)
!72 = !DILocation(line: 3, column: 47, scope: !35, atomGroup: 3, atomRank: 1)
!73 = !DILocation(line: 3, column: 29, scope: !32, atomGroup: 4, atomRank: 1)
!74 = distinct !{!74, !75, !76, !77}
!75 = !DILocation(line: 3, column: 29, scope: !32)
!76 = !DILocation(line: 3, column: 187, scope: !32)
!77 = !{!"llvm.loop.mustprogress"}
!78 = !DILocation(line: 3, column: 178, scope: !63)
!79 = !DILocation(line: 3, column: 199, scope: !63)
!80 = !DILocation(line: 3, column: 185, scope: !63)
!81 = !DILocation(line: 2, column: 66, scope: !70, inlinedAt: !46)
!82 = !DILocation(line: 3, column: 199, scope: !25)
!83 = !DISubprogram(name: "may", linkageName: "_Z3mayi", scope: !1, file: !1, line: 1, type: !26, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!84 = !DISubprogram(name: "note", linkageName: "_Z4notei", scope: !1, file: !1, line: 1, type: !85, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!85 = !DISubroutineType(types: !86)
!86 = !{null, !6}
