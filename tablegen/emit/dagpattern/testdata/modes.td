// A machine with 32 and 64 bits: types by hardware mode, and what follows from
// that in patterns.
include "llvm/Target/Target.td"

def ModesInstrInfo : InstrInfo;
def Modes : Target { let InstructionSet = ModesInstrInfo; }

def Feature64 : SubtargetFeature<"64bit", "Is64", "true", "64 bits">;
def Is64 : Predicate<"Subtarget->is64()">, AssemblerPredicate<(all_of Feature64)>;
def Is32 : Predicate<"!Subtarget->is64()">;
def HasV : Predicate<"Subtarget->hasV()">;
def M64 : HwMode<[Is64]>;
defvar M32 = DefaultMode;
def XLen : ValueTypeByHwMode<[M32, M64], [i32, i64]>;
def XInfo : RegInfoByHwMode<[M32, M64], [RegInfo<32, 32, 32>, RegInfo<64, 64, 64>]>;
def VLow : ValueTypeByHwMode<[M32, M64], [v4i32, v2i64]>;

class MReg<string n> : Register<n> { let Namespace = "Modes"; }
foreach i = 0...15 in def X#i : MReg<"x"#i>;
foreach i = 0...7 in def F#i : MReg<"f"#i>;
foreach i = 0...7 in def V#i : MReg<"v"#i>;
def XR : RegisterClass<"Modes", [XLen], 32, (sequence "X%u", 0, 15)> { let RegInfos = XInfo; }
def XRC : RegisterClass<"Modes", [XLen], 32, (sequence "X%u", 8, 15)> { let RegInfos = XInfo; }
def FR : RegisterClass<"Modes", [f32], 32, (sequence "F%u", 0, 7)>;
def FD : RegisterClass<"Modes", [f64], 64, (sequence "F%u", 0, 7)>;
def VR : RegisterClass<"Modes", [v4i32, v2i64, v4f32, v2f64, v8i16, v16i8], 128, (sequence "V%u", 0, 7)>;
def SR : RegisterClass<"Modes", [nxv4i32, nxv2i64, nxv4f32, nxv4i1], 128, (sequence "V%u", 0, 7)> { let Size = 128; }

class I<dag outs, dag ins, list<dag> pat = []> : Instruction {
  let Namespace = "Modes";
  let OutOperandList = outs;
  let InOperandList = ins;
  let AsmString = NAME;
  let Pattern = pat;
  let Size = 4;
  let hasSideEffects = 0;
  let mayLoad = 0;
  let mayStore = 0;
}
def simm12 : Operand<XLen>, ImmLeaf<XLen, [{ return isInt<12>(Imm); }]>;
def uimmlog : Operand<XLen>, ImmLeaf<XLen, [{ return isUInt<6>(Imm); }]>;
def zeroimm : PatLeaf<(XLen 0)>;
def AddrRegImm : ComplexPattern<iPTR, 2, "SelectAddrRegImm">;
def shiftMask : ComplexPattern<XLen, 1, "selectShiftMask", [], [], 0>;

