// Machine models: what instructions cost on a processor.

//===- Itineraries: instructions as a way through pipeline stages ---------===//

class FuncUnit;
class Bypass;
def NoBypass : Bypass;
class ReservationKind<bits<1> val> { int Value = val; }
def Required : ReservationKind<0>;
def Reserved : ReservationKind<1>;
class InstrStage<int cycles, list<FuncUnit> units, int timeinc = -1, ReservationKind kind = Required> {
  int Cycles = cycles;
  list<FuncUnit> Units = units; // one of them
  int TimeInc = timeinc;        // cycles to the start of the next stage, -1: Cycles
  int Kind = kind.Value;
}
class InstrItinClass;
def NoItinerary : InstrItinClass;
class InstrItinData<InstrItinClass Class, list<InstrStage> stages, list<int> operandcycles = [], list<Bypass> bypasses = [], int uops = 1> {
  InstrItinClass TheClass = Class;
  int NumMicroOps = uops;
  list<InstrStage> Stages = stages;
  list<int> OperandCycles = operandcycles;
  list<Bypass> Bypasses = bypasses;
}
class ProcessorItineraries<list<FuncUnit> fu, list<Bypass> bp, list<InstrItinData> iid> {
  list<FuncUnit> FU = fu;
  list<Bypass> BP = bp;
  list<InstrItinData> IID = iid;
  string PacketizerNamespace = "";
}
// A unit that stands for several at once.
class ComboFuncData<FuncUnit ComboFunc, list<FuncUnit> funclist> { FuncUnit TheComboFunc = ComboFunc; list<FuncUnit> FuncList = funclist; }
class ComboFuncUnits<list<ComboFuncData> cfd> { list<ComboFuncData> CFD = cfd; }
def NoItineraries : ProcessorItineraries<[], [], []>;

//===- Models: resources, latencies, forwarding ---------------------------===//

class SchedMachineModel { // -1: not said
  int IssueWidth = -1;
  int MicroOpBufferSize = -1;
  int LoopMicroOpBufferSize = -1;
  int LoadLatency = -1;
  int HighLatency = -1;
  int MispredictPenalty = -1;
  ProcessorItineraries Itineraries = NoItineraries;
  bit PostRAScheduler = false;
  bit CompleteModel = true;
  bit FullInstRWOverlapCheck = true;
  list<Predicate> UnsupportedFeatures = [];
  bit NoModel = false;
  bit EnableIntervals = false;
}
def NoSchedModel : SchedMachineModel { let NoModel = true; let CompleteModel = false; }

class ProcResourceKind;
class ProcResourceUnits<ProcResourceKind kind, int num> {
  ProcResourceKind Kind = kind;
  int NumUnits = num;
  ProcResourceKind Super = ?;
  int BufferSize = -1;
  SchedMachineModel SchedModel = ?;
}
class ProcResource<int num> : ProcResourceKind, ProcResourceUnits<!cast<ProcResourceKind>(NAME), num>;
class ProcResGroup<list<ProcResource> resources> : ProcResourceKind {
  list<ProcResource> Resources = resources;
  SchedMachineModel SchedModel = ?;
  int BufferSize = -1;
}

class SchedReadWrite;
class Sched<list<SchedReadWrite> schedrw> { list<SchedReadWrite> SchedRW = schedrw; }
class SchedWrite : SchedReadWrite;
def NoWrite : SchedWrite;
class SchedRead : SchedReadWrite;
class WriteSequence<list<SchedWrite> writes, int rep = 1> : SchedWrite {
  list<SchedWrite> Writes = writes;
  int Repeat = rep;
  SchedMachineModel SchedModel = ?;
}
class ProcWriteResources<list<ProcResourceKind> resources> {
  list<ProcResourceKind> ProcResources = resources;
  list<int> ReleaseAtCycles = [];
  list<int> AcquireAtCycles = [];
  int Latency = 1;
  int NumMicroOps = 1;
  bit BeginGroup = false;
  bit EndGroup = false;
  bit Unsupported = false;
  bit SingleIssue = false;
  bit RetireOOO = false;
  SchedMachineModel SchedModel = ?;
}
class WriteRes<SchedWrite write, list<ProcResourceKind> resources> : ProcWriteResources<resources> { SchedWrite WriteType = write; }
class SchedWriteRes<list<ProcResourceKind> resources> : SchedWrite, ProcWriteResources<resources>;
class ProcReadAdvance<int cycles, list<SchedWrite> writes = [], list<int> tunables = []> {
  int Cycles = cycles;
  list<SchedWrite> ValidWrites = writes;
  list<int> CycleTunables = tunables; // added to Cycles, by write
  bit Unsupported = false;
  SchedMachineModel SchedModel = ?;
}
class ReadAdvance<SchedRead read, int cycles, list<SchedWrite> writes = [], list<int> tunables = []> : ProcReadAdvance<cycles, writes, tunables> { SchedRead ReadType = read; }
class SchedReadAdvance<int cycles, list<SchedWrite> writes = [], list<int> tunables = []> : SchedRead, ProcReadAdvance<cycles, writes, tunables>;
def ReadDefault : SchedRead;
def NoReadAdvance : SchedReadAdvance<0>;

class SchedPredicateBase { SchedMachineModel SchedModel = ?; }
class SchedPredicate<code pred> : SchedPredicateBase { code Predicate = pred; }
class FeatureSchedPredicate<SubtargetFeature SF> : SchedPredicateBase { SubtargetFeature Feature = SF; }
def NoSchedPred : SchedPredicate<[{true}]>;
class SchedVar<SchedPredicateBase pred, list<SchedReadWrite> selected> {
  SchedPredicateBase Predicate = pred;
  list<SchedReadWrite> Selected = selected;
  SchedMachineModel SchedModel = ?;
}
class SchedVariant<list<SchedVar> variants> {
  list<SchedVar> Variants = variants;
  bit Variadic = false;
  SchedMachineModel SchedModel = ?;
}
class SchedWriteVariant<list<SchedVar> variants> : SchedWrite, SchedVariant<variants>;
class SchedReadVariant<list<SchedVar> variants> : SchedRead, SchedVariant<variants>;

def instrs; def instregex;
class InstRW<list<SchedReadWrite> rw, dag instrlist> {
  list<SchedReadWrite> OperandReadWrites = rw;
  dag Instrs = instrlist;
  SchedMachineModel SchedModel = ?;
  bit Unsupported = false;
}
class ItinRW<list<SchedReadWrite> rw, list<InstrItinClass> iic> {
  list<InstrItinClass> MatchedItinClasses = iic;
  list<SchedReadWrite> OperandReadWrites = rw;
  SchedMachineModel SchedModel = ?;
}
class SchedAlias<SchedReadWrite match, SchedReadWrite alias> {
  SchedReadWrite MatchRW = match;
  SchedReadWrite AliasRW = alias;
  SchedMachineModel SchedModel = ?;
}
