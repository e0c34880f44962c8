//===- X86Intrinsics.td - intrinsics that are one instruction -------------===//
//
// Intrinsics of SSE, AVX and AVX2 that clang's headers use where the IR has no
// operation for it. What is not listed is refused by name.
//
//===----------------------------------------------------------------------===//


class VecIntrinsic<ValueType r, list<ValueType> args>
    : Intrinsic<[LT<r>], !foreach(a, args, LT<a>), [IntrNoMem]>;

// One vector, two of one type, two and a byte.
multiclass Intr1<ValueType r, ValueType a, Instruction I, list<Predicate> p = []> {
  def "" : VecIntrinsic<r, [a]>;
  let Predicates = p in def : Pat<(r (!cast<Intrinsic>(NAME) a:$a)), (I $a)>;
}
multiclass Intr2<ValueType r, ValueType a, Instruction I, list<Predicate> p = [], ValueType b = a> {
  def "" : VecIntrinsic<r, [a, b]>;
  let Predicates = p in def : Pat<(r (!cast<Intrinsic>(NAME) a:$a, b:$b)), (I $a, $b)>;
}

// Names of SSE with the instruction; those of AVX2 have no suffix and Y at the end.
foreach x = [["packsswb", "PACKSSWB", "i16", "i8"], ["packssdw", "PACKSSDW", "i32", "i16"], ["packuswb", "PACKUSWB", "i16", "i8"]] in {
  defvar a = !if(!eq(x[2], "i16"), VI16, VI32);
  defvar r = !if(!eq(x[3], "i8"), VI8, VI16);
  defm int_x86_sse2_#x[0]#"_128" : Intr2<r.V128, a.V128, !cast<Instruction>(x[1]#"rr")>;
  defm int_x86_avx2_#x[0] : Intr2<r.V256, a.V256, !cast<Instruction>("V"#x[1]#"Yrr"), [HasAVX2]>;
}
defm int_x86_sse41_packusdw : Intr2<v8i16, v4i32, PACKUSDWrr, [HasSSE41]>;
defm int_x86_avx2_packusdw : Intr2<v16i16, v8i32, VPACKUSDWYrr, [HasAVX2]>;
defm int_x86_sse2_pmadd_wd : Intr2<v4i32, v8i16, PMADDWDrr>;
defm int_x86_avx2_pmadd_wd : Intr2<v8i32, v16i16, VPMADDWDYrr, [HasAVX2]>;
defm int_x86_sse2_psad_bw : Intr2<v2i64, v16i8, PSADBWrr>;
defm int_x86_avx2_psad_bw : Intr2<v4i64, v32i8, VPSADBWYrr, [HasAVX2]>;
foreach t = [VI8, VI16] in {
  defvar n = !tolower(t.BWDQ);
  defm int_x86_sse2_pavg_#n : Intr2<t.V128, t.V128, !cast<Instruction>("PAVG"#t.BWDQ#"rr")>;
  defm int_x86_avx2_pavg_#n : Intr2<t.V256, t.V256, !cast<Instruction>("VPAVG"#t.BWDQ#"Yrr"), [HasAVX2]>;
}
class SSSE3<string name, string inst, VecType r, VecType a> {
  string N = name;
  string I = inst;
  VecType R = r;
  VecType A = a;
}
foreach x = [SSSE3<"pmul_hr_sw", "PMULHRSW", VI16, VI16>, SSSE3<"pmadd_ub_sw", "PMADDUBSW", VI16, VI8>, SSSE3<"pshuf_b", "PSHUFB", VI8, VI8>,
             SSSE3<"psign_b", "PSIGNB", VI8, VI8>, SSSE3<"psign_w", "PSIGNW", VI16, VI16>, SSSE3<"psign_d", "PSIGND", VI32, VI32>,
             SSSE3<"phadd_w", "PHADDW", VI16, VI16>, SSSE3<"phadd_d", "PHADDD", VI32, VI32>, SSSE3<"phadd_sw", "PHADDSW", VI16, VI16>,
             SSSE3<"phsub_w", "PHSUBW", VI16, VI16>, SSSE3<"phsub_d", "PHSUBD", VI32, VI32>, SSSE3<"phsub_sw", "PHSUBSW", VI16, VI16>] in {
  defm int_x86_ssse3_#x.N#"_128" : Intr2<x.R.V128, x.A.V128, !cast<Instruction>(x.I#"rr"), [HasSSSE3]>;
  defm int_x86_avx2_#x.N : Intr2<x.R.V256, x.A.V256, !cast<Instruction>("V"#x.I#"Yrr"), [HasAVX2]>;
}
// Shifts by the low 64 bits of a register.
foreach op = ["psll", "psrl", "psra"] in foreach t = [VI16, VI32, VI64] in
if !or(!ne(op, "psra"), !ne(t.Bits, 64)) then {
  defvar n = op#"_"#!tolower(t.BWDQ);
  defvar I = !toupper(op)#t.BWDQ;
  defm int_x86_sse2_#n : Intr2<t.V128, t.V128, !cast<Instruction>(I#"rr")>;
  defm int_x86_avx2_#n : Intr2<t.V256, t.V256, !cast<Instruction>("V"#I#"Yrr"), [HasAVX2], t.V128>;
}
// The instruction names the numbers of the elements first.
def int_x86_avx2_permd  : VecIntrinsic<v8i32, [v8i32, v8i32]>;
def int_x86_avx2_permps : VecIntrinsic<v8f32, [v8f32, v8i32]>;
let Predicates = [HasAVX2] in {
  def : Pat<(v8i32 (int_x86_avx2_permd v8i32:$a, v8i32:$n)), (VPERMDYrr $n, $a)>;
  def : Pat<(v8f32 (int_x86_avx2_permps v8f32:$a, v8i32:$n)), (VPERMPSYrr $n, $a)>;
}

