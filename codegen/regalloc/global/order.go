package global

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// allocOrder is the registers to try for a virtual register: first those it
// wants, then those of its class.
type allocOrder struct {
	hints []desc.PhysReg
	order []desc.PhysReg
	buf   []desc.PhysReg
}

// orderFor finds the order for r. A register that the class's order leaves out is
// no hint: the target has its reasons.
func (o *allocOrder) find(a *alloc, r mir.Reg) {
	o.order, o.buf = a.order(r), o.buf[:0]
	for _, h := range a.vrm.hints(r) {
		p := a.vrm.physOf(h)
		if p == 0 || slices.Contains(o.buf, p) || !slices.Contains(o.order, p) {
			continue
		}
		o.buf = append(o.buf, p)
	}
	o.hints = o.buf
}

// num is how many places there are to try, hints first; registers may occur as a
// hint and again in the order.
func (o *allocOrder) num() int { return len(o.hints) + len(o.order) }

// at returns the register to try at a place, 0 for one that was tried as a hint,
// and whether it is a hint.
func (o *allocOrder) at(k int) (p desc.PhysReg, hint bool) {
	if k < len(o.hints) {
		return o.hints[k], true
	}
	p = o.order[k-len(o.hints)]
	if slices.Contains(o.hints, p) {
		return 0, true
	}
	return p, false
}

func (o *allocOrder) isHint(p desc.PhysReg) bool { return slices.Contains(o.hints, p) }
