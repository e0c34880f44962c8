//===- Tiny.td - a small RISC, from nothing --------------------------------===//
//
// Sixteen registers of 32 bits, instructions of 32 bits, byte addresses,
// low byte first. docs/add-a-target.md walks through this file.
//
//===----------------------------------------------------------------------===//

include "mirin/Target.td"
include "mirin/MC.td"
include "mirin/Sequence.td"
include "mirin/CallingConv.td"

def TinyInstrInfo : InstrInfo;
def Tiny : Target { let InstructionSet = TinyInstrInfo; }

//===- Registers -----------------------------------------------------------===//

class TinyReg<int n, list<string> alt = []> : Register<"r"#n, alt> {
  let Namespace = "Tiny";
  let HWEncoding = n;
  let DwarfNumbers = [n];
}
def R0 : TinyReg<0, ["zero"]> { let isConstant = 1; }
def R1 : TinyReg<1, ["lr"]>;     // return address
def R2 : TinyReg<2, ["sp"]>;     // stack pointer
def R3 : TinyReg<3, ["fp"]>;     // reserved for a frame pointer
foreach n = 4...15 in def R#n : TinyReg<n>;

def GPR : RegisterClass<"Tiny", [i32], 32, (add (sequence "R%u", 4, 15), R1, R3, R2, R0)>;
def GPRBank : RegisterBank<"GPR", [GPR]>;

//===- Operands ------------------------------------------------------------===//

// Symbols: a distance to a code address, and the two halves of an address.
def fixup_branch : MCFixup</*reloc=*/1, /*pcrel=*/1>;
def fixup_call   : MCFixup</*reloc=*/2, /*pcrel=*/1>;
def fixup_high   : MCFixup</*reloc=*/3> { let Drop = 14; let Bits = 18; let Signed = 0; }
def fixup_low    : MCFixup</*reloc=*/4> { let Bits = 14; let Wrap = 1; }

let OperandType = "OPERAND_IMMEDIATE" in {
def simm18 : Operand<i32>, ImmFormat<18, /*signed=*/1>;
def uimm18 : Operand<i32>, ImmFormat<18> { let ImmFixup = fixup_low; }
def high18 : Operand<i32>, ImmFormat<18> { let ImmFixup = fixup_high; }
def shamt  : Operand<i32>, ImmFormat<5>;
}
let OperandType = "OPERAND_PCREL" in {
def brtarget   : Operand<OtherVT>, ImmFormat<18, 1, 2> { let ImmFixup = fixup_branch; }
def calltarget : Operand<i32>, ImmFormat<26, 1, 2> { let ImmFixup = fixup_call; }
}

//===- Instructions --------------------------------------------------------===//

class TinyInst<dag outs, dag ins, string asm> : Instruction {
  let Namespace = "Tiny";
  let Size = 4;
  field bits<32> Inst;
  field bits<32> SoftFail = 0;
  bits<6> opcode;
  let Inst{31-26} = opcode;
  let OutOperandList = outs;
  let InOperandList = ins;
  let AsmString = asm;
  let hasSideEffects = 0;
  let mayLoad = 0;
  let mayStore = 0;
}

// Three registers: | 0 | rd | ra | rb | 0 | function |
class ALU<bits<5> function, string name> : TinyInst<(outs GPR:$rd), (ins GPR:$ra, GPR:$rb), name#"\t$rd, $ra, $rb"> {
  bits<4> rd;
  bits<4> ra;
  bits<4> rb;
  let opcode = 0;
  let Inst{25-22} = rd;
  let Inst{21-18} = ra;
  let Inst{17-14} = rb;
  let Inst{13-5} = 0;
  let Inst{4-0} = function;
}
let isCommutable = 1 in {
def ADD : ALU<0, "add">;
def MUL : ALU<2, "mul">;
def AND : ALU<7, "and">;
def OR  : ALU<8, "or">;
def XOR : ALU<9, "xor">;
}
def SUB  : ALU<1, "sub">;
def DIV  : ALU<3, "div">;
def DIVU : ALU<4, "divu">;
def REM  : ALU<5, "rem">;
def REMU : ALU<6, "remu">;
def SHL  : ALU<10, "shl">;
def SHR  : ALU<11, "shr">;
def SAR  : ALU<12, "sar">;
def SLT  : ALU<13, "slt">;
def SLTU : ALU<14, "sltu">;
def MULHU : ALU<15, "mulhu">;
// rd = rb != 0 ? ra : rd
def CMOV : ALU<16, "cmov"> {
  let InOperandList = (ins GPR:$old, GPR:$ra, GPR:$rb);
  let Constraints = "$old = $rd";
}

