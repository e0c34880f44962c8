; RUN: llc -mtriple=x86_64-linux-gnu -O2 < %s | FileCheck %s
; A count of zeros whose result for 0 does not matter is TZCNT where there is that.
; CHECK-LABEL: undefined:
; CHECK: rep{{.*}}bsfl
define i32 @undefined(i32 %x) {
  %r = call i32 @llvm.cttz.i32(i32 %x, i1 true)
  ret i32 %r
}
; CHECK-LABEL: small:
; CHECK-NOT: rep
; CHECK: bsfl
define i32 @small(i32 %x) optsize {
  %r = call i32 @llvm.cttz.i32(i32 %x, i1 true)
  ret i32 %r
}
; CHECK-LABEL: defined:
; CHECK-NOT: rep
; CHECK: ret
define i32 @defined(i32 %x) {
  %r = call i32 @llvm.cttz.i32(i32 %x, i1 false)
  ret i32 %r
}
declare i32 @llvm.cttz.i32(i32, i1)
