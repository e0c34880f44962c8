package desc

import (
	"iter"
	"slices"
	"sync/atomic"
)

// RegList is a list of registers that is stored relative to one of them.
type RegList struct {
	base  PhysReg
	diffs []int16
}

// Len is the number of registers.
func (l RegList) Len() int { return len(l.diffs) }

// At gives register i.
func (l RegList) At(i int) PhysReg { return PhysReg(int(l.base) + int(l.diffs[i])) }

// All yields the registers in order.
func (l RegList) All() iter.Seq[PhysReg] {
	return func(yield func(PhysReg) bool) {
		for _, d := range l.diffs {
			if !yield(PhysReg(int(l.base) + int(d))) {
				return
			}
		}
	}
}

// UnitList is an ascending list of register units.
type UnitList struct {
	base  RegUnit
	diffs []int16
}

// Len is the number of units.
func (l UnitList) Len() int { return len(l.diffs) }

// At gives unit i.
func (l UnitList) At(i int) RegUnit { return RegUnit(int(l.base) + int(l.diffs[i])) }

// All yields the units in ascending order.
func (l UnitList) All() iter.Seq[RegUnit] {
	return func(yield func(RegUnit) bool) {
		for _, d := range l.diffs {
			if !yield(RegUnit(int(l.base) + int(d))) {
				return
			}
		}
	}
}

// SubRegs lists the proper sub-registers of r, in LLVM's order.
func (in *Info) SubRegs(r PhysReg) RegList {
	d := &in.Regs[r]
	return RegList{r, in.RegDiffs[d.SubRegs : int(d.SubRegs)+int(d.NumSubRegs)]}
}

// SubRegIndexList lists the index of each of SubRegs(r).
func (in *Info) SubRegIndexList(r PhysReg) []SubRegIdx {
	d := &in.Regs[r]
	return in.SubIdxLists[d.SubIdx : int(d.SubIdx)+int(d.NumSubRegs)]
}

// SuperRegs lists the proper super-registers of r, in LLVM's order.
func (in *Info) SuperRegs(r PhysReg) RegList {
	d := &in.Regs[r]
	return RegList{r, in.RegDiffs[d.SuperRegs : int(d.SuperRegs)+int(d.NumSuperRegs)]}
}

// RegUnits lists the units of r in ascending order.
func (in *Info) RegUnits(r PhysReg) UnitList {
	d := &in.Regs[r]
	return UnitList{d.FirstUnit, in.RegDiffs[d.Units : int(d.Units)+int(d.NumUnits)]}
}

// UnitLanes gives the lanes that each of RegUnits(r) covers.
func (in *Info) UnitLanes(r PhysReg) []LaneMask {
	d := &in.Regs[r]
	return in.LaneLists.Rows()[d.UnitLanes : int(d.UnitLanes)+int(d.NumUnits)]
}

// NumUnits is the number of register units of the target.
func (in *Info) NumUnits() int { return len(in.Units) }

// Overlap reports whether two registers share a part.
func (in *Info) Overlap(a, b PhysReg) bool {
	if a == b {
		return true
	}
	ua, ub := in.RegUnits(a), in.RegUnits(b)
	for i, j := 0, 0; i < ua.Len() && j < ub.Len(); {
		switch x, y := ua.At(i), ub.At(j); {
		case x == y:
			return true
		case x < y:
			i++
		default:
			j++
		}
	}
	return false
}

// IsSubRegister reports whether sub is a proper sub-register of r.
func (in *Info) IsSubRegister(r, sub PhysReg) bool {
	d := int16(int(sub) - int(r))
	for _, x := range in.SubRegs(r).diffs {
		if x == d {
			return true
		}
	}
	return false
}

// IsSuperRegister reports whether super is a proper super-register of r.
func (in *Info) IsSuperRegister(r, super PhysReg) bool { return in.IsSubRegister(super, r) }

// IsSubRegisterEq is IsSubRegister that also takes r itself.
func (in *Info) IsSubRegisterEq(r, sub PhysReg) bool {
	return r == sub || in.IsSubRegister(r, sub)
}

