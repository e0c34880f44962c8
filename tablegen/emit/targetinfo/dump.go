package targetinfo

import (
	"fmt"
	"strconv"

	"github.com/mirin-go/mirin/desc"
)

// AppendRegisters appends classes, sub-register indices and registers as
// llvm-tblgen -gen-register-info -register-info-debug prints them.
func (t *Target) AppendRegisters(out []byte) []byte {
	b := t.b
	bit := func(v bool) int {
		if v {
			return 1
		}
		return 0
	}
	byMode := func(name string, has func(m int) bool, get func(m int) int) {
		out = fmt.Appendf(out, "\t%s: {", name)
		for m, rec := range b.modes {
			if m == 0 && has(0) {
				out = fmt.Appendf(out, " Default:%d", get(0))
			} else if m > 0 && has(m) {
				out = fmt.Appendf(out, " %s:%d", rec.Name, get(m))
			}
		}
		out = append(out, " }\n"...)
	}
	for _, c := range b.classes {
		out = fmt.Appendf(out, "RegisterClass %s:\n", c.name)
		has := func(m int) bool { return c.sizes.has[m] || len(b.modes) > 1 }
		byMode("SpillSize", has, func(m int) int { return c.sizes.get(m).spill })
		byMode("SpillAlignment", has, func(m int) int { return c.sizes.get(m).align })
		out = fmt.Appendf(out, "\tNumRegs: %d\n\tLaneMask: %016X\n\tHasDisjunctSubRegs: %d\n\tCoveredBySubRegs: %d\n\tAllocatable: %d\n\tAllocationPriority: %d\n",
			len(c.members), uint64(c.lanes), bit(c.disjunct), bit(c.covered), bit(c.allocatable), c.priority)
		base := "None"
		if c.rec != nil {
			if v, ok := c.rec.IntOK("BaseClassOrder"); ok {
				base = strconv.FormatInt(v, 10)
			}
		}
		out = fmt.Appendf(out, "\tBaseClassOrder: %s\n\tRegs:", base)
		for _, r := range c.members {
			out = append(append(out, ' '), r.name...)
		}
		out = append(out, "\n\tSubClasses:"...)
		for s, is := range c.subs {
			if is {
				out = append(append(out, ' '), b.classes[s].name...)
			}
		}
		out = append(out, "\n\tSuperClasses:"...)
		for _, s := range c.supers {
			out = append(append(out, ' '), s.name...)
		}
		out = append(out, '\n')
	}
	for _, x := range b.indices {
		out = fmt.Appendf(out, "SubRegIndex %s:\n\tLaneMask: %016X\n\tAllSuperRegsCovered: %d\n", x.name, uint64(x.lanes), bit(x.covered))
		all := func(int) bool { return true }
		byMode("Offset", all, func(m int) int { return int(x.ranges[m].offset) })
		byMode("Size", all, func(m int) int { return int(x.ranges[m].size) })
	}
	for _, r := range b.regs {
		out = fmt.Appendf(out, "Register %s:\n\tCostPerUse: ", r.name)
		for _, c := range r.rec.List("CostPerUse") {
			out = append(append(out, c.String()...), ' ')
		}
		out = fmt.Appendf(out, "\n\tCoveredBySubregs: %d\n\tHasDisjunctSubRegs: %d\n", bit(r.covered), bit(r.disjunct))
		for i, x := range r.subs.keys {
			out = fmt.Appendf(out, "\tSubReg %s = %s\n", x.name, r.subs.vals[i].name)
		}
		for _, u := range r.native {
			out = fmt.Appendf(out, "\tRegUnit %d\n", u)
		}
	}
	return out
}

// RegisterOf gives the register of a record.
func (t *Target) RegisterOf(name string) (desc.PhysReg, bool) {
	return t.Info.RegByName(lower(name))
}
