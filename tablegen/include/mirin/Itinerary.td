// Itineraries: instructions as a way through pipeline stages that take
// functional units; docs/tablegen/schedule.md and automata.md.
// llvm/Target/TargetItinerary.td declares the same.

#ifndef MIRIN_ITINERARY_TD
#define MIRIN_ITINERARY_TD

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
class ComboFuncData<FuncUnit ComboFunc, list<FuncUnit> funclist> {
  FuncUnit TheComboFunc = ComboFunc;
  list<FuncUnit> FuncList = funclist;
}
class ComboFuncUnits<list<ComboFuncData> cfd> { list<ComboFuncData> CFD = cfd; }
def NoItineraries : ProcessorItineraries<[], [], []>;

#endif
