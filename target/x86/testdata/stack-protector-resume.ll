; An exception that goes on to callers leaves the function too: the unwinder would take the
; way home from a frame that was written over.
; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -O0 -mtriple=x86_64-unknown-linux-gnu -verify-machineinstrs %s -o - | FileCheck %s
; CHECK: movq %fs:40, %r
; CHECK: callq use
; CHECK: movq %fs:40, %r
; CHECK: callq clean
; CHECK: movq %fs:40, %r
; CHECK: callq _Unwind_Resume
declare i32 @__gxx_personality_v0(...)
declare i32 @use()
declare void @clean()
define i32 @f() sspreq personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @use() to label %ok unwind label %pad
ok:
  ret i32 %r
pad:
  %e = landingpad { ptr, i32 } cleanup
  call void @clean()
  resume { ptr, i32 } %e
}
