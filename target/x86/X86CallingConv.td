//===- X86CallingConv.td - calling conventions of x86-64 ------------------===//
//
// psABI 3.2 for C, and what LLVM does with values and conventions that C does
// not have. `go generate` makes tab/zz_callconv.go of this file; the Go functions
// that it names are in callconv.go.
//
//===----------------------------------------------------------------------===//

include "mirin/CallingConv.td"

//===- Lists ---------------------------------------------------------------===//

defvar Vec128 = [v16i8, v8i16, v4i32, v2i64, v8f16, v8bf16, v4f32, v2f64];
defvar Vec256 = [v32i8, v16i16, v8i32, v4i64, v16f16, v16bf16, v8f32, v4f64];
defvar Vec512 = [v64i8, v32i16, v16i32, v8i64, v32f16, v32bf16, v16f32, v8f64];

// The registers prefix#n of n = first … last.
class Seq<string prefix, int first, int last> {
  list<Register> R = !foreach(n, !range(first, !add(last, 1)), !cast<Register>(prefix # n));
}

// Whether a register is one of the eight that the 8086 had.
class IsOld<string n> {
  bit Is = !ne(!find("RAX RBX RCX RDX RSI RDI RBP RSP", n), -1);
}

// The parts of 8, 16 and 32 bits of 64-bit registers. RAX has other names for
// them than R8.
class Parts<list<Register> regs> {
  list<Register> R64 = regs;
  list<string> Names = !foreach(r, regs, !cast<string>(r));
  list<Register> R32 = !foreach(n, Names, !cast<Register>(
      !if(IsOld<n>.Is,
          "E" # !substr(n, 1), n # "D")));
  list<Register> R16 = !foreach(n, Names, !cast<Register>(
      !if(IsOld<n>.Is,
          !substr(n, 1), n # "W")));
  list<Register> R8 = !foreach(n, Names, !cast<Register>(
      !cond(!eq(!substr(n, 2), "X"): !substr(n, 1, 1) # "L",
            IsOld<n>.Is: !substr(n, 1) # "L",
            true: n # "B")));
}

//===- What several conventions do -----------------------------------------===//

// The first value goes to a register of its size.
class ToGPR<Parts P> {
  list<CCAction> Narrow = [CCIfType<[i8], CCAssignToReg<P.R8>>, CCIfType<[i16], CCAssignToReg<P.R16>>];
  list<CCAction> Word = [CCIfType<[i32], CCAssignToReg<P.R32>>, CCIfType<[i64], CCAssignToReg<P.R64>>];
  list<CCAction> All = Narrow # Word;
}

// Values of vector registers: XMM, YMM and ZMM of the same numbers.
class ToVector<list<ValueType> scalars, int first, int last> {
  list<CCAction> A = [
    CCIfType<scalars # Vec128, CCAssignToReg<Seq<"XMM", first, last>.R>>,
    CCIfType<Vec256, CCAssignToReg<Seq<"YMM", first, last>.R>>,
    CCIfType<Vec512, CCAssignToReg<Seq<"ZMM", first, last>.R>>];
}

// Arguments that have a register of their own.
defvar SpecialArgs = [
  CCIfNest<CCAssignToReg<[R10]>>,
  CCIfType<[i64], CCIfSwiftSelf<CCAssignToReg<[R13]>>>,
  CCIfType<[i64], CCIfSwiftError<CCAssignToReg<[R12]>>>,
  CCIfType<[i64], CCIfSwiftAsync<CCAssignToReg<[R14]>>>];

defvar StackArgs = [
  CCIfType<[i32, i64, f16, f32, f64], CCAssignToStack<8, 8>>,
  CCIfType<[f80, f128] # Vec128, CCAssignToStack<16, 16>>,
  CCIfType<Vec256, CCAssignToStack<32, 32>>,
  CCIfType<Vec512, CCAssignToStack<64, 64>>];

defvar Widen = CCIfType<[i1, i8, i16], CCPromoteToType<i32>>;
// Floats for which no XMM is left are returned on the x87 stack too.
def X87Results : CallingConv<[CCIfType<[f32, f64, f80], CCAssignToReg<[FP0, FP1]>>]>;

//===- System V: C, fast, cold and tail ------------------------------------===//

defvar CArgRegs = [RDI, RSI, RDX, RCX, R8, R9];

def CC_X86_64_C : CallingConv<
  [CCIfByVal<CCPassByVal<8, 8>>, Widen]
  # SpecialArgs
  # [CCIfType<[i64], CCIfSRet<CCIf<"cc(Swift) || cc(SwiftTail)", CCAssignToReg<[RAX]>>>>]
  # [CCIfType<[i64], CCIfConsecutiveRegs<CCCustom<"CC_X86_64_I128">>>]
  # ToGPR<Parts<CArgRegs>>.Word
  # [CCIfFeature<"sse", CCIfType<[f16, f32, f64, f128] # Vec128, CCAssignToReg<Seq<"XMM", 0, 7>.R>>>,
     // Variable arguments wider than XMM are in memory.
     CCIfNotVarArg<CCIfType<Vec256, CCAssignToReg<Seq<"YMM", 0, 7>.R>>>,
     CCIfNotVarArg<CCIfType<Vec512, CCAssignToReg<Seq<"ZMM", 0, 7>.R>>>]
  # StackArgs>;

def RetCC_X86_64_Values : CallingConv<
  ToGPR<Parts<[RAX, RDX, RCX]>>.All
  # ToVector<[], 0, 3>.A
  # [CCDelegateTo<X87Results>]>;

def RetCC_X86_64_C : CallingConv<[
  CCIfSwiftError<CCIfType<[i64], CCAssignToReg<[R12]>>>,
  CCIfType<[f16, f32, f64, f128], CCAssignToReg<[XMM0, XMM1]>>,
  CCDelegateTo<RetCC_X86_64_Values>]>;

//===- Swift ---------------------------------------------------------------===//

def RetCC_X86_64_Swift : CallingConv<
  [CCIfSwiftError<CCIfType<[i64], CCAssignToReg<[R12]>>>]
  # ToGPR<Parts<[RAX, RDX, RCX, R8]>>.All
  # [CCIfType<[f32, f64], CCAssignToReg<Seq<"XMM", 0, 3>.R>>,
     CCDelegateTo<RetCC_X86_64_C>]>;

//===- Windows -------------------------------------------------------------===//

// The four argument words have a register of either kind each. The caller
// reserves stack for them: State.Stack starts at 32.
def CC_X86_Win64_C : CallingConv<
  [CCIfByVal<CCPassIndirect<i64>>]
  # SpecialArgs
  # [CCIfCFGuardTarget<CCAssignToReg<[RAX]>>,
     CCIfType<[f80, f128] # Vec128 # Vec256 # Vec512, CCPassIndirect<i64>>,
     CCIfType<[i8], CCAssignToRegWithShadow<[CL, DL, R8B, R9B], [XMM0, XMM1, XMM2, XMM3]>>,
     CCIfType<[i16], CCAssignToRegWithShadow<[CX, DX, R8W, R9W], [XMM0, XMM1, XMM2, XMM3]>>,
     CCIfType<[i32], CCAssignToRegWithShadow<[ECX, EDX, R8D, R9D], [XMM0, XMM1, XMM2, XMM3]>>,
     CCIfType<[i64], CCAssignToRegWithShadow<[RCX, RDX, R8, R9], [XMM0, XMM1, XMM2, XMM3]>>,
     CCIfType<[f16, f32, f64], CCAssignToRegWithShadow<[XMM0, XMM1, XMM2, XMM3], [RCX, RDX, R8, R9]>>,
     CCIfType<[i8, i16, i32, i64, f16, f32, f64], CCAssignToStack<8, 8>>]>;

//===- The Glasgow Haskell Compiler ----------------------------------------===//

def CC_X86_64_GHC : CallingConv<
  [CCIfType<[i8, i16, i32], CCPromoteToType<i64>>,
   CCIfType<[i64], CCAssignToReg<[R13, RBP, R12, RBX, R14, RSI, RDI, R8, R9, R15]>>]
  # ToVector<[f32, f64], 1, 6>.A>;

//===- preserve_none and regcall -------------------------------------------===//

def CC_X86_64_Preserve_None : CallingConv<[
  CCIfType<[i32], CCAssignToReg<Parts<[R12, R13, R14, R15, RDI, RSI, RDX, RCX, R8, R9, R11, RAX]>.R32>>,
  CCIfType<[i64], CCAssignToReg<[R12, R13, R14, R15, RDI, RSI, RDX, RCX, R8, R9, R11, RAX]>>,
  CCDelegateTo<CC_X86_64_C>]>;

defvar RegCallRegs = [RAX, RCX, RDX, RDI, RSI, R8, R9, R12, R13, R14, R15];

def CC_X86_64_RegCall : CallingConv<
  [CCIfByVal<CCPassByVal<8, 8>>, Widen]
  # ToGPR<Parts<RegCallRegs>>.Word
  # [CCIfType<[f80], CCAssignToReg<[FP0]>>]
  # ToVector<[f16, f32, f64, f128], 0, 15>.A
  # StackArgs>;

def RetCC_X86_64_RegCall : CallingConv<
  ToGPR<Parts<RegCallRegs>>.All
  # [CCIfType<[f80], CCAssignToReg<[FP0, FP1]>>]
  # ToVector<[f16, f32, f64, f128], 0, 15>.A>;

//===- The choice by number ------------------------------------------------===//

def CC_X86_64 : CallingConv<[
  CCIfCC<"CallingConv::GHC", CCDelegateTo<CC_X86_64_GHC>>,
  CCIfCC<"CallingConv::Win64", CCDelegateTo<CC_X86_Win64_C>>,
  CCIfCC<"CallingConv::X86_RegCall", CCDelegateTo<CC_X86_64_RegCall>>,
  CCIfCC<"CallingConv::PreserveNone", CCDelegateTo<CC_X86_64_Preserve_None>>,
  CCDelegateTo<CC_X86_64_C>]>;

def RetCC_X86_64 : CallingConv<[
  CCIf<"cc(Swift) || cc(SwiftTail)", CCDelegateTo<RetCC_X86_64_Swift>>,
  CCIfCC<"CallingConv::X86_RegCall", CCDelegateTo<RetCC_X86_64_RegCall>>,
  CCDelegateTo<RetCC_X86_64_C>]>;

//===- Registers that calls preserve, in the order of saving ---------------===//

def CSR_NoRegs : CalleeSavedRegs<(add)>;
def CSR_64 : CalleeSavedRegs<(add RBX, R12, R13, R14, R15, RBP)>;
def CSR_64_SwiftError : CalleeSavedRegs<(sub CSR_64, R12)>;
def CSR_64_SwiftTail : CalleeSavedRegs<(sub CSR_64, R13, R14)>;
def CSR_64_NoneRegs : CalleeSavedRegs<(add RBP)>;
def CSR_64_MostRegs : CalleeSavedRegs<(add RBX, RCX, RDX, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, RBP,
                                       (sequence "XMM%u", 0, 15))>;
def CSR_64_RT_MostRegs : CalleeSavedRegs<(add CSR_64, RAX, RCX, RDX, RSI, RDI, R8, R9, R10)>;
def CSR_64_RT_AllRegs : CalleeSavedRegs<(add CSR_64_RT_MostRegs, (sequence "XMM%u", 0, 15))>;
def CSR_64_RT_AllRegs_AVX : CalleeSavedRegs<(add CSR_64_RT_MostRegs, (sequence "YMM%u", 0, 15))>;
def CSR_Win64_NoSSE : CalleeSavedRegs<(add RBX, RBP, RDI, RSI, R12, R13, R14, R15)>;
def CSR_Win64 : CalleeSavedRegs<(add CSR_Win64_NoSSE, (sequence "XMM%u", 6, 15))>;
def CSR_SysV64_RegCall_NoSSE : CalleeSavedRegs<(add RBX, RBP, R12, R13, R14, R15)>;
def CSR_SysV64_RegCall : CalleeSavedRegs<(add CSR_SysV64_RegCall_NoSSE, (sequence "XMM%u", 8, 15))>;
include "X86CallingConv32.td"
