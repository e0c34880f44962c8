package desc

// SchedTable holds the machine models of a target: what each scheduling class
// costs on each of them. Rows are of fixed size and lists are ranges of shared
// pools, as in Info; numbers of models are those of ProcessorDesc.Model, numbers
// of classes those of InstrDesc.SchedClass.
type SchedTable struct {
	Names      string
	ClassNames []Name
	Models     []SchedModelDesc
	// Classes[model*len(ClassNames)+class] is the cost of a class.
	Classes   []SchedClassDesc
	Resources []SchedResourceDesc
	SubUnits  []uint16 // of resource groups, numbers within the model
	Uses      []SchedUse
	Latencies []SchedLatency
	Advances  []SchedAdvance
	// Choices resolve classes that depend on operands or the subtarget.
	Choices []SchedChoice
	// Preds are the texts of predicates that choices name.
	Preds []Name
	// Itineraries[model*len(ClassNames)+class], for models that have them.
	Itineraries []ItineraryDesc
	Stages      []ItineraryStage
	Cycles      []uint16 // of operands
	Bypasses    []uint16 // of operands; 0 none
	Units       []Name   // functional units, by bit of ItineraryStage.Units
}

// SchedModelDesc is one machine. Numbers are -1 where the description leaves
// them open.
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
	MicroOps  uint16 // SchedNoModel, SchedVariant: no cost of its own
	Flags     SchedClassFlags
	NumUses   uint8
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

// SchedAdvance says that operand Use is read Cycles later than others, so that
// forwarding saves as much, when Write wrote it (0: whoever did).
type SchedAdvance struct {
	Use, Write uint16
	Cycles     int16
}

// SchedChoice leads from a variant to class To on the machines in Model (-1:
// all) when all Preds[Pred:Pred+NumPreds] hold.
type SchedChoice struct {
	To, Pred, NumPreds uint16
	Model              int16
}

// ItineraryDesc is the way of a class through the stages of a machine.
type ItineraryDesc struct {
	MicroOps             uint16
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
	return &t.Classes[model*len(t.ClassNames)+class]
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
