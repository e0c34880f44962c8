define <16 x i8> @f1(<16 x i8> %a0, <16 x i8> %a1, <16 x i8> %a2, i16 %a3) {
  %r = call <16 x i8> @llvm.x86.avx512.mask.padd.b.128(<16 x i8> %a0, <16 x i8> %a1, <16 x i8> %a2, i16 %a3)
  ret <16 x i8> %r
}

define <2 x i64> @f7(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i8 %a3) {
  %r = call <2 x i64> @llvm.x86.avx512.mask.psub.q.128(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i8 %a3)
  ret <2 x i64> %r
}

define <4 x i32> @f13(<4 x i32> %a0, <4 x i32> %a1, <4 x i32> %a2, i8 %a3) {
  %r = call <4 x i32> @llvm.x86.avx512.mask.por.d.128(<4 x i32> %a0, <4 x i32> %a1, <4 x i32> %a2, i8 %a3)
  ret <4 x i32> %r
}

define <8 x i16> @f19(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3) {
  %r = call <8 x i16> @llvm.x86.avx512.mask.pmull.w.128(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3)
  ret <8 x i16> %r
}

define <8 x i16> @f25(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3) {
  %r = call <8 x i16> @llvm.x86.avx512.mask.pavg.w.128(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3)
  ret <8 x i16> %r
}

define <2 x i64> @f31(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i8 %a3) {
  %r = call <2 x i64> @llvm.x86.avx512.mask.pmaxu.q.128(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i8 %a3)
  ret <2 x i64> %r
}

define <16 x i8> @f37(<16 x i8> %a0, <16 x i8> %a1, <16 x i8> %a2, i16 %a3) {
  %r = call <16 x i8> @llvm.x86.avx512.mask.pminu.b.128(<16 x i8> %a0, <16 x i8> %a1, <16 x i8> %a2, i16 %a3)
  ret <16 x i8> %r
}

define <8 x i16> @f43(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3) {
  %r = call <8 x i16> @llvm.x86.avx512.mask.padds.w.128(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 -1)
  ret <8 x i16> %r
}

define <8 x i16> @f49(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3) {
  %r = call <8 x i16> @llvm.x86.avx512.mask.psubus.w.128(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 -1)
  ret <8 x i16> %r
}

define <8 x i16> @f55(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3) {
  %r = call <8 x i16> @llvm.x86.avx512.mask.pmul.hr.sw.128(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 -1)
  ret <8 x i16> %r
}

define <2 x i64> @f61(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i8 %a3) {
  %r = call <2 x i64> @llvm.x86.avx512.mask.prorv.q.128(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i8 %a3)
  ret <2 x i64> %r
}

define i16 @f67(<16 x i8> %a0, <16 x i8> %a1, i16 %a2) {
  %r = call i16 @llvm.x86.avx512.mask.ucmp.b.128(<16 x i8> %a0, <16 x i8> %a1, i32 1, i16 %a2)
  ret i16 %r
}

define i16 @f73(<16 x i8> %a0, <16 x i8> %a1, i16 %a2) {
  %r = call i16 @llvm.x86.avx512.mask.ucmp.b.128(<16 x i8> %a0, <16 x i8> %a1, i32 5, i16 %a2)
  ret i16 %r
}

define i16 @f79(<16 x i8> %a0, <16 x i8> %a1, i16 %a2) {
  %r = call i16 @llvm.x86.avx512.ptestnm.b.128(<16 x i8> %a0, <16 x i8> %a1, i16 -1)
  ret i16 %r
}

define void @f85(ptr %a0, <16 x i8> %a1, i16 %a2) {
  call void @llvm.x86.avx512.mask.storeu.b.128(ptr %a0, <16 x i8> %a1, i16 %a2)
  ret void
}

define <16 x i8> @f91(<16 x i8> %a0, <16 x i8> %a1, i16 %a2) {
  %r = call <16 x i8> @llvm.x86.avx512.mask.pabs.b.128(<16 x i8> %a0, <16 x i8> %a1, i16 %a2)
  ret <16 x i8> %r
}

define i8 @f97(<8 x i16> %a0, <8 x i16> %a1, i8 %a2) {
  %r = call i8 @llvm.x86.avx512.mask.pcmpgt.w.128(<8 x i16> %a0, <8 x i16> %a1, i8 -1)
  ret i8 %r
}

define i8 @f103(<8 x i16> %a0, <8 x i16> %a1, i8 %a2) {
  %r = call i8 @llvm.x86.avx512.mask.cmp.w.128(<8 x i16> %a0, <8 x i16> %a1, i32 4, i8 -1)
  ret i8 %r
}

define <8 x i16> @f109(i16 %a0, <8 x i16> %a1, i8 %a2) {
  %r = call <8 x i16> @llvm.x86.avx512.mask.pbroadcast.w.gpr.128(i16 -1, <8 x i16> %a1, i8 -1)
  ret <8 x i16> %r
}

define <8 x i16> @f115(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3) {
  %r = call <8 x i16> @llvm.x86.avx512.mask.psra.w.128(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3)
  ret <8 x i16> %r
}

define <8 x i16> @f121(<8 x i16> %a0, <8 x i16> %a1, i8 %a2) {
  %r = call <8 x i16> @llvm.x86.avx512.mask.psrl.wi.128(<8 x i16> %a0, i32 7, <8 x i16> %a1, i8 -1)
  ret <8 x i16> %r
}

define <8 x i16> @f127(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3) {
  %r = call <8 x i16> @llvm.x86.avx512.mask.psrlv8.hi(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3)
  ret <8 x i16> %r
}

define <8 x i16> @f133(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3) {
  %r = call <8 x i16> @llvm.x86.avx512.mask.vpshrd.w.128(<8 x i16> %a0, <8 x i16> %a1, i32 9, <8 x i16> %a2, i8 %a3)
  ret <8 x i16> %r
}

define <8 x i16> @f139(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3) {
  %r = call <8 x i16> @llvm.x86.avx512.maskz.vpermt2var.w.128(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3)
  ret <8 x i16> %r
}

define <32 x i16> @f145(<32 x i16> %a0, <32 x i16> %a1, i32 %a2) {
  %r = call <32 x i16> @llvm.x86.avx512.mask.psrai.w(<32 x i16> %a0, i32 7, <32 x i16> %a1, i32 %a2)
  ret <32 x i16> %r
}

define i8 @f151(<4 x i32> %a0, <4 x i32> %a1, i8 %a2) {
  %r = call i8 @llvm.x86.avx512.mask.cmp.d.128(<4 x i32> %a0, <4 x i32> %a1, i32 1, i8 %a2)
  ret i8 %r
}

