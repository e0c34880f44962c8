// A small machine that uses most of what selection patterns can say.
include "llvm/Target/Target.td"

def ToyInstrInfo : InstrInfo;
def Toy : Target { let InstructionSet = ToyInstrInfo; }

class TReg<string n> : Register<n> { let Namespace = "Toy"; }
let Namespace = "Toy" in {
  def sub_lo : SubRegIndex<32, 0>;
  def sub_hi : SubRegIndex<32, 32>;
}
foreach i = 0...15 in def X#i : TReg<"x"#i>;
foreach i = 0...7 in def D#i : TReg<"d"#i> {
  let SubRegs = [!cast<Register>("X"#!mul(i, 2)), !cast<Register>("X"#!add(!mul(i, 2), 1))];
  let SubRegIndices = [sub_lo, sub_hi];
  let CoveredBySubRegs = 1;
}
foreach i = 0...7 in def F#i : TReg<"f"#i>;
foreach i = 0...7 in def V#i : TReg<"v"#i>;
def CC : TReg<"cc">;

def GPR : RegisterClass<"Toy", [i32], 32, (sequence "X%u", 0, 15)>;
def PAIR : RegisterClass<"Toy", [i64, v2i32], 64, (sequence "D%u", 0, 7)>;
def FPR : RegisterClass<"Toy", [f32, f16], 32, (sequence "F%u", 0, 7)>;
def VEC : RegisterClass<"Toy", [v4i32, v8i16, v4f32], 128, (sequence "V%u", 0, 7)>;
def FLAGS : RegisterClass<"Toy", [i1], 8, (add CC)> { let CopyCost = -1; }

def HasMul : Predicate<"Subtarget->hasMul()">;
def NotMul : Predicate<"!Subtarget->hasMul()">;

// Immediates.
def simm12 : Operand<i32>, ImmLeaf<i32, [{ return isInt<12>(Imm); }]>;
def uimm5 : Operand<i32>, ImmLeaf<i32, [{ return isUInt<5>(Imm); }]>;
def LO16 : SDNodeXForm<imm, [{ return CurDAG->getTargetConstant(N->getZExtValue() & 0xffff, SDLoc(N), MVT::i32); }]>;
def HI16 : SDNodeXForm<imm, [{ return CurDAG->getTargetConstant(N->getZExtValue() >> 16, SDLoc(N), MVT::i32); }]>;
def NEG : SDNodeXForm<imm, [{ return CurDAG->getTargetConstant(-N->getSExtValue(), SDLoc(N), MVT::i32); }]>;
def neg12 : PatLeaf<(i32 imm), [{ return isInt<12>(-N->getSExtValue()); }], NEG>;
def pow2 : ImmLeaf<i32, [{ return Imm > 0 && isPowerOf2_64(Imm); }]>;
def bigimm : IntImmLeaf<i32, [{ return Imm.isStrictlyPositive(); }]>;
def fpzero : FPImmLeaf<f32, [{ return Imm.isExactlyValue(+0.0); }]>;
def tuimm4 : Operand<i32>, TImmLeaf<i32, [{ return isUInt<4>(Imm); }]>;

// Addresses.
def memri : Operand<iPTR> { let MIOperandInfo = (ops GPR, simm12); }
def addr : ComplexPattern<iPTR, 2, "SelectAddr", [frameindex, add]>;
def shifted : ComplexPattern<i32, 2, "SelectShifted", [shl, srl], [], 5>;
def target : Operand<OtherVT>;

class I<dag outs, dag ins, string asm, list<dag> pat = []> : Instruction {
  let Namespace = "Toy";
  let OutOperandList = outs;
  let InOperandList = ins;
  let AsmString = asm;
  let Pattern = pat;
  field bits<32> Inst;
  let Size = 4;
  let hasSideEffects = 0;
}
class RR<string m, SDPatternOperator op> : I<(outs GPR:$d), (ins GPR:$a, GPR:$b), m # " $d, $a, $b", [(set GPR:$d, (op GPR:$a, GPR:$b))]>;
class RI<string m, SDPatternOperator op, Operand o = simm12>
  : I<(outs GPR:$d), (ins GPR:$a, o:$i), m # " $d, $a, $i", [(set GPR:$d, (op GPR:$a, !cast<SDPatternOperator>(!cast<string>(o)):$i))]>;

def ADD : RR<"add", add>;
def SUB : RR<"sub", sub>;
def AND : RR<"and", and>;
def OR  : RR<"or", or>;
def XOR : RR<"xor", xor>;
def SHL : RR<"shl", shl>;
def ADDI : RI<"addi", add>;
def ANDI : RI<"andi", and>;
def SHLI : RI<"shli", shl, uimm5>;
let Predicates = [HasMul] in {
  def MUL : RR<"mul", mul>;
  def DIVREM : I<(outs GPR:$q, GPR:$r), (ins GPR:$a, GPR:$b), "divrem", [(set GPR:$r, GPR:$q, (sdivrem GPR:$a, GPR:$b))]>;
}
def MADD : I<(outs GPR:$d), (ins GPR:$a, GPR:$b, GPR:$c), "madd", [(set i32:$d, (add (mul i32:$a, i32:$b), i32:$c))]>;
def ADD3 : I<(outs GPR:$d), (ins GPR:$a, GPR:$b, GPR:$c), "add3", [(set GPR:$d, (add (add GPR:$a, GPR:$b), GPR:$c))]>;
def ADDSH : I<(outs GPR:$d), (ins GPR:$a, GPR:$b, uimm5:$s), "addsh">;
def regshift : Operand<i32> { let MIOperandInfo = (ops GPR, i32imm); }
def ADDX : I<(outs GPR:$d), (ins GPR:$a, regshift:$s), "addx">;
def ANDN : I<(outs GPR:$d), (ins GPR:$a, GPR:$b), "andn", [(set GPR:$d, (and GPR:$a, (not GPR:$b)))]>;
def MOVI : I<(outs GPR:$d), (ins simm12:$i), "movi", [(set GPR:$d, simm12:$i)]>;
def LUI : I<(outs GPR:$d), (ins i32imm:$i), "lui">;
def ORI : I<(outs GPR:$d), (ins GPR:$a, i32imm:$i), "ori">;
let mayLoad = 1 in {
  def LW : I<(outs GPR:$d), (ins memri:$p), "lw", [(set GPR:$d, (load addr:$p))]>;
  def LB : I<(outs GPR:$d), (ins memri:$p), "lb", [(set GPR:$d, (sextloadi8 addr:$p))]>;
  def LBU : I<(outs GPR:$d), (ins memri:$p), "lbu">;
  def ADDM : I<(outs GPR:$d), (ins GPR:$a, memri:$p), "addm", [(set GPR:$d, (add GPR:$a, (load addr:$p)))]>;
}
let mayStore = 1 in {
  def SW : I<(outs), (ins GPR:$v, memri:$p), "sw", [(store GPR:$v, addr:$p)]>;
  def SB : I<(outs), (ins GPR:$v, memri:$p), "sb", [(truncstorei8 GPR:$v, addr:$p)]>;
}
let mayLoad = 1, mayStore = 1 in
def INCM : I<(outs), (ins memri:$p), "incm", [(store (add (i32 (load addr:$p)), 1), addr:$p)]>;
def : Pat<(i32 (zextloadi8 addr:$p)), (LBU addr:$p)>;
def : Pat<(i32 (extloadi8 addr:$p)), (LBU addr:$p)>;
let isBranch = 1, isTerminator = 1 in {
  def J : I<(outs), (ins target:$t), "j", [(br bb:$t)]>;
  def BNZ : I<(outs), (ins GPR:$a, target:$t), "bnz", [(brcond GPR:$a, bb:$t)]>;
}
def SLT : I<(outs GPR:$d), (ins GPR:$a, GPR:$b), "slt", [(set GPR:$d, (setlt GPR:$a, GPR:$b))]>;
def SLTU : I<(outs GPR:$d), (ins GPR:$a, GPR:$b), "sltu">;
def : Pat<(setult GPR:$a, GPR:$b), (SLTU GPR:$a, GPR:$b)>;
def : Pat<(setcc i32:$a, i32:$b, SETGT), (SLT $b, $a)>;

def : Pat<(i32 imm:$i), (ORI (LUI (HI16 imm:$i)), (LO16 imm:$i))>;
let AddedComplexity = 5 in def : Pat<(i32 bigimm:$i), (LUI (HI16 $i))>;
def : Pat<(sub GPR:$a, neg12:$i), (ADDI GPR:$a, neg12:$i)>;
def : Pat<(sra GPR:$a, neg12:$i), (ADDI GPR:$a, (NEG neg12:$i))>; // transformed twice: no type, left out
def : Pat<(add GPR:$a, (shl GPR:$b, uimm5:$s)), (ADDSH GPR:$a, GPR:$b, uimm5:$s)>;
def : Pat<(mul GPR:$a, pow2:$c), (SHL GPR:$a, (MOVI imm:$c))>;
def : Pat<(i32 (add GPR:$a, (i32 shifted:$s))), (ADDX GPR:$a, shifted:$s)>;
def : Pat<(or (shl i32:$a, (i32 16)), (and i32:$b, 65535)), (ADDSH (ANDI $b, 15), $a, 16)>;

// Register pairs.
def : Pat<(i64 (anyext GPR:$a)), (INSERT_SUBREG (IMPLICIT_DEF), GPR:$a, sub_lo)>;
def : Pat<(i64 (zext GPR:$a)), (REG_SEQUENCE PAIR, GPR:$a, sub_lo, (MOVI 0), sub_hi)>;
def : Pat<(i32 (trunc PAIR:$a)), (EXTRACT_SUBREG PAIR:$a, sub_lo)>;
def : Pat<(v2i32 (bitconvert (i64 PAIR:$a))), (v2i32 PAIR:$a)>;
def : Pat<(i64 (bitconvert (v2i32 PAIR:$a))), (COPY_TO_REGCLASS PAIR:$a, PAIR)>;
def : Pat<(i64 (and PAIR:$a, (i64 (anyext GPR:$b)))), (SUBREG_TO_REG (i64 0), (AND (EXTRACT_SUBREG $a, sub_lo), $b), sub_lo)>;

// Floating point.
def FADD : I<(outs FPR:$d), (ins FPR:$a, FPR:$b), "fadd", [(set f32:$d, (any_fadd f32:$a, f32:$b))]>;
def FADDH : I<(outs FPR:$d), (ins FPR:$a, FPR:$b), "faddh", [(set f16:$d, (fadd f16:$a, f16:$b))]>;
def FMADD : I<(outs FPR:$d), (ins FPR:$a, FPR:$b, FPR:$c), "fmadd">;
def : Pat<(f32 (fadd (fmul_contract f32:$a, f32:$b), f32:$c)), (FMADD $a, $b, $c)>;
def : Pat<(any_fma f32:$a, f32:$b, f32:$c), (FMADD $a, $b, $c)>;
def FZERO : I<(outs FPR:$d), (ins), "fzero", [(set FPR:$d, fpzero)]>;
def FCVT : I<(outs FPR:$d), (ins FPR:$a), "fcvt">;
def : Pat<(f32 (fpextend (f16 FPR:$a))), (FCVT FPR:$a)>;
def : Pat<(i32 (fp_to_sint f32:$a)), (COPY_TO_REGCLASS (FCVT $a), GPR)>;

// Vectors.
class VV<string m, ValueType vt, SDPatternOperator op> : I<(outs VEC:$d), (ins VEC:$a, VEC:$b), m, [(set vt:$d, (op vt:$a, vt:$b))]>;
def VADDW : VV<"vaddw", v4i32, add>;
def VADDH : VV<"vaddh", v8i16, add>;
def VFADD : VV<"vfadd", v4f32, fadd>;
def VNOT : I<(outs VEC:$d), (ins VEC:$a), "vnot", [(set VEC:$d, (v4i32 (vnot VEC:$a)))]>;
def VZERO : I<(outs VEC:$d), (ins), "vzero", [(set v4i32:$d, (v4i32 immAllZerosV))]>;
def VEXT : I<(outs GPR:$d), (ins VEC:$a, uimm5:$i), "vext", [(set GPR:$d, (extractelt (v4i32 VEC:$a), uimm5:$i))]>;
def VSPLAT : I<(outs VEC:$d), (ins GPR:$a), "vsplat", [(set VEC:$d, (v4i32 (splat_vector GPR:$a)))]>;
def : Pat<(v4f32 (bitconvert (v4i32 VEC:$a))), (v4f32 VEC:$a)>;
def VSEL : I<(outs VEC:$d), (ins VEC:$m, VEC:$a, VEC:$b), "vsel", [(set VEC:$d, (vselect (v4i32 VEC:$m), (v4i32 VEC:$a), (v4i32 VEC:$b)))]>;

// Nodes of the target's own, flags, intrinsics.
def SDT_ToyCmp : SDTypeProfile<1, 2, [SDTCisVT<0, i1>, SDTCisVT<1, i32>, SDTCisSameAs<1, 2>]>;
def SDT_ToySel : SDTypeProfile<1, 3, [SDTCisSameAs<0, 1>, SDTCisSameAs<0, 2>, SDTCisVT<3, i1>]>;
def toycmp : SDNode<"ToyISD::CMP", SDT_ToyCmp>;
def toysel : SDNode<"ToyISD::SEL", SDT_ToySel>;
def SDT_ToyAddc : SDTypeProfile<2, 2, [SDTCisVT<0, i32>, SDTCisVT<1, i1>, SDTCisSameAs<0, 2>, SDTCisSameAs<0, 3>]>;
def toyaddc : SDNode<"ToyISD::ADDC", SDT_ToyAddc, [SDNPCommutative]>;
def toyret : SDNode<"ToyISD::RET", SDTNone, [SDNPHasChain, SDNPOptInGlue, SDNPVariadic]>;
def toycall : SDNode<"ToyISD::CALL", SDTypeProfile<0, -1, [SDTCisPtrTy<0>]>, [SDNPHasChain, SDNPOutGlue, SDNPOptInGlue, SDNPVariadic]>;
let Defs = [CC] in {
  def CMP : I<(outs), (ins GPR:$a, GPR:$b), "cmp", [(set CC, (toycmp GPR:$a, GPR:$b))]>;
  def ADDC : I<(outs GPR:$d), (ins GPR:$a, GPR:$b), "addc", [(set GPR:$d, CC, (toyaddc GPR:$a, GPR:$b))]>;
}
let Uses = [CC] in
def SEL : I<(outs GPR:$d), (ins GPR:$a, GPR:$b), "sel", [(set GPR:$d, (toysel GPR:$a, GPR:$b, CC))]>;
let isReturn = 1, isTerminator = 1 in def RET : I<(outs), (ins), "ret", [(toyret)]>;
let isCall = 1 in def CALL : I<(outs), (ins GPR:$f, variable_ops), "call", [(toycall GPR:$f)]>;

def int_toy_crc : Intrinsic<[llvm_i32_ty], [llvm_i32_ty, llvm_i32_ty], [IntrNoMem, Commutative]>;
def int_toy_io : Intrinsic<[llvm_i32_ty], [llvm_i32_ty, llvm_i32_ty], [ImmArg<ArgIndex<1>>]>;
def int_toy_any : Intrinsic<[llvm_anyint_ty], [LLVMMatchType<0>], [IntrNoMem]>;
let hasSideEffects = 1 in
def IO : I<(outs GPR:$d), (ins GPR:$a, tuimm4:$c), "io", [(set GPR:$d, (int_toy_io GPR:$a, tuimm4:$c))]>;
def CRC : I<(outs GPR:$d), (ins GPR:$a, GPR:$b), "crc", [(set GPR:$d, (int_toy_crc GPR:$a, GPR:$b))]>;
def CRCI : I<(outs GPR:$d), (ins GPR:$a, uimm5:$i), "crci", [(set GPR:$d, (int_toy_crc GPR:$a, uimm5:$i))]>;
def ANY : I<(outs GPR:$d), (ins GPR:$a), "any", [(set i32:$d, (int_toy_any i32:$a))]>;

// Operands with a default, fragments that look at their operands, atomics.
def rnd : OperandWithDefaultOps<i32, (ops (i32 7))>;
def CVT : I<(outs GPR:$d), (ins FPR:$a, rnd:$r), "cvt">;
def : Pat<(i32 (lrint f32:$a)), (CVT $a)>;
def : Pat<(i32 (lround f32:$a)), (CVT $a, 3)>;
def addsmall : PatFrag<(ops node:$x, node:$y), (add node:$x, node:$y), [{ return Operands[0].hasOneUse(); }]> { let PredicateCodeUsesOperands = 1; }
def : Pat<(xor (addsmall GPR:$a, GPR:$b), GPR:$c), (XOR (ADD $a, $b), $c)>;
def or_is_add : PatFrag<(ops node:$a, node:$b), (or node:$a, node:$b), [{ return CurDAG->haveNoCommonBitsSet(N->getOperand(0), N->getOperand(1)); }]>;
def addlike : PatFrags<(ops node:$a, node:$b), [(add node:$a, node:$b), (or_is_add node:$a, node:$b)]>;
def : Pat<(addlike GPR:$a, pow2:$b), (ADDI GPR:$a, imm:$b)>;
def : Pat<(and (xor GPR:$a, GPR:$b), GPR:$a), (ANDN $a, $b)>;
let mayLoad = 1, mayStore = 1 in
def AMOADD : I<(outs GPR:$d), (ins GPR:$p, GPR:$v), "amoadd", [(set GPR:$d, (atomic_load_add_i32_monotonic GPR:$p, GPR:$v))]>;
let mayStore = 1 in
def AST : I<(outs), (ins GPR:$v, GPR:$p), "ast", [(atomic_store_32 GPR:$v, GPR:$p)]>;
def FENCE : I<(outs), (ins), "fence"> { let hasSideEffects = 1; }
def : Pat<(atomic_fence (timm), (timm)), (FENCE)>;
def outmul : OutPatFrag<(ops node:$a), (MUL (MOVI 5), $a)>;
def : Pat<(i32 (ctpop GPR:$a)), (outmul GPR:$a)>;
def : Pat<(sext_inreg GPR:$a, i8), (SHLI GPR:$a, 24)>;
def : Pat<(i32 (select GPR:$c, GPR:$a, GPR:$b)), (MADD $a, $b, $c)>, Requires<[NotMul]>;
