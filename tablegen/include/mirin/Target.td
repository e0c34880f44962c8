// What a target is described with. Names of classes and fields are LLVM's, so
// that a description reads the same with include "llvm/Target/Target.td" and -I.
// Of the opcodes that all targets share (COPY, PHI, G_ADD …) those that patterns
// name are records here; none needs to be. Patterns are written with
// mirin/TargetSelectionDAG.td, which comes with this file, as LLVM's does.

#ifndef MIRIN_TARGET_TD
#define MIRIN_TARGET_TD

include "mirin/ValueTypes.td"

//===- Hardware modes -----------------------------------------------------===//

class Predicate<string cond> {
  string CondString = cond;
  bit AssemblerMatcherPredicate = false;
  dag AssemblerCondDag;
  string PredicateName = "";
  bit RecomputePerFunction = false;
}
class Requires<list<Predicate> preds> { list<Predicate> Predicates = preds; }

class HwMode<list<Predicate> Ps> { list<Predicate> Predicates = Ps; }
def DefaultMode : HwMode<[]>;
class HwModeSelect<list<HwMode> Ms, int ObjectsLength> {
  list<HwMode> Modes = Ms;
  assert !eq(ObjectsLength, !size(Modes)), "there must be one object for each mode";
}
class ValueTypeByHwMode<list<HwMode> Ms, list<ValueType> Ts> : HwModeSelect<Ms, !size(Ts)>, ValueType<0, "INVALID_SIMPLE_VALUE_TYPE"> {
  list<ValueType> Objects = Ts;
}
class RegInfo<int RS, int SS, int SA> { // in bits
  int RegSize = RS;
  int SpillSize = SS;
  int SpillAlignment = SA;
}
class RegInfoByHwMode<list<HwMode> Ms = [], list<RegInfo> Ts = []> : HwModeSelect<Ms, !size(Ts)> { list<RegInfo> Objects = Ts; }
class SubRegRange<int size, int offset = 0> { int Size = size; int Offset = offset; }
class SubRegRangeByHwMode<list<HwMode> Ms = [], list<SubRegRange> Ts = []> : HwModeSelect<Ms, !size(Ts)> { list<SubRegRange> Objects = Ts; }

//===- Registers ----------------------------------------------------------===//

class SubRegIndex<int size, int offset = 0> { // a part of a register; bits, -1 unknown
  string Namespace = "";
  SubRegRangeByHwMode SubRegRanges;
  int Size = size;
  int Offset = offset;
  list<SubRegIndex> ComposedOf = [];            // [A, B]: B of A
  list<SubRegIndex> CoveringSubRegIndices = []; // what it consists of
}
class ComposedSubRegIndex<SubRegIndex A, SubRegIndex B>
    : SubRegIndex<B.Size, !cond(!eq(A.Offset, -1): -1, !eq(B.Offset, -1): -1, true: !add(A.Offset, B.Offset))> {
  let ComposedOf = [A, B];
}
class RegAltNameIndex { string Namespace = ""; RegAltNameIndex FallbackRegAltNameIndex = ?; }
def NoRegAltName : RegAltNameIndex;

class Register<string n, list<string> altNames = []> {
  string Namespace = "";
  string AsmName = n;
  list<string> AltNames = altNames;
  list<Register> Aliases = [];
  list<Register> SubRegs = [];
  list<SubRegIndex> SubRegIndices = [];
  list<RegAltNameIndex> RegAltNameIndices = [];
  list<int> DwarfNumbers = [];
  list<int> CostPerUse = [0];
  bit CoveredBySubRegs = false; // it consists of its sub-registers
  bits<16> HWEncoding = 0;
  bit isArtificial = false;
  bit isConstant = false;
  int PositionOrder = 0;
  // The types of its classes, where those are no records: of registers that
  // come from the facts of a target.
  list<ValueType> RegTypes = [];
}
class RegisterWithSubRegs<string n, list<Register> subregs> : Register<n> { let SubRegs = subregs; }
class DwarfRegNum<list<int> Numbers> { list<int> DwarfNumbers = Numbers; }
class DwarfRegAlias<Register reg> { Register DwarfAlias = reg; }

