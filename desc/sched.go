package desc

// SchedTable holds the machine models of a target: what each scheduling class
// costs on each of them. Rows are of fixed size and lists are ranges of shared
// pools, as in Info; numbers of models are those of ProcessorDesc.Model, numbers
// of classes those of InstrDesc.SchedClass.
type SchedTable struct {
	Names      string
	NumClasses int
	// ClassNames are empty for LLVM's targets, whose libraries do not have them.
	ClassNames []Name
	Models     []SchedModelDesc
	// Defaults are the models of Info.Variants, which name no processor.
	Defaults []uint16
	// ClassRows[SchedModelDesc.FirstClass+class] is the row of Classes that has the
	// cost of a class; see SchedClass. Equal costs share a row, and row 0 is that of
	// what has none (SchedInvalid).
	ClassRows []uint16
	Classes   []SchedClassDesc
	Resources []SchedResourceDesc
	SubUnits  []uint16 // of resource groups, numbers within the model
	Uses      []SchedUse
	Latencies []SchedLatency
	Advances  []SchedAdvance
	// Choices resolve classes that depend on operands or the subtarget.
	Choices []SchedChoice
	Preds   []SchedPred
	// PredSets are the sets that predicates name: ascending numbers, or pairs of
	// first and last.
	PredSets []uint16
	// ItineraryRows[SchedModelDesc.FirstItinerary+class] is 1+ the row of
	// Itineraries of a class, 0 where it has none; see Itinerary.
	ItineraryRows []uint16
	Itineraries   []ItineraryDesc
	Stages        []ItineraryStage
	Cycles        []uint16 // of operands
	Bypasses      []uint16 // of operands; 0 none
	Units         []Name   // functional units, by bit of ItineraryStage.Units; not of LLVM's targets
}

// SchedModelDesc is one machine. Numbers are -1 where the description leaves
// them open. The machines of LLVM's targets are named by the first processor that
// has them.
type SchedModelDesc struct {
	Name                Name
	IssueWidth          int16 // micro-operations a cycle
	MicroOpBuffer       int16 // 0: in order; 1: in order, reads stall
	LoopMicroOpBuffer   int16
	LoadLatency         int16
	HighLatency         int16
	MispredictPenalty   int16
	Flags               SchedModelFlags
	Resources           uint32 // in SchedTable.Resources
	NumResources        uint16
	FirstUnit, NumUnits uint16 // in SchedTable.Units
	FirstClass          uint32 // in SchedTable.ClassRows
	FirstItinerary      uint32 // in SchedTable.ItineraryRows
	NoModel             bool   // nothing is known
	HasItineraries      bool
}

// SchedModelFlags are properties of a machine model.
type SchedModelFlags uint8

// The model flags.
const (
	SchedPostRA SchedModelFlags = 1 << iota
	SchedComplete
	SchedIntervals // resources are acquired and released at cycles of their own
)

// SchedResourceDesc is a kind of processor resource, or a group of them.
type SchedResourceDesc struct {
	Name        Name
	NumUnits    uint16
	Super       uint16 // 1+number of the resource that contains it; 0 none
	Buffer      int16  // -1: the machine's; 0: in order; 1: reserved at issue
	NumSubUnits uint16 // of a group
	SubUnits    uint32 // in SchedTable.SubUnits
}

// SchedClassDesc is the cost of a class on a machine.
type SchedClassDesc struct {
	MicroOps  uint16 // SchedInvalid, SchedVariant: no cost of its own
	Flags     SchedClassFlags
	NumUses   uint16
	Uses      uint32 // in SchedTable.Uses
	Latencies uint32 // in SchedTable.Latencies: one for each result
	Advances  uint32 // in SchedTable.Advances, or in Choices of a variant
	// NumChoices counts choices of a variant.
	NumLatencies, NumAdvances, NumChoices uint16
}

// SchedClassFlags are properties of a class on a machine.
type SchedClassFlags uint8

// The class flags.
const (
	SchedBeginGroup SchedClassFlags = 1 << iota
	SchedEndGroup
	SchedRetireOOO
)

