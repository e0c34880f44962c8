package desc

import (
	"sync"
	"sync/atomic"
)

// Table is an array that is decoded when it is first asked for, so that a run
// pays for the tables it looks into. The zero Table is empty. It is safe for
// concurrent use and must not be copied.
type Table[T any] struct {
	rows atomic.Pointer[[]T]
	mu   sync.Mutex
	load func() []T
}

// Rows gives the array; who calls must not change it.
func (t *Table[T]) Rows() []T {
	if p := t.rows.Load(); p != nil {
		return *p
	}
	return t.fill()
}

func (t *Table[T]) fill() []T {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.rows.Load(); p != nil {
		return *p
	}
	var rows []T
	if t.load != nil {
		rows = t.load()
	}
	t.rows.Store(&rows)
	return rows
}

// SetFunc installs the function that makes the array, before the table is shared.
func (t *Table[T]) SetFunc(load func() []T) { t.load = load }

// Load is the function that makes the array, before the table is shared: who installs
// another may begin with what it makes.
func (t *Table[T]) Load() func() []T { return t.load }

// Set installs the array, before the table is shared.
func (t *Table[T]) Set(rows []T) { t.rows.Store(&rows) }

// instrTable holds the rows of instructions, nil until one of their group is first
// asked for, when the group is decoded: a function uses tens of a target's thousands.
type instrTable struct {
	rows []atomic.Pointer[InstrDesc]
	mu   sync.Mutex
	fill func(rows []InstrDesc, from int)
}

// InstrGroup is the number of rows that are decoded at a time.
const InstrGroup = 32

// SetInstrs installs the instructions' rows.
func (in *Info) SetInstrs(rows []InstrDesc) {
	in.SetInstrsFunc(len(rows), func(to []InstrDesc, from int) { copy(to, rows[from:]) })
}

// SetInstrsFunc makes n rows for instructions that fill fills in: it gets a
// group of InstrGroup rows (or fewer, at the end) and the number of the first.
func (in *Info) SetInstrsFunc(n int, fill func(rows []InstrDesc, from int)) {
	t := &in.instrs
	t.rows, t.fill = make([]atomic.Pointer[InstrDesc], n), fill
}

// NumInstrs is the number of opcodes; they count from 0.
func (in *Info) NumInstrs() int { return len(in.instrs.rows) }

// Instr gives the description of an opcode.
func (in *Info) Instr(op Opcode) *InstrDesc {
	if d := in.instrs.rows[op].Load(); d != nil {
		return d
	}
	return in.decode(op)
}

// decode decodes the group of op.
func (in *Info) decode(op Opcode) *InstrDesc {
	t := &in.instrs
	t.mu.Lock()
	defer t.mu.Unlock()
	if d := t.rows[op].Load(); d != nil {
		return d
	}
	from := int(op - op%InstrGroup)
	rows := make([]InstrDesc, min(InstrGroup, len(t.rows)-from))
	t.fill(rows, from)
	for k := range rows {
		t.rows[from+k].Store(&rows[k])
	}
	return &rows[int(op)-from]
}
