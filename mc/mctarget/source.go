package mctarget

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
)

// Source is where a target's description and tables are. A program carries the tables that the
// sources of its targets name: a target whose hooks make all parts needs but the description.
type Source struct {
	Info func() (*desc.Info, error)
	// The functions below may be nil, and what they give may be: there are then no such tables.
	MachineCode func() (*desc.MCTables, error)
	Matcher     func() (*desc.MatcherTable, error)
	Decoder     func() (*desc.DecoderTable, error)
	Objects     func() (*desc.ObjectTables, error)
}

// ofFacts finds the tables of a back end among those of all.
func ofFacts(name string) *Source {
	s := &Source{
		Info:    func() (*desc.Info, error) { return facts.Load(name) },
		Matcher: func() (*desc.MatcherTable, error) { return facts.Matcher(name) },
		Objects: func() (*desc.ObjectTables, error) { return facts.Objects(name) },
	}
	if slices.Contains(facts.MachineCodeNames(), name) {
		s.MachineCode = func() (*desc.MCTables, error) { return facts.MachineCode(name) }
		s.Decoder = func() (*desc.DecoderTable, error) { return facts.Decoder(name) }
	}
	return s
}
