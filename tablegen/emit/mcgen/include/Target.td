//===- Target.td - the records that describe a target ----------------------===//
//
// Part of Mirin. Classes and fields have LLVM's names and meaning, so that a
// description works with these or with LLVM's own llvm/Target/Target.td. Here is
// what Mirin's generators read; see docs/tablegen.
//
// With selection patterns in the same file say, before this include,
//   #define MIRIN_SELECTION
//
//===----------------------------------------------------------------------===//

#define MIRIN_TARGET_TD

//===- Types ---------------------------------------------------------------===//

class ValueType<int size> { int Size = size; }
def OtherVT : ValueType<0>;
foreach n = [1, 8, 16, 32, 64, 128] in def i#n : ValueType<n>;
foreach n = [16, 32, 64, 80, 128] in def f#n : ValueType<n>;
def v16i8 : ValueType<128>; def v8i16 : ValueType<128>; def v4i32 : ValueType<128>; def v2i64 : ValueType<128>;
def v4f32 : ValueType<128>; def v2f64 : ValueType<128>;
def iPTR : ValueType<0>;
def untyped : ValueType<8>;

//===- Registers -----------------------------------------------------------===//

class SubRegIndex<int size, int offset = 0> {
  string Namespace = "";
  int Size = size;
  int Offset = offset;
  list<SubRegIndex> ComposedOf = [];
  list<SubRegIndex> CoveringSubRegIndices = [];
}
class RegAltNameIndex { string Namespace = ""; }
def NoRegAltName : RegAltNameIndex;

class Register<string n, list<string> altNames = []> {
  string Namespace = "";
  string AsmName = n;
  list<string> AltNames = altNames;
  list<RegAltNameIndex> RegAltNameIndices = [];
  list<Register> Aliases = [];
  list<Register> SubRegs = [];
  list<SubRegIndex> SubRegIndices = [];
  list<int> DwarfNumbers = [];
  list<int> CostPerUse = [0];
  bit CoveredBySubRegs = 0;
  bits<16> HWEncoding = 0;        // its number in instructions
  bit isArtificial = 0;
  bit isConstant = 0;
  int PositionOrder = 0;
}
class RegisterWithSubRegs<string n, list<Register> subregs> : Register<n> { let SubRegs = subregs; }
class DwarfRegNum<list<int> numbers> { list<int> DwarfNumbers = numbers; }

class DAGOperand {
  string OperandNamespace = "MCOI";
  string DecoderMethod = "";
  bit hasCompleteDecoder = 1;
}
class RegisterClassLike : DAGOperand;
class RegisterClass<string namespace, list<ValueType> regTypes, int alignment, dag regList,
                    RegAltNameIndex idx = NoRegAltName> : RegisterClassLike {
  string Namespace = namespace;
  list<ValueType> RegTypes = regTypes;
  int Size = 0;
  int Alignment = alignment;
  int CopyCost = 1;
  dag MemberList = regList;
  RegAltNameIndex altNameIndex = idx;
  bit isAllocatable = 1;
  list<dag> AltOrders = [];
  int AllocationPriority = 0;
  bit GlobalPriority = 0;
  bit GeneratePressureSet = 1;
  int Weight = ?;
  string DiagnosticType = "";
  string DiagnosticString = "";
  bits<8> TSFlags = 0;
  int BaseClassOrder = ?;
}
class RegisterTuples<list<SubRegIndex> indices, list<dag> regs, list<string> names = []> {
  list<dag> SubRegs = regs;
  list<SubRegIndex> SubRegIndices = indices;
  list<string> RegAsmNames = names;
}
class RegisterBank<string name, list<RegisterClass> classes> {
  string Name = name;
  list<RegisterClass> RegisterClasses = classes;
}
def zero_reg : Register<"">;      // no register

// Operators of sets: the other ones are nodes of selection patterns too.
def sequence; def decimate; def interleave;
#ifndef MIRIN_SELECTION
def add; def sub; def and; def shl; def trunc; def rotl; def rotr; def not;
#endif

//===- Features ------------------------------------------------------------===//

class SubtargetFeature<string n, string f, string v, string d, list<SubtargetFeature> i = []> {
  string Name = n;
  string FieldName = f;
  string Value = v;
  string Desc = d;
  list<SubtargetFeature> Implies = i;
}
class Predicate<string cond> {
  string CondString = cond;
  bit AssemblerMatcherPredicate = 0;
  dag AssemblerCondDag;
  string PredicateName = "";
  // For selection: a feature by its name (or its absence), or a function.
  string Feature = "";
  bit Not = 0;
  string Hook = "";
}
class HookPredicate<string hook> : Predicate<""> { let Hook = hook; }
def any_of; def all_of;
class AssemblerPredicate<dag cond, string name = ""> {
  bit AssemblerMatcherPredicate = 1;
  dag AssemblerCondDag = cond;
  string PredicateName = name;
}
class Requires<list<Predicate> preds> { list<Predicate> Predicates = preds; }

//===- Operands ------------------------------------------------------------===//

def ops; def outs; def ins; def variable_ops;

class AsmOperandClass {
  string Name = ?;
  list<AsmOperandClass> SuperClasses = [];
  string PredicateMethod = ?;
  string RenderMethod = ?;
  string ParserMethod = ?;
  string DiagnosticType = "";
  string DiagnosticString = "";
  bit IsOptional = 0;
  string DefaultMethod = ?;
}
def ImmAsmOperand : AsmOperandClass { let Name = "Imm"; }

