// The language of selection patterns: nodes and their types, fragments,
// conditions, patterns. Names and meaning are LLVM's (llvm/Target/
// TargetSelectionDAG.td), so that patterns read the same with either; what
// LLVM has and nobody here asked for yet is left out. docs/tablegen/
// global-isel.md says how patterns are written, mirin/Sequence.td adds results
// in several steps. mirin/Target.td includes this file.

#ifndef MIRIN_TARGET_SELECTION_DAG_TD
#define MIRIN_TARGET_SELECTION_DAG_TD

//===- Types of nodes -----------------------------------------------------===//
// Values are numbered: results first, then operands. A profile says what is the
// same first: then types that no register class holds (i1) come through.

class SDTypeConstraint<int opnum> { int OperandNum = opnum; }
class SDTCisVT<int op, ValueType vt> : SDTypeConstraint<op> { ValueType VT = vt; }
class SDTCisPtrTy<int op> : SDTypeConstraint<op>;
class SDTCisInt<int op> : SDTypeConstraint<op>;
class SDTCisFP<int op> : SDTypeConstraint<op>;
class SDTCisVec<int op> : SDTypeConstraint<op>;
class SDTCisSameAs<int op, int other> : SDTypeConstraint<op> { int OtherOperandNum = other; }
class SDTCisVTSmallerThanOp<int op, int other> : SDTypeConstraint<op> { int OtherOperandNum = other; }
class SDTCisOpSmallerThanOp<int op, int big> : SDTypeConstraint<op> { int BigOperandNum = big; }
class SDTCisEltOfVec<int op, int vec> : SDTypeConstraint<op> { int OtherOpNum = vec; }
class SDTCisSubVecOfVec<int op, int vec> : SDTypeConstraint<op> { int OtherOpNum = vec; }
class SDTCVecEltisVT<int op, ValueType vt> : SDTypeConstraint<op> { ValueType VT = vt; }
class SDTCisSameNumEltsAs<int op, int other> : SDTypeConstraint<op> { int OtherOperandNum = other; }
class SDTCisSameSizeAs<int op, int other> : SDTypeConstraint<op> { int OtherOperandNum = other; }

// NumOperands -1: any number.
class SDTypeProfile<int numresults, int numoperands, list<SDTypeConstraint> constraints> {
  int NumResults = numresults;
  int NumOperands = numoperands;
  list<SDTypeConstraint> Constraints = constraints;
}
def SDTNone    : SDTypeProfile<0, 0, []>;
def SDTOther   : SDTypeProfile<1, 0, [SDTCisVT<0, OtherVT>]>;
def SDTUNDEF   : SDTypeProfile<1, 0, []>;
def SDTIntLeaf : SDTypeProfile<1, 0, [SDTCisInt<0>]>;
def SDTFPLeaf  : SDTypeProfile<1, 0, [SDTCisFP<0>]>;
def SDTPtrLeaf : SDTypeProfile<1, 0, [SDTCisPtrTy<0>]>;
def SDTUnaryOp : SDTypeProfile<1, 1, []>;
def SDTFreeze  : SDTypeProfile<1, 1, [SDTCisSameAs<0, 1>]>;
def SDTPtrAddOp : SDTypeProfile<1, 2, [SDTCisSameAs<0, 1>, SDTCisPtrTy<1>, SDTCisInt<2>]>;
// Integers.
def SDTIntUnaryOp : SDTypeProfile<1, 1, [SDTCisSameAs<0, 1>, SDTCisInt<0>]>;
def SDTIntBinOp   : SDTypeProfile<1, 2, [SDTCisSameAs<0, 1>, SDTCisSameAs<0, 2>, SDTCisInt<0>]>;
def SDTIntShiftOp : SDTypeProfile<1, 2, [SDTCisSameAs<0, 1>, SDTCisInt<0>, SDTCisInt<2>, SDTCisSameNumEltsAs<0, 2>]>;
def SDTIntShiftDOp : SDTypeProfile<1, 3, [SDTCisSameAs<0, 1>, SDTCisSameAs<0, 2>, SDTCisInt<0>, SDTCisInt<3>, SDTCisSameNumEltsAs<0, 3>]>;
def SDTIntBinHiLoOp : SDTypeProfile<2, 2, [SDTCisSameAs<0, 1>, SDTCisSameAs<0, 2>, SDTCisSameAs<0, 3>, SDTCisInt<0>]>;
def SDTIntBitCountUnaryOp : SDTypeProfile<1, 1, [SDTCisInt<0>, SDTCisInt<1>, SDTCisSameNumEltsAs<0, 1>]>;
def SDTIntExtendOp : SDTypeProfile<1, 1, [SDTCisInt<0>, SDTCisInt<1>, SDTCisOpSmallerThanOp<1, 0>, SDTCisSameNumEltsAs<0, 1>]>;
def SDTIntTruncOp  : SDTypeProfile<1, 1, [SDTCisInt<0>, SDTCisInt<1>, SDTCisOpSmallerThanOp<0, 1>, SDTCisSameNumEltsAs<0, 1>]>;
def SDTExtInreg : SDTypeProfile<1, 2, [SDTCisSameAs<0, 1>, SDTCisInt<0>, SDTCisVT<2, OtherVT>, SDTCisVTSmallerThanOp<2, 1>]>;
// A result and a carry, with and without a carry in.
def SDTIntOverflowOp : SDTypeProfile<2, 2, [SDTCisSameAs<0, 2>, SDTCisSameAs<0, 3>, SDTCisInt<0>, SDTCisInt<1>]>;
def SDTIntCarryOp : SDTypeProfile<2, 3, [SDTCisSameAs<0, 2>, SDTCisSameAs<0, 3>, SDTCisSameAs<1, 4>, SDTCisInt<0>, SDTCisInt<1>]>;
// Floats.
def SDTFPUnaryOp   : SDTypeProfile<1, 1, [SDTCisSameAs<0, 1>, SDTCisFP<0>]>;
def SDTFPBinOp     : SDTypeProfile<1, 2, [SDTCisSameAs<0, 1>, SDTCisSameAs<0, 2>, SDTCisFP<0>]>;
def SDTFPTernaryOp : SDTypeProfile<1, 3, [SDTCisSameAs<0, 1>, SDTCisSameAs<0, 2>, SDTCisSameAs<0, 3>, SDTCisFP<0>]>;
def SDTFPSignOp    : SDTypeProfile<1, 2, [SDTCisSameAs<0, 1>, SDTCisFP<0>, SDTCisFP<2>, SDTCisSameNumEltsAs<0, 2>]>;
def SDTFPRoundOp   : SDTypeProfile<1, 1, [SDTCisFP<0>, SDTCisFP<1>, SDTCisOpSmallerThanOp<0, 1>, SDTCisSameNumEltsAs<0, 1>]>;
def SDTFPExtendOp  : SDTypeProfile<1, 1, [SDTCisFP<0>, SDTCisFP<1>, SDTCisOpSmallerThanOp<1, 0>, SDTCisSameNumEltsAs<0, 1>]>;
def SDTIntToFPOp   : SDTypeProfile<1, 1, [SDTCisFP<0>, SDTCisInt<1>, SDTCisSameNumEltsAs<0, 1>]>;
def SDTFPToIntOp   : SDTypeProfile<1, 1, [SDTCisInt<0>, SDTCisFP<1>, SDTCisSameNumEltsAs<0, 1>]>;
// Comparisons and branches.
def SDTSetCC  : SDTypeProfile<1, 3, [SDTCisSameAs<1, 2>, SDTCisInt<0>, SDTCisVT<3, OtherVT>]>;
def SDTSelect : SDTypeProfile<1, 3, [SDTCisSameAs<0, 2>, SDTCisSameAs<2, 3>, SDTCisInt<1>]>;
def SDTBr     : SDTypeProfile<0, 1, [SDTCisVT<0, OtherVT>]>;
def SDTBrcond : SDTypeProfile<0, 2, [SDTCisInt<0>, SDTCisVT<1, OtherVT>]>;
def SDTBrind  : SDTypeProfile<0, 1, [SDTCisPtrTy<0>]>;
def SDTUBSANTrap : SDTypeProfile<0, 1, [SDTCisInt<0>]>;
// Memory.
def SDTLoad  : SDTypeProfile<1, 1, [SDTCisPtrTy<1>]>;
def SDTStore : SDTypeProfile<0, 2, [SDTCisPtrTy<1>]>;
def SDTPrefetch : SDTypeProfile<0, 4, [SDTCisSameAs<1, 2>, SDTCisSameAs<1, 3>, SDTCisPtrTy<0>, SDTCisInt<1>]>;
def SDTAtomicFence : SDTypeProfile<0, 2, [SDTCisSameAs<0, 1>, SDTCisPtrTy<0>]>;
def SDTAtomicLoad  : SDTypeProfile<1, 1, [SDTCisPtrTy<1>]>;
def SDTAtomicStore : SDTypeProfile<0, 2, [SDTCisPtrTy<1>]>;
def SDTAtomic2 : SDTypeProfile<1, 2, [SDTCisSameAs<0, 2>, SDTCisInt<0>, SDTCisPtrTy<1>]>;
def SDTAtomic3 : SDTypeProfile<1, 3, [SDTCisSameAs<0, 2>, SDTCisSameAs<0, 3>, SDTCisInt<0>, SDTCisPtrTy<1>]>;

//===- Nodes --------------------------------------------------------------===//

class SDNodeProperty;
def SDNPCommutative : SDNodeProperty; // the first two operands may be exchanged
def SDNPAssociative : SDNodeProperty;
def SDNPHasChain    : SDNodeProperty;
def SDNPOutGlue     : SDNodeProperty;
def SDNPInGlue      : SDNodeProperty;
def SDNPOptInGlue   : SDNodeProperty;
def SDNPMayStore    : SDNodeProperty;
def SDNPMayLoad     : SDNodeProperty;
def SDNPSideEffect  : SDNodeProperty;
def SDNPMemOperand  : SDNodeProperty;
def SDNPVariadic    : SDNodeProperty;
def SDNPWantRoot    : SDNodeProperty; // of complex patterns
def SDNPWantParent  : SDNodeProperty;

class SDPatternOperator { list<SDNodeProperty> Properties = []; }
class SDNode<string opcode, SDTypeProfile typeprof, list<SDNodeProperty> props = [], string sdclass = "SDNode"> : SDPatternOperator {
  string Opcode = opcode;
  string SDClass = sdclass;
  let Properties = props;
  SDTypeProfile TypeProfile = typeprof;
}

def set; // of the patterns of instructions: (set dst, value)
def implicit;
def node; // an operand of a fragment
def srcvalue;

// Leaves.
def imm   : SDNode<"ISD::Constant", SDTIntLeaf>;
def timm  : SDNode<"ISD::TargetConstant", SDTIntLeaf>; // an immediate operand, in no register
def fpimm : SDNode<"ISD::ConstantFP", SDTFPLeaf>;
def bb    : SDNode<"ISD::BasicBlock", SDTOther>;
def cond  : SDNode<"ISD::CONDCODE", SDTOther>;
def undef : SDNode<"ISD::UNDEF", SDTUNDEF>;
// Addresses of things; with a t in front, the things as operands.
def globaladdr    : SDNode<"ISD::GlobalAddress", SDTPtrLeaf>;
def tglobaladdr   : SDNode<"ISD::TargetGlobalAddress", SDTPtrLeaf>;
def constpool     : SDNode<"ISD::ConstantPool", SDTPtrLeaf>;
def tconstpool    : SDNode<"ISD::TargetConstantPool", SDTPtrLeaf>;
def jumptable     : SDNode<"ISD::JumpTable", SDTPtrLeaf>;
def tjumptable    : SDNode<"ISD::TargetJumpTable", SDTPtrLeaf>;
def frameindex    : SDNode<"ISD::FrameIndex", SDTPtrLeaf>;
def tframeindex   : SDNode<"ISD::TargetFrameIndex", SDTPtrLeaf>;
def blockaddress  : SDNode<"ISD::BlockAddress", SDTPtrLeaf>;
def tblockaddress : SDNode<"ISD::TargetBlockAddress", SDTPtrLeaf>;

// Operators, by their profile; an upper-case C: commutative, A: and associative.
class IntBin<string op, string p = ""> : SDNode<"ISD::"#op, SDTIntBinOp, !cond(!eq(p, "A"): [SDNPCommutative, SDNPAssociative],
                                                                               !eq(p, "C"): [SDNPCommutative], true: []<SDNodeProperty>)>;
def add : IntBin<"ADD", "A">;
def sub : IntBin<"SUB">;
def mul : IntBin<"MUL", "A">;
def mulhs : IntBin<"MULHS", "C">;
def mulhu : IntBin<"MULHU", "C">;
def sdiv : IntBin<"SDIV">;
def udiv : IntBin<"UDIV">;
def srem : IntBin<"SREM">;
def urem : IntBin<"UREM">;
def and : IntBin<"AND", "A">;
def or  : IntBin<"OR", "A">;
def xor : IntBin<"XOR", "A">;
def smin : IntBin<"SMIN", "A">;
def smax : IntBin<"SMAX", "A">;
def umin : IntBin<"UMIN", "A">;
def umax : IntBin<"UMAX", "A">;
def saddsat : IntBin<"SADDSAT", "C">;
def uaddsat : IntBin<"UADDSAT", "C">;
def ssubsat : IntBin<"SSUBSAT">;
def usubsat : IntBin<"USUBSAT">;
def ptradd : SDNode<"ISD::PTRADD", SDTPtrAddOp>;
def sdivrem : SDNode<"ISD::SDIVREM", SDTIntBinHiLoOp>;
def udivrem : SDNode<"ISD::UDIVREM", SDTIntBinHiLoOp>;
def srl  : SDNode<"ISD::SRL", SDTIntShiftOp>;
def sra  : SDNode<"ISD::SRA", SDTIntShiftOp>;
def shl  : SDNode<"ISD::SHL", SDTIntShiftOp>;
def rotl : SDNode<"ISD::ROTL", SDTIntShiftOp>;
def rotr : SDNode<"ISD::ROTR", SDTIntShiftOp>;
def fshl : SDNode<"ISD::FSHL", SDTIntShiftDOp>;
def fshr : SDNode<"ISD::FSHR", SDTIntShiftDOp>;
def uaddo : SDNode<"ISD::UADDO", SDTIntOverflowOp, [SDNPCommutative]>;
def saddo : SDNode<"ISD::SADDO", SDTIntOverflowOp, [SDNPCommutative]>;
def umulo : SDNode<"ISD::UMULO", SDTIntOverflowOp, [SDNPCommutative]>;
def smulo : SDNode<"ISD::SMULO", SDTIntOverflowOp, [SDNPCommutative]>;
def usubo : SDNode<"ISD::USUBO", SDTIntOverflowOp>;
def ssubo : SDNode<"ISD::SSUBO", SDTIntOverflowOp>;
def uaddo_carry : SDNode<"ISD::UADDO_CARRY", SDTIntCarryOp, [SDNPCommutative]>;
def saddo_carry : SDNode<"ISD::SADDO_CARRY", SDTIntCarryOp, [SDNPCommutative]>;
def usubo_carry : SDNode<"ISD::USUBO_CARRY", SDTIntCarryOp>;
def ssubo_carry : SDNode<"ISD::SSUBO_CARRY", SDTIntCarryOp>;
def abs        : SDNode<"ISD::ABS", SDTIntUnaryOp>;
def bswap      : SDNode<"ISD::BSWAP", SDTIntUnaryOp>;
def bitreverse : SDNode<"ISD::BITREVERSE", SDTIntUnaryOp>;
def ctlz  : SDNode<"ISD::CTLZ", SDTIntBitCountUnaryOp>;
def cttz  : SDNode<"ISD::CTTZ", SDTIntBitCountUnaryOp>;
def ctpop : SDNode<"ISD::CTPOP", SDTIntBitCountUnaryOp>;
def ctlz_zero_undef : SDNode<"ISD::CTLZ_ZERO_UNDEF", SDTIntBitCountUnaryOp>;
def cttz_zero_undef : SDNode<"ISD::CTTZ_ZERO_UNDEF", SDTIntBitCountUnaryOp>;
def sext   : SDNode<"ISD::SIGN_EXTEND", SDTIntExtendOp>;
def zext   : SDNode<"ISD::ZERO_EXTEND", SDTIntExtendOp>;
def anyext : SDNode<"ISD::ANY_EXTEND", SDTIntExtendOp>;
def trunc  : SDNode<"ISD::TRUNCATE", SDTIntTruncOp>;
def sext_inreg : SDNode<"ISD::SIGN_EXTEND_INREG", SDTExtInreg>;
def bitconvert : SDNode<"ISD::BITCAST", SDTUnaryOp>;
def addrspacecast : SDNode<"ISD::ADDRSPACECAST", SDTUnaryOp>;
def freeze : SDNode<"ISD::FREEZE", SDTFreeze>;

class FPBin<string op, list<SDNodeProperty> p = []> : SDNode<"ISD::"#op, SDTFPBinOp, p>;
class FPUn<string op, list<SDNodeProperty> p = []> : SDNode<"ISD::"#op, SDTFPUnaryOp, p>;
def fadd : FPBin<"FADD", [SDNPCommutative]>;
def fsub : FPBin<"FSUB">;
def fmul : FPBin<"FMUL", [SDNPCommutative]>;
def fdiv : FPBin<"FDIV">;
def frem : FPBin<"FREM">;
def fma  : SDNode<"ISD::FMA", SDTFPTernaryOp, [SDNPCommutative]>;
def strict_fadd : FPBin<"STRICT_FADD", [SDNPHasChain, SDNPCommutative]>;
def strict_fsub : FPBin<"STRICT_FSUB", [SDNPHasChain]>;
def strict_fmul : FPBin<"STRICT_FMUL", [SDNPHasChain, SDNPCommutative]>;
def strict_fdiv : FPBin<"STRICT_FDIV", [SDNPHasChain]>;
def strict_fsqrt : FPUn<"STRICT_FSQRT", [SDNPHasChain]>;
def fminnum : FPBin<"FMINNUM", [SDNPCommutative, SDNPAssociative]>;
def fmaxnum : FPBin<"FMAXNUM", [SDNPCommutative, SDNPAssociative]>;
def fcopysign : SDNode<"ISD::FCOPYSIGN", SDTFPSignOp>;
def fneg  : FPUn<"FNEG">;
def fabs  : FPUn<"FABS">;
def fsqrt : FPUn<"FSQRT">;
def ffloor : FPUn<"FFLOOR">;
def fceil  : FPUn<"FCEIL">;
def ftrunc : FPUn<"FTRUNC">;
def frint  : FPUn<"FRINT">;
def fround : FPUn<"FROUND">;
def fnearbyint : FPUn<"FNEARBYINT">;
def froundeven : FPUn<"FROUNDEVEN">;
def fpround  : SDNode<"ISD::FP_ROUND", SDTFPRoundOp>;
def fpextend : SDNode<"ISD::FP_EXTEND", SDTFPExtendOp>;
def sint_to_fp : SDNode<"ISD::SINT_TO_FP", SDTIntToFPOp>;
def uint_to_fp : SDNode<"ISD::UINT_TO_FP", SDTIntToFPOp>;
def fp_to_sint : SDNode<"ISD::FP_TO_SINT", SDTFPToIntOp>;
def fp_to_uint : SDNode<"ISD::FP_TO_UINT", SDTFPToIntOp>;
def lrint  : SDNode<"ISD::LRINT", SDTFPToIntOp>;
def llrint : SDNode<"ISD::LLRINT", SDTFPToIntOp>;
def lround  : SDNode<"ISD::LROUND", SDTFPToIntOp>;
def llround : SDNode<"ISD::LLROUND", SDTFPToIntOp>;

def setcc  : SDNode<"ISD::SETCC", SDTSetCC>;
def select : SDNode<"ISD::SELECT", SDTSelect>;
def br     : SDNode<"ISD::BR", SDTBr, [SDNPHasChain]>;
def brcond : SDNode<"ISD::BRCOND", SDTBrcond, [SDNPHasChain]>;
def brind  : SDNode<"ISD::BRIND", SDTBrind, [SDNPHasChain]>;
class SideEffect<string op, SDTypeProfile p> : SDNode<"ISD::"#op, p, [SDNPHasChain, SDNPSideEffect]>;
def trap      : SideEffect<"TRAP", SDTNone>;
def debugtrap : SideEffect<"DEBUGTRAP", SDTNone>;
def ubsantrap : SideEffect<"UBSANTRAP", SDTUBSANTrap>;
def readcyclecounter : SideEffect<"READCYCLECOUNTER", SDTIntLeaf>;
def stacksave        : SideEffect<"STACKSAVE", SDTPtrLeaf>;
def stackrestore     : SideEffect<"STACKRESTORE", SDTBrind>;

// ld and st are what the fragments below choose from.
class MemNode<string op, SDTypeProfile p, list<SDNodeProperty> effects> : SDNode<"ISD::"#op, p, !listconcat([SDNPHasChain, SDNPMemOperand], effects)>;
def ld : MemNode<"LOAD", SDTLoad, [SDNPMayLoad]>;
def st : MemNode<"STORE", SDTStore, [SDNPMayStore]>;
def prefetch : MemNode<"PREFETCH", SDTPrefetch, [SDNPMayLoad, SDNPMayStore]>;
def atomic_fence : SideEffect<"ATOMIC_FENCE", SDTAtomicFence>;
def atomic_load  : MemNode<"ATOMIC_LOAD", SDTAtomicLoad, [SDNPMayLoad]>;
def atomic_store : MemNode<"ATOMIC_STORE", SDTAtomicStore, [SDNPMayStore]>; // (atomic_store value, address)
def atomic_swap  : MemNode<"ATOMIC_SWAP", SDTAtomic2, [SDNPMayLoad, SDNPMayStore]>;
foreach op = ["add", "sub", "and", "or", "xor", "nand", "min", "max", "umin", "umax"] in
  def atomic_load_#op : MemNode<"ATOMIC_LOAD_"#!toupper(op), SDTAtomic2, [SDNPMayLoad, SDNPMayStore]>;
def atomic_cmp_swap  : MemNode<"ATOMIC_CMP_SWAP", SDTAtomic3, [SDNPMayLoad, SDNPMayStore]>;

// Calls of intrinsics; patterns name the intrinsic (mirin/Intrinsics.td).
def intrinsic_void : SideEffect<"INTRINSIC_VOID", SDTypeProfile<0, -1, [SDTCisPtrTy<0>]>>;
def intrinsic_w_chain : SideEffect<"INTRINSIC_W_CHAIN", SDTypeProfile<1, -1, [SDTCisPtrTy<1>]>>;
def intrinsic_wo_chain : SDNode<"ISD::INTRINSIC_WO_CHAIN", SDTypeProfile<1, -1, [SDTCisPtrTy<1>]>>;

//===- Conditions of comparisons ------------------------------------------===//

class CondCode<string fcmpName = "", string icmpName = ""> {
  string ICmpPredicate = icmpName;
  string FCmpPredicate = fcmpName;
}
foreach c = ["OEQ", "OGT", "OGE", "OLT", "OLE", "ONE", "UEQ", "UNE"] in def SET#c : CondCode<"FCMP_"#c>;
foreach c = ["UGT", "UGE", "ULT", "ULE"] in def SET#c : CondCode<"FCMP_"#c, "ICMP_"#c>;
foreach c = ["GT", "GE", "LT", "LE"] in def SET#c : CondCode<"", "ICMP_S"#c>;
def SETEQ : CondCode<"", "ICMP_EQ">;
def SETNE : CondCode<"", "ICMP_NE">;
def SETO  : CondCode<"FCMP_ORD">;
def SETUO : CondCode<"FCMP_UNO">;
def SETFALSE : CondCode<"FCMP_FALSE">;
def SETTRUE  : CondCode<"FCMP_TRUE">;

