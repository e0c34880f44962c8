// Finite automata; docs/tablegen/automata.md. llvm/TableGen/Automaton.td declares the same.

#ifndef MIRIN_AUTOMATON_TD
#define MIRIN_AUTOMATON_TD

class GenericAutomaton {
  string TransitionClass;     // the records of this class, below Transition, are the transitions
  list<string> SymbolFields;  // fields of it that name the action; TypeOf_F gives the Go type of F
}

// A step from state S to S | NewState, where no bit of NewState is set in S.
class Transition { bits<32> NewState; }

#endif
