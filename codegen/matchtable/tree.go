package matchtable

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/mirin-go/mirin/codegen/matchtable/code"
	"github.com/mirin-go/mirin/desc"
)

// A tree is the tests of one root's rules as Matchers run them: each test a row
// that names the next one, for success and for failure, so that Try and Reject
// are gone. It is made when the root is first met, as programs meet few of a
// target's, and never changed.
//
// Alternatives often begin by asking for another opcode of the same instruction
// (another type of the same operand): these become one switch. The tests of one
// memory access become one row, and so do recording an instruction and the switch
// over its opcode.
type tree struct {
	rows  []row // row 0: no rule matches
	cases []treeCase
	ints  []int64 // upper ends of ranges
	// recipes are the actions of the rules that were applied, by what Accept rows say.
	recipes []atomic.Pointer[recipe]
}

// row is a test: 32 bytes, pointer-free. Which fields it has depends on op; see
// Matcher.match. A test of an opcode (of a type) is a SwitchOpcode (a SwitchType).
type row struct {
	op    code.Op
	insn  uint8 // the recorded instruction, and operand opn of it
	insn2 uint8 // what is recorded, the slot that is filled, or the second instruction
	opn   uint32
	x     uint32 // a number of a list, or the second operand
	n     uint32 // cases, from x: of a switch, or of the one behind a RecordDef, which leads to val without a case
	val   int64
	next  uint32 // the row behind it where the test holds
	fail  uint32 // and where it fails
}

// opMem is CheckMemSize, CheckMemOrder and CheckMemSpace of one instruction at
// once: val is the size or -1, x the mask of orderings, opn the address space or noSpace.
const opMem = code.CheckMemSize

const noSpace = ^uint32(0)

// treeCase is where a switch goes for a key; keys ascend.
type treeCase struct {
	key uint64
	to  uint32
}

// maxCases bounds the cases of a switch that is made of several.
const maxCases = 96

// treeReader reads the code of one root.
type treeReader struct {
	tree
	t    *Table
	at   []uint32 // the row of each byte of the code
	base int      // the place of the first
	// Where the open alternatives end, and where the bodies begin that are to come:
	// something besides the row before leads there.
	fails, bodies []int
	label         bool // that is so of the next row
	accepts       uint32
}

// treeOf gives the tree of a root that has rules.
func (t *Table) treeOf(op desc.Opcode) *tree {
	if have := t.trees[op].Load(); have != nil {
		return have
	}
	t.mu.Lock() // other workers, which need it too, wait for it
	defer t.mu.Unlock()
	if have := t.trees[op].Load(); have != nil {
		return have
	}
	r := treeReader{t: t, at: t.places}
	r.read(int(t.roots[op]-1), t.rootEnd(op))
	r.merge()
	p := r.tree
	p.recipes = make([]atomic.Pointer[recipe], r.accepts)
	t.trees[op].Store(&p)
	t.places = r.at
	return &p
}

// rootEnd is where the code of a root ends.
func (t *Table) rootEnd(op desc.Opcode) int {
	from := t.roots[op] - 1
	k, _ := slices.BinarySearchFunc(t.t.Roots, from, func(r code.Root, o uint32) int { return int(r.Offset) - int(o) })
	if k+1 < len(t.t.Roots) {
		return int(t.t.Roots[k+1].Offset)
	}
	return len(t.t.Code)
}

// read reads the code from pc to end. Rows name what follows them by place until link.
func (m *treeReader) read(pc, end int) {
	c := m.t.t.Code
	m.rows, m.base = make([]row, 1, 1+(end-pc)/6), pc
	m.at = slices.Grow(m.at[:0], end-pc+1)[:end-pc+1]
	clear(m.at)
	for pc < end {
		for n := len(m.fails); n > 0 && m.fails[n-1] <= pc; n-- {
			m.fails, m.label = m.fails[:n-1], true
		}
		if n := len(m.bodies); n > 0 && m.bodies[n-1] == pc {
			m.bodies, m.label = m.bodies[:n-1], true
		}
		from := pc
		m.at[from-m.base] = uint32(len(m.rows))
		op := code.Op(c[pc])
		pc++
		switch op {
		case code.Try:
			var n int
			n, pc = code.Uint(c, pc)
			m.fails = append(m.fails, pc+n)
		case code.Reject:
			// Who comes here goes on where the alternative fails.
			m.rows = append(m.rows, row{op: code.Reject, next: m.failPlace(), fail: m.failPlace()})
		case code.SwitchType, code.SwitchOpcode:
			pc = m.readSwitch(op, pc)
		case code.CheckOpcode, code.CheckOpcodes, code.CheckType:
			pc = m.readChoice(op, pc)
		case code.Accept:
			r := row{op: op}
			var rule, n int
			rule, pc = code.Uint(c, pc)
			n, pc = code.Uint(c, pc)
			r.x, r.n, r.val, r.opn = uint32(rule), uint32(n), int64(pc), m.accepts
			m.accepts++
			pc = code.SkipActions(c, pc)
			m.add(r, pc)
		default:
			r := row{op: op}
			pc = m.readArgs(&r, op, pc)
			if !m.joins(&r) {
				m.add(r, pc)
			} else {
				m.rows[len(m.rows)-1].next = m.place(pc)
			}
		}
	}
	m.link()
}

