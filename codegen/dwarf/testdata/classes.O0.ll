; ModuleID = 'cl.cpp'
source_filename = "cl.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%"struct.ns::V" = type { [4 x double] }
%class.anon = type { ptr }
%"struct.ns::B" = type <{ ptr, i32, [4 x i8] }>

$_ZN1SD1Ev = comdat any

$_ZN1SD0Ev = comdat any

$_ZN2ns1VIdLi4EE2atEi = comdat any

$_ZN1SD2Ev = comdat any

$_ZTIN2ns1VIcLi2EEE = comdat any

$_ZTSN2ns1VIcLi2EEE = comdat any

@.str = private unnamed_addr constant [2 x i8] c"t\00", align 1, !dbg !0
@text = dso_local global ptr @.str, align 8, !dbg !8
@_ZL2tl = internal thread_local global i32 7, align 4, !dbg !64
@_ZTIi = external constant ptr
@_ZTV1S = dso_local unnamed_addr constant { [6 x ptr] } { [6 x ptr] [ptr inttoptr (i64 28 to ptr), ptr null, ptr @_ZTI1S, ptr @_ZN1SD1Ev, ptr @_ZN1SD0Ev, ptr @_ZNK1S1fEi] }, align 8, !dbg !21
@_ZTT1S = dso_local unnamed_addr constant [1 x ptr] [ptr getelementptr inbounds inrange(-24, 24) ({ [6 x ptr] }, ptr @_ZTV1S, i32 0, i32 0, i32 3)], align 8
@_ZTI1S = dso_local constant { ptr, ptr, i32, i32, ptr, i64, ptr, i64 } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv121__vmi_class_type_infoE, i64 2), ptr @_ZTS1S, i32 0, i32 2, ptr @_ZTIN2ns1BE, i64 2, ptr @_ZTIN2ns1VIcLi2EEE, i64 -6141 }, align 8
@_ZTVN10__cxxabiv121__vmi_class_type_infoE = external global [0 x ptr]
@_ZTS1S = dso_local constant [3 x i8] c"1S\00", align 1
@_ZTIN2ns1BE = external constant ptr
@_ZTIN2ns1VIcLi2EEE = linkonce_odr dso_local constant { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv117__class_type_infoE, i64 2), ptr @_ZTSN2ns1VIcLi2EEE }, comdat, align 8
@_ZTVN10__cxxabiv117__class_type_infoE = external global [0 x ptr]
@_ZTSN2ns1VIcLi2EEE = linkonce_odr dso_local constant [15 x i8] c"N2ns1VIcLi2EEE\00", comdat, align 1

; Function Attrs: mustprogress noinline optnone uwtable
define dso_local noundef i32 @_ZNK1S1fEi(ptr noundef nonnull align 8 dereferenceable(28) %0, i32 noundef %1) unnamed_addr #0 align 2 !dbg !79 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca %"struct.ns::V", align 8
  %6 = alloca %class.anon, align 8
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !81, !DIExpression(), !83)
  store i32 %1, ptr %4, align 4
    #dbg_declare(ptr %4, !84, !DIExpression(), !85)
  %7 = load ptr, ptr %3, align 8
    #dbg_declare(ptr %5, !86, !DIExpression(), !104)
  call void @llvm.memset.p0.i64(ptr align 8 %5, i8 0, i64 32, i1 false), !dbg !104
    #dbg_declare(ptr %6, !105, !DIExpression(), !110)
  %8 = getelementptr inbounds nuw %class.anon, ptr %6, i32 0, i32 0, !dbg !111
  store ptr %5, ptr %8, align 8, !dbg !111
  %9 = load i32, ptr %4, align 4, !dbg !112
  %10 = call noundef i32 @"_ZZNK1S1fEiENK3$_0clEi"(ptr noundef nonnull align 8 dereferenceable(8) %6, i32 noundef %9), !dbg !113
  %11 = getelementptr inbounds nuw %"struct.ns::B", ptr %7, i32 0, i32 1, !dbg !114
  %12 = load i32, ptr %11, align 8, !dbg !114
  %13 = add nsw i32 %10, %12, !dbg !115
  ret i32 %13, !dbg !116
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

