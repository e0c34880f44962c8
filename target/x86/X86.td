//===- X86.td - instruction selection of x86-64 ---------------------------===//
//
// Selection patterns over LLVM's instructions. `go generate` makes
// tab/zz_isel.bin of this file; the Go functions that it names are in isel*.go.
//
//===----------------------------------------------------------------------===//

include "mirin/Target.td"
include "mirin/Sequence.td"
include "mirin/Intrinsics.td"

def X86InstrInfo : InstrInfo;
def X86 : Target { let InstructionSet = X86InstrInfo; }
def : PtrValueType<i64, 0>;
def : SelectionInfo {
  let Ambient = [RSP, ESP, RBP, RIP, SSP, MXCSR, FPCW, FPSW, DF, FS, GS];
  let Types = [i1, i8, i16, i32, i64, f32, f64, f80, v4f32, v16i8, v8i16, v4i32, v2i64, v2f64, v32i8, v16i16, v8i32, v4i64, v8f32, v4f64,
               v64i8, v32i16, v16i32, v8i64, v16f32, v8f64, v2i1, v4i1, v8i1, v16i1, v32i1, v64i1];
  let Classes = [GR8, GR8, GR16, GR32, GR64, FR32, FR64, RFP80, VR128, VR128, VR128, VR128, VR128, VR128, VR256, VR256, VR256, VR256, VR256, VR256,
                 VR512, VR512, VR512, VR512, VR512, VR512, VK2, VK4, VK8, VK16, VK32, VK64];
}

//===- Predicates ----------------------------------------------------------===//

def In64BitMode  : Predicate<"Subtarget->has64BitMode()">;
def Not64BitMode : Predicate<"!Subtarget->has64BitMode()">;
def HasPOPCNT : Predicate<"Subtarget->hasPOPCNT()">;
def HasLZCNT  : Predicate<"Subtarget->hasLZCNT()">;
def HasBMI    : Predicate<"Subtarget->hasBMI()">;
def HasBMI2   : Predicate<"Subtarget->hasBMI2()">;
def HasSSE41  : Predicate<"Subtarget->hasSSE41()">;
def HasFMA    : Predicate<"Subtarget->hasFMA()">;
def UseIncDec : Predicate<"!Subtarget->slowIncDec()">;

//===- Nodes of generic instructions that SelectionDAG has not ------------===//

def : GINodeEquiv<G_PTR_ADD, add>;
def : GINodeEquiv<G_PTRMASK, and>;
def X86inttoptr : SDNode<"X86ISD::INTTOPTR", SDTUnaryOp>;
def X86ptrtoint : SDNode<"X86ISD::PTRTOINT", SDTUnaryOp>;
def : GINodeEquiv<G_INTTOPTR, X86inttoptr>;
def : GINodeEquiv<G_PTRTOINT, X86ptrtoint>;
// Two halves, the low one first.
def X86merge   : SDNode<"X86ISD::MERGE", SDTypeProfile<1, 2, [SDTCisSameAs<1, 2>, SDTCisInt<0>, SDTCisInt<1>]>>;
def X86unmerge : SDNode<"X86ISD::UNMERGE", SDTypeProfile<2, 1, [SDTCisSameAs<0, 1>, SDTCisInt<0>, SDTCisInt<2>]>>;
def : GINodeEquiv<G_MERGE_VALUES, X86merge>;
def : GINodeEquiv<G_UNMERGE_VALUES, X86unmerge>;
// The same of a number in a vector register, whose halves are in general registers.
def X86mergef   : SDNode<"X86ISD::MERGEF", SDTypeProfile<1, 2, [SDTCisSameAs<1, 2>, SDTCisFP<0>, SDTCisInt<1>]>>;
def X86unmergef : SDNode<"X86ISD::UNMERGEF", SDTypeProfile<2, 1, [SDTCisSameAs<0, 1>, SDTCisInt<0>, SDTCisFP<2>]>>;
def : GINodeEquiv<G_MERGE_VALUES, X86mergef>;
def : GINodeEquiv<G_UNMERGE_VALUES, X86unmergef>;
def X86brjt : SDNode<"ISD::BR_JT", SDTypeProfile<0, 3, [SDTCisPtrTy<0>, SDTCisPtrTy<1>, SDTCisInt<2>]>, [SDNPHasChain]>;
def : GINodeEquiv<G_BRJT, X86brjt>;
def X86cmpxchg : SDNode<"ISD::ATOMIC_CMP_SWAP_WITH_SUCCESS",
  SDTypeProfile<2, 3, [SDTCisSameAs<0, 3>, SDTCisSameAs<0, 4>, SDTCisInt<0>, SDTCisInt<1>, SDTCisPtrTy<2>]>,
  [SDNPHasChain, SDNPMayLoad, SDNPMayStore, SDNPMemOperand]>;