// SubReg gives the sub-register of r at an index, 0 when it has none. Index 0
// is r itself.
func (in *Info) SubReg(r PhysReg, idx SubRegIdx) PhysReg {
	if idx == 0 {
		return r
	}
	for i, x := range in.SubRegIndexList(r) {
		if x == idx {
			return in.SubRegs(r).At(i)
		}
	}
	return 0
}

// SubRegIndexOf gives the index at which sub is a sub-register of r, 0 when it
// is none.
func (in *Info) SubRegIndexOf(r, sub PhysReg) SubRegIdx {
	d := int16(int(sub) - int(r))
	for i, x := range in.SubRegs(r).diffs {
		if x == d {
			return in.SubRegIndexList(r)[i]
		}
	}
	return 0
}

// MatchingSuperReg gives the register of class c whose sub-register idx is r, 0
// when there is none.
func (in *Info) MatchingSuperReg(r PhysReg, idx SubRegIdx, c ClassID) PhysReg {
	l := in.SuperRegs(r)
	for i := range l.diffs {
		if s := l.At(i); in.ClassContains(c, s) && in.SubReg(s, idx) == r {
			return s
		}
	}
	return 0
}

// Aliases lists every register that overlaps r, once each: r, then by unit the unit's
// roots and their super-registers. Who calls must not change the list.
func (in *Info) Aliases(r PhysReg) []PhysReg {
	in.aliasesOnce.Do(func() { in.aliases = make([]atomic.Pointer[[]PhysReg], len(in.Regs)) })
	row := &in.aliases[r]
	if p := row.Load(); p != nil {
		return *p
	}
	list := in.findAliases(r)
	row.Store(&list)
	return list
}

func (in *Info) findAliases(r PhysReg) []PhysReg {
	list := []PhysReg{r}
	add := func(x PhysReg) {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	for u := range in.RegUnits(r).All() {
		for _, root := range in.Units[u] {
			if root == 0 {
				continue
			}
			add(root)
			for s := range in.SuperRegs(root).All() {
				add(s)
			}
		}
	}
	return list
}

// ComposeSubRegs gives the index c with R:a:b = R:c; 0 when a and b do not
// compose. Index 0 is neutral. For pairs that no register has LLVM's table may
// give any index.
func (in *Info) ComposeSubRegs(a, b SubRegIdx) SubRegIdx {
	if a == 0 {
		return b
	}
	if b == 0 {
		return a
	}
	return in.Compose.Rows()[int(a)*len(in.SubRegIndices)+int(b)]
}

// ReverseComposeSubRegs gives an index x with ComposeSubRegs(a, x) = b; 0 when
// there is none.
func (in *Info) ReverseComposeSubRegs(a, b SubRegIdx) SubRegIdx {
	if a == 0 {
		return b
	}
	n := len(in.SubRegIndices)
	for x, c := range in.Compose.Rows()[int(a)*n : (int(a)+1)*n] {
		if x != 0 && c == b {
			return SubRegIdx(x)
		}
	}
	return 0
}

// SubRegLanes gives the lanes that an index covers; index 0 covers all.
func (in *Info) SubRegLanes(i SubRegIdx) LaneMask { return in.SubRegIndices[i].Lanes }

// ComposeLanes turns lanes of sub-register idx into lanes of the whole register.
func (in *Info) ComposeLanes(idx SubRegIdx, m LaneMask) LaneMask {
	if idx == 0 {
		return m
	}
	var out LaneMask
	for _, op := range in.LaneOps[in.LaneOpStart[idx]:in.LaneOpStart[idx+1]] {
		x := m & op.Mask
		out |= x<<op.Rotate | x>>(64-op.Rotate)
	}
	return out
}

// ReverseComposeLanes turns lanes of the whole register into lanes of its
// sub-register idx.
func (in *Info) ReverseComposeLanes(idx SubRegIdx, m LaneMask) LaneMask {
	if idx == 0 {
		return m
	}
	var out LaneMask
	for _, op := range in.LaneOps[in.LaneOpStart[idx]:in.LaneOpStart[idx+1]] {
		out |= (m>>op.Rotate | m<<(64-op.Rotate)) & op.Mask
	}
	return out
}
