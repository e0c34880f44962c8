package targetinfo

import (
	"math"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// maxSchedClasses bounds what variants may multiply to.
const maxSchedClasses = 1<<14 - 1

// expandVariants makes a class of each way that a variant can be resolved, for
// each machine whose costs of the class have one.
func (s *schedBuilder) expandVariants() {
	for n := 0; n < len(s.classes); n++ {
		c := s.classes[n]
		for mi, m := range s.models {
			if m.rec == nil || m.rec.Bit("NoModel") || c.model >= 0 && c.model != mi {
				continue
			}
			writes, reads := s.readsWrites(c, m)
			s.expandClass(n, mi, writes, reads)
			if len(s.classes) > maxSchedClasses {
				s.b.fail(m.rec, "", "variants make more than %d scheduling classes", maxSchedClasses)
				return
			}
		}
	}
}

// expandClass replaces the first variant of a class by each of its cases; what
// comes out is a class and is expanded in its turn.
func (s *schedBuilder) expandClass(n, mi int, writes, reads []*tablegen.Record) {
	m := s.models[mi]
	for k, l := range [...][]*tablegen.Record{writes, reads} {
		for i, rw := range l {
			v := s.alias(rw, m)
			if k == 0 {
				if seq := s.sequence(rw, m, 0); len(seq) == 1 {
					v = seq[0]
				}
			}
			if !v.IsSubClassOf("SchedVariant") {
				continue
			}
			for _, x := range v.DefList("Variants") {
				sel := x.DefList("Selected")
				parts := [2][]*tablegen.Record{writes, reads}
				list := append([]*tablegen.Record(nil), l[:i]...)
				list = append(append(list, sel...), l[i+1:]...)
				parts[k] = list
				to := s.variantClass(s.classes[n], mi, parts[0], parts[1])
				first, num := s.predicates(x.DefField("Predicate"))
				s.choices[n] = append(s.choices[n], schedChoice{desc.SchedChoice{To: uint16(to), Pred: first, NumPreds: num}, mi})
			}
			return
		}
	}
}

// variantClass finds or makes the class of a machine with certain writes and
// reads.
func (s *schedBuilder) variantClass(c *schedClass, mi int, writes, reads []*tablegen.Record) int {
	for i, o := range s.classes {
		if o.model == mi && classID(nil, o.writes, o.reads) == classID(nil, writes, reads) {
			return i
		}
	}
	s.classes = append(s.classes, &schedClass{name: className(c.itin, writes, reads), writes: writes, reads: reads, model: mi})
	return len(s.classes) - 1
}

// predicates keeps the text of a predicate; none for one that always holds.
func (s *schedBuilder) predicates(p *tablegen.Record) (first uint32, num uint16) {
	if p == nil || p.Name == "NoSchedPred" {
		return 0, 0
	}
	text := p.Name
	if f := p.DefField("Feature"); f != nil {
		text = "feature(" + f.String("Name") + ")"
	} else if c := strings.TrimSpace(p.String("Predicate")); c != "" {
		text = c
	}
	first = uint32(len(s.t.Preds))
	s.t.Preds = append(s.t.Preds, desc.SchedPred{Kind: desc.SchedPredText, Text: s.name(text)})
	return first, 1
}

func (s *schedBuilder) name(text string) desc.Name {
	if len(text) > 511 {
		text = text[:511]
	}
	if n, ok := s.offs[text]; ok || text == "" {
		return n
	}
	n := desc.MakeName(len(s.names), len(text))
	s.names = append(s.names, text...)
	s.offs[text] = n
	return n
}

func (s *schedBuilder) layout() {
	t := s.t
	for _, c := range s.classes {
		t.ClassNames = append(t.ClassNames, s.name(c.name))
	}
	t.NumClasses = len(s.classes)
	t.Classes = []desc.SchedClassDesc{{MicroOps: desc.SchedInvalid}}
	rows := map[desc.SchedClassDesc]uint16{t.Classes[0]: 0}
	for mi, m := range s.models {
		s.layoutModel(m)
		for n, c := range s.classes {
			d := s.cost(n, c, mi)
			if len(s.b.errs) > 0 {
				return
			}
			row, ok := rows[d]
			if !ok {
				row = uint16(len(t.Classes))
				rows[d] = row
				t.Classes = append(t.Classes, d)
			}
			t.ClassRows = append(t.ClassRows, row)
			if len(t.Classes) > math.MaxUint16 {
				s.b.fail(m.rec, "", "more than %d different costs of scheduling classes", math.MaxUint16)
				return
			}
		}
	}
	for mi, m := range s.models {
		if m.itins == nil {
			continue
		}
		t.Models[mi].FirstItinerary = uint32(len(t.ItineraryRows))
		for _, c := range s.classes {
			row := uint16(0)
			if d, ok := s.itinerary(m, c); ok {
				t.Itineraries = append(t.Itineraries, d)
				row = uint16(min(len(t.Itineraries), math.MaxUint16))
			}
			t.ItineraryRows = append(t.ItineraryRows, row)
		}
	}
	t.Names = string(s.names)
}

func (s *schedBuilder) layoutModel(m *schedModel) {
	t := s.t
	num := func(field string) int16 {
		if m.rec == nil || !m.rec.HasField(field) {
			return -1
		}
		return int16(max(math.MinInt16, min(m.rec.Int(field), math.MaxInt16)))
	}
	d := desc.SchedModelDesc{Name: s.name(m.name), IssueWidth: num("IssueWidth"), MicroOpBuffer: num("MicroOpBufferSize"),
		LoopMicroOpBuffer: num("LoopMicroOpBufferSize"), LoadLatency: num("LoadLatency"), HighLatency: num("HighLatency"),
		MispredictPenalty: num("MispredictPenalty"), Resources: uint32(len(t.Resources)), NumResources: uint16(len(m.resources)), FirstClass: uint32(len(t.ClassRows)),
		NoModel: m.rec == nil || m.rec.Bit("NoModel"), HasItineraries: m.itins != nil}
	for _, f := range [...]struct {
		field string
		flag  desc.SchedModelFlags
	}{{"PostRAScheduler", desc.SchedPostRA}, {"CompleteModel", desc.SchedComplete}, {"EnableIntervals", desc.SchedIntervals}} {
		if m.rec != nil && m.rec.Bit(f.field) {
			d.Flags |= f.flag
		}
	}
	for _, r := range m.resources {
		x := desc.SchedResourceDesc{Name: s.name(r.Name), NumUnits: uint16(r.Int("NumUnits")), Buffer: int16(r.Int("BufferSize")), SubUnits: uint32(len(t.SubUnits))}
		if sup := r.DefField("Super"); sup != nil {
			n, ok := m.resNum[s.units(m, sup)]
			if !ok {
				s.b.fail(r, "Super", "'%s' is no resource of machine '%s'", sup.Name, m.name)
			}
			x.Super = uint16(n + 1)
		}
		for _, p := range r.DefList("Resources") {
			n, ok := m.resNum[p]
			if !ok {
				s.b.fail(r, "Resources", "'%s' is no resource of machine '%s'", p.Name, m.name)
			}
			t.SubUnits = append(t.SubUnits, uint16(n))
			x.NumSubUnits++
			x.NumUnits += uint16(p.Int("NumUnits"))
		}
		t.Resources = append(t.Resources, x)
	}
	if m.itins != nil {
		d.FirstUnit = uint16(len(t.Units))
		for _, u := range m.itins.DefList("FU") {
			t.Units = append(t.Units, s.name(u.Name))
			d.NumUnits++
		}
		if d.NumUnits > 64 {
			s.b.fail(m.itins, "FU", "'%s' has %d functional units, more than 64", m.itins.Name, d.NumUnits)
		}
	}
	t.Models = append(t.Models, d)
}

// itinerary lays out the way of a class through a machine's pipeline.
func (s *schedBuilder) itinerary(m *schedModel, c *schedClass) (d desc.ItineraryDesc, ok bool) {
	if c.itin == nil {
		return d, false
	}
	units := map[*tablegen.Record]int{}
	for i, u := range m.itins.DefList("FU") {
		units[u] = i
	}
	for _, data := range m.itins.DefList("IID") {
		if data.DefField("TheClass") != c.itin {
			continue
		}
		d.MicroOps = int16(data.Int("NumMicroOps"))
		var stages []desc.ItineraryStage
		for _, st := range data.DefList("Stages") {
			x := desc.ItineraryStage{Cycles: uint16(st.Int("Cycles")), Next: int16(st.Int("TimeInc")), Reserved: st.Int("Kind") != 0}
			for _, u := range st.DefList("Units") {
				n, ok := units[u]
				if !ok || n > 63 {
					s.b.fail(data, "Stages", "functional unit '%s' of class '%s' is none of '%s'", u.Name, c.itin.Name, m.itins.Name)
					return d, false
				}
				x.Units |= 1 << n
			}
			stages = append(stages, x)
		}
		d.First, d.NumStages = addRows(&s.t.Stages, stages), uint16(len(stages))
		cycles, passes := data.List("OperandCycles"), data.DefList("Bypasses")
		bypasses := m.itins.DefList("BP")
		d.FirstCycle, d.NumCycles = uint32(len(s.t.Cycles)), uint16(len(cycles))
		for i, x := range cycles {
			v, _ := tablegen.IntValue(x)
			by := uint16(0)
			if i < len(passes) {
				for k, p := range bypasses {
					if p == passes[i] {
						by = uint16(k + 1)
					}
				}
			}
			s.t.Cycles = append(s.t.Cycles, uint16(v))
			s.t.Bypasses = append(s.t.Bypasses, by)
		}
		return d, true
	}
	return d, false
}