; Function Attrs: mustprogress noinline optnone uwtable
define internal noundef i32 @"_ZZNK1S1fEiENK3$_0clEi"(ptr noundef nonnull align 8 dereferenceable(8) %0, i32 noundef %1) #0 align 2 !dbg !117 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !123, !DIExpression(), !125)
  store i32 %1, ptr %4, align 4
    #dbg_declare(ptr %4, !126, !DIExpression(), !127)
  %5 = load ptr, ptr %3, align 8
  %6 = load i32, ptr %4, align 4, !dbg !128
  %7 = getelementptr inbounds nuw %class.anon, ptr %5, i32 0, i32 0, !dbg !129
  %8 = load ptr, ptr %7, align 8, !dbg !129, !nonnull !80, !align !130
  %9 = call noundef nonnull align 8 dereferenceable(8) ptr @_ZN2ns1VIdLi4EE2atEi(ptr noundef nonnull align 8 dereferenceable(32) %8, i32 noundef 1), !dbg !131
  %10 = load double, ptr %9, align 8, !dbg !131
  %11 = fptosi double %10 to i32, !dbg !129
  %12 = add nsw i32 %6, %11, !dbg !132
  ret i32 %12, !dbg !133
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define dso_local noundef nonnull align 4 dereferenceable(4) ptr @_Z4moveRiz(ptr noundef nonnull align 4 dereferenceable(4) %0, ...) #2 !dbg !134 {
  %2 = alloca ptr, align 8
  %3 = alloca i8, align 1
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !139, !DIExpression(), !140)
  %4 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @_ZL2tl), !dbg !141
  %5 = load i32, ptr %4, align 4, !dbg !142
  %6 = add nsw i32 %5, 1, !dbg !142
  store i32 %6, ptr %4, align 4, !dbg !142
    #dbg_declare(ptr %3, !143, !DIExpression(), !144)
  store i8 1, ptr %3, align 1, !dbg !144
  %7 = load ptr, ptr %2, align 8, !dbg !145, !nonnull !80, !align !146
  ret ptr %7, !dbg !147
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #3

; Function Attrs: mustprogress noinline noreturn optnone uwtable
define dso_local void @_Z3diev() #4 personality ptr @__gxx_personality_v0 !dbg !148 {
  %1 = alloca ptr, align 8
  %2 = alloca i32, align 4
  %3 = call ptr @__cxa_allocate_exception(i64 4) #7, !dbg !151
  store i32 3, ptr %3, align 16, !dbg !151
  invoke void @__cxa_throw(ptr %3, ptr @_ZTIi, ptr null) #8
          to label %18 unwind label %4, !dbg !151

4:                                                ; preds = %0
  %5 = landingpad { ptr, i32 }
          filter [1 x ptr] [ptr @_ZTIi], !dbg !152
  %6 = extractvalue { ptr, i32 } %5, 0, !dbg !152
  store ptr %6, ptr %1, align 8, !dbg !152
  %7 = extractvalue { ptr, i32 } %5, 1, !dbg !152
  store i32 %7, ptr %2, align 4, !dbg !152
  br label %8, !dbg !152

8:                                                ; preds = %4
  %9 = load i32, ptr %2, align 4, !dbg !152
  %10 = icmp slt i32 %9, 0, !dbg !152
  br i1 %10, label %11, label %13, !dbg !152

11:                                               ; preds = %8
  %12 = load ptr, ptr %1, align 8, !dbg !152
  call void @__cxa_call_unexpected(ptr %12) #8, !dbg !152
  unreachable, !dbg !152

