; What objects say of symbols beside their places: constructors that go with a variable, functions
; that resolvers choose, sections that go with others, partitions.
; RUN: llc -mtriple=x86_64-linux-gnu -o - %s | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -unique-section-names=false -function-sections -data-sections -o - %s | FileCheck %s --check-prefix=SHARED
; RUN: llc -mtriple=x86_64-linux-gnu -filetype=obj -o %t %s

$v = comdat any
@v = linkonce_odr global i32 0, comdat
@gone = external global i32
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @f, ptr @v }, { i32, ptr, ptr } { i32 101, ptr @f, ptr null }, { i32, ptr, ptr } { i32 102, ptr @f, ptr @gone }]
@assoc = internal constant i32 7, section "meta", !associated !0
@nobody = internal constant i32 8, section "meta", !associated !1
@part = global i32 5, partition "part1"
@chosen = ifunc i32 (), ptr @resolver

; CHECK:      .section .text.g,"axo",@progbits,f
; CHECK:      .section .init_array.101,"aw",@init_array
; CHECK-NOT:  init_array.102
; CHECK:      .section .init_array,"awG",@init_array,v,comdat
; CHECK:      .section meta,"ao",@progbits,f,unique,1
; CHECK:      .section meta,"ao",@progbits,0,unique,2
; CHECK:      .type chosen,@gnu_indirect_function
; CHECK-NEXT: chosen = resolver
; CHECK:      .section .llvm_sympart,"",@llvm_sympart,unique,1
; CHECK-NEXT: .asciz "part1"
; CHECK-NEXT: .quad part
; SHARED:     .section .text,"ax",@progbits,unique,1
; SHARED:     .section .text,"axo",@progbits,f,unique,2
; SHARED:     .section .text,"ax",@progbits,unique,3
; SHARED:     .section .bss,"awG",@nobits,v,comdat,unique,5
; SHARED:     .section meta,"ao",@progbits,f,unique,6
; SHARED:     .section .data,"aw",@progbits,unique,8
define void @f() {
  ret void
}
define void @g() !associated !0 {
  ret void
}
define internal ptr @resolver() {
  ret ptr @f
}
define i32 @callif() {
  %r = call i32 @chosen()
  ret i32 %r
}
!0 = !{ptr @f}
!1 = !{ptr null}
