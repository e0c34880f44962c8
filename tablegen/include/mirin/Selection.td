//===- Selection.td - the language of selection patterns ------------------===//
//
// Part of Mirin. What the records mean is said in docs/tablegen/global-isel.md.
// Instructions, registers, register classes and sub-register indices are
// records too: they come from the facts of the target when they are named.
//
//===----------------------------------------------------------------------===//

#ifndef MIRIN_SELECTION_TD
#define MIRIN_SELECTION_TD

// mirin/Target.td, where it was included before, has these itself.
#ifndef MIRIN_TARGET_TD
class Instruction;
class Register;
class RegisterClass;
class SubRegIndex;
def zero_reg : Register;   // no register: $noreg
#endif

//===- Types ---------------------------------------------------------------===//

#ifndef MIRIN_TARGET_TD
class ValueType;
foreach n = [1, 8, 16, 32, 64, 128] in def i#n : ValueType;
foreach n = [16, 32, 64, 80, 128] in def f#n : ValueType;
def v16i8 : ValueType; def v8i16 : ValueType; def v4i32 : ValueType; def v2i64 : ValueType;
def v4f32 : ValueType; def v2f64 : ValueType;
def iPTR : ValueType;
def untyped : ValueType;
#endif

//===- Nodes ---------------------------------------------------------------===//

class SDPatternOperator;
class SDNodeProperty;
def SDNPCommutative : SDNodeProperty;   // the first two operands may be exchanged
def SDNPMayLoad     : SDNodeProperty;   // inside a pattern it must be foldable
def SDNPAnyBank     : SDNodeProperty;   // values may be in any register bank

// A node stands for generic opcodes. Outs and Ins give the types of results
// and operands: an upper-case name is a type variable, a lower-case one a type
// or a kind (ptr, cc, bb, jt, timm, any).
class SDNode<list<string> opcodes, list<string> outs, list<string> ins,
             list<SDNodeProperty> props = []> : SDPatternOperator {
  list<string> Opcodes = opcodes;
  list<string> Outs = outs;
  list<string> Ins = ins;
  list<SDNodeProperty> Properties = props;
  list<int> OperandOrder = [];   // operand numbers of Ins, when not in order
  int MemBits = -1;              // size of the access; 0: that of the value
  list<int> MemOrders = [];      // accepted atomic orderings
  int MemSpace = -1;
  string Intrinsic = "";
  bit Variadic = 0;              // the opcode may have other numbers of operands
}

class BinOp<string op> : SDNode<[op], ["T"], ["T", "T"]>;
class CommBinOp<string op> : SDNode<[op], ["T"], ["T", "T"], [SDNPCommutative]>;
class UnOp<string op> : SDNode<[op], ["T"], ["T"]>;
class ConvOp<string op> : SDNode<[op], ["T"], ["U"]>;

// Pointers are integers of their size in patterns.
def add  : SDNode<["G_ADD", "G_PTR_ADD"], ["T"], ["T", "T"], [SDNPCommutative]>;
def sub  : BinOp<"G_SUB">;
def mul  : CommBinOp<"G_MUL">;
def sdiv : BinOp<"G_SDIV">;
def udiv : BinOp<"G_UDIV">;
def srem : BinOp<"G_SREM">;
def urem : BinOp<"G_UREM">;
def sdivrem : SDNode<["G_SDIVREM"], ["T", "T"], ["T", "T"]>;
def udivrem : SDNode<["G_UDIVREM"], ["T", "T"], ["T", "T"]>;
def mulhs : CommBinOp<"G_SMULH">;
def mulhu : CommBinOp<"G_UMULH">;
def and  : SDNode<["G_AND", "G_PTRMASK"], ["T"], ["T", "T"], [SDNPCommutative]>;
def or   : CommBinOp<"G_OR">;
def xor  : CommBinOp<"G_XOR">;
def shl  : SDNode<["G_SHL"], ["T"], ["T", "U"]>;
def srl  : SDNode<["G_LSHR"], ["T"], ["T", "U"]>;
def sra  : SDNode<["G_ASHR"], ["T"], ["T", "U"]>;
def rotl : SDNode<["G_ROTL"], ["T"], ["T", "U"]>;
def rotr : SDNode<["G_ROTR"], ["T"], ["T", "U"]>;
def fshl : SDNode<["G_FSHL"], ["T"], ["T", "T", "U"]>;
def fshr : SDNode<["G_FSHR"], ["T"], ["T", "T", "U"]>;
def smin : CommBinOp<"G_SMIN">;
def smax : CommBinOp<"G_SMAX">;
def umin : CommBinOp<"G_UMIN">;
def umax : CommBinOp<"G_UMAX">;
def abs  : UnOp<"G_ABS">;
def ctlz : ConvOp<"G_CTLZ">;
def cttz : ConvOp<"G_CTTZ">;
def ctlz_zero_undef : ConvOp<"G_CTLZ_ZERO_UNDEF">;
def cttz_zero_undef : ConvOp<"G_CTTZ_ZERO_UNDEF">;
def ctpop : ConvOp<"G_CTPOP">;
def bswap : UnOp<"G_BSWAP">;
def bitreverse : UnOp<"G_BITREVERSE">;

// With carry: result and carry out.
def uaddo : SDNode<["G_UADDO"], ["T", "C"], ["T", "T"], [SDNPCommutative]>;
def saddo : SDNode<["G_SADDO"], ["T", "C"], ["T", "T"], [SDNPCommutative]>;
def usubo : SDNode<["G_USUBO"], ["T", "C"], ["T", "T"]>;
def ssubo : SDNode<["G_SSUBO"], ["T", "C"], ["T", "T"]>;
def umulo : SDNode<["G_UMULO"], ["T", "C"], ["T", "T"], [SDNPCommutative]>;
def smulo : SDNode<["G_SMULO"], ["T", "C"], ["T", "T"], [SDNPCommutative]>;
def uadde : SDNode<["G_UADDE"], ["T", "C"], ["T", "T", "C"]>;
def sadde : SDNode<["G_SADDE"], ["T", "C"], ["T", "T", "C"]>;
def usube : SDNode<["G_USUBE"], ["T", "C"], ["T", "T", "C"]>;
def ssube : SDNode<["G_SSUBE"], ["T", "C"], ["T", "T", "C"]>;

def trunc  : SDNode<["G_TRUNC"], ["T"], ["U"]>;
def zext   : ConvOp<"G_ZEXT">;
def sext   : ConvOp<"G_SEXT">;
def anyext : ConvOp<"G_ANYEXT">;
def sext_inreg : SDNode<["G_SEXT_INREG"], ["T"], ["T", "timm"]>;
let Variadic = 1 in {
def merge2   : SDNode<["G_MERGE_VALUES"], ["T"], ["U", "U"]>;   // low half first
def unmerge2 : SDNode<["G_UNMERGE_VALUES"], ["U", "U"], ["T"]>;
}
def inttoptr : ConvOp<"G_INTTOPTR">;
def ptrtoint : ConvOp<"G_PTRTOINT">;
def addrspacecast : ConvOp<"G_ADDRSPACE_CAST">;
def bitconvert : SDNode<["G_BITCAST"], ["T"], ["U"], [SDNPAnyBank]>;

let OperandOrder = [2, 3, 1] in {
def setcc  : SDNode<["G_ICMP"], ["T"], ["U", "U", "cc"]>;
def fsetcc : SDNode<["G_FCMP"], ["T"], ["U", "U", "cc"]>;
}
def select : SDNode<["G_SELECT"], ["T"], ["C", "T", "T"], [SDNPAnyBank]>;
def br     : SDNode<["G_BR"], [], ["bb"]>;
def brcond : SDNode<["G_BRCOND"], [], ["C", "bb"]>;
def brind  : SDNode<["G_BRINDIRECT"], [], ["ptr"]>;
def brjt   : SDNode<["G_BRJT"], [], ["ptr", "jt", "T"]>;

def fadd  : CommBinOp<"G_FADD">;
def fsub  : BinOp<"G_FSUB">;
def fmul  : CommBinOp<"G_FMUL">;
def fdiv  : BinOp<"G_FDIV">;
def strict_fadd : CommBinOp<"G_STRICT_FADD">;
def strict_fsub : BinOp<"G_STRICT_FSUB">;
def strict_fmul : CommBinOp<"G_STRICT_FMUL">;
def strict_fdiv : BinOp<"G_STRICT_FDIV">;
def fneg  : UnOp<"G_FNEG">;
def fabs  : UnOp<"G_FABS">;
def fsqrt : UnOp<"G_FSQRT">;
def strict_fsqrt : UnOp<"G_STRICT_FSQRT">;
def fma   : SDNode<["G_FMA"], ["T"], ["T", "T", "T"], [SDNPCommutative]>;
def fcopysign : SDNode<["G_FCOPYSIGN"], ["T"], ["T", "U"]>;
def fminnum : BinOp<"G_FMINNUM">;
def fmaxnum : BinOp<"G_FMAXNUM">;
def ffloor : UnOp<"G_FFLOOR">;
def fceil  : UnOp<"G_FCEIL">;
def ftrunc : UnOp<"G_INTRINSIC_TRUNC">;
def frint  : UnOp<"G_FRINT">;
def fnearbyint : UnOp<"G_FNEARBYINT">;
def froundeven : UnOp<"G_INTRINSIC_ROUNDEVEN">;
def fpextend : ConvOp<"G_FPEXT">;
def fpround  : ConvOp<"G_FPTRUNC">;
def fp_to_sint : ConvOp<"G_FPTOSI">;
def fp_to_uint : ConvOp<"G_FPTOUI">;
def sint_to_fp : ConvOp<"G_SITOFP">;
def uint_to_fp : ConvOp<"G_UITOFP">;
def lrint : SDNode<["G_INTRINSIC_LRINT", "G_INTRINSIC_LLRINT"], ["T"], ["U"]>;

// Memory. MemOrders counts as ir.Ordering: 0 not atomic, 1 unordered, 2
// monotonic, 4 acquire, 5 release, 6 acq_rel, 7 seq_cst.
class LoadNode<list<string> ops, int size> : SDNode<ops, ["T"], ["ptr"], [SDNPMayLoad, SDNPAnyBank]> {
  let MemBits = size;
  let MemSpace = 0;
}
def load : LoadNode<["G_LOAD"], 0>;
foreach n = [8, 16, 32] in {
  def zload#n   : LoadNode<["G_ZEXTLOAD"], n>;
  def sload#n   : LoadNode<["G_SEXTLOAD"], n>;
  def anyload#n : LoadNode<["G_LOAD"], n>;
}
class StoreNode<int size, list<int> orders> : SDNode<["G_STORE"], [], ["T", "ptr"], [SDNPAnyBank]> {
  let MemBits = size;
  let MemSpace = 0;
  let MemOrders = orders;
}
def store : StoreNode<0, [0, 1, 2, 5]>;
def atomic_store_seq_cst : StoreNode<0, [7]>;
foreach n = [8, 16, 32] in def truncstorei#n : StoreNode<n, [0, 1, 2, 5]>;

class RMWNode<string op> : SDNode<[op], ["T"], ["ptr", "T"]> { let MemSpace = 0; }
def atomic_swap      : RMWNode<"G_ATOMICRMW_XCHG">;
def atomic_load_add  : RMWNode<"G_ATOMICRMW_ADD">;
def atomic_load_sub  : RMWNode<"G_ATOMICRMW_SUB">;
def atomic_load_and  : RMWNode<"G_ATOMICRMW_AND">;
def atomic_load_or   : RMWNode<"G_ATOMICRMW_OR">;
def atomic_load_xor  : RMWNode<"G_ATOMICRMW_XOR">;
def atomic_load_nand : RMWNode<"G_ATOMICRMW_NAND">;
let MemSpace = 0 in {
def atomic_cmp_swap  : SDNode<["G_ATOMIC_CMPXCHG"], ["T"], ["ptr", "T", "T"]>;
def atomic_cmp_swap_with_success :
  SDNode<["G_ATOMIC_CMPXCHG_WITH_SUCCESS"], ["T", "C"], ["ptr", "T", "T"]>;
}
def atomic_fence : SDNode<["G_FENCE"], [], ["timm", "timm"]>;
def prefetch : SDNode<["G_PREFETCH"], [], ["ptr", "timm", "timm", "timm"]>;

