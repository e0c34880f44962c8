; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -stop-after=instruction-select -verify-machineinstrs %s -o - | FileCheck %s
; Memory is copied and cleared 16 bytes at a time; what is left over overlaps
; what was moved, where it takes more than one access.

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
; CHECK-LABEL: name: c31
; CHECK: MOVUPSrm %{{[0-9]+}}, 1, $noreg, 8, $noreg
; CHECK: MOVUPSmr %{{[0-9]+}}, 1, $noreg, 0, $noreg, %{{[0-9]+}}
; CHECK: MOVUPSrm %{{[0-9]+}}, 1, $noreg, 23, $noreg
; CHECK: MOVUPSmr %{{[0-9]+}}, 1, $noreg, 15, $noreg, %{{[0-9]+}}
; CHECK-NOT: MOV{{.*}}rm
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
; CHECK: MOVUPSmr %{{[0-9]+}}, 1, $noreg, 27, $noreg, %{{[0-9]+}}
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

; A volatile access is no part of another one.
; CHECK-LABEL: name: v22
; CHECK: MOVUPSrm %{{[0-9]+}}, 1, $noreg, 0, $noreg
; CHECK: MOV32rm %{{[0-9]+}}, 1, $noreg, 16, $noreg
; CHECK: MOV16rm %{{[0-9]+}}, 1, $noreg, 20, $noreg
; CHECK: RET
define void @v22(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 22, i1 true)
  ret void
}
@data = internal constant [40 x i8] c"0123456789012345678901234567890123456789", align 16
; CHECK-LABEL: name: symbol
; CHECK: MOVAPSrm $rip, 1, $noreg, @data, $noreg
; CHECK: MOVUPSrm $rip, 1, $noreg, @data + 15, $noreg
; CHECK: RET
define void @symbol(ptr %p) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr align 16 @data, i64 31, i1 false)
  ret void
}
; Zeros need stores alone, and twice as many are made.
; CHECK-LABEL: name: z256
; CHECK-COUNT-16: MOVUPSmr
; CHECK: RET
; CHECK-LABEL: name: z257
; CHECK: CALL64pcrel32 &memset
define void @z256(ptr %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 256, i1 false)
  ret void
}
define void @z257(ptr %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 257, i1 false)
  ret void
}
; What is passed by value is copied so, too, in the middle of a call.
; CHECK-LABEL: name: by_value
; CHECK: ADJCALLSTACKDOWN64 32
; CHECK: MOVUPSrm %{{[0-9]+}}, 1, $noreg, 0, $noreg
; CHECK: MOVAPSmr %{{[0-9]+}}, 1, $noreg, 0, $noreg, %{{[0-9]+}} :: (store (s128) into stack)
; CHECK: MOV64rm %{{[0-9]+}}, 1, $noreg, 16, $noreg
; CHECK: MOV64mr %{{[0-9]+}}, 1, $noreg, 16, $noreg, %{{[0-9]+}} :: (store (s64) into stack + 16
; CHECK: CALL64pcrel32
declare void @takes(ptr byval([24 x i8]) align 8)
define void @by_value(ptr %q) {
  call void @takes(ptr byval([24 x i8]) align 8 %q)
  ret void
}

@hello = private unnamed_addr constant [7 x i8] c"hello\0A\00"
@nine = private unnamed_addr constant [9 x i8] c"abcdefgh\00"
@another = weak constant [4 x i8] c"abc\00"
@changes = private global [4 x i8] c"abc\00"
; What never changes is stored as numbers.
; CHECK-LABEL: name: text
; CHECK: MOV32mi %{{[0-9]+}}, 1, $noreg, 0, $noreg, 1819043176
; CHECK: MOV32mi %{{[0-9]+}}, 1, $noreg, 3, $noreg, 683884
; CHECK: MOV32mi %{{[0-9]+}}, 1, $noreg, 0, $noreg, 1751606885
; CHECK: MOV8mi %{{[0-9]+}}, 1, $noreg, 4, $noreg, 0
; CHECK: RET
define void @text(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @hello, i64 7, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr getelementptr (i8, ptr @nine, i64 4), i64 5, i1 false)
  ret void
}
; Not so where another module's text may take its place, where it changes, and where
; the access must be made.
; CHECK-LABEL: name: unknown_text
; CHECK: MOV32rm {{.*}}@another
; CHECK: MOV32rm {{.*}}@changes
; CHECK: MOV32rm {{.*}}@nine
; CHECK: RET
define void @unknown_text(ptr %p, ptr %q, ptr %r) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @another, i64 4, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr @changes, i64 4, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %r, ptr @nine, i64 4, i1 true)
  ret void
}