define i8 @f157(<4 x i32> %a0, <4 x i32> %a1, i8 %a2) {
  %r = call i8 @llvm.x86.avx512.mask.cmp.d.128(<4 x i32> %a0, <4 x i32> %a1, i32 5, i8 %a2)
  ret i8 %r
}

define i8 @f163(<4 x i32> %a0) {
  %r = call i8 @llvm.x86.avx512.cvtd2mask.128(<4 x i32> %a0)
  ret i8 %r
}

define <4 x i32> @f169(ptr %a0, <4 x i32> %a1, i8 %a2) {
  %r = call <4 x i32> @llvm.x86.avx512.mask.expand.load.d.128(ptr %a0, <4 x i32> %a1, i8 %a2)
  ret <4 x i32> %r
}

define <4 x i32> @f175(<4 x i32> %a0, <4 x i32> %a1, i8 %a2) {
  %r = call <4 x i32> @llvm.x86.avx512.mask.lzcnt.d.128(<4 x i32> %a0, <4 x i32> %a1, i8 %a2)
  ret <4 x i32> %r
}

define <4 x i32> @f181(<4 x i32> %a0, <4 x i32> %a1, i8 %a2) {
  %r = call <4 x i32> @llvm.x86.avx512.mask.prol.d.128(<4 x i32> %a0, i32 5, <4 x i32> %a1, i8 %a2)
  ret <4 x i32> %r
}

define <4 x i32> @f187(<4 x i32> %a0, <4 x i32> %a1) {
  %r = call <4 x i32> @llvm.x86.avx512.prorv.d.128(<4 x i32> %a0, <4 x i32> %a1)
  ret <4 x i32> %r
}

define <4 x i32> @f193(<4 x i32> %a0, <4 x i32> %a1, <4 x i32> %a2, i8 %a3) {
  %r = call <4 x i32> @llvm.x86.avx512.mask.psra.d.128(<4 x i32> %a0, <4 x i32> %a1, <4 x i32> %a2, i8 %a3)
  ret <4 x i32> %r
}

define <4 x i32> @f199(<4 x i32> %a0, i32 %a1, <4 x i32> %a2, i8 %a3) {
  %r = call <4 x i32> @llvm.x86.avx512.mask.psrl.di.128(<4 x i32> %a0, i32 %a1, <4 x i32> %a2, i8 %a3)
  ret <4 x i32> %r
}

define <4 x i32> @f205(<4 x i32> %a0, <4 x i32> %a1, <4 x i32> %a2, i8 %a3) {
  %r = call <4 x i32> @llvm.x86.avx512.mask.vpshld.d.128(<4 x i32> %a0, <4 x i32> %a1, i32 9, <4 x i32> %a2, i8 %a3)
  ret <4 x i32> %r
}

define <4 x i32> @f211(<4 x i32> %a0, <4 x i32> %a1, <4 x i32> %a2, i8 %a3) {
  %r = call <4 x i32> @llvm.x86.avx512.maskz.vpermt2var.d.128(<4 x i32> %a0, <4 x i32> %a1, <4 x i32> %a2, i8 %a3)
  ret <4 x i32> %r
}

define <16 x i32> @f217(<16 x i32> %a0, <16 x i32> %a1, i16 %a2) {
  %r = call <16 x i32> @llvm.x86.avx512.mask.pslli.d.512(<16 x i32> %a0, i32 7, <16 x i32> %a1, i16 -1)
  ret <16 x i32> %r
}

define <16 x i32> @f223(<16 x i32> %a0, <16 x i32> %a1, i16 %a2) {
  %r = call <16 x i32> @llvm.x86.avx512.mask.psrli.d(<16 x i32> %a0, i32 7, <16 x i32> %a1, i16 -1)
  ret <16 x i32> %r
}

define i8 @f229(<2 x i64> %a0, <2 x i64> %a1, i8 %a2) {
  %r = call i8 @llvm.x86.avx512.mask.pcmpgt.q.128(<2 x i64> %a0, <2 x i64> %a1, i8 %a2)
  ret i8 %r
}

define i8 @f235(<2 x i64> %a0, <2 x i64> %a1, i8 %a2) {
  %r = call i8 @llvm.x86.avx512.mask.ucmp.q.128(<2 x i64> %a0, <2 x i64> %a1, i32 2, i8 -1)
  ret i8 %r
}

define i8 @f241(<2 x i64> %a0, <2 x i64> %a1, i8 %a2) {
  %r = call i8 @llvm.x86.avx512.mask.ucmp.q.128(<2 x i64> %a0, <2 x i64> %a1, i32 5, i8 -1)
  ret i8 %r
}

define i8 @f247(<2 x i64> %a0, <2 x i64> %a1, i8 %a2) {
  %r = call i8 @llvm.x86.avx512.ptestnm.q.128(<2 x i64> %a0, <2 x i64> %a1, i8 %a2)
  ret i8 %r
}

define void @f253(ptr %a0, <2 x i64> %a1, i8 %a2) {
  call void @llvm.x86.avx512.mask.compress.store.q.128(ptr %a0, <2 x i64> %a1, i8 %a2)
  ret void
}

define <2 x i64> @f259(<2 x i64> %a0, <2 x i64> %a1, i8 %a2) {
  %r = call <2 x i64> @llvm.x86.avx512.mask.conflict.q.128(<2 x i64> %a0, <2 x i64> %a1, i8 %a2)
  ret <2 x i64> %r
}

define <2 x i64> @f265(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i8 %a3) {
  %r = call <2 x i64> @llvm.x86.avx512.maskz.pternlog.q.128(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i32 202, i8 %a3)
  ret <2 x i64> %r
}

define <2 x i64> @f271(<2 x i64> %a0, <2 x i64> %a1, i8 %a2) {
  %r = call <2 x i64> @llvm.x86.avx512.mask.psll.qi.128(<2 x i64> %a0, i32 7, <2 x i64> %a1, i8 %a2)
  ret <2 x i64> %r
}

define <2 x i64> @f277(<2 x i64> %a0, <2 x i64> %a1, i8 %a2) {
  %r = call <2 x i64> @llvm.x86.avx512.mask.psrai.q.128(<2 x i64> %a0, i32 7, <2 x i64> %a1, i8 -1)
  ret <2 x i64> %r
}

define <2 x i64> @f283(<2 x i64> %a0, i32 %a1, <2 x i64> %a2, i8 %a3) {
  %r = call <2 x i64> @llvm.x86.avx512.mask.psrl.qi.128(<2 x i64> %a0, i32 -1, <2 x i64> %a2, i8 -1)
  ret <2 x i64> %r
}