// Two registers and a number: | opcode | rd | ra | imm |
class Imm<bits<6> op, string asm, dag outs, dag ins> : TinyInst<outs, ins, asm> {
  bits<4> rd;
  bits<4> ra;
  bits<18> imm;
  let opcode = op;
  let Inst{25-22} = rd;
  let Inst{21-18} = ra;
  let Inst{17-0} = imm;
}
class ALUI<bits<6> op, string name, Operand imm>
    : Imm<op, name#"\t$rd, $ra, $imm", (outs GPR:$rd), (ins GPR:$ra, imm:$imm)>;
def ADDI  : ALUI<1, "addi", simm18>;
def ANDI  : ALUI<2, "andi", uimm18>;
def ORI   : ALUI<3, "ori", uimm18>;
def XORI  : ALUI<4, "xori", uimm18>;
def SLTI  : ALUI<5, "slti", simm18>;
def SLTUI : ALUI<6, "sltui", uimm18>;
def SHLI  : ALUI<7, "shli", shamt>;
def SHRI  : ALUI<8, "shri", shamt>;
def SARI  : ALUI<9, "sari", shamt>;
// rd = imm << 14
def LUI : Imm<10, "lui\t$rd, $imm", (outs GPR:$rd), (ins high18:$imm)> { let ra = 0; }

// Memory: | opcode | rd | ra | imm |
class Load<bits<6> op, string name> : Imm<op, name#"\t$rd, $imm($ra)", (outs GPR:$rd), (ins GPR:$ra, simm18:$imm)> { let mayLoad = 1; }
class Store<bits<6> op, string name> : Imm<op, name#"\t$rd, $imm($ra)", (outs), (ins GPR:$rd, GPR:$ra, simm18:$imm)> { let mayStore = 1; }
def LW  : Load<16, "lw">;
def LH  : Load<17, "lh">;
def LHU : Load<18, "lhu">;
def LB  : Load<19, "lb">;
def LBU : Load<20, "lbu">;
def SW  : Store<24, "sw">;
def SH  : Store<25, "sh">;
def SB  : Store<26, "sb">;

// Branches: | opcode | ra | rb | offset | from the branch itself, in words
class Branch<bits<6> op, string name> : TinyInst<(outs), (ins GPR:$ra, GPR:$rb, brtarget:$to), name#"\t$ra, $rb, $to"> {
  bits<4> ra;
  bits<4> rb;
  bits<18> to;
  let opcode = op;
  let Inst{25-22} = ra;
  let Inst{21-18} = rb;
  let Inst{17-0} = to;
  let isBranch = 1;
  let isTerminator = 1;
}
// An even opcode and the odd one behind it are opposites.
def BEQ  : Branch<32, "beq">;
def BNE  : Branch<33, "bne">;
def BLT  : Branch<34, "blt">;
def BGE  : Branch<35, "bge">;
def BLTU : Branch<36, "bltu">;
def BGEU : Branch<37, "bgeu">;

class Jump<bits<6> op, string name, Operand target> : TinyInst<(outs), (ins target:$to), name#"\t$to"> {
  bits<26> to;
  let opcode = op;
  let Inst{25-0} = to;
}
def jumptarget : Operand<OtherVT>, ImmFormat<26, 1, 2> { let ImmFixup = fixup_call; let OperandType = "OPERAND_PCREL"; }
let isBranch = 1, isTerminator = 1, isBarrier = 1 in
def J : Jump<40, "j", jumptarget>;
let isCall = 1, Defs = [R1] in
def CALL : Jump<41, "call", calltarget>;

