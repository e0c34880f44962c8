package sched

import (
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// sequence is the order of a block's instructions while it is being found: a
// list of places, debug instructions included, in which moves cost nothing.
// Place 0 is both ends.
type sequence struct {
	instr      []mir.InstrID
	next, prev []int32
	placeOf    []int32 // by instruction, good for those of the block
}

// begin takes in the instructions of a block.
func (q *sequence) begin(f *mir.Function, b mir.BlockID) {
	q.instr, q.next, q.prev = append(q.instr[:0], 0), append(q.next[:0], 0), append(q.prev[:0], 0)
	q.placeOf = rows.AtLeast(q.placeOf, f.NumInstrIDs())
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		k := int32(len(q.instr))
		q.placeOf[i] = k
		q.instr = append(q.instr, i)
		q.prev, q.next = append(q.prev, k-1), append(q.next, 0)
		q.next[k-1] = k
		q.prev[0] = k
	}
}

// place is where i stands; 0 for the end.
func (q *sequence) place(i mir.InstrID) int32 {
	if i == 0 {
		return 0
	}
	return q.placeOf[i]
}

// moveBefore moves place k before place at.
func (q *sequence) moveBefore(at, k int32) {
	if at == k || q.next[k] == at {
		return
	}
	q.next[q.prev[k]], q.prev[q.next[k]] = q.next[k], q.prev[k]
	p := q.prev[at]
	q.next[p], q.prev[at], q.prev[k], q.next[k] = k, k, p, at
}

// appendOrder appends the instructions in their order.
func (q *sequence) appendOrder(list []mir.InstrID) []mir.InstrID {
	for k := q.next[0]; k != 0; k = q.next[k] {
		list = append(list, q.instr[k])
	}
	return list
}

// isSame reports that nothing has moved.
func (q *sequence) isSame() bool {
	for k := int32(0); int(k) < len(q.next)-1; k++ {
		if q.next[k] != k+1 {
			return false
		}
	}
	return true
}
