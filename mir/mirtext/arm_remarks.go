package mirtext

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// armRemark names the condition of an instruction's predicate.
func armRemark(b []byte, f *mir.Function, i mir.InstrID, n int, v int64) []byte {
	d := f.Desc(i)
	infos := f.Facts.OperandInfos[d.OpInfo:]
	if infos[n].IsPredicate() && (n == 0 || !infos[n-1].IsPredicate()) && d.Has(desc.Predicable) && v >= 0 && int(v) < len(armConditions) {
		return append(append(b, "CC::"...), armConditions[v]...)
	}
	return b
}

var armConditions = [...]string{"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al"}