def : GINodeEquiv<G_ATOMIC_CMPXCHG_WITH_SUCCESS, X86cmpxchg>;

//===- Operands ------------------------------------------------------------===//

class GIMatcher<ComplexPattern p> : GIComplexOperandMatcher<s64, p.SelectFunc>, GIComplexPatternEquiv<p>;
class GIRenderer<SDNodeXForm x> : GICustomOperandRenderer<x.XFormFunction>, GISDNodeXFormEquiv<x>;

// Memory operands: base, scale, index, displacement, segment.
def addr : ComplexPattern<iPTR, 5, "selectAddr">;
// Sums worth a LEA, and addresses of things.
def lea64addr : ComplexPattern<i64, 5, "selectLEA",
  [add, sub, shl, mul, or, frameindex, globaladdr, constpool, jumptable, blockaddress], [], 7>;
// The same of 32 bits, out of the low halves of 64-bit registers.
def lea32addr : ComplexPattern<i32, 5, "selectLEA32", [add, sub, shl, mul, or], [], 7>;
def : GIComplexOperandMatcher<s32, "selectLEA32">, GIComplexPatternEquiv<lea32addr>;
// What lea64addr and those below are in 32-bit mode.
def leaaddr : ComplexPattern<i32, 5, "selectLEA",
  [add, sub, shl, mul, or, frameindex, globaladdr, constpool, jumptable, blockaddress], [], 8>;
def got32addr : ComplexPattern<i32, 5, "selectGOT", [globaladdr], [], 30>;
def tpoff32addr : ComplexPattern<i32, 1, "selectTPOff", [globaladdr], [], 32>;
def gottpoff32addr : ComplexPattern<i32, 5, "selectGOTTPOff", [globaladdr], [], 33>;
foreach p = [leaaddr, got32addr, tpoff32addr, gottpoff32addr] in
  def : GIComplexOperandMatcher<s32, p.SelectFunc>, GIComplexPatternEquiv<p>;
// A global whose address is in the GOT.
def gotaddr : ComplexPattern<i64, 5, "selectGOT", [globaladdr], [], 30>;
// An address that only a 64-bit immediate holds.
def abs64addr : ComplexPattern<i64, 1, "selectAbs64", [globaladdr, blockaddress, constpool, jumptable], [], 29>;
// The offset of a thread-local variable: a constant, or in the GOT.
def tpoffaddr : ComplexPattern<i64, 1, "selectTPOff", [globaladdr], [], 32>;
def gottpoffaddr : ComplexPattern<i64, 5, "selectGOTTPOff", [globaladdr], [], 33>;
foreach p = [addr, lea64addr, gotaddr, abs64addr, tpoffaddr, gottpoffaddr] in def : GIMatcher<p>;

// A floating-point constant with one user: an operand in memory.
def fpconst32 : ComplexPattern<f32, 5, "selectFPConst", [fpimm]>;
def fpconst64 : ComplexPattern<f64, 5, "selectFPConst", [fpimm]>;
def : GIComplexOperandMatcher<s32, "selectFPConst">, GIComplexPatternEquiv<fpconst32>;
def : GIComplexOperandMatcher<s64, "selectFPConst">, GIComplexPatternEquiv<fpconst64>;

