package global

import (
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// remats knows which values of the registers of the input can be computed again
// where they are wanted. What defines such a value is kept as a template, an
// instruction that stands in no block, before the first part of its register is
// split off or spilled: the definition itself may be erased when all its uses
// have their own.
type remats struct {
	a *alloc
	// first has, by original register, one more than its first row; 0 before it was looked at.
	first []int32
	rows  []rematValue
}

// rematValue is the template of value number n of a register, for n from its first row on.
type rematValue struct{ template mir.InstrID }

func (m *remats) begin(a *alloc) {
	m.a = a
	m.first, m.rows = m.first[:0], m.rows[:0]
}

// end erases the templates.
func (m *remats) end() {
	for _, x := range m.rows {
		if x.template != 0 {
			m.a.f.Erase(x.template)
		}
	}
	m.rows = m.rows[:0]
}

// look makes the templates of an original register.
func (m *remats) look(orig mir.Reg) int32 {
	n := orig.Index()
	if n >= len(m.first) {
		m.first = append(m.first, make([]int32, n+1-len(m.first)+64)...)
	}
	if m.first[n] != 0 {
		return m.first[n] - 1
	}
	first := int32(len(m.rows))
	m.first[n] = first + 1
	for _, v := range m.a.lis.Interval(orig).Vals {
		t := mir.InstrID(0)
		if !v.Unused() && !v.IsPHI() {
			if i := m.a.idx.Instr(v.Def); i != 0 && m.a.canCompute(i, orig) {
				t = m.a.f.Clone(i)
				m.a.f.SetReg(t, 0, mir.NoReg)
			}
		}
		m.rows = append(m.rows, rematValue{t})
	}
	return first
}

// template returns the instruction that computes the value which r, a part of
// the original register orig, has at a place; 0 when there is none.
func (m *remats) template(orig mir.Reg, at liveness.Index) mir.InstrID {
	iv := m.a.lis.Interval(orig)
	v := iv.ValueAt(at)
	if v == liveness.NoValue {
		return 0
	}
	return m.rows[int(m.look(orig))+int(v)].template
}

// canCompute reports whether a copy of instruction i computes the same value of
// r anywhere: it defines r whole
// (what the checker proves) and reads nothing that changes.
func (a *alloc) canCompute(i mir.InstrID, r mir.Reg) bool {
	f := a.f
	if f.Instr(i).NumOps() == 0 || f.IsBundled(i) {
		return false
	}
	if o := f.Op(i, 0); !o.IsDef() || o.Reg() != r || o.SubReg() != 0 {
		return false
	}
	return a.st.IsTriviallyRematerializable(f, i)
}

// fits reports whether what instruction i, which stands now, writes beside its result is
// written where nothing needs it.
func (a *alloc) fits(i mir.InstrID) bool {
	at := a.placeBefore(a.f.Instr(i).Block(), a.f.Instr(i).Next())
	for _, o := range a.f.Ops(i) {
		if !o.IsDef() || !o.Reg().IsPhysical() {
			continue
		}
		for u := range a.in.RegUnits(desc.PhysReg(o.Reg())).All() {
			if a.lis.Unit(u).LiveAt(at) {
				return false
			}
		}
	}
	return true
}

// placeBefore is the index at which what is live before instruction at (0: the
// end of b) is live.
func (a *alloc) placeBefore(b mir.BlockID, at mir.InstrID) liveness.Index {
	for at != 0 && a.idx.Of(at) == 0 {
		at = a.f.Instr(at).Next()
	}
	if at == 0 {
		return a.idx.BlockEnd(b).Before()
	}
	return a.idx.Of(at)
}

// compute inserts, before at (0: the end of b), what template t computes into r,
// and returns it; 0 when it would write what is needed there.
func (a *alloc) compute(t mir.InstrID, b mir.BlockID, at mir.InstrID, r mir.Reg, loc mir.DebugLoc) mir.InstrID {
	f := a.f
	// The template names no register while it is put away.
	f.SetReg(t, 0, r)
	i := a.st.Rematerialize(f, b, at, r, 0, t)
	f.SetReg(t, 0, mir.NoReg)
	if !a.fits(i) {
		f.Erase(i)
		return 0
	}
	f.SetOpFlag(i, 0, mir.Dead, false)
	f.Instr(i).Loc = loc
	a.c.Count(a.name, "Number of rematerialized defs for spilling", 1)
	return i
}

// rematerializable reports whether all values of iv can be computed again: then
// it is the better choice for spilling.
func (a *alloc) rematerializable(iv *liveness.Interval) bool {
	orig := a.vrm.Original(iv.Reg)
	if orig == iv.Reg {
		for _, v := range iv.Vals {
			if v.Unused() {
				continue
			}
			if v.IsPHI() {
				return false
			}
			if i := a.idx.Instr(v.Def); i == 0 || !a.canCompute(i, orig) {
				return false
			}
		}
		return true
	}
	for _, v := range iv.Vals {
		if v.Unused() {
			continue
		}
		if v.IsPHI() || a.spiller.remats.template(orig, v.Def) == 0 {
			return false
		}
	}
	return true
}
