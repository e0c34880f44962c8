; RUN: llc -mtriple=x86_64-unknown-linux-gnu -stop-after=scalarize-masked-mem-intrin %s -o - | FileCheck %s

; CHECK-LABEL: define <4 x i32> @ld(
; CHECK-NEXT: %scalar_mask = bitcast <4 x i1> %m to i4
; CHECK-NEXT: [[A:%.*]] = and i4 %scalar_mask, 1
; CHECK-NEXT: [[C:%.*]] = icmp ne i4 [[A]], 0
; CHECK-NEXT: br i1 [[C]], label %cond.load, label %else
; CHECK: cond.load:
; CHECK-NEXT: [[P:%.*]] = getelementptr inbounds i32, ptr %p, i32 0
; CHECK-NEXT: [[L:%.*]] = load i32, ptr [[P]], align 4
; CHECK-NEXT: [[R:%.*]] = insertelement <4 x i32> %t, i32 [[L]], i64 0
; CHECK-NEXT: br label %else
; CHECK: else:
; CHECK-NEXT: %res.phi.else = phi <4 x i32> [ [[R]], %cond.load ], [ %t, %0 ]
; CHECK: and i4 %scalar_mask, -8
; CHECK: ret <4 x i32> %res.phi.else9
define <4 x i32> @ld(ptr %p, <4 x i1> %m, <4 x i32> %t) {
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %m, <4 x i32> %t)
  ret <4 x i32> %r
}

; CHECK-LABEL: define void @st(
; CHECK: cond.store:
; CHECK-NEXT: [[E:%.*]] = extractelement <3 x i16> %t, i64 0
; CHECK-NEXT: [[P:%.*]] = getelementptr inbounds i16, ptr %p, i32 0
; CHECK-NEXT: store i16 [[E]], ptr [[P]], align 2
; CHECK: and i3 %scalar_mask, -4
define void @st(ptr %p, <3 x i1> %m, <3 x i16> %t) {
  call void @llvm.masked.store.v3i16.p0(<3 x i16> %t, ptr align 2 %p, <3 x i1> %m)
  ret void
}

; CHECK-LABEL: define <2 x i64> @ga(
; CHECK: %Ptr0 = extractelement <2 x ptr> %p, i64 0
; CHECK-NEXT: %Load0 = load i64, ptr %Ptr0, align 8
; CHECK-NEXT: %Res0 = insertelement <2 x i64> %t, i64 %Load0, i64 0
; CHECK: %Load1 = load i64
; CHECK: ret <2 x i64> %res.phi.else3
define <2 x i64> @ga(<2 x ptr> %p, <2 x i1> %m, <2 x i64> %t) {
  %r = call <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr> align 8 %p, <2 x i1> %m, <2 x i64> %t)
  ret <2 x i64> %r
}

; CHECK-LABEL: define void @sc(
; CHECK: %Elt0 = extractelement <2 x i64> %t, i64 0
; CHECK-NEXT: %Ptr0 = extractelement <2 x ptr> %p, i64 0
; CHECK-NEXT: store i64 %Elt0, ptr %Ptr0, align 8
define void @sc(<2 x ptr> %p, <2 x i1> %m, <2 x i64> %t) {
  call void @llvm.masked.scatter.v2i64.v2p0(<2 x i64> %t, <2 x ptr> align 8 %p, <2 x i1> %m)
  ret void
}

; CHECK-LABEL: define <4 x i32> @cst(
; CHECK-NEXT: getelementptr inbounds i32, ptr %p, i32 0
; CHECK-NEXT: load i32
; CHECK-NEXT: insertelement <4 x i32> %t, i32 %{{.*}}, i64 0
; CHECK-NEXT: getelementptr inbounds i32, ptr %p, i32 2
; CHECK-NEXT: load i32
; CHECK-NEXT: insertelement {{.*}}, i64 2
; CHECK-NEXT: ret
define <4 x i32> @cst(ptr %p, <4 x i32> %t) {
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 16 %p, <4 x i1> <i1 1, i1 0, i1 1, i1 0>, <4 x i32> %t)
  ret <4 x i32> %r
}

; CHECK-LABEL: define <4 x i32> @all(
; CHECK-NEXT: [[V:%.*]] = load <4 x i32>, ptr %p, align 16
; CHECK-NEXT: ret <4 x i32> [[V]]
define <4 x i32> @all(ptr %p, <4 x i32> %t) {
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 16 %p, <4 x i1> splat (i1 true), <4 x i32> %t)
  ret <4 x i32> %r
}

; CHECK-LABEL: define <4 x float> @ex(
; CHECK: cond.load:
; CHECK-NEXT: load float, ptr %p, align 1
; CHECK-NEXT: insertelement <4 x float> %t
; CHECK-NEXT: [[N:%.*]] = getelementptr inbounds float, ptr %p, i32 1
; CHECK: else:
; CHECK-NEXT: %res.phi.else = phi
; CHECK-NEXT: %ptr.phi.else = phi ptr [ [[N]], %cond.load ], [ %p, %0 ]
; CHECK: load float, ptr %ptr.phi.else8, align 1
; CHECK-NOT: getelementptr
; CHECK: ret <4 x float> %res.phi.else11
define <4 x float> @ex(ptr %p, <4 x i1> %m, <4 x float> %t) {
  %r = call <4 x float> @llvm.masked.expandload.v4f32(ptr %p, <4 x i1> %m, <4 x float> %t)
  ret <4 x float> %r
}

; CHECK-LABEL: define void @co(
; CHECK: cond.store:
; CHECK-NEXT: [[E:%.*]] = extractelement <4 x float> %t, i64 0
; CHECK-NEXT: store float [[E]], ptr %p, align 1
; CHECK-NEXT: getelementptr inbounds float, ptr %p, i32 1
define void @co(ptr %p, <4 x i1> %m, <4 x float> %t) {
  call void @llvm.masked.compressstore.v4f32(<4 x float> %t, ptr %p, <4 x i1> %m)
  ret void
}
