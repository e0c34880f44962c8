; RUN: llc -mtriple=x86_64-unknown-linux-gnu -relocation-model=pic %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -relocation-model=static %s -o - | FileCheck %s --check-prefix=STATIC

; A name that begins with a dollar sign would be an immediate: as an address it stands in parentheses, as LLVM writes it.
@"$5" = external global i32
@"$l" = internal global i32 1

declare void @"$f"()

; CHECK-LABEL: g:
; CHECK: callq ($f@PLT)
; CHECK: ($l)(%rip)
define ptr @g() {
  call void @"$f"()
  ret ptr @"$l"
}

; CHECK-LABEL: h:
; CHECK: movq ($5@GOTPCREL)(%rip)
; STATIC-LABEL: h:
; STATIC: movl ($l+8)(%rip)
define i32 @h() {
  %v = load i32, ptr getelementptr (i8, ptr @"$l", i64 8)
  %w = load i32, ptr @"$5"
  %s = add i32 %v, %w
  ret i32 %s
}
; CHECK: $l:
