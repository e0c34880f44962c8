// What GlobalISel has for the nodes of patterns: names and meaning are those of
// llvm/Target/GlobalISel/SelectionDAGCompat.td. Two records of one node: either
// instruction matches. mirin/Target.td includes this file.

#ifndef MIRIN_SELECTION_DAG_COMPAT_TD
#define MIRIN_SELECTION_DAG_COMPAT_TD

foreach op = ["TRUNC", "ANYEXT", "SEXT", "ZEXT", "SEXT_INREG", "BITCAST", "PTRTOINT", "INTTOPTR", "ADDRSPACE_CAST", "FREEZE", "CONSTANT", "FCONSTANT",
              "IMPLICIT_DEF", "FRAME_INDEX", "GLOBAL_VALUE", "CONSTANT_POOL", "JUMP_TABLE", "BLOCK_ADDR", "MERGE_VALUES", "UNMERGE_VALUES", "ADD",
              "PTR_ADD", "SUB", "MUL", "UMULH", "SMULH", "SDIV", "UDIV", "SREM", "UREM", "SDIVREM", "UDIVREM", "AND", "OR", "XOR", "PTRMASK", "SHL",
              "LSHR", "ASHR", "ROTL", "ROTR", "FSHL", "FSHR", "UADDO", "SADDO", "USUBO", "SSUBO", "UMULO", "SMULO", "UADDE", "SADDE", "USUBE", "SSUBE",
              "SADDSAT", "UADDSAT", "SSUBSAT", "USUBSAT", "SMIN", "SMAX", "UMIN", "UMAX", "ABS", "BSWAP", "BITREVERSE", "CTLZ", "CTTZ",
              "CTLZ_ZERO_UNDEF", "CTTZ_ZERO_UNDEF", "CTPOP", "ICMP", "FCMP", "SELECT", "BR", "BRCOND", "BRINDIRECT", "BRJT", "FADD", "FSUB", "FMUL",
              "FDIV", "FREM", "FMA", "STRICT_FADD", "STRICT_FSUB", "STRICT_FMUL", "STRICT_FDIV", "STRICT_FSQRT", "FNEG", "FABS", "FSQRT", "FCOPYSIGN",
              "FMINNUM", "FMAXNUM", "FFLOOR", "FCEIL", "INTRINSIC_TRUNC", "FRINT", "FNEARBYINT", "INTRINSIC_ROUND", "INTRINSIC_ROUNDEVEN", "FPEXT",
              "FPTRUNC", "FPTOSI", "FPTOUI", "SITOFP", "UITOFP", "INTRINSIC_LRINT", "INTRINSIC_LLRINT", "LROUND", "LLROUND", "LOAD", "SEXTLOAD",
              "ZEXTLOAD", "STORE", "ATOMICRMW_XCHG", "ATOMICRMW_ADD", "ATOMICRMW_SUB", "ATOMICRMW_AND", "ATOMICRMW_NAND", "ATOMICRMW_OR",
              "ATOMICRMW_XOR", "ATOMICRMW_MIN", "ATOMICRMW_MAX", "ATOMICRMW_UMIN", "ATOMICRMW_UMAX", "ATOMIC_CMPXCHG",
              "ATOMIC_CMPXCHG_WITH_SUCCESS", "FENCE", "PREFETCH", "STACKSAVE", "STACKRESTORE", "READCYCLECOUNTER", "TRAP", "DEBUGTRAP", "UBSANTRAP",
              "INTRINSIC", "INTRINSIC_W_SIDE_EFFECTS", "INTRINSIC_CONVERGENT", "INTRINSIC_CONVERGENT_W_SIDE_EFFECTS"] in
  def G_#op : GenericInstruction;

class GINodeEquiv<Instruction i, SDNode node> {
  Instruction I = i;
  SDNode Node = node;
  bit CheckMMOIsNonAtomic = false;
  bit CheckMMOIsAtomic = false;
  // Instead of I, where the predicates or the type ask for it.
  Instruction IfSignExtend = ?;
  Instruction IfZeroExtend = ?;
  Instruction IfFloatingPoint = ?;
  Instruction IfConvergent = ?;
}

