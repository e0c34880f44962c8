//===- X86AVX512.td - vectors in ZMM registers, masks in K registers ------===//
//
// Where the subtarget has mask registers (feature "masks": AVX512F, BW, DQ and VL),
// vectors of bits are there, comparisons make them, and selects, and operations under a
// select, take them as masks. Of 128 and 256 bits patterns name the instruction of SSE
// or AVX wherever that does the same; what can be encoded with EVEX alone is named here.
//
//===----------------------------------------------------------------------===//

def HasAVX512 : Predicate<"Subtarget->hasAVX512f()">;
def HasMasks  : Predicate<"hasMasks">;
def HasVPOPCNT : Predicate<"Subtarget->hasAVX512vpopcntdq()">;
def HasBITALG : Predicate<"Subtarget->hasAVX512bitalg()">;
def HasVBMI2  : Predicate<"Subtarget->hasAVX512vbmi2()">;
def HasCDI    : Predicate<"Subtarget->hasAVX512cd()">;

// Vectors of n-bit elements in registers of w bits.
class EVecType<int n, int w> {
  int Bits = n;
  int Width = w;
  string S = !cast<string>(!div(w, n));
  ValueType VT = !cast<ValueType>("v"#S#"i"#n);
  ValueType FT = !if(!lt(n, 32), VT, !cast<ValueType>("v"#S#!if(!lt(n, 32), "i", "f")#n));
  ValueType K = !cast<ValueType>("v"#S#"i1");
  string Z = !cond(!eq(w, 128): "Z128", !eq(w, 256): "Z256", true: "Z");
  string E = !cond(!eq(n, 8): "B", !eq(n, 16): "W", !eq(n, 32): "D", true: "Q");
  string F = !if(!eq(n, 32), "PS", "PD");
  // Moves and logic have no form for small elements.
  string Move = !cond(!eq(n, 8): "VMOVDQU8", !eq(n, 16): "VMOVDQU16", !eq(n, 32): "VMOVDQA32", true: "VMOVDQA64");
}
foreach w = [128, 256, 512] in foreach n = [8, 16, 32, 64] in def EV#n#x#w : EVecType<n, w>;
defvar EV8  = [EV8x128, EV8x256, EV8x512];
defvar EV16 = [EV16x128, EV16x256, EV16x512];
defvar EV32 = [EV32x128, EV32x256, EV32x512];
defvar EV64 = [EV64x128, EV64x256, EV64x512];
defvar EVInts = EV8 # EV16 # EV32 # EV64;
defvar EVFloats = EV32 # EV64;

// A select whose last value is zero, in one piece.
def selectz : PatFrag<(ops node:$k, node:$a), (select node:$k, node:$a, node), "elseIsZero">;
def selectnz : PatFrag<(ops node:$k, node:$a), (select node:$k, node, node:$a), "thenIsZero">;

//===- Memory --------------------------------------------------------------===//

foreach t = [EV8x512, EV16x512, EV32x512, EV64x512] in {
  let AddedComplexity = 1 in {
    def : Pat<(t.VT (alignedLoad addr:$p)), (VMOVAPSZrm addr:$p)>;
    def : Pat<(alignedStore t.VT:$v, addr:$p), (VMOVAPSZmr addr:$p, $v)>;
  }
  def : Pat<(t.VT (load0 addr:$p)), (VMOVUPSZrm addr:$p)>;
  def : Pat<(store0 t.VT:$v, addr:$p), (VMOVUPSZmr addr:$p, $v)>;
}

// Masked accesses, of which the front end's intrinsics say the type: whole registers,
// and those that leave no gaps in memory.
class LT<ValueType v> : LLVMType<v>;
foreach t = EVInts in {
  defvar n = t.Bits#x#t.Width;
  foreach x = [["load", "rm"], ["expandload", "rm"]] in {
    defvar I = !if(!eq(x[0], "load"), !subst("DQA", "DQU", t.Move), "VPEXPAND"#t.E)#t.Z#"rmk";
    def int_masked_#x[0]#n : Intrinsic<[LT<t.VT>], [llvm_ptr_ty, LT<t.K>, LT<t.VT>], [IntrReadMem], "llvm.masked."#x[0]>;
    defvar op = !cast<Intrinsic>("int_masked_"#x[0]#n);
    def masked_#x[0]#z#n : PatFrag<(ops node:$p, node:$k), (op node:$p, node:$k, node), "zeroArg2">;
    let Predicates = !if(!and(!lt(t.Bits, 32), !ne(x[0], "load")), [HasVBMI2], []<Predicate>) in {
      def : Pat<(t.VT (op addr:$p, t.K:$k, t.VT:$v)), (!cast<Instruction>(I) $v, $k, addr:$p)>;
      let AddedComplexity = 5 in
      def : Pat<(t.VT (!cast<PatFrag>("masked_"#x[0]#"z"#n) addr:$p, t.K:$k)), (!cast<Instruction>(I#"z") $k, addr:$p)>;
    }
  }
  foreach x = ["store", "compressstore"] in {
    defvar I = !if(!eq(x, "store"), !subst("DQA", "DQU", t.Move), "VPCOMPRESS"#t.E)#t.Z#"mrk";
    def int_masked_#x#n : Intrinsic<[], [LT<t.VT>, llvm_ptr_ty, LT<t.K>], [IntrWriteMem], "llvm.masked."#x>;
    let Predicates = !if(!and(!lt(t.Bits, 32), !ne(x, "store")), [HasVBMI2], []<Predicate>) in
    def : Pat<(!cast<Intrinsic>("int_masked_"#x#n) t.VT:$v, addr:$p, t.K:$k), (!cast<Instruction>(I) addr:$p, $k, $v)>;
  }
}

//===- Operations under a mask ---------------------------------------------===//

// What has two operands, by itself (where no pattern of AVX does) and under a mask.
multiclass EBin<SDNode op, string name, EVecType t, bit plain = 0, list<Predicate> p = [], ValueType vt = t.VT> {
  defvar I = name#t.Z;
  if !or(plain, !eq(t.Width, 512)) then
    let Predicates = !if(!eq(t.Width, 512), p, [HasMasks] # p), AddedComplexity = 3 in
    def : Pat<(op vt:$a, vt:$b), (!cast<Instruction>(I#"rr") $a, $b)>;
  def _one : PatFrag<(ops node:$a, node:$b), (op node:$a, node:$b), "hasOneUser">;
  defvar one = !cast<PatFrag>(NAME#"_one");
  let Predicates = p in {
    def : Pat<(select t.K:$k, (one vt:$a, vt:$b), vt:$c), (!cast<Instruction>(I#"rrk") $c, $k, $a, $b)>;
    let AddedComplexity = 5 in
    def : Pat<(selectz t.K:$k, (one vt:$a, vt:$b)), (!cast<Instruction>(I#"rrkz") $k, $a, $b)>;
  }
}
multiclass EUn<SDNode op, string name, EVecType t, bit plain = 0, list<Predicate> p = [], ValueType vt = t.VT, string r = "rr"> {
  defvar I = name#t.Z#r;
  if !or(plain, !eq(t.Width, 512)) then
    let Predicates = !if(!eq(t.Width, 512), p, [HasMasks] # p), AddedComplexity = 3 in
    def : Pat<(op vt:$a), (!cast<Instruction>(I) $a)>;
  def _one : PatFrag<(ops node:$a), (op node:$a), "hasOneUser">;
  defvar one = !cast<PatFrag>(NAME#"_one");
  let Predicates = p in {
    def : Pat<(select t.K:$k, (one vt:$a), vt:$c), (!cast<Instruction>(I#"k") $c, $k, $a)>;
    let AddedComplexity = 5 in
    def : Pat<(selectz t.K:$k, (one vt:$a)), (!cast<Instruction>(I#"kz") $k, $a)>;
  }
}

foreach t = EVInts in {
  defvar n = t.Bits#x#t.Width;
  defm ADD#n : EBin<add, "VPADD"#t.E, t>;
  defm SUB#n : EBin<sub, "VPSUB"#t.E, t>;
  foreach x = [["smin", "VPMINS"], ["smax", "VPMAXS"], ["umin", "VPMINU"], ["umax", "VPMAXU"]] in
    defm x[0]#n : EBin<!cast<SDNode>(x[0]), x[1]#t.E, t, !eq(t.Bits, 64)>;
  defm ABS#n : EUn<abs, "VPABS"#t.E, t, !eq(t.Bits, 64)>;
}
foreach t = EV32 # EV64 in {
  defvar n = t.Bits#x#t.Width;
  foreach x = [["and", "VPAND"], ["or", "VPOR"], ["xor", "VPXOR"]] in
    defm x[0]#n : EBin<!cast<SDNode>(x[0]), x[1]#t.E, t>;
  defm MUL#n : EBin<mul, "VPMULL"#t.E, t, !eq(t.Bits, 64)>;
  foreach x = [["rotl", "VPROLV"], ["rotr", "VPRORV"]] in
    defm x[0]#n : EBin<!cast<SDNode>(x[0]), x[1]#t.E, t, 1>;
  defm CTLZ#n : EUn<ctlz, "VPLZCNT"#t.E, t, 1, [HasCDI]>;
  defm CTPOP#n : EUn<ctpop, "VPOPCNT"#t.E, t, 1, [HasVPOPCNT]>;
}
foreach t = EV8 # EV16 in {
  defvar n = t.Bits#x#t.Width;
  foreach x = [["uaddsat", "VPADDUS"], ["saddsat", "VPADDS"], ["usubsat", "VPSUBUS"], ["ssubsat", "VPSUBS"]] in
    defm x[0]#n : EBin<!cast<SDNode>(x[0]), x[1]#t.E, t>;
  defm CTPOP#n : EUn<ctpop, "VPOPCNT"#t.E, t, 1, [HasBITALG]>;
}
foreach t = [EV8x512, EV16x512] in {
  def : Pat<(and t.VT:$a, t.VT:$b), (VPANDQZrr $a, $b)>;
  def : Pat<(or t.VT:$a, t.VT:$b), (VPORQZrr $a, $b)>;
  def : Pat<(xor t.VT:$a, t.VT:$b), (VPXORQZrr $a, $b)>;
}
foreach t = EV16 in {
  defvar n = t.Bits#x#t.Width;
  defm MUL#n : EBin<mul, "VPMULLW", t>;
  defm MULHU#n : EBin<mulhu, "VPMULHUW", t>;
  defm MULHS#n : EBin<mulhs, "VPMULHW", t>;
}
// Two elements side by side, shifted by what stands in a third.
let Predicates = [HasVBMI2] in
foreach t = EV16 # EV32 # EV64 in {
  def : Pat<(fshl t.VT:$a, t.VT:$b, t.VT:$c), (!cast<Instruction>("VPSHLDV"#t.E#t.Z#"r") $a, $b, $c)>;
  def : Pat<(fshr t.VT:$a, t.VT:$b, t.VT:$c), (!cast<Instruction>("VPSHRDV"#t.E#t.Z#"r") $b, $a, $c)>;
}

//===- Floating point ------------------------------------------------------===//

foreach t = EVFloats in {
  defvar n = t.F#t.Width;
  foreach x = [["fadd", "VADD"], ["fsub", "VSUB"], ["fmul", "VMUL"], ["fdiv", "VDIV"]] in
    defm x[0]#n : EBin<!cast<SDNode>(x[0]), x[1]#t.F, t, 0, [], t.FT>;
  defm SQRT#n : EUn<fsqrt, "VSQRT"#t.F, t, 0, [], t.FT, "r">;
  if !eq(t.Width, 512) then {
    def : Pat<(fma t.FT:$a, t.FT:$b, t.FT:$c), (!cast<Instruction>("VFMADD213"#t.F#"Zr") $a, $b, $c)>;
    foreach x = [["ffloor", "9"], ["fceil", "10"], ["ftrunc", "11"], ["frint", "4"], ["fnearbyint", "12"], ["froundeven", "8"]] in {
      defvar mode = !cond(!eq(x[1], "9"): 9, !eq(x[1], "10"): 10, !eq(x[1], "11"): 11, !eq(x[1], "4"): 4, !eq(x[1], "12"): 12, true: 8);
      def : Pat<(!cast<SDNode>(x[0]) t.FT:$a), (!cast<Instruction>("VRNDSCALE"#t.F#"Zrri") $a, mode)>;
    }
  }
  def FMA_one#n : PatFrag<(ops node:$a, node:$b, node:$c), (fma node:$a, node:$b, node:$c), "hasOneUser">;
  defvar one = !cast<PatFrag>("FMA_one"#n);
  def : Pat<(select t.K:$k, (one t.FT:$a, t.FT:$b, t.FT:$c), t.FT:$a), (!cast<Instruction>("VFMADD213"#t.F#t.Z#"rk") $a, $k, $b, $c)>;
  def : Pat<(select t.K:$k, (one t.FT:$a, t.FT:$b, t.FT:$c), t.FT:$c), (!cast<Instruction>("VFMADD231"#t.F#t.Z#"rk") $c, $k, $a, $b)>;
  let AddedComplexity = 5 in
  def : Pat<(selectz t.K:$k, (one t.FT:$a, t.FT:$b, t.FT:$c)), (!cast<Instruction>("VFMADD213"#t.F#t.Z#"rkz") $a, $k, $b, $c)>;
}

//===- Conversions ---------------------------------------------------------===//

class EConv<string op, ValueType r, ValueType a, string inst> {
  SDNode Op = !cast<SDNode>(op);
  ValueType R = r;
  ValueType A = a;
  Instruction I = !cast<Instruction>(inst#"rr");
}
let Predicates = [HasMasks], AddedComplexity = 3 in
foreach c = [
  EConv<"sint_to_fp", v16f32, v16i32, "VCVTDQ2PSZ">, EConv<"fp_to_sint", v16i32, v16f32, "VCVTTPS2DQZ">,
  EConv<"uint_to_fp", v4f32, v4i32, "VCVTUDQ2PSZ128">, EConv<"uint_to_fp", v8f32, v8i32, "VCVTUDQ2PSZ256">, EConv<"uint_to_fp", v16f32, v16i32, "VCVTUDQ2PSZ">,
  EConv<"fp_to_uint", v4i32, v4f32, "VCVTTPS2UDQZ128">, EConv<"fp_to_uint", v8i32, v8f32, "VCVTTPS2UDQZ256">, EConv<"fp_to_uint", v16i32, v16f32, "VCVTTPS2UDQZ">,
  EConv<"sint_to_fp", v2f64, v2i64, "VCVTQQ2PDZ128">, EConv<"sint_to_fp", v4f64, v4i64, "VCVTQQ2PDZ256">, EConv<"sint_to_fp", v8f64, v8i64, "VCVTQQ2PDZ">,
  EConv<"uint_to_fp", v2f64, v2i64, "VCVTUQQ2PDZ128">, EConv<"uint_to_fp", v4f64, v4i64, "VCVTUQQ2PDZ256">, EConv<"uint_to_fp", v8f64, v8i64, "VCVTUQQ2PDZ">,
  EConv<"fp_to_sint", v2i64, v2f64, "VCVTTPD2QQZ128">, EConv<"fp_to_sint", v4i64, v4f64, "VCVTTPD2QQZ256">, EConv<"fp_to_sint", v8i64, v8f64, "VCVTTPD2QQZ">,
  EConv<"fp_to_uint", v2i64, v2f64, "VCVTTPD2UQQZ128">, EConv<"fp_to_uint", v4i64, v4f64, "VCVTTPD2UQQZ256">, EConv<"fp_to_uint", v8i64, v8f64, "VCVTTPD2UQQZ">,
  EConv<"sint_to_fp", v8f64, v8i32, "VCVTDQ2PDZ">, EConv<"fp_to_sint", v8i32, v8f64, "VCVTTPD2DQZ">,
  EConv<"uint_to_fp", v4f64, v4i32, "VCVTUDQ2PDZ256">, EConv<"uint_to_fp", v8f64, v8i32, "VCVTUDQ2PDZ">,
  EConv<"fp_to_uint", v4i32, v4f64, "VCVTTPD2UDQZ256">, EConv<"fp_to_uint", v8i32, v8f64, "VCVTTPD2UDQZ">,
  EConv<"sint_to_fp", v4f32, v4i64, "VCVTQQ2PSZ256">, EConv<"sint_to_fp", v8f32, v8i64, "VCVTQQ2PSZ">,
  EConv<"uint_to_fp", v4f32, v4i64, "VCVTUQQ2PSZ256">, EConv<"uint_to_fp", v8f32, v8i64, "VCVTUQQ2PSZ">,
  EConv<"fp_to_sint", v4i64, v4f32, "VCVTTPS2QQZ256">, EConv<"fp_to_sint", v8i64, v8f32, "VCVTTPS2QQZ">,
  EConv<"fp_to_uint", v4i64, v4f32, "VCVTTPS2UQQZ256">, EConv<"fp_to_uint", v8i64, v8f32, "VCVTTPS2UQQZ">,
  EConv<"fpextend", v8f64, v8f32, "VCVTPS2PDZ">, EConv<"fpround", v8f32, v8f64, "VCVTPD2PSZ">] in
  def : Pat<(c.R (c.Op c.A:$a)), (c.I $a)>;

//===- Comparisons ---------------------------------------------------------===//
// The result is a mask.

def X86KCC  : CondMap<[SETNE, SETGE, SETLE], [4, 5, 2]>;
def X86KUCC : CondMap<[SETUGT, SETUGE, SETULT, SETULE], [6, 5, 1, 2]>;
def setcc_one : PatFrag<(ops node:$a, node:$b, node:$c), (setcc node:$a, node:$b, node:$c), "hasOneUser">;
def setccz : PatFrag<(ops node:$a, node:$c), (setcc node:$a, node, node:$c), "comparesZero">;
def setccz_one : PatFrag<(ops node:$a, node:$c), (setcc node:$a, node, node:$c), "comparesZeroOnce">;
def xorones : PatFrag<(ops node:$a), (xor node:$a, node), "secondIsOnes">;
def X86extractk : SDNode<"ISD::EXTRACT_SUBVECTOR", SDTypeProfile<1, 2, [SDTCisInt<0>, SDTCisInt<1>, SDTCisVT<2, i64>]>>;
def X86insertk : SDNode<"ISD::INSERT_SUBVECTOR", SDTypeProfile<1, 3, [SDTCisSameAs<0, 1>, SDTCisInt<0>, SDTCisInt<2>, SDTCisVT<3, i64>]>>;
def insertklow : PatFrag<(ops node:$k), (X86insertk node, node:$k, 0)>;
def X86concatk : SDNode<"ISD::CONCAT_VECTORS", SDTypeProfile<1, 2, [SDTCisInt<0>, SDTCisSameAs<1, 2>]>>;
def : GINodeEquiv<G_EXTRACT_SUBVECTOR, X86extractk>;
def : GINodeEquiv<G_INSERT_SUBVECTOR, X86insertk>;
def : GINodeEquiv<G_CONCAT_VECTORS, X86concatk>;

foreach t = EVInts in {
  defvar CMP = "VPCMP"#t.E#t.Z#"rri";
  defvar UCMP = "VPCMPU"#t.E#t.Z#"rri";
  defvar EQ = "VPCMPEQ"#t.E#t.Z#"rr";
  defvar GT = "VPCMPGT"#t.E#t.Z#"rr";
  def : Pat<(t.K (setcc t.VT:$a, t.VT:$b, X86KCC:$cc)), (!cast<Instruction>(CMP) $a, $b, X86KCC:$cc)>;
  // Signs.
  let AddedComplexity = 4 in
  def : Pat<(t.K (setccz t.VT:$a, SETLT)), (!cast<Instruction>("VPMOV"#t.E#"2M"#t.Z#"kr") $a)>;
  def : Pat<(t.K (setcc t.VT:$a, t.VT:$b, X86KUCC:$cc)), (!cast<Instruction>(UCMP) $a, $b, X86KUCC:$cc)>;
  def : Pat<(t.K (setcc t.VT:$a, t.VT:$b, SETEQ)), (!cast<Instruction>(EQ) $a, $b)>;
  def : Pat<(t.K (setcc t.VT:$a, t.VT:$b, SETGT)), (!cast<Instruction>(GT) $a, $b)>;
  def : Pat<(t.K (setcc t.VT:$a, t.VT:$b, SETLT)), (!cast<Instruction>(GT) $b, $a)>;
  // Only those that another mask has: the comparison stands on either side.
  let AddedComplexity = 3 in {
    def : Pat<(and t.K:$k, (t.K (setcc_one t.VT:$a, t.VT:$b, X86KCC:$cc))), (!cast<Instruction>(CMP#"k") $k, $a, $b, X86KCC:$cc)>;
    def : Pat<(and t.K:$k, (t.K (setcc_one t.VT:$a, t.VT:$b, X86KUCC:$cc))), (!cast<Instruction>(UCMP#"k") $k, $a, $b, X86KUCC:$cc)>;
    def : Pat<(and t.K:$k, (t.K (setcc_one t.VT:$a, t.VT:$b, SETEQ))), (!cast<Instruction>(EQ#"k") $k, $a, $b)>;
    def : Pat<(and t.K:$k, (t.K (setcc_one t.VT:$a, t.VT:$b, SETGT))), (!cast<Instruction>(GT#"k") $k, $a, $b)>;
    def : Pat<(and t.K:$k, (t.K (setcc_one t.VT:$a, t.VT:$b, SETLT))), (!cast<Instruction>(GT#"k") $k, $b, $a)>;
  }
  // Whether bits that two have in common are there.
  foreach x = [["SETNE", "VPTESTM"], ["SETEQ", "VPTESTNM"]] in {
    defvar T = x[1]#t.E#t.Z#"rr";
    defvar cc = !cast<CondCode>(x[0]);
    def : Pat<(t.K (setccz t.VT:$a, cc)), (!cast<Instruction>(T) $a, $a)>;
    let AddedComplexity = 4 in {
      def : Pat<(t.K (setccz (and t.VT:$a, t.VT:$b), cc)), (!cast<Instruction>(T) $a, $b)>;
      def : Pat<(and t.K:$k, (t.K (setccz_one t.VT:$a, cc))), (!cast<Instruction>(T#"k") $k, $a, $a)>;
    }
    let AddedComplexity = 6 in
    def : Pat<(and t.K:$k, (t.K (setccz_one (and t.VT:$a, t.VT:$b), cc))), (!cast<Instruction>(T#"k") $k, $a, $b)>;
  }
}
// The predicates of X86VCC, and those that take two instructions or other operands there.
def X86KFCC : CondMap<[SETOEQ, SETOLT, SETOLE, SETUO, SETUNE, SETUGE, SETUGT, SETO, SETUEQ, SETONE, SETOGT, SETOGE, SETULE, SETULT],
                      [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 14, 13, 10, 9]>;
foreach t = EVFloats in {
  defvar CMP = "VCMP"#t.F#t.Z#"rri";
  def : Pat<(t.K (setcc t.FT:$a, t.FT:$b, X86KFCC:$cc)), (!cast<Instruction>(CMP) $a, $b, X86KFCC:$cc)>;
  let AddedComplexity = 3 in
  def : Pat<(and t.K:$k, (t.K (setcc_one t.FT:$a, t.FT:$b, X86KFCC:$cc))), (!cast<Instruction>(CMP#"k") $k, $a, $b, X86KFCC:$cc)>;
}

//===- Masks ---------------------------------------------------------------===//

// Masks of n bits: the instructions for them (those of less than 8 bits have those of 8
// or 16), and the general register that holds one.
class KType<int n> {
  int N = n;
  ValueType VT = !cast<ValueType>("v"#n#"i1");
  RegisterClass RC = !cast<RegisterClass>("VK"#n);
  int Width = !if(!lt(n, 16), 8, n);
  RegisterClass RegClass = !cast<RegisterClass>("VK"#Width);
  string E = !cond(!eq(Width, 8): "B", !eq(Width, 16): "W", !eq(Width, 32): "D", true: "Q");
}
foreach n = [2, 4, 8, 16, 32, 64] in def KM#n : KType<n>;
defvar KTypes = [KM2, KM4, KM8, KM16, KM32, KM64];

// An instruction over masks, of those it has registers for.
class K2<KType t, string name> { dag Res = (!cast<Instruction>(name#t.E#"kk") $a, $b); }
foreach t = KTypes in {
  foreach x = [["and", "KAND"], ["or", "KOR"], ["xor", "KXOR"]] in {
    defvar I = !cast<Instruction>(x[1]#t.E#"kk");
    if !lt(t.N, 8) then
      def : Pat<(!cast<SDNode>(x[0]) t.VT:$a, t.VT:$b), (COPY_TO_REGCLASS (I (COPY_TO_REGCLASS $a, VK8), (COPY_TO_REGCLASS $b, VK8)), t.RC)>;
    else
      def : Pat<(!cast<SDNode>(x[0]) t.VT:$a, t.VT:$b), (I $a, $b)>;
  }
  // Those that are not set.
  defvar NOT = !cast<Instruction>("KNOT"#t.E#"kk");
  let AddedComplexity = 2 in
  if !lt(t.N, 8) then
    def : Pat<(xorones t.VT:$a), (COPY_TO_REGCLASS (NOT (COPY_TO_REGCLASS $a, VK8)), t.RC)>;
  else
    def : Pat<(xorones t.VT:$a), (NOT $a)>;
  if !ge(t.N, 8) then {
    let AddedComplexity = 4 in {
      def : Pat<(and (xorones t.VT:$a), t.VT:$b), (!cast<Instruction>("KANDN"#t.E#"kk") $a, $b)>;
      def : Pat<(xorones (xor t.VT:$a, t.VT:$b)), (!cast<Instruction>("KXNOR"#t.E#"kk") $a, $b)>;
    }
  }
  def : Pat<(select i8:$c, t.VT:$x, t.VT:$y), (Seq TestBool, (!cast<Instruction>("CMOV_VK"#t.N) $y, $x, COND_NE))>;
  def : Pat<(select i1:$c, t.VT:$x, t.VT:$y), (Seq TestBool, (!cast<Instruction>("CMOV_VK"#t.N) $y, $x, COND_NE))>;
}
// In memory, and to and from general registers.
foreach t = [KM8, KM16, KM32, KM64] in {
  defvar KM = !cast<Instruction>("KMOV"#t.E#"km");
  defvar MK = !cast<Instruction>("KMOV"#t.E#"mk");
  def : Pat<(t.VT (load0 addr:$p)), (KM addr:$p)>;
  def : Pat<(store0 t.VT:$v, addr:$p), (MK addr:$p, $v)>;
  defvar it = !cast<ValueType>("i"#t.N);
  let AddedComplexity = 4 in {
    def : Pat<(t.VT (bitconvert (it (load0 addr:$p)))), (KM addr:$p)>;
    def : Pat<(store0 (it (bitconvert t.VT:$v)), addr:$p), (MK addr:$p, $v)>;
  }
}
def : Pat<(v64i1 (bitconvert GR64:$a)), (KMOVQkr $a)>;
def : Pat<(i64 (bitconvert v64i1:$k)), (KMOVQrk $k)>;
def : Pat<(v32i1 (bitconvert GR32:$a)), (KMOVDkr $a)>;
def : Pat<(i32 (bitconvert v32i1:$k)), (KMOVDrk $k)>;
def : Pat<(v16i1 (bitconvert GR16:$a)), (KMOVWkr (INSERT_SUBREG (IMPLICIT_DEF), $a, sub_16bit))>;
def : Pat<(i16 (bitconvert v16i1:$k)), (EXTRACT_SUBREG (KMOVWrk $k), sub_16bit)>;
def : Pat<(v8i1 (bitconvert GR8:$a)), (KMOVBkr (INSERT_SUBREG (IMPLICIT_DEF), $a, sub_8bit))>;
def : Pat<(i8 (bitconvert v8i1:$k)), (EXTRACT_SUBREG (KMOVBrk $k), sub_8bit)>;
let AddedComplexity = 2 in {
  def : Pat<(i32 (zext (i16 (bitconvert v16i1:$k)))), (KMOVWrk $k)>;
  def : Pat<(i32 (zext (i8 (bitconvert v8i1:$k)))), (KMOVBrk $k)>;
}
// Parts that are lower bits; others are shifted there by the legalizer.
foreach t = KTypes in foreach u = KTypes in if !lt(t.N, u.N) then {
  def : Pat<(t.VT (X86extractk u.VT:$k, 0)), (COPY_TO_REGCLASS $k, t.RC)>;
  def : Pat<(u.VT (insertklow t.VT:$k)), (COPY_TO_REGCLASS $k, u.RC)>;
}
def : Pat<(v16i1 (X86concatk v8i1:$a, v8i1:$b)), (KUNPCKBWkk $b, $a)>;
def : Pat<(v32i1 (X86concatk v16i1:$a, v16i1:$b)), (KUNPCKWDkk $b, $a)>;
def : Pat<(v64i1 (X86concatk v32i1:$a, v32i1:$b)), (KUNPCKDQkk $b, $a)>;

// Elements of all ones and all zeros.
foreach t = EVInts in
def : Pat<(t.VT (sext t.K:$k)), (!cast<Instruction>("VPMOVM2"#t.E#t.Z#"rk") $k)>;

//===- Selects -------------------------------------------------------------===//

foreach t = EVInts in {
  def : Pat<(select t.K:$k, t.VT:$x, t.VT:$y), (!cast<Instruction>("VPBLENDM"#t.E#t.Z#"rrk") $k, $y, $x)>;
  let AddedComplexity = 4 in
  def : Pat<(selectz t.K:$k, t.VT:$x), (!cast<Instruction>(t.Move#t.Z#"rrkz") $k, $x)>;
  defvar N = !cast<KType>("KM"#t.S);
  defvar NOT = !cast<Instruction>("KNOT"#N.E#"kk");
  let AddedComplexity = 3 in
  if !lt(N.N, 8) then
    def : Pat<(selectnz t.K:$k, t.VT:$x), (!cast<Instruction>(t.Move#t.Z#"rrkz") (COPY_TO_REGCLASS (NOT (COPY_TO_REGCLASS $k, VK8)), N.RC), $x)>;
  else
    def : Pat<(selectnz t.K:$k, t.VT:$x), (!cast<Instruction>(t.Move#t.Z#"rrkz") (NOT $k), $x)>;
}
foreach t = [EV8x512, EV16x512, EV32x512, EV64x512] in
  foreach b = [i1, i8] in
    def : Pat<(select b:$c, t.VT:$x, t.VT:$y), (Seq TestBool, (CMOV_VR512 $y, $x, COND_NE))>;
