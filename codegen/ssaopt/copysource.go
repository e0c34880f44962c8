package ssaopt

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// Where copied values come from. A value in part sub of a register is followed
// up through copies, bitcasts, sub-register operations and PHIs until a source
// is found that can be copied as cheaply: one that shares a register file.

const (
	// maxSourcePHIs bounds the PHIs that are followed at a time.
	maxSourcePHIs = 10
	// maxSourceSteps bounds the steps, which are searched one by one.
	maxSourceSteps = 200
)

// part is a sub-register of a virtual register (sub 0: all of it).
type part struct {
	reg mir.Reg
	sub uint16
}

// sourceStep says where the value of a part comes from: another part, or, with
// phi, the sources of a PHI.
type sourceStep struct {
	of, from part
	phi      mir.InstrID
}

// sources follows values; its steps are those of the last search.
type sources struct {
	f     *mir.Function
	st    *target.Subtarget
	steps []sourceStep
	work  []part
	// noKills has the virtual registers whose uses have no kill flags any more.
	noKills []bool
}

// reset forgets the function before.
func (s *sources) reset(f *mir.Function, st *target.Subtarget) {
	s.f, s.st, s.noKills = f, st, s.noKills[:0]
}

// clearKills clears the kill flags of the uses of virtual register r. Nothing sets
// one on a register that had this done, so that once is enough: a pointer that has
// a copy for each access would have all its uses looked at for each.
func (s *sources) clearKills(r mir.Reg) {
	s.noKills = rows.AtLeast(s.noKills, s.f.NumVRegs())
	if n := r.Index(); !s.noKills[n] {
		s.noKills[n] = true
		clearKills(s.f, r)
	}
}

// replaceReg has to read, which lives longer for it, wherever from is.
func (s *sources) replaceReg(from, to mir.Reg) {
	clearKills(s.f, from)
	s.f.ReplaceReg(from, to)
	s.clearKills(to)
}

// step looks a part up; nil when it was not followed.
func (s *sources) step(p part) *sourceStep {
	for k := range s.steps {
		if s.steps[k].of == p {
			return &s.steps[k]
		}
	}
	return nil
}

// next finds where the value of p comes from.
func (s *sources) next(p part) (from part, phi mir.InstrID, ok bool) {
	f := s.f
	def := defOf(f, p.reg)
	if def == 0 {
		return part{}, 0, false
	}
	k := defOperand(f, def, p.reg)
	op, d := f.Instr(def).Opcode, f.Desc(def)
	switch {
	case op == desc.COPY:
		return s.copied(def, k, p.sub)
	case d.IsBitcast():
		return s.bitcast(def, k, p.sub)
	case op == desc.INSERT_SUBREG:
		return s.inserted(def, p.sub)
	case op == desc.EXTRACT_SUBREG:
		o := f.Op(def, 1)
		return part{o.Reg(), uint16(f.Op(def, 2).Imm())}, 0, p.sub == 0 && o.SubReg() == 0 && !o.IsUndef()
	case op == desc.REG_SEQUENCE:
		for n := 1; n+1 < f.Instr(def).NumOps(); n += 2 {
			if o := f.Op(def, n); !o.IsUndef() && uint16(f.Op(def, n+1).Imm()) == p.sub {
				return part{o.Reg(), o.SubReg()}, 0, true
			}
		}
	case f.IsPHI(def):
		if f.Op(def, 0).SubReg() != p.sub {
			break
		}
		n := f.Instr(def).NumOps()
		for n := 1; n < f.Instr(def).NumOps(); n += 2 {
			if f.Op(def, n).IsUndef() {
				return part{}, 0, false
			}
		}
		if n == 3 {
			return part{f.Op(def, 1).Reg(), f.Op(def, 1).SubReg()}, 0, true
		}
		return part{}, def, n > 3
	}
	return part{}, 0, false
}

// defOperand returns the operand of i that defines r.
func defOperand(f *mir.Function, i mir.InstrID, r mir.Reg) int {
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsDef() && o.Reg() == r {
			return k
		}
	}
	return -1
}

