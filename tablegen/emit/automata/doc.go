// Package automata makes finite automata of records: those that GenericAutomaton
// describes, and the packetizer of a machine, out of the functional units of
// its itineraries.
//
// mirin/Automaton.td and mirin/Itinerary.td (package tablegen/include) declare
// the classes; LLVM's own files declare the same.
// docs/tablegen/automata.md describes them. Generic and Packetizers read
// records, AppendGo and AppendPacketizers write Go files that use package
// support/automaton.
//
// Flow of data: generic.go and packetizer.go read symbols and their choices of
// bits; determinize.go builds the minimal deterministic automaton; source.go
// writes Go. Errors carry the place of the record or field and the way there.
//
// The package imports tablegen, emit/gofile, diag and support/automaton.
package automata
