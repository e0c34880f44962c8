package regalloc

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// TwoAddress makes tied operands name the same register, by a copy before the
// instruction, and turns REG_SEQUENCE and INSERT_SUBREG into copies to
// sub-registers.
//
// Above -O0, where the tied source lives on, it tries to save the copy first
// (twoaddresstransform.go): another source is tied that dies here, a
// three-address form is taken, the instruction or the one that kills the source
// is moved past the other, a load is unfolded.
var TwoAddress = pass.Pass{
	Name:   "twoaddressinstruction",
	Title:  "Two-Address instruction pass",
	Sets:   mir.TiedOpsRewritten,
	Clears: mir.IsSSA,
	// The transformations are for -O1 and above.
	Optional: pass.Relaxable,
	KeepsCFG: true,
	Keeps:    []pass.Kind{pass.KindOf[liveness.Variables]()},
	Run:      runTwoAddress,
}

// twoAddress is the pass's memory.
type twoAddress struct {
	c *pass.Context
	f *mir.Function
	v *liveness.Variables // nil when nobody asked for them
	b mir.BlockID

	// dist numbers the instructions of the block that were reached, 0 for others;
	// listed are those with a number.
	dist   []int32
	listed []mir.InstrID
	now    int32
	// src and dst map a virtual register to one that it will likely be joined with
	// upwards (src) or downwards (dst) in the block; processed are the copies that
	// were looked at for it.
	src, dst  regMap
	processed []bool

	pairs   []tiedPair
	chain   []mir.Reg
	uses    []mir.Reg
	kills   []mir.Reg
	defs    []mir.Reg
	live    []mir.Reg
	others  []mir.Reg
	rescued []mir.Reg
}

// tiedPair is a use that must have the register of a definition.
type tiedPair struct {
	reg      mir.Reg // of the use
	use, def int
}

// regMap maps virtual registers to registers.
type regMap struct {
	to []mir.Reg
	// keys are the registers that were mapped since clear, some of them twice; phys
	// those among them that were mapped to physical registers.
	keys, phys []mir.Reg
}

func (m *regMap) clear() {
	for _, k := range m.keys {
		m.to[k.Index()] = 0
	}
	m.keys, m.phys = m.keys[:0], m.phys[:0]
}

func (m *regMap) get(r mir.Reg) mir.Reg {
	if !r.IsVirtual() || r.Index() >= len(m.to) {
		return 0
	}
	return m.to[r.Index()]
}

func (m *regMap) set(k, r mir.Reg) {
	m.to = rows.AtLeast(m.to, k.Index()+1)
	if m.to[k.Index()] == 0 {
		m.keys = append(m.keys, k)
	}
	m.to[k.Index()] = r
	if r.IsPhysical() {
		m.phys = append(m.phys, k)
	}
}

func (m *regMap) add(k, r mir.Reg) {
	if m.get(k) == 0 {
		m.set(k, r)
	}
}

func (m *regMap) remove(k mir.Reg) {
	if k.IsVirtual() && k.Index() < len(m.to) && m.to[k.Index()] != 0 {
		m.to[k.Index()] = 0
	}
}

// physical follows the map from r to a physical register, 0 for none near.
func (m *regMap) physical(r mir.Reg) mir.Reg {
	for range maxMapChain {
		if !r.IsVirtual() {
			return r
		}
		r = m.get(r)
	}
	return 0
}

// dropPhysical removes what is mapped to a physical register for which hits says so.
func (m *regMap) dropPhysical(hits func(mir.Reg) bool) {
	kept := m.phys[:0]
	for _, k := range m.phys {
		switch to := m.get(k); {
		case !to.IsPhysical():
		case hits(to):
			m.to[k.Index()] = 0
		default:
			kept = append(kept, k)
		}
	}
	m.phys = kept
}

