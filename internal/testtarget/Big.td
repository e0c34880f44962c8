//===- Big.td - a machine for tests ----------------------------------------===//
//
// 32 bits, high byte first. What examples/target-tiny has one of, this machine
// has several of, or another way: data registers and address registers, condition
// registers of one bit, a return address that is no general register, no register
// of zeros, immediates of 16 signed bits, aligned accesses alone, no remainder, no
// sign-extending load of bytes.
//
//===----------------------------------------------------------------------===//

include "mirin/Target.td"
include "mirin/MC.td"
include "mirin/Sequence.td"
include "mirin/CallingConv.td"

def BigInstrInfo : InstrInfo;
def Big : Target { let InstructionSet = BigInstrInfo; }
def : MCByteOrder<1>;

//===- Registers -----------------------------------------------------------===//

class BigReg<string n, int enc, int dwarf, list<string> alt = []> : Register<n, alt> {
  let Namespace = "Big";
  let HWEncoding = enc;
  let DwarfNumbers = [dwarf];
}
foreach n = 0...14 in def D#n : BigReg<"d"#n, n, n>;
def D15 : BigReg<"d15", 15, 15>;             // scratch of the frame's code
foreach n = 0...4 in def A#n : BigReg<"a"#n, n, !add(16, n)>;
def A5 : BigReg<"a5", 5, 21>;                // scratch of the frame's code
def A6 : BigReg<"a6", 6, 22, ["fp"]>;        // frame pointer, where there is one
def A7 : BigReg<"a7", 7, 23, ["sp"]>;        // stack pointer
foreach n = 0...3 in def C#n : BigReg<"c"#n, n, !add(24, n)>;
def LR : BigReg<"lr", 0, 28>;                // return address

def DR : RegisterClass<"Big", [i32], 32, (add (sequence "D%u", 2, 7), D1, D0, (sequence "D%u", 8, 15))>;
def AR : RegisterClass<"Big", [i32], 32, (add A1, A0, (sequence "A%u", 2, 7))>;
def CR : RegisterClass<"Big", [i1], 32, (sequence "C%u", 0, 3)> { let Size = 32; }
def LinkR : RegisterClass<"Big", [i32], 32, (add LR)> { let isAllocatable = 0; }
def DataBank : RegisterBank<"DATA", [DR]>;
def AddrBank : RegisterBank<"ADDR", [AR]>;
def CondBank : RegisterBank<"COND", [CR]>;

//===- Operands ------------------------------------------------------------===//

def fixup_branch : MCFixup</*reloc=*/1, /*pcrel=*/1>;
def fixup_call   : MCFixup</*reloc=*/2, /*pcrel=*/1>;
def fixup_high   : MCFixup</*reloc=*/3> { let Add = 0x8000; let Drop = 16; let Bits = 16; let Signed = 0; let Wrap = 1; }
def fixup_low    : MCFixup</*reloc=*/4> { let Bits = 16; let Wrap = 1; }

let OperandType = "OPERAND_IMMEDIATE" in {
def simm16 : Operand<i32>, ImmFormat<16, /*signed=*/1> { let ImmFixup = fixup_low; }
def uimm16 : Operand<i32>, ImmFormat<16>;
def high16 : Operand<i32>, ImmFormat<16> { let ImmFixup = fixup_high; }
def shamt  : Operand<i32>, ImmFormat<5>;
}
let OperandType = "OPERAND_PCREL" in {
def brtarget   : Operand<OtherVT>, ImmFormat<16, 1, 2> { let ImmFixup = fixup_branch; }
def jumptarget : Operand<OtherVT>, ImmFormat<24, 1, 2> { let ImmFixup = fixup_call; }
def calltarget : Operand<i32>, ImmFormat<24, 1, 2> { let ImmFixup = fixup_call; }
}

//===- Instructions --------------------------------------------------------===//

