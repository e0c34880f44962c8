//===- CallingConv.td - the language of calling conventions ---------------===//
//
// Part of Mirin. The classes and fields have LLVM's names and meaning, so that
// descriptions work with either set of classes; what a string predicate may
// say is Mirin's own. See docs/tablegen/calling-conv.md.
//
// Registers and value types need no declaration here: a name that the facts of
// the target know is a record when it is used.
//
//===----------------------------------------------------------------------===//

#ifndef MIRIN_CALLING_CONV_TD
#define MIRIN_CALLING_CONV_TD

// What mirin/Target.td has, where it was included before, is left out.
#ifndef MIRIN_TARGET_TD
class Register;
class ValueType;
def sequence; def decimate; def interleave;
def add; def sub; def and; def shl; def trunc; def rotl; def rotr;
#endif

//===- Conventions ---------------------------------------------------------===//

class CCAction;

// The actions are tried in order until one places the value.
class CallingConv<list<CCAction> actions> {
  list<CCAction> Actions = actions;
  bit Entry = false;    // of meaning to LLVM alone
  bit Custom = false;
}
// A function of the convention's name places the values.
class CustomCallingConv : CallingConv<[]> { let Custom = true; }

// Go on with the actions of another convention.
class CCDelegateTo<CallingConv cc> : CCAction { CallingConv CC = cc; }
// Ask a function.
class CCCustom<string fn> : CCAction { string FuncName = fn; }

//===- Conditions ----------------------------------------------------------===//

class CCPredicateAction<CCAction A> : CCAction { CCAction SubAction = A; }
class CCIfType<list<ValueType> vts, CCAction A> : CCPredicateAction<A> { list<ValueType> VTs = vts; }
class CCIf<string predicate, CCAction A> : CCPredicateAction<A> { string Predicate = predicate; }

// A predicate of the target: the name of a Go function that a CCIf may use.
class CCPredicate<string name> { string Name = name; }

class CCIfByVal<CCAction A>           : CCIf<"isByVal", A>;
class CCIfPreallocated<CCAction A>    : CCIf<"isPreallocated", A>;
class CCIfSwiftSelf<CCAction A>       : CCIf<"isSwiftSelf", A>;
class CCIfSwiftAsync<CCAction A>      : CCIf<"isSwiftAsync", A>;
class CCIfSwiftError<CCAction A>      : CCIf<"isSwiftError", A>;
class CCIfCFGuardTarget<CCAction A>   : CCIf<"isCFGuardTarget", A>;
class CCIfConsecutiveRegs<CCAction A> : CCIf<"isInConsecutiveRegs", A>;
class CCIfInReg<CCAction A>           : CCIf<"isInReg", A>;
class CCIfNest<CCAction A>            : CCIf<"isNest", A>;
class CCIfSplit<CCAction A>           : CCIf<"isSplit", A>;
class CCIfSRet<CCAction A>            : CCIf<"isSRet", A>;
class CCIfPtr<CCAction A>             : CCIf<"isPointer", A>;
class CCIfPtrAddrSpace<int AS, CCAction A> : CCIf<"isPointer && addrspace(" # AS # ")", A>;
class CCIfVarArg<CCAction A>          : CCIf<"isVarArg", A>;      // the function has variable arguments
class CCIfNotVarArg<CCAction A>       : CCIf<"!isVarArg", A>;
class CCIfArgVarArg<CCAction A>       : CCIf<"isArgVarArg", A>;   // the argument is one of them
class CCIfArgFixed<CCAction A>        : CCIf<"!isArgVarArg", A>;
// A convention by LLVM's name, such as CallingConv::Fast.
class CCIfCC<string CC, CCAction A>   : CCIf<"cc(" # CC # ")", A>;
// A feature of the processor by its name in -mattr.
class CCIfFeature<string F, CCAction A> : CCIf<"feature(" # F # ")", A>;

//===- Changes of the value ------------------------------------------------===//

class CCPromoteToType<ValueType destTy>            : CCAction { ValueType DestTy = destTy; }
class CCPromoteToUpperBitsInType<ValueType destTy> : CCAction { ValueType DestTy = destTy; }
class CCBitConvertToType<ValueType destTy>         : CCAction { ValueType DestTy = destTy; }
class CCTruncToType<ValueType destTy>              : CCAction { ValueType DestTy = destTy; }
// The value stands in memory; its address is passed.
class CCPassIndirect<ValueType destTy>             : CCAction { ValueType DestTy = destTy; }

//===- Places --------------------------------------------------------------===//

// The first free register of the list.
class CCAssignToReg<list<Register> regList> : CCAction { list<Register> RegList = regList; }
class CCAssignToRegTuple<list<string> regList> : CCAction { list<string> RegList = regList; }
// With the register the shadow at its place in the second list is taken.
class CCAssignToRegWithShadow<list<Register> regList, list<Register> shadowList> : CCAction {
  list<Register> RegList = regList;
  list<Register> ShadowRegList = shadowList;
}
// A stack slot; 0 stands for the ABI's size or alignment of the type.
class CCAssignToStack<int size, int align> : CCAction { int Size = size; int Align = align; }
// All shadow registers are taken.
class CCAssignToStackWithShadow<int size, int align, list<Register> shadowList> : CCAction {
  int Size = size;
  int Align = align;
  list<Register> ShadowRegList = shadowList;
}
// A register, and a stack slot beside it.
class CCAssignToRegAndStack<list<Register> regList, int size, int align> : CCAssignToReg<regList> {
  int Size = size;
  int Align = align;
}
// A copy of the aggregate on the stack, of at least this size and alignment.
class CCPassByVal<int size, int align> : CCAction { int Size = size; int Align = align; }

//===- Registers that survive a call ---------------------------------------===//

// A set expression over registers, in the order of saving: (add R12, R13),
// (sub CSR_A, RBX), (sequence "XMM%u", 6, 15), (and A, B), (trunc A, n), (shl A, n).
class CalleeSavedRegs<dag saves> {
  dag SaveList = saves;
  dag OtherPreserved;   // survive without being saved, as register windows do
}

#endif
