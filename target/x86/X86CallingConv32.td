//===- X86CallingConv32.td - calling conventions of i386 ------------------===//
//
// The System V ABI's Intel386 supplement for C, and what LLVM does with values and
// conventions that C does not have. X86CallingConv.td includes this file.
//
//===----------------------------------------------------------------------===//

defvar Ints32 = CCIfType<[i32], CCAssignToReg<[EAX, EDX, ECX]>>;

// Three of the arguments that are vectors have registers.
defvar Vectors32 = [
  CCIfNotVarArg<CCIfType<Vec128, CCAssignToReg<Seq<"XMM", 0, 2>.R>>>,
  CCIfNotVarArg<CCIfType<Vec256, CCAssignToReg<Seq<"YMM", 0, 2>.R>>>,
  CCIfNotVarArg<CCIfType<Vec512, CCAssignToReg<Seq<"ZMM", 0, 2>.R>>>,
  CCIfType<Vec128, CCAssignToStack<16, 16>>,
  CCIfType<Vec256, CCAssignToStack<32, 32>>,
  CCIfType<Vec512, CCAssignToStack<64, 64>>];

def CC_X86_32_Common : CallingConv<
  [CCIfByVal<CCPassByVal<4, 4>>,
   CCIfType<[i32], CCIfConsecutiveRegs<CCCustom<"CC_X86_32_I128">>>,
   CCIfFeature<"sse2", CCIfNotVarArg<CCIfInReg<CCIfType<[f16, f32, f64], CCAssignToReg<Seq<"XMM", 0, 2>.R>>>>>,
   CCIfType<[f16, i32, f32], CCAssignToStack<4, 4>>,
   CCIfType<[f64], CCAssignToStack<8, 4>>,
   CCIfType<[f80], CCAssignToStack<12, 4>>]
  # Vectors32>;

// inreg is regparm.
def CC_X86_32_C : CallingConv<[
  CCIfType<[i1, i8, i16], CCPromoteToType<i32>>,
  CCIfNest<CCAssignToReg<[ECX]>>,
  CCIfCC<"CallingConv::SwiftTail", CCIfSwiftSelf<CCIfType<[i32], CCAssignToReg<[ECX]>>>>,
  CCIfNotVarArg<CCIfInReg<Ints32>>,
  CCDelegateTo<CC_X86_32_Common>]>;

def CC_X86_32_FastCall : CallingConv<[
  CCIfType<[i1, i8, i16], CCPromoteToType<i32>>,
  CCIfNest<CCAssignToReg<[EAX]>>,
  CCIfInReg<CCIfType<[i32], CCAssignToReg<[ECX, EDX]>>>,
  CCDelegateTo<CC_X86_32_Common>]>;

def CC_X86_32_ThisCall : CallingConv<[
  CCIfType<[i1, i8, i16], CCPromoteToType<i32>>,
  CCIfNest<CCAssignToReg<[EAX]>>,
  CCIfSRet<CCAssignToStack<4, 4>>,
  CCIfType<[i32], CCAssignToReg<[ECX]>>,
  CCDelegateTo<CC_X86_32_Common>]>;

def CC_X86_32_Fast : CallingConv<[
  CCIfByVal<CCPassByVal<4, 4>>,
  CCIfType<[i1, i8, i16], CCPromoteToType<i32>>,
  CCIfNest<CCAssignToReg<[EAX]>>,
  CCIfInReg<CCIfType<[i32], CCAssignToReg<[ECX, EDX]>>>,
  CCIfFeature<"sse2", CCIfNotVarArg<CCIfType<[f32, f64], CCAssignToReg<Seq<"XMM", 0, 2>.R>>>>,
  CCIfType<[f64], CCAssignToStack<8, 8>>,
  CCDelegateTo<CC_X86_32_Common>]>;

def CC_X86_32 : CallingConv<[
  CCIfCC<"CallingConv::X86_FastCall", CCDelegateTo<CC_X86_32_FastCall>>,
  CCIfCC<"CallingConv::X86_ThisCall", CCDelegateTo<CC_X86_32_ThisCall>>,
  CCIf<"cc(Fast) || cc(Tail)", CCDelegateTo<CC_X86_32_Fast>>,
  CCDelegateTo<CC_X86_32_C>]>;

// Numbers are returned on the x87 stack, or where the attribute inreg asks for it, and in fastcc, in XMM.
def RetCC_X86_32_Values : CallingConv<
  [CCIfType<[i8], CCAssignToReg<[AL, DL, CL]>>,
   CCIfType<[i16], CCAssignToReg<[AX, DX, CX]>>,
   Ints32,
   CCIfFeature<"sse2", CCIf<"isInReg || cc(Fast) || cc(Tail)", CCIfType<[f32, f64], CCAssignToReg<Seq<"XMM", 0, 2>.R>>>>,
   CCIfType<[f16], CCAssignToReg<Seq<"XMM", 0, 2>.R>>]
  # ToVector<[], 0, 3>.A
  # [CCIfType<[f32, f64, f80], CCAssignToReg<[FP0, FP1]>>]>;

def RetCC_X86_32 : CallingConv<[CCDelegateTo<RetCC_X86_32_Values>]>;

def CSR_32 : CalleeSavedRegs<(add ESI, EDI, EBX, EBP)>;
