// A small machine with what a description can say: pairs, aliases, inferred
// classes, ties, variants, forwarding, itineraries.
#ifdef LLVM
include "llvm/Target/Target.td"
#else
include "mirin/Target.td"
#endif

def SampleInstrInfo : InstrInfo;
def Sample : Target { let InstructionSet = SampleInstrInfo; }

let Namespace = "Sample" in {
def lo16 : SubRegIndex<16, 0>;
def hi16 : SubRegIndex<16, 16>;
def even : SubRegIndex<32, 0>;
def odd : SubRegIndex<32, 32>;
def even_hi : ComposedSubRegIndex<odd, lo16>;

foreach i = 0...7 in {
  def H#i : Register<"h"#i> { let HWEncoding = i; }
  def T#i : Register<"t"#i>;
}
let CoveredBySubRegs = 1, SubRegIndices = [lo16, hi16] in
foreach i = 0...7 in
  def R#i : RegisterWithSubRegs<"r"#i, [!cast<Register>("H"#i), !cast<Register>("T"#i)]>, DwarfRegNum<[i, !add(i, 10)]> {
    let HWEncoding = i;
    let CostPerUse = [!if(!gt(i, 3), 1, 0)];
  }
def FLAGS : Register<"flags">;
def SHADOW : Register<"shadow"> { let Aliases = [FLAGS]; }
def ZERO : Register<"zero"> { let isConstant = 1; }
}
def Pairs : RegisterTuples<[even, odd], [(decimate (sequence "R%u", 0, 7), 2), (decimate (shl (sequence "R%u", 0, 7), 1), 2)]>;

def HALF : RegisterClass<"Sample", [i16], 16, (sequence "H%u", 0, 7)>;
def GPR : RegisterClass<"Sample", [i32, f32], 32, (add (sequence "R%u", 0, 7), ZERO)> { let AllocationPriority = 2; }
def LOW : RegisterClass<"Sample", [i32], 32, (sequence "R%u", 0, 3)>;
def ODDS : RegisterClass<"Sample", [i32], 32, (add R1, R3, R5)> { let CopyCost = -1; }
def PAIR : RegisterClass<"Sample", [i64], 64, (add Pairs)>;
def CCR : RegisterClass<"Sample", [i32], 32, (add FLAGS)> { let isAllocatable = 0; }

//===- Features and machines ------------------------------------------------//

def FeatureMul : SubtargetFeature<"mul", "HasMul", "true", "multiplication">;
def FeatureFast : SubtargetFeature<"fast", "IsFast", "true", "fast", [FeatureMul]>;

def WriteALU : SchedWrite;
def WriteMul : SchedWrite;
def WriteLoad : SchedWrite;
def WriteSeq : WriteSequence<[WriteALU, WriteMul], 2>;
def ReadALU : SchedRead;

def BigModel : SchedMachineModel {
  let IssueWidth = 2;
  let MicroOpBufferSize = 32;
  let LoadLatency = 4;
  let MispredictPenalty = 10;
  let CompleteModel = 0;
}
let SchedModel = BigModel in {
def BigALU : ProcResource<2>;
def BigMul : ProcResource<1> { let BufferSize = 4; }
def BigMem : ProcResource<1>;
def BigAny : ProcResGroup<[BigALU, BigMul]>;
def : WriteRes<WriteALU, [BigALU]>;
def : WriteRes<WriteMul, [BigMul]> { let Latency = 3; let ReleaseAtCycles = [2]; }
def : WriteRes<WriteLoad, [BigMem, BigALU]> { let Latency = 4; let NumMicroOps = 2; }
def : ReadAdvance<ReadALU, 1, [WriteMul]>;
def BigDiv : SchedWriteRes<[BigMul, BigAny]> { let Latency = 20; let ReleaseAtCycles = [18, 3]; let NumMicroOps = 5; }
def : InstRW<[BigDiv], (instregex "DIV")>;
}
def SmallALU : FuncUnit;
def SmallMem : FuncUnit;
def SmallBypass : Bypass;
def IIC_ALU : InstrItinClass;
def IIC_Load : InstrItinClass;
def SmallItins : ProcessorItineraries<[SmallALU, SmallMem], [SmallBypass], [
  InstrItinData<IIC_ALU, [InstrStage<1, [SmallALU]>], [2, 1, 1], [NoBypass, SmallBypass, NoBypass]>,
  InstrItinData<IIC_Load, [InstrStage<1, [SmallALU], 0>, InstrStage<3, [SmallMem]>], [4, 1], [], 2>
]>;
def : Processor<"generic", NoItineraries, []>;
def : ProcessorModel<"big", BigModel, [FeatureFast]>;
def : Processor<"small", SmallItins, [FeatureMul]>;

//===- Instructions ----------------------------------------------------------//

def memri : Operand<i32> {
  let MIOperandInfo = (ops GPR:$base, i32imm:$off);
  let OperandType = "OPERAND_MEMORY";
}
def pcrel : Operand<i32> { let OperandType = "OPERAND_PCREL"; }
def low : RegisterOperand<LOW>;

class I<dag outs, dag ins, string asm, string cons = ""> : Instruction {
  let Namespace = "Sample";
  let OutOperandList = outs;
  let InOperandList = ins;
  let AsmString = asm;
  let Constraints = cons;
  let Size = 4;
  let hasSideEffects = 0;
  bits<4> Form = 0;
  let TSFlags{3-0} = Form;
}
let Defs = [FLAGS], SchedRW = [WriteALU, ReadALU, ReadALU], Itinerary = IIC_ALU in {
def ADD : I<(outs GPR:$d), (ins GPR:$a, GPR:$b), "add $d, $a, $b"> { let isCommutable = 1; let isAdd = 1; let Form = 1; }
def ADDT : I<(outs low:$d), (ins low:$a, i32imm:$b), "add $d, $b", "$d = $a"> { let Form = 2; }
}
let SchedRW = [WriteMul] in
def MUL : I<(outs GPR:$d), (ins GPR:$a, GPR:$b), "mul $d, $a, $b", "@earlyclobber $d"> { let Predicates = []; }
let SchedRW = [WriteSeq] in
def DIV : I<(outs GPR:$d), (ins GPR:$a, GPR:$b), "div $d, $a, $b">;
def DIVP : I<(outs PAIR:$d), (ins GPR:$a, GPR:$b), "divp $d, $a, $b"> { let SchedRW = [WriteSeq]; let hasSideEffects = ?; }
let mayLoad = 1, SchedRW = [WriteLoad], Itinerary = IIC_Load in
def LD : I<(outs GPR:$d), (ins memri:$m), "ld $d, $m">;
let mayStore = 1 in
def ST : I<(outs), (ins GPR:$v, (memri $b, $o):$m), "st $v, $m">;
let isBranch = 1, isTerminator = 1, Uses = [FLAGS] in
def BC : I<(outs), (ins pcrel:$to, i32imm:$cc), "b.$cc $to">;
let isReturn = 1, isTerminator = 1, isBarrier = 1 in
def RET : I<(outs), (ins variable_ops), "ret">;
let isPseudo = 1, hasNoSchedulingInfo = 1, isCodeGenOnly = 1 in
def MOVE64 : I<(outs PAIR:$d), (ins PAIR:$s), "">;

#ifdef LLVM
defm : RemapAllTargetPseudoPointerOperands<GPR>;
#else
def : TargetLayout {
  let DataLayout = "e-p:32:32-i64:64-n32-S64";
  let PointerSize = 4;
  let StackAlignment = 8;
  let StackPointer = R7;
  let ReservedRegs = [R7, ZERO, FLAGS, SHADOW];
}
#endif