class DAGOperand {
  string OperandNamespace = "MCOI";
  string DecoderMethod = "";
  bit hasCompleteDecoder = true;
}
class RegisterClassLike : DAGOperand;
class RegisterClass<string namespace, list<ValueType> regTypes, int alignment, dag regList, RegAltNameIndex idx = NoRegAltName> : RegisterClassLike {
  string Namespace = namespace;
  RegInfoByHwMode RegInfos;
  list<ValueType> RegTypes = regTypes;
  int Size = 0;             // bits; 0: that of the first type
  int Alignment = alignment; // of spill slots, in bits
  int CopyCost = 1;
  dag MemberList = regList;
  RegAltNameIndex altNameIndex = idx;
  bit isAllocatable = true;
  list<dag> AltOrders = [];
  code AltOrderSelect = [{}];
  int AllocationPriority = 0;
  bit GlobalPriority = false;
  bit GeneratePressureSet = true;
  int Weight = ?;
  string DiagnosticType = "";
  string DiagnosticString = "";
  bits<8> TSFlags = 0;
  int BaseClassOrder = ?;
}
class RegClassByHwMode<list<HwMode> Ms, list<RegisterClass> RegClasses> : HwModeSelect<Ms, !size(RegClasses)>, RegisterClassLike {
  list<RegisterClass> Objects = RegClasses;
}

// Operators of sets of registers; add, sub, and, shl, trunc, rotl and rotr are nodes of patterns too.
def sequence; def decimate; def interleave;

class RegisterTuples<list<SubRegIndex> Indices, list<dag> Regs, list<string> RegNames = []> {
  list<dag> SubRegs = Regs;
  list<SubRegIndex> SubRegIndices = Indices;
  list<string> RegAsmNames = RegNames;
  int PositionOrder = 0;
}
class RegisterBank<string name, list<RegisterClass> classes> {
  string Name = name;
  list<RegisterClass> RegisterClasses = classes;
}

//===- Operands -----------------------------------------------------------===//

def ops; def outs; def ins;
def variable_ops;
class unknown_class;
def unknown : unknown_class;
def zero_reg;                 // no register: $noreg
def undef_tied_input;
def anyimm : unknown_class;   // an immediate of an instruction that comes from facts, which do not tell its type
class PointerLikeRegClass<int Kind> { int RegClassKind = Kind; }

class AsmOperandClass {
  string Name = ?;
  list<AsmOperandClass> SuperClasses = [];
  string PredicateMethod = ?;
  string RenderMethod = ?;
  string ParserMethod = ?;
  string DiagnosticType = "";
  string DiagnosticString = "";
  bit IsOptional = false;
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
  Register GIZeroRegister = ?;
}
let OperandType = "OPERAND_IMMEDIATE" in {
  def i1imm : Operand<i1>;
  def i8imm : Operand<i8>;
  def i16imm : Operand<i16>;
  def i32imm : Operand<i32>;
  def i64imm : Operand<i64>;
  def f32imm : Operand<f32>;
  def f64imm : Operand<f64>;
}
class PredicateOp;
class OperandWithDefaultOps<ValueType ty, dag defaultops> : Operand<ty> { dag DefaultOps = defaultops; }
class PredicateOperand<ValueType ty, dag OpTypes, dag AlwaysVal> : OperandWithDefaultOps<ty, AlwaysVal>, PredicateOp { let MIOperandInfo = OpTypes; }
class OptionalDefOperand<ValueType ty, dag OpTypes, dag defaultops> : OperandWithDefaultOps<ty, defaultops> { let MIOperandInfo = OpTypes; }
class BranchTargetOperand<ValueType ty> : Operand<ty>;

//===- Features and machine models ----------------------------------------===//