class BigInst<bits<8> op, dag outs, dag ins, string asm> : Instruction {
  let Namespace = "Big";
  let Size = 4;
  field bits<32> Inst = 0;
  field bits<32> SoftFail = 0;
  let Inst{31-24} = op;
  let OutOperandList = outs;
  let InOperandList = ins;
  let AsmString = asm;
  let hasSideEffects = 0;
  let mayLoad = 0;
  let mayStore = 0;
}

// Three registers: | op | rd | ra | rb | 0 |
class RRR<bits<8> op, string name, RegisterClass d, RegisterClass a, RegisterClass b>
    : BigInst<op, (outs d:$rd), (ins a:$ra, b:$rb), name#"\t$rd, $ra, $rb"> {
  bits<4> rd;
  bits<4> ra;
  bits<4> rb;
  let Inst{23-20} = rd;
  let Inst{19-16} = ra;
  let Inst{15-12} = rb;
}
let isCommutable = 1 in {
def ADD   : RRR<1, "add", DR, DR, DR>;
def MUL   : RRR<2, "mul", DR, DR, DR>;
def MULHU : RRR<3, "mulhu", DR, DR, DR>;
def AND   : RRR<4, "and", DR, DR, DR>;
def OR    : RRR<5, "or", DR, DR, DR>;
def XOR   : RRR<6, "xor", DR, DR, DR>;
}
def SUB   : RRR<7, "sub", DR, DR, DR>;
def DIV   : RRR<8, "div", DR, DR, DR>;
def DIVU  : RRR<9, "divu", DR, DR, DR>;
def SHL   : RRR<10, "shl", DR, DR, DR>;
def SHR   : RRR<11, "shr", DR, DR, DR>;
def SAR   : RRR<12, "sar", DR, DR, DR>;
def ADDA  : RRR<13, "adda", AR, AR, DR>;
// Comparisons set a condition register.
let isCompare = 1 in {
def CMPEQ  : RRR<14, "cmpeq", CR, DR, DR>;
def CMPNE  : RRR<15, "cmpne", CR, DR, DR>;
def CMPLT  : RRR<16, "cmplt", CR, DR, DR>;
def CMPGE  : RRR<17, "cmpge", CR, DR, DR>;
def CMPLTU : RRR<18, "cmpltu", CR, DR, DR>;
def CMPGEU : RRR<19, "cmpgeu", CR, DR, DR>;
}
// rd = rc ? ra : rb
def SEL : BigInst<20, (outs DR:$rd), (ins CR:$rc, DR:$ra, DR:$rb), "sel\t$rd, $rc, $ra, $rb"> {
  bits<4> rd;
  bits<4> rc;
  bits<4> ra;
  bits<4> rb;
  let Inst{23-20} = rd;
  let Inst{19-16} = ra;
  let Inst{15-12} = rb;
  let Inst{11-8} = rc;
}

// Two registers: copies within and between the files.
class RR<bits<8> op, string name, RegisterClass d, RegisterClass a> : BigInst<op, (outs d:$rd), (ins a:$ra), name#"\t$rd, $ra"> {
  bits<4> rd;
  bits<4> ra;
  let Inst{23-20} = rd;
  let Inst{19-16} = ra;
}
let isMoveReg = 1 in {
def MOV   : RR<24, "mov", DR, DR>;
def MOVA  : RR<25, "mova", AR, AR>;
def MOVC  : RR<26, "movc", CR, CR>;
}
def MOVDA : RR<27, "movda", DR, AR>;
def MOVAD : RR<28, "movad", AR, DR>;
def MOVDC : RR<29, "movdc", DR, CR>;   // 0 or 1
def MOVNC : RR<30, "movnc", DR, CR>;   // 0 or -1
def MOVCD : RR<31, "movcd", CR, DR>;   // bit 0

// Two registers and a number: | op | rd | ra | imm |
class Imm<bits<8> op, string asm, dag outs, dag ins> : BigInst<op, outs, ins, asm> {
  bits<4> rd;
  bits<4> ra;
  bits<16> imm;
  let Inst{23-20} = rd;
  let Inst{19-16} = ra;
  let Inst{15-0} = imm;
}
class ImmOp<bits<8> op, string name, RegisterClass d, RegisterClass a, Operand imm>
    : Imm<op, name#"\t$rd, $ra, $imm", (outs d:$rd), (ins a:$ra, imm:$imm)>;