define <2 x i64> @f289(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i8 %a3) {
  %r = call <2 x i64> @llvm.x86.avx512.mask.vpshrd.q.128(<2 x i64> %a0, <2 x i64> %a1, i32 9, <2 x i64> %a2, i8 %a3)
  ret <2 x i64> %r
}

define <4 x i64> @f295(<4 x i64> %a0, <4 x i64> %a1, <4 x i64> %a2, i8 %a3) {
  %r = call <4 x i64> @llvm.x86.avx512.mask.psrlv4.di(<4 x i64> %a0, <4 x i64> %a1, <4 x i64> %a2, i8 %a3)
  ret <4 x i64> %r
}

define <8 x i64> @f301(<8 x i64> %a0, <8 x i64> %a1, i8 %a2) {
  %r = call <8 x i64> @llvm.x86.avx512.mask.psrai.q(<8 x i64> %a0, i32 7, <8 x i64> %a1, i8 %a2)
  ret <8 x i64> %r
}

define <8 x i64> @f307(<8 x i64> %a0, <8 x i64> %a1, <8 x i64> %a2, i8 %a3) {
  %r = call <8 x i64> @llvm.x86.avx512.mask.psrlv.q.512(<8 x i64> %a0, <8 x i64> %a1, <8 x i64> %a2, i8 %a3)
  ret <8 x i64> %r
}

define <8 x i16> @f313(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 %a3) {
  %r = call <8 x i16> @llvm.x86.avx512.mask.punpckhw.d.128(<8 x i16> %a0, <8 x i16> %a1, <8 x i16> %a2, i8 -1)
  ret <8 x i16> %r
}

define <16 x i8> @f319(<8 x i16> %a0, <8 x i16> %a1, <16 x i8> %a2, i16 %a3) {
  %r = call <16 x i8> @llvm.x86.avx512.mask.packsswb.128(<8 x i16> %a0, <8 x i16> %a1, <16 x i8> %a2, i16 -1)
  ret <16 x i8> %r
}

define <2 x i64> @f325(<4 x i32> %a0, <4 x i32> %a1, <2 x i64> %a2, i8 %a3) {
  %r = call <2 x i64> @llvm.x86.avx512.mask.pmulu.dq.128(<4 x i32> %a0, <4 x i32> %a1, <2 x i64> %a2, i8 %a3)
  ret <2 x i64> %r
}

define i16 @f331(<16 x i8> %a0, <16 x i8> %a1, i16 %a2) {
  %r = call i16 @llvm.x86.avx512.mask.vpshufbitqmb.128(<16 x i8> %a0, <16 x i8> %a1, i16 %a2)
  ret i16 %r
}

define <2 x i64> @f337(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i8 %a3) {
  %r = call <2 x i64> @llvm.x86.avx512.mask.vpmadd52l.uq.128(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i8 %a3)
  ret <2 x i64> %r
}

define <2 x i64> @f343(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i8 %a3) {
  %r = call <2 x i64> @llvm.x86.avx512.maskz.vpmadd52l.uq.128(<2 x i64> %a0, <2 x i64> %a1, <2 x i64> %a2, i8 %a3)
  ret <2 x i64> %r
}

define <4 x i32> @f349(<4 x i32> %a0, <4 x i32> %a1, <4 x i32> %a2, i8 %a3) {
  %r = call <4 x i32> @llvm.x86.avx512.maskz.vpdpbusds.128(<4 x i32> %a0, <4 x i32> %a1, <4 x i32> %a2, i8 -1)
  ret <4 x i32> %r
}

define <4 x float> @f355(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2, i8 %a3) {
  %r = call <4 x float> @llvm.x86.avx512.mask.div.ps.128(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2, i8 %a3)
  ret <4 x float> %r
}

define <4 x float> @f361(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2, i8 %a3) {
  %r = call <4 x float> @llvm.x86.avx512.mask.or.ps.128(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2, i8 %a3)
  ret <4 x float> %r
}

define <4 x float> @f367(<4 x float> %a0, <4 x i32> %a1, <4 x float> %a2, i8 %a3) {
  %r = call <4 x float> @llvm.x86.avx512.mask.vpermi2var.ps.128(<4 x float> %a0, <4 x i32> %a1, <4 x float> %a2, i8 %a3)
  ret <4 x float> %r
}

define <4 x float> @f373(ptr %a0, <4 x float> %a1, i8 %a2) {
  %r = call <4 x float> @llvm.x86.avx512.mask.expand.load.ps.128(ptr %a0, <4 x float> %a1, i8 -1)
  ret <4 x float> %r
}

define <4 x float> @f379(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2, i8 %a3) {
  %r = call <4 x float> @llvm.x86.avx512.mask.vfnmadd.ps.128(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2, i8 %a3)
  ret <4 x float> %r
}

define <4 x float> @f385(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2, i8 %a3) {
  %r = call <4 x float> @llvm.x86.avx512.mask3.vfmsub.ps.128(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2, i8 %a3)
  ret <4 x float> %r
}

define <2 x double> @f391(<2 x double> %a0, <2 x double> %a1, <2 x double> %a2, i8 %a3) {
  %r = call <2 x double> @llvm.x86.avx512.mask.add.pd.128(<2 x double> %a0, <2 x double> %a1, <2 x double> %a2, i8 %a3)
  ret <2 x double> %r
}

define <2 x double> @f397(<2 x double> %a0, <2 x double> %a1, <2 x double> %a2, i8 %a3) {
  %r = call <2 x double> @llvm.x86.avx512.mask.min.pd.128(<2 x double> %a0, <2 x double> %a1, <2 x double> %a2, i8 %a3)
  ret <2 x double> %r
}

define <2 x double> @f403(<2 x double> %a0, <2 x double> %a1, i8 %a2) {
  %r = call <2 x double> @llvm.x86.avx512.mask.sqrt.pd.128(<2 x double> %a0, <2 x double> %a1, i8 -1)
  ret <2 x double> %r
}

define <2 x double> @f409(<2 x i64> %a0, <2 x double> %a1, <2 x double> %a2, i8 %a3) {
  %r = call <2 x double> @llvm.x86.avx512.mask.vpermt2var.pd.128(<2 x i64> %a0, <2 x double> %a1, <2 x double> %a2, i8 %a3)
  ret <2 x double> %r
}

define void @f415(ptr %a0, <2 x double> %a1, i8 %a2) {
  call void @llvm.x86.avx512.mask.compress.store.pd.128(ptr %a0, <2 x double> %a1, i8 %a2)
  ret void
}

define <2 x double> @f421(<2 x double> %a0, <2 x double> %a1, <2 x double> %a2, i8 %a3) {
  %r = call <2 x double> @llvm.x86.avx512.mask.vfnmadd.pd.128(<2 x double> %a0, <2 x double> %a1, <2 x double> %a2, i8 %a3)
  ret <2 x double> %r
}

