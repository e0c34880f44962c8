; Types of all kinds, in the order and with the names that LLVM 22 gives them: the lines are llc-22's.
; RUN: llc -mtriple=bpfel -mcpu=v3 -O2 %s -o - | FileCheck %s --match-full-lines --check-prefixes=TYPES
; RUN: llc -mtriple=bpfeb -mcpu=v3 -O2 %s -o - | FileCheck %s --match-full-lines --check-prefixes=TYPES


%struct.anon = type { ptr, ptr, ptr }

@text = dso_local local_unnamed_addr constant [4 x i8] c"abc\00", align 1, !dbg !0
@data = dso_local local_unnamed_addr global i32 4, align 4, !dbg !17
@weak_ext = extern_weak dso_local local_unnamed_addr constant i32, section ".kconfig", align 4, !dbg !53
@plain_ext = external dso_local local_unnamed_addr global i32, align 4, !dbg !56
@zero = dso_local local_unnamed_addr global i64 0, align 8, !dbg !48
@_license = dso_local local_unnamed_addr global [4 x i8] c"GPL\00", section "license", align 1, !dbg !19
@map = dso_local global %struct.anon zeroinitializer, section ".maps", align 8, !dbg !25
@at = dso_local local_unnamed_addr global i32 0, align 4, !dbg !50
@counter = internal global i32 0, align 4, !dbg !58
@llvm.compiler.used = appending global [1 x ptr] [ptr @map], section "llvm.metadata"

; Function Attrs: nounwind
define dso_local range(i32 -2147483647, -2147483648) i32 @prog(ptr noundef %0) local_unnamed_addr #0 section "tc" !dbg !75 {
    #dbg_value(ptr %0, !145, !DIExpression(), !149)
    #dbg_value(i32 1, !146, !DIExpression(), !149)
  %2 = load i32, ptr @weak_ext, align 4, !dbg !150, !tbaa !71
  %3 = load i32, ptr @plain_ext, align 4, !dbg !151, !tbaa !71
  %4 = add nsw i32 %3, %2, !dbg !152
  %5 = tail call fastcc i32 @helper(ptr noundef %0, i32 noundef %4), !dbg !153
  %6 = add nsw i32 %5, 1, !dbg !154
  ret i32 %6, !dbg !155
}

; Function Attrs: noinline nounwind
define internal fastcc i32 @helper(ptr noundef %0, i32 noundef %1) unnamed_addr #1 !dbg !156 {
    #dbg_value(ptr %0, !160, !DIExpression(), !164)
    #dbg_value(i32 %1, !163, !DIExpression(), !164)
  %3 = tail call i32 @outside(ptr noundef %0, i32 noundef %1) #5, !dbg !165
  %4 = load volatile i32, ptr @counter, align 4, !dbg !166, !tbaa !71
  %5 = add nsw i32 %4, %3, !dbg !167
  ret i32 %5, !dbg !168
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local range(i32 -128, 128) i32 @global() local_unnamed_addr #2 !dbg !169 {
  %1 = load i32, ptr @data, align 4, !dbg !172, !tbaa !71
  %2 = add nsw i32 %1, 1, !dbg !173
  store i32 %2, ptr @data, align 4, !dbg !174, !tbaa !71
  %3 = load i64, ptr @zero, align 8, !dbg !175, !tbaa !176
  %4 = add nsw i64 %3, 1, !dbg !178
  store i64 %4, ptr @zero, align 8, !dbg !179, !tbaa !176
  %5 = sext i32 %2 to i64, !dbg !180
  %6 = getelementptr inbounds i8, ptr @text, i64 %5, !dbg !180
  %7 = load i8, ptr %6, align 1, !dbg !181, !tbaa !182
  %8 = sext i8 %7 to i32, !dbg !183
  ret i32 %8, !dbg !184
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local void @noargs() local_unnamed_addr #3 !dbg !185 {
  ret void, !dbg !188
}

declare !dbg !189 dso_local i32 @outside(ptr noundef, i32 noundef) local_unnamed_addr #4 section ".ksyms"