// Addresses and constants.
def constant    : SDNode<["G_CONSTANT"], ["T"], ["any"]>;
def fpconstant  : SDNode<["G_FCONSTANT"], ["T"], ["any"], [SDNPAnyBank]>;
def frameindex  : SDNode<["G_FRAME_INDEX"], ["T"], ["any"]>;
def globaladdr  : SDNode<["G_GLOBAL_VALUE"], ["T"], ["any"]>;
def constpool   : SDNode<["G_CONSTANT_POOL"], ["T"], ["any"]>;
def jumptable   : SDNode<["G_JUMP_TABLE"], ["T"], ["any"]>;
def blockaddress : SDNode<["G_BLOCK_ADDR"], ["T"], ["any"]>;
def stacksave    : SDNode<["G_STACKSAVE"], ["T"], []>;
def stackrestore : SDNode<["G_STACKRESTORE"], [], ["T"]>;
def dyn_stackalloc : SDNode<["G_DYN_STACKALLOC"], ["T"], ["T", "timm"]>;
def readcyclecounter : SDNode<["G_READCYCLECOUNTER"], ["T"], []>;

def trap      : SDNode<["G_TRAP"], [], []>;
def debugtrap : SDNode<["G_DEBUGTRAP"], [], []>;
def ubsantrap : SDNode<["G_UBSANTRAP"], [], ["timm"]>;

class Intrinsic<string name, list<string> outs, list<string> ins, bit effects = 0>
    : SDNode<[!if(effects, "G_INTRINSIC_W_SIDE_EFFECTS", "G_INTRINSIC")], outs, ins, [SDNPAnyBank]> {
  let Intrinsic = name;
}

//===- Leaves --------------------------------------------------------------===//

class Leaf;
def node : Leaf;      // an operand of a fragment
def bb : Leaf;        // a basic block
def jtable : Leaf;    // a jump table
def operand : Leaf;   // an operand of any kind

// A constant: any, one of a range (sign-extended), or one that a Go function accepts.
class ImmOperand<ValueType t> : Leaf {
  ValueType Type = t;
  bit AnyValue = 1;
  int Min = 0;
  int Max = 0;
  string Hook = "";
  bit Literal = 0;
}
def imm : ImmOperand<untyped>;
def timm : ImmOperand<untyped> { let Literal = 1; }   // an immediate operand, no register
class ImmRange<ValueType t, int min, int max> : ImmOperand<t> {
  let AnyValue = 0;
  let Min = min;
  let Max = max;
}
class ImmLeaf<ValueType t, string hook> : ImmOperand<t> { let Hook = hook; }

class FPImmOperand<ValueType t> : Leaf {
  ValueType Type = t;
  bit AnyValue = 1;
  int Bits = 0;
}
def fpimm : FPImmOperand<untyped>;
class FPImmLeaf<ValueType t, int pattern> : FPImmOperand<t> {
  let AnyValue = 0;
  let Bits = pattern;
}

// Values that a Go function recognises and renders as NumOperands operands.
class ComplexPattern<ValueType t, int n, string hook, list<SDNode> roots = [], int complexity = 3> {
  ValueType Type = t;
  int NumOperands = n;
  string Hook = hook;
  list<SDNode> RootNodes = roots;
  int Complexity = complexity;
}