define <2 x double> @f427(<2 x double> %a0, <2 x double> %a1, <2 x double> %a2, i8 %a3) {
  %r = call <2 x double> @llvm.x86.avx512.mask3.vfmaddsub.pd.128(<2 x double> %a0, <2 x double> %a1, <2 x double> %a2, i8 -1)
  ret <2 x double> %r
}

define <2 x double> @f433(<2 x double> %a0, <2 x double> %a1, i8 %a2) {
  %r = call <2 x double> @llvm.x86.avx512.mask.broadcast.sd.pd.128(<2 x double> %a0, <2 x double> %a1, i8 -1)
  ret <2 x double> %r
}

define <4 x i32> @f441(<4 x float> %a0, <4 x i32> %a1, i8 %a2) {
  %r = call <4 x i32> @llvm.x86.avx512.mask.cvttps2dq.128(<4 x float> %a0, <4 x i32> %a1, i8 -1)
  ret <4 x i32> %r
}

define <4 x float> @f448(<8 x i16> %a0) {
  %r = call <4 x float> @llvm.x86.vcvtph2ps.128(<8 x i16> %a0)
  ret <4 x float> %r
}

define <8 x i16> @f454(<16 x i8> %a0, <8 x i16> %a1, i8 %a2) {
  %r = call <8 x i16> @llvm.x86.avx512.mask.pmovzxb.w.128(<16 x i8> %a0, <8 x i16> %a1, i8 %a2)
  ret <8 x i16> %r
}

define <32 x i16> @f460(<32 x i16> %a0, <32 x i16> %a1, <32 x i16> %a2, i32 %a3) {
  %r = call <32 x i16> @llvm.x86.avx512.mask.punpcklw.d.512(<32 x i16> %a0, <32 x i16> %a1, <32 x i16> %a2, i32 %a3)
  ret <32 x i16> %r
}

define <8 x i64> @f466(<8 x i64> %a0) {
  %r = call <8 x i64> @llvm.x86.avx512.psll.dq.512(<8 x i64> %a0, i32 7)
  ret <8 x i64> %r
}

define <16 x float> @f472(ptr %a0, <16 x float> %a1, i16 %a2) {
  %r = call <16 x float> @llvm.x86.avx512.mask.load.ps.512(ptr %a0, <16 x float> %a1, i16 %a2)
  ret <16 x float> %r
}

define <8 x i32> @f479(<16 x i32> %a0, <8 x i32> %a1, i8 %a2) {
  %r = call <8 x i32> @llvm.x86.avx512.mask.vextracti32x8.512(<16 x i32> %a0, i32 1, <8 x i32> %a1, i8 -1)
  ret <8 x i32> %r
}

define <2 x double> @f488(<8 x double> %a0, <2 x double> %a1, i8 %a2) {
  %r = call <2 x double> @llvm.x86.avx512.mask.vextractf64x2.512(<8 x double> %a0, i32 1, <2 x double> %a1, i8 -1)
  ret <2 x double> %r
}

define <8 x i32> @f497(<8 x i64> %a0, <8 x i32> %a1, i8 %a2) {
  %r = call <8 x i32> @llvm.x86.avx512.mask.pmov.qd.512(<8 x i64> %a0, <8 x i32> %a1, i8 %a2)
  ret <8 x i32> %r
}

define i16 @f503(i16 %a0, i16 %a1) {
  %r = call i16 @llvm.x86.avx512.kor.w(i16 %a0, i16 %a1)
  ret i16 %r
}

define i32 @f509(i16 %a0, i16 %a1) {
  %r = call i32 @llvm.x86.avx512.kortestz.w(i16 %a0, i16 %a1)
  ret i32 %r
}

define void @f515(ptr %a0, <4 x float> %a1, i8 %a2) {
  call void @llvm.x86.avx512.mask.store.ss(ptr %a0, <4 x float> %a1, i8 %a2)
  ret void
}

define <4 x float> @f521(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2, i8 %a3) {
  %r = call <4 x float> @llvm.x86.avx512.mask3.vfmsub.ss(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2, i8 %a3, i32 8)
  ret <4 x float> %r
}

define <4 x float> @f527(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2) {
  %r = call <4 x float> @llvm.x86.fma4.vfmadd.ss(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2)
  ret <4 x float> %r
}

define <4 x float> @f533(<4 x float> %a0, <4 x float> %a1) {
  %r = call <4 x float> @llvm.x86.sse.mul.ss(<4 x float> %a0, <4 x float> %a1)
  ret <4 x float> %r
}

define <4 x float> @f539(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2) {
  %r = call <4 x float> @llvm.x86.fma.vfmsubadd.ps(<4 x float> %a0, <4 x float> %a1, <4 x float> %a2)
  ret <4 x float> %r
}

define <16 x i8> @f545(<16 x i8> %a0, <16 x i8> %a1) {
  %r = call <16 x i8> @llvm.x86.sse2.pcmpeq.b(<16 x i8> %a0, <16 x i8> %a1)
  ret <16 x i8> %r
}

define <2 x i64> @f551(<2 x i64> %a0) {
  %r = call <2 x i64> @llvm.x86.sse2.psll.dq(<2 x i64> %a0, i32 7)
  ret <2 x i64> %r
}

define <8 x i16> @f557(<8 x i16> %a0) {
  %r = call <8 x i16> @llvm.x86.sse2.pshufl.w(<8 x i16> %a0, i8 3)
  ret <8 x i16> %r
}

define <4 x i64> @f563(<4 x i64> %a0, <4 x i64> %a1) {
  %r = call <4 x i64> @llvm.x86.avx2.vperm2i128(<4 x i64> %a0, <4 x i64> %a1, i8 27)
  ret <4 x i64> %r
}

define <4 x i32> @f569(<16 x i8> %a0) {
  %r = call <4 x i32> @llvm.x86.sse41.pmovsxbd(<16 x i8> %a0)
  ret <4 x i32> %r
}

define void @f575(ptr %a0, <4 x float> %a1) {
  call void @llvm.x86.sse.storeu.ps(ptr %a0, <4 x float> %a1)
  ret void
}

define <4 x float> @f581(<4 x float> %a0, i32 %a1) {
  %r = call <4 x float> @llvm.x86.sse.cvtsi2ss(<4 x float> %a0, i32 %a1)
  ret <4 x float> %r
}

define i8 @f587(i8 %a0, i32 %a1, i32 %a2, ptr %a3) {
  %r = call i8 @llvm.x86.addcarry.u32(i8 -1, i32 -1, i32 -1, ptr %a3)
  ret i8 %r
}