//===- Fragments ----------------------------------------------------------===//

// What an operand of the source becomes. Where it becomes several operands, the
// record says how many.
class SDNodeXForm<SDNode opc, code xformFunction> {
  SDNode Opcode = opc;
  code XFormFunction = xformFunction;
  int NumOperands = 1;
}
def NOOP_SDNodeXForm : SDNodeXForm<imm, [{}]>;

// A fragment stands for each of Fragments. What it asks besides is C++ of a
// closed form (docs/tablegen/dag-isel.md) or the name of a Go function.
class PatFrags<dag ops, list<dag> frags, code pred = [{}], SDNodeXForm xform = NOOP_SDNodeXForm> : SDPatternOperator {
  dag Operands = ops;
  list<dag> Fragments = frags;
  code PredicateCode = pred;
  code GISelPredicateCode = [{}];
  code ImmediateCode = [{}];
  SDNodeXForm OperandTransform = xform;
  bit PredicateCodeUsesOperands = false;
  bit HasNoUse = ?;
  bit HasOneUse = ?;
  // One of the three says what node it is about; then the others count.
  bit IsLoad = ?;
  bit IsStore = ?;
  bit IsAtomic = ?;
  bit IsUnindexed = ?;
  bit IsNonExtLoad = ?;
  bit IsAnyExtLoad = ?;
  bit IsSignExtLoad = ?;
  bit IsZeroExtLoad = ?;
  bit IsTruncStore = ?;
  list<int> AddressSpaces = ?;
  int MinAlignment = ?;
  bit IsAtomicOrderingMonotonic = ?;
  bit IsAtomicOrderingAcquire = ?;
  bit IsAtomicOrderingRelease = ?;
  bit IsAtomicOrderingAcquireRelease = ?;
  bit IsAtomicOrderingSequentiallyConsistent = ?;
  bit IsAtomicOrderingAcquireOrStronger = ?;
  bit IsAtomicOrderingReleaseOrStronger = ?;
  ValueType MemoryVT = ?;
  ValueType ScalarMemoryVT = ?;
}
class GISelFlags { bit GIIgnoreCopies = ?; }
class PatFrag<dag ops, dag frag, code pred = [{}], SDNodeXForm xform = NOOP_SDNodeXForm> : PatFrags<ops, [frag], pred, xform>;
class OutPatFrag<dag ops, dag frag> : PatFrag<ops, frag>; // of results
class PatLeaf<dag frag, code pred = [{}], SDNodeXForm xform = NOOP_SDNodeXForm> : PatFrag<(ops), frag, pred, xform> {
  code GISelLeafPredicateCode = ?;
}
class ImmLeaf<ValueType vt, code pred, SDNodeXForm xform = NOOP_SDNodeXForm, SDNode ImmNode = imm>
    : PatFrag<(ops), (vt ImmNode), [{}], xform> {
  let ImmediateCode = pred;
  bit FastIselShouldIgnore = false;
  bit IsAPInt = false;
  bit IsAPFloat = false;
}
class TImmLeaf<ValueType vt, code pred, SDNodeXForm xform = NOOP_SDNodeXForm, SDNode ImmNode = timm> : ImmLeaf<vt, pred, xform, ImmNode>;
class IntImmLeaf<ValueType vt, code pred, SDNodeXForm xform = NOOP_SDNodeXForm> : ImmLeaf<vt, pred, xform> { let IsAPInt = true; }
class FPImmLeaf<ValueType vt, code pred, SDNodeXForm xform = NOOP_SDNodeXForm> : ImmLeaf<vt, pred, xform, fpimm> { let IsAPFloat = true; }

def immAllOnesV  : SDPatternOperator;
def immAllZerosV : SDPatternOperator;
def null_frag    : SDPatternOperator; // a pattern with it is none

def not  : PatFrag<(ops node:$in), (xor node:$in, -1)>;
def ineg : PatFrag<(ops node:$in), (sub 0, node:$in)>;

