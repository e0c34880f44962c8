// Machine models: what instructions cost on a processor.

#ifndef MIRIN_SCHEDULE_TD
#define MIRIN_SCHEDULE_TD

include "mirin/Itinerary.td"

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

#endif