class Operand<ValueType ty> : DAGOperand {
  ValueType Type = ty;
  string PrintMethod = "printOperand";
  string EncoderMethod = "";
  string OperandType = "OPERAND_UNKNOWN";
  dag MIOperandInfo = (ops);
  code MCOperandPredicate;
  AsmOperandClass ParserMatchClass = ImmAsmOperand;
}
class RegisterOperand<RegisterClassLike regclass, string pm = "printOperand"> : DAGOperand {
  RegisterClassLike RegClass = regclass;
  string PrintMethod = pm;
  string EncoderMethod = "";
  AsmOperandClass ParserMatchClass;
  string OperandType = "OPERAND_REGISTER";
}
class OperandWithDefaultOps<ValueType ty, dag defaultops> : Operand<ty> { dag DefaultOps = defaultops; }
let OperandType = "OPERAND_IMMEDIATE" in {
def i1imm : Operand<i1>; def i8imm : Operand<i8>; def i16imm : Operand<i16>; def i32imm : Operand<i32>; def i64imm : Operand<i64>;
}

//===- Instructions --------------------------------------------------------===//

class InstructionEncoding {
  int Size;
  string DecoderNamespace = "";
  list<Predicate> Predicates = [];
  string DecoderMethod = "";
  bit hasCompleteDecoder = 1;
}
// A definition that has bits says:  bits<32> Inst;
class Instruction : InstructionEncoding {
  string Namespace = "";
  dag OutOperandList;
  dag InOperandList;
  string AsmString = "";
  list<dag> Pattern = [];
  list<Register> Uses = [];
  list<Register> Defs = [];
  int CodeSize = 0;
  int AddedComplexity = 0;
  bit isPreISelOpcode = 0;
  bit isReturn = 0;
  bit isBranch = 0;
  bit isEHScopeReturn = 0;
  bit isIndirectBranch = 0;
  bit isCompare = 0;
  bit isMoveImm = 0;
  bit isMoveReg = 0;
  bit isBitcast = 0;
  bit isSelect = 0;
  bit isBarrier = 0;
  bit isCall = 0;
  bit isAdd = 0;
  bit isTrap = 0;
  bit canFoldAsLoad = 0;
  bit mayLoad = ?;
  bit mayStore = ?;
  bit mayRaiseFPException = 0;
  bit isConvertibleToThreeAddress = 0;
  bit isCommutable = 0;
  bit isTerminator = 0;
  bit isReMaterializable = 0;
  bit isPredicable = 0;
  bit isUnpredicable = 0;
  bit hasDelaySlot = 0;
  bit usesCustomInserter = 0;
  bit hasPostISelHook = 0;
  bit hasCtrlDep = 0;
  bit isNotDuplicable = 0;
  bit isConvergent = 0;
  bit isAuthenticated = 0;
  bit isAsCheapAsAMove = 0;
  bit hasExtraSrcRegAllocReq = 0;
  bit hasExtraDefRegAllocReq = 0;
  bit isRegSequence = 0;
  bit isPseudo = 0;
  bit isMeta = 0;
  bit isExtractSubreg = 0;
  bit isInsertSubreg = 0;
  bit variadicOpsAreDefs = 0;
  bit hasSideEffects = ?;
  bit isCodeGenOnly = 0;
  bit isAsmParserOnly = 0;
  bit hasNoSchedulingInfo = 0;
  string Constraints = "";
  string PostEncoderMethod = "";
  bits<64> TSFlags = 0;
  string AsmMatchConverter = "";
  string TwoOperandAliasConstraint = "";
  string AsmVariantName = "";
  bit HasPositionOrder = 0;
}
// Another encoding that means the same instruction when it is read.
class AdditionalEncoding<Instruction I> : InstructionEncoding { Instruction AliasOf = I; }

class InstrInfo {
  bit isLittleEndianEncoding = 0;
  bit guessInstructionProperties = 1;
}

//===- Assembly ------------------------------------------------------------===//

class AsmWriter { string AsmWriterClassName = "InstPrinter"; int PassSubtarget = 0; int Variant = 0; }
class AsmParser { bit HasMnemonicFirst = 1; }
class AsmParserVariant {
  int Variant = 0;
  string Name = "";
  string CommentDelimiter = "";
  string RegisterPrefix = "";
}
class MnemonicAlias<string From, string To, string VariantName = ""> {
  string FromMnemonic = From;
  string ToMnemonic = To;
  string AsmVariantName = VariantName;
  list<Predicate> Predicates = [];
}
class InstAlias<string Asm, dag Result, int Emit = 1, string VariantName = ""> {
  string AsmString = Asm;
  dag ResultInst = Result;
  int EmitPriority = Emit;          // 0: read only; the highest of several is printed
  list<Predicate> Predicates = [];
  bit UseInstAsmMatchConverter = 1;
  string AsmVariantName = VariantName;
}

class Target {
  InstrInfo InstructionSet;
  list<AsmParser> AssemblyParsers = [];
  list<AsmParserVariant> AssemblyParserVariants = [];
  list<AsmWriter> AssemblyWriters = [];
}