func (m *treeReader) place(pc int) uint32 { return uint32(pc-m.base) + 1 }

// failPlace is where the alternative at hand fails to, 0 for no match.
func (m *treeReader) failPlace() uint32 {
	if n := len(m.fails); n > 0 {
		return m.place(m.fails[n-1])
	}
	return 0
}

// add appends a row; what follows it stands at pc.
func (m *treeReader) add(r row, pc int) {
	r.next, r.fail = m.place(pc), m.failPlace()
	m.label = false
	m.rows = append(m.rows, r)
}

// joins makes a test of memory part of the row before it, if that is one of the
// same instruction that leads nowhere else.
func (m *treeReader) joins(r *row) bool {
	v := r.x
	switch r.op {
	case code.CheckMemSize:
		r.val, r.x, r.opn = int64(v), ^uint32(0), noSpace
	case code.CheckMemOrder:
		r.val, r.x, r.opn = -1, v, noSpace
	case code.CheckMemSpace:
		r.val, r.x, r.opn = -1, ^uint32(0), v
	default:
		return false
	}
	r.op = opMem
	p := &m.rows[len(m.rows)-1]
	if m.label || p.op != opMem || p.insn != r.insn || p.fail != m.failPlace() || p.val >= 0 && r.val >= 0 || p.opn != noSpace && r.opn != noSpace {
		return false
	}
	p.x &= r.x
	p.val, p.opn = max(p.val, r.val), min(p.opn, r.opn)
	return true
}

// readArgs reads the operands of a test.
func (m *treeReader) readArgs(r *row, op code.Op, pc int) int {
	c := m.t.t.Code
	insns, ops, nums := 0, 0, 0
	for _, k := range []byte(code.Args(op)) {
		x, next := code.Uint(c, pc)
		switch k {
		case 'i':
			if insns++; insns == 1 {
				r.insn = uint8(x)
			} else {
				r.insn2 = uint8(x)
			}
		case 'I', 'S':
			r.insn2 = uint8(x)
		case 'o':
			if ops++; ops == 1 {
				r.opn = uint32(x)
			} else {
				r.x = uint32(x)
			}
		case 't':
			r.val = int64(m.t.llts[x])
		case '-':
			var v int64
			v, next = code.Int(c, pc)
			if nums++; nums == 1 {
				r.val = v
			} else {
				r.x = uint32(len(m.ints))
				m.ints = append(m.ints, v)
			}
		case 'U':
			r.val = int64(x)
		case '#':
			if nums++; nums == 1 {
				r.x = uint32(x)
			} else {
				r.val = int64(x)
			}
		case 'F': // what stands behind it is read when it is called
			r.val, next = int64(pc), pc
		case 'A':
			_, pc = code.Uint(c, pc) // the function
			next = code.SkipArg(c, k, pc)
		default:
			r.x = uint32(x)
		}
		pc = next
	}
	return pc
}

// readChoice reads a test of an opcode or a type as a switch of one body.
func (m *treeReader) readChoice(op code.Op, pc int) int {
	c := m.t.t.Code
	r := row{x: uint32(len(m.cases)), n: 1}
	i, pc := code.Uint(c, pc)
	r.insn = uint8(i)
	switch op {
	case code.CheckType:
		r.op = code.SwitchType
		o, pc2 := code.Uint(c, pc)
		t, pc3 := code.Uint(c, pc2)
		r.opn, pc = uint32(o), pc3
		m.cases = append(m.cases, treeCase{key: m.t.types[t]})
	case code.CheckOpcode:
		r.op = code.SwitchOpcode
		var x int
		x, pc = code.Uint(c, pc)
		m.cases = append(m.cases, treeCase{key: uint64(x)})
	default:
		r.op = code.SwitchOpcode
		var n, x int
		n, pc = code.Uint(c, pc)
		r.n = uint32(n)
		for ; n > 0; n-- {
			x, pc = code.Uint(c, pc)
			m.cases = append(m.cases, treeCase{key: uint64(x)})
		}
	}
	for k := range m.cases[r.x:] {
		m.cases[int(r.x)+k].to = m.place(pc)
	}
	m.add(r, pc)
	return pc
}