def ADDI  : ImmOp<32, "addi", DR, DR, simm16>;
def ANDI  : ImmOp<33, "andi", DR, DR, uimm16>;
def ORI   : ImmOp<34, "ori", DR, DR, uimm16>;
def XORI  : ImmOp<35, "xori", DR, DR, uimm16>;
def SHLI  : ImmOp<36, "shli", DR, DR, shamt>;
def SHRI  : ImmOp<37, "shri", DR, DR, shamt>;
def SARI  : ImmOp<38, "sari", DR, DR, shamt>;
def ADDAI : ImmOp<39, "addai", AR, AR, simm16>;
def BICAI : ImmOp<40, "bicai", AR, AR, uimm16>;   // ra & ~imm
def CMPEQI : ImmOp<41, "cmpeqi", CR, DR, simm16>;
def CMPNEI : ImmOp<42, "cmpnei", CR, DR, simm16>;
def CMPLTI : ImmOp<43, "cmplti", CR, DR, simm16>;
def CMPGEI : ImmOp<44, "cmpgei", CR, DR, simm16>;
def LI    : Imm<45, "li\t$rd, $imm", (outs DR:$rd), (ins simm16:$imm)> { let ra = 0; }
// rd = imm << 16
def LUI   : Imm<46, "lui\t$rd, $imm", (outs DR:$rd), (ins high16:$imm)> { let ra = 0; }
def LUA   : Imm<47, "lua\t$rd, $imm", (outs AR:$rd), (ins high16:$imm)> { let ra = 0; }

// Memory: | op | rd | ra | imm |; addresses are multiples of the size.
class Load<bits<8> op, string name, RegisterClass d>
    : Imm<op, name#"\t$rd, $imm($ra)", (outs d:$rd), (ins AR:$ra, simm16:$imm)> { let mayLoad = 1; }
class Store<bits<8> op, string name, RegisterClass d>
    : Imm<op, name#"\t$rd, $imm($ra)", (outs), (ins d:$rd, AR:$ra, simm16:$imm)> { let mayStore = 1; }
def LW  : Load<64, "lw", DR>;
def LH  : Load<65, "lh", DR>;
def LHU : Load<66, "lhu", DR>;
def LBU : Load<67, "lbu", DR>;
def LWA : Load<68, "lwa", AR>;
def LWC : Load<69, "lwc", CR>;
def LWL : Load<70, "lwl", LinkR>;
def SW  : Store<72, "sw", DR>;
def SH  : Store<73, "sh", DR>;
def SB  : Store<74, "sb", DR>;
def SWA : Store<75, "swa", AR>;
def SWC : Store<76, "swc", CR>;
def SWL : Store<77, "swl", LinkR>;

// Branches: from the branch itself, in words
class Branch<bits<8> op, string name> : BigInst<op, (outs), (ins CR:$rc, brtarget:$to), name#"\t$rc, $to"> {
  bits<4> rc;
  bits<16> to;
  let Inst{23-20} = rc;
  let Inst{15-0} = to;
  let isBranch = 1;
  let isTerminator = 1;
}
def BT : Branch<80, "bt">;
def BF : Branch<81, "bf">;
class Jump<bits<8> op, string name, Operand target> : BigInst<op, (outs), (ins target:$to), name#"\t$to"> {
  bits<24> to;
  let Inst{23-0} = to;
}
let isBranch = 1, isTerminator = 1, isBarrier = 1 in
def J : Jump<82, "j", jumptarget>;
let isCall = 1, Defs = [LR] in
def CALL : Jump<83, "call", calltarget>;
class JumpReg<bits<8> op, string name> : BigInst<op, (outs), (ins AR:$ra), name#"\t$ra"> {
  bits<4> ra;
  let Inst{19-16} = ra;
}
let isCall = 1, Defs = [LR] in
def CALLR : JumpReg<84, "callr">;
let isTerminator = 1, isBarrier = 1, isBranch = 1, isIndirectBranch = 1 in
def JR : JumpReg<85, "jr">;
let isTerminator = 1, isBarrier = 1, isReturn = 1, Uses = [LR] in
def RET : BigInst<86, (outs), (ins), "ret">;
let isTerminator = 1, isBarrier = 1, hasSideEffects = 1 in
def TRAP : BigInst<87, (outs), (ins), "trap">;

