package global

import "github.com/mirin-go/mirin/mir"

// mergeable lists the stores that spilling made, so that those of one value can
// be moved together in the end.
type mergeable struct {
	s    *spiller
	rows []storeRow
	of   []int32 // by instruction: one more than its row
}

type storeRow struct {
	instr    mir.InstrID // 0: removed
	slot     int
	original mir.Reg
}

func (m *mergeable) begin(s *spiller) {
	m.s = s
	m.rows = m.rows[:0]
	clear(m.of)
}

func (m *mergeable) add(i mir.InstrID, slot int, original mir.Reg) {
	if n := int(i) + 1 - len(m.of); n > 0 {
		m.of = append(m.of, make([]int32, n+n/4)...)
	}
	m.rows = append(m.rows, storeRow{i, slot, original})
	m.of[i] = int32(len(m.rows))
}

// remove forgets i, which is about to be erased.
func (m *mergeable) remove(i mir.InstrID) {
	if int(i) < len(m.of) && m.of[i] != 0 {
		m.rows[m.of[i]-1].instr = 0
		m.of[i] = 0
	}
}