define <16 x i8> @f593(<16 x i8> %a0, <16 x i8> %a1) {
  %r = call <16 x i8> @llvm.x86.xop.vpcomgeb(<16 x i8> %a0, <16 x i8> %a1)
  ret <16 x i8> %r
}

define <16 x i8> @f599(<16 x i8> %a0, <16 x i8> %a1) {
  %r = call <16 x i8> @llvm.x86.xop.vpcomleub(<16 x i8> %a0, <16 x i8> %a1)
  ret <16 x i8> %r
}

define float @f607(ptr addrspace(1) %a0) {
  %r = call float @llvm.nvvm.ldg.global.f.f32.p1(ptr addrspace(1) %a0, i32 1)
  ret float %r
}

define i32 @f613(ptr addrspace(1) %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.atomic.load.dec.32.p1(ptr addrspace(1) %a0, i32 %a1)
  ret i32 %r
}

define i32 @f619(i32 %a0) {
  %r = call i32 @llvm.nvvm.clz.i(i32 %a0)
  ret i32 %r
}

define float @f625(i16 %a0) {
  %r = call float @llvm.nvvm.h2f(i16 %a0)
  ret float %r
}

define float @f631(float %a0) {
  %r = call float @llvm.nvvm.tanh.approx.f32(float %a0)
  ret float %r
}

define i32 @f637(i32 %a0) {
  %r = call i32 @llvm.nvvm.barrier0.or(i32 %a0)
  ret i32 %r
}

define i32 @f643(i32 %a0, i32 %a1) {
  %r = call i32 @llvm.nvvm.rotate.b32(i32 %a0, i32 %a1)
  ret i32 %r
}

define <8 x i8> @f649(<8 x i8> %a0) {
  %r = call <8 x i8> @llvm.arm.neon.vcnt.v8i8(<8 x i8> %a0)
  ret <8 x i8> %r
}

define <4 x float> @f655(<4 x float> %a0, <8 x bfloat> %a1, <8 x bfloat> %a2) {
  %r = call <4 x float> @llvm.arm.neon.bfdot(<4 x float> %a0, <8 x bfloat> %a1, <8 x bfloat> %a2)
  ret <4 x float> %r
}

define <8 x i8> @f661(<8 x i8> %a0) {
  %r = call <8 x i8> @llvm.aarch64.neon.rbit.v8i8(<8 x i8> %a0)
  ret <8 x i8> %r
}

define <4 x float> @f667(<4 x float> %a0, <16 x i8> %a1, <16 x i8> %a2) {
  %r = call <4 x float> @llvm.aarch64.neon.bfmlalt.v4f32.v16i8(<4 x float> %a0, <16 x i8> %a1, <16 x i8> %a2)
  ret <4 x float> %r
}

define <2 x i64> @f673(<2 x i64> %a0, <4 x i1> %a1) {
  %r = call <2 x i64> @llvm.arm.mve.vldr.gather.base.predicated.v2i64.v2i64.v4i1(<2 x i64> %a0, i32 16, <4 x i1> %a1)
  ret <2 x i64> %r
}

define <2 x i64> @f679(<2 x i64> %a0, <4 x i1> %a1) {
  %r = call <2 x i64> @llvm.arm.cde.vcx1q.predicated.v2i64.v4i1(i32 0, <2 x i64> %a0, i32 1, <4 x i1> %a1)
  ret <2 x i64> %r
}

define <vscale x 16 x i8> @f685(<vscale x 32 x i8> %a0) {
  %r = call <vscale x 16 x i8> @llvm.aarch64.sve.tuple.get.nxv32i8(<vscale x 32 x i8> %a0, i32 1)
  ret <vscale x 16 x i8> %r
}

define <vscale x 8 x bfloat> @f691(<vscale x 16 x bfloat> %a0) {
  %r = call <vscale x 8 x bfloat> @llvm.aarch64.sve.tuple.get.nxv16bf16(<vscale x 16 x bfloat> %a0, i32 1)
  ret <vscale x 8 x bfloat> %r
}

define <vscale x 24 x bfloat> @f697(<vscale x 8 x bfloat> %a0, <vscale x 8 x bfloat> %a1, <vscale x 8 x bfloat> %a2) {
  %r = call <vscale x 24 x bfloat> @llvm.aarch64.sve.tuple.create3.nxv24bf16.nxv8bf16(<vscale x 8 x bfloat> %a0, <vscale x 8 x bfloat> %a1, <vscale x 8 x bfloat> %a2)
  ret <vscale x 24 x bfloat> %r
}

define <vscale x 32 x bfloat> @f703(<vscale x 8 x bfloat> %a0, <vscale x 8 x bfloat> %a1, <vscale x 8 x bfloat> %a2, <vscale x 8 x bfloat> %a3) {
  %r = call <vscale x 32 x bfloat> @llvm.aarch64.sve.tuple.create4.nxv32bf16.nxv8bf16(<vscale x 8 x bfloat> %a0, <vscale x 8 x bfloat> %a1, <vscale x 8 x bfloat> %a2, <vscale x 8 x bfloat> %a3)
  ret <vscale x 32 x bfloat> %r
}

define i32 @f709(i32 %a0, i32 %a1, i32 %a2) {
  %r = call i32 @llvm.amdgcn.alignbit(i32 %a0, i32 %a1, i32 %a2)
  ret i32 %r
}

define i32 @f715(ptr %a0, i32 %a1, i32 %a2, i32 %a3, i1 %a4) {
  %r = call i32 @llvm.amdgcn.atomic.inc.i32.p0(ptr %a0, i32 %a1, i32 %a2, i32 %a3, i1 %a4)
  ret i32 %r
}

define i32 @f721(ptr addrspace(3) %a0, i32 %a1) {
  %r = call i32 @llvm.amdgcn.atomic.inc.i32.p3(ptr addrspace(3) %a0, i32 %a1, i32 0, i32 0, i1 true)
  ret i32 %r
}

define i32 @f727(ptr %a0, i32 %a1, i32 %a2, i32 %a3, i1 %a4) {
  %r = call i32 @llvm.amdgcn.atomic.dec.i32.p0(ptr %a0, i32 %a1, i32 %a2, i32 %a3, i1 %a4)
  ret i32 %r
}

define i32 @f733(ptr addrspace(3) %a0, i32 %a1) {
  %r = call i32 @llvm.amdgcn.atomic.dec.i32.p3(ptr addrspace(3) %a0, i32 %a1, i32 0, i32 0, i1 true)
  ret i32 %r
}