// To an address in a register.
class JumpReg<bits<6> op, string name> : TinyInst<(outs), (ins GPR:$ra), name#"\t$ra"> {
  bits<4> ra;
  let opcode = op;
  let Inst{25-22} = 0;
  let Inst{21-18} = ra;
  let Inst{17-0} = 0;
}
let isCall = 1, Defs = [R1] in
def CALLR : JumpReg<42, "callr">;
let isTerminator = 1, isBarrier = 1, isBranch = 1, isIndirectBranch = 1 in
def JR : JumpReg<43, "jr">;
let isTerminator = 1, isBarrier = 1, isReturn = 1, Uses = [R1] in
def RET : TinyInst<(outs), (ins), "ret"> {
  let opcode = 44;
  let Inst{25-0} = 0;
}
let isTerminator = 1, isBarrier = 1, hasSideEffects = 1 in
def TRAP : TinyInst<(outs), (ins), "trap"> {
  let opcode = 63;
  let Inst{25-0} = 0;
}

// Around calls; they become the move of the stack pointer, or nothing.
let isPseudo = 1, isCodeGenOnly = 1, Defs = [R2], Uses = [R2], hasSideEffects = 0, mayLoad = 0, mayStore = 0, Namespace = "Tiny" in {
def ADJCALLSTACKDOWN : Instruction {
  let OutOperandList = (outs);
  let InOperandList = (ins i32imm:$size, i32imm:$zero);
  let AsmString = "";
}
def ADJCALLSTACKUP : Instruction {
  let OutOperandList = (outs);
  let InOperandList = (ins i32imm:$size, i32imm:$zero);
  let AsmString = "";
}
}

def : InstAlias<"nop", (ADDI R0, R0, 0)>;
def : InstAlias<"mov\t$rd, $ra", (ADDI GPR:$rd, GPR:$ra, 0)>;
def : InstAlias<"li\t$rd, $imm", (ADDI GPR:$rd, R0, simm18:$imm)>;
def : InstAlias<"beqz\t$ra, $to", (BEQ GPR:$ra, R0, brtarget:$to)>;
def : InstAlias<"bnez\t$ra, $to", (BNE GPR:$ra, R0, brtarget:$to)>;
def : MnemonicAlias<"b", "j">;

//===- Calls ---------------------------------------------------------------===//

def CC_Tiny : CallingConv<[
  CCIfByVal<CCPassByVal<4, 4>>,
  CCIfType<[i1, i8, i16], CCPromoteToType<i32>>,
  CCIfType<[i32], CCAssignToReg<[R4, R5, R6, R7]>>,
  CCAssignToStack<4, 4>]>;
def RetCC_Tiny : CallingConv<[
  CCIfType<[i1, i8, i16], CCPromoteToType<i32>>,
  CCIfType<[i32], CCAssignToReg<[R4, R5]>>]>;
def CSR_Tiny : CalleeSavedRegs<(add R1, (sequence "R%u", 12, 15))>;
def TinyLayout : TargetLayout {
  let Triple = "tiny";
  let DataLayout = "e-m:e-p:32:32-i64:32-n32-S64";
  let PointerSize = 4;
  let StackAlignment = 8;
  let StackPointer = R2;
  let ReservedRegs = [R0, R2, R3];
  let CalleeSaved = "CSR_Tiny";
  let FrameSetup = ADJCALLSTACKDOWN;
  let FrameDestroy = ADJCALLSTACKUP;
  let Return = RET;
}

//===- Selection -----------------------------------------------------------===//

def : SelectionInfo { let Ambient = [R0, R2]; let Types = [i32]; let Classes = [GPR]; }

// Pointers are numbers; a jump through a table has no node of LLVM's.
def : GINodeEquiv<G_PTR_ADD, add>;
def tinybrjt : SDNode<"TinyISD::BR_JT", SDTypeProfile<0, 3, [SDTCisPtrTy<0>, SDTCisPtrTy<1>, SDTCisInt<2>]>, [SDNPHasChain]>;
def : GINodeEquiv<G_BRJT, tinybrjt>;