let isPseudo = 1, isCodeGenOnly = 1, Defs = [A7], Uses = [A7], hasSideEffects = 0, mayLoad = 0, mayStore = 0, Namespace = "Big",
    OutOperandList = (outs), InOperandList = (ins i32imm:$size, i32imm:$zero), AsmString = "" in {
def ADJCALLSTACKDOWN : Instruction;
def ADJCALLSTACKUP : Instruction;
}

def : InstAlias<"nop", (ADDI D0, D0, 0)>;

//===- Calls ---------------------------------------------------------------===//

// Numbers go in D0 to D3, those of several words in a pair that begins at an
// even register, the high word first; addresses in A0 and A1; A1 is the place of
// a result in memory. Variable arguments are on the stack.
def CC_Big : CallingConv<[
  CCIfByVal<CCPassByVal<4, 4>>,
  CCIfSRet<CCAssignToReg<[A1]>>,
  CCIfType<[i1, i8, i16], CCPromoteToType<i32>>,
  CCIfArgVarArg<CCIfSplit<CCAssignToStack<4, 8>>>,
  CCIfArgVarArg<CCAssignToStack<4, 4>>,
  CCIfPtr<CCAssignToReg<[A0, A1]>>,
  CCIfPtr<CCAssignToStack<4, 4>>,
  CCIfSplit<CCAssignToRegWithShadow<[D0, D2], [D0, D1]>>,
  CCIfSplit<CCAssignToStackWithShadow<4, 8, [D0, D1, D2, D3]>>,
  CCAssignToReg<[D0, D1, D2, D3]>,
  CCAssignToStack<4, 4>]>;
def RetCC_Big : CallingConv<[
  CCIfType<[i1, i8, i16], CCPromoteToType<i32>>,
  CCIfPtr<CCAssignToReg<[A0, A1]>>,
  CCIfType<[i32], CCAssignToReg<[D0, D1, D2, D3]>>]>;
def CSR_Big : CalleeSavedRegs<(add LR, (sequence "D%u", 8, 14), A2, A3, A4, A6)>;
def BigLayout : TargetLayout {
  let Triple = "big32";
  let DataLayout = "E-m:e-p:32:32-i64:64-n32-S64";
  let PointerSize = 4;
  let StackAlignment = 8;
  let StackPointer = A7;
  let ReservedRegs = [D15, A5, A7, LR];
  let CalleeSaved = "CSR_Big";
  let FrameSetup = ADJCALLSTACKDOWN;
  let FrameDestroy = ADJCALLSTACKUP;
  let Return = RET;
}

//===- Selection -----------------------------------------------------------===//

def : SelectionInfo { let Ambient = [A7]; let Types = [i32, i1]; let Classes = [DR, CR]; }

// What LLVM has no nodes for.
def bigbrjt : SDNode<"BigISD::BR_JT", SDTypeProfile<0, 3, [SDTCisPtrTy<0>, SDTCisPtrTy<1>, SDTCisInt<2>]>, [SDNPHasChain]>;
def biginttoptr : SDNode<"BigISD::INTTOPTR", SDTUnaryOp>;
def bigptrtoint : SDNode<"BigISD::PTRTOINT", SDTUnaryOp>;
def : GINodeEquiv<G_BRJT, bigbrjt>;
def : GINodeEquiv<G_INTTOPTR, biginttoptr>;
def : GINodeEquiv<G_PTRTOINT, bigptrtoint>;

