//===- X86.td - instruction selection of x86-64 ---------------------------===//
//
// Selection patterns over LLVM's instructions. `go generate` makes
// tab/zz_isel.bin of this file; the Go functions that it names are in isel*.go.
//
//===----------------------------------------------------------------------===//

include "mirin/Selection.td"

def X86SelectionInfo : SelectionInfo {
  let Ambient = [RSP, RBP, RIP, SSP, MXCSR, FPCW, FPSW, DF, FS, GS];
  let Types = [i1, i8, i16, i32, i64, f32, f64, v4f32];
  let Classes = [GR8, GR8, GR16, GR32, GR64, FR32, FR64, VR128];
}

//===- Predicates ----------------------------------------------------------===//

def HasPOPCNT : Predicate<"popcnt">;
def HasLZCNT  : Predicate<"lzcnt">;
def HasBMI    : Predicate<"bmi">;
def HasBMI2   : Predicate<"bmi2">;
def HasSSE41  : Predicate<"sse4.1">;
def HasFMA    : Predicate<"fma">;
def UseIncDec : Predicate<"slow-incdec"> { let Not = 1; }

//===- Operands ------------------------------------------------------------===//

// Memory operands: base, scale, index, displacement, segment.
def addr : ComplexPattern<i64, 5, "selectAddr">;
// Sums worth a LEA, and addresses of things.
def lea64addr : ComplexPattern<i64, 5, "selectLEA",
  [add, sub, shl, mul, or, frameindex, globaladdr, constpool, jumptable, blockaddress], 17>;
// A global whose address is in the GOT.
def gotaddr : ComplexPattern<i64, 5, "selectGOT", [globaladdr], 30>;
// An address that only a 64-bit immediate holds.
def abs64addr : ComplexPattern<i64, 1, "selectAbs64", [globaladdr, blockaddress, constpool, jumptable], 29>;
// A thread-local variable of the initial- or local-exec model: its offset.
def tpoffaddr : ComplexPattern<i64, 1, "selectTPOff", [globaladdr], 32>;
def gottpoffaddr : ComplexPattern<i64, 5, "selectGOTTPOff", [globaladdr], 33>;

def i64immSExt32 : ImmRange<i64, -2147483648, 2147483647>;
def i64immZExt32 : ImmRange<i64, 0, 4294967295>;
// Constants whose two's complement has a shorter encoding.
def imm128_16 : ImmRange<i16, 128, 128>;

// The address of a constant pool entry with a floating-point constant.
def fconst_addr : SDNodeXForm<"fconstAddr", 5>;

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
def X86FCC : CondMap<[SETOGT, SETOGE, SETFULT, SETFULE, SETUEQ, SETONE, SETO, SETUO],
  [COND_A, COND_AE, COND_B, COND_BE, COND_E, COND_NE, COND_NP, COND_P]>;
def X86FCCSwap : CondMap<[SETOLT, SETOLE, SETFUGT, SETFUGE], [COND_A, COND_AE, COND_B, COND_BE]>;

// Conditions as they reach their users: as made, or truncated to the type that
// LLVM's own legalizer gives branches.
def cond : PatFrags<(ops node:$c), [(i8 node:$c), (i1 (trunc (i8 node:$c)))]>;

// What an integer type of x86 is made of.
class IntType<int n> {
  int Bits = n;
  ValueType VT = !cast<ValueType>("i"#n);
  RegisterClass RC = !cast<RegisterClass>("GR"#n);
  ImmOperand Imm = !if(!eq(n, 64), i64immSExt32, imm);
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
include "X86Memory.td"
include "X86FP.td"
