// Package automata makes finite automata of records: those that GenericAutomaton
// describes, and the packetizer of a machine, out of the functional units of
// its itineraries.
//
// include/Automaton.td and include/Itinerary.td declare the classes as
// "mirin/Automaton.td" and "mirin/Itinerary.td"; LLVM's own declare the same.
// docs/tablegen/automata.md describes them. Generic and Packetizers read
// records, AppendGo and AppendPacketizers write Go files that use package
// support/automaton.
//
// Flow of data: generic.go and packetizer.go read symbols and their choices of
// bits; determinize.go builds the minimal deterministic automaton; source.go
// writes Go. Errors carry the place of the record or field and the way there.
//
// The package imports tablegen, diag and support/automaton.
package automata

import _ "embed"

// AutomatonPrelude is the text of mirin/Automaton.td.
//
//go:embed include/Automaton.td
var AutomatonPrelude string

// ItineraryPrelude is the text of mirin/Itinerary.td.
//
//go:embed include/Itinerary.td
var ItineraryPrelude string