// Numbers and addresses. What is halved and how is in isel.go.
def s18  : ImmLeaf<i32, [{ return isInt<18>(Imm); }]>;
def u18  : ImmLeaf<i32, [{ return isUInt<18>(Imm); }]>;
def u5   : ImmLeaf<i32, [{ return isUInt<5>(Imm); }]>;
def hi : SDNodeXForm<imm, "high">;
def lo : SDNodeXForm<imm, "low">;
foreach x = [hi, lo] in def : GICustomOperandRenderer<x.XFormFunction>, GISDNodeXFormEquiv<x>;
def : Pat<(i32 s18:$c), (ADDI R0, $c)>;
def : Pat<(i32 imm:$c), (ORI (LUI (hi $c)), (lo $c))>;
def : Pat<(i32 globaladdr:$g), (ORI (LUI tglobaladdr:$g), tglobaladdr:$g)>;
def : Pat<(i32 jumptable:$j), (ORI (LUI tjumptable:$j), tjumptable:$j)>;
def : Pat<(i32 frameindex:$f), (ADDI tframeindex:$f, 0)>;

multiclass Binary<SDNode node, Instruction rr> {
  def : Pat<(node GPR:$a, GPR:$b), (rr $a, $b)>;
}
defm : Binary<add, ADD>;
defm : Binary<sub, SUB>;
defm : Binary<mul, MUL>;
defm : Binary<mulhu, MULHU>;
defm : Binary<sdiv, DIV>;
defm : Binary<udiv, DIVU>;
defm : Binary<srem, REM>;
defm : Binary<urem, REMU>;
defm : Binary<and, AND>;
defm : Binary<or, OR>;
defm : Binary<xor, XOR>;
defm : Binary<shl, SHL>;
defm : Binary<srl, SHR>;
defm : Binary<sra, SAR>;
multiclass BinaryImm<SDNode node, Instruction ri, SDPatternOperator imm> {
  def : Pat<(node GPR:$a, imm:$c), (ri $a, $c)>;
}
defm : BinaryImm<add, ADDI, s18>;
defm : BinaryImm<and, ANDI, u18>;
defm : BinaryImm<or, ORI, u18>;
defm : BinaryImm<xor, XORI, u18>;
defm : BinaryImm<shl, SHLI, u5>;
defm : BinaryImm<srl, SHRI, u5>;
defm : BinaryImm<sra, SARI, u5>;

// Carries, of which wider additions are made.
def : Pat<(uaddo GPR:$a, GPR:$b), (Seq (ADD $a, $b):$s, (SLTU $s, $a):$c, (results $s, $c))>;
def : Pat<(usubo GPR:$a, GPR:$b), (Seq (SUB $a, $b):$s, (SLTU $a, $b):$c, (results $s, $c))>;
def : Pat<(uaddo_carry GPR:$a, GPR:$b, GPR:$in), (Seq (ADD $a, $b):$t, (SLTU $t, $a):$c, (ANDI $in, 1):$i, (ADD $t, $i):$s,
                                                (OR $c, (SLTU $s, $i)):$out, (results $s, $out))>;
def : Pat<(usubo_carry GPR:$a, GPR:$b, GPR:$in), (Seq (SUB $a, $b):$t, (SLTU $a, $b):$c, (ANDI $in, 1):$i, (SUB $t, $i):$s,
                                                (OR $c, (SLTU $t, $i)):$out, (results $s, $out))>;

