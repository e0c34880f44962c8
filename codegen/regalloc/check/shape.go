package check

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/desc"
)

// part is a unit of a register and the lanes that it stands for.
type part struct {
	unit  desc.RegUnit
	lanes desc.LaneMask
}

// shapes remembers how registers consist of units.
type shapes struct {
	info  *desc.Info
	whole [][]part // by register
	subs  map[subKey][]part
	reps  map[subKey]desc.PhysReg // by class (as reg) and sub-register index
}

type subKey struct {
	reg desc.PhysReg
	sub uint16
}

func (s *shapes) reset(in *desc.Info) {
	s.info, s.whole, s.subs, s.reps = in, make([][]part, len(in.Regs)), map[subKey][]part{}, map[subKey]desc.PhysReg{}
}

// parts gives the units of p in the order of the lanes of the whole virtual
// register that they stand for when p is sub-register sub of it.
func (s *shapes) parts(p desc.PhysReg, sub uint16) []part {
	if sub == 0 {
		if s.whole[p] == nil {
			s.whole[p] = s.make(p, 0)
		}
		return s.whole[p]
	}
	k := subKey{p, sub}
	l, ok := s.subs[k]
	if !ok {
		l = s.make(p, sub)
		s.subs[k] = l
	}
	return l
}

func (s *shapes) make(p desc.PhysReg, sub uint16) []part {
	in := s.info
	own := in.UnitLanes(p)
	out := make([]part, 0, len(own))
	for u := range in.RegUnits(p).All() {
		m := own[len(out)]
		switch {
		case sub == 0:
		case m == desc.AllLanes:
			// A register without sub-registers of its own is all of the lanes of its index.
			m = in.SubRegLanes(desc.SubRegIdx(sub))
		default:
			m = in.ComposeLanes(desc.SubRegIdx(sub), m)
		}
		out = append(out, part{u, s.place(m)})
	}
	slices.SortFunc(out, func(a, b part) int { return cmp.Compare(a.lanes, b.lanes) })
	return out
}

// place gives one name to lanes that are the same bits of a register in
// different members of a class: bits 8 to 15 of EAX are AH, those of ESI have
// no name of their own but a lane all the same.
func (s *shapes) place(m desc.LaneMask) desc.LaneMask {
	for i := range s.info.SubRegIndices {
		if d := &s.info.SubRegIndices[i]; d.Lanes == m && i > 0 && d.Offset != desc.NoBits {
			return desc.LaneMask(d.Offset)<<16 | desc.LaneMask(d.Size)
		}
	}
	return m
}

// representative gives sub-register sub of a register of a class, 0 for none. The
// parts of all its members have the same names.
func (s *shapes) representative(class desc.ClassID, sub uint16) desc.PhysReg {
	k := subKey{desc.PhysReg(class), sub}
	p, ok := s.reps[k]
	if !ok {
		for _, m := range s.info.ClassOrder(class) {
			if p = s.info.SubReg(m, desc.SubRegIdx(sub)); p != 0 {
				break
			}
		}
		s.reps[k] = p
	}
	return p
}
