package schedmodel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// IsTransient reports an instruction that will be gone when code is emitted, or
// makes none: copies that allocation mostly coalesces, PHIs, labels.
func IsTransient(f *mir.Function, i mir.InstrID) bool {
	switch f.Instr(i).Opcode {
	case desc.PHI, desc.G_PHI, desc.COPY, desc.INSERT_SUBREG, desc.SUBREG_TO_REG, desc.REG_SEQUENCE:
		return true
	}
	return f.Desc(i).IsMeta()
}

// MicroOps is the number of issue slots that an instruction takes.
func (x *Model) MicroOps(f *mir.Function, i mir.InstrID) int {
	if x.itins {
		if d := x.t.Itinerary(x.num, int(f.Desc(i).SchedClass)); d != nil && d.MicroOps >= 0 {
			return int(d.MicroOps)
		}
		return 1
	}
	if c := x.Class(f, i); c != nil {
		return int(c.MicroOps)
	}
	if IsTransient(f, i) {
		return 0
	}
	return 1
}

// DefaultLatency is what an instruction takes of which no model says more.
func (x *Model) DefaultLatency(f *mir.Function, i mir.InstrID) int {
	switch {
	case IsTransient(f, i):
		return 0
	case f.MayLoad(i):
		return x.LoadLatency()
	case x.in.Traits(f.Instr(i).Opcode).Flags&desc.HighLatency != 0:
		return x.HighLatency()
	}
	return 1
}

// ClassLatency is the most cycles that a class takes until its results are there.
func (x *Model) ClassLatency(c *desc.SchedClassDesc) int {
	most := 0
	for _, l := range x.t.Latencies[c.Latencies : int(c.Latencies)+int(c.NumLatencies)] {
		most = max(most, known(l.Cycles))
	}
	return most
}

func known(cycles int16) int {
	if cycles < 0 {
		return unknownLatency
	}
	return int(cycles)
}

// InstrLatency is how many cycles after it is issued all results of an instruction
// are there.
func (x *Model) InstrLatency(f *mir.Function, i mir.InstrID) int {
	if x.itins {
		return x.stageLatency(int(f.Desc(i).SchedClass))
	}
	if c := x.Class(f, i); c != nil {
		return x.ClassLatency(c)
	}
	return x.DefaultLatency(f, i)
}

// OpcodeLatency is the latency of an opcode whose operands are not known; 0 where
// the model does not say.
func (x *Model) OpcodeLatency(op desc.Opcode) int {
	if x.itins {
		return x.stageLatency(int(x.in.Instr(op).SchedClass))
	}
	if c := x.OpcodeClass(op); c != nil {
		return x.ClassLatency(c)
	}
	return 0
}

// stageLatency is the time until the last stage of a class' itinerary is done.
func (x *Model) stageLatency(class int) int {
	d := x.t.Itinerary(x.num, class)
	if d == nil {
		return 0
	}
	most, start := 0, 0
	for _, s := range x.t.Stages[d.First : int(d.First)+int(d.NumStages)] {
		most = max(most, start+int(s.Cycles))
		if s.Next >= 0 {
			start += int(s.Next)
		} else {
			start += int(s.Cycles)
		}
	}
	return most
}

// OperandLatency is how many cycles lie between the issue of def and that of use,
// which reads in operand useOp what def writes in operand defOp. use may be 0: who
// reads is not known.
func (x *Model) OperandLatency(f *mir.Function, def mir.InstrID, defOp int, use mir.InstrID, useOp int) int {
	if x.itins {
		if l, ok := x.itineraryLatency(f, def, defOp, use, useOp); ok {
			return l
		}
		return max(x.InstrLatency(f, def), x.DefaultLatency(f, def))
	}
	c := x.Class(f, def)
	if c == nil {
		return x.DefaultLatency(f, def)
	}
	n := countDefs(f, def, defOp)
	if n >= int(c.NumLatencies) {
		// Implicit results that the model does not list are there at once.
		return x.DefaultLatency(f, def)
	}
	w := x.t.Latencies[int(c.Latencies)+n]
	l := known(w.Cycles)
	if use == 0 {
		return l
	}
	u := x.Class(f, use)
	if u == nil || u.NumAdvances == 0 {
		return l
	}
	return max(0, l-x.advance(u, countUses(f, use, useOp), w.Write))
}

// advance is how many cycles later than others a use of a class reads what a write
// wrote.
func (x *Model) advance(c *desc.SchedClassDesc, use int, write uint16) int {
	for _, a := range x.t.Advances[c.Advances : int(c.Advances)+int(c.NumAdvances)] {
		if int(a.Use) > use {
			break
		}
		if int(a.Use) == use && (a.Write == 0 || a.Write == write) {
			return int(a.Cycles)
		}
	}
	return 0
}

// countDefs is the number of a definition among those of an instruction.
func countDefs(f *mir.Function, i mir.InstrID, op int) int {
	ops, n := f.Ops(i), 0
	for k := range ops[:op] {
		if ops[k].IsDef() {
			n++
		}
	}
	return n
}

// countUses is the number of a use among the registers that an instruction reads.
func countUses(f *mir.Function, i mir.InstrID, op int) int {
	ops, n := f.Ops(i), 0
	for k := range ops[:op] {
		if ops[k].IsUse() && ops[k].ReadsReg() {
			n++
		}
	}
	return n
}

// itineraryLatency is the latency by operand cycles of itineraries; false when they
// do not say.
func (x *Model) itineraryLatency(f *mir.Function, def mir.InstrID, defOp int, use mir.InstrID, useOp int) (int, bool) {
	d := x.t.Itinerary(x.num, int(f.Desc(def).SchedClass))
	if d == nil || defOp >= int(d.NumCycles) {
		return 0, false
	}
	at := int(d.FirstCycle) + defOp
	ready := int(x.t.Cycles[at])
	if use == 0 {
		return ready, true
	}
	u := x.t.Itinerary(x.num, int(f.Desc(use).SchedClass))
	if u == nil || useOp >= int(u.NumCycles) {
		return 0, false
	}
	from := int(u.FirstCycle) + useOp
	l := ready - int(x.t.Cycles[from]) + 1
	if l < 0 {
		return 0, false
	}
	if by := x.t.Bypasses[at]; l > 0 && by != 0 && by == x.t.Bypasses[from] {
		l-- // forwarding is worth a cycle
	}
	return l, true
}

// OutputLatency is how many cycles after def an instruction may be issued that
// writes the same register.
func (x *Model) OutputLatency(f *mir.Function, def mir.InstrID) int {
	if !x.IsOutOfOrder() {
		return 1
	}
	if c := x.Class(f, def); c != nil {
		for _, u := range x.Uses(c) {
			if x.res[u.Resource].Buffer == 0 {
				return 1
			}
		}
	}
	return 0
}

// Throughput is the reciprocal throughput of a class: the cycles between two
// instructions of it that depend on nothing, by the resource that is busiest.
func (x *Model) Throughput(c *desc.SchedClassDesc) float64 {
	worst := 0.0
	for _, u := range x.Uses(c) {
		worst = max(worst, float64(u.Release-u.Acquire)/float64(x.res[u.Resource].NumUnits))
	}
	if worst == 0 {
		return float64(c.MicroOps) / float64(x.m.IssueWidth)
	}
	return worst
}