attributes #0 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="v3" }
attributes #1 = { noinline nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="v3" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="v3" }
attributes #3 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="v3" }
attributes #4 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="v3" }
attributes #5 = { nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!65, !66, !67, !68, !69}
!llvm.ident = !{!70}
!llvm.errno.tbaa = !{!71}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "text", scope: !2, file: !6, line: 20, type: !63, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !16, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "t.c", directory: "/src", checksumkind: CSK_MD5, checksum: "3780d43918bc1973647556257ce2473d")
!4 = !{!5, !11}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "small", file: !6, line: 6, baseType: !7, size: 32, elements: !8)
!6 = !DIFile(filename: "t.c", directory: "", checksumkind: CSK_MD5, checksum: "3780d43918bc1973647556257ce2473d")
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !{!9, !10}
!9 = !DIEnumerator(name: "A", value: -1)
!10 = !DIEnumerator(name: "B", value: 2)
!11 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "big", file: !6, line: 8, baseType: !12, size: 64, elements: !13)
!12 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!13 = !{!14, !15}
!14 = !DIEnumerator(name: "BIG", value: 1250999896491, isUnsigned: true)
!15 = !DIEnumerator(name: "ONE", value: 1, isUnsigned: true)
!16 = !{!0, !17, !19, !25, !48, !50, !53, !56, !58}
!17 = !DIGlobalVariableExpression(var: !18, expr: !DIExpression())
!18 = distinct !DIGlobalVariable(name: "data", scope: !2, file: !6, line: 21, type: !7, isLocal: false, isDefinition: true)
!19 = !DIGlobalVariableExpression(var: !20, expr: !DIExpression())
!20 = distinct !DIGlobalVariable(name: "_license", scope: !2, file: !6, line: 26, type: !21, isLocal: false, isDefinition: true)
!21 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 32, elements: !23)
!22 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!23 = !{!24}
!24 = !DISubrange(count: 4)
!25 = !DIGlobalVariableExpression(var: !26, expr: !DIExpression())
!26 = distinct !DIGlobalVariable(name: "map", scope: !2, file: !6, line: 15, type: !27, isLocal: false, isDefinition: true)
!27 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !6, line: 15, size: 192, elements: !28)
!28 = !{!29, !34, !39}
!29 = !DIDerivedType(tag: DW_TAG_member, name: "type", scope: !27, file: !6, line: 15, baseType: !30, size: 64)
!30 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !31, size: 64)
!31 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 864, elements: !32)
!32 = !{!33}
!33 = !DISubrange(count: 27)
!34 = !DIDerivedType(tag: DW_TAG_member, name: "key", scope: !27, file: !6, line: 15, baseType: !35, size: 64, offset: 64)
!35 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !36, size: 64)
!36 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "key", file: !6, line: 15, size: 32, elements: !37)
!37 = !{!38}
!38 = !DIDerivedType(tag: DW_TAG_member, name: "k", scope: !36, file: !6, line: 15, baseType: !7, size: 32)
!39 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !27, file: !6, line: 15, baseType: !40, size: 64, offset: 128)
!40 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !41, size: 64)
!41 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "val", file: !6, line: 15, size: 128, elements: !42)
!42 = !{!43, !45}
!43 = !DIDerivedType(tag: DW_TAG_member, name: "v", scope: !41, file: !6, line: 15, baseType: !44, size: 64)
!44 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!45 = !DIDerivedType(tag: DW_TAG_member, name: "p", scope: !41, file: !6, line: 15, baseType: !46, size: 64, offset: 64)
!46 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !47, size: 64)
!47 = !DICompositeType(tag: DW_TAG_structure_type, name: "later", file: !6, line: 3, flags: DIFlagFwdDecl)
!48 = !DIGlobalVariableExpression(var: !49, expr: !DIExpression())
!49 = distinct !DIGlobalVariable(name: "zero", scope: !2, file: !6, line: 21, type: !44, isLocal: false, isDefinition: true)
!50 = !DIGlobalVariableExpression(var: !51, expr: !DIExpression())
!51 = distinct !DIGlobalVariable(name: "at", scope: !2, file: !6, line: 22, type: !52, isLocal: false, isDefinition: true)
!52 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !7)
!53 = !DIGlobalVariableExpression(var: !54, expr: !DIExpression())
!54 = distinct !DIGlobalVariable(name: "weak_ext", scope: !2, file: !6, line: 17, type: !55, isLocal: false, isDefinition: false)
!55 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !7)
!56 = !DIGlobalVariableExpression(var: !57, expr: !DIExpression())
!57 = distinct !DIGlobalVariable(name: "plain_ext", scope: !2, file: !6, line: 18, type: !7, isLocal: false, isDefinition: false)
!58 = !DIGlobalVariableExpression(var: !59, expr: !DIExpression())
!59 = distinct !DIGlobalVariable(name: "counter", scope: !2, file: !6, line: 19, type: !60, isLocal: true, isDefinition: true, annotations: !61)
!60 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !7)
!61 = !{!62}
!62 = !{!"btf_decl_tag", !"var"}
!63 = !DICompositeType(tag: DW_TAG_array_type, baseType: !64, size: 32, elements: !23)
!64 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !22)
!65 = !{i32 7, !"Dwarf Version", i32 5}
!66 = !{i32 2, !"Debug Info Version", i32 3}
!67 = !{i32 1, !"wchar_size", i32 4}
!68 = !{i32 7, !"frame-pointer", i32 2}
!69 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!70 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!71 = !{!72, !72, i64 0}
!72 = !{!"int", !73, i64 0}
!73 = !{!"omnipotent char", !74, i64 0}
!74 = !{!"Simple C/C++ TBAA"}
!75 = distinct !DISubprogram(name: "prog", scope: !6, file: !6, line: 24, type: !76, scopeLine: 24, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !144, annotations: !147, keyInstructions: true)
!76 = !DISubroutineType(types: !77)
!77 = !{!7, !78}
!78 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !79, size: 64)
!79 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !6, line: 10, size: 1536, elements: !80)
!80 = !{!81, !82, !83, !86, !92, !95, !109, !110, !111, !116, !120, !124, !130, !134, !138, !140}
!81 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !79, file: !6, line: 11, baseType: !78, size: 64)
!82 = !DIDerivedType(tag: DW_TAG_member, name: "l", scope: !79, file: !6, line: 11, baseType: !46, size: 64, offset: 64)
!83 = !DIDerivedType(tag: DW_TAG_member, name: "u", scope: !79, file: !6, line: 11, baseType: !84, size: 64, offset: 128)
!84 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !85, size: 64)
!85 = !DICompositeType(tag: DW_TAG_union_type, name: "ulater", file: !6, line: 3, flags: DIFlagFwdDecl)
!86 = !DIDerivedType(tag: DW_TAG_member, name: "s", scope: !79, file: !6, line: 11, baseType: !87, size: 64, offset: 192)
!87 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !88, size: 64)
!88 = !DIDerivedType(tag: DW_TAG_typedef, name: "seen_t", file: !6, line: 5, baseType: !89)
!89 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "seen", file: !6, line: 4, size: 32, elements: !90)
!90 = !{!91}
!91 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !89, file: !6, line: 4, baseType: !7, size: 32)
!92 = !DIDerivedType(tag: DW_TAG_member, name: "cl", scope: !79, file: !6, line: 11, baseType: !93, size: 64, offset: 256)
!93 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !94, size: 64)
!94 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !47)
!95 = !DIDerivedType(tag: DW_TAG_member, name: "bits", scope: !79, file: !6, line: 12, baseType: !96, size: 192, offset: 320)
!96 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "bits", file: !6, line: 9, size: 192, elements: !97, annotations: !107)
!97 = !{!98, !99, !101, !102}
!98 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !96, file: !6, line: 9, baseType: !7, size: 3, flags: DIFlagBitField, extraData: i64 0)
!99 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !96, file: !6, line: 9, baseType: !100, size: 29, offset: 3, flags: DIFlagBitField, extraData: i64 0)
!100 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!101 = !DIDerivedType(tag: DW_TAG_member, name: "c", scope: !96, file: !6, line: 9, baseType: !44, size: 64, offset: 64)
!102 = !DIDerivedType(tag: DW_TAG_member, name: "s", scope: !96, file: !6, line: 9, baseType: !103, size: 64, offset: 128)
!103 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !104)
!104 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !105, size: 64)
!105 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !106)
!106 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !22)
!107 = !{!108}
!108 = !{!"btf_decl_tag", !"a struct"}
!109 = !DIDerivedType(tag: DW_TAG_member, name: "e", scope: !79, file: !6, line: 12, baseType: !5, size: 32, offset: 512)
!110 = !DIDerivedType(tag: DW_TAG_member, name: "g", scope: !79, file: !6, line: 12, baseType: !11, size: 64, offset: 576)
!111 = !DIDerivedType(tag: DW_TAG_member, name: "arr", scope: !79, file: !6, line: 12, baseType: !112, size: 480, offset: 640)
!112 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 480, elements: !113)
!113 = !{!114, !115}
!114 = !DISubrange(count: 3)
!115 = !DISubrange(count: 5)
!116 = !DIDerivedType(tag: DW_TAG_member, name: "tagged", scope: !79, file: !6, line: 12, baseType: !117, size: 64, offset: 1152)
!117 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !7, size: 64, annotations: !118)
!118 = !{!119}
!119 = !{!"btf_type_tag", !"user"}
!120 = !DIDerivedType(tag: DW_TAG_member, name: "tl", scope: !79, file: !6, line: 12, baseType: !121, size: 64, offset: 1216)
!121 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !47, size: 64, annotations: !122)
!122 = !{!123}
!123 = !{!"btf_type_tag", !"rcu"}
!124 = !DIDerivedType(tag: DW_TAG_member, name: "anon", scope: !79, file: !6, line: 13, baseType: !125, size: 32, offset: 1280)
!125 = distinct !DICompositeType(tag: DW_TAG_union_type, scope: !79, file: !6, line: 13, size: 32, elements: !126)
!126 = !{!127, !128}
!127 = !DIDerivedType(tag: DW_TAG_member, name: "i", scope: !125, file: !6, line: 13, baseType: !7, size: 32)
!128 = !DIDerivedType(tag: DW_TAG_member, name: "f", scope: !125, file: !6, line: 13, baseType: !129, size: 32)
!129 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!130 = !DIDerivedType(tag: DW_TAG_member, name: "fn", scope: !79, file: !6, line: 13, baseType: !131, size: 64, offset: 1344)
!131 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !132, size: 64)
!132 = !DISubroutineType(types: !133)
!133 = !{!7, !7, null}
!134 = !DIDerivedType(tag: DW_TAG_member, name: "flag", scope: !79, file: !6, line: 13, baseType: !135, size: 8, offset: 1408, annotations: !136)
!135 = !DIBasicType(name: "_Bool", size: 8, encoding: DW_ATE_boolean)
!136 = !{!137}
!137 = !{!"btf_decl_tag", !"member"}
!138 = !DIDerivedType(tag: DW_TAG_member, name: "d", scope: !79, file: !6, line: 13, baseType: !139, size: 64, offset: 1472)
!139 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!140 = !DIDerivedType(tag: DW_TAG_member, name: "open", scope: !79, file: !6, line: 13, baseType: !141, offset: 1536)
!141 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, elements: !142)
!142 = !{!143}
!143 = !DISubrange(count: -1)
!144 = !{!145, !146}
!145 = !DILocalVariable(name: "n", arg: 1, scope: !75, file: !6, line: 24, type: !78)
!146 = !DILocalVariable(name: "z", scope: !75, file: !6, line: 24, type: !88)
!147 = !{!148}
!148 = !{!"btf_decl_tag", !"prog"}
!149 = !DILocation(line: 0, scope: !75)
!150 = !DILocation(line: 24, column: 106, scope: !75)
!151 = !DILocation(line: 24, column: 117, scope: !75)
!152 = !DILocation(line: 24, column: 115, scope: !75)
!153 = !DILocation(line: 24, column: 96, scope: !75)
!154 = !DILocation(line: 24, column: 128, scope: !75, atomGroup: 3, atomRank: 2)
!155 = !DILocation(line: 24, column: 89, scope: !75, atomGroup: 3, atomRank: 1)
!156 = distinct !DISubprogram(name: "helper", scope: !6, file: !6, line: 23, type: !157, scopeLine: 23, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !159, keyInstructions: true)
!157 = !DISubroutineType(types: !158)
!158 = !{!7, !78, !7}
!159 = !{!160, !163}
!160 = !DILocalVariable(name: "n", arg: 1, scope: !156, file: !6, line: 23, type: !78, annotations: !161)
!161 = !{!162}
!162 = !{!"btf_decl_tag", !"arg"}
!163 = !DILocalVariable(name: "v", arg: 2, scope: !156, file: !6, line: 23, type: !7)
!164 = !DILocation(line: 0, scope: !156)
!165 = !DILocation(line: 23, column: 88, scope: !156)
!166 = !DILocation(line: 23, column: 104, scope: !156)
!167 = !DILocation(line: 23, column: 102, scope: !156, atomGroup: 1, atomRank: 2)
!168 = !DILocation(line: 23, column: 81, scope: !156, atomGroup: 1, atomRank: 1)
!169 = distinct !DISubprogram(name: "global", scope: !6, file: !6, line: 25, type: !170, scopeLine: 25, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, keyInstructions: true)
!170 = !DISubroutineType(types: !171)
!171 = !{!7}
!172 = !DILocation(line: 25, column: 24, scope: !169)
!173 = !DILocation(line: 25, column: 24, scope: !169, atomGroup: 1, atomRank: 2)
!174 = !DILocation(line: 25, column: 24, scope: !169, atomGroup: 1, atomRank: 1)
!175 = !DILocation(line: 25, column: 32, scope: !169)
!176 = !{!177, !177, i64 0}
!177 = !{!"long", !73, i64 0}
!178 = !DILocation(line: 25, column: 32, scope: !169, atomGroup: 2, atomRank: 2)
!179 = !DILocation(line: 25, column: 32, scope: !169, atomGroup: 2, atomRank: 1)
!180 = !DILocation(line: 25, column: 43, scope: !169)
!181 = !DILocation(line: 25, column: 43, scope: !169, atomGroup: 3, atomRank: 3)
!182 = !{!73, !73, i64 0}
!183 = !DILocation(line: 25, column: 43, scope: !169, atomGroup: 3, atomRank: 2)
!184 = !DILocation(line: 25, column: 36, scope: !169, atomGroup: 3, atomRank: 1)
!185 = distinct !DISubprogram(name: "noargs", scope: !6, file: !6, line: 27, type: !186, scopeLine: 27, flags: DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, keyInstructions: true)
!186 = !DISubroutineType(types: !187)
!187 = !{null}
!188 = !DILocation(line: 27, column: 17, scope: !185, atomGroup: 1, atomRank: 1)
!189 = !DISubprogram(name: "outside", scope: !6, file: !6, line: 16, type: !157, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !190)
!190 = !{!191, !192}
!191 = !DILocalVariable(name: "n", arg: 1, scope: !189, file: !6, line: 16, type: !78)
!192 = !DILocalVariable(name: "count", arg: 2, scope: !189, file: !6, line: 16, type: !7)