class CondCode<int pred> : Leaf { int Pred = pred; }
def SETFALSE : CondCode<0>; def SETOEQ : CondCode<1>; def SETOGT : CondCode<2>; def SETOGE : CondCode<3>;
def SETOLT : CondCode<4>; def SETOLE : CondCode<5>; def SETONE : CondCode<6>; def SETO : CondCode<7>;
def SETUO : CondCode<8>; def SETUEQ : CondCode<9>; def SETFUGT : CondCode<10>; def SETFUGE : CondCode<11>;
def SETFULT : CondCode<12>; def SETFULE : CondCode<13>; def SETUNE : CondCode<14>; def SETTRUE : CondCode<15>;
def SETEQ : CondCode<32>; def SETNE : CondCode<33>; def SETUGT : CondCode<34>; def SETUGE : CondCode<35>;
def SETULT : CondCode<36>; def SETULE : CondCode<37>; def SETGT : CondCode<38>; def SETGE : CondCode<39>;
def SETLT : CondCode<40>; def SETLE : CondCode<41>;

// Conditions that an instruction can test, with the number of each.
class CondMap<list<CondCode> codes, list<int> values> : Leaf {
  list<CondCode> Codes = codes;
  list<int> Values = values;
}

//===- Fragments -----------------------------------------------------------===//

#ifndef MIRIN_TARGET_TD
class Ops;
def ops : Ops;
#endif
class PatFrags<dag operands, list<dag> frags, string hook = ""> : SDPatternOperator {
  dag Operands = operands;
  list<dag> Fragments = frags;
  string Hook = hook;   // a Go predicate over the fragment's instruction
}
class PatFrag<dag operands, dag frag, string hook = ""> : PatFrags<operands, [frag], hook>;

foreach n = [8, 16, 32] in {
  def zextloadi#n : PatFrags<(ops node:$p), [
    (!cast<SDNode>("zload"#n) node:$p),
    (zext (!cast<ValueType>("i"#n) (load node:$p)))]>;
  def sextloadi#n : PatFrags<(ops node:$p), [
    (!cast<SDNode>("sload"#n) node:$p),
    (sext (!cast<ValueType>("i"#n) (load node:$p)))]>;
  def extloadi#n : PatFrags<(ops node:$p), [
    (!cast<SDNode>("anyload"#n) node:$p),
    (anyext (!cast<ValueType>("i"#n) (load node:$p)))]>;
}
def not  : PatFrag<(ops node:$a), (xor node:$a, -1)>;
def ineg : PatFrag<(ops node:$a), (sub 0, node:$a)>;

//===- Results -------------------------------------------------------------===//

class ResultOperator;
def Seq : ResultOperator;       // steps in order; names bind their values
def results : ResultOperator;   // the last step: the root's results by name
def set : ResultOperator;       // (set REG, value): copy into a physical register
def get : ResultOperator;       // (get REG): copy out of one
def COPY_TO_REGCLASS : ResultOperator;
def EXTRACT_SUBREG : ResultOperator;
def INSERT_SUBREG : ResultOperator;
def SUBREG_TO_REG : ResultOperator;
def IMPLICIT_DEF : ResultOperator;

class SDNodeXForm<string hook, int n = 1> : ResultOperator {
  string Hook = hook;
  int NumOperands = n;
}

//===- Patterns ------------------------------------------------------------===//

#ifndef MIRIN_TARGET_TD
class Predicate<string feature> {
  string Feature = feature;
  bit Not = 0;
  string Hook = "";
}
class HookPredicate<string hook> : Predicate<""> { let Hook = hook; }
#endif

class Pattern<dag pattern, list<dag> result> {
  dag PatternToMatch = pattern;
  list<dag> ResultInstrs = result;
  list<Predicate> Predicates = [];
  int AddedComplexity = 0;
}
class Pat<dag pattern, dag result> : Pattern<pattern, [result]>;
#ifndef MIRIN_TARGET_TD
class Requires<list<Predicate> preds> { list<Predicate> Predicates = preds; }
#endif

// Facts that the generator needs about a target.
class SelectionInfo {
  list<Register> Ambient = [];            // readable without being set
  list<ValueType> Types = [];             // Types[i] lives in Classes[i]
  list<RegisterClass> Classes = [];
  int PointerBits = 64;                   // of address space 0: what ptr and iPTR are
}

#endif
