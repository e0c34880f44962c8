; RUN: llc -mtriple=x86_64-linux-gnu -O2 -mattr=+amx-int8,+amx-tile -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O0 -mattr=+amx-int8,+amx-tile -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O3 -mattr=+amx-int8,+amx-tile -verify-machineinstrs %s -o - | FileCheck %s
; RUN: not llc -mtriple=x86_64-linux-gnu -O2 -mattr=+amx-tile %s -o /dev/null 2>&1 | FileCheck --check-prefix=NONE %s

; Tiles by numbers; nothing moves or goes, and what the processor lacks is refused.
; NONE: intrinsic(@llvm.x86.tdpbssd)
declare void @llvm.x86.tileloadd64(i8, ptr, i64)
declare void @llvm.x86.tdpbssd(i8, i8, i8)
declare void @llvm.x86.tilestored64(i8, ptr, i64)
declare void @llvm.x86.tilezero(i8)
declare void @llvm.x86.ldtilecfg(ptr)
declare void @llvm.x86.sttilecfg(ptr)
declare void @llvm.x86.tilerelease()

; CHECK-LABEL: f:
; CHECK: ldtilecfg (%rdx)
; CHECK-NEXT: tilezero %tmm2
; CHECK-NEXT: tileloadd (%rdi,%rsi), %tmm3
; CHECK-NEXT: tdpbssd %tmm1, %tmm3, %tmm2
; CHECK-NEXT: tilestored %tmm2, (%rdi,%rsi)
; CHECK-NEXT: sttilecfg (%rdx)
; CHECK-NEXT: tilerelease
; CHECK-NEXT: retq
define void @f(ptr %p, i64 %s, ptr %q){
call void @llvm.x86.ldtilecfg(ptr %q)
call void @llvm.x86.tilezero(i8 2)
call void @llvm.x86.tileloadd64(i8 3, ptr %p, i64 %s)
call void @llvm.x86.tdpbssd(i8 2, i8 3, i8 1)
call void @llvm.x86.tilestored64(i8 2, ptr %p, i64 %s)
call void @llvm.x86.sttilecfg(ptr %q)
call void @llvm.x86.tilerelease()
ret void
}
