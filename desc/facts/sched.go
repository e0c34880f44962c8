package facts

import (
	"fmt"
	"sync"

	"github.com/mirin-go/mirin/desc"
)

// sched makes the section of machine models readable when it is asked for: few
// runs do, and none at -O0. A damaged section, which an embedded file does not
// have, is a panic then.
func (d *decoder) sched() {
	f, in := d.f, d.in
	if s := &f.sections[secSched]; s.raw == 0 {
		return
	}
	if d.eager {
		d.table(secSched, func(r *reader) {
			t := readSched(r)
			if r.err == nil {
				r.err = checkSched(in, t)
			}
			in.SetSched(func() *desc.SchedTable { return t })
		})
		return
	}
	in.SetSched(sync.OnceValue(func() *desc.SchedTable {
		r := f.reader(secSched)
		t := readSched(r)
		if r.err != nil {
			panic(fmt.Sprintf("facts: section %d: %v", secSched, r.err))
		}
		return t
	}))
}

// readSched reads the tables in the order in which they lie: the blob of names, the
// number of classes, then each with its number of rows.
func readSched(r *reader) *desc.SchedTable {
	t := &desc.SchedTable{}
	t.Names = r.take(int(le32(r.take(4), 0)) & (1<<24 - 1))
	t.NumClasses = int(le32(r.take(4), 0))
	t.ClassNames = array32[desc.Name](r)
	t.Models = rows(r, 32, func(c string) desc.SchedModelDesc {
		return desc.SchedModelDesc{
			Name: desc.Name(le32(c, 0)), IssueWidth: int16(le16(c, 4)), MicroOpBuffer: int16(le16(c, 6)), LoopMicroOpBuffer: int16(le16(c, 8)),
			LoadLatency: int16(le16(c, 10)), HighLatency: int16(le16(c, 12)), MispredictPenalty: int16(le16(c, 14)),
			Flags: desc.SchedModelFlags(c[16]), NoModel: c[17]&1 != 0, HasItineraries: c[17]&2 != 0,
			Resources: le32(c, 18), NumResources: le16(c, 22), FirstClass: le32(c, 24), FirstItinerary: le32(c, 28),
		}
	})
	t.Defaults = array16[uint16](r)
	t.ClassRows = array16[uint16](r)
	t.Classes = rows(r, 23, func(c string) desc.SchedClassDesc {
		return desc.SchedClassDesc{
			MicroOps: le16(c, 0), Flags: desc.SchedClassFlags(c[2]), NumUses: le16(c, 3), Uses: le32(c, 5), Latencies: le32(c, 9), Advances: le32(c, 13),
			NumLatencies: le16(c, 17), NumAdvances: le16(c, 19), NumChoices: le16(c, 21),
		}
	})
	t.Resources = rows(r, 16, func(c string) desc.SchedResourceDesc {
		return desc.SchedResourceDesc{
			Name: desc.Name(le32(c, 0)), NumUnits: le16(c, 4), Super: le16(c, 6), Buffer: int16(le16(c, 8)), NumSubUnits: le16(c, 10), SubUnits: le32(c, 12),
		}
	})
	t.SubUnits = array16[uint16](r)
	t.Uses = rows(r, 6, func(c string) desc.SchedUse {
		return desc.SchedUse{Resource: le16(c, 0), Release: le16(c, 2), Acquire: le16(c, 4)}
	})
	t.Latencies = rows(r, 4, func(c string) desc.SchedLatency {
		return desc.SchedLatency{Cycles: int16(le16(c, 0)), Write: le16(c, 2)}
	})
	t.Advances = rows(r, 6, func(c string) desc.SchedAdvance {
		return desc.SchedAdvance{Use: le16(c, 0), Write: le16(c, 2), Cycles: int16(le16(c, 4))}
	})
	t.Choices = rows(r, 8, func(c string) desc.SchedChoice {
		return desc.SchedChoice{To: le16(c, 0), Pred: le32(c, 2), NumPreds: le16(c, 6)}
	})
	t.Preds = rows(r, 13, func(c string) desc.SchedPred {
		return desc.SchedPred{Kind: desc.SchedPredKind(c[0]), A: c[1], B: c[2], Set: le32(c, 3), NumSet: le16(c, 7), Text: desc.Name(le32(c, 9))}
	})
	t.PredSets = array16[uint16](r)
	t.ItineraryRows = array16[uint16](r)
	t.Itineraries = rows(r, 14, func(c string) desc.ItineraryDesc {
		return desc.ItineraryDesc{MicroOps: int16(le16(c, 0)), First: le32(c, 2), NumStages: le16(c, 6), FirstCycle: le32(c, 8), NumCycles: le16(c, 12)}
	})
	t.Stages = rows(r, 13, func(c string) desc.ItineraryStage {
		return desc.ItineraryStage{Units: le64(c, 0), Cycles: le16(c, 8), Next: int16(le16(c, 10)), Reserved: c[12] != 0}
	})
	n := r.count(4)
	c := r.take(4 * n)
	t.Cycles, t.Bypasses = make([]uint16, n), make([]uint16, n)
	for i := range n {
		t.Cycles[i], t.Bypasses[i] = le16(c, 4*i), le16(c, 4*i+2)
	}
	t.Units = array32[desc.Name](r)
	return t
}

