//===- X86Vector.td - vectors in XMM and YMM registers --------------------===//
//
// Patterns of 128 bits name the instruction of SSE; with AVX it becomes its VEX
// twin once all is selected (vex.go). Those of 256 bits name VEX instructions. Loads
// are not folded here: peephole-opt folds them, by LLVM's table. Integers and floats
// are one generic type: patterns over values as such name one of both.
//
// What is no operation of single elements (shuffles, what builds vectors, inserts
// and takes out elements) is selected in isel_vector.go and shuffle.go.
//
//===----------------------------------------------------------------------===//

def HasSSSE3 : Predicate<"Subtarget->hasSSSE3()">;
def HasSSE42 : Predicate<"Subtarget->hasSSE42()">;
def HasAVX   : Predicate<"Subtarget->hasAVX()">;
def HasAVX2  : Predicate<"Subtarget->hasAVX2()">;

// Vectors of n bits: the type of integers or floats, of 128 and 256 bits.
class VecType<int n> {
  int Bits = n;
  ValueType V128 = !cast<ValueType>("v"#!div(128, n)#"i"#n);
  ValueType V256 = !cast<ValueType>("v"#!div(256, n)#"i"#n);
  string BWDQ = !cond(!eq(n, 8): "B", !eq(n, 16): "W", !eq(n, 32): "D", true: "Q");
}
foreach n = [8, 16, 32, 64] in def VI#n : VecType<n>;
defvar VecInts = [VI8, VI16, VI32, VI64];
class VecFloat<int n> {
  ValueType V128 = !cast<ValueType>("v"#!div(128, n)#"f"#n);
  ValueType V256 = !cast<ValueType>("v"#!div(256, n)#"f"#n);
  VecType I = !cast<VecType>("VI"#n);
  string S = !if(!eq(n, 32), "PS", "PD");
}
foreach n = [32, 64] in def VF#n : VecFloat<n>;
defvar VecFloats = [VF32, VF64];

//===- Memory --------------------------------------------------------------===//

def alignedLoad  : PatFrag<(ops node:$p), (load0 node:$p), "isAligned">;
def alignedStore : PatFrag<(ops node:$v, node:$p), (store0 node:$v, node:$p), "isAligned">;
foreach t = VecInts in {
  let AddedComplexity = 1 in {
    def : Pat<(t.V128 (alignedLoad addr:$p)), (MOVAPSrm addr:$p)>;
    def : Pat<(alignedStore t.V128:$v, addr:$p), (MOVAPSmr addr:$p, $v)>;
  }
  def : Pat<(t.V128 (load0 addr:$p)), (MOVUPSrm addr:$p)>;
  def : Pat<(store0 t.V128:$v, addr:$p), (MOVUPSmr addr:$p, $v)>;
  let Predicates = [HasAVX] in {
    let AddedComplexity = 1 in {
      def : Pat<(t.V256 (alignedLoad addr:$p)), (VMOVAPSYrm addr:$p)>;
      def : Pat<(alignedStore t.V256:$v, addr:$p), (VMOVAPSYmr addr:$p, $v)>;
    }
    def : Pat<(t.V256 (load0 addr:$p)), (VMOVUPSYrm addr:$p)>;
    def : Pat<(store0 t.V256:$v, addr:$p), (VMOVUPSYmr addr:$p, $v)>;
  }
}

//===- Integers ------------------------------------------------------------===//

// An operation of two operands; of 256 bits with AVX2.
multiclass VecBin<SDNode op, string name, VecType t, list<Predicate> p = []> {
  let Predicates = p in
  def : Pat<(op t.V128:$a, t.V128:$b), (!cast<Instruction>(name#"rr") $a, $b)>;
  let Predicates = [HasAVX2] in
  def : Pat<(op t.V256:$a, t.V256:$b), (!cast<Instruction>("V"#name#"Yrr") $a, $b)>;
}
foreach t = VecInts in {
  defm : VecBin<add, "PADD"#t.BWDQ, t>;
  defm : VecBin<sub, "PSUB"#t.BWDQ, t>;
  // Bits are bits; the domain is x86-execution-domain-fix's to find.
  defm : VecBin<and, "PAND", t>;
  defm : VecBin<or, "POR", t>;
  defm : VecBin<xor, "PXOR", t>;
  foreach x = [["and", "VANDPSYrr"], ["or", "VORPSYrr"], ["xor", "VXORPSYrr"]] in
  let Predicates = [HasAVX] in
  def : Pat<(!cast<SDNode>(x[0]) t.V256:$a, t.V256:$b), (!cast<Instruction>(x[1]) $a, $b)>;
}
defm : VecBin<mul, "PMULLW", VI16>;
defm : VecBin<mul, "PMULLD", VI32, [HasSSE41]>;
defm : VecBin<mulhu, "PMULHUW", VI16>;
defm : VecBin<mulhs, "PMULHW", VI16>;
foreach t = [VI8, VI16] in {
  defm : VecBin<uaddsat, "PADDUS"#t.BWDQ, t>;
  defm : VecBin<saddsat, "PADDS"#t.BWDQ, t>;
  defm : VecBin<usubsat, "PSUBUS"#t.BWDQ, t>;
  defm : VecBin<ssubsat, "PSUBS"#t.BWDQ, t>;
}
defm : VecBin<umin, "PMINUB", VI8>;
defm : VecBin<umax, "PMAXUB", VI8>;
defm : VecBin<smin, "PMINSW", VI16>;
defm : VecBin<smax, "PMAXSW", VI16>;
defm : VecBin<umin, "PMINUW", VI16, [HasSSE41]>;
defm : VecBin<umax, "PMAXUW", VI16, [HasSSE41]>;
foreach t = [VI8, VI32] in {
  defm : VecBin<smin, "PMINS"#t.BWDQ, t, [HasSSE41]>;
  defm : VecBin<smax, "PMAXS"#t.BWDQ, t, [HasSSE41]>;
}
defm : VecBin<umin, "PMINUD", VI32, [HasSSE41]>;
defm : VecBin<umax, "PMAXUD", VI32, [HasSSE41]>;
foreach t = [VI8, VI16, VI32] in {
  let Predicates = [HasSSSE3] in
  def : Pat<(abs t.V128:$a), (!cast<Instruction>("PABS"#t.BWDQ#"rr") $a)>;
  let Predicates = [HasAVX2] in
  def : Pat<(abs t.V256:$a), (!cast<Instruction>("VPABS"#t.BWDQ#"Yrr") $a)>;
}

// Products of 32 bits out of those of even elements, of 64 bits out of three of 32.
class MulD<string p, string y> {
  dag Even = (!cast<Instruction>(p#"PMULUDQ"#y#"rr") $a, $b);
  dag Odd = (!cast<Instruction>(p#"PMULUDQ"#y#"rr") (!cast<Instruction>(p#"PSHUFD"#y#"ri") $a, 0xf5), (!cast<Instruction>(p#"PSHUFD"#y#"ri") $b, 0xf5));
  dag Res = (!cast<Instruction>(p#"PUNPCKLDQ"#y#"rr") (!cast<Instruction>(p#"PSHUFD"#y#"ri") Even, 0xe8), (!cast<Instruction>(p#"PSHUFD"#y#"ri") Odd, 0xe8));
}
def : Pat<(mul v4i32:$a, v4i32:$b), MulD<"", "">.Res>;
class MulQ<string p, string y> {
  Instruction MUL = !cast<Instruction>(p#"PMULUDQ"#y#"rr");
  Instruction SHR = !cast<Instruction>(p#"PSRLQ"#y#"ri");
  Instruction ADD = !cast<Instruction>(p#"PADDQ"#y#"rr");
  dag Cross = (ADD (MUL (SHR $a, 32), $b), (MUL (SHR $b, 32), $a));
  dag Res = (ADD (!cast<Instruction>(p#"PSLLQ"#y#"ri") Cross, 32), (MUL $a, $b));
}
def : Pat<(mul v2i64:$a, v2i64:$b), MulQ<"", "">.Res>;
let Predicates = [HasAVX2] in
def : Pat<(mul v4i64:$a, v4i64:$b), MulQ<"V", "Y">.Res>;

//===- Shifts of each element by an amount of its own ----------------------===//

let Predicates = [HasAVX2] in
foreach x = [["shl", "VPSLLV"], ["srl", "VPSRLV"], ["sra", "VPSRAV"]] in
foreach t = [VI32, VI64] in
if !or(!ne(x[0], "sra"), !eq(t.Bits, 32)) then {
  def : Pat<(!cast<SDNode>(x[0]) t.V128:$a, t.V128:$c), (!cast<Instruction>(x[1]#t.BWDQ#"rr") $a, $c)>;
  def : Pat<(!cast<SDNode>(x[0]) t.V256:$a, t.V256:$c), (!cast<Instruction>(x[1]#t.BWDQ#"Yrr") $a, $c)>;
}

//===- Comparisons ---------------------------------------------------------===//
// True is all ones, false all zeros.

class Ones<bit y> { dag D = !if(y, (AVX2_SETALLONES), (V_SETALLONES)); }

// All predicates out of "equal" and "greater", of which gt says what is unsigned.
multiclass VecCmp<ValueType vt, dag eq, dag gt, dag lt, dag ugt, dag ult, Instruction XOR, dag ones> {
  def : Pat<(vt (setcc vt:$a, vt:$b, SETEQ)), eq>;
  def : Pat<(vt (setcc vt:$a, vt:$b, SETNE)), (XOR eq, ones)>;
  def : Pat<(vt (setcc vt:$a, vt:$b, SETGT)), gt>;
  def : Pat<(vt (setcc vt:$a, vt:$b, SETLT)), lt>;
  def : Pat<(vt (setcc vt:$a, vt:$b, SETLE)), (XOR gt, ones)>;
  def : Pat<(vt (setcc vt:$a, vt:$b, SETGE)), (XOR lt, ones)>;
  def : Pat<(vt (setcc vt:$a, vt:$b, SETUGT)), ugt>;
  def : Pat<(vt (setcc vt:$a, vt:$b, SETULT)), ult>;
  def : Pat<(vt (setcc vt:$a, vt:$b, SETULE)), (XOR ugt, ones)>;
  def : Pat<(vt (setcc vt:$a, vt:$b, SETUGE)), (XOR ult, ones)>;
}
// a ≤ b is max(a, b) = b where there is a maximum of unsigned numbers.
multiclass VecCmpMax<ValueType vt, Instruction EQ, Instruction MIN, Instruction MAX> {
  let AddedComplexity = 1 in {
    def : Pat<(vt (setcc vt:$a, vt:$b, SETULE)), (EQ (MIN $a, $b), $a)>;
    def : Pat<(vt (setcc vt:$a, vt:$b, SETUGE)), (EQ (MAX $a, $b), $a)>;
  }
}
// The numbers with their signs turned, and their comparison as signed ones. w: of words
// there is no shift of bytes.
class Flip<string p, string y, string e, dag ones> {
  dag Sign = !if(!eq(e, "B"),
      (!cast<Instruction>(p#"PACKSSWB"#y#"rr") (!cast<Instruction>(p#"PSLLW"#y#"ri") ones, 15), (!cast<Instruction>(p#"PSLLW"#y#"ri") ones, 15)),
      (!cast<Instruction>(p#"PSLL"#e#y#"ri") ones, !cond(!eq(e, "W"): 15, !eq(e, "D"): 31, true: 63)));
  Instruction XOR = !cast<Instruction>(p#"PXOR"#y#"rr");
  dag A = (XOR $a, Sign);
  dag B = (XOR $b, Sign);
}
foreach t = [VI8, VI16, VI32] in {
  foreach y = [0, 1] in {
    defvar P = !if(y, "V", "");
    defvar Y = !if(y, "Y", "");
    defvar EQ = !cast<Instruction>(P#"PCMPEQ"#t.BWDQ#Y#"rr");
    defvar GT = !cast<Instruction>(P#"PCMPGT"#t.BWDQ#Y#"rr");
    defvar F = Flip<P, Y, t.BWDQ, Ones<y>.D>;
    let Predicates = !if(y, [HasAVX2], []<Predicate>) in
    defm : VecCmp<!if(y, t.V256, t.V128), (EQ $a, $b), (GT $a, $b), (GT $b, $a), (GT F.A, F.B), (GT F.B, F.A), !cast<Instruction>(P#"PXOR"#Y#"rr"), Ones<y>.D>;
  }
}
defm : VecCmpMax<v16i8, PCMPEQBrr, PMINUBrr, PMAXUBrr>;
let Predicates = [HasSSE41] in {
  defm : VecCmpMax<v8i16, PCMPEQWrr, PMINUWrr, PMAXUWrr>;
  defm : VecCmpMax<v4i32, PCMPEQDrr, PMINUDrr, PMAXUDrr>;
}
let Predicates = [HasAVX2] in {
  defm : VecCmpMax<v32i8, VPCMPEQBYrr, VPMINUBYrr, VPMAXUBYrr>;
  defm : VecCmpMax<v16i16, VPCMPEQWYrr, VPMINUWYrr, VPMAXUWYrr>;
  defm : VecCmpMax<v8i32, VPCMPEQDYrr, VPMINUDYrr, VPMAXUDYrr>;
}
// Of 64 bits: without SSE4.2 by halves. Both are equal when all 32-bit parts are;
// greater is the difference of the low ones where the high ones are equal, else the high ones' answer.
defvar EqD = (PCMPEQDrr $a, $b);
defvar EqQ = (PANDrr EqD, (PSHUFDri EqD, 0xb1));
class GtQ<dag x, dag y> {
  // High parts as they are, low parts with signs turned.
  dag Sign = (PSLLDri (V_SETALLONES), 31);
  dag High = (PCMPGTDrr x, y);
  dag Low = (PCMPGTDrr (PXORrr x, Sign), (PXORrr y, Sign));
  dag Eq = (PCMPEQDrr x, y);
  dag Res = (PORrr (PSHUFDri High, 0xf5), (PANDrr (PSHUFDri Eq, 0xf5), (PSHUFDri Low, 0xa0)));
}
class UGtQ<dag x, dag y> {
  dag Sign = (PSLLDri (V_SETALLONES), 31);
  dag Greater = (PCMPGTDrr (PXORrr x, Sign), (PXORrr y, Sign));
  dag Eq = (PCMPEQDrr x, y);
  dag Res = (PORrr (PSHUFDri Greater, 0xf5), (PANDrr (PSHUFDri Eq, 0xf5), (PSHUFDri Greater, 0xa0)));
}
defm : VecCmp<v2i64, EqQ, GtQ<(COPY_TO_REGCLASS $a, VR128), (COPY_TO_REGCLASS $b, VR128)>.Res, GtQ<(COPY_TO_REGCLASS $b, VR128), (COPY_TO_REGCLASS $a, VR128)>.Res,
              UGtQ<(COPY_TO_REGCLASS $a, VR128), (COPY_TO_REGCLASS $b, VR128)>.Res, UGtQ<(COPY_TO_REGCLASS $b, VR128), (COPY_TO_REGCLASS $a, VR128)>.Res, PXORrr, (V_SETALLONES)>;
let AddedComplexity = 1 in {
  let Predicates = [HasSSE41] in {
    def : Pat<(v2i64 (setcc v2i64:$a, v2i64:$b, SETEQ)), (PCMPEQQrr $a, $b)>;
    def : Pat<(v2i64 (setcc v2i64:$a, v2i64:$b, SETNE)), (PXORrr (PCMPEQQrr $a, $b), (V_SETALLONES))>;
  }
  foreach y = [0, 1] in {
    defvar P = !if(y, "V", "");
    defvar Y = !if(y, "Y", "");
    defvar GT = !cast<Instruction>(P#"PCMPGTQ"#Y#"rr");
    defvar F = Flip<P, Y, "Q", Ones<y>.D>;
    let Predicates = !if(y, [HasAVX2], [HasSSE42]) in
    defm : VecCmp<!if(y, v4i64, v2i64), (!cast<Instruction>(P#"PCMPEQQ"#Y#"rr") $a, $b), (GT $a, $b), (GT $b, $a), (GT F.A, F.B), (GT F.B, F.A),
                  !cast<Instruction>(P#"PXOR"#Y#"rr"), Ones<y>.D>;
  }
}

//===- Selects -------------------------------------------------------------===//
// By a vector of conditions, each all ones or all zeros.

foreach t = VecInts in {
  def : Pat<(select t.V128:$m, t.V128:$x, t.V128:$y), (PORrr (PANDrr $m, $x), (PANDNrr $m, $y))>;
  defvar B = !cond(!eq(t.Bits, 32): "BLENDVPS", !eq(t.Bits, 64): "BLENDVPD", true: "PBLENDVB");
  let Predicates = [HasSSE41], AddedComplexity = 1 in
  def : Pat<(select t.V128:$m, t.V128:$x, t.V128:$y), (Seq (set XMM0, $m), (!cast<Instruction>(B#"rr0") $y, $x))>;
  let Predicates = [HasAVX], AddedComplexity = 2 in
  def : Pat<(select t.V128:$m, t.V128:$x, t.V128:$y), (!cast<Instruction>("V"#B#"rrr") $y, $x, $m)>;
  let Predicates = !if(!lt(t.Bits, 32), [HasAVX2], [HasAVX]) in
  def : Pat<(select t.V256:$m, t.V256:$x, t.V256:$y), (!cast<Instruction>("V"#B#"Yrrr") $y, $x, $m)>;
  // By one condition.
  foreach b = [i1, i8] in {
    def : Pat<(select b:$c, t.V128:$x, t.V128:$y), (Seq TestBool, (CMOV_VR128 $y, $x, COND_NE))>;
    let Predicates = [HasAVX] in
    def : Pat<(select b:$c, t.V256:$x, t.V256:$y), (Seq TestBool, (CMOV_VR256 $y, $x, COND_NE))>;
  }
}

//===- Floating point ------------------------------------------------------===//

multiclass VecFPBin<SDNode op, string name> {
  foreach t = VecFloats in {
    def : Pat<(op t.V128:$a, t.V128:$b), (!cast<Instruction>(name#t.S#"rr") $a, $b)>;
    let Predicates = [HasAVX] in
    def : Pat<(op t.V256:$a, t.V256:$b), (!cast<Instruction>("V"#name#t.S#"Yrr") $a, $b)>;
  }
}
foreach x = [["fadd", "ADD"], ["fsub", "SUB"], ["fmul", "MUL"], ["fdiv", "DIV"]] in
  defm : VecFPBin<!cast<SDNode>(x[0]), x[1]>;
foreach t = VecFloats in {
  def : Pat<(fsqrt t.V128:$a), (!cast<Instruction>("SQRT"#t.S#"r") $a)>;
  let Predicates = [HasAVX] in
  def : Pat<(fsqrt t.V256:$a), (!cast<Instruction>("VSQRT"#t.S#"Yr") $a)>;
  let Predicates = [HasFMA] in {
    def : Pat<(fma t.V128:$a, t.V128:$b, t.V128:$c), (!cast<Instruction>("VFMADD213"#t.S#"r") $a, $b, $c)>;
    def : Pat<(fma t.V256:$a, t.V256:$b, t.V256:$c), (!cast<Instruction>("VFMADD213"#t.S#"Yr") $a, $b, $c)>;
  }
  foreach x = [["ffloor", "9"], ["fceil", "10"], ["ftrunc", "11"], ["frint", "4"], ["fnearbyint", "12"], ["froundeven", "8"]] in {
    defvar mode = !cond(!eq(x[1], "9"): 9, !eq(x[1], "10"): 10, !eq(x[1], "11"): 11, !eq(x[1], "4"): 4, !eq(x[1], "12"): 12, true: 8);
    let Predicates = [HasSSE41] in
    def : Pat<(!cast<SDNode>(x[0]) t.V128:$a), (!cast<Instruction>("ROUND"#t.S#"ri") $a, mode)>;
    let Predicates = [HasAVX] in
    def : Pat<(!cast<SDNode>(x[0]) t.V256:$a), (!cast<Instruction>("VROUND"#t.S#"Yri") $a, mode)>;
  }
}
def : Pat<(v4f32 (sint_to_fp v4i32:$a)), (CVTDQ2PSrr $a)>;
def : Pat<(v4i32 (fp_to_sint v4f32:$a)), (CVTTPS2DQrr $a)>;
let Predicates = [HasAVX] in {
  def : Pat<(v8f32 (sint_to_fp v8i32:$a)), (VCVTDQ2PSYrr $a)>;
  def : Pat<(v8i32 (fp_to_sint v8f32:$a)), (VCVTTPS2DQYrr $a)>;
  def : Pat<(v4f64 (sint_to_fp v4i32:$a)), (VCVTDQ2PDYrr $a)>;
  def : Pat<(v4i32 (fp_to_sint v4f64:$a)), (VCVTTPD2DQYrr $a)>;
  def : Pat<(v4f64 (fpextend v4f32:$a)), (VCVTPS2PDYrr $a)>;
  def : Pat<(v4f32 (fpround v4f64:$a)), (VCVTPD2PSYrr $a)>;
}

// CMPPS and CMPPD: a predicate, with the operands as they are or exchanged.
def X86VCC : CondMap<[SETOEQ, SETOLT, SETOLE, SETUO, SETUNE, SETUGE, SETUGT, SETO], [0, 1, 2, 3, 4, 5, 6, 7]>;
def X86VCCSwap : CondMap<[SETOGT, SETOGE, SETULE, SETULT], [1, 2, 5, 6]>;
foreach t = VecFloats in
foreach y = [0, 1] in {
  defvar CMP = !cast<Instruction>(!if(y, "VCMP"#t.S#"Yrri", "CMP"#t.S#"rri"));
  defvar vt = !if(y, t.V256, t.V128);
  defvar it = !if(y, t.I.V256, t.I.V128);
  let Predicates = !if(y, [HasAVX], []<Predicate>) in {
    def : Pat<(it (setcc vt:$a, vt:$b, X86VCC:$cc)), (CMP $a, $b, X86VCC:$cc)>;
    def : Pat<(it (setcc vt:$a, vt:$b, X86VCCSwap:$cc)), (CMP $b, $a, X86VCCSwap:$cc)>;
    defvar OR = !if(y, VORPSYrr, PORrr);
    defvar AND = !if(y, VANDPSYrr, PANDrr);
    def : Pat<(it (setcc vt:$a, vt:$b, SETUEQ)), (OR (CMP $a, $b, 0), (CMP $a, $b, 3))>;
    def : Pat<(it (setcc vt:$a, vt:$b, SETONE)), (AND (CMP $a, $b, 4), (CMP $a, $b, 7))>;
  }
  let Predicates = [HasAVX], AddedComplexity = 1 in {
    defvar VCMP = !cast<Instruction>("VCMP"#t.S#!if(y, "Y", "")#"rri");
    def : Pat<(it (setcc vt:$a, vt:$b, SETUEQ)), (VCMP $a, $b, 8)>;
    def : Pat<(it (setcc vt:$a, vt:$b, SETONE)), (VCMP $a, $b, 12)>;
  }
}
