; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -stop-after=instruction-select -verify-machineinstrs %s -o - | FileCheck %s
; Memory is copied and cleared 16 bytes at a time; what is left over overlaps
; what was moved, where it takes more than one access.

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
; CHECK-LABEL: name: c31
; CHECK: MOVUPSrm %{{[0-9]+}}, 1, $noreg, 8, $noreg
; CHECK: MOVUPSmr %{{[0-9]+}}, 1, $noreg, 0, $noreg, %{{[0-9]+}}
; CHECK: MOV64rm %{{[0-9]+}}, 1, $noreg, 24, $noreg
; CHECK: MOV64mr %{{[0-9]+}}, 1, $noreg, 16, $noreg, %{{[0-9]+}}
; CHECK: MOV64rm %{{[0-9]+}}, 1, $noreg, 31, $noreg
; CHECK: MOV64mr %{{[0-9]+}}, 1, $noreg, 23, $noreg, %{{[0-9]+}}
; CHECK: RET
define void @c31(ptr %p, ptr %q) {
  %a = getelementptr i8, ptr %q, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 31, i1 false)
  ret void
}
; CHECK-LABEL: name: c40
; CHECK: MOVUPSrm %{{[0-9]+}}, 1, $noreg, 0, $noreg
; CHECK: MOVAPSmr %{{[0-9]+}}, 1, $noreg, 0, $noreg, %{{[0-9]+}}
; CHECK: MOVUPSrm %{{[0-9]+}}, 1, $noreg, 16, $noreg
; CHECK: MOVAPSmr %{{[0-9]+}}, 1, $noreg, 16, $noreg, %{{[0-9]+}}
; CHECK: MOV64rm %{{[0-9]+}}, 1, $noreg, 32, $noreg
; CHECK: MOV64mr %{{[0-9]+}}, 1, $noreg, 32, $noreg, %{{[0-9]+}}
; CHECK: RET
define void @c40(ptr align 16 %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %p, ptr %q, i64 40, i1 false)
  ret void
}
; CHECK-LABEL: name: m48
; CHECK: MOVUPSrm %{{[0-9]+}}, 1, $noreg, 0, $noreg
; CHECK: MOVUPSrm %{{[0-9]+}}, 1, $noreg, 16, $noreg
; CHECK: MOVUPSrm %{{[0-9]+}}, 1, $noreg, 32, $noreg
; CHECK: MOVUPSmr %{{[0-9]+}}, 1, $noreg, 0, $noreg, %{{[0-9]+}}
; CHECK: MOVUPSmr %{{[0-9]+}}, 1, $noreg, 16, $noreg, %{{[0-9]+}}
; CHECK: MOVUPSmr %{{[0-9]+}}, 1, $noreg, 32, $noreg, %{{[0-9]+}}
; CHECK: RET
define void @m48(ptr %p, ptr %q) {
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 48, i1 false)
  ret void
}
; CHECK-LABEL: name: s40
; CHECK: V_SET0
; CHECK: MOVUPSmr %{{[0-9]+}}, 1, $noreg, 0, $noreg, %{{[0-9]+}}
; CHECK: MOVUPSmr %{{[0-9]+}}, 1, $noreg, 16, $noreg, %{{[0-9]+}}
; CHECK: MOV64mi32 %{{[0-9]+}}, 1, $noreg, 32, $noreg, 0
; CHECK: MOV64mi32 %{{[0-9]+}}, 1, $noreg, 35, $noreg, 0
; CHECK: RET
define void @s40(ptr %p, ptr %q) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 43, i1 false)
  ret void
}
; CHECK-LABEL: name: s20
; CHECK: MOV64mr %{{[0-9]+}}, 1, $noreg, 0, $noreg, %{{[0-9]+}}
; CHECK: MOV64mr %{{[0-9]+}}, 1, $noreg, 8, $noreg, %{{[0-9]+}}
; CHECK: MOV32mr %{{[0-9]+}}, 1, $noreg, 16, $noreg, %{{[0-9]+}}
; CHECK: RET
define void @s20(ptr %p, i8 %q) {
  call void @llvm.memset.p0.i64(ptr %p, i8 %q, i64 20, i1 false)
  ret void
}
; CHECK-LABEL: name: no
; CHECK: MOV64rm %{{[0-9]+}}, 1, $noreg, 0, $noreg
; CHECK: MOV64mr %{{[0-9]+}}, 1, $noreg, 0, $noreg, %{{[0-9]+}}
; CHECK: MOV64rm %{{[0-9]+}}, 1, $noreg, 8, $noreg
; CHECK: MOV64mr %{{[0-9]+}}, 1, $noreg, 8, $noreg, %{{[0-9]+}}
; CHECK: RET
define void @no(ptr %p, ptr %q) noimplicitfloat {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)
  ret void
}
declare void @use(ptr)
; CHECK-LABEL: name: frame
; CHECK: MOVUPSrm %{{[0-9]+}}, 1, $noreg, 0, $noreg
; CHECK: MOVAPSmr %stack.0.b, 1, $noreg, 0, $noreg, %{{[0-9]+}}
; CHECK: MOVUPSrm %{{[0-9]+}}, 1, $noreg, 16, $noreg
; CHECK: MOVAPSmr %stack.0.b, 1, $noreg, 16, $noreg, %{{[0-9]+}}
; CHECK: RET
define void @frame(ptr %q) {
  %b = alloca [32 x i8], align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %b, ptr %q, i64 32, i1 false)
  call void @use(ptr %b)
  ret void
}