class SubtargetFeature<string n, string f, string v, string d, list<SubtargetFeature> i = []> {
  string Name = n;
  string FieldName = f;
  string Value = v;
  string Desc = d;
  list<SubtargetFeature> Implies = i;
}
include "mirin/Schedule.td"

//===- Instructions -------------------------------------------------------===//

class InstructionEncoding {
  int Size;
  string DecoderNamespace = "";
  list<Predicate> Predicates = [];
  string DecoderMethod = "";
  bit hasCompleteDecoder = true;
}
class EncodingByHwMode<list<HwMode> Ms = [], list<InstructionEncoding> Ts = []> : HwModeSelect<Ms, !size(Ts)> { list<InstructionEncoding> Objects = Ts; }

class Instruction : InstructionEncoding {
  string Namespace = "";
  dag OutOperandList;
  dag InOperandList;
  string AsmString = "";
  EncodingByHwMode EncodingInfos;
  list<dag> Pattern;
  list<Register> Uses = [];
  list<Register> Defs = [];
  list<Predicate> Predicates = [];
  int Size = 0; // bytes
  int CodeSize = 0;
  int AddedComplexity = 0;
  // Unset ones follow of the pattern; without one hasSideEffects is true.
  bit mayLoad = ?;
  bit mayStore = ?;
  bit hasSideEffects = ?;
  bit isPreISelOpcode = false;
  bit isReturn = false;
  bit isBranch = false;
  bit isEHScopeReturn = false;
  bit isIndirectBranch = false;
  bit isCompare = false;
  bit isMoveImm = false;
  bit isMoveReg = false;
  bit isBitcast = false;
  bit isSelect = false;
  bit isBarrier = false;
  bit isCall = false;
  bit isAdd = false;
  bit isTrap = false;
  bit canFoldAsLoad = false;
  bit mayRaiseFPException = false;
  bit isConvertibleToThreeAddress = false;
  bit isCommutable = false;
  bit isTerminator = false;
  bit isReMaterializable = false;
  bit isPredicable = false;
  bit isUnpredicable = false;
  bit hasDelaySlot = false;
  bit usesCustomInserter = false;
  bit hasPostISelHook = false;
  bit hasCtrlDep = false;
  bit isNotDuplicable = false;
  bit isConvergent = false;
  bit isAuthenticated = false;
  bit isAsCheapAsAMove = false;
  bit hasExtraSrcRegAllocReq = false;
  bit hasExtraDefRegAllocReq = false;
  bit isRegSequence = false;
  bit isPseudo = false;
  bit isMeta = false;
  bit isExtractSubreg = false;
  bit isInsertSubreg = false;
  bit variadicOpsAreDefs = false;
  bit isCodeGenOnly = false;
  bit isAsmParserOnly = false;
  bit hasNoSchedulingInfo = false;
  InstrItinClass Itinerary = NoItinerary;
  list<SchedReadWrite> SchedRW;
  string Constraints = ""; // "$dst = $src, @earlyclobber $tmp"
  string PostEncoderMethod = "";
  bits<64> TSFlags = 0;
  string AsmMatchConverter = "";
  string TwoOperandAliasConstraint = "";
  string AsmVariantName = "";
  bit UseNamedOperandTable = false;
  bit FastISelShouldIgnore = false;
  bit HasPositionOrder = false;
  // The operands stand one by one, as the machine instruction has them: a value
  // of several operands in a pattern takes several of them.
  bit FlatOperands = false;
}
// Another encoding that means the same instruction when it is read.
class AdditionalEncoding<Instruction I> : InstructionEncoding { Instruction AliasOf = I; }
class PseudoInstExpansion<dag Result> { dag ResultInst = Result; bit isPseudo = true; }