func runTwoAddress(c *pass.Context, f *mir.Function) error {
	s := pass.Scratch[twoAddress](c)
	s.c, s.f, s.v = c, f, pass.Known[liveness.Variables](c, f)
	s.src.to, s.dst.to = rows.Zeroed(s.src.to, f.NumVRegs()), rows.Zeroed(s.dst.to, f.NumVRegs())
	s.src.keys, s.dst.keys = s.src.keys[:0], s.dst.keys[:0]
	s.src.phys, s.dst.phys = s.src.phys[:0], s.dst.phys[:0]
	s.dist, s.processed = rows.Zeroed(s.dist, f.NumInstrIDs()), rows.Zeroed(s.processed, f.NumInstrIDs())
	s.listed = s.listed[:0]
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		s.block(b)
	}
	return nil
}

func (s *twoAddress) setDist(i mir.InstrID, d int32) {
	s.dist = rows.AtLeast(s.dist, s.f.NumInstrIDs())
	s.dist[i] = d
	s.listed = append(s.listed, i)
}

func (s *twoAddress) distOf(i mir.InstrID) int32 {
	if int(i) < len(s.dist) {
		return s.dist[i]
	}
	return 0
}

// erase forgets i, whose row may serve another instruction, and erases it.
func (s *twoAddress) erase(i mir.InstrID) {
	s.forget(i)
	s.f.Erase(i)
}

func (s *twoAddress) forget(i mir.InstrID) {
	if int(i) < len(s.dist) {
		s.dist[i] = 0
	}
	if int(i) < len(s.processed) {
		s.processed[i] = false
	}
}

func (s *twoAddress) block(b mir.BlockID) {
	f := s.f
	s.b, s.now = b, 0
	for _, i := range s.listed {
		s.dist[i] = 0
	}
	s.listed = s.listed[:0]
	s.src.clear()
	s.dst.clear()
	for i := f.Block(b).First(); i != 0; {
		next := f.Instr(i).Next()
		if f.IsDebugInstr(i) {
			i = next
			continue
		}
		if f.Instr(i).Opcode == desc.REG_SEQUENCE {
			i = s.expandRegSequence(i)
		}
		s.now++
		s.setDist(i, s.now)
		s.processCopy(i)
		tied := s.collect(i)
		if tied {
			s.c.Count("twoaddressinstruction", "Number of two-address instructions", 1)
			if len(s.pairs) == 1 && s.c.Opt > 0 {
				p := s.pairs[0]
				if f.Op(i, p.use).Reg() != f.Op(i, p.def).Reg() {
					done := false
					if i, next, done = s.transform(i, next, p.use, p.def, false); done {
						if i != 0 {
							s.dropClobbered(i)
						}
						i = next
						continue
					}
				}
			}
			s.rewriteTied(i)
			if f.Instr(i).Opcode == desc.INSERT_SUBREG {
				insertToCopy(f, i)
			}
		}
		s.dropClobbered(i)
		i = next
	}
}

// processCopy notes what a copy of a physical register is likely joined with.
func (s *twoAddress) processCopy(i mir.InstrID) {
	if int(i) < len(s.processed) && s.processed[i] {
		return
	}
	dst, src, ok := s.copyToReg(i)
	if !ok {
		return
	}
	switch {
	case dst.IsPhysical() && !src.IsPhysical():
		s.dst.add(src, dst)
	case !dst.IsPhysical() && src.IsPhysical():
		s.src.add(dst, src)
		s.scanUses(dst)
	}
	s.processed = rows.AtLeast(s.processed, s.f.NumInstrIDs())
	s.processed[i] = true
}

// copyToReg understands COPY, INSERT_SUBREG and SUBREG_TO_REG.
func (s *twoAddress) copyToReg(i mir.InstrID) (dst, src mir.Reg, ok bool) {
	f := s.f
	switch f.Instr(i).Opcode {
	case desc.COPY:
		return f.Op(i, 0).Reg(), f.Op(i, 1).Reg(), true
	case desc.INSERT_SUBREG, desc.SUBREG_TO_REG:
		return f.Op(i, 0).Reg(), f.Op(i, 2).Reg(), true
	}
	return 0, 0, false
}