let IsLoad = true in {
  def unindexedload : PatFrag<(ops node:$ptr), (ld node:$ptr)> { let IsUnindexed = true; }
  class LoadFrag<SDPatternOperator of = unindexedload> : PatFrag<(ops node:$ptr), (of node:$ptr)>;
  def load     : LoadFrag { let IsNonExtLoad = true; }
  def extload  : LoadFrag { let IsAnyExtLoad = true; }
  def sextload : LoadFrag { let IsSignExtLoad = true; }
  def zextload : LoadFrag { let IsZeroExtLoad = true; }
  foreach x = ["extload", "sextload", "zextload"] in foreach n = [1, 8, 16, 32, 64] in
    def x#"i"#n : LoadFrag<!cast<PatFrag>(x)> { let MemoryVT = !cast<ValueType>("i"#n); }
  foreach n = [16, 32, 64] in
    def extloadf#n : LoadFrag<extload> { let MemoryVT = !cast<ValueType>("f"#n); }
}
let IsStore = true in {
  def unindexedstore : PatFrag<(ops node:$val, node:$ptr), (st node:$val, node:$ptr)> { let IsUnindexed = true; }
  class StoreFrag<SDPatternOperator of = unindexedstore> : PatFrag<(ops node:$val, node:$ptr), (of node:$val, node:$ptr)>;
  def store      : StoreFrag { let IsTruncStore = false; }
  def truncstore : StoreFrag { let IsTruncStore = true; }
  foreach n = [8, 16, 32, 64] in
    def truncstorei#n : StoreFrag<truncstore> { let MemoryVT = !cast<ValueType>("i"#n); }
}
let IsAtomic = true in {
  class AtomicLoadFrag<SDPatternOperator of = atomic_load> : PatFrag<(ops node:$ptr), (of node:$ptr)>;
  def atomic_load_nonext : AtomicLoadFrag { let IsNonExtLoad = true; }
  def atomic_load_aext   : AtomicLoadFrag { let IsAnyExtLoad = true; }
  def atomic_load_sext   : AtomicLoadFrag { let IsSignExtLoad = true; }
  def atomic_load_zext   : AtomicLoadFrag { let IsZeroExtLoad = true; }
  foreach n = [8, 16, 32, 64] in {
    foreach x = ["nonext", "aext", "sext", "zext"] in
      def atomic_load_#x#"_"#n : AtomicLoadFrag<!cast<PatFrag>("atomic_load_"#x)> { let MemoryVT = !cast<ValueType>("i"#n); }
    def atomic_store_#n : PatFrag<(ops node:$val, node:$ptr), (atomic_store node:$val, node:$ptr)> { let MemoryVT = !cast<ValueType>("i"#n); }
  }
}

// Comparisons by name.
foreach c = ["OEQ", "OGT", "OGE", "OLT", "OLE", "ONE", "O", "UO", "UEQ", "UGT", "UGE", "ULT", "ULE", "UNE", "EQ", "GT", "GE", "LT", "LE", "NE"] in
  def set#!tolower(c) : PatFrag<(ops node:$lhs, node:$rhs), (setcc node:$lhs, node:$rhs, !cast<CondCode>("SET"#c))>;

//===- Patterns -----------------------------------------------------------===//

// Values that a function recognises and renders as NumOperands operands.
// Complexity -1: three for each operand.
class ComplexPattern<ValueType ty, int numops, string fn, list<SDNode> roots = [], list<SDNodeProperty> props = [], int complexity = -1> {
  ValueType Ty = ty;
  int NumOperands = numops;
  string SelectFunc = fn;
  list<SDNode> RootNodes = roots;
  list<SDNodeProperty> Properties = props;
  int Complexity = complexity;
  bit WantsRoot = false;
  bit WantsParent = false;
}

class Pattern<dag patternToMatch, list<dag> resultInstrs> {
  dag PatternToMatch = patternToMatch;
  list<dag> ResultInstrs = resultInstrs;
  list<Predicate> Predicates = [];
  int AddedComplexity = 0;
  bit GISelShouldIgnore = false;
}
class Pat<dag pattern, dag result> : Pattern<pattern, [result]>;

#endif
