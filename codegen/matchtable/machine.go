package matchtable

import "github.com/mirin-go/mirin/codegen/matchtable/code"

// state is what all matchers have.
type state struct {
	// Rule is the number of the last rule that matched.
	Rule int
	// Allow says which rules may match, of those whose tests hold; nil: all. It
	// is asked once for each match, so that a counter in it bisects over rules.
	Allow func(rule int) bool

	code     []byte
	features []bool
	ninsns   int // of the accepted rule
}

// Keys that no type (opcode) has: of an operand that is not there or has no
// type, and of a type of the table that the graph does not have.
const (
	noType     = ^uint64(0)
	noSuchType = noType - 1
)

// machine is what control needs of a matcher that runs the code as it is
// written; a Matcher runs trees made of it.
type machine struct {
	state
	types   []uint64 // keys of the table's types
	opcodes []uint64 // keys of its opcodes
	fails   [code.MaxTries]int
}

// run runs the rules of the tree at pc over a graph whose root is recorded:
// the tests, and the actions of the first rule that matches. It reports
// whether one did and its actions were done (or are not wanted). Verified code
// cannot make it leave the table.
func (m *DAGMatcher) run(pc int) bool {
	c := m.code
	sp := 0
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
			key, pc = m.typeAt(pc)
			pc, ok = m.jump(m.types, key, pc)
		case code.SwitchOpcode:
			var key uint64
			key, pc = m.opcodeAt(pc)
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
			if !m.accept() {
				return true
			}
			sp = 0
		case code.Done:
			return true
		default:
			pc, ok = m.step(op, pc)
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
		if keys[k] == want {
			return end + off, true
		}
	}
	return pc, false
}