// Values of MicroOps that are no number.
const (
	SchedInvalid = 1<<13 - 1 // the machine has no cost for the class
	SchedVariant = 1<<13 - 2 // Choices tell the class
)

// SchedUse says that a resource is busy from cycle Acquire up to Release.
type SchedUse struct{ Resource, Release, Acquire uint16 }

// SchedLatency is the cycles until a result is there; -1 when that is not known.
// Write names who wrote it, for SchedAdvance; 0 where nobody asks.
type SchedLatency struct {
	Cycles int16
	Write  uint16
}

// SchedAdvance says that use Use (the operands that are read count from 0) is read Cycles later than others, so that
// forwarding saves as much, when Write wrote it (0: whoever did).
type SchedAdvance struct {
	Use, Write uint16
	Cycles     int16
}

// SchedChoice leads from a variant to class To when all Preds[Pred:Pred+NumPreds]
// hold. The first choice that does counts.
type SchedChoice struct {
	To       uint16
	NumPreds uint16
	Pred     uint32
}

// SchedPred is what a choice asks about an instruction: about the values of
// operand A, which PredSets[Set:Set+NumSet] lists.
type SchedPred struct {
	Kind   SchedPredKind
	A, B   uint8
	NumSet uint16
	Set    uint32
	Text   Name // of SchedPredText
}

// SchedPredKind is the question of a predicate.
type SchedPredKind uint8

// The predicates.
const (
	// SchedPredText is a predicate of a .td description, which nothing evaluates.
	SchedPredText SchedPredKind = iota
	// SchedPredSame asks whether A and B are the same register.
	SchedPredSame
	// SchedPredImm asks whether the immediate A lies in one of the ranges of the set
	// (pairs of int16); it counts as SchedImmMin when it is below, as SchedImmMax when
	// it is above or no immediate.
	SchedPredImm
	// SchedPredReg asks whether register A is in the set; 0 is none.
	SchedPredReg
	// SchedPredOpcode asks whether the opcode is in the set.
	SchedPredOpcode
	// SchedPredCount asks whether the number of explicit operands is in one of the
	// ranges of the set.
	SchedPredCount
	// NumSchedPreds counts the kinds.
	NumSchedPreds
)

// The range of immediates that predicates tell apart.
const (
	SchedImmMin = -2
	SchedImmMax = 512
)

// ItineraryDesc is the way of a class through the stages of a machine.
type ItineraryDesc struct {
	MicroOps             int16 // below 0: it depends
	NumStages, NumCycles uint16
	First                uint32 // in Stages
	FirstCycle           uint32 // in Cycles and Bypasses
}

// ItineraryStage takes one of the units for Cycles; the next stage begins Next
// cycles after this one did (-1: when it ends).
type ItineraryStage struct {
	Units    uint64
	Cycles   uint16
	Next     int16
	Reserved bool // the units are kept from others without being used
}

// SchedClass gives the cost of a class on a machine.
func (t *SchedTable) SchedClass(model, class int) *SchedClassDesc {
	m := &t.Models[model]
	if m.NoModel {
		return &t.Classes[0]
	}
	return &t.Classes[t.ClassRows[int(m.FirstClass)+class]]
}

// Itinerary gives the way of a class through a machine, nil when it has none.
func (t *SchedTable) Itinerary(model, class int) *ItineraryDesc {
	m := &t.Models[model]
	if !m.HasItineraries {
		return nil
	}
	if n := t.ItineraryRows[int(m.FirstItinerary)+class]; n != 0 {
		return &t.Itineraries[n-1]
	}
	return nil
}

// Str gives the text of a name.
func (t *SchedTable) Str(n Name) string { return n.In(t.Names) }

// Latency is the most cycles that a class takes until its results are there.
func (t *SchedTable) Latency(model, class int) int {
	c := t.SchedClass(model, class)
	most := 0
	for _, l := range t.Latencies[c.Latencies : int(c.Latencies)+int(c.NumLatencies)] {
		most = max(most, int(l.Cycles))
	}
	return most
}