// readSwitch reads a switch and notes where the bodies of its cases begin.
func (m *treeReader) readSwitch(op code.Op, pc int) int {
	c := m.t.t.Code
	r := row{op: op, x: uint32(len(m.cases))}
	i, pc := code.Uint(c, pc)
	r.insn = uint8(i)
	if op == code.SwitchType {
		var o int
		o, pc = code.Uint(c, pc)
		r.opn = uint32(o)
	}
	size, pc := code.Uint(c, pc)
	end := pc + size
	for pc < end {
		var k, off int
		k, pc = code.Uint(c, pc)
		off, pc = code.Uint(c, pc)
		key := uint64(k)
		if op == code.SwitchType {
			key = m.t.types[k]
		}
		m.bodies = append(m.bodies, end+off)
		m.cases = append(m.cases, treeCase{key, m.place(end + off)})
		r.n++
	}
	slices.Reverse(m.bodies[len(m.bodies)-int(r.n):]) // the first body comes first
	m.add(r, pc)
	return pc
}

// link makes rows of the places that rows name.
func (m *treeReader) link() {
	row := func(place uint32) uint32 {
		if place == 0 || int(place) >= len(m.at) { // behind the code nothing is tried
			return 0
		}
		return m.at[place-1]
	}
	// What follows a row stands behind it.
	for k := len(m.rows) - 1; k > 0; k-- {
		r := &m.rows[k]
		r.next, r.fail = m.skip(row(r.next)), m.skip(row(r.fail))
	}
	for k := range m.cases {
		m.cases[k].to = m.skip(row(m.cases[k].to))
	}
}

// skip goes on where a Reject leads.
func (m *treeReader) skip(at uint32) uint32 {
	for m.rows[at].op == code.Reject {
		at = m.rows[at].fail
	}
	return at
}

// merge gives switches the cases of the switches over the same that they lead to
// where they have no case, and sorts them.
func (m *treeReader) merge() {
	written := m.cases
	m.cases = make([]treeCase, 0, 2*len(written))
	for k := len(m.rows) - 1; k > 0; k-- {
		r := &m.rows[k]
		if r.op != code.SwitchOpcode && r.op != code.SwitchType {
			continue
		}
		first := len(m.cases)
		add := func(l []treeCase) {
			for _, c := range l {
				if !slices.ContainsFunc(m.cases[first:], func(have treeCase) bool { return have.key == c.key }) {
					m.cases = append(m.cases, c)
				}
			}
		}
		add(written[r.x : r.x+r.n])
		// The next one stands behind r and has those of its own that follow.
		if x := &m.rows[r.fail]; x.op == r.op && x.insn == r.insn && x.opn == r.opn && len(m.cases)-first+int(x.n) <= maxCases {
			add(m.cases[x.x : x.x+x.n])
			r.fail = x.fail
		}
		slices.SortFunc(m.cases[first:], func(a, b treeCase) int { return cmp.Compare(a.key, b.key) })
		r.x, r.n = uint32(first), uint32(len(m.cases)-first)
	}
	for k := range m.rows {
		if r := &m.rows[k]; r.op == code.RecordDef || r.op == code.RecordUniqueDef {
			if x := &m.rows[r.next]; x.op == code.SwitchOpcode && x.insn == r.insn2 {
				r.x, r.n, r.val = x.x, x.n, int64(x.fail)
			}
		}
	}
}

// choose gives where row r goes for a key, miss where it has no case.
func (t *tree) choose(r *row, key uint64, miss uint32) uint32 {
	cases := t.cases[r.x : r.x+r.n]
	for len(cases) > 8 {
		if h := len(cases) / 2; cases[h].key > key {
			cases = cases[:h]
		} else {
			cases = cases[h:]
		}
	}
	for k := range cases {
		if c := &cases[k]; c.key == key {
			return c.to
		}
	}
	return miss
}