def imms16 : ImmLeaf<i32, [{ return isInt<16>(Imm); }]>;
def immu16 : ImmLeaf<i32, [{ return isUInt<16>(Imm); }]>;
def immu5  : ImmLeaf<i32, [{ return isUInt<5>(Imm); }]>;
def hi : SDNodeXForm<imm, "high">;
def lo : SDNodeXForm<imm, "low">;
foreach x = [hi, lo] in def : GICustomOperandRenderer<x.XFormFunction>, GISDNodeXFormEquiv<x>;
def : Pat<(i32 imms16:$c), (LI $c)>;
def : Pat<(i32 imm:$c), (ADDI (LUI (hi $c)), (lo $c))>;
def : Pat<(i32 globaladdr:$g), (ADDAI (LUA tglobaladdr:$g), tglobaladdr:$g)>;
def : Pat<(i32 blockaddress:$g), (ADDAI (LUA tblockaddress:$g), tblockaddress:$g)>;
def : Pat<(i32 jumptable:$j), (ADDAI (LUA tjumptable:$j), tjumptable:$j)>;
def : Pat<(i32 frameindex:$f), (ADDAI tframeindex:$f, 0)>;

multiclass Binary<SDNode node, Instruction rr> {
  def : Pat<(node DR:$a, DR:$b), (rr $a, $b)>;
}
defm : Binary<add, ADD>;
defm : Binary<sub, SUB>;
defm : Binary<mul, MUL>;
defm : Binary<mulhu, MULHU>;
defm : Binary<sdiv, DIV>;
defm : Binary<udiv, DIVU>;
defm : Binary<and, AND>;
defm : Binary<or, OR>;
defm : Binary<xor, XOR>;
defm : Binary<shl, SHL>;
defm : Binary<srl, SHR>;
defm : Binary<sra, SAR>;
multiclass BinaryImm<SDNode node, Instruction ri, SDPatternOperator imm> {
  def : Pat<(node DR:$a, imm:$c), (ri $a, $c)>;
}
defm : BinaryImm<add, ADDI, imms16>;
defm : BinaryImm<and, ANDI, immu16>;
defm : BinaryImm<or, ORI, immu16>;
defm : BinaryImm<xor, XORI, immu16>;
defm : BinaryImm<shl, SHLI, immu5>;
defm : BinaryImm<srl, SHRI, immu5>;
defm : BinaryImm<sra, SARI, immu5>;
def : Pat<(i32 (ptradd AR:$a, DR:$b)), (ADDA $a, $b)>;
def : Pat<(i32 (ptradd AR:$a, imms16:$c)), (ADDAI $a, $c)>;
def : Pat<(i32 (ptradd frameindex:$f, imms16:$c)), (ADDAI tframeindex:$f, $c)>;

def : Pat<(i32 (biginttoptr DR:$a)), (COPY_TO_REGCLASS $a, DR)>;
def : Pat<(i32 (bigptrtoint DR:$a)), (COPY_TO_REGCLASS $a, DR)>;

// Carries, of which wider additions are made.
def : Pat<(uaddo DR:$a, DR:$b), (Seq (ADD $a, $b):$s, (MOVDC (CMPLTU $s, $a)):$c, (results $s, $c))>;
def : Pat<(usubo DR:$a, DR:$b), (Seq (SUB $a, $b):$s, (MOVDC (CMPLTU $a, $b)):$c, (results $s, $c))>;
def : Pat<(uaddo_carry DR:$a, DR:$b, DR:$in), (Seq (ADD $a, $b):$t, (MOVDC (CMPLTU $t, $a)):$c, (ANDI $in, 1):$i, (ADD $t, $i):$s,
                                             (OR $c, (MOVDC (CMPLTU $s, $i))):$out, (results $s, $out))>;
def : Pat<(usubo_carry DR:$a, DR:$b, DR:$in), (Seq (SUB $a, $b):$t, (MOVDC (CMPLTU $a, $b)):$c, (ANDI $in, 1):$i, (SUB $t, $i):$s,
                                             (OR $c, (MOVDC (CMPLTU $t, $i))):$out, (results $s, $out))>;