// collect lists the tied operands of i whose registers differ, those of one
// register together; false when i has none at all. Undefined ones are rewritten.
func (s *twoAddress) collect(i mir.InstrID) bool {
	f, any := s.f, false
	s.pairs = s.pairs[:0]
	ops := f.Ops(i)
	for use := range ops {
		o := &ops[use]
		if !o.IsTied() || !o.IsUse() {
			continue
		}
		any = true
		def := f.TiedTo(i, use)
		d, r := f.Op(i, def), o.Reg()
		if r == d.Reg() {
			continue
		}
		if o.IsUndef() && d.SubReg() == 0 {
			if d.Reg().IsVirtual() && r.IsVirtual() {
				constrainTo(f, d.Reg(), r)
			}
			f.SetReg(i, use, d.Reg())
			f.SetSubReg(i, use, 0)
			continue
		}
		at := len(s.pairs)
		for k := range s.pairs {
			if s.pairs[k].reg == r {
				at = k + 1
			}
		}
		s.pairs = slices.Insert(s.pairs, at, tiedPair{r, use, def})
	}
	return any
}

// rewriteTied inserts the copies of all of s.pairs.
func (s *twoAddress) rewriteTied(i mir.InstrID) {
	for k := 0; k < len(s.pairs); {
		n := k + 1
		for n < len(s.pairs) && s.pairs[n].reg == s.pairs[k].reg {
			n++
		}
		s.rewritePairs(i, s.pairs[k:n])
		k = n
	}
}

// rewritePairs makes uses of one register the registers of the definitions that
// they are tied to.
func (s *twoAddress) rewritePairs(i mir.InstrID, pairs []tiedPair) {
	f := s.f
	early, removedKill, allCopied := false, false, true
	for _, p := range pairs {
		early = early || f.Op(i, p.def).IsEarlyClobber()
	}
	var last, b mir.Reg
	var sub uint16
	for _, p := range pairs {
		a := f.Op(i, p.def).Reg()
		// The operand may be another one since it was noted: sources are exchanged.
		b, sub = f.Op(i, p.use).Reg(), f.Op(i, p.use).SubReg()
		if a == b {
			allCopied = false
			continue
		}
		last = a
		cp := f.New(desc.COPY, mir.RegOp(a, mir.Def), mir.SubRegOp(b, sub, 0))
		f.Instr(cp).Loc = f.Instr(i).Loc
		f.InsertBefore(s.b, i, cp)
		s.setDist(cp, s.now)
		s.now++
		s.setDist(i, s.now)
		if f.Op(i, p.use).IsKill() {
			f.SetOpFlag(i, p.use, mir.Kill, false)
			removedKill = true
		}
		if a.IsVirtual() && b.IsVirtual() && sub == 0 {
			constrainTo(f, a, b)
		}
		f.SetReg(i, p.use, a)
		f.SetSubReg(i, p.use, 0)
	}
	if !allCopied {
		if removedKill {
			s.killOne(i, b)
		}
		return
	}
	rest := false
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if !o.IsUse() || o.Reg() != b {
			continue
		}
		if o.SubReg() != sub || early {
			rest = true
			continue
		}
		if o.IsKill() {
			f.SetOpFlag(i, n, mir.Kill, false)
			removedKill = true
		}
		f.SetReg(i, n, last)
		f.SetSubReg(i, n, 0)
	}
	if !removedKill || rest {
		return
	}
	if s.v != nil && s.v.Var(b).RemoveKill(i) {
		s.v.AddKill(b, f.Instr(i).Prev())
	}
	s.src.set(last, b)
}

