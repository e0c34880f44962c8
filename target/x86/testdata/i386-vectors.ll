; RUN: mirin llc -O2 -mtriple=i386-linux-gnu -mattr=+avx2 %s -o - -verify-machineinstrs | FileCheck %s

; Elements of 64 bits are compared as such, although no general register holds them.
; CHECK-LABEL: compare:
; CHECK: vpcmpeqq %ymm1, %ymm0, %ymm0
; CHECK-NEXT: retl
define <4 x i64> @compare(<4 x i64> %i, <4 x i64> %j) {
  %c = icmp eq <4 x i64> %i, %j
  %x = sext <4 x i1> %c to <4 x i64>
  ret <4 x i64> %x
}