// Conditions
multiclass Compare<CondCode cc, Instruction ins> {
  def : Pat<(i1 (setcc DR:$a, DR:$b, cc)), (ins $a, $b)>;
}
multiclass CompareSwapped<CondCode cc, Instruction ins> {
  def : Pat<(i1 (setcc DR:$a, DR:$b, cc)), (ins $b, $a)>;
}
multiclass CompareImm<CondCode cc, Instruction ins> {
  def : Pat<(i1 (setcc DR:$a, imms16:$c, cc)), (ins $a, $c)>;
}
defm : Compare<SETEQ, CMPEQ>;
defm : Compare<SETNE, CMPNE>;
defm : Compare<SETLT, CMPLT>;
defm : Compare<SETGE, CMPGE>;
defm : Compare<SETULT, CMPLTU>;
defm : Compare<SETUGE, CMPGEU>;
defm : CompareSwapped<SETGT, CMPLT>;
defm : CompareSwapped<SETLE, CMPGE>;
defm : CompareSwapped<SETUGT, CMPLTU>;
defm : CompareSwapped<SETULE, CMPGEU>;
defm : CompareImm<SETEQ, CMPEQI>;
defm : CompareImm<SETNE, CMPNEI>;
defm : CompareImm<SETLT, CMPLTI>;
defm : CompareImm<SETGE, CMPGEI>;
def : Pat<(i32 (zext CR:$c)), (MOVDC $c)>;
def : Pat<(i32 (anyext CR:$c)), (MOVDC $c)>;
def : Pat<(i32 (sext CR:$c)), (MOVNC $c)>;
def : Pat<(i1 (trunc DR:$a)), (MOVCD $a)>;
def : Pat<(select CR:$c, DR:$a, DR:$b), (SEL $c, $a, $b)>;

def : Pat<(brcond CR:$c, bb:$to), (BT $c, $to)>;
def : Pat<(br bb:$to), (J $to)>;
def : Pat<(brind AR:$a), (JR $a)>;
def : Pat<(bigbrjt AR:$table, tjumptable, DR:$i), (JR (LWA (ADDA $table, (SHLI $i, 2)), 0))>;
def : Pat<(trap), (TRAP)>;
def : Pat<(i32 (stacksave)), (get A7)>;
def : Pat<(stackrestore AR:$p), (set A7, $p)>;

// Memory: a register, one with an offset, or an object of the frame.
multiclass Loads<SDPatternOperator node, Instruction ins> {
  def : Pat<(i32 (node AR:$p)), (ins $p, 0)>;
  def : Pat<(i32 (node (ptradd AR:$p, imms16:$c))), (ins $p, $c)>;
  def : Pat<(i32 (node frameindex:$f)), (ins tframeindex:$f, 0)>;
  def : Pat<(i32 (node (ptradd frameindex:$f, imms16:$c))), (ins tframeindex:$f, $c)>;
}
multiclass Stores<SDPatternOperator node, RegisterClass rc, Instruction ins> {
  def : Pat<(node rc:$v, AR:$p), (ins $v, $p, 0)>;
  def : Pat<(node rc:$v, (ptradd AR:$p, imms16:$c)), (ins $v, $p, $c)>;
  def : Pat<(node rc:$v, frameindex:$f), (ins $v, tframeindex:$f, 0)>;
  def : Pat<(node rc:$v, (ptradd frameindex:$f, imms16:$c)), (ins $v, tframeindex:$f, $c)>;
}
defm : Loads<load, LW>;
defm : Loads<load, LWA>;
defm : Loads<zextloadi8, LBU>;
defm : Loads<zextloadi16, LHU>;
defm : Loads<sextloadi16, LH>;
defm : Loads<extloadi8, LBU>;
defm : Loads<extloadi16, LHU>;
defm : Stores<store, DR, SW>;
defm : Stores<store, AR, SWA>;
defm : Stores<truncstorei8, DR, SB>;
defm : Stores<truncstorei16, DR, SH>;
