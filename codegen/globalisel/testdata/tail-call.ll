; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -stop-after=irtranslator -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -O0 -mtriple=x86_64-unknown-linux-gnu -stop-after=irtranslator -verify-machineinstrs %s -o - | FileCheck %s --check-prefix=O0

declare i32 @g(i32)
declare zeroext i8 @narrow(i32)
declare void @many(i32, i32, i32, i32, i32, i32, i32)
declare void @v(...)

; A call whose result is returned at once becomes a jump, when optimizing.
; CHECK-LABEL: name: sibling
; CHECK: $edi = COPY
; CHECK-NEXT: TCRETURNdi64 @g, 0, csr_64, {{.*}}implicit $edi
; CHECK-NOT: RET
; O0-LABEL: name: sibling
; O0: CALL64pcrel32 @g
; O0: RET
define i32 @sibling(i32 %x) {
  %y = add i32 %x, 1
  %r = tail call i32 @g(i32 %y)
  ret i32 %r
}

; So does one through a pointer.
; CHECK-LABEL: name: indirect
; CHECK: TCRETURNri64
define i32 @indirect(ptr %f) {
  %r = tail call i32 %f(i32 1)
  ret i32 %r
}

; These stay calls: without the mark, with something behind, with another extension
; of the result, with arguments on the stack, with variable arguments.
; CHECK-LABEL: name: unmarked
; CHECK: CALL64pcrel32
define i32 @unmarked(i32 %x) {
  %r = call i32 @g(i32 %x)
  ret i32 %r
}
; CHECK-LABEL: name: used
; CHECK: CALL64pcrel32
define i32 @used(i32 %x) {
  %r = tail call i32 @g(i32 %x)
  %s = add i32 %r, 1
  ret i32 %s
}
; CHECK-LABEL: name: extended
; CHECK: CALL64pcrel32
define signext i8 @extended(i32 %x) {
  %r = tail call zeroext i8 @narrow(i32 %x)
  ret i8 %r
}
; CHECK-LABEL: name: stack
; CHECK: CALL64pcrel32
define void @stack() {
  tail call void @many(i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7)
  ret void
}
; CHECK-LABEL: name: variable
; CHECK: TCRETURNdi64 @v, 0, csr_64, {{.*}}implicit $edi, implicit $al
define void @variable() {
  tail call void (...) @v(i32 1)
  ret void
}

; A result in memory is written by the callee of a musttail call.
; CHECK-LABEL: name: passes_result
; CHECK: [[P:%[0-9]+]]:_(p0) = COPY $rdi
; CHECK: $rdi = COPY [[P]]
; CHECK-NEXT: TCRETURNdi64 @array
declare tailcc [16 x i64] @array()
define tailcc [16 x i64] @passes_result() {
  %r = musttail call tailcc [16 x i64] @array()
  ret [16 x i64] %r
}

; Variable arguments of the caller stay where they are.
; CHECK-LABEL: name: from_variadic
; CHECK-NOT: CALL64
; CHECK: TCRETURNdi64 @g, 0, csr_64
; CHECK-NOT: RET
define i32 @from_variadic(i32 %x, ...) {
  %r = tail call i32 @g(i32 %x)
  ret i32 %r
}