multiclass ALU<SDPatternOperator op> {
  def R : I<(outs XR:$d), (ins XR:$a, XR:$b)>;
  def I : I<(outs XR:$d), (ins XR:$a, simm12:$i)>;
  def : Pat<(op XR:$a, XR:$b), (!cast<Instruction>(NAME#"R") XR:$a, XR:$b)>;
  def : Pat<(XLen (op (XLen XR:$a), simm12:$i)), (!cast<Instruction>(NAME#"I") XR:$a, simm12:$i)>;
}
defm ADD : ALU<add>;
defm AND : ALU<and>;
defm OR : ALU<or>;
defm XOR : ALU<xor>;
def SUB : I<(outs XR:$d), (ins XR:$a, XR:$b), [(set XR:$d, (sub XR:$a, XR:$b))]>;
def SLT : I<(outs XR:$d), (ins XR:$a, XR:$b), [(set XR:$d, (XLen (setlt (XLen XR:$a), (XLen XR:$b))))]>;
def SLTU : I<(outs XR:$d), (ins XR:$a, XR:$b), [(set XR:$d, (XLen (setult (XLen XR:$a), (XLen XR:$b))))]>;
def SLL : I<(outs XR:$d), (ins XR:$a, XR:$b)>;
def SLLI : I<(outs XR:$d), (ins XR:$a, uimmlog:$i), [(set XR:$d, (shl XR:$a, uimmlog:$i))]>;
def : Pat<(shl (XLen XR:$a), shiftMask:$s), (SLL XR:$a, shiftMask:$s)>;
def : Pat<(XLen (seteq (XLen XR:$a), 0)), (ADDI XR:$a, 1)>;
def : Pat<(XLen (setne (XLen XR:$a), (XLen XR:$b))), (SLTU X0, (SUB XR:$a, XR:$b))>;
def ADDW : I<(outs XR:$d), (ins XR:$a, XR:$b)>;
def ADDIW : I<(outs XR:$d), (ins XR:$a, simm12:$i)>;
let Predicates = [Is64] in {
  def : Pat<(i64 (sext_inreg (add XR:$a, XR:$b), i32)), (ADDW XR:$a, XR:$b)>;
  def : Pat<(i64 (sext_inreg (add XR:$a, simm12:$i), i32)), (ADDIW XR:$a, simm12:$i)>;
  def : Pat<(i64 (and XR:$a, 0xffffffff)), (SLLI XR:$a, 32)>;
  def : Pat<(i64 (or (shl XR:$a, (i64 32)), (i64 (and XR:$b, 0xffffffff)))), (ADDW XR:$a, XR:$b)>;
}
let mayLoad = 1 in {
  def LW : I<(outs XR:$d), (ins XR:$p, simm12:$o)>;
  def LD : I<(outs XR:$d), (ins XR:$p, simm12:$o)>;
  def LBU : I<(outs XR:$d), (ins XR:$p, simm12:$o)>;
  def FLW : I<(outs FR:$d), (ins XR:$p, simm12:$o)>;
  def VLE : I<(outs VR:$d), (ins XR:$p)>;
}
let mayStore = 1 in {
  def SW : I<(outs), (ins XR:$v, XR:$p, simm12:$o)>;
  def SD : I<(outs), (ins XR:$v, XR:$p, simm12:$o)>;
}
class LdPat<PatFrag f, Instruction i, ValueType vt = XLen>
  : Pat<(vt (f (AddrRegImm (XLen XR:$p), simm12:$o))), (i XR:$p, simm12:$o)>;
class StPat<PatFrag f, Instruction i, DAGOperand rc, ValueType vt>
  : Pat<(f (vt rc:$v), (AddrRegImm (XLen XR:$p), simm12:$o)), (i rc:$v, XR:$p, simm12:$o)>;
def : LdPat<sextloadi32, LW, i64>;
def : LdPat<load, LW, i32>;
def : LdPat<load, LD, i64>;
def : LdPat<zextloadi8, LBU>;
def : LdPat<extloadi8, LBU>;
def : LdPat<load, FLW, f32>;
def : StPat<truncstorei32, SW, XR, i64>;
def : StPat<store, SW, XR, i32>;
def : StPat<store, SD, XR, i64>;
def : Pat<(v4i32 (load XR:$p)), (VLE XR:$p)>;
def : Pat<(VLow (bitconvert (v16i8 VR:$a))), (COPY_TO_REGCLASS VR:$a, VR)>;

// Vectors of fixed and scalable length.
class VPat<ValueType vt, SDPatternOperator op, Instruction i> : Pat<(vt (op vt:$a, vt:$b)), (i $a, $b)>, Requires<[HasV]>;
def VADD : I<(outs VR:$d), (ins VR:$a, VR:$b)>;
def VMUL : I<(outs VR:$d), (ins VR:$a, VR:$b)>;
def VMLA : I<(outs VR:$d), (ins VR:$c, VR:$a, VR:$b)>;
foreach vt = [v4i32, v2i64, v8i16, v16i8] in {
  def : VPat<vt, add, VADD>;
  def : VPat<vt, mul, VMUL>;
  def : Pat<(vt (add vt:$c, (mul vt:$a, vt:$b))), (VMLA $c, $a, $b)>;
}
def : VPat<v4f32, fadd, VADD>;
def SADD : I<(outs SR:$d), (ins SR:$a, SR:$b), [(set nxv4i32:$d, (add nxv4i32:$a, nxv4i32:$b))]>;
def SFADD : I<(outs SR:$d), (ins SR:$a, SR:$b), [(set SR:$d, (nxv4f32 (fadd SR:$a, SR:$b)))]>;
def SSEL : I<(outs SR:$d), (ins SR:$m, SR:$a, SR:$b), [(set nxv4i32:$d, (vselect nxv4i1:$m, nxv4i32:$a, nxv4i32:$b))]>;
def VSPLAT : I<(outs VR:$d), (ins XR:$a)>;
def : Pat<(v4i32 (splat_vector XR:$a)), (VSPLAT XR:$a)>;

def VCVT : I<(outs VR:$d), (ins VR:$a)>;
def : Pat<(v4f32 (sint_to_fp v4i32:$a)), (VCVT $a)>;
def : Pat<(v2f64 (any_fsqrt v2f64:$a)), (VCVT $a)>;
def VINS : I<(outs VR:$d), (ins VR:$v, XR:$e, simm12:$i)>;
def : Pat<(v4i32 (vector_insert v4i32:$v, (i32 XR:$e), (XLen 3))), (VINS $v, $e, 3)>;
def : Pat<(v4f32 (fma v4f32:$a, (fneg v4f32:$b), v4f32:$c)), (VMLA $c, $a, $b)>;
def : Pat<(v4i32 (xor v4i32:$a, (v4i32 immAllOnesV))), (VADD $a, $a)>;
def : Pat<(v4i32 (sub (v4i32 immAllZerosV), v4i32:$a)), (VADD $a, $a)>;
def : Pat<(v4i32 (smax v4i32:$a, (v4i32 (abs v4i32:$b)))), (VMLA $a, $a, $b)>;

// Floats.
def FADDS : I<(outs FR:$d), (ins FR:$a, FR:$b), [(set FR:$d, (any_fadd FR:$a, FR:$b))]>;
def FADDD : I<(outs FD:$d), (ins FD:$a, FD:$b), [(set FD:$d, (any_fadd FD:$a, FD:$b))]>;
def FCVTDS : I<(outs FD:$d), (ins FR:$a), [(set FD:$d, (any_fpextend FR:$a))]>;
def FCVTSD : I<(outs FR:$d), (ins FD:$a), [(set FR:$d, (any_fpround FD:$a))]>;
def FEQ : I<(outs XR:$d), (ins FR:$a, FR:$b)>;
foreach cc = [SETEQ, SETOEQ] in def : Pat<(XLen (setcc FR:$a, FR:$b, cc)), (FEQ $a, $b)>;
def : Pat<(XLen (strict_fsetccs FR:$a, FR:$b, SETLT)), (FEQ $a, $b)>;
def : Pat<(f32 (fcopysign FR:$a, FD:$b)), (FADDS $a, (FCVTSD $b))>;
def : Pat<(i32 (bitconvert FR:$a)), (COPY_TO_REGCLASS FR:$a, XR)>;

// Associativity: three operands in all groupings.
def ADD3 : I<(outs XR:$d), (ins XR:$a, XR:$b, XR:$c)>;
def : Pat<(add (add (XLen XR:$a), (XLen XR:$b)), (shl (XLen XR:$c), (XLen 2))), (ADD3 $a, $b, $c)>;
def : Pat<(XLen (or (or (XLen XR:$a), (and XR:$b, XR:$c)), XR:$d)), (ADD3 $a, $b, (ANDR $c, $d))>;

// Atomics, control.
let mayLoad = 1, mayStore = 1 in
def AMO : I<(outs XR:$d), (ins XR:$p, XR:$v)>;
multiclass Amo<string op> {
  def : Pat<(XLen (!cast<PatFrag>(op#"_i32_monotonic") XR:$p, XR:$v)), (AMO XR:$p, XR:$v)>;
  def : Pat<(XLen (!cast<PatFrag>(op#"_i32_seq_cst") XR:$p, XR:$v)), (AMO XR:$p, XR:$v)>;
}
defm : Amo<"atomic_load_add">;
defm : Amo<"atomic_swap">;
def bt : Operand<OtherVT>;
let isBranch = 1, isTerminator = 1 in def BEQ : I<(outs), (ins XR:$a, XR:$b, bt:$t)>;
def : Pat<(brcond (XLen (seteq (XLen XR:$a), (XLen XR:$b))), bb:$t), (BEQ XR:$a, XR:$b, bb:$t)>;
def : Pat<(brcond (XLen XR:$c), bb:$t), (BEQ XR:$c, X0, bb:$t)>;
def SDT_Hi : SDTypeProfile<1, 1, [SDTCisSameAs<0, 1>, SDTCisPtrTy<0>]>;
def hi : SDNode<"MISD::HI", SDT_Hi>;
def LUI : I<(outs XR:$d), (ins simm12:$i)>;
def : Pat<(hi tglobaladdr:$g), (LUI tglobaladdr:$g)>;
