package schedmodel

import (
	"math/bits"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Scoreboard keeps, for each of the next cycles, the functional units that what was
// issued takes by its itinerary. A model without itineraries has no hazards.
type Scoreboard struct {
	m *Model
	// required units conflict with required and reserved ones, reserved ones with
	// required ones alone: rings, which begin at row head.
	required, reserved []uint64
	head               int
	issued, width      int // in this cycle; a width of 0 has no limit
}

// Reset makes the scoreboard empty, for a model.
func (s *Scoreboard) Reset(m *Model) {
	if s.m != m {
		s.m, s.width = m, 0
		depth := 1
		if most := m.longestItinerary(); m.itins && most > 1 {
			for depth < most {
				depth *= 2
			}
			s.width = m.IssueWidth()
		}
		s.required, s.reserved = make([]uint64, depth), make([]uint64, depth)
	}
	s.issued, s.head = 0, 0
	clear(s.required)
	clear(s.reserved)
}

// longestItinerary is the number of cycles until the last stage of any class is done.
func (x *Model) longestItinerary() int {
	most := 0
	if x.itins {
		for op := range desc.Opcode(x.in.NumInstrs()) {
			most = max(most, x.stageLatency(int(x.in.Instr(op).SchedClass)))
		}
	}
	return most
}

// row is the row of a cycle from now on; false: later than anything is kept.
func (s *Scoreboard) row(cycle int) (int, bool) {
	return (s.head + cycle) % len(s.required), cycle < len(s.required)
}

// stages lists the stages of i.
func (s *Scoreboard) stages(f *mir.Function, i mir.InstrID) []desc.ItineraryStage {
	if !s.m.itins {
		return nil
	}
	d := s.m.t.Itinerary(s.m.num, int(f.Desc(i).SchedClass))
	if d == nil {
		return nil
	}
	return s.m.t.Stages[d.First : int(d.First)+int(d.NumStages)]
}

// free lists the units of a stage that nothing takes in a row.
func (s *Scoreboard) free(x *desc.ItineraryStage, row int) uint64 {
	units := x.Units &^ s.required[row]
	if !x.Reserved {
		units &^= s.reserved[row]
	}
	return units
}

// next is the time from the beginning of a stage to that of the next one.
func next(x *desc.ItineraryStage) int {
	if x.Next >= 0 {
		return int(x.Next)
	}
	return int(x.Cycles)
}

// Hazard reports that a stage of i finds no unit when it is issued now.
func (s *Scoreboard) Hazard(f *mir.Function, i mir.InstrID) bool {
	at := 0
	list := s.stages(f, i)
	for k := range list {
		for c := range int(list[k].Cycles) {
			row, ok := s.row(at + c)
			if !ok {
				break
			}
			if s.free(&list[k], row) == 0 {
				return true
			}
		}
		at += next(&list[k])
	}
	return false
}

// Issue takes the units of i from now on, of those that are free the last.
func (s *Scoreboard) Issue(f *mir.Function, i mir.InstrID) {
	if !s.m.itins || f.Instr(i).Opcode <= desc.COPY {
		return
	}
	s.issued++
	at := 0
	list := s.stages(f, i)
	for k := range list {
		x := &list[k]
		for c := range int(x.Cycles) {
			row, ok := s.row(at + c)
			if !ok {
				break
			}
			units := s.free(x, row)
			if units != 0 {
				units = 1 << (bits.Len64(units) - 1)
			}
			if x.Reserved {
				s.reserved[row] |= units
			} else {
				s.required[row] |= units
			}
		}
		at += next(x)
	}
}

// IsFull reports that no more is issued in this cycle.
func (s *Scoreboard) IsFull() bool { return s.width > 0 && s.issued >= s.width }

// HasHazards reports that what a cycle has room for depends on what was issued.
func (s *Scoreboard) HasHazards() bool { return s.m.itins }

// Advance goes on to the next cycle.
func (s *Scoreboard) Advance() {
	s.required[s.head], s.reserved[s.head] = 0, 0
	s.head = (s.head + 1) % len(s.required)
	s.issued = 0
}
