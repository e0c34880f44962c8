package ssaopt

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// OptPHIs removes cycles of PHIs that carry one value, which takes their place,
// and cycles of PHIs that only read each other. Dead code elimination keeps the
// latter alive: each has a reader.
var OptPHIs = pass.Pass{
	Name:     "opt-phis",
	Title:    "Optimize machine instruction PHIs",
	Requires: mir.IsSSA,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runOptPHIs,
}

// maxPHICycle is how many PHIs a cycle may have: looking from every PHI stays linear.
const maxPHICycle = 16

// phiCycle is the memory of one search: the PHIs met, at most maxPHICycle.
type phiCycle struct {
	phis []mir.InstrID
	// value is the one register, defined by no PHI, that flows into the cycle.
	value mir.Reg
}

func runOptPHIs(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[phiCycle](c)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0 && f.IsPHI(i); {
			i = s.optimize(c, f, i)
		}
	}
	return nil
}

// optimize looks at PHI i and returns the instruction to go on with.
func (s *phiCycle) optimize(c *pass.Context, f *mir.Function, i mir.InstrID) mir.InstrID {
	next := f.Instr(i).Next()
	s.phis, s.value = s.phis[:0], mir.NoReg
	if s.singleValue(f, i) && s.value != mir.NoReg {
		old := f.Op(i, 0).Reg()
		if !constrain(f, s.value, old) {
			return next
		}
		f.ReplaceReg(old, s.value)
		f.Erase(i)
		clearKills(f, s.value) // it lives as long as the PHI did
		c.Count("opt-phis", "Number of PHI cycles replaced", 1)
		return next
	}
	s.phis = s.phis[:0]
	if s.dead(f, i) {
		for _, p := range s.phis {
			if p == next {
				next = f.Instr(p).Next()
			}
			dropDebugUses(f, p)
			f.Erase(p)
		}
		c.Count("opt-phis", "Number of dead PHI cycles", 1)
	}
	return next
}

// singleValue reports that the PHIs that phi reads, directly or through each
// other, read but one register besides, which it leaves in value (none when
// there is not even one).
func (s *phiCycle) singleValue(f *mir.Function, phi mir.InstrID) bool {
	if slices.Contains(s.phis, phi) {
		return true
	}
	if len(s.phis) == maxPHICycle {
		return false
	}
	s.phis = append(s.phis, phi)
	dst := f.Op(phi, 0).Reg()
	for k := 1; k < f.Instr(phi).NumOps(); k += 2 {
		src := f.Op(phi, k).Reg()
		if src == dst {
			continue
		}
		def := f.UniqueDef(src)
		if def != 0 && isVirtualCopy(f, def) {
			src = f.Op(def, 1).Reg()
			def = f.UniqueDef(src)
		}
		switch {
		case def == 0:
			return false
		case f.IsPHI(def):
			if !s.singleValue(f, def) {
				return false
			}
		case s.value != mir.NoReg && s.value != src:
			return false
		default:
			s.value = src
		}
	}
	return true
}

// isVirtualCopy reports a copy of one whole virtual register to another.
func isVirtualCopy(f *mir.Function, i mir.InstrID) bool {
	if f.Instr(i).Opcode != desc.COPY {
		return false
	}
	d, s := f.Op(i, 0), f.Op(i, 1)
	return d.SubReg() == 0 && s.SubReg() == 0 && s.Reg().IsVirtual()
}

// dead reports that nothing but PHIs of the cycle reads what they define.
func (s *phiCycle) dead(f *mir.Function, phi mir.InstrID) bool {
	if slices.Contains(s.phis, phi) {
		return true
	}
	if len(s.phis) == maxPHICycle {
		return false
	}
	s.phis = append(s.phis, phi)
	for u := range f.NonDebugUses(f.Op(phi, 0).Reg()) {
		if !f.IsPHI(u) || !s.dead(f, u) {
			return false
		}
	}
	return true
}