// checkSched sees that rows name what is there.
func checkSched(in *desc.Info, t *desc.SchedTable) error {
	bad := func(what string, i int) error { return fmt.Errorf("%s %d names what is not there", what, i) }
	in2 := func(at uint32, n, l int) bool { return int(at)+n <= l }
	if len(t.Classes) == 0 {
		return fmt.Errorf("no costs")
	}
	for i := range t.Models {
		m := &t.Models[i]
		if m.Name.End() > len(t.Names) || !in2(m.Resources, int(m.NumResources), len(t.Resources)) || int(m.FirstUnit)+int(m.NumUnits) > len(t.Units) ||
			!m.NoModel && !in2(m.FirstClass, t.NumClasses, len(t.ClassRows)) || m.HasItineraries && !in2(m.FirstItinerary, t.NumClasses, len(t.ItineraryRows)) {
			return bad("machine model", i)
		}
	}
	for i, p := range in.Processors {
		if int(p.Model) >= len(t.Models) {
			return bad("processor", i)
		}
	}
	for i, m := range t.Defaults {
		if int(m) >= len(t.Models) {
			return bad("variant", i)
		}
	}
	for i, c := range t.ClassRows {
		if int(c) >= len(t.Classes) {
			return bad("class", i)
		}
	}
	for i, c := range t.Classes {
		ok := in2(c.Uses, int(c.NumUses), len(t.Uses)) && in2(c.Latencies, int(c.NumLatencies), len(t.Latencies))
		if c.MicroOps == desc.SchedVariant {
			ok = in2(c.Advances, int(c.NumChoices), len(t.Choices))
		} else if ok {
			ok = in2(c.Advances, int(c.NumAdvances), len(t.Advances))
		}
		if !ok {
			return bad("cost", i)
		}
	}
	for i, c := range t.Choices {
		if int(c.To) >= t.NumClasses || !in2(c.Pred, int(c.NumPreds), len(t.Preds)) {
			return bad("choice", i)
		}
	}
	for i, p := range t.Preds {
		if p.Kind >= desc.NumSchedPreds || !in2(p.Set, int(p.NumSet), len(t.PredSets)) || p.Text.End() > len(t.Names) {
			return bad("predicate", i)
		}
	}
	for i, r := range t.Resources {
		if r.Name.End() > len(t.Names) || !in2(r.SubUnits, int(r.NumSubUnits), len(t.SubUnits)) {
			return bad("resource", i)
		}
	}
	for i, r := range t.ItineraryRows {
		if int(r) > len(t.Itineraries) {
			return bad("class", i)
		}
	}
	for i, d := range t.Itineraries {
		if !in2(d.First, int(d.NumStages), len(t.Stages)) || !in2(d.FirstCycle, int(d.NumCycles), len(t.Cycles)) {
			return bad("itinerary", i)
		}
	}
	return nil
}

