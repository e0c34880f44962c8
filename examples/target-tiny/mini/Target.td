#define MIRIN_TARGET_TD
class ValueType<int size> { int Size = size; }
foreach n = [1, 8, 16, 32, 64, 128] in def i#n : ValueType<n>;
foreach n = [16, 32, 64, 80, 128] in def f#n : ValueType<n>;
def v16i8 : ValueType<128>; def v8i16 : ValueType<128>; def v4i32 : ValueType<128>; def v2i64 : ValueType<128>;
def v4f32 : ValueType<128>; def v2f64 : ValueType<128>;
def iPTR : ValueType<0>; def untyped : ValueType<0>; def OtherVT : ValueType<0>;
class RegAltNameIndex; def NoRegAltName : RegAltNameIndex;
class Register<string n, list<string> alt = []> { string Namespace = ""; string AsmName = n; list<string> AltNames = alt; list<RegAltNameIndex> RegAltNameIndices = [];
 list<int> DwarfNumbers = []; bits<16> HWEncoding = 0; bit isConstant = 0; }
def zero_reg : Register<"">;
class DAGOperand { string DecoderMethod = ""; bit hasCompleteDecoder = 1; string OperandNamespace = "MCOI"; }
class RegisterClass<string ns, list<ValueType> types, int align, dag regs> : DAGOperand { string Namespace = ns; list<ValueType> RegTypes = types; int Alignment = align; dag MemberList = regs;
 RegAltNameIndex altNameIndex = NoRegAltName; }
class RegisterBank<string name, list<RegisterClass> cls> { string Name = name; list<RegisterClass> RegisterClasses = cls; }
class SubRegIndex;
class Predicate<string c> { string CondString = c; bit AssemblerMatcherPredicate = 0; dag AssemblerCondDag; string Feature = ""; bit Not = 0; string Hook = ""; }
class Requires<list<Predicate> preds> { list<Predicate> Predicates = preds; }
class AssemblerPredicate<dag cond, string name = ""> { bit AssemblerMatcherPredicate = 1; dag AssemblerCondDag = cond; }
class AsmOperandClass { string Name = ?; list<AsmOperandClass> SuperClasses = []; string PredicateMethod = ?; string RenderMethod = ?; string ParserMethod = ?; string DiagnosticType = ""; string DiagnosticString = ""; bit IsOptional = 0; string DefaultMethod = ?; }
def ImmAsmOperand : AsmOperandClass { let Name = "Imm"; }
def ops; def outs; def ins;
class Operand<ValueType ty> : DAGOperand { ValueType Type = ty; string PrintMethod = "printOperand"; string EncoderMethod = ""; string OperandType = "OPERAND_UNKNOWN"; dag MIOperandInfo = (ops); code MCOperandPredicate; AsmOperandClass ParserMatchClass = ImmAsmOperand; }
def i32imm : Operand<i32>;
class InstructionEncoding { int Size; string DecoderNamespace = ""; list<Predicate> Predicates = []; string DecoderMethod = ""; bit hasCompleteDecoder = 1; }
class Instruction : InstructionEncoding { string Namespace = ""; dag OutOperandList; dag InOperandList; string AsmString = ""; list<Register> Uses = []; list<Register> Defs = [];
 bit isReturn=0; bit isBranch=0; bit isIndirectBranch=0; bit isBarrier=0; bit isCall=0; bit isCommutable=0; bit isTerminator=0; bit mayLoad=?; bit mayStore=?; bit hasSideEffects=?; bit isPseudo=0; bit isCodeGenOnly=0; bit isAsmParserOnly=0;
 string Constraints=""; string PostEncoderMethod=""; string AsmMatchConverter=""; string TwoOperandAliasConstraint=""; string AsmVariantName=""; }
class InstAlias<string Asm, dag Result, int Emit = 1, string VariantName = ""> { string AsmString = Asm; dag ResultInst = Result; int EmitPriority = Emit; list<Predicate> Predicates = []; bit UseInstAsmMatchConverter = 1; string AsmVariantName = VariantName; }
class MnemonicAlias<string From, string To, string VariantName = ""> { string FromMnemonic = From; string ToMnemonic = To; string AsmVariantName = VariantName; list<Predicate> Predicates = []; }
class InstrInfo { bit isLittleEndianEncoding = 0; }
class Target { InstrInfo InstructionSet; }
class Sched; 
def sequence; def decimate; def interleave;
