package ssaopt

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// pressure counts, roughly, how much of each register pressure set is live
// along the way down a dominator tree from the head of a loop: LLVM's estimate
// in its code motion out of loops, with the same figures.
type pressure struct {
	f    *mir.Function
	now  []int32 // by pressure set
	seen []uint32
	// stamp marks the registers met since start.
	stamp uint32

	cost []int32 // by pressure set, of sets in touched
	// touched are the sets of the last cost.
	touched []uint16

	// peaks are rows, one for each open scope, of the greatest pressure at the
	// beginning of a scope so far, less what was added by then.
	peaks []int32
	added []int32
}

// reset forgets everything.
func (p *pressure) reset(f *mir.Function) {
	n := len(f.Facts.PressureSets)
	p.f = f
	p.now = append(p.now[:0], make([]int32, n)...)
	p.cost = append(p.cost[:0], make([]int32, n)...)
	p.added = append(p.added[:0], make([]int32, n)...)
	p.touched, p.peaks = p.touched[:0], p.peaks[:0]
}

// start begins with a loop.
func (p *pressure) start() {
	p.stamp++
	p.peaks = p.peaks[:0]
	clear(p.added)
	clear(p.now)
}

// enter opens a scope at the present pressure, leave closes the last.
func (p *pressure) enter() {
	n := len(p.now)
	top := len(p.peaks) - n
	for k, v := range p.now {
		v -= p.added[k]
		if top >= 0 {
			v = max(v, p.peaks[top+k])
		}
		p.peaks = append(p.peaks, v)
	}
}

func (p *pressure) leave() { p.peaks = p.peaks[:len(p.peaks)-len(p.now)] }

// isNew marks r as met and reports that it was not.
func (p *pressure) isNew(r mir.Reg) bool {
	p.seen = rows.AtLeast(p.seen, p.f.NumVRegs())
	was := p.seen[r.Index()] == p.stamp
	p.seen[r.Index()] = p.stamp
	return !was
}

// costOf finds what i adds to each pressure set, in cost and touched: results
// add, uses that end a life subtract. With mark registers are marked as met,
// and only what was met before ends; with liveIn a use not met before is one of
// a register that lives into the loop.
func (p *pressure) costOf(i mir.InstrID, mark, liveIn bool) {
	f := p.f
	for _, s := range p.touched {
		p.cost[s] = 0
	}
	p.touched = p.touched[:0]
	if f.Instr(i).Opcode == desc.IMPLICIT_DEF {
		return
	}
	n := int(f.Desc(i).NumOperands)
	for k := range n {
		o := f.Op(i, k)
		if !o.IsReg() || o.IsImplicit() || !o.Reg().IsVirtual() {
			continue
		}
		isNew := mark && p.isNew(o.Reg())
		class := f.VReg(o.Reg()).Class
		if class < 0 {
			continue
		}
		w := &f.Facts.ClassPressure[class]
		sign := int32(0)
		if o.IsDef() {
			sign = 1
		} else if kill := o.IsKill() || f.HasOneUse(o.Reg()); isNew && !kill && liveIn {
			sign = 1
		} else if !isNew && kill {
			sign = -1
		}
		if sign == 0 {
			continue
		}
		for _, s := range f.Facts.PressureLists[w.Sets : w.Sets+uint32(w.NumSets)] {
			p.cost[s] += sign * int32(w.Weight)
			p.touched = append(p.touched, s)
		}
	}
}

// update counts i as computed here.
func (p *pressure) update(i mir.InstrID, liveIn bool) {
	p.costOf(i, true, liveIn)
	for _, s := range p.touched {
		// A set may be listed more than once: its cost counts the first time.
		p.now[s] = max(0, p.now[s]+p.cost[s])
		p.cost[s] = 0
	}
}

// hoisted counts i, which went in front of the loop, as live in all open scopes.
func (p *pressure) hoisted(i mir.InstrID) {
	p.costOf(i, false, false)
	for _, s := range p.touched {
		p.added[s] += p.cost[s]
		p.cost[s] = 0
	}
}

// high reports that the last cost makes more live than there are registers in
// one of the open scopes, and for cheap instructions that it makes more live at all.
func (p *pressure) high(cheap bool) bool {
	top := len(p.peaks) - len(p.now)
	for _, s := range p.touched {
		c := p.cost[s]
		if c <= 0 {
			continue
		}
		if cheap || top >= 0 && p.peaks[top+int(s)]+p.added[s]+c >= int32(p.f.Facts.PressureSets[s].Limit) {
			return true
		}
	}
	return false
}
