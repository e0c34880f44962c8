; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -enable-machine-outliner -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -enable-machine-outliner=always -verify-machineinstrs -j1 %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 %s -o - | FileCheck %s --check-prefix=OFF
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O0 -enable-machine-outliner %s -o - | FileCheck %s --check-prefix=OFF
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -enable-machine-outliner=never %s -o - | FileCheck %s --check-prefix=OFF

; From IR to assembly: the functions that are made come last, without padding.
; CHECK-LABEL: f:
; CHECK: jmp OUTLINED_FUNCTION_0
; CHECK-LABEL: g:
; CHECK: jmp OUTLINED_FUNCTION_0
; CHECK-NOT: .p2align
; CHECK: OUTLINED_FUNCTION_0:
; CHECK: retq
; OFF-NOT: OUTLINED_FUNCTION
@a = global [8 x i32] zeroinitializer
define void @f() #0 {
  store volatile i32 1, ptr inttoptr (i64 4096 to ptr)
  store volatile i32 2, ptr inttoptr (i64 4100 to ptr)
  store volatile i32 3, ptr inttoptr (i64 4104 to ptr)
  store volatile i32 4, ptr inttoptr (i64 4108 to ptr)
  ret void
}
define void @g() #0 {
  store volatile i32 1, ptr inttoptr (i64 4096 to ptr)
  store volatile i32 2, ptr inttoptr (i64 4100 to ptr)
  store volatile i32 3, ptr inttoptr (i64 4104 to ptr)
  store volatile i32 4, ptr inttoptr (i64 4108 to ptr)
  ret void
}
attributes #0 = { nounwind }