// copied is next for a COPY.
func (s *sources) copied(def mir.InstrID, k int, sub uint16) (part, mir.InstrID, bool) {
	f := s.f
	o := f.Op(def, 1)
	if k != 0 || o.IsUndef() {
		return part{}, 0, false
	}
	if d := f.Op(def, 0).SubReg(); d == sub {
		return part{o.Reg(), o.SubReg()}, 0, true
	} else if d != 0 {
		return part{}, 0, false
	}
	// A part of what was copied is the part of the source.
	if !o.Reg().IsVirtual() || f.VReg(o.Reg()).Class < 0 {
		return part{}, 0, false
	}
	c := f.Facts.ComposeSubRegs(desc.SubRegIdx(o.SubReg()), desc.SubRegIdx(sub))
	class := desc.ClassID(f.VReg(o.Reg()).Class)
	if c == 0 || f.Facts.SubClassWithSubReg(class, c) != class {
		return part{}, 0, false
	}
	return part{o.Reg(), uint16(c)}, 0, true
}

// bitcast is next for an instruction that moves bits to another register class.
func (s *sources) bitcast(def mir.InstrID, k int, sub uint16) (part, mir.InstrID, bool) {
	f := s.f
	d := f.Desc(def)
	if mayRaiseFP(f, def) || f.HasSideEffects(def) || d.NumDefs != 1 || f.Op(def, k).SubReg() != sub {
		return part{}, 0, false
	}
	src := -1
	for n := k + 1; n < f.Instr(def).NumOps(); n++ {
		o := f.Op(def, n)
		if !o.IsReg() || o.Reg() == mir.NoReg || o.IsImplicit() && o.IsDead() {
			continue
		}
		if src >= 0 || o.IsDef() {
			return part{}, 0, false
		}
		src = n
	}
	if src < 0 || f.Op(def, src).IsUndef() {
		return part{}, 0, false
	}
	// SUBREG_TO_REG counts on what the instruction leaves in the upper bits.
	for u := range f.NonDebugUses(f.Op(def, k).Reg()) {
		if f.Instr(u).Opcode == desc.SUBREG_TO_REG {
			return part{}, 0, false
		}
	}
	return part{f.Op(def, src).Reg(), f.Op(def, src).SubReg()}, 0, true
}

// inserted is next for INSERT_SUBREG: the inserted register, or the register
// around it when the part does not overlap.
func (s *sources) inserted(def mir.InstrID, sub uint16) (part, mir.InstrID, bool) {
	f := s.f
	base, o, at := f.Op(def, 1), f.Op(def, 2), uint16(f.Op(def, 3).Imm())
	if f.Op(def, 0).SubReg() != 0 || o.IsUndef() {
		return part{}, 0, false
	}
	if at == sub {
		return part{o.Reg(), o.SubReg()}, 0, true
	}
	if !base.Reg().IsVirtual() || f.VReg(base.Reg()).Class != f.VReg(f.Op(def, 0).Reg()).Class || base.SubReg() != 0 || base.IsUndef() ||
		f.Facts.SubRegLanes(desc.SubRegIdx(sub))&f.Facts.SubRegLanes(desc.SubRegIdx(at)) != 0 {
		return part{}, 0, false
	}
	return part{base.Reg(), sub}, 0, true
}

// find follows p up to a source that is as good for a definition of a class and
// sub-register index; false when there is none but p.
func (s *sources) find(class desc.ClassID, sub uint16, p part) bool {
	f := s.f
	s.steps = s.steps[:0]
	return s.findMore(f, class, sub, p)
}

// findMore is find that keeps the steps of the searches before.
func (s *sources) findMore(f *mir.Function, class desc.ClassID, sub uint16, p part) bool {
	if !p.reg.IsVirtual() {
		return false
	}
	s.work = append(s.work[:0], p)
	cur, phis := p, 0
	for len(s.work) > 0 {
		cur = s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if !cur.reg.IsVirtual() {
			return false
		}
		for {
			from, phi, ok := s.next(cur)
			if !ok {
				return false
			}
			if len(s.steps) >= maxSourceSteps || phi != 0 && f.Instr(phi).NumOps() > maxSourceSteps {
				return false
			}
			if was := s.step(cur); was != nil {
				if was.phi != 0 {
					return false // a cycle
				}
				break
			}
			s.steps = append(s.steps, sourceStep{cur, from, phi})
			if phi != 0 {
				if phis++; phis >= maxSourcePHIs {
					return false
				}
				for n := 1; n < f.Instr(phi).NumOps(); n += 2 {
					s.work = append(s.work, part{f.Op(phi, n).Reg(), f.Op(phi, n).SubReg()})
				}
				break
			}
			cur = from
			if !cur.reg.IsVirtual() {
				return false
			}
			if s.mayCopy(class, sub, cur) && (phis == 0 || cur.sub == 0) {
				break
			}
		}
	}
	return cur.reg != p.reg
}

