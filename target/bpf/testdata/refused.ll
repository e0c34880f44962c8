; RUN: not mirin llc -mtriple=bpfel %s -o - 2>&1 | filecheck %s

declare i64 @user(ptr)

; CHECK: error: <unknown>:0:0: in function big i64 (): Looks like the BPF stack limit is exceeded. {{.*}} 520 bytes of 512: buffer has 520 bytes
define i64 @big() {
  %buffer = alloca [520 x i8], align 8
  %r = call i64 @user(ptr %buffer)
  ret i64 %r
}

; CHECK: error: <unknown>:0:0: in function six i64 (i64, i64, i64, i64, i64, i64): stack arguments are not supported
define i64 @six(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) {
  ret i64 %f
}

; CHECK: error: <unknown>:0:0: in function variadic i64 (i64, ...): variadic functions are not supported
define i64 @variadic(i64 %a, ...) {
  ret i64 %a
}

; CHECK: error: <unknown>:0:0: in function dynamic i64 (i64): unsupported dynamic stack allocation
define i64 @dynamic(i64 %n) {
  %p = alloca i8, i64 %n
  %r = call i64 @user(ptr %p)
  ret i64 %r
}

; CHECK: in function calls i64 (i64): too many arguments
define i64 @calls(i64 %a) {
  %r = call i64 @six(i64 %a, i64 %a, i64 %a, i64 %a, i64 %a, i64 %a)
  ret i64 %r
}

; CHECK: in function product double (double, double): A call to built-in function '__muldf3' is not supported.
define double @product(double %a, double %b) {
  %r = fmul double %a, %b
  ret double %r
}

; CHECK: in function wide i128 (i128, i128): aggregate returns are not supported
define i128 @wide(i128 %a, i128 %b) {
  ret i128 %a
}

; CHECK: in function pair { i64, i64 } (): aggregate returns are not supported
define {i64, i64} @pair() {
  ret {i64, i64} zeroinitializer
}

; CHECK: in function hidden void (ptr): aggregate returns are not supported
define void @hidden(ptr sret(i64) %p) {
  ret void
}

; CHECK: in function calls_pair i64 (): only small returns supported
define i64 @calls_pair() {
  %p = call {i64, i64} @pair()
  %r = extractvalue {i64, i64} %p, 1
  ret i64 %r
}

; CHECK: in function copy void (ptr, ptr, i64): A call to built-in function 'memcpy' is not supported.
define void @copy(ptr %d, ptr %s, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)
  ret void
}

; CHECK: in function signed i64 (i64, i64): unsupported signed division, please convert to unsigned div/mod.
define i64 @signed(i64 %a, i64 %b) {
  %r = sdiv i64 %a, %b
  ret i64 %r
}

; CHECK: error: place.c:7:3: in function place i64 (ptr): sequentially consistent (seq_cst) atomic load/store is not supported
define i64 @place(ptr %p) !dbg !4 {
  %r = load atomic i64, ptr %p seq_cst, align 8, !dbg !6
  ret i64 %r
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "place.c", directory: "/d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "place", scope: !1, file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 7, column: 3, scope: !4)
