package target

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Compare is what a comparison compares: register Src with register Src2, or
// with Value where Src2 is 0; of Src only the bits of Mask count.
type Compare struct {
	Src, Src2   mir.Reg
	Mask, Value int64
}

// SelectCost is what a select costs in cycles from each of its operands on.
type SelectCost struct{ Cond, True, False int }

// IsSafeToMoveDefs reports whether definitions of registers of a class may be moved.
func (st *Subtarget) IsSafeToMoveDefs(class desc.ClassID) bool {
	return st.Instr == nil || !slices.Contains(st.Instr.FixedClasses, class)
}