define half @f739(ptr addrspace(3) %a0, half %a1) {
  %r = call half @llvm.amdgcn.ds.fadd.f16(ptr addrspace(3) %a0, half %a1, i32 0, i32 0, i1 false)
  ret half %r
}

define half @f745(ptr addrspace(3) %a0, half %a1) {
  %r = call half @llvm.amdgcn.ds.fmin.f16(ptr addrspace(3) %a0, half %a1, i32 0, i32 0, i1 false)
  ret half %r
}

define half @f751(ptr addrspace(3) %a0, half %a1) {
  %r = call half @llvm.amdgcn.ds.fmax.f16(ptr addrspace(3) %a0, half %a1, i32 0, i32 0, i1 false)
  ret half %r
}

define double @f757(ptr addrspace(1) %a0, double %a1) {
  %r = call double @llvm.amdgcn.global.atomic.fadd.f64.p1.f64(ptr addrspace(1) %a0, double %a1)
  ret double %r
}

define <2 x i16> @f763(ptr addrspace(1) %a0, <2 x i16> %a1) {
  %r = call <2 x i16> @llvm.amdgcn.global.atomic.fadd.v2bf16.p1(ptr addrspace(1) %a0, <2 x i16> %a1)
  ret <2 x i16> %r
}

define float @f769(ptr %a0, float %a1) {
  %r = call float @llvm.amdgcn.flat.atomic.fmax.f32.p0.f32(ptr %a0, float %a1)
  ret float %r
}

define i64 @f775(i64 %a0, i64 %a1) {
  %r = call i64 @llvm.riscv.sm4ed.i64(i64 %a0, i64 %a1, i8 2)
  ret i64 %r
}

define <4 x i32> @f781(<4 x i32> %a0, <4 x i32> %a1, <4 x i32> %a2) {
  %r = call <4 x i32> @llvm.wasm.laneselect.v4i32(<4 x i32> %a0, <4 x i32> %a1, <4 x i32> %a2)
  ret <4 x i32> %r
}

define ptr @f787() {
  %r = call ptr @llvm.stacksave()
  ret ptr %r
}

define i32 @f793(<4 x i32> %a0) {
  %r = call i32 @llvm.experimental.vector.reduce.or.v4i32(<4 x i32> %a0)
  ret i32 %r
}

define float @f799(float %a0, <4 x float> %a1) {
  %r = call float @llvm.experimental.vector.reduce.v2.fadd.f32.v4f32(float %a0, <4 x float> %a1)
  ret float %r
}

define <4 x i32> @f805(<4 x i32> %a0) {
  %r = call <4 x i32> @llvm.experimental.vector.reverse.v4i32(<4 x i32> %a0)
  ret <4 x i32> %r
}

define <4 x i32> @f811(<4 x i32> %a0, <16 x i32> %a1) {
  %r = call <4 x i32> @llvm.experimental.vector.partial.reduce.add.v4i32.v16i32(<4 x i32> %a0, <16 x i32> %a1)
  ret <4 x i32> %r
}

define ptr @f817(ptr %a0) {
  %r = call ptr @llvm.invariant.start(i64 4, ptr %a0)
  ret ptr %r
}