// Those that all targets share: a record names one, the rest is known.
class SharedOpcode : Instruction {
  let Namespace = "TargetOpcode";
  let isPseudo = true;
  let isCodeGenOnly = true;
  let hasNoSchedulingInfo = true;
  let hasSideEffects = false;
  let mayLoad = false;
  let mayStore = false;
}
class StandardPseudoInstruction : SharedOpcode;
class GenericInstruction : SharedOpcode { let isPreISelOpcode = true; }
class SharedPseudo<dag ins> : StandardPseudoInstruction {
  let OutOperandList = (outs unknown:$dst);
  let InOperandList = ins;
}
def IMPLICIT_DEF     : SharedPseudo<(ins)>;
def COPY_TO_REGCLASS : SharedPseudo<(ins unknown:$src, i32imm:$regclass)>;
def EXTRACT_SUBREG   : SharedPseudo<(ins unknown:$supersrc, i32imm:$subidx)>;
def INSERT_SUBREG    : SharedPseudo<(ins unknown:$supersrc, unknown:$subsrc, i32imm:$subidx)>;
def SUBREG_TO_REG    : SharedPseudo<(ins unknown:$implsrc, unknown:$subsrc, i32imm:$subidx)>;
def REG_SEQUENCE     : SharedPseudo<(ins unknown:$supersrc, variable_ops)>;

class TokenAlias<string From, string To> { string FromToken = From; string ToToken = To; }
class MnemonicAlias<string From, string To, string VariantName = ""> {
  string FromMnemonic = From;
  string ToMnemonic = To;
  string AsmVariantName = VariantName;
  list<Predicate> Predicates = [];
}
class InstAlias<string Asm, dag Result, int Emit = 1, string VariantName = ""> {
  string AsmString = Asm;
  dag ResultInst = Result;
  int EmitPriority = Emit;
  list<Predicate> Predicates = [];
  bit UseInstAsmMatchConverter = true;
  string AsmVariantName = VariantName;
}
def any_of; def all_of; // and not, a fragment of patterns too
class AssemblerPredicate<dag cond, string name = ""> {
  bit AssemblerMatcherPredicate = true;
  dag AssemblerCondDag = cond;
  string PredicateName = name;
}

//===- The target ---------------------------------------------------------===//

class InstrInfo {
  bit isLittleEndianEncoding = false;
  bit guessInstructionProperties = true;
}
class AsmParser { string AsmParserClassName = "AsmParser"; bit HasMnemonicFirst = true; bit ShouldEmitMatchRegisterName = true; }
def DefaultAsmParser : AsmParser;
class AsmParserVariant {
  int Variant = 0;
  string Name = "";
  string CommentDelimiter = "";
  string RegisterPrefix = "";
  string TokenizingCharacters = "[]*!";
  string SeparatorCharacters = " \t,";
  string BreakCharacters = "";
}
def DefaultAsmParserVariant : AsmParserVariant;
class AsmWriter { string AsmWriterClassName = "InstPrinter"; int PassSubtarget = 0; int Variant = 0; }
def DefaultAsmWriter : AsmWriter;
class Target {
  InstrInfo InstructionSet;
  list<AsmParser> AssemblyParsers = [DefaultAsmParser];
  list<AsmParserVariant> AssemblyParserVariants = [DefaultAsmParserVariant];
  list<AsmWriter> AssemblyWriters = [DefaultAsmWriter];
  int AllowRegisterRenaming = 0;
}

class Processor<string n, ProcessorItineraries pi, list<SubtargetFeature> f, list<SubtargetFeature> tunef = []> {
  string Name = n;
  SchedMachineModel SchedModel = NoSchedModel;
  ProcessorItineraries ProcItin = pi;
  list<SubtargetFeature> Features = f;
  list<SubtargetFeature> TuneFeatures = tunef;
}
class ProcessorModel<string n, SchedMachineModel m, list<SubtargetFeature> f, list<SubtargetFeature> tunef = []> : Processor<n, NoItineraries, f, tunef> {
  let SchedModel = m;
}

include "mirin/TargetSelectionDAG.td"
include "mirin/SelectionDAGCompat.td"
include "mirin/TargetLayout.td"

#endif
