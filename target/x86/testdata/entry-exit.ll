; Calls of a profiler where functions begin and end; naked functions have what their assembly says.
; RUN: llc -mtriple=x86_64-linux-gnu -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O0 -verify-machineinstrs %s -o - | FileCheck %s
declare void @use(ptr)

; CHECK-LABEL: count:
; CHECK: callq mcount
; CHECK: callq use
define void @count() "instrument-function-entry-inlined"="\01mcount" {
  call void @use(ptr null)
  ret void
}

; CHECK-LABEL: both:
; CHECK: both@GOTPCREL
; CHECK: callq __cyg_profile_func_enter
; CHECK: callq use
; CHECK: callq __cyg_profile_func_exit
; CHECK: retq
define void @both() "instrument-function-entry-inlined"="__cyg_profile_func_enter" "instrument-function-exit-inlined"="__cyg_profile_func_exit" {
  tail call void @use(ptr null)
  ret void
}

; CHECK-LABEL: naked:
; CHECK-NEXT: .cfi_startproc
; CHECK-NEXT: # %bb.0:
; CHECK-NEXT: #APP
; CHECK-NEXT: retq
; CHECK-NEXT: #NO_APP
; CHECK-NEXT: .Lfunc_end
define void @naked() naked "frame-pointer"="all" "instrument-function-entry-inlined"="mcount" {
  call void asm sideeffect "retq", "~{rbx}"()
  unreachable
}
