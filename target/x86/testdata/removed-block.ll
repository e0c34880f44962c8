; A block whose address is taken and that code generation removed has its label at the
; function's end.
; RUN: llc -O2 -mtriple=x86_64-linux-gnu -o - %s | FileCheck %s
; RUN: llc -O2 -j 2 -mtriple=x86_64-linux-gnu -filetype=obj -o %t %s
@table = internal global [1 x ptr] [ptr blockaddress(@f, %away)]

; CHECK-LABEL: f:
; CHECK:      {{retq|jmp use}}
; CHECK-NEXT: .Ltmp0: # Address of block that was removed by CodeGen
; CHECK-NEXT: .Lfunc_end0:
define void @f() nounwind {
  %p = tail call ptr @use(ptr @table)
  br label %away
away:
  ret void
}

; CHECK-LABEL: table:
; CHECK-NEXT: .quad .Ltmp0
declare ptr @use(ptr)
