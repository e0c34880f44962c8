; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -relocation-model=pic -verify-machineinstrs -o - %s | FileCheck %s

; What the table of offsets holds does not change: it is read once, before the loop.

@stream = external global ptr

; CHECK-LABEL: loop:
; CHECK:     movq stream@GOTPCREL(%rip), %r
; CHECK:     {{^}}.LBB0_1:
; CHECK-NOT: GOTPCREL
; CHECK:     retq
define void @loop(i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %j, %body ]
  %s = load ptr, ptr @stream
  call void @use(ptr %s)
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %body, label %out
out:
  %t = load ptr, ptr @stream
  call void @use(ptr %t)
  ret void
}

declare void @use(ptr)
