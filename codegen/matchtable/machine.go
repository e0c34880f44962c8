package matchtable

import "github.com/mirin-go/mirin/codegen/matchtable/code"

// graph is what the code of a table runs over: MIR (a Matcher) or a
// SelectionDAG. It runs the tests and the actions; control is the machine's.
type graph interface {
	// step runs a test or an action whose operands stand at pc, and gives the
	// place behind them; false where the test fails or the action cannot be done.
	step(op code.Op, pc int) (int, bool)
	// typeAt gives the key of the type of the operand that is named at pc, and
	// the place behind it; see Table.types.
	typeAt(pc int) (uint64, int)
	// opcodeAt is the same for the opcode of what is recorded.
	opcodeAt(pc int) (uint64, int)
	// accept is told that a rule matches; false when its actions are not wanted.
	accept() bool
}

// Keys that no type (opcode) has: of an operand that is not there or has no
// type, and of a type of the table that the graph does not have.
const (
	noType     = ^uint64(0)
	noSuchType = noType - 1
)

// machine runs the code of a table: all matching is done here.
type machine struct {
	// Rule is the number of the last rule that matched.
	Rule int
	// Allow says which rules may match, of those whose tests hold; nil: all. It
	// is asked once for each match, so that a counter in it bisects over rules.
	Allow func(rule int) bool

	code     []byte
	types    []uint64 // keys of the table's types
	opcodes  []uint64 // keys of its opcodes; nil: their numbers are the keys
	features []bool
	ninsns   int  // of the accepted rule
	acting   bool // its actions have begun
	fails    [code.MaxTries]int
}

// run runs the rules of the tree at pc over a graph whose root is recorded:
// the tests, and the actions of the first rule that matches. It reports
// whether one did and its actions were done (or are not wanted). Verified code
// cannot make it leave the table.
func (m *machine) run(g graph, pc int) bool {
	c := m.code
	sp := 0
	m.acting = false
	for {
		op := code.Op(c[pc])
		pc++
		ok := true
		switch op {
		case code.Try:
			var n int
			n, pc = code.Uint(c, pc)
			m.fails[sp] = pc + n
			sp++
		case code.Reject:
			ok = false
		case code.SwitchType:
			var key uint64
			key, pc = g.typeAt(pc)
			pc, ok = m.jump(m.types, key, pc)
		case code.SwitchOpcode:
			var key uint64
			key, pc = g.opcodeAt(pc)
			pc, ok = m.jump(m.opcodes, key, pc)
		case code.Accept:
			var rule, n int
			rule, pc = code.Uint(c, pc)
			n, pc = code.Uint(c, pc)
			if m.Allow != nil && !m.Allow(rule) {
				ok = false
				break
			}
			m.Rule, m.ninsns = rule, n
			if !g.accept() {
				return true
			}
			m.acting, sp = true, 0
		case code.Done:
			return true
		default:
			pc, ok = g.step(op, pc)
		}
		if !ok {
			if sp == 0 {
				return false
			}
			sp--
			pc = m.fails[sp]
		}
	}
}

// jump finds the case of a key in the list at pc, whose numbers keys translates.
func (m *machine) jump(keys []uint64, want uint64, pc int) (int, bool) {
	c := m.code
	size, pc := code.Uint(c, pc)
	for end := pc + size; pc < end; {
		var k, off int
		k, pc = code.Uint(c, pc)
		off, pc = code.Uint(c, pc)
		key := uint64(k)
		if keys != nil {
			key = keys[k]
		}
		if key == want {
			return end + off, true
		}
	}
	return pc, false
}
