; A short vector that is passed by its address has the room of the whole register, aligned: the
; callee may load all of it.
; RUN: llc -O2 -mtriple=x86_64-linux-gnu -verify-machineinstrs -stop-after=irtranslator -o - %s | FileCheck %s
; CHECK:      stack:
; CHECK-NEXT: - { id: 0, name: '', type: default, offset: 0, size: 16, alignment: 16,
declare win64cc void @g(<8 x i8>)
define void @f(<8 x i8> %a) {
  call win64cc void @g(<8 x i8> %a)
  ret void
}