def fp32imm0 : FPImmLeaf<f32, [{ return Imm.isPosZero(); }]>;
def fp64imm0 : FPImmLeaf<f64, [{ return Imm.isPosZero(); }]>;

def i64immSExt32 : ImmLeaf<i64, [{ return isInt<32>(Imm); }]>;
def i64immZExt32 : ImmLeaf<i64, [{ return isUInt<32>(Imm); }]>;

// The address of a constant pool entry with a floating-point constant.
def fconst_addr : SDNodeXForm<fpimm, "fconstAddr"> { let NumOperands = 5; }
def : GIRenderer<fconst_addr>;

//===- Memory --------------------------------------------------------------===//
// Address spaces are segments, which addr knows by the type of the pointer. Plain
// accesses are load0 and store0; atomic loads, and atomic stores that are not
// sequentially consistent, are the same instructions.

class LoadOf<SDPatternOperator of> : PatFrag<(ops node:$p), (of node:$p)>;
class StoreOf<SDPatternOperator of> : PatFrag<(ops node:$v, node:$p), (of node:$v, node:$p)>;
def load0 : LoadOf<load>;
foreach x = ["extload", "sextload", "zextload"] in foreach n = [8, 16, 32] in def x#"0i"#n : LoadOf<!cast<PatFrag>(x#"i"#n)>;
def store0 : StoreOf<store>;
foreach n = [8, 16, 32] in def truncstore0i#n : StoreOf<!cast<PatFrag>("truncstorei"#n)>;
class RMWFrag<SDPatternOperator of> : PatFrag<(ops node:$p, node:$v), (of node:$p, node:$v)>;
def atomic_swap0 : RMWFrag<atomic_swap>;
foreach op = ["add", "sub", "and", "or", "xor"] in {
  def atomic_load_#op#"0" : RMWFrag<!cast<SDNode>("atomic_load_"#op)>;
  def atomic_load_#op#"0_noret" : RMWFrag<!cast<SDNode>("atomic_load_"#op)> { let HasNoUse = 1; }
}
class CASFrag<SDPatternOperator of> : PatFrag<(ops node:$p, node:$c, node:$n), (of node:$p, node:$c, node:$n)>;
def atomic_cmp_swap0 : CASFrag<atomic_cmp_swap>;
def X86cmpxchg0 : CASFrag<X86cmpxchg>;
foreach n = [8, 16, 32, 64] in {
  def atomic_load0_#n : LoadOf<!cast<PatFrag>("atomic_load_nonext_"#n)>;
  foreach x = ["aext", "sext", "zext"] in def atomic_load0_#x#"_"#n : LoadOf<!cast<PatFrag>("atomic_load_"#x#"_"#n)>;
}
let IsAtomic = 1 in {
  class AtomicStore0<int n> : StoreOf<!cast<PatFrag>("atomic_store_"#n)>;
  foreach n = [8, 16, 32, 64] in {
    def atomic_store0_relaxed_#n : AtomicStore0<n> { let IsAtomicOrderingReleaseOrStronger = 0; }
    def atomic_store0_release_#n : AtomicStore0<n> { let IsAtomicOrderingRelease = 1; }
    def atomic_store0_seq_cst_#n : AtomicStore0<n> { let IsAtomicOrderingSequentiallyConsistent = 1; }
  }
}
// Up to release order, and unordered ones.
foreach n = [8, 16, 32, 64] in
  def atomic_store0_#n : PatFrags<(ops node:$v, node:$p), [
    (!cast<PatFrag>("atomic_store0_relaxed_"#n) node:$v, node:$p), (!cast<PatFrag>("atomic_store0_release_"#n) node:$v, node:$p)]>;
// Extending loads as the legalizer leaves them: one instruction, or two.
foreach n = [8, 16, 32] in foreach x = [["zextload", "zext"], ["sextload", "sext"], ["extload", "anyext"]] in
  def x86_#x[0]#"i"#n : PatFrags<(ops node:$p), [
    (!cast<PatFrag>(x[0]#"0i"#n) node:$p),
    (!cast<PatFrag>("atomic_load0_"#!if(!eq(x[1], "anyext"), "aext", x[1])#"_"#n) node:$p),
    (!cast<SDNode>(x[1]) (!cast<ValueType>("i"#n) (load0 node:$p)))]>;

//===- Conditions ----------------------------------------------------------===//

defvar COND_O = 0;  defvar COND_NO = 1; defvar COND_B = 2;  defvar COND_AE = 3;
defvar COND_E = 4;  defvar COND_NE = 5; defvar COND_BE = 6; defvar COND_A = 7;
defvar COND_S = 8;  defvar COND_NS = 9; defvar COND_P = 10; defvar COND_NP = 11;
defvar COND_L = 12; defvar COND_GE = 13; defvar COND_LE = 14; defvar COND_G = 15;

defvar IntCodes = [SETEQ, SETNE, SETUGT, SETUGE, SETULT, SETULE, SETGT, SETGE, SETLT, SETLE];
def X86CC : CondMap<IntCodes,
  [COND_E, COND_NE, COND_A, COND_AE, COND_B, COND_BE, COND_G, COND_GE, COND_L, COND_LE]>;
// Conditions of a comparison with its operands exchanged.
def X86CCSwap : CondMap<IntCodes,
  [COND_E, COND_NE, COND_B, COND_BE, COND_A, COND_AE, COND_L, COND_LE, COND_G, COND_GE]>;
// Conditions against zero that TEST answers.
def X86CCZero : CondMap<IntCodes,
  [COND_E, COND_NE, COND_A, COND_AE, COND_B, COND_BE, COND_G, COND_NS, COND_S, COND_LE]>;
// UCOMIS sets ZF, PF, CF as an unsigned comparison; all three when unordered.
def X86FCC : CondMap<[SETOGT, SETOGE, SETULT, SETULE, SETUEQ, SETONE, SETO, SETUO],
  [COND_A, COND_AE, COND_B, COND_BE, COND_E, COND_NE, COND_NP, COND_P]>;
def X86FCCSwap : CondMap<[SETOLT, SETOLE, SETUGT, SETUGE], [COND_A, COND_AE, COND_B, COND_BE]>;

// What an integer type of x86 is made of.
class IntType<int n> {
  int Bits = n;
  ValueType VT = !cast<ValueType>("i"#n);
  RegisterClass RC = !cast<RegisterClass>("GR"#n);
  SDPatternOperator Imm = !if(!eq(n, 64), i64immSExt32, imm);
  string S = !cast<string>(n);
  string RI = S#"ri"#!if(!eq(n, 64), "32", "");
  string MI = S#"mi"#!if(!eq(n, 64), "32", "");
  Register A = !cast<Register>(!cond(!eq(n, 8): "AL", !eq(n, 16): "AX", !eq(n, 32): "EAX", true: "RAX"));
  Register D = !cast<Register>(!cond(!eq(n, 8): "AH", !eq(n, 16): "DX", !eq(n, 32): "EDX", true: "RDX"));
}
def I8 : IntType<8>;
def I16 : IntType<16>;
def I32 : IntType<32>;
def I64 : IntType<64>;
defvar IntTypes = [I8, I16, I32, I64];
defvar WideTypes = [I16, I32, I64];

include "X86Int.td"
include "X86Flags.td"
include "X86FP.td"
include "X86X87.td"
include "X86Memory.td"
include "X86Vector.td"
include "X86AVX512.td"
include "zz_X86Intrinsics.td"
include "X86Intrinsics.td"
