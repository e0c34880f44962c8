; A group of which each file keeps its own is no COMDAT; ELF has no other choices.
; RUN: llc -mtriple=x86_64-linux-gnu < %s | FileCheck %s
; RUN: sed 's/nodeduplicate/largest/' %s | not llc -mtriple=x86_64-linux-gnu 2>&1 | FileCheck %s --check-prefix=LARGEST

; CHECK: .section .text._ZN1AC2Ev,"axG",@progbits,_ZN1AC5Ev,comdat
; CHECK: .section .data.nd,"awG",@progbits,nd{{$}}
; CHECK: _ZN1AC1Ev = _ZN1AC2Ev
; LARGEST: comdat nd of another kind than any and nodeduplicate is not supported
$_ZN1AC5Ev = comdat any
$nd = comdat nodeduplicate
@_ZN1AC1Ev = weak_odr unnamed_addr alias void (ptr), ptr @_ZN1AC2Ev
@nd = global i32 3, comdat
define weak_odr void @_ZN1AC2Ev(ptr %t) unnamed_addr comdat($_ZN1AC5Ev) {
  ret void
}
