package liveness

import (
	"fmt"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Fault is something wrong with a range, in the machine verifier's words.
type Fault struct {
	Msg   string
	At    Index // where; 0 for the range as a whole
	Range string
}

// Verify compares the intervals with the code and returns what is wrong, at most
// limit faults (0: all): values that nothing defines, reads and definitions
// without a segment, values that differ over an edge, segments that end where
// nothing reads. An interval may be live further than it needs to be, but for that, and may consist
// of several components.
func (v *Intervals) Verify(limit int) []Fault {
	k := &rangeChecker{v: v, f: v.f, x: v.Indexes, limit: limit}
	for n := range v.f.NumVRegs() {
		// Spilling and splitting leave intervals of registers behind that nothing names.
		if r := mir.VReg(n); !v.mentioned(r) {
			continue
		} else if v.Has(r) {
			k.interval(v.at(r))
		} else {
			k.name = "%" + string(appendInt(nil, n))
			k.fault("Virtual register has no live interval", 0)
		}
	}
	for u, r := range v.units {
		if r != nil && !v.reserved[u] {
			k.name = "unit " + string(appendInt(nil, u))
			k.check(r, 0, 0)
		}
	}
	return k.faults
}

// Differs is Check: an interval may be larger than one that is computed anew.
func (v *Intervals) Differs(*Intervals) string { return v.Check(v.f) }

// Check says what Verify finds first.
func (v *Intervals) Check(*mir.Function) string {
	list := v.Verify(1)
	if len(list) == 0 {
		return ""
	}
	at := ""
	if x := list[0].At; x != 0 {
		at = " at " + string(v.Indexes.AppendIndex(nil, x))
		if i := v.Indexes.Instr(x); i != 0 {
			at += " (" + v.f.Facts.OpcodeName(v.f.Instr(i).Opcode) + ")"
		}
	}
	return fmt.Sprintf("%s%s: %s", list[0].Msg, at, list[0].Range)
}

type rangeChecker struct {
	v      *Intervals
	f      *mir.Function
	x      *Indexes
	limit  int
	faults []Fault
	name   string
	r      *Range
	undefs []Index
}

func (k *rangeChecker) fault(msg string, at Index) {
	if k.limit > 0 && len(k.faults) >= k.limit {
		return
	}
	text := k.name
	if k.r != nil {
		text += " " + string(k.r.AppendText(nil, k.x))
	}
	k.faults = append(k.faults, Fault{msg, at, text})
}

func (k *rangeChecker) interval(li *Interval) {
	k.name = "%" + string(appendInt(nil, li.Reg.Index()))
	if li.HasSubs() {
		k.undefs = k.v.undefs(k.undefs[:0], li.Reg, desc.AllLanes)
	} else {
		k.undefs = k.undefs[:0]
	}
	k.check(&li.Range, li.Reg, desc.AllLanes)
	k.operands(&li.Range, li, desc.AllLanes)
	seen := desc.LaneMask(0)
	for n := range li.Subs {
		s := &li.Subs[n]
		k.undefs = k.v.undefs(k.undefs[:0], li.Reg, s.Lanes)
		k.check(&s.Range, li.Reg, s.Lanes)
		switch {
		case s.Lanes&seen != 0:
			k.fault("Lane masks of sub ranges overlap in live interval", 0)
		case s.Lanes&^k.v.maxLanes(li.Reg) != 0:
			k.fault("Subrange lanemask is invalid", 0)
		case s.Empty():
			k.fault("Subrange must not be empty", 0)
		case !li.Covers(&s.Range):
			k.fault("A Subrange is not covered by the main range", 0)
		}
		seen |= s.Lanes
		k.operands(&s.Range, li, s.Lanes)
	}
}

// check holds the segments and values of a range; reg 0 is a register unit.
func (k *rangeChecker) check(r *Range, reg mir.Reg, lanes desc.LaneMask) {
	k.r = r
	for n, d := range r.Vals {
		if !d.Unused() {
			k.value(ValueID(n), d, reg, lanes)
		}
	}
	for n, s := range r.Segs {
		switch {
		case int(s.Val) >= len(r.Vals):
			k.fault("Foreign valno in live segment", s.Start)
			return
		case r.Vals[s.Val].Unused():
			k.fault("Live segment valno is marked unused", s.Start)
			return
		case s.Start >= s.End, n > 0 && r.Segs[n-1].End > s.Start:
			k.fault("Live segments are not in order", s.Start)
			return
		}
		k.segment(s, reg, lanes)
	}
	k.r = r
}

// value holds one value to its definition.
func (k *rangeChecker) value(n ValueID, d Value, reg mir.Reg, lanes desc.LaneMask) {
	switch at := k.r.ValueAt(d.Def); {
	case at == NoValue:
		k.fault("Value not live at VNInfo def and not marked unused", d.Def)
		return
	case at != n:
		k.fault("Live segment at def has different VNInfo", d.Def)
		return
	}
	if d.IsPHI() {
		if b := k.x.BlockAt(d.Def); k.x.BlockStart(b) != d.Def {
			k.fault("PHIDef VNInfo is not defined at MBB start", d.Def)
		}
		return
	}
	i := k.x.Instr(d.Def)
	if i == 0 {
		k.fault("No instruction at VNInfo def index", d.Def)
		return
	}
	if reg == 0 {
		return
	}
	found, early := false, false
	for m := range k.f.InBundle(i) {
		for _, o := range k.f.Ops(m) {
			if o.IsDef() && o.Reg() == reg && (lanes == desc.AllLanes || k.v.opLanes(reg, o.SubReg())&lanes != 0) {
				found = true
				early = early || o.IsEarlyClobber()
			}
		}
	}
	switch {
	case !found:
		k.fault("Defining instruction does not modify register", d.Def)
	case early != d.Def.IsEarlyClobber():
		k.fault("Early clobber def must be at an early-clobber slot", d.Def)
	}
}

// segment holds one segment to the values around it.
func (k *rangeChecker) segment(s Segment, reg mir.Reg, lanes desc.LaneMask) {
	d := k.r.Vals[s.Val].Def
	b := k.x.BlockAt(s.Start)
	if s.Start != k.x.BlockStart(b) && s.Start != d {
		k.fault("Live segment must begin at MBB entry or valno def", s.Start)
		return
	}
	last := k.x.BlockAt(s.End - 1)
	if end := k.x.BlockEnd(last); s.End != end && reg != 0 {
		k.ends(s, reg, lanes)
	}
	for {
		start := k.x.BlockStart(b)
		if start >= s.Start {
			k.edges(s, b, d == start, reg)
		}
		if b == last {
			return
		}
		if b = k.f.NextBlock(b); b == 0 {
			return
		}
	}
}

// edges holds what comes into block b, in which a segment is live from the start.
func (k *rangeChecker) edges(s Segment, b mir.BlockID, phi bool, reg mir.Reg) {
	if phi && (reg == 0 || k.f.NumPreds(b) == 0) {
		return // live into the function or a landing pad
	}
	for _, p := range k.f.Preds(b) {
		end := k.x.BlockEnd(p)
		v := k.r.ValueBefore(end)
		switch {
		case v == NoValue && !phi && len(k.undefs) == 0:
			k.fault("Register not marked live out of predecessor", end)
		case v != NoValue && v != s.Val && !phi:
			k.fault("Different value live out of predecessor", end)
		}
	}
}

// ends holds the end of a segment within a block: something reads the register there.
func (k *rangeChecker) ends(s Segment, reg mir.Reg, lanes desc.LaneMask) {
	i := k.x.Instr(s.End)
	if i == 0 {
		k.fault("Live segment doesn't end at a valid instruction", s.End)
		return
	}
	switch {
	case s.End.IsBlock():
		k.fault("Live segment ends at B slot of an instruction", s.End)
		return
	case s.End.IsDead():
		if !SameInstr(s.Start, s.End) {
			k.fault("Live segment ending at dead slot spans instructions", s.End)
		}
		return
	case s.End.IsEarlyClobber():
		// Until two-address code is made, a tied use ends so, too.
		if n := k.r.Find(s.End); k.f.Props&mir.TiedOpsRewritten != 0 && (n == len(k.r.Segs) || k.r.Segs[n].Start != s.End) {
			k.fault("Live segment ending at early clobber slot must be redefined by an EC def in the same instruction", s.End)
		}
	}
	for m := range k.f.InBundle(i) {
		for _, o := range k.f.Ops(m) {
			if o.IsReg() && o.Reg() == reg && o.ReadsReg() &&
				(lanes == desc.AllLanes || o.IsDef() || k.v.opLanes(reg, o.SubReg())&lanes != 0) {
				return
			}
		}
	}
	// Lanes may end where another one is defined and leaves them undefined.
	if lanes == desc.AllLanes {
		k.fault("Instruction ending live segment doesn't read the register", s.End)
	}
}

// operands holds the reads and definitions of a register to the range of lanes.
func (k *rangeChecker) operands(r *Range, li *Interval, lanes desc.LaneMask) {
	k.r = r
	f := k.f
	for id := f.FirstUse(li.Reg); id != 0; id = f.NextUse(id) {
		o := f.OpAt(id)
		if o.IsDebug() {
			continue
		}
		mine := lanes == desc.AllLanes || k.v.opLanes(li.Reg, o.SubReg())&lanes != 0
		i, _ := f.Owner(id)
		if f.Instr(i).Block() == 0 {
			continue
		}
		at := k.x.Of(i)
		if o.IsDef() && mine {
			d := at.RegSlot(o.IsEarlyClobber())
			v := r.ValueAt(d)
			switch {
			case v == NoValue:
				k.fault("No live segment at def", d)
			case !SameInstr(r.Vals[v].Def, d):
				k.fault("Inconsistent valno->def", d)
			}
			if o.IsDead() && v != NoValue && lanes == desc.AllLanes && !li.HasSubs() && !r.Query(d).DeadDef() {
				k.fault("Live range continues after dead def flag", d)
			}
		}
		if !o.IsDef() && o.ReadsReg() && mine && lanes == desc.AllLanes {
			if p := k.v.usePoint(id); r.ValueBefore(p.at) == NoValue && r.ValueAt(at) == NoValue {
				k.fault("No live segment at use", p.at)
			}
		}
	}
}
