package automata

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/support/automaton"
	"github.com/mirin-go/mirin/tablegen"
)

// Packetizer is the automaton of the itineraries of one namespace.
type Packetizer struct {
	Namespace string
	Table     *automaton.Table
	Units     []string // by bit
	Itins     []Itinerary
}

// Itinerary says what the classes of instructions take on one processor.
type Itinerary struct {
	Name    string
	Symbols []uint16 // by class: symbol plus one, 0 for nothing
}

// Packetizers makes the automata of all ProcessorItineraries with units, one
// for each PacketizerNamespace, and lists the itinerary classes in order of
// definition. The error is a diag.List.
func Packetizers(rs *tablegen.Records) ([]*Packetizer, []string, error) {
	r := &reader{rs: rs}
	classes := map[*tablegen.Record]int{}
	var names []string
	for _, c := range rs.DerivedFrom("InstrItinClass") {
		classes[c] = len(names)
		names = append(names, c.Name)
	}
	var order []string
	by := map[string][]*tablegen.Record{}
	for _, it := range rs.DerivedFrom("ProcessorItineraries") {
		if len(it.List("FU")) == 0 {
			continue
		}
		ns := it.String("PacketizerNamespace")
		if by[ns] == nil {
			order = append(order, ns)
		}
		by[ns] = append(by[ns], it)
	}
	var out []*Packetizer
	for _, ns := range order {
		if p := r.packetizer(ns, by[ns], classes); p != nil {
			out = append(out, p)
		}
	}
	return out, names, r.errs.Err()
}

// units numbers the functional units of a namespace. Each has a bit of its own,
// so that itineraries with different units do not get in each other's way.
type units struct {
	bit    map[*tablegen.Record]int
	names  []string
	combos map[*tablegen.Record][]*tablegen.Record
}

func (r *reader) packetizer(ns string, its []*tablegen.Record, classes map[*tablegen.Record]int) *Packetizer {
	u := &units{bit: map[*tablegen.Record]int{}, combos: map[*tablegen.Record][]*tablegen.Record{}}
	for _, it := range its {
		for _, f := range it.DefList("FU") {
			if _, ok := u.bit[f]; ok {
				continue
			}
			if len(u.names) == 64 {
				r.errorf(it, it.Loc, "itinerary '"+it.Name+"': more than 64 functional units in one packetizer; use PacketizerNamespace")
				return nil
			}
			u.bit[f] = len(u.names)
			u.names = append(u.names, f.Name)
		}
	}
	for _, c := range r.derived("ComboFuncUnits") {
		for _, d := range c.DefList("CFD") {
			if whole := d.DefField("TheComboFunc"); whole != nil {
				u.combos[whole] = d.DefList("FuncList")
			}
		}
	}
	p := &Packetizer{Namespace: ns, Units: u.names}
	number := map[string]int{}
	var choices [][]uint64
	for _, it := range its {
		row := make([]uint16, len(classes))
		seen := map[*tablegen.Record]bool{}
		for _, d := range it.DefList("IID") {
			class := d.DefField("TheClass")
			n, ok := classes[class]
			if !ok {
				r.errorf(d, d.FieldLoc("TheClass"), "itinerary data of '"+it.Name+"' names no itinerary class")
				return nil
			}
			if seen[class] {
				r.errorf(it, it.Loc, "itinerary '"+it.Name+"' has data for '"+class.Name+"' twice")
				return nil
			}
			seen[class] = true
			c, ok := r.choices(it, d, class.Name, u)
			if !ok {
				return nil
			}
			if c == nil {
				continue
			}
			k := fmt.Sprint(c)
			s, ok := number[k]
			if !ok {
				s = len(choices)
				number[k] = s
				choices = append(choices, c)
			}
			row[n] = uint16(s + 1)
		}
		p.Itins = append(p.Itins, Itinerary{it.Name, row})
	}
	t, err := Determinize(choices)
	if err != nil {
		r.errorf(its[0], its[0].Loc, "the packetizer of '"+its[0].Name+"': "+err.Error())
		return nil
	}
	p.Table = t
	return p
}

// maxChoices bounds the ways in which one instruction may take its units.
const maxChoices = 1 << 12

// choices lists the sets of units that an instruction may take: one unit of
// each stage, all different, whatever cycle the stage begins in; nil where no
// stage takes any.
func (r *reader) choices(it, data *tablegen.Record, class string, u *units) ([]uint64, bool) {
	out := []uint64{0}
	any := false
	for _, st := range data.DefList("Stages") {
		var stage []uint64
		for _, f := range st.DefList("Units") {
			m, ok := u.mask(f)
			if !ok {
				r.errorf(it, it.FieldLoc("FU"), "itinerary '"+it.Name+"': '"+class+"' takes the unit '"+f.Name+"', which FU does not list")
				return nil, false
			}
			stage = append(stage, m)
		}
		if len(stage) == 0 {
			continue
		}
		any = true
		out = step(out, stage)
		slices.Sort(out)
		out = slices.Compact(out)
		if len(out) > maxChoices {
			r.errorf(it, it.Loc, "itinerary '"+it.Name+"': '"+class+"' may take its units in more than "+strconv.Itoa(maxChoices)+" ways")
			return nil, false
		}
	}
	if !any {
		return nil, true
	}
	if len(out) == 0 {
		r.errorf(it, it.Loc, "itinerary '"+it.Name+"': '"+class+"' can never be issued: its stages take the same unit")
		return nil, false
	}
	return reduce(out), true
}

// mask is the bits that a unit takes: its own, and those that it stands for.
func (u *units) mask(f *tablegen.Record) (uint64, bool) {
	b, ok := u.bit[f]
	m := uint64(1) << b
	for _, x := range u.combos[f] {
		n, known := u.bit[x]
		ok = ok && known
		m |= 1 << n
	}
	return m, ok
}
