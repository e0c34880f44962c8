// Package automaton runs deterministic finite automata of generated tables, such
// as those that tablegen/emit/automata makes: an automaton over the actions of
// GenericAutomaton records, and the packetizer of a machine that issues several
// instructions at once, which asks whether the functional units that they need
// can be shared out.
//
// A [Table] is generated, read-only and shared; a [Machine] is one run of it, a
// [Packetizer] a run whose symbols follow from itinerary classes. The package
// imports nothing.
package automaton
