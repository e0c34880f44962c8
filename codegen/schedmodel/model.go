package schedmodel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Model is the machine model of a processor. It does not change.
type Model struct {
	in    *desc.Info
	t     *desc.SchedTable
	num   int
	m     desc.SchedModelDesc
	res   []desc.SchedResourceDesc
	instr bool // classes have costs
	itins bool
	// factors scale what resources do in a cycle to one unit, that of the latency.
	factors       []int
	microOpFactor int
	latencyFactor int
}

// LLVM's numbers where a description leaves them open, and of no processor.
const (
	defaultIssueWidth        = 1
	defaultLoadLatency       = 4
	defaultHighLatency       = 10
	defaultMispredictPenalty = 10
)

// unknownLatency stands for a latency that a machine says it does not know.
const unknownLatency = 1000

// New makes the model of a processor, "" for what the family's first variant takes
// when none is named; one that the target does not know has the defaults.
func New(in *desc.Info, processor string) *Model {
	x := &Model{in: in, t: in.Sched(), num: -1, m: desc.SchedModelDesc{IssueWidth: -1, LoopMicroOpBuffer: -1, LoadLatency: -1, HighLatency: -1, MispredictPenalty: -1, NoModel: true}}
	if t := x.t; t != nil {
		if p, ok := in.ProcessorByName(processor); ok && processor != "" {
			x.num = int(in.Processors[p].Model)
		} else if processor == "" && len(t.Defaults) > 0 {
			x.num = int(t.Defaults[0])
		}
		if x.num >= 0 {
			x.m = t.Models[x.num]
		}
	}
	for _, d := range [...]struct {
		to    *int16
		value int16
	}{{&x.m.IssueWidth, defaultIssueWidth}, {&x.m.MicroOpBuffer, 0}, {&x.m.LoopMicroOpBuffer, 0}, {&x.m.LoadLatency, defaultLoadLatency},
		{&x.m.HighLatency, defaultHighLatency}, {&x.m.MispredictPenalty, defaultMispredictPenalty}} {
		if *d.to < 0 {
			*d.to = d.value
		}
	}
	x.instr, x.itins = !x.m.NoModel, x.m.HasItineraries
	if x.instr {
		x.res = x.t.Resources[x.m.Resources : int(x.m.Resources)+int(x.m.NumResources)]
	}
	x.scale()
	return x
}

// scale finds the factors: the least common multiple of the issue width and of the
// numbers of units is what a cycle has of each.
func (x *Model) scale() {
	lcm := int(x.m.IssueWidth)
	for i := range x.res {
		if n := int(x.res[i].NumUnits); n > 0 {
			lcm = lcm / gcd(lcm, n) * n
		}
	}
	x.latencyFactor, x.microOpFactor = lcm, lcm/int(x.m.IssueWidth)
	x.factors = make([]int, len(x.res))
	for i := range x.res {
		if n := int(x.res[i].NumUnits); n > 0 {
			x.factors[i] = lcm / n
		}
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// HasInstrModel reports that scheduling classes have costs.
func (x *Model) HasInstrModel() bool { return x.instr }

// HasItineraries reports that they have ways through a pipeline.
func (x *Model) HasItineraries() bool { return x.itins }

// HasInstrModelOrItineraries reports either.
func (x *Model) HasInstrModelOrItineraries() bool { return x.instr || x.itins }

// IssueWidth is the number of micro-operations that are issued in a cycle.
func (x *Model) IssueWidth() int { return int(x.m.IssueWidth) }

// MicroOpBuffer is the number of micro-operations that wait to be executed out of
// order; 0: in order, and what is not ready is not considered; 1: in order.
func (x *Model) MicroOpBuffer() int { return int(x.m.MicroOpBuffer) }

// IsOutOfOrder reports that instructions are executed when their operands are there.
func (x *Model) IsOutOfOrder() bool { return x.m.MicroOpBuffer > 1 }

// LoopMicroOpBuffer is the number of micro-operations of a loop that the processor
// keeps decoded.
func (x *Model) LoopMicroOpBuffer() int { return int(x.m.LoopMicroOpBuffer) }

// LoadLatency is what a load takes that no model says more of.
func (x *Model) LoadLatency() int { return int(x.m.LoadLatency) }

// HighLatency is what an instruction takes that is worth computing early.
func (x *Model) HighLatency() int { return int(x.m.HighLatency) }

// MispredictPenalty is what a branch costs that is predicted wrongly, in cycles.
func (x *Model) MispredictPenalty() int { return int(x.m.MispredictPenalty) }

// PostRAScheduler reports that the processor wants code scheduled after allocation.
func (x *Model) PostRAScheduler() bool { return x.m.Flags&desc.SchedPostRA != 0 }

// EnableIntervals reports that resources are acquired and released at cycles of
// their own, which schedulers watch.
func (x *Model) EnableIntervals() bool { return x.instr && x.m.Flags&desc.SchedIntervals != 0 }

// NumResources is the number of kinds of resources.
func (x *Model) NumResources() int { return len(x.res) }

// Resource describes a kind of resources, which count from 0.
func (x *Model) Resource(k int) *desc.SchedResourceDesc { return &x.res[k] }

// ResourceName is LLVM's name of a kind of resources.
func (x *Model) ResourceName(k int) string { return x.t.Str(x.res[k].Name) }

// SubUnits lists the kinds of resources of which a group consists.
func (x *Model) SubUnits(k int) []uint16 {
	r := &x.res[k]
	return x.t.SubUnits[r.SubUnits : int(r.SubUnits)+int(r.NumSubUnits)]
}

// ResourceFactor scales the use of a resource: what all its units do in a cycle is
// LatencyFactor.
func (x *Model) ResourceFactor(k int) int { return x.factors[k] }

// MicroOpFactor scales micro-operations in the same way.
func (x *Model) MicroOpFactor() int { return x.microOpFactor }

// LatencyFactor scales cycles.
func (x *Model) LatencyFactor() int { return x.latencyFactor }

// Uses lists the resources that a class keeps busy.
func (x *Model) Uses(c *desc.SchedClassDesc) []desc.SchedUse {
	return x.t.Uses[c.Uses : int(c.Uses)+int(c.NumUses)]
}

// Class is the cost of instruction i, nil when the model has none.
func (x *Model) Class(f *mir.Function, i mir.InstrID) *desc.SchedClassDesc {
	if !x.instr {
		return nil
	}
	c := x.t.SchedClass(x.num, int(f.Desc(i).SchedClass))
	// Variants of variants do not go deeper in LLVM either.
	for range maxVariants {
		if c.MicroOps != desc.SchedVariant {
			break
		}
		to, ok := x.choose(c, f, i)
		if !ok {
			return nil
		}
		c = x.t.SchedClass(x.num, to)
	}
	if c.MicroOps >= desc.SchedVariant {
		return nil
	}
	return c
}

const maxVariants = 6

// OpcodeClass is the cost of an opcode, nil when the model has none or it depends on
// operands.
func (x *Model) OpcodeClass(op desc.Opcode) *desc.SchedClassDesc {
	if !x.instr {
		return nil
	}
	if c := x.t.SchedClass(x.num, int(x.in.Instr(op).SchedClass)); c.MicroOps < desc.SchedVariant {
		return c
	}
	return nil
}