// killOne gives one of the uses of r a kill flag.
func (s *twoAddress) killOne(i mir.InstrID, r mir.Reg) {
	for n := range s.f.Instr(i).NumOps() {
		if o := s.f.Op(i, n); o.IsUse() && o.Reg() == r {
			s.f.SetOpFlag(i, n, mir.Kill, true)
			return
		}
	}
}

// dropClobbered forgets what was to be joined with the physical registers that i writes.
func (s *twoAddress) dropClobbered(i mir.InstrID) {
	f := s.f
	if len(s.src.phys) == 0 {
		return
	}
	if f.Instr(i).Opcode == desc.COPY {
		// A register copied to the one that it comes from changes nothing.
		d := f.Op(i, 0).Reg()
		if d == 0 || d.IsVirtual() || s.compatible(d, s.src.physical(f.Op(i, 1).Reg())) {
			return
		}
	}
	ops := f.Ops(i)
	for n := range ops {
		o := &ops[n]
		switch {
		case o.Kind() == mir.OpRegMask:
			m := f.RegMasks[o.Index()]
			s.src.dropPhysical(func(r mir.Reg) bool { return m[r/32]>>(r%32)&1 == 0 })
		case o.IsDef() && o.Reg().IsPhysical():
			s.src.dropPhysical(func(r mir.Reg) bool { return s.compatible(r, o.Reg()) })
		}
	}
}

// compatible reports whether two physical registers overlap.
func (s *twoAddress) compatible(a, b mir.Reg) bool {
	return a == b || a != 0 && b != 0 && s.f.Facts.Overlap(desc.PhysReg(a), desc.PhysReg(b))
}

// expandRegSequence turns %d = REG_SEQUENCE %a, sub, %b, sub … into one copy
// to a sub-register of %d for each source, and returns the first. That does not
// read the rest of %d.
func (s *twoAddress) expandRegSequence(i mir.InstrID) mir.InstrID {
	f := s.f
	dst, first := f.Op(i, 0).Reg(), mir.InstrID(0)
	n := f.Instr(i).NumOps()
	for k := 1; k+1 < n; k += 2 {
		if f.Op(i, k).IsUndef() {
			continue
		}
		r, kill := f.Op(i, k).Reg(), f.Op(i, k).IsKill()
		for j := k + 2; kill && j+1 < n; j += 2 {
			if f.Op(i, j).Reg() == r {
				// The last copy of the register kills it.
				f.SetOpFlag(i, j, mir.Kill, true)
				f.SetOpFlag(i, k, mir.Kill, false)
				kill = false
			}
		}
		fl := mir.Def
		if first == 0 {
			fl |= mir.Undef
		}
		src := *f.Op(i, k)
		cp := f.New(desc.COPY, mir.SubRegOp(dst, uint16(f.Op(i, k+1).Imm()), fl), mir.SubRegOp(r, src.SubReg(), src.Flags()&mir.Kill))
		f.Instr(cp).Loc = f.Instr(i).Loc
		f.InsertBefore(s.b, i, cp)
		if first == 0 {
			first = cp
		}
		if s.v != nil && kill && r.IsVirtual() {
			s.v.ReplaceKill(r, i, cp)
		}
	}
	if first != 0 {
		s.erase(i)
		return first
	}
	for k := n - 1; k > 0; k-- {
		f.RemoveOp(i, k)
	}
	f.Instr(i).Opcode = desc.IMPLICIT_DEF
	return i
}

// insertToCopy turns %d = INSERT_SUBREG %d(tied), %v, sub into %d.sub = COPY %v.
func insertToCopy(f *mir.Function, i mir.InstrID) {
	sub, undef := uint16(f.Op(i, 3).Imm()), f.Op(i, 1).IsUndef()
	f.RemoveOp(i, 3)
	f.RemoveOp(i, 1)
	f.SetSubReg(i, 0, sub)
	f.SetOpFlag(i, 0, mir.Undef, undef)
	f.Instr(i).Opcode = desc.COPY
}
