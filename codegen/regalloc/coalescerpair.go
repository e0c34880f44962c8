package regalloc

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// move is what a copy-like instruction (COPY, SUBREG_TO_REG) copies.
type move struct {
	dst, src       mir.Reg
	dstSub, srcSub desc.SubRegIdx
}

// isCopyLike reports COPY and SUBREG_TO_REG.
func isCopyLike(f *mir.Function, i mir.InstrID) bool {
	op := f.Instr(i).Opcode
	return op == desc.COPY || op == desc.SUBREG_TO_REG
}

// isFullCopy reports a COPY of a whole register to a whole register.
func isFullCopy(f *mir.Function, i mir.InstrID) bool {
	return f.Instr(i).Opcode == desc.COPY && f.Op(i, 0).SubReg() == 0 && f.Op(i, 1).SubReg() == 0
}

// moveOf returns what i copies; false when i is not copy-like.
func moveOf(f *mir.Function, i mir.InstrID) (m move, ok bool) {
	switch f.Instr(i).Opcode {
	case desc.COPY:
		d, s := f.Op(i, 0), f.Op(i, 1)
		return move{d.Reg(), s.Reg(), desc.SubRegIdx(d.SubReg()), desc.SubRegIdx(s.SubReg())}, true
	case desc.SUBREG_TO_REG:
		d, s := f.Op(i, 0), f.Op(i, 2)
		sub := f.Facts.ComposeSubRegs(desc.SubRegIdx(d.SubReg()), desc.SubRegIdx(f.Op(i, 3).Imm()))
		return move{d.Reg(), s.Reg(), sub, desc.SubRegIdx(s.SubReg())}, true
	}
	return m, false
}

// pair is two registers that a copy would join: src becomes dst, in whose
// class newClass the joined register is. A physical register is always dst.
type pair struct {
	dst, src mir.Reg
	// dstIdx and srcIdx are the sub-registers of the joined register that the old
	// dst and src become, 0 for all of it.
	dstIdx, srcIdx desc.SubRegIdx
	newClass       desc.ClassID // NoClass when dst is physical
	// partial: the copy names a sub-register. crossClass: newClass is not the class
	// of both. flipped: dst is the source of the copy.
	partial, crossClass, flipped bool
}

func (p *pair) isPhys() bool { return p.dst.IsPhysical() }

// flip exchanges dst and src, unless dst is physical.
func (p *pair) flip() {
	if !p.isPhys() {
		p.dst, p.src = p.src, p.dst
		p.dstIdx, p.srcIdx = p.srcIdx, p.dstIdx
		p.flipped = !p.flipped
	}
}

// pairOf finds how the registers of copy i could be one; false when they cannot.
func pairOf(f *mir.Function, i mir.InstrID) (p pair, ok bool) {
	m, ok := moveOf(f, i)
	if !ok {
		return p, false
	}
	p.newClass = desc.NoClass
	p.partial = m.srcSub != 0 || m.dstSub != 0
	if m.src.IsPhysical() {
		if m.dst.IsPhysical() {
			return p, false
		}
		m.src, m.dst, m.srcSub, m.dstSub = m.dst, m.src, m.dstSub, m.srcSub
		p.flipped = true
	}
	in, srcClass := f.Facts, desc.ClassID(f.VReg(m.src).Class)
	if srcClass == desc.NoClass {
		return p, false
	}
	if m.dst.IsPhysical() {
		r := in.SubReg(desc.PhysReg(m.dst), m.dstSub)
		if r == 0 {
			return p, false
		}
		if m.srcSub != 0 {
			if r = in.MatchingSuperReg(r, m.srcSub, srcClass); r == 0 {
				return p, false
			}
		} else if !in.ClassContains(srcClass, r) {
			return p, false
		}
		p.src, p.dst = m.src, mir.Reg(r)
		return p, true
	}
	dstClass := desc.ClassID(f.VReg(m.dst).Class)
	if dstClass == desc.NoClass {
		return p, false
	}
	switch {
	case m.srcSub != 0 && m.dstSub != 0:
		if m.src == m.dst && m.srcSub != m.dstSub {
			return p, false // two parts of one register
		}
		p.newClass, p.srcIdx, p.dstIdx = in.CommonSuperRegClass(srcClass, m.srcSub, dstClass, m.dstSub)
	case m.dstSub != 0:
		p.srcIdx = m.dstSub
		p.newClass = in.MatchingSuperRegClass(dstClass, srcClass, m.dstSub)
	case m.srcSub != 0:
		p.dstIdx = m.srcSub
		p.newClass = in.MatchingSuperRegClass(srcClass, dstClass, m.srcSub)
	default:
		p.newClass = in.CommonSubClass(dstClass, srcClass)
	}
	if p.newClass == desc.NoClass {
		return p, false
	}
	if p.dstIdx != 0 && p.srcIdx == 0 {
		// The part is joined into the whole.
		m.src, m.dst = m.dst, m.src
		p.srcIdx, p.dstIdx = p.dstIdx, p.srcIdx
		p.flipped = !p.flipped
	}
	p.src, p.dst = m.src, m.dst
	p.crossClass = p.newClass != dstClass || p.newClass != srcClass
	return p, true
}

// joins reports whether the pair's registers being one makes copy i a copy of a
// register to itself.
func (p *pair) joins(f *mir.Function, i mir.InstrID) bool {
	if i == 0 {
		return false
	}
	m, ok := moveOf(f, i)
	if !ok {
		return false
	}
	if m.dst == p.src {
		m.src, m.dst, m.srcSub, m.dstSub = m.dst, m.src, m.dstSub, m.srcSub
	} else if m.src != p.src {
		return false
	}
	in := f.Facts
	if p.isPhys() {
		if !m.dst.IsPhysical() {
			return false
		}
		r := in.SubReg(desc.PhysReg(m.dst), m.dstSub)
		return in.SubReg(desc.PhysReg(p.dst), m.srcSub) == r
	}
	return m.dst == p.dst && in.ComposeSubRegs(p.srcIdx, m.srcSub) == in.ComposeSubRegs(p.dstIdx, m.dstSub)
}