declare <16 x i8> @llvm.x86.avx512.mask.padd.b.128(<16 x i8>, <16 x i8>, <16 x i8>, i16)
declare <2 x i64> @llvm.x86.avx512.mask.psub.q.128(<2 x i64>, <2 x i64>, <2 x i64>, i8)
declare <4 x i32> @llvm.x86.avx512.mask.por.d.128(<4 x i32>, <4 x i32>, <4 x i32>, i8)
declare <8 x i16> @llvm.x86.avx512.mask.pmull.w.128(<8 x i16>, <8 x i16>, <8 x i16>, i8)
declare <8 x i16> @llvm.x86.avx512.mask.pavg.w.128(<8 x i16>, <8 x i16>, <8 x i16>, i8)
declare <2 x i64> @llvm.x86.avx512.mask.pmaxu.q.128(<2 x i64>, <2 x i64>, <2 x i64>, i8)
declare <16 x i8> @llvm.x86.avx512.mask.pminu.b.128(<16 x i8>, <16 x i8>, <16 x i8>, i16)
declare <8 x i16> @llvm.x86.avx512.mask.padds.w.128(<8 x i16>, <8 x i16>, <8 x i16>, i8)
declare <8 x i16> @llvm.x86.avx512.mask.psubus.w.128(<8 x i16>, <8 x i16>, <8 x i16>, i8)
declare <8 x i16> @llvm.x86.avx512.mask.pmul.hr.sw.128(<8 x i16>, <8 x i16>, <8 x i16>, i8)
declare <2 x i64> @llvm.x86.avx512.mask.prorv.q.128(<2 x i64>, <2 x i64>, <2 x i64>, i8)
declare i16 @llvm.x86.avx512.mask.ucmp.b.128(<16 x i8>, <16 x i8>, i32, i16)
declare i16 @llvm.x86.avx512.ptestnm.b.128(<16 x i8>, <16 x i8>, i16)
declare void @llvm.x86.avx512.mask.storeu.b.128(ptr, <16 x i8>, i16)
declare <16 x i8> @llvm.x86.avx512.mask.pabs.b.128(<16 x i8>, <16 x i8>, i16)
declare i8 @llvm.x86.avx512.mask.pcmpgt.w.128(<8 x i16>, <8 x i16>, i8)
declare i8 @llvm.x86.avx512.mask.cmp.w.128(<8 x i16>, <8 x i16>, i32, i8)
declare <8 x i16> @llvm.x86.avx512.mask.pbroadcast.w.gpr.128(i16, <8 x i16>, i8)
declare <8 x i16> @llvm.x86.avx512.mask.psra.w.128(<8 x i16>, <8 x i16>, <8 x i16>, i8)
declare <8 x i16> @llvm.x86.avx512.mask.psrl.wi.128(<8 x i16>, i32, <8 x i16>, i8)
declare <8 x i16> @llvm.x86.avx512.mask.psrlv8.hi(<8 x i16>, <8 x i16>, <8 x i16>, i8)
declare <8 x i16> @llvm.x86.avx512.mask.vpshrd.w.128(<8 x i16>, <8 x i16>, i32, <8 x i16>, i8)
declare <8 x i16> @llvm.x86.avx512.maskz.vpermt2var.w.128(<8 x i16>, <8 x i16>, <8 x i16>, i8)
declare <32 x i16> @llvm.x86.avx512.mask.psrai.w(<32 x i16>, i32, <32 x i16>, i32)
declare i8 @llvm.x86.avx512.mask.cmp.d.128(<4 x i32>, <4 x i32>, i32, i8)
declare i8 @llvm.x86.avx512.cvtd2mask.128(<4 x i32>)
declare <4 x i32> @llvm.x86.avx512.mask.expand.load.d.128(ptr, <4 x i32>, i8)
declare <4 x i32> @llvm.x86.avx512.mask.lzcnt.d.128(<4 x i32>, <4 x i32>, i8)
declare <4 x i32> @llvm.x86.avx512.mask.prol.d.128(<4 x i32>, i32, <4 x i32>, i8)
declare <4 x i32> @llvm.x86.avx512.prorv.d.128(<4 x i32>, <4 x i32>)
declare <4 x i32> @llvm.x86.avx512.mask.psra.d.128(<4 x i32>, <4 x i32>, <4 x i32>, i8)
declare <4 x i32> @llvm.x86.avx512.mask.psrl.di.128(<4 x i32>, i32, <4 x i32>, i8)
declare <4 x i32> @llvm.x86.avx512.mask.vpshld.d.128(<4 x i32>, <4 x i32>, i32, <4 x i32>, i8)
declare <4 x i32> @llvm.x86.avx512.maskz.vpermt2var.d.128(<4 x i32>, <4 x i32>, <4 x i32>, i8)
declare <16 x i32> @llvm.x86.avx512.mask.pslli.d.512(<16 x i32>, i32, <16 x i32>, i16)
declare <16 x i32> @llvm.x86.avx512.mask.psrli.d(<16 x i32>, i32, <16 x i32>, i16)
declare i8 @llvm.x86.avx512.mask.pcmpgt.q.128(<2 x i64>, <2 x i64>, i8)
declare i8 @llvm.x86.avx512.mask.ucmp.q.128(<2 x i64>, <2 x i64>, i32, i8)
declare i8 @llvm.x86.avx512.ptestnm.q.128(<2 x i64>, <2 x i64>, i8)
declare void @llvm.x86.avx512.mask.compress.store.q.128(ptr, <2 x i64>, i8)
declare <2 x i64> @llvm.x86.avx512.mask.conflict.q.128(<2 x i64>, <2 x i64>, i8)
declare <2 x i64> @llvm.x86.avx512.maskz.pternlog.q.128(<2 x i64>, <2 x i64>, <2 x i64>, i32, i8)
declare <2 x i64> @llvm.x86.avx512.mask.psll.qi.128(<2 x i64>, i32, <2 x i64>, i8)
declare <2 x i64> @llvm.x86.avx512.mask.psrai.q.128(<2 x i64>, i32, <2 x i64>, i8)
declare <2 x i64> @llvm.x86.avx512.mask.psrl.qi.128(<2 x i64>, i32, <2 x i64>, i8)
declare <2 x i64> @llvm.x86.avx512.mask.vpshrd.q.128(<2 x i64>, <2 x i64>, i32, <2 x i64>, i8)
declare <4 x i64> @llvm.x86.avx512.mask.psrlv4.di(<4 x i64>, <4 x i64>, <4 x i64>, i8)
declare <8 x i64> @llvm.x86.avx512.mask.psrai.q(<8 x i64>, i32, <8 x i64>, i8)
declare <8 x i64> @llvm.x86.avx512.mask.psrlv.q.512(<8 x i64>, <8 x i64>, <8 x i64>, i8)
declare <8 x i16> @llvm.x86.avx512.mask.punpckhw.d.128(<8 x i16>, <8 x i16>, <8 x i16>, i8)
declare <16 x i8> @llvm.x86.avx512.mask.packsswb.128(<8 x i16>, <8 x i16>, <16 x i8>, i16)
declare <2 x i64> @llvm.x86.avx512.mask.pmulu.dq.128(<4 x i32>, <4 x i32>, <2 x i64>, i8)
declare i16 @llvm.x86.avx512.mask.vpshufbitqmb.128(<16 x i8>, <16 x i8>, i16)
declare <2 x i64> @llvm.x86.avx512.mask.vpmadd52l.uq.128(<2 x i64>, <2 x i64>, <2 x i64>, i8)
declare <2 x i64> @llvm.x86.avx512.maskz.vpmadd52l.uq.128(<2 x i64>, <2 x i64>, <2 x i64>, i8)
declare <4 x i32> @llvm.x86.avx512.maskz.vpdpbusds.128(<4 x i32>, <4 x i32>, <4 x i32>, i8)
declare <4 x float> @llvm.x86.avx512.mask.div.ps.128(<4 x float>, <4 x float>, <4 x float>, i8)
declare <4 x float> @llvm.x86.avx512.mask.or.ps.128(<4 x float>, <4 x float>, <4 x float>, i8)
declare <4 x float> @llvm.x86.avx512.mask.vpermi2var.ps.128(<4 x float>, <4 x i32>, <4 x float>, i8)
declare <4 x float> @llvm.x86.avx512.mask.expand.load.ps.128(ptr, <4 x float>, i8)
declare <4 x float> @llvm.x86.avx512.mask.vfnmadd.ps.128(<4 x float>, <4 x float>, <4 x float>, i8)
declare <4 x float> @llvm.x86.avx512.mask3.vfmsub.ps.128(<4 x float>, <4 x float>, <4 x float>, i8)
declare <2 x double> @llvm.x86.avx512.mask.add.pd.128(<2 x double>, <2 x double>, <2 x double>, i8)
declare <2 x double> @llvm.x86.avx512.mask.min.pd.128(<2 x double>, <2 x double>, <2 x double>, i8)
declare <2 x double> @llvm.x86.avx512.mask.sqrt.pd.128(<2 x double>, <2 x double>, i8)
declare <2 x double> @llvm.x86.avx512.mask.vpermt2var.pd.128(<2 x i64>, <2 x double>, <2 x double>, i8)
declare void @llvm.x86.avx512.mask.compress.store.pd.128(ptr, <2 x double>, i8)
declare <2 x double> @llvm.x86.avx512.mask.vfnmadd.pd.128(<2 x double>, <2 x double>, <2 x double>, i8)
declare <2 x double> @llvm.x86.avx512.mask3.vfmaddsub.pd.128(<2 x double>, <2 x double>, <2 x double>, i8)
declare <2 x double> @llvm.x86.avx512.mask.broadcast.sd.pd.128(<2 x double>, <2 x double>, i8)
declare <4 x i32> @llvm.x86.avx512.mask.cvttps2dq.128(<4 x float>, <4 x i32>, i8)
declare <4 x float> @llvm.x86.vcvtph2ps.128(<8 x i16>)
declare <8 x i16> @llvm.x86.avx512.mask.pmovzxb.w.128(<16 x i8>, <8 x i16>, i8)
declare <32 x i16> @llvm.x86.avx512.mask.punpcklw.d.512(<32 x i16>, <32 x i16>, <32 x i16>, i32)
declare <8 x i64> @llvm.x86.avx512.psll.dq.512(<8 x i64>, i32)
declare <16 x float> @llvm.x86.avx512.mask.load.ps.512(ptr, <16 x float>, i16)
declare <8 x i32> @llvm.x86.avx512.mask.vextracti32x8.512(<16 x i32>, i32, <8 x i32>, i8)
declare <2 x double> @llvm.x86.avx512.mask.vextractf64x2.512(<8 x double>, i32, <2 x double>, i8)
declare <8 x i32> @llvm.x86.avx512.mask.pmov.qd.512(<8 x i64>, <8 x i32>, i8)
declare i16 @llvm.x86.avx512.kor.w(i16, i16)
declare i32 @llvm.x86.avx512.kortestz.w(i16, i16)
declare void @llvm.x86.avx512.mask.store.ss(ptr, <4 x float>, i8)
declare <4 x float> @llvm.x86.avx512.mask3.vfmsub.ss(<4 x float>, <4 x float>, <4 x float>, i8, i32)
declare <4 x float> @llvm.x86.fma4.vfmadd.ss(<4 x float>, <4 x float>, <4 x float>)
declare <4 x float> @llvm.x86.sse.mul.ss(<4 x float>, <4 x float>)
declare <4 x float> @llvm.x86.fma.vfmsubadd.ps(<4 x float>, <4 x float>, <4 x float>)
declare <16 x i8> @llvm.x86.sse2.pcmpeq.b(<16 x i8>, <16 x i8>)
declare <2 x i64> @llvm.x86.sse2.psll.dq(<2 x i64>, i32)
declare <8 x i16> @llvm.x86.sse2.pshufl.w(<8 x i16>, i8)
declare <4 x i64> @llvm.x86.avx2.vperm2i128(<4 x i64>, <4 x i64>, i8)
declare <4 x i32> @llvm.x86.sse41.pmovsxbd(<16 x i8>)
declare void @llvm.x86.sse.storeu.ps(ptr, <4 x float>)
declare <4 x float> @llvm.x86.sse.cvtsi2ss(<4 x float>, i32)
declare i8 @llvm.x86.addcarry.u32(i8, i32, i32, ptr)
declare <16 x i8> @llvm.x86.xop.vpcomgeb(<16 x i8>, <16 x i8>)
declare <16 x i8> @llvm.x86.xop.vpcomleub(<16 x i8>, <16 x i8>)
declare float @llvm.nvvm.ldg.global.f.f32.p1(ptr addrspace(1), i32)
declare i32 @llvm.nvvm.atomic.load.dec.32.p1(ptr addrspace(1), i32)
declare i32 @llvm.nvvm.clz.i(i32)
declare float @llvm.nvvm.h2f(i16)
declare float @llvm.nvvm.tanh.approx.f32(float)
declare i32 @llvm.nvvm.barrier0.or(i32)
declare i32 @llvm.nvvm.rotate.b32(i32, i32)
declare <8 x i8> @llvm.arm.neon.vcnt.v8i8(<8 x i8>)
declare <4 x float> @llvm.arm.neon.bfdot(<4 x float>, <8 x bfloat>, <8 x bfloat>)
declare <8 x i8> @llvm.aarch64.neon.rbit.v8i8(<8 x i8>)
declare <4 x float> @llvm.aarch64.neon.bfmlalt.v4f32.v16i8(<4 x float>, <16 x i8>, <16 x i8>)
declare <2 x i64> @llvm.arm.mve.vldr.gather.base.predicated.v2i64.v2i64.v4i1(<2 x i64>, i32, <4 x i1>)
declare <2 x i64> @llvm.arm.cde.vcx1q.predicated.v2i64.v4i1(i32, <2 x i64>, i32, <4 x i1>)
declare <vscale x 16 x i8> @llvm.aarch64.sve.tuple.get.nxv32i8(<vscale x 32 x i8>, i32)
declare <vscale x 8 x bfloat> @llvm.aarch64.sve.tuple.get.nxv16bf16(<vscale x 16 x bfloat>, i32)
declare <vscale x 24 x bfloat> @llvm.aarch64.sve.tuple.create3.nxv24bf16.nxv8bf16(<vscale x 8 x bfloat>, <vscale x 8 x bfloat>, <vscale x 8 x bfloat>)
declare <vscale x 32 x bfloat> @llvm.aarch64.sve.tuple.create4.nxv32bf16.nxv8bf16(<vscale x 8 x bfloat>, <vscale x 8 x bfloat>, <vscale x 8 x bfloat>, <vscale x 8 x bfloat>)
declare i32 @llvm.amdgcn.alignbit(i32, i32, i32)
declare i32 @llvm.amdgcn.atomic.inc.i32.p0(ptr, i32, i32, i32, i1)
declare i32 @llvm.amdgcn.atomic.inc.i32.p3(ptr addrspace(3), i32, i32, i32, i1)
declare i32 @llvm.amdgcn.atomic.dec.i32.p0(ptr, i32, i32, i32, i1)
declare i32 @llvm.amdgcn.atomic.dec.i32.p3(ptr addrspace(3), i32, i32, i32, i1)
declare half @llvm.amdgcn.ds.fadd.f16(ptr addrspace(3), half, i32, i32, i1)
declare half @llvm.amdgcn.ds.fmin.f16(ptr addrspace(3), half, i32, i32, i1)
declare half @llvm.amdgcn.ds.fmax.f16(ptr addrspace(3), half, i32, i32, i1)
declare double @llvm.amdgcn.global.atomic.fadd.f64.p1.f64(ptr addrspace(1), double)
declare <2 x i16> @llvm.amdgcn.global.atomic.fadd.v2bf16.p1(ptr addrspace(1), <2 x i16>)
declare float @llvm.amdgcn.flat.atomic.fmax.f32.p0.f32(ptr, float)
declare i64 @llvm.riscv.sm4ed.i64(i64, i64, i8)
declare <4 x i32> @llvm.wasm.laneselect.v4i32(<4 x i32>, <4 x i32>, <4 x i32>)
declare ptr @llvm.stacksave()
declare i32 @llvm.experimental.vector.reduce.or.v4i32(<4 x i32>)
declare float @llvm.experimental.vector.reduce.v2.fadd.f32.v4f32(float, <4 x float>)
declare <4 x i32> @llvm.experimental.vector.reverse.v4i32(<4 x i32>)
declare <4 x i32> @llvm.experimental.vector.partial.reduce.add.v4i32.v16i32(<4 x i32>, <16 x i32>)
declare ptr @llvm.invariant.start(i64, ptr)