// sched encodes machine models as readSched reads them.
func (e *encoder) sched() {
	t := e.in.Sched()
	if t == nil {
		return
	}
	var c cols
	c.u32(uint32(len(t.Names)))
	c.b = append(c.b, t.Names...)
	c.u32(uint32(t.NumClasses))
	c.b = append(c.b, put32(t.ClassNames).b...)
	putRows(&c, t.Models, func(c *cols, m *desc.SchedModelDesc) {
		c.u32(uint32(m.Name))
		for _, v := range [...]int16{m.IssueWidth, m.MicroOpBuffer, m.LoopMicroOpBuffer, m.LoadLatency, m.HighLatency, m.MispredictPenalty} {
			c.u16(uint16(v))
		}
		c.u8(uint8(m.Flags), bit(m.NoModel, 1)|bit(m.HasItineraries, 2))
		c.u32(m.Resources)
		c.u16(m.NumResources)
		c.u32(m.FirstClass, m.FirstItinerary)
	})
	c.b = append(c.b, put16(t.Defaults).b...)
	c.b = append(c.b, put16(t.ClassRows).b...)
	putRows(&c, t.Classes, func(c *cols, d *desc.SchedClassDesc) {
		c.u16(d.MicroOps)
		c.u8(uint8(d.Flags))
		c.u16(d.NumUses)
		c.u32(d.Uses, d.Latencies, d.Advances)
		c.u16(d.NumLatencies, d.NumAdvances, d.NumChoices)
	})
	putRows(&c, t.Resources, func(c *cols, r *desc.SchedResourceDesc) {
		c.u32(uint32(r.Name))
		c.u16(r.NumUnits, r.Super, uint16(r.Buffer), r.NumSubUnits)
		c.u32(r.SubUnits)
	})
	c.b = append(c.b, put16(t.SubUnits).b...)
	putRows(&c, t.Uses, func(c *cols, u *desc.SchedUse) { c.u16(u.Resource, u.Release, u.Acquire) })
	putRows(&c, t.Latencies, func(c *cols, l *desc.SchedLatency) { c.u16(uint16(l.Cycles), l.Write) })
	putRows(&c, t.Advances, func(c *cols, a *desc.SchedAdvance) { c.u16(a.Use, a.Write, uint16(a.Cycles)) })
	putRows(&c, t.Choices, func(c *cols, x *desc.SchedChoice) {
		c.u16(x.To)
		c.u32(x.Pred)
		c.u16(x.NumPreds)
	})
	putRows(&c, t.Preds, func(c *cols, p *desc.SchedPred) {
		c.u8(uint8(p.Kind), p.A, p.B)
		c.u32(p.Set)
		c.u16(p.NumSet)
		c.u32(uint32(p.Text))
	})
	c.b = append(c.b, put16(t.PredSets).b...)
	c.b = append(c.b, put16(t.ItineraryRows).b...)
	putRows(&c, t.Itineraries, func(c *cols, d *desc.ItineraryDesc) {
		c.u16(uint16(d.MicroOps))
		c.u32(d.First)
		c.u16(d.NumStages)
		c.u32(d.FirstCycle)
		c.u16(d.NumCycles)
	})
	putRows(&c, t.Stages, func(c *cols, s *desc.ItineraryStage) {
		c.u64(s.Units)
		c.u16(s.Cycles, uint16(s.Next))
		c.u8(bit(s.Reserved, 1))
	})
	c.u32(uint32(len(t.Cycles)))
	for i := range t.Cycles {
		c.u16(t.Cycles[i], t.Bypasses[i])
	}
	c.b = append(c.b, put32(t.Units).b...)
	e.add(secSched, c)
}

// bit is b where set holds.
func bit(set bool, b uint8) uint8 {
	if set {
		return b
	}
	return 0
}
