package ssaopt

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// blockPressure finds the greatest register pressure in a block, looking at the
// block alone: what is not read or defined in it does not count, and what is
// defined and not read is live at its end.
type blockPressure struct {
	f      *mir.Function
	regs   *physRegs
	limits []int32
	// peaks has rows by block, 0 for those not known; blocks are the known ones.
	index  []int32
	blocks []mir.BlockID
	peaks  []int32

	now   []int32
	peak  []int32
	live  []uint32 // by virtual register, then register unit; stamped
	stamp uint32
	defs  []int
	dead  []int
	uses  []int
}

func (p *blockPressure) reset(f *mir.Function, regs *physRegs) {
	p.f, p.regs = f, regs
	p.limits = p.limits[:0]
	p.forget()
}

// forget drops what is known of blocks.
func (p *blockPressure) forget() {
	for _, b := range p.blocks {
		p.index[b] = 0
	}
	p.blocks, p.peaks = p.blocks[:0], p.peaks[:0]
}

// exceeds reports that r, live in block b, is more than there is room for.
func (p *blockPressure) exceeds(r mir.Reg, b mir.BlockID) bool {
	in := p.f.Facts
	class := p.f.VReg(r).Class
	if class < 0 {
		return false
	}
	if len(p.limits) == 0 {
		p.findLimits()
	}
	peak := p.of(b)
	w := &in.ClassPressure[class]
	for _, s := range in.PressureLists[w.Sets : w.Sets+uint32(w.NumSets)] {
		if int32(w.Weight)+peak[s] >= p.limits[s] {
			return true
		}
	}
	return false
}

// findLimits takes the reserved registers of the widest class that counts
// against a set from the set's limit.
func (p *blockPressure) findLimits() {
	in := p.f.Facts
	p.limits = append(p.limits, make([]int32, len(in.PressureSets))...)
	widest := make([]int, len(in.PressureSets))
	for s := range widest {
		widest[s] = -1
	}
	for c := range in.Classes {
		w := &in.ClassPressure[c]
		for _, s := range in.PressureLists[w.Sets : w.Sets+uint32(w.NumSets)] {
			if widest[s] < 0 || w.Limit > in.ClassPressure[widest[s]].Limit {
				widest[s] = c
			}
		}
	}
	for s, c := range widest {
		p.limits[s] = int32(in.PressureSets[s].Limit)
		if c < 0 {
			continue
		}
		members := in.ClassMembers(desc.ClassID(c))
		reserved := 0
		for _, r := range members {
			if isReserved(p.regs.reserved, mir.Reg(r)) {
				reserved++
			}
		}
		if reserved < len(members) {
			p.limits[s] -= int32(in.ClassPressure[c].Weight) * int32(reserved)
		}
	}
}

// of returns the greatest pressure in b by set.
func (p *blockPressure) of(b mir.BlockID) []int32 {
	n := len(p.f.Facts.PressureSets)
	p.index = rows.AtLeast(p.index, p.f.NumBlockIDs())
	if k := p.index[b]; k != 0 {
		return p.peaks[int(k-1)*n : int(k)*n]
	}
	p.compute(b)
	p.peaks = append(p.peaks, p.peak...)
	p.blocks = append(p.blocks, b)
	p.index[b] = int32(len(p.blocks))
	return p.peaks[len(p.peaks)-n:]
}

// unit numbers what is live: virtual registers, then register units.
func (p *blockPressure) weigh(x int, sign int32, to []int32) {
	in := p.f.Facts
	w := &desc.PressureDesc{}
	if v := x - in.NumUnits(); v >= 0 {
		c := p.f.VReg(mir.VReg(v)).Class
		if c < 0 {
			return
		}
		w = &in.ClassPressure[c]
	} else {
		w = &in.UnitPressure[x]
	}
	for _, s := range in.PressureLists[w.Sets : w.Sets+uint32(w.NumSets)] {
		to[s] += sign * int32(w.Weight)
	}
}

func (p *blockPressure) raise(x int) {
	p.weigh(x, 1, p.now)
	for s, v := range p.now {
		p.peak[s] = max(p.peak[s], v)
	}
}

// collect lists the registers of an operand.
func (p *blockPressure) collect(list []int, r mir.Reg) []int {
	in := p.f.Facts
	if r.IsVirtual() {
		return append(list, in.NumUnits()+r.Index())
	}
	if r.IsPhysical() && p.regs.isAllocatable(r) {
		for u := range in.RegUnits(desc.PhysReg(r)).All() {
			list = append(list, int(u))
		}
	}
	return list
}

// compute walks b from its end.
func (p *blockPressure) compute(b mir.BlockID) {
	f := p.f
	n := len(f.Facts.PressureSets)
	p.now, p.peak = append(p.now[:0], make([]int32, n)...), append(p.peak[:0], make([]int32, n)...)
	p.live = rows.AtLeast(p.live, f.Facts.NumUnits()+f.NumVRegs())
	p.stamp++
	for i := f.Block(b).Last(); i != 0; i = f.Instr(i).Prev() {
		if f.IsDebugInstr(i) || f.Instr(i).Opcode == desc.PSEUDO_PROBE {
			continue
		}
		p.defs, p.dead, p.uses = p.defs[:0], p.dead[:0], p.uses[:0]
		ops := f.Ops(i)
		for k := range ops {
			o := &ops[k]
			if !o.IsReg() || o.Reg() == mir.NoReg {
				continue
			}
			if o.IsUse() {
				if !o.IsUndef() && o.Flags()&mir.InternalRead == 0 {
					p.uses = p.collect(p.uses, o.Reg())
				}
				continue
			}
			if o.ReadsReg() {
				p.uses = p.collect(p.uses, o.Reg())
			}
			if o.IsDead() {
				p.dead = p.collect(p.dead, o.Reg())
			} else {
				p.defs = p.collect(p.defs, o.Reg())
			}
		}
		for _, x := range p.dead {
			p.raise(x)
		}
		for _, x := range p.dead {
			p.weigh(x, -1, p.now)
		}
		for _, x := range p.defs {
			if p.live[x] == p.stamp {
				p.live[x] = 0
				p.weigh(x, -1, p.now)
			} else {
				p.weigh(x, 1, p.peak) // live out: it was there all along
			}
		}
		for _, x := range p.uses {
			if p.live[x] != p.stamp {
				p.live[x] = p.stamp
				p.raise(x)
			}
		}
	}
}