//===- Signs ---------------------------------------------------------------===//

defm int_x86_sse2_pmovmskb_128 : Intr1<i32, v16i8, PMOVMSKBrr>;
defm int_x86_avx2_pmovmskb     : Intr1<i32, v32i8, VPMOVMSKBYrr, [HasAVX2]>;
defm int_x86_sse_movmsk_ps     : Intr1<i32, v4f32, MOVMSKPSrr>;
defm int_x86_sse2_movmsk_pd    : Intr1<i32, v2f64, MOVMSKPDrr>;
defm int_x86_avx_movmsk_ps_256 : Intr1<i32, v8f32, VMOVMSKPSYrr, [HasAVX]>;
defm int_x86_avx_movmsk_pd_256 : Intr1<i32, v4f64, VMOVMSKPDYrr, [HasAVX]>;

// PTEST sets Z where no bit is in both, C where all of the second are in the first.
multiclass Test<ValueType t, Instruction I, int cc, list<Predicate> p> {
  def "" : VecIntrinsic<i32, [t, t]>;
  let Predicates = p in
  def : Pat<(i32 (!cast<Intrinsic>(NAME) t:$a, t:$b)), (Seq (I $a, $b), (MOVZX32rr8 (SETCCr cc)))>;
}
foreach x = [["z", "4"], ["c", "2"], ["nzc", "7"]] in {
  defvar cc = !cond(!eq(x[1], "4"): COND_E, !eq(x[1], "2"): COND_B, true: COND_A);
  defm int_x86_sse41_ptest#x[0] : Test<v2i64, PTESTrr, cc, [HasSSE41]>;
  defm int_x86_avx_ptest#x[0]#"_256" : Test<v4i64, VPTESTYrr, cc, [HasAVX]>;
}

//===- Floating point ------------------------------------------------------===//

foreach op = ["min", "max"] in {
  defm int_x86_sse_#op#"_ps" : Intr2<v4f32, v4f32, !cast<Instruction>(!toupper(op)#"PSrr")>;
  defm int_x86_sse2_#op#"_pd" : Intr2<v2f64, v2f64, !cast<Instruction>(!toupper(op)#"PDrr")>;
  defm int_x86_avx_#op#"_ps_256" : Intr2<v8f32, v8f32, !cast<Instruction>("V"#!toupper(op)#"PSYrr"), [HasAVX]>;
  defm int_x86_avx_#op#"_pd_256" : Intr2<v4f64, v4f64, !cast<Instruction>("V"#!toupper(op)#"PDYrr"), [HasAVX]>;
}
foreach x = [["hadd", "HADD"], ["hsub", "HSUB"], ["addsub", "ADDSUB"]] in foreach t = [VF32, VF64] in {
  defvar s = !tolower(t.S);
  defvar sse = !if(!eq(x[0], "addsub"), "addsub_"#s, x[0]#"_"#s);
  defm int_x86_sse3_#sse : Intr2<t.V128, t.V128, !cast<Instruction>(x[1]#t.S#"rr"), [HasSSE3]>;
  defm int_x86_avx_#sse#"_256" : Intr2<t.V256, t.V256, !cast<Instruction>("V"#x[1]#t.S#"Yrr"), [HasAVX]>;
}
defm int_x86_sse_rcp_ps       : Intr1<v4f32, v4f32, RCPPSr>;
defm int_x86_sse_rsqrt_ps     : Intr1<v4f32, v4f32, RSQRTPSr>;
defm int_x86_avx_rcp_ps_256   : Intr1<v8f32, v8f32, VRCPPSYr, [HasAVX]>;
defm int_x86_avx_rsqrt_ps_256 : Intr1<v8f32, v8f32, VRSQRTPSYr, [HasAVX]>;
defm int_x86_sse2_cvtps2dq    : Intr1<v4i32, v4f32, CVTPS2DQrr>;
defm int_x86_sse2_cvttps2dq   : Intr1<v4i32, v4f32, CVTTPS2DQrr>;
defm int_x86_sse2_cvtpd2dq    : Intr1<v4i32, v2f64, CVTPD2DQrr>;
defm int_x86_sse2_cvttpd2dq   : Intr1<v4i32, v2f64, CVTTPD2DQrr>;
defm int_x86_avx_cvt_ps2dq_256  : Intr1<v8i32, v8f32, VCVTPS2DQYrr, [HasAVX]>;
defm int_x86_avx_cvtt_ps2dq_256 : Intr1<v8i32, v8f32, VCVTTPS2DQYrr, [HasAVX]>;
foreach x = [["cvt", "CVT"], ["cvtt", "CVTT"]] in {
  defm int_x86_sse_#x[0]#"ss2si"    : Intr1<i32, v4f32, !cast<Instruction>(x[1]#"SS2SIrr_Int")>;
  defm int_x86_sse_#x[0]#"ss2si64"  : Intr1<i64, v4f32, !cast<Instruction>(x[1]#"SS2SI64rr_Int")>;
  defm int_x86_sse2_#x[0]#"sd2si"   : Intr1<i32, v2f64, !cast<Instruction>(x[1]#"SD2SIrr_Int")>;
  defm int_x86_sse2_#x[0]#"sd2si64" : Intr1<i64, v2f64, !cast<Instruction>(x[1]#"SD2SI64rr_Int")>;
}
