package liveness

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// AddKillFlags gives the last uses of all virtual registers kill flags, before
// they are rewritten to the physical registers that phys names (0: none yet; its
// flags are let alone).
func (v *Intervals) AddKillFlags(phys func(mir.Reg) mir.Reg) {
	for n := range v.f.NumVRegs() {
		r := mir.VReg(n)
		if !v.mentioned(r) {
			continue
		}
		li := v.Interval(r)
		if p := phys(r); p != 0 && !li.Empty() {
			v.killFlags(li, desc.PhysReg(p))
		}
	}
}

// fixedRange is the range of a register unit and how far a walk has come in it.
type fixedRange struct {
	r *Range
	k int
}

func (v *Intervals) killFlags(li *Interval, phys desc.PhysReg) {
	in := v.f.Facts
	v.fixed = v.fixed[:0]
	artificial := desc.LaneMask(0)
	units, lanes := in.RegUnits(phys), in.UnitLanes(phys)
	for k := range units.Len() {
		u := units.At(k)
		if root := in.Units[u][0]; in.Regs[root].Flags&desc.RegArtificial != 0 {
			artificial |= lanes[k]
		}
		if r := v.Unit(u); !r.Empty() {
			v.fixed = append(v.fixed, fixedRange{r, r.Find(li.Segs[0].End)})
		}
	}
	for k := range li.Segs {
		end := li.Segs[k].End
		if end.IsBlock() {
			continue
		}
		i := v.Indexes.Instr(end)
		if i == 0 {
			continue
		}
		kill := !v.livesOn(end)
		if kill && v.track {
			kill = v.readsDefined(li, i, k, artificial)
		}
		if kill {
			AddKilled(v.f, i, li.Reg, false)
		} else {
			v.clearKills(i, li.Reg)
		}
	}
}

// livesOn reports whether the physical register, of whose units v.fixed has the
// ranges, is live behind the end of a virtual register that it stands for: as
// with "$eax = COPY %5", which makes $eax live where %5 still is.
func (v *Intervals) livesOn(end Index) bool {
	for k := range v.fixed {
		x := &v.fixed[k]
		x.k = x.r.AdvanceTo(x.k, end)
		if x.k < len(x.r.Segs) && x.r.Segs[x.k].Start < end {
			return true
		}
	}
	return false
}

// readsDefined reports whether instruction i, at which segment k ends, reads
// nothing but lanes that are defined, and ends the register's life: an undefined
// lane may be another register's by then, and a definition of some lanes ends a
// segment but not the life of the others.
func (v *Intervals) readsDefined(li *Interval, i mir.InstrID, k int, artificial desc.LaneMask) bool {
	defined := desc.AllLanes
	end := li.Segs[k].End
	if li.HasSubs() {
		defined = artificial
		for n := range li.Subs {
			s := &li.Subs[n]
			if x := s.Find(end - 1); x < len(s.Segs) && s.Segs[x].End == end {
				defined |= s.Lanes
			}
		}
	}
	whole := false
	for _, o := range v.f.Ops(i) {
		if !o.IsReg() || o.Reg() != li.Reg {
			continue
		}
		if o.IsDef() {
			whole = whole || o.SubReg() == 0
		} else if v.opLanes(li.Reg, o.SubReg())&^defined != 0 {
			return false
		}
	}
	return whole || k+1 == len(li.Segs) || li.Segs[k+1].Start != end
}

// clearKills takes the kill flags of r in i away.
func (v *Intervals) clearKills(i mir.InstrID, r mir.Reg) {
	for n := range v.f.Ops(i) {
		if o := v.f.Op(i, n); o.IsReg() && o.IsKill() && o.Reg() == r {
			v.f.SetOpFlag(i, n, mir.Kill, false)
		}
	}
}