13:                                               ; preds = %8
  %14 = load ptr, ptr %1, align 8, !dbg !152
  %15 = load i32, ptr %2, align 4, !dbg !152
  %16 = insertvalue { ptr, i32 } poison, ptr %14, 0, !dbg !152
  %17 = insertvalue { ptr, i32 } %16, i32 %15, 1, !dbg !152
  resume { ptr, i32 } %17, !dbg !152

18:                                               ; preds = %0
  unreachable
}

declare ptr @__cxa_allocate_exception(i64)

declare void @__cxa_throw(ptr, ptr, ptr)

declare i32 @__gxx_personality_v0(...)

declare void @__cxa_call_unexpected(ptr)

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define linkonce_odr dso_local void @_ZN1SD1Ev(ptr noundef nonnull align 8 dereferenceable(28) %0) unnamed_addr #2 comdat align 2 !dbg !153 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !157, !DIExpression(), !159)
  %3 = load ptr, ptr %2, align 8
  call void @_ZN1SD2Ev(ptr noundef nonnull align 8 dereferenceable(28) %3, ptr noundef @_ZTT1S) #7, !dbg !160
  ret void, !dbg !160
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define linkonce_odr dso_local void @_ZN1SD0Ev(ptr noundef nonnull align 8 dereferenceable(28) %0) unnamed_addr #2 comdat align 2 !dbg !161 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !162, !DIExpression(), !163)
  %3 = load ptr, ptr %2, align 8
  call void @_ZN1SD1Ev(ptr noundef nonnull align 8 dereferenceable(28) %3) #7, !dbg !164
  call void @_ZdlPvm(ptr noundef %3, i64 noundef 32) #9, !dbg !164
  ret void, !dbg !164
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define linkonce_odr dso_local noundef nonnull align 8 dereferenceable(8) ptr @_ZN2ns1VIdLi4EE2atEi(ptr noundef nonnull align 8 dereferenceable(32) %0, i32 noundef %1) #2 comdat align 2 !dbg !165 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !166, !DIExpression(), !168)
  store i32 %1, ptr %4, align 4
    #dbg_declare(ptr %4, !169, !DIExpression(), !170)
  %5 = load ptr, ptr %3, align 8
  %6 = getelementptr inbounds nuw %"struct.ns::V", ptr %5, i32 0, i32 0, !dbg !171
  %7 = load i32, ptr %4, align 4, !dbg !172
  %8 = sext i32 %7 to i64, !dbg !171
  %9 = getelementptr inbounds [4 x double], ptr %6, i64 0, i64 %8, !dbg !171
  ret ptr %9, !dbg !173
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define linkonce_odr dso_local void @_ZN1SD2Ev(ptr noundef nonnull align 8 dereferenceable(28) %0, ptr noundef %1) unnamed_addr #2 comdat align 2 !dbg !174 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !178, !DIExpression(), !179)
  store ptr %1, ptr %4, align 8
    #dbg_declare(ptr %4, !180, !DIExpression(), !179)
  %5 = load ptr, ptr %3, align 8
  %6 = load ptr, ptr %4, align 8
  call void @_ZN2ns1BD2Ev(ptr noundef nonnull align 8 dereferenceable(12) %5) #7, !dbg !181
  ret void, !dbg !183
}

; Function Attrs: nounwind
declare void @_ZN2ns1BD2Ev(ptr noundef nonnull align 8 dereferenceable(12)) unnamed_addr #5

; Function Attrs: nobuiltin nounwind
declare void @_ZdlPvm(ptr noundef, i64 noundef) #6

attributes #0 = { mustprogress noinline optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #2 = { mustprogress noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { mustprogress noinline noreturn optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nobuiltin nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { nounwind }
attributes #8 = { noreturn }
attributes #9 = { builtin nounwind }

