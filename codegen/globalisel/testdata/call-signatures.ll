; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -stop-after=irtranslator -verify-machineinstrs %s -o - | FileCheck %s
; Calls of one type differ by their attributes, those of the callee and their
; convention: what is remembered of one is not taken for another, and each is asked
; twice.

%pair = type { i32, i32 }
%three = type { i64, i64, i64 }

declare void @f(ptr, i8)
declare void @by(ptr byval(%three), i8 zeroext)

; CHECK-LABEL: name: arguments
; CHECK: ADJCALLSTACKDOWN64 0, 0, 0
; CHECK: G_ANYEXT
; CHECK: CALL64pcrel32 {{.*}}@f, {{.*}}implicit $rdi, implicit $esi
; CHECK: ADJCALLSTACKDOWN64 32, 0, 0
; CHECK: G_ANYEXT
; CHECK: CALL64pcrel32 {{.*}}@f, {{.*}}implicit $edi
; CHECK: ADJCALLSTACKDOWN64 16, 0, 0
; CHECK: G_SEXT
; CHECK: CALL64pcrel32 {{.*}}@f, {{.*}}implicit $edi
; CHECK: ADJCALLSTACKDOWN64 32, 0, 0
; CHECK: G_ZEXT
; CHECK: CALL64pcrel32 {{.*}}@by, {{.*}}implicit $edi
; CHECK: ADJCALLSTACKDOWN64 32, 0, 0
; CHECK: CALL64pcrel32 {{.*}}@f, {{.*}}implicit $rcx, implicit $dl
; CHECK: ADJCALLSTACKDOWN64 0, 0, 0
; CHECK: G_ANYEXT
; CHECK: CALL64pcrel32 {{.*}}@f, {{.*}}implicit $rdi, implicit $esi
; CHECK: ADJCALLSTACKDOWN64 32, 0, 0
; CHECK: G_ANYEXT
; CHECK: CALL64pcrel32 {{.*}}@f, {{.*}}implicit $edi
; CHECK: ADJCALLSTACKDOWN64 32, 0, 0
; CHECK: G_ZEXT
; CHECK: CALL64pcrel32 {{.*}}@by, {{.*}}implicit $edi
define void @arguments(ptr %p, i8 %x) {
  call void @f(ptr %p, i8 %x)
  call void @f(ptr byval(%three) %p, i8 %x)
  call void @f(ptr byval(%pair) %p, i8 signext %x)
  call void @by(ptr %p, i8 %x)
  call win64cc void @f(ptr %p, i8 %x)
  call void @f(ptr %p, i8 %x)
  call void @f(ptr byval(%three) %p, i8 %x)
  call void @by(ptr %p, i8 %x)
  ret void
}