// Nodes whose generic instruction has their name.
foreach n = ["trunc", "anyext", "sext", "zext", "sext_inreg", "freeze", "add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "sdivrem", "udivrem", "and",
             "or", "xor", "shl", "rotl", "rotr", "fshl", "fshr", "uaddo", "saddo", "usubo", "ssubo", "umulo", "smulo", "saddsat", "uaddsat", "ssubsat",
             "usubsat", "smin", "smax", "umin", "umax", "abs", "bswap", "bitreverse", "ctlz", "cttz", "ctlz_zero_undef", "cttz_zero_undef", "ctpop",
             "select", "br", "brcond", "fadd", "fsub", "fmul", "fdiv", "frem", "fma", "strict_fadd", "strict_fsub", "strict_fmul", "strict_fdiv",
             "strict_fsqrt", "fneg", "fabs", "fsqrt", "fcopysign", "fminnum", "fmaxnum", "ffloor", "fceil", "frint", "fnearbyint", "lround", "llround",
             "prefetch", "stacksave", "stackrestore", "readcyclecounter", "trap", "debugtrap", "ubsantrap"] in
  def : GINodeEquiv<!cast<Instruction>("G_"#!toupper(n)), !cast<SDNode>(n)>;
// Those with another name.
class EquivByName<string op, string node> : GINodeEquiv<!cast<Instruction>("G_"#op), !cast<SDNode>(node)>;
foreach x = [["BITCAST", "bitconvert"], ["ADDRSPACE_CAST", "addrspacecast"], ["CONSTANT", "imm"], ["FCONSTANT", "fpimm"], ["IMPLICIT_DEF", "undef"],
             ["FRAME_INDEX", "frameindex"], ["GLOBAL_VALUE", "globaladdr"], ["CONSTANT_POOL", "constpool"], ["JUMP_TABLE", "jumptable"],
             ["BLOCK_ADDR", "blockaddress"], ["PTR_ADD", "ptradd"], ["UMULH", "mulhu"], ["SMULH", "mulhs"], ["LSHR", "srl"], ["ASHR", "sra"],
             ["UADDE", "uaddo_carry"], ["SADDE", "saddo_carry"], ["USUBE", "usubo_carry"], ["SSUBE", "ssubo_carry"], ["BRINDIRECT", "brind"],
             ["INTRINSIC_TRUNC", "ftrunc"], ["INTRINSIC_ROUND", "fround"], ["INTRINSIC_ROUNDEVEN", "froundeven"], ["FPEXT", "fpextend"],
             ["FPTRUNC", "fpround"], ["FPTOSI", "fp_to_sint"], ["FPTOUI", "fp_to_uint"], ["SITOFP", "sint_to_fp"], ["UITOFP", "uint_to_fp"],
             ["INTRINSIC_LRINT", "lrint"], ["INTRINSIC_LLRINT", "llrint"], ["ATOMICRMW_XCHG", "atomic_swap"], ["ATOMIC_CMPXCHG", "atomic_cmp_swap"],
             ["FENCE", "atomic_fence"]] in
  def : EquivByName<x[0], x[1]>;
foreach op = ["add", "sub", "and", "nand", "or", "xor", "min", "max", "umin", "umax"] in
  def : EquivByName<"ATOMICRMW_"#!toupper(op), "atomic_load_"#op>;
def : GINodeEquiv<G_ICMP, setcc> { let IfFloatingPoint = G_FCMP; }
let CheckMMOIsNonAtomic = true in {
  def : GINodeEquiv<G_LOAD, ld> { let IfSignExtend = G_SEXTLOAD; let IfZeroExtend = G_ZEXTLOAD; }
  def : GINodeEquiv<G_STORE, st>;
}
let CheckMMOIsAtomic = true in {
  def : GINodeEquiv<G_LOAD, atomic_load> { let IfSignExtend = G_SEXTLOAD; let IfZeroExtend = G_ZEXTLOAD; }
  def : GINodeEquiv<G_STORE, atomic_store>;
}
def : GINodeEquiv<G_INTRINSIC, intrinsic_wo_chain> { let IfConvergent = G_INTRINSIC_CONVERGENT; }
let IfConvergent = G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS in {
  def : GINodeEquiv<G_INTRINSIC_W_SIDE_EFFECTS, intrinsic_void>;
  def : GINodeEquiv<G_INTRINSIC_W_SIDE_EFFECTS, intrinsic_w_chain>;
}

// The Go functions (matchtable.Hooks) that stand for those that SelectionDAG
// has for complex patterns and transformations.
class LLT<ValueType vt> { ValueType VT = vt; }
foreach n = [1, 8, 16, 32, 64] in def s#n : LLT<!cast<ValueType>("i"#n)>;
class GIComplexOperandMatcher<LLT type, string matcherfn> {
  LLT Type = type;
  string MatcherFn = matcherfn;
}
class GICustomOperandRenderer<string rendererfn> { string RendererFn = rendererfn; }
class GIComplexPatternEquiv<ComplexPattern seldag> { ComplexPattern SelDAGEquivalent = seldag; }
class GISDNodeXFormEquiv<SDNodeXForm seldag> { SDNodeXForm SelDAGEquivalent = seldag; }

#endif
