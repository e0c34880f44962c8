package iranalysis

import (
	"slices"

	"github.com/mirin-go/mirin/ir"
)

// maxObjects bounds the values that Objects looks at.
const maxObjects = 32

// Objects appends what pointer v may be based on, through phis and selects, when all
// of it is identified: variables, functions, allocations, noalias and byval
// arguments, no two of which overlap. False: something else may be among it.
func (a *Alias) Objects(list []ir.Value, v ir.Value) ([]ir.Value, bool) {
	var buf [maxObjects]ir.Value
	seen, work := buf[:0], 0
	seen = append(seen, decompose(a.f, a.dl, v).base)
	push := func(v ir.Value) bool {
		if v = decompose(a.f, a.dl, v).base; slices.Contains(seen, v) {
			return true
		}
		if len(seen) == maxObjects {
			return false
		}
		seen = append(seen, v)
		return true
	}
	for ; work < len(seen); work++ {
		v := seen[work]
		if i := v.Instr(); v.Tag() == ir.TagLocal && i != 0 {
			ops := a.f.Ops(i)
			switch a.f.Instrs[i].Op {
			case ir.OpPhi:
				for k := 0; k < len(ops); k += 2 {
					if !push(ops[k]) {
						return list, false
					}
				}
				continue
			case ir.OpSelect:
				if !push(ops[1]) || !push(ops[2]) {
					return list, false
				}
				continue
			}
		}
		if a.kind(v) == otherObject {
			return list, false
		}
		list = append(list, v)
	}
	return list, true
}