// Comparisons give 0 or 1.
def : Pat<(i32 (setcc GPR:$a, GPR:$b, SETEQ)), (SLTUI (XOR $a, $b), 1)>;
def : Pat<(i32 (setcc GPR:$a, GPR:$b, SETNE)), (SLTU R0, (XOR $a, $b))>;
def : Pat<(i32 (setcc GPR:$a, GPR:$b, SETLT)), (SLT $a, $b)>;
def : Pat<(i32 (setcc GPR:$a, GPR:$b, SETGT)), (SLT $b, $a)>;
def : Pat<(i32 (setcc GPR:$a, GPR:$b, SETGE)), (XORI (SLT $a, $b), 1)>;
def : Pat<(i32 (setcc GPR:$a, GPR:$b, SETLE)), (XORI (SLT $b, $a), 1)>;
def : Pat<(i32 (setcc GPR:$a, GPR:$b, SETULT)), (SLTU $a, $b)>;
def : Pat<(i32 (setcc GPR:$a, GPR:$b, SETUGT)), (SLTU $b, $a)>;
def : Pat<(i32 (setcc GPR:$a, GPR:$b, SETUGE)), (XORI (SLTU $a, $b), 1)>;
def : Pat<(i32 (setcc GPR:$a, GPR:$b, SETULE)), (XORI (SLTU $b, $a), 1)>;

// Branches. A condition that no comparison made has one bit that counts.
multiclass Compare<CondCode cc, Instruction br> {
  def : Pat<(brcond (i32 (setcc GPR:$a, GPR:$b, cc)), bb:$to), (br $a, $b, $to)>;
}
multiclass CompareSwapped<CondCode cc, Instruction br> {
  def : Pat<(brcond (i32 (setcc GPR:$a, GPR:$b, cc)), bb:$to), (br $b, $a, $to)>;
}
defm : Compare<SETEQ, BEQ>;
defm : Compare<SETNE, BNE>;
defm : Compare<SETLT, BLT>;
defm : Compare<SETGE, BGE>;
defm : Compare<SETULT, BLTU>;
defm : Compare<SETUGE, BGEU>;
defm : CompareSwapped<SETGT, BLT>;
defm : CompareSwapped<SETLE, BGE>;
defm : CompareSwapped<SETUGT, BLTU>;
defm : CompareSwapped<SETULE, BGEU>;
def : Pat<(brcond GPR:$c, bb:$to), (BNE (ANDI $c, 1), R0, $to)>;
def : Pat<(br bb:$to), (J $to)>;
def : Pat<(brind GPR:$a), (JR $a)>;
def : Pat<(tinybrjt GPR:$table, tjumptable, GPR:$i), (JR (LW (ADD $table, (SHLI $i, 2)), 0))>;
def : Pat<(trap), (TRAP)>;
def : Pat<(select GPR:$c, GPR:$a, GPR:$b), (CMOV $b, $a, (ANDI $c, 1))>;

// Memory: a register, one with an offset, or an object of the frame.
multiclass Loads<SDPatternOperator node, Instruction ins> {
  def : Pat<(i32 (node GPR:$p)), (ins $p, 0)>;
  def : Pat<(i32 (node (add GPR:$p, s18:$c))), (ins $p, $c)>;
  def : Pat<(i32 (node frameindex:$f)), (ins tframeindex:$f, 0)>;
  def : Pat<(i32 (node (add frameindex:$f, s18:$c))), (ins tframeindex:$f, $c)>;
}
multiclass Stores<SDPatternOperator node, Instruction ins> {
  def : Pat<(node GPR:$v, GPR:$p), (ins $v, $p, 0)>;
  def : Pat<(node GPR:$v, (add GPR:$p, s18:$c)), (ins $v, $p, $c)>;
  def : Pat<(node GPR:$v, frameindex:$f), (ins $v, tframeindex:$f, 0)>;
  def : Pat<(node GPR:$v, (add frameindex:$f, s18:$c)), (ins $v, tframeindex:$f, $c)>;
}
defm : Loads<load, LW>;
defm : Loads<zextloadi8, LBU>;
defm : Loads<zextloadi16, LHU>;
defm : Loads<sextloadi8, LB>;
defm : Loads<sextloadi16, LH>;
defm : Loads<extloadi8, LBU>;
defm : Loads<extloadi16, LHU>;
defm : Stores<store, SW>;
defm : Stores<truncstorei8, SB>;
defm : Stores<truncstorei16, SH>;
