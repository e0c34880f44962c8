package automaton

// Table is a minimal automaton: every state but Dead accepts, so that what it
// accepts is accepted with any end cut off.
type Table struct {
	// NumSymbols is the number of input symbols, which count from 0.
	NumSymbols int
	// Next has the next state of each state and symbol, Next[state*NumSymbols+symbol].
	Next []uint16
	// Choices has, for each symbol, the sets of bits that it may take: a step of
	// the nondeterministic automaton behind it takes one of them, all bits of
	// which must be free.
	Choices [][]uint64
}

// The states that every table has.
const (
	Dead  = 0
	Start = 1
)

// NumStates returns the number of states, Dead among them.
func (t *Table) NumStates() int {
	if t.NumSymbols == 0 {
		return 2
	}
	return len(t.Next) / t.NumSymbols
}

// Machine is a run of a table. The zero Machine with a table must be Reset.
type Machine struct {
	Table *Table
	state uint16
}

// Reset goes back to the start.
func (m *Machine) Reset() { m.state = Start }

// Can reports whether the symbol is accepted next.
func (m *Machine) Can(symbol int) bool { return m.next(symbol) != Dead }

func (m *Machine) next(symbol int) uint16 {
	if uint(symbol) >= uint(m.Table.NumSymbols) {
		return Dead
	}
	return m.Table.Next[int(m.state)*m.Table.NumSymbols+symbol]
}

// Step takes a symbol; false, and nothing changes, when it is not accepted.
func (m *Machine) Step(symbol int) bool {
	n := m.next(symbol)
	if n == Dead {
		return false
	}
	m.state = n
	return true
}

// State returns the current state, Restore goes back to one.
func (m *Machine) State() uint16 { return m.state }

// Restore continues from a state that State returned.
func (m *Machine) Restore(state uint16) { m.state = state }

// Path appends one way in which the nondeterministic automaton accepts the
// symbols: the bits taken after each. It takes the first choice that leads on.
func (t *Table) Path(b []uint64, symbols []int) ([]uint64, bool) {
	start := len(b)
	failed := map[at]bool{}
	var walk func(k int, taken uint64) bool
	walk = func(k int, taken uint64) bool {
		if k == len(symbols) {
			return true
		}
		if s := symbols[k]; s >= 0 && s < len(t.Choices) && !failed[at{k, taken}] {
			for _, c := range t.Choices[s] {
				if taken&c != 0 {
					continue
				}
				b = append(b, taken|c)
				if walk(k+1, taken|c) {
					return true
				}
				b = b[:len(b)-1]
			}
			failed[at{k, taken}] = true
		}
		return false
	}
	if !walk(0, 0) {
		return b[:start], false
	}
	return b, true
}

// at is a place in the search of Path.
type at struct {
	step  int
	taken uint64
}

// Packetizer collects instructions that are issued at once.
type Packetizer struct {
	Machine
	// Classes has a symbol plus one for each itinerary class of a processor, 0
	// for a class that takes no unit.
	Classes []uint16
}

// CanReserve reports whether an instruction of the class fits in.
func (p *Packetizer) CanReserve(class int) bool {
	c := p.Classes[class]
	return c == 0 || p.Can(int(c)-1)
}

// Reserve takes the units of the class; false when they are not free.
func (p *Packetizer) Reserve(class int) bool {
	c := p.Classes[class]
	return c == 0 || p.Step(int(c)-1)
}