// mayCopy reports that a copy from p to a definition of a class and
// sub-register index stays within a register file.
func (s *sources) mayCopy(class desc.ClassID, sub uint16, p part) bool {
	f, in := s.f, s.f.Facts
	src := desc.ClassID(f.VReg(p.reg).Class)
	if src < 0 || class < 0 {
		return false
	}
	if h := s.st.Target.Instr.KeepCopy; h != nil && h(f, class, sub, src, p.sub) {
		return false
	}
	switch {
	case class == src:
		return true
	case sub != 0 && p.sub != 0:
		return haveCommonSuperClass(in, class, sub, src, p.sub)
	case p.sub != 0:
		return in.MatchingSuperRegClass(src, class, desc.SubRegIdx(p.sub)) != desc.NoClass
	case sub != 0:
		return in.MatchingSuperRegClass(class, src, desc.SubRegIdx(sub)) != desc.NoClass
	}
	return in.CommonSubClass(class, src) != desc.NoClass
}

// haveCommonSuperClass reports that some register has, at one place, part a:x
// of a register of class a and part b:y of one of class b.
func haveCommonSuperClass(in *desc.Info, a desc.ClassID, x uint16, b desc.ClassID, y uint16) bool {
	words := in.ClassWords()
	row := func(c desc.ClassID, k int) (desc.SubRegIdx, []uint32) {
		if k == 0 {
			return 0, in.SubClassSet(c)
		}
		d := &in.Classes[c]
		return in.SubIdxLists[int(d.SuperIdx)+k-1], in.ClassBits.Rows()[int(d.SuperMasks)+(k-1)*words:][:words]
	}
	for i := range int(in.Classes[a].NumSuper) + 1 {
		p, pm := row(a, i)
		for j := range int(in.Classes[b].NumSuper) + 1 {
			q, qm := row(b, j)
			if in.ComposeSubRegs(p, desc.SubRegIdx(x)) != in.ComposeSubRegs(q, desc.SubRegIdx(y)) {
				continue
			}
			for w := range pm {
				if pm[w]&qm[w] != 0 {
					return true
				}
			}
		}
	}
	return false
}

// newSource is the end of the way from p that find found. PHIs on the way are
// made again over the new sources, or, without makePHIs, end the search: NoReg.
func (s *sources) newSource(p part, makePHIs bool) part {
	for {
		st := s.step(p)
		if st == nil {
			return p
		}
		if st.phi == 0 {
			p = st.from
			continue
		}
		if !makePHIs {
			return part{}
		}
		return part{s.remakePHI(st.phi), 0}
	}
}

// remakePHI builds a PHI of the new sources of those of phi.
func (s *sources) remakePHI(phi mir.InstrID) mir.Reg {
	f := s.f
	n := f.Instr(phi).NumOps()
	ops := make([]mir.Operand, 1, n)
	for k := 1; k < n; k += 2 {
		p := s.newSource(part{f.Op(phi, k).Reg(), f.Op(phi, k).SubReg()}, true)
		ops = append(ops, mir.SubRegOp(p.reg, p.sub, 0), *f.Op(phi, k+1))
		s.clearKills(p.reg)
	}
	r := f.AddVReg(f.VReg(ops[1].Reg()).Class)
	ops[0] = mir.RegOp(r, mir.Def)
	i := f.New(desc.PHI, ops...)
	f.Instr(i).Loc = f.Instr(phi).Loc
	f.InsertBefore(f.Instr(phi).Block(), phi, i)
	return r
}
