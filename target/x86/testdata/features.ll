; Features that no processor of today has are ignored with a note, as LLVM does it; those that exist count.
; RUN: llc -mtriple=x86_64-linux-gnu %s -o - 2>%t | FileCheck %s
; RUN: FileCheck %s --check-prefix=NOTE --implicit-check-not=recognized < %t

; NOTE: '+nosuchfeature' is not a recognized feature for this target (ignoring feature)
; NOTE-NEXT: '-3dnow' is not a recognized feature for this target (ignoring feature)

; CHECK-LABEL: f:
; CHECK: popcntl %edi, %eax
define i32 @f(i32 %x) #0 {
  %n = call i32 @llvm.ctpop.i32(i32 %x)
  ret i32 %n
}

declare i32 @llvm.ctpop.i32(i32)

attributes #0 = { "target-features"="+popcnt,-3dnow,+nosuchfeature" }
