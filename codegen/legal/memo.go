package legal

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Memo remembers what a table decided. A function asks the same few questions
// again and again: of an opcode, the first two types and memory of a few sizes.
// The zero value is ready for Reset. It belongs to one worker.
type Memo struct {
	t     *Table
	facts *desc.Info
	plans []plan // by opcode
	rows  [1 << memoBits]memoRow
	q     Query
}

// memoBits is the logarithm of how many decisions are remembered, by the hash of
// what they depend on; a later one takes the place of an earlier one.
const memoBits = 8

// memoRow is a decision and all that it depends on.
type memoRow struct {
	op  desc.Opcode
	act Action
	idx uint8
	// mem is noMem, or memWord; 0 in a row that is not used yet.
	mem        uint64
	memType    mir.LLT
	t0, t1, to mir.LLT
}

// plan says which operands of an opcode have the types that its rules see.
type plan struct {
	kind   planKind
	t0, t1 uint8 // the operands of type 0 and type 1, noOperand for none
	n      uint8 // how many operands there must be
}

type planKind uint8

const (
	planUnknown planKind = iota // not asked yet
	planPair                    // all is in the first two types and the memory
	planQuery                   // a Query is needed
	planCarry                   // one is where rules ask for floating-point numbers, else all is as in planPair
)

const (
	noOperand = 0xff
	noMem     = 2 // no memWord
)

// Reset prepares m for the functions of a table; what it knows of another is forgotten.
func (m *Memo) Reset(t *Table, facts *desc.Info) {
	if m.t == t && m.facts == facts {
		return
	}
	m.t, m.facts = t, facts
	m.plans = make([]plan, min(facts.NumInstrs(), int(desc.FirstTargetOpcode)))
	clear(m.rows[:])
}

// Decide is Table.Decide of instruction i.
func (m *Memo) Decide(f *mir.Function, i mir.InstrID) Decision {
	op := f.Instr(i).Opcode
	if int(op) < len(m.plans) {
		p := m.plans[op]
		if p.kind == planUnknown {
			p = m.plan(op)
		}
		if p.kind == planPair || p.kind == planCarry && !m.t.asksFloat {
			if d, ok := m.pair(f, i, op, p); ok {
				return d
			}
		}
	}
	m.q.Set(f, i)
	return m.t.Decide(&m.q)
}

// DecideType is the decision about an instruction without memory whose type 0
// is t and that has no other.
func (m *Memo) DecideType(op desc.Opcode, t mir.LLT) Decision {
	return m.row(memoRow{op: op, mem: noMem, t0: t})
}

// plan makes the plan of an opcode.
func (m *Memo) plan(op desc.Opcode) plan {
	p := plan{kind: planPair, t0: noOperand, t1: noOperand}
	if carries(op) {
		p.kind = planCarry
	}
	switch op {
	case desc.G_UNMERGE_VALUES, desc.G_SEXT_INREG, desc.G_FSHL, desc.G_FSHR, desc.G_EXTRACT_VECTOR_ELT, desc.G_GLOBAL_VALUE: // see Query.Set
		p.kind = planQuery
	}
	for k, o := range m.facts.Operands(op) {
		switch t := o.GenericTypeIndex(); {
		case t > 1 || t >= 0 && k >= noOperand:
			p.kind = planQuery
		case t == 0 && p.t0 == noOperand:
			p.t0, p.n = uint8(k), uint8(k+1)
		case t == 1 && p.t1 == noOperand:
			p.t1, p.n = uint8(k), uint8(k+1)
		}
	}
	m.plans[op] = p
	return p
}

// pair decides about an instruction with a planPair; false where an operand is
// no register of a type, as a Query has it of a later one then.
func (m *Memo) pair(f *mir.Function, i mir.InstrID, op desc.Opcode, p plan) (Decision, bool) {
	ops := f.Ops(i)
	if len(ops) < int(p.n) {
		return Decision{}, false
	}
	k := memoRow{op: op, mem: noMem}
	if p.t0 != noOperand {
		o := &ops[p.t0]
		if !o.IsReg() {
			return Decision{}, false
		}
		if k.t0 = f.TypeOf(o.Reg()); k.t0 == 0 {
			return Decision{}, false
		}
	}
	if p.t1 != noOperand {
		o := &ops[p.t1]
		if !o.IsReg() {
			return Decision{}, false
		}
		if k.t1 = f.TypeOf(o.Reg()); k.t1 == 0 {
			return Decision{}, false
		}
	}
	if f.NumMem(i) > 0 {
		mo := f.MemOf(i, 0)
		if mo.Size < 0 || mo.Size >= 1<<40 {
			return Decision{}, false
		}
		k.mem, k.memType = memWord(mo.Size, alignOf(mo), uint8(mo.Order)), mo.Type
	}
	return m.row(k), true
}

// memWord packs what rules see of memory besides its type: a size of 40 bits,
// alignment, ordering, and a bit that says that there is memory.
func memWord(size int64, align, order uint8) uint64 {
	return uint64(size)<<24 | uint64(align)<<16 | uint64(order)<<8 | 1
}

// row gives the decision about what the row k has, its act, idx and to apart.
func (m *Memo) row(k memoRow) Decision {
	h := (uint64(k.op)<<48 ^ uint64(k.t0) ^ uint64(k.t1)<<7 ^ k.mem<<5) * 0x9e3779b97f4a7c15 >> (64 - memoBits)
	r := &m.rows[h]
	if r.op == k.op && r.t0 == k.t0 && r.t1 == k.t1 && r.mem == k.mem && r.memType == k.memType {
		return Decision{Act: r.act, Idx: r.idx, To: r.to}
	}
	q := Query{Op: k.op, HasMem: k.mem != noMem}
	q.Types[0], q.Types[1] = k.t0, k.t1
	if q.HasMem {
		q.Mem = Mem{Type: k.memType, Size: int64(k.mem >> 24), Align: uint8(k.mem >> 16), Order: uint8(k.mem >> 8)}
	}
	d := m.t.Decide(&q)
	k.act, k.idx, k.to = d.Act, d.Idx, d.To
	*r = k
	return d
}
