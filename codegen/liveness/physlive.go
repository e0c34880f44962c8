package liveness

import (
	"math/bits"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// physLive follows physical registers through one block and writes their kill and
// dead flags. Of every register it remembers the last instruction that defined it
// (or a register above it) and the last that read it since.
//
// Registers have parts: where a whole is read that was defined in parts, the last
// of those definitions is made to define the whole; where a whole is defined of
// which only parts are read, its definition is dead and the parts get one. All
// that is as LLVM writes it, since the operands are seen in MIR.
//
// Most registers are named as a whole alone, throughout a block: such a one has a row
// in wholes, and none of its parts has an entry. Where one that overlaps it is
// named (mix), the entries are made, and stand for it up to the block's end.
type physLive struct {
	f        *mir.Function
	in       *desc.Info
	reserved []uint32
	pos      []uint32
	first    uint32        // the number of the block's first instruction
	def, use []mir.InstrID // by register, of this block
	// known has a bit for each register with an entry in def or use.
	known  []uint64
	defs   []mir.Reg // of the current instruction
	masks  []uint32  // its register masks, indexes of the function's
	uses   []mir.Reg
	outs   []mir.Reg
	parts  []uint64 // a set of registers
	parts2 []uint64
	live   []uint64
	// owner is by unit: the row in wholes + 1, 0 where nothing is known, mixedUnit for entries.
	owner  []int32
	wholes []wholeReg
	mixed  []mir.Reg // the registers that have mixed units
}

// wholeReg is a register of which no part is named in the block, nor a register
// above it: what defined it last, and what read it last since.
type wholeReg struct {
	r        mir.Reg // 0: it has entries now
	ended    bool    // the last of the two has its flag
	def, use mir.InstrID
}

const mixedUnit = -1

func (p *physLive) init(f *mir.Function, reserved []uint32) {
	p.f, p.in, p.reserved = f, f.Facts, reserved
	n := len(f.Facts.Regs)
	p.def, p.use = rows.Zeroed(p.def, n), rows.Zeroed(p.use, n)
	p.owner, p.wholes, p.mixed = rows.Zeroed(p.owner, f.Facts.NumUnits()), p.wholes[:0], p.mixed[:0]
	words := (n + 63) / 64
	p.known, p.parts, p.parts2, p.live = rows.Zeroed(p.known, words), rows.Zeroed(p.parts, words), rows.Zeroed(p.parts2, words), rows.Zeroed(p.live, words)
}

func (p *physLive) isReserved(r mir.Reg) bool { return p.reserved[r/32]>>(r%32)&1 != 0 }

func has(set []uint64, r mir.Reg) bool { return set[r/64]>>(r%64)&1 != 0 }
func put(set []uint64, r mir.Reg)      { set[r/64] |= 1 << (r % 64) }

// isKnown reports whether r was defined or read in the block.
func (p *physLive) isKnown(r mir.Reg) bool { return p.def[r] != 0 || p.use[r] != 0 }

// begin begins a block whose first instruction has number first.
func (p *physLive) begin(first uint32, pos []uint32) { p.first, p.pos = first, pos }

// instr takes note of what i reads, clobbers and defines, in this order.
func (p *physLive) instr(i mir.InstrID) {
	f := p.f
	p.uses, p.defs, p.masks = p.uses[:0], p.defs[:0], p.masks[:0]
	for n := range f.Ops(i) {
		switch o := f.Op(i, n); {
		case o.Kind() == mir.OpRegMask:
			p.masks = append(p.masks, o.Index())
		case !o.IsReg() || !o.Reg().IsPhysical() || p.isReserved(o.Reg()):
		case o.IsDef():
			p.defs = append(p.defs, o.Reg())
		case o.ReadsReg():
			p.uses = append(p.uses, o.Reg())
		}
	}
	for _, r := range p.uses {
		if w := p.whole(r, true); w != nil {
			w.use, w.ended = i, false
		} else {
			p.read(r, i)
		}
	}
	for _, m := range p.masks {
		p.clobber(f.RegMasks[m])
	}
	for _, r := range p.defs {
		if w := p.whole(r, false); w != nil {
			p.endWhole(w)
		} else if len(p.mixed) > 0 {
			p.redefine(r, i)
		}
	}
	for _, r := range p.defs {
		if w := p.whole(r, true); w != nil {
			w.def, w.use, w.ended = i, 0, false
			continue
		}
		p.set(r, i)
		for s := range p.in.SubRegs(desc.PhysReg(r)).All() {
			p.set(mir.Reg(s), i)
		}
	}
}

// whole returns the row of r, which is made where claim asks for it and nothing is
// known of r or what overlaps it; nil when there is none. What is known of others that overlap r is
// in entries then.
func (p *physLive) whole(r mir.Reg, claim bool) *wholeReg {
	units := p.in.RegUnits(desc.PhysReg(r))
	own := int32(mixedUnit)
	for k := range units.Len() {
		if x := p.owner[units.At(k)]; k == 0 {
			own = x
		} else if x != own {
			p.mix(r)
			return nil
		}
	}
	switch {
	case own > 0:
		if w := &p.wholes[own-1]; w.r == r {
			return w
		}
		p.mix(r)
	case own == 0 && claim:
		p.wholes = append(p.wholes, wholeReg{r: r})
		for k := range units.Len() {
			p.owner[units.At(k)] = int32(len(p.wholes))
		}
		return &p.wholes[len(p.wholes)-1]
	}
	return nil
}

// mix makes entries of the rows of r and of what overlaps it.
func (p *physLive) mix(r mir.Reg) {
	for u := range p.in.RegUnits(desc.PhysReg(r)).All() {
		if own := p.owner[u]; own > 0 {
			w := p.wholes[own-1]
			p.wholes[own-1].r = 0
			p.enter(w.r, &w)
			for s := range p.in.SubRegs(desc.PhysReg(w.r)).All() {
				p.enter(mir.Reg(s), &w)
			}
			p.setMixed(w.r)
		}
	}
	p.setMixed(r)
}

func (p *physLive) enter(r mir.Reg, w *wholeReg) {
	p.def[r], p.use[r] = w.def, w.use
	put(p.known, r)
}

func (p *physLive) setMixed(r mir.Reg) {
	p.mixed = append(p.mixed, r)
	p.setOwner(r, mixedUnit)
}

func (p *physLive) setOwner(r mir.Reg, to int32) {
	for u := range p.in.RegUnits(desc.PhysReg(r)).All() {
		p.owner[u] = to
	}
}

// endWhole gives the last instruction that names the register the flag.
func (p *physLive) endWhole(w *wholeReg) {
	if w.ended {
		return
	}
	w.ended = true
	f, i := p.f, w.use
	if i == 0 {
		for n, o := range f.Ops(w.def) {
			if o.IsDef() && o.Reg() == w.r {
				f.SetOpFlag(w.def, n, mir.Dead, true)
			}
		}
		return
	}
	for n, o := range f.Ops(i) {
		if o.IsUse() && !o.IsUndef() && !o.IsDebug() && o.Reg() == w.r {
			// A tied register goes on as what its definition makes of it.
			if !o.IsKill() && !o.IsTied() {
				f.SetOpFlag(i, n, mir.Kill, true)
			}
			return
		}
	}
}

func (p *physLive) set(r mir.Reg, i mir.InstrID) {
	p.def[r], p.use[r] = i, 0
	put(p.known, r)
}

// lastPart is the last instruction that defined a part of r. Those of its parts
// that it defines are put in p.parts.
func (p *physLive) lastPart(r mir.Reg) mir.InstrID {
	last, part := mir.InstrID(0), mir.Reg(0)
	for s := range p.in.SubRegs(desc.PhysReg(r)).All() {
		if d := p.def[s]; d != 0 && p.later(d, last) {
			last, part = d, mir.Reg(s)
		}
	}
	clear(p.parts)
	if last == 0 {
		return 0
	}
	put(p.parts, part)
	for _, o := range p.f.Ops(last) {
		if o.IsDef() && o.Reg().IsPhysical() && p.in.IsSubRegister(desc.PhysReg(r), desc.PhysReg(o.Reg())) {
			put(p.parts, o.Reg())
			for s := range p.in.SubRegs(desc.PhysReg(o.Reg())).All() {
				put(p.parts, mir.Reg(s))
			}
		}
	}
	return last
}

// later reports whether definition i of a part stands behind that of before, 0
// for none. As with LLVM, whose count begins with 0, a block's first instruction is none.
func (p *physLive) later(i, before mir.InstrID) bool {
	if before == 0 {
		return p.pos[i] > p.first
	}
	return p.pos[i] > p.pos[before]
}

// read takes note that i reads r.
func (p *physLive) read(r mir.Reg, i mir.InstrID) {
	f := p.f
	switch d := p.def[r]; {
	case d == 0 && p.use[r] == 0:
		last := p.lastPart(r)
		if last == 0 {
			break // it came into the block
		}
		// The last definition of a part completes the whole, and reads the other parts.
		f.AddOp(last, mir.RegOp(r, mir.Def|mir.Implicit))
		p.def[r] = last
		put(p.known, r)
		clear(p.parts2)
		for s := range p.in.SubRegs(desc.PhysReg(r)).All() {
			s := mir.Reg(s)
			if has(p.parts2, s) || has(p.parts, s) {
				continue
			}
			f.AddOp(last, mir.RegOp(s, mir.Implicit))
			p.def[s] = last
			put(p.known, s)
			for x := range p.in.SubRegs(desc.PhysReg(s)).All() {
				put(p.parts2, mir.Reg(x))
			}
		}
	case d != 0 && p.use[r] == 0 && p.findDef(d, r) < 0:
		// A register above it was defined.
		f.AddOp(d, mir.RegOp(r, mir.Def|mir.Implicit))
	}
	p.use[r] = i
	put(p.known, r)
	for s := range p.in.SubRegs(desc.PhysReg(r)).All() {
		p.use[s] = i
		put(p.known, mir.Reg(s))
	}
}

// findDef returns the operand of i that defines r, -1 for none.
func (p *physLive) findDef(i mir.InstrID, r mir.Reg) int {
	for n, o := range p.f.Ops(i) {
		if o.IsDef() && o.Reg() == r {
			return n
		}
	}
	return -1
}

// clobber ends the lives of what a register mask does not preserve, by the
// largest known register each.
func (p *physLive) clobber(mask []uint32) {
	kept := func(r mir.Reg) bool { return mask[r/32]>>(r%32)&1 != 0 }
	for k := range p.wholes {
		w := &p.wholes[k]
		switch {
		case w.r == 0:
		case !kept(w.r):
			p.endWhole(w)
		default:
			for s := range p.in.SubRegs(desc.PhysReg(w.r)).All() {
				if !kept(mir.Reg(s)) {
					p.mix(w.r)
					break
				}
			}
		}
	}
	if len(p.mixed) == 0 {
		return
	}
	for r := p.next(0); r != 0; r = p.next(r) {
		if !p.isKnown(r) || mask[r/32]>>(r%32)&1 != 0 {
			continue
		}
		top := r
		for s := range p.in.SuperRegs(desc.PhysReg(r)).All() {
			if s := mir.Reg(s); p.isKnown(s) && mask[s/32]>>(s%32)&1 == 0 {
				top = s
			}
		}
		p.end(top, 0)
	}
}

// next returns the known register with the next number behind r, 0 at the end.
func (p *physLive) next(r mir.Reg) mir.Reg {
	r++
	for w := int(r / 64); w < len(p.known); w++ {
		m := p.known[w]
		if w == int(r/64) {
			m &= ^uint64(0) << (r % 64)
		}
		if m != 0 {
			return mir.Reg(w*64 + bits.TrailingZeros64(m))
		}
	}
	return 0
}

// redefine ends the lives of r and of its parts that are known: i defines r, 0 is the block's end.
func (p *physLive) redefine(r mir.Reg, i mir.InstrID) {
	whole := p.isKnown(r)
	clear(p.live)
	if !whole {
		for s := range p.in.SubRegs(desc.PhysReg(r)).All() {
			if s := mir.Reg(s); !has(p.live, s) && p.isKnown(s) {
				put(p.live, s)
				for x := range p.in.SubRegs(desc.PhysReg(s)).All() {
					put(p.live, mir.Reg(x))
				}
			}
		}
	}
	p.end(r, i)
	for s := range p.in.SubRegs(desc.PhysReg(r)).All() {
		if whole || has(p.live, mir.Reg(s)) {
			p.end(mir.Reg(s), i)
		}
	}
}

// lastRef is the last instruction that names s or a part of it that was not
// defined again since.
func (p *physLive) lastRef(r mir.Reg, parts []uint64) (last, partDef mir.InstrID) {
	d := p.def[r]
	if last = p.use[r]; last == 0 {
		last = d
	}
	for s := range p.in.SubRegs(desc.PhysReg(r)).All() {
		if x := p.def[s]; x != 0 && x != d {
			if p.later(x, partDef) {
				partDef = x
			}
			continue
		}
		if u := p.use[s]; u != 0 {
			if parts != nil {
				put(parts, mir.Reg(s))
				for x := range p.in.SubRegs(s).All() {
					put(parts, mir.Reg(x))
				}
			}
			if p.pos[u] > p.pos[last] {
				last = u
			}
		}
	}
	return last, partDef
}

// end ends the life of r: the last instruction that names it gets the flag. i is
// what defines it next, 0 for none.
func (p *physLive) end(r mir.Reg, i mir.InstrID) {
	if !p.isKnown(r) {
		return
	}
	f := p.f
	clear(p.parts)
	last, partDef := p.lastRef(r, p.parts)
	switch {
	case p.use[r] == 0:
		p.endUnread(r, last)
	case last == p.def[r] && last != i:
		if partDef != 0 {
			f.AddOp(partDef, mir.RegOp(r, mir.Implicit|mir.Kill))
			break
		}
		early := false
		for _, o := range f.Ops(last) {
			if o.IsDef() && o.IsEarlyClobber() && o.Reg().IsPhysical() && p.in.IsSuperRegister(desc.PhysReg(r), desc.PhysReg(o.Reg())) {
				early = true
			}
		}
		if AddDead(f, last, r, true); early {
			if n := p.findDef(last, r); n >= 0 {
				f.SetOpFlag(last, n, mir.EarlyClobber, true)
			}
		}
	default:
		AddKilled(f, last, r, true)
	}
}

// endUnread ends the life of r, which was defined and not read as a whole: the
// parts that are read, p.parts, get definitions of their own.
func (p *physLive) endUnread(r mir.Reg, last mir.InstrID) {
	f, d := p.f, p.def[r]
	AddDead(f, d, r, true)
	for s := range p.in.SubRegs(desc.PhysReg(r)).All() {
		s := mir.Reg(s)
		if !has(p.parts, s) {
			continue
		}
		if d != p.def[s] || p.findDef(d, s) < 0 {
			f.AddOp(d, mir.RegOp(s, mir.Def|mir.Implicit))
		}
		if p.isKnown(s) {
			ref, _ := p.lastRef(s, nil)
			AddKilled(f, ref, s, true)
		} else {
			AddKilled(f, last, s, true)
			p.use[s] = last
			put(p.known, s)
			for x := range p.in.SubRegs(desc.PhysReg(s)).All() {
				p.use[x] = last
				put(p.known, mir.Reg(x))
			}
		}
		for x := range p.in.SubRegs(desc.PhysReg(s)).All() {
			p.parts[x/64] &^= 1 << (x % 64)
		}
	}
}

// endBlock ends the lives of all registers but those, not allocatable, that are
// live into a successor: machine-cse may have made them live across blocks.
func (p *physLive) endBlock(b mir.BlockID) {
	f := p.f
	p.outs = p.outs[:0]
	for _, s := range f.Succs(b) {
		if f.Block(s.Block).Flags&mir.EHPad != 0 {
			continue
		}
		for _, l := range f.LiveInsOf(s.Block) {
			if p.in.Regs[l.Reg].Flags&desc.RegInAllocatableSet == 0 {
				p.outs = append(p.outs, l.Reg)
			}
		}
	}
	for k := range p.wholes {
		w := &p.wholes[k]
		switch {
		case w.r == 0:
			continue
		case len(p.outs) > 0:
			p.mix(w.r)
			continue
		}
		p.endWhole(w)
		p.setOwner(w.r, 0)
	}
	p.wholes = p.wholes[:0]
	if len(p.mixed) == 0 {
		return
	}
	for _, r := range p.mixed {
		p.setOwner(r, 0)
	}
	p.mixed = p.mixed[:0]
	for r := p.next(0); r != 0; r = p.next(r) {
		if p.isKnown(r) && !p.leaves(r) && !p.endsWithSuper(r) {
			p.redefine(r, 0)
		}
	}
	for w := range p.known {
		for m := p.known[w]; m != 0; m &= m - 1 {
			r := w*64 + bits.TrailingZeros64(m)
			p.def[r], p.use[r] = 0, 0
		}
		p.known[w] = 0
	}
}

// endsWithSuper reports that a register above r was last written and read by the
// same instructions and ends with the block too: what is done for that one takes
// back what would be done for r.
func (p *physLive) endsWithSuper(r mir.Reg) bool {
	for s := range p.in.SuperRegs(desc.PhysReg(r)).All() {
		if s := mir.Reg(s); p.def[s] == p.def[r] && p.use[s] == p.use[r] && !p.leaves(s) {
			return true
		}
	}
	return false
}

func (p *physLive) leaves(r mir.Reg) bool {
	for _, x := range p.outs {
		if x == r {
			return true
		}
	}
	return false
}
