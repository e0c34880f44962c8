// The language of combine rules; docs/tablegen/combine.md describes it. The
// names are those of llvm/Target/GlobalISel/Combine.td. Instructions (G_ADD, …)
// and types (i32, v4i32, …) are records without being written.

#ifndef MIRIN_COMBINE_TD
#define MIRIN_COMBINE_TD

// mirin/Target.td, where it was included before, has these itself.
#ifndef MIRIN_TARGET_TD
class Instruction;
class ValueType;
class Predicate<string cond> { string CondString = cond; }
def ins; def outs;
def not;
#endif

// The parts of a rule.
class GIDefKind;
class GIDefKindWithArgs;
def root : GIDefKind;
def defs;
def match;
def apply;
def combine;
def pattern;
def empty_action;
def wip_match_opcode;

class GICombine { list<GICombine> Rules = ?; }

// Rules that belong together, tried in their order.
class GICombineGroup<list<GICombine> rules> : GICombine { let Rules = rules; }

// A combiner: its table is the Go variable of that name.
class GICombiner<string classname, list<GICombine> rules> : GICombineGroup<rules> { string Classname = classname; }

// What a test leaves for the actions: "Register", "int64_t" or "Predicate" may
// stand as an operand in apply patterns; all kinds may be arguments of functions.
class GIDefMatchData<string type> { string Type = type; }
def reg_data : GIDefMatchData<"Register">;
def int_data : GIDefMatchData<"int64_t">;
def pred_data : GIDefMatchData<"Predicate">;

class GICombineRule<dag defs, dag a0, dag a1 = (empty_action)> : GICombine {
  dag Defs = defs;
  dag Action0 = a0;
  dag Action1 = a1;
  list<Predicate> Predicates = []; // Go functions without arguments
  int MaxPermutations = 16;
}

// A pattern with alternatives, used in place of an instruction.
def gi_mo;
def gi_imm;
class GICombinePatFrag<dag outs, dag ins, list<dag> alts> {
  dag InOperands = ins;
  dag OutOperands = outs;
  list<dag> Alternatives = alts;
}

class GISpecialType;
class GITypeOf<string opName> : GISpecialType { string OpName = opName; }
class GIVariadic<int min = 1, int max = 0> : GISpecialType { int MinArgs = min; int MaxArgs = max; }

class GIBuiltinInst;
def GIReplaceReg : GIBuiltinInst;
def GIEraseRoot : GIBuiltinInst;

def MIFlags;
class MIFlagEnum<string enumName> { string EnumName = "MachineInstr::" # enumName; }
foreach f = ["FmNoNans", "FmNoInfs", "FmNsz", "FmArcp", "FmContract", "FmAfn", "FmReassoc", "IsExact", "NoSWrap", "NoUWrap",
             "NonNeg", "InBounds", "Disjoint", "NoUSWrap", "SameSign"] in
  def "" # f : MIFlagEnum<f>;

// A comparison predicate as an operand: (G_ICMP $d, IntEQ, $x, $y). Not in LLVM.
class GIPredicate<int value> { int Value = value; }
def IntEQ  : GIPredicate<32>;
def IntNE  : GIPredicate<33>;
def IntUGT : GIPredicate<34>;
def IntUGE : GIPredicate<35>;
def IntULT : GIPredicate<36>;
def IntULE : GIPredicate<37>;
def IntSGT : GIPredicate<38>;
def IntSGE : GIPredicate<39>;
def IntSLT : GIPredicate<40>;
def IntSLE : GIPredicate<41>;
def FloatOGT : GIPredicate<2>;
def FloatOGE : GIPredicate<3>;
def FloatOLT : GIPredicate<4>;
def FloatOLE : GIPredicate<5>;
def FloatORD : GIPredicate<7>;
def FloatUNO : GIPredicate<8>;
def FloatUGT : GIPredicate<10>;
def FloatUGE : GIPredicate<11>;
def FloatULT : GIPredicate<12>;
def FloatULE : GIPredicate<13>;

#endif