!llvm.dbg.cu = !{!10}
!llvm.module.flags = !{!71, !72, !73, !74, !75, !76, !77}
!llvm.ident = !{!78}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(scope: null, file: !2, line: 6, type: !3, isLocal: true, isDefinition: true)
!2 = !DIFile(filename: "cl.cpp", directory: "/src", checksumkind: CSK_MD5, checksum: "81fd42eda8adb625d30ccecd232c064a")
!3 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 16, elements: !6)
!4 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !5)
!5 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!6 = !{!7}
!7 = !DISubrange(count: 2)
!8 = !DIGlobalVariableExpression(var: !9, expr: !DIExpression())
!9 = distinct !DIGlobalVariable(name: "text", scope: !10, file: !2, line: 6, type: !68, isLocal: false, isDefinition: true)
!10 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !2, producer: "clang version 22.1.8", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !11, retainedTypes: !18, globals: !20, imports: !66, splitDebugInlining: false, nameTableKind: None)
!11 = !{!12}
!12 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "E", scope: !13, file: !2, line: 3, baseType: !14, size: 8, flags: DIFlagEnumClass, elements: !15, identifier: "_ZTSN2ns1EE")
!13 = !DINamespace(name: "ns", scope: null)
!14 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!15 = !{!16, !17}
!16 = !DIEnumerator(name: "one", value: 0, isUnsigned: true)
!17 = !DIEnumerator(name: "two", value: 1, isUnsigned: true)
!18 = !{!19}
!19 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!20 = !{!0, !8, !21, !64}
!21 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression())
!22 = distinct !DIGlobalVariable(name: "_vtable$", linkageName: "_ZTV1S", scope: !10, file: !2, type: !23, isLocal: false, isDefinition: true, declaration: !24, align: 64)
!23 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!24 = !DIDerivedType(tag: DW_TAG_variable, name: "_vtable$", scope: !25, file: !2, baseType: !23, flags: DIFlagPrivate | DIFlagArtificial | DIFlagStaticMember)
!25 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !2, line: 4, size: 256, flags: DIFlagTypePassByReference | DIFlagNonTrivial, elements: !26, vtableHolder: !28)
!26 = !{!27, !29, !44, !46, !47, !49, !55, !60}
!27 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !25, baseType: !28, extraData: i32 0)
!28 = !DICompositeType(tag: DW_TAG_structure_type, name: "B", scope: !13, file: !2, line: 1, size: 128, flags: DIFlagFwdDecl | DIFlagNonTrivial)
!29 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !25, baseType: !30, offset: 24, flags: DIFlagVirtual, extraData: i32 0)
!30 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "V<char, 2>", scope: !13, file: !2, line: 2, size: 16, flags: DIFlagTypePassByValue, elements: !31, templateParams: !41, identifier: "_ZTSN2ns1VIcLi2EEE")
!31 = !{!32, !34, !36}
!32 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !30, file: !2, line: 2, baseType: !33, size: 16)
!33 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, size: 16, elements: !6)
!34 = !DIDerivedType(tag: DW_TAG_variable, name: "count", scope: !30, file: !2, line: 2, baseType: !35, flags: DIFlagStaticMember, extraData: i32 2)
!35 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!36 = !DISubprogram(name: "at", linkageName: "_ZN2ns1VIcLi2EE2atEi", scope: !30, file: !2, line: 2, type: !37, scopeLine: 2, flags: DIFlagPrototyped, spFlags: 0)
!37 = !DISubroutineType(types: !38)
!38 = !{!39, !40, !19}
!39 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !5, size: 64)
!40 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !30, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!41 = !{!42, !43}
!42 = !DITemplateTypeParameter(name: "T", type: !5)
!43 = !DITemplateValueParameter(name: "N", type: !19, value: i32 2)
!44 = !DIDerivedType(tag: DW_TAG_member, name: "lo", scope: !25, file: !2, line: 4, baseType: !45, size: 3, offset: 96, flags: DIFlagBitField, extraData: i64 96)
!45 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!46 = !DIDerivedType(tag: DW_TAG_member, name: "hi", scope: !25, file: !2, line: 4, baseType: !45, size: 5, offset: 99, flags: DIFlagBitField, extraData: i64 96)
!47 = !DIDerivedType(tag: DW_TAG_member, name: "m", scope: !25, file: !2, line: 4, baseType: !48, size: 64, offset: 128)
!48 = !DIDerivedType(tag: DW_TAG_ptr_to_member_type, baseType: !19, size: 64, extraData: !25)
!49 = !DIDerivedType(tag: DW_TAG_member, scope: !25, file: !2, line: 4, baseType: !50, size: 32, offset: 192)
!50 = distinct !DICompositeType(tag: DW_TAG_union_type, scope: !25, file: !2, line: 4, size: 32, flags: DIFlagExportSymbols | DIFlagTypePassByValue, elements: !51, identifier: "_ZTSN1SUt_E")
!51 = !{!52, !54}
!52 = !DIDerivedType(tag: DW_TAG_member, name: "fl", scope: !50, file: !2, line: 4, baseType: !53, size: 32)
!53 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!54 = !DIDerivedType(tag: DW_TAG_member, name: "in", scope: !50, file: !2, line: 4, baseType: !19, size: 32)
!55 = !DISubprogram(name: "f", linkageName: "_ZNK1S1fEi", scope: !25, file: !2, line: 4, type: !56, scopeLine: 4, containingType: !25, virtualIndex: 2, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual)
!56 = !DISubroutineType(types: !57)
!57 = !{!19, !58, !19}
!58 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !59, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!59 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !25)
!60 = !DISubprogram(name: "S", linkageName: "_ZN1SC4Ei", scope: !25, file: !2, line: 4, type: !61, scopeLine: 4, flags: DIFlagPrototyped, spFlags: 0)
!61 = !DISubroutineType(types: !62)
!62 = !{null, !63, !19}
!63 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!64 = !DIGlobalVariableExpression(var: !65, expr: !DIExpression())
!65 = distinct !DIGlobalVariable(name: "tl", linkageName: "_ZL2tl", scope: !10, file: !2, line: 6, type: !19, isLocal: true, isDefinition: true)
!66 = !{!67}
!67 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !10, entity: !13, file: !2, line: 6)
!68 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !69, size: 64)
!69 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !70)
!70 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !5)
!71 = !{i32 7, !"Dwarf Version", i32 5}
!72 = !{i32 2, !"Debug Info Version", i32 3}
!73 = !{i32 1, !"wchar_size", i32 4}
!74 = !{i32 8, !"PIC Level", i32 2}
!75 = !{i32 7, !"PIE Level", i32 2}
!76 = !{i32 7, !"uwtable", i32 2}
!77 = !{i32 7, !"frame-pointer", i32 2}
!78 = !{!"clang version 22.1.8"}
!79 = distinct !DISubprogram(name: "f", linkageName: "_ZNK1S1fEi", scope: !25, file: !2, line: 5, type: !56, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !10, declaration: !55, retainedNodes: !80)
!80 = !{}
!81 = !DILocalVariable(name: "this", arg: 1, scope: !79, type: !82, flags: DIFlagArtificial | DIFlagObjectPointer)
!82 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !59, size: 64)
!83 = !DILocation(line: 0, scope: !79)
!84 = !DILocalVariable(name: "x", arg: 2, scope: !79, file: !2, line: 5, type: !19)
!85 = !DILocation(line: 5, column: 14, scope: !79)
!86 = !DILocalVariable(name: "d", scope: !79, file: !2, line: 5, type: !87)
!87 = !DIDerivedType(tag: DW_TAG_typedef, name: "D", scope: !13, file: !2, line: 3, baseType: !88)
!88 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "V<double, 4>", scope: !13, file: !2, line: 2, size: 256, flags: DIFlagTypePassByValue, elements: !89, templateParams: !101, identifier: "_ZTSN2ns1VIdLi4EEE")
!89 = !{!90, !95, !96}
!90 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !88, file: !2, line: 2, baseType: !91, size: 256)
!91 = !DICompositeType(tag: DW_TAG_array_type, baseType: !92, size: 256, elements: !93)
!92 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!93 = !{!94}
!94 = !DISubrange(count: 4)
!95 = !DIDerivedType(tag: DW_TAG_variable, name: "count", scope: !88, file: !2, line: 2, baseType: !35, flags: DIFlagStaticMember, extraData: i32 4)
!96 = !DISubprogram(name: "at", linkageName: "_ZN2ns1VIdLi4EE2atEi", scope: !88, file: !2, line: 2, type: !97, scopeLine: 2, flags: DIFlagPrototyped, spFlags: 0)
!97 = !DISubroutineType(types: !98)
!98 = !{!99, !100, !19}
!99 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !92, size: 64)
!100 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !88, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!101 = !{!102, !103}
!102 = !DITemplateTypeParameter(name: "T", type: !92)
!103 = !DITemplateValueParameter(name: "N", type: !19, value: i32 4)
!104 = !DILocation(line: 5, column: 31, scope: !79)
!105 = !DILocalVariable(name: "l", scope: !79, file: !2, line: 5, type: !106)
!106 = distinct !DICompositeType(tag: DW_TAG_class_type, scope: !79, file: !2, line: 5, size: 64, flags: DIFlagTypePassByValue | DIFlagNonTrivial, elements: !107)
!107 = !{!108}
!108 = !DIDerivedType(tag: DW_TAG_member, name: "d", scope: !106, file: !2, line: 5, baseType: !109, size: 64)
!109 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !87, size: 64)
!110 = !DILocation(line: 5, column: 44, scope: !79)
!111 = !DILocation(line: 5, column: 48, scope: !79)
!112 = !DILocation(line: 5, column: 98, scope: !79)
!113 = !DILocation(line: 5, column: 96, scope: !79)
!114 = !DILocation(line: 5, column: 103, scope: !79)
!115 = !DILocation(line: 5, column: 101, scope: !79)
!116 = !DILocation(line: 5, column: 89, scope: !79)
!117 = distinct !DISubprogram(name: "operator()", linkageName: "_ZZNK1S1fEiENK3$_0clEi", scope: !106, file: !2, line: 5, type: !118, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !10, declaration: !122, retainedNodes: !80)
!118 = !DISubroutineType(types: !119)
!119 = !{!19, !120, !19}
!120 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !121, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!121 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !106)
!122 = !DISubprogram(name: "operator()", scope: !106, file: !2, line: 5, type: !118, scopeLine: 5, flags: DIFlagPublic | DIFlagPrototyped, spFlags: DISPFlagLocalToUnit)
!123 = !DILocalVariable(name: "this", arg: 1, scope: !117, type: !124, flags: DIFlagArtificial | DIFlagObjectPointer)
!124 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !121, size: 64)
!125 = !DILocation(line: 0, scope: !117)
!126 = !DILocalVariable(name: "k", arg: 2, scope: !117, file: !2, line: 5, type: !19)
!127 = !DILocation(line: 5, column: 56, scope: !117)
!128 = !DILocation(line: 5, column: 68, scope: !117)
!129 = !DILocation(line: 5, column: 77, scope: !117)
!130 = !{i64 8}
!131 = !DILocation(line: 5, column: 79, scope: !117)
!132 = !DILocation(line: 5, column: 70, scope: !117)
!133 = !DILocation(line: 5, column: 61, scope: !117)
!134 = distinct !DISubprogram(name: "move", linkageName: "_Z4moveRiz", scope: !2, file: !2, line: 7, type: !135, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !10, retainedNodes: !80)
!135 = !DISubroutineType(types: !136)
!136 = !{!137, !138, null}
!137 = !DIDerivedType(tag: DW_TAG_rvalue_reference_type, baseType: !19, size: 64)
!138 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !19, size: 64)
!139 = !DILocalVariable(name: "x", arg: 1, scope: !134, file: !2, line: 7, type: !138)
!140 = !DILocation(line: 7, column: 17, scope: !134)
!141 = !DILocation(line: 7, column: 27, scope: !134)
!142 = !DILocation(line: 7, column: 29, scope: !134)
!143 = !DILocalVariable(name: "e", scope: !134, file: !2, line: 7, type: !12)
!144 = !DILocation(line: 7, column: 35, scope: !134)
!145 = !DILocation(line: 7, column: 74, scope: !134)
!146 = !{i64 4}
!147 = !DILocation(line: 7, column: 47, scope: !134)
!148 = distinct !DISubprogram(name: "die", linkageName: "_Z3diev", scope: !2, file: !2, line: 8, type: !149, scopeLine: 8, flags: DIFlagPrototyped | DIFlagNoReturn, spFlags: DISPFlagDefinition, unit: !10)
!149 = !DISubroutineType(types: !150)
!150 = !{null}
!151 = !DILocation(line: 8, column: 38, scope: !148)
!152 = !DILocation(line: 8, column: 47, scope: !148)
!153 = distinct !DISubprogram(name: "~S", linkageName: "_ZN1SD1Ev", scope: !25, file: !2, line: 4, type: !154, scopeLine: 4, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !10, declaration: !156, retainedNodes: !80)
!154 = !DISubroutineType(types: !155)
!155 = !{null, !63}
!156 = !DISubprogram(name: "~S", linkageName: "_ZN1SD4Ev", scope: !25, type: !154, containingType: !25, virtualIndex: 0, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagVirtual)
!157 = !DILocalVariable(name: "this", arg: 1, scope: !153, type: !158, flags: DIFlagArtificial | DIFlagObjectPointer)
!158 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64)
!159 = !DILocation(line: 0, scope: !153)
!160 = !DILocation(line: 4, column: 8, scope: !153)
!161 = distinct !DISubprogram(name: "~S", linkageName: "_ZN1SD0Ev", scope: !25, file: !2, line: 4, type: !154, scopeLine: 4, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !10, declaration: !156, retainedNodes: !80)
!162 = !DILocalVariable(name: "this", arg: 1, scope: !161, type: !158, flags: DIFlagArtificial | DIFlagObjectPointer)
!163 = !DILocation(line: 0, scope: !161)
!164 = !DILocation(line: 4, column: 8, scope: !161)
!165 = distinct !DISubprogram(name: "at", linkageName: "_ZN2ns1VIdLi4EE2atEi", scope: !88, file: !2, line: 2, type: !97, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !10, declaration: !96, retainedNodes: !80)
!166 = !DILocalVariable(name: "this", arg: 1, scope: !165, type: !167, flags: DIFlagArtificial | DIFlagObjectPointer)
!167 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !88, size: 64)
!168 = !DILocation(line: 0, scope: !165)
!169 = !DILocalVariable(name: "i", arg: 2, scope: !165, file: !2, line: 2, type: !19)
!170 = !DILocation(line: 2, column: 84, scope: !165)
!171 = !DILocation(line: 2, column: 96, scope: !165)
!172 = !DILocation(line: 2, column: 98, scope: !165)
!173 = !DILocation(line: 2, column: 89, scope: !165)
!174 = distinct !DISubprogram(name: "~S", linkageName: "_ZN1SD2Ev", scope: !25, file: !2, line: 4, type: !175, scopeLine: 4, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !10, declaration: !156, retainedNodes: !80)
!175 = !DISubroutineType(types: !176)
!176 = !{null, !63, !177}
!177 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !23, size: 64)
!178 = !DILocalVariable(name: "this", arg: 1, scope: !174, type: !158, flags: DIFlagArtificial | DIFlagObjectPointer)
!179 = !DILocation(line: 0, scope: !174)
!180 = !DILocalVariable(name: "vtt", arg: 2, scope: !174, type: !177, flags: DIFlagArtificial)
!181 = !DILocation(line: 4, column: 8, scope: !182)
!182 = distinct !DILexicalBlock(scope: !174, file: !2, line: 4, column: 8)
!183 = !DILocation(line: 4, column: 8, scope: !174)