; TYPES: .section .BTF,"",@progbits
; TYPES-NEXT: .short 60319 # 0xeb9f
; TYPES-NEXT: .byte 1
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .long 24
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 1640
; TYPES-NEXT: .long 1640
; TYPES-NEXT: .long 400
; TYPES-NEXT: .long 0 # BTF_KIND_PTR(id = 1)
; TYPES-NEXT: .long 33554432 # 0x2000000
; TYPES-NEXT: .long 3
; TYPES-NEXT: .long 1 # BTF_KIND_INT(id = 2)
; TYPES-NEXT: .long 16777216 # 0x1000000
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 16777248 # 0x1000020
; TYPES-NEXT: .long 0 # BTF_KIND_ARRAY(id = 3)
; TYPES-NEXT: .long 50331648 # 0x3000000
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 27
; TYPES-NEXT: .long 5 # BTF_KIND_INT(id = 4)
; TYPES-NEXT: .long 16777216 # 0x1000000
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 32 # 0x20
; TYPES-NEXT: .long 0 # BTF_KIND_PTR(id = 5)
; TYPES-NEXT: .long 33554432 # 0x2000000
; TYPES-NEXT: .long 6
; TYPES-NEXT: .long 25 # BTF_KIND_STRUCT(id = 6)
; TYPES-NEXT: .long 67108865 # 0x4000001
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 29
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 0 # 0x0
; TYPES-NEXT: .long 0 # BTF_KIND_PTR(id = 7)
; TYPES-NEXT: .long 33554432 # 0x2000000
; TYPES-NEXT: .long 8
; TYPES-NEXT: .long 31 # BTF_KIND_STRUCT(id = 8)
; TYPES-NEXT: .long 67108866 # 0x4000002
; TYPES-NEXT: .long 16
; TYPES-NEXT: .long 35
; TYPES-NEXT: .long 9
; TYPES-NEXT: .long 0 # 0x0
; TYPES-NEXT: .long 37
; TYPES-NEXT: .long 10
; TYPES-NEXT: .long 64 # 0x40
; TYPES-NEXT: .long 39 # BTF_KIND_INT(id = 9)
; TYPES-NEXT: .long 16777216 # 0x1000000
; TYPES-NEXT: .long 8
; TYPES-NEXT: .long 16777280 # 0x1000040
; TYPES-NEXT: .long 0 # BTF_KIND_PTR(id = 10)
; TYPES-NEXT: .long 33554432 # 0x2000000
; TYPES-NEXT: .long 11
; TYPES-NEXT: .long 44 # BTF_KIND_FWD(id = 11)
; TYPES-NEXT: .long 117440512 # 0x7000000
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 0 # BTF_KIND_STRUCT(id = 12)
; TYPES-NEXT: .long 67108867 # 0x4000003
; TYPES-NEXT: .long 24
; TYPES-NEXT: .long 50
; TYPES-NEXT: .long 1
; TYPES-NEXT: .long 0 # 0x0
; TYPES-NEXT: .long 25
; TYPES-NEXT: .long 5
; TYPES-NEXT: .long 64 # 0x40
; TYPES-NEXT: .long 55
; TYPES-NEXT: .long 7
; TYPES-NEXT: .long 128 # 0x80
; TYPES-NEXT: .long 61 # BTF_KIND_VAR(id = 13)
; TYPES-NEXT: .long 234881024 # 0xe000000
; TYPES-NEXT: .long 12
; TYPES-NEXT: .long 1
; TYPES-NEXT: .long 0 # BTF_KIND_PTR(id = 14)
; TYPES-NEXT: .long 33554432 # 0x2000000
; TYPES-NEXT: .long 15
; TYPES-NEXT: .long 65 # BTF_KIND_STRUCT(id = 15)
; TYPES-NEXT: .long 67108880 # 0x4000010
; TYPES-NEXT: .long 192
; TYPES-NEXT: .long 70
; TYPES-NEXT: .long 14
; TYPES-NEXT: .long 0 # 0x0
; TYPES-NEXT: .long 75
; TYPES-NEXT: .long 10
; TYPES-NEXT: .long 64 # 0x40
; TYPES-NEXT: .long 77
; TYPES-NEXT: .long 16
; TYPES-NEXT: .long 128 # 0x80
; TYPES-NEXT: .long 79
; TYPES-NEXT: .long 18
; TYPES-NEXT: .long 192 # 0xc0
; TYPES-NEXT: .long 81
; TYPES-NEXT: .long 20
; TYPES-NEXT: .long 256 # 0x100
; TYPES-NEXT: .long 84
; TYPES-NEXT: .long 22
; TYPES-NEXT: .long 320 # 0x140
; TYPES-NEXT: .long 89
; TYPES-NEXT: .long 30
; TYPES-NEXT: .long 512 # 0x200
; TYPES-NEXT: .long 91
; TYPES-NEXT: .long 31
; TYPES-NEXT: .long 576 # 0x240
; TYPES-NEXT: .long 93
; TYPES-NEXT: .long 33
; TYPES-NEXT: .long 640 # 0x280
; TYPES-NEXT: .long 97
; TYPES-NEXT: .long 35
; TYPES-NEXT: .long 1152 # 0x480
; TYPES-NEXT: .long 104
; TYPES-NEXT: .long 37
; TYPES-NEXT: .long 1216 # 0x4c0
; TYPES-NEXT: .long 107
; TYPES-NEXT: .long 38
; TYPES-NEXT: .long 1280 # 0x500
; TYPES-NEXT: .long 112
; TYPES-NEXT: .long 40
; TYPES-NEXT: .long 1344 # 0x540
; TYPES-NEXT: .long 115
; TYPES-NEXT: .long 42
; TYPES-NEXT: .long 1408 # 0x580
; TYPES-NEXT: .long 120
; TYPES-NEXT: .long 44
; TYPES-NEXT: .long 1472 # 0x5c0
; TYPES-NEXT: .long 122
; TYPES-NEXT: .long 45
; TYPES-NEXT: .long 1536 # 0x600
; TYPES-NEXT: .long 0 # BTF_KIND_PTR(id = 16)
; TYPES-NEXT: .long 33554432 # 0x2000000
; TYPES-NEXT: .long 17
; TYPES-NEXT: .long 127 # BTF_KIND_FWD(id = 17)
; TYPES-NEXT: .long 2264924160 # 0x87000000
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 0 # BTF_KIND_PTR(id = 18)
; TYPES-NEXT: .long 33554432 # 0x2000000
; TYPES-NEXT: .long 19
; TYPES-NEXT: .long 134 # BTF_KIND_TYPEDEF(id = 19)
; TYPES-NEXT: .long 134217728 # 0x8000000
; TYPES-NEXT: .long 79
; TYPES-NEXT: .long 0 # BTF_KIND_PTR(id = 20)
; TYPES-NEXT: .long 33554432 # 0x2000000
; TYPES-NEXT: .long 21
; TYPES-NEXT: .long 0 # BTF_KIND_CONST(id = 21)
; TYPES-NEXT: .long 167772160 # 0xa000000
; TYPES-NEXT: .long 11
; TYPES-NEXT: .long 84 # BTF_KIND_STRUCT(id = 22)
; TYPES-NEXT: .long 2214592516 # 0x84000004
; TYPES-NEXT: .long 24
; TYPES-NEXT: .long 141
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 50331648 # 0x3000000
; TYPES-NEXT: .long 143
; TYPES-NEXT: .long 24
; TYPES-NEXT: .long 486539267 # 0x1d000003
; TYPES-NEXT: .long 145
; TYPES-NEXT: .long 9
; TYPES-NEXT: .long 64 # 0x40
; TYPES-NEXT: .long 79
; TYPES-NEXT: .long 25
; TYPES-NEXT: .long 128 # 0x80
; TYPES-NEXT: .long 147 # BTF_KIND_DECL_TAG(id = 23)
; TYPES-NEXT: .long 285212672 # 0x11000000
; TYPES-NEXT: .long 22
; TYPES-NEXT: .long 4294967295
; TYPES-NEXT: .long 156 # BTF_KIND_INT(id = 24)
; TYPES-NEXT: .long 16777216 # 0x1000000
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 32 # 0x20
; TYPES-NEXT: .long 0 # BTF_KIND_RESTRICT(id = 25)
; TYPES-NEXT: .long 184549376 # 0xb000000
; TYPES-NEXT: .long 26
; TYPES-NEXT: .long 0 # BTF_KIND_PTR(id = 26)
; TYPES-NEXT: .long 33554432 # 0x2000000
; TYPES-NEXT: .long 27
; TYPES-NEXT: .long 0 # BTF_KIND_CONST(id = 27)
; TYPES-NEXT: .long 167772160 # 0xa000000
; TYPES-NEXT: .long 28
; TYPES-NEXT: .long 0 # BTF_KIND_VOLATILE(id = 28)
; TYPES-NEXT: .long 150994944 # 0x9000000
; TYPES-NEXT: .long 29
; TYPES-NEXT: .long 169 # BTF_KIND_INT(id = 29)
; TYPES-NEXT: .long 16777216 # 0x1000000
; TYPES-NEXT: .long 1
; TYPES-NEXT: .long 16777224 # 0x1000008
; TYPES-NEXT: .long 174 # BTF_KIND_ENUM(id = 30)
; TYPES-NEXT: .long 2248146946 # 0x86000002
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 180
; TYPES-NEXT: .long -1
; TYPES-NEXT: .long 182
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 184 # BTF_KIND_ENUM64(id = 31)
; TYPES-NEXT: .long 318767106 # 0x13000002
; TYPES-NEXT: .long 8
; TYPES-NEXT: .long 188
; TYPES-NEXT: .long 1164413355 # 0x456789ab
; TYPES-NEXT: .long 291 # 0x123
; TYPES-NEXT: .long 192
; TYPES-NEXT: .long 1 # 0x1
; TYPES-NEXT: .long 0 # 0x0
; TYPES-NEXT: .long 0 # BTF_KIND_ARRAY(id = 32)
; TYPES-NEXT: .long 50331648 # 0x3000000
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 5
; TYPES-NEXT: .long 0 # BTF_KIND_ARRAY(id = 33)
; TYPES-NEXT: .long 50331648 # 0x3000000
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 32
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 3
; TYPES-NEXT: .long 196 # BTF_KIND_TYPE_TAG(id = 34)
; TYPES-NEXT: .long 301989888 # 0x12000000
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 0 # BTF_KIND_PTR(id = 35)
; TYPES-NEXT: .long 33554432 # 0x2000000
; TYPES-NEXT: .long 34
; TYPES-NEXT: .long 201 # BTF_KIND_TYPE_TAG(id = 36)
; TYPES-NEXT: .long 301989888 # 0x12000000
; TYPES-NEXT: .long 11
; TYPES-NEXT: .long 0 # BTF_KIND_PTR(id = 37)
; TYPES-NEXT: .long 33554432 # 0x2000000
; TYPES-NEXT: .long 36
; TYPES-NEXT: .long 0 # BTF_KIND_UNION(id = 38)
; TYPES-NEXT: .long 83886082 # 0x5000002
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 205
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 0 # 0x0
; TYPES-NEXT: .long 207
; TYPES-NEXT: .long 39
; TYPES-NEXT: .long 0 # 0x0
; TYPES-NEXT: .long 209 # BTF_KIND_FLOAT(id = 39)
; TYPES-NEXT: .long 268435456 # 0x10000000
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 0 # BTF_KIND_PTR(id = 40)
; TYPES-NEXT: .long 33554432 # 0x2000000
; TYPES-NEXT: .long 41
; TYPES-NEXT: .long 0 # BTF_KIND_FUNC_PROTO(id = 41)
; TYPES-NEXT: .long 218103810 # 0xd000002
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 215 # BTF_KIND_INT(id = 42)
; TYPES-NEXT: .long 16777216 # 0x1000000
; TYPES-NEXT: .long 1
; TYPES-NEXT: .long 67108872 # 0x4000008
; TYPES-NEXT: .long 221 # BTF_KIND_DECL_TAG(id = 43)
; TYPES-NEXT: .long 285212672 # 0x11000000
; TYPES-NEXT: .long 15
; TYPES-NEXT: .long 13
; TYPES-NEXT: .long 228 # BTF_KIND_FLOAT(id = 44)
; TYPES-NEXT: .long 268435456 # 0x10000000
; TYPES-NEXT: .long 8
; TYPES-NEXT: .long 0 # BTF_KIND_ARRAY(id = 45)
; TYPES-NEXT: .long 50331648 # 0x3000000
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 29
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 0 # BTF_KIND_FUNC_PROTO(id = 46)
; TYPES-NEXT: .long 218103809 # 0xd000001
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 235
; TYPES-NEXT: .long 14
; TYPES-NEXT: .long 237 # BTF_KIND_FUNC(id = 47)
; TYPES-NEXT: .long 201326593 # 0xc000001
; TYPES-NEXT: .long 46
; TYPES-NEXT: .long 237 # BTF_KIND_DECL_TAG(id = 48)
; TYPES-NEXT: .long 285212672 # 0x11000000
; TYPES-NEXT: .long 47
; TYPES-NEXT: .long 4294967295
; TYPES-NEXT: .long 0 # BTF_KIND_FUNC_PROTO(id = 49)
; TYPES-NEXT: .long 218103810 # 0xd000002
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 235
; TYPES-NEXT: .long 14
; TYPES-NEXT: .long 35
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 249 # BTF_KIND_FUNC(id = 50)
; TYPES-NEXT: .long 201326592 # 0xc000000
; TYPES-NEXT: .long 49
; TYPES-NEXT: .long 256 # BTF_KIND_DECL_TAG(id = 51)
; TYPES-NEXT: .long 285212672 # 0x11000000
; TYPES-NEXT: .long 50
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 0 # BTF_KIND_FUNC_PROTO(id = 52)
; TYPES-NEXT: .long 218103810 # 0xd000002
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 14
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 266 # BTF_KIND_FUNC(id = 53)
; TYPES-NEXT: .long 201326594 # 0xc000002
; TYPES-NEXT: .long 52
; TYPES-NEXT: .long 0 # BTF_KIND_FUNC_PROTO(id = 54)
; TYPES-NEXT: .long 218103808 # 0xd000000
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 274 # BTF_KIND_FUNC(id = 55)
; TYPES-NEXT: .long 201326593 # 0xc000001
; TYPES-NEXT: .long 54
; TYPES-NEXT: .long 0 # BTF_KIND_FUNC_PROTO(id = 56)
; TYPES-NEXT: .long 218103808 # 0xd000000
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 281 # BTF_KIND_FUNC(id = 57)
; TYPES-NEXT: .long 201326593 # 0xc000001
; TYPES-NEXT: .long 56
; TYPES-NEXT: .long 0 # BTF_KIND_CONST(id = 58)
; TYPES-NEXT: .long 167772160 # 0xa000000
; TYPES-NEXT: .long 29
; TYPES-NEXT: .long 0 # BTF_KIND_ARRAY(id = 59)
; TYPES-NEXT: .long 50331648 # 0x3000000
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 58
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 288 # BTF_KIND_VAR(id = 60)
; TYPES-NEXT: .long 234881024 # 0xe000000
; TYPES-NEXT: .long 59
; TYPES-NEXT: .long 1
; TYPES-NEXT: .long 293 # BTF_KIND_VAR(id = 61)
; TYPES-NEXT: .long 234881024 # 0xe000000
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 1
; TYPES-NEXT: .long 0 # BTF_KIND_CONST(id = 62)
; TYPES-NEXT: .long 167772160 # 0xa000000
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 298 # BTF_KIND_VAR(id = 63)
; TYPES-NEXT: .long 234881024 # 0xe000000
; TYPES-NEXT: .long 62
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 307 # BTF_KIND_VAR(id = 64)
; TYPES-NEXT: .long 234881024 # 0xe000000
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 317 # BTF_KIND_VAR(id = 65)
; TYPES-NEXT: .long 234881024 # 0xe000000
; TYPES-NEXT: .long 9
; TYPES-NEXT: .long 1
; TYPES-NEXT: .long 0 # BTF_KIND_ARRAY(id = 66)
; TYPES-NEXT: .long 50331648 # 0x3000000
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 29
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 322 # BTF_KIND_VAR(id = 67)
; TYPES-NEXT: .long 234881024 # 0xe000000
; TYPES-NEXT: .long 66
; TYPES-NEXT: .long 1
; TYPES-NEXT: .long 331 # BTF_KIND_VAR(id = 68)
; TYPES-NEXT: .long 234881024 # 0xe000000
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 1
; TYPES-NEXT: .long 0 # BTF_KIND_VOLATILE(id = 69)
; TYPES-NEXT: .long 150994944 # 0x9000000
; TYPES-NEXT: .long 2
; TYPES-NEXT: .long 334 # BTF_KIND_VAR(id = 70)
; TYPES-NEXT: .long 234881024 # 0xe000000
; TYPES-NEXT: .long 69
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 342 # BTF_KIND_DECL_TAG(id = 71)
; TYPES-NEXT: .long 285212672 # 0x11000000
; TYPES-NEXT: .long 70
; TYPES-NEXT: .long 4294967295
; TYPES-NEXT: .long 346 # BTF_KIND_DATASEC(id = 72)
; TYPES-NEXT: .long 251658243 # 0xf000003
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 65
; TYPES-NEXT: .long zero
; TYPES-NEXT: .long 8
; TYPES-NEXT: .long 68
; TYPES-NEXT: .long at
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 70
; TYPES-NEXT: .long counter
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 351 # BTF_KIND_DATASEC(id = 73)
; TYPES-NEXT: .long 251658241 # 0xf000001
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 61
; TYPES-NEXT: .long data
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 357 # BTF_KIND_DATASEC(id = 74)
; TYPES-NEXT: .long 251658241 # 0xf000001
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 63
; TYPES-NEXT: .long weak_ext
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 366 # BTF_KIND_DATASEC(id = 75)
; TYPES-NEXT: .long 251658241 # 0xf000001
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 53
; TYPES-NEXT: .long outside
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 373 # BTF_KIND_DATASEC(id = 76)
; TYPES-NEXT: .long 251658241 # 0xf000001
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 13
; TYPES-NEXT: .long map
; TYPES-NEXT: .long 24
; TYPES-NEXT: .long 379 # BTF_KIND_DATASEC(id = 77)
; TYPES-NEXT: .long 251658241 # 0xf000001
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 60
; TYPES-NEXT: .long text
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 387 # BTF_KIND_DATASEC(id = 78)
; TYPES-NEXT: .long 251658241 # 0xf000001
; TYPES-NEXT: .long 0
; TYPES-NEXT: .long 67
; TYPES-NEXT: .long _license
; TYPES-NEXT: .long 4
; TYPES-NEXT: .long 395 # BTF_KIND_FWD(id = 79)
; TYPES-NEXT: .long 117440512 # 0x7000000
; TYPES-NEXT: .long 0
; TYPES-NEXT: .byte 0 # string offset=0
; TYPES-NEXT: .ascii "int" # string offset=1
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "__ARRAY_SIZE_TYPE__" # string offset=5
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "key" # string offset=25
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 107 # string offset=29
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "val" # string offset=31
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 118 # string offset=35
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 112 # string offset=37
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "long" # string offset=39
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "later" # string offset=44
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "type" # string offset=50
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "value" # string offset=55
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "map" # string offset=61
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "node" # string offset=65
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "next" # string offset=70
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 108 # string offset=75
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 117 # string offset=77
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 115 # string offset=79
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "cl" # string offset=81
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "bits" # string offset=84
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 101 # string offset=89
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 103 # string offset=91
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "arr" # string offset=93
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "tagged" # string offset=97
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "tl" # string offset=104
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "anon" # string offset=107
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "fn" # string offset=112
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "flag" # string offset=115
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 100 # string offset=120
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "open" # string offset=122
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "ulater" # string offset=127
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "seen_t" # string offset=134
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 97 # string offset=141
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 98 # string offset=143
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 99 # string offset=145
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "a struct" # string offset=147
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "unsigned int" # string offset=156
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "char" # string offset=169
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "small" # string offset=174
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 65 # string offset=180
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 66 # string offset=182
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "big" # string offset=184
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "BIG" # string offset=188
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "ONE" # string offset=192
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "user" # string offset=196
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "rcu" # string offset=201
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 105 # string offset=205
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 102 # string offset=207
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "float" # string offset=209
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "_Bool" # string offset=215
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "member" # string offset=221
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "double" # string offset=228
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .byte 110 # string offset=235
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "prog" # string offset=237
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "tc" # string offset=242
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "t.c" # string offset=245
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "helper" # string offset=249
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "arg" # string offset=256
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii ".text" # string offset=260
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "outside" # string offset=266
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "global" # string offset=274
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "noargs" # string offset=281
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "text" # string offset=288
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "data" # string offset=293
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "weak_ext" # string offset=298
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "plain_ext" # string offset=307
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "zero" # string offset=317
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "_license" # string offset=322
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "at" # string offset=331
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "counter" # string offset=334
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "var" # string offset=342
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii ".bss" # string offset=346
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii ".data" # string offset=351
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii ".kconfig" # string offset=357
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii ".ksyms" # string offset=366
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii ".maps" # string offset=373
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii ".rodata" # string offset=379
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "license" # string offset=387
; TYPES-NEXT: .byte 0
; TYPES-NEXT: .ascii "seen" # string offset=395
; TYPES-NEXT: .byte 0
